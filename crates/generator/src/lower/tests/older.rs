//! Attributes that older versions of schemars ignore or overwrite.

use super::drafts;
use crate::lower::Overrides;
use crd_channels_schema::draft::Shape;
use crd_channels_source::fixture;

/// Returns what is said about a kind with this version of schemars, and the longest list that its field may be.
fn read(version: &str, field: &str, beside: &str) -> (Vec<String>, Option<u64>) {
    let text = format!(
        "//- /lib.rs
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{{Deserialize, Serialize}};
#[derive(CustomResource, JsonSchema, Serialize, Deserialize)]
#[kube(group = \"g\", version = \"v1\", kind = \"K\")]
pub struct S {{ {field} }}
{beside}
//- /kube/lib.rs crate:kube
//- /schemars/lib.rs crate:schemars version:{version}
//- /serde/lib.rs crate:serde
//- /serde_json/lib.rs crate:serde_json
"
    );
    let mut loaded = fixture::graph(&text);
    let mut drafts = drafts(&loaded.graph, &Overrides::default(), &mut loaded.findings);
    let findings = loaded.findings.diagnostics().iter();
    let findings =
        findings.map(|finding| format!("{}: {}", finding.code.record().id, finding.message));
    let longest = drafts.pop().and_then(|draft| {
        let Shape::Struct(root) = &draft.root.as_ref()?.shape else {
            return None;
        };
        let Shape::Struct(spec) = &root.fields[0].ty.shape else {
            return None;
        };
        match &spec.fields[0].ty.shape {
            Shape::Newtype(only) => only.facets.always.max_length,
            _ => None,
        }
    });
    (findings.collect(), longest)
}

#[test]
fn what_extend_says_is_overwritten() {
    let said = |version: &str, field: &str| {
        let (said, _) = read(version, field, "fn five() -> u8 { 5 }");
        said
    };
    let overwritten = |key: &str| {
        vec![format!(
            "invalid-attribute: schemars before 1.2.1 overwrites the `{key}` of this `extend`"
        )]
    };
    for (field, key) in [
        (
            "#[schemars(range(min = 1), extend(\"minimum\" = 2))] a: u8",
            "minimum",
        ),
        (
            "#[schemars(length(max = 1), extend(\"maxLength\" = 2))] a: String",
            "maxLength",
        ),
        (
            "#[schemars(regex(pattern = \"a\"), extend(\"pattern\" = \"b\"))] a: String",
            "pattern",
        ),
        (
            "#[schemars(email, extend(\"format\" = \"b\"))] a: String",
            "format",
        ),
        (
            "#[schemars(inner(range(min = 1)), extend(\"items\" = {}))] a: Vec<u8>",
            "items",
        ),
        (
            "#[serde(default = \"five\")] #[schemars(extend(\"default\" = 6))] a: u8",
            "default",
        ),
    ] {
        assert_eq!(said("1.0.4", field), overwritten(key), "{field}");
        assert_eq!(said("1.2.1", field), Vec::<String>::new(), "{field}");
    }
    for field in [
        "#[schemars(range(min = 1), extend(\"maximum\" = 2))] a: u8",
        "#[serde(default = \"five\")] #[schemars(extend(\"default\" = 5))] a: u8",
        "#[serde(default = \"five\", skip_serializing)] #[schemars(extend(\"default\" = 6))] a: u8",
        "#[schemars(extend(\"default\" = 6))] a: u8",
    ] {
        assert_eq!(said("1.0.4", field), Vec::<String>::new(), "{field}");
    }
}

#[test]
fn the_field_of_a_transparent_type_has_no_attributes() {
    let transparent = |inside: &str| {
        format!(
            "#[derive(JsonSchema, Serialize, Deserialize)] #[serde(transparent)] pub struct T {{ {inside} x: Vec<u8> }}"
        )
    };
    let ignored = "ignored-attribute: schemars before 1 ignores the attributes of the field of a transparent type";
    let limited = transparent("#[schemars(length(max = 3))]");
    assert_eq!(
        read("0.8.22", "a: T", &limited),
        (vec![ignored.to_owned()], None)
    );
    assert_eq!(read("1.0.4", "a: T", &limited), (Vec::new(), Some(3)));
    let documented = transparent("/// Inside.\n");
    assert_eq!(read("0.8.22", "a: T", &documented), (Vec::new(), None));
}

#[test]
fn what_schemars_asks_of_options_is_not_written_by_hand() {
    let written = "pub struct T; impl JsonSchema for T {
        fn schema_name() -> std::borrow::Cow<'static, str> { \"T\".into() }
        fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema { schemars::json_schema!({ \"type\": \"string\" }) }
        fn _schemars_private_is_option() -> bool { true }
    }";
    let (said, _) = read("1.2.3", "a: T", written);
    let expected =
        "invalid-attribute: `_schemars_private_is_option` is private to schemars, and not read";
    assert_eq!(said, [expected]);
}
