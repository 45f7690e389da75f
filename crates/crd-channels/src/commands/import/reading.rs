//! Reads the CRDs that are imported: all of them, or none.

use crate::commands::check::files::{PathTarget, files_at};
use crate::commands::validate::sources::Lookup;
use crate::consumer::origin::{self, Place};
use crd_channels_diagnostics::{Code, Diagnostic, Sink};
use crd_channels_files::{Disk, Read};
use crd_channels_released::documents;
use crd_channels_released::manifest::{self, Manifest};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What can be named.
const HELP: &str = "name files and folders with CRDs, an archive of a bundle, `git:REVISION:FOLDER`, or `-` for standard input";

/// Reads the CRDs of a channel that the paths name. `None` if one of them cannot be read, which is reported.
pub(crate) fn crds(
    paths: &[PathBuf],
    channel: &str,
    here: &Path,
    sink: &mut Sink,
) -> Option<Vec<Value>> {
    let mut found: BTreeMap<String, (String, Value)> = BTreeMap::new();
    let mut refused = Vec::new();
    let mut refuse = |message: String, help: &str| {
        refused.push(Diagnostic::new(Code::UnreadableFile, None, message).with_help(help));
    };
    let (named, on_disk): (Vec<&PathBuf>, Vec<&PathBuf>) =
        paths.iter().partition(|path| is_looked_up(path, here));
    let mut unread = Vec::new();
    for path in named {
        match looked_up(path, channel, here) {
            Ok(crds) => {
                for (file, crd) in crds {
                    let name = crd["metadata"]["name"].as_str().unwrap_or_default();
                    found.insert(name.to_owned(), (file, crd));
                }
            }
            Err(findings) => unread.extend(findings),
        }
    }
    for read in on_disk.into_iter().flat_map(|path| files_at(path)) {
        let file = match read {
            Ok(PathTarget::File(file)) => file,
            Ok(PathTarget::Template(name)) => {
                let help = "run `helm template CHART --include-crds > rendered.yaml`, and import `rendered.yaml`";
                refuse(format!("`{name}` is a template of a Helm chart"), help);
                continue;
            }
            Err(unread) => {
                refuse(unread.message, HELP);
                continue;
            }
        };
        let documents = match documents::parse(&file.text) {
            Ok(documents) => documents,
            Err(why) => {
                refuse(
                    format!("`{}`: {why}", file.name),
                    "leave the file out, or correct it",
                );
                continue;
            }
        };
        for document in documents {
            if document["kind"] != "CustomResourceDefinition" {
                continue;
            }
            let name = document["metadata"]["name"]
                .as_str()
                .unwrap_or_default()
                .to_owned();
            if document["apiVersion"] != "apiextensions.k8s.io/v1" {
                refuse(
                    format!("`{}`: `{name}` is not `apiextensions.k8s.io/v1`", file.name),
                    "a server has it in that version: `kubectl get crd NAME -o yaml`",
                );
            } else if let Some((first, _)) = found.get(&name) {
                refuse(
                    format!("`{name}` is in `{first}` and in `{}`", file.name),
                    "name the files or folders of one channel",
                );
            } else {
                found.insert(name, (file.name.clone(), document));
            }
        }
    }
    refused.extend(unread);
    if refused.is_empty() && found.is_empty() {
        let message = "there is no CRD in what was to be read";
        let finding = Diagnostic::new(Code::UnreadableFile, None, message);
        refused.push(finding.with_help(HELP));
    }
    let complete = refused.is_empty();
    refused.into_iter().for_each(|finding| sink.push(finding));
    complete.then(|| found.into_values().map(|(_, document)| document).collect())
}

/// Whether a path names no plain files: a revision, an archive, or a bundle.
fn is_looked_up(path: &Path, here: &Path) -> bool {
    let name = path.to_str().unwrap_or_default();
    let place = origin::parse(name, None).map(|origin| origin.place);
    let folder = here.join(path);
    let manifest = Disk.read(&folder.join(manifest::FILE));
    match place {
        Ok(Place::Archive(_)) => true,
        _ if name.starts_with("git:") => true,
        Ok(Place::Folder(_)) | Err(_) => manifest.is_ok_and(|bytes| Manifest::is_ours(&bytes)),
        Ok(_) => !folder.exists(),
    }
}

/// Reads the CRDs that have a channel or none, each with its file.
fn looked_up(
    path: &Path,
    channel: &str,
    here: &Path,
) -> Result<Vec<(String, Value)>, Vec<Diagnostic>> {
    let lookup = Lookup {
        here,
        channel: Some(channel),
        offline: false,
    };
    let source = lookup.named(path.to_str().unwrap_or_default())?;
    let channels = source.crds.iter().filter_map(|crd| crd.channel.clone());
    let channels: BTreeSet<String> = channels.collect();
    // The only channel of a folder may have another name there.
    if let Some(missing) = source.missing.filter(|_| channels.len() > 1) {
        return Err(vec![missing]);
    }
    let of_channel = source.crds.into_iter().filter(|crd| {
        let own = crd.channel.as_ref();
        own.is_none() || own == source.channel.as_ref()
    });
    Ok(of_channel.map(|crd| (crd.file, crd.document.0)).collect())
}
