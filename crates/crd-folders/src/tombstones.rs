//! The names of fields and values that `channels/tombstones.toml` reserves.

use crd_channels_diagnostics::{Code, Diagnostic, Sink};
use crd_channels_projection::channel::config::FieldTombstone;
use crd_channels_schema::draft::Tombstone;
use std::collections::BTreeSet;

/// The reserved names, and those of them whose place was found.
pub(crate) struct Fields<'a> {
    all: &'a [FieldTombstone],
    found: BTreeSet<usize>,
}

impl<'a> Fields<'a> {
    pub(crate) fn new(all: &'a [FieldTombstone]) -> Self {
        Self {
            all,
            found: BTreeSet::new(),
        }
    }

    /// Takes the names that are reserved at a path; the path of the root is empty.
    pub(crate) fn at(&mut self, group: &str, kind: &str, path: &str) -> Vec<Tombstone> {
        let shown = if path.is_empty() { "." } else { path };
        let here = self
            .all
            .iter()
            .enumerate()
            .filter(|(_, it)| (&*it.group, &*it.kind, &*it.path.value) == (group, kind, shown));
        let mut taken = Vec::new();
        for (nth, it) in here {
            self.found.insert(nth);
            taken.push(Tombstone {
                name: it.name.clone(),
                removed: it.removed.clone(),
                reason: it.reason.clone(),
                span: it.path.span,
            });
        }
        taken
    }

    /// Reports names whose place no CRD has.
    pub(crate) fn unused(&self, sink: &mut Sink) {
        let missing = self.all.iter().enumerate();
        for (_, it) in missing.filter(|(nth, _)| !self.found.contains(nth)) {
            let message = format!(
                "no version of `{}` has `{}`, where `{}` is reserved",
                it.kind, it.path.value, it.name
            );
            let finding = Diagnostic::new(Code::ConfigInvalid, it.path.span, message);
            sink.push(finding.with_help(
                "write the path of the object that had the field, such as `spec.rules[]`; where that object is removed too, remove this entry and reserve the name of the object",
            ));
        }
    }
}
