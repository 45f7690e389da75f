//! Rust types with attributes, from which CRDs of any origin are generated again.
#![doc = include_str!("../README.md")]

mod attributes;
mod crd;
mod docs;
mod features;
mod files;
mod homes;
mod kinds;
mod known;
mod literals;
mod mapping;
mod merge;
mod merged;
mod meta;
mod names;
mod recorded;
mod same;
mod shapes;
mod source;
mod ty;
mod types;
mod typing;
mod unions;

use crate::crd::{Crd, STAGES};
use crate::features::Features;
use crate::homes::Homes;
use crate::mapping::{ByPlace, Places};
pub use crate::mapping::{Entries, Mapping, leave_out};
pub use crate::merge::{Conflict, Files, merge, merge_texts, names_of_source};
pub use crate::recorded::{Named, Unmatched};
use crate::shapes::Shapes;
use crate::source::{Package, Roots};
use crate::types::Definitions;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The source of a package, made of CRDs.
#[derive(Clone, Debug, Default)]
pub struct Imported {
    /// Texts by their paths below the package's `src`.
    pub files: BTreeMap<String, String>,
    /// The features that gates name.
    pub features: Vec<String>,
    /// Settings of the stable channel: `alpha` or `beta`, and how it serves such versions.
    pub served: BTreeMap<&'static str, &'static str>,
    /// What the types do not keep of objects that the CRDs accept.
    pub losses: Vec<Problem>,
    /// The mapping that gives all names again, without entries that lead nowhere.
    pub mapping: Mapping,
    /// The types.
    pub types: Vec<Named>,
    /// The entries of the given mapping that lead nowhere.
    pub unmatched: Vec<Unmatched>,
    /// What entries may name.
    pub places: BTreeSet<String>,
}

/// What the types are for.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Purpose {
    /// To generate the CRDs again.
    #[default]
    Source,
    /// To read and write objects of somebody's API: without schemas.
    Client {
        /// Whether every struct keeps the fields that its schema does not have.
        keep_unknown: bool,
    },
}

impl Purpose {
    pub(crate) fn is_client(self) -> bool {
        self != Purpose::Source
    }

    pub(crate) fn keeps_unknown(self) -> bool {
        self == Purpose::Client { keep_unknown: true }
    }
}

/// Something about a CRD that cannot be written as a type.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Problem {
    /// The CRD, the version and the field.
    pub place: String,
    /// What is the matter.
    pub message: String,
}

/// What was found so far.
#[derive(Debug, Default)]
pub(crate) struct Problems(Vec<Problem>);

impl Problems {
    pub(crate) fn add(&mut self, place: &str, message: &str) {
        let problem = Problem {
            place: place.to_owned(),
            message: message.to_owned(),
        };
        if !self.0.contains(&problem) {
            self.0.push(problem);
        }
    }

    /// Says that something differs between the channels for which no attribute has a condition.
    pub(crate) fn differs(&mut self, place: &str, what: &str) {
        let message = format!("`{what}` differs between the channels, which no attribute can say");
        self.add(place, &message);
    }
}

/// Makes types of the CRDs of one channel, or of a stable and an experimental one, as [`import_as`] does.
///
/// # Errors
///
/// What cannot be said with types and attributes, each with its place.
pub fn import(stable: &[Value], experimental: Option<&[Value]>) -> Result<Imported, Vec<Problem>> {
    import_as(stable, experimental, Purpose::Source, &Mapping::default())
}

