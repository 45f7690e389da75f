//! Random chains of bundles: the folded report of a chain requires at least what its steps required.

use super::drawn::Dice;
use super::draws;
use crate::findings::verdict::{Bump, Channel};
use crate::kinds::lineage::{Ancestor, Lineage};
use crate::set::Published;
use crate::{Finding, Report, Set, compare, compare_along};
use crd_channels_released::fixture::manifest;
use crd_channels_released::manifest::{Change, Manifest};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

const CHANNELS: [Channel; 2] = [Channel::Stable, Channel::Experimental];
const NAMES: [&str; 4] = ["host", "mode", "port", "paths"];
const WORDS: [&str; 4] = ["A", "B", "C", "D"];
const RULES: [&str; 3] = ["size(self) < 9", "self != 'x'", "self.startsWith('a')"];

/// A property and its experimental parts.
#[derive(Clone)]
struct Property {
    is_experimental: bool,
    is_required: bool,
    schema: Value,
    /// The values of the enum, true if they are experimental.
    values: BTreeMap<&'static str, bool>,
    /// The rules, true if they are experimental.
    rules: BTreeMap<&'static str, bool>,
}

type Spec = BTreeMap<&'static str, Property>;

fn property(dice: &mut Dice) -> Property {
    let draws = |dice: &mut Dice, from: &[&'static str]| {
        let all = from.iter().filter(|_| dice.one_in(2)).collect::<Vec<_>>();
        all.into_iter().map(|one| (*one, dice.one_in(3))).collect()
    };
    let mut schema = json!({"type": "string"});
    let mut values = BTreeMap::new();
    match dice.roll(3) {
        0 => schema["maxLength"] = json!(4 + dice.roll(4)),
        1 => {
            values = draws(dice, &WORDS);
            values.insert("E", false);
        }
        _ => schema = json!({"type": "integer", "maximum": dice.roll(5)}),
    }
    let rules = match schema["type"] == "string" {
        true => draws(dice, &RULES),
        false => BTreeMap::new(),
    };
    Property {
        is_experimental: dice.one_in(2),
        is_required: dice.one_in(4),
        schema,
        values,
        rules,
    }
}

/// The next bundle: one or two properties are added, removed, graduated, restored, or generated again.
fn next(dice: &mut Dice, spec: &Spec) -> Spec {
    let mut next = spec.clone();
    for _ in 0..=dice.roll(2) {
        let name = *dice.pick(&NAMES);
        let drawn = property(dice);
        match (next.get_mut(name), dice.roll(6)) {
            (Some(_), 0) => {
                next.remove(name);
            }
            (Some(old), 1) => old.is_experimental = !old.is_experimental,
            (Some(old), 2) => old.values = drawn.values,
            (Some(old), 3) => old.rules = drawn.rules,
            (Some(old), 4) => old.is_required = drawn.is_required,
            _ => {
                next.insert(name, drawn);
            }
        }
    }
    next
}

fn schema(spec: &Spec, channel: Channel) -> Value {
    let shows = |gated: bool| channel == Channel::Experimental || !gated;
    let mut properties = Map::new();
    let mut required = Vec::new();
    for (name, property) in spec.iter().filter(|(_, one)| shows(one.is_experimental)) {
        let mut schema = property.schema.clone();
        let of = |named: &BTreeMap<&'static str, bool>| -> Vec<&str> {
            let shown = named.iter().filter(|(_, gated)| shows(**gated));
            shown.map(|(name, _)| *name).collect()
        };
        if schema["type"] == "string" && !property.values.is_empty() {
            schema["enum"] = json!(of(&property.values));
        }
        let rules = of(&property.rules);
        if !rules.is_empty() {
            let rules = rules.into_iter().map(|rule| json!({"rule": rule}));
            schema["x-kubernetes-validations"] = rules.collect();
        }
        if property.is_required {
            required.push(*name);
        }
        properties.insert((*name).to_owned(), schema);
    }
    let mut spec = json!({"type": "object", "properties": properties});
    if !required.is_empty() {
        spec["required"] = json!(required);
    }
    spec
}

fn set(spec: &Spec, minor: u64) -> Set {
    let mut set = Set::default();
    add(&mut set, &CHANNELS, "example.com", spec, minor);
    set
}

