//! Throw-away cargo workspaces, and the tool run inside them as its user runs it.
//!
//! ```text
//! //- src/lib.rs
//! mod a;
//! //- src/a.rs latin-1
//! //- folder channels/stable.toml
//! //- no channels/experimental.toml
//! ```
//!
//! A header starts a file; `latin-1` writes it in that encoding. `folder` makes a folder of that name, `no` leaves out a
//! file that a workspace has unless it writes its own: a manifest, stubs of the crates that are built in, two channels.

#![allow(dead_code, reason = "each test binary takes what it needs")]

pub mod project;
pub mod schemas;
#[path = "../../../../oracle/tests/shared/skipped.rs"]
pub mod skipped;

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The crates whose types are built in; their source is never read, so cargo only has to find a package of that name.
const STUBS: [&str; 5] = [
    "crd-channels-derive",
    "kube",
    "schemars",
    "serde",
    "serde_json",
];

const MANIFEST: &str = r#"[workspace]
exclude = ["stubs"]

[package]
name = "demo"
version = "0.1.0"
edition = "2024"

[dependencies]
crd-channels-derive = { path = "stubs/crd-channels-derive" }
kube = { path = "stubs/kube" }
schemars = { path = "stubs/schemars" }
serde = { path = "stubs/serde" }
serde_json = { path = "stubs/serde_json" }
"#;

/// Where cargo keeps what it asked rustc in a workspace. Asking again takes longer than most runs of the tool.
const RUSTC: &str = "target/.rustc_info.json";

/// Such a file of an earlier workspace. Cargo ignores what another rustc has answered.
const KNOWN_RUSTC: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/rustc_info.json");

/// A workspace on disk, removed when it is dropped.
pub struct Workspace {
    folder: PathBuf,
}

/// The output of a run.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// One header of a text with many files, and the text below it.
pub struct Entry<'t> {
    pub path: &'t str,
    pub kind: Kind,
    pub text: String,
}

#[derive(Clone, Copy, Eq, PartialEq)]
pub enum Kind {
    File,
    Latin1,
    Folder,
    Absent,
}

/// Returns the text before the first header, and the entries.
pub fn split(text: &str) -> (String, Vec<Entry<'_>>) {
    let mut head = String::new();
    let mut entries: Vec<Entry<'_>> = Vec::new();
    for line in text.split_inclusive('\n') {
        if let Some(header) = line.strip_prefix("//- ") {
            let words: Vec<&str> = header.split_whitespace().collect();
            let (path, kind) = match words.as_slice() {
                ["folder", path] => (*path, Kind::Folder),
                ["no", path] => (*path, Kind::Absent),
                [path, "latin-1"] => (*path, Kind::Latin1),
                [path] => (*path, Kind::File),
                _ => panic!("`{line}` is not a header"),
            };
            entries.push(Entry {
                path,
                kind,
                text: String::new(),
            });
        } else {
            entries
                .last_mut()
                .map_or(&mut head, |entry| &mut entry.text)
                .push_str(line);
        }
    }
    (head, entries)
}

