//! `#[schemars(default = "..")]` on a field: serde never calls this function, so its result may have another type than the
//! field.

use super::drafts;
use crate::lower::Overrides;
use crd_channels_schema::draft::{Shape, Type};
use crd_channels_source::fixture;

const CRATES: &str = "
//- /kube/lib.rs crate:kube
//- /schemars/lib.rs crate:schemars
//- /serde/lib.rs crate:serde
//- /serde_json/lib.rs crate:serde_json
";

fn field<'t>(ty: &'t Type, name: &str) -> &'t Type {
    let Shape::Struct(body) = &ty.shape else {
        panic!("no struct");
    };
    let found = body.fields.iter().find(|field| &*field.name == name);
    &found.unwrap().ty
}

/// Returns the defaults of the fields of a generic type, or the error.
fn defaults(fields: &str, functions: &str) -> String {
    let all = format!("pub struct All<T> {{ {fields} }}");
    defaults_of("Shown", &all, functions)
}

/// Returns the defaults of the fields of a generic type with this argument, or the error.
fn defaults_of(argument: &str, all: &str, functions: &str) -> String {
    let text = format!(
        "//- /lib.rs
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{{Deserialize, Serialize}};
#[derive(CustomResource, Serialize, Deserialize, JsonSchema)]
#[kube(group = \"g.example.com\", version = \"v1\", kind = \"K\")]
pub struct Spec {{ pub all: All<{argument}> }}
#[derive(Serialize, Deserialize, JsonSchema)]
{all}
#[derive(Default, Serialize, Deserialize, JsonSchema)]
pub struct Shown {{ pub a: u8 }}
#[derive(Default, Deserialize, JsonSchema)]
pub struct Unshown {{ pub a: u8 }}
{functions}
{CRATES}"
    );
    let mut loaded = fixture::graph(&text);
    let drafts = drafts(&loaded.graph, &Overrides::default(), &mut loaded.findings);
    let findings = loaded.findings.into_diagnostics();
    if let Some(finding) = findings.first() {
        return format!("{}: {}", finding.code.record().id, finding.message);
    }
    let spec = field(drafts[0].root.as_ref().unwrap(), "spec");
    let Shape::Struct(all) = &field(spec, "all").shape else {
        panic!("no struct");
    };
    let shown = all.fields.iter().map(|field| match &field.default {
        Some(default) => default.to_string(),
        None => "none".to_owned(),
    });
    shown.collect::<Vec<_>>().join(", ")
}

/// A type may have an `impl Serialize` where nothing is read.
const UNKNOWN: &str =
    "not-constant: schemars shows this default only if its type is `Serialize`, which is not known";

#[test]
fn a_function_of_schemars_alone_has_a_type_of_its_own() {
    for (fields, functions, expected) in [
        (
            "#[serde(default)] #[schemars(default = \"Self::d\")] a: T",
            "impl<T> All<T> { fn d() -> serde_json::Value { serde_json::json!({ \"a\": 2 }) } }",
            "{\"a\":2}",
        ),
        (
            "#[serde(default)] #[schemars(default = \"d\")] a: Unshown",
            "fn d() -> serde_json::Value { serde_json::json!({}) }",
            "{}",
        ),
        (
            "#[schemars(default = \"d\")] a: u8, #[schemars(default = \"e\")] b: Unshown",
            "fn d() -> &'static str { \"x\" } fn e() -> Shown { Shown { a: 3 } }",
            "\"x\", {\"a\":3}",
        ),
        // Whether a value can be serialized decides, whatever the field's type.
        (
            "#[schemars(default = \"d\")] a: Shown, #[schemars(default = \"d\")] b: Unshown",
            "fn d() -> Unshown { Unshown { a: 1 } }",
            UNKNOWN,
        ),
        (
            "#[schemars(default = \"d\")] a: Vec<u8>",
            "fn d() -> Vec<u8> { vec![] }",
            "[]",
        ),
        (
            "#[schemars(default = \"e\")] a: Vec<Unshown>",
            "fn e() -> Vec<Unshown> { Vec::new() }",
            UNKNOWN,
        ),
        // A different function than serde's.
        (
            "#[serde(default = \"d\")] #[schemars(default = \"e\")] a: Unshown",
            "fn d() -> Unshown { Unshown { a: 1 } } fn e() -> bool { true }",
            "true",
        ),
        (
            "#[serde(default = \"d\")] #[schemars(default = \"d\")] a: Shown",
            "fn d() -> Shown { Shown { a: 1 } }",
            "{\"a\":1}",
        ),
    ] {
        assert_eq!(
            defaults(fields, functions),
            expected,
            "{fields} {functions}"
        );
    }
}

