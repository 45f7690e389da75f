//! Source that cannot be read is reported at its span, with a way out.

use super::drafts;
use crate::lower::Overrides;
use crd_channels_source::fixture;

const HEAD: &str = "
use kube::{CustomResource, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
#[derive(CustomResource, KubeSchema, Serialize, Deserialize)]
#[kube(group = \"g.example.com\", version = \"v1\", kind = \"K\")]
";
const CRATES: &str = "
//- /kube/lib.rs crate:kube
//- /schemars/lib.rs crate:schemars
//- /serde/lib.rs crate:serde
//- /serde_json/lib.rs crate:serde_json
//- /url/lib.rs crate:url
";

/// Returns all findings of a text, as `code: source at the span`.
fn findings(text: &str) -> Vec<String> {
    let mut loaded = fixture::graph(&format!("//- /lib.rs\n{text}\n{CRATES}"));
    let lowered = drafts(&loaded.graph, &Overrides::default(), &mut loaded.findings);
    let findings = loaded.findings.into_diagnostics();
    if findings.is_empty() {
        assert!(!lowered.is_empty(), "neither a draft nor a finding: {text}");
    }
    let shown = findings.into_iter().map(|finding| {
        assert!(
            finding.help.is_some() || finding.code.record().id == "unresolved-path",
            "no help: {finding:?}"
        );
        let span = finding.span.unwrap();
        let file = loaded.sources.get(span.file).unwrap();
        let place = &file.text[span.start as usize..span.end as usize];
        format!("{}: {place}", finding.code.record().id)
    });
    shown.collect()
}

#[test]
fn old_versions_of_kube_are_the_reason_for_kinds_without_a_schema() {
    let help = |kube: &str| {
        let text = "use kube_derive::CustomResource;\n#[derive(CustomResource)]\n\
            #[kube(group = \"g.example.com\", version = \"v1\", kind = \"K\", apiextensions = \"v1beta1\")]\n\
            pub struct KSpec { pub a: String }";
        let derive = format!("//- /kube-derive/lib.rs crate:kube-derive version:{kube}");
        let mut loaded = fixture::graph(&format!("//- /lib.rs\n{text}\n{CRATES}{derive}\n"));
        drafts(&loaded.graph, &Overrides::default(), &mut loaded.findings);
        let findings = loaded.findings.into_diagnostics();
        let missing = findings
            .iter()
            .find(|finding| finding.code.record().id == "missing-schema");
        missing.unwrap().help.clone().unwrap()
    };
    assert!(help("0.47.0").starts_with("update kube, "));
    assert!(help("0.90.0").starts_with("add `JsonSchema` "));
}

#[test]
fn each_is_reported_at_its_place() {
    let cases: &[(&str, &[&str])] = &[
        ("pub struct S { a: Option<String> }", &[]),
        (
            "pub struct S { a: A } pub struct A;",
            &["missing-schema: A"],
        ),
        (
            "pub struct S { a: A, b: A } pub struct A;",
            &["missing-schema: A"],
        ),
        (
            "pub struct S { a: A } use schemars::JsonSchema as J; #[derive(J)] pub struct A { b: u8 }",
            &[],
        ),
        ("pub struct S { a: fn() }", &["unsupported-type: fn()"]),
        (
            "pub struct S { a: std::ffi::OsString, b: std::sync::mpsc::Sender<u8> }",
            &[
                "unsupported-type: std::ffi::OsString",
                "unsupported-type: std::sync::mpsc::Sender<u8>",
            ],
        ),
        (
            "pub struct S { a: Option<Box<A>> } #[derive(JsonSchema)] pub struct A { b: Vec<B> } #[derive(JsonSchema)] pub struct B { a: Option<Box<A>> }",
            &["recursive-type: Vec<B>"],
        ),
        ("pub struct S { s: Vec<S> }", &["recursive-type: Vec<S>"]),
        (
            "pub struct S { a: A } #[derive(JsonSchema, Deserialize)] #[serde(rename = \"B\")] pub struct A { b: B } #[derive(JsonSchema)] pub struct B { c: u8 }",
            &["recursive-type: B"],
        ),
        (
            "pub struct S { b: B } #[derive(JsonSchema)] pub struct B { a: Vec<A> } #[derive(JsonSchema)] #[schemars(rename = \"B\")] pub struct A { c: u8 }",
            &["recursive-type: A"],
        ),
        (
            "pub struct S { a: A, b: B } #[derive(JsonSchema)] #[schemars(rename = \"B\")] pub struct A { c: u8 } #[derive(JsonSchema)] pub struct B { c: u8 }",
            &[],
        ),
        (
            "pub struct S { a: A } #[derive(JsonSchema)] pub struct A { t: T } #[derive(JsonSchema)] #[schemars(rename = \"K\")] pub struct T { c: u8 }",
            &["recursive-type: T"],
        ),
        (
            // The `impl` of `KubeSchema` has the type's own name, whatever schemars is told.
            "#[schemars(rename = \"K\")] pub struct S { a: u8 }",
            &[],
        ),
        (
            "pub struct S { a: A } pub struct A; impl JsonSchema for A { fn schema_name() -> String { \"X\".into() } \
             fn json_schema(g: &mut schemars::SchemaGenerator) -> schemars::Schema { schemars::json_schema!({ \"items\": g.subschema_for::<B>() }) } } \
             pub struct B; impl JsonSchema for B { fn schema_name() -> String { \"X\".into() } \
             fn json_schema(g: &mut schemars::SchemaGenerator) -> schemars::Schema { schemars::json_schema!({ \"type\": \"string\" }) } }",
            &["recursive-type: B"],
        ),
        (
            "pub struct S { #[serde(default = \"f\")] a: u8, b: B } #[made::anew] fn f() -> u8 { 1 } #[made::anew] #[derive(JsonSchema)] pub struct B { c: u8 }",
            &["not-constant: made::anew", "unknown-macro: made::anew"],
        ),
        (
            "pub struct S { #[serde(default = \"m::f\")] a: u32 } #[no_implicit_prelude] mod m { pub fn f() -> u32 { u32::default() } }",
            &["not-constant: no_implicit_prelude"],
        ),
        (
            "pub struct S { #[doc = concat!(\"a\", \"b\")] a: u8 } macro_rules! later { () => {} }",
            &[],
        ),
        (
            "pub struct S { #[doc = concat!(\"a\", stringify!(b))] a: u8 } mod m { macro_rules! stringify { ($x:tt) => { \"\" } } }",
            &[],
        ),
        (
            "pub struct S { a: m::A } mod m { use super::*; macro_rules! concat { ($($x:tt)*) => { \"\" } } #[derive(JsonSchema)] pub struct A { #[doc = (concat!(\"a\"))] a: u8 } }",
            &["unknown-macro: concat"],
        ),
        (
            "pub struct S { a: A<u8> } #[derive(JsonSchema)] pub struct A<T> { a: Option<Box<A<Vec<T>>>>, t: T }",
            &["recursive-type: Option<Box<A<Vec<T>>>>"],
        ),
        (
            "pub struct S { a: A } #[derive(JsonSchema)] pub struct A<T> { t: T }",
            &["unsupported-type: A"],
        ),
        (
            "pub struct S { #[serde(default = \"f\")] a: u64 } fn f() -> u64 { std::process::id() as u64 }",
            &["not-constant: std::process::id()"],
        ),
        (
            "pub struct S { #[serde(default)] a: A } #[derive(JsonSchema, Serialize)] pub struct A { x: u8 }",
            &["not-constant: A"],
        ),
        (
            "pub struct S { #[serde(default)] a: A } #[derive(JsonSchema)] pub struct A { x: u8 }",
            &["not-constant: A"],
        ),
        (
            "pub struct S { #[serde(default, skip_serializing_if = \"odd\")] a: u8 } fn odd(x: &u8) -> bool { while *x == 0 {} true }",
            &["not-constant: \"odd\""],
        ),
        (
            "pub struct S { #[schemars(length(max = N))] a: String } static N: usize = std::mem::size_of::<u8>();",
            &["not-constant: std::mem::size_of::<u8>()"],
        ),
        (
            "pub struct S { #[schemars(schema_with = \"f\")] a: u8 } fn f(g: &mut schemars::SchemaGenerator) -> schemars::Schema { if g.settings().inline { g.subschema_for::<u8>() } else { g.subschema_for::<u16>() } }",
            &[
                "unreadable-schema: if g.settings().inline { g.subschema_for::<u8>() } else { g.subschema_for::<u16>() }",
            ],
        ),
        (
            "pub struct S { #[schemars(transform = f)] a: u8 }",
            &["unresolved-path: f"],
        ),
        (
            "pub struct S { #[schemars(transform = f)] a: u8 } fn f(s: &mut schemars::Schema) { for x in 0..2 {} }",
            &["unreadable-schema: for x in 0..2 {}"],
        ),
        (
            "pub struct S { #[schemars(transform = |s| { s.insert(\"title\".into(), \"T\".into()); s.remove(\"format\"); })] a: u8 }",
            &[],
        ),
        // Whether the keyword exists is unknown.
        (
            "pub struct S { #[schemars(transform = f)] a: A } #[derive(JsonSchema)] pub struct A { x: u8 } fn f(s: &mut schemars::Schema) { if let Some(d) = s.get_mut(\"description\") { *d = \"x\".into(); } }",
            &["unreadable-schema: if let Some(d) = s.get_mut(\"description\") { *d = \"x\".into(); }"],
        ),
        (
            "pub struct S { #[schemars(transform = f)] a: A } #[derive(JsonSchema)] pub struct A { x: u8 } fn f(s: &mut schemars::Schema) { let _ = unknown(s); }",
            &["unreadable-schema: unknown(s)"],
        ),
        (
            "pub struct S { #[schemars(schema_with = \"f\")] a: A } pub struct A; fn f(g: &mut schemars::SchemaGenerator) -> schemars::Schema { let mut s = schemars::schema::SchemaObject { metadata: Some(Box::default()), ..Default::default() }; if let Some(d) = &mut s.metadata { d.title = Some(\"T\".to_owned()); } s.into() }",
            &["unreadable-schema: Box::default()"],
        ),
        (
            "pub struct S { #[serde(flatten)] #[x_kube(validation = \"true\")] a: A } #[derive(JsonSchema)] pub struct A { x: u8 }",
            &[],
        ),
        (
            "pub struct S { #[x_kube(merge_strategy = StructMerge::Atomic)] a: A } #[derive(JsonSchema)] pub struct A { x: u8 }",
            &["no-effect: StructMerge::Atomic"],
        ),
        (
            "pub struct S { a: A } #[derive(KubeSchema)] pub enum A { X }",
            &["invalid-attribute: A"],
        ),
        ("pub struct K { a: u8 }", &["invalid-attribute: K"]),
        ("pub struct S<T> { a: T }", &["unsupported-type: S"]),
        (
            "#[kube(no_spec)] pub struct S { kind: String }",
            &["invalid-attribute: kind"],
        ),
        (
            "#[kube(no_spec)] #[derive(JsonSchema)] pub enum S { A(u8) }",
            &["invalid-attribute: S", "invalid-attribute: S"],
        ),
        (
            "#[kube(status = \"Gone\")] pub struct S { a: u8 }",
            &["unresolved-path: \"Gone\""],
        ),
        (
            "pub struct S { a: [u8; 4], b: [u8; f()] } fn f() -> usize { loop {} }",
            &["not-constant: loop {}"],
        ),
        (
            "pub struct S { a: <A as T>::X, b: A } #[derive(JsonSchema)] pub struct A; trait T { type X; } impl T for A { type X = u8; }",
            &["unsupported-type: <A as T>::X"],
        ),
        // The `impl` for a type that is known by name may be anywhere, and the one for an argument depends on the argument.
        (
            "pub struct S { a: W<A>, b: <u8 as T>::X, c: <Vec<A> as T>::X, d: V<u8>, e: Vec<V<u8>> } #[derive(JsonSchema)] pub struct A; trait T { type X; } impl T for A { type X = u8; } impl T for u8 { type X = A; } impl<B> T for Vec<B> { type X = B; }
            #[derive(JsonSchema)] pub struct W<B: T> { x: B::X } #[derive(JsonSchema)] pub struct V<B: T> { x: Option<<B as T>::X> }",
            &[
                "unsupported-type: B::X",
                "unsupported-type: <u8 as T>::X",
                "unsupported-type: <Vec<A> as T>::X",
                "unsupported-type: <B as T>::X",
            ],
        ),
        (
            "pub struct S { a: <A as T>::X } #[derive(JsonSchema)] pub struct A; trait T { type X; } trait U {} impl<V: U> T for V { type X = u8; }",
            &["unsupported-type: <A as T>::X"],
        ),
        (
            "pub struct S { a: <A as std::ops::Deref>::Target } #[derive(JsonSchema)] pub struct A; impl std::ops::Deref for A { type Target = u8; }",
            &["unsupported-type: <A as std::ops::Deref>::Target"],
        ),
        (
            "pub struct S { #[serde(default)] a: A } #[derive(JsonSchema)] pub struct A(u8); impl Default for A { fn default() -> Self { A(1) } } impl Serialize for A { fn serialize<T: serde::Serializer>(&self, s: T) -> Result<T::Ok, T::Error> { self.serialize(s) } }",
            &["not-constant: a"],
        ),
        // Other derives of these names may compare, or read, in other ways.
        (
            "pub struct S { #[serde(default, skip_serializing_if = \"first\")] a: A } #[derive(JsonSchema, Default, Serialize, educe::Educe)] #[educe(PartialEq)] pub struct A { x: u8 } fn first(a: &A) -> bool { *a == A::default() }",
            &["not-constant: \"first\""],
        ),
        (
            "pub struct S { a: A<u8> } #[derive(JsonSchema, mine::Deserialize)] pub struct A<T> { #[serde(default = \"f\")] t: T } fn f() -> u8 { 1 }",
            &["not-constant: T"],
        ),
    ];
    let mut wrong = Vec::new();
    for (text, expected) in cases {
        let found = findings(&format!("{HEAD}{text}"));
        if found != *expected {
            wrong.push(format!(
                "{text}\n  found    {found:#?}\n  expected {expected:#?}"
            ));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn keys_that_are_missing_are_named() {
    let head = "use kube::CustomResource;\n#[derive(CustomResource, schemars::JsonSchema)]\n";
    assert_eq!(
        findings(&format!("{head}pub struct S {{}}")),
        ["missing-kube-key: S"]
    );
    assert_eq!(
        findings(&format!("{head}#[kube(namespaced)] pub struct S {{}}")).len(),
        3
    );
}

#[test]
fn deep_types_do_not_overflow_the_stack() {
    let mut text = format!("{HEAD}pub struct S {{ t: T0 }}\n");
    for index in 0..400 {
        text += &format!(
            "#[derive(JsonSchema, Serialize)] pub struct T{index} {{ t: Option<Vec<T{}>>, #[serde(default = \"f\")] x: u64 }}\n",
            index + 1
        );
    }
    text += "#[derive(JsonSchema)] pub struct T400; fn f() -> u64 { g(1) } fn g(x: u64) -> u64 { g(x) }";
    let found = findings(&text);
    assert!(
        found
            .iter()
            .all(|finding| finding.starts_with("recursive-type")
                || finding.starts_with("not-constant")),
        "{found:?}"
    );
}

#[test]
fn a_cycle_is_one_finding_from_wherever_it_is_entered() {
    let kinds: String = (0..8)
        .map(|index| {
            format!(
                "#[derive(CustomResource, JsonSchema)] #[kube(group = \"g\", version = \"v1\", kind = \"K{index}\")] \
                 pub struct S{index} {{ x: {} }}\n",
                ["A", "B", "C"][index % 3]
            )
        })
        .collect();
    let cycle = "#[derive(JsonSchema)] pub struct A { b: Vec<B> }
        #[derive(JsonSchema)] pub struct B { c: Option<C> }
        #[derive(JsonSchema)] pub struct C { a: Box<A> }";
    let text = format!("use kube::CustomResource; use schemars::JsonSchema;\n{kinds}{cycle}");
    for _ in 0..8 {
        assert_eq!(findings(&text).len(), 1);
    }
}

#[test]
fn a_version_without_a_schema_is_left_out() {
    let text = "#[derive(kube::CustomResource)] #[kube(group = \"g.example.com\", version = \"v1\", kind = \"K\", schema = \"disabled\")] pub struct S { a: u8 }";
    let found = findings(text);
    let [only] = found.as_slice() else {
        panic!("{found:?}");
    };
    assert!(only.starts_with("schema-disabled: #[kube("), "{only}");
}
