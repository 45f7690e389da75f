//! Sources before and after, to the byte.

use super::graduate;
use crate::diag::FileId;

/// The fields of a struct, before and after `A` graduates.
fn check(before: &str, after: &str) {
    let whole =
        |fields: &str| format!("// Kept.\n#[derive(ApiType)]\npub struct S {{\n{fields}}}\n");
    let (text, problems) = graduate(&whole(before), "A", FileId(0)).unwrap();
    assert!(problems.is_empty(), "{problems:?}");
    let text = text.unwrap_or_else(|| whole(before));
    assert_eq!(text, whole(after), "of\n{before}");
    // There is nothing left to do, and what is there is Rust.
    assert_eq!(graduate(&text, "A", FileId(0)).unwrap().0, None);
}

#[test]
fn gates_go_with_their_lines() {
    check(
        "    /// A doc.\n    #[experimental(feature = \"A\")]\n    pub a: u8, // why\n",
        "    /// A doc.\n    pub a: u8, // why\n",
    );
    check(
        "    #[experimental(feature = \"A\")] // note\n    pub a: u8,\n    #[experimental(feature = \"A\")] pub b: u8,\n",
        "    // note\n    pub a: u8,\n    pub b: u8,\n",
    );
    check(
        "    #[experimental(\n        feature = \"A\", // why\n    )]\n    pub a: u8,\n    #[serde(default)] #[experimental(feature = \"A\")] #[x]\n    pub b: u8,\n",
        "    pub a: u8,\n    #[serde(default)] #[x]\n    pub b: u8,\n",
    );
    let same = "    #[experimental]\n    pub a: u8,\n    #[experimental(feature = \"B\")]\n    pub b: u8,\n    #[not_experimental(feature = \"B\", doc = \"A\")]\n    pub c: u8,\n";
    check(same, same);
}

#[test]
fn what_held_without_it_goes() {
    check(
        "    pub a: u8,\n    /// Old.\n    #[not_experimental(feature = \"A\")]\n    pub b: Option<u8>, // old\n\n    pub c: u8,\n",
        "    pub a: u8,\n\n    pub c: u8,\n",
    );
    check(
        "    #[not_experimental(feature = \"A\", schemars(range(min = 1)))]\n    #[schemars(range(max = 9))]\n    pub b: u8,\n",
        "    #[schemars(range(max = 9))]\n    pub b: u8,\n",
    );
    let text = "enum E {\n    X,\n    #[not_experimental(feature = \"A\")]\n    Y { a: u8 },\n    #[experimental(feature = \"A\")]\n    Z,\n}\n";
    let (text, _) = graduate(text, "A", FileId(0)).unwrap();
    assert_eq!(text.unwrap(), "enum E {\n    X,\n    Z,\n}\n");
}

#[test]
fn contents_become_attributes() {
    check(
        "    #[experimental(feature = \"A\", schemars(length(max = 8)))]\n    pub a: u8,\n",
        "    #[schemars(length(max = 8))]\n    pub a: u8,\n",
    );
    check(
        "    /// One.\n    #[serde(default)]\n    #[experimental(feature = \"A\", doc = \"Two.\", doc = \"\", doc = \" Three\\nfour.\")]\n    pub a: u8,\n",
        "    /// One.\n    /// Two.\n    ///\n    /// Three\n    /// four.\n    #[serde(default)]\n    pub a: u8,\n",
    );
    check(
        "    #[serde(default)]\n    #[experimental(feature = \"A\", doc = \"Only.\")]\n    pub a: u8,\n    #[experimental(feature = \"A\", doc = \"First.\")]\n    pub b: u8,\n",
        "    /// Only.\n    #[serde(default)]\n    pub a: u8,\n    /// First.\n    pub b: u8,\n",
    );
    check(
        "    #[experimental(\n        feature = \"A\",\n        x_kube(validation = Rule::new(\n            \"self > 0\n        raw\"\n        ).message(\"m\")), // kept apart\n        schemars(range(max = 10))\n    )]\n    pub a: u8,\n",
        "    #[x_kube(validation = Rule::new(\n        \"self > 0\n        raw\"\n    ).message(\"m\"))]\n    #[schemars(range(max = 10))]\n    pub a: u8,\n",
    );
}

