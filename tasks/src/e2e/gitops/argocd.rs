//! Argo CD, with one Application for the CRDs and one for the policies. With a single one, a sync without policies would prune
//! them, and the next one could install what they refuse.

use super::story::{Tool, Wanted};
use super::{World, copy, kustomize, write};
use crate::e2e::programs::Said;
use crd_channels_envtest::Failure;
use std::path::{Path, PathBuf};

pub(super) struct ArgoCd<'a> {
    pub world: &'a World<'a>,
}

impl ArgoCd<'_> {
    /// Runs the same command for each Application in turn, and stops at the first failure.
    fn run(&self, verb: &str, wanted: Wanted) -> Result<Said, Failure> {
        let mut said = String::new();
        for (name, folder) in self.applications(wanted)? {
            let objects = match kustomize::build(self.world, [folder].into_iter())? {
                Ok(objects) => objects,
                Err(error) => return Ok(Err(error)),
            };
            match self.run_one(verb, name, Some(&objects))? {
                Ok(text) => said.push_str(&text),
                failed => return Ok(failed),
            }
        }
        Ok(Ok(said))
    }

    fn run_one(&self, verb: &str, name: &str, objects: Option<&Path>) -> Result<Said, Failure> {
        let World {
            programs, server, ..
        } = self.world;
        programs.run("argocd", [verb, name], objects, server)
    }

    /// Returns the Applications with their folders: one for the CRDs, and one for the policies if wanted.
    fn applications(&self, wanted: Wanted) -> Result<Vec<(&'static str, PathBuf)>, Failure> {
        let channel = wanted.bundle.channel(wanted.channel);
        let folder = self.world.scratch.join("application");
        let name = format!("{}-{}", wanted.bundle.version, wanted.channel);
        copy(&channel, &folder.join(&name))?;
        let text = format!("resources:\n- {name}\n{KEPT}");
        write(&folder.join("kustomization.yaml"), &text)?;
        let mut all = vec![(CRDS, folder)];
        if wanted.policies {
            all.push((POLICIES, channel.join("policies")));
        }
        Ok(all)
    }
}

const CRDS: &str = "edge-crds";
const POLICIES: &str = "edge-policies";

/// Keeps CRDs that the Application no longer contains.
const KEPT: &str = "patches:
- target:
    kind: CustomResourceDefinition
  patch: |
    - op: add
      path: /metadata/annotations/argocd.argoproj.io~1sync-options
      value: Prune=false
";

impl Tool for ArgoCd<'_> {
    fn name(&self) -> &'static str {
        "argocd"
    }

    fn apply(&self, wanted: Wanted) -> Result<Said, Failure> {
        self.run("sync", wanted)
    }

    fn differences(&self, wanted: Wanted) -> Result<Option<Said>, Failure> {
        self.run("diff", wanted).map(Some)
    }

    fn remove(&self, _: Wanted) -> Result<Option<Said>, Failure> {
        for name in [CRDS, POLICIES] {
            let said = self.run_one("sync", name, None)?;
            if said.is_err() {
                return Ok(Some(said));
            }
        }
        Ok(Some(Ok(String::new())))
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
