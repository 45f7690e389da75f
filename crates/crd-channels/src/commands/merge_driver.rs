//! `merge-driver`: git calls it to merge the files that always differ between release branches.

use super::release::versions;
use super::{Outcome, here, interrupted, root, say};
use crate::consumer::{lock, lock_merge};
use crate::git::{Repository, merge_file};
use crate::release::changelog;
use crate::release::merge_sides::{Conflict, Sides, equalized, is_released};
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Sources, program};
use crd_channels_files::{Disk, Plan};
use crd_channels_generator::pipeline;
use crd_channels_projection::channel::config::{Bundle, FOLDER};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The driver's name in git's configuration and attributes.
const NAME: &str = "crd-channels";

/// The file of git attributes, at the root of the workspace.
const ATTRIBUTES: &str = ".gitattributes";

/// The arguments that git passes.
#[derive(Clone, Debug)]
pub struct Merge {
    /// The file with the common ancestor.
    pub base: PathBuf,
    /// The file with our version, which receives the result.
    pub ours: PathBuf,
    /// The file with their version.
    pub theirs: PathBuf,
    /// The path of the merged file in the repository.
    pub path: String,
}

/// Merges one file. Git marks it as merged on success, and as a conflict otherwise.
#[must_use]
pub fn run(merge: &Merge) -> Outcome {
    match merged(merge) {
        Ok(true) => Outcome::Clean,
        Ok(false) => Outcome::Findings,
        Err(finding) => {
            say(&[*finding], &Sources::default());
            Outcome::CouldNotRun
        }
    }
}

fn merged(merge: &Merge) -> Result<bool, Box<Diagnostic>> {
    let Merge {
        base,
        ours,
        theirs,
        path,
    } = merge;
    if is_released(path) {
        return released(merge).map(|()| true);
    }
    if path.rsplit('/').next() == Some(lock::FILE)
        && let Some(is_whole) = locks(merge)?
    {
        return Ok(is_whole);
    }
    let mut left = Conflict::Person;
    let mut own = None;
    if let (Ok(base_text), Ok(ours_text), Ok(theirs_text)) = (
        fs::read_to_string(base),
        fs::read_to_string(ours),
        fs::read_to_string(theirs),
    ) {
        let sides = Sides {
            base: base_text,
            ours: ours_text,
            theirs: theirs_text,
        };
        let (sides, then) = equalized(path, sides);
        for (file, text) in [
            (base, &sides.base),
            (ours, &sides.ours),
            (theirs, &sides.theirs),
        ] {
            fs::write(file, text).map_err(|error| unwritten(file, &error))?;
        }
        left = then;
        own = Some(sides.ours);
    }
    let is_whole = merge_file(ours, base, theirs)?;
    match (is_whole, left, own) {
        (false, Conflict::Generator, Some(own)) => {
            fs::write(ours, own).map_err(|error| unwritten(ours, &error))?;
            Ok(true)
        }
        _ => Ok(is_whole),
    }
}

/// Merges two locks entry by entry. Returns whether no conflict is left; `None` if a side is not a lock as `pin` wrote it.
fn locks(merge: &Merge) -> Result<Option<bool>, Box<Diagnostic>> {
    let Merge {
        base, ours, theirs, ..
    } = merge;
    let (Ok(base), Ok(own), Ok(theirs)) = (
        fs::read_to_string(base),
        fs::read_to_string(ours),
        fs::read_to_string(theirs),
    ) else {
        return Ok(None);
    };
    let Some((text, is_whole)) = lock_merge::merged(&base, &own, &theirs) else {
        return Ok(None);
    };
    fs::write(ours, text).map_err(|error| unwritten(ours, &error))?;
    Ok(Some(is_whole))
}

/// Restores a bundle's file as it was released, even if git took it for a renamed file: ours if the last commit has it, else
/// theirs.
fn released(merge: &Merge) -> Result<(), Box<Diagnostic>> {
    let Merge {
        ours, theirs, path, ..
    } = merge;
    let (repository, _) = Repository::discover(Path::new("."))?;
    if repository.object_at("HEAD", path)?.is_none() {
        fs::copy(theirs, ours).map_err(|error| unwritten(ours, &error))?;
    }
    Ok(())
}

