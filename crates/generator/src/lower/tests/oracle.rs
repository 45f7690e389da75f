//! Evaluated values equal those of the compiled program.

use super::{changed_values, values};
use crate::budget::Budget;
use crate::overrides::{Overrides, ResolvedOverrides};
use crate::reader::Reader;
use crate::types::Scope;
use crd_channels_diagnostics::{FileId, Span};
use crd_channels_source::fixture::{self, Loaded};
use crd_channels_source::tree::Path;
use crd_channels_source::{Def, ModuleId, Resolved};
use rayon::ThreadPoolBuilder;
use serde_json::Value;

/// Returns the value of a fixture's function, evaluated from its text.
pub(super) fn evaluated(text: &str, name: &str) -> Result<Value, String> {
    evaluated_in(&fixture::graph(text), name)
}

/// Returns the value of a fixture's function, evaluated on a stack as large as that of `lower`.
pub(super) fn evaluated_in(loaded: &Loaded, name: &str) -> Result<Value, String> {
    let large = ThreadPoolBuilder::new().stack_size(crd_channels_schema::STACK);
    let pool = large.num_threads(1).build().unwrap();
    pool.install(|| evaluated_here(loaded, name))
}

fn evaluated_here(loaded: &Loaded, name: &str) -> Result<Value, String> {
    let overrides = Overrides::default();
    let resolved = ResolvedOverrides::new(&overrides, &loaded.graph);
    let reader = Reader {
        overrides: &resolved,
        graph: &loaded.graph,
        budget: &Budget::default(),
    };
    let span = Span {
        file: FileId(0),
        start: 0,
        end: 0,
    };
    let path = Path::of_name(name, span);
    let module = ModuleId(0);
    let Ok(Resolved::Def(Def::Fn(module, function))) = loaded.graph.resolve_value(module, &path)
    else {
        return Err(format!("no function `{name}`"));
    };
    let scope = Scope::module(module);
    let ty = function.returns.as_ref().unwrap();
    let shown = |finding: Box<crd_channels_diagnostics::Diagnostic>| {
        let at = finding.span.unwrap();
        let file = loaded.sources.get(at.file).unwrap();
        format!(
            "{}: {}",
            finding.message,
            file.text
                .get(at.start as usize..at.end as usize)
                .unwrap_or_default()
        )
    };
    let ty = reader.typed(ty, &scope).map_err(shown)?;
    let value = reader
        .result_of(&path.into(), &scope, Some(&ty))
        .map_err(shown)?;
    reader.reading().json(&value, span).map_err(shown)
}

