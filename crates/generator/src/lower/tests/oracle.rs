//! What is evaluated equals what the compiled program computes.

use super::values;
use crate::diag::{FileId, Span};
use crate::lower::Overrides;
use crate::lower::Reader;
use crate::lower::concrete::Scope;
use crate::source::tree::{Path, Segment};
use crate::source::{Def, ModuleId, Resolved, fixture};
use serde_json::Value;

/// The value that a function of the fixture gives, read from its text.
pub(super) fn evaluated(text: &str, name: &str) -> Result<Value, String> {
    let loaded = fixture::graph(text);
    let reader = Reader {
        overrides: &Overrides::default(),
        graph: &loaded.graph,
    };
    let span = Span {
        file: FileId(0),
        start: 0,
        end: 0,
    };
    let path = Path {
        leading: false,
        segments: vec![Segment {
            name: name.into(),
            args: Vec::new(),
        }],
        span,
    };
    let module = ModuleId(0);
    let Ok(Resolved::Def(Def::Fn(module, function))) = loaded.graph.resolve_value(module, &path)
    else {
        return Err(format!("no function `{name}`"));
    };
    let scope = Scope::module(module);
    let ty = function.returns.as_ref().unwrap();
    let shown = |finding: Box<crate::diag::Diagnostic>| {
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
    let ty = reader.concrete(ty, &scope).map_err(shown)?;
    let value = reader.result_of(&path, &scope, &ty).map_err(shown)?;
    reader.json_of(&value, Some(&ty), span).map_err(shown)
}

/// The fixture as the reader gets it: with the two types of k8s-openapi that it names.
fn text() -> String {
    let k8s = "
//- /k8s/lib.rs crate:k8s_openapi
pub mod apimachinery { pub mod pkg {
    pub mod api { pub mod resource { pub struct Quantity(pub std::string::String); } }
    pub mod util { pub mod intstr { pub enum IntOrString { Int(i32), String(std::string::String) } } }
} }
//- /serde/lib.rs crate:serde
//- /serde_json/lib.rs crate:serde_json
";
    format!("//- /lib.rs\n{}{k8s}", include_str!("values.rs"))
}

macro_rules! same {
    ($($name:ident)*) => {{
        let text = text();
        let mut wrong = Vec::new();
        $({
            let name = stringify!($name);
            let compiled = serde_json::to_value(values::$name()).unwrap();
            match evaluated(&text, name) {
                Ok(read) if read == compiled => {}
                read => wrong.push(format!("{name}: {compiled} is read as {read:?}")),
            }
        })*
        assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    }};
}

#[test]
fn functions_give_what_the_program_gives() {
    same! {
        sum aliased largest smallest shorter half third whole name letter both joined power in_units by_cfg map_of_defaults left_early ports repeated words mapped
        mapped_by_name sorted table grown pushed some none wrapped boxed borrowed converted pair path address local
        port timeout anything defaulted quantity port_number port_name origin at moved point named anonymous generic
        generic_default names unset unset_or unset_or_else unset_or_default unset_number unset_chosen unset_let
        unset_tried unset_is unset_mapped of_options parsed turned paired mapped_to_variants epoch version_free bound changed by_parts
        by_arms noted by_feature started borrowed_parts looped gone_through gathered seen_elsewhere fitting
        through_a_borrow
    }
}

#[test]
fn what_only_running_tells_is_refused_where_it_stands() {
    for (body, at) in [
        (
            "pub fn f() -> u32 { loop { break 1; } }",
            "a loop is not evaluated: loop { break 1; }",
        ),
        (
            "pub fn f() -> u32 { 1 + std::process::id() }",
            "`std::process::id` is not evaluated here: std::process::id()",
        ),
        (
            "pub fn f() -> String { format!(\"{:>4}\", 1) }",
            "`format!` with more than a name in braces is not evaluated: format!(\"{:>4}\", 1)",
        ),
        (
            "pub fn f() -> u32 { g(1) } fn g(x: u32) -> u32 { g(x) }",
            "this value takes too many steps to evaluate",
        ),
        (
            "pub fn f() -> u32 { g() + g() } fn g() -> u32 { f() + f() }",
            "this value takes too many steps to evaluate",
        ),
        (
            "pub fn f() -> i128 { 170141183460469231731687303715884105727 + 1 }",
            "`+` on an integer and an integer cannot be evaluated",
        ),
        (
            "pub fn f() -> Vec<u8> { vec![0; 1_000_000_000] }",
            "the length of this list cannot be evaluated: vec![0; 1_000_000_000]",
        ),
        (
            "pub fn f() -> T { T::default() } pub struct T(u8);",
            "the default of `T` cannot be evaluated: T::default()",
        ),
        (
            "pub fn f() -> Vec<u8> { let mut v = vec![1]; g(&mut v); v } fn g(v: &mut Vec<u8>) {}",
            "this statement is not evaluated: g(&mut v)",
        ),
        (
            "pub fn f() -> Vec<u8> { let mut v = vec![1]; let x = &mut v[0]; *x = 2; v }",
            "what is done through this borrow is not evaluated: &mut v[0]",
        ),
        (
            "pub fn f() -> u8 { let mut v = Some(1); if let Some(x) = &mut v { *x = 2; } v.unwrap_or(0) }",
            "what is done through this borrow is not evaluated: &mut v",
        ),
        (
            "pub fn f() -> Vec<u8> { let mut v = vec![1]; for x in v.iter_mut() { *x = 2; } v }",
            "`.iter_mut()` on a list is not evaluated: v.iter_mut()",
        ),
        (
            "pub fn f() -> u8 { let mut v = 1; { let ref mut x = v; *x = 2; } v }",
            "a name that changes what it is bound to is not evaluated",
        ),
        (
            "pub fn f() -> u8 { let (.., b) = (1, 2, 3); b }",
            "a `..` that something follows is not evaluated",
        ),
        (
            "pub fn f() -> u8 { #[cfg(nobody_knows)] const A: u8 = 1; #[cfg(not(nobody_knows))] const A: u8 = 2; A }",
            "a constant under `cfg` is not evaluated",
        ),
        (
            "pub fn f() -> String { option_env!(\"CARGO_PKG_DESCRIPTION\").unwrap_or(\"x\").to_string() }",
            "`CARGO_PKG_DESCRIPTION` is a variable that cargo sets",
        ),
        (
            "pub fn f() -> u8 { 300 as u8 }",
            "the cast to `u8` changes the value: 300",
        ),
        (
            "pub fn f() -> u8 { 0xff << 4 }",
            "`4080` is beyond its type",
        ),
        (
            "pub fn f() -> u32 { X } const X: u32 = X;",
            "this value takes too many steps to evaluate",
        ),
        (
            "pub fn f() -> u8 { g().unwrap().unwrap_or(1) } fn g() -> Result<Option<u8>, ()> { Ok(None) }",
            "`std::result::Result::Ok` is not evaluated here: Ok(None)",
        ),
        (
            "pub fn f() -> u8 { Ok::<u8, ()>(1).map(|x| Some(x)).unwrap().unwrap_or(2) }",
            "a result of an option is not evaluated: Ok::<u8, ()>(1).map(|x| Some(x))",
        ),
        (
            "use far::LIMIT; pub fn f() -> u8 { match 1 { LIMIT => 1, _ => 2 } }",
            "this pattern is not evaluated: LIMIT",
        ),
        (
            "pub fn f() -> Vec<u8> { let mut v = vec![1]; let r = &mut v; let s = r; s.push(2); v }",
            "what is done through this borrow is not evaluated: r",
        ),
        (
            "pub fn f() -> Vec<u8> { let mut v = vec![1]; let r = &mut v; let n = g(r); v } fn g(v: &mut Vec<u8>) -> u8 { v.push(1); 1 }",
            "what is done through this borrow is not evaluated: r",
        ),
        (
            "pub fn f() -> A { A::default() } pub struct A { a: u8, b: u8 } impl Default for A { fn default() -> Self { Self { a: 1, ..Default::default() } } }",
            "this value takes too many steps to evaluate",
        ),
        (
            "macro_rules! again { ($v:ident) => { again!($v) } } pub fn f() -> Vec<u8> { let mut v = vec![1]; again!(v); v }",
            "this value takes too many steps to evaluate",
        ),
        (
            "pub fn f() -> usize { let all: Vec<_> = [Some(1), None].into_iter().collect(); all.len() }",
            "what is collected here cannot be told",
        ),
        (
            "pub fn f() -> String { let all = [1, 2].iter().collect::<String>(); all }",
            "what is collected here cannot be told",
        ),
    ] {
        let found = evaluated(&format!("//- /lib.rs\n{body}"), "f");
        let refused = found.as_ref().is_err_and(|found| found.starts_with(at));
        assert!(refused, "{body}\n  {found:?}");
    }
}
