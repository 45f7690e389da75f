// Which code sees an item, what macros match, and what else decides silently.

//# pub_super_behind_globs
mod one {
    pub mod deep {
        pub(super) const LIMIT: u32 = 1;
    }
}
mod two {
    pub const LIMIT: u32 = 2;
}
use one::deep::*;
use two::*;
fn limit() -> u32 {
    LIMIT
}
KIND
pub struct Spec {
    #[serde(default = "limit")]
    pub a: u32,
}

//# pub_in_behind_globs
mod one {
    pub mod deep {
        pub mod deeper {
            pub(in super::super) fn limit() -> u32 {
                1
            }
        }
    }
}
mod two {
    pub fn limit() -> u32 {
        2
    }
}
use one::deep::deeper::*;
use two::*;
fn d() -> u32 {
    limit()
}
KIND
pub struct Spec {
    #[serde(default = "d")]
    pub a: u32,
}

//# pub_super_use_behind_globs
mod base {
    pub const LIMIT: u32 = 1;
}
mod one {
    pub mod deep {
        pub(super) use super::super::base::LIMIT;
    }
}
mod two {
    pub const LIMIT: u32 = 2;
}
use one::deep::*;
use two::*;
fn limit() -> u32 {
    LIMIT
}
KIND
pub struct Spec {
    #[serde(default = "limit")]
    pub a: u32,
}

//# pub_super_type_over_prelude
mod api {
    pub mod inner {
        #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
        pub(super) struct String {
            pub x: bool,
        }
    }
}
use api::inner::*;
KIND
pub struct Spec {
    pub text: String,
}

//# pub_super_default_fn
mod home {
    pub mod types {
        #[derive(Clone, Debug, Default, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
        pub struct Size {
            pub n: u8,
        }
        impl Size {
            pub(super) fn default() -> Size {
                Size { n: 7 }
            }
        }
    }
}
fn d() -> home::types::Size {
    home::types::Size::default()
}
KIND
pub struct Spec {
    #[serde(default = "d")]
    pub a: home::types::Size,
}

//# pub_in_default_fn
mod home {
    pub mod types {
        #[derive(Clone, Debug, Default, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
        pub struct Size {
            pub n: u8,
        }
    }
    mod helper {
        impl super::types::Size {
            pub(in super::super::home) fn default() -> Self {
                Self { n: 7 }
            }
        }
    }
    pub fn inside() -> types::Size {
        types::Size::default()
    }
}
fn d() -> home::types::Size {
    home::types::Size::default()
}
KIND
pub struct Spec {
    #[serde(default = "d")]
    pub a: home::types::Size,
    #[serde(default = "home::inside")]
    pub b: home::types::Size,
}

//# private_constructor_behind_globs
mod one {
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct Size(u8);
    impl Size {
        pub fn of(n: u8) -> Size {
            Size(n)
        }
    }
}
mod two {
    pub fn Size(n: u8) -> super::one::Size {
        super::one::Size::of(7)
    }
}
use one::*;
use two::*;
fn d() -> one::Size {
    Size(1)
}
KIND
pub struct Spec {
    #[serde(default = "d")]
    pub a: one::Size,
}

//# forwarded_literal_expr
macro_rules! inner {
    (0) => {
        const A: u8 = 1;
    };
    ($e:expr) => {
        const A: u8 = 2;
    };
}
macro_rules! outer {
    ($e:expr) => {
        inner!($e);
    };
}
outer!(0);
fn d() -> u8 {
    A
}
KIND
pub struct Spec {
    #[serde(default = "d")]
    pub a: u8,
}

//# forwarded_literal_literal
macro_rules! inner {
    ("x") => {
        const A: u8 = 1;
    };
    ($e:literal) => {
        const A: u8 = 2;
    };
}
macro_rules! outer {
    ($e:literal) => {
        inner!($e);
    };
}
outer!("x");
fn d() -> u8 {
    A
}
KIND
pub struct Spec {
    #[serde(default = "d")]
    pub a: u8,
}

