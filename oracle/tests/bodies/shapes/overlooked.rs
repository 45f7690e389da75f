// What comes before a trait's item, or hides behind a glob, wherever it is.

//# private_names_behind_globs
mod one {
    const LIMIT: u32 = 1;
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    struct Size {
        small: u8,
    }
    mod inner {
        pub const DEPTH: u32 = 1;
    }
    type Width = u8;
    fn height() -> u32 {
        1
    }
}
mod two {
    pub const LIMIT: u32 = 2;
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct Size {
        pub big: u8,
    }
    pub mod inner {
        pub const DEPTH: u32 = 2;
    }
    pub type Width = u16;
    pub fn height() -> u32 {
        2
    }
}
use one::*;
use two::*;
fn limit() -> u32 {
    LIMIT
}
fn depth() -> u32 {
    inner::DEPTH
}
KIND
pub struct Spec {
    pub size: Size,
    pub width: Width,
    #[serde(default = "limit")]
    pub limit: u32,
    #[serde(default = "depth")]
    pub depth: u32,
    #[serde(default = "height")]
    pub height: u32,
}

//# private_names_through_a_prelude
mod api {
    struct String {
        hidden: bool,
    }
    type Option<T> = std::vec::Vec<T>;
    pub(self) const LIMIT: u32 = 1;
    pub mod prelude {
        pub use super::*;
    }
    pub mod below {
        use super::prelude::*;
        pub fn limit() -> u32 {
            LIMIT
        }
    }
}
use api::prelude::*;
KIND
pub struct Spec {
    pub text: String,
    pub wanted: Option<u8>,
    #[serde(default = "api::below::limit")]
    pub limit: u32,
}

//# private_default_elsewhere
mod home {
    #[derive(Clone, Debug, Default, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct Size {
        pub n: u8,
    }
    impl Size {
        fn default() -> Size {
            Size { n: 7 }
        }
    }
    pub mod below {
        pub fn seven() -> super::Size {
            super::Size::default()
        }
    }
}
fn d() -> home::Size {
    home::Size::default()
}
KIND
pub struct Spec {
    #[serde(default = "d")]
    pub by_function: home::Size,
    #[serde(default)]
    pub alone: home::Size,
    #[serde(default = "home::below::seven")]
    pub seen: home::Size,
}

//# private_constant_elsewhere
mod home {
    pub struct Size;
    impl Size {
        const LIMIT: u8 = 1;
    }
}
trait Limited {
    const LIMIT: u8;
}
impl Limited for home::Size {
    const LIMIT: u8 = 2;
}
fn d() -> u8 {
    home::Size::LIMIT
}
SPEC a: u8 = d

//# default_of_other_arguments
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
pub struct W<T> {
    pub n: u8,
    pub t: Option<T>,
}
impl W<u16> {
    pub fn default() -> W<u8> {
        W { n: 7, t: None }
    }
}
fn left_out() -> W<u8> {
    W::default()
}
fn written() -> W<u8> {
    W::<u8>::default()
}
fn inferred() -> W<u8> {
    <W<_>>::default()
}
SPEC a: W<u8> = left_out, b: W<u8> = written, c: W<u8> = inferred

//# arguments_that_the_place_says
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
pub struct W<T> {
    pub n: u8,
    pub t: Option<T>,
}
impl<T> W<T> {
    pub fn of(n: u8) -> Self {
        W { n, t: None }
    }
}
fn derived() -> W<u8> {
    W::default()
}
fn own() -> W<u8> {
    W::of(3)
}
SPEC a: W<u8> = derived, b: W<u8> = own

//# default_of_a_projection
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
pub struct P {
    pub n: u8,
}
impl P {
    pub fn default() -> P {
        P { n: 7 }
    }
}
trait Has {
    type Item;
}
struct Owner;
impl Has for Owner {
    type Item = P;
}
type Item = <Owner as Has>::Item;
fn d() -> P {
    Item::default()
}
SPEC a: P = d

//# blocks_for_aliases
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
pub struct P {
    pub n: u8,
}
mod names {
    pub type Short = super::P;
}
use names::Short;
impl Short {
    pub fn default() -> P {
        P { n: 7 }
    }
}
fn p() -> P {
    P::default()
}
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
pub struct Q {
    pub n: u8,
}
type First = Q;
type Second = First;
impl Second {
    pub fn default() -> Q {
        Q { n: 7 }
    }
}
fn q() -> Q {
    Q::default()
}
KIND
pub struct Spec {
    #[serde(default = "p")]
    pub p: P,
    #[serde(default = "q")]
    pub q: Q,
    #[serde(default)]
    pub alone: Q,
}

//# block_with_an_unread_header
use std::marker::PhantomData;
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
pub struct W<T> {
    pub n: u8,
    #[serde(skip)]
    pub t: PhantomData<T>,
}
impl W<[u8; std::mem::size_of::<u32>()]> {
    pub fn default() -> Self {
        W {
            n: 7,
            t: PhantomData,
        }
    }
}
fn d() -> W<[u8; 4]> {
    W::<[u8; 4]>::default()
}
SPEC a: W<[u8; 4]> = d

