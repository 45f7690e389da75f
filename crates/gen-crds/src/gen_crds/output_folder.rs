//! The folder of the generated files, and the plan that writes them.

use super::Request;
use crd_channels_files::Plan;
use crd_channels_generator::pipeline::Setup;
use crd_channels_projection::bundle::layout;
use crd_channels_projection::channel::config::Channel;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The name of the written files in messages about an interrupted run.
pub const CRDS: &str = "the generated files";

/// The folder of the generated files. The configured folder is part of the workspace, so paths are relative to the workspace;
/// any other folder is a tree of its own.
pub struct OutputFolder {
    /// The folder that the paths of files are relative to.
    base: PathBuf,
    /// The output folder below the base.
    folder: PathBuf,
}

impl OutputFolder {
    /// The configured folder.
    pub fn configured(setup: &Setup, root: &Path) -> Self {
        Self {
            base: root.to_path_buf(),
            folder: PathBuf::from(&*setup.config.bundle.output),
        }
    }

    /// The folder of the arguments, relative to the current folder; without one the configured folder.
    pub fn requested(request: &Request, here: &Path, setup: &Setup, root: &Path) -> Self {
        match &request.output {
            Some(given) => Self {
                base: here.join(given),
                folder: PathBuf::new(),
            },
            None => Self::configured(setup, root),
        }
    }

    /// The path of the folder.
    pub fn path(&self) -> PathBuf {
        self.base.join(&self.folder)
    }

    /// Returns the path of one of its files from the base, with `/`.
    pub fn path_in_base(&self, path: &str) -> String {
        let folder: Vec<&str> = self.folder.iter().filter_map(|it| it.to_str()).collect();
        if folder.is_empty() {
            path.to_owned()
        } else {
            format!("{}/{path}", folder.join("/"))
        }
    }

    /// Returns the texts by their paths from the base.
    pub fn texts_in_base(&self, texts: BTreeMap<String, String>) -> BTreeMap<String, String> {
        let texts = texts.into_iter();
        texts
            .map(|(path, text)| (self.path_in_base(&path), text))
            .collect()
    }

    /// Returns the plan that writes files, by path from the base, and removes stale generated ones from the folders of channels.
    pub fn plan(&self, channels: &[&Channel], files: BTreeMap<String, String>) -> Plan {
        let owned = channels
            .iter()
            .map(|channel| self.path_in_base(&channel.name))
            .collect();
        Plan::new(CRDS, self.base.clone(), files, owned).recognising(layout::is_generated)
    }
}
