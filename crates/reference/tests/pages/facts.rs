//! Pages have every fact that schemas have, and of each channel no other.

use crate::hostile::searchable;
use crate::html::elements;
use crate::oracle::{Raw, Spot, lives, places, said, seen, squeezed, text, values, versions};
use crate::reader::found;
use crate::{CHANNELS, Files, api, api_of, api_of_raw, raw};
use crd_channels_reference::{Api, Look, site};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The pages of a site, by the names of the CRDs that they are about.
pub fn pages(files: &Files) -> BTreeMap<String, &str> {
    let pages = files.iter().filter(|(path, _)| path.ends_with(".html"));
    let pages = pages.filter_map(|(path, page)| {
        let all = elements(page);
        let mut all = all.iter();
        all.find(|it| it.name == "dt" && it.text == "CRD")?;
        Some((all.next()?.text.clone(), &**path))
    });
    pages.collect()
}

/// What is known about a kind besides its versions.
pub fn head(crds: &BTreeMap<&'static str, &Value>) -> String {
    // What the experimental channel says goes for both.
    let (_, crd) = crds.first_key_value().unwrap();
    let text = |pointer: &str| text(crd, pointer).unwrap_or_default();
    let list = |key: &str| {
        let all = crd
            .pointer(&format!("/spec/names/{key}"))
            .and_then(Value::as_array);
        let all: Vec<&str> = all
            .into_iter()
            .flatten()
            .map(|it| it.as_str().unwrap())
            .collect();
        all.join(", ")
    };
    let singular = match text("/spec/names/singular") {
        "" => text("/spec/names/kind").to_lowercase(),
        singular => singular.to_owned(),
    };
    let short = match list("shortNames") {
        names if names.is_empty() => names,
        names => format!(", {names}"),
    };
    let categories = match list("categories") {
        names if names.is_empty() => names,
        names => format!("Categories: {names}"),
    };
    let scope = match text("/spec/scope") {
        "Namespaced" => "objects live in namespaces",
        _ => "objects live in the whole cluster",
    };
    squeezed(&format!(
        "CRD: {} Names: {}, {singular}{short}{categories} Scope: {scope} Channels: {}",
        text("/metadata/name"),
        text("/spec/names/plural"),
        channels(crds)
    ))
}

/// The values that a search finds, by their paths.
type Searched = BTreeMap<String, BTreeSet<String>>;

/// The paths that a script has, by the file of the page and the version.
fn searched(script: &str) -> BTreeMap<(String, String), Searched> {
    let [data, _] = searchable(script);
    let mut all = BTreeMap::new();
    for kind in data.as_array().unwrap() {
        for version in kind[3].as_array().unwrap() {
            let mut above: Vec<String> = Vec::new();
            let mut paths = Searched::new();
            for line in version[2].as_str().unwrap().lines() {
                let rest = line.trim_start_matches('\t');
                above.truncate(line.len() - rest.len());
                let around = above.last().cloned().unwrap_or_default();
                if let Some(value) = rest.strip_prefix('=') {
                    let values = paths.get_mut(&around).unwrap();
                    assert!(values.insert(value.to_owned()), "{around}: {value}");
                    continue;
                }
                // Values have their channels compared; what the pages say of fields is.
                let path = around + rest.split('\t').next().unwrap_or_default();
                let is_new = paths.insert(path.clone(), BTreeSet::new()).is_none();
                assert!(is_new, "{path}");
                above.push(path);
            }
            let text = |value: &Value| value.as_str().unwrap().to_owned();
            all.insert((text(&kind[0]) + ".html", text(&version[0])), paths);
        }
    }
    all
}

/// The values of a place as a script has them, each with its channel if it is in one of several only.
fn searched_values(there: &BTreeMap<&'static str, Spot<'_>>) -> BTreeSet<String> {
    let mut all: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for (channel, spot) in there {
        for value in values(spot.schema) {
            let text = value.to_string().replace(['\t', '\n'], " ");
            all.entry(text).or_default().insert(channel);
        }
    }
    all.into_iter()
        .map(
            |(text, channels)| match channels.into_iter().collect::<Vec<_>>().as_slice() {
                [one] if there.len() > 1 => format!("{text}\t{one}"),
                _ => text,
            },
        )
        .collect()
}

