//! `init`: configures a workspace; changes no existing file.

mod choice;
mod unwritable;
mod features;
mod programs;
mod names;
mod texts;
mod alias;
mod survey;
mod decisions;
mod duplicates;
mod crd_calls;
mod foreign;
mod difference_text;
pub(super) mod differences;
mod schema_differences;
mod causes;
mod compare;
mod crds;

use super::{Outcome, WHOLE_PROGRAM, gen_crds, interrupted, say_with_summary};
use alias::{Alias, Aliases};
use choice::Choice;
use crd_channels_diagnostics::report::{Format, counted};
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Sources};
use crd_channels_files::{Disk, Plan, Read, diff};
use crd_channels_projection::channel::config::FOLDER;
use crd_channels_workspace as workspace;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use survey::Survey;

/// The arguments of `init`.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Write nothing; show everything that would be written.
    pub diff: bool,
    /// Write nothing; report what would change for users of the CRDs in these files and folders.
    pub compare: Vec<PathBuf>,
    /// The packages whose build decides which features are on; empty means those with kinds.
    pub packages: Vec<String>,
    /// Compile the types without asking, if source does not tell everything.
    pub yes: bool,
    /// The folders of CRDs that are the bundle's source instead of Rust types, each with the channel if it is named.
    pub crds: Vec<(Option<String>, PathBuf)>,
}

/// The files below the workspace root in which cargo looks for aliases; the first is the one that is written.
const CARGO_CONFIGURATION: [&str; 2] = [".cargo/config.toml", ".cargo/config"];

/// Runs the command in the current folder's workspace.
#[must_use]
pub fn run(request: &Request) -> Outcome {
    let sources = Sources::default();
    let mut sink = Sink::default();
    let outcome = match start(request, &sources, &mut sink) {
        Ok(outcome) => outcome,
        Err(finding) => {
            sink.push(*finding);
            Some(Outcome::CouldNotRun)
        }
    };
    say_with_summary(&sink.into_diagnostics(), &sources, Format::Human);
    outcome.unwrap_or_else(|| {
        let record = gen_crds::Request {
            record: true,
            ..gen_crds::Request::default()
        };
        gen_crds::run(&record, WHOLE_PROGRAM)
    })
}

/// Returns `None` if the compiled types are to be asked next.
fn start(
    request: &Request,
    sources: &Sources,
    sink: &mut Sink,
) -> Result<Option<Outcome>, Box<Diagnostic>> {
    let here = std::env::current_dir().map_err(|error| {
        let message = format!("the current folder cannot be read: {error}");
        Box::new(Diagnostic::new(Code::UnreadableFile, None, message))
    })?;
    if !request.crds.is_empty() {
        let root = workspace::root_above(&here, &Disk).unwrap_or_else(|| here.clone());
        return crds::run(&root, &here, request, sink).map(Some);
    }
    let root = workspace::find_root(&here)?;
    if request.compare.is_empty() {
        initialise(&root, request, sources, sink)
    } else {
        compare::run(&root, request, sources, sink).map(Some)
    }
}

fn initialise(
    root: &Path,
    request: &Request,
    sources: &Sources,
    sink: &mut Sink,
) -> Result<Option<Outcome>, Box<Diagnostic>> {
    if let Some(path) = configured(root) {
        return Err(exists(&path));
    }
    let survey = decisions::survey(root, &request.packages, sources)?;
    let choice = survey.choice(sources);
    if survey.types.is_empty() && choice.exclude.is_empty() {
        survey
            .findings
            .iter()
            .cloned()
            .for_each(|finding| sink.push(finding));
        return Err(no_kinds(survey.without_schema));
    }
    let workspace = &survey.setup.workspace;
    let mut files = texts::files(&choice);
    let alias = alias::decide(Aliases {
        configuration: cargo_configuration(root).as_deref(),
        xtask: workspace.member("xtask").is_some(),
    });
    if let Alias::Create(text) = &alias {
        files.insert(CARGO_CONFIGURATION[0].to_owned(), text.clone());
    }
    show_kinds(&survey, &choice);
    let plan = Plan::new(
        "the configuration",
        root.to_path_buf(),
        files.clone(),
        Vec::new(),
    );
    if request.diff {
        for change in plan.compare(&Disk)? {
            print!("{}", diff(&change, None));
        }
        return Ok(Some(ended(&survey, &choice)));
    }
    show_files(&files);
    let applied = interrupted::apply(&plan)?;
    println!("{} written", counted(applied.created.len(), "file"));
    say_next(&alias, &survey);
    let outcome = ended(&survey, &choice);
    let holes = survey.holes();
    let compiles = holes > 0 && outcome == Outcome::Clean && (request.yes || agreed());
    Ok((!compiles).then_some(outcome))
}

/// Prints the files with their settings.
fn show_files(files: &BTreeMap<String, String>) {
    for (path, text) in files {
        println!("{path}");
        let settings = text
            .lines()
            .filter(|line| !line.is_empty() && !line.starts_with('#'));
        settings.for_each(|line| println!("  {line}"));
    }
}

/// Asks whether to compile the types now, if somebody can answer.
fn agreed() -> bool {
    if !(io::stdin().is_terminal() && io::stderr().is_terminal()) {
        return false;
    }
    eprint!("run it now? [y/N] ");
    let mut answer = String::new();
    let read = io::stdin().read_line(&mut answer);
    read.is_ok() && matches!(answer.trim(), "y" | "Y" | "yes")
}

