//! `gen-crds --watch` and `reference --serve`: polls the files that a run depends on, until one of them changes.

use crd_channels_diagnostics::{Sink, Sources};
use crd_channels_files::{Disk, visit};
use crd_channels_projection::channel::config::Config;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

/// The time to wait, as a multiple of the time that polling takes. Polling 400 files takes about half a millisecond.
const REST: u32 = 9;

/// The minimum time to wait.
const INTERVAL: Duration = Duration::from_millis(2);

/// The time without changes before a run starts, since editors write a file in several steps.
const SETTLED: Duration = Duration::from_millis(3);

/// The modification time and length of a file or folder; `None` if it does not exist.
type Look = Option<(SystemTime, u64)>;

/// The state of everything a run depends on.
#[derive(Debug)]
pub struct Seen {
    root: Option<PathBuf>,
    also: Vec<PathBuf>,
    files: BTreeMap<PathBuf, Look>,
    /// The folders, which change if a file is added or removed.
    folders: BTreeMap<PathBuf, Look>,
}

/// Polls every Rust source, manifest, lock file and configuration file below a folder, the example objects, the CRDs that are the
/// source of channels, and everything below the files and folders in `also`.
#[must_use]
pub fn look(root: Option<PathBuf>, also: Vec<PathBuf>) -> Seen {
    // The run reports errors in the configuration.
    let input = root.as_ref().map(|root| input_folders(root));
    let input = input.unwrap_or_default();
    let is_input = |path: &Path| input.iter().any(|folder| path.starts_with(folder));
    let tops = also.iter().map(|top| (top, true));
    let mut files = BTreeMap::new();
    let mut folders = BTreeMap::new();
    for (top, is_whole) in tops.chain(root.iter().map(|root| (root, false))) {
        let of_its_kind = match top.is_file() {
            true => &mut files,
            false => &mut folders,
        };
        of_its_kind.insert(top.clone(), look_at(top));
        let _ = visit(top, &Disk, &mut |path, is_file| {
            let extension = path.extension().and_then(|extension| extension.to_str());
            if !is_file {
                folders.insert(path.to_path_buf(), look_at(path));
            } else if is_whole
                || matches!(extension, Some("rs" | "toml" | "lock"))
                || is_input(path)
            {
                files.insert(path.to_path_buf(), look_at(path));
            }
            ControlFlow::Continue(())
        });
    }
    Seen {
        root,
        also,
        files,
        folders,
    }
}

/// The folders whose files of any kind are read: the example objects, and the CRDs of channels.
fn input_folders(root: &Path) -> Vec<PathBuf> {
    let config = Config::read(&Disk, root, &Sources::default(), &mut Sink::default());
    let Some(Config {
        bundle, channels, ..
    }) = config
    else {
        return Vec::new();
    };
    let crds = channels.iter().filter_map(|channel| channel.crds.as_ref());
    let folders = crds.map(|folder| &*folder.value);
    let folders = folders.chain([bundle.examples_folder()]);
    folders.map(|folder| root.join(folder)).collect()
}

/// Waits until something differs from `seen`; returns the new state.
#[must_use]
pub fn wait(mut seen: Seen) -> Seen {
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
            let before = std::mem::take(&mut seen.files);
            seen = look(seen.root, seen.also);
            if seen.files != before {
                break;
            }
        }
        rest = INTERVAL.max(began.elapsed() * REST);
    }
    loop {
        seen = look(seen.root, seen.also);
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
