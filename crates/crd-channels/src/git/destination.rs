//! Where the commits of a branch go, and where those of others come from, as git itself decides it: the remote and the branch
//! that commits are pushed to, and the branch that they are pulled from.

use super::settings::Settings;
use super::{Repository, unstarted};
use crd_channels_diagnostics::Diagnostic;
use crd_channels_diagnostics::shell::word;

/// The remote and the branch that the next commits are pushed to.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Destination {
    /// The remote; or all remotes, if git has no reason to prefer one of them.
    pub remote: Result<String, Vec<String>>,
    /// The branch in the remote; or, on a detached HEAD, the branches of the remote that are at this commit, unless it is one.
    pub branch: Result<String, Vec<String>>,
}

/// The branch of a remote that this clone last fetched.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Upstream {
    /// Its name, such as `origin/main`.
    pub name: String,
    /// Its commit.
    pub commit: String,
    /// The command that gets its commits.
    pub pull: String,
}

/// The prefix of the full names of branches.
const HEADS: &str = "refs/heads/";

/// The prefix of the full names of the branches of remotes.
const REMOTES: &str = "refs/remotes/";

/// The setting that names the remote for pushing.
const PUSH_DEFAULT: &str = "remote.pushdefault";

impl Repository {
    /// Returns where the next commits are pushed to: to the remote that `branch.<name>.pushRemote`, `remote.pushDefault` or
    /// the upstream of the branch names, or else to the only one. Without remotes it is `origin`, as for git.
    ///
    /// # Errors
    /// `git-failed`
    pub fn destination(&self) -> Result<Destination, Box<Diagnostic>> {
        let settings = self.settings()?;
        let Some(own) = &settings.branch else {
            return self.detached(settings);
        };
        let remotes = settings.remotes();
        let source = settings.of_branch("remote").filter(|remote| remote != ".");
        let chosen = settings
            .of_branch("pushremote")
            .or_else(|| settings.value(PUSH_DEFAULT))
            .or_else(|| source.clone());
        let remote = chosen.map_or_else(|| preferred(&remotes), Ok);
        let upstream = settings.of_branch("merge");
        let upstream = upstream
            .as_deref()
            .and_then(|name| name.strip_prefix(HEADS));
        let same_name = settings.value("push.default").as_deref() == Some("current");
        let branch = match upstream {
            Some(name)
                if source.is_some() && source.as_ref() == remote.as_ref().ok() && !same_name =>
            {
                name
            }
            _ => own,
        };
        Ok(Destination {
            branch: Ok(branch.to_owned()),
            remote,
        })
    }

    /// The destination of a detached HEAD: the branch of a remote that is at the same commit.
    fn detached(&self, settings: &Settings) -> Result<Destination, Box<Diagnostic>> {
        let remotes = settings.remotes();
        let here = self.ask(&[
            "for-each-ref",
            "--points-at=HEAD",
            "--format=%(refname)%09%(symref)",
            REMOTES,
        ])?;
        // `origin/HEAD` is an alias of a listed branch.
        let here = here
            .lines()
            .filter_map(|line| line.strip_suffix('\t')?.strip_prefix(REMOTES));
        let of_remote = |name: &str| {
            remotes.iter().find_map(|remote| {
                let branch = name.strip_prefix(remote.as_str())?.strip_prefix('/')?;
                Some((remote.clone(), branch.to_owned()))
            })
        };
        let all: Vec<(String, String)> = here.filter_map(of_remote).collect();
        if let [(remote, branch)] = all.as_slice() {
            return Ok(Destination {
                remote: Ok(remote.clone()),
                branch: Ok(branch.clone()),
            });
        }
        let chosen = settings.value(PUSH_DEFAULT);
        let remote = chosen.map_or_else(|| preferred(&remotes), Ok);
        let is_there = |it: &&(String, String)| remote.as_ref().is_ok_and(|remote| *remote == it.0);
        let mut branches: Vec<String> =
            all.iter().filter(is_there).map(|it| it.1.clone()).collect();
        let branch = match branches.len() {
            1 => branches.pop().ok_or_else(Vec::new),
            _ => Err(branches),
        };
        Ok(Destination { remote, branch })
    }

    /// Returns the branch that the commits of others come from, as this clone knows it: the upstream of the current branch, or
    /// the branch of the remote that it is pushed to.
    ///
    /// # Errors
    /// `git-failed`
    pub fn upstream(&self) -> Result<Option<Upstream>, Box<Diagnostic>> {
        if let Some(known) = self.known.upstream.get() {
            return Ok(known.clone());
        }
        let upstream = self.find_upstream()?;
        Ok(self.known.upstream.get_or_init(|| upstream).clone())
    }

