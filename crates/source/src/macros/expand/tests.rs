//! Typical macros.

use crate::{Graph, fixture};
use crd_channels_syntax::tree::{Body, TypeDef};

fn types(graph: &Graph<'_>) -> Vec<String> {
    let shown = |def: &TypeDef| match &def.body {
        Body::Struct(_, fields) => {
            let fields = fields.iter().map(|field| &*field.attrs.serde.name);
            fields.collect::<Vec<_>>().join(" ")
        }
        Body::Enum(variants) => {
            let variants = variants.iter().map(|variant| &*variant.attrs.name);
            variants.collect::<Vec<_>>().join("|")
        }
    };
    let types = graph.types().into_iter();
    types
        .map(|ty| format!("{}: {}", ty.def.name, shown(&ty.def)))
        .collect()
}

#[test]
fn repetition_attributes_and_visibility() {
    let loaded = fixture::graph(
        r#"
//- /lib.rs
macro_rules! choice {
    ($(#[$meta:meta])* $vis:vis enum $name:ident { $($(#[$inner:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$meta])*
        /// Made by a macro
        #[derive(serde::Deserialize, schemars::JsonSchema)]
        $vis enum $name { $($(#[$inner])* #[serde(rename = $text)] $variant,)+ }
        impl $name { pub const ALL: &'static [&'static str] = &[$($text),+]; }
    };
}
macro_rules! record {
    ($name:ident { $($field:ident: $ty:ty $(= $default:expr)?;)* }) => {
        #[derive(serde::Deserialize, schemars::JsonSchema)]
        #[serde(rename_all = "camelCase")]
        pub struct $name { $(pub $field: $ty,)* }
    };
    (@both $a:ident $b:ident) => { record!($a { only: u8; }); record!($b { only: Vec<Option<u8>>; }); };
}
choice! {
    /// Which one
    pub enum Choice { A = "a-a", /// the other
        B = "b", }
}
record!(Plain { first_one: Option<Vec<u8>>; r#type: [u8; 2] = [1, 2]; });
record!(@both One Two);
mod inner { choice!(enum Inner { X = "x" }); }
"#,
    );
    assert_eq!(loaded.findings.diagnostics(), []);
    assert_eq!(
        types(&loaded.graph),
        [
            "Choice: a-a|b",
            "Plain: firstOne type",
            "One: only",
            "Two: only",
            "Inner: x",
        ]
    );
}

#[test]
fn macros_of_other_modules_and_crates() {
    let loaded = fixture::graph(
        r#"
//- /lib.rs
#[macro_use]
mod macros;
mod uses { newtype!(A); }
dep::wrapped!(B);
use dep::wrapped as other;
other!(C);
unknown!(D);
//- /macros.rs
macro_rules! newtype { ($name:ident) => { #[derive(JsonSchema)] pub struct $name(String); }; }
//- /dep/lib.rs crate:dep
pub struct Inside;
mod deep { #[macro_export] macro_rules! wrapped { ($name:ident) => { pub struct $name { pub inside: $crate::Inside } }; } }
"#,
    );
    let found = types(&loaded.graph);
    for expected in ["A: 0", "B: inside"] {
        assert!(
            found.iter().any(|ty| ty == expected),
            "{expected} in {found:?}"
        );
    }
    assert!(!found.iter().any(|ty| ty.starts_with('D')), "{found:?}");
}

#[test]
fn macros_without_end_make_nothing() {
    let loaded = fixture::graph(
        r#"
//- /lib.rs
macro_rules! again { ($($x:tt)*) => { again!($($x)* $($x)*); struct S; }; }
again!(a b);
macro_rules! lost { ($a:ident) => { struct $b; }; }
lost!(x);
"#,
    );
    assert!(types(&loaded.graph).iter().all(|ty| ty == "S: "));
}

#[test]
fn what_a_rule_matches_in_some_editions_is_not_expanded() {
    let loaded = fixture::graph(
        r#"
//- /lib.rs
macro_rules! any { ($name:ident $e:expr) => { struct Old; }; ($name:ident $($x:tt)*) => { struct $name; }; }
any!(A _);
any!(B x y);
any!(C 1);
"#,
    );
    assert_eq!(types(&loaded.graph), ["B: ", "Old: "]);
}
