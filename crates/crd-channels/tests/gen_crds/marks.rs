//! The effects of `#[crd(..)]` on schemas, in both conventions, from source to CRD.

use super::{EXPERIMENTAL, STABLE, crd, findings};
use crate::support::Workspace;
use serde_json::{Value, json};

const CONVENTIONS: [&str; 2] = ["kube", "kubernetes"];

/// A workspace with a kind whose file is this text, and with the two types of k8s-openapi that are used.
fn workspace(convention: &str, lib: &str) -> Workspace {
    Workspace::new(&format!(
        r#"
//- channels/bundle.toml
conventions = "{convention}"
//- Cargo.toml
[workspace]
exclude = ["stubs"]
[package]
name = "demo"
version = "0.1.0"
edition = "2024"
[dependencies]
crd-channels-derive = {{ path = "stubs/crd-channels-derive" }}
k8s-openapi = {{ path = "stubs/k8s-openapi" }}
kube = {{ path = "stubs/kube" }}
schemars = {{ path = "stubs/schemars" }}
serde = {{ path = "stubs/serde" }}
serde_json = {{ path = "stubs/serde_json" }}
//- stubs/k8s-openapi/Cargo.toml
[package]
name = "k8s-openapi"
version = "1.0.0"
edition = "2024"
[dependencies]
schemars = {{ path = "../schemars" }}
//- stubs/k8s-openapi/src/lib.rs
pub struct ObjectMeta;
impl schemars::JsonSchema for ObjectMeta {{
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {{
        schemars::json_schema!({{"type": "object", "properties": {{"uid": {{"type": "string"}}}}}})
    }}
}}
pub struct PodTemplateSpec;
impl schemars::JsonSchema for PodTemplateSpec {{
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {{
        schemars::json_schema!({{
            "type": "object",
            "properties": {{
                "metadata": generator.subschema_for::<ObjectMeta>(),
                "hostname": {{"type": "string"}}
            }}
        }})
    }}
}}
//- src/lib.rs
use kube::{{CustomResource, KubeSchema}};
use schemars::JsonSchema;
use std::collections::BTreeMap;
{lib}
"#
    ))
}

/// A spec with these fields and attributes.
fn spec(attributes: &str, fields: &str) -> String {
    format!(
        "#[derive(crd_channels_derive::ApiType, CustomResource, JsonSchema)]\n\
         #[kube(group = \"example.com\", version = \"v1\", kind = \"Route\")]\n\
         {attributes}\npub struct RouteSpec {{\n{fields}\n}}\n"
    )
}

/// Compares the schema at a pointer in both conventions, without its description and their known differences.
#[track_caller]
fn check(lib: &str, pointer: &str, expected: &Value) {
    for convention in CONVENTIONS {
        let workspace = workspace(convention, lib);
        workspace.generate();
        let crd = crd(&workspace, STABLE);
        let root = &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
        let mut found = root.pointer(pointer).unwrap_or(&Value::Null).clone();
        if let Some(found) = found.as_object_mut() {
            found.remove("nullable");
        }
        assert_eq!(&found, expected, "{convention}: {lib}\n{root:#}");
    }
}

const HOST: &str = "/properties/spec/properties/host";

#[test]
fn texts_and_links() {
    let fields = "#[crd(title = \"Host\", example = \"a.example\", external_docs(url = \"https://example.com/host\", description = \"hosts\"))]\n\
                  pub host: Option<String>,";
    check(
        &spec("", fields),
        HOST,
        &json!({
            "type": "string",
            "title": "Host",
            "example": "a.example",
            "externalDocs": {"url": "https://example.com/host", "description": "hosts"}
        }),
    );
    // The place of use takes precedence over the type.
    let lib = spec(
        "",
        "pub host: Host,\n#[crd(title = \"Other\")] pub other: Host,",
    ) + "#[derive(crd_channels_derive::ApiType, JsonSchema)]\n#[crd(title = \"Host\", example = serde_json::json!({\"name\": \"x\"}))]\npub struct Host { pub name: String }\n";
    for (field, title) in [("host", "Host"), ("other", "Other")] {
        let expected = json!(title);
        check(
            &lib,
            &format!("/properties/spec/properties/{field}/title"),
            &expected,
        );
        let expected = json!({"name": "x"});
        check(
            &lib,
            &format!("/properties/spec/properties/{field}/example"),
            &expected,
        );
    }
}

