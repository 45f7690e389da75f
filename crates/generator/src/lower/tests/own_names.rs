//! Items of the source with the names of std's are the source's own.

use super::oracle::evaluated;
use serde_json::{Value, json};

#[track_caller]
fn gives(text: &str, expected: Value) {
    let found = evaluated(&format!("//- /lib.rs\n{text}"), "f");
    assert_eq!(found, Ok(expected), "{text}");
}

#[track_caller]
fn assert_error(text: &str, why: &str) {
    let found = evaluated(&format!("//- /lib.rs\n{text}"), "f");
    let refused = found.as_ref().is_err_and(|found| found.contains(why));
    assert!(refused, "{text}\n{found:?}");
}

#[test]
fn a_macro_called_ensure_is_what_it_expands_to() {
    let check = |ensure: &str| {
        format!(
            "{ensure}
            fn g(limit: u8) -> Result<u8, String> {{ ensure!(std::process::id() > 1, limit); Ok(limit) }}
            pub fn f() -> u8 {{ g(1).unwrap() }}"
        )
    };
    assert_error(
        &check("macro_rules! ensure { ($c:expr, $v:ident) => { if $c { return Ok(7); } } }"),
        "is not evaluated",
    );
    gives(
        &check(
            "macro_rules! ensure { ($c:expr, $v:ident) => { if $c { return Err(String::new()); } } }",
        ),
        json!(1),
    );
    assert_error(
        &check(
            "macro_rules! ensure { ($c:expr, $v:ident) => { if $c { return Err(String::new()); } } }
            #[allow(non_snake_case)] fn Err(_: String) -> Result<u8, String> { Ok(7) }",
        ),
        "is not evaluated",
    );
    gives(
        &format!(
            "{}\n//- /anyhow/lib.rs crate:anyhow\n#[macro_export] macro_rules! ensure {{ ($($all:tt)*) => {{ $crate::parse!($($all)*) }} }}",
            check("use anyhow::ensure;"),
        ),
        json!(1),
    );
}

#[test]
fn a_range_without_an_end_stops_before_its_type_does() {
    gives(
        "pub fn f() -> Vec<u8> { (250u8..).take(5).collect() }",
        json!([250, 251, 252, 253, 254]),
    );
    assert_error(
        "pub fn f() -> Vec<u8> { (250u8..).take(6).collect() }",
        "exceeds its type",
    );
    assert_error(
        "pub fn f() -> usize { (250u8..).zip([0; 10]).count() }",
        "exceeds its type",
    );
    gives(
        "pub fn f() -> Vec<u8> { (250u8..=255).collect() }",
        json!([250, 251, 252, 253, 254, 255]),
    );
}

#[test]
fn a_closed_range_that_is_gone_through_stays_one() {
    gives(
        "pub fn f() -> (u8, u8, bool) { let mut r = 1..=3u8; r.next(); (*r.start(), *r.end(), r.contains(&3)) }",
        json!([2, 3, true]),
    );
    gives(
        "pub fn f() -> Vec<u8> { let mut r = 1..=3u8; r.next(); r.next_back(); r.collect() }",
        json!([2]),
    );
    gives(
        "pub fn f() -> (u8, usize) { let mut r = 1..3u8; r.next(); (r.end, r.len()) }",
        json!([3, 1]),
    );
}

#[test]
fn a_trait_of_the_source_is_none_of_std() {
    gives(
        "pub struct A(Vec<u8>);
        trait Pages { fn next(&mut self) -> Option<u8>; }
        impl Pages for A { fn next(&mut self) -> Option<u8> { None } }
        impl IntoIterator for A {
            type Item = u8; type IntoIter = std::vec::IntoIter<u8>;
            fn into_iter(self) -> Self::IntoIter { self.0.into_iter() }
        }
        pub fn f() -> Vec<u8> { let mut all = vec![]; for x in A(vec![1, 2]) { all.push(x); } all }",
        json!([1, 2]),
    );
    assert_error(
        "pub struct A(Vec<u8>);
        trait Book { fn index(&self, at: usize) -> u8; }
        impl Book for A { fn index(&self, at: usize) -> u8 { 9 } }
        impl std::ops::Deref for A { type Target = Vec<u8>; fn deref(&self) -> &Vec<u8> { &self.0 } }
        pub fn f() -> u8 { A(vec![1, 2])[1] }",
        "`index` of `A` is not defined in readable source",
    );
    assert_error(
        "use derive_more::Add;
        #[derive(Add, Clone, Copy)] pub struct A(pub u8);
        trait Sum { fn add(self, other: A) -> A; }
        impl Sum for A { fn add(self, other: A) -> A { A(9) } }
        pub fn f() -> u8 { (A(1) + A(2)).0 }",
        "which `add` of `A` applies here is not known",
    );
    assert_error(
        "use derive_more::PartialEq;
        #[derive(PartialEq)] pub struct A(pub u8);
        trait Same { fn eq(&self, other: &A) -> bool; }
        impl Same for A { fn eq(&self, other: &A) -> bool { true } }
        pub fn f() -> bool { A(1) == A(2) }",
        "whether two `A` are equal is not known",
    );
    gives(
        "mod mine { pub trait Clone { fn word(&self) -> u8 { 1 } } }
        pub trait Word { fn word(&self) -> u8; }
        impl<T: mine::Clone> Word for T { fn word(&self) -> u8 { 1 } }
        #[derive(Clone)] pub struct A;
        impl Word for A { fn word(&self) -> u8 { 2 } }
        pub fn f() -> u8 { A.word() }",
        json!(2),
    );
    assert_error(
        "pub struct A(pub u8);
        trait Default { fn default() -> A; }
        impl Default for A { fn default() -> A { A(9) } }
        #[derive(core::default::Default)] pub struct B { pub a: A }
        pub fn f() -> u8 { B::default().a.0 }",
        "`A` has no `Default`",
    );
}

#[test]
fn a_method_of_the_source_that_changes_is_not_taken_for_one_that_reads() {
    assert_error(
        "trait Cut { fn trim(&mut self) -> bool; }
        impl Cut for String { fn trim(&mut self) -> bool { self.clear(); std::process::id() > 1 } }
        fn g() -> Result<String, String> {
            let mut text = String::from(\"a\");
            if text.trim() { return Err(String::new()); }
            Ok(text)
        }
        pub fn f() -> String { g().unwrap() }",
        "",
    );
}

#[test]
fn a_type_of_another_crate_is_not_taken_for_one_of_std() {
    let of_crates =
        |text: &str| format!("{text}\n//- /chrono/lib.rs crate:chrono\n//- /url/lib.rs crate:url");
    for text in [
        "pub fn f() -> bool { chrono::Duration::MAX == chrono::Duration::MAX }",
        "pub fn f() -> chrono::Duration { Vec::new().into_iter().sum() }",
        "pub fn f() -> url::PathBuf { url::PathBuf::from(\"a\") }",
        "pub fn f() -> url::PathBuf { \"a\".parse().unwrap() }",
    ] {
        assert_error(&of_crates(text), "");
    }
}

#[test]
fn a_method_called_context_may_do_anything() {
    assert_error(
        "trait Lenient { fn context(self, text: &str) -> Result<u8, String>; }
        impl Lenient for Result<u8, String> { fn context(self, _: &str) -> Result<u8, String> { Ok(self.unwrap_or(7)) } }
        fn g() -> Result<u8, String> { if std::process::id() > 1 { return Err(String::new()); } Ok(1) }
        fn h() -> Result<u8, String> { Ok(g().context(\"a\")?) }
        pub fn f() -> u8 { h().unwrap() }",
        "is not evaluated",
    );
}
