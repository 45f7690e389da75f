//! The resolution of paths.

use super::{findings, lead, module};
use crate::fixture;
use crd_channels_syntax::tree::Body;

/// Every line of `paths` is `module | path | expected item`; `=path` is resolved as a value.
fn check(text: &str, paths: &str) {
    let loaded = fixture::graph(text);
    assert_eq!(findings(&loaded), Vec::<String>::new(), "{text}");
    for line in paths.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let mut parts = line.split('|').map(str::trim);
        let (from, path, expected) = (
            parts.next().unwrap(),
            parts.next().unwrap(),
            parts.next().unwrap(),
        );
        assert_eq!(lead(&loaded.graph, from, path), expected, "{line}");
    }
    assert_eq!(loaded.graph.take_findings().diagnostics(), []);
}

#[test]
fn items_and_relative_paths() {
    check(
        "
//- /lib.rs
mod a;
mod b { pub struct X; pub mod c { pub struct Y; pub enum E { V } } }
pub struct A;
pub type Al = b::c::E;
pub type List = Vec<A>;
const N: usize = 3;
fn f() -> u8 { 1 }
static S: u8 = 1;
//- /a.rs
pub struct A(u8);
impl A { pub const C: u8 = 1; }
",
        "
        demo | A | demo::A
        demo | a::A | demo::a::A
        demo | self::a::A | demo::a::A
        demo::a | A | demo::a::A
        demo::a | super::A | demo::A
        demo::a | crate::b::c::Y | demo::b::c::Y
        demo::b::c | super::super::a::A | demo::a::A
        demo::b::c | self::super::X | demo::b::X
        demo | Al | alias demo::Al
        demo | Al::V | variant demo::b::c::E 0
        demo | =Al::V | variant demo::b::c::E 0
        demo | =N | const demo::N
        demo | =S | const demo::S
        demo | =f | fn demo::f
        demo | =a::A | demo::a::A
        demo | =A | demo::A
        demo | =a::A::C | associated demo::a::A::C
        demo | =List::new | extern std::vec::Vec::new
        demo | =b | error: `b` does not resolve: there is no `b` in `demo`
        demo | b | error: `b` does not resolve: it is a module
        demo | Nope | error: `Nope` does not resolve: there is no `Nope` in `demo`
        demo | a::B | error: `a::B` does not resolve: there is no `B` in `demo::a`
        demo | super::A | error: `super::A` does not resolve: the root of a crate has no `super`
        demo | ::A | error: `::A` does not resolve: unknown crate `A`
        ",
    );
}

#[test]
fn names_that_are_known() {
    check(
        "
//- /lib.rs
use std::collections::{BTreeMap, HashMap as Map};
use serde_json as json;
pub mod own { pub struct Vec; pub mod inner { use super::*; } }
//- /serde/lib.rs crate:serde_json
compile_error!();
",
        "
        demo | Vec | extern std::vec::Vec
        demo | u8 | extern u8
        demo | =u8::MAX | extern u8::MAX
        demo | =None | extern std::option::Option::None
        demo | =String::new | extern std::string::String::new
        demo | =Default::default | extern std::default::Default::default
        demo | BTreeMap | extern std::collections::BTreeMap
        demo | Map<String, u8> | extern std::collections::HashMap
        demo | core::time::Duration | extern std::time::Duration
        demo | ::alloc::string::String | extern std::string::String
        demo | json::Value | extern serde_json::Value
        demo | serde_json::Value | extern serde_json::Value
        demo::own | Vec | demo::own::Vec
        demo::own::inner | Vec | demo::own::Vec
        ",
    );
}

#[test]
fn uses_globs_and_shadowing() {
    check(
        "
//- /lib.rs
mod a { pub struct X; pub struct Y; use crate::c::Hidden; mod deep { use super::*; } }
mod b { pub use crate::a::X as Renamed; pub use crate::a::*; pub struct Y; }
mod c { pub struct Hidden; pub struct Z; }
mod d { use crate::a::*; use crate::c::*; }
mod e { use crate::c::Z; use crate::f::*; }
mod f { pub struct Z; pub struct String; pub enum E { A, B(u8) } pub use E::*; }
mod g { use crate::f::E::{A, B as C}; use super::f::E as F; }
mod h { use crate::f::*; }
mod i { pub use {super::a::X, self::j::{self, K}}; pub mod j { pub struct K; } use super::c::Z as _; }
",
        "
        demo::b | Renamed | demo::a::X
        demo::b | X | demo::a::X
        demo::b | Y | demo::b::Y
        demo::d | Hidden | demo::c::Hidden
        demo::a::deep | Hidden | demo::c::Hidden
        demo::e | Z | demo::c::Z
        demo::e | String | demo::f::String
        demo::g | =A | variant demo::f::E 0
        demo::g | =C | variant demo::f::E 1
        demo::g | =F::B | variant demo::f::E 1
        demo::h | =B | variant demo::f::E 1
        demo::i | X | demo::a::X
        demo::i | j::K | demo::i::j::K
        demo::i | K | demo::i::j::K
        demo::i | Z | error: `Z` does not resolve: there is no `Z` in `demo::i`
        ",
    );
}

