//! What people made of imported types is merged with what the CRDs changed.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use crd_channels_import::{
    Conflict, Files, Imported, Mapping, Purpose, import_as, merge, names_of_source,
};
use serde_json::{Value, json};

fn crd(spec: &Value) -> Value {
    json!({
        "metadata": {"name": "queues.example.dev"},
        "spec": {
            "group": "example.dev",
            "names": {"kind": "Queue", "plural": "queues"},
            "scope": "Namespaced",
            "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
                "type": "object",
                "required": ["spec"],
                "properties": {"spec": {"type": "object", "properties": spec}}
            }}}]
        }
    })
}

fn imported(spec: &Value, mapping: &Mapping) -> Imported {
    import_as(&[crd(spec)], None, Purpose::Source, mapping).unwrap()
}

fn files(imported: &Imported) -> Files {
    let files = imported.files.iter();
    files
        .map(|(path, text)| (format!("src/{path}"), text.clone()))
        .collect()
}

const QUEUE: &str = "src/v1/queue.rs";

/// Imports, edits, and updates. Returns the file of the kind.
fn updated(old: &Value, new: &Value, edits: &[(&str, &str)]) -> Result<Files, Vec<Conflict>> {
    let first = imported(old, &Mapping::default());
    let base = files(&first);
    let mut ours = base.clone();
    let text = ours.get_mut(QUEUE).unwrap();
    for (from, to) in edits {
        assert!(text.contains(from), "{from}\n{text}");
        *text = text.replace(from, to);
    }
    let again = imported(new, &first.mapping);
    let again = imported(new, &names_of_source(&base, &ours, &again));
    merge(&base, &ours, &files(&again))
}

fn queue(merged: Result<Files, Vec<Conflict>>) -> String {
    merged.unwrap_or_else(|conflicts| panic!("{conflicts:#?}"))[QUEUE].clone()
}

fn retry(more: &Value) -> Value {
    let mut properties = json!({"attempts": {"type": "integer", "format": "int32", "maximum": 5}});
    properties
        .as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    json!({"host": {"type": "string"}, "retry": {"type": "object", "properties": properties}})
}

#[test]
fn without_edits_it_is_a_new_import() {
    let (old, new) = (
        retry(&json!({})),
        json!({"port": {"type": "string", "enum": ["a", "b"]}}),
    );
    let merged = updated(&old, &new, &[]).unwrap();
    let first = imported(&old, &Mapping::default());
    assert_eq!(merged, files(&imported(&new, &first.mapping)));
}

#[test]
fn comments_code_and_derives_stay() {
    let old = retry(&json!({}));
    let new = retry(&json!({"seconds": {"type": "integer", "format": "int64"}}));
    let edits = [
        (
            "use serde::{Deserialize, Serialize};",
            "use serde::{Deserialize, Serialize};\nuse std::fmt; // ours",
        ),
        (
            "#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]\npub struct Retry",
            "// A comment of ours.\n#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize, Hash)]\npub struct Retry",
        ),
        (
            "    #[serde(skip_serializing_if = \"Option::is_none\")]\n    #[schemars(range(max",
            "    // How often.\n    #[serde(skip_serializing_if = \"Option::is_none\")]\n    #[schemars(range(max",
        ),
        (
            "pub retry: Option<Retry>,\n}\n",
            "pub retry: Option<Retry>, // first\n}\n\nimpl QueueSpec {\n    fn ours() {}\n}\n",
        ),
    ];
    let text = queue(updated(&old, &new, &edits));
    for part in [
        "use std::fmt; // ours\n",
        "// A comment of ours.\n#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize, Hash)]\npub struct Retry {\n    // How often.\n",
        "    pub retry: Option<Retry>, // first\n}\n\nimpl QueueSpec {\n    fn ours() {}\n}\n\n// A comment",
        "    pub attempts: Option<i32>,\n    #[serde(skip_serializing_if = \"Option::is_none\")]\n    pub seconds: Option<i64>,\n}\n",
    ] {
        assert!(text.contains(part), "{part}\n---\n{text}");
    }
}

