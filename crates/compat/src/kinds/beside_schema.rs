//! What changed of a version beside its schema: subresources, columns, selectable fields.

use super::columns::{are_reordered, column_of, numbered};
use super::version_pair::{Changes, Versions, changed, version_named};
use crate::findings::Change;
use crate::findings::verdict::{Need, Verdict};
use crd_channels_schema::{Column, Scale, Version};

fn has_status(version: &Version) -> bool {
    version
        .subresources
        .as_ref()
        .is_some_and(|subresources| subresources.status)
}

fn scale(version: &Version) -> Option<&Scale> {
    version.subresources.as_ref()?.scale.as_ref()
}

pub(super) fn status(versions: Versions<'_>, came: bool) -> Changes<'_> {
    changed(versions, |old, new| {
        if has_status(old) == came || has_status(new) != came {
            return None;
        }
        let verdicts = [
            Verdict::Ok,
            Verdict::No,
            if came { Verdict::Ok } else { Verdict::No },
        ];
        let message = if came {
            "status subresource added; status in writes of the object is dropped"
        } else {
            "status subresource removed; writes of `/status` get 404"
        };
        Some(Change::new(verdicts, Need::VERSION, message).below(".subresources.status"))
    })
}

/// How a subresource is added.
#[derive(Clone, Copy, Eq, PartialEq)]
pub(super) enum Arrival {
    Plain,
    Graduated,
    Straight,
}

pub(super) fn scale_added(versions: Versions<'_>, wanted: Arrival) -> Changes<'_> {
    changed(versions, |old, new| {
        let (None, Some(_)) = (scale(old), scale(new)) else {
            return None;
        };
        let before = versions
            .tried_before
            .and_then(|crd| version_named(crd, &old.name));
        let arrival = match before.and_then(scale) {
            Some(_) => Arrival::Graduated,
            None if versions.tried_first => Arrival::Straight,
            None => Arrival::Plain,
        };
        let (bump, message) = match arrival {
            Arrival::Plain => (Need::MINOR, "scale subresource added"),
            Arrival::Graduated => (Need::MINOR, "scale subresource graduated to stable"),
            Arrival::Straight => (
                Need::NEVER,
                "scale subresource added to stable without having been experimental",
            ),
        };
        let change = Change::harmless(bump, message).below(".subresources.scale");
        (arrival == wanted).then_some(change)
    })
}

pub(super) fn scale_changed(versions: Versions<'_>) -> Changes<'_> {
    changed(versions, |old, new| {
        let old = scale(old)?;
        let message = match scale(new) {
            None => "scale subresource removed",
            Some(new) if new != old => "a path of the scale subresource changed",
            Some(_) => return None,
        };
        let verdicts = [Verdict::Ok, Verdict::No, Verdict::No];
        Some(Change::new(verdicts, Need::VERSION, message).below(".subresources.scale"))
    })
}

pub(super) fn column_added(versions: Versions<'_>) -> Changes<'_> {
    let mut found = Vec::new();
    for (old, new) in versions.both() {
        for (key, column) in numbered(new) {
            if column_of(old, key).is_none() {
                let message = format!("column `{}` added", column.name);
                let change =
                    Change::harmless(Need::MINOR, message).below(".additionalPrinterColumns");
                found.push((new, change));
            }
        }
    }
    found
}

pub(super) fn column_changed(versions: Versions<'_>) -> Changes<'_> {
    let mut found = Vec::new();
    for (old, new) in versions.both() {
        for (key, column) in numbered(old) {
            let now = column_of(new, key);
            if now == Some(column) {
                continue;
            }
            let text = now.is_some_and(|now| {
                let Column {
                    name,
                    ty,
                    json_path,
                    description: _,
                    format,
                    priority,
                } = now;
                let parts = (name, ty, json_path, format, priority);
                parts
                    == (
                        &column.name,
                        &column.ty,
                        &column.json_path,
                        &column.format,
                        &column.priority,
                    )
            });
            let change = match now {
                None => Change::new(
                    [Verdict::Ok, Verdict::Ok, Verdict::Unknown],
                    Need::MINOR,
                    format!("column `{}` removed", column.name),
                ),
                Some(_) if text => Change::harmless(
                    Need::PATCH,
                    format!("description of column `{}` changed", column.name),
                ),
                Some(_) => Change::new(
                    [Verdict::Ok, Verdict::Ok, Verdict::Unknown],
                    Need::MINOR,
                    format!("column `{}` changed", column.name),
                ),
            };
            found.push((new, change.below(".additionalPrinterColumns")));
        }
        if are_reordered(old, new) {
            let verdicts = [Verdict::Ok, Verdict::Ok, Verdict::Unknown];
            let change = Change::new(verdicts, Need::MINOR, "columns are in another order");
            found.push((new, change.below(".additionalPrinterColumns")));
        }
    }
    found
}

pub(super) fn selectable_added(versions: Versions<'_>) -> Changes<'_> {
    let mut found = Vec::new();
    for (old, new) in versions.both() {
        for path in &new.selectable_fields {
            if !old.selectable_fields.contains(path) {
                let message = format!("`{path}` is now selectable");
                let change = Change::harmless(Need::MINOR, message).below(".selectableFields");
                found.push((new, change));
            }
        }
    }
    found
}

pub(super) fn selectable_removed(versions: Versions<'_>) -> Changes<'_> {
    let mut found = Vec::new();
    for (old, new) in versions.both() {
        for path in &old.selectable_fields {
            if !new.selectable_fields.contains(path) {
                let verdicts = [Verdict::Ok, Verdict::Ok, Verdict::No];
                let message = format!("`{path}` is no longer selectable");
                let change =
                    Change::new(verdicts, Need::VERSION, message).below(".selectableFields");
                found.push((new, change));
            }
        }
    }
    found
}