#[test]
fn lists_maps_and_objects_are_merged_as_they_say() {
    let part = "#[derive(crd_channels_derive::ApiType, JsonSchema)]\n#[crd(struct_type = \"atomic\")]\npub struct Part { pub name: String, pub value: Option<String> }\n";
    let part_schema = json!({
        "type": "object",
        "properties": {"name": {"type": "string"}, "value": {"type": "string", "nullable": true}},
        "required": ["name"],
        "x-kubernetes-map-type": "atomic"
    });
    let lists = [
        (
            "#[crd(list_type = \"set\")] pub host: Vec<String>,",
            json!({"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"}),
        ),
        (
            "#[crd(map_type = \"atomic\")] pub host: BTreeMap<String, String>,",
            json!({"type": "object", "additionalProperties": {"type": "string"}, "x-kubernetes-map-type": "atomic"}),
        ),
        (
            "#[crd(list_type = \"atomic\", inner(list_type = \"set\", title = \"Row\"))] pub host: Option<Vec<Vec<String>>>,",
            json!({
                "type": "array",
                "items": {"type": "array", "title": "Row", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
                "x-kubernetes-list-type": "atomic"
            }),
        ),
        (
            "#[crd(inner(list_type = \"atomic\"))] pub host: BTreeMap<String, Vec<String>>,",
            json!({
                "type": "object",
                "additionalProperties": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "atomic"}
            }),
        ),
    ];
    for (fields, expected) in lists {
        check(&spec("", fields), HOST, &expected);
    }
    let list = "#[crd(list_type = \"map\", list_map_keys(\"name\"))] pub host: Vec<Part>,";
    for convention in CONVENTIONS {
        let workspace = workspace(convention, &(spec("", list) + part));
        workspace.generate();
        let crd = crd(&workspace, STABLE);
        let root = &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
        let mut expected = json!({
            "type": "array",
            "items": part_schema,
            "x-kubernetes-list-map-keys": ["name"],
            "x-kubernetes-list-type": "map"
        });
        if convention == "kubernetes" {
            let value = &mut expected["items"]["properties"]["value"];
            value.as_object_mut().unwrap().remove("nullable");
        }
        assert_eq!(root.pointer(HOST), Some(&expected), "{convention}");
    }
}

#[test]
fn an_immutable_field_stays_once_it_is_set() {
    let fields = "#[crd(immutable)] pub host: String,\n\
                  #[crd(immutable)] #[serde(rename = \"class-name\")] pub class: Option<String>,\n\
                  #[crd(immutable)] #[serde(default)] pub replicas: i32,";
    let lib = spec("", fields);
    let rule = |name: &str| json!([{"rule": "self == oldSelf", "message": format!("`{name}` cannot be changed once it is set")}]);
    for name in ["host", "class-name", "replicas"] {
        let pointer = format!("/properties/spec/properties/{name}/x-kubernetes-validations");
        check(&lib, &pointer, &rule(name));
    }
    check(
        &lib,
        "/properties/spec/x-kubernetes-validations",
        &json!([{
            "rule": "!has(oldSelf.class__dash__name) || has(self.class__dash__name)",
            "message": "`class-name` cannot be removed once it is set"
        }]),
    );
}

