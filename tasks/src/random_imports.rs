//! Random CRDs, and those of Gateway API, become types, and the types the same CRDs: no fact of either channel is lost, none is invented.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

use crate::drawn_crds::{self, accepted, lessen};
use crate::objects::dice::Dice;
use crate::random_crds;
use crate::tried_server::skipped;
use crd_channels_check as check;
use crd_channels_files::Disk;
use crd_channels_generator::Generator;
use crd_channels_import::{Files, Imported};
use crd_channels_released::documents;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The number of CRDs; `IMPORTS` sets another, and `IMPORTS_SEED` where the seeds begin.
const WANTED: u64 = 300;

/// CRDs by channel.
pub type Channels = BTreeMap<&'static str, Vec<Value>>;

/// A folder that is removed at the end.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let name = format!("crd-channels-imports-{name}-{}", std::process::id());
        Self(std::env::temp_dir().join(name))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |number| number.parse().unwrap())
}

/// Random CRDs, each of a group of its own: of random Rust types, and of anything that a schema can say.
pub fn drawn() -> impl Iterator<Item = (u64, Value)> {
    let from = number("IMPORTS_SEED", 1);
    let crds = (from..).filter_map(|seed| {
        let crd = match seed % 2 {
            0 => random_crds::crd(seed)?,
            _ => drawn_crds::drawn(seed)?,
        };
        Some((seed, crd))
    });
    let named = crds.map(|(seed, mut crd)| {
        let group = format!("s{seed}.example.com");
        let plural = crd["spec"]["names"]["plural"].as_str().unwrap();
        crd["metadata"]["name"] = format!("{plural}.{group}").into();
        crd["spec"]["group"] = group.into();
        (seed, crd)
    });
    named.take(usize::try_from(number("IMPORTS", WANTED)).unwrap())
}

pub fn is_crd(document: &Value) -> bool {
    document["kind"] == "CustomResourceDefinition"
}

/// CRDs with what is rare, and objects of them.
pub fn corners() -> (Vec<Value>, Vec<Value>) {
    let text = include_str!("imported_objects/corners.yaml");
    documents::parse(text)
        .unwrap()
        .into_iter()
        .partition(is_crd)
}

/// Everything that a CRD says, one line for each fact, read from its JSON alone.
pub fn facts(crd: &Value) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let spec = &crd["spec"];
    for key in ["group", "scope"] {
        all.insert(format!("{key} {}", spec[key]));
    }
    let kind = spec["names"]["kind"].as_str().unwrap();
    let mut names = json!({"listKind": format!("{kind}List"), "singular": kind.to_lowercase()});
    names
        .as_object_mut()
        .unwrap()
        .extend(spec["names"].as_object().unwrap().clone());
    names
        .as_object_mut()
        .unwrap()
        .retain(|_, value| *value != json!([]));
    all.insert(format!("names {names}"));
    for key in ["annotations", "labels"] {
        for (name, value) in crd["metadata"][key].as_object().into_iter().flatten() {
            if !name.ends_with("/channel") && !name.ends_with("/bundle-version") {
                all.insert(format!("{key} {name} {value}"));
            }
        }
    }
    for version in spec["versions"].as_array().unwrap() {
        let name = version["name"].as_str().unwrap();
        for (key, value) in version.as_object().unwrap() {
            match key.as_str() {
                "schema" => node(&value["openAPIV3Schema"], &format!("{name} "), &mut all),
                "additionalPrinterColumns" | "selectableFields" => {
                    for entry in value.as_array().unwrap() {
                        let mut entry = entry.clone();
                        entry
                            .as_object_mut()
                            .unwrap()
                            .retain(|_, value| *value != 0);
                        all.insert(format!("{name} {key} {entry}"));
                    }
                }
                _ if *value == false || *value == json!({}) => {}
                _ => drop(all.insert(format!("{name} {key} {value}"))),
            }
        }
    }
    all
}

fn node(schema: &Value, path: &str, all: &mut BTreeSet<String>) {
    all.insert(format!("{path}:"));
    for (key, value) in schema.as_object().unwrap() {
        match (key.as_str(), value) {
            (_, Value::Null) => {}
            ("default" | "example", value) => drop(all.insert(format!("{path} {key} {value}"))),
            (_, Value::Bool(false)) => {}
            (_, Value::String(text)) if text.is_empty() => {}
            ("properties", Value::Object(properties)) => {
                for (name, property) in properties {
                    node(property, &format!("{path}.{name}"), all);
                }
            }
            ("items", below) => node(below, &format!("{path}[]"), all),
            ("additionalProperties", below @ Value::Object(_)) => {
                node(below, &format!("{path}{{}}"), all);
            }
            ("required" | "enum" | "x-kubernetes-validations", Value::Array(entries)) => {
                for entry in entries {
                    all.insert(format!("{path} {key} {}", plain(entry)));
                }
            }
            _ => drop(all.insert(format!("{path} {key} {}", plain(value)))),
        }
    }
}

