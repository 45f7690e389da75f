// Bounds of other types than parameters, several paths of one type, the order of constants.

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