#[test]
fn unions_count_the_fields_that_a_channel_has() {
    let union = |key: &str, fields: &str| format!("#[crd({key}(\"a\", \"b\", \"inC\"))]\n{fields}");
    let fields = "pub a: Option<String>, pub b: Option<String>, #[experimental] #[serde(rename = \"inC\")] pub c: Option<String>,";
    let cases = [
        (
            "exactly_one_of",
            "(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) == 1",
            "exactly one of `a`, `b` must be set",
            "(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) + (has(self.inC) ? 1 : 0) == 1",
        ),
        (
            "at_most_one_of",
            "(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) <= 1",
            "at most one of `a`, `b` may be set",
            "(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) + (has(self.inC) ? 1 : 0) <= 1",
        ),
        (
            "at_least_one_of",
            "has(self.a) || has(self.b)",
            "at least one of `a`, `b` must be set",
            "has(self.a) || has(self.b) || has(self.inC)",
        ),
    ];
    for (key, stable, message, experimental) in cases {
        for convention in CONVENTIONS {
            let workspace = workspace(convention, &spec(&union(key, ""), fields));
            workspace.generate();
            let rules = |path: &str| {
                let crd = crd(&workspace, path);
                let root = &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
                root["properties"]["spec"]["x-kubernetes-validations"].clone()
            };
            assert_eq!(rules(STABLE), json!([{"rule": stable, "message": message}]));
            assert_eq!(rules(EXPERIMENTAL)[0]["rule"], experimental, "{convention}");
        }
    }
}

#[test]
fn unions_of_flattened_types_all_hold() {
    let lib = spec(
        "",
        "#[serde(flatten)] pub one: One,\n#[serde(flatten)] pub two: Two,",
    ) + "#[derive(crd_channels_derive::ApiType, JsonSchema)]\n#[crd(at_least_one_of(\"a\", \"b\"))]\npub struct One { pub a: Option<u8>, pub b: Option<u8> }\n"
        + "#[derive(crd_channels_derive::ApiType, JsonSchema)]\n#[crd(at_least_one_of(\"c\", \"d\"))]\npub struct Two { pub c: Option<u8>, pub d: Option<u8> }\n";
    let rule = |a: &str, b: &str| json!({"rule": format!("has(self.{a}) || has(self.{b})"), "message": format!("at least one of `{a}`, `{b}` must be set")});
    check(
        &lib,
        "/properties/spec/x-kubernetes-validations",
        &json!([rule("a", "b"), rule("c", "d")]),
    );
}

#[test]
fn embedded_objects_keep_what_belongs_to_them() {
    check(
        &spec(
            "",
            "#[crd(embedded_resource)] pub host: Option<serde_json::Value>,",
        ),
        HOST,
        &json!({
            "type": "object",
            "x-kubernetes-embedded-resource": true,
            "x-kubernetes-preserve-unknown-fields": true
        }),
    );
    let lib = spec("", "#[crd(embedded_resource)] pub host: Job,")
        + "#[derive(crd_channels_derive::ApiType, JsonSchema)]\npub struct Job { pub command: String }\n";
    check(
        &lib,
        HOST,
        &json!({
            "type": "object",
            "properties": {"command": {"type": "string"}},
            "required": ["command"],
            "x-kubernetes-embedded-resource": true
        }),
    );
    let metadata = json!({
        "type": "object",
        "properties": {
            "annotations": {"type": "object", "additionalProperties": {"type": "string"}},
            "finalizers": {"type": "array", "items": {"type": "string"}},
            "labels": {"type": "object", "additionalProperties": {"type": "string"}},
            "name": {"type": "string"},
            "namespace": {"type": "string"}
        }
    });
    for (fields, below) in [
        (
            "#[crd(embedded_metadata)] pub host: Option<k8s_openapi::ObjectMeta>,",
            "",
        ),
        (
            "#[crd(embedded_metadata)] pub host: k8s_openapi::PodTemplateSpec,",
            "/properties/metadata",
        ),
        (
            "#[crd(embedded_metadata)] pub host: Vec<k8s_openapi::PodTemplateSpec>,",
            "/items/properties/metadata",
        ),
        (
            "#[crd(embedded_metadata)] pub host: BTreeMap<String, Option<k8s_openapi::PodTemplateSpec>>,",
            "/additionalProperties/properties/metadata",
        ),
    ] {
        check(&spec("", fields), &format!("{HOST}{below}"), &metadata);
    }
}

