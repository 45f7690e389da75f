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
