//! Walks over folders of sources.

use crate::read::{DEEPEST_FOLDER, Read, is_left_out};
use std::ops::ControlFlow;
use std::path::Path;

/// Visits everything below a folder, passing whether it is a file, until the callback stops it. Skips build output and hidden
/// folders.
pub fn visit(
    folder: &Path,
    files: &dyn Read,
    show: &mut dyn FnMut(&Path, bool) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut open = vec![(folder.to_path_buf(), 0)];
    while let Some((folder, depth)) = open.pop() {
        for path in files.list(&folder).unwrap_or_default() {
            let is_file = files.is_file(&path);
            if !is_file && is_left_out(&path) {
                continue;
            }
            show(&path, is_file)?;
            if !is_file && depth < DEEPEST_FOLDER {
                open.push((path, depth + 1));
            }
        }
    }
    ControlFlow::Continue(())
}