#[test]
fn the_root_has_its_defaults_and_its_list_kind() {
    let lib = "#[derive(crd_channels_derive::ApiType, CustomResource, JsonSchema)]\n\
         #[kube(group = \"example.com\", version = \"v1\", kind = \"Route\", status = \"RouteStatus\")]\n\
         #[crd(list_kind = \"Routing\", default(spec = serde_json::json!({\"host\": \"a\"}), status = RouteStatus { ready: false }))]\n\
         pub struct RouteSpec { pub host: String }\n\
         #[derive(crd_channels_derive::ApiType, JsonSchema, serde::Serialize)]\npub struct RouteStatus { pub ready: bool }\n";
    check(lib, "/properties/spec/default", &json!({"host": "a"}));
    check(lib, "/properties/status/default", &json!({"ready": false}));
    check(lib, "/required", &Value::Null);
    let workspace = workspace("kube", lib);
    workspace.generate();
    assert_eq!(
        crd(&workspace, STABLE)["spec"]["names"]["listKind"],
        "Routing"
    );
}

/// A kind with a status and these attributes.
fn rooted(attributes: &str) -> String {
    format!(
        "#[derive(crd_channels_derive::ApiType, CustomResource, JsonSchema)]\n\
         #[kube(group = \"example.com\", version = \"v1\", kind = \"Route\", status = \"RouteStatus\")]\n\
         #[crd({attributes})]\n\
         pub struct RouteSpec {{ pub host: String }}\n\
         #[derive(crd_channels_derive::ApiType, JsonSchema)]\npub struct RouteStatus {{ pub ready: bool }}\n"
    )
}

#[test]
fn the_root_is_as_another_tool_wrote_it() {
    let own = rooted(
        "root = serde_json::json!({\"properties\": {\"kind\": {\"type\": \"string\", \"description\": \"k\"}}, \"required\": [\"kind\"]})",
    );
    check(&own, "/properties/kind/description", &json!("k"));
    check(&own, "/properties/apiVersion", &Value::Null);
    check(&own, "/required", &json!(["kind"]));
    check(&own, "/properties/spec/required", &json!(["host"]));
    let bare = rooted("root = serde_json::json!({\"properties\": {\"status\": null}})");
    check(&bare, "/properties/status", &Value::Null);
    let workspace = workspace("kube", &rooted("no_status_subresource"));
    workspace.generate();
    let version = &crd(&workspace, STABLE)["spec"]["versions"][0];
    assert_eq!(version["subresources"], Value::Null);
    assert_ne!(
        version["schema"]["openAPIV3Schema"]["properties"]["status"],
        Value::Null
    );
}

#[test]
fn keywords_with_structural_schemas_stay_as_they_are() {
    let one_of = json!([{"properties": {"host": {"enum": ["a"]}}}, {"properties": {"host": {"not": {"enum": ["a"]}}}}]);
    let host = format!("#[schemars(extend(\"oneOf\" = {one_of}))] pub host: Part,");
    let workspace = workspace("kubernetes", &(spec("", &host) + PART));
    workspace.generate();
    let crd = crd(&workspace, STABLE);
    let schema = &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
    assert_eq!(
        schema["properties"]["spec"]["properties"]["host"]["oneOf"],
        one_of
    );
}

