//! What an update changes for an object: the difference of what servers say before and after it.

mod stored;
mod differences;

use crate::commands::records::written_in;
use crate::commands::type_meta::TypeMeta;
use crate::commands::validate::Validated;
use crate::commands::validate::crds::{Crd, Crds};
use crate::commands::validate::previous::Previous;
use crate::commands::validate::stored::{STATUS, created, is_read};
use crate::commands::validate::verdict::{
    Fate, Fault, FieldValidation, ObjectValidator, ObjectVerdict,
};
use crd_channels_diagnostics::Code;
use crd_channels_validation::path::{FieldPath, PathElement};
use differences::{compare, remove_known};
use serde_json::Value;
use std::collections::BTreeSet;
use stored::{StoredObject, remove_only_of_new};

pub(super) use stored::value_at;

/// What a server rejects an object for.
const ERRORS: [Code; 3] = [
    Code::ObjectInvalid,
    Code::ObjectUnknownField,
    Code::ObjectUnserved,
];

/// The CRDs that an update replaces, and those that replace them.
pub(in crate::commands) struct UpdateCrds {
    /// The name of the bundle in the lock, or of the new CRDs.
    pub(in crate::commands) name: String,
    pub(in crate::commands) before: Crds,
    pub(in crate::commands) after: Crds,
    /// Those of the bundles that are installed on the way, with their versions.
    pub(in crate::commands) between: Vec<(String, Crds)>,
}

/// Validates objects before and after an update.
#[derive(Debug)]
pub(in crate::commands) struct UpdateValidator {
    name: String,
    pub(in crate::commands) before: ObjectValidator,
    pub(in crate::commands) after: ObjectValidator,
    between: Vec<(String, ObjectValidator)>,
}

/// A stored object, followed over all bundles on the way.
struct Followed<'u> {
    /// As it is read before.
    before: Value,
    /// As it is read at the end.
    after: Value,
    hops: Vec<Hop<'u>>,
}

/// What one bundle does to a stored object.
struct Hop<'u> {
    /// The version of the bundle; `None` for the last one.
    bundle: Option<&'u str>,
    /// The fields that are lost, each with the version that lacks it.
    dropped: Vec<(FieldPath, String)>,
    /// Why the object is rejected, whatever changes.
    refusals: Vec<Fault>,
}