    fn find_upstream(&self) -> Result<Option<Upstream>, Box<Diagnostic>> {
        let configured = match self.settings()?.of_branch("merge") {
            Some(_) => Some(self.run(&["rev-parse", "--symbolic-full-name", "@{upstream}"])?),
            None => None,
        };
        let (full, pull) = match configured.filter(|ran| ran.status.success()) {
            Some(ran) => {
                let name = String::from_utf8_lossy(&ran.stdout);
                (name.trim().to_owned(), "git pull --rebase".to_owned())
            }
            None => {
                let destination = self.destination()?;
                let (Ok(remote), Ok(branch)) = (destination.remote, destination.branch) else {
                    return Ok(None);
                };
                let pull = format!("git pull --rebase {} {}", word(&remote), word(&branch));
                (format!("{REMOTES}{remote}/{branch}"), pull)
            }
        };
        let known = self.ask(&["for-each-ref", "--format=%(objectname)", &full])?;
        let Some(commit) = known.lines().next().filter(|_| !full.is_empty()) else {
            return Ok(None);
        };
        let name = full
            .strip_prefix(REMOTES)
            .or_else(|| full.strip_prefix(HEADS));
        Ok(Some(Upstream {
            name: name.unwrap_or(&full).to_owned(),
            commit: commit.to_owned(),
            pull,
        }))
    }

    /// Returns how many commits of its upstream this branch lacks.
    ///
    /// # Errors
    /// `git-failed`
    pub fn behind(&self, upstream: &Upstream) -> Result<usize, Box<Diagnostic>> {
        let head = self.run(&["rev-parse", "--verify", "--quiet", "HEAD"])?;
        if !head.status.success() {
            return Ok(0);
        }
        let missing = format!("HEAD..{}", upstream.commit);
        let count = self.ask(&["rev-list", "--count", &missing])?;
        Ok(count.trim().parse().unwrap_or(0))
    }

    /// Whether a commit is, or comes before, another one.
    ///
    /// # Errors
    /// `git-failed` if git cannot run.
    pub fn is_part_of(&self, commit: &str, of: &str) -> Result<bool, Box<Diagnostic>> {
        let ran = self.run(&["merge-base", "--is-ancestor", commit, of])?;
        Ok(ran.status.success())
    }

    /// Returns why tags of others may be missing in this clone, with the command that gets them; `None` if it fetches all.
    ///
    /// # Errors
    /// `git-failed`
    pub fn missing_tags(&self) -> Result<Option<(String, String)>, Box<Diagnostic>> {
        if self.is_shallow()? {
            let why = "this clone is shallow".to_owned();
            return Ok(Some((why, "git fetch --unshallow --tags".to_owned())));
        }
        let settings = self.settings()?;
        for remote in settings.remotes() {
            let fetch = format!("git fetch --tags {}", word(&remote));
            let fetched =
                self.ask(&["for-each-ref", "--count=1", &format!("{REMOTES}{remote}/")])?;
            if fetched.is_empty() {
                let why = format!("nothing was fetched from `{remote}` yet");
                return Ok(Some((why, fetch)));
            }
            let key = format!("remote.{remote}.fetch");
            let all = settings
                .values(&key)
                .any(|refs| refs.trim_start_matches('+').starts_with("refs/heads/*:"));
            let without_tags = settings.value(&format!("remote.{remote}.tagopt"));
            if !all || without_tags.as_deref() == Some("--no-tags") {
                let why = format!("this clone does not fetch all branches and tags of `{remote}`");
                return Ok(Some((why, fetch)));
            }
        }
        Ok(None)
    }

    fn settings(&self) -> Result<&Settings, Box<Diagnostic>> {
        if let Some(settings) = self.known.settings.get() {
            return Ok(settings);
        }
        let head = self.run(&["symbolic-ref", "--quiet", "HEAD"])?;
        let name = String::from_utf8_lossy(&head.stdout);
        let branch = name.trim().strip_prefix(HEADS).map(str::to_owned);
        let mut list = self.command(&["config", "--null", "--list"]);
        // Of all commands of git, this one alone would read another file.
        let listed = list.env_remove("GIT_CONFIG").output();
        let listed = listed.map_err(|error| unstarted(&error))?;
        if !listed.status.success() {
            return Err(self.failed("config", &listed));
        }
        let settings = Settings::read(&listed.stdout, branch);
        Ok(self.known.settings.get_or_init(|| settings))
    }
}

/// The remote that git takes if nothing is configured.
fn preferred(remotes: &[String]) -> Result<String, Vec<String>> {
    const ORIGIN: &str = "origin";
    match remotes {
        [only] => Ok(only.clone()),
        all if all.is_empty() || all.iter().any(|remote| remote == ORIGIN) => Ok(ORIGIN.to_owned()),
        all => Err(all.to_vec()),
    }
}
