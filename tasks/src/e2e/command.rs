//! `e2e`: tries the CRDs of the working tree on a real API server.

use crate::e2e::{self, Channel};
use crate::examples::{self as programs, Operator};
use crate::published;
use crate::report::Report;
use clap::{Arg, ArgMatches, Command};
use crd_channels::commands::examples::{self, ServerExample};
use crd_channels::commands::gen_crds::stale_files;
use crd_channels::release::history::History;
use crd_channels_diagnostics::{Sink, Sources};
use crd_channels_envtest::server::Server;
use crd_channels_envtest::{Failure, binaries};
use crd_channels_files::{Change, Disk};
use crd_channels_gen_crds::current_folder::here;
use crd_channels_gen_crds::findings::say;
use crd_channels_gen_crds::outcome::Outcome;
use crd_channels_gen_crds::stale_file;
use crd_channels_generator::pipeline::{self, Setup};
use crd_channels_projection::channel::config::FOLDER;
use crd_channels_workspace as workspace;
use std::path::{Path, PathBuf};

/// The argument, and the parts that it can name.
const PART: &str = "part";
const OPERATOR: &str = "operator";
const CLUSTER: &str = "cluster";
const OCI: &str = "oci";
const STORY: &str = "story";

/// The command `e2e`.
#[must_use]
pub fn command() -> Command {
    Command::new("e2e")
        .about("Tests the CRDs of the working tree on a kube-apiserver that it starts and stops")
        .arg(
            Arg::new(PART)
                .value_name("PART")
                .value_parser([OPERATOR, CLUSTER, OCI, STORY])
                .help("test only this part"),
        )
}

/// Runs the command in the current folder's workspace.
#[must_use]
pub fn run(arguments: &ArgMatches) -> Outcome {
    let part = arguments.get_one::<String>(PART).map(String::as_str);
    let sources = Sources::default();
    let mut sink = Sink::default();
    let workspace = here().and_then(|here| read_workspace(&here, &sources, &mut sink));
    let Some(workspace) = workspace else {
        say(&sink.into_diagnostics(), &sources);
        return Outcome::CouldNotRun;
    };
    let tried = match part {
        None => try_all(workspace),
        Some(CLUSTER) => try_cluster(),
        Some(OCI) => try_registries(&workspace.root),
        Some(STORY) => try_story(),
        Some(_) => try_operator(&workspace.root),
    };
    match tried {
        Ok(report) => {
            println!("{report}");
            if report.failed() == 0 {
                Outcome::Clean
            } else {
                Outcome::Findings
            }
        }
        Err(failure) => {
            eprintln!("{failure}");
            Outcome::CouldNotRun
        }
    }
}

fn try_operator(root: &Path) -> Result<Report, Failure> {
    let binaries = binaries::find()?;
    let operator = Operator::build(root)?;
    let operator = operator.ok_or_else(|| Failure::new("there is no operator"))?;
    let server = Server::start(&binaries)?;
    let mut report = Report::told_to(|check| println!("{check}"));
    e2e::namespace(server.api)?;
    e2e::operator::check(&server, &operator, &mut report)?;
    Ok(report)
}

fn try_cluster() -> Result<Report, Failure> {
    let server = Server::start(&binaries::find()?)?;
    let mut report = Report::told_to(|check| println!("{check}"));
    e2e::namespace(server.api)?;
    e2e::cluster::check(&server, &mut report)?;
    Ok(report)
}

fn try_registries(root: &Path) -> Result<Report, Failure> {
    let mut report = Report::told_to(|check| println!("{check}"));
    against_registries(root, &mut report)?;
    Ok(report)
}

/// Pushes bundles to registries and pins them from there, if that is possible here.
fn against_registries(root: &Path, report: &mut Report) -> Result<(), Failure> {
    let servers = e2e::programs::Programs::build(root)?;
    let program = programs::with_registries(root)?;
    let (Some(program), Some(servers)) = (program, servers) else {
        println!(
            "not tried: registries; they need Go with a folder for what it builds, and the source of crd-channels"
        );
        return Ok(());
    };
    e2e::oci::check(root, &program, &servers, report)?;
    e2e::krew::check(root, &program, report)
}

