//! Builds the two programs for a platform, with the same bytes wherever the repository and cargo's home are.

use super::{PROGRAM, SUBCOMMAND, printed};
use crd_channels_envtest::Failure;
use crd_channels_workspace::cargo_home;
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Everything that the program can do. musl's allocator is slow; another one gains nothing over those of other systems, and takes
/// more memory.
pub(super) fn features(triple: &str) -> &'static [&'static str] {
    match triple.ends_with("-musl") {
        true => &["mimalloc", "oci"],
        false => &["oci"],
    }
}

/// The profile of what is published.
const PROFILE: &str = "dist";

/// The programs of a platform.
#[derive(Clone, Debug)]
pub struct Built {
    /// The platform, as rustc calls it.
    pub triple: String,
    /// `crd-channels`.
    pub program: PathBuf,
    /// `cargo-crd-channels`.
    pub subcommand: PathBuf,
}

impl Built {
    /// The programs of a platform in a folder.
    pub fn below(folder: &Path, triple: &str) -> Self {
        let suffix = if is_windows(triple) { ".exe" } else { "" };
        Self {
            triple: triple.to_owned(),
            program: folder.join(format!("{PROGRAM}{suffix}")),
            subcommand: folder.join(format!("{SUBCOMMAND}{suffix}")),
        }
    }
}

fn is_windows(triple: &str) -> bool {
    triple.contains("windows")
}

/// The glibc that programs linked with it ask for: that of RHEL 8 and Debian 10. Linked by a distribution, they would ask for its
/// own.
const GLIBC: &str = "2.28";

/// Whether the linker of a system links what is published for a platform. Those of Windows and macOS know every processor of
/// theirs.
fn links(host: &str, triple: &str) -> bool {
    ["-windows-", "-apple-"]
        .iter()
        .any(|system| host.contains(system) && triple.contains(system))
}

/// The platform that this machine is.
///
/// # Errors
/// rustc cannot be started, or fails.
pub fn host() -> Result<String, Failure> {
    let text = printed(Path::new("rustc"), &["--version", "--verbose"])?;
    let text = String::from_utf8_lossy(&text);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.ok_or_else(|| Failure::new("`rustc --version --verbose` names no host"))?;
    Ok(host.to_owned())
}

/// Builds the programs for a platform. What the linker of this machine does not link is linked by zig, through
/// `cargo-zigbuild`.
pub(super) fn built(triple: &str, host: &str) -> Result<Built, Failure> {
    let (build, platform) = match links(host, triple) {
        true => ("build", triple.to_owned()),
        false if triple.ends_with("-gnu") => ("zigbuild", format!("{triple}.{GLIBC}")),
        false => ("zigbuild", triple.to_owned()),
    };
    let here = env::current_dir().map_err(|error| Failure::new(format!("`.`: {error}")))?;
    let mut cargo = Command::new("cargo");
    cargo
        .args([build, "--locked", "--package", PROGRAM, "--bins"])
        .args(["--features", &features(triple).join(",")])
        .args(["--profile", PROFILE, "--target", &platform])
        .env("RUSTFLAGS", without_paths(&here))
        // Code in C has the time of its compilation, as `__TIME__`, unless this is another: mimalloc prints it.
        .env("SOURCE_DATE_EPOCH", "0");
    succeed(cargo).map_err(|failure| match build {
        "zigbuild" => Failure::new(format!(
            "{failure}; it needs `rustup target add`, and `pip install cargo-zigbuild`"
        )),
        _ => failure,
    })?;
    Ok(Built::below(&target().join(triple).join(PROFILE), triple))
}

/// Builds a program that prints the completions and man pages of every platform: for this machine, and not optimised.
pub(super) fn described_by() -> Result<PathBuf, Failure> {
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--locked", "--package", PROGRAM, "--bin", PROGRAM]);
    cargo.args(["--features", "oci"]);
    succeed(cargo)?;
    let name = format!("{PROGRAM}{}", env::consts::EXE_SUFFIX);
    Ok(target().join("debug").join(name))
}

fn succeed(mut cargo: Command) -> Result<(), Failure> {
    let status = cargo.stdin(Stdio::null()).status();
    let arguments: Vec<_> = cargo.get_args().map(|it| it.to_string_lossy()).collect();
    let shown = format!("`cargo {}`", arguments.join(" "));
    let status = status.map_err(|error| Failure::new(format!("{shown}: {error}")))?;
    match status.success() {
        true => Ok(()),
        false => Err(Failure::new(format!("{shown} failed"))),
    }
}

fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), PathBuf::from)
}

/// The flags that replace the folders of this machine in what panics say.
fn without_paths(here: &Path) -> String {
    let mut flags = vec![format!(
        "--remap-path-prefix={}=crd-channels",
        here.display()
    )];
    if let Some(home) = cargo_home() {
        flags.push(format!("--remap-path-prefix={}=cargo", home.display()));
    }
    flags.join(" ")
}

#[cfg(test)]
mod tests {
    use super::links;

    /// The workflow of releases installs zig on Linux only, and its Macs have one of two processors.
    #[test]
    fn only_linux_asks_zig() {
        assert!(links("aarch64-apple-darwin", "x86_64-apple-darwin"));
        assert!(links("x86_64-pc-windows-msvc", "aarch64-pc-windows-msvc"));
        let linux = "x86_64-unknown-linux-gnu";
        assert!(!links(linux, "x86_64-unknown-linux-musl"));
        assert!(!links(linux, "aarch64-apple-darwin"));
        assert!(!links(linux, linux));
    }
}
