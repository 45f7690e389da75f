// Blocks for a type that stand in other modules, where the type or the trait has another name.

//# serialized_under_another_name
mod names {
    pub use super::Text as Other;
}
mod blocks {
    use super::names::Other;
    impl serde::Serialize for Other {
        fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            to.serialize_str(&self.0)
        }
    }
}
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct Text(pub String);
KIND
pub struct Spec {
    #[serde(default)]
    pub v: Text,
}

//# serialized_through_an_alias
mod names {
    pub type Short = super::Text;
    pub type Shorter = Short;
}
mod blocks {
    use super::names::*;
    impl serde::Serialize for Shorter {
        fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            to.serialize_str(&self.0)
        }
    }
}
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct Text(pub String);
KIND
pub struct Spec {
    #[serde(default)]
    pub v: Text,
}

//# serialized_by_a_renamed_trait
mod names {
    pub use serde::Serialize as Written;
}
mod blocks {
    use super::names::*;
    impl Written for super::Text {
        fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            to.serialize_str(&self.0)
        }
    }
}
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct Text(pub String);
KIND
pub struct Spec {
    #[serde(default)]
    pub v: Text,
}

//# default_under_another_name
mod names {
    pub use super::Port as Other;
    pub use std::default::Default as Initial;
}
mod blocks {
    use super::names::{Initial, Other};
    impl Initial for Other {
        fn default() -> Self {
            Self { number: 8080 }
        }
    }
}
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Port {
    pub number: u16,
}
KIND
pub struct Spec {
    #[serde(default)]
    pub v: Port,
}

//# own_default_under_another_name
mod names {
    pub type Short = super::Port;
}
mod blocks {
    impl super::names::Short {
        pub fn default() -> Self {
            Self { number: 1 }
        }
    }
}
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
pub struct Port {
    pub number: u16,
}
fn port() -> Port {
    Port::default()
}
KIND
pub struct Spec {
    #[serde(default = "port")]
    pub v: Port,
}

//# default_of_one_instance_through_an_alias
mod names {
    pub type Small = super::Wrap<u8>;
}
mod blocks {
    use super::names::Small;
    impl Default for Small {
        fn default() -> Self {
            Self { value: 7 }
        }
    }
    impl Default for super::Wrap<u16> {
        fn default() -> Self {
            Self { value: 300 }
        }
    }
}
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Wrap<T> {
    pub value: T,
}
KIND
pub struct Spec {
    #[serde(default)]
    pub small: Wrap<u8>,
    #[serde(default)]
    pub large: Wrap<u16>,
}

//# schema_under_another_name
mod names {
    pub use super::Text as Other;
    pub use schemars::JsonSchema as Schema;
}
mod blocks {
    use super::names::*;
    impl Schema for Other {
        fn schema_name() -> std::borrow::Cow<'static, str> {
            "Text".into()
        }
        fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
            schemars::json_schema!({ "type": "string", "minLength": 3 })
        }
    }
}
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Text(pub String);
KIND
pub struct Spec {
    pub v: Text,
}

//# types_of_one_name
mod one {
    use super::*;
    #[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
    #[schemars(rename = "OnePort")]
    pub struct Port {
        pub number: u16,
    }
}
mod two {
    use super::*;
    #[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
    pub struct Port {
        pub number: u16,
    }
    impl Default for super::one::Port {
        fn default() -> Self {
            Self { number: 1 }
        }
    }
    impl Default for Port {
        fn default() -> Self {
            Self { number: 2 }
        }
    }
}
KIND
pub struct Spec {
    #[serde(default)]
    pub one: one::Port,
    #[serde(default)]
    pub two: two::Port,
}

//# blocks_for_references_as_arguments
use schemars::{Schema, SchemaGenerator, json_schema};
use std::{borrow::Cow, marker::PhantomData};
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Text<T>(String, #[serde(skip)] PhantomData<T>);
impl JsonSchema for Text<&'static u8> {
    fn schema_name() -> Cow<'static, str> {
        "Short".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "maxLength": 1})
    }
}
impl JsonSchema for Text<u8> {
    fn schema_name() -> Cow<'static, str> {
        "Long".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "maxLength": 2})
    }
}
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Both<T, U> {
    pub first: T,
    pub second: U,
}
type Short<T> = Text<&'static T>;
KIND
pub struct Spec {
    pub short: Text<&'static u8>,
    pub long: Text<u8>,
    pub inner: Both<Text<&'static u8>, Vec<Text<u8>>>,
    pub alias: Short<u8>,
}

//# blocks_for_slices_as_arguments
use schemars::{Schema, SchemaGenerator, json_schema};
use std::{borrow::Cow, marker::PhantomData};
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Text<T: ?Sized>(String, #[serde(skip)] PhantomData<T>);
impl JsonSchema for Text<&'static [u8]> {
    fn schema_name() -> Cow<'static, str> {
        "Short".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "maxLength": 1})
    }
}
impl JsonSchema for Text<Vec<u8>> {
    fn schema_name() -> Cow<'static, str> {
        "Long".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "maxLength": 2})
    }
}
KIND
pub struct Spec {
    pub short: Option<Text<&'static [u8]>>,
    pub long: Text<Vec<u8>>,
}

//# references_as_arguments_of_derived_types
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Held<T> {
    #[serde(skip)]
    pub mark: std::marker::PhantomData<T>,
    #[serde(default = "three")]
    pub count: u32,
}
fn three() -> u32 {
    3
}
KIND
pub struct Spec {
    pub held: Held<&'static u8>,
    pub lists: Held<Vec<&'static [u8]>>,
}

//# cycle_through_a_reference_as_argument
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Held<T> {
    #[serde(skip)]
    pub mark: std::marker::PhantomData<T>,
    pub inner: Option<Box<Held<u8>>>,
}
KIND
pub struct Spec {
    pub held: Held<&'static u8>,
}

//# type_of_the_same_name_through_a_reference
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Held<T> {
    pub value: T,
}
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Mark<T> {
    #[serde(skip)]
    pub mark: std::marker::PhantomData<T>,
}
KIND
pub struct Spec {
    pub held: Held<Mark<&'static Held<u8>>>,
    pub other: Held<Held<Mark<&'static u8>>>,
}
