//! `sign`: signs a released bundle.

use super::release::versions;
use super::{Outcome, here, interrupted, say_with_summary};
use crd_channels_diagnostics::report::Format;
use crd_channels_diagnostics::{Code, Diagnostic, Sources};
use crd_channels_files::{Disk, Plan};
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_projection::channel::config::FOLDER;
use crd_channels_released::bundles;
use crd_channels_signature::{self as signature, key_id, sign};
use crd_channels_workspace as workspace;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The arguments of `sign`.
#[derive(Clone, Debug)]
pub struct Request {
    /// The bundle.
    pub version: BundleVersion,
    /// The file with the secret key.
    pub key: PathBuf,
}

/// Signs a bundle of the current folder's workspace.
#[must_use]
pub fn run(request: &Request) -> Outcome {
    let Some(here) = here() else {
        return Outcome::CouldNotRun;
    };
    match signed(request, &here) {
        Ok(path) => {
            status!("wrote {path}");
            Outcome::Clean
        }
        Err(findings) => {
            say_with_summary(&findings, &Sources::default(), Format::Human);
            Outcome::of_failed(&findings)
        }
    }
}

/// Writes the signature. Returns its path.
fn signed(request: &Request, here: &Path) -> Result<String, Vec<Diagnostic>> {
    let Request { version, key } = request;
    let one = |finding: Box<Diagnostic>| vec![*finding];
    let root = workspace::find_root(here).map_err(one)?;
    let (_, bundle) = bundles::find_bundle(&root.join(FOLDER), version, &Disk)?;
    let (text, _) = bundle.manifest.to_text();
    let prefix = &bundle.manifest.annotation_prefix;
    let signature = sign(&text, version, prefix, &here.join(key)).map_err(one)?;
    let path = format!("{FOLDER}/{version}/{}", signature::FILE);
    let known = versions::read_text(&root, &path, &Disk).map_err(one)?;
    if let Some(id) = known
        .filter(|known| key_id(known) != key_id(&signature))
        .map(|known| key_id(&known))
    {
        let with = id.map_or_else(String::new, |id| format!(" with another key, {id}"));
        let message = format!("bundle {version} is already signed{with}");
        let finding = Diagnostic::new(Code::KeyInvalid, None, message);
        return Err(vec![finding.with_help(format!(
            "users who have the public key of that signature cannot verify a new one; to replace it, run `rm {path}` first"
        ))]);
    }
    let files = BTreeMap::from([(path.clone(), signature)]);
    let plan = Plan::new(
        format!("the signature of {version}"),
        root,
        files,
        Vec::new(),
    );
    interrupted::apply(&plan).map_err(one)?;
    Ok(path)
}
