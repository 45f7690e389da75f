//! What other commands read of a cluster: its CRDs, and its objects as they are stored.

use super::crd::{Stamp, place};
use super::kubectl::{Failure, Kubectl, patiently};
use super::pages::{self, Visitor};
use super::report::Progress;
use crate::commands::crd_document::CrdDocument;
use crate::commands::validate::crds;
use crate::commands::validate::files::{FileResult, ValidateObject, of_objects};
use crd_channels_diagnostics::{Code, Diagnostic};
use serde_json::Value;
use std::collections::BTreeSet;

/// What stands in place of a file.
const PLACE: &str = "cluster";

/// Returns the CRDs of these names that a cluster has.
///
/// # Errors
/// `cluster-failed`, `cluster-forbidden`
pub(in crate::commands) fn installed(
    kubectl: &Kubectl,
    names: &BTreeSet<String>,
) -> Result<Vec<crds::Crd>, Vec<Diagnostic>> {
    let mut found = Vec::new();
    for name in names {
        let document = patiently(|| kubectl.find(&place(name)));
        let document =
            document.map_err(|failure| vec![failure.finding(&format!("read the CRD `{name}`"))])?;
        let Some(document) = document else {
            continue;
        };
        found.extend(read(document)?);
    }
    Ok(found)
}

/// Reads a CRD as objects are validated against it.
pub(super) fn read(document: Value) -> Result<Option<crds::Crd>, Vec<Diagnostic>> {
    let read = crds::Crd::read(document, PLACE);
    let read = read.map_err(|why| vec![Diagnostic::new(Code::ClusterFailed, None, why)])?;
    // There is one of each name, whatever its channel is.
    Ok(read.map(|mut crd| {
        crd.channel = None;
        crd
    }))
}

/// The bundle and the channel that a CRD says it is of.
pub(in crate::commands) fn stamp(crd: &crds::Crd) -> Option<(String, String)> {
    let Stamp { version, channel } = crd.document.stamp("")?;
    Some((version, channel))
}

/// Validates all objects of a CRD page by page.
///
/// # Errors
/// `cluster-failed`, `cluster-forbidden`
pub(in crate::commands) fn validated(
    kubectl: &Kubectl,
    crd: &crds::Crd,
    after: Option<&crds::Crd>,
    validate: &ValidateObject<'_>,
) -> Result<Vec<FileResult>, Vec<Diagnostic>> {
    let crd = &crd.document;
    let Some(version) = crd.listed(after.map(|after| &after.document)) else {
        return Ok(Vec::new());
    };
    let mut pages = Pages {
        validate,
        crd,
        objects: 0,
        results: Vec::new(),
        progress: Progress::default(),
    };
    let listed = pages::visit(kubectl, &crd.collection(version), &mut pages);
    listed.map_err(|failure| {
        vec![failure.finding(&format!("list the objects of `{}`", crd.name()))]
    })?;
    Ok(pages.results)
}

struct Pages<'p> {
    validate: &'p ValidateObject<'p>,
    crd: &'p CrdDocument,
    objects: usize,
    results: Vec<FileResult>,
    progress: Progress,
}

impl Visitor for Pages<'_> {
    fn begin(&mut self) {
        self.objects = 0;
        self.results.clear();
    }

    fn page(&mut self, items: &[Value]) -> Result<(), Failure> {
        self.results.push(of_objects(PLACE, items, self.validate));
        self.objects += items.len();
        let (name, objects) = (self.crd.name(), self.objects);
        self.progress
            .tell(|| format!("`{name}`: {objects} objects compared"));
        Ok(())
    }
}
