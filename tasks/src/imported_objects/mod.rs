//! Objects that imported CRDs accept, through the imported types, compiled: what is read and written is the same object, and the
//! CRD accepts it again. What a type cannot keep, `import` has said.
//!
//! `IMPORTS_READ` is the number of random CRDs. `IMPORTED` names folders of CRDs with objects of them, separated as in `PATH`, to
//! take beside them, and `IMPORTED_OBJECTS` how many objects of each version are drawn.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

#[path = "../../../oracle/tests/shared/compiled.rs"]
mod compiled;

use crate::objects::dice::Dice;
use crate::objects::valid;
use crate::random_imports::{corners, crds_in, documents_in, drawn, number, write};
use crate::random_objects::damage;
use crate::tried_server::skipped;
use crd_channels_import::{Imported, Mapping, Purpose, import_as};
use crd_channels_validation::path::Path as SchemaPath;
use crd_channels_validation::schema::{Faults, JsonNode, Schema, decode_schema};
use crd_channels_validation::{Validator, Verdict, Violation};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The number of random CRDs, and of objects of each version.
const WANTED: u64 = 40;
const OBJECTS: u64 = 24;

/// The types that are tried, and what is added to the names of their packages.
const PURPOSES: [(&str, Purpose); 3] = [
    ("", Purpose::Source),
    (
        "-client",
        Purpose::Client {
            keep_unknown: false,
        },
    ),
    ("-keeping", Purpose::Client { keep_unknown: true }),
];

/// Reads the objects of a file and writes what the types make of them.
const MAIN: &str = r#"
fn read<T: serde::Serialize + serde::de::DeserializeOwned>(object: &str) -> serde_json::Value {
    let written = serde_json::from_str::<T>(object).and_then(|read| serde_json::to_string(&read));
    match written {
        Ok(written) => serde_json::json!({ "written": written }),
        Err(error) => serde_json::json!({ "error": error.to_string() }),
    }
}

fn main() {
    for line in std::fs::read_to_string("objects.jsonl").unwrap().lines() {
        let (kind, object) = line.split_once('\t').unwrap();
        let read = match kind {
CALLS            other => panic!("{other}"),
        };
        println!("{read}");
    }
}
"#;

/// A version of a CRD.
struct Version {
    /// `queues.example.dev v1`, as `import` names its places.
    place: String,
    kind: String,
    schema: Value,
    validator: Validator,
}

impl Version {
    /// The versions of a CRD, whose status is written with the rest.
    fn all(crd: &Value) -> Vec<Self> {
        let mut crd = crd.clone();
        let versions = crd["spec"]["versions"].as_array_mut().unwrap();
        for version in &mut *versions {
            version.as_object_mut().unwrap().remove("subresources");
        }
        let versions = versions.clone().into_iter();
        let name = crd["metadata"]["name"].as_str().unwrap();
        let kind = crd["spec"]["names"]["kind"].as_str().unwrap();
        let versions = versions.map(|version| {
            let of = version["name"].as_str().unwrap();
            Self {
                place: format!("{name} {of}"),
                kind: kind.to_owned(),
                schema: version["schema"]["openAPIV3Schema"].clone(),
                validator: Validator::new(&crd, of).unwrap(),
            }
        });
        versions.collect()
    }
}

/// Objects with the version that they are of, as clients read them.
type Objects<'a> = Vec<(&'a Version, Value)>;

#[derive(Default)]
struct Tally {
    counts: BTreeMap<String, usize>,
    failures: Vec<String>,
}

impl Tally {
    fn count(&mut self, what: &str) {
        *self.counts.entry(what.to_owned()).or_default() += 1;
    }

    fn finish(self, name: &str, least: usize) {
        println!("{name}: {:?}", self.counts);
        let shown = &self.failures[..self.failures.len().min(10)];
        let count = self.failures.len();
        assert!(count == 0, "{name}: {count} differ\n{}", shown.join("\n"));
        let equal = self.counts.get("equal").copied().unwrap_or_default();
        assert!(equal >= least, "{name}: only {equal} of {least} are equal");
    }
}

