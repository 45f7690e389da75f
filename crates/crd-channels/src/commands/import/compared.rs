//! Generates the CRDs of the imported types, and compares them with those that they were made of.

use super::Channel;
use crate::commands::Outcome;
use crate::commands::init::differences;
use crd_channels_compat::Published;
use crd_channels_diagnostics::report::counted;
use crd_channels_diagnostics::{Severity, Sink, Sources, shell};
use crd_channels_files::{Disk, shown_path};
use crd_channels_generator::pipeline;
use std::collections::BTreeMap;
use std::path::{self, Path};

/// Reports every difference.
pub(super) fn compare(
    root: &Path,
    channels: &[Channel],
    sources: &Sources,
    sink: &mut Sink,
) -> Outcome {
    let mut own = Sink::default();
    let setup = pipeline::setup_as(root, &[], &Disk, sources, &mut own);
    let Some(setup) = setup else {
        for finding in own.into_diagnostics() {
            sink.push(finding.with_help(again(root, channels)));
        }
        return Outcome::Findings;
    };
    let kinds = pipeline::read_kinds(&setup, &Disk, sources, &mut own);
    let projected = pipeline::project(&setup, &kinds, &mut own);
    let mut outcome = Outcome::Clean;
    for finding in own.into_diagnostics() {
        if finding.severity() == Severity::Error {
            outcome = Outcome::Findings;
            sink.push(finding);
        }
    }
    for channel in channels {
        let generated = projected
            .iter()
            .filter(|projected| projected.channel == channel.name);
        let generated = generated.flat_map(|projected| &projected.crds);
        let mut generated: BTreeMap<String, Published> = generated
            .map(|crd| (crd.name(), Published::new(crd.clone())))
            .collect();
        let mut found = Vec::new();
        for crd in &channel.crds {
            let name = crd["metadata"]["name"].as_str().unwrap_or_default();
            let new = generated.remove(name);
            match (Published::read(crd), new) {
                (Ok(Some(old)), Some(new)) => {
                    let here = differences::differences(&old, &new).into_iter();
                    found.extend(
                        here.map(|it| {
                            format!("{name} {} {}: {}", it.version, it.path, it.what.text)
                        }),
                    );
                }
                (Ok(_), None) => found.push(format!("{name}: the types have no such kind")),
                (Err(why), _) => found.push(format!("{name}: {why}")),
                (Ok(None), Some(_)) => found.push(format!("{name} is no CRD")),
            }
        }
        found.extend(
            generated
                .into_keys()
                .map(|name| format!("{name}: it is in no CRD that was imported")),
        );
        let count = counted(channel.crds.len(), "CRD");
        match found.len() {
            0 => println!(
                "{}: {count}, and `gen-crds` makes the same again",
                channel.name
            ),
            _ => {
                println!(
                    "{}: {count}; `gen-crds` makes {}",
                    channel.name,
                    counted(found.len(), "difference")
                );
                found.iter().for_each(|line| println!("  {line}"));
                outcome = Outcome::Findings;
            }
        }
    }
    outcome
}

/// What to do once cargo can read the package, which is written.
fn again(root: &Path, channels: &[Channel]) -> String {
    let paths = channels.first().map(|channel| channel.paths.as_slice());
    let paths = paths.unwrap_or_default().iter();
    // Standard input cannot be read again.
    let files = paths.filter(|path| path.as_os_str() != "-");
    let files = files.map(|path| path::absolute(path).unwrap_or_else(|_| path.clone()));
    let options: Vec<String> = files
        .map(|path| format!("--compare {}", shell::word(&path.display().to_string())))
        .collect();
    let options = match &*options {
        [] => "--compare FILE".to_owned(),
        options => options.join(" "),
    };
    let folder = shown_path(root);
    format!(
        "the types are written, but not compared: let `cargo metadata` run in `{folder}`, and there run `crd-channels init {options}`"
    )
}
