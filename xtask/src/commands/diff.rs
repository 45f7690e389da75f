//! `diff OLD NEW`: what changed between two sets of CRDs, and which bump may carry it.

use super::{Outcome, manifest};
use crate::compat::report::{self, Format};
use crate::compat::{Bump, Channel, Published, Set, compare, read, waivers};
use crate::diag::Sink;
use crate::diag::report as diagnostics;
use crate::files::{Disk, Read, Sources};
use crate::pipeline;
use crate::workspace;
use std::path::{Path, PathBuf};

/// What was asked for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The old set.
    pub old: String,
    /// The new set.
    pub new: String,
    /// How the report is written.
    pub format: Format,
    /// The highest bump that is no finding.
    pub against: Option<Bump>,
    /// Instead of `channels/waivers.toml`.
    pub waivers: Option<PathBuf>,
}

/// The working tree.
const HERE: &str = ".";

/// Compares two sets.
#[must_use]
pub fn run(request: &Request) -> Outcome {
    let sources = Sources::default();
    match differ(request, &sources) {
        Ok(outcome) => outcome,
        Err(message) => {
            eprintln!("error: {message}");
            Outcome::CouldNotRun
        }
    }
}

fn differ(request: &Request, sources: &Sources) -> Result<Outcome, String> {
    let (old, new) = rayon::join(|| set(&request.old, sources), || set(&request.new, sources));
    let (old, new) = (old?, new?);
    let mut report = compare(&old, &new);
    if let Some(text) = waiver_file(request)? {
        let waivers = waivers::parse(&text).map_err(|error| format!("waivers: {error}"))?;
        waivers::apply(&waivers, new.bundle_version().as_deref(), &mut report);
    }
    match request.format {
        Format::Human => print!("{}", report::human(&report, |span| place(span, sources))),
        Format::Json => println!("{:#}", report::json(&report)),
        Format::Markdown => print!("{}", report::markdown(&report)),
    }
    let Some(against) = request.against.filter(|against| report.bump() > *against) else {
        return Ok(Outcome::Clean);
    };
    eprintln!("error: a {} bundle may not carry this", asked(against));
    Ok(Outcome::Findings)
}

fn asked(bump: Bump) -> &'static str {
    match bump {
        Bump::None | Bump::Patch => "patch",
        Bump::Minor => "minor",
        Bump::NewApiVersion | Bump::Never => "major",
    }
}

fn place(span: crate::diag::Span, sources: &Sources) -> Option<String> {
    let file = sources.get(span.file)?;
    Some(format!("{}:{}", file.shown, file.line(span.start)?))
}

fn waiver_file(request: &Request) -> Result<Option<String>, String> {
    let given = |path: &Path| {
        let text = std::fs::read_to_string(path);
        text.map_err(|error| format!("`{}`: {error}", path.display()))
    };
    if let Some(path) = &request.waivers {
        return given(path).map(Some);
    }
    let here = std::env::current_dir().map_err(|error| error.to_string())?;
    let root = workspace::find_root(&here).unwrap_or(here);
    let path = root.join("channels/waivers.toml");
    if path.is_file() {
        given(&path).map(Some)
    } else {
        Ok(None)
    }
}

/// A set as it is named on the command line.
fn set(name: &str, sources: &Sources) -> Result<Set, String> {
    if name == HERE {
        return working_tree(sources);
    }
    if name.starts_with("git:") {
        return Err(format!(
            "`{name}`: revisions are not read yet; check it out and name the folder of its CRDs"
        ));
    }
    read::set(Path::new(name), &Disk)
}

/// What `gen-crds` would write.
fn working_tree(sources: &Sources) -> Result<Set, String> {
    let here = std::env::current_dir().map_err(|error| error.to_string())?;
    let mut sink = Sink::default();
    let set = projected(&here, &Disk, sources, &mut sink);
    if sink.has_errors() {
        let findings = sink.into_diagnostics();
        let written = diagnostics::write(&findings, sources, diagnostics::Format::Human, false);
        eprint!("{written}");
        return Err(
            "the working tree has errors; `cargo xtask gen-crds` tells the same".to_owned(),
        );
    }
    let set = set.ok_or("the working tree cannot be read")?;
    if set.channels.is_empty() {
        return Err("the working tree has no kinds".to_owned());
    }
    Ok(set)
}

fn projected(here: &Path, files: &dyn Read, sources: &Sources, sink: &mut Sink) -> Option<Set> {
    let root = match workspace::find_root(here) {
        Ok(root) => root,
        Err(finding) => {
            sink.push(*finding);
            return None;
        }
    };
    let setup = pipeline::setup(&root, files, sources, sink)?;
    let kinds = pipeline::read(&setup, files, sources, sink);
    let channels = pipeline::project(&setup, &kinds, sink);
    let mut set = Set {
        by_folder: true,
        tombstones: Some(manifest::tombstones(&setup, &kinds)),
        ..Set::default()
    };
    for projected in channels {
        if let Some(channel) = Channel::named(&projected.channel) {
            for crd in projected.crds {
                // Two CRDs of one name were reported where they come from.
                let _ = set.insert(channel, Published::new(crd));
            }
        }
    }
    Some(set)
}