/// Validates an object for each update that has its kind. Which of the bundles a cluster has is not known. A manifest names its
/// version on purpose; an object that a cluster stores is read in another one once its own is gone.
pub(in crate::commands) fn validate(
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
    pub(in crate::commands) fn new(crds: UpdateCrds) -> Self {
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

    /// Those of all CRDs, in the order in which they are installed.
    fn all(&self) -> impl Iterator<Item = &ObjectValidator> {
        let between = self.between.iter().map(|(_, validator)| validator);
        [&self.before]
            .into_iter()
            .chain(between)
            .chain([&self.after])
    }

    /// Returns what the update changes for an object that `old` may know. Faults that it had before are left out.
    fn validate(
        &self,
        object: &Value,
        named: TypeMeta<'_>,
        old: &ObjectValidator,
        in_cluster: bool,
    ) -> ObjectVerdict {
        let (old_crd, new_crd) = match (old.crds.get(named), self.after.crds.get(named)) {
            (Some(old), Some(new)) => (old, new),
            (Some(_), None) => return ObjectVerdict::invalid(kind_removed(named)),
            (None, _) => return self.after.validate(object),
        };
        let followed = self.follow(object, named, old_crd);
        let is_moved = in_cluster && !new_crd.serves(named.version());
        let moved = followed.as_ref().filter(|_| is_moved).map(|it| &it.after);
        let mut verdict = self.after.validate(moved.unwrap_or(object));
        let faults = &mut verdict.faults;
        if in_cluster || is_read(object) {
            remove_only_of_new(moved.unwrap_or(object), new_crd, faults);
            let is_error = |fault: &Fault| ERRORS.contains(&fault.code);
            if verdict.fate == Fate::Invalid && !faults.iter().any(is_error) {
                verdict.fate = Fate::Valid;
            }
        } else {
            faults.extend(moved_status(object, named, old_crd, new_crd));
        }
        remove_known(&old.validate(object).faults, faults);
        add_help(faults, Code::ObjectUnknownField, "a stored object loses it");
        let hops = followed.as_ref().map(|it| &*it.hops).unwrap_or_default();
        if hops.iter().all(|hop| hop.refusals.is_empty()) {
            let help = "a stored object is accepted until this value changes";
            add_help(faults, Code::ObjectInvalid, help);
        }
        let stored = followed.map(
            |Followed {
                 before,
                 after,
                 hops,
             }| {
                for hop in hops {
                    add_losses(hop.dropped, hop.bundle, faults);
                    add_refusals(hop.refusals, hop.bundle, faults);
                }
                differences(&before, &after, faults)
            },
        );
        let mut changes = stored.unwrap_or_default();
        let fields: BTreeSet<FieldPath> = changes.iter().map(|it| it.field.clone()).collect();
        let created = |crd| created(object, named, crd);
        if !is_read(object)
            && let Some((old, new)) = created(old_crd).zip(created(new_crd))
        {
            let mut own = differences(&old, &new, faults);
            own.retain(|fault| !fields.contains(&fault.field));
            add_help(
                &mut own,
                Code::ObjectDefaulted,
                "a stored object keeps its value",
            );
            changes.append(&mut own);
        }
        faults.extend(left_records(object, new_crd));
        changes.sort_by(|one, other| one.field.cmp(&other.field));
        faults.append(&mut changes);
        let is_error =
            |fault: &Fault| [Code::ObjectUnknownField, Code::ObjectInvalid].contains(&fault.code);
        if verdict.fate == Fate::Valid && faults.iter().any(is_error) {
            verdict.fate = Fate::Invalid;
        }
        verdict
    }

    /// Follows a stored object over all bundles on the way. `None` if no CRD can validate it.
    fn follow<'u>(
        &'u self,
        object: &Value,
        named: TypeMeta<'_>,
        mut old: &'u Crd,
    ) -> Option<Followed<'u>> {
        let between = self.between.iter();
        let between = between.map(|(bundle, validator)| (Some(&**bundle), validator));
        let (mut first, mut last, mut hops) = (None, object.clone(), Vec::new());
        for (bundle, validator) in between.chain([(None, &self.after)]) {
            let Some(new) = validator.crds.get(named) else {
                continue;
            };
            let Some(stored) = StoredObject::of(&last, TypeMeta::of(&last), old, new) else {
                continue;
            };
            first.get_or_insert(stored.before);
            last = stored.after;
            hops.push(Hop {
                bundle,
                dropped: stored.dropped,
                refusals: stored.refusals,
            });
            old = new;
        }
        Some(Followed {
            before: first?,
            after: last,
            hops,
        })
    }
}

/// A status in a manifest that only one of two CRDs takes from there.
fn moved_status(object: &Value, named: TypeMeta<'_>, old: &Crd, new: &Crd) -> Option<Fault> {
    object.get(STATUS)?;
    let is_apart = |crd: &Crd| crd.document.has_status_subresource(named.version());
    let what = match (is_apart(old), is_apart(new)) {
        (false, true) => "is no longer written by requests for the object",
        (true, false) => "is written by requests for the object, which left it as it was",
        _ => return None,
    };
    let at = FieldPath::default().child(STATUS);
    let message = format!("`{STATUS}` {what}");
    Some(Fault::new(Code::ObjectDefaulted, at, message))
}

/// The versions in which clients wrote an object and which the CRD lacks: servers cannot apply the object any more.
fn left_records(object: &Value, crd: &Crd) -> Vec<Fault> {
    let crd = &crd.document;
    let written = written_in(object, crd.group()).into_iter();
    let gone = written.filter(|version| !crd.version_names().any(|name| name == *version));
    let faults = gone.map(|version| {
        let records = FieldPath::default().child("metadata").child("managedFields");
        let message = format!(
            "a client wrote it in `{version}`, which is gone then: servers refuse to apply it, whoever does"
        );
        let fault = Fault::new(Code::ObjectDeprecated, records.key(version), message);
        fault.with_help(Some(format!(
            "`crd-channels cluster-migrate {}` moves what servers recorded, while the version is still there",
            crd.name()
        )))
    });
    faults.collect()
}