/// Adds a kind of a group.
fn add(set: &mut Set, channels: &[Channel], group: &str, spec: &Spec, minor: u64) {
    for &channel in channels {
        let name = channel.name();
        let crd = json!({
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": format!("routes.{group}"), "annotations": {
                "example.com/bundle-version": format!("v0.{minor}.0"), "example.com/channel": name,
            }},
            "spec": {
                "group": group, "scope": "Namespaced",
                "names": {"kind": "Route", "plural": "routes"},
                "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
                    "type": "object", "properties": {"spec": schema(spec, channel)},
                }}}],
            },
        });
        set.insert(channel, Published::read(&crd).unwrap().unwrap())
            .unwrap();
    }
}

/// The manifest's record of a waived finding.
fn waived(finding: &Finding, bump: Bump) -> Change {
    Change {
        code: finding.record.id.to_owned(),
        group: finding.group.to_string(),
        kind: finding.kind.to_string(),
        version: finding.version.to_string(),
        path: finding.path.clone(),
        channel: finding.channel_name(),
        stored: finding.change.stored.to_string(),
        writers: finding.change.writers.to_string(),
        readers: finding.change.readers.to_string(),
        bump: bump.to_string(),
        message: finding.change.message.clone(),
        waived: Some("a person looked".to_owned()),
    }
}

/// A chain of bundles, with the findings of each step that are not waived.
struct Chain {
    sets: Vec<Set>,
    manifests: Vec<Manifest>,
    steps: Vec<Vec<Finding>>,
}

/// The bundles that a chain may have.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Bundles {
    /// Any; in a third of them everything is waived.
    All,
    /// Those that can be released without a waiver.
    Legal,
}

fn chain(dice: &mut Dice, bundles: Bundles) -> Chain {
    let mut spec = Spec::new();
    for name in NAMES {
        if dice.one_in(2) {
            spec.insert(name, property(dice));
        }
    }
    let mut chain = Chain {
        sets: vec![set(&spec, 1)],
        manifests: vec![manifest()],
        steps: Vec::new(),
    };
    for minor in 2..=3 + dice.roll(3) {
        for _ in 0..20 {
            let drawn = next(dice, &spec);
            let new = set(&drawn, minor);
            let findings = chain.step(&new);
            if bundles == Bundles::All || !findings.iter().any(asks) {
                chain.push(dice, new, findings);
                spec = drawn;
                break;
            }
        }
    }
    chain
}

impl Chain {
    fn ancestors(&self) -> Vec<Ancestor<'_>> {
        let all = self.manifests.iter().zip(&self.sets);
        all.map(|(manifest, set)| Ancestor { manifest, set })
            .collect()
    }

    /// The changes of the next bundle.
    fn step(&self, new: &Set) -> Vec<Finding> {
        let ancestors = self.ancestors();
        let (old, before) = ancestors.split_last().unwrap();
        let lineage = Lineage {
            before: Some(before),
            ..Lineage::default()
        };
        compare_along(lineage, old.set, new).findings
    }

    fn push(&mut self, dice: &mut Dice, set: Set, mut findings: Vec<Finding>) {
        let mut own = manifest();
        own.changes.clear();
        if dice.one_in(3) {
            let answered = findings.iter().filter(|finding| asks(finding));
            own.changes = answered
                .map(|finding| waived(finding, Bump::Minor))
                .collect();
            findings.retain(|finding| !asks(finding));
        }
        self.sets.push(set);
        self.manifests.push(own);
        self.steps.push(findings);
    }

    /// Compares the last bundle with the first, with those between.
    fn folded(&self) -> Report {
        let ancestors = self.ancestors();
        let [first, between @ .., last] = &*ancestors else {
            return Report::default();
        };
        let lineage = Lineage {
            before: Some(&[]),
            between,
            recorded: &last.manifest.changes,
            ..Lineage::default()
        };
        compare_along(lineage, first.set, last.set)
    }
}

fn asks(finding: &Finding) -> bool {
    finding.counts_as() > Bump::Minor
}

fn is_about(one: &Finding, other: &Finding) -> bool {
    one.channel == other.channel
        && one.place() == other.place()
        && one.change.member == other.change.member
}

fn summaries(finding: &Finding) -> String {
    let Finding {
        channel,
        path,
        record,
        change,
        ..
    } = finding;
    format!(
        "{channel} {path} {}: {} ({})",
        record.id,
        change.message,
        finding.counts_as()
    )
}

