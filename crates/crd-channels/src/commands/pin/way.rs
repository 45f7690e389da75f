//! The way over several bundles to one that lacks a version in which objects may be stored: which bundles are installed on it,
//! and whose objects are rewritten before the next one.

use crd_channels_compat::{Published, Set};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The kinds of a bundle, by the name of their CRD.
pub(super) type Kinds = BTreeMap<String, Kind>;

/// A kind in one bundle, as far as its storage is concerned.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Kind {
    /// Its name.
    pub(super) kind: String,
    /// All of its versions.
    pub(super) versions: BTreeSet<String>,
    /// The one that objects are written in.
    pub(super) storage: String,
    /// Whether clients can write it at all.
    pub(super) served: bool,
}

/// Returns the kinds of the CRDs of one channel.
pub(super) fn kinds(set: &Set) -> Kinds {
    let all = set.channels.values().flat_map(|crds| crds.values());
    all.filter_map(|Published { crd, .. }| {
        let storage = crd.versions.iter().find(|version| version.storage)?;
        let kind = Kind {
            kind: crd.names.kind.to_string(),
            versions: crd
                .versions
                .iter()
                .map(|version| version.name.to_string())
                .collect(),
            storage: storage.name.to_string(),
            served: crd.versions.iter().any(|version| version.served),
        };
        Some((crd.name(), kind))
    })
    .collect()
}

/// A bundle on the way.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Stop {
    /// Its place in the bundles.
    pub(super) at: usize,
    /// The CRDs whose objects have to be rewritten while it is installed, with the version that they are stored in then.
    pub(super) rewritten: BTreeMap<String, String>,
}

/// A version that the last bundle lacks although objects may be stored in it: its CRD and its name.
pub(super) type Lost = (String, String);

/// Returns the versions of the first bundle in which objects may be stored, by CRD: those in which it or a bundle before it
/// stores them.
pub(super) fn stored(first: &Kinds, before: &[Kinds]) -> BTreeMap<String, BTreeSet<String>> {
    let of = |(name, kind): (&String, &Kind)| {
        let earlier = before.iter().filter_map(|kinds| kinds.get(name));
        let storages = earlier.chain([kind]).map(|kind| kind.storage.clone());
        let there = storages.filter(|version| kind.versions.contains(version));
        (name.clone(), there.collect())
    };
    first.iter().map(of).collect()
}

/// Returns what the last bundle lacks of what is stored.
pub(super) fn lost(stored: &BTreeMap<String, BTreeSet<String>>, last: &Kinds) -> Vec<Lost> {
    let all = stored
        .iter()
        .filter_map(|(name, versions)| Some((name, versions, last.get(name)?)));
    let lost = all.flat_map(|(name, versions, kind)| {
        let gone = versions
            .iter()
            .filter(|version| !kind.versions.contains(*version));
        gone.map(|version| (name.clone(), version.clone()))
    });
    lost.collect()
}

/// Returns the shortest way from the first bundle to the last one on which no stored version vanishes: the first bundle, if
/// objects are rewritten there, and those between. `None` if the bundles between do not allow one.
pub(super) fn way(
    bundles: &[Kinds],
    mut stored: BTreeMap<String, BTreeSet<String>>,
) -> Option<Vec<Stop>> {
    let places = shortest(bundles)?;
    let mut stops = Vec::new();
    for (from, to) in places.iter().zip(places.iter().skip(1)) {
        let (here, next) = (bundles.get(*from)?, bundles.get(*to)?);
        let mut rewritten = BTreeMap::new();
        for (name, kind) in here {
            let own = stored.entry(name.clone()).or_default();
            own.insert(kind.storage.clone());
            let is_kept = |next: &Kind| own.iter().all(|version| next.versions.contains(version));
            if !next.get(name).is_none_or(is_kept) {
                *own = BTreeSet::from([kind.storage.clone()]);
                rewritten.insert(name.clone(), kind.storage.clone());
            }
        }
        if *from > 0 || !rewritten.is_empty() {
            stops.push(Stop {
                at: *from,
                rewritten,
            });
        }
    }
    Some(stops)
}

/// Returns the places of the fewest bundles from the first to the last, both included, of which each has all storage versions
/// of the one before. Among equally short ways it takes the latest bundles.
fn shortest(bundles: &[Kinds]) -> Option<Vec<usize>> {
    let last = bundles.len().checked_sub(1)?;
    // For each bundle the next one on the way, found from the last backwards.
    let mut next: Vec<Option<usize>> = vec![None; bundles.len()];
    let mut open = VecDeque::from([last]);
    while let Some(to) = open.pop_front() {
        if to == 0 {
            break;
        }
        for from in (0..to).rev() {
            let is_new = next.get(from).is_some_and(Option::is_none);
            if is_new && may_follow(bundles.get(from)?, bundles.get(to)?) {
                *next.get_mut(from)? = Some(to);
                open.push_back(from);
            }
        }
    }
    let mut places = vec![0];
    while let Some(at) = places.last().filter(|at| **at != last) {
        places.push((*next.get(*at)?)?);
    }
    Some(places)
}

