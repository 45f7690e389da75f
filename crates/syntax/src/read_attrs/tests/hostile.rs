//! No valid Rust syntax makes the reader panic.

use super::read_input;
use proptest::prelude::*;

const WORDS: &[&str] = &[
    "experimental",
    "not_experimental",
    "tombstone",
    "crd",
    "schemars",
    "serde",
    "kube",
    "x_kube",
    "validate",
    "garde",
    "doc",
    "feature",
    "extend",
    "length",
    "range",
    "regex",
    "contains",
    "inner",
    "min",
    "rename",
    "rename_all",
    "default",
    "with",
    "tag",
    "flatten",
    "transparent",
    "printcolumn",
    "scale",
    "storage",
    "deprecated",
    "status",
    "nullable",
    "name",
    "=",
    ",",
    "!",
    "::",
    "-",
    "<",
    ">",
    "&",
    "'a'",
    "1",
    "\"a\"",
    "\"<A as B>::c\"",
    "\"{}\"",
    "\"\"",
    "r#\"\\\"#",
    "true",
    "if",
    "self",
    "é",
    "b\"x\"",
    "0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF",
    "|x| x",
];

fn inside() -> impl Strategy<Value = String> {
    let word = prop::sample::select(WORDS).prop_map(str::to_owned);
    word.prop_recursive(4, 24, 6, |inner| {
        let list = prop::collection::vec(inner, 0..6).prop_map(|parts| parts.join(" "));
        prop_oneof![list.clone().prop_map(|list| format!("({list})")), list]
    })
}

proptest! {
    #[test]
    fn attributes_of_any_content_are_survived(
        name in prop::sample::select(&WORDS[..11]),
        content in inside(),
        shape in 0..4_usize,
    ) {
        let attr = format!("#[{name}({content})]");
        let body = match shape {
            0 => format!("{attr} struct A {{ {attr} a: u8 }}"),
            1 => format!("{attr} struct A({attr} u8, {attr} u8);"),
            2 => format!("{attr} enum A {{ {attr} B, C {{ {attr} c: u8 }}, D({attr} u8) }}"),
            _ => format!("{attr} struct A;"),
        };
        let source = format!("#[derive(JsonSchema, KubeSchema, CustomResource)] {body}");
        if let Ok(input) = syn::parse_str::<syn::DeriveInput>(&source) {
            read_input(input, &source);
        }
    }
}
