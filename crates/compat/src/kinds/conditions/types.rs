//! Condition types: added, removed, renamed, reversed, deprecated.

use super::records::{
    ADDED, ALWAYS, DEPRECATED, END, GRADUATED, OPTIONAL, POLARITY, REMOVED, RENAMED, REPLACEMENT,
    STRAIGHT,
};
use super::{Found, List, find_condition, reasons};
use crate::findings::verdict::{Channel, Need, Verdict};
use crate::findings::{Change, Record};
use crate::kinds::stamps::order;
use crd_channels_released::manifest::{ConditionType, Polarity, Reason};
use crd_channels_schema::path::condition;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// Clients no longer find what they wait for.
const LOST: [Verdict; 3] = [Verdict::Ok, Verdict::Ok, Verdict::No];

/// Adds the changes of the types of a list.
pub(super) fn compare(list: List<'_>, found: &mut Vec<Found>) {
    let only_new = list
        .new
        .iter()
        .filter(|of| find_condition(list.old, &of.name).is_none());
    let mut only_new: Vec<&ConditionType> = only_new.collect();
    for old in list.old {
        let (record, change) = match find_condition(list.new, &old.name) {
            Some(new) => {
                both(list, old, new, found);
                continue;
            }
            None => gone(list, old, &mut only_new),
        };
        found.push(list.found(&old.name, record, change));
    }
    for new in only_new {
        let added = added(list, new);
        found.extend(added.map(|(record, change)| list.found(&new.name, record, change)));
    }
}

impl List<'_> {
    pub(super) fn found(self, of: &str, record: &'static Record, change: Change) -> Found {
        let stable = match self.channel {
            Channel::Stable => self.old,
            Channel::Experimental => self.beside_old,
        };
        Found {
            record,
            path: condition(self.path, of),
            change: change.of_member(of),
            stable: find_condition(stable, of).is_some(),
        }
    }
}

/// The change of a removed type. If it was renamed, its successor is taken from those that came.
fn gone(
    list: List<'_>,
    old: &ConditionType,
    only_new: &mut Vec<&ConditionType>,
) -> (&'static Record, Change) {
    let is_demoted =
        list.channel == Channel::Stable && find_condition(list.beside_new, &old.name).is_some();
    if is_demoted {
        let message = "condition moved back to experimental";
        return (&REMOVED, Change::new(LOST, Need::VERSION, message));
    }
    if let Some(until) = &old.until {
        let (need, message) = match &old.replaced_by {
            _ if !list.bundles.reach(until) => {
                let by = list.bundles.old_name();
                let message = format!("condition removed, but {by} promised it until {until}");
                (Need::VERSION, message)
            }
            Some(by) => (
                Need::MINOR,
                format!("deprecated condition removed, replaced by `{by}`"),
            ),
            None => {
                let message = "deprecated condition removed whose replacement the channel never had beside it";
                (Need::VERSION, message.to_owned())
            }
        };
        return (&REMOVED, Change::new(LOST, need, message));
    }
    let is_new = |of: &ConditionType| find_condition(list.beside_old, &of.name).is_none();
    let successor = |new: &&ConditionType| is_new(new) && is_renamed(old, new);
    if let Some(place) = only_new.iter().position(successor) {
        let new = only_new.remove(place);
        let message = format!(
            "condition renamed to `{}` without having been deprecated",
            new.name
        );
        return (&RENAMED, Change::new(LOST, Need::VERSION, message));
    }
    let message = "condition removed without having been deprecated";
    (&REMOVED, Change::new(LOST, Need::VERSION, message))
}

/// Whether a type says the same under another name, which a reason may follow.
fn is_renamed(old: &ConditionType, new: &ConditionType) -> bool {
    let reasons = |of: &ConditionType, own: Option<&str>| -> BTreeSet<(Option<String>, String)> {
        let reasons = of.reasons.iter();
        let named = |reason: &Reason| reason.name.clone().filter(|name| own != Some(name));
        reasons
            .map(|reason| (named(reason), reason.status.clone()))
            .collect()
    };
    let same = reasons(old, None) == reasons(new, None)
        || reasons(old, Some(&old.name)) == reasons(new, Some(&new.name));
    same && (old.polarity, old.optional) == (new.polarity, new.optional) && new.until.is_none()
}

