//! `validate`: validates objects as a server with the CRDs would, without a server.

pub(super) mod crds;
pub(super) mod files;
pub(super) mod verdict;
pub(super) mod stored;
pub(super) mod previous;
pub(super) mod report;
pub(crate) mod sources;

pub use report::Format;
pub use verdict::FieldValidation;

use super::{Outcome, here, say, say_as};
use crate::consumer::lock;
use crd_channels_diagnostics::{Code, Diagnostic, Sources};
use crds::{CrdSource, Crds};
use files::{FileResult, Input, ObjectResult, ValidateObject};
use previous::Previous;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use serde_json::Value;
use sources::Lookup;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use verdict::ObjectValidator;

/// The folder of CRDs in a project that makes them.
const GENERATED: &str = "generated";

/// The arguments of `validate`.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Files and folders with objects; `-` is standard input.
    pub paths: Vec<PathBuf>,
    /// Where CRDs come from; if empty, from `bundle.lock` or else from `generated`.
    pub crds: Vec<String>,
    /// The channel whose CRDs count.
    pub channel: Option<String>,
    /// The objects before an update: a file or a folder, or `git:REVISION`.
    pub previous: Option<String>,
    /// What becomes of unknown fields.
    pub field_validation: FieldValidation,
    /// Whether an object without a CRD is an error.
    pub strict: bool,
    /// Whether warnings end with exit code 1.
    pub warnings_as_errors: bool,
    /// Fetch nothing.
    pub offline: bool,
    /// The format of the output.
    pub format: Format,
}

/// What a run found.
#[derive(Default)]
pub(super) struct Validated {
    pub(super) files: Vec<FileResult>,
    /// Files that cannot be read, and what kept the run from beginning.
    pub(super) unread: Vec<Diagnostic>,
}

impl Validated {
    fn not_begun(unread: Vec<Diagnostic>) -> Self {
        Self {
            unread,
            ..Self::default()
        }
    }

    pub(super) fn objects(&self) -> impl Iterator<Item = &ObjectResult> {
        self.files.iter().flat_map(|file| &file.objects)
    }

    /// Every finding, with what could not be read.
    pub(super) fn findings(&self) -> impl Iterator<Item = &Diagnostic> {
        let found = self.objects().flat_map(|object| &object.findings);
        let found = found.map(|finding| &finding.diagnostic);
        found.chain(&self.unread)
    }
}

/// Validates the objects and prints the findings to stdout.
#[must_use]
pub fn run(request: &Request) -> Outcome {
    let Some(here) = here() else {
        return Outcome::CouldNotRun;
    };
    let sources = Sources::default();
    let validated = validated_in(&here, request, &sources);
    let findings: Vec<Diagnostic> = validated.findings().cloned().collect();
    report::write(&validated, &findings, &sources, request);
    let is_warned = request.warnings_as_errors && !findings.is_empty();
    match Outcome::of(&findings) {
        _ if !validated.unread.is_empty() => Outcome::CouldNotRun,
        Outcome::Clean if is_warned => Outcome::Findings,
        outcome => outcome,
    }
}

/// The document that `--format json` prints in a folder.
#[must_use]
pub fn document(request: &Request, here: &Path) -> Value {
    let sources = Sources::default();
    report::json(&validated_in(here, request, &sources), &sources)
}

/// The JSON document of a run that could not begin.
pub(crate) fn failed(findings: &[Diagnostic], sources: &Sources) -> Value {
    report::json(&Validated::not_begun(findings.to_vec()), sources)
}

fn validated_in(here: &Path, request: &Request, sources: &Sources) -> Validated {
    validated(request, here, sources).unwrap_or_else(Validated::not_begun)
}

