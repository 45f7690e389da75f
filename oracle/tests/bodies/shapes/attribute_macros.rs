// Attribute macros of other crates.

//# serde_as_import
use serde_with::{DisplayFromStr, serde_as};
#[serde_as]
KIND
pub struct Spec {
    #[serde_as(as = "DisplayFromStr")]
    pub b: u64,
    #[serde_as(as = "BTreeMap<_, DisplayFromStr>")]
    pub m: BTreeMap<String, i32>,
}

//# serde_as_path
#[serde_with::serde_as]
KIND
pub struct Spec {
    #[serde_as(as = "Option<serde_with::DisplayFromStr>")]
    pub b: Option<u16>,
    #[serde_as(as = "Vec<serde_with::DisplayFromStr>")]
    #[serde(default)]
    pub list: Vec<i64>,
}

//# serde_as_duration
use serde_with::{DurationSeconds, serde_as};
use std::time::Duration;
fn d() -> Duration {
    Duration::from_secs(30)
}
#[serde_as]
KIND
pub struct Spec {
    #[serde(default = "d")]
    #[serde_as(as = "DurationSeconds<u64>")]
    pub t: Duration,
}

//# serde_as_default
use serde_with::{DisplayFromStr, serde_as};
#[serde_as]
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
pub struct Limits {
    #[serde_as(as = "DisplayFromStr")]
    pub cpu: u32,
    pub memory: u32,
}
KIND
pub struct Spec {
    #[serde(default)]
    pub limits: Limits,
}

//# serde_as_option_by_another_adapter
use serde_with::{DisplayFromStr, NoneAsEmptyString, serde_as};
#[serde_as]
KIND
pub struct Spec {
    #[serde_as(as = "NoneAsEmptyString")]
    pub required: Option<String>,
    #[serde_as(as = "Option<DisplayFromStr>")]
    pub optional: Option<u8>,
    #[serde_as(as = "Option<DisplayFromStr>", no_default)]
    pub stated: Option<u8>,
    #[serde_as(deserialize_as = "Option<DisplayFromStr>")]
    pub read: Option<u8>,
    #[serde_as(serialize_as = "Option<DisplayFromStr>")]
    pub written: Option<u8>,
    #[serde_as(as = "::std::option::Option<_>")]
    pub path: std::option::Option<u8>,
}

//# serde_as_renamed
use serde_with::serde_as as written_as;
#[written_as]
KIND
pub struct Spec {
    #[serde_as(as = "serde_with::BoolFromInt")]
    pub on: bool,
}

//# serde_as_one_or_many
use serde_with::{OneOrMany, formats::PreferMany, serde_as};
#[serde_as]
KIND
pub struct Spec {
    #[serde_as(as = "OneOrMany<_, PreferMany>")]
    pub names: Vec<String>,
}

//# skip_serializing_none
use serde_with::skip_serializing_none;
#[skip_serializing_none]
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
pub struct Inner {
    pub x: Option<i32>,
    pub y: i32,
}
KIND
pub struct Spec {
    #[serde(default)]
    pub inner: Inner,
}

//# skip_serializing_none_path
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Inner {
    pub first_name: Option<String>,
    #[serialize_always]
    pub second_name: Option<String>,
    pub deep: Option<Box<Inner>>,
}
fn d() -> Inner {
    Inner { deep: Some(Box::default()), ..Inner::default() }
}
KIND
pub struct Spec {
    #[serde(default = "d")]
    pub inner: Inner,
}

//# skip_serializing_none_on_kind
#[serde_with::skip_serializing_none]
KIND
pub struct Spec {
    #[serde(default)]
    pub a: Option<String>,
    #[serde(default = "d")]
    pub b: Option<u8>,
    pub c: Option<bool>,
}
fn d() -> Option<u8> {
    Some(3)
}

//# skip_serializing_none_on_enum
#[serde_with::skip_serializing_none]
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub enum Mode {
    One { size: Option<u8>, name: String },
    Two { other: u8 },
}
impl Default for Mode {
    fn default() -> Self {
        Mode::One { size: None, name: "x".to_owned() }
    }
}
KIND
pub struct Spec {
    #[serde(default)]
    pub mode: Mode,
}

//# apply_rename
#[serde_with::apply(Option => #[serde(default, rename = "zzz")])]
KIND
pub struct Spec {
    pub x: Option<i32>,
    pub y: i32,
}

//# apply_skip
#[serde_with::apply(
    Option<_> => #[serde(skip_serializing_if = "Option::is_none")],
    Vec<_> => #[serde(default)],
)]
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
pub struct Inner {
    pub x: Option<i32>,
    pub list: Vec<u8>,
}
KIND
pub struct Spec {
    #[serde(default)]
    pub inner: Inner,
}

//# cfg_attr_serde_as
#[cfg_attr(unix, serde_with::serde_as)]
KIND
pub struct Spec {
    #[serde_as(as = "serde_with::DisplayFromStr")]
    pub port: u16,
}

//# serde_as_in_a_macro
macro_rules! typed {
    ($(#[$meta:meta])* pub struct $name:ident { $($field:ident: $ty:ty),* }) => {
        #[serde_with::skip_serializing_none]
        $(#[$meta])*
        pub struct $name { $(pub $field: $ty),* }
    };
}
typed! {
    #[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
    pub struct Inner { a: Option<u8>, b: u8 }
}
KIND
pub struct Spec {
    #[serde(default)]
    pub inner: Inner,
}

//# serialize_display_of_attribute_macros
#[derive(Clone, Copy, Debug, Default, serde_with::SerializeDisplay, serde_with::DeserializeFromStr)]
pub struct Ratio(u8);
impl std::fmt::Display for Ratio {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}%", self.0)
    }
}
impl std::str::FromStr for Ratio {
    type Err = std::num::ParseIntError;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.trim_end_matches('%').parse().map(Ratio)
    }
}
KIND
pub struct Spec {
    #[serde(default)]
    #[schemars(with = "String")]
    pub ratio: Ratio,
}

//# harmless_attributes
#[must_use]
#[allow(clippy::all)]
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
pub struct Inner {
    #[allow(unused)]
    pub x: Option<i32>,
}
KIND
pub struct Spec {
    #[serde(default)]
    pub inner: Inner,
}