#[test]
fn lists_of_names_are_merged_name_by_name() {
    let old = json!({"host": {"type": "string"}, "tags": {"type": "object", "additionalProperties": {"type": "string"}}});
    let kept = "use std::collections::BTreeMap;\n";
    let derives = "PartialEq, Serialize, ApiType)]";
    let edits = [
        (derives, "PartialEq, Serialize, ApiType, Eq)]"),
        (
            "pub host: Option<String>,\n",
            "pub host: Option<String>, // ours\n",
        ),
    ];
    // The map is gone, and there is a rule, which needs another derive.
    let rule = json!({"rule": "self.size() > 1"});
    let new = json!({"host": {"type": "string", "x-kubernetes-validations": [rule]}, "id": {"type": "boolean"}});
    let text = queue(updated(&old, &new, &edits));
    assert!(!text.contains(kept), "{text}");
    assert!(
        text.starts_with(
            "use crd_channels_derive::ApiType;\nuse kube::{CustomResource, KubeSchema};\nuse serde"
        ),
        "{text}"
    );
    assert!(
        text.contains("PartialEq, Serialize, ApiType, Eq, KubeSchema)]"),
        "{text}"
    );
    assert!(!text.contains("JsonSchema"), "{text}");
    assert!(
        text.contains("    pub host: Option<String>, // ours\n    #[serde"),
        "{text}"
    );
    // Both add at the end.
    let both = [(
        "Deserialize, JsonSchema, PartialEq, Serialize)]\npub struct Retry",
        "Deserialize, JsonSchema, PartialEq, Serialize, Hash)]\npub struct Retry",
    )];
    let marked = retry(&json!({"seconds": {"type": "integer", "nullable": true}}));
    let text = queue(updated(&retry(&json!({})), &marked, &both));
    assert!(
        text.contains("PartialEq, Serialize, Hash, ApiType)]\npub struct Retry"),
        "{text}"
    );
    // What people's code needs stays.
    let edits = [(
        "    pub tags: Option<BTreeMap<String, String>>,\n}\n",
        "    pub tags: Option<BTreeMap<String, String>>,\n}\n\ntype Own = BTreeMap<u8, u8>;\n",
    )];
    let text = queue(updated(&old, &json!({"host": {"type": "string"}}), &edits));
    assert!(text.contains(kept), "{text}");
}

#[test]
fn the_type_of_a_status_is_renamed_where_it_is_named() {
    let with = |status: &Value| {
        let mut crd = crd(&json!({}));
        let version = &mut crd["spec"]["versions"][0];
        version["subresources"] = json!({"status": {}});
        version["schema"]["openAPIV3Schema"]["properties"]["status"] = status.clone();
        vec![crd]
    };
    let old = with(&json!({"type": "object", "properties": {"a": {"type": "boolean"}}}));
    let new = with(
        &json!({"type": "object", "properties": {"a": {"type": "boolean"}, "b": {"type": "boolean"}}}),
    );
    let first = import_as(&old, None, Purpose::Source, &Mapping::default()).unwrap();
    let base = files(&first);
    let mut ours = base.clone();
    let text = ours.get_mut(QUEUE).unwrap();
    *text = text.replace("QueueStatus", "State");
    let again = import_as(&new, None, Purpose::Source, &first.mapping).unwrap();
    let again = import_as(
        &new,
        None,
        Purpose::Source,
        &names_of_source(&base, &ours, &again),
    )
    .unwrap();
    let text = queue(merge(&base, &ours, &files(&again)));
    assert!(
        text.contains("status = \"State\"") && text.contains("pub struct State {"),
        "{text}"
    );
    assert!(
        text.contains("pub b: Option<bool>,") && !text.contains("QueueStatus"),
        "{text}"
    );
}

#[test]
fn names_of_types_and_fields_stay() {
    let old = retry(&json!({}));
    let mut new = retry(&json!({"attempts": {"type": "integer", "format": "int32", "maximum": 9}}));
    // The type is used once more.
    new["again"] = new["retry"].clone();
    let edits = [
        ("Retry", "RetryPolicy"),
        ("pub attempts:", "pub times:"),
        (
            "    #[serde(skip_serializing_if = \"Option::is_none\")]\n    #[schemars(range",
            "    #[serde(rename = \"attempts\", skip_serializing_if = \"Option::is_none\")]\n    #[schemars(range",
        ),
    ];
    let text = queue(updated(&old, &new, &edits));
    let policy = "pub struct RetryPolicy {\n    #[serde(rename = \"attempts\", skip_serializing_if = \"Option::is_none\")]\n    \
                  #[schemars(range(max = 9))]\n    pub times: Option<i32>,\n}\n";
    for part in [
        policy,
        "    pub again: Option<RetryPolicy>,\n",
        "    pub retry: Option<RetryPolicy>,\n",
    ] {
        assert!(text.contains(part), "{part}\n---\n{text}");
    }
    assert!(
        !text.contains("Retry>") && !text.contains("Retry {"),
        "{text}"
    );
}

