//! The bumps that changes require and those whom they may affect, collected from the test cases of the comparison, since a rule
//! decides that by the values that it compares.

use crd_channels_compat::{Gate, Record, catalogue};
use crd_channels_released::documents;
use std::collections::{BTreeMap, BTreeSet};

/// The test cases, with the findings in each.
const PAIRS: [&str; 5] = [
    include_str!("../../../crates/compat/src/tests/rows/channels.yaml"),
    include_str!("../../../crates/compat/src/tests/rows/conditions.yaml"),
    include_str!("../../../crates/compat/src/tests/rows/crds.yaml"),
    include_str!("../../../crates/compat/src/tests/rows/schemas.yaml"),
    include_str!("../../../crates/compat/src/tests/rows/versions.yaml"),
];

/// The findings that pairs of CRDs cannot cause: components, tombstones, and unknown changes.
const OTHERS: [&str; 7] = [
    "component-added . ok/unknown/ok patch",
    "component-changed . ok/unknown/ok patch",
    "component-removed . ok/unknown/unknown minor",
    "tombstone-missing . unknown/unknown/unknown never",
    "tombstone-reused . unknown/unknown/unknown never",
    "tombstone-erased . unknown/unknown/unknown never",
    "unclassified . unknown/unknown/unknown unclassified",
];

/// The bumps, smallest first.
const BUMPS: [&str; 7] = [
    "none",
    "patch",
    "minor",
    "new-api-version",
    "never",
    "unknown",
    "unclassified",
];

/// The index of `minor` among them.
const MINOR: usize = 2;

const AUDIENCES: [&str; 3] = ["stored objects", "writers", "readers"];

/// The requirements of one rule.
#[derive(Default)]
struct Requirements {
    /// For stable parts.
    stable: BTreeSet<usize>,
    /// For experimental parts.
    experimental: BTreeSet<usize>,
    /// The parties for whom something may stop working.
    affected: BTreeSet<usize>,
}

impl Requirements {
    fn line(&self, record: &Record) -> String {
        let bumps = match self.stable.is_empty() {
            true => &self.experimental,
            false => &self.stable,
        };
        let named = bumps.iter().filter_map(|bump| BUMPS.get(*bump));
        let named: Vec<String> = named.map(|name| format!("`{name}`")).collect();
        let mut line = format!("Bump: {}", listed(named, "or"));
        let is_more = bumps.iter().any(|bump| *bump > MINOR);
        line.push_str(match record.gate {
            Gate::Own if is_more => {
                ", but at most `minor` if only the experimental channel has the change"
            }
            Gate::Absolute if is_more => ", also in the experimental channel",
            Gate::Own | Gate::Node | Gate::Absolute => "",
        });
        let affected = self.affected.iter().filter_map(|one| AUDIENCES.get(*one));
        let affected: Vec<String> = affected.map(|one| (*one).to_owned()).collect();
        if !affected.is_empty() {
            line.push_str(&format!(". May affect {}", listed(affected, "and")));
        }
        line.push_str(match record.waivable {
            true => ". A waiver may permit it.",
            false => ".",
        });
        line
    }
}

/// Lists names: `a, b or c`.
fn listed(mut names: Vec<String>, word: &str) -> String {
    match names.pop() {
        Some(last) if !names.is_empty() => format!("{} {word} {last}", names.join(", ")),
        last => last.unwrap_or_default(),
    }
}

/// Returns a line for each rule, by its code.
pub(super) fn lines() -> BTreeMap<&'static str, String> {
    let mut all: BTreeMap<String, Requirements> = BTreeMap::new();
    let pairs = PAIRS.iter().filter_map(|text| documents::parse(text).ok());
    let pairs: Vec<_> = pairs.flatten().collect();
    let found = pairs
        .iter()
        .filter_map(|pair| pair.get("finds")?.as_array());
    let found = found.flatten().filter_map(|line| line.as_str());
    for line in found.chain(OTHERS) {
        let (of_experimental, line) = match line.strip_prefix("experimental ") {
            Some(rest) => (true, rest),
            None => (false, line),
        };
        let words: Vec<&str> = line.split(' ').collect();
        let [code, .., verdicts, bump] = *words else {
            continue;
        };
        let requirements = all.entry(code.to_owned()).or_default();
        let bumps = if of_experimental {
            &mut requirements.experimental
        } else {
            &mut requirements.stable
        };
        bumps.extend(BUMPS.iter().position(|known| *known == bump));
        let verdicts = verdicts.split('/').enumerate();
        let affected = verdicts.filter(|(_, verdict)| *verdict != "ok");
        requirements.affected.extend(affected.map(|(one, _)| one));
    }
    let records = catalogue().into_iter();
    let lines = records.filter_map(|record| Some((record.id, all.get(record.id)?.line(record))));
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::lines;
    use crd_channels_compat::catalogue;

    #[test]
    fn every_rule_has_a_line() {
        let lines = lines();
        let ids = catalogue().into_iter().map(|record| record.id);
        let missing: Vec<&str> = ids.filter(|id| !lines.contains_key(*id)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn a_line_has_all_that_the_pairs_show() {
        let line = |code: &str| lines().remove(code).unwrap_or_default();
        assert_eq!(line("limit-loosened"), "Bump: `minor`. May affect readers.");
        assert_eq!(
            line("enum-added"),
            "Bump: `patch` or `new-api-version`, but at most `minor` if only the experimental channel has the change. May affect stored objects and writers."
        );
        assert_eq!(
            line("list-type-atomic"),
            "Bump: `new-api-version`. May affect writers."
        );
    }
}