fn channels<T>(crds: &BTreeMap<&'static str, T>) -> String {
    let channels = CHANNELS.iter().map(|(_, name)| *name);
    let channels: Vec<&str> = channels.filter(|it| crds.contains_key(it)).collect();
    channels.join(" and ")
}

/// Compares a site with what the CRDs of the last release say. Returns how many places it has.
pub fn compare(files: &Files, raw: &Raw) -> usize {
    let pages = pages(files);
    let names: BTreeSet<String> = raw.names().into_iter().map(seen).collect();
    assert_eq!(pages.keys().cloned().collect::<BTreeSet<_>>(), names);
    let index = elements(&files["index.html"]);
    let mut searched = searched(&files["search.js"]);
    let mut count = 0;
    for name in raw.names() {
        let page = &files[pages[&seen(name)]];
        let crds = raw.last(name);
        let about = elements(page);
        let about = about.iter().find(|it| it.is("dl", "about")).unwrap();
        assert_eq!(squeezed(&about.text), head(&crds), "{name}");
        let is_link = |href: &str| href == pages[&seen(name)];
        assert_eq!(
            index
                .iter()
                .filter(|it| it.attribute("href").is_some_and(is_link))
                .count(),
            1,
            "{name}"
        );
        for (version, ..) in crds.values().flat_map(|crd| versions(crd)) {
            let page = (pages[&seen(name)].to_owned(), version.to_owned());
            let Some(found) = searched.remove(&page) else {
                continue;
            };
            let mut places = places(&crds, version);
            places.retain(|path, _| !path.is_empty());
            for (path, found) in &found {
                assert_eq!(*found, searched_values(&places[path]), "{name} {path}");
            }
            // Those of which their lists say everything.
            let mut less = places.keys().filter(|path| !found.contains_key(*path));
            assert!(
                less.all(|it| it.ends_with("[]") || it.ends_with("{}")),
                "{name} {version}"
            );
        }
        let lives = lives(raw, name);
        // A page about a kind of one channel has no switch.
        for channel in crds.keys() {
            let found = found(page, channel);
            let mut expected = said(raw, name, channel, &lives);
            count += expected.len();
            let badges: BTreeMap<String, String> = expected
                .iter()
                .map(|(id, said)| (id.clone(), said.badge.clone()))
                .collect();
            for (id, said) in &mut expected {
                let there = found
                    .get(id)
                    .unwrap_or_else(|| panic!("{name} has no {id} in {channel}"));
                let list = id.strip_suffix("[]").or_else(|| id.strip_suffix("{}"));
                if let Some(list) = list.filter(|_| there.ty.is_none()) {
                    // The list says these.
                    assert_eq!(said.badge, badges[list], "{name} {id} in {channel}");
                    said.ty = None;
                    said.badge = String::new();
                    said.is_marked = false;
                }
                assert_eq!(there, said, "{name} {id} in {channel}");
            }
            let more: Vec<&String> = found
                .keys()
                // Those of the page itself are of no field.
                .filter(|id| !expected.contains_key(*id) && !id.starts_with('_'))
                .collect();
            assert!(more.is_empty(), "{name} in {channel}: {more:?}");
        }
    }
    assert!(searched.is_empty(), "{:?}", searched.keys());
    count
}

fn check(api: &Api) -> usize {
    compare(&site(api, &Look::default()).unwrap(), &raw(api))
}

