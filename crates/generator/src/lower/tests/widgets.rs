//! Kinds that are compiled and also read from this text.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use kube::{CustomResource, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

pub const MAX_NAME: usize = 63;
const MINIMUM: i32 = -5;
const IMMUTABLE: &str = "self == oldSelf";

/// A widget.
#[derive(Clone, CustomResource, Debug, Deserialize, KubeSchema, Serialize)]
#[kube(
    group = "example.com",
    version = "v1beta1",
    kind = "Widget",
    plural = "widgetry",
    shortname = "w",
    shortname = "wi",
    category = "all",
    namespaced,
    status = "WidgetStatus",
    scale(
        spec_replicas_path = ".spec.replicas",
        status_replicas_path = ".status.replicas",
        label_selector_path = ".status.selector"
    ),
    printcolumn(name = "Size", type_ = "string", json_path = ".spec.size", priority = 1),
    selectable = ".spec.name",
    deprecated = "use v1",
    storage = false,
    annotation("a", "b"),
    label("c", "d"),
    validation = ("self.spec.name != 'x'", "no x"),
    doc = "A widget's root."
)]
#[serde(rename_all = "camelCase")]
#[x_kube(validation = Rule::new("has(self.name)").reason(Reason::FieldValueRequired).field_path(".name"))]
pub struct WidgetSpec {
    /// The name.
    #[schemars(length(min = 1, max = MAX_NAME), pattern("^[a-z]+$"))]
    #[x_kube(validation = IMMUTABLE)]
    pub name: String,
    pub replicas: Option<i32>,
    #[serde(default)]
    pub plain_default: u16,
    #[serde(default = "three")]
    pub from_function: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skipped: Option<String>,
    #[serde(default = "some_text", skip_serializing_if = "Option::is_none")]
    pub not_skipped: Option<String>,
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub skipped_by_own: bool,
    #[serde(default = "three", skip_serializing_if = "is_default")]
    pub skipped_by_generic: i64,
    #[serde(default, skip_serializing_if = "is_default")]
    pub skipped_by_generic_struct: Nested,
    #[serde(default = "too_large", skip_serializing_if = "is_default")]
    pub not_skipped_by_generic: Size,
    #[serde(default)]
    pub nothing: Option<String>,
    #[serde(default)]
    pub list: Vec<String>,
    #[serde(default = "ports")]
    pub ports: BTreeMap<String, u16>,
    #[serde(default)]
    pub size: Size,
    #[serde(default)]
    pub nested: Nested,
    #[serde(default = "Nested::large", skip_serializing)]
    pub write_only: Nested,
    #[serde(skip)]
    pub internal: u8,
    #[serde(skip_deserializing)]
    pub read_only: u8,
    #[serde(rename = "odd-name", alias = "other")]
    pub renamed: bool,
    #[schemars(required)]
    pub forced: Option<String>,
    pub wrapped: Maybe,
    pub boxed: Box<Option<u8>>,
    pub newtype: Newtype,
    #[serde(flatten)]
    pub common: Common,
    #[serde(default = "ratio")]
    pub ratio: f32,
    #[schemars(range(min = MINIMUM, max = 2.5))]
    pub ranged: f64,
    #[schemars(extend("x-kubernetes-preserve-unknown-fields" = true))]
    #[schemars(schema_with = "free")]
    pub free: Value,
    #[schemars(with = "Option<String>")]
    pub with: u8,
    #[x_kube(merge_strategy = ListMerge::Map(vec!["name".into()]))]
    pub items: Vec<Item>,
    pub generic: Pair<String, Vec<Size>>,
    pub alias: Table<bool>,
    pub set: BTreeSet<Size>,
    #[serde(default = "choice")]
    pub choice: Choice,
    #[serde(default = "tagged")]
    #[schemars(schema_with = "free")]
    pub tagged: Tagged,
    #[serde(default)]
    #[schemars(extend("default" = "stated"))]
    pub stated: Unreadable,
}

type Table<T> = BTreeMap<String, T>;

fn three() -> i64 {
    3
}
fn some_text() -> Option<String> {
    Some("text".into())
}
fn yes() -> bool {
    true
}
fn is_true(value: &bool) -> bool {
    *value
}
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
fn too_large() -> Size {
    Size::TooLarge
}
fn ratio() -> f32 {
    0.1
}
fn ports() -> BTreeMap<String, u16> {
    BTreeMap::from([("http".into(), 80)])
}
fn choice() -> Choice {
    Choice::Weighted {
        weight: 3,
        note: None,
    }
}
fn tagged() -> Tagged {
    Tagged::Second(Nested::large())
}
fn free(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({ "type": "object" })
}

#[derive(
    Clone, Debug, Default, Deserialize, Eq, JsonSchema, Ord, PartialEq, PartialOrd, Serialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Size {
    VerySmall,
    #[default]
    JustRight,
    #[serde(rename = "XXL")]
    TooLarge,
    #[serde(skip)]
    Secret,
}

#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Nested {
    pub from_container: String,
    pub size: Size,
    pub maybe: Option<u8>,
    #[serde(default)]
    pub own: u8,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub empty: Vec<u8>,
}

impl Default for Nested {
    fn default() -> Self {
        Self {
            from_container: "nested".into(),
            size: Size::TooLarge,
            own: 7,
            ..Nested::large()
        }
    }
}

impl Nested {
    fn large() -> Self {
        Nested {
            from_container: String::new(),
            size: Size::default(),
            maybe: Some(u8::MAX),
            own: 1,
            empty: vec![],
        }
    }
}

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(transparent)]
pub struct Maybe(Option<String>);

/// Documented, so that it is no longer transparent to schemars.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub struct Newtype(Option<String>);

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub struct Common {
    pub first: String,
    #[serde(default)]
    pub second: bool,
}

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub struct Item {
    pub name: String,
    #[serde(flatten)]
    pub more: Option<Common>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub struct Pair<A, B> {
    pub left: A,
    pub right: Option<B>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "SCREAMING-KEBAB-CASE")]
pub enum Choice {
    Weighted { weight: u8, note: Option<String> },
    ByName(String),
}

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(tag = "type", content = "value")]
pub enum Tagged {
    First,
    Second(Nested),
}

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(from = "String")]
pub struct Unreadable(usize);

impl From<String> for Unreadable {
    fn from(text: String) -> Self {
        Self(text.len())
    }
}

impl Default for Unreadable {
    fn default() -> Self {
        Self(std::env::args().count())
    }
}

#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
pub struct WidgetStatus {
    pub replicas: i32,
    pub selector: Option<String>,
    #[serde(default)]
    pub conditions: Vec<Condition>,
}

/// Without a spec of its own.
#[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Policy", no_spec)]
pub struct PolicySpec {
    pub rules: Vec<String>,
    #[serde(default = "yes")]
    pub enabled: bool,
}
