//# param_vs_use_in_body
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
mod m { pub static a: i32 = 2; pub const b: i32 = 3; } fn f(b: i32) -> i32 { use m::b; b } fn d() -> i32 { f(1) }
KIND
pub struct Spec { #[serde(default = "d")] a: i32 }
//# let_vs_inner_use
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
mod m { pub const b: i32 = 3; } fn d() -> i32 { let b: i32 = 1; { use m::b; b } }
KIND
pub struct Spec { #[serde(default = "d")] a: i32 }
//# const_init_block_use
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
const B: i32 = 1; mod m { pub const B: i32 = 2; } const A: i32 = { use m::B; B }; fn d() -> i32 { A }
KIND
pub struct Spec { #[serde(default = "d")] a: i32 }
//# const_init_block_use_after_const
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
const B: i32 = 1; mod m { pub const B: i32 = 2; } const A: i32 = { const C: i32 = B; use m::B; C }; fn d() -> i32 { A }
KIND
pub struct Spec { #[serde(default = "d")] a: i32 }
//# macro_const_in_fn
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
const X: i32 = 1; macro_rules! mac { () => { X } } fn d() -> i32 { const X: i32 = 2; mac!() }
KIND
pub struct Spec { #[serde(default = "d")] a: i32 }
//# macro_const_in_inner_block
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
const X: i32 = 1; macro_rules! mac { () => { X } } fn d() -> i32 { { const X: i32 = 2; mac!() } }
KIND
pub struct Spec { #[serde(default = "d")] a: i32 }
//# macro_arg_const_in_inner_block
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
const X: i32 = 1; macro_rules! mac { ($e:expr) => { $e } } fn d() -> i32 { let y: i32 = 0; { const X: i32 = 2; mac!(X) } }
KIND
pub struct Spec { #[serde(default = "d")] a: i32 }
//# macro_arg_const_in_json
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
const X: i32 = 1; macro_rules! mac { ($e:expr) => { $e } } fn d() -> serde_json::Value { const X: i32 = 2; json!({"a": mac!(X)}) }
KIND
pub struct Spec { #[serde(default = "d")] a: serde_json::Value }
//# generic_impl_default_inherent
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
#[derive(Clone,Debug,Serialize,Deserialize,JsonSchema,Default)] struct P { x: i32 } impl P { fn default() -> Self { P { x: 1 } } } #[derive(Clone,Debug,Serialize,Deserialize,JsonSchema)] struct W<T> { t: T } impl<T: Default> Default for W<T> { fn default() -> Self { W { t: T::default() } } }
KIND
pub struct Spec { #[serde(default)] a: W<P> }
//# inner_block_use_type_let
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
type N = f64; mod m { pub type N = f32; } fn d() -> serde_json::Value { let y: serde_json::Value = { use m::N; let x: N = 0.1; json!(x) }; y }
KIND
pub struct Spec { #[serde(default = "d")] a: serde_json::Value }
//# inner_block_use_type_const
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
type N = f64; mod m { pub type N = f32; } const C: serde_json::Value = serde_json::Value::Null; fn d() -> serde_json::Value { { use m::N; const X: N = 0.1; json!(X) } }
KIND
pub struct Spec { #[serde(default = "d")] a: serde_json::Value }
//# inner_use_type_default_2
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
#[derive(Serialize, Default)] struct P { a: i32 } mod m { #[derive(serde::Serialize, Default)] pub struct P { b: i32 } } fn d() -> serde_json::Value { let q: serde_json::Value = { use m::P; let p: P = Default::default(); json!(p) }; q }
KIND
pub struct Spec { #[serde(default = "d")] a: serde_json::Value }
//# block_local_use_default_trait
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
mod m { pub trait Default { fn default() -> Self; } impl Default for i32 { fn default() -> Self { 9 } } } fn d() -> i32 { { use m::Default; <i32 as Default>::default() } }
KIND
pub struct Spec { #[serde(default = "d")] a: i32 }
//# int_to_string_trait_glob_super_private
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
mod e { pub trait Ext { fn to_string(self) -> String; } impl Ext for i32 { fn to_string(self) -> String { String::from("mine") } } } mod o { use super::e::Ext; pub mod i { use super::*; pub const L: i32 = 5; pub fn d() -> String { L.to_string() } } } use o::i::d;
KIND
pub struct Spec { #[serde(default = "d")] a: String }
//# int_to_string_trait_fn_by_macro
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
macro_rules! f { () => { fn to_string(self) -> String; } } trait Ext { f!{} } impl Ext for i32 { fn to_string(self) -> String { String::from("mine") } } const L: i32 = 5; fn d() -> String { L.to_string() }
KIND
pub struct Spec { #[serde(default = "d")] a: String }
//# concat_float_forms
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
fn d() -> String { concat!(1E3, " ", 1e+3, " ", 1., " ", 1_0.5_0, " ", 1.50f32, " ", 1f64, " ", 0x1F, " ", 1_000, " ", 0b11u8, " ", -5, " ", -1.0, " ", true, 'a', "\u{41}", " ", 1e-07).to_string() }
KIND
pub struct Spec { #[serde(default = "d")] a: String }
//# concat_1e3
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
const T: &str = concat!("<", 1E3, ">"); fn d() -> String { T.to_string() }
KIND
pub struct Spec { #[serde(default = "d")] a: String }
//# concat_1e_plus_3
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
const T: &str = concat!("<", 1e+3, ">"); fn d() -> String { T.to_string() }
KIND
pub struct Spec { #[serde(default = "d")] a: String }
//# concat_1e_3f32
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
const T: &str = concat!("<", 1E-3f32, ">"); fn d() -> String { T.to_string() }
KIND
pub struct Spec { #[serde(default = "d")] a: String }
//# skip_pred_local_use
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
const ZERO: i32 = 0; mod m { pub const ZERO: i32 = 5; } fn p(x: &i32) -> bool { use m::ZERO; *x == ZERO } fn d() -> i32 { 5 }
KIND
pub struct Spec { #[serde(default = "d", skip_serializing_if = "p")] a: i32 }
//# skip_pred_local_static
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
static ZERO: i32 = 0; fn p(x: &i32) -> bool { static ZERO: i32 = 5; *x == ZERO } fn d() -> i32 { 5 }
KIND
pub struct Spec { #[serde(default = "d", skip_serializing_if = "p")] a: i32 }
//# skip_generic_own_default
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
trait MyDefault { fn default() -> Self; } impl MyDefault for i32 { fn default() -> Self { 7 } } fn p<T: MyDefault + PartialEq>(x: &T) -> bool { *x == T::default() } fn d() -> i32 { 7 } fn z() -> i32 { 0 }
KIND
pub struct Spec { #[serde(default = "d", skip_serializing_if = "p")] a: i32, #[serde(default = "z", skip_serializing_if = "p")] b: i32 }
//# skip_generic_shadowed_default
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
mod m { pub trait Default { fn default() -> Self; } impl Default for i32 { fn default() -> Self { 7 } } pub fn p<T: Default + PartialEq>(x: &T) -> bool { x == &Default::default() } } use m::p; fn d() -> i32 { 7 } fn z() -> i32 { 0 }
KIND
pub struct Spec { #[serde(default = "d", skip_serializing_if = "p")] a: i32, #[serde(default = "z", skip_serializing_if = "p")] b: i32 }
//# json_str_to_string
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
fn s(g: &mut SchemaGenerator) -> Schema { json_schema!({"type": "string", "default": json!("x").to_string()}) }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: String }
//# enum_to_string
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
#[derive(Serialize)] enum E { A } impl std::fmt::Display for E { fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result { f.write_str("custom") } } fn s(g: &mut SchemaGenerator) -> Schema { json_schema!({"type": "string", "default": E::A.to_string()}) }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: String }
//# enum_let_format_const
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
#[derive(Serialize)] enum E { A } const E1: E = E::A; impl std::fmt::Display for E { fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result { f.write_str("custom") } } fn s(g: &mut SchemaGenerator) -> Schema { let e = E1; json_schema!({"type": "string", "default": format!("{e}")}) }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: String }
//# own_unwrap
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
#[derive(Serialize)] struct W(i32); impl W { fn unwrap(self) -> i32 { self.0 * 2 } } fn s(g: &mut SchemaGenerator) -> Schema { json_schema!({"type": "integer", "default": W(5).unwrap()}) }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: String }
//# own_into_value
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
use serde_json::Value; #[derive(Serialize)] enum E { A } impl From<E> for Value { fn from(e: E) -> Value { json!("custom") } } fn s(g: &mut SchemaGenerator) -> Schema { json_schema!({"type": "string", "default": Value::from(E::A)}) }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: String }
//# own_into_schema
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
#[derive(Serialize)] struct M { r#type: &'static str } impl From<M> for Schema { fn from(_: M) -> Schema { json_schema!({"type": "integer"}) } } const M: M = M { r#type: "string" }; fn s(g: &mut SchemaGenerator) -> Schema { M.into() }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: String }
//# from_value_typed
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
#[derive(Serialize, Deserialize)] struct D { #[serde(default)] x: i32 } fn s(g: &mut SchemaGenerator) -> Schema { json_schema!({"type": "object", "default": serde_json::from_value::<D>(json!({})).unwrap()}) }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: String }
//# btreeset_from
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
fn s(g: &mut SchemaGenerator) -> Schema { json_schema!({"type": "string", "enum": BTreeSet::from(["b", "a"])}) }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: String }
//# btreeset_insert_ints
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
fn s(g: &mut SchemaGenerator) -> Schema { let mut s: BTreeSet<i32> = BTreeSet::new(); s.insert(3); s.insert(1); json_schema!({"type": "integer", "enum": s}) }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: String }
//# f32_let
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
fn s(g: &mut SchemaGenerator) -> Schema { let x: f32 = 0.1; json_schema!({"type": "number", "minimum": x}) }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: f64 }
//# f32_helper
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
fn h(x: f32) -> Schema { json_schema!({"type": "number", "minimum": x}) } fn s(g: &mut SchemaGenerator) -> Schema { h(0.1) }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: f64 }
//# f32_inferred
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
fn s(g: &mut SchemaGenerator) -> Schema { let x = 0.1; let y: f32 = x; json_schema!({"type": "number", "minimum": y, "default": x}) }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: f64 }
//# f32_helper_option
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
fn h(x: Option<f32>) -> Schema { json_schema!({"type": "number", "minimum": x}) } fn s(g: &mut SchemaGenerator) -> Schema { h(Some(0.1)) }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: f64 }
//# f32_helper_g
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
fn h(g: &mut SchemaGenerator, x: f32) -> Schema { json_schema!({"type": "number", "minimum": x}) } fn s(g: &mut SchemaGenerator) -> Schema { h(g, 0.1) }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: f64 }
//# f32_vec_let
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
fn s(g: &mut SchemaGenerator) -> Schema { let x: Vec<f32> = vec![0.1]; json_schema!({"type": "number", "enum": x}) }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: f64 }
//# value_from_none
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
use serde_json::Value; fn s(g: &mut SchemaGenerator) -> Schema { let mut m = serde_json::Map::new(); m.insert("a".into(), Value::from(None::<i32>)); json_schema!({"type": "object", "default": m}) }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: String }
//# alias_move
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
fn s(g: &mut SchemaGenerator) -> Schema { let mut s = json_schema!({"type": "string"}); let o = s.ensure_object(); let p = o; p.insert("title".into(), "x".into()); s }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: String }
//# alias_reassign
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
fn s(g: &mut SchemaGenerator) -> Schema { let mut a = json_schema!({"type": "string", "title": "a"}); let mut b = json_schema!({"type": "string", "title": "b"}); let mut o = &mut a; o.insert("format".into(), "x".into()); o = &mut b; o.insert("pattern".into(), "y".into()); json_schema!({"type": "object", "properties": {"a": a, "b": b}}) }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: String }
//# mut_ref_helper
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
fn h(s: &mut Schema) -> Schema { s.insert("title".into(), "t".into()); s.clone() } fn s(g: &mut SchemaGenerator) -> Schema { let mut a = json_schema!({"type": "string"}); let b = h(&mut a); json_schema!({"type": "object", "properties": {"a": a, "b": b}}) }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: String }
//# option_unwrap_copy
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
fn s(g: &mut SchemaGenerator) -> Schema { let base = Some("a"); let mut t = base.unwrap(); t = "b"; json_schema!({"type": "string", "title": t, "description": base}) }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: String }
//# use_leak
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
const TITLE: &str = "outer"; mod m { pub const TITLE: &str = "inner"; } fn s(g: &mut SchemaGenerator) -> Schema { let a = { use m::TITLE; json!(TITLE) }; json_schema!({"type": "string", "title": a, "description": TITLE}) }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: String }
//# let_vs_use
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
mod m { pub const t: &str = "use"; } fn s(g: &mut SchemaGenerator) -> Schema { let t = "let"; let a = { use m::t; json!(t) }; json_schema!({"type": "string", "title": a}) }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: String }
//# field_none
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
#[derive(Serialize)] struct D { size: Option<i32> } fn s(g: &mut SchemaGenerator) -> Schema { let mut d = D { size: Some(1) }; d.size = None; json_schema!({"type": "object", "default": d}) }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: String }
//# opt_value_as_object_mut
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
fn s(g: &mut SchemaGenerator) -> Schema { let mut s = g.subschema_for::<Option<serde_json::Value>>(); if let Some(o) = s.as_object_mut() { o.insert("title".into(), "t".into()); } s }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: serde_json::Value }
//# opt_own_true_as_object_mut
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
struct M; impl JsonSchema for M { fn schema_name() -> std::borrow::Cow<'static, str> { "M".into() } fn json_schema(g: &mut SchemaGenerator) -> Schema { true.into() } } fn s(g: &mut SchemaGenerator) -> Schema { let mut s = g.subschema_for::<Option<M>>(); if let Some(o) = s.as_object_mut() { o.insert("title".into(), "t".into()); } s }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: serde_json::Value }
//# transform_move
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
fn t(schema: &mut Schema) { let s = schema; s.insert("title".into(), "t".into()); }
KIND
pub struct Spec { #[schemars(transform = t)] a: String }
//# transform_ensure_move
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
fn t(schema: &mut Schema) { let s = schema.ensure_object(); let q = s; q.insert("title".into(), "t".into()); }
KIND
pub struct Spec { #[schemars(transform = t)] a: String }
//# transform_value_iflet
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
fn t(schema: &mut Schema) { if let Some(o) = schema.as_object_mut() { o.insert("title".into(), "t".into()); } }
KIND
pub struct Spec { #[schemars(transform = t)] a: serde_json::Value }
//# transform_own_insert_trait
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
fn t(schema: &mut Schema) { let c: &mut Schema = schema; c.insert("title".into(), "t".into()); }
KIND
pub struct Spec { #[schemars(transform = t)] a: i32 }
//# own_clone_trait
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
trait Ext { fn clone(self) -> Schema; } impl Ext for Schema { fn clone(self) -> Schema { json_schema!({"type": "string"}) } } fn s(g: &mut SchemaGenerator) -> Schema { let a = json_schema!({"type": "string", "title": "t"}); let b = a.clone(); b }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: String }
//# own_into_object_trait
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
trait Ext { fn into_object(self) -> Schema; } impl Ext for Schema { fn into_object(self) -> Schema { json_schema!({"type": "string"}) } } fn s(g: &mut SchemaGenerator) -> Schema { json_schema!({"type": "string", "title": "t"}).into_object() }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: String }
//# own_ensure_trait
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
trait Ext { fn object(&mut self); } impl Ext for Schema { fn object(&mut self) { self.insert("title".into(), "t".into()); } } fn s(g: &mut SchemaGenerator) -> Schema { let mut s = json_schema!({"type": "string"}); s.object(); s }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: String }
//# own_push_trait
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
trait Ext { fn metadata(&mut self) -> serde_json::Map<String, serde_json::Value>; } impl Ext for Schema { fn metadata(&mut self) -> serde_json::Map<String, serde_json::Value> { Default::default() } } fn s(g: &mut SchemaGenerator) -> Schema { let mut s = json_schema!({"type": "string"}); s.metadata().insert("title".into(), "x".into()); s }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: String }
//# helper_param_use
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
mod m { pub const a: &str = "const"; } fn h(a: &str) -> Schema { use m::a; json_schema!({"type": "string", "title": a}) } fn s(g: &mut SchemaGenerator) -> Schema { h("a") }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: String }
//# block_use_type
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
type N = String; mod m { pub type N = i32; } fn s(g: &mut SchemaGenerator) -> Schema { { use m::N; g.subschema_for::<N>() } }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: String }
//# qualified_other_trait
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
trait Other { fn json_schema(g: &mut SchemaGenerator) -> Schema; } impl Other for i32 { fn json_schema(g: &mut SchemaGenerator) -> Schema { json_schema!({"type": "string"}) } } fn s(g: &mut SchemaGenerator) -> Schema { <i32 as Other>::json_schema(g) }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: String }
//# fn_local_trait_shadows_jsonschema
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
mod zz { use schemars::*; pub trait JsonSchema { fn json_schema(g: &mut SchemaGenerator) -> Schema { json_schema!({"type": "string"}) } } impl JsonSchema for i32 {} }  fn s(g: &mut SchemaGenerator) -> Schema { use zz::JsonSchema; <i32 as JsonSchema>::json_schema(g) }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: String }
//# macro_local_const
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
const T: &str = "outer"; macro_rules! t { () => { T } } fn s(g: &mut SchemaGenerator) -> Schema { const T: &str = "inner"; json_schema!({"type": "string", "title": t!()}) }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: String }
//# macro_arg_const
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
const T: &str = "outer"; macro_rules! t { ($e:expr) => { $e } } fn s(g: &mut SchemaGenerator) -> Schema { { const T: &str = "inner"; json_schema!({"type": "string", "title": t!(T)}) } }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: String }
//# vec_from_iter_pairs
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
fn s(g: &mut SchemaGenerator) -> Schema { let m: Vec<(&str, i32)> = [("b", 1), ("a", 2)].into_iter().collect(); json_schema!({"x-kubernetes-preserve-unknown-fields": true, "default": m}) }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: serde_json::Value }
//# generic_impl_const
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
trait C { const T: &'static str; } #[derive(Clone,Debug,Serialize,Deserialize)] struct P; impl P { const T: &'static str = "inherent"; } impl C for P { const T: &'static str = "trait"; } #[derive(Clone,Debug,Serialize,Deserialize)] struct W<T>(T); impl<T: C> JsonSchema for W<T> { fn schema_name() -> std::borrow::Cow<'static, str> { "W".into() } fn json_schema(g: &mut SchemaGenerator) -> Schema { json_schema!({"type": "string", "title": T::T}) } }
KIND
pub struct Spec { a: W<P> }
//# schemars_title_concat_a_1_50_1e3
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
const MINF: f32 = 0.1; const A: i32 = 3; const B: i32 = A * 2; const U: usize = 7; const PAT: &str = "^a$"; const L: i32 = 4; #[derive(Serialize)] enum E { A } #[derive(Serialize, Default)] struct D { x: f32 }
KIND
pub struct Spec { #[schemars(title = concat!("a", 1.50, 1E3))] a: i32 }
//# expr_5_to_string
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
use serde_json::Value; const L: i32 = 5; #[derive(Serialize)] enum E { A }  fn s(g: &mut SchemaGenerator) -> Schema { let x = 5.to_string(); json_schema!({"x-kubernetes-preserve-unknown-fields": true, "default": x}) }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: serde_json::Value }
//# map_none_insert
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
fn s(g: &mut SchemaGenerator) -> Schema { let mut m: BTreeMap<String, Option<i32>> = BTreeMap::new(); m.insert("a".into(), None); m.insert("b".into(), Some(1)); json_schema!({"x-kubernetes-preserve-unknown-fields": true, "default": m}) }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: serde_json::Value }
//# field_camel
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
#[derive(Serialize)] struct D { max_size: i32 } fn s(g: &mut SchemaGenerator) -> Schema { let mut d = D { max_size: 1 }; d.max_size = 5; json_schema!({"x-kubernetes-preserve-unknown-fields": true, "default": d}) }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: serde_json::Value }
//# field_rename
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
#[derive(Serialize)] #[serde(rename_all = "UPPERCASE")] struct D { size: i32 } fn s(g: &mut SchemaGenerator) -> Schema { let mut d = D { size: 1 }; d.size = 5; json_schema!({"x-kubernetes-preserve-unknown-fields": true, "default": d}) }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: serde_json::Value }
//# field_group
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
#[derive(Serialize)] struct D { metadata: M } #[derive(Serialize)] struct M { name: &'static str } fn s(g: &mut SchemaGenerator) -> Schema { let mut d = D { metadata: M { name: "a" } }; d.metadata.name = "b"; json_schema!({"x-kubernetes-preserve-unknown-fields": true, "default": d}) }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: serde_json::Value }
//# bool_ensure_false
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
fn s(g: &mut SchemaGenerator) -> Schema { let mut s = Schema::from(false); s.ensure_object(); json_schema!({"type": "object", "properties": {"a": {"type": "string", "not": {"enum": ["q"]}}}, "default": {"x": s}, "x-kubernetes-preserve-unknown-fields": true}) }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: serde_json::Value }
//# enum_let_to_string
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
use serde_json::Value; const L: i32 = 5; #[derive(Serialize)] enum E { A } impl std::fmt::Display for E { fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result { f.write_str("custom") } } fn s(g: &mut SchemaGenerator) -> Schema { let e = E::A; json_schema!({"x-kubernetes-preserve-unknown-fields": true, "default": e.to_string()}) }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: serde_json::Value }
//# num_newtype_format
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
#[derive(Serialize)] struct W(i32); impl std::fmt::Display for W { fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result { f.write_str("custom") } } fn s(g: &mut SchemaGenerator) -> Schema { let e = W(5); json_schema!({"x-kubernetes-preserve-unknown-fields": true, "default": format!("{}", e)}) }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: serde_json::Value }
//# trait_by_ref_shadows_mut_inherent
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
trait Ext { fn insert(&self, k: String, v: serde_json::Value) {} } impl Ext for Schema { } fn s(g: &mut SchemaGenerator) -> Schema { let mut s = json_schema!({"type": "string"}); s.insert("type".into(), "integer".into()); s }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: String }
//# trait_by_ref_map
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
trait Ext { fn insert(&self, k: String, v: serde_json::Value) {} } impl Ext for serde_json::Map<String, serde_json::Value> { } fn s(g: &mut SchemaGenerator) -> Schema { let mut s = json_schema!({"type": "string"}); let mut m = serde_json::Map::new(); m.insert("a".into(), 1.into()); json_schema!({"x-kubernetes-preserve-unknown-fields": true, "default": m}) }
KIND
pub struct Spec { #[schemars(schema_with = "s")] a: serde_json::Value }
//# value_trait_by_ref_vec_push_underscore
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
mod e { pub trait Ext { fn push(&self, v: i32) {} } impl Ext for Vec<i32> {} } use e::Ext as _; fn d() -> Vec<i32> { let mut v: Vec<i32> = Vec::new(); v.push(1); v }
KIND
pub struct Spec { #[serde(default = "d")] a: Vec<i32> }
//# generic_fn_within_fn
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
#[derive(Clone,Debug,Serialize,Deserialize,JsonSchema,Default,PartialEq)] struct P { x: i32 } impl P { fn default() -> P { P { x: 1 } } fn new() -> P { P { x: 1 } } const C: i32 = 1; } trait Make { fn new() -> Self; const C: i32; } impl Make for P { fn new() -> P { P { x: 2 } } const C: i32 = 2; } fn mk<T: Make>() -> T { T::new() } fn d() -> P { mk() }
KIND
pub struct Spec { #[serde(default = "d")] a: P }
//# generic_fn_default_i32
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
trait MyDefault { fn default() -> Self; } impl MyDefault for i32 { fn default() -> Self { 7 } } fn mk<T: MyDefault>() -> T { T::default() } fn d() -> i32 { mk() }
KIND
pub struct Spec { #[serde(default = "d")] a: i32 }
//# generic_fn_string_new
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
trait Make { fn new() -> Self; } impl Make for String { fn new() -> Self { "x".to_string() } } fn mk<T: Make>() -> T { T::new() } fn d() -> String { mk() }
KIND
pub struct Spec { #[serde(default = "d")] a: String }
//# generic_fn_max
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
trait Lim { const MAX: Self; } impl Lim for u8 { const MAX: u8 = 3; } fn mk<T: Lim>() -> T { T::MAX } fn d() -> u8 { mk() }
KIND
pub struct Spec { #[serde(default = "d")] a: u8 }
//# generic_fn_variant
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
#[derive(Clone,Debug,Serialize,Deserialize,JsonSchema)] enum E { A, B } trait Has { const A: Self; } impl Has for E { const A: E = E::B; } fn mk<T: Has>() -> T { T::A } fn d() -> E { mk() }
KIND
pub struct Spec { #[serde(default = "d")] a: E }
//# generic_fn_some
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
trait Has { fn Some(x: i32) -> Self; } impl Has for Option<i32> { fn Some(x: i32) -> Self { None } } fn mk<T: Has>() -> T { T::Some(1) } fn d() -> Option<i32> { mk() }
KIND
pub struct Spec { #[serde(default = "d")] a: Option<i32> }
//# generic_impl_assoc_const
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
#[derive(Clone,Debug,Serialize,Deserialize,JsonSchema,Default,PartialEq)] struct P { x: i32 } impl P { fn default() -> P { P { x: 1 } } fn new() -> P { P { x: 1 } } const C: i32 = 1; } trait Make { fn new() -> Self; const C: i32; } impl Make for P { fn new() -> P { P { x: 2 } } const C: i32 = 2; } #[derive(Clone,Debug,Serialize,Deserialize,JsonSchema)] struct W<T> { t: i32, #[serde(skip)] p: std::marker::PhantomData<T> } impl<T: Make> Default for W<T> { fn default() -> Self { W { t: T::C, p: std::marker::PhantomData } } }
KIND
pub struct Spec { #[serde(default)] a: W<P> }
//# generic_struct_field_default
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;
#[derive(Clone,Debug,Serialize,Deserialize,JsonSchema,Default,PartialEq)] struct P { x: i32 } impl P { fn default() -> P { P { x: 1 } } fn new() -> P { P { x: 1 } } const C: i32 = 1; } trait Make { fn new() -> Self; const C: i32; } impl Make for P { fn new() -> P { P { x: 2 } } const C: i32 = 2; } #[derive(Clone,Debug,Serialize,Deserialize,JsonSchema)] struct W<T: Default + Serialize> { #[serde(default)] t: T }
KIND
pub struct Spec { a: W<P> }