#[test]
fn names_in_two_namespaces() {
    check(
        "
//- /lib.rs
mod a { pub struct thing { x: u8 } }
mod b { pub fn thing() -> u8 { 1 } }
mod c { pub use crate::a::thing; pub use crate::b::thing; }
",
        "
        demo::c | thing | demo::a::thing
        demo::c | =thing | fn demo::b::thing
        ",
    );
}

#[test]
fn names_are_compared_in_one_normalization_form() {
    check(
        "
//- /lib.rs
mod a { pub struct Gro\u{308}\u{df}e; pub struct String; }
mod b { pub use crate::a::{Gr\u{f6}\u{df}e as A\u{30a}, r#String}; }
",
        "
        demo::a | Gr\u{f6}\u{df}e | demo::a::Gr\u{f6}\u{df}e
        demo::a | Gro\u{308}\u{df}e | demo::a::Gr\u{f6}\u{df}e
        demo::b | \u{c5} | demo::a::Gr\u{f6}\u{df}e
        demo::b | r#String | demo::a::String
        ",
    );
}

#[test]
fn properties_have_composed_names_and_others_as_written() {
    let loaded = fixture::graph(
        "
//- /lib.rs
#[derive(serde::Serialize, serde::Deserialize)]
struct S { cafe\u{301}: u8, #[serde(rename = \"e\u{301}\")] r#cafe\u{302}: u8 }
",
    );
    let types = loaded.graph.types();
    let Body::Struct(_, fields) = &types[0].def.body else {
        panic!("no struct")
    };
    let names = fields
        .iter()
        .map(|field| (&*field.name, &*field.attrs.serde.name));
    assert_eq!(
        names.collect::<Vec<_>>(),
        [("caf\u{e9}", "caf\u{e9}"), ("caf\u{ea}", "e\u{301}")]
    );
}

#[test]
fn cycles_end() {
    check(
        "
//- /lib.rs
mod a { pub use crate::b::*; pub use crate::b::Q; }
mod b { pub use crate::a::*; pub use crate::a::Q; pub struct Here; pub use crate::c::*; }
mod c { pub use crate::a::*; pub struct There; }
mod d { pub use self::e::*; pub mod e { pub use super::*; } }
type Loop = Loop;
type One = Two;
type Two = One;
",
        "
        demo::a | Here | demo::b::Here
        demo::a | There | demo::c::There
        demo::c | Here | demo::b::Here
        demo::a | Gone | error: `Gone` does not resolve: there is no `Gone` in `demo::a`
        demo::d | X | error: `X` does not resolve: there is no `X` in `demo::d`
        demo | =Loop::X | error: `Loop::X` does not resolve: the alias `Loop` refers to itself
        ",
    );
    let loaded = fixture::graph(
        "//- /lib.rs\nmod a { pub use crate::b::Q; }\nmod b { pub use crate::a::Q; }",
    );
    let lost = lead(&loaded.graph, "demo::a", "Q");
    assert!(lost.starts_with("error: `Q` does not resolve"), "{lost}");
}

#[test]
fn long_chains_of_reexports() {
    let mut text = String::from("//- /lib.rs\nmod m0 { pub struct T; }\n");
    for index in 1..50_000 {
        text += &format!("mod m{index} {{ pub use crate::m{}::T; }}\n", index - 1);
    }
    let loaded = fixture::graph(&text);
    assert_eq!(lead(&loaded.graph, "demo::m50", "T"), "demo::m0::T");
    let lost = lead(&loaded.graph, "demo::m49999", "T");
    assert!(lost.starts_with("error: `T` does not resolve"), "{lost}");
    // A type of the prelude is not what is behind the end of the chain.
    let loaded = fixture::graph(&text.replace("T;", "String;"));
    assert_eq!(
        lead(&loaded.graph, "demo::m50", "String"),
        "demo::m0::String"
    );
    let lost = lead(&loaded.graph, "demo::m49999", "String");
    assert!(lost.contains("is behind more than 128 modules"), "{lost}");
}

#[test]
fn other_crates() {
    check(
        "
//- /lib.rs
extern crate dep as renamed;
extern crate self as me;
pub use dep;
mod a { pub struct dep; pub struct Own; }
mod b { use dep::Other; use ::dep::Thing; use renamed::Thing as Third; }
//- /main.rs bin:demo
use demo::a::Own;
//- /dep/lib.rs crate:dep-lib version:1.2.0 deps:leaf,old=leaf@1.0.0
pub struct Thing;
pub use leaf::*;
pub use old::Leaf as OldLeaf;
pub use old;
//- /leaf2/lib.rs crate:leaf version:2.0.0
pub struct Leaf;
pub struct Other;
//- /leaf1/lib.rs crate:leaf version:1.0.0
pub struct Leaf;
//- /unused/lib.rs crate:dep
pub struct Thing;
",
        "",
    );
    let text = "
//- /lib.rs deps:dep=dep-lib
extern crate dep as renamed;
extern crate self as me;
pub use dep;
pub mod a { pub struct dep; pub struct Own; }
mod b { use dep::Other; use ::dep::Thing; use renamed::Thing as Third; }
//- /main.rs bin:demo
use demo::a::Own;
mod x {}
//- /dep/lib.rs crate:dep-lib version:1.2.0 deps:leaf@2.0.0,old=leaf@1.0.0
pub struct Thing;
pub use leaf::*;
pub use old::Leaf as OldLeaf;
pub use old;
//- /leaf2/lib.rs crate:leaf version:2.0.0
pub struct Leaf;
pub struct Other;
//- /leaf1/lib.rs crate:leaf version:1.0.0
pub struct Leaf;
";
    let text = text.replace("deps:leaf@2.0.0", "deps:leaf=leaf@2.0.0");
    check(
        &text,
        "
        demo | dep::Thing | dep_lib::Thing
        demo | dep::Leaf | leaf@2.0.0::Leaf
        demo | dep::OldLeaf | leaf@1.0.0::Leaf
        demo | dep::old::Leaf | leaf@1.0.0::Leaf
        demo | me::a::Own | demo::a::Own
        demo::a | dep | demo::a::dep
        demo::a | ::dep::Thing | dep_lib::Thing
        demo::a | ::renamed::Thing | dep_lib::Thing
        demo::a | me::b::Thing | dep_lib::Thing
        demo::b | Other | leaf@2.0.0::Other
        demo::b | Third | dep_lib::Thing
        demo(bin) | Own | demo::a::Own
        demo(bin)::x | super::Own | demo::a::Own
        demo(bin)::x | demo::dep::Thing | dep_lib::Thing
        demo(bin)::x | crate::Own | demo::a::Own
        ",
    );
}

#[test]
fn edition_2015() {
    check(
        "
//- /lib.rs edition:2015 deps:dep
extern crate dep;
pub mod a { pub struct A; }
pub mod b { use a::A; use dep::Thing; pub mod c { use b::A as B; } }
//- /dep/lib.rs crate:dep edition:2015
mod x { pub struct Thing; }
pub use x::Thing;
",
        "
        demo::b | A | demo::a::A
        demo::b | Thing | dep::x::Thing
        demo::b::c | B | demo::a::A
        demo::b::c | ::a::A | demo::a::A
        demo::b::c | ::dep::Thing | dep::x::Thing
        demo::b::c | a::A | error: `a::A` does not resolve: there is no `a` in `demo::b::c`
        demo::b::c | dep::Thing | dep::x::Thing
        ",
    );
}

#[test]
fn globs_of_what_is_not_read() {
    check(
        "
//- /lib.rs
mod a { use std::collections::*; }
mod b { use std::collections::*; use serde_json::*; }
mod c { pub use std::time::*; }
mod d { pub use crate::c::*; }
//- /json/lib.rs crate:serde_json
",
        "
        demo::a | BTreeMap | extern std::collections::BTreeMap
        demo::a | Vec | extern std::vec::Vec
        demo::b | BTreeMap | error: `BTreeMap` does not resolve: there is no `BTreeMap` in `demo::b`
        demo::d | Duration | extern std::time::Duration
        demo | d::Duration | extern std::time::Duration
        ",
    );
}

#[test]
fn impls_are_found_where_they_stand() {
    let loaded = fixture::graph(
        "
//- /lib.rs
mod a; mod b; mod c; mod d; mod e;
//- /a.rs
pub struct A;
pub struct Renamed;
pub struct Long;
pub struct B;
impl A { fn inherent() -> u8 { 1 } }
impl Default for B { fn default() -> Self { B } }
//- /b.rs
use crate::a::A as Other;
impl schemars::JsonSchema for Other { fn schema_name() -> String { String::new() } }
impl Default for super::a::A { fn default() -> Self { A } }
//- /c.rs
struct A;
impl Default for A { fn default() -> Self { A } }
impl<T> Default for T { fn default() -> Self { loop {} } }
//- /d.rs
pub use crate::a::Renamed as Other;
pub type Short = crate::a::Long;
pub use std::default::Default as Initial;
//- /e.rs
use crate::d::*;
impl Initial for Other { fn default() -> Self { loop {} } }
impl schemars::JsonSchema for Short { fn schema_name() -> String { String::new() } }
//- /dep/lib.rs crate:dep
pub mod x;
impl Default for x::D { fn default() -> Self { x::D } }
pub use x::E as Other;
mod y { impl Default for super::Other { fn default() -> Self { loop {} } } }
//- /dep/x.rs
pub struct D;
pub struct E;
impl D { pub const C: u8 = 1; }
",
    );
    let graph = &loaded.graph;
    let impls = |from: &str, path: &str, of: &str| -> Vec<String> {
        let path = syn::parse_str::<syn::Path>(path).unwrap();
        let path = super::lower_syn::path(crd_channels_diagnostics::FileId(0), &path);
        let found = graph.resolve_type(module(graph, from), &path).unwrap();
        let super::Resolved::Def(super::Def::Type(ty)) = found else {
            panic!("no type");
        };
        let blocks = graph.impls(&ty, of).into_iter();
        blocks
            .map(|(id, _)| graph.module_path(id).to_string())
            .collect()
    };
    assert_eq!(impls("demo::a", "A", "Default"), ["demo::b"]);
    assert_eq!(impls("demo::a", "A", "JsonSchema"), ["demo::b"]);
    assert_eq!(impls("demo::a", "B", "Default"), ["demo::a"]);
    assert_eq!(impls("demo::c", "A", "Default"), ["demo::c"]);
    assert_eq!(impls("demo::a", "Renamed", "Default"), ["demo::e"]);
    assert_eq!(impls("demo::a", "Long", "JsonSchema"), ["demo::e"]);
    assert!(impls("demo::a", "Long", "Default").is_empty());
    assert_eq!(impls("demo", "dep::x::D", "Default"), ["dep"]);
    assert_eq!(impls("demo", "dep::x::E", "Default"), ["dep::y"]);
}

#[test]
fn types_come_in_a_stable_order() {
    let text = "
//- /lib.rs
mod b; pub struct Z; mod a { pub struct A; pub enum B { C } } struct Y;
//- /b.rs
struct X;
mod c;
//- /b/c.rs
struct W;
//- /other/lib.rs crate:another member
struct O;
";
    let loaded = fixture::graph(text);
    let types: Vec<String> = loaded
        .graph
        .types()
        .iter()
        .map(|ty| format!("{}::{}", loaded.graph.module_path(ty.module), ty.def.name))
        .collect();
    let expected = [
        "another::O",
        "demo::Z",
        "demo::Y",
        "demo::b::X",
        "demo::b::c::W",
        "demo::a::A",
        "demo::a::B",
    ];
    assert_eq!(types, expected);
}

#[test]
fn kinds_inside_bodies_are_left_out() {
    let kind = |name: &str| {
        format!(
            "#[derive(CustomResource)] #[kube(group = \"g\", version = \"v1\", kind = \"{name}\")] struct {name}Spec {{}}"
        )
    };
    let (inner, outer) = (kind("Inner"), kind("Outer"));
    let text = format!("//- /lib.rs\n{outer} fn f() -> u8 {{ {inner} struct Other; 1 }}");
    let loaded = fixture::graph(&text);
    let kinds = loaded.graph.kinds();
    let names: Vec<_> = kinds.iter().map(|kind| &*kind.def.name).collect();
    assert_eq!(names, ["OuterSpec"]);
}