/// Adds a sentence to the help of all faults with a code.
fn add_help(faults: &mut [Fault], code: Code, help: &str) {
    let own = faults.iter_mut().filter(|fault| fault.code == code);
    own.for_each(|fault| fault.add_help(help));
}

/// Adds the fields that a stored object loses, unless they are known to be.
fn add_losses(dropped: Vec<(FieldPath, String)>, bundle: Option<&str>, faults: &mut Vec<Fault>) {
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
fn add_refusals(mut refusals: Vec<Fault>, bundle: Option<&str>, faults: &mut Vec<Fault>) {
    let said = faults.iter();
    let said: BTreeSet<_> = said
        .map(|it| (it.field.clone(), it.message.clone()))
        .collect();
    refusals.retain(|it| !said.contains(&(it.field.clone(), it.message.clone())));
    let known = refusals
        .iter_mut()
        .filter(|it| it.code != Code::ObjectNotEvaluated);
    for refusal in known {
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

/// The values that differ, except for those that something is wrong with, the status, which others write, and the version.
fn differences(old: &Value, new: &Value, faults: &[Fault]) -> Vec<Fault> {
    let mut changes = Vec::new();
    compare(old, new, &FieldPath::default(), &mut changes);
    let others = [STATUS, "apiVersion"].map(|name| PathElement::Child(name.to_owned()));
    // What is dropped goes with all that is below it.
    let is_dropped = |fault: &&Fault| fault.code == Code::ObjectUnknownField;
    let dropped = faults.iter().filter(is_dropped);
    let dropped: BTreeSet<Vec<PathElement>> = dropped
        .map(|fault| fault.field.elements().to_vec())
        .collect();
    let known: BTreeSet<&FieldPath> = faults.iter().map(|fault| &fault.field).collect();
    changes.retain(|change| {
        let own = change.field.elements();
        let mut above = (0..=own.len()).filter_map(|length| own.get(..length));
        !own.first().is_some_and(|it| others.contains(it))
            && !known.contains(&change.field)
            && !above.any(|above| dropped.contains(above))
    });
    changes
}

/// Says which objects are not compared as they are stored: a webhook converts them, or the schema of a version cannot be read.
pub(in crate::commands) fn not_compared(
    updates: &[UpdateValidator],
    objects: &Validated,
) -> Vec<String> {
    let objects = objects.objects();
    let named: BTreeSet<(&str, &str)> = objects
        .map(|object| (&*object.api_version, &*object.kind))
        .collect();
    let mut notes = Vec::new();
    for (api_version, kind) in named {
        let named = TypeMeta { api_version, kind };
        let validators = updates.iter().flat_map(UpdateValidator::all);
        for crd in validators.filter_map(|it| it.crds.get(named)) {
            let versions = [named.version(), crd.document.storage()].into_iter();
            let unread = versions.filter(|it| crd.document.schema(it).is_some());
            notes.extend(unread.filter_map(|version| {
                let why = crd.validator(version).err()?;
                let file = &crd.file;
                Some(format!(
                    "`{kind}` of `{api_version}` is not followed as it is stored: the CRD in `{file}` cannot validate `{version}`: {why}"
                ))
            }));
        }
        let crds = updates.iter().filter_map(|it| it.after.crds.get(named));
        for crd in crds.filter(|it| it.document.has_webhook()) {
            let storage = crd.document.storage();
            if storage == named.version() {
                continue;
            }
            let plural = crd.document.plural();
            let group = named.group();
            notes.push(format!(
                "a webhook converts `{kind}` of `{api_version}` to `{storage}`, which is stored, and what it makes of the objects was not compared; `kubectl get {plural}.{storage}.{group} --all-namespaces --output json | crd-channels plan -` compares them as they are stored"
            ));
        }
    }
    let mut said = BTreeSet::new();
    notes.retain(|note| said.insert(note.clone()));
    notes
}

fn kind_removed(named: TypeMeta<'_>) -> Fault {
    let TypeMeta { api_version, kind } = named;
    let message = format!("the new bundle has no CRD for `{kind}` of `{api_version}`");
    let help = "deleting the CRD deletes all of its objects; keep it, or move them first";
    let at = FieldPath::default().child("kind");
    Fault::new(Code::ObjectUnknownKind, at, message).with_help(Some(help.to_owned()))
}