/// Draws objects of a version: valid ones, and changed ones that are valid still.
fn draw<'a>(version: &'a Version, count: u64, tally: &mut Tally) -> Objects<'a> {
    let root = SchemaPath::root("openAPIV3Schema");
    let node = JsonNode::new(&version.schema, &root);
    let schema = decode_schema(&mut Faults::default(), node);
    let mut dice = Dice::new(&version.place);
    let mut objects = Vec::new();
    for number in 0..count {
        let mut object = valid::decoded(&schema, &mut dice).unwrap_or_else(|| json!({}));
        for part in ["spec", "status"] {
            let below = schema.properties.get(part).filter(|_| dice.chance(4, 5));
            if object.get(part).is_none()
                && let Some(drawn) = below.and_then(|below| valid::decoded(below, &mut dice))
            {
                object[part] = drawn;
            }
        }
        if number % 2 == 1 {
            let damage = damage::draw(&schema, &object, &mut dice);
            if damage.what != "metadata" {
                object = damage.object;
            }
        }
        object["metadata"] = json!({"name": "main"});
        accept(version, object, &mut objects, tally);
    }
    objects
}

/// Adds an object as clients read it, if the CRD accepts it.
fn accept<'a>(
    version: &'a Version,
    mut object: Value,
    objects: &mut Objects<'a>,
    tally: &mut Tally,
) {
    let (_, rest) = version.place.split_once('.').unwrap();
    let (group, name) = rest.split_once(' ').unwrap();
    object["apiVersion"] = format!("{group}/{name}").into();
    object["kind"] = version.kind.clone().into();
    let mut verdict = version.validator.create(&object);
    // A namespace is part of the request.
    let own = |violation: &&Violation| violation.field != "metadata.namespace";
    match verdict.violations.iter().find(own) {
        Some(_) => tally.count("refused"),
        None => {
            whole(&mut verdict.object);
            objects.push((version, verdict.object));
        }
    }
}

fn kinds(imported: &Imported) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for (path, text) in &imported.files {
        let Some((_, kube)) = text.split_once("#[kube(") else {
            continue;
        };
        let value = |key: &str| {
            let (_, rest) = kube.split_once(&format!("{key} = \"")).unwrap();
            rest.split('"').next().unwrap()
        };
        let module = path.trim_end_matches(".rs").replace('/', "::");
        let place = format!(
            "{}.{} {}",
            value("plural"),
            value("group"),
            value("version")
        );
        found.insert(place, format!("api::{module}::{}", value("kind")));
    }
    found
}

/// Compiles the types and sends the objects through them.
fn try_all(name: &str, imported: &Imported, objects: &Objects<'_>, tally: &mut Tally) {
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/imported");
    let folder = target.join(name);
    let _ = fs::remove_dir_all(folder.join("src"));
    write(imported, false, &folder);
    let mut calls = String::new();
    for (place, path) in kinds(imported) {
        writeln!(calls, "            {place:?} => read::<{path}>(object),").unwrap();
    }
    let built = target.join("target");
    let lock = folder.join("Cargo.lock");
    compiled::target_folder(&built, &target.join("../dependencies"), &lock);
    let layout = Command::new(env!("CARGO"))
        .args(["fmt", "--check"])
        .current_dir(&folder)
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        layout.status.success(),
        "{name}: {}{}",
        text(&layout.stdout),
        text(&layout.stderr)
    );
    fs::write(folder.join("src/main.rs"), MAIN.replace("CALLS", &calls)).unwrap();
    let lines = objects
        .iter()
        .map(|(version, object)| format!("{}\t{object}\n", version.place));
    fs::write(folder.join("objects.jsonl"), lines.collect::<String>()).unwrap();
    let output = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--offline"])
        .current_dir(&folder)
        .env("CARGO_TARGET_DIR", built)
        .env("CARGO_PROFILE_DEV_DEBUG", "false")
        .output()
        .unwrap();
    assert!(output.status.success(), "{name}: {}", text(&output.stderr));
    let answers = text(&output.stdout);
    assert_eq!(answers.lines().count(), objects.len(), "{name}");
    let losses: BTreeSet<&str> = imported.losses.iter().map(|it| it.place.as_str()).collect();
    for ((version, object), answer) in objects.iter().zip(answers.lines()) {
        let answer: Value = serde_json::from_str(answer).unwrap();
        compare(version, object, &answer, &losses, tally);
    }
}

