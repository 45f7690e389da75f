//! What only the compiled program tells is a hole: of the default if that is all that is missing, else of the field.

use crate::lower::{Overrides, drafts_with_holes};
use crd_channels_source::fixture;

/// Returns the holes of a kind with this field, each with its reason, and the findings that are no holes.
fn holes(field: &str, items: &str) -> Vec<String> {
    let text = format!(
        "//- /lib.rs
use kube::{{CustomResource, KubeSchema}};
use schemars::JsonSchema;
use serde::{{Deserialize, Serialize}};
#[derive(CustomResource, KubeSchema, Deserialize, Serialize)]
#[kube(group = \"g.example.com\", version = \"v1\", kind = \"K\")]
pub struct S {{ {field} }}
#[derive(Default, Deserialize, JsonSchema, Serialize)] pub struct Plain {{ x: u8 }}
{items}
//- /kube/lib.rs crate:kube
//- /schemars/lib.rs crate:schemars
//- /serde/lib.rs crate:serde
//- /regex/lib.rs crate:regex
//- /either/lib.rs crate:either
//- /stackable_operator/lib.rs crate:stackable_operator
"
    );
    let mut loaded = fixture::graph(&text);
    let (graph, overrides) = (&loaded.graph, Overrides::default());
    let (_, holes) = drafts_with_holes(graph, &graph.kinds(), &overrides, &mut loaded.findings);
    let holes = holes.iter().map(|hole| {
        let why = &hole.findings[0].message;
        format!("{} {}: {why}", hole.missing.word(), hole.place)
    });
    let others = loaded.findings.diagnostics().iter();
    holes
        .chain(others.map(|finding| finding.message.clone()))
        .collect()
}

#[test]
fn each_is_a_hole_with_its_reason() {
    let serialize = "#[derive(Default, Deserialize, JsonSchema, Serialize)]";
    let cases = [
        // Types
        (
            "a: <u8 as T>::X",
            "trait T { type X; } impl T for u8 { type X = u16; }",
            "field demo::S.a: the associated type `X` of `u8` cannot be expressed in a CRD",
        ),
        (
            "a: PlainFragment",
            "#[derive(stackable_operator::Fragment)] #[fragment_attrs(derive(JsonSchema))] pub struct Old { x: u8 }",
            "field demo::S.a: `PlainFragment` does not resolve: there is no `PlainFragment` in `demo`",
        ),
        (
            "a: List<3>",
            "#[derive(Deserialize, JsonSchema, Serialize)] pub struct List<const N: usize> { x: [u8; N] }",
            "field demo::S.a: a constant in place of a type cannot be expressed in a CRD",
        ),
        (
            "a: ty!()",
            "macro_rules! ty { () => { u8 } }",
            "field demo::S.a: the type that `ty!` expands to cannot be expressed in a CRD",
        ),
        (
            "a: either::Either<u8, Plain>",
            "",
            "field demo::S.a: `either::Either` cannot be expressed in a CRD",
        ),
        (
            "a: std::ops::Range<u8>",
            "",
            "field demo::S.a: `std::ops::Range` cannot be expressed in a CRD",
        ),
        // Attributes
        (
            "#[schemars(regex(pattern = *WORD))] a: String",
            "static WORD: std::sync::LazyLock<regex::Regex> = std::sync::LazyLock::new(|| { let word = \"a\"; regex::Regex::new(word).unwrap() });",
            "field demo::S.a: this expression is not read",
        ),
        // Defaults
        (
            "#[serde(default = \"d\")] a: u8",
            "macro_rules! five { () => { 5 } } fn d() -> u8 { five!() }",
            "default demo::S.a: the macro `five!` is not read",
        ),
        (
            "#[serde(default = \"d\")] a: Option<u8>",
            "fn d() -> Option<u8> { none() } fn none<T>() -> Option<T> { None }",
            "default demo::S.a: how `none` is called is not read",
        ),
        (
            "#[serde(default = \"d\")] a: Option<u8>",
            "fn d() -> Option<u8> { none::<u8>() } fn none<T>() -> Option<T> { None }",
            "default demo::S.a: how `none` is called is not read",
        ),
        (
            "#[serde(default = \"d\")] a: std::num::NonZeroU8",
            "fn d() -> std::num::NonZeroU8 { \"5\".parse().unwrap() }",
            "default demo::S.a: the method `unwrap` is not read",
        ),
        (
            "#[serde(default = \"d\")] a: Plain",
            "fn d() -> Plain { let mut p = Plain::default(); p.x = 5; p }",
            "default demo::S.a: this statement is not read",
        ),
        (
            "#[serde(default, skip_serializing_if = \"p\")] a: Plain",
            "fn p(a: &Plain) -> bool { a.x == 0 }",
            "default demo::S.a: `skip_serializing_if`: the body of `p` is not read",
        ),
        (
            "#[serde(default, skip_serializing_if = \"p\")] a: Option<u8>",
            "fn p(a: &Option<u8>) -> bool { matches!(a, None) }",
            "default demo::S.a: `skip_serializing_if`: the body of `p` is not read",
        ),
        (
            "#[serde(default)] a: Outer",
            &format!(
                "{serialize} pub struct Outer {{ #[serde(flatten)] x: Choice }} {serialize} pub enum Choice {{ #[default] One }}"
            ),
            "default demo::S.a: how serde flattens this value is not read",
        ),
        (
            "#[serde(default)] a: Choice",
            "#[derive(Deserialize, JsonSchema, Serialize)] #[serde(tag = \"t\")] pub enum Choice { One(Wrap) }
            #[derive(Default, Deserialize, JsonSchema, Serialize)] pub struct Wrap(Plain);
            impl Default for Choice { fn default() -> Self { Choice::One(Wrap::default()) } }",
            "default demo::S.a: how serde tags this value is not read",
        ),
        // The block may be for other arguments.
        (
            "#[serde(default)] a: Wrap<Box<u8>>",
            "#[derive(Deserialize, JsonSchema, Serialize)] pub struct Wrap<T> { x: T }
            impl<T: Default> Default for Wrap<Box<T>> { fn default() -> Self { Wrap { x: Box::new(T::default()) } } }",
            "default demo::S.a: the default of `Wrap<Box<u8>>` is not read",
        ),
        (
            "#[serde(default)] a: Wrap<Box<u8>>",
            "#[derive(Deserialize, JsonSchema, Serialize)] pub struct Wrap<T> { x: T }
            impl Default for Wrap<Box<u8>> { fn default() -> Self { Wrap { x: Box::new(5) } } }",
            "",
        ),
    ];
    let mut wrong = Vec::new();
    for (field, items, expected) in cases {
        let expected: Vec<&str> = expected.lines().collect();
        let found = holes(field, items);
        if found != expected {
            wrong.push(format!("{field} {items}\n  found {found:#?}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn the_pattern_of_a_static_is_read() {
    let items = "static WORD: std::sync::LazyLock<regex::Regex> = std::sync::LazyLock::new(|| regex::Regex::new(\"a\").unwrap());";
    let field = "#[schemars(regex(pattern = *WORD))] a: String";
    assert_eq!(holes(field, items), [""; 0]);
}