/// Makes types for a purpose, with the names of a mapping. What it leaves out is not in the CRDs any more ([`leave_out`]).
///
/// The documents are CRDs of `apiextensions.k8s.io/v1` that a server accepts.
///
/// # Errors
///
/// What cannot be said with types and attributes, each with its place, and what the mapping asks for and cannot be.
pub fn import_as(
    stable: &[Value],
    experimental: Option<&[Value]>,
    purpose: Purpose,
    mapping: &Mapping,
) -> Result<Imported, Vec<Problem>> {
    let experimental = experimental.unwrap_or(stable);
    let name = |document: &Value| {
        document["metadata"]["name"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    let mut documents: BTreeMap<String, [Option<&Value>; 2]> = BTreeMap::new();
    for (channel, set) in [stable, experimental].into_iter().enumerate() {
        for document in set {
            documents.entry(name(document)).or_default()[channel] = Some(document);
        }
    }
    let mut problems = Problems::default();
    for (name, why) in recorded::wrong_names(mapping) {
        problems.add(&name, why);
    }
    let mut features = Features::new(&mapping.features);
    let crds: Vec<Crd<'_>> = documents
        .iter()
        .map(|(name, documents)| Crd {
            name,
            documents: *documents,
        })
        .collect();
    let mut versions = Vec::new();
    for crd in &crds {
        for version in crd.versions() {
            let path = format!("{} {version} ", crd.name);
            let root = crd::schema(crd.version(&version), &path, &mut problems);
            features.collect(&root);
            versions.push((crd, version, root));
        }
    }
    let names = [&mapping.same, &mapping.types].map(ByPlace::new);
    let uses = ByPlace::new(&mapping.uses);
    let mut shapes = Shapes {
        definitions: Definitions::default(),
        uses: &uses,
        names: &names[1],
        places: Places::default(),
        features: &features,
        problems: &mut problems,
        losses: Problems::default(),
        purpose,
    };
    let kinds: Vec<kinds::Kind> = versions
        .iter()
        .map(|(crd, version, root)| kinds::kind(crd, version, root, &mut shapes))
        .collect();
    let Shapes {
        definitions,
        mut places,
        losses,
        ..
    } = shapes;
    for kind in &kinds {
        places.add(&kind.place);
    }
    for (crd, version, _) in &versions {
        places.add(&format!("{} {version} ", crd.name));
    }
    let places = places.into_names();
    same(mapping, &definitions, &mut problems);
    let served = served(&versions, &mut problems);
    if !problems.0.is_empty() {
        return Err(problems.0);
    }
    let homes = Homes::new(&kinds, &definitions, mapping);
    let mut roots = Roots::new();
    let described = kinds.iter().filter(|_| !purpose.is_client());
    for kind in described {
        let number = roots.len() + 1;
        let name = match number {
            1 => "object".to_owned(),
            number => format!("object_{number}"),
        };
        let json = kind.root.to_string();
        roots.entry(json).or_insert((name, &kind.root));
    }
    let package = Package {
        kinds: &kinds,
        definitions: &definitions,
        homes: &homes,
        roots: &roots,
        is_client: purpose.is_client(),
    };
    let files = files::files(package.modules(), &roots);
    let used = definitions.all.iter().map(|definition| &definition.shape);
    let used = used
        .chain(kinds.iter().map(|kind| &kind.spec))
        .flat_map(types::Shape::features);
    let of_kinds = kinds
        .iter()
        .filter_map(|kind| kind.gate.as_ref()?.feature.as_ref());
    let used: BTreeSet<String> = used.chain(of_kinds).cloned().collect();
    let types = recorded::types(&kinds, &definitions, &homes);
    Ok(Imported {
        files,
        mapping: recorded::mapping(mapping, &types, &features, &used, &places),
        unmatched: recorded::unmatched(mapping, &types, &features, &places),
        features: used.into_iter().collect(),
        served,
        losses: losses.0,
        types,
        places,
    })
}

/// Compares the types that have to be the same.
fn same(mapping: &Mapping, definitions: &Definitions, problems: &mut Problems) {
    for (name, places) in &mapping.same {
        let ids = definitions
            .all
            .iter()
            .enumerate()
            .filter_map(|(id, definition)| {
                let mut keys = definition
                    .places
                    .iter()
                    .flat_map(|place| mapping::keys(place));
                keys.find(|key| places.contains(key)).map(|key| (id, key))
            });
        let ids: Vec<(usize, String)> = ids.collect();
        let [(first, of_first), others @ ..] = &*ids else {
            continue;
        };
        for (other, of_other) in others {
            if let Some(why) = same::difference(definitions, *first, *other) {
                problems.add(
                    of_other,
                    &format!("it cannot be `{name}` like `{of_first}`: {why}"),
                );
            }
        }
    }
}

/// How the stable channel serves alpha and beta versions, where it is not as the experimental channel does.
fn served(
    versions: &[(&Crd<'_>, String, merged::Node)],
    problems: &mut Problems,
) -> BTreeMap<&'static str, &'static str> {
    let mut settings = BTreeMap::new();
    for stage in 0..=STAGES.len() {
        let of_stage = versions
            .iter()
            .filter(|(_, version, _)| crd::priority(version).0 == stage);
        let flags: Vec<(&str, &str, [Option<bool>; 2])> = of_stage
            .map(|(crd, version, _)| {
                let each = crd
                    .version(version)
                    .map(|it| it.map(|it| it["served"] == true));
                (crd.name, version.as_str(), each)
            })
            .collect();
        let differing = flags
            .iter()
            .find(|(_, _, each)| matches!(each, [Some(a), Some(b)] if a != b));
        let Some((name, version, _)) = differing else {
            continue;
        };
        let in_stable: BTreeSet<bool> = flags.iter().filter_map(|(_, _, each)| each[0]).collect();
        match (STAGES.get(stage), in_stable.len(), in_stable.first()) {
            (Some(stage), 1, Some(is_served)) => {
                settings.insert(*stage, if *is_served { "served" } else { "unserved" });
            }
            _ => problems.add(
                &format!("{name} {version}"),
                "`served` differs between the channels",
            ),
        }
    }
    settings
}
