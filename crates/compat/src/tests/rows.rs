//! Pairs of sets for every rule of the catalogue: each yields exactly its findings, and none if nothing changes.

use crate::findings::waivers;
use crate::schemas::differences::differences;
use crate::{Channel, Part, Published, Report, Set, catalogue, compare, schema_differences};
use crd_channels_released::documents;
use crd_channels_released::manifest::{ConditionList, ConditionType, Polarity, Reason};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use walkdir::WalkDir;

const TABLES: [(&str, &str); 5] = [
    ("conditions", include_str!("rows/conditions.yaml")),
    ("crds", include_str!("rows/crds.yaml")),
    ("schemas", include_str!("rows/schemas.yaml")),
    ("channels", include_str!("rows/channels.yaml")),
    ("versions", include_str!("rows/versions.yaml")),
];

/// What no pair of CRDs can show: entries of a ledger of tombstones, and findings of rules that claim every keyword.
const NOT_HERE: [&str; 4] = [
    "tombstone-erased",
    "tombstone-missing",
    "tombstone-reused",
    "unclassified",
];

fn pairs() -> Vec<(String, Value)> {
    let mut all = Vec::new();
    for (table, text) in TABLES {
        for (index, pair) in documents::parse(text).unwrap().into_iter().enumerate() {
            all.push((format!("{table}[{index}]"), pair));
        }
    }
    all
}

/// RFC 7396.
fn merge(target: &mut Value, patch: &Value) {
    let Value::Object(patch) = patch else {
        *target = patch.clone();
        return;
    };
    if !target.is_object() {
        *target = json!({});
    }
    for (key, value) in patch {
        if value.is_null() {
            target.as_object_mut().unwrap().remove(key);
        } else {
            merge(&mut target[key], value);
        }
    }
}

/// A CRD made from a short description: `schema` is that of `spec`, `root` that of the whole object, `versions` lists the
/// differences from a served and stored `v1`, `conditions` the declared conditions of each, the rest is merged into the CRD.
pub(super) fn crd(patch: &Value, bundle: &str, channel: Channel) -> Published {
    let mut patch = patch.clone();
    let fields = patch.as_object_mut().unwrap();
    let spec = fields.remove("schema").unwrap_or(json!({"type": "object"}));
    let root = fields.remove("root").unwrap_or(json!({}));
    let conditions = fields.remove("conditions").unwrap_or(Value::Null);
    let versions = fields.remove("versions").unwrap_or(json!([{}]));
    let mut whole = json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {
            "name": "widgets.example.com",
            "annotations": {
                "example.com/bundle-version": bundle,
                "example.com/channel": channel.to_string(),
            },
        },
        "spec": {
            "group": "example.com",
            "names": {"kind": "Widget", "plural": "widgets"},
            "scope": "Namespaced",
        },
    });
    merge(&mut whole, &patch);
    let versions = versions.as_array().unwrap().iter().map(|version| {
        let mut version = version.clone();
        let own = version.as_object_mut().unwrap();
        let schema = own.remove("spec").unwrap_or(spec.clone());
        let mut object = json!({"type": "object", "properties": {"spec": schema}});
        merge(&mut object, &root);
        let mut full = json!({
            "name": "v1", "served": true, "storage": true,
            "schema": {"openAPIV3Schema": object},
        });
        merge(&mut full, &version);
        full
    });
    whole["spec"]["versions"] = versions.collect();
    let published = Published::read(&whole).unwrap().unwrap();
    let versions = published.crd.versions.iter();
    let lists = versions.filter(|_| !conditions.is_null());
    let lists = lists.map(|version| condition_list(&version.name, &conditions));
    let lists: Vec<ConditionList> = lists.collect();
    published.declaring(Some(&lists))
}

