//! Macros of the source never have another meaning than for rustc.

use super::macro_values;
use super::oracle::{compare, evaluated, never_else};
use serde_json::{Value, json};

#[test]
fn a_macro_of_the_source_is_no_value() {
    let text = format!("//- /lib.rs\n{}", include_str!("macro_values.rs"));
    never_else! { text, macro_values:
        first_definition second_definition of_the_module by_use in_the_body made_before_globs typed own_local
        own_local_twice name_of_the_caller own_parameter own_arm own_fields made default_in_a_constant default_in_a_body
    }
    check(
        "macro_rules! five { () => { 5 } } pub fn f() -> i32 { five!() }",
        Err("the macro `five!` is not read: five!()"),
    );
    check(
        "macro_rules! vec { ($($x:tt)*) => { Vec::new() } } pub fn f() -> Vec<u8> { vec![1] }",
        Err("the macro `vec!` is not read: vec![1]"),
    );
}

fn check(text: &str, expected: Result<Value, &str>) {
    let found = evaluated(&format!("//- /lib.rs\n{text}"), "f");
    match (&found, expected) {
        (Ok(found), Ok(expected)) => assert_eq!(*found, expected, "{text}"),
        (Err(found), Err(expected)) => assert!(found.contains(expected), "{text}\n{found}"),
        _ => panic!("{text}\n{found:?}"),
    }
}

#[test]
fn what_a_macro_may_rewrite_is_refused_where_it_is_needed() {
    check(
        "#[changes::everything] pub fn g() -> i32 { 1 } pub fn f() -> i32 { g() }",
        Err(
            "the macro `changes::everything` may rewrite `g`: the effect of `changes::everything` is not known: changes::everything",
        ),
    );
    check(
        "#[changes::everything] const G: i32 = 1; pub fn f() -> i32 { G }",
        Err("may rewrite `G`"),
    );
    check(
        "#[changes::everything] mod inner { pub fn g() -> i32 { 1 } } pub fn f() -> i32 { inner::g() }",
        Err("may rewrite `g`"),
    );
    check(
        "#[changes::everything] pub fn g() -> i32 { 1 } pub fn f() -> i32 { 2 }",
        Ok(json!(2)),
    );
    check(
        "use tracing::instrument; #[instrument(skip_all)] #[must_use] #[allow(unused)] #[clippy::msrv] pub fn g() -> i32 { 1 }
        pub fn f() -> i32 { g() }",
        Ok(json!(1)),
    );
    check(
        "use mine::instrument; #[instrument] pub fn g() -> i32 { 1 } pub fn f() -> i32 { g() }",
        Err("the effect of `mine::instrument` is not known"),
    );
    check(
        "use tracing::instrument as traced; #[traced] pub fn g() -> i32 { 1 } pub fn f() -> i32 { g() }",
        Ok(json!(1)),
    );
    check(
        "#[derive(serde::Serialize)] pub struct A { pub x: i32 } #[changes::everything] impl Default for A { fn default() -> Self { A { x: 1 } } }
        pub fn f() -> A { A::default() }",
        Err("may rewrite this `impl`"),
    );
    check(
        "#[derive(serde::Serialize)] pub struct A { pub x: i32 } impl A { #[changes::everything] pub fn new() -> Self { A { x: 1 } } }
        pub fn f() -> A { A::new() }",
        Err("may rewrite `new`"),
    );
}

#[test]
fn a_derive_is_known_by_its_path() {
    check(
        "use better_default::Default; #[derive(Default)] #[derive(serde::Serialize)] pub struct A { #[default(5)] pub x: i32 }
        pub fn f() -> A { A::default() }",
        Err("the default of `A` is not read"),
    );
    check(
        "mod prelude { pub use better_default::Default; } use prelude::*; #[derive(Default)] #[derive(serde::Serialize)] pub struct A { pub x: i32 }
        pub fn f() -> A { A::default() }",
        Err("the default of `A` is not read"),
    );
    check(
        "#[derive(std::default::Default)] #[derive(serde::Serialize)] pub struct A { pub x: i32 } pub fn f() -> A { A::default() }",
        Ok(json!({ "x": 0 })),
    );
    check(
        "use std::default::Default as D; #[derive(D)] #[derive(serde::Serialize)] pub struct A { pub x: i32 }
        pub fn f() -> A { A::default() }",
        Ok(json!({ "x": 0 })),
    );
}
