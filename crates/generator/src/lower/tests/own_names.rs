//! Items of the source with the names of std's are the source's own.

use super::oracle::evaluated;

#[track_caller]
fn assert_error(text: &str, why: &str) {
    let found = evaluated(&format!("//- /lib.rs\n{text}"), "f");
    let refused = found.as_ref().is_err_and(|found| found.contains(why));
    assert!(refused, "{text}\n{found:?}");
}

#[test]
fn a_method_of_the_source_that_changes_is_not_taken_for_one_that_reads() {
    assert_error(
        "trait Cut { fn trim(&mut self) -> bool; }
        impl Cut for String { fn trim(&mut self) -> bool { self.clear(); std::process::id() > 1 } }
        fn g() -> Result<String, String> {
            let mut text = String::from(\"a\");
            if text.trim() { return Err(String::new()); }
            Ok(text)
        }
        pub fn f() -> String { g().unwrap() }",
        "",
    );
}

#[test]
fn a_type_of_another_crate_is_not_taken_for_one_of_std() {
    let of_crates =
        |text: &str| format!("{text}\n//- /chrono/lib.rs crate:chrono\n//- /url/lib.rs crate:url");
    for text in [
        "pub fn f() -> bool { chrono::Duration::MAX == chrono::Duration::MAX }",
        "pub fn f() -> chrono::Duration { Vec::new().into_iter().sum() }",
        "pub fn f() -> url::PathBuf { url::PathBuf::from(\"a\") }",
        "pub fn f() -> url::PathBuf { \"a\".parse().unwrap() }",
    ] {
        assert_error(&of_crates(text), "");
    }
}

#[test]
fn a_trait_of_the_source_is_none_of_std() {
    assert_error(
        "pub struct A(pub u8);
        trait Default { fn default() -> A; }
        impl Default for A { fn default() -> A { A(9) } }
        #[derive(core::default::Default, serde::Serialize)] pub struct B { pub a: A }
        pub fn f() -> B { B::default() }",
        "`A` has no `Default`",
    );
    assert_error(
        "pub struct Option(pub u8);
        pub fn f() -> u8 { Some(1) }
        fn Some(_: u8) -> u8 { std::process::id() as u8 }",
        "only integers are read here, and how this is one is not known",
    );
}