//# block_in_a_constant
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
pub struct InConstant {
    pub n: u8,
}
const OWN: () = {
    impl InConstant {
        pub fn default() -> InConstant {
            InConstant { n: 7 }
        }
    }
};
fn d() -> InConstant {
    InConstant::default()
}
SPEC a: InConstant = d

//# block_deep_in_a_body
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
pub struct InBody {
    pub n: u8,
}
fn elsewhere() {
    if true {
        let _ = || {
            impl InBody {
                pub fn default() -> InBody {
                    InBody { n: 7 }
                }
            }
        };
    }
}
fn d() -> InBody {
    InBody::default()
}
SPEC a: InBody = d

//# trait_block_deep_in_a_body
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct InBlock {
    pub n: u8,
}
fn elsewhere() {
    {
        impl Default for InBlock {
            fn default() -> InBlock {
                InBlock { n: 7 }
            }
        }
    }
}
fn d() -> InBlock {
    InBlock::default()
}
SPEC a: InBlock = d

//# block_of_an_unread_macro
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
pub struct OfMacro {
    pub n: u8,
}
macro_rules! own {
    ($first:stmt) => {
        impl OfMacro {
            pub fn default() -> OfMacro {
                $first;
                OfMacro { n: 7 }
            }
        }
    };
}
own!(let _seen = 1);
fn d() -> OfMacro {
    OfMacro::default()
}
SPEC a: OfMacro = d

//# remote_of_itself
use serde::{Deserializer, Serializer};
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(remote = "Self")]
pub struct P {
    pub n: u8,
}
impl Serialize for P {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        P::serialize(&P { n: self.n + 1 }, serializer)
    }
}
impl<'de> Deserialize<'de> for P {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        P::deserialize(deserializer)
    }
}
fn d() -> P {
    P { n: 1 }
}
SPEC a: P = d

//# texts_of_the_system
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
pub struct P {
    #[schemars(with = "String")]
    pub text: std::ffi::OsString,
    pub path: std::path::PathBuf,
}
fn d() -> P {
    P::default()
}
SPEC a: P = d

//# variables_of_item_macros
macro_rules! grown {
    ($name:ident, $arg:ident, $e:expr) => {
        fn $name($arg: u32) -> u32 {
            let n: u32 = 1;
            $e + n
        }
    };
}
grown!(grown_by, n, n);
grown!(other, m, m);
fn d() -> u32 {
    grown_by(5)
}
fn e() -> u32 {
    other(5)
}
SPEC a: u32 = d, b: u32 = e

//# helper_of_an_own_type
use schemars::{Schema, SchemaGenerator, json_schema};
pub struct Doc(Schema);
impl From<Schema> for Doc {
    fn from(mut schema: Schema) -> Doc {
        schema.insert("format".to_owned(), "own".into());
        Doc(schema)
    }
}
impl From<Doc> for Schema {
    fn from(doc: Doc) -> Schema {
        doc.0
    }
}
fn made(_: &mut SchemaGenerator) -> Doc {
    json_schema!({ "type": "string" }).into()
}
fn s(generator: &mut SchemaGenerator) -> Schema {
    made(generator).into()
}
KIND
pub struct Spec {
    #[schemars(schema_with = "s")]
    pub a: String,
}

//# json_of_an_expression
const null: u32 = 5;
macro_rules! shown {
    ($name:ident, $e:expr) => {
        fn $name() -> serde_json::Value {
            serde_json::json!($e)
        }
    };
}
shown!(d, null);
KIND
pub struct Spec {
    #[serde(default = "d")]
    #[schemars(extend("x-kubernetes-preserve-unknown-fields" = true))]
    pub a: serde_json::Value,
}

//# two_paths_of_one_type
use std::marker::PhantomData;
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
pub struct W<T> {
    pub n: u8,
    #[serde(skip)]
    pub t: PhantomData<T>,
}
impl W<std::primitive::u8> {
    pub fn default() -> Self {
        W {
            n: 7,
            t: PhantomData,
        }
    }
}
fn d() -> W<u8> {
    W::<u8>::default()
}
SPEC a: W<u8> = d

//# schema_of_an_aliased_block
use schemars::{Schema, SchemaGenerator, json_schema};
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct P {
    pub n: u8,
}
type First = P;
type Second = First;
impl Second {
    pub fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "object", "description": "its own" })
    }
}
fn s(generator: &mut SchemaGenerator) -> Schema {
    P::json_schema(generator)
}
KIND
pub struct Spec {
    #[schemars(schema_with = "s")]
    pub a: P,
}

//# module_called_like_a_type
use schemars::{Schema, SchemaGenerator};
mod helpers {
    use schemars::{Schema, SchemaGenerator, json_schema};
    pub fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "format": "of-a-module" })
    }
}
fn s(generator: &mut SchemaGenerator) -> Schema {
    helpers::json_schema(generator)
}
KIND
pub struct Spec {
    #[schemars(schema_with = "s")]
    pub a: String,
}

//# json_by_a_glob
use serde_json::*;
fn d() -> Value {
    json!({ "a": 1 })
}
KIND
pub struct Spec {
    #[serde(default = "d")]
    #[schemars(with = "BTreeMap<String, u32>")]
    pub a: Value,
}
