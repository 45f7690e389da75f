//! `[lints]` of `channels/bundle.toml`: the level of each lint.

use super::table::Table;
use crd_channels_check::{Level, Rule};
use std::collections::BTreeMap;

/// The levels of lints that are set.
#[derive(Clone, Debug, Default)]
pub struct Lints(BTreeMap<Rule, Level>);

impl Lints {
    /// Sets the level of a lint. Has no effect on rules of servers.
    pub fn set(&mut self, rule: Rule, level: Level) {
        if rule.is_lint() {
            self.0.insert(rule, level);
        }
    }

    /// Turns lints off whose level is not set.
    #[must_use]
    pub(super) fn or_allowed(mut self, lints: &[Rule]) -> Self {
        for lint in lints {
            self.0.entry(*lint).or_insert(Level::Allow);
        }
        self
    }

    /// Returns the level of a rule.
    #[must_use]
    pub fn level(&self, rule: Rule) -> Level {
        let set = self.0.get(&rule).copied();
        set.unwrap_or_else(|| rule.record().level)
    }
}

pub(super) fn read_lints(table: &mut Table<'_, '_>) -> Lints {
    let levels = Level::ALL.map(|level| (level.name(), level));
    let mut lints = Lints::default();
    for rule in Rule::ALL.iter().filter(|rule| rule.is_lint()) {
        if let Some(level) = table.choice(rule.record().id, &levels) {
            lints.set(*rule, level);
        }
    }
    lints
}
