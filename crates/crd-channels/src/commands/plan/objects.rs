//! What an update changes for an object: the difference of what servers say before and after it.

use crate::commands::type_meta::TypeMeta;
use crate::commands::validate::crds::Crds;
use crate::commands::validate::previous::Previous;
use crate::commands::validate::verdict::{
    Fate, Fault, FieldValidation, ObjectValidator, ObjectVerdict,
};
use crd_channels_diagnostics::Code;
use crd_channels_validation::path::{FieldPath, PathElement};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Validates objects before and after an update.
#[derive(Debug)]
pub(super) struct UpdateValidator {
    /// The name of the bundle in the lock.
    name: String,
    before: ObjectValidator,
    after: ObjectValidator,
    /// The bundles that are installed on the way, with their versions.
    between: Vec<(String, ObjectValidator)>,
}

/// Validates an object for each update that has its kind. Which of the bundles a cluster has is not known.
pub(super) fn validate(updates: &[UpdateValidator], object: &Value) -> ObjectVerdict {
    let named = TypeMeta::of(object);
    let is_typed = !named.api_version.is_empty() && !named.kind.is_empty();
    let concerned = updates.iter().filter(|update| update.knows(named));
    let concerned: Vec<&UpdateValidator> = concerned.collect();
    match (&concerned[..], updates.first()) {
        ([], Some(any)) if !is_typed => any.after.validate(object),
        ([], _) => ObjectVerdict::passed_over(Fate::Skipped),
        ([only], _) => only.validate(object, named),
        (several, _) => {
            let mut all = ObjectVerdict::passed_over(Fate::Valid);
            for update in several {
                let verdict = update.validate(object, named);
                if verdict.fate != Fate::Valid && all.fate != Fate::Invalid {
                    all.fate = verdict.fate;
                }
                all.faults
                    .extend(verdict.faults.into_iter().map(|fault| Fault {
                        message: format!("`{}`: {}", update.name, fault.message),
                        ..fault
                    }));
            }
            all
        }
    }
}

impl UpdateValidator {
    pub(super) fn new(
        name: String,
        before: Crds,
        after: Crds,
        between: Vec<(String, Crds)>,
    ) -> Self {
        let validator = |crds| ObjectValidator {
            crds,
            previous: Previous::default(),
            field_validation: FieldValidation::Strict,
            strict: false,
        };
        let between = between.into_iter();
        Self {
            name,
            before: validator(before),
            after: validator(after),
            between: between
                .map(|(version, crds)| (version, validator(crds)))
                .collect(),
        }
    }

    fn knows(&self, named: TypeMeta<'_>) -> bool {
        let mut both = [&self.before, &self.after].into_iter();
        both.any(|it| it.crds.get(named).is_some())
    }

    /// Returns what the update changes for an object. Faults that it had before are left out.
    fn validate(&self, object: &Value, named: TypeMeta<'_>) -> ObjectVerdict {
        let is_known = self.before.crds.get(named).is_some();
        if is_known && self.after.crds.get(named).is_none() {
            return ObjectVerdict::invalid(kind_removed(named));
        }
        let mut after = self.after.validate(object);
        if !is_known {
            return after;
        }
        let before = self.before.validate(object);
        let known: BTreeSet<_> = before.faults.iter().map(identity).collect();
        after
            .faults
            .retain(|fault| !known.contains(&identity(fault)));
        let refused = match after.faults.is_empty() {
            true => BTreeSet::new(),
            false => self.refused_unchanged(object, named),
        };
        for fault in &mut after.faults {
            if let Some(for_stored) = for_stored(fault, &refused) {
                let own = fault.help.take();
                let own = own.map_or_else(String::new, |own| format!("{own}; "));
                fault.help = Some(format!("{own}{for_stored}"));
            }
        }
        let dropped = dropped_when_stored(&self.before, object, named);
        let dropped: BTreeSet<_> = dropped.into_iter().map(|(field, _)| field).collect();
        for (field, version) in dropped_when_stored(&self.after, object, named) {
            if !dropped.contains(&field) {
                let message =
                    format!("`{field}` is dropped when the object is stored in {version}");
                let help = "the version that is stored lacks the field; ask the publisher for one that has it";
                let fault = Fault::new(Code::ObjectUnknownField, field, message);
                after.faults.push(fault.with_help(Some(help.to_owned())));
            }
        }
        self.add_losses_between(object, named, &before, &mut after);
        if let (Some(old), Some(new)) = (&before.object, &after.object) {
            let mut changes = Vec::new();
            compare(old, new, &FieldPath::default(), &mut changes);
            // What is wrong with a field is said already, and a status is written by others.
            let known = after.faults.iter().map(|fault| fault.field.elements());
            let known: BTreeSet<Vec<PathElement>> = known.map(<[PathElement]>::to_vec).collect();
            let status = PathElement::Child("status".to_owned());
            changes.retain(|change| {
                let own = change.field.elements();
                let mut above = (0..=own.len()).filter_map(|length| own.get(..length));
                own.first() != Some(&status) && !above.any(|above| known.contains(above))
            });
            after.faults.extend(changes);
        }
        if !after.faults.is_empty() && after.fate == Fate::Valid {
            let is_error = |fault: &Fault| fault.code == Code::ObjectUnknownField;
            if after.faults.iter().any(is_error) {
                after.fate = Fate::Invalid;
            }
        }
        after
    }

