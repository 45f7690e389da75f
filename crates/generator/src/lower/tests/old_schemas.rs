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
fn keywords_are_set_on_a_struct() {
    for (body, expected) in [
        (
            "let mut object = SchemaObject::default(); object.extensions.insert(\"x-mark\".to_owned(), Value::Bool(true)); Schema::Object(object)",
            &["x-mark"][..],
        ),
        (
            "let mut object = Named::json_schema(generator).into_object(); object.format = Some(\"f\".to_owned()); object.into()",
            &["format"],
        ),
        (
            "let mut object = generator.subschema_for::<Named>().into_object();
            object.metadata = Some(Box::new(schemars::schema::Metadata { title: Some(\"t\".to_owned()), ..Default::default() })); Schema::Object(object)",
            &[
                "$id",
                "title",
                "description",
                "default",
                "deprecated",
                "readOnly",
                "writeOnly",
                "examples",
            ],
        ),
    ] {
        assert_eq!(changed_keywords(body).unwrap(), expected, "{body}");
    }
}

/// What depends on the content of a schema, or changes it through another name, is left to the compiled program.
#[test]
fn other_statements_are_refused() {
    for (body, expected) in [
        (
            "let mut schema = Named::json_schema(generator); if let Schema::Object(object) = &mut schema { object.format = None; } schema",
            "this statement is not read",
        ),
        (
            "let mut schema = Named::json_schema(generator); let other = &mut schema; other.insert(\"a\".to_owned(), Value::Null); schema",
            "a second name of this variable is not read",
        ),
        (
            "let mut object = SchemaObject::default(); object.metadata().title = None; Schema::Object(object)",
            "this assignment is not read",
        ),
        (
            "let mut object = SchemaObject::default(); object.string = None; Schema::Object(object)",
            "this assignment is not read",
        ),
    ] {
        let message = changed_keywords(body).unwrap_err();
        assert!(message.contains(expected), "{body}\n{message}");
    }
}
