//! The record of a proof: a file that a release compares with the types.

use super::super::Converter;
use super::super::kept::annotation;
use super::{Failure, Tried, tried};
use crd_channels_validation::proof::{Claim, LEAST, Proof, Run, digest, of_versions};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use std::fs;
use std::path::Path;

/// The variable of the environment that asks for a record.
const RECORD: &str = "RECORD_PROOFS";

/// Does what [`check`](super::check) does, and compares the types and the conversion with the record in the folder, a file that
/// is called after the CRD. The folder is `channels/proofs` of the workspace; paths begin at the package of the test. With
/// `RECORD_PROOFS=1` in the environment, the record is written.
///
/// # Errors
/// Those of [`check`](super::check); or there is no record of these types and this conversion.
pub fn prove(
    converter: &Converter,
    crd: &CustomResourceDefinition,
    objects_of_each: u32,
    folder: impl AsRef<Path>,
) -> Result<(), Failure> {
    let Tried { objects, edits } = tried(converter, crd, objects_of_each)?;
    let claim = claim(converter, crd)?;
    let path = folder.as_ref().join(Proof::file(&claim.crd));
    let stale = match fs::read_to_string(&path) {
        Ok(text) => match Proof::parse(&text) {
            Ok(recorded) if recorded.claim == claim && recorded.run.objects >= LEAST => {
                return Ok(());
            }
            Ok(recorded) => since(&recorded.claim, &claim),
            Err(why) => format!("the record {why}"),
        },
        Err(_) => "there is no record".to_owned(),
    };
    let shown = path.display();
    let command = command();
    if std::env::var_os(RECORD).is_none_or(|value| value.is_empty() || value == "0") {
        return Err(Failure::Unrecorded(format!(
            "`{shown}`: {stale}; run `{RECORD}=1 {command}` and commit the file"
        )));
    }
    if objects < LEAST {
        return Err(Failure::Unrecorded(format!(
            "a proof takes {LEAST} objects that keep the rules of the schema, for each pair of versions, and {objects} of {objects_of_each} do; draw more"
        )));
    }
    let run = Run {
        objects,
        edits,
        command,
    };
    let written = folder.as_ref().parent().map_or(Ok(()), |parent| {
        // Only the last folder is made: a wrong path makes none.
        let parent = match parent.as_os_str().is_empty() {
            true => Path::new("."),
            false => parent,
        };
        fs::metadata(parent).and_then(|_| fs::create_dir_all(folder.as_ref()))
    });
    let written = written.and_then(|()| fs::write(&path, Proof::new(claim, run).to_text()));
    written.map_err(|error| Failure::Unrecorded(format!("`{shown}` cannot be written: {error}")))
}

fn claim(converter: &Converter, crd: &CustomResourceDefinition) -> Result<Claim, Failure> {
    let name = &crd.spec.names.kind;
    let kind = converter.kind(&crd.spec.group, name);
    let kind = kind.ok_or_else(|| Failure::NotConverted(format!("kind `{name}`")))?;
    let document = serde_json::to_value(crd);
    let document = document.map_err(|error| Failure::Unrecorded(error.to_string()))?;
    Ok(Claim {
        crd: format!("{}.{}", crd.spec.names.plural, crd.spec.group),
        hub: kind.versions().next().unwrap_or_default().to_owned(),
        versions: of_versions(&document),
        conversion: digest(kind.outline().as_bytes()),
        annotations: annotation::FORMAT,
    })
}

/// What has changed since a proof was recorded.
fn since(was: &Claim, is: &Claim) -> String {
    let changed = is
        .versions
        .iter()
        .find(|(version, digest)| was.versions.get(*version) != Some(*digest));
    match changed {
        _ if was.crd != is.crd => format!("the record is of `{}`", was.crd),
        Some((version, _)) => format!("the types of `{version}` changed since it was recorded"),
        None if was.versions != is.versions => "it is of more versions than there are".to_owned(),
        None if was.conversion != is.conversion || was.hub != is.hub => {
            "the conversion changed since it was recorded".to_owned()
        }
        None if was.annotations != is.annotations => {
            "the runtime writes other annotations than it did".to_owned()
        }
        None => format!("it has fewer than {LEAST} objects"),
    }
}

/// The command that runs the test of this thread.
fn command() -> String {
    let mut command = "cargo test".to_owned();
    if let Ok(package) = std::env::var("CARGO_PKG_NAME") {
        command.push_str(" --package ");
        command.push_str(&package);
    }
    // A test that is alone runs in the main thread.
    if let Some(test) = std::thread::current().name().filter(|name| *name != "main") {
        command.push(' ');
        command.push_str(test);
    }
    command
}
