//! Impls that derives generate for a type.

use super::oracle::evaluated;
use serde_json::{Value, json};

fn check(text: &str, expected: &Value) {
    let text = format!(
        "//- /lib.rs features:yes\n{text}\n//- /strum/lib.rs crate:strum\npub trait IntoEnumIterator {{ type Iterator; fn iter() -> Self::Iterator; }}\n"
    );
    match evaluated(&text, "f") {
        Ok(found) => assert_eq!(&found, expected, "{text}"),
        Err(why) => assert!(expected.is_null(), "{text}\n{why}"),
    }
}

/// Asserts the text of an enum's variant; `None` if it cannot be determined.
fn assert_display(text: &str, words: Option<&str>) {
    let text = format!("{text}\npub fn f() -> String {{ E::One.to_string() }}");
    check(&text, &words.map_or(Value::Null, |words| json!(words)));
}

#[test]
fn display_of_strum_is_what_its_attributes_say() {
    let of = "#[derive(strum::Display)]";
    for (text, words) in [
        ("enum E { One }", Some("One")),
        (
            "#[strum(prefix = \"a/\", suffix = \"/b\")] enum E { One }",
            Some("a/One/b"),
        ),
        (
            "#[strum(serialize_all = \"snake_case\", ascii_case_insensitive)] enum E { One }",
            Some("one"),
        ),
        ("#[strum(unheard_of = \"x\")] enum E { One }", None),
        ("#[strum(serialize_all = WORDS)] enum E { One }", None),
        ("#[strum(=)] enum E { One }", None),
        ("enum E { #[strum(unheard_of)] One }", None),
        (
            "#[strum(serialize_all = \"kebab-case\")] enum E { One, Two_Three }",
            None,
        ),
        (
            "#[strum(serialize_all = \"lowercase\")] enum E { One, Two_Three }",
            Some("one"),
        ),
        (
            "enum E { #[cfg(feature = \"no\")] #[strum(to_string = \"{x}\")] Two, One }",
            Some("One"),
        ),
        (
            "enum E { #[cfg_attr(feature = \"yes\", strum(to_string = \"first\"))] One }",
            Some("first"),
        ),
    ] {
        assert_display(&format!("{of} {text}"), words);
    }
}

#[test]
fn display_of_another_crate_is_not_that_of_strum() {
    assert_display(
        "use strum::Display; #[derive(Display)] enum E { One, Two }",
        Some("One"),
    );
    assert_display(
        "use strum::Display; #[derive(Display)] enum E { One, Two(String) }",
        Some("One"),
    );
    assert_display(
        "use derive_more::Display; #[derive(Display)] enum E { One, Two(String) }",
        None,
    );
    assert_display(
        "#[derive(derive_more::Display)] enum E { One }",
        Some("One"),
    );
    assert_display("#[derive(other::Display)] enum E { One }", None);
}

#[test]
fn variants_that_are_not_there_are_not_gone_through() {
    check(
        "#[derive(strum::EnumIter, serde::Serialize)] pub enum E { #[cfg(feature = \"no\")] A, #[cfg(feature = \"yes\")] B, C }
        pub fn f() -> usize { <E as strum::IntoEnumIterator>::iter().len() }",
        &json!(2),
    );
}

#[test]
fn fields_that_are_not_there_have_no_default() {
    let of = |fields: &str| {
        format!(
            "#[derive(educe::Educe, serde::Serialize)] #[educe(Default)] pub struct T {{ {fields} }}
            pub fn f() -> T {{ T::default() }}"
        )
    };
    check(
        &of("#[cfg(feature = \"no\")] #[educe(Default = 1)] a: u8, #[educe(Default = 2)] b: u8"),
        &json!({"b": 2}),
    );
    // Quoted content is an expression or a text, depending on the version.
    check(
        &of("#[educe(Default(expression = \"text()\"))] a: String"),
        &Value::Null,
    );
}
