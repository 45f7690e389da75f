//! Edits the files that name a feature.

use super::configuration::{without_feature, without_name};
use super::verdict::Worktree;
use crate::commands::edited_tree::{Edited, Overlay, read_again, relative, unclear};
use crd_channels_compat::{Crds, Set};
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Sources};
use crd_channels_files::{Disk, Read, shown_path};
use crd_channels_generator::pipeline::{self, Setup};
use crd_channels_projection::channel::config::FOLDER;
use crd_channels_projection::channel::gated;
use crd_channels_ungate::{FeatureEnd, RemovedItem, ungate};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The files without a feature.
pub struct Edits {
    /// The edited texts.
    pub overlay: Overlay,
    /// The removed items.
    pub gone: Vec<RemovedItem>,
}

/// Edits every file that names the feature. `None`, with an error reported, if that is not possible.
pub fn edit(
    root: &Path,
    worktree: &Worktree,
    feature: &str,
    end: FeatureEnd,
    sources: &Sources,
    sink: &mut Sink,
) -> Option<Edits> {
    let mut edits = Edits {
        overlay: Overlay(BTreeMap::new()),
        gone: Vec::new(),
    };
    types(worktree, feature, end, sources, sink, &mut edits);
    configuration(root, feature, sink, &mut edits.overlay);
    (!sink.has_errors()).then_some(edits)
}

/// Reads the types without the feature. `None`, with an error reported, if they have errors or still name it.
pub fn read_edited(
    root: &Path,
    overlay: &Overlay,
    feature: &str,
    sources: &Sources,
    sink: &mut Sink,
) -> Option<Edited> {
    let mut found = Sink::default();
    let Some(edited) = read_again(root, overlay, sources, &mut found, sink) else {
        sink.append(found);
        return None;
    };
    for left in gated(&edited.kinds, feature) {
        let message = format!("this gate of `{feature}` cannot be edited");
        let finding = Diagnostic::new(Code::EditUnclear, left.span, message);
        sink.push(finding.with_help("remove it by hand in the macro or under the `cfg`"));
    }
    if !sink.has_errors() && found.has_errors() {
        sink.append(found);
        sink.push(unclear(
            format!("without `{feature}` the types would have these errors"),
            "fix the code beside the gates by hand, and try again",
        ));
    }
    (!sink.has_errors()).then_some(edited)
}

/// Edits the files of the workspace's own packages that the types were read from.
fn types(
    worktree: &Worktree,
    feature: &str,
    end: FeatureEnd,
    sources: &Sources,
    sink: &mut Sink,
    edits: &mut Edits,
) {
    let mut discarded = Sink::default();
    let Some(graph) = pipeline::graph(&worktree.setup, &Disk, sources, &mut discarded) else {
        return;
    };
    pipeline::kinds(&worktree.setup, &graph, &mut discarded);
    let local = local_packages(&worktree.setup);
    for (path, read) in graph.files_read() {
        if read.included || !local.iter().any(|root| path.starts_with(root)) {
            continue;
        }
        let Ok(text) = Disk.read_text(&path) else {
            continue;
        };
        let file = sources.add(display_path(&worktree.setup, &path), text.as_str());
        match ungate(&text, feature, end, file) {
            Ok(ungated) => {
                ungated
                    .problems
                    .into_iter()
                    .for_each(|problem| sink.push(problem));
                edits.gone.extend(ungated.gone);
                edits
                    .overlay
                    .0
                    .extend(ungated.text.map(|text| (path, text)));
            }
            Err(finding) => sink.push(*finding),
        }
    }
}

/// The folders of the packages that may be edited.
pub fn local_packages(setup: &Setup) -> Vec<PathBuf> {
    let packages = setup.workspace.packages.iter();
    packages
        .filter(|package| package.local)
        .filter_map(|package| Disk.canonical(&package.root).ok())
        .collect()
}

/// Returns the path of a file as messages show it.
pub fn display_path(setup: &Setup, path: &Path) -> String {
    let root = Disk.canonical(&setup.workspace.root).ok();
    let shown = root.and_then(|root| relative(&root, path));
    shown.unwrap_or_else(|| shown_path(path))
}

/// Edits `channels/*.toml`.
fn configuration(root: &Path, feature: &str, sink: &mut Sink, overlay: &mut Overlay) {
    for path in Disk.list(&root.join(FOLDER)).unwrap_or_default() {
        let name = path.file_stem().and_then(|name| name.to_str());
        let Some(name) = name.filter(|_| path.extension().is_some_and(|end| end == "toml")) else {
            continue;
        };
        let (Ok(text), Ok(canonical)) = (Disk.read_text(&path), Disk.canonical(&path)) else {
            continue;
        };
        let edited = match name {
            "features" => without_feature(&text, feature),
            "bundle" | "tombstones" | "waivers" => continue,
            _ => without_name(&text, feature),
        };
        match edited {
            Some(edited) if edited == text => {}
            Some(edited) => drop(overlay.0.insert(canonical, edited)),
            None => sink.push(unclear(
                format!("`{feature}` cannot be removed from `{FOLDER}/{name}.toml` automatically"),
                "write it as a table of its own, `[Name]`, or as a plain name in the list",
            )),
        }
    }
}

/// Returns the first difference between two sets, if they differ.
pub fn difference(wanted: &Set, is: &Set) -> Option<String> {
    let channels = |set: &Set| {
        let known = set.channels.iter();
        let mut all: BTreeMap<String, Crds> = known
            .map(|(channel, crds)| (channel.to_string(), crds.clone()))
            .collect();
        let others = set.others.iter();
        all.extend(others.map(|(name, crds)| (name.to_string(), crds.clone())));
        all
    };
    let (wanted, is) = (channels(wanted), channels(is));
    for (channel, crds) in &wanted {
        let same = is.get(channel);
        for (name, crd) in crds {
            let other = same.and_then(|crds| crds.get(name));
            if other.is_none_or(|other| other.crd != crd.crd) {
                return Some(format!("`{name}` in the {channel} channel"));
            }
        }
        if same.is_some_and(|same| same.len() != crds.len()) {
            return Some(format!("the {channel} channel"));
        }
    }
    (wanted.len() != is.len()).then(|| "the list of channels".to_owned())
}
