//! The files without a feature.

use super::verdict::Ground;
use crate::channel::config::{FOLDER, edit};
use crate::channel::gated;
use crate::commands::edited::{Edited, Overlay, read_again, relative, unclear};
use crate::compat::{Crds, Set};
use crate::diag::{Code, Diagnostic, Sink};
use crate::files::{Disk, Read, Sources};
use crate::pipeline;
use crate::source::graduate;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Edits everything that names the feature, and reads it again. None where that is not possible, which is reported.
pub fn edit(
    root: &Path,
    ground: &Ground,
    feature: &str,
    sources: &Sources,
    sink: &mut Sink,
) -> Option<Edited> {
    let mut overlay = Overlay(BTreeMap::new());
    types(ground, feature, sources, sink, &mut overlay);
    configuration(root, feature, sink, &mut overlay);
    if sink.has_errors() {
        return None;
    }
    let mut found = Sink::default();
    let Some(edited) = read_again(root, &overlay, sources, &mut found, sink) else {
        sink.append(found);
        return None;
    };
    for left in gated(&edited.kinds, feature) {
        let message = format!("this gate of `{feature}` is not where it can be edited");
        let finding = Diagnostic::new(Code::GraduationUnclear, left.span, message);
        sink.push(finding.with_help("remove it by hand, where the macro or the `cfg` makes it"));
    }
    if !sink.has_errors() && found.has_errors() {
        sink.append(found);
        sink.push(unclear(
            format!("without `{feature}` the types would have these errors"),
            "fix by hand what stands beside the gates, and try again",
        ));
    }
    (!sink.has_errors()).then_some(edited)
}

/// The files of the workspace's own packages that the types were read from.
fn types(
    ground: &Ground,
    feature: &str,
    sources: &Sources,
    sink: &mut Sink,
    overlay: &mut Overlay,
) {
    let mut unheard = Sink::default();
    let Some(graph) = pipeline::graph(&ground.setup, &Disk, sources, &mut unheard) else {
        return;
    };
    pipeline::kinds(&ground.setup, &graph, &mut unheard);
    let packages = ground.setup.workspace.packages.iter();
    let local: Vec<PathBuf> = packages
        .filter(|package| package.local)
        .filter_map(|package| package.root.canonicalize().ok())
        .collect();
    for (path, read) in graph.files_read() {
        if read.included || !local.iter().any(|root| path.starts_with(root)) {
            continue;
        }
        let Ok(text) = Disk.read_text(&path) else {
            continue;
        };
        let shown = ground.setup.workspace.root.canonicalize().ok();
        let shown = shown.and_then(|root| relative(&root, &path));
        let shown = shown.unwrap_or_else(|| path.display().to_string());
        match graduate(&text, feature, sources.add(shown, text.as_str())) {
            Ok((edited, problems)) => {
                problems.into_iter().for_each(|problem| sink.push(problem));
                overlay.0.extend(edited.map(|text| (path, text)));
            }
            Err(finding) => sink.push(*finding),
        }
    }
}

/// `channels/*.toml`
fn configuration(root: &Path, feature: &str, sink: &mut Sink, overlay: &mut Overlay) {
    for path in Disk.list(&root.join(FOLDER)).unwrap_or_default() {
        let name = path.file_stem().and_then(|name| name.to_str());
        let Some(name) = name.filter(|_| path.extension().is_some_and(|end| end == "toml")) else {
            continue;
        };
        let (Ok(text), Ok(canonical)) = (Disk.read_text(&path), path.canonicalize()) else {
            continue;
        };
        let edited = match name {
            "features" => edit::without_feature(&text, feature),
            "bundle" | "tombstones" | "waivers" => continue,
            _ => edit::without_name(&text, feature),
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

/// Where two sets differ, if they do.
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
