// Types inside each other that have one name in schemas.

//# renamed_to_what_is_inside
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Port {
    pub number: u16,
}
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename = "Port")]
pub struct PortV2 {
    pub port: Port,
}
KIND
pub struct Spec {
    pub v: PortV2,
}

//# written_with_one_name
use schemars::{Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Inner(u8);
impl JsonSchema for Inner {
    fn schema_name() -> Cow<'static, str> {
        "Duration".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer" })
    }
}
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Outer {
    pub inner: Inner,
}
impl JsonSchema for Outer {
    fn schema_name() -> Cow<'static, str> {
        "Duration".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "properties": { "inner": generator.subschema_for::<Inner>() },
        })
    }
}
KIND
pub struct Spec {
    pub v: Outer,
}

//# inside_what_it_is_renamed_to
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[schemars(rename = "Tree")]
pub struct Leaf {
    pub a: u8,
}
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Tree {
    pub leaves: Vec<Leaf>,
    pub first: Option<Leaf>,
}
KIND
pub struct Spec {
    pub v: Tree,
}

//# renamed_to_what_is_inside_for_reading
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Port {
    pub number: u16,
}
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename(deserialize = "Port"))]
pub struct PortV2 {
    pub port: Port,
}
KIND
pub struct Spec {
    pub v: PortV2,
}

//# renamed_to_what_is_inside_for_writing
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Port {
    pub number: u16,
}
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename(serialize = "Port"))]
pub struct PortV2 {
    pub port: Port,
}
KIND
pub struct Spec {
    pub v: PortV2,
}

//# renamed_to_a_path
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[schemars(rename = "old::Port")]
pub struct Port {
    pub port: old::Port,
}
pub mod old {
    use super::*;
    #[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
    pub struct Port {
        pub number: u16,
    }
}
KIND
pub struct Spec {
    pub v: Port,
}

//# named_like_the_remote_type
pub mod other {
    #[derive(Clone, Debug)]
    pub struct Port {
        pub port: super::Port,
    }
}
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Port {
    pub number: u16,
}
#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(remote = "other::Port")]
pub struct PortDef {
    pub port: Port,
}
KIND
pub struct Spec {
    #[serde(with = "PortDef")]
    pub v: other::Port,
}
