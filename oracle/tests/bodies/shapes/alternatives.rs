// Alternatives that servers refuse as kube writes them, and what stands beside them.

//# untagged_lists_of_one_type
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Names {
    Short(Vec<String>),
    Long(Vec<String>),
}
KIND
pub struct Spec {
    pub names: Names,
    pub more: Option<Names>,
}

//# untagged_enums_of_one_type
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub enum Mode {
    On,
    Off,
}
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Modes {
    First(Mode),
    Second(Mode),
}
KIND
pub struct Spec {
    pub modes: Modes,
    pub more: Option<Modes>,
}

//# untagged_text_or_any
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Value {
    Text(String),
    Json(serde_json::Value),
}
KIND
pub struct Spec {
    pub value: Value,
    pub more: Option<Value>,
}

//# untagged_map_or_names
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub enum Mode {
    On,
    Off,
}
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Levels {
    Each(std::collections::BTreeMap<String, u8>),
    All(Mode),
}
KIND
pub struct Spec {
    pub levels: Levels,
}

//# untagged_with_an_option
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Size {
    Text(String),
    Number(Option<u8>),
}
KIND
pub struct Spec {
    pub size: Size,
    pub more: Option<Size>,
}

//# documentation_of_an_optional_struct_with_two_enums
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Source {
    Path { path: String },
    Url { url: String },
}
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Target {
    Port { port: u16 },
    Name { name: String },
}
/// Where data comes from and goes to.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Route {
    #[serde(flatten)]
    pub source: Source,
    #[serde(flatten)]
    pub target: Target,
}
KIND
pub struct Spec {
    pub plain: Option<Route>,
    /// The way back.
    pub back: Option<Route>,
    pub needed: Route,
}

//# checks_of_a_struct_flattened_beside_an_enum
/// Flags.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[schemars(extend("oneOf" = [{"required": ["a"]}, {"required": ["b"]}]))]
pub struct Flags {
    pub a: Option<u8>,
    pub b: Option<String>,
}
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub enum Mode {
    On { x: u8 },
    Off { y: u8 },
}
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Both {
    #[serde(flatten)]
    pub mode: Mode,
    #[serde(flatten)]
    pub flags: Flags,
}
KIND
pub struct Spec {
    pub both: Both,
    /// Not needed.
    pub optional: Option<Both>,
}

//# optional_text_with_several_bounds
/// A name.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[schemars(extend("allOf" = [{"minLength": 1}, {"maxLength": 3}]))]
pub struct Name(String);
KIND
pub struct Spec {
    pub name: Option<Name>,
    /// Another name.
    pub other: Option<Name>,
    pub list: Vec<Option<Name>>,
}

//# optional_struct_with_several_bounds
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub enum Source {
    Path { path: String },
    Port(u16),
}
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub enum Target {
    Url { url: String },
    Name(String),
}
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[schemars(extend("allOf" = [{"minProperties": 1}, {"maxProperties": 3}]))]
pub struct Route {
    #[serde(flatten)]
    pub source: Source,
    #[serde(flatten)]
    pub target: Target,
}
KIND
pub struct Spec {
    pub needed: Route,
    pub optional: Option<Route>,
}

//# flattened_map_beside_checks
use schemars::{Schema, SchemaGenerator, json_schema};
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Held {
    pub held: u8,
}
impl JsonSchema for Held {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Held".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "object", "properties": {"held": {"type": "integer"}}, "oneOf": [{"required": ["held"]}]})
    }
}
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct More {
    #[serde(flatten)]
    pub rest: std::collections::BTreeMap<String, String>,
    #[serde(flatten)]
    pub held: Held,
}
KIND
pub struct Spec {
    pub more: More,
}

//# documentation_of_an_optional_untagged_enum
/// A pair.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Pair {
    pub left: u8,
}
/// Maybe a pair.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Maybe {
    A(Option<Pair>),
}
/// One of two.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Either {
    A(Option<Pair>),
    B { right: u8 },
}
KIND
pub struct Spec {
    pub maybe: Option<Maybe>,
    /// The field.
    pub field: Option<Maybe>,
    pub either: Option<Either>,
    pub list: Vec<Option<Maybe>>,
}

//# rule_of_the_only_alternative
use kube::KubeSchema;
#[derive(Clone, Debug, Deserialize, Serialize, KubeSchema)]
#[x_kube(validation = "self == self")]
pub struct Pair {
    pub left: u8,
}
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Only {
    A(Pair),
}
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(tag = "t")]
pub enum Tagged {
    A(Pair),
}
KIND
pub struct Spec {
    pub only: Only,
    pub tagged: Tagged,
}
