//! `verify-release`: checks that released bundles are unchanged.

mod source;
mod meaning;

use super::release::tags::{Tags, history};
use super::{Outcome, say_as};
use crate::release::history::History;
use crd_channels_diagnostics::report::{Format, counted};
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Sources, terminal};
use crd_channels_files::Disk;
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_projection::channel::config::FOLDER;
use crd_channels_released::bundles;
use crd_channels_released::folder::Verified;
use crd_channels_signature::Key;
use crd_channels_workspace as workspace;

/// The arguments of `verify-release`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Request<'a> {
    /// The bundle to verify, with those that it follows; by default all.
    pub version: Option<&'a str>,
    /// The revision that the bundle was made from.
    pub source: Option<&'a str>,
    /// The public key that it must be signed with.
    pub key: Option<&'a str>,
    /// The format of the findings.
    pub format: Format,
}

/// The diagnostics, the texts that they point into, and the outcome.
type Failed = (Vec<Diagnostic>, Sources, Outcome);

/// Verifies the bundles of the current folder's workspace.
#[must_use]
pub fn run(request: Request<'_>) -> Outcome {
    let ended = verified(request.version).and_then(|history| {
        if let Some(revision) = request.source {
            made_from(&history, request, revision)?;
        }
        if let Some(key) = request.key {
            signed(&history, request.version, key)?;
        }
        Ok(history)
    });
    let tell = |line: &str| match request.format.is_for_programs() {
        _ if terminal::is_quiet() => {}
        true => eprintln!("{line}"),
        false => println!("{line}"),
    };
    match ended {
        Ok(history) => {
            if let Some(revision) = request.source {
                let bundle = find_bundle(&history, request.version);
                tell(&made_the_same(bundle, revision));
            }
            if request.key.is_some() && !history.bundles.is_empty() {
                tell("signed with the key");
            }
            for (version, bundle) in &history.bundles {
                let files = counted(bundle.files.len(), "file");
                let after = match &bundle.manifest.baseline {
                    Some(baseline) => format!("follows {}", baseline.version),
                    None => "the first of its chain".to_owned(),
                };
                tell(&format!("{version}: {files} as released, {after}"));
            }
            if history.bundles.is_empty() {
                note!("`{FOLDER}` has no bundles");
            }
            say_as(&[], &Sources::default(), request.format);
            Outcome::Clean
        }
        Err((findings, sources, outcome)) => {
            say_as(&findings, &sources, request.format);
            outcome
        }
    }
}

fn find_bundle<'h>(history: &'h History, version: Option<&str>) -> Option<&'h Verified> {
    let version: BundleVersion = version?.parse().ok()?;
    history.bundles.get(&version)
}

/// Describes the result for a bundle that was generated again.
fn made_the_same(bundle: Option<&Verified>, revision: &str) -> String {
    let Some(bundle) = bundle.filter(|bundle| !source::is_of_this_tool(bundle)) else {
        return format!("git:{revision} generates the same bundle");
    };
    note!(
        "{} was made by version {} of the tool and this is {}: CRDs and components are compared by meaning; policies, `Chart.yaml` and the chart's templates are not compared",
        bundle.manifest.version,
        bundle.manifest.tool,
        env!("CARGO_PKG_VERSION")
    );
    format!("git:{revision} generates an equivalent bundle")
}

fn verified(version: Option<&str>) -> Result<History, Failed> {
    let failed = |message: String, help: &str| {
        let finding = Diagnostic::new(Code::ReleaseVersion, None, message).with_help(help);
        (vec![finding], Sources::default(), Outcome::CouldNotRun)
    };
    let here = std::env::current_dir()
        .map_err(|error| failed(error.to_string(), "change to an existing folder"))?;
    let root = workspace::find_root(&here).unwrap_or(here);
    let folder = root.join(FOLDER);
    let tampered = |findings: Vec<Diagnostic>| {
        let outcome = Outcome::of(&findings);
        (findings, Sources::default(), outcome)
    };
    let Some(version) = version else {
        // Nothing to verify is an error: otherwise a check in the wrong folder would always succeed.
        if !folder.is_dir() {
            let message = format!("there is no folder `{FOLDER}` in `{}`", root.display());
            let finding = Diagnostic::new(Code::ConfigMissing, None, message)
                .with_help("run the command in a project that releases bundles");
            return Err((vec![finding], Sources::default(), Outcome::CouldNotRun));
        }
        return history(&root, None, Tags::discover(&root).ok().as_ref()).map_err(tampered);
    };
    let version: BundleVersion = version
        .parse()
        .map_err(|error| failed(error, "name a released bundle"))?;
    if !folder.join(version.to_string()).is_dir() {
        let message = format!("there is no bundle {version} in `{FOLDER}`");
        let known = bundles::all(&folder, &Disk).into_iter();
        let known: Vec<String> = known.map(|bundle| bundle.version.to_string()).collect();
        let help = match known.is_empty() {
            true => "release one first".to_owned(),
            false => format!("available: {}", known.join(", ")),
        };
        return Err(failed(message, &help));
    }
    history(&root, Some(&version), Tags::discover(&root).ok().as_ref()).map_err(tampered)
}

/// Checks the signature of the named bundle, or of all.
fn signed(history: &History, version: Option<&str>, key: &str) -> Result<(), Failed> {
    let here = std::env::current_dir().unwrap_or_default();
    let failed = |findings, outcome| (findings, Sources::default(), outcome);
    let key = Key::from_argument(key, &here, &Disk)
        .map_err(|finding| failed(vec![*finding], Outcome::CouldNotRun))?;
    let folder = workspace::find_root(&here).unwrap_or(here).join(FOLDER);
    let named = find_bundle(history, version);
    let all = history.bundles.values();
    let bundles = all.filter(|bundle| named.is_none_or(|named| named == *bundle));
    let unsigned = bundles.filter_map(|bundle| {
        let folder = folder.join(bundle.manifest.version.to_string());
        key.check(&bundle.manifest, &folder, &Disk).err()
    });
    let unsigned: Vec<Diagnostic> = unsigned.map(|finding| *finding).collect();
    match unsigned.is_empty() {
        true => Ok(()),
        false => Err(failed(unsigned, Outcome::Findings)),
    }
}

/// Generates one bundle again from a revision and compares.
fn made_from(history: &History, request: Request<'_>, revision: &str) -> Result<(), Failed> {
    let bundle = find_bundle(history, request.version);
    let here = std::env::current_dir().unwrap_or_default();
    let root = workspace::find_root(&here).unwrap_or(here);
    let (sources, mut sink) = (Sources::default(), Sink::default());
    if let Some(bundle) = bundle {
        let subject = source::Subject { bundle, history };
        source::verify(subject, &root, revision, &sources, &mut sink);
    }
    if sink.has_errors() {
        let findings = sink.into_diagnostics();
        let differs = findings
            .iter()
            .any(|finding| finding.code == Code::BundleTampered);
        let outcome = if differs {
            Outcome::Findings
        } else {
            Outcome::CouldNotRun
        };
        return Err((findings, sources, outcome));
    }
    Ok(())
}
