//! The names that the types got, as a mapping that gives them again.

use crate::features::Features;
use crate::homes::Homes;
use crate::kinds::Kind;
use crate::mapping::{Entries, Mapping, around, keys};
use crate::names;
use crate::types::Definitions;
use std::collections::{BTreeMap, BTreeSet};

/// A type of the package.
#[derive(Clone, Debug)]
pub struct Named {
    /// Its file below the package's `src`.
    pub file: String,
    /// Its name there.
    pub name: String,
    /// Whether it is that of a kind.
    pub is_kind: bool,
    /// The paths of its places.
    pub(crate) places: Vec<String>,
}

/// Where an entry of a mapping leads nowhere.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Unmatched {
    /// The table that has it.
    pub table: &'static str,
    /// The entry as it is written.
    pub entry: String,
    /// Whether something is there, though no type of its own.
    pub is_place: bool,
}

/// All types with their places.
pub(crate) fn types(kinds: &[Kind], definitions: &Definitions, homes: &Homes) -> Vec<Named> {
    let file = |module: &[String]| format!("{}.rs", module.join("/"));
    let of_kinds = kinds.iter().zip(&homes.kinds).map(|(kind, module)| Named {
        file: file(module),
        name: kind.spec_name.clone(),
        is_kind: true,
        places: vec![kind.place.clone()],
    });
    let of_definitions = homes.definitions.iter().filter_map(|(id, module)| {
        Some(Named {
            file: file(module),
            name: homes.names.get(id)?.clone(),
            is_kind: false,
            places: definitions.all[*id].places.clone(),
        })
    });
    of_kinds.chain(of_definitions).collect()
}

/// The mapping that gives the types these names again. Of the places of a type it has those that follow from no other.
pub(crate) fn mapping(
    given: &Mapping,
    types: &[Named],
    features: &Features,
    used: &BTreeSet<String>,
    known: &BTreeSet<String>,
) -> Mapping {
    let mut by_place: BTreeMap<&str, &Named> = BTreeMap::new();
    let mut names: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for named in types {
        for place in &named.places {
            by_place.insert(place, named);
            let [_, key] = keys(place);
            names.entry(key).or_default().insert(&named.name);
        }
    }
    // In a type with several places, what is in it is listed for the first of them.
    let follows = |place: &str| {
        let outside = std::iter::successors(around(place), |place| around(place));
        let owner = outside
            .filter_map(|place| Some((place, by_place.get(place)?)))
            .next();
        owner.is_some_and(|(place, owner)| owner.places.first().is_some_and(|first| first != place))
    };
    let mut recorded = Entries::new();
    for named in types {
        let listed = recorded.entry(named.name.clone()).or_default();
        for place in named.places.iter().filter(|place| !follows(place)) {
            let [exact, all] = keys(place);
            let is_one = names.get(&all).is_some_and(|names| names.len() == 1);
            let key = if is_one { all } else { exact };
            if !listed.contains(&key) {
                listed.push(key);
            }
        }
    }
    let is_same = |name: &String, place: &String| {
        given
            .same
            .get(name)
            .is_some_and(|places| places.contains(place))
    };
    for (name, places) in &mut recorded {
        places.retain(|place| !is_same(name, place));
        // Where two types share a name, the order says which of them gets it.
        let order = given.types.get(name);
        places.sort_by_key(|place| {
            order
                .and_then(|order| order.iter().position(|it| it == place))
                .unwrap_or(usize::MAX)
        });
    }
    recorded.retain(|_, places| !places.is_empty());
    let mut by_feature = Entries::new();
    for (name, words) in features.words().filter(|(name, _)| used.contains(*name)) {
        by_feature
            .entry(name.to_owned())
            .or_default()
            .extend(words.iter().cloned());
    }
    for (name, places) in &given.features {
        let kept = places.iter().filter(|place| known.contains(*place));
        by_feature
            .entry(name.clone())
            .or_default()
            .extend(kept.cloned());
    }
    by_feature.retain(|_, places| !places.is_empty());
    Mapping {
        types: recorded,
        features: by_feature,
        ..given.clone()
    }
}

/// The entries that lead nowhere.
pub(crate) fn unmatched(
    given: &Mapping,
    types: &[Named],
    features: &Features,
    known: &BTreeSet<String>,
) -> Vec<Unmatched> {
    let of = |may_be_kind: bool| -> BTreeSet<String> {
        let types = types.iter().filter(|named| may_be_kind || !named.is_kind);
        types
            .flat_map(|named| &named.places)
            .flat_map(|place| keys(place))
            .collect()
    };
    let (of_types, of_definitions) = (of(true), of(false));
    let words: BTreeSet<&String> = features.words().flat_map(|(_, words)| words).collect();
    let places =
        |entries: &Entries| -> Vec<String> { entries.values().flatten().cloned().collect() };
    let mut found = Vec::new();
    let mut add = |table, entries: Vec<String>, is_known: &dyn Fn(&String) -> bool| {
        let unknown = entries.into_iter().filter(|entry| !is_known(entry));
        found.extend(unknown.map(|entry| Unmatched {
            table,
            is_place: known.contains(&entry),
            entry,
        }));
    };
    add("types", places(&given.types), &|place| {
        of_types.contains(place)
    });
    add("same", places(&given.same), &|place| {
        of_definitions.contains(place)
    });
    add("uses", places(&given.uses), &|place| known.contains(place));
    add("features", places(&given.features), &|entry| {
        known.contains(entry) || words.contains(entry)
    });
    found
}

/// Names that a type or a feature cannot have, each with the reason.
pub(crate) fn wrong_names(given: &Mapping) -> Vec<(String, &'static str)> {
    let mut wrong = Vec::new();
    for name in given.types.keys().chain(given.same.keys()) {
        match () {
            () if names::is_taken(name) => {
                wrong.push((name.clone(), "the files use this name for something else"))
            }
            () if names::of_kind(name) != *name => {
                wrong.push((name.clone(), "the name of a type is like `QueueRetry`"))
            }
            () => {}
        }
    }
    let features = given
        .features
        .keys()
        .filter(|name| names::feature(name) != **name);
    wrong.extend(features.map(|name| (name.clone(), "the name of a feature is like `QueueRetry`")));
    let uses = given
        .uses
        .keys()
        .filter(|path| syn::parse_str::<syn::Path>(path).is_err() || !path.contains("::"));
    wrong.extend(uses.map(|path| {
        (
            path.clone(),
            "a type that is there already has a path, such as `crate::own::Retry`",
        )
    }));
    wrong
}
