//! What the pages about all kinds say: the kinds, the features and what they gate, and what each release changed.

use crate::anchor::id;
use crate::api::{Api, Release};
use crate::life::{Place, Presence, is_of_above, lives};
use crate::pages::{KindPage, kind_page};
use crd_channels_compat::Published;
use crd_channels_released::manifest::Feature;
use rayon::prelude::*;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A kind of the last release or of an earlier one.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Surveyed<P> {
    pub group: String,
    pub kind: String,
    /// The name of the file of its page, without its ending; `None` if the last release does not have it.
    pub file: Option<String>,
    /// What was made of its page.
    pub page: Option<P>,
    /// What each release changed, by the number of the release.
    changes: Vec<(usize, Change)>,
    /// What features gate, by the numbers of the feature and the gate.
    gated: Vec<((usize, usize), Gated)>,
}

/// A change of a version, a field or a value.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Change {
    /// What happened to it, as in `became stable`.
    pub words: &'static str,
    pub version: String,
    /// Its path; empty for the version.
    pub path: String,
    pub value: Option<String>,
    /// Its id in the page; `None` if the last release does not have it.
    pub id: Option<String>,
}

/// What a release changed in a kind.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct KindChanges {
    pub group: String,
    pub kind: String,
    pub file: Option<String>,
    pub changes: Vec<Change>,
}

/// What a release changed.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ReleaseChanges {
    pub release: String,
    pub kinds: Vec<KindChanges>,
}

/// Where a gated item is.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Gated {
    pub file: Option<String>,
    pub id: Option<String>,
    pub state: Option<String>,
}

/// An item that a feature gates.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct GateLine {
    pub kind: String,
    pub version: String,
    pub path: String,
    pub what: String,
    pub detail: String,
    pub without: bool,
    /// Where it is, in each group with such a kind.
    pub places: Vec<Gated>,
}

/// A feature of any release.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct FeatureLine {
    pub name: String,
    pub summary: String,
    pub owner: Option<String>,
    pub link: Option<String>,
    pub since: Option<String>,
    /// The first release that does not have it any more.
    pub ended: Option<String>,
    /// What it gates; `None` if that is not recorded.
    pub gates: Option<Vec<GateLine>>,
}

/// What is known about all kinds.
pub(crate) struct Survey<P> {
    /// The kinds, by group and name.
    pub kinds: Vec<Surveyed<P>>,
    pub features: Vec<FeatureLine>,
    /// Newest first.
    pub changes: Vec<ReleaseChanges>,
}

/// Looks at all kinds, one after the other on every core, and makes something of the page of each. What `make` gets besides
/// is the name of the page's file.
pub(crate) fn survey<P: Send>(
    api: &Api,
    make: impl Fn(&KindPage, &str) -> Result<P, String> + Sync,
) -> Result<Survey<P>, String> {
    let features = features(api);
    let names: BTreeSet<&str> = api
        .releases
        .iter()
        .flat_map(|release| release.set.channels.values())
        .flat_map(|crds| crds.keys().map(String::as_str))
        .collect();
    let files = files(&names);
    let names: Vec<&str> = names.into_iter().collect();
    let kinds: Result<Vec<_>, String> = names
        .par_iter()
        .map(|name| {
            let file = files.get(name).map_or(*name, String::as_str);
            surveyed(api, name, file, &features, &make)
        })
        .collect();
    let mut kinds = kinds?;
    kinds.sort_by(|one, other| (&one.group, &one.kind).cmp(&(&other.group, &other.kind)));
    Ok(Survey {
        changes: changes(api, &mut kinds),
        features: feature_lines(features, &mut kinds),
        kinds,
    })
}