fn unwritten(path: &Path, error: &io::Error) -> Box<Diagnostic> {
    let message = format!("`{}` cannot be written: {error}", path.display());
    let finding = Diagnostic::new(Code::WriteFailed, None, message);
    Box::new(finding.with_help("merge the file by hand"))
}

/// Installs the driver: in this clone's git configuration, and in `.gitattributes`.
#[must_use]
pub fn install() -> Outcome {
    let mut sink = Sink::default();
    let done = installed(&mut sink);
    say(&sink.into_diagnostics(), &Sources::default());
    match done {
        Some(done) => {
            status!("{done}");
            Outcome::Clean
        }
        None => Outcome::CouldNotRun,
    }
}

/// The files that always differ between release lines, and those of bundles, which never change.
fn patterns(bundle: &Bundle) -> Vec<String> {
    let mut patterns = vec![
        "Cargo.toml".to_owned(),
        "Cargo.lock".to_owned(),
        format!("{FOLDER}/{}", changelog::FILE),
        format!("{FOLDER}/v*/**"),
        format!("{}/**", bundle.output),
        lock::FILE.to_owned(),
    ];
    if bundle.version.is_some() {
        patterns.push(format!("{FOLDER}/bundle.toml"));
    }
    let constants = bundle.constants.iter();
    patterns.extend(constants.map(|path| path.value.to_string()));
    patterns
}

/// Quotes a pattern for `.gitattributes`, where a space would end it.
fn quoted(pattern: &str) -> String {
    match pattern.contains([' ', '"']) {
        true => format!("\"{}\"", pattern.replace('\\', "\\\\").replace('"', "\\\"")),
        false => pattern.to_owned(),
    }
}

/// Returns the folder of `.gitattributes` and its patterns. Consumers of bundles need no workspace: they have only a lock.
fn merged_files(sink: &mut Sink) -> Option<(PathBuf, Vec<String>)> {
    let here = here()?;
    let authored = root(&mut Sink::default()).filter(|root| root.join(FOLDER).is_dir());
    if authored.is_none() && here.join(lock::FILE).is_file() {
        return Some((here, vec![lock::FILE.to_owned()]));
    }
    let Some(root) = root(&mut Sink::default()) else {
        let message = format!(
            "there is neither a `{}` nor a workspace of types here",
            lock::FILE
        );
        let finding = Diagnostic::new(Code::ConfigMissing, None, message);
        sink.push(finding.with_help(
            "consumers pin a bundle first: `crd-channels pin --from SOURCE`; in a workspace of types, run the command inside it",
        ));
        return None;
    };
    let setup = pipeline::setup(&root, &Disk, &Sources::default(), sink)?;
    Some((root, patterns(&setup.config.bundle)))
}

fn installed(sink: &mut Sink) -> Option<String> {
    let (root, patterns) = merged_files(sink)?;
    let mut or_report = |result: Result<String, Box<Diagnostic>>| {
        result.map_err(|finding| sink.push(*finding)).ok()
    };
    let driver = format!("{} merge-driver %O %A %B %P", program::current());
    let set = Repository::discover(&root)
        .and_then(|(repository, _)| repository.set_merge_driver(NAME, &driver));
    or_report(set.map(|()| String::new()))?;
    let old =
        or_report(versions::read_text(&root, ATTRIBUTES, &Disk).map(Option::unwrap_or_default))?;
    let mut new = old.clone();
    for pattern in patterns {
        let line = format!("{} merge={NAME}", quoted(&pattern));
        if !new.lines().any(|known| known.trim() == line) {
            if !new.is_empty() && !new.ends_with('\n') {
                new.push('\n');
            }
            new.push_str(&format!("{line}\n"));
        }
    }
    if new != old {
        let files = BTreeMap::from([(ATTRIBUTES.to_owned(), new.clone())]);
        let plan = Plan::new(ATTRIBUTES, root, files, Vec::new());
        or_report(interrupted::apply(&plan).map(|_| String::new()))?;
    }
    let commit = match new == old {
        true => "",
        false => "; commit `.gitattributes`, so that it applies to everybody who runs this command",
    };
    Some(format!("git merges with `{driver}` in this clone{commit}"))
}
