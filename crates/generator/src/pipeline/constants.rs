//! The Rust file with the bundle's names: its path and its text.

use crd_channels_diagnostics::{Code, Diagnostic, Sink};
use crd_channels_files::Read;
use crd_channels_projection::bundle::constants;
use crd_channels_projection::channel::config::{Bundle, Config};
use crd_channels_projection::channel::{Stamp, Words};
use std::io;
use std::path::{Path, PathBuf};

/// Returns the file's path below the workspace and its text, if it is configured.
#[must_use]
pub fn file(config: &Config, stamp: &Stamp, kinds: &[Words]) -> Option<(String, String)> {
    let path = config.bundle.constants.as_ref()?;
    let text = constants::constants_file(config, stamp, kinds);
    Some((path.value.to_string(), text))
}

/// Reports an existing file at its path that this tool has not written.
pub(super) fn guard(bundle: &Bundle, root: &Path, files: &dyn Read, sink: &mut Sink) {
    let Some(path) = &bundle.constants else {
        return;
    };
    let Ok(bytes) = files.read(&root.join(&*path.value)) else {
        return;
    };
    if !std::str::from_utf8(&bytes).is_ok_and(constants::is_ours) {
        let message = format!("`{}` was not written by `gen-crds`", path.value);
        let finding = Diagnostic::new(Code::ConfigInvalid, path.span, message);
        sink.push(finding.with_help("choose another file, or empty this one"));
    }
}

/// Files including the constants file: a `mod` item may name it before it is written.
pub(super) struct WithConstants<'a> {
    below: &'a dyn Read,
    path: Option<PathBuf>,
}

impl<'a> WithConstants<'a> {
    pub(super) fn new(bundle: &Bundle, root: &Path, below: &'a dyn Read) -> Self {
        let constants = bundle.constants.as_ref();
        let path = constants.map(|path| root.join(&*path.value));
        Self {
            below,
            path: path.filter(|path| !below.is_file(path)),
        }
    }

    fn is_missing(&self, path: &Path) -> bool {
        self.path.as_deref() == Some(path)
    }
}

impl Read for WithConstants<'_> {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        match self.is_missing(path) {
            true => Ok(Vec::new()),
            false => self.below.read(path),
        }
    }

    fn is_file(&self, path: &Path) -> bool {
        self.is_missing(path) || self.below.is_file(path)
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        match self.is_missing(path) {
            true => Ok(path.to_path_buf()),
            false => self.below.canonical(path),
        }
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        self.below.list(folder)
    }
}
