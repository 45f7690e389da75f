//! Sources before and after, byte for byte.

use super::mentions;
use crate::{
    FeatureEnd, MentionTarget, NewTombstone, RemovedItem, UngatedFile, add_tombstones, ungate,
};
use crd_channels_diagnostics::{Diagnostic, FileId};

fn ungated(text: &str, end: FeatureEnd) -> (Option<String>, Vec<Diagnostic>) {
    let UngatedFile { text, problems, .. } = ungate(text, "A", end, FileId(0)).unwrap();
    (text, problems)
}

fn graduate(text: &str) -> (Option<String>, Vec<Diagnostic>) {
    ungated(text, FeatureEnd::Graduates)
}

/// Checks the fields of a struct, before and after `A` graduates.
fn check(before: &str, after: &str) {
    let whole =
        |fields: &str| format!("// Kept.\n#[derive(ApiType)]\npub struct S {{\n{fields}}}\n");
    let (text, problems) = graduate(&whole(before));
    assert!(problems.is_empty(), "{problems:?}");
    let text = text.unwrap_or_else(|| whole(before));
    assert_eq!(text, whole(after), "of\n{before}");
    // The result is valid Rust without gates.
    assert_eq!(graduate(&text).0, None);
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
    let (text, _) = graduate(text);
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
    let (text, _) = graduate(text);
    assert_eq!(text.unwrap(), expected);
}

#[test]
fn the_status_of_a_kind_stays_or_goes_in_kube() {
    let check = |before: &str, graduated: &str, removed: &str| {
        let whole = |attrs: &str| format!("#[derive(CustomResource)]\n{attrs}struct KSpec;\n");
        for (end, expected) in [
            (FeatureEnd::Graduates, graduated),
            (FeatureEnd::Goes, removed),
        ] {
            let (text, problems) = ungated(&whole(before), end);
            assert!(problems.is_empty(), "{problems:?}");
            assert_eq!(text.unwrap(), whole(expected), "{end:?} of\n{before}");
        }
    };
    let gate = "#[experimental(feature = \"A\", kube(status))]\n";
    let with = |kube: &str| format!("#[kube({kube})]\n");
    for (kube, without) in [
        (
            "kind = \"K\", status = \"S\", namespaced",
            "kind = \"K\", namespaced",
        ),
        ("kind = \"K\", status = \"S\"", "kind = \"K\""),
        ("status = \"S\", kind = \"K\",", "kind = \"K\","),
        (
            "\n    kind = \"K\",\n    status = \"S\", // of K\n    namespaced\n",
            "\n    kind = \"K\",\n    namespaced\n",
        ),
        (
            "\n    kind = \"K\", // K\n    status = \"S\"\n",
            "\n    kind = \"K\"\n",
        ),
        (
            "\n    kind = \"K\", // K\n    status = \"S\",\n",
            "\n    kind = \"K\", // K\n",
        ),
    ] {
        check(&(with(kube) + gate), &with(kube), &with(without));
    }
    let kind = with("kind = \"K\"");
    let status = with("status = \"S\"");
    let both = kind.clone() + &status;
    check(&(both.clone() + gate), &both, &kind);
    let off = gate.replace("experimental", "not_experimental");
    check(&(both.clone() + &off), &kind, &both);
    let scale = "scale(spec_replicas_path = \".spec.a\", status_replicas_path = \".status.b\")";
    check(
        &format!("{both}#[experimental(feature = \"A\", kube(status, {scale}))]\n"),
        &format!("{kind}#[kube(status = \"S\", {scale})]\n"),
        &kind,
    );
    let other = "scale(spec_replicas_path = \".spec.c\", status_replicas_path = \".status.d\")";
    check(
        &format!(
            "#[kube(status = \"S\", {other})]\n#[experimental(feature = \"A\", kube({scale}))]\n"
        ),
        &format!("#[kube(status = \"S\", {scale})]\n"),
        &format!("#[kube(status = \"S\", {other})]\n"),
    );
    let text = both + gate + "struct KSpec;";
    let gone = ungate(&text, "A", FeatureEnd::Goes, FileId(0))
        .unwrap()
        .gone;
    let (of, name) = ("K".to_owned(), "status".to_owned());
    assert_eq!(gone, [RemovedItem::Field { of, name }]);
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
        let (_, problems) = graduate(text);
        let messages = problems.into_iter().map(|problem| problem.message);
        messages.collect::<Vec<_>>()
    };
    assert_eq!(
        problems("#[not_experimental(feature = \"A\")]\nstruct S;"),
        ["`S` exists only without the feature, and code may use it"]
    );
    assert_eq!(
        problems("struct S { #[cfg_attr(all(), not_experimental(feature = \"A\"))] a: u8 }"),
        ["the removal of the node depends on a `cfg`"]
    );
    assert_eq!(
        problems(
            "#[kube(kind = \"K\", status = \"S\")] #[cfg_attr(all(), experimental(feature = \"A\", kube(status)))] struct S;"
        ),
        ["the gate of the status depends on a `cfg`"]
    );
    assert!(ungate("struct S {", "A", FeatureEnd::Graduates, FileId(0)).is_err());
    let deep = format!("fn f() {{ {}{} }}", "(".repeat(5_000), ")".repeat(5_000));
    assert!(ungate(&deep, "A", FeatureEnd::Graduates, FileId(0)).is_err());
}

