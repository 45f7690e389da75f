//! `import`: makes a package of Rust types of CRDs, from which `gen-crds` writes the same CRDs again.

mod compared;
mod kept;
mod losses;
mod mapping;
mod package;
pub(crate) mod reading;
mod texts;
mod update;

use super::{Outcome, here, say, say_with_summary};
use crd_channels_diagnostics::report::Format;
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Sources};
use crd_channels_files::{Disk, Read, shown_path};
use crd_channels_import::{Mapping, Problem, Purpose, names_of_source};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The arguments of `import`.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The files and folders of the CRDs of the only channel.
    pub paths: Vec<PathBuf>,
    /// The channels, each with a file or folder of its CRDs.
    pub channels: Vec<(String, PathBuf)>,
    /// What the types are for.
    pub purpose: Purpose,
    /// The folder of the new package.
    pub out: PathBuf,
    /// The file with names; if there is none, the one of the package.
    pub mapping: Option<PathBuf>,
    /// What becomes of the package.
    pub mode: Mode,
}

/// What becomes of the package.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Mode {
    /// It is new.
    #[default]
    New,
    /// It is compared with what would be written.
    Check,
    /// What the CRDs changed is merged into it.
    Update,
}

/// The CRDs of a channel.
struct Channel {
    name: String,
    paths: Vec<PathBuf>,
    crds: Vec<Value>,
}

/// Runs the command.
#[must_use]
pub fn run(request: &Request) -> Outcome {
    let Some(here) = here() else {
        return Outcome::CouldNotRun;
    };
    let sources = Sources::default();
    let mut sink = Sink::default();
    let (outcome, written) = start(request, &here, &sources, &mut sink);
    let findings = sink.into_diagnostics();
    match written {
        // The summary would say that nothing was.
        true => say(&findings, &sources),
        false => say_with_summary(&findings, &sources, Format::Human),
    }
    outcome
}

/// Returns the outcome, and whether the package was written.
fn start(request: &Request, here: &Path, sources: &Sources, sink: &mut Sink) -> (Outcome, bool) {
    let out = here.join(&request.out);
    let refused = match request.mode {
        Mode::New => taken(&out, &request.out),
        Mode::Check | Mode::Update => absent(&out, &request.out),
    };
    if let Some(finding) = refused {
        sink.push(finding);
        return (Outcome::CouldNotRun, false);
    }
    let path = request.mapping.as_ref().map(|path| here.join(path));
    let is_needed = path.is_some();
    let path = path.unwrap_or_else(|| out.join(mapping::FILE));
    let Some(file) = mapping::File::read(&path, is_needed, sources, sink) else {
        return (Outcome::CouldNotRun, false);
    };
    let Some(mut channels) = channels(request, here, sink) else {
        return (Outcome::CouldNotRun, false);
    };
    if !file.leave_out(&mut channels, sink) {
        return (Outcome::CouldNotRun, false);
    }
    let [stable, more @ ..] = &channels[..] else {
        return (Outcome::CouldNotRun, false);
    };
    let import = |mapping: &Mapping, sink: &mut Sink| {
        let experimental = more.first().map(|channel| channel.crds.as_slice());
        let imported =
            crd_channels_import::import_as(&stable.crds, experimental, request.purpose, mapping);
        let problems = imported.as_ref().err().cloned().unwrap_or_default();
        problems
            .into_iter()
            .for_each(|problem| sink.push(finding(problem)));
        imported.ok()
    };
    let Some(imported) = import(&file.mapping, sink) else {
        return (Outcome::Findings, false);
    };
    if !file.report(&imported, sink) {
        return (Outcome::CouldNotRun, false);
    }
    let package = package::Package::new(out, &request.out, request.purpose);
    let written = match request.mode {
        Mode::New => {
            let files = package.files(&imported, &file);
            package.write(request, &channels, &imported, files)
        }
        Mode::Check => package.check(package.files(&imported, &file), sink),
        Mode::Update => update::Sides::read(&package).and_then(|sides| {
            let mapping = names_of_source(&sides.base, &sides.ours, &imported);
            let Some(imported) = import(&mapping, sink) else {
                return Ok(());
            };
            let update = update::Update {
                package: &package,
                channels: &channels,
                file: &file,
            };
            update.write(&sides, &imported, sink)
        }),
    };
    if let Err(finding) = written {
        sink.push(*finding);
        return (Outcome::CouldNotRun, false);
    }
    match (sink.has_errors(), request.mode) {
        (true, mode) => (Outcome::Findings, mode == Mode::Check),
        (false, Mode::Check) => (Outcome::Clean, true),
        // No CRD is made of them.
        (false, _) if is_client(request) => (Outcome::Clean, true),
        (false, _) => (
            compared::compare(&package.root, &channels, sources, sink),
            true,
        ),
    }
}

fn is_client(request: &Request) -> bool {
    request.purpose != Purpose::Source
}

/// Refuses a folder that has something already, other than names for what is imported.
fn taken(out: &Path, shown: &Path) -> Option<Diagnostic> {
    let inside = Disk.list(out).unwrap_or_default();
    let is_free = inside.iter().all(|path| path.ends_with(mapping::FILE));
    if is_free && !Disk.is_file(out) {
        return None;
    }
    let message = format!(
        "`{}` already exists, and `import` changes no file",
        shown_path(shown)
    );
    let finding = Diagnostic::new(Code::ConfigExists, None, message);
    Some(finding.with_help("name a new folder with `--out`"))
}

/// Refuses a folder without a package that was imported.
fn absent(out: &Path, shown: &Path) -> Option<Diagnostic> {
    if Disk.is_file(&out.join(kept::FILE)) {
        return None;
    }
    let message = format!(
        "`{}` has no `{}`, which `import` writes",
        shown_path(shown),
        kept::FILE
    );
    let finding = Diagnostic::new(Code::ConfigMissing, None, message);
    Some(finding.with_help("name the folder of a package that was imported with `--out`; `import` without this option writes a new one"))
}

/// Reads the CRDs of all channels. What cannot be read is reported.
fn channels(request: &Request, here: &Path, sink: &mut Sink) -> Option<Vec<Channel>> {
    let mut named: Vec<(String, Vec<PathBuf>)> = Vec::new();
    if !request.paths.is_empty() {
        named.push(("stable".to_owned(), request.paths.clone()));
    }
    for (name, path) in &request.channels {
        match named.iter_mut().find(|(known, _)| known == name) {
            Some((_, paths)) => paths.push(path.clone()),
            None => named.push((name.clone(), vec![path.clone()])),
        }
    }
    // The stable channel has what all have.
    named.sort_by_key(|(name, _)| name != "stable");
    if named.len() > 2 {
        let message = "`import` reads a stable and an experimental channel, and there are more";
        let finding = Diagnostic::new(Code::NotImportable, None, message);
        sink.push(
            finding.with_help("import two of them, and write the gates of the others by hand"),
        );
        return None;
    }
    let read = named.into_iter().map(|(name, paths)| {
        let crds = reading::crds(&paths, &name, here, sink)?;
        Some(Channel { name, paths, crds })
    });
    read.collect()
}

fn finding(problem: Problem) -> Diagnostic {
    let Problem { place, message } = problem;
    let message = format!("`{place}`: {message}");
    let help = "leave the CRD out, or import it from one channel only; see `crd-channels explain not-importable`";
    Diagnostic::new(Code::NotImportable, None, message).with_help(help)
}
