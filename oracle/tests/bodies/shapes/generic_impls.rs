// Impls that differ in generic arguments only.

//# json_schema_of_generic_impls
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct G<A>(A);
impl JsonSchema for G<i32> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "GInt".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "integer", "minimum": 3 })
    }
}
impl JsonSchema for G<String> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "GString".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "maxLength": 9 })
    }
}
KIND
pub struct Spec {
    pub a: G<String>,
    pub b: G<i32>,
}

//# default_of_generic_impls
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct G<A> {
    pub w: u8,
    pub v: Option<A>,
}
impl Default for G<i32> {
    fn default() -> Self {
        G { w: 1, v: None }
    }
}
impl Default for G<String> {
    fn default() -> Self {
        G { w: 2, v: Some("x".to_owned()) }
    }
}
KIND
pub struct Spec {
    #[serde(default)]
    pub a: G<String>,
    #[serde(default)]
    pub b: G<i32>,
}

//# display_serialize
#[derive(Clone, Debug, Deserialize)]
pub struct G<A>(A);
impl std::fmt::Display for G<i32> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "int {}", self.0)
    }
}
impl std::fmt::Display for G<String> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "text {}", self.0)
    }
}
impl Serialize for G<i32> {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_i32(self.0 * 2)
    }
}
impl Serialize for G<String> {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(&self.0.to_uppercase())
    }
}
fn a() -> String {
    G("x".to_owned()).to_string()
}
fn b() -> String {
    format!("{}", G(3))
}
fn c() -> G<String> {
    G("x".to_owned())
}
fn d() -> G<i32> {
    G(4)
}
KIND
pub struct Spec {
    #[serde(default = "a")]
    pub a: String,
    #[serde(default = "b")]
    pub b: String,
    #[serde(default = "c")]
    #[schemars(with = "String")]
    pub c: G<String>,
    #[serde(default = "d")]
    #[schemars(with = "i32")]
    pub d: G<i32>,
}

//# trait_constants
pub struct A;
pub trait Lim<T> {
    const MAX: u8;
    fn label() -> &'static str;
}
impl Lim<i32> for A {
    const MAX: u8 = 1;
    fn label() -> &'static str {
        "int"
    }
}
impl Lim<String> for A {
    const MAX: u8 = 2;
    fn label() -> &'static str {
        "text"
    }
}
fn a() -> u8 {
    <A as Lim<String>>::MAX
}
fn b() -> u8 {
    <A as Lim<i32>>::MAX
}
fn c() -> String {
    <A as Lim<String>>::label().to_owned()
}
KIND
pub struct Spec {
    #[serde(default = "a")]
    #[schemars(range(max = <A as Lim<String>>::MAX))]
    pub a: u8,
    #[serde(default = "b")]
    pub b: u8,
    #[serde(default = "c")]
    pub c: String,
}

//# inherent_constants
pub struct G<A>(A);
impl G<i32> {
    const N: u8 = 1;
    fn of() -> String {
        "i32".to_owned()
    }
}
impl G<String> {
    const N: u8 = 2;
    fn of() -> String {
        "String".to_owned()
    }
}
impl G<Vec<u8>> {
    const N: u8 = 3;
}
fn a() -> u8 {
    G::<String>::N
}
fn b() -> u8 {
    <G<Vec<u8>>>::N
}
fn c() -> String {
    G::<String>::of()
}
KIND
pub struct Spec {
    #[serde(default = "a")]
    #[schemars(length(max = 3))]
    pub a: u8,
    #[serde(default = "b")]
    pub b: u8,
    #[serde(default = "c")]
    pub c: String,
    #[serde(default = "G::<String>::of")]
    pub d: String,
}

//# methods_of_generic_impls
pub struct G<A>(A);
pub trait Show {
    fn show(&self) -> String;
}
impl Show for G<u8> {
    fn show(&self) -> String {
        format!("u8 {}", self.0)
    }
}
impl Show for G<&str> {
    fn show(&self) -> String {
        format!("str {}", self.0)
    }
}
impl<A: Clone> Show for G<Option<A>> {
    fn show(&self) -> String {
        self.0.clone().map_or("none".to_owned(), |_| "some".to_owned())
    }
}
fn a() -> String {
    G("x").show()
}
fn b() -> String {
    G(7u8).show()
}
fn c() -> String {
    G(Some(1)).show()
}
SPEC a: String = a, b: String = b, c: String = c

//# from_of_generic
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Out(String);
pub struct G<A>(A);
impl From<G<u8>> for Out {
    fn from(g: G<u8>) -> Self {
        Out(format!("number {}", g.0))
    }
}
impl From<G<bool>> for Out {
    fn from(g: G<bool>) -> Self {
        Out(format!("flag {}", g.0))
    }
}
fn a() -> Out {
    G(true).into()
}
fn b() -> Out {
    Out::from(G(3))
}
SPEC a: Out = a, b: Out = b

//# const_generic
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct N<const K: usize> {
    pub n: usize,
}
impl Default for N<1> {
    fn default() -> Self {
        N { n: 10 }
    }
}
impl Default for N<2> {
    fn default() -> Self {
        N { n: 20 }
    }
}
KIND
pub struct Spec {
    #[serde(default)]
    pub a: N<2>,
    #[serde(default)]
    pub b: N<1>,
}

//# partial_eq_of_generic_impls
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
pub struct Size {
    pub n: u8,
}
impl PartialEq<u8> for Size {
    fn eq(&self, other: &u8) -> bool {
        self.n != *other
    }
}
impl PartialEq for Size {
    fn eq(&self, other: &Self) -> bool {
        self.n == other.n
    }
}
fn zero(size: &Size) -> bool {
    *size == 0u8
}
fn same(size: &Size) -> bool {
    *size == Size::default()
}
KIND
pub struct Spec {
    #[serde(default, skip_serializing_if = "zero")]
    pub a: Size,
    #[serde(default, skip_serializing_if = "same")]
    pub b: Size,
}

//# written_wrapper_in_a_written_schema
use schemars::{Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Ref<T> {
    pub name: String,
    #[serde(skip)]
    pub of: std::marker::PhantomData<T>,
}
impl<T: JsonSchema> JsonSchema for Ref<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("Ref_{}", T::schema_name()).into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]})
    }
}
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Route {
    pub to: Ref<String>,
    pub back: Option<Ref<u8>>,
}
impl JsonSchema for Route {
    fn schema_name() -> Cow<'static, str> {
        "Route".into()
    }
    fn json_schema(g: &mut SchemaGenerator) -> Schema {
        let back = g.subschema_for::<Ref<u8>>();
        json_schema!({"type": "object", "properties": {"to": g.subschema_for::<Ref<String>>(), "back": back}, "required": ["to"]})
    }
}
KIND
pub struct Spec {
    pub route: Route,
}