#[test]
fn variants_that_are_called_like_a_type_keep_their_names() {
    let values = json!({"type": "string", "enum": ["Retry", "Other"], "default": "Retry"});
    let old = retry(&json!({"kind": values}));
    let new = retry(&json!({"kind": values, "seconds": {"type": "integer"}}));
    let edits = [
        ("pub struct Retry", "pub struct Policy"),
        ("Option<Retry>", "Option<Policy>"),
        ("    Retry,\n", "    // Ours.\n    Retry,\n"),
    ];
    let text = queue(updated(&old, &new, &edits));
    for part in [
        "    // Ours.\n    Retry,\n",
        "Kind::Retry\n",
        "pub struct Policy {",
        "pub seconds",
    ] {
        assert!(text.contains(part), "{part}\n---\n{text}");
    }
}

#[test]
fn names_of_the_mapping_come_to_edited_types() {
    let old = retry(&json!({}));
    let first = imported(&old, &Mapping::default());
    let base = files(&first);
    let mut ours = base.clone();
    let text = ours.get_mut(QUEUE).unwrap();
    *text = text.replace("pub struct Retry", "/// Ours.\npub struct Retry") + "\nimpl Retry {}\n";
    let mut mapping = first.mapping.clone();
    let places = mapping.types.remove("Retry").unwrap();
    mapping.types.insert("Policy".to_owned(), places);
    let again = imported(&retry(&json!({"a": {"type": "boolean"}})), &mapping);
    let again = imported(
        &retry(&json!({"a": {"type": "boolean"}})),
        &names_of_source(&base, &ours, &again),
    );
    let text = queue(merge(&base, &ours, &files(&again)));
    for part in [
        "/// Ours.\npub struct Policy {",
        "pub a: Option<bool>,",
        "impl Policy {}",
        "pub retry: Option<Policy>,",
    ] {
        assert!(text.contains(part), "{part}\n---\n{text}");
    }
}

#[test]
fn types_move_with_what_people_made_of_them() {
    // Two kinds share the type now.
    let old = vec![crd(&retry(&json!({})))];
    let mut new = old.clone();
    let other = serde_json::to_string(&old[0]).unwrap();
    let other = other.replace("queue", "topic").replace("Queue", "Topic");
    new.push(serde_json::from_str(&other).unwrap());
    let first = import_as(&old, None, Purpose::Source, &Mapping::default()).unwrap();
    let base = files(&first);
    let mut ours = base.clone();
    let text = ours.get_mut(QUEUE).unwrap();
    *text = text.replace("pub struct Retry", "// Ours.\npub struct Retry");
    let again = import_as(&new, None, Purpose::Source, &first.mapping).unwrap();
    let merged = merge(&base, &ours, &files(&again)).unwrap();
    let shared = &merged["src/v1/shared.rs"];
    assert!(shared.contains("// Ours.\npub struct Retry {"), "{shared}");
    assert!(
        shared.starts_with("//! Types of several kinds.\n\nuse "),
        "{shared}"
    );
    assert!(
        merged[QUEUE].contains("use crate::v1::shared::Retry;\n")
            && !merged[QUEUE].contains("struct Retry"),
        "{}",
        merged[QUEUE]
    );
    // And people may have moved it before.
    let mut ours = base.clone();
    let (before, retry) = base[QUEUE].split_once("\n#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]\npub struct Retry").unwrap();
    ours.insert(
        QUEUE.to_owned(),
        before.replacen("use kube", "use crate::v1::policy::Retry;\nuse kube", 1),
    );
    let uses = "use schemars::JsonSchema;\nuse serde::{Deserialize, Serialize};\n\n";
    let moved = format!(
        "{uses}#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]\npub struct Retry{retry}"
    );
    ours.insert("src/v1/policy.rs".to_owned(), moved);
    let more = self::retry(&json!({"seconds": {"type": "integer"}}));
    let again = imported(&more, &first.mapping);
    let merged = merge(&base, &ours, &files(&again)).unwrap();
    assert!(
        merged["src/v1/policy.rs"].contains("pub seconds: Option<i64>"),
        "{merged:#?}"
    );
    assert!(!merged[QUEUE].contains("struct Retry"), "{}", merged[QUEUE]);
    // Whatever uses it from now on finds it there.
    let again = import_as(&new, None, Purpose::Source, &first.mapping).unwrap();
    let merged = merge(&base, &ours, &files(&again)).unwrap();
    let topic = &merged["src/v1/topic.rs"];
    assert!(topic.contains("use crate::v1::policy::Retry;\n"), "{topic}");
}

