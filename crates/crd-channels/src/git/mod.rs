//! Revisions of git repositories, read from git's objects without a checkout.

mod objects;
mod tree;
mod layout;
mod fetch;
mod tags;
mod version_tags;
mod merge;
mod changes;
mod destination;
mod raced;
mod settings;

pub use changes::{adds, changes, committed, is_tracked};
pub use destination::{Destination, Upstream};
pub use layout::{Revision, revision};
pub use merge::merge_file;
pub use raced::Raced;
pub use tags::TaggedFiles;
pub use tree::Tree;
pub use version_tags::{VersionTag, of_project};

use crd_channels_diagnostics::terminal::Stopwatch;
use crd_channels_diagnostics::{Code, Diagnostic};
use fetch::Folder;
use objects::Objects;
use settings::Settings;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, OnceLock};

/// A repository.
#[derive(Clone, Debug)]
pub struct Repository {
    /// What git was asked for. It ends before the folder does.
    known: Known,
    /// The folder to run git in.
    location: Location,
    /// How messages name it, such as ` of .`; empty for the one around the current folder.
    shown: String,
    /// Whether git's environment variables, which hooks set, may determine the repository.
    own: bool,
    /// The URL that it was fetched from, if it was.
    url: Option<String>,
}

/// What does not change while a command runs, once git was asked for it.
#[derive(Clone, Debug, Default)]
struct Known {
    is_shallow: OnceLock<bool>,
    settings: OnceLock<Settings>,
    upstream: OnceLock<Option<Upstream>>,
    /// Finds commits and what they have, once there was a question.
    objects: OnceLock<Arc<Objects>>,
}

/// The location of a repository.
#[derive(Clone, Debug)]
enum Location {
    /// In or above this folder.
    Existing(PathBuf),
    /// In a temporary folder, removed with the last clone of this value.
    Temporary(Arc<Folder>),
}

impl Location {
    fn path(&self) -> &Path {
        match self {
            Self::Existing(path) => path,
            Self::Temporary(folder) => folder.path(),
        }
    }
}

impl Repository {
    /// Finds the repository around a folder. Returns it with the folder's path inside it, with `/`; empty at its top.
    ///
    /// # Errors
    /// `git-failed` if there is none, or if git cannot run.
    pub fn discover(folder: &Path) -> Result<(Self, String), Box<Diagnostic>> {
        let repository = Self {
            location: Location::Existing(folder.to_path_buf()),
            shown: String::new(),
            own: true,
            url: None,
            known: Known::default(),
        };
        let said = repository.ask(&["rev-parse", "--is-shallow-repository", "--show-prefix"])?;
        let (is_shallow, inside) = said.split_once('\n').unwrap_or((&said, ""));
        let inside = inside.trim_end_matches(['/', '\r']).to_owned();
        let _ = repository.known.is_shallow.set(is_shallow.trim() == "true");
        Ok((repository, inside))
    }

    /// The repository in a folder; messages name it `shown`.
    #[must_use]
    pub fn in_folder(folder: &Path, shown: &str) -> Self {
        Self {
            location: Location::Existing(folder.to_path_buf()),
            shown: format!(" of `{shown}`"),
            own: false,
            url: None,
            known: Known::default(),
        }
    }

    /// Returns the commit that a revision names: a hash, a tag, a branch, `HEAD~2`.
    ///
    /// # Errors
    /// `revision-not-found` if there is none, `git-failed` if git cannot run.
    pub fn commit(&self, revision: &str) -> Result<String, Box<Diagnostic>> {
        let wanted = format!("{revision}^{{commit}}");
        let output = self.run(&[
            "rev-parse",
            "--verify",
            "--quiet",
            "--end-of-options",
            &wanted,
        ])?;
        let commit = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        if output.status.success() && !commit.is_empty() {
            return Ok(commit);
        }
        // For an unknown name, git's message does not mention the repository.
        if String::from_utf8_lossy(&output.stderr).contains("repository") {
            return Err(self.failed("rev-parse", &output));
        }
        let help = if self.is_shallow().unwrap_or_default() {
            "the clone is shallow; run `git fetch --unshallow --tags`"
        } else {
            "name a commit, a tag or a branch, as `git log` and `git tag` list them; `git fetch --tags` fetches new ones"
        };
        let message = format!("no commit{} is named `{revision}`", self.shown);
        Err(Box::new(
            Diagnostic::new(Code::RevisionNotFound, None, message).with_help(help),
        ))
    }

