//! The rules on the versions of a kind: served, stored, deprecated, and the fields beside the schema.

use super::beside_schema::{
    Arrival, column_added, column_changed, scale_added, scale_changed, selectable_added,
    selectable_removed, status_added, status_removed,
};
use super::version_pair::{Changes, changed};
pub(crate) use super::version_pair::{Versions, version_named};
pub use super::version_pair::{is_alpha_only, is_ga};
use crate::findings::verdict::{Need, Verdict};
use crate::findings::{Change, Gate, Record, Topic};
use crd_channels_schema::{Crd, Version};

/// A rule on versions; its findings name the version.
pub(crate) struct VersionRule {
    pub(crate) record: Record,
    pub(crate) decide: for<'a> fn(Versions<'a>) -> Vec<(&'a Version, Change)>,
}

const fn gated(record: Record) -> Record {
    Record {
        gate: Gate::Own,
        ..record
    }
}

/// All rules on versions.
pub(crate) const VERSION_RULES: &[VersionRule] = &[
    VersionRule {
        record: gated(Record::new(
            "version-added",
            Topic::Added,
            "An API version was added.",
            "This is how incompatible changes are published.",
        )),
        decide: added,
    },
    VersionRule {
        record: gated(Record::new(
            "version-added-as-storage",
            Topic::Added,
            "A new API version is the storage version immediately.",
            "After one write users cannot go back to the old bundle, which cannot read the new version. Make it the storage version one bundle later.",
        )),
        decide: added_as_storage,
    },
    VersionRule {
        record: gated(Record::new(
            "version-unserved",
            Topic::Removed,
            "An API version is no longer served.",
            "It must be deprecated in an earlier bundle.",
        )),
        decide: unserved,
    },
    VersionRule {
        record: gated(Record::new(
            "version-served",
            Topic::Added,
            "An API version is served again.",
            "Nothing to do.",
        )),
        decide: served,
    },
    VersionRule {
        record: gated(Record::new(
            "version-removed",
            Topic::Removed,
            "An API version was removed.",
            "API servers reject this while `status.storedVersions` lists the version: migrate the stored objects, then remove it from that list. It must be deprecated, unserved and not the storage version in an earlier bundle.",
        )),
        decide: removed,
    },
    VersionRule {
        record: Record::new(
            "version-demoted",
            Topic::Removed,
            "A stable API version moved back to experimental.",
            "Users of the stable channel lose it, as if it were removed. A stable version is deprecated, then not served, then removed.",
        ),
        decide: demoted,
    },
    VersionRule {
        record: gated(Record::new(
            "storage-switched",
            Topic::Changed,
            "The storage version changed.",
            "This cannot be undone. Stored objects change at their next write.",
        )),
        decide: storage,
    },
    VersionRule {
        record: Record {
            gate: Gate::Absolute,
            ..Record::new(
                "storage-not-single",
                Topic::Breaking,
                "Not exactly one version is the storage version.",
                "API servers reject such a CRD: set `storage: true` on one version, and `false` on all others.",
            )
        },
        decide: storage_not_single,
    },
    VersionRule {
        record: Record {
            gate: Gate::Absolute,
            ..Record::new(
                "schema-removed",
                Topic::Breaking,
                "A version lost its schema.",
                "API servers reject a version without a schema.",
            )
        },
        decide: schema_removed,
    },
    VersionRule {
        record: gated(Record::new(
            "schema-added",
            Topic::Breaking,
            "A version that had no schema has one.",
            "Objects that were stored without a schema may be rejected, and lose the fields that it does not have.",
        )),
        decide: schema_added,
    },
    VersionRule {
        record: gated(Record::new(
            "version-deprecated",
            Topic::Deprecated,
            "A version was deprecated, or no longer is.",
            "Clients that use it are warned.",
        )),
        decide: deprecated,
    },
    VersionRule {
        record: gated(Record::new(
            "deprecation-text-changed",
            Topic::Fixed,
            "The text of a deprecation changed.",
            "Nothing to do.",
        )),
        decide: deprecation_text,
    },
    VersionRule {
        record: Record::new(
            "status-removed",
            Topic::Breaking,
            "The status subresource was removed.",
            "Controllers that write `/status` get 404. The usual cause is a lost marker.",
        ),
        decide: status_removed,
    },
    VersionRule {
        record: Record::new(
            "status-added",
            Topic::Breaking,
            "The status subresource was added.",
            "If objects had a status before, status in writes of the object itself is dropped from now on. If it was removed by mistake, write a waiver that states that it is restored. A status that is wholly new is found as a property.",
        ),
        decide: status_added,
    },
    VersionRule {
        record: Record::new(
            "scale-added",
            Topic::Added,
            "The scale subresource was added.",
            "Nothing to do.",
        ),
        decide: |versions| scale_added(versions, Arrival::Plain),
    },
    VersionRule {
        record: Record::new(
            "scale-graduated",
            Topic::Graduated,
            "The scale subresource graduated from experimental to stable.",
            "It was in the experimental channel of the old bundle.",
        ),
        decide: |versions| scale_added(versions, Arrival::Graduated),
    },
    VersionRule {
        record: Record {
            waivable: true,
            ..Record::new(
                "scale-straight-to-stable",
                Topic::Added,
                "A new scale subresource is stable without having been experimental.",
                "It must first be in the experimental channel of an earlier bundle. If that was not possible, a waiver can state why.",
            )
        },
        decide: |versions| scale_added(versions, Arrival::Straight),
    },
    VersionRule {
        record: Record::new(
            "scale-changed",
            Topic::Breaking,
            "The scale subresource was removed, or reads other fields.",
            "Autoscalers and `kubectl scale` fail.",
        ),
        decide: scale_changed,
    },
    VersionRule {
        record: Record::new(
            "column-added",
            Topic::Added,
            "A printer column was added.",
            "Nothing to do.",
        ),
        decide: column_added,
    },
    VersionRule {
        record: Record::new(
            "column-changed",
            Topic::Changed,
            "A printer column was removed, changed or moved.",
            "Scripts may read it.",
        ),
        decide: column_changed,
    },
    VersionRule {
        record: Record::new(
            "selectable-field-added",
            Topic::Added,
            "A selectable field was added.",
            "Kubernetes supports them since 1.31.",
        ),
        decide: selectable_added,
    },
    VersionRule {
        record: Record::new(
            "selectable-field-removed",
            Topic::Breaking,
            "A selectable field was removed.",
            "Requests with the selector fail.",
        ),
        decide: selectable_removed,
    },
];