fn compare(
    version: &Version,
    object: &Value,
    answer: &Value,
    losses: &BTreeSet<&str>,
    tally: &mut Tally,
) {
    let root = SchemaPath::root("openAPIV3Schema");
    let node = JsonNode::new(&version.schema, &root);
    let schema = decode_schema(&mut Faults::default(), node);
    let said = |path: &str| losses.contains(format!("{} {path}", version.place).as_str());
    let mut fail = |what: &str| {
        let failure = format!("{}: {what}\n  {object}\n  {answer}", version.place);
        tally.failures.push(failure);
    };
    let Some(written) = answer["written"].as_str() else {
        match unread(object, &schema, String::new(), &said) {
            true => tally.count("not read, as said"),
            false => fail("not read"),
        }
        return;
    };
    let text = written;
    let mut written: Value = serde_json::from_str(text).unwrap();
    if written.to_string().len() != text.len() {
        fail("a field is written twice");
        return;
    }
    whole(&mut written);
    let mut differing = Vec::new();
    differences(object, &written, &schema, String::new(), &mut differing);
    let silent = differing.iter().find(|(path, _)| !said(path));
    if let Some((path, what)) = silent {
        fail(&format!("`{path}` differs: {what}"));
        return;
    }
    let (old, new) = (
        version.validator.create(object),
        version.validator.create(&written),
    );
    let refused = |verdict: &Verdict| {
        let all = verdict.violations.iter().map(ToString::to_string);
        all.collect::<BTreeSet<String>>()
    };
    if let Some(why) = refused(&new).difference(&refused(&old)).next() {
        match differing.is_empty() {
            true => fail(&format!("it is refused again: {why}")),
            false => tally.count("refused again, as said"),
        }
        return;
    }
    match differing.is_empty() {
        true => tally.count("equal"),
        false => tally.count("differing, as said"),
    }
}

/// The schemas of what is in an object or a list, by the brackets or the name that lead there.
fn below<'s, 'a>(
    schema: Option<&'s Schema<'a>>,
    name: &str,
    path: &str,
) -> (Option<&'s Schema<'a>>, String) {
    let property = schema.and_then(|schema| schema.properties.get(name));
    match (property, schema.and_then(Schema::values)) {
        (Some(property), _) => (Some(property), format!("{path}.{name}")),
        (None, Some(values)) => (Some(values), format!("{path}{{}}")),
        (None, None) => (None, format!("{path}.{name}")),
    }
}

/// Whether an object has something that `import` said would not be read.
fn unread(value: &Value, schema: &Schema<'_>, path: String, said: &dyn Fn(&str) -> bool) -> bool {
    let here = match value {
        Value::Number(number) => number.as_i64().is_none_or(|it| i32::try_from(it).is_err()),
        // Servers accept more texts than a `Time` reads.
        Value::String(_) => true,
        // Servers accept a list for a string with a format.
        Value::Array(_) if schema.ty == "string" => return true,
        Value::Object(fields) if path.is_empty() => !fields.contains_key("spec") && said(".spec"),
        _ => false,
    };
    (here && (said(&path) || path.is_empty()))
        || match value {
            Value::Object(fields) => fields.iter().any(|(name, value)| {
                let (schema, path) = below(Some(schema), name, &path);
                schema.is_some_and(|schema| unread(value, schema, path, said))
            }),
            Value::Array(items) => schema.item().is_some_and(|item| {
                let path = format!("{path}[]");
                items
                    .iter()
                    .any(|value| unread(value, item, path.clone(), said))
            }),
            _ => false,
        }
}