    /// Returns the files of a commit, as if they were below `mount`.
    ///
    /// # Errors
    /// `git-failed`
    pub fn tree(&self, commit: &str, mount: PathBuf) -> Result<Tree, Box<Diagnostic>> {
        let listed = self.run(&["ls-tree", "-r", "-z", "--full-tree", commit])?;
        if !listed.status.success() {
            return Err(self.failed("ls-tree", &listed));
        }
        let objects = Objects::open(self.command(&["cat-file", "--batch"]))
            .map_err(|error| unstarted(&error))?;
        Ok(Tree::new(mount, &listed.stdout, objects))
    }

    /// Returns the object with a name such as `HEAD:folder/file`; `None` if there is none.
    fn find(&self, name: &str) -> Result<Option<String>, Box<Diagnostic>> {
        let objects = match self.known.objects.get() {
            Some(objects) => objects,
            None => {
                let objects = Objects::open(self.command(&[
                    "cat-file",
                    "--batch-check",
                    "--follow-symlinks",
                ]))
                .map_err(|error| unstarted(&error))?;
                self.known.objects.get_or_init(|| Arc::new(objects))
            }
        };
        objects.find(name).map_err(|error| ended(&error))
    }

    fn is_shallow(&self) -> Result<bool, Box<Diagnostic>> {
        if let Some(known) = self.known.is_shallow.get() {
            return Ok(*known);
        }
        let said = self.ask(&["rev-parse", "--is-shallow-repository"])?;
        Ok(*self.known.is_shallow.get_or_init(|| said == "true"))
    }

    /// Returns git's output without the trailing newline.
    fn ask(&self, arguments: &[&str]) -> Result<String, Box<Diagnostic>> {
        let output = self.run(arguments)?;
        if !output.status.success() {
            return Err(self.failed(arguments.first().copied().unwrap_or_default(), &output));
        }
        let printed = String::from_utf8_lossy(&output.stdout);
        Ok(printed.trim_end_matches(['\n', '\r']).to_owned())
    }

    fn run(&self, arguments: &[&str]) -> Result<Output, Box<Diagnostic>> {
        let mut watch = Stopwatch::start();
        let output = self.command(arguments).output();
        watch.lap(format_args!("ran `git {}`", arguments.join(" ")));
        output.map_err(|error| unstarted(&error))
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("git");
        command
            .arg("-C")
            .arg(self.location.path())
            .args(arguments)
            // Replacement objects are local: a commit must have the same content for everybody.
            .env("GIT_NO_REPLACE_OBJECTS", "1")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("LC_ALL", "C")
            .stdin(Stdio::null());
        if !self.own {
            for variable in OF_A_REPOSITORY {
                command.env_remove(variable);
            }
        }
        command
    }

    fn failed(&self, what: &str, output: &Output) -> Box<Diagnostic> {
        let printed = String::from_utf8_lossy(&output.stderr);
        let line = printed.trim().lines().next().unwrap_or_default();
        let why = line.strip_prefix("fatal: ").unwrap_or(line);
        let message = format!("`git {what}`{} failed: {why}", self.shown);
        Box::new(
            Diagnostic::new(Code::GitFailed, None, message)
                .with_help("run git in the same folder and fix what it reports"),
        )
    }
}

/// The environment variables by which git tells its hooks the repository.
const OF_A_REPOSITORY: [&str; 6] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
];

fn ended(error: &std::io::Error) -> Box<Diagnostic> {
    let message = format!("`git cat-file` failed: {error}");
    let finding = Diagnostic::new(Code::GitFailed, None, message);
    Box::new(finding.with_help("run git in the same folder and fix what it reports"))
}

fn unstarted(error: &std::io::Error) -> Box<Diagnostic> {
    let message = format!("`git` could not be started: {error}");
    Box::new(
        Diagnostic::new(Code::GitFailed, None, message).with_help("install git, or fix the path"),
    )
}
