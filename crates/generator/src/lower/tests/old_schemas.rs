//! Functions for schemars 0.8, which build schemas from structs.

use super::drafts;
use crate::lower::Overrides;
use crd_channels_schema::draft::{Literal, Shape};
use crd_channels_source::fixture;

/// Returns what a function does to the schema of a type: the keywords that it changes, or the message about what is unknown.
fn changed_keywords(function: &str) -> Result<Vec<String>, String> {
    let text = format!(
        "//- /lib.rs
use kube::CustomResource;
use schemars::JsonSchema;
use schemars::r#gen::{{SchemaGenerator, SchemaSettings}};
use schemars::schema::{{Schema, SchemaObject}};
use serde::{{Deserialize, Serialize}};
use serde_json::Value;
#[derive(CustomResource, JsonSchema, Serialize, Deserialize)]
#[kube(group = \"g\", version = \"v1\", kind = \"K\")]
pub struct S {{ #[schemars(schema_with = \"made\")] pub a: Value }}
#[derive(JsonSchema)] pub struct Named {{ pub x: u8 }}
#[derive(JsonSchema)] pub struct Newtype(pub Value);
#[derive(JsonSchema)] #[serde(transparent)] pub struct Through {{ pub x: Value }}
pub struct Anything;
impl JsonSchema for Anything {{
    fn schema_name() -> String {{ \"Anything\".to_owned() }}
    fn json_schema(_: &mut SchemaGenerator) -> Schema {{ Schema::Bool(true) }}
}}
pub struct Text;
impl JsonSchema for Text {{
    fn schema_name() -> String {{ \"Text\".to_owned() }}
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {{ String::json_schema(generator) }}
}}
fn mark(mut schema: Schema) -> Schema {{
    if let Schema::Object(object) = &mut schema {{
        object.extensions.insert(\"x-mark\".to_owned(), Value::Bool(true));
    }}
    schema
}}
fn made(generator: &mut SchemaGenerator) -> Schema {{ {function} }}
//- /kube/lib.rs crate:kube
//- /schemars/lib.rs crate:schemars
//- /serde/lib.rs crate:serde
//- /serde_json/lib.rs crate:serde_json
"
    );
    let mut loaded = fixture::graph(&text);
    let mut drafts = drafts(&loaded.graph, &Overrides::default(), &mut loaded.findings);
    if let Some(finding) = loaded.findings.diagnostics().first() {
        return Err(finding.message.clone());
    }
    let draft = drafts.pop().unwrap();
    let Shape::Struct(root) = &draft.root.as_ref().unwrap().shape else {
        panic!("no root");
    };
    let Shape::Struct(spec) = &root.fields[0].ty.shape else {
        panic!("no spec");
    };
    let Shape::Literal(literal) = &spec.fields[0].ty.shape else {
        panic!("no literal");
    };
    Ok(match literal {
        Literal::Schema(_, edits) => edits.iter().map(|(key, _)| key.to_string()).collect(),
        Literal::Object(entries) => entries.iter().map(|(key, _)| key.to_string()).collect(),
        Literal::Value(value) => vec![value.to_string()],
        Literal::Array(_) => panic!("a list"),
    })
}

#[test]
fn the_variant_of_a_schema_is_known_or_an_error() {
    for object in [
        "String",
        "Named",
        "Vec<Value>",
        "Option<Named>",
        "Box<Named>",
    ] {
        let function = format!("mark({object}::json_schema(generator))");
        let function = function
            .replace("Vec<", "Vec::<")
            .replace("Option<", "Option::<");
        let function = function.replace("Box<", "Box::<");
        assert_eq!(
            changed_keywords(&function),
            Ok(vec!["x-mark".to_owned()]),
            "{object}"
        );
    }
    for unknown in [
        "Value",
        "Box::<Value>",
        "Anything",
        "Text",
        "Newtype",
        "Through",
    ] {
        let function = format!("mark({unknown}::json_schema(generator))");
        let message = changed_keywords(&function).unwrap_err();
        assert!(message.contains("is an object is not known"), "{message}");
    }
}
