//! `eval-rule FILE`: evaluates the rules of CRDs for objects, as a server would.

mod json;
mod text;

pub(crate) use json::failed;

use super::Outcome;
use super::check::files::{PathTarget, files_at, shown};
use super::format::Format;
use super::type_meta::TypeMeta;
use crd_channels_released::documents;
use crd_channels_validation::rules::Outcome as RuleOutcome;
use crd_channels_validation::{Validator, Verdict, Violation};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The arguments of `eval-rule`.
#[derive(Clone, Debug)]
pub struct Request {
    /// The file with the objects; `-` is standard input.
    pub objects: PathBuf,
    /// The file with the object as it was before an update.
    pub old: Option<PathBuf>,
    /// The CRDs: a file or a folder of files.
    pub crds: PathBuf,
    /// The format of the output.
    pub format: Format,
}

/// An object and the results for it.
struct Evaluated {
    file: String,
    kind: String,
    version: String,
    name: Option<String>,
    answers: Vec<Answer>,
}

/// The verdict on an object by one CRD.
struct Answer {
    /// The file of the CRD.
    file: String,
    /// The CRD's name.
    crd: String,
    verdict: Verdict,
    /// What a server would reject in a new object, and accepts here because it was so before.
    kept: Vec<Violation>,
}

/// Evaluates the rules and prints the results to stdout.
#[must_use]
pub fn run(request: &Request) -> Outcome {
    let evaluated = evaluated(request);
    if request.format == Format::Json {
        println!("{:#}", json::document(&evaluated));
    }
    match evaluated {
        Ok(evaluated) => {
            if request.format == Format::Human {
                evaluated.iter().for_each(text::show);
            }
            let mut answers = evaluated.iter().flat_map(|object| &object.answers);
            match answers.all(|answer| accept(&answer.verdict) == Some(true)) {
                true => Outcome::Clean,
                false => Outcome::Findings,
            }
        }
        Err(message) => {
            if request.format == Format::Human {
                error!("{message}");
            }
            Outcome::CouldNotRun
        }
    }
}

fn evaluated(request: &Request) -> Result<Vec<Evaluated>, String> {
    let crds = read_crds(&request.crds)?;
    let objects = read_documents(&request.objects)?;
    let old = match &request.old {
        Some(path) => Some(one_object(path, objects.len())?),
        None => None,
    };
    if objects.is_empty() {
        let name = request.objects.display().to_string();
        return Err(format!("{} has no objects", shown(&name)));
    }
    let objects = objects.into_iter();
    objects
        .map(|(file, object)| of_object(file, &object, old.as_ref(), &crds, &request.crds))
        .collect()
}

/// Reads the CRDs of a command's `--crds`.
pub(super) fn read_crds(path: &Path) -> Result<Vec<(String, Value)>, String> {
    if path != Path::new("-") && !path.exists() {
        return Err(format!(
            "`{}` does not exist; name the CRDs with `--crds`",
            path.display()
        ));
    }
    read_documents(path)
}

/// Reads all documents of a path, each with the name of its file.
fn read_documents(path: &Path) -> Result<Vec<(String, Value)>, String> {
    let mut found = Vec::new();
    for file in files_at(path) {
        let PathTarget::File(file) = file.map_err(|unread| unread.message)? else {
            continue;
        };
        let parsed =
            documents::parse(&file.text).map_err(|why| format!("{}: {why}", shown(&file.name)))?;
        found.extend(
            parsed
                .into_iter()
                .map(|document| (file.name.clone(), document)),
        );
    }
    Ok(found)
}

fn one_object(path: &Path, new: usize) -> Result<Value, String> {
    let mut old = read_documents(path)?.into_iter();
    match (old.next(), old.next(), new) {
        (Some((_, object)), None, 1) => Ok(object),
        _ => Err("`--old` compares one object with one: each file must contain exactly one".into()),
    }
}

/// Validates an object with every CRD that serves its kind and version.
fn of_object(
    file: String,
    object: &Value,
    old: Option<&Value>,
    crds: &[(String, Value)],
    from: &Path,
) -> Result<Evaluated, String> {
    let named = TypeMeta::of(object);
    if named.api_version.is_empty() || named.kind.is_empty() {
        return Err(format!(
            "{} has a document without `apiVersion` or `kind`, so it is not an object",
            shown(&file)
        ));
    }
    let mut answers = Vec::new();
    for (file, crd) in crds.iter().filter(|(_, crd)| named.is_served_by(crd)) {
        let validator = Validator::new(crd, named.version())
            .map_err(|why| format!("{}: {why}", shown(file)))?;
        let name = crd.pointer("/metadata/name").and_then(Value::as_str);
        let new = validator.create(object);
        let (verdict, kept) = match old {
            Some(old) => {
                let verdict = validator.update(object, &validator.create(old).object);
                // A rejected object keeps nothing, and a violation may have kept rules from being evaluated.
                let kept = match verdict.violations.is_empty() {
                    true => new.violations,
                    false => Vec::new(),
                };
                (verdict, kept)
            }
            None => (new, Vec::new()),
        };
        answers.push(Answer {
            file: file.clone(),
            crd: name.unwrap_or_default().to_owned(),
            verdict,
            kept,
        });
    }
    if answers.is_empty() {
        let TypeMeta { api_version, kind } = named;
        return Err(format!(
            "no CRD in {} serves `{kind}` of `{api_version}`; name other CRDs with `--crds`",
            shown(&from.display().to_string())
        ));
    }
    let name = object.pointer("/metadata/name").and_then(Value::as_str);
    Ok(Evaluated {
        file,
        kind: named.kind.to_owned(),
        version: named.version().to_owned(),
        name: name.map(str::to_owned),
        answers,
    })
}

/// Whether a server accepts the object; `None` if that depends on a rule that cannot be evaluated.
fn accept(verdict: &Verdict) -> Option<bool> {
    let mut rules = verdict.rules.iter();
    let is_unknown = rules.any(|rule| rule.outcome == RuleOutcome::Unknown);
    match (verdict.violations.is_empty(), is_unknown) {
        (false, _) => Some(false),
        (true, false) => Some(true),
        (true, true) => None,
    }
}