fn added(list: List<'_>, new: &ConditionType) -> Option<(&'static Record, Change)> {
    let before = find_condition(list.beside_old, &new.name);
    let meaning = |of: &ConditionType| (of.polarity, of.optional);
    Some(match list.channel {
        // What became stable is reported in the stable channel.
        Channel::Experimental
            if before.is_none() && find_condition(list.beside_new, &new.name).is_some() =>
        {
            return None;
        }
        Channel::Experimental => (
            &ADDED,
            Change::harmless(Need::MINOR, "experimental condition added"),
        ),
        Channel::Stable if before.is_some_and(|before| meaning(before) == meaning(new)) => (
            &GRADUATED,
            Change::harmless(Need::MINOR, "condition graduated to stable"),
        ),
        Channel::Stable if list.on_trial => {
            let message = match before {
                Some(_) => {
                    "condition became stable with another meaning than it had as experimental"
                }
                None => "condition added to stable without having been experimental",
            };
            (&STRAIGHT, Change::harmless(Need::NEVER, message))
        }
        Channel::Stable => (&ADDED, Change::harmless(Need::MINOR, "condition added")),
    })
}

/// Adds the changes of a type that both bundles have.
fn both(list: List<'_>, old: &ConditionType, new: &ConditionType, found: &mut Vec<Found>) {
    let is_reversed = old.polarity != new.polarity;
    if is_reversed {
        let word = |polarity| match polarity {
            Polarity::Positive => "`True`",
            Polarity::Negative => "`False`",
        };
        let (was, is) = (word(old.polarity), word(new.polarity));
        let message = format!("was {was} on a healthy object and is {is}");
        let verdicts = [Verdict::Ok, Verdict::No, Verdict::No];
        let change = Change::new(verdicts, Need::VERSION, message);
        found.push(list.found(&new.name, &POLARITY, change));
    } else if old.optional != new.optional {
        let (record, change) = match new.optional {
            true => (
                &OPTIONAL,
                Change::new(LOST, Need::VERSION, "condition no longer always present"),
            ),
            false => {
                let verdicts = [Verdict::Ok, Verdict::No, Verdict::Ok];
                (
                    &ALWAYS,
                    Change::new(verdicts, Need::MINOR, "condition always present"),
                )
            }
        };
        found.push(list.found(&new.name, record, change));
    }
    let end = deprecation(list, old, new);
    found.extend(end.map(|(record, change)| list.found(&new.name, record, change)));
    reasons::compare(list, (old, new), is_reversed, found);
}

/// The change of a deprecation.
fn deprecation(
    list: List<'_>,
    old: &ConditionType,
    new: &ConditionType,
) -> Option<(&'static Record, Change)> {
    let (before, after) = match (&old.until, &new.until) {
        (None, None) => return None,
        (None, Some(until)) => {
            let message = match &new.replaced_by {
                Some(by) => format!("condition deprecated, replaced by `{by}`, removed in {until}"),
                None => format!("condition deprecated, removed in {until}"),
            };
            return Some((&DEPRECATED, Change::harmless(Need::MINOR, message)));
        }
        (Some(_), None) => {
            let message = "condition no longer deprecated";
            return Some((&DEPRECATED, Change::harmless(Need::MINOR, message)));
        }
        (Some(before), Some(after)) => (before, after),
    };
    if before != after {
        let by = list.bundles.old_name();
        let change = match order(after, before) {
            Some(Ordering::Greater) => Change::harmless(
                Need::MINOR,
                format!("removed in {after} instead of {before}"),
            ),
            _ => Change::new(
                LOST,
                Need::VERSION,
                format!("removed in {after}, but {by} promised it until {before}"),
            ),
        };
        return Some((&END, change));
    }
    let message = match (&old.replaced_by, &new.replaced_by) {
        (before, after) if before == after => return None,
        (Some(before), Some(after)) => format!("replacement was `{before}` and is `{after}`"),
        (_, Some(after)) => format!("replacement is `{after}`"),
        (_, None) => "replacement removed".to_owned(),
    };
    let verdicts = [Verdict::Ok, Verdict::Ok, Verdict::Unknown];
    Some((&REPLACEMENT, Change::new(verdicts, Need::MINOR, message)))
}
