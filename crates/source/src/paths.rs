//! Paths of files: which of them exist, and what messages call them.

use crd_channels_diagnostics::Text;
use crd_channels_files::{Read, slashed};
use crd_channels_workspace::Package;
use std::path::{Component, Path, PathBuf};

/// What messages call the files of a package.
#[derive(Clone, Copy)]
pub(super) struct Naming<'a> {
    /// The package.
    pub(super) package: Option<&'a Package>,
    /// The folder of the workspace.
    pub(super) root: &'a Path,
    /// Whether the package is a member of the workspace.
    pub(super) is_member: bool,
}

impl Naming<'_> {
    /// A file's name: relative to the workspace, for dependencies `name-version/path`.
    pub(super) fn display_path(&self, file: &Path) -> Text {
        let inside = |folder: &Path| Some(slashed(file.strip_prefix(folder).ok()?));
        let in_package = || {
            let package = self.package?;
            let path = inside(&package.root)?;
            Some(format!("{}-{}/{path}", package.name, package.version))
        };
        let in_workspace = || inside(self.root);
        let shown = if self.is_member {
            in_workspace().or_else(in_package)
        } else {
            in_package().or_else(in_workspace)
        };
        let name = || {
            file.file_name()
                .map(|name| name.to_string_lossy().into_owned())
        };
        shown.or_else(name).map(Text::from).unwrap_or_default()
    }
}

/// The file as it is called, else without the `..`s in its name: not every source of files knows folders.
pub(super) fn existing(files: &dyn Read, path: PathBuf) -> Result<PathBuf, PathBuf> {
    if files.is_file(&path) {
        return Ok(path);
    }
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    if files.is_file(&plain) {
        Ok(plain)
    } else {
        Err(plain)
    }
}
