//! The steps that a person takes after a release, one command each.

use super::Request;
use crate::git::Destination;
use crate::release::version_choice::Choice;
use crd_channels_diagnostics::program;
use crd_channels_diagnostics::shell::word;
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_projection::channel::config::FOLDER;
use std::path::Path;

/// What the steps after a release depend on.
#[derive(Clone, Copy)]
pub struct Publication<'a> {
    /// The version.
    pub choice: &'a Choice,
    /// The bundle's tag unless it is taken.
    pub tag: Option<&'a str>,
    /// Where it is pushed to; `None` outside a repository.
    pub destination: Option<&'a Destination>,
    /// The packages to publish to a registry.
    pub published: &'a [String],
}

impl Publication<'_> {
    /// Returns the steps in order.
    pub fn steps(self) -> Vec<String> {
        let version = &self.choice.version;
        let mut steps = vec![
            format!("read {FOLDER}/CHANGELOG.md"),
            format!("git add --all && git commit --message 'Release {version}'"),
        ];
        let target = self.target();
        if self.choice.tree == *version {
            let tag = self.tag.unwrap_or("<TAG>");
            steps.push(format!("git tag {tag}"));
            // Without `--atomic` the tag would be public even if the branch is refused because somebody was faster.
            steps.push(format!("git push --atomic {target} {tag}"));
            let packages = self.published.iter();
            steps.extend(packages.map(|package| format!("cargo publish --package {package}")));
            steps.push(format!("{} start-next", program::current()));
        } else {
            // The tree has another version, so a tag would be wrong.
            steps.push(format!("git push {target}"));
        }
        steps
    }

    /// The arguments of `git push` for the commit.
    fn target(self) -> String {
        let remote = self
            .destination
            .map(|destination| destination.remote.as_deref());
        let remote = match remote {
            None => "origin".to_owned(),
            Some(Ok(remote)) => word(remote),
            Some(Err(_)) => "<REMOTE>".to_owned(),
        };
        // On a detached HEAD, `HEAD` alone does not say which branch the remote shall update.
        match self.branch() {
            None => format!("{remote} HEAD"),
            Some(Ok(branch)) => format!("{remote} {}", word(&format!("HEAD:refs/heads/{branch}"))),
            Some(Err(_)) => format!("{remote} HEAD:refs/heads/<BRANCH>"),
        }
    }

    /// Returns the branch to push to. On a detached HEAD that is at no branch, a patch goes to the branch of its release line.
    fn branch(self) -> Option<Result<String, Vec<String>>> {
        let line = self.choice.version.semantic();
        let is_patch = line.patch > 0;
        Some(match &self.destination?.branch {
            Err(here) if here.is_empty() && is_patch => {
                Ok(format!("release-{}.{}", line.major, line.minor))
            }
            branch => branch.clone(),
        })
    }

    /// Returns what a person has to choose, and what was chosen for them.
    pub fn notes(self) -> Vec<String> {
        let Some(destination) = self.destination else {
            return Vec::new();
        };
        let mut notes = Vec::new();
        if let Err(remotes) = &destination.remote {
            notes.push(format!(
                "the repository has several remotes: write one of them for `<REMOTE>` (`{}`), or run `git config remote.pushDefault NAME`",
                remotes.join("`, `")
            ));
        }
        match (&destination.branch, self.branch()) {
            (Err(_), Some(Ok(line))) => notes.push(format!(
                "HEAD is detached, so the commit is pushed to the branch of its release line, `{line}`"
            )),
            (Err(here), _) if here.is_empty() => notes.push(
                "HEAD is detached, and no branch of a remote is at this commit: write the branch that is to have the release for `<BRANCH>`, or run `git switch BRANCH` and release there"
                    .to_owned(),
            ),
            (Err(here), _) => notes.push(format!(
                "HEAD is detached, and several branches are at this commit: write one of them for `<BRANCH>` (`{}`)",
                here.join("`, `")
            )),
            (Ok(_), _) => {}
        }
        notes
    }
}

/// Formats the steps for people.
pub fn format_steps(steps: &[String]) -> String {
    format!("next steps:\n  {}", steps.join("\n  "))
}

/// Formats the steps to record for a release that is interrupted.
pub fn interrupted(steps: &[String], version: &BundleVersion, request: &Request) -> String {
    let output = request.archive.as_ref();
    let archive = output.map(|output| archive(version, output));
    let steps: Vec<String> = steps.iter().cloned().chain(archive).collect();
    format_steps(&steps)
}

/// The command that packs the bundle once it is written.
pub fn archive(version: &BundleVersion, output: &Path) -> String {
    let program = program::current();
    format!("{program} archive {version} --output {}", output.display())
}
