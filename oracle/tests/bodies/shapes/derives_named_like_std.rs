// Derives of other crates that are named like std's.

//# better_default
use better_default::Default;
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
pub struct Aa {
    #[default(5)]
    pub x: i32,
    pub y: i32,
}
KIND
pub struct Spec {
    #[serde(default)]
    pub a: Aa,
}

//# better_default_path
#[derive(Clone, Debug, better_default::Default, Deserialize, Serialize, JsonSchema)]
pub struct Aa {
    #[default("x".to_owned())]
    pub name: String,
}
KIND
pub struct Spec {
    #[serde(default)]
    pub a: Aa,
}

//# better_default_renamed
use better_default::Default as Filled;
#[derive(Clone, Debug, Filled, Deserialize, Serialize, JsonSchema)]
pub enum Mode {
    One,
    #[default]
    Two,
}
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
pub struct Plain {
    pub x: i32,
}
KIND
pub struct Spec {
    #[serde(default)]
    pub a: Mode,
    #[serde(default)]
    pub b: Plain,
}

//# derive_more_display
#[derive(Clone, Debug, derive_more::Display)]
#[display("v{_0}")]
pub struct Version(u8);
use derive_more::Display;
#[derive(Clone, Copy, Debug, Display)]
pub enum Mode {
    #[display("one-by-one")]
    OneByOne,
    Other,
}
fn a() -> String {
    Version(3).to_string()
}
fn b() -> String {
    format!("{}/{}", Mode::OneByOne, Mode::Other)
}
SPEC a: String = a, b: String = b

//# derive_more_from
#[derive(Clone, Debug, derive_more::From, derive_more::Into, Deserialize, Serialize, JsonSchema)]
pub struct Name(String);
fn a() -> Name {
    "x".to_owned().into()
}
fn b() -> String {
    Name("y".to_owned()).into()
}
SPEC a: Name = a, b: String = b

//# std_default_by_path
#[derive(Clone, Debug, std::default::Default, Deserialize, Serialize, JsonSchema)]
pub struct Aa {
    pub x: i32,
}
#[derive(Clone, Debug, core::default::Default, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
pub struct Bb {
    #[serde(rename = "why")]
    pub y: i32,
}
KIND
pub struct Spec {
    #[serde(default)]
    pub a: Aa,
    #[serde(default)]
    pub b: Bb,
}
