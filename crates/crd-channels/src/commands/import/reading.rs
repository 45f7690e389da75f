//! Reads the CRDs that are imported: all of them, or none.

use crate::commands::check::files::{PathTarget, files_at};
use crd_channels_diagnostics::{Code, Diagnostic, Sink};
use crd_channels_released::documents;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What can be named.
const HELP: &str = "name files and folders with CRDs, or `-` for standard input";

/// Reads the CRDs in files, folders and standard input. `None` if one of them cannot be read, which is reported.
pub(crate) fn crds(paths: &[PathBuf], sink: &mut Sink) -> Option<Vec<Value>> {
    let mut found: BTreeMap<String, (String, Value)> = BTreeMap::new();
    let mut refused = Vec::new();
    let mut refuse = |message: String, help: &str| {
        refused.push(Diagnostic::new(Code::UnreadableFile, None, message).with_help(help));
    };
    for read in paths.iter().flat_map(|path| files_at(path)) {
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
    if refused.is_empty() && found.is_empty() {
        let message = "there is no CRD in what was to be read";
        let finding = Diagnostic::new(Code::UnreadableFile, None, message);
        refused.push(finding.with_help(HELP));
    }
    let complete = refused.is_empty();
    refused.into_iter().for_each(|finding| sink.push(finding));
    complete.then(|| found.into_values().map(|(_, document)| document).collect())
}
