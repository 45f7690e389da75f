//! Lays out a revision for cargo: manifests, lock file and empty targets below the target folder. Everything else is read from
//! git's objects, and so is the whole revision of a bundle whose source is CRDs.

use super::{Repository, Tree};
use crd_channels_diagnostics::{Code, Diagnostic};
use crd_channels_files::{Disk, Read};
use crd_channels_workspace::{declares_workspace, guess_target_dir, root_above};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A revision of the workspace: its files come from git, those of its dependencies from disk.
#[derive(Debug)]
pub struct Revision {
    /// The workspace's folder, with the files that cargo needs.
    pub root: PathBuf,
    tree: Tree,
}

/// The version of the layout, raised whenever other files are laid out.
const FORMAT: u32 = 1;

/// The number of layouts to keep: two sides of a comparison, for a few runs at a time.
const KEPT: usize = 12;

const LOCK: &str = "Cargo.lock";

/// Returns a revision of the workspace at `here`. If it has no lock file, it uses that of the working tree.
///
/// # Errors
/// `revision-not-found`, `git-failed`; `cargo-failed` if the revision has no manifest; `write-failed` if it cannot be laid out.
pub fn revision(here: &Path, name: &str) -> Result<Revision, Box<Diagnostic>> {
    let (repository, inside) = Repository::discover(here)?;
    let commit = repository.commit(name)?;
    let key = format!("{commit}-{FORMAT}-{}", inside.replace('/', "+"));
    let all = guess_target_dir(here).join("crd-channels/revisions");
    let cannot = |error: io::Error| unwritten(name, &error);
    let is_for_cargo = !has_only_crds(here);
    let mount = if is_for_cargo {
        fs::create_dir_all(&all).map_err(cannot)?;
        // cargo reports canonical paths.
        Disk.canonical(&all).map_err(cannot)?.join(key)
    } else {
        all.join(key)
    };
    let tree = repository.tree(&commit, mount.clone())?;
    let Some(root) = root_above(&mount.join(&inside), &tree) else {
        let place = match inside.as_str() {
            "" => String::new(),
            inside => format!(" in `{inside}` or above"),
        };
        let message = format!("the revision `{name}` has no `Cargo.toml`{place}");
        return Err(Box::new(
            Diagnostic::new(Code::CargoFailed, None, message)
                .with_help("name a revision that has the workspace"),
        ));
    };
    if !is_for_cargo {
        return Ok(Revision { root, tree });
    }
    if mount.is_dir() {
        // The least recently used layout is removed first. If the time cannot be set, its creation counts.
        let _ = fs::File::open(&mount).and_then(|folder| folder.set_modified(SystemTime::now()));
    } else {
        lay_out(&tree, &root, &here.join(LOCK)).map_err(cannot)?;
        prune(&all);
    }
    Ok(Revision { root, tree })
}

/// Whether the bundle at `here` is made without cargo, so that no revision of it has to be laid out.
fn has_only_crds(here: &Path) -> bool {
    let root = root_above(here, &Disk);
    root.is_some_and(|root| !Disk.is_file(&root.join("Cargo.toml")))
}

impl Revision {
    /// Returns the paths of submodules, whose files are not in the repository.
    pub fn submodules(&self) -> impl Iterator<Item = &str> {
        self.tree.submodules()
    }

    fn files(&self, path: &Path) -> &dyn Read {
        if path.starts_with(self.tree.mount()) {
            &self.tree
        } else {
            &Disk
        }
    }
}

impl Read for Revision {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.files(path).read(path)
    }

    fn is_file(&self, path: &Path) -> bool {
        self.files(path).is_file(path)
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        self.files(path).canonical(path)
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        self.files(folder).list(folder)
    }
}

fn unwritten(name: &str, error: &io::Error) -> Box<Diagnostic> {
    let message = format!("the revision `{name}` cannot be checked out for cargo: {error}");
    Box::new(
        Diagnostic::new(Code::WriteFailed, None, message)
            .with_help("make the target folder writable"),
    )
}

