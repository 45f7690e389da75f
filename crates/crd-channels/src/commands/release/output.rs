//! The plan for the files of a workspace that are generated from its types.

use super::channel_crds::generated_files;
use crate::release::contents::Crds;
use crd_channels_files::Plan;
use crd_channels_generator::pipeline::{Setup, constants};
use crd_channels_projection::bundle::layout;
use crd_channels_projection::channel::{self, Kind, Stamp, Words};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The place of generated files.
pub struct Output<'a> {
    /// The workspace.
    pub root: &'a Path,
    /// The configuration.
    pub setup: &'a Setup,
}

impl Output<'_> {
    /// Returns the generated files of all channels, by path below the workspace.
    pub fn generated(&self, crds: &[Crds]) -> BTreeMap<String, String> {
        let folder = &self.setup.config.bundle.output;
        let files = generated_files(crds).into_iter();
        let files = files.map(|(path, text)| (format!("{folder}/{path}"), text));
        files.collect()
    }

    /// The same, including the file of constants.
    pub fn with_constants(
        &self,
        crds: &[Crds],
        kinds: &[Kind],
        stamp: &Stamp,
    ) -> BTreeMap<String, String> {
        let words: Vec<Words> = kinds.iter().map(channel::words).collect();
        let mut files = self.generated(crds);
        files.extend(constants::file(&self.setup.config, stamp, &words));
        files
    }

    /// Returns a plan that writes `files`, described by `what`. The plan only removes generated files, never files beside them.
    pub fn plan(&self, what: impl Into<String>, files: BTreeMap<String, String>) -> Plan {
        let bundle = &self.setup.config.bundle;
        let channels = self.setup.config.channels.iter();
        let owned = channels.map(|channel| format!("{}/{}", bundle.output, channel.name));
        Plan::new(what, PathBuf::from(self.root), files, owned.collect())
            .recognising(layout::is_generated)
    }
}