impl Workspace {
    /// Creates a workspace with the files of a text, in a new folder.
    pub fn new(text: &str) -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("crd-channels-{}-{number}", std::process::id());
        Self::at(std::env::temp_dir().join(name), text)
    }

    /// The same in the given folder, which is removed afterwards.
    pub fn at(folder: PathBuf, text: &str) -> Self {
        let this = Self { folder };
        let mut files: BTreeMap<String, (Kind, String)> = BTreeMap::new();
        let mut default = |path: &str, text: &str| {
            files.insert(path.to_owned(), (Kind::File, text.to_owned()));
        };
        default("Cargo.toml", MANIFEST);
        default("channels/stable.toml", "features = \"none\"\n");
        default("channels/experimental.toml", "features = \"all\"\n");
        for name in STUBS {
            let manifest =
                format!("[package]\nname = \"{name}\"\nversion = \"1.0.0\"\nedition = \"2024\"\n");
            default(&format!("stubs/{name}/Cargo.toml"), &manifest);
            default(&format!("stubs/{name}/src/lib.rs"), "");
        }
        for entry in split(text).1 {
            files.insert(entry.path.to_owned(), (entry.kind, entry.text));
        }
        fs::create_dir_all(&this.folder).unwrap();
        if files["Cargo.toml"].0 == Kind::File && fs::exists(KNOWN_RUSTC).unwrap() {
            fs::create_dir(this.path("target")).unwrap();
            fs::copy(KNOWN_RUSTC, this.path(RUSTC)).unwrap();
        }
        for (path, (kind, text)) in files {
            match kind {
                Kind::File => this.write(&path, text),
                Kind::Latin1 => {
                    let bytes: Vec<u8> = text.chars().map(|c| u8::try_from(c).unwrap()).collect();
                    this.write(&path, bytes);
                }
                Kind::Folder => fs::create_dir_all(this.path(&path)).unwrap(),
                Kind::Absent => {}
            }
        }
        this
    }

    /// Returns the folder that the tool uses as the user's cache.
    pub fn cache(&self) -> PathBuf {
        self.folder.with_extension("cache")
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.folder.join(path)
    }

    pub fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// Makes `path` a symbolic link. Windows has two kinds, whose targets need `\\`.
    pub fn link(&self, target: impl AsRef<Path>, path: &str) {
        let (target, link) = (target.as_ref(), self.path(path));
        #[cfg(unix)]
        std::os::unix::fs::symlink(target, link).unwrap();
        #[cfg(windows)]
        {
            use std::os::windows::fs::{symlink_dir, symlink_file};
            let make = match link.parent().unwrap().join(target).is_dir() {
                true => symlink_dir,
                false => symlink_file,
            };
            make(target.iter().collect::<PathBuf>(), link).unwrap();
        }
    }

    pub fn read(&self, path: &str) -> String {
        let path = self.path(path);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Replaces an existing text.
    pub fn edit(&self, path: &str, from: &str, to: &str) {
        let text = self.read(path);
        assert!(text.contains(from), "`{path}` has no `{from}`");
        self.write(path, text.replace(from, to));
    }

    /// Creates a workspace with the files that another one has outside of `target`. Many tests begin with the same ones, and
    /// writing them takes a hundredth of the time of making them.
    pub fn with_files(files: &BTreeMap<String, Vec<u8>>) -> Self {
        let this = Self::new("");
        fs::remove_dir_all(this.folder()).unwrap();
        for (path, bytes) in files.iter().filter(|(path, _)| is_kept(path)) {
            this.write(path, bytes);
        }
        this
    }

    /// Returns a command that runs the tool in a folder of the workspace, offline and without the machine's settings.
    pub fn command_in(&self, folder: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_crd-channels"));
        command
            .args(arguments)
            .current_dir(self.path(folder))
            .env("CARGO_NET_OFFLINE", "true")
            .env("XDG_CACHE_HOME", self.cache())
            .env_remove("CARGO_TARGET_DIR")
            .env_remove("CARGO_BUILD_TARGET_DIR")
            // cargo sets this for tests; a user's shell does not.
            .env_remove("CARGO_PKG_NAME")
            .stdin(Stdio::null());
        command
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        self.command_in("", arguments)
    }

    pub fn run(&self, arguments: &[&str]) -> Ran {
        run(&mut self.command(arguments))
    }

    /// Runs `gen-crds`, which must end without findings.
    pub fn generate(&self) -> Ran {
        self.run(&["gen-crds"]).with_code(0)
    }

    /// Returns every file in a folder and its subfolders, by path. Linked folders are left out.
    pub fn files(&self, folder: &str) -> BTreeMap<String, Vec<u8>> {
        let mut found = BTreeMap::new();
        let root = self.path(folder);
        let mut open = vec![root.clone()];
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten() {
                let path = entry.unwrap().path();
                if path.is_dir() && !path.is_symlink() {
                    open.push(path);
                } else if !path.is_dir() {
                    let name = path.strip_prefix(&root).unwrap().to_str().unwrap();
                    found.insert(name.to_owned(), fs::read(&path).unwrap());
                }
            }
        }
        found
    }

    /// Returns the generated files.
    pub fn generated(&self) -> BTreeMap<String, Vec<u8>> {
        self.files("generated")
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        if let Ok(answers) = fs::read(self.path(RUSTC)) {
            let _ = keep_rustc_answers(&answers);
        }
        let _ = fs::remove_dir_all(&self.folder);
        let _ = fs::remove_dir_all(self.cache());
    }
}

/// Keeps what rustc answered for the workspaces that follow, also in place of what another rustc or toolchain did.
fn keep_rustc_answers(answers: &[u8]) -> std::io::Result<()> {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    if fs::read(KNOWN_RUSTC).is_ok_and(|known| known == answers) {
        return Ok(());
    }
    // Another test may do so at the same time, so the file appears as a whole. The workspace may be on another disk.
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let own = format!("{KNOWN_RUSTC}-{}-{number}", std::process::id());
    fs::write(&own, answers)?;
    fs::rename(own, KNOWN_RUSTC)
}

/// Returns true for what a copy of a workspace has: no memory of earlier runs, which is about the other folder.
fn is_kept(path: &str) -> bool {
    path == RUSTC || !path.starts_with("target/")
}

pub fn run(command: &mut Command) -> Ran {
    let output = command.output().unwrap();
    Ran {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

impl Ran {
    /// Checks the exit code.
    #[track_caller]
    pub fn with_code(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{}\n{}", self.stdout, self.stderr);
        self
    }

    /// Returns the findings of a run with `--format json`.
    #[track_caller]
    pub fn findings(&self) -> Vec<Finding> {
        let answer: Value = serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}\n{}\n{}", self.stdout, self.stderr));
        let findings = answer["findings"].as_array().unwrap();
        findings.iter().map(Finding::of).collect()
    }
}

/// A finding in the JSON output.
#[derive(Clone, Debug)]
pub struct Finding {
    pub code: String,
    pub severity: String,
    pub message: String,
    pub help: Option<String>,
    /// File and line.
    pub place: Option<(String, u64)>,
}

impl Finding {
    fn of(value: &Value) -> Self {
        let text = |key: &str| value[key].as_str().map(str::to_owned);
        let place = &value["place"];
        Self {
            code: text("code").unwrap(),
            severity: text("severity").unwrap(),
            message: text("message").unwrap(),
            help: text("help"),
            place: place["file"]
                .as_str()
                .map(|file| (file.to_owned(), place["line"].as_u64().unwrap())),
        }
    }
}
