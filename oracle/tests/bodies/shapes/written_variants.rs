// Variants that serde writes otherwise than by their fields.

//# variant_serialize_with
fn write_text<T, S: serde::Serializer>(_: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str("written")
}
fn write_two<A, B, S: serde::Serializer>(_: &A, _: &B, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_i64(2)
}
mod as_text {
    pub fn serialize<T, S: serde::Serializer>(_: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str("by a module")
    }
    pub fn deserialize<'de, T: Default, D: serde::Deserializer<'de>>(_: D) -> Result<T, D::Error> {
        Ok(T::default())
    }
}
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[schemars(with = "String")]
pub enum Outer {
    #[serde(serialize_with = "write_text")]
    One(Option<u8>),
    #[serde(serialize_with = "write_two")]
    Two { a: u8, b: String },
    #[serde(with = "as_text")]
    #[schemars(with = "String")]
    Three(u8),
}
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(with = "String")]
pub enum Bare {
    #[serde(serialize_with = "write_text")]
    One { a: u8 },
}
fn one() -> Outer {
    Outer::One(None)
}
fn two() -> Outer {
    Outer::Two { a: 1, b: "b".to_owned() }
}
fn three() -> Outer {
    Outer::Three(3)
}
fn bare() -> Bare {
    Bare::One { a: 1 }
}
SPEC one: Outer = one, two: Outer = two, three: Outer = three, bare: Bare = bare

//# variant_of_schemars
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[schemars(with = "String")]
pub enum Outer {
    #[schemars(skip)]
    Hidden,
    #[schemars(rename = "shown")]
    Seen,
    #[schemars(untagged)]
    Open { a: u8 },
}
fn hidden() -> Outer {
    Outer::Hidden
}
fn seen() -> Outer {
    Outer::Seen
}
fn open() -> Outer {
    Outer::Open { a: 1 }
}
SPEC hidden: Outer = hidden, seen: Outer = seen, open: Outer = open

//# skipped_content
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[schemars(with = "String")]
pub enum Outer {
    One(#[serde(skip)] Option<u8>),
    Two(#[serde(skip_serializing)] Option<u8>),
}
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[schemars(with = "String")]
pub struct Only(#[serde(skip_serializing)] u8);
fn one() -> Outer {
    Outer::One(None)
}
fn two() -> Outer {
    Outer::Two(Some(2))
}
fn only() -> Only {
    Only(3)
}
SPEC one: Outer = one, two: Outer = two, only: Only = only

//# inside_of_objects
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub enum Level {
    High,
    Low(u8),
}
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Wrapped(Level);
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Inner {
    x: u8,
}
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[schemars(with = "String")]
pub struct Flat {
    a: u8,
    #[serde(flatten)]
    level: Level,
}
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(tag = "kind")]
#[schemars(with = "String")]
pub enum Tagged {
    Named(Wrapped),
}
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(tag = "kind")]
#[schemars(with = "String")]
pub enum Optional {
    Maybe(Option<Inner>),
}
fn high() -> Flat {
    Flat { a: 1, level: Level::High }
}
fn low() -> Flat {
    Flat { a: 1, level: Level::Low(2) }
}
fn named() -> Tagged {
    Tagged::Named(Wrapped(Level::High))
}
fn some() -> Optional {
    Optional::Maybe(Some(Inner { x: 1 }))
}
fn none() -> Optional {
    Optional::Maybe(None)
}
SPEC high: Flat = high, low: Flat = low, named: Tagged = named, some: Optional = some, none: Optional = none