fn no_kinds(without_schema: usize) -> Box<Diagnostic> {
    let message = match without_schema {
        0 => "no type of the workspace derives `CustomResource`, so there is nothing to bundle"
            .to_owned(),
        count => format!("there is nothing to bundle: {}", no_schema(count)),
    };
    Box::new(Diagnostic::new(Code::NothingToDo, None, message).with_help(
        "write a kind first, or run this in the workspace that has one; nothing was written",
    ))
}

/// Prints at the end which kinds of the project are not written, if any.
fn ended(survey: &Survey, choice: &Choice) -> Outcome {
    let pending = choice.exclude.iter().filter(|one| one.finding.is_some());
    let names: BTreeSet<&str> = pending.map(|one| &*one.kind).collect();
    let names: Vec<&str> = names.into_iter().collect();
    match &*names {
        [] => {}
        names => {
            let all = survey.kinds.len() + survey.open_kinds().len() + names.len();
            let are = if names.len() == 1 { "is" } else { "are" };
            warning!(
                "{} of your {} {are} left out: {}",
                names.len(),
                counted(all, "kind"),
                names.join(", ")
            );
            help!(
                "`pending` in `{FOLDER}/bundle.toml` lists the reasons; remove an entry and `crd-channels gen-crds` reports what it needs"
            );
        }
    }
    // Kinds that are left out are a warning; an error means that a kind cannot be written although it is not left out.
    match survey.errors() {
        0 if !survey.all_wrong => Outcome::Clean,
        _ => Outcome::Findings,
    }
}

/// Returns an existing file of the configuration.
pub(super) fn configured(root: &Path) -> Option<String> {
    let listed = Disk.list(&root.join(FOLDER)).unwrap_or_default();
    let file = listed
        .iter()
        .find(|path| path.extension().is_some_and(|end| end == "toml"))?;
    Some(format!("{FOLDER}/{}", file.file_name()?.to_string_lossy()))
}

fn exists(path: &str) -> Box<Diagnostic> {
    let message = format!("`{path}` already exists, and `init` changes no file");
    Box::new(
        Diagnostic::new(Code::ConfigExists, None, message).with_help(format!(
            "run `crd-channels gen-crds`, or move the `*.toml` files in `{FOLDER}` away to start again"
        )),
    )
}

fn cargo_configuration(root: &Path) -> Option<String> {
    let mut bytes = CARGO_CONFIGURATION
        .iter()
        .filter_map(|path| Disk.read(&root.join(path)).ok());
    Some(String::from_utf8_lossy(&bytes.next()?).into_owned())
}

/// Prints every kind with its versions and packages.
fn show_kinds(survey: &Survey, choice: &Choice) {
    let open = survey.open_kinds();
    match choice.packages.join("`, `").as_str() {
        "" => println!("no member of the workspace derives `CustomResource` yet"),
        packages => {
            let all = survey.kinds.len() + open.len();
            println!("{} in `{packages}`", counted(all, "kind"));
        }
    }
    for kind in &survey.kinds {
        let versions: Vec<&str> = kind.versions.iter().map(|draft| &*draft.version).collect();
        println!("  {}: {}", kind.crd_name(), versions.join(", "));
    }
    for name in open {
        println!("  {name}: source does not tell everything");
    }
    let kinds = || choice.kinds.iter();
    let stored = kinds().filter_map(|(name, kind)| {
        let version = kind.storage.as_ref()?;
        Some(format!("{name}: {version}"))
    });
    let renamed = kinds().filter_map(|(name, kind)| {
        let names = match kind.short_names.as_deref()? {
            [] => "none".to_owned(),
            names => names.join(", "),
        };
        Some(format!("{name}: {names}"))
    });
    let left_out = choice.exclude.iter();
    let left_out = left_out.map(|one| format!("{}: {}", one.path, one.why));
    let without = (survey.without_schema > 0).then(|| no_schema(survey.without_schema));
    let left_out = left_out.chain(without);
    show("storage version, where several types claim it", stored);
    show(
        "remaining short names, where several kinds have the same",
        renamed,
    );
    show("left out", left_out);
}

/// Says of kinds without a CRD why they have none.
fn no_schema(count: usize) -> String {
    let kinds = counted(count, "kind");
    format!("{kinds} with `schema = \"disabled\"`, which leaves no schema to write")
}

/// Prints lines below a heading, if there are any.
fn show(heading: &str, lines: impl Iterator<Item = String>) {
    for (place, line) in lines.enumerate() {
        if place == 0 {
            println!("{heading}");
        }
        println!("  {line}");
    }
}

fn say_next(alias: &Alias, survey: &Survey) {
    if let Alias::Propose(line) = alias {
        let path = CARGO_CONFIGURATION[0];
        let name = line.split(' ').next().unwrap_or_default();
        note!("for `cargo {name} gen-crds` add this below `[alias]` in `{path}`: {line}");
    }
    let domains = foreign::several_domains(survey);
    if !domains.is_empty() {
        note!(
            "there are kinds of `{}`: if another project owns the CRD, name the type in `exclude`",
            domains.join("`, `")
        );
    }
    match survey.errors() {
        0 if survey.all_wrong => {
            error!("no kind can be generated; `crd-channels gen-crds` reports why");
        }
        0 => match survey.holes() {
            0 => help!("run `crd-channels gen-crds`"),
            holes => help!(
                "run `crd-channels gen-crds --record`, which compiles the types once: source does not tell {}",
                counted(holes, "value")
            ),
        },
        errors => error!(
            "the types have {}; `crd-channels gen-crds` reports {}",
            counted(errors, "error"),
            if errors == 1 { "it" } else { "them" }
        ),
    }
}