#[test]
fn attributes_that_do_not_apply_to_the_type_are_errors() {
    let cases = [
        (
            rooted("root = serde_json::json!({\"properties\": {\"spec\": {}}})"),
            "the type of the kind says what `spec` is",
        ),
        (
            rooted("root = serde_json::json!([])"),
            "the keywords of the root are no object",
        ),
        (
            spec("", "#[crd(list_type = \"set\")] pub host: String,"),
            "`list_type` does not apply to a scalar",
        ),
        (
            spec("", "#[crd(map_type = \"atomic\")] pub host: Part,") + PART,
            "`map_type` does not apply to an object",
        ),
        (
            spec(
                "",
                "#[crd(struct_type = \"atomic\")] pub host: BTreeMap<String, Part>,",
            ) + PART,
            "`struct_type` does not apply to a map",
        ),
        (
            spec("", "#[crd(inner(title = \"x\"))] pub host: Part,") + PART,
            "`inner` does not apply to an object",
        ),
        (
            spec(
                "",
                "#[crd(list_type = \"map\", list_map_keys(\"nmae\"))] pub host: Vec<Part>,",
            ) + PART,
            "`Part` has no field that is serialized as `nmae`",
        ),
        (
            spec(
                "",
                "#[crd(list_type = \"map\", list_map_keys(\"x\"))] pub host: Vec<String>,",
            ),
            "the items of a `map` list must be objects, but `String` is a scalar",
        ),
        (
            spec("", "#[crd(embedded_resource)] pub host: Vec<Part>,") + PART,
            "`embedded_resource` does not apply to a list",
        ),
        (
            spec("", "#[crd(embedded_metadata)] pub host: Part,") + PART,
            "`Part` contains no object metadata",
        ),
        (
            spec(
                "",
                "#[crd(title = \"x\")] #[serde(flatten)] pub host: Part,",
            ) + PART,
            "a flattened field has no node of its own, so it cannot have a description",
        ),
        (
            spec("", "pub host: Name,")
                + "#[derive(crd_channels_derive::ApiType, JsonSchema)] #[serde(transparent)] pub struct Name { #[crd(title = \"x\")] pub name: String }",
            "the field of a transparent type has no node of its own, so it cannot have a description",
        ),
        (
            spec(
                "#[crd(exactly_one_of(\"a\", \"host\"))]",
                "pub a: Option<u8>, pub host: String,",
            ),
            "`host` is required, so it is always set",
        ),
        (
            spec(
                "#[crd(exactly_one_of(\"a\", \"host\"))]",
                "pub a: Option<u8>, #[serde(default)] pub host: u8,",
            ),
            "`host` has a default, so it is always set",
        ),
        (
            spec(
                "#[crd(exactly_one_of(\"a\", \"b\"))]",
                "pub a: Option<u8>, #[serde(rename = \"c\")] pub b: Option<u8>,",
            ),
            "the struct has no field that is serialized as `b`",
        ),
        (
            spec(
                "#[crd(exactly_one_of(\"a\", \"$b\"))]",
                "pub a: Option<u8>, #[serde(rename = \"$b\")] pub b: Option<u8>,",
            ),
            "rules cannot read a field that is serialized as `$b`",
        ),
        (
            spec(
                "#[crd(default(status = serde_json::json!({})))]",
                "pub a: Option<u8>,",
            ),
            "the schema of this kind has no `status` to set a default on",
        ),
    ];
    for (lib, message) in cases {
        let found = findings(&workspace("kubernetes", &lib), 1);
        let messages: Vec<&str> = found.iter().map(|finding| &*finding.message).collect();
        assert_eq!(messages, [message], "{lib}");
        assert_eq!(found[0].code, "invalid-attribute");
    }
}

const PART: &str =
    "#[derive(crd_channels_derive::ApiType, JsonSchema)] pub struct Part { pub name: String }\n";

#[test]
fn annotations_and_labels_of_the_crd() {
    for convention in CONVENTIONS {
        let workspace = workspace(
            convention,
            r#"
#[derive(crd_channels_derive::ApiType, CustomResource, JsonSchema)]
#[kube(group = "example.com", version = "v1", kind = "Route")]
#[kube(annotation("example.com/both", "kube"), label("a", "kube"))]
#[crd(annotation("example.com/docs", "https://example.com"), annotation("example.com/both", "crd"))]
#[crd(label("team", "edge"))]
pub struct RouteSpec {
    pub host: String,
}
"#,
        );
        workspace.generate();
        let metadata = &crd(&workspace, STABLE)["metadata"];
        assert_eq!(metadata["labels"], json!({"a": "kube", "team": "edge"}));
        let annotations = &metadata["annotations"];
        assert_eq!(annotations["example.com/docs"], "https://example.com");
        // The attribute `crd` takes precedence, since it is more specific.
        assert_eq!(annotations["example.com/both"], "crd");
        assert_eq!(annotations["example.com/channel"], "stable");
        // A value that no server accepts is refused at its line.
        workspace.edit("src/lib.rs", "\"team\", \"edge\"", "\"team!\", \"edge\"");
        assert!(!findings(&workspace, 1).is_empty());
    }
}