fn try_story() -> Result<Report, Failure> {
    let mut report = Report::told_to(|check| println!("{check}"));
    e2e::story::check(&binaries::find()?, &mut report)?;
    Ok(report)
}

fn try_all(workspace: Workspace) -> Result<Report, Failure> {
    let channels = workspace.channels()?;
    let Workspace {
        root,
        stale,
        examples,
        ..
    } = workspace;
    let binaries = binaries::find()?;
    let controller = programs::controller(&root)?;
    let operator = Operator::build(&root)?;
    let programs = e2e::programs::Programs::build(&root)?;
    let server = Server::start(&binaries)?;
    let mut report = Report::told_to(|check| println!("{check}"));
    against_types(&stale, &mut report);
    e2e::run(&server, &channels, &examples, &mut report)?;
    if let Some(controller) = controller {
        e2e::controller::check(&server, &controller, &channels, &mut report)?;
    }
    if let Some(operator) = operator {
        e2e::operator::check(&server, &operator, &mut report)?;
    }
    let names: Vec<String> = channels.into_iter().map(|channel| channel.name).collect();
    let folder = root.join(FOLDER);
    let history = history(&folder)?;
    let latest = history.bundles.keys().next_back();
    let latest = latest.map(|version| folder.join(version.to_string()));
    let (latest, programs) = (latest.as_deref(), programs.as_ref());
    e2e::chart::check(&server, programs, latest, &names, &mut report)?;
    e2e::gitops::check(&server, programs, &history, &folder, &mut report)?;
    e2e::migration::check(&server, &root, &mut report)?;
    e2e::way::check(&server, &mut report)?;
    e2e::cluster::check(&server, &mut report)?;
    against_registries(&root, &mut report)?;
    drop(server);
    e2e::story::check(&binaries, &mut report)?;
    Ok(report)
}

/// Compares the generated files with the types; a server would only see whether the files are consistent.
fn against_types(stale: &[Change], report: &mut Report) {
    let stale = stale.iter();
    let stale = stale.map(|change| format!("`{}` is {}", change.path, stale_file::state(change)));
    let stale: Vec<String> = stale.collect();
    report.check("generated files match the types", "", stale.join(", "));
}

/// Reads the released bundles.
fn history(folder: &Path) -> Result<History, Failure> {
    History::read(folder, &Disk).map_err(|findings| {
        let messages = findings.into_iter().map(|finding| finding.message);
        Failure::new(messages.collect::<Vec<_>>().join("; "))
    })
}

/// The workspace to try.
struct Workspace {
    root: PathBuf,
    setup: Setup,
    /// The generated files that differ from the types.
    stale: Vec<Change>,
    examples: Vec<ServerExample>,
}

/// Reads the workspace around a folder.
fn read_workspace(folder: &Path, sources: &Sources, sink: &mut Sink) -> Option<Workspace> {
    let root = match workspace::find_root(folder) {
        Ok(root) => root,
        Err(finding) => {
            sink.push(*finding);
            return None;
        }
    };
    let setup = pipeline::setup(&root, &Disk, sources, sink)?;
    let stale = stale_files(&root, &setup, sources, sink)?;
    let examples =
        examples::server_examples(&setup, sources, sink).filter(|_| !sink.has_errors())?;
    Some(Workspace {
        root,
        setup,
        stale,
        examples,
    })
}

impl Workspace {
    /// Returns the CRDs of every configured channel, from the output folder.
    fn channels(&self) -> Result<Vec<Channel>, Failure> {
        let config = &self.setup.config;
        let output = self.root.join(Path::new(&*config.bundle.output));
        let channels = config.channels.iter().map(|channel| {
            Ok(Channel {
                name: channel.name.to_string(),
                crds: published::read_published(&output.join(&*channel.name))?,
            })
        });
        channels.collect()
    }
}

#[cfg(test)]
mod tests;
