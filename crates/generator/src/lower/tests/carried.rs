//! Gates, tombstones, hand-written schemas and integer enums, from source to draft.

use super::drafts;
use crate::lower::Overrides;
use crd_channels_schema::draft::{Content, Draft, Literal, Shape, Struct, Type};
use crd_channels_source::fixture;
use serde_json::{Map, Value, json};

const HEAD: &str = "//- /lib.rs
use kube::{CustomResource, KubeSchema};
use schemars::{JsonSchema, SchemaGenerator, Schema, json_schema};
use schemars_repr::JsonSchema_repr;
use serde::{Deserialize, Serialize};
use serde_json::{json, Value};
";
const CRATES: &str = "
//- /kube/lib.rs crate:kube
//- /schemars/lib.rs crate:schemars
//- /schemars_repr/lib.rs crate:schemars_repr
pub struct JsonSchema_repr;
//- /serde/lib.rs crate:serde
//- /serde_json/lib.rs crate:serde_json
";

fn draft(text: &str) -> Draft {
    let mut loaded = fixture::graph(&format!("{HEAD}{text}{CRATES}"));
    let mut drafts = drafts(&loaded.graph, &Overrides::default(), &mut loaded.findings);
    assert!(
        loaded.findings.diagnostics().is_empty(),
        "{text}\n{:#?}",
        loaded.findings
    );
    drafts.pop().unwrap()
}

fn root(draft: &Draft) -> &Type {
    draft.root.as_ref().unwrap()
}

fn body(ty: &Type) -> &Struct {
    match &ty.shape {
        Shape::Struct(body) => body,
        other => panic!("no struct: {other:?}"),
    }
}

fn spec(draft: &Draft) -> &Struct {
    body(&body(root(draft)).fields[0].ty)
}

/// A literal as JSON, with the names of types under `$`.
fn flat(literal: &Literal) -> Value {
    let object = |entries: &[(crd_channels_diagnostics::Text, Literal)]| -> Map<String, Value> {
        entries
            .iter()
            .map(|(key, value)| (key.to_string(), flat(value)))
            .collect()
    };
    match literal {
        Literal::Value(value) => value.clone(),
        Literal::Array(items) => items.iter().map(flat).collect(),
        Literal::Object(entries) => object(entries).into(),
        Literal::Schema(ty, edits) => {
            let set = edits
                .iter()
                .filter_map(|(key, edit)| Some((key.clone(), edit.value()?.clone())));
            let mut node = object(&set.collect::<Vec<_>>());
            node.insert("$".into(), json!(&*ty.name));
            node.into()
        }
    }
}

