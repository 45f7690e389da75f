//! What becomes of an object that is stored when its CRD changes.

use super::differences::remove_known;
use crate::commands::type_meta::TypeMeta;
use crate::commands::validate::crds::Crd;
use crate::commands::validate::stored::{Version, Versions};
use crate::commands::validate::verdict::{Fault, unevaluated, violations};
use crd_channels_diagnostics::Code;
use crd_channels_validation::path::{FieldPath, PathElement};
use crd_channels_validation::rules::Outcome;
use serde_json::Value;
use std::collections::BTreeSet;

/// An object that is stored, and read and written again after its CRD changed.
#[derive(Debug)]
pub(super) struct StoredObject {
    /// As it is read before the change.
    pub(super) before: Value,
    /// As it is read after it was written again.
    pub(super) after: Value,
    /// The fields that it loses, each with the version that lacks it.
    pub(super) dropped: Vec<(FieldPath, String)>,
    /// Why it cannot be written again, apart from why it could not be before.
    pub(super) refusals: Vec<Fault>,
}

impl StoredObject {
    /// Follows an object through the change; in the new stored version if its own is gone. `None` if one of the CRDs cannot validate.
    pub(super) fn of(object: &Value, named: TypeMeta<'_>, old: &Crd, new: &Crd) -> Option<Self> {
        let own = Some(named.version()).filter(|own| new.serves(own));
        let own = own.unwrap_or_else(|| new.document.storage());
        // What a webhook makes of an object is not known.
        let converts = !old.document.has_webhook() && !new.document.has_webhook();
        let before = Versions::of(old, named, named.version(), converts)?;
        let after = Versions::of(new, named, own, converts)?;
        let mut stored = before.stored(object);
        let read = before.read(stored.clone());

        let mut dropped = Vec::new();
        let mut convert = |object: &mut Value, to: Version<'_>| {
            let gone = to.convert(object).into_iter();
            dropped.extend(gone.map(|field| (field, to.name.to_owned())));
        };
        let written = Version::of(new, named, before.storage.name);
        if let Some(written) = written {
            convert(&mut stored, written);
            written.validator.complete(&mut stored);
        }
        convert(&mut stored, after.own);
        let mut refusals = refusals(after.own, &stored);
        if !refusals.is_empty() {
            remove_known(&self::refusals(before.own, &read), &mut refusals);
        }
        after.own.validator.complete(&mut stored);
        convert(&mut stored, after.storage);
        after.storage.validator.complete(&mut stored);
        convert(&mut stored, after.own);
        // Clients could not read what is only set, and dropped again, on the way.
        dropped.retain(|(field, _)| value_at(&read, field).is_some());
        Some(Self {
            before: read,
            after: stored,
            dropped,
            refusals,
        })
    }
}

/// Returns the value of a field; `None` if the object does not have it.
pub(in crate::commands) fn value_at<'o>(object: &'o Value, field: &FieldPath) -> Option<&'o Value> {
    let mut elements = field.elements().iter();
    elements.try_fold(object, |value, element| match element {
        PathElement::Child(name) | PathElement::Key(name) => value.get(name),
        PathElement::Index(index) => value.get(index),
    })
}

/// Removes the faults of rules that only new objects break: they read the object before if there is one.
pub(super) fn remove_only_of_new(object: &Value, crd: &Crd, faults: &mut Vec<Fault>) {
    let validator = crd.validator(TypeMeta::of(object).version()).ok();
    let is_invalid = |fault: &Fault| fault.code == Code::ObjectInvalid;
    let Some(validator) = validator.filter(|_| faults.iter().any(is_invalid)) else {
        return;
    };
    let (created, updated) = (validator.create(object), validator.update(object, object));
    let holding = updated.rules.iter();
    let holding = holding.filter(|finding| finding.outcome == Outcome::Holds);
    let holding: BTreeSet<_> = holding.map(|it| (&it.at, &it.rule)).collect();
    let only_of_new = created
        .rules
        .iter()
        .filter_map(|finding| match &finding.outcome {
            Outcome::Broken(broken) if holding.contains(&(&finding.at, &finding.rule)) => {
                Some((broken.field.clone(), broken.to_string()))
            }
            _ => None,
        });
    let only_of_new: BTreeSet<(FieldPath, String)> = only_of_new.collect();
    faults.retain(|it| !only_of_new.contains(&(it.field.clone(), it.message.clone())));
}

/// Why a server rejects an object that is written as it was read, or may do so.
fn refusals(version: Version<'_>, object: &Value) -> Vec<Fault> {
    let verdict = version.validator.update(object, object);
    violations(&verdict).chain(unevaluated(&verdict)).collect()
}