#[test]
fn contents_are_merged_into_what_is_there() {
    check(
        "    #[schemars(length(min = 1, max = 3))] // short\n    #[experimental(feature = \"A\", schemars(length(max = 10), pattern(\"a+\")))]\n    pub a: u8,\n",
        "    #[schemars(length(min = 1, max = 10), pattern(\"a+\"))] // short\n    pub a: u8,\n",
    );
    check(
        "    #[experimental(feature = \"A\", schemars(length(max = 10)))]\n    #[schemars(length(equal = 3), email)]\n    pub a: u8,\n    #[schemars(length(min = 1, max = 2))]\n    #[experimental(feature = \"A\", schemars(length(equal = 5)))]\n    pub b: u8,\n",
        "    #[schemars(length(min = 3, max = 10), email)]\n    pub a: u8,\n    #[schemars(length(equal = 5))]\n    pub b: u8,\n",
    );
    check(
        "    #[schemars(\n        extend(\"minLength\" = 1, \"x\" = json!({\"a\": [1, 2]})), // one\n        regex(pattern = \"^a\"), // two\n    )]\n    #[experimental(feature = \"A\", schemars(extend(\"maxLength\" = 3, \"minLength\" = 0), contains(pattern = \"b\"), url))]\n    pub a: u8,\n",
        "    #[schemars(\n        extend(\"minLength\" = 0, \"x\" = json!({\"a\": [1, 2]}), \"maxLength\" = 3), // one\n        contains(pattern = \"b\"),\n        url, // two\n    )]\n    pub a: u8,\n",
    );
    check(
        "    #[schemars(inner(length(max = 3)))]\n    #[experimental(feature = \"A\", schemars(inner(length(max = 5), email)))]\n    pub a: u8,\n",
        "    #[schemars(inner(length(max = 5), email))]\n    pub a: u8,\n",
    );
    check(
        "    #[x_kube(validation = \"self > 0\")]\n    #[experimental(feature = \"A\", x_kube(validation = (\"self < 9\", \"m\")))]\n    pub a: u8,\n",
        "    #[x_kube(validation = \"self > 0\", validation = (\"self < 9\", \"m\"))]\n    pub a: u8,\n",
    );
}

#[test]
fn types_of_kinds_merge_what_kube_reads() {
    let text = "#[derive(CustomResource)]\n#[kube(group = \"g\", shortname = \"a\")]\n#[kube(\n    doc = \"Old\",\n    namespaced\n)]\n#[experimental(feature = \"A\", kube(shortname = \"a\", shortname = \"b\", doc = \"New\", deprecated))]\nstruct S;\n";
    let expected = "#[derive(CustomResource)]\n#[kube(group = \"g\", shortname = \"a\")]\n#[kube(\n    doc = \"New\",\n    namespaced,\n    shortname = \"b\",\n    deprecated\n)]\nstruct S;\n";
    let (text, _) = graduate(text, "A", FileId(0)).unwrap();
    assert_eq!(text.unwrap(), expected);
}

#[test]
fn conditions_on_attributes_are_looked_into() {
    check(
        "    #[cfg_attr(feature = \"x\", serde(default), experimental(feature = \"A\"))]\n    pub a: u8,\n    #[cfg_attr(all(), experimental(feature = \"A\"))]\n    pub b: u8,\n    #[cfg_attr(all(), experimental(feature = \"A\", schemars(length(max = 3)), doc = \"d\"), serde(default))]\n    pub c: u8,\n    #[cfg_attr(all(), not_experimental(feature = \"A\", doc = \"d\"))]\n    pub d: u8,\n",
        "    #[cfg_attr(feature = \"x\", serde(default))]\n    pub a: u8,\n    pub b: u8,\n    #[cfg_attr(all(), doc = \"d\", schemars(length(max = 3)), serde(default))]\n    pub c: u8,\n    pub d: u8,\n",
    );
}

#[test]
fn what_a_person_has_to_do_is_said() {
    let problems = |text: &str| {
        let (_, problems) = graduate(text, "A", FileId(0)).unwrap();
        let messages = problems.into_iter().map(|problem| problem.message);
        messages.collect::<Vec<_>>()
    };
    assert_eq!(
        problems("#[not_experimental(feature = \"A\")]\nstruct S;"),
        ["`S` is there only without the feature, and code may use it"]
    );
    assert_eq!(
        problems("struct S { #[cfg_attr(all(), not_experimental(feature = \"A\"))] a: u8 }"),
        ["whether the node goes depends on a `cfg`"]
    );
    assert!(graduate("struct S {", "A", FileId(0)).is_err());
    let deep = format!("fn f() {{ {}{} }}", "(".repeat(5_000), ")".repeat(5_000));
    assert!(graduate(&deep, "A", FileId(0)).is_err());
}

#[test]
fn marks_and_lines_of_any_kind_stay() {
    let text = "\u{feff}#!/usr/bin/env x\r\nstruct S {\r\n    #[experimental(feature = \"A\")]\r\n    a: u8, // é\r\n}\r\nmod m {\r\n    enum E { #[experimental(feature = \"A\")] X, Y }\r\n}";
    let expected = "\u{feff}#!/usr/bin/env x\r\nstruct S {\r\n    a: u8, // é\r\n}\r\nmod m {\r\n    enum E { X, Y }\r\n}";
    let (text, _) = graduate(text, "A", FileId(0)).unwrap();
    assert_eq!(text.unwrap(), expected);
}
