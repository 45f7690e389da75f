//! Types that are both compiled, with the real derives, and read as text.
#![allow(
    dead_code,
    missing_docs,
    clippy::all,
    reason = "the types are here for their schemas"
)]

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};

/// The schema of every type of this file, by the type's name.
pub(super) fn schemas() -> Vec<(&'static str, Schema)> {
    fn schema<T: JsonSchema>() -> Schema {
        let settings = SchemaSettings::draft2020_12().for_deserialize();
        settings
            .with(|settings| settings.inline_subschemas = true)
            .into_generator()
            .into_root_schema_for::<T>()
    }
    vec![
        ("Plain", schema::<Plain>()),
        ("Camel", schema::<Camel>()),
        ("Kebab", schema::<Kebab>()),
        ("Defaulted", schema::<Defaulted>()),
        ("Overlaid", schema::<Overlaid>()),
        ("Validated", schema::<Validated>()),
        ("Words", schema::<Words>()),
        ("External", schema::<External>()),
        ("Internal", schema::<Internal>()),
        ("Adjacent", schema::<Adjacent>()),
        ("Fields", schema::<Fields>()),
    ]
}

#[derive(JsonSchema, Serialize, Deserialize)]
struct Plain {
    r#type: String,
    #[serde(rename = "renamed")]
    a: Option<u8>,
    #[serde(rename(serialize = "ser", deserialize = "de"))]
    b: u8,
    #[serde(alias = "other")]
    c: u8,
    #[serde(skip)]
    d: u8,
    #[serde(skip_serializing)]
    e: u8,
    #[serde(skip_deserializing)]
    f: u8,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    g: Vec<u8>,
    #[schemars(required)]
    h: Option<u8>,
}

#[derive(JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Camel {
    api_version: String,
    a_b_c: u8,
    x1_y: u8,
    #[serde(rename = "As_Is")]
    as_is: u8,
    #[schemars(rename = "overSchemars")]
    over_schemars: u8,
}

#[derive(JsonSchema, Serialize, Deserialize)]
#[serde(rename_all(serialize = "SCREAMING_SNAKE_CASE", deserialize = "kebab-case"))]
struct Kebab {
    one_two: u8,
    three: u8,
}

#[derive(JsonSchema, Serialize, Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct Defaulted {
    a: u8,
    b: Option<String>,
}

#[derive(JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[schemars(rename_all = "PascalCase")]
struct Overlaid {
    first_one: u8,
    #[serde(default)]
    #[schemars(!default)]
    not_default: u8,
    #[serde(rename = "x")]
    #[schemars(!rename)]
    not_renamed: u8,
    #[schemars(default)]
    defaulted: u8,
    #[schemars(skip)]
    skipped: u8,
    #[serde(rename = "y")]
    #[schemars(rename = "z")]
    both: u8,
}

/// One doc
///   comment
#[derive(JsonSchema, Serialize, Deserialize)]
struct Validated {
    /// A name
    ///
    ///  with space
    #[schemars(length(min = 1, max = "8"), regex(pattern = "^a"))]
    a: String,
    /** block
     * comment */
    #[validate(length(equal = 3, message = "m"), email(code = "c"))]
    b: String,
    #[garde(range(min = 1), skip)]
    #[schemars(range(max = 9))]
    #[validate(range(min = 2, max = 3))]
    c: u32,
    #[garde(length(min = 2), pattern("x"), custom(f))]
    #[validate(length(max = 4))]
    d: String,
    #[schemars(inner(length(max = 5), url), length(min = 2))]
    e: Vec<String>,
    #[schemars(ip, extend("x-a" = {"b": [1]}, "x-c" = 2), title = "T", description = "D")]
    /// not this
    f: String,
    #[schemars(contains("q"))]
    g: String,
    #[doc = " attribute"]
    #[doc = "lines"]
    #[garde(if(cond = true, length(max = 7)))]
    h: String,
    #[validate(required)]
    i: Option<String>,
    #[garde(required)]
    #[serde(rename = "jay")]
    j: Option<String>,
}

#[derive(JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Words {
    One,
    #[serde(rename = "TWO")]
    Two,
    #[schemars(rename = "drei")]
    Three,
    #[serde(skip)]
    Four,
    #[serde(skip_deserializing)]
    Five,
    #[serde(skip_serializing)]
    Six,
    #[serde(alias = "sept")]
    SevenEight,
}

#[derive(JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", rename_all_fields = "camelCase")]
enum External {
    UnitOne,
    NewType(u8),
    WithFields {
        first_field: u8,
    },
    #[serde(rename_all = "kebab-case")]
    OwnRule {
        first_field: u8,
    },
}

#[derive(JsonSchema, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "UPPERCASE")]
enum Internal {
    First { a_b: u8 },
    Second,
}

#[derive(JsonSchema, Serialize, Deserialize)]
#[serde(tag = "t")]
#[schemars(content = "c")]
enum Adjacent {
    First(u8),
    Second { a: u8 },
}

#[derive(JsonSchema, Serialize, Deserialize)]
struct Fields {
    #[serde(flatten)]
    flat: Kebab,
    a: Option<u8>,
}
