//! The errors about invalid attributes.

use super::read;

/// Checks the diagnostics of a type: code, message, help.
fn check(source: &str, expected: &[(&str, &str, &str)]) {
    let (_, found) = read(source);
    let found: Vec<(&str, &str, &str)> = found
        .iter()
        .map(|(code, at, _, help)| (*code, at.as_str(), help.as_str()))
        .collect();
    assert_eq!(found, expected, "in {source}");
}

#[test]
fn near_misses_of_our_attributes_are_found_everywhere() {
    for (source, at, help) in [
        (
            "#[experimentl] struct A;",
            "experimentl",
            "did you mean `experimental`?",
        ),
        (
            "struct A { #[experimantal(feature = \"X\")] a: u8 }",
            "experimantal",
            "did you mean `experimental`?",
        ),
        (
            "enum A { #[not_experimental_] B }",
            "not_experimental_",
            "did you mean `not_experimental`?",
        ),
        (
            "enum A { B { #[tombstones] b: u8 } }",
            "tombstones",
            "did you mean `tombstone`?",
        ),
    ] {
        check(source, &[("unknown-attribute", at, help)]);
    }
    check(
        "#[typetag::serde] #[builder] #[stable] struct A { #[builder(x)] a: u8 }",
        &[],
    );
}

#[test]
fn our_attributes() {
    check(
        r#"struct A { #[experimental] #[experimental(feature = "X")] a: u8 }"#,
        &[(
            "two-gates",
            r#"#[experimental(feature = "X")]"#,
            "keep one; if both are meant, move the node into a type of its own and gate that by the other",
        )],
    );
    check(
        r#"struct A { #[experimental(serde(default))] a: u8 }"#,
        &[(
            "gate-content",
            "serde(default)",
            "gate the whole field or variant",
        )],
    );
    check(
        r#"struct A { #[experimental(schemars(lenght(max = 1)), garde(email))] a: u8 }"#,
        &[("unknown-attribute", "lenght", "did you mean `length`?")],
    );
    check(
        r#"struct A { #[crd(nulable)] a: u8 }"#,
        &[("unknown-attribute", "nulable", "did you mean `nullable`?")],
    );
}

