//! `vendor`: writes the CRDs that the lock pins.

use super::pin::{access, locked, no_lock, state};
use super::{Outcome, here, say};
use crate::bundle::layout;
use crate::consumer::one;
use crate::consumer::vendored::Stale;
use crate::diag::{Code, Diagnostic};
use crate::files::{Disk, Plan, Sources};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What was asked for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The folder to write into.
    pub folder: PathBuf,
    /// Write nothing; files that are not as pinned are findings.
    pub check: bool,
    /// Fetch nothing.
    pub offline: bool,
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
    let folder = here.join(&request.folder);
    let shown = request.folder.display();
    // The folder's own name stands before the files, so that it is the folder that the plan owns.
    let Some((root, own)) = split(&folder) else {
        let message = format!("`{shown}` is not a folder that CRDs can be written into");
        let finding = Diagnostic::new(Code::WriteFailed, None, message);
        return Err(vec![
            finding.with_help("name a folder of their own, such as `crds`"),
        ]);
    };
    let stale = lock.stale(&folder, &Disk);
    let wanted = lock.vendored();
    let plan = |files: BTreeMap<String, String>| {
        let kept = wanted.keys().map(|name| format!("{own}/{name}"));
        let kept = kept.filter(|path| !files.contains_key(path)).collect();
        Plan::new(root.clone(), state(here), files, vec![own.clone()])
            .recognising(layout::is_generated)
            .keeping(kept)
    };
    if request.check {
        let orphans = plan(BTreeMap::new()).compare(&Disk).map_err(one)?;
        for (name, stale) in &stale {
            let state = match stale {
                Stale::Missing => "missing",
                Stale::Differs => "not as pinned",
            };
            println!("{state}: {own}/{name}");
        }
        for orphan in &orphans {
            println!("not pinned: {}", orphan.path);
        }
        return Ok(if stale.is_empty() && orphans.is_empty() {
            Outcome::Clean
        } else {
            eprintln!("help: run `crd-channels vendor {shown}`");
            Outcome::Findings
        });
    }
    let mut files = BTreeMap::new();
    if !stale.is_empty() {
        let bundle = access(here, request.offline).pinned(&lock)?;
        for name in stale.keys() {
            let path = wanted.get(name).copied().unwrap_or_default();
            let bytes = bundle.files.get(path).cloned().unwrap_or_default();
            let text = String::from_utf8(bytes).map_err(|_| {
                let message = format!("`{path}` of {} is not UTF-8", lock.bundle);
                let finding = Diagnostic::new(Code::BundleInvalid, None, message);
                vec![finding.with_help("ask those who release it")]
            })?;
            files.insert(format!("{own}/{name}"), text);
        }
    }
    let applied = plan(files).apply(&Disk).map_err(one)?;
    let written = applied.created.len() + applied.replaced.len();
    println!(
        "{} CRDs of {} {} in `{shown}`: {written} written, {} removed",
        wanted.len(),
        lock.bundle,
        lock.channel,
        applied.removed.len()
    );
    Ok(Outcome::Clean)
}

/// The folder above, and the name in it.
fn split(folder: &Path) -> Option<(PathBuf, String)> {
    let plain: PathBuf = folder.components().collect();
    let name = plain.file_name()?.to_str()?.to_owned();
    Some((plain.parent()?.to_path_buf(), name))
}
