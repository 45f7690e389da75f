//! Which module has which type, and what the types are called.

use crate::crd;
use crate::kinds::Kind;
use crate::mapping::{self, Mapping};
use crate::names;
use crate::types::Definitions;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// A module of the package: `["v1", "route"]`.
pub(crate) type Module = Vec<String>;

/// The modules and names of all types.
#[derive(Debug, Default)]
pub(crate) struct Homes {
    /// The module of each kind.
    pub(crate) kinds: Vec<Module>,
    /// The module of each definition that is used.
    pub(crate) definitions: BTreeMap<usize, Module>,
    /// The name of each definition that is used.
    pub(crate) names: BTreeMap<usize, String>,
}

impl Homes {
    pub(crate) fn new(kinds: &[Kind], definitions: &Definitions, mapping: &Mapping) -> Self {
        let groups: BTreeSet<&str> = kinds.iter().map(|kind| kind.group.as_str()).collect();
        let group_module = |kind: &Kind| -> Module {
            let mut module = Module::new();
            if groups.len() > 1 {
                module.push(names::module(&kind.group.replace('.', "_")));
            }
            module
        };
        let version_module = |kind: &Kind| -> Module {
            let mut module = group_module(kind);
            module.push(names::module(&kind.version));
            module
        };
        let mut homes = Homes::default();
        let mut users: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (index, kind) in kinds.iter().enumerate() {
            let mut module = version_module(kind);
            module.push(names::module(&kind.kind.to_lowercase()));
            homes.kinds.push(module);
            for id in definitions.below(&roots(kind)) {
                users.entry(id).or_default().push(index);
            }
        }
        for (&id, users) in &users {
            let first = users
                .iter()
                .max_by_key(|it| (crd::priority(&kinds[**it].version), Reverse(**it)));
            let Some(&first) = first else { continue };
            let same = |of: &dyn Fn(&Kind) -> String| {
                users.iter().all(|it| of(&kinds[*it]) == of(&kinds[first]))
            };
            let module = if same(&|kind| format!("{} {}", kind.group, kind.kind)) {
                homes.kinds[first].clone()
            } else if same(&|kind| kind.group.clone()) {
                let mut module = version_module(&kinds[first]);
                module.push("shared".to_owned());
                module
            } else {
                vec!["shared".to_owned()]
            };
            homes.definitions.insert(id, module);
        }
        homes.name(kinds, definitions, mapping);
        homes
    }

    /// Gives each definition the name that the mapping has for it, or the shortest of its names that is free wherever it is seen.
    fn name(&mut self, kinds: &[Kind], definitions: &Definitions, mapping: &Mapping) {
        let mut used: BTreeMap<&Module, BTreeSet<String>> = BTreeMap::new();
        let mut seen: BTreeMap<usize, BTreeSet<&Module>> = BTreeMap::new();
        // A type with the name of another kind would be taken for it.
        let of_kinds: BTreeSet<&str> = kinds.iter().map(|kind| kind.kind.as_str()).collect();
        for (kind, module) in kinds.iter().zip(&self.kinds) {
            let names = used.entry(module).or_default();
            names.extend([kind.kind.clone(), kind.spec_name.clone()]);
            names.extend(kind.spec.used());
            for id in roots(kind) {
                seen.entry(id).or_default().insert(module);
            }
        }
        for (id, module) in &self.definitions {
            seen.entry(*id).or_default().insert(module);
            let shape = &definitions.all[*id].shape;
            for used in shape.uses() {
                seen.entry(used).or_default().insert(module);
            }
            used.entry(module).or_default().extend(shape.used());
        }
        let mut by_place: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for id in seen.keys() {
            for key in definitions.all[*id]
                .places
                .iter()
                .flat_map(|place| mapping::keys(place))
            {
                by_place.entry(key).or_default().push(*id);
            }
        }
        let chosen = mapping.same.iter().chain(&mapping.types);
        let mut chosen: Vec<(&String, &String)> = chosen
            .flat_map(|(name, places)| places.iter().map(move |place| (name, place)))
            .collect();
        // An entry for one version comes before one for all of them.
        chosen.sort_by_key(|(_, place)| {
            !place.split(' ').next().is_some_and(|crd| crd.contains('/'))
        });
        let chosen = chosen.into_iter().flat_map(|(name, place)| {
            let ids = by_place.get(place).into_iter().flatten();
            ids.map(move |id| (*id, Some(name)))
        });
        let all = chosen.chain(seen.keys().map(|id| (*id, None)));
        for (id, chosen) in all {
            let Some(modules) = seen.get(&id).filter(|_| !self.names.contains_key(&id)) else {
                continue;
            };
            let hints = by_use(&definitions.all[id].hints);
            let candidates = common(&hints)
                .into_iter()
                .chain(hints.iter().flat_map(|hint| candidates(hint)));
            let numbered = (2..).map(|number| {
                let first = hints.first().and_then(|hint| hint.last());
                format!("{}{number}", first.map_or("Type", String::as_str))
            });
            let free = |name: &String| {
                let is_free =
                    |module: &&Module| !used.get(*module).is_some_and(|names| names.contains(name));
                let is_known = definitions.known.contains(name.as_str());
                !names::is_taken(name) && !is_known && modules.iter().all(is_free)
            };
            let found = match chosen {
                Some(name) => Some(name.clone()).filter(free),
                None => {
                    let free = |name: &String| free(name) && !of_kinds.contains(name.as_str());
                    candidates.chain(numbered).find(free)
                }
            };
            let Some(name) = found else { continue };
            for module in modules {
                used.entry(module).or_default().insert(name.clone());
            }
            self.names.insert(id, name);
        }
    }
}

/// The definitions that a kind names itself.
pub(crate) fn roots(kind: &Kind) -> Vec<usize> {
    kind.spec.uses().into_iter().chain(kind.status).collect()
}

/// The places of a type, those with the last word that most of them have before others.
fn by_use(hints: &[Vec<String>]) -> Vec<&Vec<String>> {
    let mut counts: BTreeMap<Option<&String>, usize> = BTreeMap::new();
    for hint in hints {
        *counts.entry(hint.last()).or_default() += 1;
    }
    let mut hints: Vec<&Vec<String>> = hints.iter().collect();
    hints.sort_by_key(|hint| Reverse(counts.get(&hint.last()).copied()));
    hints
}

/// The words with which the last words of all places end, such as `Taint` of `StartupTaint` and `Taint`.
fn common(hints: &[&Vec<String>]) -> Option<String> {
    let last: Vec<&str> = hints
        .iter()
        .map(|hint| hint.last().map(String::as_str))
        .collect::<Option<_>>()?;
    let first = *last.first()?;
    let begins = first.char_indices().filter(|(_, c)| c.is_ascii_uppercase());
    let mut ends = begins.map(|(at, _)| &first[at..]);
    let says_enough = |end: &str| {
        let alone = ["Ref", "Reference", "Resource", "Resources", "Selector"];
        !names::is_vague(end) && !alone.contains(&end) && !end.starts_with("And")
    };
    let is_of_all = |end: &&str| last.iter().all(|name| name.ends_with(*end)) && says_enough(end);
    ends.find(is_of_all).map(str::to_owned)
}

/// The names for a place, the shortest that says enough first.
fn candidates(words: &[String]) -> Vec<String> {
    let from = |count: usize| words[words.len() - count..].concat();
    let lengths = 1..=words.len();
    let names = lengths.map(from);
    let mut names: Vec<String> = names.collect();
    if names.len() > 1 && names::is_vague(&names[0]) {
        names.remove(0);
    }
    names
}
