//! `init --compare`: reports what users of a project's committed CRDs would see change, under either convention.

use super::causes::{Cause, causes, distance};
use super::decisions;
use super::difference_text::DifferenceText;
use super::differences::{Difference, differences};
use super::{Request, configured, counted};
use crate::commands::Outcome;
use crd_channels_compat::Published;
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Sources};
use crd_channels_files::{Disk, Read, shown_path};
use crd_channels_generator::pipeline::{self, Setup};
use crd_channels_projection::channel::Kind;
use crd_channels_projection::render::Convention;
use crd_channels_released::documents;
use serde_json::Value;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};

/// CRDs by name.
type Crds = BTreeMap<String, Published>;

/// Compares the CRDs in files and folders with those that the workspace in `root` defines, in its first channel.
///
/// # Errors
/// `unreadable-file` if nothing can be compared.
pub fn run(
    root: &Path,
    request: &Request,
    sources: &Sources,
    sink: &mut Sink,
) -> Result<Outcome, Box<Diagnostic>> {
    let committed = committed(&request.compare)?;
    let Some((mut setup, kinds)) = defined(root, &request.packages, sources, sink)? else {
        return Ok(Outcome::CouldNotRun);
    };
    let mut compared = Vec::new();
    // If two are equally close, the first one wins, which is the one that `init` writes.
    for convention in Convention::ALL.into_iter().rev() {
        let name = convention.choices().name;
        setup.config.bundle.convention = convention;
        let generated = generated(&setup, &kinds, sink);
        let causes = compare(&committed, &generated);
        println!("{name}: {}", summary(&causes));
        for cause in &causes {
            println!("  {}", cause.line());
        }
        compared.push((distance(&causes), name));
    }
    if let Some((_, closest)) = compared.iter().min_by_key(|(distance, _)| *distance) {
        println!("closest: conventions = \"{closest}\"");
    }
    let errors = sink.has_errors();
    Ok(if errors {
        Outcome::Findings
    } else {
        Outcome::Clean
    })
}

fn summary(causes: &[Cause]) -> String {
    let (prose, meaning): (Vec<&Cause>, Vec<&Cause>) = causes.iter().partition(|cause| cause.prose);
    let counts = |causes: &[&Cause]| {
        let places = causes.iter().map(|cause| cause.places.len()).sum();
        format!(
            "{} in {}",
            counted(causes.len(), "cause"),
            counted(places, "place")
        )
    };
    match (&*meaning, &*prose) {
        ([], []) => "nothing changes".to_owned(),
        (meaning, []) => counts(meaning),
        ([], prose) => format!("only text changes, for {}", counts(prose)),
        (meaning, prose) => format!("{}; in text for {}", counts(meaning), counts(prose)),
    }
}

/// Returns the kinds of the workspace, with its configuration or with the one that `init` would write.
fn defined(
    root: &Path,
    built: &[String],
    sources: &Sources,
    sink: &mut Sink,
) -> Result<Option<(Setup, Vec<Kind>)>, Box<Diagnostic>> {
    if configured(root).is_some() {
        let Some(setup) = pipeline::setup_as(root, built, &Disk, sources, sink) else {
            return Ok(None);
        };
        let kinds = pipeline::read_kinds(&setup, &Disk, sources, sink);
        return Ok(Some((setup, kinds)));
    }
    let mut survey = decisions::survey(root, built, sources)?;
    let choice = survey.choice(sources);
    survey.apply_choice(&choice, root, sources, sink);
    let left_out = choice.exclude.into_iter().filter_map(|one| one.finding);
    let findings = survey.findings.into_iter().chain(left_out);
    findings.for_each(|finding| sink.push(finding));
    Ok(Some((survey.setup, survey.kinds)))
}

