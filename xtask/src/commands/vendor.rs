//! `vendor`: writes the CRDs that the lock pins.

use super::pin::{locked, no_lock, one};
use super::{Outcome, here, interrupted, say};
use crate::bundle::layout;
use crate::consumer::source::Source;
use crate::diag::{Code, Diagnostic};
use crate::files::{ChangeKind, Disk, Plan, Sources};
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// What was asked for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The folder to write into.
    pub folder: PathBuf,
    /// Write nothing; files that are not as pinned are findings.
    pub check: bool,
}

/// Runs the command in the current folder.
#[must_use]
pub fn run(request: &Request) -> Outcome {
    let Some(here) = here() else {
        return Outcome::CouldNotRun;
    };
    match vendor(request, &here) {
        Ok(outcome) => outcome,
        Err(findings) => {
            say(&findings, &Sources::default());
            Outcome::CouldNotRun
        }
    }
}

fn vendor(request: &Request, here: &Path) -> Result<Outcome, Vec<Diagnostic>> {
    let lock = locked(here)?.ok_or_else(no_lock)?;
    let source = Source::open(lock.source.clone(), here).map_err(one)?;
    let bundle = source.exactly(&lock.bundle)?;
    lock.check(&bundle).map_err(one)?;
    let prefix = format!("{}/crds/", lock.channel);
    let mut files = BTreeMap::new();
    for path in lock.files.keys() {
        let Some(name) = path.strip_prefix(&prefix) else {
            continue;
        };
        let bytes = bundle.files.get(path).cloned().unwrap_or_default();
        let text = String::from_utf8(bytes).map_err(|_| {
            let message = format!("`{path}` of {} is not UTF-8", lock.bundle);
            let finding = Diagnostic::new(Code::BundleInvalid, None, message);
            vec![finding.with_help("ask those who release it")]
        })?;
        files.insert(name.to_owned(), text);
    }
    let count = files.len();
    let shown = request.folder.display();
    // The folder's own name stands before the files, so that it is the folder that the plan owns.
    let Some((root, own)) = split(here, &request.folder) else {
        let message = format!("`{shown}` is not a folder that CRDs can be written into");
        let finding = Diagnostic::new(Code::WriteFailed, None, message);
        return Err(vec![
            finding.with_help("name a folder of their own, such as `crds`"),
        ]);
    };
    interrupted::settle_at(&root).map_err(one)?;
    let files = files
        .into_iter()
        .map(|(name, text)| (format!("{own}/{name}"), text));
    let what = format!("the CRDs in `{shown}`");
    let plan = Plan::new(what, root, files.collect(), vec![own]).recognising(layout::is_generated);
    if request.check {
        let changes = plan.compare(&Disk).map_err(one)?;
        for change in &changes {
            let state = match change.kind {
                ChangeKind::Missing => "missing",
                ChangeKind::Differs => "not as pinned",
                ChangeKind::Orphan => "not pinned",
            };
            println!("{state}: {}", change.path);
        }
        return Ok(if changes.is_empty() {
            Outcome::Clean
        } else {
            eprintln!("help: run `crd-channels vendor {shown}`");
            Outcome::Findings
        });
    }
    let applied = interrupted::apply(&plan).map_err(one)?;
    let written = applied.created.len() + applied.replaced.len();
    println!(
        "{count} CRDs of {} {} in `{shown}`: {written} written, {} removed",
        lock.bundle,
        lock.channel,
        applied.removed.len()
    );
    Ok(Outcome::Clean)
}

/// The folder that the plan begins at, and the path of the CRDs in it. It is the current one where that can be, so that any
/// command finds what a run left that was stopped; else the one above the CRDs.
fn split(here: &Path, folder: &Path) -> Option<(PathBuf, String)> {
    let plain: PathBuf = here.join(folder).components().collect();
    let below = plain.strip_prefix(here).unwrap_or(Path::new(""));
    let names: Option<Vec<&str>> = below
        .components()
        .map(|part| match part {
            Component::Normal(name) => name.to_str(),
            _ => None,
        })
        .collect();
    if let Some(names) = names.filter(|names| !names.is_empty()) {
        return Some((here.to_path_buf(), names.join("/")));
    }
    let name = plain.file_name()?.to_str()?.to_owned();
    Some((plain.parent()?.to_path_buf(), name))
}
