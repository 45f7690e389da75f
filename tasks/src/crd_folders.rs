//! Random CRDs of two channels are published as they are, and what the channels differ in is gated: every such place, no other.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

use crate::drawn_crds::{accepted, lessen};
use crate::objects::dice::Dice;
use crate::random_imports::{Folder, drawn, facts, number};
use crd_channels_diagnostics::{Sink, Sources};
use crd_channels_files::Disk;
use crd_channels_generator::{Generator, pipeline};
use crd_channels_projection::channel::gated;
use crd_channels_released::documents;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The place of a difference: the kind's group, the version, and the path.
type Place = (String, String, String);

/// The value of a keyword that says something.
fn keyword<'v>(schema: &'v Value, key: &str) -> Option<&'v Value> {
    let value = schema.get(key)?;
    let is_flag = !["additionalProperties", "default", "example"].contains(&key);
    let says_nothing = value.is_null() || is_flag && *value == false;
    (!says_nothing).then_some(value)
}

/// The path of a property, as the reports of features write it.
fn property(path: &str, name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-$".contains(c);
    match (name.chars().all(is_plain) && !name.is_empty(), path) {
        (false, _) => format!("{path}['{name}']"),
        (true, "") => name.to_owned(),
        (true, _) => format!("{path}.{name}"),
    }
}

/// Finds the paths at which two schemas differ, from their JSON alone.
fn differing(one: Option<&Value>, two: Option<&Value>, path: &str, found: &mut BTreeSet<String>) {
    let (Some(one), Some(two)) = (one, two) else {
        found.insert(path.to_owned());
        return;
    };
    let keys = [one, two].map(|it| it.as_object().unwrap().keys());
    for key in keys.into_iter().flatten().collect::<BTreeSet<_>>() {
        let [a, b] = [one, two].map(|it| keyword(it, key));
        let both = (a, b);
        match key.as_str() {
            "properties" => {
                let inside = [a, b].into_iter().flatten();
                let names = inside.flat_map(|it| it.as_object().unwrap().keys());
                for name in names.collect::<BTreeSet<_>>() {
                    let [a, b] = [a, b].map(|it| it.and_then(|it| it.get(name)));
                    let below = property(path, name);
                    let requires = [one, two].map(|it| {
                        let required = it["required"].as_array();
                        required.is_some_and(|it| it.iter().any(|it| it == name))
                    });
                    if a.is_some() && b.is_some() && requires[0] != requires[1] {
                        found.insert(below.clone());
                    }
                    differing(a, b, &below, found);
                }
            }
            "required" => {}
            "items" => match both {
                (Some(_), Some(_)) => differing(a, b, &format!("{path}[]"), found),
                _ => drop(found.insert(path.to_owned())),
            },
            "additionalProperties" if [a, b].iter().flatten().all(|it| it.is_object()) => {
                match both {
                    (Some(_), Some(_)) => differing(a, b, &format!("{path}{{}}"), found),
                    _ => drop(found.insert(path.to_owned())),
                }
            }
            _ if a != b => drop(found.insert(path.to_owned())),
            _ => {}
        }
    }
}

#[test]
fn folders_of_random_crds_are_published_and_gated() {
    let folder = Folder::new("folders");
    let write = |path: &str, text: &str| {
        let path = folder.0.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let bundle = "version = \"0.1.0\"\nannotation-prefix = \"example.com\"\n";
    write("channels/bundle.toml", bundle);
    let mut given: BTreeMap<(String, String), Value> = BTreeMap::new();
    let mut wanted: BTreeSet<Place> = BTreeSet::new();
    for (seed, crd) in drawn() {
        let mut dice = Dice::new(&format!("folders {seed}"));
        let mut less = crd.clone();
        let versions = less["spec"]["versions"].as_array_mut().unwrap();
        for version in versions {
            let schema = &mut version["schema"]["openAPIV3Schema"];
            for part in ["spec", "status"] {
                if let Some(node) = schema["properties"].get_mut(part) {
                    lessen(node, &mut dice);
                }
            }
        }
        if !accepted(&less) {
            continue;
        }
        let group = crd["spec"]["group"].as_str().unwrap().to_owned();
        for (nth, version) in crd["spec"]["versions"]
            .as_array()
            .unwrap()
            .iter()
            .enumerate()
        {
            let other = &less["spec"]["versions"][nth]["schema"]["openAPIV3Schema"];
            let own = &version["schema"]["openAPIV3Schema"];
            let mut paths = BTreeSet::new();
            differing(Some(own), Some(other), "", &mut paths);
            let version = version["name"].as_str().unwrap();
            wanted.extend(
                paths
                    .into_iter()
                    .map(|path| (group.clone(), version.to_owned(), path)),
            );
        }
        let [stable, experimental] = [less, crd];
        let name = format!("{seed}.yaml");
        for (channel, crd) in [("stable", stable), ("experimental", experimental)] {
            write(&format!("config/{channel}/{name}"), &crd.to_string());
            let name = crd["metadata"]["name"].as_str().unwrap().to_owned();
            given.insert((channel.to_owned(), name), crd);
        }
    }
    for channel in ["stable", "experimental"] {
        let text = format!("crds = \"config/{channel}\"\n");
        write(&format!("channels/{channel}.toml"), &text);
    }
    are_published(&folder.0, given);
    are_gated(&folder.0, &wanted);
    println!("{} places differ", wanted.len());
    let least = usize::try_from(number("IMPORTS", 300)).unwrap();
    assert!(wanted.len() > least, "{}", wanted.len());
}

fn are_published(root: &Path, mut given: BTreeMap<(String, String), Value>) {
    let generated = Generator::new(root).run();
    let generated = generated.unwrap_or_else(|refused| panic!("{refused}"));
    for made in generated.crds {
        let crd = documents::parse(&made.yaml).unwrap().remove(0);
        let name = crd["metadata"]["name"].as_str().unwrap().to_owned();
        let old = given.remove(&(made.channel.clone(), name.clone())).unwrap();
        assert_eq!(facts(&crd), facts(&old), "{name} in {}", made.channel);
    }
    assert_eq!(
        given.keys().collect::<Vec<_>>(),
        Vec::<&(String, String)>::new()
    );
}

fn are_gated(root: &Path, wanted: &BTreeSet<Place>) {
    let (sources, mut sink) = (Sources::default(), Sink::default());
    let setup = pipeline::setup(root, &Disk, &sources, &mut sink).unwrap();
    let kinds = pipeline::read_kinds(&setup, &Disk, &sources, &mut sink);
    let mut found: BTreeSet<Place> = BTreeSet::new();
    for kind in &kinds {
        for gate in gated(std::slice::from_ref(kind), "unnamed") {
            let path = gate.path.trim_start_matches('.').to_owned();
            found.insert((kind.group.to_string(), gate.version.to_string(), path));
        }
    }
    let missing: Vec<&Place> = wanted.difference(&found).collect();
    let invented: Vec<&Place> = found.difference(wanted).collect();
    assert!(
        missing.is_empty() && invented.is_empty(),
        "missing {missing:#?}\ninvented {invented:#?}"
    );
}