/// Whether a bundle can be installed after another one, once all objects are rewritten there.
fn may_follow(before: &Kinds, after: &Kinds) -> bool {
    before.iter().all(|(name, kind)| {
        let Some(next) = after.get(name) else {
            return true;
        };
        // Objects can be rewritten only through a served version; without one they may be stored in any version.
        next.versions.contains(&kind.storage)
            && (kind.served || next.versions.is_superset(&kind.versions))
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

    use super::{Kind, Kinds, lost, stored, way};
    use std::collections::{BTreeMap, BTreeSet};

    /// A source of numbers that are the same in every run.
    struct Dice(u64);

    impl Dice {
        fn below(&mut self, sides: usize) -> usize {
            self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            usize::try_from(self.0 >> 33).unwrap() % sides
        }
    }

    const KINDS: [&str; 3] = ["as.x", "bs.x", "cs.x"];

    /// Returns bundles in which versions come and go, whether or not a server would accept that.
    fn chain(dice: &mut Dice) -> Vec<Kinds> {
        let mut bundles: Vec<Kinds> = vec![Kinds::new()];
        for _ in 0..2 + dice.below(9) {
            let mut next = bundles.last().unwrap().clone();
            for name in &KINDS[..1 + dice.below(3)] {
                let kind = next.entry((*name).to_owned()).or_insert_with(|| Kind {
                    kind: (*name).to_owned(),
                    versions: BTreeSet::from(["v1".to_owned()]),
                    storage: "v1".to_owned(),
                    served: true,
                });
                match dice.below(7) {
                    0 | 1 => {
                        let _ = kind.versions.insert(format!("v{}", 1 + dice.below(5)));
                    }
                    2..=4 => {
                        let all: Vec<String> = kind.versions.iter().cloned().collect();
                        kind.storage = all[dice.below(all.len())].clone();
                    }
                    5 => {
                        let storage = kind.storage.clone();
                        kind.versions
                            .retain(|version| *version == storage || dice.below(2) == 0);
                    }
                    _ => kind.served = dice.below(4) > 0,
                }
                // A bundle may also drop what it stored.
                if dice.below(8) == 0 && kind.versions.len() > 1 {
                    let gone = kind.storage.clone();
                    kind.versions.remove(&gone);
                    kind.storage = kind.versions.first().unwrap().clone();
                }
            }
            bundles.push(next);
        }
        bundles.remove(0);
        bundles
    }

    type Stored = BTreeMap<String, BTreeSet<String>>;

    /// Installs a bundle as an API server does; `false` if it refuses.
    fn install(cluster: &mut Stored, bundle: &Kinds) -> bool {
        for (name, kind) in bundle {
            let versions = cluster.entry(name.clone()).or_default();
            if !versions.is_subset(&kind.versions) {
                return false;
            }
            versions.insert(kind.storage.clone());
        }
        true
    }

    /// Whether any choice of bundles between reaches the last one, if everything is rewritten everywhere.
    fn is_reachable(bundles: &[Kinds], at: usize, cluster: &Stored) -> bool {
        let mut cluster = cluster.clone();
        if !install(&mut cluster, &bundles[at]) {
            return false;
        }
        if at + 1 == bundles.len() {
            return true;
        }
        for (name, kind) in &bundles[at] {
            let left = match kind.served {
                true => BTreeSet::from([kind.storage.clone()]),
                // What cannot be rewritten may be stored in any version.
                false => kind.versions.clone(),
            };
            cluster.insert(name.clone(), left);
        }
        (at + 1..bundles.len()).any(|next| is_reachable(bundles, next, &cluster))
    }

    /// No step of a way makes a stored version vanish, and a way is found wherever there is one.
    #[test]
    fn a_way_loses_nothing_that_is_stored() {
        let chains = std::env::var("WAYS")
            .ok()
            .and_then(|text| text.parse().ok());
        let (mut found, mut none) = (0, 0);
        for seed in 0..chains.unwrap_or(3000) {
            let bundles = chain(&mut Dice(seed));
            let first = stored(&bundles[0], &[]);
            let last = bundles.last().unwrap();
            let Some(stops) = way(&bundles, first.clone()) else {
                assert!(!is_reachable(&bundles, 0, &first), "{seed}: {bundles:#?}");
                none += 1;
                continue;
            };
            let mut cluster = first.clone();
            for stop in &stops {
                let bundle = &bundles[stop.at];
                assert!(
                    install(&mut cluster, bundle),
                    "{seed}: {stops:?}\n{bundles:#?}"
                );
                for (name, version) in &stop.rewritten {
                    assert!(bundle[name].served, "{seed}");
                    assert_eq!(*version, bundle[name].storage, "{seed}");
                    cluster.insert(name.clone(), BTreeSet::from([version.clone()]));
                }
            }
            assert!(
                install(&mut cluster, last),
                "{seed}: {stops:?}\n{bundles:#?}"
            );
            found += 1;
            if lost(&first, last).is_empty() && stops.is_empty() {
                continue;
            }
            // Nothing is done without a reason.
            let places: BTreeSet<usize> = stops.iter().map(|stop| stop.at).collect();
            assert_eq!(places.len(), stops.len(), "{seed}");
        }
        assert!(found > none / 4 && none > 0, "{found} {none}");
    }

    #[test]
    fn what_an_earlier_bundle_stored_may_still_be_stored() {
        let kind = |versions: &[&str], storage: &str| Kind {
            kind: "A".to_owned(),
            versions: versions.iter().map(|it| (*it).to_owned()).collect(),
            storage: storage.to_owned(),
            served: true,
        };
        let kinds = |kind: Kind| Kinds::from([("as.x".to_owned(), kind)]);
        let earlier = kinds(kind(&["v1alpha1", "v1beta1"], "v1alpha1"));
        let before = kinds(kind(&["v1beta1"], "v1beta1"));
        let now = kinds(kind(&["v1", "v1beta1"], "v1"));
        let found = stored(&now, &[earlier, before]);
        let expected = BTreeSet::from(["v1".to_owned(), "v1beta1".to_owned()]);
        assert_eq!(found["as.x"], expected);
        let last = kinds(kind(&["v1"], "v1"));
        assert_eq!(
            lost(&found, &last),
            [("as.x".to_owned(), "v1beta1".to_owned())]
        );
    }
}
