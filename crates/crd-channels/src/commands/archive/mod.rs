//! `archive`: packs a released bundle into files to attach to a release, or pushes it to a registry.

mod push;

use super::{Outcome, here, say_with_summary};
use crate::consumer::folders::place;
use crate::git;
use crate::oci::address::Address;
use crate::release::archive::{Subject, files};
use crate::release::helm;
use crd_channels_diagnostics::report::Format;
use crd_channels_diagnostics::{Code, Diagnostic, Sources};
use crd_channels_files::{Disk, Read, shown_path};
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_projection::channel::config::FOLDER;
use crd_channels_released::bundles;
use crd_channels_signature as signature;
use crd_channels_workspace as workspace;
use std::io;
use std::path::{Path, PathBuf};

/// The arguments of `archive`.
#[derive(Clone, Debug)]
pub struct Request {
    /// The bundle.
    pub version: BundleVersion,
    /// The folder to write the files into.
    pub output: PathBuf,
    /// The repository to push it to instead.
    pub push: Option<Address>,
}

/// Packs a bundle of the current folder's workspace.
#[must_use]
pub fn run(request: &Request) -> Outcome {
    let Some(here) = here() else {
        return Outcome::CouldNotRun;
    };
    let done = match &request.push {
        Some(address) => push::pushed(&request.version, address, &here),
        None => archived(request, &here),
    };
    match done {
        Ok(()) => Outcome::Clean,
        Err(findings) => {
            say_with_summary(&findings, &Sources::default(), Format::Human);
            Outcome::of_failed(&findings)
        }
    }
}

/// Packs a bundle of the workspace that contains the folder `here`.
///
/// # Errors
/// Returns what prevents it.
pub(super) fn archived(request: &Request, here: &Path) -> Result<(), Vec<Diagnostic>> {
    let root = workspace::find_root(here).map_err(|finding| vec![*finding])?;
    if let Some(finding) = folder_rejection(&root, here, &request.output) {
        return Err(vec![finding]);
    }
    let (folder, bundle) = bundles::find_bundle(&root.join(FOLDER), &request.version, &Disk)?;
    let signature = Disk.read(&folder.join(signature::FILE)).ok();
    let subject = Subject {
        name: &helm::name(&bundle),
        bundle: &bundle,
        signature: signature.as_deref(),
    };
    let output = here.join(&request.output);
    write(subject, &output).map_err(|error| {
        let message = format!("`{}` cannot be written: {error}", output.display());
        let finding = Diagnostic::new(Code::WriteFailed, None, message);
        vec![finding.with_help("name a folder that can be written to with `--output`")]
    })
}

/// Returns an error if git does not ignore the output folder: the archives would be committed with the release.
pub(super) fn folder_rejection(root: &Path, here: &Path, output: &Path) -> Option<Diagnostic> {
    git::adds(root, &place(&here.join(output))).then(|| {
        let message = format!(
            "`{}` is in the working tree and git does not ignore it, so `git add --all` would add the archives",
            output.display()
        );
        Diagnostic::new(Code::ArchiveInTree, None, message).with_help(
            "name a folder that git ignores, such as `target/dist`, or one outside of the working tree",
        )
    })
}

/// Writes the files, the digests last: if they exist, the archive is complete.
fn write(subject: Subject<'_>, output: &Path) -> io::Result<()> {
    let mut files = files(subject)?;
    let sums = files.remove_entry(&subject.sums());
    std::fs::create_dir_all(output)?;
    let stale = output.join(subject.sums());
    if stale.is_file() {
        std::fs::remove_file(stale)?;
    }
    for (name, bytes) in files.into_iter().chain(sums) {
        std::fs::write(output.join(&name), bytes)?;
        status!("wrote {}", shown_path(&output.join(&name)));
    }
    Ok(())
}
