//! The working tree with edited files, in memory: reads its types again and writes the edits.

use super::graduate::verdict::{Worktree, changes};
use super::release::made;
use super::release::output::Output;
use super::{Outcome, interrupted, released_version, say, sets};
use crate::release::contents::Crds as Texts;
use crate::release::places::Tree;
use crd_channels_compat::{Set, report};
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Sources, Span, terminal};
use crd_channels_files::{Disk, Plan, Read, diff};
use crd_channels_generator::pipeline::{self, Setup, constants};
use crd_channels_projection::channel::{self, Kind, Words};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

/// The working tree after an edit.
pub struct Edited {
    /// The changed files, by path below the root.
    pub files: BTreeMap<String, String>,
    /// The kinds that the edited files define.
    pub kinds: Vec<Kind>,
    /// Their CRDs.
    pub after: Set,
    /// The texts of the CRDs, if the workspace has generated files.
    pub generated: Vec<Texts>,
    /// The path and text of the file of constants, if there are generated files and one is configured.
    pub constants: Option<(String, String)>,
    /// The setup that the CRDs were made with.
    pub setup: Setup,
}

/// Texts that replace files on disk.
pub struct Overlay(pub BTreeMap<PathBuf, String>);

impl Overlay {
    /// Returns the text that replaces a file.
    pub fn text(&self, path: &Path) -> Option<&String> {
        let whole = path.canonicalize().ok();
        // A new file does not exist on disk, but its folder does.
        let new = || Some(path.parent()?.canonicalize().ok()?.join(path.file_name()?));
        self.0.get(&whole.or_else(new)?)
    }
}

impl Read for Overlay {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        match self.text(path) {
            Some(text) => Ok(text.clone().into_bytes()),
            None => Disk.read(path),
        }
    }

    fn is_file(&self, path: &Path) -> bool {
        self.text(path).is_some() || Disk.is_file(path)
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        Disk.canonical(path)
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        let mut listed = Disk.list(folder)?;
        let canonical = folder.canonicalize()?;
        let new = self.0.keys().filter(|path| !path.exists());
        let inside = new.filter(|path| path.parent() == Some(&*canonical));
        listed.extend(inside.filter_map(|path| Some(folder.join(path.file_name()?))));
        Ok(listed)
    }
}

/// Runs a command that edits types, prints its findings and returns its outcome; `run` returns `None` if it could not run.
pub fn editing(run: impl FnOnce(&Sources, &mut Sink) -> Option<Outcome>) -> Outcome {
    let sources = Sources::default();
    let mut sink = Sink::default();
    let outcome = run(&sources, &mut sink);
    let findings = sink.into_diagnostics();
    say(&findings, &sources);
    outcome.unwrap_or_else(|| Outcome::of_failed(&findings))
}

/// Reads the workspace with the edited files. `None`, with an error reported, if that fails. Errors that the types have after
/// the edit go to `found`.
pub fn read_again(
    root: &Path,
    overlay: &Overlay,
    sources: &Sources,
    found: &mut Sink,
    sink: &mut Sink,
) -> Option<Edited> {
    let canonical = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
    let mut files = BTreeMap::new();
    for (path, text) in &overlay.0 {
        match relative(&canonical, path) {
            Some(inside) => drop(files.insert(inside, text.clone())),
            None => sink.push(unclear(
                format!("`{}` is not below the workspace", path.display()),
                "edit that package by hand first",
            )),
        }
    }
    let setup = pipeline::setup(root, overlay, sources, found);
    let kinds = setup
        .as_ref()
        .map(|setup| pipeline::read(setup, overlay, sources, found));
    let (Some(setup), Some(kinds)) = (setup, kinds) else {
        return None;
    };
    let after = sets::of_kinds(&setup, &kinds, found);
    let mut of_texts = Sink::default();
    let (generated, constants) = generated(root, &setup, &kinds, sources, &mut of_texts);
    if !found.has_errors() {
        found.append(of_texts);
    }
    Some(Edited {
        files,
        kinds,
        after,
        generated,
        constants,
        setup,
    })
}

/// Returns the files that `gen-crds` would write; empty if it has never written any.
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
        constants::file(&setup.config, &stamp, &words),
    )
}

/// The diagnostic for source that cannot be edited as requested.
pub fn unclear(message: String, help: &str) -> Diagnostic {
    Diagnostic::new(Code::EditUnclear, None, message).with_help(help)
}

/// Returns a path relative to the workspace, with `/` as separator.
pub fn relative(root: &Path, path: &Path) -> Option<String> {
    let parts = path.strip_prefix(root).ok()?.iter();
    let parts: Option<Vec<&str>> = parts.map(|part| part.to_str()).collect();
    Some(parts?.join("/"))
}

/// The name of the written files in messages about an interrupted run.
const EDITS: &str = "the edits of the types";

/// Writes edits or shows them.
#[derive(Clone, Copy)]
pub struct Writing<'a> {
    /// The workspace.
    pub root: &'a Path,
    /// The working tree before the edits.
    pub worktree: &'a Worktree,
    /// Write nothing; show all that would change.
    pub dry_run: bool,
}

impl Writing<'_> {
    /// Writes the edits and the files generated from them, and reports what changes for users. `None`, with an error reported,
    /// if that fails.
    pub fn write(self, edited: Edited, sources: &Sources, sink: &mut Sink) -> Option<Outcome> {
        let Self { root, worktree, .. } = self;
        let Edited {
            mut files,
            kinds,
            after,
            generated,
            constants,
            setup,
        } = edited;
        let output = Output {
            root,
            setup: &setup,
        };
        let published = released_version::GeneratedCrds {
            texts: &made::generated(&generated),
            kept: &BTreeSet::new(),
            channels: &made::channels(&setup),
        };
        if !generated.is_empty()
            && let Some(finding) = released_version::refusal(&setup, published, &Disk)
        {
            sink.push(finding);
            return Some(Outcome::Findings);
        }
        // Without generated files, no folder is searched for leftover files.
        let mut made = output.generated(&generated);
        made.extend(constants);
        let plan = if generated.is_empty() {
            Plan::new(EDITS, root.to_path_buf(), files, Vec::new())
        } else {
            files.extend(made.clone());
            output.plan(EDITS, files)
        };
        let edits = match plan.compare(&Disk) {
            Ok(edits) => edits,
            Err(finding) => {
                sink.push(*finding);
                return None;
            }
        };
        if self.dry_run {
            for change in &edits {
                if made.contains_key(&change.path) {
                    println!("would change {}", change.path);
                } else {
                    print!("{}", diff(change, None));
                }
            }
        } else {
            if let Err(finding) = interrupted::apply(&plan) {
                sink.push(*finding);
                return None;
            }
            for change in &edits {
                status!("changed {}", change.path);
            }
        }
        if !self.dry_run && terminal::is_quiet() {
            return Some(Outcome::Clean);
        }
        println!();
        let place = |span: Span| {
            let file = sources.get(span.file)?;
            Some(format!("{}:{}", file.shown, file.line(span.start)?))
        };
        let mut report = changes(&worktree.now, &after);
        let kinds = &kinds;
        Tree { kinds, sources }.place(&mut report.findings);
        print!("{}", report::human(&report, place));
        if !self.dry_run && generated.is_empty() {
            help!("run `crd-channels gen-crds`");
        }
        Some(Outcome::Clean)
    }
}