//# forwarded_type
macro_rules! inner {
    (bool) => {
        const A: u8 = 1;
    };
    ($t:ty) => {
        const A: u8 = 2;
    };
}
macro_rules! outer {
    ($t:ty) => {
        inner!($t);
    };
}
outer!(bool);
fn d() -> u8 {
    A
}
KIND
pub struct Spec {
    #[serde(default = "d")]
    pub a: u8,
}

//# forwarded_type_to_ident
macro_rules! inner {
    ($t:ident) => {
        const A: u8 = 1;
    };
    ($t:ty) => {
        const A: u8 = 2;
    };
}
macro_rules! outer {
    ($t:ty) => {
        inner!($t);
    };
}
outer!(bool);
fn d() -> u8 {
    A
}
KIND
pub struct Spec {
    #[serde(default = "d")]
    pub a: u8,
}

//# forwarded_type_fields
macro_rules! field_default {
    (bool) => {
        true
    };
    ($t:ty) => {
        false
    };
}
macro_rules! kinds {
    ($name:ident, String) => {
        pub type $name = u8;
    };
    ($name:ident, $t:ty) => {
        pub type $name = $t;
    };
}
macro_rules! outer {
    ($name:ident: $t:ty) => {
        kinds!($name, $t);
    };
}
outer!(A: String);
outer!(B: bool);
KIND
pub struct Spec {
    pub a: A,
    pub b: B,
}

//# forwarded_path
macro_rules! inner {
    (bool) => {
        const A: u8 = 1;
    };
    ($t:path) => {
        const A: u8 = 2;
    };
}
macro_rules! outer {
    ($t:path) => {
        inner!($t);
    };
}
outer!(bool);
fn d() -> u8 {
    A
}
KIND
pub struct Spec {
    #[serde(default = "d")]
    pub a: u8,
}

//# forwarded_vis
macro_rules! inner { (pub $n:ident) => { const $n: u8 = 1; }; ($v:vis $n:ident) => { $v const $n: u8 = 2; }; }
macro_rules! outer { ($v:vis $n:ident) => { inner!($v $n); }; }
outer!(pub A);
fn d() -> u8 {
    A
}
KIND
pub struct Spec {
    #[serde(default = "d")]
    pub a: u8,
}

//# joint_puncts_as_tt
macro_rules! m {
    ($n:ident $op:tt $v:tt) => {
        const $n: i8 = 1;
    };
    ($n:ident = $($v:tt)*) => {
        const $n: i8 = 2;
    };
}
m!(A = -5);
fn d() -> i8 {
    A
}
KIND
pub struct Spec {
    #[serde(default = "d")]
    pub a: i8,
}

//# joint_reference_as_tt
macro_rules! m {
    ($n:ident $op:tt $v:tt) => {
        const $n: u8 = 1;
    };
    ($n:ident $a:tt $b:tt $c:tt) => {
        const $n: u8 = 2;
    };
}
m!(A = &B);
fn d() -> u8 {
    A
}
KIND
pub struct Spec {
    #[serde(default = "d")]
    pub a: u8,
}

//# joint_in_repetition
macro_rules! count {
    () => {
        const N: u8 = 0;
    };
    ($a:tt) => {
        const N: u8 = 1;
    };
    ($a:tt $b:tt) => {
        const N: u8 = 2;
    };
    ($a:tt $b:tt $c:tt) => {
        const N: u8 = 3;
    };
}
count!(!-x);
fn d() -> u8 {
    N
}
KIND
pub struct Spec {
    #[serde(default = "d")]
    pub a: u8,
}

//# option_helper_macro
macro_rules! ty_of {
    ($n:ident, Option<$t:ty>) => {
        pub type $n = Vec<$t>;
    };
    ($n:ident, $t:ty) => {
        pub type $n = $t;
    };
}
macro_rules! field {
    ($n:ident : $t:ty) => {
        ty_of!($n, $t);
    };
}
field!(A: Option<u8>);
field!(B: u16);
KIND
pub struct Spec {
    pub a: A,
    pub b: B,
}

