//! Caches cargo's metadata in the target folder: running cargo takes longer than reading the types.
//!
//! The cached workspace is used only while everything it was computed from is unchanged, byte for byte: the lock file, the
//! manifests and file layout of all local packages, cargo's configuration, and cargo itself.

use super::metadata;
use super::model::{Wanted, Workspace};
use crd_channels_files::{keep, recall};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Raised whenever [`Workspace`] or the meaning of the key changes.
const FORMAT: u32 = 6;

#[derive(Deserialize, Serialize)]
struct CachedAnswer {
    format: u32,
    key: String,
    workspace: Workspace,
}

/// The cached workspace, if it is still valid.
pub(super) fn load(root: &Path, wanted: Wanted<'_>) -> Option<Workspace> {
    let cached: CachedAnswer = recall(&file(&guess_target_dir(root)))?;
    let holds = cached.format == FORMAT
        && cached.workspace.root == root
        && cached
            .workspace
            .packages
            .iter()
            .all(|package| package.root.is_dir())
        && cached.key == key(&cached.workspace, wanted)?
        && (wanted.built)(&cached.workspace) == cached.workspace.built;
    holds.then_some(cached.workspace)
}

/// Caches a workspace.
pub(super) fn store(workspace: &Workspace, wanted: Wanted<'_>) {
    if workspace.target_dir != guess_target_dir(&workspace.root) {
        return;
    }
    let Some(key) = key(workspace, wanted) else {
        return;
    };
    let cached = CachedAnswer {
        format: FORMAT,
        key,
        workspace: workspace.clone(),
    };
    keep(&file(&workspace.target_dir), &cached);
}

fn file(target_dir: &Path) -> PathBuf {
    target_dir.join("crd-channels").join("workspace.json")
}

/// The target folder, unless cargo's configuration files set another one; in that case the workspace is not cached.
#[must_use]
pub fn guess_target_dir(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| root.join("target"), |folder| root.join(folder))
}

