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

/// Whether objects have a status, with or without the subresource.
fn keeps_status(version: &Version) -> bool {
    version.schema.as_ref().is_none_or(|schema| {
        schema.preserve_unknown_fields || schema.properties.contains_key("status")
    })
}

/// What a stable version serves and the experimental one of the same bundle does not: the place in the version, and a message.
pub(crate) fn missing_beside_schema(
    stable: &Version,
    experimental: &Version,
) -> Vec<(&'static str, String)> {
    let mut missing = Vec::new();
    if has_status(stable) && !has_status(experimental) {
        let message = "status subresource is missing in the experimental channel";
        missing.push((".subresources.status", message.to_owned()));
    }
    match (scale(stable), scale(experimental)) {
        (Some(_), None) => {
            let message = "scale subresource is missing in the experimental channel";
            missing.push((".subresources.scale", message.to_owned()));
        }
        (Some(own), Some(other)) if own != other => {
            let message = "the scale subresource has other paths in the experimental channel";
            missing.push((".subresources.scale", message.to_owned()));
        }
        _ => {}
    }
    for field in &stable.selectable_fields {
        if !experimental.selectable_fields.contains(field) {
            let message =
                format!("selectable field `{field}` is missing in the experimental channel");
            missing.push((".selectableFields", message));
        }
    }
    missing
}

pub(super) fn status_removed(versions: Versions<'_>) -> Changes<'_> {
    changed(versions, |old, new| {
        if !has_status(old) || has_status(new) {
            return None;
        }
        let verdicts = [Verdict::Ok, Verdict::No, Verdict::No];
        let message = "status subresource removed; writes of `/status` get 404";
        let bump = versions.loss(old, has_status);
        Some(Change::new(verdicts, bump, message).below_path(".subresources.status"))
    })
}

/// Objects of a version that comes to have a status had none to lose, and the rules of properties find the status itself.
pub(super) fn status_added(versions: Versions<'_>) -> Changes<'_> {
    changed(versions, |old, new| {
        if has_status(old) || !has_status(new) {
            return None;
        }
        let change = match (keeps_status(old), keeps_status(new)) {
            (true, _) => Change::new(
                [Verdict::Ok, Verdict::No, Verdict::Ok],
                Need::VERSION,
                "status subresource added; status in writes of the object is dropped",
            ),
            (false, false) => Change::harmless(
                Need::MINOR,
                "status subresource added; status is dropped, as before",
            ),
            (false, true) => return None,
        };
        Some(change.below_path(".subresources.status"))
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
        let change = Change::harmless(bump, message).below_path(".subresources.scale");
        (arrival == wanted).then_some(change)
    })
}

pub(super) fn scale_changed(versions: Versions<'_>) -> Changes<'_> {
    changed(versions, |old, new| {
        let before = scale(old)?;
        let message = match scale(new) {
            None => "scale subresource removed",
            Some(new) if new != before => "a path of the scale subresource changed",
            Some(_) => return None,
        };
        let verdicts = [Verdict::Ok, Verdict::No, Verdict::No];
        let bump = versions.loss(old, |stable| scale(stable) == Some(before));
        Some(Change::new(verdicts, bump, message).below_path(".subresources.scale"))
    })
}

pub(super) fn column_added(versions: Versions<'_>) -> Changes<'_> {
    let mut found = Vec::new();
    for (old, new) in versions.both() {
        for (key, column) in numbered(new) {
            if column_of(old, key).is_none() {
                let message = format!("column `{}` added", column.name);
                let change =
                    Change::harmless(Need::MINOR, message).below_path(".additionalPrinterColumns");
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
            found.push((new, change.below_path(".additionalPrinterColumns")));
        }
        if are_reordered(old, new) {
            let verdicts = [Verdict::Ok, Verdict::Ok, Verdict::Unknown];
            let change = Change::new(verdicts, Need::MINOR, "columns are in another order");
            found.push((new, change.below_path(".additionalPrinterColumns")));
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
                let change = Change::harmless(Need::MINOR, message).below_path(".selectableFields");
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
                let bump = versions.loss(old, |stable| stable.selectable_fields.contains(path));
                let change = Change::new(verdicts, bump, message).below_path(".selectableFields");
                found.push((new, change));
            }
        }
    }
    found
}
