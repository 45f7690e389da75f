//! Reasons of a condition: added, removed, with another status.

use super::records::{
    REASON_ADDED, REASON_GRADUATED, REASON_REMOVED, REASON_STATUS, REASON_STRAIGHT,
};
use super::{Found, List, find_condition};
use crate::findings::verdict::{Channel, Need, Verdict};
use crate::findings::{Change, Record};
use crd_channels_released::manifest::ConditionType;
use std::collections::{BTreeMap, BTreeSet};

/// The statuses of each reason. `None` is the key of reasons that are made of error codes.
type Statuses<'a> = BTreeMap<Option<&'a str>, BTreeSet<&'a str>>;

/// Adds the changes of the reasons of a type. If its polarity was reversed, so were their statuses.
pub(super) fn compare(
    list: List<'_>,
    (old, new): (&ConditionType, &ConditionType),
    is_reversed: bool,
    found: &mut Vec<Found>,
) {
    let beside = |types| {
        find_condition(types, &new.name)
            .map(statuses)
            .unwrap_or_default()
    };
    let (was, is) = (statuses(old), statuses(new));
    let (beside_old, beside_new) = (beside(list.beside_old), beside(list.beside_new));
    let names: BTreeSet<Option<&str>> = was.keys().chain(is.keys()).copied().collect();
    for name in names {
        let (before, after) = (statuses_of(&was, name), statuses_of(&is, name));
        let (before_beside, after_beside) = (
            statuses_of(&beside_old, name),
            statuses_of(&beside_new, name),
        );
        let stable = match list.channel {
            Channel::Stable => !before.is_empty(),
            Channel::Experimental => !before_beside.is_empty(),
        };
        let mut report = |(record, change): (&'static Record, Change)| {
            let found_here = list.found(&new.name, record, change);
            found.push(Found {
                change: found_here.change.of_member(name.unwrap_or_default()),
                stable,
                ..found_here
            });
        };
        let is_turned = !before.is_empty() && !after.is_empty() && before.is_disjoint(&after);
        if is_turned {
            if !is_reversed {
                report((&REASON_STATUS, turned(name, &before, &after)));
            }
            continue;
        }
        let part = Part {
            list,
            name,
            is_new: before.is_empty(),
            is_gone: after.is_empty(),
        };
        // A whole reason is one change, whatever its statuses.
        let most = if part.is_new || part.is_gone {
            1
        } else {
            usize::MAX
        };
        for status in before.difference(&after).take(most) {
            report(part.removed(status, after_beside.contains(status)));
        }
        for status in after.difference(&before).take(most) {
            let there = (
                before_beside.contains(status),
                after_beside.contains(status),
            );
            part.added(status, there).into_iter().for_each(&mut report);
        }
    }
}

fn statuses(of: &ConditionType) -> Statuses<'_> {
    let mut all = Statuses::new();
    for reason in &of.reasons {
        all.entry(reason.name.as_deref())
            .or_default()
            .insert(&reason.status);
    }
    all
}

fn statuses_of<'a>(all: &Statuses<'a>, name: Option<&'a str>) -> BTreeSet<&'a str> {
    all.get(&name).cloned().unwrap_or_default()
}

fn called(name: Option<&str>) -> String {
    match name {
        Some(name) => format!("reason `{name}`"),
        None => "reason made of an error code".to_owned(),
    }
}

fn turned(name: Option<&str>, before: &BTreeSet<&str>, after: &BTreeSet<&str>) -> Change {
    let all = |statuses: &BTreeSet<&str>| -> String {
        let all: Vec<String> = statuses
            .iter()
            .map(|status| format!("`{status}`"))
            .collect();
        all.join(" and ")
    };
    let message = format!(
        "{} was for {} and is for {}",
        called(name),
        all(before),
        all(after)
    );
    Change::new(
        [Verdict::Ok, Verdict::No, Verdict::No],
        Need::VERSION,
        message,
    )
}

/// A reason that came or went, or one of its statuses.
#[derive(Clone, Copy)]
struct Part<'a> {
    list: List<'a>,
    name: Option<&'a str>,
    is_new: bool,
    is_gone: bool,
}

impl Part<'_> {
    fn called(self, status: &str) -> String {
        let name = called(self.name);
        match self.is_new || self.is_gone {
            true => name,
            false => format!("{name} for `{status}`"),
        }
    }

    fn removed(self, status: &str, is_beside: bool) -> (&'static Record, Change) {
        let how = match self.list.channel == Channel::Stable && is_beside {
            true => "moved back to experimental",
            false => "removed",
        };
        let message = format!("{} {how}", self.called(status));
        let verdicts = [Verdict::Ok, Verdict::Ok, Verdict::No];
        (&REASON_REMOVED, Change::new(verdicts, Need::MINOR, message))
    }

    /// The change of a new status, given whether the other channel of the old and of the new bundle has it.
    fn added(self, status: &str, (was, is): (bool, bool)) -> Option<(&'static Record, Change)> {
        let name = self.called(status);
        Some(match self.list.channel {
            // What became stable is reported in the stable channel.
            Channel::Experimental if is && !was => return None,
            Channel::Experimental => (
                &REASON_ADDED,
                Change::harmless(Need::MINOR, format!("experimental {name} added")),
            ),
            Channel::Stable if was => (
                &REASON_GRADUATED,
                Change::harmless(Need::MINOR, format!("{name} graduated to stable")),
            ),
            Channel::Stable if self.list.on_trial => (
                &REASON_STRAIGHT,
                Change::harmless(
                    Need::NEVER,
                    format!("{name} added to stable without having been experimental"),
                ),
            ),
            Channel::Stable => (
                &REASON_ADDED,
                Change::harmless(Need::MINOR, format!("{name} added")),
            ),
        })
    }
}
