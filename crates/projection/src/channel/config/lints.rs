//! `[lints]` of `channels/bundle.toml`: the level of each lint.

use super::table::Table;
use crate::render::Convention;
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

    /// Adds the levels that only `usual` sets.
    #[must_use]
    pub fn or(mut self, usual: Self) -> Self {
        for (rule, level) in usual.0 {
            self.0.entry(rule).or_insert(level);
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

/// The default levels. `kube` writes formats such as `uint32` that no server knows, and makes every `Option` nullable, even of
/// an enum; with its convention neither can be avoided.
pub(super) fn usual(convention: Convention) -> Lints {
    let mut lints = Lints::default();
    if convention == Convention::Kube {
        lints.set(Rule::UnknownFormat, Level::Allow);
        lints.set(Rule::NullableEnum, Level::Allow);
    }
    lints
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
