//! CEL rules, matched by their canonical text, then by their message. Rules that provably reject nothing are distinguished from
//! those that may.

use super::fields::Field;
use super::{NodeRule, gated, narrowed, widened};
use crate::cel::{canonical, counterexample, holds, implied_by, resembles, transitional};
use crate::findings::verdict::{Answer, Need, Verdict};
use crate::findings::{Change, Record, Topic};
use crate::schemas::cache::Cache;
use crate::schemas::pair::SchemaPair;
use crd_channels_cel::Text;
use crd_channels_schema::{Rule, Schema};
use serde_json::Value;
use std::collections::BTreeMap;

/// The number of rules on each side of a rule in their order that are compared with it.
const NEIGHBOURS: usize = 16;

/// The number of rules from which another is derived.
const MOST_RULES: usize = 64;

/// The number of rules that the searches for counterexamples at one node evaluate together.
const MOST_SEARCHED: usize = 4096;

/// Longer values are not shown.
const LONGEST_VALUE: usize = 160;

const RULE: &[Field] = &[Field::Rule];

pub(super) const RULES: &[NodeRule] = &[
    NodeRule {
        record: gated(Record::new(
            "cel-rule-added",
            Topic::Breaking,
            "A rule was added that existing objects may violate.",
            "The finding shows an existing value that the rule rejects, if one was found. If every existing object satisfies the rule, or the rejected values never worked, write a waiver that states it.",
        )),
        claims: RULE,
        decide: |node, _| added(node, false),
    },
    NodeRule {
        record: gated(Record::new(
            "cel-rule-implied",
            Topic::Changed,
            "A rule was added that no existing object can violate.",
            "It only affects new fields, or follows from existing bounds and rules.",
        )),
        claims: RULE,
        decide: |node, _| added(node, true),
    },
    NodeRule {
        record: gated(Record::new(
            "cel-transition-added",
            Topic::Breaking,
            "A transition rule was added.",
            "It forbids changes that were allowed; mutable fields must not become immutable.",
        )),
        claims: RULE,
        decide: |node, _| transition(node),
    },
    NodeRule {
        record: gated(Record::new(
            "cel-rule-removed",
            Topic::Loosened,
            "A rule was removed.",
            "Implementations must handle objects that it rejected.",
        )),
        claims: RULE,
        decide: |node, _| removed(node),
    },
    NodeRule {
        record: gated(Record::new(
            "cel-rule-changed",
            Topic::Breaking,
            "A rule changed.",
            "It is not known whether it rejects existing objects. If it fixes an incorrect rule, write a waiver that states it.",
        )),
        claims: RULE,
        decide: |node, _| changed(node, false),
    },
    NodeRule {
        record: gated(Record::new(
            "cel-rule-loosened",
            Topic::Loosened,
            "A rule was relaxed.",
            "Implementations must handle objects that it rejected.",
        )),
        claims: RULE,
        decide: |node, _| changed(node, true),
    },
    NodeRule {
        record: gated(Record::new(
            "cel-text-changed",
            Topic::Fixed,
            "A rule's text or message changed.",
            "It rejects the same objects.",
        )),
        claims: &[
            Field::Rule,
            Field::RuleMessage,
            Field::RuleReason,
            Field::RuleFieldPath,
        ],
        decide: |node, _| changed_text(node),
    },
    NodeRule {
        record: gated(Record::new(
            "cel-on-create",
            Topic::Breaking,
            "A transition rule now also applies on creation, or no longer does.",
            "With `optionalOldSelf` it runs even without an old object.",
        )),
        claims: &[Field::RuleOptionalOldSelf],
        decide: |node, _| on_create(node),
    },
];

thread_local! {
    /// Whether a rule rejects nothing that a schema accepts.
    static KEPT: Cache<(Text, Schema), Answer> = const { Cache::new() };
    /// The canonical texts of rules.
    static CANONICAL: Cache<Text, String> = const { Cache::new() };
    /// Whether two rules have most of their parts in common.
    static ALIKE: Cache<(Text, Text), bool> = const { Cache::new() };
}

