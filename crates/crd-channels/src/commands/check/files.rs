//! The input of `check`: files, the files of folders, standard input.

use crd_channels_files::{DEEPEST_FOLDER, Disk, Read, is_left_out, shown_path, text_of};
use crd_channels_released::documents;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use walkdir::{DirEntry, WalkDir};

/// The level below which links to folders are refused.
const DEEPEST_LINK: usize = DEEPEST_FOLDER;

/// The maximum size of standard input, in bytes. Files may be larger.
const MOST_STDIN: u64 = 1 << 28;

/// The argument for standard input.
const STDIN: &str = "-";

/// A text and the name to show for it.
pub(crate) struct File {
    pub(crate) name: String,
    pub(crate) text: String,
}

/// A file found at a path of the command line.
pub(crate) enum PathTarget {
    /// A text to check.
    File(File),
    /// A template of a Helm chart, which is not YAML until Helm has rendered it.
    Template(String),
}

/// A file that cannot be read, with the reason.
#[derive(Debug)]
pub(crate) struct Unread {
    pub(crate) name: String,
    pub(crate) message: String,
}

/// Reads every file that a path names, those of a folder sorted by name. An error says why a file cannot be read.
pub(crate) fn files_at(path: &Path) -> Vec<Result<PathTarget, Unread>> {
    match files_in(path) {
        Some(Ok(found)) => found.iter().map(|path| read_path(path)).collect(),
        Some(Err(unread)) => vec![Err(unread)],
        None => vec![read_path(path)],
    }
}

/// Lists the files that a path names; `None` for standard input.
pub(crate) fn files_in(path: &Path) -> Option<Result<Vec<PathBuf>, Unread>> {
    if is_stdin(path) {
        return None;
    }
    if !path.is_dir() {
        return Some(Ok(vec![path.to_path_buf()]));
    }
    let name = shown_path(path);
    Some(collect(path).map_err(|message| Unread { name, message }))
}

/// Returns the name of a file or folder in messages.
pub(crate) fn shown(name: &str) -> String {
    match name {
        STDIN => "standard input".to_owned(),
        name => format!("`{name}`"),
    }
}

/// Whether a path should have CRDs: a single file may have been matched by a pattern, but a folder or standard input was named
/// on purpose.
pub(super) fn promises_crds(path: &Path) -> bool {
    is_stdin(path) || path.is_dir()
}

fn is_stdin(path: &Path) -> bool {
    path == Path::new(STDIN)
}

fn stdin() -> Result<File, Unread> {
    let unread = |message: String| Unread {
        name: STDIN.to_owned(),
        message,
    };
    let mut bytes = Vec::new();
    let input = std::io::stdin().lock();
    let read = input.take(MOST_STDIN + 1).read_to_end(&mut bytes);
    if bytes.len() as u64 > MOST_STDIN {
        let most = MOST_STDIN >> 20;
        let message = format!(
            "{} is larger than {most} MiB; write it to a file, and name that",
            shown(STDIN)
        );
        return Err(unread(message));
    }
    match read.and_then(|_| text_of(bytes)) {
        Ok(text) => Ok(File {
            name: STDIN.to_owned(),
            text,
        }),
        Err(error) => Err(unread(format!("{} cannot be read: {error}", shown(STDIN)))),
    }
}

/// Reads a file, or standard input.
pub(crate) fn read_path(path: &Path) -> Result<PathTarget, Unread> {
    if is_stdin(path) {
        return stdin().map(PathTarget::File);
    }
    let name = shown_path(path);
    match Disk.read_text(path) {
        Ok(text) if is_template(path, &text) => Ok(PathTarget::Template(name)),
        Ok(text) => Ok(PathTarget::File(File { name, text })),
        Err(error) => {
            let message = format!("{} cannot be read: {error}", shown(&name));
            Err(Unread { name, message })
        }
    }
}

/// Whether a file is a template of a Helm chart, which is not YAML until Helm has rendered it.
pub(crate) fn is_template(path: &Path, text: &str) -> bool {
    text.contains("{{") && is_of_chart(path)
}

/// Whether a file is below `templates/` of a Helm chart.
fn is_of_chart(path: &Path) -> bool {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let mut folders = path.ancestors().skip(1);
    folders.any(|folder| {
        let beside = |name: &str| folder.with_file_name(name).is_file();
        folder.ends_with("templates") && beside("Chart.yaml")
    })
}

/// Lists the YAML and JSON files of a folder and its subfolders, following links, without build output and hidden folders.
fn collect(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let walk = WalkDir::new(folder);
    let walk = walk.follow_links(true).sort_by_file_name().into_iter();
    let is_searched = |entry: &DirEntry| {
        entry.depth() == 0 || !entry.file_type().is_dir() || !is_left_out(entry.path())
    };
    for entry in walk.filter_entry(is_searched) {
        match entry {
            // Links to folders with links could go on forever.
            Ok(entry) if entry.path_is_symlink() && entry.depth() >= DEEPEST_LINK => {
                if entry.file_type().is_dir() {
                    let path = shown_path(entry.path());
                    return Err(format!(
                        "`{path}` is a link to a folder, {DEEPEST_LINK} levels down; name the folder itself"
                    ));
                }
                found.push(entry.into_path());
            }
            Ok(entry) if entry.file_type().is_dir() => {}
            Ok(entry) => found.push(entry.into_path()),
            // The target was already listed.
            Err(error) if error.loop_ancestor().is_some() => {}
            Err(error) => {
                let path = error.path().unwrap_or(folder);
                if path.is_dir() {
                    let why = error.io_error().map(ToString::to_string);
                    let why = why.unwrap_or_default();
                    return Err(format!("`{}` cannot be read: {why}", shown_path(path)));
                }
                // A dangling link; reading it will report the error.
                found.push(path.to_path_buf());
            }
        }
    }
    found.retain(|path| documents::is_named_so(path));
    Ok(found)
}
