//! Random edits of declared conditions: any change of the contract needs a minor at least, and nothing else needs a bundle.

use super::drawn::Dice;
use super::rows::crd;
use crate::{Bump, Channel, Set, compare};
use crd_channels_released::manifest::{ConditionList, ConditionType, Polarity, Reason};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

const NAMES: [&str; 4] = ["Accepted", "Programmed", "Scheduled", "Conflicted"];
const REASONS: [&str; 3] = ["Accepted", "NoResources", "Pending"];
const STATUSES: [&str; 3] = ["True", "False", "Unknown"];
const ENDS: [&str; 3] = ["v0.2.0", "v0.3.0", "v1.0.0"];

fn drawn_reason(dice: &mut Dice) -> Reason {
    let named = dice.roll(6) > 0;
    Reason {
        name: named.then(|| (*dice.pick(&REASONS)).to_owned()),
        status: (*dice.pick(&STATUSES)).to_owned(),
    }
}

fn drawn_type(dice: &mut Dice, name: &str) -> ConditionType {
    let positive = dice.roll(3) > 0;
    let until = (dice.roll(4) == 0).then(|| (*dice.pick(&ENDS)).to_owned());
    let mut reasons: Vec<Reason> = Vec::new();
    for _ in 0..=dice.roll(3) {
        let reason = drawn_reason(dice);
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    ConditionType {
        name: name.to_owned(),
        polarity: if positive {
            Polarity::Positive
        } else {
            Polarity::Negative
        },
        optional: positive && dice.roll(4) == 0,
        replaced_by: until.as_ref().map(|_| (*dice.pick(&NAMES)).to_owned()),
        until,
        reasons,
    }
}

fn drawn_types(dice: &mut Dice) -> Vec<ConditionType> {
    let mut types: Vec<ConditionType> = Vec::new();
    for name in NAMES {
        if dice.roll(3) > 0 {
            let of = drawn_type(dice, name);
            types.push(of);
        }
    }
    types
}

/// Edits that a person makes, none of them always effective.
fn edit(dice: &mut Dice, types: &mut Vec<ConditionType>) {
    if types.is_empty() || dice.roll(6) == 0 {
        let name = *dice.pick(&NAMES);
        if !types.iter().any(|of| of.name == name) {
            let of = drawn_type(dice, name);
            types.push(of);
        }
        return;
    }
    let place = usize::try_from(dice.roll(types.len() as u64)).unwrap();
    let of = &mut types[place];
    match dice.roll(10) {
        0 => drop(types.remove(place)),
        1 => of.optional = !of.optional && of.polarity == Polarity::Positive,
        2 => of.until = of.until.as_ref().map(|_| (*dice.pick(&ENDS)).to_owned()),
        3 => {
            of.until = None;
            of.replaced_by = None;
        }
        4 => of.polarity = Polarity::Negative,
        5 => {
            let reason = drawn_reason(dice);
            if !of.reasons.contains(&reason) {
                of.reasons.push(reason);
            }
        }
        6 => drop(of.reasons.pop()),
        7 => of.reasons.reverse(),
        8 => of.replaced_by = of.until.as_ref().map(|_| (*dice.pick(&NAMES)).to_owned()),
        _ => types.reverse(),
    }
}

/// What a declaration promises, whatever its order.
fn contract(types: &[ConditionType]) -> BTreeMap<&str, impl PartialEq + '_> {
    let types = types.iter().map(|of| {
        let ConditionType {
            name,
            polarity,
            optional,
            replaced_by,
            until,
            reasons,
        } = of;
        let reasons = reasons.iter().map(|Reason { name, status }| (name, status));
        let reasons: BTreeSet<_> = reasons.collect();
        (&**name, (*polarity, *optional, replaced_by, until, reasons))
    });
    types.collect()
}

fn set(bundle: &str, channels: [&[ConditionType]; 2]) -> Set {
    let mut set = Set {
        by_folder: true,
        ..Set::default()
    };
    for (channel, types) in [Channel::Stable, Channel::Experimental]
        .into_iter()
        .zip(channels)
    {
        let conditions = json!({"type": "array", "items": {"type": "object"}});
        let status = json!({"type": "object", "properties": {"conditions": conditions}});
        let patch = json!({"root": {"properties": {"status": status}}});
        let published = crd(&patch, bundle, channel);
        let list = ConditionList {
            group: "example.com".to_owned(),
            kind: "Widget".to_owned(),
            version: "v1".to_owned(),
            path: "status.conditions".to_owned(),
            types: types.to_vec(),
        };
        set.insert(channel, published.declaring(Some(&[list])))
            .unwrap();
    }
    set
}

#[test]
fn a_patch_changes_nothing_of_the_contract() {
    let rounds = std::env::var("CONDITION_EDITS")
        .ok()
        .and_then(|text| text.parse().ok());
    let mut changed = 0;
    for seed in 0..rounds.unwrap_or(700) {
        let mut dice = Dice(seed * 2 + 1);
        let stable = drawn_types(&mut dice);
        let mut tried = stable.clone();
        for _ in 0..dice.roll(3) {
            edit(&mut dice, &mut tried);
        }
        let (mut stable_after, mut tried_after) = (stable.clone(), tried.clone());
        let experimental_only = dice.roll(2) == 0;
        for _ in 0..dice.roll(4) {
            edit(&mut dice, &mut tried_after);
            if !experimental_only {
                edit(&mut dice, &mut stable_after);
            }
        }
        let (old, new) = (
            set("v0.1.0", [&stable, &tried]),
            set("v0.2.0", [&stable_after, &tried_after]),
        );
        let report = compare(&old, &new);
        let is_same = contract(&stable) == contract(&stable_after)
            && contract(&tried) == contract(&tried_after);
        let why = format!("{seed}: {:#?}", report.findings);
        assert_eq!(report.bump() >= Bump::Minor, !is_same, "{why}");
        assert_eq!(report.findings.is_empty(), is_same, "{why}");
        changed += usize::from(!is_same);
    }
    assert!(changed > 100, "{changed}");
}

/// What a stable user has does not depend on what is tried: it never needs more than a minor.
#[test]
fn experimental_conditions_need_a_minor_at_most() {
    for seed in 0..500 {
        let mut dice = Dice(seed * 2 + 1);
        let (before, after) = (drawn_types(&mut dice), drawn_types(&mut dice));
        let (old, new) = (set("v0.1.0", [&[], &before]), set("v0.2.0", [&[], &after]));
        let report = compare(&old, &new);
        assert!(
            report.bump() <= Bump::Minor,
            "{seed}: {:#?}",
            report.findings
        );
    }
}

#[test]
fn a_bundle_without_records_is_not_judged() {
    let mut dice = Dice(1);
    let types = drawn_types(&mut dice);
    let new = set("v0.2.0", [&types, &types]);
    let mut old = set("v0.1.0", [&[], &[]]);
    for published in old.channels.values_mut().flat_map(BTreeMap::values_mut) {
        published.conditions = None;
    }
    let report = compare(&old, &new);
    assert!(report.findings.is_empty(), "{:#?}", report.findings);
    let note = "the old set does not record its conditions, so changes to them are not checked";
    assert_eq!(
        report.notes.iter().filter(|known| *known == note).count(),
        1
    );
    assert!(!compare(&old, &old).notes.iter().any(|known| known == note));
}
