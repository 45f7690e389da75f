//! `verify-release`: whether released bundles are what was released.

mod source;
mod meaning;

use super::{Outcome, gen_crds};
use crate::bundle::version::BundleVersion;
use crate::channel::config::FOLDER;
use crate::diag::report::Format;
use crate::diag::{Code, Diagnostic, Sink};
use crate::files::{Disk, Sources};
use crate::release::history::History;
use crate::released::folder::Verified;
use crate::released::signature::Key;
use crate::workspace;

/// What was asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Request<'a> {
    /// This bundle and those that it follows; all without it.
    pub version: Option<&'a str>,
    /// The revision that the bundle was made from.
    pub source: Option<&'a str>,
    /// The public key that it has to be signed with.
    pub key: Option<&'a str>,
}

/// Verifies the bundles of the current folder's workspace.
#[must_use]
pub fn run(request: Request<'_>) -> Outcome {
    let ended = verified(request.version).and_then(|history| {
        if let Some(revision) = request.source {
            made_from(&history, request.version, revision)?;
        }
        if let Some(key) = request.key {
            signed(&history, request.version, key)?;
        }
        Ok(history)
    });
    match ended {
        Ok(history) => {
            if let Some(revision) = request.source {
                let bundle = named(&history, request.version);
                println!("{}", made_the_same(bundle, revision));
            }
            if request.key.is_some() {
                println!("signed with the key");
            }
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

fn named<'h>(history: &'h History, version: Option<&str>) -> Option<&'h Verified> {
    let version: BundleVersion = version?.parse().ok()?;
    history.bundles.get(&version)
}

/// What it means that a bundle could be made again.
fn made_the_same(bundle: Option<&Verified>, revision: &str) -> String {
    let Some(bundle) = bundle.filter(|bundle| !source::is_of_this_tool(bundle)) else {
        return format!("git:{revision} makes the same");
    };
    eprintln!(
        "note: {} was made by version {} of the tool and this is {}: CRDs and components are compared in meaning, policies and the chart's templates are not compared",
        bundle.manifest.version,
        bundle.manifest.tool,
        env!("CARGO_PKG_VERSION")
    );
    format!("git:{revision} makes what means the same")
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
    let tampered = |findings: Vec<Diagnostic>| {
        let outcome = Outcome::of(&findings);
        (findings, outcome)
    };
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

/// Checks the signature of the bundle that was named, else of each.
fn signed(
    history: &History,
    version: Option<&str>,
    key: &str,
) -> Result<(), (Vec<Diagnostic>, Outcome)> {
    let here = std::env::current_dir().unwrap_or_default();
    let key =
        Key::given(key, &here, &Disk).map_err(|finding| (vec![*finding], Outcome::CouldNotRun))?;
    let folder = workspace::find_root(&here).unwrap_or(here).join(FOLDER);
    let named = named(history, version);
    let all = history.bundles.values();
    let bundles = all.filter(|bundle| named.is_none_or(|named| named == *bundle));
    let unsigned = bundles.filter_map(|bundle| {
        let folder = folder.join(bundle.manifest.version.to_string());
        key.check(bundle, &folder, &Disk).err()
    });
    let unsigned: Vec<Diagnostic> = unsigned.map(|finding| *finding).collect();
    match unsigned.is_empty() {
        true => Ok(()),
        false => Err((unsigned, Outcome::Findings)),
    }
}

/// Makes one bundle again from a revision and compares.
fn made_from(
    history: &History,
    version: Option<&str>,
    revision: &str,
) -> Result<(), (Vec<Diagnostic>, Outcome)> {
    let bundle = named(history, version);
    let here = std::env::current_dir().unwrap_or_default();
    let root = workspace::find_root(&here).unwrap_or(here);
    let (sources, mut sink) = (Sources::default(), Sink::default());
    if let Some(bundle) = bundle {
        source::verify(bundle, &root, revision, &sources, &mut sink);
    }
    if sink.has_errors() {
        let findings = sink.into_diagnostics();
        let differs = findings
            .iter()
            .any(|finding| finding.code == Code::BundleTampered);
        gen_crds::say(&findings, &sources, Format::Human);
        let outcome = if differs {
            Outcome::Findings
        } else {
            Outcome::CouldNotRun
        };
        return Err((Vec::new(), outcome));
    }
    Ok(())
}
