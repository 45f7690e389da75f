//! `explain-warning KIND VERSION`: prints the warning that users of a deprecated version will read, without a server.

use super::{Outcome, root, say};
use crd_channels_diagnostics::{Sink, Sources, nearest};
use crd_channels_files::Disk;
use crd_channels_generator::pipeline;
use crd_channels_projection::channel::warning;
use std::collections::BTreeSet;

/// Runs the command in the current folder's workspace.
#[must_use]
pub fn run(kind: &str, version: &str) -> Outcome {
    let sources = Sources::default();
    let mut sink = Sink::default();
    let channels = project(&sources, &mut sink);
    if sink.has_errors() {
        let findings = sink.into_diagnostics();
        say(&findings, &sources);
        return Outcome::of_failed(&findings);
    }
    let mut names = BTreeSet::new();
    let mut is_known = false;
    for channel in &channels {
        for crd in &channel.crds {
            for found in &crd.versions {
                names.insert(format!("{} {}", crd.names.kind, found.name));
                if *crd.names.kind == *kind && *found.name == *version {
                    is_known = true;
                    let text = warning::deprecation_warning(crd, version);
                    println!(
                        "{}: {}",
                        channel.channel,
                        text.as_deref().unwrap_or("no warning")
                    );
                }
            }
        }
    }
    if is_known {
        return Outcome::Clean;
    }
    error!("no channel has `{kind} {version}`");
    match nearest(
        &format!("{kind} {version}"),
        names.iter().map(String::as_str),
    ) {
        Some(near) => help!("did you mean `{near}`?"),
        None => help!("available: {}", Vec::from_iter(names).join(", ")),
    }
    Outcome::CouldNotRun
}

fn project(sources: &Sources, sink: &mut Sink) -> Vec<pipeline::Projected> {
    let Some(root) = root(sink) else {
        return Vec::new();
    };
    let Some(setup) = pipeline::setup(&root, &Disk, sources, sink) else {
        return Vec::new();
    };
    let kinds = pipeline::read_kinds(&setup, &Disk, sources, sink);
    pipeline::project(&setup, &kinds, sink)
}