#[test]
fn serde_speaks_for_itself() {
    check(
        r#"#[derive(Deserialize)] struct A { #[serde(renam = "b")] a: u8 }"#,
        &[("serde-attribute", "renam", "did you mean `rename`?")],
    );
    check(
        r#"#[derive(Deserialize)] #[serde(tag = "a", untagged)] enum A { B }"#,
        &[
            ("serde-attribute", "untagged", ""),
            ("serde-attribute", "tag", ""),
        ],
    );
    // Without a derive that reads it, the attribute belongs to another crate.
    check(r#"struct A { #[serde(renam = "b")] a: u8 }"#, &[]);
}

#[test]
fn schemars() {
    for (inside, expected) in [
        (
            "titel = \"a\"",
            vec![("unknown-attribute", "titel", "did you mean `title`?")],
        ),
        (
            "title",
            vec![("invalid-attribute", "title", "write `title = ..`")],
        ),
        (
            "with = \"A B\"",
            vec![("invalid-attribute", "\"A B\"", "write a type, as in code")],
        ),
        (
            "with = \"A\", schema_with = \"b\"",
            vec![("invalid-attribute", "schema_with = \"b\"", "keep one")],
        ),
        (
            "length(min = 1, equal = 2)",
            vec![("invalid-attribute", "equal = 2", "keep one")],
        ),
        (
            "length(min = 1), length(max = 2)",
            vec![("invalid-attribute", "length(max = 2)", "keep one")],
        ),
        (
            "regex(pattern = \"a\"), contains(\"b\")",
            vec![("invalid-attribute", "contains(\"b\")", "keep one")],
        ),
        ("email, url", vec![("invalid-attribute", "url", "keep one")]),
        (
            "inner(lengt(max = 1))",
            vec![("unknown-attribute", "lengt", "did you mean `length`?")],
        ),
        (
            "extend(\"a\" = 1), extend(\"a\" = 2)",
            vec![("invalid-attribute", "\"a\"", "keep one")],
        ),
        (
            "transform = \"f\"",
            vec![("invalid-attribute", "\"f\"", "write `transform = f`")],
        ),
        (
            "!default",
            vec![("invalid-attribute", "!default", "remove `!default`")],
        ),
        (
            "rename = \"a\" \"b\"",
            vec![("invalid-attribute", "\"b\"", "")],
        ),
        (
            "inline",
            vec![("invalid-attribute", "inline", "it is allowed on a type")],
        ),
    ] {
        let source = format!("#[derive(JsonSchema)] struct A {{ #[schemars({inside})] a: u8 }}");
        check(&source, &expected);
    }
    check(
        "#[derive(JsonSchema)] #[schemars(length(max = 1))] struct A { #[schemars] a: u8 }",
        &[
            (
                "invalid-attribute",
                "length(max = 1)",
                "it is allowed on a field",
            ),
            (
                "invalid-attribute",
                "#[schemars]",
                "write `#[schemars(..)]`",
            ),
        ],
    );
}

#[test]
fn validators() {
    check(
        r#"struct A { #[validate(custom(f), length(max = 1, message = "m"), email(code = "c"))] #[garde(skip, length(utf16, max = 2), dive)] a: String }"#,
        &[],
    );
    check(
        "struct A { #[garde(if(cond = true, ascii))] a: String }",
        &[(
            "ignored-attribute",
            "garde(if(cond = true, ascii))",
            "write the intended keywords as `#[schemars(..)]`",
        )],
    );
    check(
        "#[derive(KubeSchema)] struct A { #[garde(length(max = 2))] a: String }",
        &[(
            "ignored-attribute",
            "length(max = 2)",
            "write `#[schemars(length(..))]` beside it",
        )],
    );
}

#[test]
fn kube() {
    let head = r#"group = "g", version = "v1", kind = "K""#;
    for (inside, expected) in [
        (
            "grup = \"a\"",
            vec![("unknown-attribute", "grup", "did you mean `group`?")],
        ),
        (
            "group = \"h\"",
            vec![("invalid-attribute", "group = \"h\"", "keep one")],
        ),
        (
            "plural(\"a\")",
            vec![(
                "invalid-attribute",
                "plural(\"a\")",
                "write `plural = \"..\"`",
            )],
        ),
        (
            "namespaced = 1",
            vec![("invalid-attribute", "namespaced = 1", "write `namespaced`")],
        ),
        (
            "schema = \"derive\"",
            vec![(
                "invalid-attribute",
                "\"derive\"",
                "did you mean `schema = \"derived\"`?",
            )],
        ),
        (
            "status = 1",
            vec![("invalid-attribute", "status = 1", "write `status = ..`")],
        ),
        (
            "scale(spec_replicas_path = \".a\")",
            vec![(
                "invalid-attribute",
                "scale(spec_replicas_path = \".a\")",
                "add `status_replicas_path = \"..\"`",
            )],
        ),
        (
            r##"printcolumn = r#"{"name": "A", "type": "string", "jsonpath": ".a"}"#"##,
            vec![
                (
                    "ignored-attribute",
                    r##"r#"{"name": "A", "type": "string", "jsonpath": ".a"}"#"##,
                    "did you mean `jsonPath`?",
                ),
                (
                    "invalid-attribute",
                    r##"r#"{"name": "A", "type": "string", "jsonpath": ".a"}"#"##,
                    "write keys in parentheses instead of a string: `printcolumn(..)`, `scale(..)`",
                ),
            ],
        ),
        (
            r##"printcolumn = r#"{"name": "A", "type": "string", "jsonPath": ".a", "minimum": "0"}"#"##,
            vec![(
                "ignored-attribute",
                r##"r#"{"name": "A", "type": "string", "jsonPath": ".a", "minimum": "0"}"#"##,
                "remove it: this JSON takes `name`, `type`, `jsonPath`, `description`, `format` or `priority`",
            )],
        ),
        (
            "scale = \"{\"",
            vec![(
                "invalid-attribute",
                "\"{\"",
                "write keys in parentheses instead of a string: `printcolumn(..)`, `scale(..)`",
            )],
        ),
        (
            "label(\"a\")",
            vec![(
                "invalid-attribute",
                "label(\"a\")",
                "write `label(\"..\", \"..\")`",
            )],
        ),
    ] {
        let source = format!("#[derive(CustomResource)] #[kube({head}, {inside})] struct A {{}}");
        check(&source, &expected);
    }
    check(
        &format!("#[derive(CustomResource)] #[kube({head})] struct K {{}}"),
        &[("invalid-attribute", "K", "call this type `KSpec`")],
    );
}

#[test]
fn x_kube() {
    check(
        "#[x_kube(validaton = \"a\")] struct A { #[x_kube(merge_strategy)] a: u8 }",
        &[
            (
                "unknown-attribute",
                "validaton",
                "did you mean `validation`?",
            ),
            (
                "invalid-attribute",
                "merge_strategy",
                "write `merge_strategy = ..`",
            ),
        ],
    );
    check(
        "#[derive(KubeSchema)] enum A { B { #[x_kube(validation = \"a\")] b: u8 } }",
        &[
            ("invalid-attribute", "A", "derive `JsonSchema`"),
            (
                "invalid-attribute",
                "validation = \"a\"",
                "it is allowed on a struct or a field",
            ),
        ],
    );
}

#[test]
fn documentation_is_literal() {
    check(
        "struct A { #[doc = include_str!(\"a.md\")] #[doc(hidden)] a: u8 }",
        &[(
            "not-constant",
            "include_str!(\"a.md\")",
            "write the text as a doc comment",
        )],
    );
}
