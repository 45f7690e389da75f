//! `gen-crds`: reads the types, writes the CRDs of every channel.

use super::program::Program;
use super::rustc_json::{self, Unit};
use super::{Outcome, here};
use crate::bundle::{layout, sizes};
use crate::diag::report::{self, Format};
use crate::diag::{Code, Diagnostic, Severity, Sink};
use crate::files::{Applied, Change, ChangeKind, Disk, Plan, Recovered, Sources, diff, recover};
use crate::lower::is_told_by_compiling;
use crate::pipeline::build::{self, Built, Order};
use crate::pipeline::memory::{self, Memory};
use crate::pipeline::{self, publish, watch};
use crate::workspace;
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

/// What was asked for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Write nothing; stale files are findings.
    pub check: bool,
    /// Write nothing; show everything that would change.
    pub diff: bool,
    /// Show the size of every CRD.
    pub sizes: bool,
    /// Stay, and write again after every edit.
    pub watch: bool,
    /// Only these channels; empty means all.
    pub channels: Vec<String>,
    /// Instead of the configured output folder; relative to the current folder.
    pub output: Option<PathBuf>,
    /// How findings are written.
    pub format: Format,
    /// Write findings as cargo writes those of the compiler, whatever the format.
    pub rustc_json: bool,
    /// How the user calls the tool.
    pub program: Program,
}

/// So many lines of a difference are shown by `--check`.
const SHORT_DIFF: usize = 12;

/// Runs the command in the current folder's workspace.
#[must_use]
pub fn run(request: &Request) -> Outcome {
    if request.watch {
        return stay(request);
    }
    once(request)
}

fn once(request: &Request) -> Outcome {
    let sources = Sources::default();
    let mut sink = Sink::default();
    let mut units = Vec::new();
    let outcome = generate(request, &sources, &mut units, &mut sink);
    let diagnostics = sink.into_diagnostics();
    if request.rustc_json {
        print!("{}", rustc_json::write(&diagnostics, &sources, &units));
    } else {
        say(&diagnostics, &sources, request.format);
    }
    // What leads nowhere mostly does not compile either.
    let compiles =
        |finding: &&Diagnostic| !matches!(finding.code, Code::MissingSchema | Code::UnresolvedPath);
    if diagnostics
        .iter()
        .filter(compiles)
        .any(is_told_by_compiling)
    {
        eprintln!(
            "help: `{} prove --record` takes from the compiled types what source cannot tell",
            request.program
        );
    }
    outcome
}

/// Runs after every edit in the workspace, until it is interrupted.
fn stay(request: &Request) -> Outcome {
    let root = std::env::current_dir().map(|folder| workspace::find_root(&folder));
    let Ok(Ok(root)) = root else {
        return once(request);
    };
    let mut seen = watch::look(&root);
    loop {
        let start = Instant::now();
        once(request);
        eprintln!(
            "note: took {} ms; waiting for the next edit",
            start.elapsed().as_millis()
        );
        seen = watch::wait(&root, seen);
    }
}

/// One whole run. Everything is built before anything is written. `units` becomes known as soon as the workspace is.
fn generate(
    request: &Request,
    sources: &Sources,
    units: &mut Vec<Unit>,
    sink: &mut Sink,
) -> Outcome {
    let began = SystemTime::now();
    let Some(here) = here() else {
        return Outcome::CouldNotRun;
    };
    let root = match workspace::find_root(&here) {
        Ok(root) => root,
        Err(finding) => return could_not_run(*finding, sink),
    };
    let mut found = Sink::default();
    let setup = pipeline::setup(&root, &Disk, sources, &mut found);
    let Some(setup) = setup else {
        sink.append(found);
        return Outcome::CouldNotRun;
    };
    *units = rustc_json::units(&setup.workspace);
    let state = setup.workspace.target_dir.join("crd-channels");
    match recover(&state, &root, &Disk) {
        Ok(None) => sink.append(found),
        Ok(Some(recovered)) => {
            eprintln!("note: {}", told(&recovered));
            // A release changes manifests, too: what was read may be what is no more.
            return generate(request, sources, units, sink);
        }
        Err(finding) => return could_not_run(*finding, sink),
    }
    // The configured folder is part of the workspace, so paths begin there; another one begins a tree of its own.
    let (base, folder) = match &request.output {
        Some(given) => (here.join(given), Path::new("")),
        None => (root, Path::new(&*setup.config.bundle.output)),
    };
    let output = base.join(folder);
    let channels = publish::channels(&setup, &request.channels, sink);
    let order = Order {
        setup: &setup,
        channels: &channels,
        measure: request.sizes,
        key: memory::key(&setup, &channels, &output),
        began,
    };
    // What is to be shown to be right is made from nothing.
    let remembers = !(request.check || request.diff || request.sizes);
    let memory = remembers.then(|| Memory::recall(&state)).flatten();
    let memory = memory.filter(|memory| memory.key == order.key);
    let built = memory.and_then(|memory| build::again(order, memory, &output, sources, sink));
    let read = built.as_ref().map(Built::shares);
    let mut built = built.unwrap_or_else(|| build::whole(order, sources, sink));
    if request.sizes {
        for channel in &channels {
            tell(&size_table(&channel.name, &built), request);
        }
    }
    if sink.has_errors() {
        return Outcome::Findings;
    }
    let texts = built.take_texts(&channels).into_iter();
    let texts = texts.map(|(path, text)| (below(folder, &path), text));
    let kept = built.kept().map(|file| below(folder, &file.path));
    let owned = channels.iter().map(|channel| below(folder, &channel.name));
    let plan = Plan::new(base, state.clone(), texts.collect(), owned.collect())
        .keeping(kept.collect())
        .recognising(layout::is_generated);
    let ended = if request.check || request.diff {
        plan.compare(&Disk)
            .map(|changes| report_changes(&changes, request))
    } else {
        plan.apply(&Disk).map(|applied| {
            report_applied(&applied, read, request);
            if let Some(memory) = built.into_memory(&output).filter(|_| remembers) {
                memory.keep(&state);
            }
            Outcome::Clean
        })
    };
    match ended {
        Ok(outcome) => outcome,
        Err(finding) => could_not_run(*finding, sink),
    }
}

