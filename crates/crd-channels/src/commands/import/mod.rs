//! `import`: makes a package of Rust types of CRDs, from which `gen-crds` writes the same CRDs again.

mod compared;
mod losses;
pub(crate) mod reading;
mod texts;

use super::init::configured;
use super::{Outcome, here, interrupted, say, say_with_summary};
use crd_channels_diagnostics::report::{Format, counted};
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Sources};
use crd_channels_files::{Disk, Plan, Read, shown_path};
use crd_channels_import::{Imported, Problem, Purpose};
use crd_channels_projection::channel::config::FOLDER;
use crd_channels_workspace as workspace;
use serde_json::Value;
use std::collections::BTreeMap;
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
    if let Some(finding) = taken(&out, &request.out) {
        sink.push(finding);
        return (Outcome::CouldNotRun, false);
    }
    let Some(channels) = channels(request, sink) else {
        return (Outcome::CouldNotRun, false);
    };
    let [stable, more @ ..] = &channels[..] else {
        return (Outcome::CouldNotRun, false);
    };
    let experimental = more.first();
    let imported = crd_channels_import::types(
        &stable.crds,
        experimental.map(|channel| channel.crds.as_slice()),
        request.purpose,
    );
    let imported = match imported {
        Ok(imported) => imported,
        Err(problems) => {
            problems
                .into_iter()
                .for_each(|problem| sink.push(finding(problem)));
            return (Outcome::Findings, false);
        }
    };
    match write(request, &out, &channels, &imported) {
        // No CRD is made of them.
        Ok(_) if is_client(request) => (Outcome::Clean, true),
        Ok(root) => (compared::compare(&root, &channels, sources, sink), true),
        Err(finding) => {
            sink.push(*finding);
            (Outcome::CouldNotRun, false)
        }
    }
}

fn is_client(request: &Request) -> bool {
    request.purpose != Purpose::Source
}

/// Refuses a folder that has something already.
fn taken(out: &Path, shown: &Path) -> Option<Diagnostic> {
    let inside = Disk.list(out).unwrap_or_default();
    if inside.is_empty() && !Disk.is_file(out) {
        return None;
    }
    let message = format!(
        "`{}` already exists, and `import` changes no file",
        shown_path(shown)
    );
    let finding = Diagnostic::new(Code::ConfigExists, None, message);
    Some(finding.with_help("name a new folder with `--out`"))
}

/// Reads the CRDs of all channels. What cannot be read is reported.
fn channels(request: &Request, sink: &mut Sink) -> Option<Vec<Channel>> {
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
        let crds = reading::crds(&paths, sink)?;
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

/// Writes the package, and the configuration if the workspace has none. Returns the workspace.
fn write(
    request: &Request,
    out: &Path,
    channels: &[Channel],
    imported: &Imported,
) -> Result<PathBuf, Box<Diagnostic>> {
    let parent = out.parent().unwrap_or(out);
    let above = workspace::root_above(parent, &Disk);
    // A package alone is a workspace of its own.
    let root = above
        .filter(|root| {
            let manifest = Disk.read_text(&root.join("Cargo.toml"));
            workspace::declares_workspace(&manifest.unwrap_or_default())
        })
        .unwrap_or_else(|| out.to_path_buf());
    let below = out.strip_prefix(&root).unwrap_or(Path::new(""));
    let prefix = below
        .components()
        .map(|part| part.as_os_str().to_string_lossy());
    let prefix: String = prefix.map(|part| format!("{part}/")).collect();
    let name = out
        .file_name()
        .map(|name| name.to_string_lossy().replace('.', "-"));
    let name = name.unwrap_or_else(|| "api".into());
    let mut files = BTreeMap::new();
    files.insert(
        format!("{prefix}Cargo.toml"),
        texts::manifest(&name, imported, is_client(request)),
    );
    let is_configured = !is_client(request) && configured(&root).is_some();
    if !is_configured && !is_client(request) {
        files.extend(texts::configuration(&name, channels, imported));
    }
    let features = imported.features.join(", ");
    let source = imported.files.iter();
    files.extend(source.map(|(path, text)| (format!("{prefix}src/{path}"), text.clone())));
    let lines: usize = files.values().map(|text| text.lines().count()).sum();
    let plan = Plan::new("the imported types", root.clone(), files, Vec::new());
    let applied = interrupted::apply(&plan)?;
    let kinds: usize = channels.last().map_or(0, |channel| channel.crds.len());
    println!(
        "{}: {} with {lines} lines in `{}`",
        counted(kinds, "CRD"),
        counted(applied.created.len(), "file"),
        shown_path(&request.out)
    );
    if !features.is_empty() {
        println!("features, as `{FOLDER}/features.toml` names them: {features}");
    }
    losses::warn(&imported.losses);
    if is_configured {
        note!(
            "`{FOLDER}/*.toml` is there already and was not changed: set `conventions = \"kubernetes\"` in `{FOLDER}/bundle.toml`"
        );
    }
    Ok(root)
}