/// A finding is only lowered if every step that has it was waived or harmless; nothing else about it changes.
#[test]
fn a_folded_finding_asks_for_no_less_than_its_steps() {
    let mut dice = Dice(0x0dd_ba11);
    let (mut lowered, mut kept) = (0, 0);
    let rounds = draws(45);
    for round in 0..rounds {
        let chain = chain(&mut dice, Bundles::All);
        let plain = compare(&chain.sets[0], chain.sets.last().unwrap());
        let folded = chain.folded();
        assert_eq!(plain.findings.len(), folded.findings.len());
        for finding in &plain.findings {
            let mut same = folded.findings.iter();
            match same.find(|folded| is_about(finding, folded)) {
                Some(folded) if folded.counts_as() >= finding.counts_as() => {
                    kept += u64::from(asks(finding));
                    continue;
                }
                Some(folded) => {
                    assert_eq!(finding.change.stored, folded.change.stored);
                    assert_eq!(finding.change.writers, folded.change.writers);
                }
                // It graduated in a step.
                None => assert!(finding.record.id.ends_with("-straight-to-stable")),
            }
            lowered += 1;
            let steps = chain.steps.iter().flatten();
            let mut open = steps.filter(|step| is_about(finding, step) && asks(step));
            let open = open.next().map(summaries);
            assert_eq!(open, None, "round {round}: {}", summaries(finding));
        }
    }
    assert!(
        lowered > rounds / 4 && kept > rounds / 4,
        "{lowered} lowered, {kept} kept"
    );
}

/// If every step was legal, so is the whole.
#[test]
fn legal_steps_make_a_legal_whole() {
    let mut dice = Dice(0xcafe);
    let mut harmful = 0;
    let rounds = draws(45);
    for round in 0..rounds {
        let chain = chain(&mut dice, Bundles::Legal);
        let plain = compare(&chain.sets[0], chain.sets.last().unwrap());
        harmful += u64::from(plain.findings.iter().any(asks));
        let folded = chain.folded();
        let open = folded.findings.iter().filter(|finding| asks(finding));
        let open: Vec<String> = open.map(summaries).collect();
        assert!(
            open.is_empty(),
            "round {round}: {open:#?}\n{:#?}",
            chain
                .steps
                .iter()
                .flatten()
                .map(summaries)
                .collect::<Vec<_>>()
        );
    }
    assert!(harmful > rounds / 20, "{harmful}");
}

/// Two groups may have a kind of one name: neither hides what is found in the other.
#[test]
fn kinds_of_two_groups_are_compared_by_themselves() {
    let mut dice = Dice(0x2_9075);
    for round in 0..200 {
        let spec = |dice: &mut Dice| -> Spec {
            let names = NAMES.into_iter().filter(|_| dice.one_in(2));
            let names: Vec<_> = names.collect();
            names
                .into_iter()
                .map(|name| (name, property(dice)))
                .collect()
        };
        let groups = ["a.example.com", "b.example.com"];
        let before = groups.map(|group| (group, spec(&mut dice)));
        let after = before.clone().map(|(group, spec)| {
            let same = dice.one_in(3);
            let next = if same { spec } else { next(&mut dice, &spec) };
            (group, next)
        });
        // The same change in both is the hardest to tell apart.
        let (before, after) = match dice.one_in(2) {
            true => {
                let [(_, was), _] = before;
                let [(_, is), _] = after;
                (
                    groups.map(|group| (group, was.clone())),
                    groups.map(|group| (group, is.clone())),
                )
            }
            false => (before, after),
        };
        // A kind may be experimental only.
        let first = [0, 1].map(|_| usize::from(dice.one_in(2)));
        let of = |kinds: &[(&str, Spec)], minor| {
            let mut set = Set::default();
            for (group, spec) in kinds {
                let first = first[usize::from(*group != groups[0])];
                add(&mut set, &CHANNELS[first..], group, spec, minor);
            }
            set
        };
        let found = |before: &[(&str, Spec)], after: &[(&str, Spec)]| {
            let findings = compare(&of(before, 1), &of(after, 2)).findings;
            // What a set needs of Kubernetes is a fact of all its kinds.
            let findings = findings
                .iter()
                .filter(|it| it.record.id != "kubernetes-raised");
            let mut found: Vec<_> = findings
                .map(|finding| format!("{} {} {}", finding.group, finding.kind, summaries(finding)))
                .collect();
            found.sort();
            found
        };
        let both = found(&before, &after);
        let mut alone = [0, 1]
            .map(|one| found(&before[one..=one], &after[one..=one]))
            .concat();
        alone.sort();
        assert_eq!(both, alone, "round {round}");
    }
}
