//! What is to be said of new CRDs, whatever objects there are.

use super::super::pin_changes::Changes;
use crate::commands::list_names;
use crate::commands::object_update::UpdateCrds;
use crate::commands::validate::crds::{Crd, Crds};
use crd_channels_check as check;
use crd_channels_compat::{Channel, Published, Set, compare};
use crd_channels_diagnostics::{Code, Diagnostic};
use std::collections::BTreeSet;

/// The most faults of a CRD that are named.
const MOST_FAULTS: usize = 3;

/// What servers refuse to change of a CRD that is established.
const IMMUTABLE: [(&str, &str); 3] = [
    ("spec.group", "/spec/group"),
    ("spec.scope", "/spec/scope"),
    ("spec.names.kind", "/spec/names/kind"),
];

/// Returns why API servers refuse the new CRDs in place of those before.
pub(super) fn refused(set: &UpdateCrds) -> Vec<Diagnostic> {
    let faults = set
        .after
        .all()
        .filter_map(|after| faults(before(set, after), after));
    faults.chain(changed(set)).collect()
}

/// Returns the changes that API servers refuse.
pub(super) fn changed(set: &UpdateCrds) -> Vec<Diagnostic> {
    let both = set
        .after
        .all()
        .filter_map(|after| Some(changes(before(set, after)?, after)));
    both.flatten().collect()
}

fn before<'s>(set: &'s UpdateCrds, after: &Crd) -> Option<&'s Crd> {
    let mut before = set.before.all();
    before.find(|it| it.document.name() == after.document.name())
}

/// The faults of a CRD that the one before does not have.
fn faults(before: Option<&Crd>, after: &Crd) -> Option<Diagnostic> {
    let refusals = |crd: &Crd| {
        let mut found = check::validate(&crd.document.0, check::NEWEST);
        found.retain(check::Finding::refuses);
        let shown = found.iter().map(|finding| {
            let at = finding.field.as_ref().map(|field| format!("{field}: "));
            at.unwrap_or_default() + &finding.message_with_part()
        });
        shown.collect::<Vec<String>>()
    };
    let mut new = refusals(after);
    if new.is_empty() {
        return None;
    }
    let known: BTreeSet<String> = before.map(refusals).into_iter().flatten().collect();
    new.retain(|fault| !known.contains(fault));
    let name = after.document.name();
    let first = new.get(..MOST_FAULTS).unwrap_or(&new).join("; ");
    let more = match new.len().saturating_sub(MOST_FAULTS) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    let finding = Diagnostic::new(
        Code::PinRefused,
        None,
        format!("API servers refuse the new `{name}`: {first}{more}"),
    );
    (!new.is_empty()).then(|| finding.with_help("`crd-channels check` reports all errors of a CRD"))
}

/// The changes of a CRD that servers refuse.
fn changes(before: &Crd, after: &Crd) -> Vec<Diagnostic> {
    let (before, after) = (&before.document, &after.document);
    let name = after.name();
    let refuse = |message: String, help: &str| {
        Diagnostic::new(Code::PinRefused, None, message).with_help(help)
    };
    let mut found = Vec::new();
    for (field, pointer) in IMMUTABLE {
        let (old, new) = (before.text(pointer), after.text(pointer));
        if old != new {
            found.push(refuse(
                format!("API servers refuse the new `{name}`: `{field}` was `{old}` and cannot become `{new}`"),
                "its objects have to be moved to a CRD of another name by hand",
            ));
        }
    }
    // Without a server, objects are stored in the version that is written.
    let stored = match before.stored() {
        none if none.is_empty() => vec![before.storage()],
        stored => stored,
    };
    let lost = stored.into_iter().filter(|it| after.schema(it).is_none());
    let lost: Vec<&str> = lost.collect();
    if !lost.is_empty() {
        let lost = list_names(&lost, lost.len());
        found.push(refuse(
            format!("API servers refuse the new `{name}` while objects may be stored in {lost}, which it lacks"),
            &format!("install a CRD first that has both versions and stores another one, then run `crd-channels cluster-migrate {name}`"),
        ));
    }
    found
}

/// Returns the places where the new CRDs may harm objects or those who write them. `None` if a CRD cannot be compared.
pub(super) fn harm(before: &Crds, after: &Crds) -> Option<Vec<String>> {
    let read = |crds: &Crds| {
        let mut read = Set::default();
        for crd in crds.all() {
            let published = Published::read(&crd.document.0).ok()??;
            let channel = read.channels.entry(Channel::Stable).or_default();
            channel.insert(crd.document.name().to_owned(), published);
        }
        Some(read)
    };
    let report = compare(&read(before)?, &read(after)?);
    Some(Changes::of(report).harm())
}

/// Returns the error of a plan that compared no object, given the [`harm`] of each change.
pub(super) fn unasked(harm: Option<Vec<Vec<String>>>) -> Option<Diagnostic> {
    let what = match harm.map(|all| all.concat()) {
        Some(places) if places.is_empty() => return None,
        Some(places) => format!(
            "objects that use these lose data or are rejected: {}",
            places.join(", ")
        ),
        None => "the CRDs cannot be compared without objects".to_owned(),
    };
    let finding = Diagnostic::new(Code::PinRefused, None, what);
    Some(finding.with_help(
        "no object of these kinds was named: name yours, or add `--cluster` for those of a cluster",
    ))
}