/// The rules of both sides, matched.
enum Pair<'a> {
    Same(&'a Rule, &'a Rule),
    Changed(&'a Rule, &'a Rule),
    Added(&'a Rule),
    Removed(&'a Rule),
}

/// Matches old rules with new ones: by the same text, else by the same message or a similar text.
fn pairs<'a>(node: &SchemaPair<'a>) -> Vec<Pair<'a>> {
    if node.old.rules == node.new.rules {
        return Vec::new();
    }
    let (old, new): (&'a [Rule], &'a [Rule]) = (&node.old.rules, &node.new.rules);
    let keyed = |rules: &'a [Rule]| -> Vec<(String, &'a Rule)> {
        let key = |rule: &Rule| {
            let find = || canonical(&rule.rule);
            let text = || rule.rule.clone();
            CANONICAL.with(|known| known.get_or_insert_with(|text| *text == rule.rule, text, find))
        };
        rules.iter().map(|rule| (key(rule), rule)).collect()
    };
    let mut old = keyed(old);
    // In two orders: by text, so that similar rules are near each other, and by message.
    let mut by_text = BTreeMap::new();
    let mut by_message = BTreeMap::new();
    for (place, (key, rule)) in keyed(new).into_iter().enumerate() {
        if let Some(message) = &rule.message {
            by_message.insert((message, place), key.clone());
        }
        by_text.insert((key, place), rule);
    }
    let mut pairs = Vec::new();
    old.retain(|(key, rule)| {
        let from = (key.clone(), 0);
        let same = by_text.range(&from..).next();
        let same = same
            .filter(|((other, _), _)| other == key)
            .map(|(at, _)| at.clone());
        match same.and_then(|at| by_text.remove(&at)) {
            Some(other) => {
                pairs.push(Pair::Same(rule, other));
                false
            }
            None => true,
        }
    });
    old.retain(|(key, rule)| {
        let told = rule.message.as_ref().and_then(|message| {
            let told = by_message.range((message, 0)..=(message, usize::MAX));
            let mut told = told.map(|((_, place), key)| (key.clone(), *place));
            told.find(|at| by_text.contains_key(at))
        });
        let alike = told.or_else(|| {
            let from = (key.clone(), 0);
            let after = by_text.range(&from..).take(NEIGHBOURS);
            let before = by_text.range(..&from).rev().take(NEIGHBOURS);
            let mut near = after.chain(before);
            near.find(|(_, other)| is_alike(rule, other))
                .map(|(at, _)| at.clone())
        });
        match alike.and_then(|at| by_text.remove(&at)) {
            Some(other) => {
                pairs.push(Pair::Changed(rule, other));
                false
            }
            None => true,
        }
    });
    pairs.extend(old.into_iter().map(|(_, rule)| Pair::Removed(rule)));
    let mut rest: Vec<_> = by_text.into_iter().collect();
    rest.sort_by_key(|((_, place), _)| *place);
    pairs.extend(rest.into_iter().map(|(_, rule)| Pair::Added(rule)));
    pairs
}

/// Whether two rules have most of their words in common.
fn is_alike(old: &Rule, new: &Rule) -> bool {
    let is_it = |(one, other): &(Text, Text)| (one, other) == (&old.rule, &new.rule);
    let texts = || (old.rule.clone(), new.rule.clone());
    let find = || resembles(&old.rule, &new.rule);
    ALIKE.with(|known| known.get_or_insert_with(is_it, texts, find))
}

fn quoted(rule: &Rule) -> String {
    cut(&on_one_line(rule), 0)
}

