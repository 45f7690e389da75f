//! What the objects of a cluster use that other CRDs change.

use super::kubectl::{Failure, Kubectl};
use super::objects;
use super::pages::{self, Visitor};
use super::report::Progress;
use crate::commands::crd_document::CrdDocument;
use crate::commands::object_update::{self, UpdateCrds, UpdateValidator, value_at};
use crate::commands::records::written_in;
use crate::commands::validate::crds::{CrdSource, Crds};
use crate::commands::validate::verdict::{Fault, gate_path};
use crd_channels_diagnostics::{Code, Diagnostic};
use crd_channels_validation::Reason;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// What becomes of a field once other CRDs are installed.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) enum Effect {
    /// Servers drop it.
    Dropped,
    /// Servers reject its value.
    Rejected,
    /// Servers set another value.
    Changed,
    /// A client wrote the object in a version that is gone.
    Unserved,
}

impl Effect {
    /// Why CRDs with it are not installed; `None` if nothing is lost.
    pub(super) fn refusal(self) -> Option<&'static str> {
        match self {
            Self::Dropped => Some("drops what objects have"),
            Self::Rejected => Some("rejects what objects have"),
            Self::Unserved => Some(
                "lacks versions in which clients wrote objects, so that servers refuse to apply these",
            ),
            Self::Changed => None,
        }
    }
}

/// A field that other CRDs change in some objects.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct Affected {
    pub(super) effect: Effect,
    /// The version that the objects are read in.
    pub(super) version: String,
    /// As gates name it, with its value behind `: ` if only that value is rejected.
    pub(super) field: String,
}

/// What the objects of a CRD use.
#[derive(Default)]
pub(super) struct ObjectCounts {
    pub(super) objects: usize,
    /// How many of them a client writes in each version.
    pub(super) written_in: BTreeMap<String, usize>,
    /// How many objects have a field that other CRDs change.
    pub(super) affected: BTreeMap<Affected, usize>,
}

/// A CRD, and the one that replaces it.
#[derive(Clone, Copy)]
pub(super) struct Replacement<'c> {
    pub(super) before: &'c CrdDocument,
    pub(super) after: &'c CrdDocument,
}

/// Counts the objects of a CRD of the cluster, and those that a replacement of CRDs affects, page by page.
pub(super) fn count(
    kubectl: &Kubectl,
    crd: &CrdDocument,
    replacement: Option<Replacement<'_>>,
) -> Result<ObjectCounts, Vec<Diagnostic>> {
    let update = replacement.map(update).transpose()?;
    let mut total = ObjectCounts::default();
    let listed = crd.listed(replacement.map(|it| it.after));
    // A webhook may hide in one version what another one has.
    let is_hidden = crd.has_webhook() && update.is_some();
    let others = crd.served().filter(|_| is_hidden);
    let others = others.filter(|version| Some(*version) != listed);
    for version in listed.into_iter().chain(others) {
        let mut counting = Counting {
            crd,
            version,
            update: update.as_ref(),
            counts: ObjectCounts::default(),
            progress: Progress::default(),
        };
        pages::visit(kubectl, &crd.collection(version), &mut counting).map_err(|failure| {
            vec![failure.finding(&format!("read the objects of `{}`", crd.name()))]
        })?;
        match Some(version) == listed {
            true => total = counting.counts,
            false => total.affected.extend(counting.counts.affected),
        }
    }
    Ok(total)
}

fn update(replacement: Replacement<'_>) -> Result<UpdateValidator, Vec<Diagnostic>> {
    let Replacement { before, after } = replacement;
    let only = |crd: &CrdDocument| {
        let crds = objects::read(crd.0.clone())?.into_iter().collect();
        let source = CrdSource {
            crds,
            ..CrdSource::default()
        };
        Ok::<_, Vec<Diagnostic>>(Crds::of(vec![source]))
    };
    Ok(UpdateValidator::new(UpdateCrds {
        name: after.name().to_owned(),
        before: only(before)?,
        after: only(after)?,
        between: Vec::new(),
    }))
}

/// Counts the objects of one version.
struct Counting<'c> {
    crd: &'c CrdDocument,
    version: &'c str,
    update: Option<&'c UpdateValidator>,
    counts: ObjectCounts,
    progress: Progress,
}

impl Counting<'_> {
    /// The fields of an object that the update changes, each once.
    fn affected(&self, object: &Value) -> BTreeSet<Affected> {
        let Some(update) = self.update else {
            return BTreeSet::new();
        };
        let verdict = object_update::validate(std::slice::from_ref(update), object, true);
        let faults = verdict.faults.iter();
        let affected = faults.filter_map(|fault| {
            Some(Affected {
                effect: effect(fault)?,
                version: self.version.to_owned(),
                field: shown(fault, object),
            })
        });
        affected.collect()
    }
}

fn effect(fault: &Fault) -> Option<Effect> {
    Some(match fault.code {
        Code::ObjectUnknownField => Effect::Dropped,
        Code::ObjectInvalid | Code::ObjectUnserved | Code::ObjectUnknownKind => Effect::Rejected,
        // Of a version that clients wrote; the object's own shows in what becomes of the object.
        Code::ObjectDeprecated if fault.field.elements().len() > 1 => Effect::Unserved,
        Code::ObjectDefaulted => Effect::Changed,
        _ => return None,
    })
}

/// The field of a fault, and the value if that is what is not supported.
fn shown(fault: &Fault, object: &Value) -> String {
    let field = match fault.field.elements() {
        [] => ".".to_owned(),
        _ if fault.code == Code::ObjectDeprecated => fault.field.to_string(),
        _ => gate_path(&fault.field),
    };
    let value = Some(Reason::NotSupported) == fault.reason;
    match value.then(|| value_at(object, &fault.field)).flatten() {
        Some(value) => format!("{field}: {value}"),
        None => field,
    }
}

impl Visitor for Counting<'_> {
    fn begin(&mut self) {
        self.counts = ObjectCounts::default();
    }

    fn page(&mut self, items: &[Value]) -> Result<(), Failure> {
        self.counts.objects += items.len();
        let group = self.crd.group();
        for version in items.iter().flat_map(|item| written_in(item, group)) {
            let written = &mut self.counts.written_in;
            *written.entry(version.to_owned()).or_default() += 1;
        }
        let affected = items.par_iter().flat_map_iter(|item| self.affected(item));
        for field in affected.collect::<Vec<_>>() {
            *self.counts.affected.entry(field).or_default() += 1;
        }
        let (name, read) = (self.crd.name(), self.counts.objects);
        self.progress
            .tell(|| format!("`{name}`: {read} objects read"));
        Ok(())
    }
}
