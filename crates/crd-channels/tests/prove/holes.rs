//! What the tool advises about a hole leads to CRDs.

use super::{Compiled, found};

pub(super) const KIND: &str =
    "#[derive(CustomResource, Clone, Debug, Deserialize, JsonSchema, Serialize)]";

/// A package with these items; `$kind` is replaced by the derives of a kind.
pub(super) fn package(items: &str) -> Compiled {
    Compiled::new(
        &"
//- Cargo.toml
[workspace]
[package]
name = \"api\"
version = \"0.1.0\"
edition = \"2024\"
$dependencies
crd-channels-derive = { path = \"$derive\" }
//- channels/bundle.toml
annotation-prefix = \"example.com\"
//- src/lib.rs
$imports
$items"
            .replace("$items", items)
            .replace("$kind", KIND),
    )
}

const BY_HAND: &str = r##"
/// A schema by hand.
#[derive(CustomResource, Clone, Debug, Deserialize, Serialize)]
#[kube(group = "a.example.com", version = "v1", kind = "Hand", schema = "manual")]
pub struct HandSpec {
    pub value: String,
}
fn title() -> String {
    "hand".replace("h", "H")
}
impl JsonSchema for Hand {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        title().into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let text = r#"{"type": "object", "properties": {"spec": {"type": "object", "maxProperties": 7}}}"#;
        serde_json::from_str(text).unwrap()
    }
}

#[derive(CustomResource, Clone, Debug, Deserialize, Serialize)]
#[kube(group = "a.example.com", version = "v1", kind = "Made", schema = "manual")]
pub struct MadeSpec {
    pub value: String,
}
macro_rules! by_hand {
    ($ty:ident) => {
        impl JsonSchema for $ty {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                "Made".into()
            }
            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let mut schema = Hand::json_schema(generator);
                schema.insert("description".to_owned(), "Made.".into());
                schema
            }
        }
    };
}
by_hand!(Made);
"##;

#[test]
fn a_root_schema_by_hand_is_recorded() {
    let project = package(BY_HAND);
    let ran = project.run(&["gen-crds"]).with_code(1);
    assert!(
        ran.stderr.contains("run `crd-channels gen-crds --record`"),
        "{ran:?}"
    );
    project.run(&["gen-crds", "--record"]).with_code(0);
    for (plural, part) in [
        ("hands", "maxProperties: 7"),
        ("mades", "description: Made."),
    ] {
        let path = format!("generated/stable/a.example.com_{plural}.yaml");
        let crd = project.workspace.read(&path);
        assert!(
            crd.contains("maxProperties: 7") && crd.contains(part),
            "{crd}"
        );
    }
    let (ran, _) = project.prove(&[], 0);
    assert_eq!(found(&ran), Vec::<String>::new());
    project
        .workspace
        .edit("src/lib.rs", "\"maxProperties\": 7", "\"maxProperties\": 8");
    let ran = project.run(&["gen-crds"]).with_code(1);
    assert!(
        ran.stderr.contains("since `api::Hand` was recorded"),
        "{ran:?}"
    );
    let (ran, _) = project.prove(&[], 1);
    let codes = ran.findings().into_iter().map(|finding| finding.code);
    assert!(
        codes
            .collect::<Vec<_>>()
            .contains(&"proof-differs".to_owned())
    );
}

const PARTS: &str = r##"
pub trait Whole {
    type Part: Default + Clone + std::fmt::Debug + Serialize + for<'de> Deserialize<'de> + JsonSchema;
}
impl Whole for u8 {
    type Part = Text;
}
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub struct Text(String);
impl Default for Text {
    fn default() -> Self {
        Text("part".replace("p", "P"))
    }
}
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(bound = "")]
pub struct Role<T: Whole> {
    #[serde(default)]
    pub a: T::Part,
    #[serde(default)]
    pub b: <T as Whole>::Part,
}
$kind
#[kube(group = "a.example.com", version = "v1", kind = "Route")]
pub struct RouteSpec {
    pub role: Role<u8>,
    pub more: Option<Role<u8>>,
    #[serde(default)]
    pub list: Vec<Role<u8>>,
}
"##;

#[test]
fn a_default_of_an_associated_type_is_recorded() {
    let project = package(PARTS);
    project.run(&["gen-crds", "--record"]).with_code(0);
    let crd = project
        .workspace
        .read("generated/stable/a.example.com_routes.yaml");
    assert_eq!(crd.matches("default: Part").count(), 6, "{crd}");
    project.prove(&[], 0);
}