//# default_helper_macro
macro_rules! dflt {
    ($n:ident, true) => {
        fn $n() -> u8 {
            1
        }
    };
    ($n:ident, $e:expr) => {
        fn $n() -> u8 {
            2
        }
    };
}
macro_rules! settings { ($($n:ident = $e:expr),*) => { $(dflt!($n, $e);)* }; }
settings!(a = true, b = 5 + 5, c = false);
KIND
pub struct Spec {
    #[serde(default = "a")]
    pub a: u8,
    #[serde(default = "b")]
    pub b: u8,
    #[serde(default = "c")]
    pub c: u8,
}

//# array_lengths_restricted
mod one {
    pub mod deep {
        pub(super) const N: usize = 3;
    }
}
mod two {
    pub const N: usize = 4;
}
use one::deep::*;
use two::*;
KIND
pub struct Spec {
    pub a: [u8; N],
}

//# macro_private_shadow
mod two {
    macro_rules! m {
        ($n:ident) => {
            const $n: u8 = 2;
        };
    }
    pub(crate) use m;
}
mod one {
    macro_rules! m {
        ($n:ident) => {
            const $n: u8 = 1;
        };
    }
    pub(crate) use super::two::*;
    use m;
}
mod three {
    macro_rules! m {
        ($n:ident) => {
            const $n: u8 = 3;
        };
    }
    pub(crate) use m;
}
use one::*;
use three::*;
m!(A);
fn d() -> u8 {
    A
}
KIND
pub struct Spec {
    #[serde(default = "d")]
    pub a: u8,
}

//# literal_tokens_differ
macro_rules! m {
    ($n:ident 0x10) => {
        const $n: u8 = 1;
    };
    ($n:ident $e:literal) => {
        const $n: u8 = 2;
    };
}
m!(A 16);
m!(B 0x10);
macro_rules! t {
    ($n:ident "a") => {
        const $n: u8 = 1;
    };
    ($n:ident $e:literal) => {
        const $n: u8 = 2;
    };
}
t!(C r"a");
t!(D "\x61");
fn a() -> u8 {
    A
}
fn b() -> u8 {
    B
}
fn c() -> u8 {
    C
}
fn d() -> u8 {
    D
}
KIND
pub struct Spec {
    #[serde(default = "a")]
    pub a: u8,
    #[serde(default = "b")]
    pub b: u8,
    #[serde(default = "c")]
    pub c: u8,
    #[serde(default = "d")]
    pub d: u8,
}