/// A CRD with everything that schemas can say.
pub const FULL: &str = r#"{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "beds.example.dev"},
"spec": {"group": "example.dev", "names": {"plural": "beds", "kind": "Bed"}, "scope": "Cluster", "versions": [{
"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {"type": "object", "description": "A bed.", "required": ["spec"], "properties": {
"spec": {"type": "object", "x-kubernetes-map-type": "atomic", "minProperties": 1, "maxProperties": 9, "properties": {
  "width": {"type": "integer", "format": "int32", "minimum": 90, "maximum": 200, "exclusiveMaximum": true, "multipleOf": 5, "default": 90, "nullable": true},
  "name": {"type": "string", "minLength": 1, "maxLength": 63, "pattern": "^[a-z|`]+$", "title": "The name", "example": "a"},
  "kind": {"type": "string", "enum": ["Single", "Double", ""]},
  "size": {"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}]},
  "layers": {"type": "array", "minItems": 1, "maxItems": 3, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"], "items": {
    "type": "object", "description": "A layer.", "required": ["name"], "properties": {"name": {"type": "string"}}}},
  "rows": {"type": "array", "items": {"type": "array", "items": {"type": "object", "properties": {"a b": {"type": "boolean"}}}}},
  "labels": {"type": "object", "additionalProperties": {"type": "string", "maxLength": 3}},
  "template": {"type": "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true}},
  "x-kubernetes-validations": [
    {"rule": "self.width > 1", "message": "has to be `wide`", "reason": "FieldValueInvalid", "fieldPath": ".width"},
    {"rule": "self == oldSelf"},
    {"rule": "self.name != ''\n  && self.kind != ''", "messageExpression": "self.name"}],
  "oneOf": [{"required": ["width"]}, {"required": ["size"]}], "not": {"required": ["rows"]}}}}}}]}}"#;

/// A text that pages do not repeat.
const LONG: &str = "What people sleep in, which has to be long enough that a later version that says the same has a link in its place.";

#[test]
fn sites_have_every_fact_of_each_channel_and_no_other() {
    assert!(check(&api()) > 250);
    assert!(check(&api_of(FULL)) > 15);
    // Versions of which the later ones say the same in part: what differs has to be there.
    let mut crd: Value = serde_json::from_str(FULL).unwrap();
    for (number, (place, value)) in [
        ("/description", json!("A bed of another form.")),
        ("/properties/spec/description", json!(LONG)),
        (
            "/properties/spec/description",
            json!(LONG.replace("sleep", "lie")),
        ),
        ("/properties/spec/properties/name/pattern", json!(LONG)),
        (
            "/properties/spec/properties/name/pattern",
            json!(LONG.replace("sleep", "lie")),
        ),
        ("/properties/spec/properties/kind/description", json!(LONG)),
        ("/properties/spec/properties/kind/enum", json!(["Single"])),
    ]
    .into_iter()
    .enumerate()
    {
        let versions = crd["spec"]["versions"].as_array_mut().unwrap();
        let mut version = versions.last().unwrap().clone();
        version["name"] = json!(format!("v{}", number + 2));
        version["storage"] = json!(false);
        let schema = &mut version["schema"]["openAPIV3Schema"];
        let (above, name) = place.rsplit_once('/').unwrap();
        schema.pointer_mut(above).unwrap()[name] = value;
        versions.push(version);
    }
    assert!(check(&api_of(&crd.to_string())) > 120);
}

/// A page does not list elements about which their list says everything, but these came later than it.
#[test]
fn elements_that_came_later_say_so() {
    let release = |name: &str, more: Value| {
        let mut crd: Value = serde_json::from_str(FULL).unwrap();
        let spec = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties";
        *crd.pointer_mut(spec).unwrap() = json!({"rows": more});
        let crds = CHANNELS.map(|(_, channel)| (channel, vec![crd.clone()]));
        (name.to_owned(), crds.into())
    };
    let items = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    let raw = Raw {
        releases: vec![
            release("v1", json!({"type": "array"})),
            release("v2", json!({"type": "array", "items": items})),
        ],
    };
    let files = site(&api_of_raw(&raw), &Look::default()).unwrap();
    assert!(compare(&files, &raw) > 4);
}