/// The conditions of a version by name: `positive` or `negative` with the statuses of its reasons, `optional`, `by`, `until`.
fn condition_list(version: &str, conditions: &Value) -> ConditionList {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let types = conditions.as_object().unwrap().iter().map(|(name, of)| {
        let (polarity, reasons) = match of.get("positive") {
            Some(reasons) => (Polarity::Positive, reasons),
            None => (Polarity::Negative, &of["negative"]),
        };
        let reasons = reasons.as_object().unwrap().iter();
        let reasons = reasons.flat_map(|(name, statuses)| {
            let statuses = statuses.as_str().unwrap().split(' ');
            statuses.map(|status| Reason {
                name: Some(name.clone()),
                status: status.to_owned(),
            })
        });
        ConditionType {
            name: name.clone(),
            polarity,
            optional: of["optional"] == true,
            replaced_by: text(&of["by"]),
            until: text(&of["until"]),
            reasons: reasons.collect(),
        }
    });
    ConditionList {
        group: "example.com".to_owned(),
        kind: "Widget".to_owned(),
        version: version.to_owned(),
        path: "status.conditions".to_owned(),
        types: types.collect(),
    }
}

fn set(text: &Value, bundle: &str) -> Set {
    let mut set = Set::default();
    let both = text.get("stable").is_some() || text.get("experimental").is_some();
    set.by_folder = both;
    for (channel, name) in [
        (Channel::Stable, "stable"),
        (Channel::Experimental, "experimental"),
    ] {
        let crds = match (both, channel) {
            (true, _) => text.get(name),
            (false, Channel::Stable) => Some(text),
            (false, Channel::Experimental) => None,
        };
        let list = match crds {
            Some(Value::Array(list)) => list.clone(),
            Some(one) => vec![one.clone()],
            None => continue,
        };
        set.channels.entry(channel).or_default();
        for patch in list {
            set.insert(channel, crd(&patch, bundle, channel)).unwrap();
        }
    }
    set
}

fn report_lines(report: &Report) -> Vec<String> {
    let mut lines: Vec<String> = report
        .findings
        .iter()
        .map(|finding| {
            let change = &finding.change;
            let channel = match finding.channel {
                Channel::Stable => "",
                Channel::Experimental => "experimental ",
            };
            format!(
                "{channel}{} {} {}/{}/{} {}",
                finding.record.id,
                finding.path,
                change.stored,
                change.writers,
                change.readers,
                change.bump
            )
        })
        .collect();
    lines.sort();
    lines
}