fn differences(
    old: &Value,
    new: &Value,
    schema: &Schema<'_>,
    path: String,
    found: &mut Vec<(String, String)>,
) {
    walk(old, new, Some(schema), path, found);
}

fn walk(
    old: &Value,
    new: &Value,
    schema: Option<&Schema<'_>>,
    path: String,
    found: &mut Vec<(String, String)>,
) {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
            for name in names {
                let (schema, path) = below(schema, name, &path);
                match (old.get(name), new.get(name)) {
                    (Some(old), Some(new)) => walk(old, new, schema, path, found),
                    (old, new) => found.push((path, format!("{old:?} became {new:?}"))),
                }
            }
        }
        (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
            for (old, new) in old.iter().zip(new) {
                let item = schema.and_then(Schema::item);
                walk(old, new, item, format!("{path}[]"), found);
            }
        }
        (old, new) if old == new => {}
        (old, new) => found.push((path, format!("{old} became {new}"))),
    }
}

/// Writes `0.0` as `0`, as servers do.
fn whole(value: &mut Value) {
    match value {
        Value::Object(fields) => fields.values_mut().for_each(whole),
        Value::Array(items) => items.iter_mut().for_each(whole),
        Value::Number(number) if number.is_f64() => {
            let float = number.as_f64().unwrap();
            if float.fract() == 0.0 && float.abs() < 1e15 {
                *value = json!(float as i64);
            }
        }
        _ => {}
    }
}

fn imported(crds: &[Value], purpose: Purpose) -> Imported {
    let imported = import_as(crds, None, purpose, &Mapping::default());
    imported.unwrap_or_else(|problems| panic!("{problems:#?}"))
}

fn versions(crds: &[Value]) -> Vec<Version> {
    crds.iter().flat_map(Version::all).collect()
}

/// Adds a field that no schema has yet.
fn add_unknown((version, object): &mut (&Version, Value)) {
    let has_fields = version.schema["properties"]["spec"]["properties"].is_object();
    let fields = object.get_mut("spec").and_then(Value::as_object_mut);
    if let Some(fields) = fields.filter(|_| has_fields) {
        fields.insert("later".to_owned(), json!({"a": [null]}));
    }
}

/// Draws objects of all versions of these CRDs, adds those that are given, and tries them. Returns how many of these there were.
fn tried(name: &str, crds: &[Value], given: &[Value]) -> usize {
    let each = number("IMPORTED_OBJECTS", OBJECTS);
    let versions = versions(crds);
    let mut tally = Tally::default();
    let mut objects: Objects<'_> = Vec::new();
    for version in &versions {
        let drawn = draw(version, each, &mut tally);
        objects.extend(drawn);
    }
    let of: BTreeMap<String, (&Value, &Value)> = crds
        .iter()
        .map(|crd| {
            let spec = &crd["spec"];
            let key = format!("{} {}", spec["group"], spec["names"]["kind"]);
            (key, (&crd["metadata"]["name"], spec))
        })
        .collect();
    let mut real = 0;
    for object in given {
        let api = object["apiVersion"].as_str().unwrap_or_default();
        let (group, version) = api.split_once('/').unwrap_or_default();
        let Some((name, _)) = of.get(&format!("{} {}", json!(group), object["kind"])) else {
            continue;
        };
        let place = format!("{} {version}", name.as_str().unwrap());
        if let Some(version) = versions.iter().find(|known| known.place == place) {
            let before = objects.len();
            accept(version, object.clone(), &mut objects, &mut tally);
            real += objects.len() - before;
        }
    }
    println!(
        "{name}: {} versions, {} objects, {real} of them real",
        versions.len(),
        objects.len()
    );
    let least = usize::try_from(each).unwrap() * versions.len() / 4;
    println!("{name}: {:?}", tally.counts);
    for (suffix, purpose) in PURPOSES {
        let name = format!("{name}{suffix}");
        let mut tally = Tally::default();
        if purpose == (Purpose::Client { keep_unknown: true }) {
            objects.iter_mut().for_each(add_unknown);
        }
        try_all(&name, &imported(crds, purpose), &objects, &mut tally);
        tally.finish(&name, least);
    }
    real
}

