//! The names of a kind that programs use besides its types: kinds, versions and conditions.

use super::gates::condition;
use super::kinds::Kind;
use super::walk;
use crd_channels_schema::draft::{Gate, Type};
use crd_channels_schema::marks::{Condition, Conditions, Reason};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The names of one kind.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Words {
    /// Its group.
    pub group: String,
    /// Its name.
    pub kind: String,
    /// Its plural name.
    pub plural: String,
    /// Its versions, in the order that Kubernetes prefers.
    pub versions: Vec<Word>,
    /// The enums that declare its conditions.
    pub conditions: Vec<Declared>,
}

/// A name, and the channels that have it.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Word {
    /// The name itself.
    pub name: String,
    /// Its documentation.
    pub docs: String,
    /// The conditions on the channel, such as "with the feature `A`"; all of them must hold.
    pub when: Vec<String>,
}

/// The conditions that an enum declares.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Declared {
    /// The enum's name.
    pub name: String,
    /// Its types.
    pub types: Vec<DeclaredType>,
}

/// One condition type.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct DeclaredType {
    /// The type.
    pub word: Word,
    /// The replacement of a deprecated type, and the bundle that removes it.
    pub replaced: Option<(String, String)>,
    /// Its reasons, without those that codes define.
    pub reasons: Vec<Word>,
}

/// Returns the enums of all kinds, each once, with the gates of its least gated use.
#[must_use]
pub fn all_declared(kinds: &[Words]) -> Vec<Declared> {
    let mut all: Vec<Declared> = Vec::new();
    for declared in kinds.iter().flat_map(|kind| &kind.conditions) {
        let ungated = without_gates(declared);
        match all.iter_mut().find(|known| without_gates(known) == ungated) {
            Some(known) => {
                let mut other = declared.clone();
                let pairs = words_of(known).into_iter().zip(words_of(&mut other));
                for (word, other) in pairs {
                    if other.when.len() < word.when.len() {
                        word.when = std::mem::take(&mut other.when);
                    }
                }
            }
            None => all.push(declared.clone()),
        }
    }
    all
}

fn without_gates(declared: &Declared) -> Declared {
    let mut declared = declared.clone();
    for word in words_of(&mut declared) {
        word.when.clear();
    }
    declared
}

fn words_of(declared: &mut Declared) -> Vec<&mut Word> {
    let types = declared.types.iter_mut();
    let words = types.flat_map(|of| std::iter::once(&mut of.word).chain(&mut of.reasons));
    words.collect()
}

/// Returns the names of a kind.
#[must_use]
pub fn words(kind: &Kind) -> Words {
    let first = kind.versions.first();
    let versions = kind.versions.iter().map(|draft| Word {
        name: draft.version.to_string(),
        docs: format!("The version `{}`.", draft.version),
        when: draft.gate.iter().map(condition).collect(),
    });
    Words {
        group: kind.group.to_string(),
        kind: kind.kind.to_string(),
        plural: first.map_or_else(String::new, |draft| draft.plural.to_string()),
        versions: versions.collect(),
        conditions: declared(kind),
    }
}

/// Returns the enums of a kind in the order of their first use, each with the gates of its least gated use.
fn declared(kind: &Kind) -> Vec<Declared> {
    let mut found: Vec<(&Conditions, Vec<&Gate>)> = Vec::new();
    let mut seen = BTreeSet::new();
    let drafts = kind.versions.iter().rev();
    let roots = drafts.filter_map(|draft| {
        let gates: Vec<&Gate> = draft.gate.iter().collect();
        Some((draft.root.as_ref()?, gates))
    });
    let mut open: Vec<(&Arc<Type>, Vec<&Gate>)> = roots.collect();
    while let Some((ty, mut gates)) = open.pop() {
        gates.extend(&ty.gate);
        let names: Vec<_> = gates.iter().map(|gate| (&*gate.feature, gate.on)).collect();
        if !seen.insert((Arc::as_ptr(ty), names)) {
            continue;
        }
        let mut below: Vec<_> = walk::used(ty)
            .into_iter()
            .map(|ty| (ty, gates.clone()))
            .collect();
        let members = walk::members(ty);
        if !members.fields.is_empty() {
            below.clear();
        }
        for (variant, field) in &members.fields {
            let own = variant.and_then(|variant| variant.gate.as_ref());
            let gates: Vec<&Gate> = gates
                .iter()
                .copied()
                .chain(own)
                .chain(&field.gate)
                .collect();
            if let Some(conditions) = field.facets.always.conditions() {
                add(&mut found, conditions, gates.clone());
            }
            below.extend(walk::types_of(field).map(|ty| (ty, gates.clone())));
        }
        below.reverse();
        open.append(&mut below);
    }
    let declared = found.into_iter().map(|(conditions, around)| Declared {
        name: conditions.declared_by.name.to_string(),
        types: conditions
            .types
            .iter()
            .map(|of| declared_type(of, &around))
            .collect(),
    });
    declared.collect()
}

fn add<'d>(
    found: &mut Vec<(&'d Conditions, Vec<&'d Gate>)>,
    conditions: &'d Conditions,
    gates: Vec<&'d Gate>,
) {
    let is_it = |known: &Conditions| {
        (&known.declared_by, &known.types) == (&conditions.declared_by, &conditions.types)
    };
    match found.iter_mut().find(|(known, _)| is_it(known)) {
        Some((_, fewest)) if gates.len() < fewest.len() => *fewest = gates,
        Some(_) => {}
        None => found.push((conditions, gates)),
    }
}

fn declared_type(of: &Condition, around: &[&Gate]) -> DeclaredType {
    let when = |own: &[Gate], around: &[&Gate]| {
        let all: BTreeSet<String> = around.iter().copied().chain(own).map(condition).collect();
        all.into_iter().collect()
    };
    let outside: Vec<&Gate> = around.iter().copied().chain(&of.gates).collect();
    let reason = |reason: &Reason| {
        Some(Word {
            name: reason.name.as_ref()?.to_string(),
            docs: format!("{}: {}", reason.status.name(), reason.docs),
            when: when(&reason.gates, &outside),
        })
    };
    DeclaredType {
        word: Word {
            name: of.name.to_string(),
            docs: format!("{}\n\nIt is {}.", of.docs, of.meaning()),
            when: when(&of.gates, around),
        },
        replaced: of
            .replaced
            .as_ref()
            .map(|replaced| (replaced.by.to_string(), replaced.until.to_string())),
        reasons: of.reasons.all.iter().filter_map(reason).collect(),
    }
}