/// The names of files, which have to be different on disks that ignore case as well.
fn files<'n>(names: &BTreeSet<&'n str>) -> BTreeMap<&'n str, String> {
    let mut used: BTreeSet<String> = RESERVED.map(str::to_owned).into();
    let mut files = BTreeMap::new();
    for name in names {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '-';
        let plain = name.to_ascii_lowercase().replace(|c| !is_plain(c), "_");
        // Disks have no longer names, and this leaves room for endings.
        let plain: String = plain
            .trim_start_matches('.')
            .chars()
            .take(LONGEST)
            .collect();
        let mut file = plain.clone();
        let mut number = 2;
        while !used.insert(file.clone()) {
            file = format!("{plain}-{number}");
            number += 1;
        }
        files.insert(*name, file);
    }
    files
}

/// The number of characters of a name of a file.
const LONGEST: usize = 200;

/// Names of files that no kind gets: those of other pages.
const RESERVED: [&str; 6] = ["", "changes", "features", "index", "readme", "search"];

fn surveyed<P>(
    api: &Api,
    name: &str,
    file: &str,
    features: &[(Feature, Option<String>)],
    make: impl Fn(&KindPage, &str) -> Result<P, String>,
) -> Result<Surveyed<P>, String> {
    let lives = lives(api, name);
    let page = api
        .releases
        .last()
        .and_then(|last| kind_page(last, name, &lives));
    let newest = api.releases.iter().rev().find_map(|it| published(it, name));
    let (group, kind) = newest.map_or_else(Default::default, |published| {
        let crd = &published.written;
        (crd.group.to_string(), crd.names.kind.to_string())
    });
    let shown: BTreeSet<(&str, &str)> = page
        .iter()
        .flat_map(|page| &page.versions)
        .flat_map(|version| {
            version
                .fields
                .iter()
                .map(|row| (&*version.name, &*row.path))
        })
        .collect();
    let id_of = |version: &str, path: &str| {
        let is_there = shown.contains(&(version, path));
        is_there.then(|| id(version, path))
    };
    let order: BTreeMap<&str, usize> = api
        .releases
        .iter()
        .enumerate()
        .map(|(number, release)| (&*release.name, number))
        .collect();
    let mut changes = Vec::new();
    for (place, life) in &lives {
        let mut was = None;
        for step in life {
            let is_new = !is_of_above(place, step, &lives);
            if is_new && let Some(number) = order.get(&*step.release) {
                let change = Change {
                    words: words(was, step.presence),
                    version: place.version.clone(),
                    path: place.path.clone(),
                    value: place.value.clone(),
                    id: id_of(&place.version, &place.path),
                };
                changes.push((*number, change));
            }
            was = Some(step.presence);
        }
    }
    let mut gated = Vec::new();
    for (number, (feature, _)) in features.iter().enumerate() {
        for (gate_number, gate) in feature.gates.iter().flatten().enumerate() {
            if gate.kind != kind {
                continue;
            }
            let path = gate_path(&gate.path);
            let place = Place {
                version: gate.version.clone(),
                path: path.to_owned(),
                value: (gate.what == "value").then(|| format!("\"{}\"", gate.detail)),
            };
            // Of what is gated besides, such as a description, the field's life says nothing.
            let has_life = ["field", "value", "version"].contains(&&*gate.what);
            let life = lives.get(&place).filter(|_| has_life);
            let state = life.and_then(|life| crate::text::status(life));
            let at = Gated {
                file: page.is_some().then(|| file.to_owned()),
                id: id_of(&gate.version, path),
                state,
            };
            gated.push(((number, gate_number), at));
        }
    }
    Ok(Surveyed {
        group,
        kind,
        file: page.is_some().then(|| file.to_owned()),
        page: page.as_ref().map(|page| make(page, file)).transpose()?,
        changes,
        gated,
    })
}

fn published<'r>(release: &'r Release, name: &str) -> Option<&'r Published> {
    let mut channels = release.set.channels.values();
    channels.find_map(|crds| crds.get(name))
}

/// The path of a gate, which is `.` for the object itself.
fn gate_path(path: &str) -> &str {
    match path {
        "." => "",
        path => path,
    }
}