/// Reads the CRDs in files and folders, recursively.
///
/// CRDs of other API versions and unreadable files are reported and left out.
fn committed(paths: &[PathBuf]) -> Result<Crds, Box<Diagnostic>> {
    let mut files = Vec::new();
    for path in paths {
        if !path.exists() {
            let message = format!("there is no `{}`", path.display());
            return Err(nothing(message));
        }
        if Disk.is_file(path) {
            files.push(path.clone());
        } else {
            files.extend(documents::yaml_and_json_files(path, &Disk));
        }
    }
    let mut crds = Crds::new();
    let mut templates = false;
    for path in files {
        let shown = shown_path(&path);
        let text = Disk.read(&path).map_err(|error| error.to_string());
        let text =
            text.and_then(|bytes| String::from_utf8(bytes).map_err(|error| error.to_string()));
        let documents = match text.and_then(|text| documents::parse(&text)) {
            Ok(documents) => documents,
            Err(error) => {
                let why = match is_template(&path) {
                    true => TEMPLATE,
                    false => &*error,
                };
                templates |= why == TEMPLATE;
                note!("`{shown}` is left out: {why}");
                continue;
            }
        };
        for document in documents {
            if let Some(left_out) = take(document, &mut crds) {
                note!("`{shown}`: {left_out}");
            }
        }
    }
    if crds.is_empty() {
        let names: Vec<String> = paths
            .iter()
            .map(|path| format!("`{}`", shown_path(path)))
            .collect();
        let found = nothing(format!("there is no CRD in {}", names.join(", ")));
        return Err(match templates {
            true => Box::new(found.with_help(format!("Helm templates are not YAML: {RENDER}"))),
            false => found,
        });
    }
    Ok(crds)
}

/// The message about a template.
const TEMPLATE: &str = "it is a Helm template; render it with `helm template` first";

/// The help for comparing with a chart.
const RENDER: &str = "run `helm template CHART --include-crds > rendered.yaml`, then `crd-channels init --compare rendered.yaml`";

/// Whether a file is not YAML because Helm has yet to render it.
fn is_template(path: &Path) -> bool {
    let text = Disk.read(path).unwrap_or_default();
    String::from_utf8_lossy(&text).contains("{{")
}

/// Adds a document if it is a CRD. Returns why a CRD is left out.
fn take(document: Value, crds: &mut Crds) -> Option<String> {
    if document["kind"] != "CustomResourceDefinition" {
        return None;
    }
    let Some(name) = document["metadata"]["name"].as_str().map(str::to_owned) else {
        return Some("a CRD without a name is left out".to_owned());
    };
    if document["apiVersion"] != "apiextensions.k8s.io/v1" {
        return Some(format!(
            "`{name}` is left out: it is not `apiextensions.k8s.io/v1`"
        ));
    }
    match (Published::read(&document), crds.entry(name)) {
        (Err(error), known) => Some(format!("`{}` is left out: {error}", known.key())),
        (Ok(_), Entry::Occupied(known)) => Some(format!(
            "`{}` is left out: another file contains it",
            known.key()
        )),
        (Ok(read), Entry::Vacant(place)) => {
            read.map(|published| place.insert(published));
            None
        }
    }
}

fn nothing(message: String) -> Box<Diagnostic> {
    let help =
        "name the files or folders of your CRDs, as in `crd-channels init --compare deploy/crds`";
    Box::new(Diagnostic::new(Code::UnreadableFile, None, message).with_help(help))
}

/// The CRDs of the first channel.
fn generated(setup: &Setup, kinds: &[Kind], sink: &mut Sink) -> Crds {
    let channels = pipeline::project(setup, kinds, sink);
    let first = channels.first().into_iter();
    first
        .flat_map(|projected| &projected.crds)
        .map(|crd| (crd.name(), Published::new(crd.clone())))
        .collect()
}

/// Returns all differences between the generated and the committed CRDs.
fn compare(committed: &Crds, generated: &Crds) -> Vec<Cause> {
    let whole = |what: &str| Difference {
        version: String::new(),
        path: String::new(),
        what: DifferenceText::meaning(what),
    };
    let mut all: Vec<(&str, Difference)> = Vec::new();
    for (name, old) in committed {
        match generated.get(name) {
            Some(new) => all.extend(
                differences(old, new)
                    .into_iter()
                    .map(|found| (name.as_str(), found)),
            ),
            None => all.push((name, whole("no kind generates it"))),
        }
    }
    let new = generated
        .keys()
        .filter(|name| !committed.contains_key(*name));
    all.extend(new.map(|name| (name.as_str(), whole("it is not committed"))));
    causes(all)
}