/// Removes all layouts except the most recently used ones, and the remains of killed runs. Failures are ignored.
fn prune(all: &Path) {
    let entries = fs::read_dir(all).into_iter().flatten().flatten();
    let mut known: Vec<(SystemTime, PathBuf)> = entries
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    known.sort();
    for (_, path) in known.into_iter().rev().skip(KEPT) {
        // Rename first, so that an incomplete layout is never used.
        let aside = path.with_extension(format!("{}-gone", std::process::id()));
        if fs::rename(&path, &aside).is_ok() {
            let _ = fs::remove_dir_all(&aside);
        }
    }
}

/// Writes the files that cargo needs, all or nothing.
fn lay_out(tree: &Tree, root: &Path, lock: &Path) -> io::Result<()> {
    let aside = tree.mount().with_extension(std::process::id().to_string());
    let written =
        write(tree, root, lock, &aside).and_then(|()| match fs::rename(&aside, tree.mount()) {
            // Another run was faster.
            Err(_) if tree.mount().is_dir() => fs::remove_dir_all(&aside),
            renamed => renamed,
        });
    if written.is_err() {
        let _ = fs::remove_dir_all(&aside);
    }
    written
}

fn write(tree: &Tree, root: &Path, lock: &Path, folder: &Path) -> io::Result<()> {
    let own = root.join("Cargo.toml");
    for path in tree.paths() {
        let from = tree.mount().join(path);
        if tree.target(&from).is_some() && !tree.is_file(&from) {
            link(tree, &from, &folder.join(path))?;
            continue;
        }
        let mut bytes = match wanted(path) {
            Some(Wanted::Bytes) => tree.read(&from)?,
            Some(Wanted::Name) => Vec::new(),
            None => continue,
        };
        if from == own && !declares_workspace(&String::from_utf8_lossy(&bytes)) {
            // Otherwise cargo would search further up and find the working tree's workspace.
            bytes.extend(b"\n[workspace]\n");
        }
        store(&folder.join(path), &bytes)?;
    }
    let own_lock = root.join(LOCK);
    if !tree.is_file(&own_lock)
        && let Ok(bytes) = fs::read(lock)
        && let Ok(inside) = own_lock.strip_prefix(tree.mount())
    {
        store(&folder.join(inside), &bytes)?;
    }
    Ok(())
}

/// Writes a link if it leads to a folder of the repository; cargo must not follow others.
fn link(tree: &Tree, from: &Path, to: &Path) -> io::Result<()> {
    let Some(target) = tree.target(from).filter(|_| tree.list(from).is_ok()) else {
        return Ok(());
    };
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    #[cfg(unix)]
    return std::os::unix::fs::symlink(target, to);
    #[cfg(not(unix))]
    return std::os::windows::fs::symlink_dir(target, to);
}

fn store(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, bytes)
}

/// The part of a file that cargo needs.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Wanted {
    /// Its content.
    Bytes,
    /// Its existence.
    Name,
}

fn wanted(path: &str) -> Option<Wanted> {
    let mut names = path.rsplit('/');
    let (name, folder, above) = (names.next()?, names.next(), names.next());
    let many = |folder| matches!(folder, Some("bin" | "tests" | "examples" | "benches"));
    match (folder, name) {
        (_, "Cargo.toml" | "Cargo.lock" | ".cargo-checksum.json") => Some(Wanted::Bytes),
        (Some(".cargo"), "config.toml" | "config") => Some(Wanted::Bytes),
        (Some("src"), "lib.rs" | "main.rs") | (_, "build.rs") => Some(Wanted::Name),
        (folder, name) if many(folder) && name.ends_with(".rs") => Some(Wanted::Name),
        (_, "main.rs") if many(above) => Some(Wanted::Name),
        _ => None,
    }
}
