//! Installs released bundles with Helm, kustomize, Flux and Argo CD, by small programs in `e2e/go` that call the tools' own
//! libraries; this module checks the server after each step.

mod argocd;
mod flux;
mod helm;
mod kustomize;
mod state;
mod story;
mod ownership;

use super::programs::Programs;
use crate::published::{self, Published};
use crate::report::Report;
use crd_channels::release::history::History;
use crd_channels_envtest::server::Server;
use crd_channels_envtest::{Failure, io};
use crd_channels_files::Disk;
use crd_channels_released::documents;
use std::path::{Path, PathBuf};

/// A released bundle.
struct Bundle {
    /// The version as in its annotations, such as `v0.4.1`.
    version: String,
    folder: PathBuf,
}

impl Bundle {
    fn channel(&self, channel: &str) -> PathBuf {
        self.folder.join(channel)
    }

    fn crds(&self, channel: &str) -> Result<Vec<Published>, Failure> {
        published::read_published(&self.channel(channel).join("crds"))
    }
}

/// The environment in which every tool is tried.
struct World<'a> {
    server: &'a Server,
    programs: &'a Programs,
    /// A folder that is removed with the server.
    scratch: PathBuf,
    before: Bundle,
    latest: Bundle,
    /// The installed channel, and one that the policies refuse over it.
    channels: [&'a str; 2],
}

/// Tries the latest two bundles of a history with every tool. Reports if that is not possible.
///
/// # Errors
/// The server did not respond, a program could not be started, or a file cannot be read.
pub fn check(
    server: &Server,
    programs: Option<&Programs>,
    history: &History,
    folder: &Path,
    report: &mut Report,
) -> Result<(), Failure> {
    let mut bundles = history.bundles.keys().rev().map(|version| Bundle {
        version: version.to_string(),
        folder: folder.join(version.to_string()),
    });
    let (Some(programs), Some(latest), Some(before)) = (programs, bundles.next(), bundles.next())
    else {
        println!(
            "not tried: Helm, kustomize, Flux and Argo CD; they need two released bundles, Go with a folder for what it builds, and the source of crd-channels"
        );
        return Ok(());
    };
    let world = World {
        server,
        programs,
        scratch: server.scratch("gitops")?,
        before,
        latest,
        channels: ["stable", "experimental"],
    };
    for tool in [
        &helm::Helm { world: &world } as &dyn story::Tool,
        &kustomize::Kustomize { world: &world },
        &flux::Flux { world: &world },
        &argocd::ArgoCd { world: &world },
    ] {
        story::run(&world, tool, report)?;
    }
    ownership::check(&world, report)
}

/// Writes a file for a tool to read.
fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    made.and_then(|()| std::fs::write(path, text))
        .map_err(|error| io("written", path, &error))
}

/// Copies a channel of a bundle, for a tool that writes beside its input.
fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    for path in documents::yaml_and_json_files(from, &Disk) {
        let text = std::fs::read_to_string(&path).map_err(|error| io("read", &path, &error))?;
        let inside = path.strip_prefix(from).unwrap_or(&path);
        write(&to.join(inside), &text)?;
    }
    Ok(())
}