const RARE: &str = r##"
macro_rules! five { () => { 5 } }
macro_rules! list { ($t:ty) => { Vec<$t> } }
fn five() -> u8 { five!() }
fn of_any<T: From<u8>>() -> T { T::from(6) }
fn six() -> u16 { of_any() }
fn seven() -> std::num::NonZeroU8 { std::num::NonZeroU8::new(7).unwrap() }
fn is_off(mode: &Mode) -> bool { matches!(mode, Mode::Off) }
fn pair() -> Pair { let mut pair = Pair::default(); pair.one = 8; pair }
fn by_hand(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
    let mut schema = String::json_schema(generator);
    if let Some(object) = schema.as_object_mut() {
        object.insert("maxLength".into(), 9.into());
    }
    schema
}
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
pub enum Mode { #[default] Off, On }
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
pub struct Pair { pub one: u8, pub two: u8 }
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub struct Fixed<const N: usize> { pub items: Vec<u8> }
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Serialize)]
pub struct Outer { #[serde(flatten)] pub choice: Choice }
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(tag = "kind")]
pub enum Choice { One { a: u8 } }
impl Default for Choice { fn default() -> Self { Choice::One { a: 10 } } }
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub struct Wrap<T> { pub inner: T }
impl<T: Default> Default for Wrap<Box<T>> {
    fn default() -> Self { Wrap { inner: Box::new(T::default()) } }
}
$kind
#[kube(group = "a.example.com", version = "v1", kind = "Route")]
pub struct RouteSpec {
    #[serde(default = "five")] pub five: u8,
    pub list: list!(bool),
    #[serde(default = "six")] pub six: u16,
    #[serde(default = "seven")] pub seven: std::num::NonZeroU8,
    #[serde(default, skip_serializing_if = "is_off")] pub mode: Mode,
    #[serde(default = "pair")] pub pair: Pair,
    #[schemars(schema_with = "by_hand")] pub hand: String,
    pub fixed: Fixed<3>,
    pub range: std::ops::Range<u8>,
    #[serde(default)] pub outer: Outer,
    #[serde(default)] pub boxed: Wrap<Box<u8>>,
}
"##;

/// What source tells only with more effort than it is worth is what the compiled types say.
#[test]
fn what_few_projects_write_is_recorded() {
    let project = package(RARE);
    project.run(&["gen-crds"]).with_code(1);
    project.run(&["gen-crds", "--record"]).with_code(0);
    let crd = project
        .workspace
        .read("generated/stable/a.example.com_routes.yaml");
    for part in [
        "default: 5\n",
        "type: boolean\n",
        "default: 6\n",
        "default: 7\n",
        "one: 8\n",
        "maxLength: 9\n",
        "items:\n",
        "end:\n",
        "kind: One\n",
        "inner: 0\n",
    ] {
        assert!(crd.contains(part), "{part} in {crd}");
    }
    let (ran, _) = project.prove(&[], 0);
    assert_eq!(found(&ran), Vec::<String>::new());
}

const GATED: &str = r##"
use crd_channels_derive::ApiType;

#[derive(ApiType, Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub struct Inner {
    pub kept: u8,
    #[experimental]
    pub trial: Option<u8>,
}
fn inner() -> Inner {
    Inner { kept: "5".parse().unwrap(), trial: Some(7) }
}
fn raw() -> serde_json::Value {
    serde_json::to_value(inner()).unwrap()
}
$kind
#[kube(group = "a.example.com", version = "v1", kind = "Route")]
pub struct RouteSpec {
    #[serde(default = "inner")]
    pub inner: Inner,
    #[serde(default = "raw")]
    pub any: serde_json::Value,
}
"##;

#[test]
fn a_recorded_default_shows_gated_parts_in_no_channel_without_them() {
    let project = package(GATED);
    let ran = project.run(&["gen-crds", "--record", "--format", "json"]);
    assert_eq!(found(&ran.with_code(1)), ["record-gated src/lib.rs:18"]);
    let text = "    #[serde(default = \"raw\")]\n";
    project.workspace.edit("src/lib.rs", text, "");
    project.run(&["gen-crds", "--record"]).with_code(0);
    let crd = |channel: &str| {
        let path = format!("generated/{channel}/a.example.com_routes.yaml");
        project.workspace.read(&path)
    };
    assert!(crd("stable").contains("default:\n                  kept: 5\n"));
    assert!(!crd("stable").contains("trial"), "{}", crd("stable"));
    assert!(crd("experimental").contains("trial: 7"));
}
