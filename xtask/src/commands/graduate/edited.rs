//! The files without a feature, in memory, and what their types then say.

use super::relative;
use super::verdict::Ground;
use crate::channel::config::{FOLDER, edit};
use crate::channel::{self, Kind, Words, gated};
use crate::commands::release::made;
use crate::commands::sets;
use crate::compat::{Crds, Set};
use crate::diag::{Code, Diagnostic, Sink};
use crate::files::{Disk, Read, Sources};
use crate::pipeline::{self, Setup, constants};
use crate::release::contents::Crds as Texts;
use crate::source::graduate;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// What the working tree would be.
pub struct Edited {
    /// The files that change, by path below the root.
    pub files: BTreeMap<String, String>,
    /// The CRDs of what they say.
    pub after: Set,
    /// The texts of these, where the workspace has generated files.
    pub generated: Vec<Texts>,
    /// The file of the bundle's names, where there are such texts and one is configured.
    pub constants: Option<(String, String)>,
    /// What they were made with.
    pub setup: Setup,
}

/// Texts that stand in the place of files.
struct Overlay(BTreeMap<PathBuf, String>);

impl Read for Overlay {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let over = path.canonicalize().ok();
        match over.and_then(|path| self.0.get(&path)) {
            Some(text) => Ok(text.clone().into_bytes()),
            None => Disk.read(path),
        }
    }

    fn is_file(&self, path: &Path) -> bool {
        Disk.is_file(path)
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        Disk.canonical(path)
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        Disk.list(folder)
    }
}

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
    let canonical = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
    let mut files = BTreeMap::new();
    for (path, text) in &overlay.0 {
        match relative(&canonical, path) {
            Some(inside) => drop(files.insert(inside, text.clone())),
            None => sink.push(unclear(
                format!("`{}` does not lie below the workspace", path.display()),
                "remove the feature from that package first",
            )),
        }
    }
    let mut found = Sink::default();
    let setup = pipeline::setup(root, &overlay, sources, &mut found);
    let kinds = setup
        .as_ref()
        .map(|setup| pipeline::read(setup, &overlay, sources, &mut found));
    let (Some(setup), Some(kinds)) = (setup, kinds) else {
        sink.append(found);
        return None;
    };
    let after = sets::of_kinds(&setup, &kinds, &mut found);
    let mut of_texts = Sink::default();
    let (generated, constants) = generated(root, &setup, &kinds, sources, &mut of_texts);
    if !found.has_errors() {
        found.append(of_texts);
    }
    for left in gated(&kinds, feature) {
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
    (!sink.has_errors()).then_some(Edited {
        files,
        after,
        generated,
        constants,
        setup,
    })
}

/// What `gen-crds` would write; nothing where it never did.
fn generated(
    root: &Path,
    setup: &Setup,
    kinds: &[Kind],
    sources: &Sources,
    sink: &mut Sink,
) -> (Vec<Texts>, Option<(String, String)>) {
    if !root.join(&*setup.config.bundle.output).is_dir() {
        return (Vec::new(), None);
    }
    let Some(stamp) = pipeline::stamp(setup, pipeline::groups(kinds), sink) else {
        return (Vec::new(), None);
    };
    let words: Vec<Words> = kinds.iter().map(channel::words).collect();
    (
        made::crds(setup, kinds, &stamp, sources, sink),
        constants::file(setup, &stamp, &words),
    )
}

fn unclear(message: String, help: &str) -> Diagnostic {
    Diagnostic::new(Code::GraduationUnclear, None, message).with_help(help)
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
        let Ok(text) = std::fs::read_to_string(&path) else {
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
        let (Ok(text), Ok(canonical)) = (std::fs::read_to_string(&path), path.canonicalize())
        else {
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