/// Numbers without the point that says nothing.
fn plain(value: &Value) -> Value {
    match value {
        Value::Number(number) => match number.as_f64() {
            Some(float) if float.fract() == 0.0 && float.abs() < 1e15 => json!(float as i64),
            _ => value.clone(),
        },
        Value::Array(items) => items.iter().map(plain).collect(),
        Value::Object(entries) => entries
            .iter()
            .map(|(key, value)| (key.clone(), plain(value)))
            .collect(),
        _ => value.clone(),
    }
}

/// Writes a workspace with the imported types.
pub fn write(imported: &Imported, is_two: bool, folder: &Path) {
    write_files(imported, &source_of(imported), is_two, folder);
}

/// The files of imported types, by their paths in the package.
fn source_of(imported: &Imported) -> Files {
    let files = imported.files.iter();
    files
        .map(|(path, text)| (format!("src/{path}"), text.clone()))
        .collect()
}

/// Writes a workspace with these files of the imported types.
fn write_files(imported: &Imported, files: &Files, is_two: bool, folder: &Path) {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let derive = repository.join("crates/derive");
    let manifest = format!(
        "[package]\nname = \"api\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n\
         crd-channels-derive = {{ path = {derive:?} }}\n\
         k8s-openapi = {{ version = \"0.29\", default-features = false, features = [\"v1_36\", \"schemars\"] }}\n\
         kube = {{ version = \"5\", default-features = false, features = [\"derive\"] }}\n\
         schemars = \"1\"\nserde = {{ version = \"1\", features = [\"derive\"] }}\nserde_json = \"1\"\n"
    );
    let write = |path: &str, text: &str| {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("Cargo.toml", &manifest);
    write(".cargo/config.toml", "[net]\noffline = true\n");
    fs::copy(repository.join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    let mut bundle = format!(
        "conventions = \"kubernetes\"\nannotation-prefix = \"example.com\"\nkubernetes = \"1.{}\"\n",
        check::NEWEST
    );
    if files
        .values()
        .any(|text| text.contains("conversion = \"webhook\""))
    {
        bundle.push_str(
            "[conversion.webhook]\nservice = { namespace = \"a\", name = \"b\", path = \"/c\" }\n",
        );
    }
    write("channels/bundle.toml", &bundle);
    let served = imported.served.iter();
    let served: String = served
        .map(|(stage, how)| format!("{stage} = \"{how}\"\n"))
        .collect();
    write(
        "channels/stable.toml",
        &format!("features = \"none\"\n{served}"),
    );
    if is_two {
        write("channels/experimental.toml", "features = \"all\"\n");
    }
    let features = imported.features.iter();
    let features: String = features
        .map(|name| format!("[{name}]\nsummary = \"s\"\n"))
        .collect();
    if !features.is_empty() {
        write("channels/features.toml", &features);
    }
    for (path, text) in files {
        write(path, text);
    }
}

/// Writes a workspace with the imported types. Returns the facts that differ, or what the generator refuses.
pub fn differing(channels: &Channels, folder: &Path) -> Result<Vec<String>, String> {
    let imported = crd_channels_import::import(
        &channels["stable"],
        channels.get("experimental").map(Vec::as_slice),
    );
    let imported = imported.unwrap_or_else(|problems| panic!("{problems:#?}"));
    differing_files(channels, &source_of(&imported), &imported, folder)
}

/// The errors of what the generator says, without warnings; everything if there are none.
fn errors(text: &str) -> String {
    let parts = text.split("\n\n");
    let errors: Vec<&str> = parts.filter(|part| part.starts_with("error[")).collect();
    match errors.is_empty() {
        true => text.to_owned(),
        false => errors.join("\n\n"),
    }
}

/// Writes a workspace with these files. Returns the facts that differ, or what the generator refuses.
pub fn differing_files(
    channels: &Channels,
    files: &Files,
    imported: &Imported,
    folder: &Path,
) -> Result<Vec<String>, String> {
    let is_two = channels.contains_key("experimental");
    write_files(imported, files, is_two, folder);
    let generated = Generator::new(folder).run();
    let generated = generated.map_err(|refused| errors(&refused.to_string()))?;
    let mut made: BTreeMap<(String, String), Value> = BTreeMap::new();
    for crd in generated.crds {
        let document = documents::parse(&crd.yaml).unwrap().remove(0);
        let name = document["metadata"]["name"].as_str().unwrap().to_owned();
        made.insert((crd.channel, name), document);
    }
    let mut found = Vec::new();
    for (channel, crds) in channels {
        for old in crds {
            let name = old["metadata"]["name"].as_str().unwrap();
            let Some(new) = made.remove(&((*channel).to_owned(), name.to_owned())) else {
                found.push(format!("{channel}: {name} is missing"));
                continue;
            };
            let (old, new) = (facts(old), facts(&new));
            found.extend(
                old.difference(&new)
                    .map(|fact| format!("{channel} {name} lost {fact}")),
            );
            found.extend(
                new.difference(&old)
                    .map(|fact| format!("{channel} {name} invented {fact}")),
            );
        }
    }
    found.extend(
        made.into_keys()
            .map(|(channel, name)| format!("{channel}: {name} is new")),
    );
    Ok(found)
}

#[test]
fn random_crds_are_made_again() {
    let mut crds: Vec<Value> = drawn().map(|(_, crd)| crd).collect();
    crds.extend(corners().0);
    let channels = Channels::from([("stable", crds)]);
    let folder = Folder::new("one");
    let found = differing(&channels, &folder.0);
    let found = found.unwrap_or_else(|refused| panic!("{refused}"));
    assert!(
        found.is_empty(),
        "{} differ\n{}",
        found.len(),
        found[..found.len().min(20)].join("\n")
    );
}

#[test]
fn what_only_one_channel_has_is_gated() {
    let mut channels = Channels::from([("stable", Vec::new()), ("experimental", Vec::new())]);
    let mut less = 0_u64;
    for (seed, crd) in drawn() {
        let mut dice = Dice::new(&format!("import {seed}"));
        let mut stable = crd.clone();
        let root = "/spec/versions/0/schema/openAPIV3Schema/properties";
        for part in ["spec", "status"] {
            if let Some(node) = stable.pointer_mut(&format!("{root}/{part}")) {
                lessen(node, &mut dice);
            }
        }
        let both = [stable.clone(), crd.clone()];
        let imported = crd_channels_import::import(&both[..1], Some(&both[1..]));
        if stable == crd || !accepted(&stable) || imported.is_err() {
            continue;
        }
        less += 1;
        channels.get_mut("stable").unwrap().push(stable);
        channels.get_mut("experimental").unwrap().push(crd);
    }
    let folder = Folder::new("two");
    // What a channel names and does not have is refused, each time with the file of its group.
    let mut refused = 0;
    let found = loop {
        let why = match differing(&channels, &folder.0) {
            Ok(found) => break found,
            Err(why) => why,
        };
        let errors = why.split("\n\n");
        let codes = ["error[gated-", "error[empty-enum"];
        let wrong = errors
            .clone()
            .find(|text| !codes.iter().any(|code| text.starts_with(code)));
        assert_eq!(wrong, None);
        let groups: BTreeSet<String> = errors
            .filter_map(|text| text.split("src/s").nth(1)?.split('_').next())
            .map(|seed| format!(".s{seed}.example.com"))
            .collect();
        assert!(!groups.is_empty(), "{why}");
        refused += groups.len() as u64;
        for crds in channels.values_mut() {
            crds.retain(|crd| {
                let name = crd["metadata"]["name"].as_str().unwrap();
                !groups.iter().any(|group| name.ends_with(group.as_str()))
            });
        }
        let _ = fs::remove_dir_all(&folder.0);
    };
    // An example has only what the channel has, whatever it was.
    let found: Vec<String> = found
        .into_iter()
        .filter(|fact| !fact.contains(" example "))
        .collect();
    println!("{less} pairs of channels, {refused} refused");
    assert!(
        refused < less / 3 && less > number("IMPORTS", WANTED) / 4,
        "{less}, {refused} refused"
    );
    assert!(
        found.is_empty(),
        "{} differ\n{}",
        found.len(),
        found[..found.len().min(20)].join("\n")
    );
}

/// The texts of the files in a folder.
fn texts_in(folder: &Path) -> impl Iterator<Item = String> {
    let files = documents::yaml_and_json_files(folder, &Disk);
    let texts = files.into_iter().map(fs::read_to_string);
    texts.map(Result::unwrap)
}

/// The documents in a folder.
pub fn documents_in(folder: &Path) -> impl Iterator<Item = Value> {
    texts_in(folder).flat_map(|text| documents::parse(&text).unwrap())
}

/// The documents of those files in a folder that can be parsed.
pub fn parsed_in(folder: &Path) -> impl Iterator<Item = Value> {
    texts_in(folder).flat_map(|text| documents::parse(&text).unwrap_or_default())
}

/// The CRDs in a folder.
pub fn crds_in(folder: &Path) -> Vec<Value> {
    let all = documents_in(folder);
    all.filter(is_crd).collect()
}

#[test]
fn both_channels_of_gateway_api_are_made_again() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let corpus = repository.join("../shared/corpus/gateway-api");
    let Ok(releases) = fs::read_dir(&corpus) else {
        skipped("the releases of Gateway API are not imported: `../shared/corpus` is absent");
        return;
    };
    for release in releases {
        let release = release.unwrap().path();
        let channels = Channels::from([
            ("stable", crds_in(&release.join("standard"))),
            ("experimental", crds_in(&release.join("experimental"))),
        ]);
        let name = release.file_name().unwrap().to_str().unwrap();
        let folder = Folder::new(name);
        let found = differing(&channels, &folder.0).unwrap_or_else(|refused| panic!("{refused}"));
        let facts = channels.values().flatten().map(|crd| facts(crd).len());
        println!("{name}: {} facts in two channels", facts.sum::<usize>());
        assert!(found.is_empty(), "{name}: {found:#?}");
    }
}
