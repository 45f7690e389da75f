//! Paths of files: whether they exist, and their names in messages.

use crd_channels_diagnostics::Text;
use crd_channels_files::{Read, slashed};
use crd_channels_workspace::Package;
use std::path::{Component, Path, PathBuf};

/// The names of a package's files in messages.
#[derive(Clone, Copy)]
pub struct Naming<'a> {
    /// The package.
    pub package: Option<&'a Package>,
    /// The folder of the workspace.
    pub root: &'a Path,
    /// Whether the package is a member of the workspace.
    pub is_member: bool,
}

impl Naming<'_> {
    /// A file's name: relative to the workspace; `name-version/path` for dependencies.
    pub fn display_path(&self, file: &Path) -> Text {
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

/// The path as given if the file exists, else without `..`, since some sources of files have no folders.
pub fn existing(files: &dyn Read, path: PathBuf) -> Result<PathBuf, PathBuf> {
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
