//! `[lints]` of `channels/bundle.toml`: what findings of each lint do.

use super::table::Table;
use crate::check::{Level, Rule};
use std::collections::BTreeMap;

/// The levels of lints, where they are set.
#[derive(Clone, Debug, Default)]
pub struct Lints(BTreeMap<Rule, Level>);

impl Lints {
    /// Sets the level of a lint. What servers refuse stays refused.
    pub fn set(&mut self, rule: Rule, level: Level) {
        if rule.is_lint() {
            self.0.insert(rule, level);
        }
    }

    /// What the findings of a rule do.
    #[must_use]
    pub fn level(&self, rule: Rule) -> Level {
        let set = self.0.get(&rule).copied();
        set.unwrap_or_else(|| rule.record().level)
    }
}

pub(super) fn read(table: &mut Table<'_, '_>) -> Lints {
    let levels = Level::ALL.map(|level| (level.name(), level));
    let mut lints = Lints::default();
    for rule in Rule::ALL.iter().filter(|rule| rule.is_lint()) {
        if let Some(level) = table.choice(rule.record().id, &levels) {
            lints.set(*rule, level);
        }
    }
    lints
}
