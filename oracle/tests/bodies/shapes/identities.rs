// Types inside each other that schemars may take for one, by ids that are written by hand or by KubeSchema.

//# unreadable_schema_id
use schemars::{Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Outer {
    pub inner: Inner,
    pub x: u32,
}
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Inner {
    pub a: u32,
}
impl JsonSchema for Inner {
    fn schema_name() -> Cow<'static, str> {
        "Outer".into()
    }
    fn schema_id() -> Cow<'static, str> {
        concat!(module_path!(), "::Outer").into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "object", "properties": {"a": {"type": "integer"}}})
    }
}
KIND
pub struct Spec {
    pub a: Outer,
}

//# unreadable_schema_name
use schemars::{Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Outer {
    pub inner: Inner,
    pub x: u32,
}
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Inner {
    pub a: u32,
}
impl JsonSchema for Inner {
    fn schema_name() -> Cow<'static, str> {
        concat!(module_path!(), "::Outer").into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "object", "properties": {"a": {"type": "integer"}}})
    }
}
impl JsonSchema for Outer {
    fn schema_name() -> Cow<'static, str> {
        concat!(module_path!(), "::Outer").into()
    }
    fn json_schema(g: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "object", "properties": {"inner": g.subschema_for::<Inner>()}})
    }
}
KIND
pub struct Spec {
    pub a: Outer,
}

//# delegated_schema_id
use schemars::{Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct W<T> {
    pub v: T,
}
impl<T: JsonSchema> JsonSchema for W<T> {
    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }
    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }
    fn json_schema(g: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "object", "properties": {"v": g.subschema_for::<T>()}, "required": ["v"]})
    }
}
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Q {
    pub a: u32,
}
KIND
pub struct Spec {
    pub a: W<Q>,
}

//# generic_written_name_twice
use schemars::{Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct W<T> {
    pub v: T,
}
impl<T: JsonSchema> JsonSchema for W<T> {
    fn schema_name() -> Cow<'static, str> {
        "W".into()
    }
    fn json_schema(g: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "object", "properties": {"v": g.subschema_for::<T>()}, "required": ["v"]})
    }
}
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Q {
    pub a: W<u32>,
}
KIND
pub struct Spec {
    pub a: W<Q>,
}

//# generic_written_name_formatted
use schemars::{Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct W<T> {
    pub v: T,
}
impl<T: JsonSchema> JsonSchema for W<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("List_of_{}", T::schema_name()).into()
    }
    fn json_schema(g: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "object", "properties": {"v": g.subschema_for::<T>()}, "required": ["v"]})
    }
}
pub mod v1 {
    use super::*;
    #[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
    pub struct Q {
        pub a: u32,
    }
}
pub mod v2 {
    use super::*;
    #[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
    pub struct Q {
        pub a: W<v1::Q>,
    }
}
KIND
pub struct Spec {
    pub a: W<v2::Q>,
}

//# derived_generic_of_kube_schema
use kube::KubeSchema;
pub mod v1 {
    use super::*;
    #[derive(Clone, Debug, Deserialize, Serialize, KubeSchema)]
    pub struct Item {
        pub a: u32,
    }
}
pub mod v2 {
    use super::*;
    #[derive(Clone, Debug, Deserialize, Serialize, KubeSchema)]
    pub struct Item {
        pub old: W<v1::Item>,
    }
}
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct W<T> {
    pub v: T,
}
KIND
pub struct Spec {
    pub a: W<v2::Item>,
}

//# derived_generic_of_written
use schemars::{Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;
pub mod v1 {
    use super::*;
    #[derive(Clone, Debug, Deserialize, Serialize)]
    pub struct Item {
        pub a: u32,
    }
    impl JsonSchema for Item {
        fn schema_name() -> Cow<'static, str> {
            "Item".into()
        }
        fn json_schema(g: &mut SchemaGenerator) -> Schema {
            json_schema!({"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]})
        }
    }
}
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Item {
    pub old: W<v1::Item>,
}
impl JsonSchema for Item {
    fn schema_name() -> Cow<'static, str> {
        "Item".into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(g: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "object", "properties": {"old": g.subschema_for::<W<v1::Item>>()}, "required": ["old"]})
    }
}
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct W<T> {
    pub v: T,
}
KIND
pub struct Spec {
    pub a: W<Item>,
}

