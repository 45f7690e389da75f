//! Rust types with attributes, from which CRDs of any origin are generated again.
#![doc = include_str!("../README.md")]

mod attributes;
mod crd;
mod docs;
mod features;
mod files;
mod homes;
mod kinds;
mod literals;
mod merged;
mod meta;
mod names;
mod shapes;
mod source;
mod ty;
mod types;

use crate::crd::{Crd, STAGES};
use crate::features::Features;
use crate::homes::Homes;
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

/// Makes types of the CRDs of one channel, or of a stable and an experimental one.
///
/// The documents are CRDs of `apiextensions.k8s.io/v1` that a server accepts.
///
/// # Errors
///
/// What cannot be said with types and attributes, each with its place.
pub fn import(stable: &[Value], experimental: Option<&[Value]>) -> Result<Imported, Vec<Problem>> {
    types(stable, experimental, Purpose::Source)
}

/// Makes types for a purpose.
///
/// # Errors
///
/// What cannot be said with types and attributes, each with its place.
pub fn types(
    stable: &[Value],
    experimental: Option<&[Value]>,
    purpose: Purpose,
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
    let mut features = Features::default();
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
    let mut shapes = Shapes {
        definitions: Definitions::default(),
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
        losses,
        ..
    } = shapes;
    let served = served(&versions, &mut problems);
    if !problems.0.is_empty() {
        return Err(problems.0);
    }
    let homes = Homes::new(&kinds, &definitions);
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
    Ok(Imported {
        files,
        features: features.names().map(str::to_owned).collect(),
        served,
        losses: losses.0,
    })
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