#[test]
fn marks_and_lines_of_any_kind_stay() {
    let text = "\u{feff}#!/usr/bin/env x\r\nstruct S {\r\n    #[experimental(feature = \"A\")]\r\n    a: u8, // é\r\n}\r\nmod m {\r\n    enum E { #[experimental(feature = \"A\")] X, Y }\r\n}";
    let expected = "\u{feff}#!/usr/bin/env x\r\nstruct S {\r\n    a: u8, // é\r\n}\r\nmod m {\r\n    enum E { X, Y }\r\n}";
    let (text, _) = graduate(text);
    assert_eq!(text.unwrap(), expected);
}

#[test]
fn what_goes_goes_with_its_gap() {
    let gone = |before: &str, after: &str| {
        let (text, problems) = ungated(before, FeatureEnd::Goes);
        assert!(problems.is_empty(), "{problems:?}");
        assert_eq!(text.unwrap(), after, "of\n{before}");
    };
    let gate = "    #[experimental(feature = \"A\")]\n";
    gone(
        &format!("struct S {{\n    /// B.\n{gate}    b: u8, // b\n\n    c: u8,\n}}\n"),
        "struct S {\n    c: u8,\n}\n",
    );
    gone(
        &format!("struct S {{\n    a: u8,\n\n{gate}    b: u8,\n\n    c: u8,\n}}\n"),
        "struct S {\n    a: u8,\n\n    c: u8,\n}\n",
    );
    gone(
        &format!("struct S {{\n    a: u8,\n\n{gate}    b: u8\n}}\n"),
        "struct S {\n    a: u8,\n}\n",
    );
    let two = format!("{gate}    b: u8,\n\n{gate}    c: u8,\n");
    gone(
        &format!("struct S {{\n    a: u8,\n\n{two}}}\n"),
        "struct S {\n    a: u8,\n}\n",
    );
    gone(
        &format!("struct S {{\n{two}\n    d: u8,\n\n{two}\n    e: u8,\n}}\n"),
        "struct S {\n    d: u8,\n\n    e: u8,\n}\n",
    );
    gone(
        "enum E {\r\n    X,\r\n\r\n    #[experimental(feature = \"A\")]\r\n    Y { y: u8 },\r\n\r\n    Z,\r\n}\r\n",
        "enum E {\r\n    X,\r\n\r\n    Z,\r\n}\r\n",
    );
    gone(
        "use a::B;\n\n/// K.\n#[kube(kind = \"K\")]\n#[experimental(feature = \"A\")]\nstruct K {\n    k: u8,\n}\n\n/// T.\n#[experimental(feature = \"A\")]\nstruct T;\n",
        "use a::B;\n\n/// T.\nstruct T;\n",
    );
    gone(
        "struct S {\n    #[not_experimental(feature = \"A\", schemars(length(max = 8)))]\n    a: u8,\n    #[not_experimental(feature = \"A\")]\n    b: u8,\n    #[experimental(feature = \"A\", doc = \"B.\")]\n    c: u8,\n}\n",
        "struct S {\n    #[schemars(length(max = 8))]\n    a: u8,\n    b: u8,\n    c: u8,\n}\n",
    );
}

