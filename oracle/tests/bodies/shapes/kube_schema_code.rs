// What the code of `KubeSchema` makes of names and of rules on fields.

//# kube_schema_hides_default_function
use kube::KubeSchema;
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
pub struct Rule {
    #[serde(default)]
    pub host: String,
}
#[derive(Clone, Debug, Deserialize, Serialize, KubeSchema)]
pub struct Inner {
    #[serde(default = "Rule::default")]
    pub a: self::Rule,
}
KIND
pub struct Spec {
    pub inner: Inner,
}

//# kube_schema_hides_default_of_enum
use kube::KubeSchema;
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub enum Reason {
    #[default]
    FieldValueInvalid,
    Other,
}
#[derive(Clone, Debug, Deserialize, Serialize, KubeSchema)]
pub struct Inner {
    #[serde(default = "Reason::default")]
    pub a: self::Reason,
    #[serde(default = "Reason::default", skip_serializing_if = "is_d")]
    pub b: self::Reason,
}
fn is_d<T>(_: &T) -> bool {
    false
}
KIND
pub struct Spec {
    pub inner: Inner,
}

//# kube_schema_hides_example
use kube::KubeSchema;
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Rule {
    pub host: String,
}
impl Rule {
    fn new(host: &'static str) -> Self {
        Rule {
            host: host.to_owned(),
        }
    }
}
#[derive(Clone, Debug, Deserialize, Serialize, KubeSchema)]
pub struct Inner {
    #[schemars(example = Rule::new("a"))]
    pub a: self::Rule,
}
KIND
pub struct Spec {
    pub inner: Inner,
}

//# rule_of_field_beside_extended_properties
use kube::KubeSchema;
KIND
pub struct Spec {
    pub h: H,
}
#[derive(Clone, Debug, Deserialize, Serialize, KubeSchema)]
#[schemars(extend("properties" = {"q": {"type": "string"}}))]
pub struct H {
    #[x_kube(validation = "self > 3")]
    pub z_z: u32,
}

//# rule_of_field_beside_transformed_properties
use kube::KubeSchema;
#[derive(Clone, Debug, Deserialize, Serialize, KubeSchema)]
#[schemars(transform = addp)]
pub struct H {
    #[x_kube(validation = "self > 3")]
    pub z_z: u32,
}
fn addp(s: &mut schemars::Schema) {
    s.insert(
        "properties".to_owned(),
        serde_json::json!({"a": {"type": "integer"}, "zz": {"type": "integer"}}),
    );
    s.remove("required");
}
KIND
pub struct Spec {
    pub a: H,
}
