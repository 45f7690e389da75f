//! What an update changes for an object: the difference of what servers say before and after it.

use crate::commands::type_meta::TypeMeta;
use crate::commands::validate::crds::Crds;
use crate::commands::validate::previous::Previous;
use crate::commands::validate::verdict::{
    Fate, Fault, FieldValidation, ObjectValidator, ObjectVerdict,
};
use crd_channels_diagnostics::Code;
use crd_channels_validation::path::FieldPath;
use serde_json::Value;

/// Validates objects before and after an update.
#[derive(Debug)]
pub(super) struct UpdateValidator {
    before: ObjectValidator,
    after: ObjectValidator,
}

impl UpdateValidator {
    pub(super) fn new(before: Crds, after: Crds) -> Self {
        let validator = |crds| ObjectValidator {
            crds,
            previous: Previous::default(),
            field_validation: FieldValidation::Strict,
            strict: false,
        };
        Self {
            before: validator(before),
            after: validator(after),
        }
    }

    /// Returns what is new about an object after the update. What was so before is no finding.
    pub(super) fn validate(&self, object: &Value) -> ObjectVerdict {
        let named = TypeMeta::of(object);
        let is_known = self.before.crds.get(named).is_some();
        if is_known && self.after.crds.get(named).is_none() {
            return ObjectVerdict::invalid(kind_removed(named));
        }
        let mut after = self.after.validate(object);
        if !is_known || !matches!(after.fate, Fate::Valid | Fate::Invalid | Fate::Unknown) {
            return after;
        }
        let before = self.before.validate(object);
        let is_new = |fault: &Fault| {
            let mut known = before.faults.iter();
            !known.any(|it| {
                (it.code, &it.field, &it.message) == (fault.code, &fault.field, &fault.message)
            })
        };
        after.faults.retain(is_new);
        for fault in &mut after.faults {
            if let Some(for_stored) = self.for_stored(object, named, fault) {
                let own = fault.help.take();
                let own = own.map_or_else(String::new, |own| format!("{own}; "));
                fault.help = Some(format!("{own}{for_stored}"));
            }
        }
        let is_rejected = |fault: &Fault| fault.code == Code::ObjectInvalid;
        if before.fate == Fate::Valid
            && !after.faults.iter().any(is_rejected)
            && let (Some(old), Some(new)) = (&before.object, &after.object)
        {
            let mut changes = Vec::new();
            compare(old, new, &FieldPath::default(), &mut changes);
            let unknown = after.faults.iter();
            let unknown = unknown.filter(|fault| fault.code == Code::ObjectUnknownField);
            let unknown: Vec<FieldPath> = unknown.map(|fault| fault.field.clone()).collect();
            // That it is gone is said already.
            changes.retain(|change| !unknown.contains(&change.field));
            after.faults.extend(changes);
        }
        after
    }

    /// What becomes of an object that is stored already and has such a fault.
    fn for_stored(
        &self,
        object: &Value,
        named: TypeMeta<'_>,
        fault: &Fault,
    ) -> Option<&'static str> {
        match fault.code {
            Code::ObjectUnknownField => Some("a stored object loses it"),
            Code::ObjectInvalid => {
                let crd = self.after.crds.get(named)?;
                let unchanged = crd.validator(named.version()).ok()?.update(object, object);
                let mut rejected = unchanged.violations.iter();
                let is_accepted = !rejected.any(|it| it.field == fault.field);
                is_accepted.then_some("a stored object is accepted until this value changes")
            }
            _ => None,
        }
    }
}

fn kind_removed(named: TypeMeta<'_>) -> Fault {
    let TypeMeta { api_version, kind } = named;
    let message = format!("the new bundle has no CRD for `{kind}` of `{api_version}`");
    let help = "deleting the CRD deletes all of its objects; keep it, or move them first";
    let at = FieldPath::default().child("kind");
    Fault::new(Code::ObjectUnknownKind, at, message).with_help(Some(help.to_owned()))
}

/// Collects the fields that differ in what a server stores: by defaults that are new, changed or gone, or because it dropped them
/// before.
fn compare(old: &Value, new: &Value, at: &FieldPath, changes: &mut Vec<Fault>) {
    match (old, new) {
        (old, new) if old == new => {}
        (Value::Object(old), Value::Object(new)) => {
            for (name, value) in new {
                let at = at.clone().child(name);
                match old.get(name) {
                    Some(old) => compare(old, value, &at, changes),
                    None => changes.push(changed(at, None, Some(value))),
                }
            }
            let gone = old.iter().filter(|(name, _)| !new.contains_key(*name));
            let gone = gone.map(|(name, value)| changed(at.clone().child(name), Some(value), None));
            changes.extend(gone);
        }
        (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
            for (index, (old, new)) in old.iter().zip(new).enumerate() {
                compare(old, new, &at.clone().index(index), changes);
            }
        }
        (old, new) => changes.push(changed(at.clone(), Some(old), Some(new))),
    }
}

/// The maximum length of a value in a message.
const MOST_SHOWN: usize = 60;

fn changed(at: FieldPath, old: Option<&Value>, new: Option<&Value>) -> Fault {
    let shown = |value: &Value| {
        let text = value.to_string();
        match text.char_indices().nth(MOST_SHOWN) {
            Some((end, _)) => format!("`{}..`", text.get(..end).unwrap_or_default()),
            None => format!("`{text}`"),
        }
    };
    let message = match (old.map(shown), new.map(shown)) {
        (Some(old), Some(new)) => format!("{at} becomes {new}, and was {old}"),
        (None, Some(new)) => format!("{at} becomes {new}, and was not set"),
        (Some(old), None) => format!("{at} is no longer set, and was {old}"),
        (None, None) => at.to_string(),
    };
    Fault::new(Code::ObjectDefaulted, at, message)
}
