//! What a set needs of Kubernetes, and when that is said to have grown.

use super::drawn::Dice;
use crate::findings::verdict::Channel;
use crate::set::Published;
use crate::set::oldest_kubernetes::check;
use crate::{Set, oldest_kubernetes};
use crd_channels_check::OLDEST;
use serde_json::json;

const CHANNELS: [Channel; 2] = [Channel::Stable, Channel::Experimental];

/// A set of a kind for each rule.
fn set(rules: &[&str], minor: u32) -> Set {
    let mut set = Set::default();
    add(&mut set, Channel::Stable, rules, minor);
    set
}

/// Adds a kind for each rule that is not empty to a channel.
fn add(set: &mut Set, channel: Channel, rules: &[&str], minor: u32) {
    for (number, rule) in rules.iter().enumerate() {
        if rule.is_empty() {
            continue;
        }
        let schema = json!({"type": "object", "x-kubernetes-validations": [{"rule": rule}]});
        let crd = json!({
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": format!("k{number}s.example.com"), "annotations": {"minor": minor.to_string()}},
            "spec": {
                "group": "example.com", "scope": "Namespaced",
                "names": {"kind": format!("K{number}"), "plural": format!("k{number}s")},
                "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
                    "type": "object", "properties": {"a": {"type": "string"}, "spec": schema},
                }}}],
            },
        });
        let published = Published::read(&crd).unwrap().unwrap();
        set.insert(channel, published).unwrap();
    }
}

#[test]
fn what_changed_says_what_all_kinds_say() {
    let rules = [
        "",
        "true",
        "isIP('a')",
        "isSemver('a')",
        "isURL('a')",
        "format.dns1123Label()",
    ];
    let mut dice = Dice(0x01de57);
    let mut raised = 0;
    for round in 0..400 {
        let drawn: Vec<&str> = (0..6).map(|_| *dice.pick(&rules)).collect();
        let changes = dice.roll(4);
        let edited: Vec<&str> = drawn
            .iter()
            .map(|rule| match dice.roll(4) < changes {
                true => *dice.pick(&rules),
                false => *rule,
            })
            .collect();
        let declare = dice.one_in(3);
        let [old, new] = [(&drawn, 1), (&edited, 2)].map(|(rules, minor)| {
            let mut set = Set::default();
            for (channel, rules) in CHANNELS.into_iter().zip(rules.chunks(3)) {
                add(&mut set, channel, rules, minor);
            }
            let declared = 24 + u32::try_from(dice.roll(12)).unwrap();
            set.kubernetes = declare.then_some(declared);
            set
        });
        let (before, after) = (oldest_kubernetes(&old), oldest_kubernetes(&new));
        let is_empty = old.channels.is_empty() || new.channels.is_empty();
        let expected = after > before && after > OLDEST && !is_empty;
        let found = check(&old, &new).map(|found| found.change.message);
        let says = |found: &String| {
            found.contains(&format!("1.{after} ")) && found.contains(&format!("; 1.{before} "))
        };
        assert!(
            found.is_some() == expected && found.iter().all(says),
            "round {round}: {drawn:?} {edited:?}: {found:?}, 1.{before} and then 1.{after}"
        );
        raised += u32::from(expected);
    }
    assert!(raised > 40, "{raised}");
}

#[test]
fn only_what_changed_can_need_a_newer_one() {
    let (none, old, new) = ("true", "isIP('a')", "isSemver('a')");
    for (before, after, expected) in [
        ([none, old], [none, old], None),
        ([none, old], [none, none], None),
        // Another kind needed that before.
        ([none, new], [old, new], None),
        ([none, new], [new, new], None),
        ([none, new], [new, none], None),
        ([none, old], [none, new], Some("1.34 for `isSemver`; 1.31")),
        ([none, old], [new, old], Some("1.34 for `isSemver`; 1.31")),
        ([none, none], [none, old], Some("1.31 for `isIP`; 1.25")),
    ] {
        let found = check(&set(&before, 1), &set(&after, 2)).map(|found| found.change.message);
        let is_right = match (&found, expected) {
            (Some(found), Some(expected)) => found.contains(expected),
            (found, expected) => found.is_none() && expected.is_none(),
        };
        assert!(is_right, "{before:?} {after:?}: {found:?}, {expected:?}");
    }
}
