//! `verify-release`: whether released bundles are what was released.

use super::{Outcome, gen_crds};
use crate::bundle::version::BundleVersion;
use crate::channel::config::FOLDER;
use crate::diag::report::Format;
use crate::diag::{Code, Diagnostic};
use crate::files::{Disk, Sources};
use crate::release::history::History;
use crate::workspace;

/// Verifies the bundles of the current folder's workspace: one and those that it follows, or all of them.
#[must_use]
pub fn run(version: Option<&str>) -> Outcome {
    match verified(version) {
        Ok(history) => {
            for (version, bundle) in &history.bundles {
                let files = bundle.files.len();
                let after = match &bundle.manifest.baseline {
                    Some(baseline) => format!("follows {}", baseline.version),
                    None => "the first of its chain".to_owned(),
                };
                println!("{version}: {files} files as released, {after}");
            }
            Outcome::Clean
        }
        Err((findings, outcome)) => {
            gen_crds::say(&findings, &Sources::default(), Format::Human);
            outcome
        }
    }
}

fn verified(version: Option<&str>) -> Result<History, (Vec<Diagnostic>, Outcome)> {
    let failed = |message: String, help: &str| {
        let finding = Diagnostic::new(Code::ReleaseVersion, None, message).with_help(help);
        (vec![finding], Outcome::CouldNotRun)
    };
    let here = std::env::current_dir()
        .map_err(|error| failed(error.to_string(), "go to a folder that is there"))?;
    let root = workspace::find_root(&here).unwrap_or(here);
    let folder = root.join(FOLDER);
    let tampered = |findings| (findings, Outcome::Findings);
    let Some(version) = version else {
        return History::read(&folder, &Disk).map_err(tampered);
    };
    let version: BundleVersion = version
        .parse()
        .map_err(|error| failed(error, "name a released bundle"))?;
    if !folder.join(version.to_string()).is_dir() {
        let message = format!("there is no bundle {version} in `{FOLDER}`");
        return Err(failed(message, "name one of its folders, such as v0.1.0"));
    }
    History::chain(&folder, &version, &Disk).map_err(tampered)
}