#[test]
fn tombstones_stand_below_all_attributes() {
    let stone = |name: &str, reason: &str| NewTombstone {
        name: name.to_owned(),
        removed: "v0.2.0".to_owned(),
        reason: reason.to_owned(),
    };
    let text = "mod m {\r\n    #[derive(X)] // x\r\n    #[serde(y)]\r\n    // why\r\n    pub(crate) enum E { A }\r\n}\r\n";
    let at = text.find("E {").unwrap();
    let stones = [stone("one", "r"), stone("two", &"\"long\" ".repeat(5))];
    let expected = "mod m {\r\n    #[derive(X)] // x\r\n    #[serde(y)]\r\n    // why\r\n    #[tombstone(name = \"one\", removed = \"v0.2.0\", reason = \"r\")]\r\n    #[tombstone(\r\n        name = \"two\",\r\n        removed = \"v0.2.0\",\r\n        reason = \"\\\"long\\\" \\\"long\\\" \\\"long\\\" \\\"long\\\" \\\"long\\\" \"\r\n    )]\r\n    pub(crate) enum E { A }\r\n}\r\n";
    assert_eq!(add_tombstones(text, at, &stones).unwrap(), expected);
    assert_eq!(add_tombstones(text, at + 1, &stones), None);
    assert_eq!(add_tombstones("struct {", 7, &stones), None);
    // rustfmt breaks attributes of more than 70 characters.
    let lines = |length: usize| {
        let stones = [stone("requestTimeout", &"x".repeat(length))];
        add_tombstones("struct S;", 7, &stones)
            .unwrap()
            .lines()
            .count()
    };
    assert_eq!((lines(14), lines(15)), (2, 6));
}

/// The mentions in a text of a field, a variant or a type.
fn found(text: &str, wanted: &MentionTarget) -> Vec<String> {
    let found = mentions(text, std::slice::from_ref(wanted), FileId(0)).unwrap();
    let line = |at: u32| text.get(..at as usize).unwrap().matches('\n').count();
    let told = found.into_iter();
    told.map(|mention| format!("{} {}", line(mention.span.start), mention.name))
        .collect()
}

#[test]
fn members_are_found_where_they_may_be_meant() {
    let (of, name) = ("S".to_owned(), "f".to_owned());
    let field = MentionTarget::Member(RemovedItem::Field { of, name });
    let text = "fn a(s: S) { s.f; s.f(); 0..f; }
fn b() -> S { S { f: 1, g: f } }
fn c(S { f, .. }: S) { T { f }; T { f: 1 }; let m::S { ref f } = s; }
impl<X> Tr for S where X: Y { fn d() { Self { f }; } }
impl T { fn d() { Self { f }; } }
struct S { g: u8 }
m!(s.f);
";
    assert_eq!(
        found(text, &field),
        ["0 f", "1 f", "2 f", "2 f", "3 f", "6 f"]
    );
    let (of, name) = ("E".to_owned(), "V".to_owned());
    let variant = MentionTarget::Member(RemovedItem::Variant { of, name });
    let text = "use m::E::{self, V, W};
fn a() { E::V; m::E::V; F::V; V }
impl E { fn b(self) { Self::V } }
impl F { fn b(self) { Self::V } }
";
    assert_eq!(found(text, &variant), ["0 V", "1 V", "1 V", "2 V"]);
}

#[test]
fn types_are_told_apart_by_their_modules() {
    let text = "use v1::{K, KSpec};
use crate::v2::K as Two;
fn a(a: v1::K, b: v2::K, c: super::K) {}
mod v1 { pub struct KSpec { k: Box<KSpec> } impl KSpec {} }
";
    let home = text.find("KSpec { k");
    let wanted = |home, alone, module: &str| MentionTarget::Type {
        names: vec!["KSpec".to_owned(), "K".to_owned()],
        modules: vec![module.to_owned()],
        home,
        alone,
    };
    assert_eq!(
        found(text, &wanted(home, true, "v1")),
        ["0 K", "0 KSpec", "2 K", "2 K", "3 KSpec"]
    );
    assert_eq!(
        found(text, &wanted(None, true, "v2")),
        ["1 K", "2 K", "2 K"]
    );
    let bare = "use v2::*;\nfn a(k: K) {}\n";
    assert_eq!(found(bare, &wanted(None, true, "v2")), ["1 K"]);
    assert_eq!(found(bare, &wanted(None, false, "v2")), [""; 0]);
}