/// The sizes of one channel's CRDs as a table.
fn size_table(channel: &str, built: &Built) -> String {
    let files = built.made.iter().flat_map(|(_, made)| &made.files);
    let files = files.filter(|file| *file.channel == *channel);
    let sizes: Vec<_> = files.filter_map(|file| file.size.clone()).collect();
    sizes::table(channel, &sizes)
}

fn could_not_run(finding: Diagnostic, sink: &mut Sink) -> Outcome {
    sink.push(finding);
    Outcome::CouldNotRun
}

/// A path below the output folder, with `/`.
fn below(output: &Path, path: &str) -> String {
    let output: Vec<&str> = output.iter().filter_map(|part| part.to_str()).collect();
    if output.is_empty() {
        path.to_owned()
    } else {
        format!("{}/{path}", output.join("/"))
    }
}

/// A file of the plan as the user would name it: from the current folder, or from the workspace where no folder was given.
fn shown(path: &str, request: &Request) -> String {
    match &request.output {
        Some(folder) => folder.join(path).display().to_string(),
        None => path.to_owned(),
    }
}

/// Says a line to people. Where a program reads the findings, stdout is theirs alone.
fn tell(line: &str, request: &Request) {
    match request.format {
        Format::Human if !request.rustc_json => println!("{line}"),
        Format::Human | Format::Json | Format::Github | Format::Sarif => eprintln!("{line}"),
    }
}

/// What became of a run that did not reach its end.
pub(super) fn told(recovered: &Recovered) -> String {
    match recovered {
        Recovered::Undone => {
            "an interrupted run had written nothing yet; its temporary files were removed"
                .to_owned()
        }
        Recovered::Completed { lost } if lost.is_empty() => {
            "an interrupted run was completed".to_owned()
        }
        Recovered::Completed { lost } => {
            format!(
                "an interrupted run was completed, except for {}, which somebody had changed",
                lost.join(", ")
            )
        }
        Recovered::Unreadable => {
            "an interrupted run left a journal that cannot be read; it was removed".to_owned()
        }
    }
}

/// Says what was written, and nothing of what was as it should be; and how many kinds of all were read, where not all were.
fn report_applied(applied: &Applied, read: Option<(usize, usize)>, request: &Request) {
    let Applied {
        created,
        replaced,
        removed,
        unchanged,
        recovered,
    } = applied;
    if let Some(recovered) = recovered {
        eprintln!("note: {}", told(recovered));
    }
    for (done, paths) in [
        ("created", created),
        ("changed", replaced),
        ("removed", removed),
    ] {
        for path in paths {
            tell(&format!("{done} {}", shown(path, request)), request);
        }
    }
    let written = created.len() + replaced.len();
    let read = read.map_or_else(String::new, |(read, all)| {
        format!("; {read} of {all} kinds read")
    });
    tell(
        &format!("{written} files written, {unchanged} as they were{read}"),
        request,
    );
}

/// Says which files are not what the types say, and the command that mends it.
fn report_changes(changes: &[Change], request: &Request) -> Outcome {
    for change in changes {
        let state = match change.kind {
            ChangeKind::Missing => "missing",
            ChangeKind::Differs => "stale",
            ChangeKind::Orphan => "orphaned",
        };
        let difference = diff(change, (!request.diff).then_some(SHORT_DIFF));
        tell(
            &format!("{state}: {}", shown(&change.path, request)),
            request,
        );
        tell(difference.trim_end(), request);
    }
    if changes.is_empty() {
        return Outcome::Clean;
    }
    eprintln!("help: run `{} gen-crds`", request.program);
    if request.check {
        Outcome::Findings
    } else {
        Outcome::Clean
    }
}

/// Findings for people go to stderr, those for programs are the result and go to stdout.
pub(super) fn say(diagnostics: &[Diagnostic], sources: &Sources, format: Format) {
    let color = report::colored(&std::io::stderr());
    let written = report::write(diagnostics, sources, format, color);
    if format != Format::Human {
        print!("{written}");
        return;
    }
    eprint!("{written}");
    if let Some(summary) = report::summary(diagnostics) {
        let errors = diagnostics
            .iter()
            .any(|diagnostic| diagnostic.severity() == Severity::Error);
        eprintln!(
            "{summary}{}",
            if errors { "; nothing was written" } else { "" }
        );
    }
}