/// Returns the fixture as the reader gets it, with the two types of k8s-openapi that it names.
fn fixture_text() -> String {
    let k8s = "
//- /k8s/lib.rs crate:k8s_openapi
pub mod apimachinery { pub mod pkg {
    pub mod api { pub mod resource {
        pub struct Quantity(pub std::string::String);
        impl serde::Serialize for Quantity { fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> { s.serialize_newtype_struct(\"Quantity\", &self.0) } }
    } }
    pub mod util { pub mod intstr {
        pub enum IntOrString { Int(i32), String(std::string::String) }
        impl serde::Serialize for IntOrString { fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> { match self { IntOrString::Int(i) => i.serialize(s), IntOrString::String(text) => text.serialize(s) } } }
    } }
} }
//- /serde/lib.rs crate:serde
//- /serde_json/lib.rs crate:serde_json
";
    let changed = include_str!("changed_values.rs").replacen("//!", "//", 1);
    format!("//- /lib.rs\n{}{changed}{k8s}", include_str!("values.rs"))
}

/// Compares functions read from text with the results of the compiled ones; refusals are `accepted` or not.
macro_rules! compare {
    ($text:expr, $from:ident, $accepted:expr, $($name:ident)*) => {{
        let text = $text;
        let mut wrong = Vec::new();
        $({
            let name = stringify!($name);
            let compiled = serde_json::to_value($from::$name()).unwrap();
            let read = evaluated(&text, name);
            let right = read.as_ref().map_or($accepted, |read| *read == compiled);
            if !right {
                wrong.push(format!("{name}: {compiled} is read as {read:?}"));
            }
        })*
        assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    }};
}
pub(super) use compare;

/// Compares functions in the language.
macro_rules! same {
    ($text:expr, $from:ident: $($name:ident)*) => { compare!($text, $from, false, $($name)*) };
}

/// Compares functions that are outside of the language: each is refused, or the same.
macro_rules! never_else {
    ($text:expr, $from:ident: $($name:ident)*) => { compare!($text, $from, true, $($name)*) };
}
pub(super) use never_else;

#[test]
fn functions_give_what_the_program_gives() {
    same! { fixture_text(), values:
        sum of_variables aliased largest smallest shorter half name letter words table map_of_defaults some none wrapped boxed
        borrowed converted pair quantity port_number port_name anything defaulted origin at point anonymous
        generic_default by_feature by_parts mapped mapped_by_name turned mapped_to_names by_constants not_zero
    }
}

#[test]
fn functions_outside_of_the_language_are_never_read_as_something_else() {
    never_else! { fixture_text(), values:
        third whole both joined power in_units by_cfg left_early ports repeated
        sorted grown pushed path address local
        port timeout moved named generic
        names unset unset_or unset_or_else unset_or_default unset_number unset_chosen unset_let
        unset_tried unset_is unset_mapped of_options parsed paired mapped_to_variants epoch version_free bound changed
        by_arms noted started borrowed_parts looped gone_through gathered seen_elsewhere fitting
        through_a_borrow looped_until shown_in_columns
    }
    never_else! { fixture_text(), changed_values:
        handed_on_to_change changed_in_place changed_inside changed_one_by_one named_to_change taken_from_behind
        changed_in_an_inner_block shifted_out nested_results sent_on counted_results
    }
}

/// Evaluating each twice would take a billion calls.
#[test]
fn what_a_variable_is_made_of_is_evaluated_once() {
    for before in ["f{}()", "C{}"] {
        let chain = (1..=30).map(|at| {
            let before = before.replace("{}", &(at - 1).to_string());
            format!(
                "pub fn f{at}() -> u64 {{ let x = {before}; x + 0 }}\npub const C{at}: u64 = {{ let x = {before}; x + 0 }};\n"
            )
        });
        let chain: String = chain.collect();
        let text =
            format!("//- /lib.rs\npub fn f0() -> u64 {{ 7 }} pub const C0: u64 = 7;\n{chain}");
        let found = evaluated(&text, "f30");
        assert!(format!("{found:?}").contains('7'), "{before}: {found:?}");
    }
}

#[test]
fn what_only_running_tells_is_refused_where_it_stands() {
    for (body, at) in [
        (
            "pub fn f() -> u32 { 1 + std::process::id() }",
            "only integers are read here, and how this is one is not known: std::process::id()",
        ),
        (
            "pub fn f() -> u32 { g(1) } fn g(x: u32) -> u32 { g(x) }",
            "this value is too deep or too large to be read",
        ),
        (
            "pub fn f() -> (u8, u8) { (a(), a()) } fn a() -> u8 { X } const X: u8 = Y; const Y: u8 = X;",
            "this value is too deep or too large to be read",
        ),
        (
            "pub fn f() -> u32 { loop {} }",
            "a loop is not read: loop {}",
        ),
        (
            "pub fn f() -> i128 { 170141183460469231731687303715884105727 + 1 }",
            "the result of this operator is not known",
        ),
        (
            "pub fn f() -> T { T::default() } pub struct T(u8);",
            "`T` has no `Default`: T::default()",
        ),
        (
            "pub fn f() -> u8 { #[cfg(nobody_knows)] const A: u8 = 1; #[cfg(not(nobody_knows))] const A: u8 = 2; A }",
            "a constant under `cfg` is not read",
        ),
        (
            "pub fn f() -> u32 { X } const X: u32 = X;",
            "this value is too deep or too large to be read",
        ),
        (
            "pub fn f() -> A { A::default() } pub struct A { a: u8, b: u8 } impl Default for A { fn default() -> Self { Self { a: 1, ..Default::default() } } }",
            "this value is too deep or too large to be read",
        ),
        (
            "pub fn f() -> u8 { let x: u8 = 200; x + 100 }",
            "the result of this operator is not known: x + 100",
        ),
        (
            "pub fn f() -> u16 { let x = 200_u8; (x + 100) as u16 }",
            "the result of this operator is not known: (x + 100)",
        ),
        (
            "pub fn f() -> String { let n = five(); format!(\"{}\", n - 6) } fn five() -> u8 { 5 }",
            "the result of this operator is not known: n - 6",
        ),
        (
            "pub fn f() -> u8 { let x = CHAINED; x + 255 } const CHAINED: u8 = 5;",
            "the result of this operator is not known: x + 255",
        ),
        (
            "pub fn f() -> String { let n = P { x: 5 }.x; format!(\"{}\", n - 6) } struct P { x: u8 }",
            "",
        ),
        (
            "pub fn f() -> Vec<String> { [5_u8].map(|x| format!(\"{}\", x + 251)).to_vec() }",
            "the type of this integer is not written: x + 251",
        ),
        (
            "pub fn f() -> f32 { let x = 0.1; let y: f32 = x; y }",
            "the type of this float is not written: 0.1",
        ),
        (
            "pub fn f() -> String { \"a\".to_string() } trait Own { fn to_string(&self) -> String; }",
            "which `to_string` this calls is not known",
        ),
        (
            "pub fn f() -> N { 5.into() } pub struct N(u8); impl From<u8> for N { fn from(x: u8) -> N { N(x) } }",
            "how the result of `into` becomes `N` is not read",
        ),
        (
            "pub fn f() -> Vec<u8> { let mut v: Vec<u8> = vec![1]; v.push(2); v } trait T { m!(push); } impl T for Vec<u8> {} macro_rules! m { ($n:ident) => { fn $n(&self, _: u8) {} } }",
            "the method `push` is not read: v.push(2)",
        ),
        (
            "pub fn f() -> String { dep::VERSION.into() }\n//- /dep/lib.rs crate:dep build-script\npub const VERSION: &str = env!(\"CARGO_PKG_VERSION\");",
            "the value of `CARGO_PKG_VERSION` is not read: env!(\"CARGO_PKG_VERSION\")",
        ),
    ] {
        let found = evaluated(&format!("//- /lib.rs\n{body}"), "f");
        let refused = found.as_ref().is_err_and(|found| found.starts_with(at));
        assert!(refused, "{body}\n  {found:?}");
    }
}
