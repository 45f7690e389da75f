//! Compares files that another version of the tool made: they may have other bytes, but must have the same meaning.

use crate::release::helm;
use crd_channels_compat::{Finding, Set, compare, read};
use crd_channels_released::folder::Verified;
use crd_channels_released::{documents, install};
use serde_json::Value;
use std::collections::BTreeMap;

/// The rules about permitted differences: a default that is written out or not, and the version, which is the same on both
/// sides.
const NO_DIFFERENCE: [&str; 2] = ["merge-type-spelled-out", "bundle-version-stale"];

/// Returns how a bundle differs from `set` and the files made with it. Policies, and the headers and templates of charts,
/// belong to the tool and are not compared.
pub(super) fn unlike(
    bundle: &Verified,
    set: &Set,
    made: &BTreeMap<String, String>,
) -> Result<Vec<String>, String> {
    let mut unlike = Vec::new();
    let findings = compare(&read::bundle(bundle)?, set).findings;
    let differs = |finding: &&Finding| !NO_DIFFERENCE.contains(&finding.record.id);
    for finding in findings.iter().filter(differs) {
        unlike.push(format!(
            "`{}` `{}`: {}",
            finding.kind, finding.path, finding.change.message
        ));
    }
    let is_component = |path: &str| path.split('/').nth(1) == Some("components");
    let both = bundle.files.keys().chain(made.keys());
    let mut paths: Vec<&String> = both.filter(|path| is_component(path)).collect();
    paths.sort();
    paths.dedup();
    for path in paths {
        match (made.get(path), bundle.files.get(path)) {
            (Some(made), Some(_)) if documents::parse(made)? == released(bundle, path)? => {}
            (Some(_), Some(_)) => unlike.push(format!("the source generates a different `{path}`")),
            (None, _) => unlike.push(format!("the source does not generate `{path}`")),
            (_, None) => unlike.push(format!(
                "the source generates `{path}`, which was not released"
            )),
        }
    }
    unlike.extend(inconsistent(bundle)?);
    Ok(unlike)
}

/// Returns the files that repeat the content of others but differ from them.
fn inconsistent(bundle: &Verified) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    for channel in &bundle.manifest.channels {
        let mut whole = Vec::new();
        for (part, again) in [
            ("crds", "files"),
            ("components", "files"),
            ("policies", "policies"),
        ] {
            let folder = format!("{}/{part}/", channel.name);
            for path in channel
                .files
                .keys()
                .filter(|path| path.starts_with(&folder))
            {
                let documents = released(bundle, path)?;
                let file = path.strip_prefix(&folder).unwrap_or(path);
                let charted = format!("chart/{again}/{}/{file}", channel.name);
                let kept = || documents.iter().cloned().map(helm::chart_object);
                if bundle.files.contains_key(&charted)
                    && !released(bundle, &charted)?.into_iter().eq(kept())
                {
                    found.push(format!("`{charted}` differs from `{path}`"));
                }
                if again == "files" {
                    whole.extend(documents);
                }
            }
        }
        let install = install::path(&channel.name);
        if bundle.files.contains_key(&install) && released(bundle, &install)? != whole {
            found.push(format!("`{install}` differs from its parts"));
        }
    }
    Ok(found)
}

/// Returns the documents of a released file.
fn released(bundle: &Verified, path: &str) -> Result<Vec<Value>, String> {
    let in_file = |error: String| format!("`{path}`: {error}");
    let bytes = bundle.files.get(path).cloned().unwrap_or_default();
    let text = String::from_utf8(bytes).map_err(|error| in_file(error.to_string()))?;
    documents::parse(&text).map_err(in_file)
}
