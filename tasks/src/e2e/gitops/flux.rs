//! Flux, with one Kustomization for the CRDs and one for the policies.

use super::story::{Tool, Wanted};
use super::{World, copy, write};
use crate::e2e::programs::Said;
use crd_channels_envtest::Failure;
use std::path::PathBuf;

pub(super) struct Flux<'a> {
    pub world: &'a World<'a>,
}

impl Flux<'_> {
    /// Runs the same command for each Kustomization in turn, and stops at the first failure.
    fn run(&self, verb: &str, wanted: Wanted) -> Result<Said, Failure> {
        let artifact = self.artifact(wanted)?;
        let mut said = String::new();
        for file in self.kustomizations(wanted)? {
            let arguments = [verb.into(), artifact.clone(), file];
            let World {
                programs, server, ..
            } = self.world;
            match programs.run("flux", arguments, None, server)? {
                Ok(text) => said.push_str(&text),
                failed => return Ok(failed),
            }
        }
        Ok(Ok(said))
    }

    /// Creates the artifact that a source would have fetched: the folder of the bundle's channel at its path in the repository.
    fn artifact(&self, wanted: Wanted) -> Result<PathBuf, Failure> {
        let artifact = self.world.scratch.join("artifact");
        let inside = format!("channels/{}/{}", wanted.bundle.version, wanted.channel);
        copy(
            &wanted.bundle.channel(wanted.channel),
            &artifact.join(inside),
        )?;
        Ok(artifact)
    }

    fn kustomizations(&self, wanted: Wanted) -> Result<Vec<PathBuf>, Failure> {
        let Wanted {
            bundle, channel, ..
        } = wanted;
        let path = format!("./channels/{}/{channel}", bundle.version);
        let mut all = vec![("crds", path.clone(), KEPT)];
        if wanted.policies {
            all.push(("policies", format!("{path}/policies"), ""));
        }
        let files = all.into_iter().map(|(name, path, more)| {
            let file = self.world.scratch.join(format!("{name}.yaml"));
            write(&file, &kustomization(name, &path, more)).map(|()| file)
        });
        files.collect()
    }
}

fn kustomization(name: &str, path: &str, more: &str) -> String {
    format!(
        "apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: edge-{name}
  namespace: flux-system
spec:
  interval: 1h
  sourceRef:
    kind: GitRepository
    name: edge
  path: {path}
  prune: true
  wait: true
{more}"
    )
}

/// Keeps CRDs when the Kustomization is deleted.
const KEPT: &str = "  patches:
  - target:
      kind: CustomResourceDefinition
    patch: |
      - op: add
        path: /metadata/annotations/kustomize.toolkit.fluxcd.io~1prune
        value: disabled
";

impl Tool for Flux<'_> {
    fn name(&self) -> &'static str {
        "flux"
    }

    fn apply(&self, wanted: Wanted) -> Result<Said, Failure> {
        self.run("apply", wanted)
    }

    fn differences(&self, wanted: Wanted) -> Result<Option<Said>, Failure> {
        let said = self.run("diff", wanted)?;
        Ok(Some(said.map(|text| {
            let lines = text.lines().filter(|line| !line.ends_with(" unchanged"));
            lines.collect::<Vec<_>>().join("\n")
        })))
    }

    fn remove(&self, last: Wanted) -> Result<Option<Said>, Failure> {
        self.run("delete", last).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::KEPT;

    #[test]
    fn the_page_has_what_is_tried() {
        let page = include_str!("../../../../docs/pinning.md");
        assert!(page.contains(KEPT));
    }
}
