//! The steps that a person takes after a release, one command each.

use super::Request;
use crate::release::version_choice::Choice;
use crd_channels_diagnostics::program;
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_projection::channel::config::FOLDER;
use std::path::Path;

/// Returns the steps in order. `tag` is the bundle's tag unless it is taken; `published` are the packages to publish to a
/// registry.
pub fn steps(choice: &Choice, tag: Option<&str>, published: &[String]) -> Vec<String> {
    let version = &choice.version;
    let mut steps = vec![
        format!("read {FOLDER}/CHANGELOG.md"),
        format!("git add --all && git commit --message 'Release {version}'"),
    ];
    if choice.tree == *version {
        let tag = tag.unwrap_or("<TAG>");
        steps.push(format!("git tag {tag}"));
        steps.push(format!("git push origin HEAD {tag}"));
        let packages = published.iter();
        steps.extend(packages.map(|package| format!("cargo publish --package {package}")));
        steps.push(format!("{} start-next", program::current()));
    } else {
        // The tree has another version, so a tag would be wrong.
        steps.push("git push origin HEAD".to_owned());
    }
    steps
}

/// Formats the steps for people.
pub fn text(steps: &[String]) -> String {
    format!("next steps:\n  {}", steps.join("\n  "))
}

/// Formats the steps to record for a release that is interrupted.
pub fn interrupted(steps: &[String], version: &BundleVersion, request: &Request) -> String {
    let output = request.archive.as_ref();
    let archive = output.map(|output| archive(version, output));
    let steps: Vec<String> = steps.iter().cloned().chain(archive).collect();
    text(&steps)
}

/// The command that packs the bundle once it is written.
pub fn archive(version: &BundleVersion, output: &Path) -> String {
    let program = program::current();
    format!("{program} archive {version} --output {}", output.display())
}
