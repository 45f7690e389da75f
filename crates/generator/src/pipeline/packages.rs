//! Which packages' types are read.

use crate::channel::config::Config;
use crate::diag::{Code, Diagnostic, Sink, nearest};
use crate::files::{DEEPEST_FOLDER, Read};
use crate::workspace::{PackageId, Workspace};
use std::ops::ControlFlow;
use std::path::Path;

/// The configured packages, else every member whose sources mention the derive.
pub fn chosen(
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

/// Whether any source file in the folder or below names the derive.
fn mentions_kinds(folder: &Path, files: &dyn Read) -> bool {
    let found = visit(folder, files, &mut |path, is_file| {
        if is_file && names_the_derive(path, files) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    found.is_break()
}

/// Whether a source file names the derive. Cheaper than reading the package, and never wrong to say yes.
pub fn names_the_derive(path: &Path, files: &dyn Read) -> bool {
    const DERIVE: &[u8] = b"CustomResource";
    let goes_on = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let mentions = |bytes: Vec<u8>| {
        let mut places = bytes.windows(DERIVE.len()).enumerate();
        places.any(|(place, window)| {
            window == DERIVE && !bytes.get(place + DERIVE.len()).is_some_and(goes_on)
        })
    };
    path.extension().is_some_and(|extension| extension == "rs")
        && files.read(path).is_ok_and(mentions)
}

/// Shows everything below a folder, with whether it is a file, until it is told to stop. Build output and hidden folders
/// are left out.
pub fn visit(
    folder: &Path,
    files: &dyn Read,
    show: &mut dyn FnMut(&Path, bool) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let is_skipped = |path: &Path| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name == "target" || name.starts_with('.'))
    };
    let mut open = vec![(folder.to_path_buf(), 0)];
    while let Some((folder, depth)) = open.pop() {
        for path in files.list(&folder).unwrap_or_default() {
            let is_file = files.is_file(&path);
            if is_file || !is_skipped(&path) {
                show(&path, is_file)?;
            }
            if !is_file && !is_skipped(&path) && depth < DEEPEST_FOLDER {
                open.push((path, depth + 1));
            }
        }
    }
    ControlFlow::Continue(())
}