#[test]
fn gates_and_tombstones_are_carried() {
    let draft = draft(
        "#[derive(CustomResource, KubeSchema, Serialize, Deserialize)]
        #[kube(group = \"g\", version = \"v1\", kind = \"K\", shortname = \"k\")]
        #[experimental(feature = \"New\", kube(shortname = \"kk\"))]
        #[tombstone(name = \"old\", removed = \"v0.2.0\", reason = \"unused\")]
        pub struct S {
            #[experimental(feature = \"New\")]
            pub gated: Option<String>,
            #[experimental(schemars(length(max = 8)))]
            pub tightened: String,
            #[not_experimental(doc = \"Only there.\")]
            pub told: u8,
            pub plain: Plain,
            pub mode: Mode,
            pub through: Vec<Option<Mode>>,
        }
        #[derive(JsonSchema, Serialize, Deserialize)]
        pub struct Plain { pub x: u8 }
        #[derive(JsonSchema, Serialize, Deserialize)]
        pub enum Mode { A, #[experimental] B }",
    );
    assert_eq!(&*draft.facets.always.short_names[0].value, "k");
    let (gate, facets) = &draft.facets.when[0];
    assert_eq!((&*gate.feature, gate.on), ("New", true));
    assert_eq!(&*facets.short_names[0].value, "kk");
    let ty = &body(root(&draft)).fields[0].ty;
    assert_eq!(&*ty.tombstones[0].name, "old");
    let fields = &body(ty).fields;
    assert_eq!(&*fields[0].gate.as_ref().unwrap().feature, "New");
    let (gate, facets) = &fields[1].facets.when[0];
    assert_eq!((&*gate.feature, facets.max_length), ("unnamed", Some(8)));
    let (gate, facets) = &fields[2].facets.when[0];
    assert!(!gate.on);
    assert_eq!(facets.doc.as_deref(), Some("Only there."));
    let gated: Vec<bool> = fields.iter().map(|field| field.ty.gated).collect();
    assert_eq!(gated, [false, false, false, false, true, true]);
    assert!(root(&draft).gated && ty.gated);
    let Shape::Enum(mode) = &fields[4].ty.shape else {
        panic!("an enum");
    };
    assert!(mode.variants[0].gate.is_none() && mode.variants[1].gate.is_some());
    assert_eq!(mode.variants[0].content, Content::Unit);
}

#[test]
fn hand_written_schemas_are_read() {
    let cases = [
        (
            "json_schema!({ \"type\": \"object\", })",
            json!({ "type": "object" }),
        ),
        (
            "schemars::json_schema!({ \"a\": [1, -2.5, null, true], KEY: gen.subschema_for::<Vec<u8>>() })",
            json!({ "a": [1, -2.5, null, true], "key": { "$": "Vec<u8>" } }),
        ),
        (
            "json_schema!({ \"a\": ({ let mut s = gen.subschema_for::<T>(); s.ensure_object().insert(\"description\".into(), \"d\".into()); s }) })",
            json!({ "a": { "$": "T", "description": "d" } }),
        ),
        (
            "let mut s = T::json_schema(gen); s.insert(\"x\".to_owned(), json!({ \"y\": 1 })); s",
            json!({ "$": "T", "x": { "y": 1 } }),
        ),
        (
            "let mut s = <Option<T>>::json_schema(gen); s.insert(\"x\".to_string(), true.into()); s.into()",
            json!({ "$": "Option<T>", "x": true }),
        ),
        (
            "Schema::try_from(json!({ \"type\": \"string\" })).unwrap()",
            json!({ "type": "string" }),
        ),
        (
            "serde_json::from_value(json!({ \"type\": \"string\" })).expect(\"it is one\")",
            json!({ "type": "string" }),
        ),
        (
            "let mut s = Schema::default(); s.insert(\"type\".into(), \"object\".into()); s.insert(\"gone\".into(), 1.into()); s.remove(\"gone\"); s",
            json!({ "type": "object" }),
        ),
        (
            "let ty = \"string\"; let values = json!([\"a\", \"b\"]); json_schema!({ \"type\": ty, \"enum\": values })",
            json!({ "type": "string", "enum": ["a", "b"] }),
        ),
        (
            "serde_json::from_str(r#\"{ \"type\": \"string\" }\"#).unwrap()",
            json!({ "type": "string" }),
        ),
        (
            "json!({ \"type\": \"string\" }).try_into().unwrap()",
            json!({ "type": "string" }),
        ),
        (
            "SchemaObject { object: Some(Box::new(ObjectValidation { properties: IntoIterator::into_iter([(\"a\".to_owned(), gen.subschema_for::<T>())]).collect(), ..Default::default() })), ..Default::default() }.into()",
            json!({ "properties": { "a": { "$": "T" } } }),
        ),
        (
            "SchemaObject { subschemas: Some(Box::new(SubschemaValidation { one_of: Some(vec![needs(\"a\"), needs(\"b\")]), ..Default::default() })), ..Default::default() }.into()",
            json!({ "oneOf": [{ "required": ["a"] }, { "required": ["b"] }] }),
        ),
        ("other(gen)", json!({ "$": "T" })),
        (
            "json_schema!({ \"enum\": NAMES, \"maximum\": 2 * 21 })",
            json!({ "enum": ["a", "b"], "maximum": 42 }),
        ),
    ];
    for (written, expected) in cases {
        let text = format!(
            "#[derive(CustomResource, KubeSchema, Serialize, Deserialize)]
            #[kube(group = \"g\", version = \"v1\", kind = \"K\")]
            pub struct S {{ #[schemars(schema_with = \"f\")] pub a: Value }}
            use schemars::schema::{{ObjectValidation, SchemaObject, SubschemaValidation}};
            const KEY: &str = \"key\";
            const NAMES: [&str; 2] = [\"a\", \"b\"];
            #[derive(JsonSchema)] pub struct T {{ pub x: u8 }}
            fn needs(name: &str) -> Schema {{
                Schema::Object(SchemaObject {{
                    object: Some(Box::new(ObjectValidation {{
                        required: [name.into()].into(),
                        ..Default::default()
                    }})),
                    ..Default::default()
                }})
            }}
            fn other(generator: &mut SchemaGenerator) -> Schema {{ generator.subschema_for::<T>() }}
            fn f(gen: &mut SchemaGenerator) -> Schema {{ {written} }}"
        );
        let draft = draft(&text.replace("gen", "make"));
        let Shape::Literal(literal) = &spec(&draft).fields[0].ty.shape else {
            panic!("no literal");
        };
        assert_eq!(flat(literal), expected, "{written}");
    }
}

#[test]
fn a_root_may_be_written_by_hand_and_needs_a_schema() {
    let kind = |schema: &str| {
        format!(
            "#[derive(CustomResource, Serialize, Deserialize)]
            #[kube(group = \"g\", version = \"v1\", kind = \"K\", schema = \"{schema}\")]
            pub struct S {{ pub a: Value }}
            impl JsonSchema for K {{ fn json_schema(_: &mut SchemaGenerator) -> Schema {{ json_schema!({{ \"type\": \"object\" }}) }} }}"
        )
    };
    let manual = draft(&kind("manual"));
    let Shape::Literal(literal) = &root(&manual).shape else {
        panic!("no literal");
    };
    assert_eq!(flat(literal), json!({ "type": "object" }));
    let mut loaded = fixture::graph(&format!("{HEAD}{}{CRATES}", kind("disabled")));
    drafts(&loaded.graph, &Overrides::default(), &mut loaded.findings);
    let codes: Vec<&str> = loaded
        .findings
        .diagnostics()
        .iter()
        .map(|finding| finding.code.record().id)
        .collect();
    assert_eq!(codes, ["schema-disabled"]);
}

#[test]
fn integer_enums_have_their_numbers() {
    let draft = draft(
        "#[derive(CustomResource, KubeSchema, Serialize, Deserialize)]
        #[kube(group = \"g\", version = \"v1\", kind = \"K\")]
        pub struct S { pub level: Level }
        const HIGH: u8 = 1 << 4;
        #[derive(JsonSchema_repr)] #[repr(u8)]
        pub enum Level { Zero, One, High = HIGH, Higher }",
    );
    let Shape::IntegerEnum(variants) = &spec(&draft).fields[0].ty.shape else {
        panic!("no integers");
    };
    let values: Vec<i128> = variants.iter().map(|variant| variant.value).collect();
    assert_eq!(values, [0, 1, 16, 17]);
}

#[test]
fn discriminants_have_the_type_of_the_enum() {
    let text = |value: &str| {
        format!(
            "{HEAD}#[derive(CustomResource, KubeSchema, Serialize, Deserialize)]
#[kube(group = \"g.example.com\", version = \"v1\", kind = \"K\")]
pub struct S {{ level: Level }}
#[derive(JsonSchema_repr)]
#[repr(u8)]
pub enum Level {{ Low = {value}, High = 3 }}
{CRATES}"
        )
    };
    for (value, expected) in [("100 << 1", 0), ("200 << 1", 1), ("256", 1)] {
        let mut loaded = fixture::graph(&text(value));
        drafts(&loaded.graph, &Overrides::default(), &mut loaded.findings);
        let found = loaded.findings.into_diagnostics();
        assert_eq!(found.len(), expected, "{value}: {found:?}");
    }
}