#[test]
fn what_both_changed_is_a_conflict() {
    let old = retry(&json!({}));
    let conflict = |new: &Value, edits: &[(&str, &str)]| -> Conflict {
        let mut conflicts = updated(&old, new, edits).unwrap_err();
        assert_eq!(conflicts.len(), 1, "{conflicts:#?}");
        conflicts.remove(0)
    };
    let nine = retry(&json!({"attempts": {"type": "integer", "format": "int32", "maximum": 9}}));
    let found = conflict(&nine, &[("max = 5", "max = 6")]);
    assert_eq!(
        (&*found.file, &*found.what),
        (QUEUE, "type Retry, `attempts`")
    );
    assert!(
        found.base.contains("max = 5")
            && found.ours.contains("max = 6")
            && found.theirs.contains("max = 9")
    );
    // A field or a type that is gone, and was edited.
    let gone = json!({"host": {"type": "string"}});
    conflict(&gone, &[("pub struct Retry", "// Ours.\npub struct Retry")]);
    let found = conflict(
        &retry(&json!({}))
            .as_object()
            .map(|all| json!({"retry": all["retry"]}))
            .unwrap(),
        &[("pub host", "// Ours.\n    pub host")],
    );
    assert_eq!(found.what, "type QueueSpec, `host`");
    // A type that people removed, and that changed.
    let text = files(&imported(&old, &Mapping::default()))[QUEUE].clone();
    let own = text
        .split_once("\n#[derive(Clone, Debug, Default")
        .unwrap()
        .1;
    let own = format!("\n#[derive(Clone, Debug, Default{own}");
    let found = conflict(&nine, &[(&own, "")]);
    assert!(found.ours.is_empty(), "{found:#?}");
    // Text that is not valid Rust.
    let found = conflict(&nine, &[("pub struct Retry", "pub struct struct Retry")]);
    assert!(
        found.what.starts_with("line ") && found.what.contains("no Rust"),
        "{}",
        found.what
    );
}

#[test]
fn what_a_kind_leaves_behind_goes_with_it() {
    let old = crd(&retry(&json!({})));
    let other = serde_json::to_string(&old)
        .unwrap()
        .replace("queue", "topic")
        .replace("Queue", "Topic")
        .replace("attempts", "tries");
    let other: Value = serde_json::from_str(&other).unwrap();
    let both = import_as(
        &[old.clone(), other],
        None,
        Purpose::Source,
        &Mapping::default(),
    )
    .unwrap();
    let one = import_as(&[old], None, Purpose::Source, &both.mapping).unwrap();
    let base = files(&both);
    let merged = merge(&base, &base, &files(&one)).unwrap();
    assert_eq!(merged, files(&one));
    let mut ours = base.clone();
    ours.get_mut("src/v1/topic.rs")
        .unwrap()
        .push_str("\nfn ours() {}\n");
    // What people wrote stays where it is, in a module.
    let merged = merge(&base, &ours, &files(&one)).unwrap();
    assert_eq!(merged["src/v1/topic.rs"], "\nfn ours() {}\n");
    assert_eq!(merged["src/v1/mod.rs"], "pub mod queue;\npub mod topic;\n");
    let none = merge(
        &base,
        &ours,
        &Files::from([("src/lib.rs".to_owned(), String::new())]),
    )
    .unwrap();
    let all = ["src/lib.rs", "src/v1/mod.rs", "src/v1/topic.rs"];
    assert_eq!(none.keys().collect::<Vec<_>>(), all);
    assert_eq!(none["src/lib.rs"], "pub mod v1;\n");
    assert_eq!(none["src/v1/mod.rs"], "pub mod topic;\n");
}

#[test]
fn blanks_in_strings_and_descriptions_are_edits() {
    let host = |pattern: &str, description: &str| json!({"host": {"type": "string", "pattern": pattern, "description": description}});
    let (old, new) = (host("a b", "Two words."), host("a c", "More words."));
    for (edit, kept) in [
        (("\"a b\"", "\"a  b\""), "\"a  c\""),
        (("/// Two words.", "/// Two  words."), "/// More  words."),
    ] {
        assert!(
            queue(updated(&old, &new, &[edit])).contains(kept),
            "{edit:?}"
        );
    }
    let layout = [("pub host: Option", "pub host:\n        Option")];
    assert!(queue(updated(&old, &new, &layout)).contains("\"a c\""));
}

#[test]
fn a_type_of_several_places_is_named_after_what_they_share() {
    let check = json!({"type": "object", "properties": {"path": {"type": "string"}}});
    let new = json!({"livenessProbe": check, "readinessProbe": check, "queue": {"type": "object", "properties": {"n": {"type": "string"}}}});
    let text = &files(&imported(&new, &Mapping::default()))[QUEUE];
    assert!(text.contains("pub struct Probe {"), "{text}");
    // The kind is called `Queue`.
    assert!(!text.contains("pub struct Queue {"), "{text}");
}