fn added(versions: Versions<'_>) -> Changes<'_> {
    let only_new = versions.added().filter(|version| !version.storage);
    only_new
        .map(|version| {
            let how = if version.served {
                "served, not stored"
            } else {
                "not served"
            };
            (
                version,
                Change::harmless(Need::MINOR, format!("version added, {how}")),
            )
        })
        .collect()
}

fn added_as_storage(versions: Versions<'_>) -> Changes<'_> {
    let only_new = versions.added().filter(|version| version.storage);
    only_new.map(|version| {
        let verdicts = [Verdict::Ok, Verdict::Ok, Verdict::No];
        let message =
            "version added and made the storage version in the same bundle; users cannot go back to the old bundle";
        (version, Change::new(verdicts, Need::MINOR, message))
    })
    .collect()
}

fn unserved(versions: Versions<'_>) -> Changes<'_> {
    changed(versions, |old, new| {
        (old.served && !new.served).then(|| {
            let verdicts = [Verdict::Ok, Verdict::No, Verdict::No];
            if is_ga(&old.name) {
                Change::new(verdicts, Need::VERSION, "GA version no longer served")
            } else if versions.had_warning(&old.name) {
                Change::new(verdicts, Need::MINOR, "deprecated version no longer served")
            } else {
                Change::new(
                    verdicts,
                    Need::VERSION,
                    "version no longer served without having been deprecated",
                )
            }
        })
    })
}

fn served(versions: Versions<'_>) -> Changes<'_> {
    changed(versions, |old, new| {
        (!old.served && new.served).then(|| Change::harmless(Need::MINOR, "version served"))
    })
}

fn removed(versions: Versions<'_>) -> Changes<'_> {
    let gone = versions
        .gone()
        .filter(|version| !versions.is_demoted(version));
    gone.map(|version| {
        // A later bundle before the new one may have changed it further.
        let last = versions.past(&version.name).next().unwrap_or(version);
        let faults = [
            ("not deprecated", !versions.had_warning(&version.name)),
            ("still served", last.served),
            ("still the storage version", last.storage),
        ];
        let faults: Vec<&str> = faults
            .into_iter()
            .filter_map(|(fault, there)| there.then_some(fault))
            .collect();
        let stored = if version.storage { Verdict::No } else { Verdict::Unknown };
        let note = format!(
            "API servers reject this while `status.storedVersions` lists `{}`: migrate stored objects first",
            version.name
        );
        let verdicts = [stored, Verdict::No, Verdict::No];
        let change = if faults.is_empty() {
            Change::new(verdicts, Need::MINOR, format!("deprecated version removed; {note}"))
        } else {
            let message = format!("version removed that was {} in the old bundle; {note}", faults.join(", "));
            Change::new(verdicts, Need::VERSION, message)
        };
        (version, change)
    })
    .collect()
}

fn demoted(versions: Versions<'_>) -> Changes<'_> {
    let gone = versions
        .gone()
        .filter(|version| versions.is_demoted(version));
    gone.map(|version| {
        let message = "version moved back to experimental";
        (
            version,
            Change::new([Verdict::No; 3], Need::VERSION, message),
        )
    })
    .collect()
}

fn storage(versions: Versions<'_>) -> Changes<'_> {
    changed(versions, |old, new| {
        if old.storage || !new.storage {
            return None;
        }
        let before = versions.old.versions.iter().find(|version| version.storage);
        let alike = before.is_some_and(|before| {
            version_named(versions.new, &before.name)
                .is_some_and(|before| before.schema == new.schema)
        });
        let stored = if alike { Verdict::Ok } else { Verdict::Unknown };
        let message = match before {
            Some(before) => format!(
                "storage version was `{}` and is `{}`",
                before.name, new.name
            ),
            None => format!("storage version is `{}`", new.name),
        };
        Some(Change::new(
            [stored, Verdict::Ok, Verdict::Ok],
            Need::MINOR,
            message,
        ))
    })
}

fn storage_not_single(versions: Versions<'_>) -> Changes<'_> {
    let stored = |crd: &Crd| {
        crd.versions
            .iter()
            .filter(|version| version.storage)
            .count()
    };
    let (was, is) = (stored(versions.old), stored(versions.new));
    let place = versions.new.versions.first();
    let wrong = place.filter(|_| is != 1 && was != is);
    let message = match is {
        0 => "no version is the storage version, so API servers reject the CRD".to_owned(),
        many => format!("{many} versions are the storage version, so API servers reject the CRD"),
    };
    let change = Change::new([Verdict::No; 3], Need::NEVER, message).below_path(".storage");
    wrong.map(|version| (version, change)).into_iter().collect()
}

fn schema_removed(versions: Versions<'_>) -> Changes<'_> {
    changed(versions, |old, new| {
        let message = "schema removed, so API servers reject the CRD";
        let is_gone = old.schema.is_some() && new.schema.is_none();
        is_gone.then(|| Change::new([Verdict::No; 3], Need::NEVER, message).below_path(".schema"))
    })
}

fn schema_added(versions: Versions<'_>) -> Changes<'_> {
    changed(versions, |old, new| {
        let is_new = old.schema.is_none() && new.schema.is_some();
        let verdicts = [Verdict::Unknown, Verdict::Unknown, Verdict::Ok];
        is_new.then(|| Change::new(verdicts, Need::Unknown, "schema added").below_path(".schema"))
    })
}

fn deprecated(versions: Versions<'_>) -> Changes<'_> {
    changed(versions, |old, new| {
        match (old.deprecated, new.deprecated) {
            // The version is not served, so there are no users to warn.
            _ if !new.served => None,
            (false, true) => Some(Change::harmless(Need::MINOR, deprecation_of(new))),
            (true, false) => Some(Change::harmless(
                Need::MINOR,
                "version no longer deprecated",
            )),
            (true, true) | (false, false) => None,
        }
    })
}

/// The deprecation warning of the version, which names the bundle that removes it and the replacement.
fn deprecation_of(version: &Version) -> String {
    match &version.deprecation_warning {
        Some(text) => format!("version deprecated: {text}"),
        None => "version deprecated".to_owned(),
    }
}

fn deprecation_text(versions: Versions<'_>) -> Changes<'_> {
    changed(versions, |old, new| {
        let changed = old.deprecation_warning != new.deprecation_warning;
        if old.deprecated == new.deprecated {
            let message = "deprecation warning changed";
            return changed
                .then(|| Change::harmless(Need::PATCH, message).below_path(".deprecationWarning"));
        }
        let message = match new.deprecated {
            true => "marked as deprecated, and not served",
            false => "not served, and no longer marked as deprecated",
        };
        (!new.served).then(|| Change::harmless(Need::PATCH, message).below_path(".deprecated"))
    })
}
