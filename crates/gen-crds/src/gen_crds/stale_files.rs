//! Finds the generated files that differ from the types, for other commands.

use super::output_folder::OutputFolder;
use crd_channels_diagnostics::{Sink, Sources};
use crd_channels_files::{Change, Disk};
use crd_channels_generator::pipeline::build::{self, Order};
use crd_channels_generator::pipeline::{Setup, publish};
use std::path::Path;
use std::time::SystemTime;

/// Returns the generated files that differ from the types. `None`, with an error in `sink`, if types cannot be read.
#[must_use]
pub fn stale_files(
    root: &Path,
    setup: &Setup,
    sources: &Sources,
    sink: &mut Sink,
) -> Option<Vec<Change>> {
    let channels = publish::channels(setup, &[], sink)?;
    let output = OutputFolder::configured(setup, root);
    let order = Order {
        setup,
        channels: &channels,
        measure: false,
        // No memory is kept.
        key: 0,
        began: SystemTime::now(),
    };
    let mut built = build::build_all(order, sources, sink);
    if sink.has_errors() {
        return None;
    }
    let mut files = output.texts_in_base(built.take_texts(&channels));
    files.extend(built.constants.take());
    match output.plan(&channels, files).compare(&Disk) {
        Ok(changes) => Some(changes),
        Err(finding) => {
            sink.push(*finding);
            None
        }
    }
}
