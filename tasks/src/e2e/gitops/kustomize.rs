//! kustomize, with kubectl to apply its output.

use super::story::{Tool, Wanted};
use super::{World, write};
use crate::e2e::programs::Said;
use crd_channels_envtest::Failure;
use std::path::PathBuf;

pub(super) struct Kustomize<'a> {
    pub world: &'a World<'a>,
}

impl Tool for Kustomize<'_> {
    fn name(&self) -> &'static str {
        "kustomize"
    }

    fn apply(&self, wanted: Wanted) -> Result<Said, Failure> {
        let channel = wanted.bundle.channel(wanted.channel);
        let policies = wanted.policies.then(|| channel.join("policies"));
        let made = match build(self.world, [channel].into_iter().chain(policies))? {
            Ok(made) => made.display().to_string(),
            Err(error) => return Ok(Err(error)),
        };
        let server = self.world.server;
        let applied = server.kubectl(&["apply", "--server-side", "-f", &made])?;
        if !applied.status.success() {
            return Ok(Err(String::from_utf8_lossy(&applied.stderr).into_owned()));
        }
        // A script would do the same: `kubectl apply` does not wait.
        let waited = server.kubectl(&["wait", "--for=condition=Established", "crd", "--all"])?;
        Ok(match waited.status.success() {
            true => Ok(String::from_utf8_lossy(&applied.stdout).into_owned()),
            false => Err(String::from_utf8_lossy(&waited.stderr).into_owned()),
        })
    }

    fn differences(&self, _: Wanted) -> Result<Option<Said>, Failure> {
        Ok(None)
    }

    fn remove(&self, _: Wanted) -> Result<Option<Said>, Failure> {
        Ok(None)
    }
}

/// Writes the output of kustomize for some folders to a file.
pub(super) fn build(
    world: &World,
    folders: impl Iterator<Item = PathBuf>,
) -> Result<Result<PathBuf, String>, Failure> {
    let said = world
        .programs
        .run("kustomize", folders, None, world.server)?;
    let path = world.scratch.join("built.yaml");
    match said {
        Ok(text) => write(&path, &text).map(|()| Ok(path)),
        Err(error) => Ok(Err(error)),
    }
}
