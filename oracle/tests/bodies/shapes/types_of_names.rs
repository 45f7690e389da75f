// The type behind a name: written arguments, aliases, variables without a type, constant parameters.

//# written_arguments_of_a_function
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct P<T> { a: T }
impl P<u8> { fn make() -> P<u8> { P { a: 1 } } }
impl P<u16> { fn make() -> P<u8> { P { a: 2 } } }
fn d() -> P<u8> { P::<u16>::make() }
KIND
pub struct Spec { #[serde(default = "d")] a: P<u8>, #[serde(default = "P::<u16>::make")] b: P<u8> }

//# written_arguments_of_a_constant
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct P<T> { a: T }
impl P<u8> { const D: P<u8> = P { a: 1 }; }
impl P<u16> { const D: P<u8> = P { a: 2 }; }
fn d() -> P<u8> { P::<u16>::D }
KIND
pub struct Spec { #[serde(default = "d")] a: P<u8> }

//# arguments_of_an_alias
pub struct P<T> { a: T }
impl P<u8> { const A: u8 = 1; }
impl P<Vec<u8>> { const A: u8 = 2; }
type Al<T> = P<Vec<T>>;
type Plain = P<Vec<u8>>;
fn d() -> u8 { Al::<u8>::A }
fn e() -> u8 { Plain::A }
KIND
pub struct Spec { #[serde(default = "d")] a: u8, #[serde(default = "e")] b: u8 }

//# alias_of_another_type_of_the_place
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct P<T> { a: T }
impl P<u8> { fn make() -> P<u8> { P { a: 1 } } }
impl P<u16> { fn make() -> P<u8> { P { a: 2 } } }
type Al = P<u16>;
fn d() -> P<u8> { Al::make() }
KIND
pub struct Spec { #[serde(default = "d")] a: P<u8> }

//# shifts_of_variables
const LIM: u8 = 200;
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct P { byte: u8, wide: u32 }
fn a() -> u32 { let a = 200u8; (a << 4) as u32 }
fn b() -> P { let a = 200; P { byte: a, wide: (a << 4) as u32 } }
fn c() -> u32 { let a = LIM; (a << 4) as u32 }
SPEC a: u32 = a, b: P = b, c: u32 = c

//# shift_of_a_constant_parameter
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct W<const N: u8> { wide: u32 }
impl<const N: u8> Default for W<N> { fn default() -> Self { W { wide: (N << 4) as u32 } } }
KIND
pub struct Spec { #[serde(default)] a: W<200> }

//# shift_in_a_schema
use schemars::{Schema, SchemaGenerator, json_schema};
fn typed(n: u8) -> Schema { json_schema!({ "type": "integer", "maximum": n << 4 }) }
fn first(_: &mut SchemaGenerator) -> Schema { typed(200) }
fn other(_: &mut SchemaGenerator) -> Schema { let n: u8 = 200; json_schema!({ "type": "integer", "maximum": n << 4 }) }
KIND
pub struct Spec { #[schemars(schema_with = "first")] a: i64, #[schemars(schema_with = "other")] b: i64 }

//# boolean_parameter
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct B<const N: bool> { text: String, flag: bool }
impl<const N: bool> Default for B<N> { fn default() -> Self { B { text: format!("{N}"), flag: N } } }
KIND
pub struct Spec { #[serde(default)] a: B<true>, #[serde(default)] b: B<false> }

//# use_that_hides_its_first_segment
mod c { pub const A: u8 = 2; pub mod n { pub const A: u8 = 6; } pub mod c { pub const A: u8 = 7; } }
fn d() -> u8 { use c::n as c; c::A }
fn e() -> u8 { use c::c; c::A }
SPEC d: u8 = d, e: u8 = e

//# variant_of_a_glob_beside_a_struct
use serde_json::{Value, json};
#[derive(Clone, Debug, Serialize)]
pub struct Foo { a: u8 }
mod k { #[derive(serde::Serialize)] pub enum Kind { Foo { a: u8 } } }
use k::Kind::*;
fn d() -> Value { json!(Foo { a: 1 }) }
KIND
pub struct Spec { #[serde(default = "d")] #[schemars(extend("x-kubernetes-preserve-unknown-fields" = true))] a: Value }

//# least_literals
fn a() -> i8 { -128_i8 }
fn b() -> i8 { -128 }
fn c() -> i64 { -0x80i64 }
SPEC a: i8 = a, b: i8 = b, c: i64 = c
