//! What an update changes for an object: the difference of what servers say before and after it.

use super::differences::compare;
use super::stored::{self, StoredObject};
use crate::commands::type_meta::TypeMeta;
use crate::commands::validate::Validated;
use crate::commands::validate::crds::Crds;
use crate::commands::validate::previous::Previous;
use crate::commands::validate::verdict::{
    Fate, Fault, FieldValidation, ObjectValidator, ObjectVerdict,
};
use crd_channels_diagnostics::Code;
use crd_channels_validation::path::{FieldPath, PathElement};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The CRDs that an update replaces, and those that replace them.
pub(super) struct UpdateCrds {
    /// The name of the bundle in the lock, or of the new CRDs.
    pub(super) name: String,
    pub(super) before: Crds,
    pub(super) after: Crds,
    /// Those of the bundles that are installed on the way, with their versions.
    pub(super) between: Vec<(String, Crds)>,
}

/// Validates objects before and after an update.
#[derive(Debug)]
pub(super) struct UpdateValidator {
    name: String,
    pub(super) before: ObjectValidator,
    pub(super) after: ObjectValidator,
    between: Vec<(String, ObjectValidator)>,
}

/// Validates an object for each update that has its kind. Which of the bundles a cluster has is not known. A manifest names its
/// version on purpose; an object that a cluster stores is read in another one once its own is gone.
pub(super) fn validate(
    updates: &[UpdateValidator],
    object: &Value,
    in_cluster: bool,
) -> ObjectVerdict {
    let named = TypeMeta::of(object);
    let is_typed = !named.api_version.is_empty() && !named.kind.is_empty();
    let has = |validator: &ObjectValidator| validator.crds.get(named).is_some();
    let before = updates.iter().find(|update| has(&update.before));
    let is_kept = updates.iter().any(|update| has(&update.after));
    // Of a kind that moves from one bundle to another, the second one's CRD follows the first one's.
    let concerned = updates.iter().filter(|update| match is_kept {
        true => has(&update.after),
        false => has(&update.before),
    });
    let concerned: Vec<&UpdateValidator> = concerned.collect();
    let validated = |update: &UpdateValidator| {
        let before = before.filter(|_| !has(&update.before)).unwrap_or(update);
        update.validate(object, named, &before.before, in_cluster)
    };
    match (&concerned[..], updates.first()) {
        ([], Some(any)) if !is_typed => any.after.validate(object),
        ([], _) => ObjectVerdict::passed_over(Fate::Skipped),
        ([only], _) => validated(only),
        (several, _) => {
            let mut all = ObjectVerdict::passed_over(Fate::Valid);
            for update in several {
                let verdict = validated(update);
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
    pub(super) fn new(crds: UpdateCrds) -> Self {
        let validator = |crds| ObjectValidator {
            crds,
            previous: Previous::default(),
            field_validation: FieldValidation::Strict,
            strict: false,
        };
        let between = crds.between.into_iter();
        Self {
            name: crds.name,
            before: validator(crds.before),
            after: validator(crds.after),
            between: between
                .map(|(version, crds)| (version, validator(crds)))
                .collect(),
        }
    }

    /// Returns what the update changes for an object. Faults that it had before are left out.
    fn validate(
        &self,
        object: &Value,
        named: TypeMeta<'_>,
        before_it: &ObjectValidator,
        in_cluster: bool,
    ) -> ObjectVerdict {
        let is_known = before_it.crds.get(named).is_some();
        if is_known && self.after.crds.get(named).is_none() {
            return ObjectVerdict::invalid(kind_removed(named));
        }
        if !is_known {
            return self.after.validate(object);
        }
        let moved = in_cluster.then(|| self.moved(object, named, before_it));
        let moved = moved.flatten();
        let mut after = self.after.validate(moved.as_ref().unwrap_or(object));
        let before = before_it.validate(object);
        remove_known(&before.faults, &mut after.faults);
        for fault in &mut after.faults {
            if fault.code == Code::ObjectUnknownField {
                fault.add_help("a stored object loses it");
            }
        }
        let stored = self.add_stored(object, named, before_it, &mut after);
        let created = |validator: &ObjectValidator| {
            let crd = validator.crds.get(named).filter(|_| !is_read(object))?;
            stored::created(object, named, crd)
        };
        let created = created(before_it).zip(created(&self.after));
        let created = created.map(|(old, new)| differences(&old, &new, &after.faults));
        let stored = stored.map(|(old, new)| differences(&old, &new, &after.faults));
        let stored = stored.unwrap_or_default();
        let fields: BTreeSet<FieldPath> = stored.iter().map(|it| it.field.clone()).collect();
        let mut changes = stored;
        for mut fault in created.unwrap_or_default() {
            if !fields.contains(&fault.field) {
                fault.add_help("a stored object keeps its value");
                changes.push(fault);
            }
        }
        changes.sort_by(|one, other| one.field.cmp(&other.field));
        after.faults.extend(changes);
        let is_error =
            |fault: &Fault| [Code::ObjectUnknownField, Code::ObjectInvalid].contains(&fault.code);
        if after.fate == Fate::Valid && after.faults.iter().any(is_error) {
            after.fate = Fate::Invalid;
        }
        after
    }

    /// Returns a stored object in the version that it is read in if its own is gone.
    fn moved(
        &self,
        object: &Value,
        named: TypeMeta<'_>,
        before: &ObjectValidator,
    ) -> Option<Value> {
        let new = self.after.crds.get(named)?;
        if new.serves(named.version()) {
            return None;
        }
        let mut unused = ObjectVerdict::passed_over(Fate::Valid);
        let (_, moved) = self.add_stored(object, named, before, &mut unused)?;
        Some(moved)
    }

    /// Adds what becomes of the object if it is stored, over all bundles on the way. Returns it as it is read before and after.
    fn add_stored(
        &self,
        object: &Value,
        named: TypeMeta<'_>,
        before: &ObjectValidator,
        verdict: &mut ObjectVerdict,
    ) -> Option<(Value, Value)> {
        let mut old = before.crds.get(named)?;
        let between = self.between.iter();
        let between = between.map(|(bundle, validator)| (Some(bundle), validator));
        let (mut first, mut last) = (None, object.clone());
        let mut is_rejected = false;
        for (bundle, validator) in between.chain([(None, &self.after)]) {
            let Some(new) = validator.crds.get(named) else {
                continue;
            };
            let Some(stored) = StoredObject::of(&last, TypeMeta::of(&last), old, new) else {
                continue;
            };
            let mut refusals = stored.refusals;
            remove_known(&stored.known_refusals, &mut refusals);
            is_rejected |= !refusals.is_empty();
            add_losses(stored.dropped, bundle, &mut verdict.faults);
            add_refusals(refusals, bundle, &mut verdict.faults);
            first.get_or_insert(stored.before);
            last = stored.after;
            old = new;
        }
        if !is_rejected {
            let invalid = verdict.faults.iter_mut();
            for fault in invalid.filter(|fault| fault.code == Code::ObjectInvalid) {
                fault.add_help("a stored object is accepted until this value changes");
            }
        }
        Some((first?, last))
    }
}

/// Adds the fields that a stored object loses, unless they are known to be.
fn add_losses(dropped: Vec<(FieldPath, String)>, bundle: Option<&String>, faults: &mut Vec<Fault>) {
    let unknown = faults.iter();
    let unknown = unknown.filter(|it| it.code == Code::ObjectUnknownField);
    let mut known: BTreeSet<FieldPath> = unknown.map(|it| it.field.clone()).collect();
    for (field, version) in dropped {
        if !known.insert(field.clone()) {
            continue;
        }
        let (message, help) = match bundle {
            Some(bundle) => (
                format!("`{field}` is dropped by {bundle}, which is installed on the way"),
                "note the value, and write it again after the update",
            ),
            None => (
                format!("`{field}` is dropped when the object is stored in {version}"),
                "the version that is stored lacks the field; ask the publisher for one that has it",
            ),
        };
        let mut fault = Fault::new(Code::ObjectUnknownField, field, message);
        fault.add_help(help);
        faults.push(fault);
    }
}

/// Adds why a stored object is rejected, unless that is said already.
fn add_refusals(mut refusals: Vec<Fault>, bundle: Option<&String>, faults: &mut Vec<Fault>) {
    let said = faults.iter();
    let said: BTreeSet<_> = said
        .map(|it| (it.field.clone(), it.message.clone()))
        .collect();
    refusals.retain(|it| !said.contains(&(it.field.clone(), it.message.clone())));
    for refusal in &mut refusals {
        refusal.add_help(&match bundle {
            Some(bundle) => format!(
                "{bundle}, which is installed on the way, rejects the stored object until this is corrected"
            ),
            None => {
                "a stored object is rejected until this is corrected, whatever changes".to_owned()
            }
        });
    }
    faults.append(&mut refusals);
}

/// Whether an object was read from a server, so that it is stored.
fn is_read(object: &Value) -> bool {
    object.pointer("/metadata/uid").is_some()
}

/// The values that differ, except for those that something is wrong with, the status, which others write, and the version.
fn differences(old: &Value, new: &Value, faults: &[Fault]) -> Vec<Fault> {
    let mut changes = Vec::new();
    compare(old, new, &FieldPath::default(), &mut changes);
    let known = faults.iter().map(|fault| fault.field.elements());
    let known: BTreeSet<Vec<PathElement>> = known.map(<[PathElement]>::to_vec).collect();
    let others = ["status", "apiVersion"].map(|name| PathElement::Child(name.to_owned()));
    changes.retain(|change| {
        let own = change.field.elements();
        let mut above = (0..=own.len()).filter_map(|length| own.get(..length));
        !own.first().is_some_and(|it| others.contains(it))
            && !above.any(|above| known.contains(above))
    });
    changes
}

/// Removes the faults that an object had before, each at most as often as it had them. A limit that changed refuses nothing new, so
/// the numbers in messages do not count, unless they tell two faults of a field apart.
fn remove_known(before: &[Fault], after: &mut Vec<Fault>) {
    let exact = |fault: &Fault| fault.message.clone();
    let without_digits = |fault: &Fault| fault.message.replace(|c: char| c.is_ascii_digit(), "");
    let mut known: Vec<&Fault> = before.iter().collect();
    for words in [&exact as &dyn Fn(&Fault) -> String, &without_digits] {
        let key = |fault: &Fault| (fault.code, fault.field.clone(), words(fault));
        let mut counted: BTreeMap<_, usize> = BTreeMap::new();
        for fault in &known {
            *counted.entry(key(fault)).or_default() += 1;
        }
        let mut found: BTreeMap<_, usize> = BTreeMap::new();
        after.retain(|fault| {
            let key = key(fault);
            let left = counted.get_mut(&key).filter(|left| **left > 0);
            let is_known = left.map(|left| *left -= 1).is_some();
            if is_known {
                *found.entry(key).or_default() += 1;
            }
            !is_known
        });
        known.retain(|fault| {
            let used = found.get_mut(&key(fault)).filter(|used| **used > 0);
            used.map(|used| *used -= 1).is_none()
        });
    }
}

/// Says which objects a webhook converts before they are stored: what it makes of them is not known.
pub(super) fn not_compared(updates: &[UpdateValidator], objects: &Validated) -> Vec<String> {
    let objects = objects.objects();
    let named: BTreeSet<(&str, &str)> = objects
        .map(|object| (&*object.api_version, &*object.kind))
        .collect();
    let mut notes = Vec::new();
    for (api_version, kind) in named {
        let named = TypeMeta { api_version, kind };
        let crds = updates.iter().filter_map(|it| it.after.crds.get(named));
        for crd in crds.filter(|it| !it.converts_trivially()) {
            let Some(storage) = crd.storage_version().filter(|it| *it != named.version()) else {
                continue;
            };
            let plural = crd.plural();
            let group = named.group();
            notes.push(format!(
                "a webhook converts `{kind}` of `{api_version}` to `{storage}`, which is stored, and what it makes of the objects was not compared; `kubectl get {plural}.{storage}.{group} --all-namespaces --output json | crd-channels plan -` compares them as they are stored"
            ));
        }
    }
    notes
}

fn kind_removed(named: TypeMeta<'_>) -> Fault {
    let TypeMeta { api_version, kind } = named;
    let message = format!("the new bundle has no CRD for `{kind}` of `{api_version}`");
    let help = "deleting the CRD deletes all of its objects; keep it, or move them first";
    let at = FieldPath::default().child("kind");
    Fault::new(Code::ObjectUnknownKind, at, message).with_help(Some(help.to_owned()))
}
