//! A folder in which the commands of a page are run one after the other, as readers would.
//!
//! There is no network access: cargo is offline, addresses of example hosts are repositories beside the folder, and git and the
//! tool ignore the machine's settings.

use super::root;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The example hosts of pages: their repositories are folders of the shell's home.
const HOSTS: [&str; 2] = ["https://example.com/", "https://example.org/"];

/// A cargo that installs the crates from the checkout instead of a registry.
const CARGO: &str = r#"#!/bin/sh
case "$1 $2" in
"check "*)
    # What the tests compile, they share.
    CARGO_TARGET_DIR="$COMPILED" exec "$CARGO_ITSELF" "$@" ;;
"add --git")
    name=$4
    shift 4
    exec "$CARGO_ITSELF" add --quiet --path "$CRATES/${name#crd-channels-}" "$@" ;;
"xtask "*)
    # In this repository the alias is cargo's; elsewhere `init` writes one.
    if ! grep -qs xtask .cargo/config.toml; then
        shift
        CARGO_PKG_NAME=crd-channels exec crd-channels "$@"
    fi ;;
esac
exec "$CARGO_ITSELF" "$@"
"#;

pub struct Shell {
    home: PathBuf,
    folder: PathBuf,
}

/// The output of a command, both streams as in a terminal, and its exit code.
pub struct Printed {
    pub text: String,
    pub code: i32,
}

impl Shell {
    /// Creates a shell in an empty folder.
    pub fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("crd-channels-pages-{}-{number}", std::process::id());
        let home = std::env::temp_dir().join(name);
        let folder = home.join("project");
        let programs = home.join("bin");
        fs::create_dir_all(&folder).unwrap();
        fs::create_dir_all(&programs).unwrap();
        let cargo = programs.join("cargo");
        fs::write(&cargo, CARGO).unwrap();
        fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).unwrap();
        symlink(
            env!("CARGO_BIN_EXE_crd-channels"),
            programs.join("crd-channels"),
        )
        .unwrap();
        let subcommand = programs.join("cargo-crd-channels");
        symlink(env!("CARGO_BIN_EXE_cargo-crd-channels"), subcommand).unwrap();
        let this = Self { home, folder };
        this.write_at("home", ".gitconfig", &this.git_configuration());
        this
    }

    fn git_configuration(&self) -> String {
        let mut text = "[user]\nname = you\nemail = you@example.com\n\
            [init]\ndefaultBranch = main\n[advice]\ndetachedHead = false\n"
            .to_owned();
        for host in HOSTS {
            let folder = self.home.join("hosts");
            text += &format!(
                "[url \"file://{}/\"]\ninsteadOf = {host}\n",
                folder.display()
            );
        }
        text
    }

    /// Runs a command.
    pub fn run(&mut self, command: &str) -> Printed {
        let place = self.home.join("place");
        let path = std::env::var_os("PATH").unwrap();
        let folders = [self.home.join("bin")].into_iter();
        let path = std::env::join_paths(folders.chain(std::env::split_paths(&path))).unwrap();
        // A command that waits for something is stopped.
        let script = format!(
            "exec 2>&1\n{command}\ncode=$?\npwd >'{}'\nexit $code",
            place.display()
        );
        let crates = root().join("crates");
        let day = "2026-11-02T09:00:00Z";
        let output = Command::new("timeout")
            .args(["300", "bash", "-c", &script])
            .current_dir(&self.folder)
            .env("PATH", path)
            .env("CARGO_ITSELF", env!("CARGO"))
            .env("CRATES", crates)
            .env("GITHUB_REF_NAME", "v0.2.0")
            .env("COMPILED", root().join("target/prove"))
            .env("CARGO_NET_OFFLINE", "true")
            .env("XDG_CACHE_HOME", self.home.join("cache"))
            .env("HOME", self.home.join("home"))
            .env("CARGO_HOME", home("CARGO_HOME", ".cargo"))
            .env("RUSTUP_HOME", home("RUSTUP_HOME", ".rustup"))
            .env("GIT_CONFIG_GLOBAL", self.home.join("home/.gitconfig"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_AUTHOR_DATE", day)
            .env("GIT_COMMITTER_DATE", day)
            .env("GIT_EDITOR", "true")
            .env("LC_ALL", "C")
            .env_remove("CARGO_TARGET_DIR")
            .env_remove("CARGO_BUILD_TARGET_DIR")
            .env_remove("CARGO_PKG_NAME")
            .stdin(Stdio::null())
            .output()
            .unwrap();
        if let Ok(place) = fs::read_to_string(&place) {
            self.folder = PathBuf::from(place.trim_end());
        }
        Printed {
            text: String::from_utf8(output.stdout).unwrap(),
            code: output.status.code().unwrap_or(-1),
        }
    }

    /// Runs a command that a page omits and that must succeed.
    #[track_caller]
    pub fn prepare(&mut self, script: &str) {
        let printed = self.run(&format!("set -e\n{script}"));
        assert_eq!(printed.code, 0, "{script}\n{}", printed.text);
    }

    /// Writes a file below the shell's current folder.
    pub fn write(&self, path: &str, text: &str) {
        let path = self.folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn write_at(&self, folder: &str, path: &str, text: &str) {
        let folder = self.home.join(folder);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(path), text).unwrap();
    }

    /// Applies the edit in a `diff` block: the lines with ` ` and `-` become those with ` ` and `+`.
    pub fn edit(&self, path: &str, difference: &str) {
        let file = self.folder.join(path);
        let text = fs::read_to_string(&file).unwrap();
        let side = |sign: char| -> String {
            let lines = difference.lines();
            let kept = lines.filter(|line| line.is_empty() || line.starts_with([' ', sign]));
            let kept = kept.map(|line| line.get(1..).unwrap_or_default());
            kept.flat_map(|line| [line, "\n"]).collect()
        };
        let (before, after) = (side('-'), side('+'));
        assert_eq!(
            text.matches(&before).count(),
            1,
            "`{path}` must have this once:\n{before}\nbut is\n{text}"
        );
        fs::write(file, text.replacen(&before, &after, 1)).unwrap();
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.home);
    }
}

/// Returns the folder of cargo or rustup, regardless of the shell's home.
fn home(variable: &str, folder: &str) -> PathBuf {
    let usual = || PathBuf::from(std::env::var_os("HOME").unwrap_or_default()).join(folder);
    std::env::var_os(variable).map_or_else(usual, PathBuf::from)
}