#[test]
fn every_row_is_judged_as_the_catalogue_says() {
    let mut failures = Vec::new();
    for (name, pair) in pairs() {
        let (old, new) = (set(&pair["old"], "v0.1.0"), set(&pair["new"], "v0.2.0"));
        let found = report_lines(&compare(&old, &new));
        let mut expected: Vec<String> = pair["finds"]
            .as_array()
            .unwrap()
            .iter()
            .map(|line| line.as_str().unwrap().to_owned())
            .collect();
        expected.sort();
        if found != expected {
            failures.push(format!(
                "{name}\n  expected {expected:#?}\n  found {found:#?}"
            ));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn what_did_not_change_is_silent() {
    for (name, pair) in pairs() {
        for side in ["old", "new"] {
            let same = set(&pair[side], "v0.1.0");
            assert_eq!(
                report_lines(&compare(&same, &same)),
                Vec::<String>::new(),
                "{name}"
            );
            // Only the version of the bundle must change.
            let stamped = set(&pair[side], "v0.1.1");
            assert_eq!(
                report_lines(&compare(&same, &stamped)),
                Vec::<String>::new(),
                "{name}"
            );
        }
    }
}

/// Rules cover everything that `differences` lists, and nothing else of two CRDs.
#[test]
fn what_differs_is_found_and_what_is_found_differs() {
    let mut failures = Vec::new();
    for (name, pair) in pairs() {
        let (old, new) = (set(&pair["old"], "v0.1.0"), set(&pair["new"], "v0.2.0"));
        let (Some(before), Some(after), 1) = (
            old.channel(Channel::Stable),
            new.channel(Channel::Stable),
            old.channels.len(),
        ) else {
            continue;
        };
        let report = compare(&old, &new);
        for (crd, before) in before {
            let Some(after) = after.get(crd) else {
                continue;
            };
            // Both are decided for whole sets.
            let is_stamp = |part: &Part| {
                let stamps = ["/bundle-version", "/channel"];
                matches!(part, Part::Field(key, ..) if stamps.iter().any(|stamp| key.ends_with(stamp)))
            };
            let of_set = ["bundle-mixed", "channel-flipped"];
            // A CRD does not have its declared conditions.
            let of_conditions = |id: &str| id.starts_with("condition");
            let mut differing = Vec::new();
            for difference in differences(before, after) {
                match difference.part {
                    Part::Schemas(old, new) => {
                        schema_differences(&old, &new, &mut |path, _, fields| {
                            let fields = fields.iter().map(|field| format!("{path} {field:?}"));
                            differing.extend(fields);
                            true
                        })
                    }
                    part if is_stamp(&part) => {}
                    part => differing.push(format!("{part:?}")),
                }
            }
            let found: Vec<&str> = report
                .findings
                .iter()
                .filter(|finding| finding.is_of(&before.crd))
                .map(|finding| finding.record.id)
                .filter(|id| !of_set.contains(id) && !of_conditions(id))
                .collect();
            if found.is_empty() != differing.is_empty() {
                failures.push(format!("{name}: found {found:?}, differing {differing:?}"));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_rule_speaks_in_some_pair() {
    let spoken: BTreeSet<String> = pairs()
        .iter()
        .flat_map(|(_, pair)| pair["finds"].as_array().unwrap().clone())
        .map(|line| {
            let line = line.as_str().unwrap();
            let line = line.strip_prefix("experimental ").unwrap_or(line);
            line.split(' ').next().unwrap().to_owned()
        })
        .collect();
    let mut ids = BTreeSet::new();
    let catalogued: BTreeSet<String> = catalogue().iter().map(|it| it.id.to_owned()).collect();
    let missing: Vec<_> = spoken.difference(&catalogued).collect();
    assert!(missing.is_empty(), "the catalogue lacks {missing:?}");
    for record in catalogue() {
        assert!(ids.insert(record.id), "duplicate `{}`", record.id);
        // Components are not part of CRDs; they have their own tests.
        let unreachable = NOT_HERE.contains(&record.id) || record.id.starts_with("component-");
        assert!(
            unreachable || spoken.contains(record.id),
            "`{}` never speaks",
            record.id
        );
    }
}

/// Rules that are not about a node are added to the catalogue by hand; pages and `explain` list only the catalogue.
#[test]
fn every_record_is_in_the_catalogue() {
    let catalogued: BTreeSet<&str> = catalogue().iter().map(|record| record.id).collect();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files = WalkDir::new(&source).into_iter();
    let files = files.filter_entry(|entry| entry.file_name() != "tests");
    let paths = files.map(|file| file.unwrap().into_path());
    let mut codes = 0;
    for path in paths.filter(|path| path.extension().is_some_and(|it| it == "rs")) {
        let text = fs::read_to_string(&path).unwrap();
        for start in ["Record::new(", " id: \""] {
            let rests = text.split(start).skip(1);
            let rests = rests.map(|rest| rest.trim_start().trim_start_matches('"'));
            let found = rests.filter_map(|rest| rest.split('"').next());
            for code in found.filter(|code| !code.is_empty()) {
                codes += 1;
                let shown = path.display();
                assert!(
                    catalogued.contains(code),
                    "the catalogue lacks `{code}` of {shown}"
                );
            }
        }
    }
    assert!(codes > 100, "{codes}");
}

/// Servers and clients treat both alike.
#[test]
fn what_means_the_same_is_silent() {
    let object = |schema: Value| json!({"schema": schema});
    let text = json!({"type": "string"});
    let column = json!({"name": "A", "type": "string", "jsonPath": ".spec.a"});
    let mut foremost = column.clone();
    foremost["priority"] = json!(0);
    let both = json!([{"type": "integer"}, {"type": "string"}]);
    let int_or_string = |junctors: Value| {
        let mut schema = json!({"x-kubernetes-int-or-string": true});
        merge(&mut schema, &junctors);
        object(schema)
    };
    for (one, other) in [
        (
            json!({"versions": [{"additionalPrinterColumns": [column]}]}),
            json!({"versions": [{"additionalPrinterColumns": [foremost]}]}),
        ),
        (
            json!({"spec": {"names": {"categories": ["a", "b"]}}}),
            json!({"spec": {"names": {"categories": ["b", "a"], "listKind": "WidgetList"}}}),
        ),
        (
            json!({"root": {"properties": {"metadata": {"type": "object"}}}}),
            json!({"root": {"properties": {"kind": {"type": "string", "description": "K."}}}}),
        ),
        (
            object(json!({"type": "number", "minimum": 1, "default": 2})),
            object(json!({"type": "number", "minimum": 1.0, "default": 2.0})),
        ),
        (
            object(
                json!({"type": "object", "properties": {"a": text, "b": text}, "required": ["a", "b"]}),
            ),
            object(
                json!({"type": "object", "properties": {"a": text, "b": text}, "required": ["b", "a"]}),
            ),
        ),
        (
            int_or_string(json!({"anyOf": both})),
            int_or_string(json!({})),
        ),
        (
            int_or_string(json!({"anyOf": [{}, {}]})),
            int_or_string(json!({"allOf": [{"anyOf": [{"type": "string"}, {"type": "integer"}]}]})),
        ),
    ] {
        for (old, new) in [(&one, &other), (&other, &one)] {
            let (old, new) = (set(old, "v0.1.0"), set(new, "v0.1.1"));
            assert_eq!(
                report_lines(&compare(&old, &new)),
                Vec::<String>::new(),
                "{one} {other}"
            );
        }
    }
    let written = crd(&object(text), "v0.1.0", Channel::Stable);
    let mut nulls = serde_json::to_value(&written.crd).unwrap();
    for path in [
        "/spec/versions/0",
        "/spec/versions/0/schema/openAPIV3Schema/properties/spec",
    ] {
        for key in [
            "additionalPrinterColumns",
            "deprecated",
            "default",
            "enum",
            "required",
        ] {
            let object = nulls.pointer_mut(path).unwrap().as_object_mut().unwrap();
            object.insert(key.to_owned(), Value::Null);
        }
    }
    let read = Published::read(&nulls).unwrap().unwrap();
    assert_eq!(read.crd, written.crd);
}

#[test]
fn waivers_lower_what_they_name_for_one_bundle() {
    let old = set(
        &json!({"schema": {"type": "string", "maxLength": 9}}),
        "v0.1.0",
    );
    let new = set(
        &json!({"schema": {"type": "string", "maxLength": 5}}),
        "v0.1.1",
    );
    let check = |bundle: &str, path: &str, bump: &str| {
        let text = format!(
            "[[waiver]]\nkind = \"Widget\"\npath = \"{path}\"\nbundle = \"{bundle}\"\nreason = \"longer ones never worked\"\n"
        );
        let mut report = compare(&old, &new);
        let waivers = waivers::parse(&text).unwrap();
        waivers::apply(&waivers, new.bundle_version().as_deref(), &mut report);
        assert_eq!(report.bump().to_string(), bump, "{text}");
    };
    check("v0.1.1", "spec", "patch");
    check("v0.1.2", "spec", "new-api-version");
    check("v0.1.1", "spec.other", "new-api-version");
    assert!(
        waivers::parse("[[waiver]]\nkind = \"a\"\npath = \"b\"\nbundle = \"c\"\nreason = \" \"")
            .is_err()
    );
}

#[test]
fn stamps_must_rise_and_agree() {
    let text = json!({"schema": {"type": "string", "maxLength": 9}});
    let looser = json!({"schema": {"type": "string", "maxLength": 10}});
    let check = |old: &str, new: &str, expected: &str| {
        let report = compare(&set(&text, old), &set(&looser, new));
        assert_eq!(report.bump().to_string(), expected, "{old} to {new}");
    };
    check("v0.9.0", "v0.10.0", "minor");
    check("v0.10.0", "v0.9.0", "never");
    check("v0.9.0", "v0.9.0", "never");
    check("v0.9.0-rc.1", "v0.9.0", "minor");
    check("v0.9.0-rc.2", "v0.9.0-rc.10", "minor");
    check("monthly-1", "monthly-2", "minor");
}
