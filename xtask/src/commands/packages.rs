//! Which packages' types are read.

use crate::channel::config::Config;
use crate::diag::{Code, Diagnostic, Sink, nearest};
use crate::files::Read;
use crate::workspace::{PackageId, Workspace};
use std::path::Path;

/// Links may lead folders back into themselves.
const DEEPEST_FOLDER: usize = 24;

/// The configured packages, else every member whose sources mention the derive.
pub fn packages(
    workspace: &Workspace,
    config: &Config,
    files: &dyn Read,
    sink: &mut Sink,
) -> Vec<PackageId> {
    let configured = &config.bundle.packages;
    if configured.is_empty() {
        let mentions = |id: &PackageId| {
            workspace.package(*id).is_some_and(|package| {
                let folders = package
                    .targets
                    .iter()
                    .filter_map(|target| target.root.parent());
                folders
                    .into_iter()
                    .any(|folder| mentions_kinds(folder, files))
            })
        };
        return workspace.members.iter().copied().filter(mentions).collect();
    }
    let mut found = Vec::new();
    for name in configured {
        match workspace.member(&name.value) {
            Some(id) => found.push(id),
            None => {
                let names = || {
                    workspace
                        .members
                        .iter()
                        .filter_map(|id| Some(workspace.package(*id)?.name.as_str()))
                };
                let help = match nearest(&name.value, names()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("members: {}", names().collect::<Vec<_>>().join(", ")),
                };
                let message = format!("package `{}` is no member of the workspace", name.value);
                sink.push(
                    Diagnostic::new(Code::PackageNotFound, name.span, message).with_help(help),
                );
            }
        }
    }
    found
}

/// Whether any source file in the folder or below names the derive. Cheaper than reading the package, and never wrong to
/// say yes.
fn mentions_kinds(folder: &Path, files: &dyn Read) -> bool {
    const DERIVE: &[u8] = b"CustomResource";
    any_file(folder, files, 0, &mut |path| {
        let source = path.extension().is_some_and(|extension| extension == "rs");
        source
            && files
                .read(path)
                .is_ok_and(|bytes| bytes.windows(DERIVE.len()).any(|window| window == DERIVE))
    })
}

/// Whether any file in a folder or below is as asked. Build output and hidden folders are not looked into.
pub fn any_file(
    folder: &Path,
    files: &dyn Read,
    depth: usize,
    asked: &mut dyn FnMut(&Path) -> bool,
) -> bool {
    let is_skipped = |path: &Path| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name == "target" || name.starts_with('.'))
    };
    let entries = files.list(folder).unwrap_or_default();
    entries.iter().any(|path| {
        if files.is_file(path) {
            return asked(path);
        }
        depth < DEEPEST_FOLDER && !is_skipped(path) && any_file(path, files, depth + 1, asked)
    })
}