//# raw_ident_tokens
macro_rules! fields {
    (@ $n:ident [$($acc:tt)*]) => { #[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)] pub struct $n { $($acc)* } };
    (@ $n:ident [$($acc:tt)*] type $f:ident; $($rest:tt)*) => { fields!(@ $n [$($acc)* pub $f: String,] $($rest)*); };
    (@ $n:ident [$($acc:tt)*] $f:ident $g:ident; $($rest:tt)*) => { fields!(@ $n [$($acc)* pub $f: $g,] $($rest)*); };
}
fields!(@ Inner [] type a; r#type u8; b u16;);
KIND
pub struct Spec {
    pub a: Inner,
}

//# raw_ident_rule
macro_rules! m {
    ($n:ident type) => {
        const $n: u8 = 1;
    };
    ($n:ident $e:ident) => {
        const $n: u8 = 2;
    };
}
m!(A r#type);
m!(B type);
fn a() -> u8 {
    A
}
fn b() -> u8 {
    B
}
KIND
pub struct Spec {
    #[serde(default = "a")]
    pub a: u8,
    #[serde(default = "b")]
    pub b: u8,
}

//# spaced_puncts
macro_rules! m {
    ($n:ident =>) => {
        const $n: u8 = 1;
    };
    ($n:ident $($e:tt)*) => {
        const $n: u8 = 2;
    };
}
m!(A = >);
m!(B =>);
fn a() -> u8 {
    A
}
fn b() -> u8 {
    B
}
KIND
pub struct Spec {
    #[serde(default = "a")]
    pub a: u8,
    #[serde(default = "b")]
    pub b: u8,
}

//# where_on_other_type
trait Mark {}
impl Mark for Option<u16> {}
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
pub struct W<T> {
    pub n: u8,
    pub t: Option<T>,
}
impl<T> W<T>
where
    Option<T>: Mark,
{
    pub fn default() -> Self {
        W { n: 7, t: None }
    }
}
fn a() -> W<u8> {
    W::<u8>::default()
}
fn b() -> W<u16> {
    W::<u16>::default()
}
KIND
pub struct Spec {
    #[serde(default = "a")]
    pub a: W<u8>,
    #[serde(default = "b")]
    pub b: W<u16>,
}

//# where_on_tuple
trait Mark {}
impl Mark for (u16,) {}
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
pub struct W<T> {
    pub n: u8,
    pub t: Option<T>,
}
impl<T> W<T>
where
    (T,): Mark,
{
    pub fn default() -> Self {
        W { n: 7, t: None }
    }
}
fn a() -> W<u8> {
    W::<u8>::default()
}
KIND
pub struct Spec {
    #[serde(default = "a")]
    pub a: W<u8>,
}

//# where_on_reference
trait Mark {}
impl Mark for &u16 {}
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
pub struct W<T> {
    pub n: u8,
    pub t: Option<T>,
}
impl<T> W<T>
where
    for<'a> &'a T: Mark,
{
    pub fn default() -> Self {
        W { n: 7, t: None }
    }
}
fn a() -> W<u8> {
    W::<u8>::default()
}
KIND
pub struct Spec {
    #[serde(default = "a")]
    pub a: W<u8>,
}

//# where_on_self_type
trait Mark {}
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
pub struct W<T> {
    pub n: u8,
    pub t: Option<T>,
}
impl Mark for W<u16> {}
impl<T> W<T>
where
    W<T>: Mark,
{
    pub fn default() -> Self {
        W { n: 7, t: None }
    }
}
fn a() -> W<u8> {
    W::<u8>::default()
}
KIND
pub struct Spec {
    #[serde(default = "a")]
    pub a: W<u8>,
}

//# std_paths_of_one_type
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
pub struct W<T> {
    pub n: u8,
    pub t: Option<T>,
}
impl W<std::collections::hash_map::HashMap<String, u8>> {
    pub fn default() -> Self {
        W { n: 7, t: None }
    }
}
impl W<core::time::Duration> {
    pub fn default() -> Self {
        W { n: 8, t: None }
    }
}
impl W<std::ops::Bound<u8>> {
    pub fn default() -> Self {
        W { n: 9, t: None }
    }
}
fn a() -> W<HashMap<String, u8>> {
    W::<HashMap<String, u8>>::default()
}
fn b() -> W<std::time::Duration> {
    W::<std::time::Duration>::default()
}
KIND
pub struct Spec {
    #[serde(default = "a")]
    pub a: W<HashMap<String, u8>>,
    #[serde(default = "b")]
    pub b: W<std::time::Duration>,
}

//# std_reexported_types
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
pub struct W<T> {
    pub n: u8,
    pub t: Option<T>,
}
impl W<std::collections::btree_map::BTreeMap<String, u8>> {
    pub fn default() -> Self {
        W { n: 7, t: None }
    }
}
impl W<core::net::Ipv4Addr> {
    pub fn default() -> Self {
        W { n: 8, t: None }
    }
}
fn a() -> W<BTreeMap<String, u8>> {
    W::<BTreeMap<String, u8>>::default()
}
fn b() -> W<std::net::Ipv4Addr> {
    W::<std::net::Ipv4Addr>::default()
}
KIND
pub struct Spec {
    #[serde(default = "a")]
    pub a: W<BTreeMap<String, u8>>,
    #[serde(default = "b")]
    pub b: W<std::net::Ipv4Addr>,
}

//# json_value_paths
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
pub struct W<T> {
    pub n: u8,
    pub t: Option<T>,
}
impl W<serde_json::value::Value> {
    pub fn default() -> Self {
        W { n: 7, t: None }
    }
}
fn a() -> W<serde_json::Value> {
    W::<serde_json::Value>::default()
}
fn s(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({"type":"object","x-kubernetes-preserve-unknown-fields":true})
}
KIND
pub struct Spec {
    #[serde(default = "a")]
    #[schemars(schema_with = "s")]
    pub a: W<serde_json::Value>,
}

//# params_of_two_sites
macro_rules! f {
    ($n:ident, $p:ident) => {
        fn $n($p: u8, x: u8) -> u8 {
            $p + x
        }
    };
}
f!(g, x);
fn d() -> u8 {
    g(1, 10)
}
KIND
pub struct Spec {
    #[serde(default = "d")]
    pub a: u8,
}

//# params_of_two_sites_first
macro_rules! f {
    ($n:ident, $p:ident) => {
        fn $n(x: u8, $p: u8) -> u8 {
            x - $p
        }
    };
}
f!(g, x);
fn d() -> u8 {
    g(10, 1)
}
KIND
pub struct Spec {
    #[serde(default = "d")]
    pub a: u8,
}

//# nested_macro_idents
macro_rules! inner {
    ($n:ident, $p:ident) => {
        fn $n($p: u8, x: u8) -> u8 {
            $p * 2 + x
        }
    };
}
macro_rules! outer {
    ($n:ident) => {
        inner!($n, x);
    };
}
outer!(g);
fn d() -> u8 {
    g(1, 10)
}
KIND
pub struct Spec {
    #[serde(default = "d")]
    pub a: u8,
}

//# own_rule_constants
use kube::KubeSchema;
mod rules {
    pub const A: &str = "self.a > 0";
    pub(super) const B: &str = "self.a < 5";
    pub mod deep {
        pub(super) const C: &str = "self.a != 3";
    }
}
mod other {
    pub const C: &str = "self.a != 4";
}
use other::*;
use rules::deep::*;
use rules::*;
#[derive(Clone, Debug, Deserialize, Serialize, KubeSchema)]
#[x_kube(validation = A, validation = (B, "b"), validation = C)]
pub struct P {
    pub a: u8,
}
KIND
pub struct Spec {
    pub p: P,
}

//# block_constants_in_a_cycle
mod m {
    pub const B: u8 = 1;
}
const A: u8 = 9;
fn d() -> u8 {
    const B: u8 = A;
    const A: u8 = m::B;
    B
}
KIND
pub struct Spec {
    #[serde(default = "d")]
    pub a: u8,
}

//# block_inner_constant_cycle
mod m {
    pub const B: u8 = 1;
}
fn e() -> u8 {
    const A: u8 = 5;
    {
        const B: u8 = A;
        const A: u8 = m::B;
        B
    }
}
KIND
pub struct Spec {
    #[serde(default = "e")]
    pub b: u8,
}

//# schema_macro_vis
mod a {
    pub mod b {
        pub(super) fn s(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
            schemars::json_schema!({"type":"string","format":"one"})
        }
    }
}
mod c {
    pub fn s(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type":"string","format":"two"})
    }
}
use a::b::*;
use c::*;
KIND
pub struct Spec {
    #[schemars(schema_with = "s")]
    pub a: String,
}

//# predicate_vis
mod a {
    pub mod b {
        pub(super) fn p(_: &u8) -> bool {
            true
        }
    }
}
mod c {
    pub fn p(_: &u8) -> bool {
        false
    }
}
use a::b::*;
use c::*;
KIND
pub struct Spec {
    #[serde(default, skip_serializing_if = "p")]
    pub a: u8,
}
