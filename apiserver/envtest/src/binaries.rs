//! Finds kube-apiserver, etcd and kubectl: where the user says, on the path, in our cache; otherwise builds them.

use super::program::Program;
use super::{Failure, go};
use crd_channels_files::cache_folder;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The programs that run a server and talk to it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Binaries {
    /// `kube-apiserver`
    pub kube_apiserver: PathBuf,
    /// `etcd`
    pub etcd: PathBuf,
    /// `kubectl`
    pub kubectl: PathBuf,
}

const KUBE_APISERVER: Program = Program {
    name: "kube-apiserver",
    module: "k8s.io/kubernetes",
    version: "v1.37.0",
    folder_version: Some("v0.37.0"),
    package: "k8s.io/kubernetes/cmd/kube-apiserver",
    takes: "about 3 minutes",
};

const ETCD: Program = Program {
    name: "etcd",
    module: "go.etcd.io/etcd/server/v3",
    version: "v3.6.16",
    folder_version: None,
    package: "go.etcd.io/etcd/server/v3",
    takes: "about 20 seconds",
};

const KUBECTL: Program = Program {
    name: "kubectl",
    module: "k8s.io/kubernetes",
    version: "v1.37.0",
    folder_version: Some("v0.37.0"),
    package: "k8s.io/kubernetes/cmd/kubectl",
    takes: "about a minute",
};

/// The oldest supported minor version of kubectl, which has `--subresource` and structured output.
const OLDEST_KUBECTL: u64 = 28;

/// Finds each program: in the folder that `KUBEBUILDER_ASSETS` names, on `PATH`, in our cache folder. If it is nowhere and Go
/// is installed, builds it into the cache, with a note on stderr.
///
/// # Errors
/// Fails if a program is not found and cannot be built; the help says how to get it.
pub fn find() -> Result<Binaries, Failure> {
    Ok(Binaries {
        etcd: find_one(&ETCD)?,
        kubectl: find_one(&KUBECTL)?,
        kube_apiserver: find_one(&KUBE_APISERVER)?,
    })
}

/// Returns the programs if all of them are already there.
#[must_use]
pub fn present() -> Option<Binaries> {
    Some(Binaries {
        etcd: present_one(&ETCD)?,
        kubectl: present_one(&KUBECTL)?,
        kube_apiserver: present_one(&KUBE_APISERVER)?,
    })
}

fn present_one(program: &Program) -> Option<PathBuf> {
    let mut files = folders()
        .into_iter()
        .map(|folder| folder.join(program.name));
    files.find(|file| file.is_file() && (program.name != KUBECTL.name || is_new_enough(file)))
}

fn find_one(program: &Program) -> Result<PathBuf, Failure> {
    match present_one(program) {
        Some(file) => Ok(file),
        None => {
            let cache = cache().map_err(|failure| failure.with_help(go::otherwise(program)))?;
            go::build(program, &cache)
        }
    }
}

/// The folders to search for programs, in order.
fn folders() -> Vec<PathBuf> {
    let assets = std::env::var_os("KUBEBUILDER_ASSETS").map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path: Vec<_> = std::env::split_paths(&path).collect();
    let built = cache().ok().map(|cache| cache.join("bin"));
    assets.into_iter().chain(path).chain(built).collect()
}

/// Returns `$XDG_CACHE_HOME/crd-channels/kubernetes-v1.37.0`, shared by all versions of this tool that need the same server.
pub fn cache() -> Result<PathBuf, Failure> {
    let folder = cache_folder();
    folder
        .map(|folder| folder.join(format!("kubernetes-{}", KUBE_APISERVER.version)))
        .ok_or_else(|| {
            Failure::new("neither `XDG_CACHE_HOME` nor `HOME` is set, so there is no cache folder")
        })
}

fn is_new_enough(kubectl: &Path) -> bool {
    let output = Command::new(kubectl)
        .args(["version", "--client", "--output=json"])
        .output();
    output.is_ok_and(|output| minor(&output.stdout).is_some_and(|minor| minor >= OLDEST_KUBECTL))
}

/// The minor version in kubectl's output; some builds print `28+`.
fn minor(answer: &[u8]) -> Option<u64> {
    let answer: Value = serde_json::from_slice(answer).ok()?;
    let minor = answer.pointer("/clientVersion/minor")?.as_str()?;
    minor
        .trim_end_matches(|c: char| !c.is_ascii_digit())
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::minor;

    #[test]
    fn minor_versions_are_read_with_what_vendors_append() {
        let check = |answer: &str, expected| assert_eq!(minor(answer.as_bytes()), expected);
        check(r#"{"clientVersion": {"minor": "20"}}"#, Some(20));
        check(r#"{"clientVersion": {"minor": "28+"}}"#, Some(28));
        check(r#"{"clientVersion": {}}"#, None);
        check("Client Version: v1.20", None);
    }
}
