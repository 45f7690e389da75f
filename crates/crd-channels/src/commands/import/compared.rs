//! Generates the CRDs of the imported types, and compares them with those that they were made of.

use super::{Channel, comparing};
use crate::commands::Outcome;
use crate::commands::init::differences;
use crd_channels_compat::Published;
use crd_channels_diagnostics::report::counted;
use crd_channels_diagnostics::{Severity, Sink, Sources};
use crd_channels_files::Disk;
use crd_channels_generator::pipeline;
use std::collections::BTreeMap;
use std::path::Path;

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
        own.into_diagnostics()
            .into_iter()
            .for_each(|finding| sink.push(finding));
        help!(
            "the types are written, but not compared with the CRDs: {}",
            again(channels)
        );
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

/// The line to run once the workspace can be read.
fn again(channels: &[Channel]) -> String {
    let paths = channels.first().map(|channel| channel.paths.as_slice());
    format!("run `{}`", comparing(paths.unwrap_or_default()))
}