/// What happened, in words.
fn words(was: Option<Presence>, is: Presence) -> &'static str {
    use Presence::{Deprecated, Experimental, Removed, Stable, Unserved};
    match (was, is) {
        (None, Stable) => "appeared as stable",
        (None, Experimental) => "appeared as experimental",
        (None, Deprecated) => "appeared as deprecated",
        (None, Unserved) => "appeared, but is not served",
        (Some(Removed), Stable) => "came back as stable",
        (Some(Removed), Experimental) => "came back as experimental",
        (Some(Deprecated), Stable | Experimental) => "is no longer deprecated",
        (Some(Unserved), Stable | Experimental) => "is served again",
        (_, Stable) => "became stable",
        (_, Experimental) => "is experimental again",
        (_, Deprecated) => "was deprecated",
        (_, Unserved) => "is no longer served",
        (_, Removed) => "was removed",
    }
}

/// The features of all releases as their last one describes them, by name, with the first release that lacks them.
fn features(api: &Api) -> Vec<(Feature, Option<String>)> {
    let mut all: BTreeMap<&str, (&Feature, Option<&str>)> = BTreeMap::new();
    for release in &api.releases {
        let now: BTreeSet<&str> = release.features.iter().map(|it| &*it.name).collect();
        for (name, (_, ended)) in &mut all {
            if ended.is_none() && !now.contains(name) {
                *ended = Some(&release.name);
            }
        }
        for feature in &release.features {
            all.insert(&feature.name, (feature, None));
        }
    }
    let all = all.into_values();
    all.map(|(feature, ended)| (feature.clone(), ended.map(str::to_owned)))
        .collect()
}

fn feature_lines<P>(
    features: Vec<(Feature, Option<String>)>,
    kinds: &mut [Surveyed<P>],
) -> Vec<FeatureLine> {
    let mut places: BTreeMap<(usize, usize), Vec<Gated>> = BTreeMap::new();
    for kind in kinds {
        for (at, gated) in kind.gated.drain(..) {
            places.entry(at).or_default().push(gated);
        }
    }
    let lines = features.into_iter().enumerate();
    lines
        .map(|(number, (feature, ended))| {
            let gates = feature.gates.map(|gates| {
                let gates = gates.into_iter().enumerate();
                let gates = gates.map(|(gate_number, gate)| GateLine {
                    places: places.remove(&(number, gate_number)).unwrap_or_default(),
                    path: gate_path(&gate.path).to_owned(),
                    kind: gate.kind,
                    version: gate.version,
                    what: gate.what,
                    detail: gate.detail,
                    without: gate.without,
                });
                gates.collect()
            });
            FeatureLine {
                name: feature.name,
                summary: feature.summary,
                owner: feature.owner,
                link: feature.link,
                since: feature.since,
                ended,
                gates,
            }
        })
        .collect()
}

fn changes<P>(api: &Api, kinds: &mut [Surveyed<P>]) -> Vec<ReleaseChanges> {
    let mut all: Vec<ReleaseChanges> = api
        .releases
        .iter()
        .map(|release| ReleaseChanges {
            release: release.name.clone(),
            kinds: Vec::new(),
        })
        .collect();
    for kind in kinds {
        let mut changes = std::mem::take(&mut kind.changes);
        // Stable, so that what a release changed stays sorted by place.
        changes.sort_by_key(|(number, _)| *number);
        for (number, change) in changes {
            let Some(release) = all.get_mut(number) else {
                continue;
            };
            match release.kinds.last_mut() {
                Some(last) if (&last.group, &last.kind) == (&kind.group, &kind.kind) => {
                    last.changes.push(change);
                }
                _ => release.kinds.push(KindChanges {
                    group: kind.group.clone(),
                    kind: kind.kind.clone(),
                    file: kind.file.clone(),
                    changes: vec![change],
                }),
            }
        }
    }
    all.reverse();
    all
}
