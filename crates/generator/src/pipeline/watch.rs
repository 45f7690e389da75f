//! `gen-crds --watch`: looks at the files that a run depends on, and runs again when one of them changes.

use super::packages::visit;
use crd_channels_diagnostics::{Sink, Sources};
use crd_channels_files::Disk;
use crd_channels_projection::channel::config::Bundle;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

/// Of its time a watcher spends one part looking and so many waiting. Looking at 400 files takes about half a millisecond.
const REST: u32 = 9;

/// It waits at least so long.
const INTERVAL: Duration = Duration::from_millis(2);

/// Editors write a file in several steps; a run waits until nothing has changed for so long.
const SETTLED: Duration = Duration::from_millis(3);

/// When a file or folder was changed last, and how long it is; none when it is gone.
type Look = Option<(SystemTime, u64)>;

/// What a run depends on, as it was seen.
#[derive(Debug)]
pub struct Seen {
    files: BTreeMap<PathBuf, Look>,
    /// A file that comes or goes changes its folder.
    folders: BTreeMap<PathBuf, Look>,
}

/// Looks at every Rust source, manifest, lock file and configuration below a folder, and at the examples of objects.
#[must_use]
pub fn look(root: &Path) -> Seen {
    // What is wrong with the configuration, a run says.
    let bundle = Bundle::read(&Disk, root, &Sources::default(), &mut Sink::default());
    let examples = root.join(bundle.examples_folder());
    let mut files = BTreeMap::new();
    let mut folders = BTreeMap::from([(root.to_path_buf(), look_at(root))]);
    let _ = visit(root, &Disk, &mut |path, is_file| {
        let extension = path.extension().and_then(|extension| extension.to_str());
        if !is_file {
            folders.insert(path.to_path_buf(), look_at(path));
        } else if matches!(extension, Some("rs" | "toml" | "lock")) || path.starts_with(&examples) {
            files.insert(path.to_path_buf(), look_at(path));
        }
        ControlFlow::Continue(())
    });
    Seen { files, folders }
}

/// Waits until something below the folder is not as it was seen; gives back how it is now.
#[must_use]
pub fn wait(root: &Path, mut seen: Seen) -> Seen {
    let changed = |looks: &BTreeMap<PathBuf, Look>| {
        looks.iter().any(|(path, before)| look_at(path) != *before)
    };
    let mut rest = INTERVAL;
    loop {
        sleep(rest);
        let began = Instant::now();
        if changed(&seen.files) {
            break;
        }
        if changed(&seen.folders) {
            let now = look(root);
            if now.files != seen.files {
                break;
            }
            seen = now;
        }
        rest = INTERVAL.max(began.elapsed() * REST);
    }
    loop {
        seen = look(root);
        sleep(SETTLED);
        if !changed(&seen.files) && !changed(&seen.folders) {
            return seen;
        }
    }
}

fn look_at(path: &Path) -> Look {
    let about = std::fs::metadata(path).ok()?;
    Some((about.modified().ok()?, about.len()))
}
