//! `e2e`: tries the CRDs of the working tree on a real API server.

use super::Outcome;
use crate::channel::config::FOLDER;
use crate::cluster::e2e::{self, Channel};
use crate::cluster::report::Report;
use crate::cluster::server::Server;
use crate::cluster::{Failure, binaries, examples, published};
use crate::diag::Sink;
use crate::diag::report::{self, Format};
use crate::files::{Disk, Sources};
use crate::pipeline;
use crate::release::history::History;
use crate::workspace;
use std::path::{Path, PathBuf};

/// Runs the command in the current folder's workspace.
#[must_use]
pub fn run() -> Outcome {
    match try_all() {
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

fn try_all() -> Result<Report, Failure> {
    let (root, channels) = channels()?;
    let binaries = binaries::find()?;
    let controller = examples::build(&root, "controller")?;
    let webhook = examples::build(&root, "webhook")?;
    let server = Server::start(&binaries)?;
    let mut report = Report::told_to(|check| println!("{check}"));
    e2e::run(&server, &channels, &mut report)?;
    if let Some(controller) = controller {
        e2e::controller::check(&server, &controller, &channels, &mut report)?;
    }
    if let Some(webhook) = webhook {
        e2e::conversion::check(&server, &webhook, &mut report)?;
    }
    let names: Vec<String> = channels.into_iter().map(|channel| channel.name).collect();
    let latest = latest_bundle(&root.join(FOLDER))?;
    e2e::chart::check(server.api, latest.as_deref(), &names, &mut report)?;
    Ok(report)
}

/// The folder of the latest released bundle.
fn latest_bundle(folder: &Path) -> Result<Option<PathBuf>, Failure> {
    let history = History::read(folder, &Disk).map_err(|findings| {
        let messages = findings.into_iter().map(|finding| finding.message);
        Failure::new(messages.collect::<Vec<_>>().join("; "))
    })?;
    let latest = history.bundles.keys().next_back();
    Ok(latest.map(|version| folder.join(version.to_string())))
}

/// The workspace, and the CRDs of every configured channel, as they stand in the output folder.
fn channels() -> Result<(PathBuf, Vec<Channel>), Failure> {
    let here = std::env::current_dir()
        .map_err(|error| Failure::new(format!("the current folder cannot be read: {error}")))?;
    let sources = Sources::default();
    let mut sink = Sink::default();
    let setup = match workspace::find_root(&here) {
        Ok(root) => pipeline::setup(&root, &Disk, &sources, &mut sink).map(|setup| (root, setup)),
        Err(finding) => {
            sink.push(*finding);
            None
        }
    };
    let Some((root, setup)) = setup else {
        let said = report::write(
            &sink.into_diagnostics(),
            &sources,
            Format::Human,
            report::colored(&std::io::stderr()),
        );
        return Err(Failure::new(said));
    };
    let output = root.join(Path::new(&*setup.config.bundle.output));
    let channels = setup.config.channels.iter().map(|channel| {
        Ok(Channel {
            name: channel.name.to_string(),
            crds: published::read(&output.join(&*channel.name))?,
        })
    });
    let channels: Result<_, Failure> = channels.collect();
    Ok((root, channels?))
}