fn validated(
    request: &Request,
    here: &Path,
    sources: &Sources,
) -> Result<Validated, Vec<Diagnostic>> {
    let (inputs, mut unread) = inputs(&request.paths);
    let previous = match &request.previous {
        Some(name) => Previous::read(name, &request.paths, here),
        None => Ok(Previous::default()),
    };
    let (crds, previous) = match (known_crds(request, &inputs, here, sources), previous) {
        (Ok(crds), Ok(previous)) => (crds, previous),
        (crds, previous) => {
            unread.extend(crds.err().into_iter().chain(previous.err()).flatten());
            return Err(unread);
        }
    };
    let validator = ObjectValidator {
        crds,
        previous,
        field_validation: request.field_validation,
        strict: request.strict,
    };
    for note in validator.crds.notes() {
        note!("{note}");
    }
    let validate = |object: &Value| validator.validate(object);
    Ok(validate_all(&inputs, unread, &validate, sources))
}

/// Returns the texts that paths name, and what cannot be read.
pub(super) fn inputs(paths: &[PathBuf]) -> (Vec<Input>, Vec<Diagnostic>) {
    let (mut inputs, mut unread) = (Vec::new(), Vec::new());
    let mut seen = BTreeSet::new();
    for input in paths.iter().flat_map(|path| files::inputs(path)) {
        match input {
            // Folders and files may be named twice, one in another.
            Ok(input) => inputs.extend(seen.insert(input.name()).then_some(input)),
            Err(file) => unread.push(unreadable(file.message)),
        }
    }
    (inputs, unread)
}

/// Validates every object of the inputs.
pub(super) fn validate_all(
    inputs: &[Input],
    mut unread: Vec<Diagnostic>,
    validate: &ValidateObject<'_>,
    sources: &Sources,
) -> Validated {
    let read = inputs
        .par_iter()
        .map(|input| files::validate(input, validate, sources));
    let mut files = Vec::new();
    for file in read.collect::<Vec<_>>() {
        match file {
            Ok(file) => files.push(file),
            Err(file) => unread.push(unreadable(file.message)),
        }
    }
    Validated { files, unread }
}

/// Finds the CRDs: those of `--crds`, else those that are pinned, else those that the project generates; then those among the
/// objects.
fn known_crds(
    request: &Request,
    inputs: &[Input],
    here: &Path,
    sources: &Sources,
) -> Result<Crds, Vec<Diagnostic>> {
    let lookup = Lookup {
        here,
        channel: request.channel.as_deref(),
        offline: request.offline,
    };
    let mut found: Vec<CrdSource> = Vec::new();
    for name in &request.crds {
        found.push(lookup.named(name)?);
    }
    if request.crds.is_empty() {
        match lookup.pinned(sources)? {
            Some(pinned) => found.extend(pinned),
            None if here.join(GENERATED).is_dir() => found.push(lookup.named(GENERATED)?),
            None => {}
        }
    }
    settle_channels(&mut found, request.channel.is_some())?;
    found.push(files::crds(inputs));
    let crds = Crds::of(found);
    if crds.is_empty() {
        let message = format!("there is neither `{}` nor a CRD", lock::FILE);
        let finding = Diagnostic::new(Code::UnreadableFile, None, message);
        let help =
            "name the CRDs with `--crds`: a file, a folder, an archive, or `git:REVISION:FOLDER`";
        return Err(vec![finding.with_help(help)]);
    }
    Ok(crds)
}

/// Lets a source count with its own channel if it lacks the one that was asked for and another source has that.
fn settle_channels(sources: &mut [CrdSource], is_asked: bool) -> Result<(), Vec<Diagnostic>> {
    let has_it = |it: &CrdSource| is_asked && it.channel.is_some() && it.missing.is_none();
    let any_has_it = sources.iter().any(has_it);
    for source in sources {
        let Some(missing) = source.missing.take() else {
            continue;
        };
        match &source.channel {
            Some(channel) if any_has_it => note!("{}; `{channel}` counts", missing.message),
            _ => return Err(vec![missing]),
        }
    }
    Ok(())
}

fn unreadable(message: String) -> Diagnostic {
    Diagnostic::new(Code::UnreadableFile, None, message)
}
