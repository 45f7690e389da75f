//! The records of the rules on conditions.

use crate::findings::{Gate, Record, Topic};

const fn condition(
    id: &'static str,
    topic: Topic,
    summary: &'static str,
    explanation: &'static str,
) -> Record {
    Record {
        id,
        topic,
        gate: Gate::Own,
        waivable: false,
        summary,
        explanation,
    }
}

pub(crate) const DECLARED: Record = condition(
    "conditions-declared",
    Topic::Added,
    "A list that was there before declares its conditions.",
    "From now on the conditions are part of the contract, and changes to them are compared.",
);
pub(crate) const ADDED: Record = condition(
    "condition-type-added",
    Topic::Added,
    "A condition was added.",
    "Controllers of older bundles do not set it.",
);
pub(crate) const GRADUATED: Record = condition(
    "condition-type-graduated",
    Topic::Graduated,
    "A condition graduated from experimental to stable.",
    "It was in the experimental channel of the old bundle.",
);
pub(crate) const STRAIGHT: Record = Record {
    waivable: true,
    ..Record::new(
        "condition-type-straight-to-stable",
        Topic::Added,
        "A new condition is stable without having been experimental.",
        "A condition must first be in the experimental channel of an earlier bundle, with the same polarity. If that was not possible, a waiver can state why.",
    )
};
pub(crate) const REMOVED: Record = condition(
    "condition-type-removed",
    Topic::Removed,
    "A condition was removed.",
    "Clients that wait for it wait forever. Deprecate it first, with `replaced_by` and `until`, so that one bundle at least has both conditions; from the bundle that `until` names on, a minor may remove it. It leaves a tombstone.",
);
pub(crate) const RENAMED: Record = condition(
    "condition-type-renamed",
    Topic::Breaking,
    "A condition was renamed.",
    "Clients that wait for the old name wait forever. Keep it as deprecated, with `replaced_by` and `until`; both conditions are published meanwhile.",
);
pub(crate) const POLARITY: Record = condition(
    "condition-polarity-changed",
    Topic::Breaking,
    "The status of a condition on a healthy object was reversed.",
    "Clients and older controllers take healthy objects for broken ones. Give the condition with the other polarity another name, and deprecate the old one.",
);
pub(crate) const OPTIONAL: Record = condition(
    "condition-became-optional",
    Topic::Breaking,
    "A condition that was always present no longer is.",
    "Clients that wait for it may wait forever.",
);
pub(crate) const ALWAYS: Record = condition(
    "condition-became-mandatory",
    Topic::Changed,
    "A condition that was optional is always present.",
    "Every controller must set it from the first visit on.",
);
pub(crate) const DEPRECATED: Record = condition(
    "condition-deprecated",
    Topic::Deprecated,
    "A condition was deprecated, or no longer is.",
    "Until it is removed, controllers publish it together with its replacement.",
);
pub(crate) const END: Record = condition(
    "condition-end-changed",
    Topic::Changed,
    "The bundle that will remove a deprecated condition changed.",
    "A later one gives users more time. An earlier one breaks the promise of the old bundle.",
);
pub(crate) const REPLACEMENT: Record = condition(
    "condition-replacement-changed",
    Topic::Changed,
    "The replacement of a deprecated condition changed.",
    "Clients that have moved to the former one must move again.",
);
pub(crate) const REASON_ADDED: Record = condition(
    "condition-reason-added",
    Topic::Added,
    "A reason was added.",
    "Clients must cope with reasons that they do not know.",
);
pub(crate) const REASON_GRADUATED: Record = condition(
    "condition-reason-graduated",
    Topic::Graduated,
    "A reason graduated from experimental to stable.",
    "It was in the experimental channel of the old bundle.",
);
pub(crate) const REASON_STRAIGHT: Record = Record {
    waivable: true,
    ..Record::new(
        "condition-reason-straight-to-stable",
        Topic::Added,
        "A new reason is stable without having been experimental.",
        "A reason must first be in the experimental channel of an earlier bundle. If that was not possible, a waiver can state why.",
    )
};
pub(crate) const REASON_REMOVED: Record = condition(
    "condition-reason-removed",
    Topic::Removed,
    "A reason was removed, or one of its statuses.",
    "Clients that look for it no longer find it. A minor may change the reasons of a condition; a removed name leaves a tombstone.",
);
pub(crate) const REASON_STATUS: Record = condition(
    "condition-reason-status-changed",
    Topic::Breaking,
    "A reason is for another status of its condition.",
    "Clients know the reason with its old meaning. Remove it, and give the new reason another name.",
);

/// Every record.
pub(crate) const ALL: [&Record; 17] = [
    &DECLARED,
    &ADDED,
    &GRADUATED,
    &STRAIGHT,
    &REMOVED,
    &RENAMED,
    &POLARITY,
    &OPTIONAL,
    &ALWAYS,
    &DEPRECATED,
    &END,
    &REPLACEMENT,
    &REASON_ADDED,
    &REASON_GRADUATED,
    &REASON_STRAIGHT,
    &REASON_REMOVED,
    &REASON_STATUS,
];