#[test]
fn a_type_that_cannot_be_told_is_refused() {
    for (fields, functions) in [
        (
            "#[schemars(default = \"d\")] a: u8",
            "fn d() -> Vec<Unshown> { Vec::new() }",
        ),
        (
            "#[schemars(default = \"Self::d\")] a: T",
            "impl All<Shown> { fn d() -> Shown { Shown { a: 1 } } }",
        ),
    ] {
        let found = defaults(fields, functions);
        assert!(found.starts_with("not-constant: "), "{fields}: {found}");
    }
}

#[test]
fn the_bounds_of_the_definition_decide_whether_a_default_is_shown() {
    let field = "{ #[serde(default)] a: T }";
    for (all, beside, expected) in [
        ("pub struct All<T: Default>", "", "none"),
        ("pub struct All<T: Default + Serialize>", "", "0"),
        (
            "pub struct All<T: Ser>",
            "use serde::ser::Serialize as Ser;",
            "0",
        ),
        ("pub struct All<T: s::Serialize>", "use serde as s;", "0"),
        (
            "pub struct All<T: Sup>",
            "pub trait Sup: Default + Serialize {}",
            UNKNOWN,
        ),
        (
            "pub struct All<T: Sup>",
            "pub trait Sup: Default + Clone {}",
            UNKNOWN,
        ),
        (
            "pub struct All<T: Sup>",
            "pub trait Sup: gone::Trait {}",
            UNKNOWN,
        ),
        (
            "pub struct All<T: fake::Serialize>",
            "mod fake { pub trait Serialize {} }",
            UNKNOWN,
        ),
        (
            "#[schemars(bound = \"T: JsonSchema + Serialize\")] pub struct All<T>",
            "",
            "0",
        ),
        (
            "#[schemars(bound(serialize = \"T: Serialize\"))] pub struct All<T>",
            "",
            UNKNOWN,
        ),
        // schemars does not read serde's.
        (
            "#[serde(bound = \"T: Serialize\")] pub struct All<T>",
            "",
            "none",
        ),
    ] {
        let found = defaults_of("u8", &format!("{all} {field}"), beside);
        assert_eq!(found, expected, "{all} {beside}");
    }
    for (all, beside, expected) in [
        (
            "All<T> where Vec<T>: Serialize { #[serde(default)] a: Vec<T>, #[serde(default)] b: T, #[serde(default)] c: Option<Vec<T>>, #[serde(default)] d: Vec<Option<T>> }",
            "",
            UNKNOWN,
        ),
        (
            "All<T: Default> { #[serde(default)] a: Free<T> }",
            "#[derive(Default, Serialize, Deserialize, JsonSchema)] pub struct Free<T> { x: u8, #[serde(skip)] t: std::marker::PhantomData<T> }",
            UNKNOWN,
        ),
        (
            "All<T: Default> { #[serde(default)] a: Wrap<T> }",
            "#[derive(Default, Serialize, Deserialize, JsonSchema)] pub struct Wrap<T> { x: T }",
            UNKNOWN,
        ),
        (
            "All<T: Default> { #[serde(default)] a: Wrap<T> }",
            "#[derive(Default, Serialize, Deserialize, JsonSchema)] #[serde(bound = \"\")] pub struct Wrap<T> { x: T }",
            UNKNOWN,
        ),
        (
            "All<T> { #[serde(default)] a: Same<T>, #[serde(default)] b: Other<T> }",
            "pub type Same<T> = Vec<T>; pub type Other<T> = Vec<u8>;",
            "none, []",
        ),
        (
            "All<T> { #[serde(default = \"none\")] a: Option<T>, #[serde(default = \"five\")] b: u8 }",
            "fn none() -> Option<u8> { None } fn five() -> u8 { 5 }",
            "none, 5",
        ),
    ] {
        let found = defaults_of("u8", &format!("pub struct {all}"), beside);
        assert_eq!(found, expected, "{all} {beside}");
    }
}