/// A digest of everything the workspace depends on; `None` if that cannot be determined.
fn key(workspace: &Workspace, wanted: Wanted<'_>) -> Option<String> {
    let mut hasher = Sha256::new();
    let mut feed = |name: &str, bytes: &[u8]| {
        hasher.update((name.len() as u64).to_le_bytes());
        hasher.update(name.as_bytes());
        hasher.update((bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    feed("target", wanted.target.as_bytes());
    feed("features", wanted.features.join(" ").as_bytes());
    feed("without", wanted.without.join(" ").as_bytes());
    feed(
        "lock",
        &std::fs::read(workspace.root.join("Cargo.lock")).ok()?,
    );
    let manifest = std::fs::read(workspace.root.join("Cargo.toml")).ok()?;
    feed(
        "members",
        member_folders(&workspace.root, &manifest)?
            .join("\n")
            .as_bytes(),
    );
    feed("manifest", &manifest);
    for package in workspace.packages.iter().filter(|package| package.local) {
        let manifest = std::fs::read(package.root.join("Cargo.toml")).ok()?;
        feed(&package.name, &manifest);
        feed("layout", layout(&package.root).join("\n").as_bytes());
    }
    for path in configuration_files(&workspace.root) {
        feed(
            &path.to_string_lossy(),
            &std::fs::read(&path).unwrap_or_default(),
        );
    }
    feed("cargo", cargo_identity().as_bytes());
    let mut variables: Vec<(String, String)> = std::env::vars_os()
        .map(|(name, value)| {
            (
                name.to_string_lossy().into_owned(),
                value.to_string_lossy().into_owned(),
            )
        })
        .filter(|(name, _)| is_setting(name))
        .collect();
    variables.sort();
    for (name, value) in variables {
        feed(&name, value.as_bytes());
    }
    Some(
        hasher
            .finalize()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect(),
    )
}

/// Variables that configure cargo, without those that cargo sets for the programs it runs.
fn is_setting(name: &str) -> bool {
    let settings = [
        "CARGO_HOME",
        "CARGO_NET_",
        "CARGO_REGISTR",
        "CARGO_RESOLVER_",
        "CARGO_SOURCE_",
        "CARGO_TARGET_DIR",
    ];
    settings.iter().any(|setting| name.starts_with(setting)) || name == "RUSTUP_TOOLCHAIN"
}

/// The folders that glob patterns of members match, since adding a folder changes no manifest; `None` if a pattern is not a
/// plain `folder/*`.
fn member_folders(root: &Path, manifest: &[u8]) -> Option<Vec<String>> {
    let manifest: toml::Table = toml::from_str(std::str::from_utf8(manifest).ok()?).ok()?;
    let members = manifest
        .get("workspace")
        .and_then(|workspace| workspace.get("members"))
        .and_then(toml::Value::as_array);
    let mut folders = Vec::new();
    for pattern in members
        .into_iter()
        .flatten()
        .filter_map(toml::Value::as_str)
    {
        let literal = pattern.strip_suffix("/*").unwrap_or(pattern);
        if literal.contains(['*', '?', '[']) {
            return None;
        }
        if literal != pattern {
            folders.extend(
                entries(&root.join(literal))
                    .into_iter()
                    .filter(|path| path.join("Cargo.toml").is_file())
                    .map(|path| path.to_string_lossy().into_owned()),
            );
        }
    }
    Some(folders)
}

/// The files from which cargo infers targets.
fn layout(package: &Path) -> Vec<String> {
    let source = package.join("src");
    let files = ["src/lib.rs", "src/main.rs", "build.rs"];
    let mut found: Vec<PathBuf> = files
        .into_iter()
        .map(|file| package.join(file))
        .filter(|path| path.is_file())
        .collect();
    for entry in entries(&source.join("bin")) {
        let main = entry.join("main.rs");
        found.push(if main.is_file() { main } else { entry });
    }
    found
        .iter()
        .map(|path| path.to_string_lossy().into_owned())
        .collect()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    found.sort();
    found
}

/// The folder with cargo's own configuration and the sources of dependencies.
#[must_use]
pub fn cargo_home() -> Option<PathBuf> {
    let given = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    given.or_else(|| Some(std::env::home_dir()?.join(".cargo")))
}

/// The configuration files of cargo and rustup, from the workspace upwards and in cargo's home.
fn configuration_files(root: &Path) -> Vec<PathBuf> {
    let names = [
        ".cargo/config.toml",
        ".cargo/config",
        "rust-toolchain.toml",
        "rust-toolchain",
    ];
    let mut files: Vec<PathBuf> = root
        .ancestors()
        .flat_map(|folder| names.iter().map(move |name| folder.join(name)))
        .collect();
    files.extend(
        cargo_home()
            .into_iter()
            .flat_map(|home| [home.join("config.toml"), home.join("config")]),
    );
    files.retain(|path| path.is_file());
    files
}

/// Identifies cargo by its path, size and time. Running `cargo --version` would cost half of what the cache saves.
fn cargo_identity() -> String {
    let cargo = metadata::cargo();
    let path = if Path::new(&cargo).components().count() > 1 {
        Some(PathBuf::from(&cargo))
    } else {
        std::env::var_os("PATH").and_then(|path| on_path(&cargo, &path))
    };
    let about = path.as_ref().and_then(|path| std::fs::metadata(path).ok());
    let time = about
        .as_ref()
        .and_then(|about| about.modified().ok())
        .and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    format!("{path:?} {:?} {time:?}", about.map(|about| about.len()))
}

fn on_path(program: &OsStr, path: &OsStr) -> Option<PathBuf> {
    let mut program = program.to_owned();
    if Path::new(&program).extension().is_none() {
        program.push(std::env::consts::EXE_SUFFIX);
    }
    std::env::split_paths(path)
        .map(|folder| folder.join(&program))
        .find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::on_path;
    use std::env::consts::EXE_SUFFIX;
    use std::ffi::OsStr;

    #[test]
    fn programs_are_found_without_the_end_of_their_name() {
        let folder = std::env::temp_dir().join(format!("crd-channels-path-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let program = folder.join(format!("tool{EXE_SUFFIX}"));
        std::fs::write(&program, "").unwrap();
        let path = std::env::join_paths([folder.join("none"), folder.clone()]).unwrap();
        let found = on_path(OsStr::new("tool"), &path);
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(found, Some(program));
    }
}