//# written_inside_kube_schema
use kube::KubeSchema;
use schemars::{Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;
pub mod v1 {
    use super::*;
    #[derive(Clone, Debug, Deserialize, Serialize)]
    pub struct Port(u16);
    impl JsonSchema for Port {
        fn schema_name() -> Cow<'static, str> {
            "Port".into()
        }
        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            json_schema!({"type": "integer"})
        }
    }
}
#[derive(Clone, Debug, Deserialize, Serialize, KubeSchema)]
pub struct Port {
    pub number: v1::Port,
}
KIND
pub struct Spec {
    pub a: Port,
}

//# written_inside_inline_written
use schemars::{Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;
pub mod v1 {
    use super::*;
    #[derive(Clone, Debug, Deserialize, Serialize)]
    pub struct Port(u16);
    impl JsonSchema for Port {
        fn schema_name() -> Cow<'static, str> {
            "Port".into()
        }
        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            json_schema!({"type": "integer"})
        }
    }
}
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Port {
    pub number: v1::Port,
}
impl JsonSchema for Port {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "Port".into()
    }
    fn json_schema(g: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "object", "properties": {"number": g.subschema_for::<v1::Port>()}})
    }
}
KIND
pub struct Spec {
    pub a: Port,
}

//# written_name_changed_by_a_method
use schemars::{Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Inner(u16);
impl JsonSchema for Inner {
    fn schema_name() -> Cow<'static, str> {
        stringify!(PORT).to_lowercase().into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "integer"})
    }
}
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Outer {
    pub number: Inner,
}
impl JsonSchema for Outer {
    fn schema_name() -> Cow<'static, str> {
        "port".into()
    }
    fn json_schema(g: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "object", "properties": {"number": g.subschema_for::<Inner>()}})
    }
}
KIND
pub struct Spec {
    pub a: Outer,
}

//# written_name_changed_by_a_function
use schemars::{Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;
fn without_prefix(name: &'static str) -> Cow<'static, str> {
    Cow::Borrowed(name.trim_start_matches("My"))
}
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct MyPort(u16);
impl JsonSchema for MyPort {
    fn schema_name() -> Cow<'static, str> {
        without_prefix(stringify!(MyPort))
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "integer"})
    }
}
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Port {
    pub number: MyPort,
}
impl JsonSchema for Port {
    fn schema_name() -> Cow<'static, str> {
        "Port".into()
    }
    fn json_schema(g: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "object", "properties": {"number": g.subschema_for::<MyPort>()}})
    }
}
KIND
pub struct Spec {
    pub a: Port,
}

//# formatted_names_of_two_modules
use schemars::{Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;
pub mod lists {
    use super::*;
    #[derive(Clone, Debug, Deserialize, Serialize)]
    pub struct W<T> {
        pub v: T,
    }
    impl<T: JsonSchema> JsonSchema for W<T> {
        fn schema_name() -> Cow<'static, str> {
            format!("List_of_{}", T::schema_name()).into()
        }
        fn json_schema(g: &mut SchemaGenerator) -> Schema {
            json_schema!({"type": "object", "properties": {"v": g.subschema_for::<T>()}, "required": ["v"]})
        }
    }
}
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct W<T> {
    pub one: T,
    pub held: Held,
}
impl<T: JsonSchema> JsonSchema for W<T> {
    fn schema_name() -> Cow<'static, str> {
        Cow::from(format!("Map_of_{}", T::schema_name()))
    }
    fn json_schema(g: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "object", "properties": {"one": g.subschema_for::<T>(), "held": g.subschema_for::<Held>()}, "required": ["one", "held"]})
    }
}
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Q {
    pub a: u32,
}
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Held {
    pub list: lists::W<Q>,
}
KIND
pub struct Spec {
    pub a: W<Q>,
}

//# formatted_names_of_renamed_arguments
use kube::KubeSchema;
use schemars::{Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct List<T> {
    pub v: T,
}
impl<T: JsonSchema> JsonSchema for List<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("{}s", T::schema_name()).into()
    }
    fn json_schema(g: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "object", "properties": {"v": g.subschema_for::<T>()}, "required": ["v"]})
    }
}
#[derive(Clone, Debug, Deserialize, Serialize, KubeSchema)]
pub struct Port {
    pub inner: List<Number>,
}
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[schemars(rename = "Port")]
pub struct Number {
    pub x: u8,
}
KIND
pub struct Spec {
    pub a: List<Port>,
}
