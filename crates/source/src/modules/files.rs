//! The names of module files in messages, and the diagnostics about unreadable ones.

use super::{Module, Origin};
use crate::graph::Graph;
use crd_channels_diagnostics::{Code, Diagnostic, FileId, Span, Text};
use crd_channels_syntax::includes::paths::Naming;
use crd_channels_workspace::Package;
use std::io;
use std::path;

impl Graph<'_> {
    /// The diagnostic about a file that cannot be read.
    pub(crate) fn unreadable(
        &self,
        module: &Module,
        package: &Package,
        file: &path::Path,
        error: &io::Error,
    ) -> Diagnostic {
        let span = match &module.origin {
            Origin::File(def, _) => Some(def.span),
            Origin::Root(_) | Origin::Inline | Origin::Body => None,
        };
        let gone = module.parent.is_none()
            && error.kind() == io::ErrorKind::NotFound
            && !self.files.is_file(&package.root.join("Cargo.toml"))
            && !self
                .crates
                .get(module.crate_id.0 as usize)
                .is_some_and(|info| self.is_walked(info.package));
        if gone {
            let (name, version) = (&package.name, &package.version);
            return Diagnostic::new(
                Code::DependencyMissing,
                None,
                format!("the source of `{name}` {version} is not on this machine"),
            )
            .with_help("run `cargo fetch`");
        }
        let shown = self.display_path(module, file);
        let reason = match error.kind() {
            io::ErrorKind::NotFound => "the file does not exist".to_owned(),
            _ => error.to_string(),
        };
        Diagnostic::new(
            Code::UnreadableFile,
            span,
            format!("`{shown}` cannot be read: {reason}"),
        )
        .with_help("make the `mod` item or the manifest name a readable file")
    }

    /// A file's name in messages.
    pub(crate) fn display_path(&self, module: &Module, file: &path::Path) -> Text {
        self.naming(module).display_path(file)
    }

    /// The names of the files of a module's package.
    pub(crate) fn naming(&self, module: &Module) -> Naming<'_> {
        let info = self.crates.get(module.crate_id.0 as usize);
        Naming {
            package: self.package(module),
            root: &self.workspace.root,
            is_member: info.is_some_and(|info| self.workspace.members.contains(&info.package)),
        }
    }
}

/// The diagnostic about a file that is not UTF-8, with the offset of the first invalid byte.
pub(crate) fn not_utf8(file: FileId, at: usize) -> Diagnostic {
    let start = u32::try_from(at).unwrap_or(u32::MAX);
    // The invalid byte is shown as U+FFFD, which takes three bytes.
    let place = Span {
        file,
        start,
        end: start.saturating_add(3),
    };
    Diagnostic::new(
        Code::NotUtf8,
        place,
        format!("the file is not valid UTF-8: invalid byte at {at}"),
    )
    .with_help("convert the file to UTF-8")
}
