//! What the pages about all kinds say: the kinds, the features and what they gate, and what each release changed.

use crate::anchor::id;
use crate::api::{Api, Bundle};
use crate::features::{
    FeatureHistory, GateNumber, GatePlace, Recorded, gates_of, histories, recorded,
};
use crate::life::{is_of_above, limited, lives};
use crate::pages::{KindPage, kind_page};
use crate::place::{OTHERS, Place};
use crate::reserved::{reason, reserved};
use crate::work::{Compared, compared};
use crd_channels_released::history::{Presence, Transition};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

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
    gated: Vec<(GateNumber, GatePlace)>,
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
    /// Why it was removed.
    pub reason: Option<String>,
    /// `experimental`, if only that channel is concerned.
    pub only: Option<&'static str>,
    /// Whether it removed what no later release has again.
    pub is_gone: bool,
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
#[derive(Clone, Debug)]
pub(crate) struct ReleaseChanges {
    pub release: String,
    pub bundle: Option<Bundle>,
    pub kinds: Vec<KindChanges>,
    /// What it breaks or changes besides, for those who use the release before it; added by [`add_compared`].
    pub compared: Compared,
}

/// What is known about all kinds.
pub(crate) struct Survey<P> {
    /// The kinds, by group and name.
    pub kinds: Vec<Surveyed<P>>,
    pub features: Vec<FeatureHistory>,
    /// Newest first.
    pub changes: Vec<ReleaseChanges>,
}

/// Returns every feature of an API with what became of what it gates.
#[must_use]
pub fn feature_history(api: &Api) -> Vec<FeatureHistory> {
    let Ok(Survey { features, .. }) = survey::<(), Infallible>(api, |_, _| Ok(()));
    features
}

/// Looks at all kinds, one after the other on every core, and makes something of the page of each. What `make` gets besides
/// is the name of the page's file.
pub(crate) fn survey<P: Send, E: Send>(
    api: &Api,
    make: impl Fn(&KindPage, &str) -> Result<P, E> + Sync,
) -> Result<Survey<P>, E> {
    let features = recorded(api);
    let names = api.names();
    let files = files(&names);
    let names: Vec<&str> = names.into_iter().collect();
    let kinds: Result<Vec<_>, E> = names
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
        features: histories(
            features,
            kinds.iter_mut().flat_map(|kind| kind.gated.drain(..)),
        ),
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

fn surveyed<P, E>(
    api: &Api,
    name: &str,
    file: &str,
    features: &[Recorded],
    make: impl Fn(&KindPage, &str) -> Result<P, E>,
) -> Result<Surveyed<P>, E> {
    let lives = lives(api, name);
    let page = kind_page(api, name, &lives);
    let (group, kind) = api.kind(name);
    let of_removed = match &page {
        Some(_) => Vec::new(),
        None => reserved(api, &group, &kind),
    };
    let reserved = page.as_ref().map_or(&of_removed, |page| &page.reserved);
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
    let why = |place: &Place, step: &Transition| match step.presence {
        Presence::Removed => reason(reserved, place, &step.release).map(ToOwned::to_owned),
        _ => None,
    };
    let mut changes = Vec::new();
    for (place, life) in &lives {
        let mut was = None;
        for step in life {
            let said = match place.value.as_deref() {
                Some(OTHERS) => limited(place, was, step, &lives),
                _ if is_of_above(place, step, &lives) => None,
                _ => Some(words(was, step.presence)),
            };
            if let (Some(words), Some(number)) = (said, order.get(&*step.release)) {
                let value = place.value.clone();
                let change = Change {
                    words,
                    version: place.version.clone(),
                    path: place.path.clone(),
                    is_gone: step.presence == Presence::Removed
                        && life.last() == Some(step)
                        && value.as_deref() != Some(OTHERS),
                    value: value.filter(|value| value != OTHERS),
                    id: id_of(&place.version, &place.path),
                    reason: why(place, step),
                    only: [was, Some(step.presence)]
                        .iter()
                        .flatten()
                        .all(|it| matches!(it, Presence::Experimental | Presence::Removed))
                        .then_some("experimental"),
                };
                changes.push((*number, change));
            }
            was = Some(step.presence);
        }
    }
    let gated = gates_of(features, (&group, &kind), |gate, place| {
        let life = lives.get(place).cloned().unwrap_or_default();
        GatePlace {
            group: group.clone(),
            file: page.is_some().then(|| file.to_owned()),
            id: id_of(&gate.version, &place.path),
            reason: life.last().and_then(|last| why(place, last)),
            life,
        }
    });
    Ok(Surveyed {
        group,
        kind,
        file: page.is_some().then(|| file.to_owned()),
        page: page.as_ref().map(|page| make(page, file)).transpose()?,
        changes,
        gated,
    })
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
        (Some(Removed), Deprecated) => "came back as deprecated",
        (Some(Removed), Unserved) => "came back, but is not served",
        (Some(Deprecated), Stable | Experimental) => "is no longer deprecated",
        (Some(Unserved), Stable | Experimental) => "is served again",
        (Some(Unserved), Deprecated) => "is served again, but deprecated",
        (_, Stable) => "became stable",
        (_, Experimental) => "is only experimental now",
        (_, Deprecated) => "was deprecated",
        (_, Unserved) => "is no longer served",
        (_, Removed) => "was removed",
    }
}

/// Adds what comparing releases finds, which only the pages about changes say and takes long.
pub(crate) fn add_compared(api: &Api, changes: &mut [ReleaseChanges]) {
    let newer = changes.par_iter_mut().rev().skip(1);
    let pairs = api.releases.par_windows(2).zip(newer);
    pairs.for_each(|(pair, changes)| {
        if let [before, release] = pair {
            changes.compared = compared(before, release);
        }
    });
}

fn changes<P>(api: &Api, kinds: &mut [Surveyed<P>]) -> Vec<ReleaseChanges> {
    let mut all: Vec<ReleaseChanges> = api
        .releases
        .iter()
        .map(|release| ReleaseChanges {
            release: release.name.clone(),
            bundle: release.bundle.clone(),
            kinds: Vec::new(),
            compared: Compared::default(),
        })
        .collect();
    for kind in kinds {
        let mut changes = std::mem::take(&mut kind.changes);
        // Stable, so that what a release changed stays sorted by place.
        changes.sort_by_key(|(number, _)| *number);
        let mut last_number = None;
        for (number, change) in changes {
            let Some(release) = all.get_mut(number) else {
                continue;
            };
            match release
                .kinds
                .last_mut()
                .filter(|_| last_number == Some(number))
            {
                Some(last) => last.changes.push(change),
                None => release.kinds.push(KindChanges {
                    group: kind.group.clone(),
                    kind: kind.kind.clone(),
                    file: kind.file.clone(),
                    changes: vec![change],
                }),
            }
            last_number = Some(number);
        }
    }
    all.reverse();
    all
}