#[test]
fn clients_have_the_types_of_kubernetes() {
    let flat = |crds: &[Value], keep_unknown: bool| {
        let imported = imported(crds, Purpose::Client { keep_unknown });
        imported.files["v1/flat.rs"].clone()
    };
    let (mut crds, _) = corners();
    let types = [
        "Vec<Condition>",
        "<LabelSelector>",
        "<ObjectReference>",
        "<ResourceRequirements>",
        "Vec<Toleration>",
    ];
    let text = flat(&crds, false);
    for name in types {
        assert!(text.contains(name), "{name}: {text}");
    }
    assert!(!flat(&crds, true).contains("k8s_openapi::apimachinery::pkg::apis"));
    // One that requires more, or has a field more, is another type.
    let flats = crds
        .iter_mut()
        .find(|crd| crd["spec"]["names"]["kind"] == "Flat");
    let version = &mut flats.unwrap()["spec"]["versions"][0];
    let fields = &mut version["schema"]["openAPIV3Schema"]["properties"];
    fields["selector"]["required"] = json!(["matchLabels"]);
    fields["target"]["properties"]["more"] = json!({"type": "string"});
    let text = flat(&crds, false);
    assert!(
        !text.contains("::LabelSelector") && !text.contains("ObjectReference"),
        "{text}"
    );
}

#[test]
fn objects_with_exactly_one_property_are_enums() {
    let crds = corners().0;
    let text = |purpose| imported(&crds, purpose).files["v1/choice.rs"].clone();
    let [of_source, of_client, keeping] = PURPOSES.map(|(_, purpose)| text(purpose));
    assert!(of_source.contains("pub enum Source {"), "{of_source}");
    // Only a client's type says less than that there are no other properties.
    assert!(of_source.contains("pub struct Provider {"), "{of_source}");
    assert!(of_client.contains("pub enum Source {"), "{of_client}");
    assert!(of_client.contains("pub enum Provider {"), "{of_client}");
    assert!(!keeping.contains("pub enum Source {"), "{keeping}");
}

#[test]
fn objects_of_random_crds_are_kept() {
    let count = usize::try_from(number("IMPORTS_READ", WANTED)).unwrap();
    let (mut crds, objects) = corners();
    crds.extend(drawn().map(|(_, crd)| crd).take(count));
    assert_eq!(tried("random", &crds, &objects), objects.len());
}

#[test]
fn objects_of_gateway_api_are_kept() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let corpus = repository.join("../shared/corpus/gateway-api/v1.3.0/experimental");
    match corpus.is_dir() {
        true => drop(tried("gateway-api", &crds_in(&corpus), &[])),
        false => skipped("no objects of Gateway API are read: `../shared/corpus` is absent"),
    }
}

#[test]
fn real_objects_are_kept() {
    let Some(folders) = std::env::var_os("IMPORTED") else {
        skipped(
            "no objects of other projects are read: `IMPORTED` names no folders of CRDs and objects",
        );
        return;
    };
    for folder in std::env::split_paths(&folders) {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let objects: Vec<Value> = documents_in(&folder).collect();
        tried(&name, &crds_in(&folder), &objects);
    }
}