    /// Adds the fields that a bundle on the way drops, where every object is rewritten.
    fn add_losses_between(
        &self,
        object: &Value,
        named: TypeMeta<'_>,
        before: &ObjectVerdict,
        after: &mut ObjectVerdict,
    ) {
        for (version, validator) in &self.between {
            let unknown = validator.validate(object).faults.into_iter();
            let unknown = unknown.filter(|fault| fault.code == Code::ObjectUnknownField);
            let unknown = unknown.map(|fault| fault.field);
            let stored = dropped_when_stored(validator, object, named).into_iter();
            let all = before.faults.iter().chain(&after.faults);
            let all = all.filter(|it| it.code == Code::ObjectUnknownField);
            let known: BTreeSet<FieldPath> = all.map(|it| it.field.clone()).collect();
            for field in unknown.chain(stored.map(|(field, _)| field)) {
                if !known.contains(&field) {
                    let message =
                        format!("`{field}` is dropped by {version}, which is installed on the way");
                    let help = "note the value, and write it again after the update".to_owned();
                    let fault = Fault::new(Code::ObjectUnknownField, field, message);
                    after.faults.push(fault.with_help(Some(help)));
                }
            }
        }
    }

    /// The fields for which a server rejects a stored object that does not change.
    fn refused_unchanged(&self, object: &Value, named: TypeMeta<'_>) -> BTreeSet<FieldPath> {
        let crd = self.after.crds.get(named);
        let validator = crd.and_then(|crd| crd.validator(named.version()).ok());
        let violations = validator.map(|it| it.update(object, object).violations);
        let violations = violations.into_iter().flatten();
        violations.map(|violation| violation.field).collect()
    }
}

/// What becomes of an object that is stored already and has such a fault.
fn for_stored(fault: &Fault, refused: &BTreeSet<FieldPath>) -> Option<&'static str> {
    match fault.code {
        Code::ObjectUnknownField => Some("a stored object loses it"),
        Code::ObjectInvalid if !refused.contains(&fault.field) => {
            Some("a stored object is accepted until this value changes")
        }
        _ => None,
    }
}

/// What makes a fault the same before and after, which numbers in its message do not: a limit that changed refuses nothing new.
fn identity(fault: &Fault) -> (Code, FieldPath, String) {
    let words = fault.message.replace(|c: char| c.is_ascii_digit(), "");
    (fault.code, fault.field.clone(), words)
}

/// The fields of an object that its version has and the stored version lacks, with that version.
fn dropped_when_stored(
    validator: &ObjectValidator,
    object: &Value,
    named: TypeMeta<'_>,
) -> Vec<(FieldPath, String)> {
    let dropped = || {
        let crd = validator.crds.get(named)?;
        let storage = crd.storage_version()?;
        if storage == named.version() || !crd.converts_trivially() {
            return None;
        }
        let mut stored = object.clone();
        *stored.get_mut("apiVersion")? = json!(format!("{}/{storage}", named.group()));
        let own = crd.validator(named.version()).ok()?.create(object).unknown;
        let own: BTreeSet<FieldPath> = own.into_iter().collect();
        let unknown = crd
            .validator(storage)
            .ok()?
            .create(&stored)
            .unknown
            .into_iter();
        let lost = unknown.filter(|field| !own.contains(field));
        Some(lost.map(|field| (field, storage.to_owned())).collect())
    };
    dropped().unwrap_or_default()
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