/// Two rules, long ones from a little before the place where they begin to differ.
fn quoted_difference(old: &Rule, new: &Rule) -> [String; 2] {
    const BEFORE: usize = 40;
    let texts = [on_one_line(old), on_one_line(new)];
    let pairs = texts[0].chars().zip(texts[1].chars());
    let same = pairs.take_while(|(old, new)| old == new).count();
    texts.map(|text| cut(&text, same.saturating_sub(BEFORE)))
}

fn on_one_line(rule: &Rule) -> String {
    rule.rule.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A rule in quotes; of a long one as much as a line holds, from this character on.
fn cut(text: &str, from: usize) -> String {
    const LONGEST: usize = 160;
    let length = text.chars().count();
    if length <= LONGEST {
        return format!("`{text}`");
    }
    let from = from.min(length - LONGEST);
    let shown: String = text.chars().skip(from).take(LONGEST).collect();
    let begins = if from == 0 { "" } else { "…" };
    let ends = if from + LONGEST == length { "" } else { "…" };
    format!("`{begins}{shown}{ends}`")
}

/// Whether a new rule rejects no old value.
fn kept(node: &SchemaPair<'_>, rule: &Rule) -> Answer {
    if node.live_before() == Answer::No {
        return Answer::Yes;
    }
    let find = || {
        let own = node.old.rules.iter().map(|rule| &*rule.rule);
        let own: Vec<&str> = own.take(MOST_RULES).collect();
        match holds(&rule.rule, node.old) {
            Answer::Unknown => implied_by(&rule.rule, &own, node.old),
            answer => answer,
        }
    };
    if node.old.rules.len() > MOST_RULES {
        return find();
    }
    KEPT.with(|kept| {
        let is_it = |(text, old): &(Text, Schema)| *text == rule.rule && old == node.old;
        kept.get_or_insert_with(is_it, || (rule.rule.clone(), node.old.clone()), find)
    })
}

fn added(node: &SchemaPair<'_>, wanted: bool) -> Vec<Change> {
    let mut searches = MOST_SEARCHED / node.old.rules.len().max(1);
    let changes = pairs(node).into_iter().filter_map(|pair| {
        let Pair::Added(rule) = pair else {
            return None;
        };
        if transitional(&rule.rule) {
            return None;
        }
        let mut kept = kept(node, rule);
        let is_whole_object = node.parent.is_none() && rule.rule.contains("metadata");
        let broken = || counterexample(&rule.rule, node.old, is_whole_object);
        let is_searched = kept == Answer::Unknown && !wanted && searches > 0;
        searches -= usize::from(is_searched);
        let broken = is_searched.then(broken).flatten();
        let why = broken.as_ref().map_or_else(String::new, |value| {
            kept = Answer::No;
            refusing(value)
        });
        match (kept, wanted) {
            (Answer::Yes, true) => Some(Change::harmless(
                Need::MINOR,
                format!(
                    "rule {} added, which every existing object satisfies",
                    quoted(rule)
                ),
            )),
            (Answer::No | Answer::Unknown, false) => Some(narrowed(
                node,
                (kept.not(), broken),
                format!("rule {} added{why}", quoted(rule)),
            )),
            _ => None,
        }
    });
    changes.collect()
}

/// Shows a value that a rule rejects, if it is short enough.
fn refusing(value: &Value) -> String {
    let value = value.to_string();
    if value.chars().count() > LONGEST_VALUE {
        String::new()
    } else {
        format!(", which rejects `{value}`")
    }
}

fn transition(node: &SchemaPair<'_>) -> Vec<Change> {
    let changes = pairs(node).into_iter().filter_map(|pair| {
        let Pair::Added(rule) = pair else {
            return None;
        };
        transitional(&rule.rule).then(|| {
            narrowed(
                node,
                (Answer::Yes, None),
                format!("transition rule {} added", quoted(rule)),
            )
        })
    });
    changes.collect()
}

fn removed(node: &SchemaPair<'_>) -> Vec<Change> {
    let changes = pairs(node).into_iter().filter_map(|pair| {
        let Pair::Removed(rule) = pair else {
            return None;
        };
        Some(widened(
            node,
            Answer::Yes,
            format!("rule {} removed", quoted(rule)),
        ))
    });
    changes.collect()
}

fn changed(node: &SchemaPair<'_>, wanted: bool) -> Vec<Change> {
    let changes = pairs(node).into_iter().filter_map(|pair| {
        let Pair::Changed(old, new) = pair else {
            return None;
        };
        // Values that a repair rejects may never have worked, so their rejection gives no verdict.
        let kept = match kept(node, new) {
            Answer::Yes => Answer::Yes,
            Answer::No | Answer::Unknown => Answer::Unknown,
        };
        if (kept == Answer::Yes) != wanted {
            return None;
        }
        let [was, is] = quoted_difference(old, new);
        let message = format!("rule was {was} and is {is}");
        let change = narrowed(node, (kept.not(), None), message.clone());
        Some(match kept {
            Answer::Yes => widened(node, Answer::Unknown, message),
            Answer::No | Answer::Unknown => Change {
                readers: Verdict::Unknown,
                ..change
            },
        })
    });
    changes.collect()
}

fn changed_text(node: &SchemaPair<'_>) -> Vec<Change> {
    let changes = pairs(node).into_iter().filter_map(|pair| {
        let Pair::Same(old, new) = pair else {
            return None;
        };
        let parts = [
            ("spelling", old.rule != new.rule),
            ("message", old.message != new.message),
            ("message", old.message_expression != new.message_expression),
            ("reason", old.reason != new.reason),
            ("field path", old.field_path != new.field_path),
        ];
        let mut parts: Vec<&str> = parts
            .into_iter()
            .filter_map(|(name, differs)| differs.then_some(name))
            .collect();
        parts.dedup();
        (!parts.is_empty()).then(|| {
            let message = format!("{} of rule {} changed", parts.join(", "), quoted(new));
            Change::harmless(Need::PATCH, message)
        })
    });
    changes.collect()
}

fn on_create(node: &SchemaPair<'_>) -> Vec<Change> {
    let changes = pairs(node).into_iter().filter_map(|pair| {
        let (Pair::Same(old, new) | Pair::Changed(old, new)) = pair else {
            return None;
        };
        let on = |rule: &Rule| rule.optional_old_self == Some(true);
        match (on(old), on(new)) {
            (false, true) => Some(Change {
                stored: Verdict::Ok,
                ..narrowed(
                    node,
                    (Answer::Yes, None),
                    format!("rule {} now also applies on creation", quoted(new)),
                )
            }),
            (true, false) => Some(widened(
                node,
                Answer::Yes,
                format!("rule {} no longer applies on creation", quoted(new)),
            )),
            _ => (old.optional_old_self != new.optional_old_self).then(|| {
                Change::harmless(
                    Need::PATCH,
                    "the default of `optionalOldSelf` is now explicit, or no longer",
                )
            }),
        }
    });
    changes.collect()
}

#[cfg(test)]
mod tests {
    use super::{Rule, quoted_difference};

    #[test]
    fn long_rules_are_shown_where_they_differ() {
        let rule = |end: &str| Rule {
            rule: format!("{}{end}", "self.a.size() < 5 && ".repeat(20)).into(),
            ..Rule::default()
        };
        let [was, is] = quoted_difference(&rule("self.b == 1"), &rule("self.b == 2"));
        assert_ne!(was, is);
        assert!(
            was.starts_with("`…") && was.ends_with("self.b == 1`"),
            "{was}"
        );
        let [was, is] = quoted_difference(&rule("x"), &rule(&"y".repeat(300)));
        assert!(
            was.ends_with("&& x`") && is.ends_with("yyy…`"),
            "{was} {is}"
        );
        let short = Rule {
            rule: "self\n  == 1".into(),
            ..Rule::default()
        };
        assert_eq!(quoted_difference(&short, &rule("x"))[0], "`self == 1`");
    }
}
