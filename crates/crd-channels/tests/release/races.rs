//! Two people with clones of one repository: what is pushed, what is refused, and the way on. Every printed command runs as it
//! is printed.

use super::Project;
use super::support::{Ran, Workspace};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs a printed command in a shell, with the tool in the path.
pub(super) fn shell(project: &Project, command: &str) -> (bool, String) {
    let tool = Path::new(env!("CARGO_BIN_EXE_crd-channels"));
    let path = std::env::var_os("PATH").unwrap();
    let folders = [tool.parent().unwrap().to_path_buf()];
    let folders = folders.into_iter().chain(std::env::split_paths(&path));
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(project.0.folder());
    for (name, value) in [
        ("GIT_AUTHOR_NAME", "t"),
        ("GIT_AUTHOR_EMAIL", "t@example.com"),
        ("GIT_COMMITTER_NAME", "t"),
        ("GIT_COMMITTER_EMAIL", "t@example.com"),
        ("GIT_EDITOR", "true"),
        ("CARGO_NET_OFFLINE", "true"),
    ] {
        shell.env(name, value);
    }
    let ran = shell
        .env("PATH", std::env::join_paths(folders).unwrap())
        .output()
        .unwrap();
    let output = [ran.stdout, ran.stderr].concat();
    (ran.status.success(), String::from_utf8(output).unwrap())
}

/// The commands below `next steps:`.
fn steps(stdout: &str) -> Vec<&str> {
    let (_, steps) = stdout.split_once("next steps:\n").unwrap();
    let steps = steps.lines().map(str::trim);
    steps.filter(|step| !step.starts_with("read ")).collect()
}

/// Runs the steps until one fails, and returns that one with its output.
fn follow(project: &Project, ran: &Ran) -> Option<(String, String)> {
    steps(&ran.stdout).into_iter().find_map(|step| {
        let (done, output) = shell(project, step);
        (!done).then(|| (step.to_owned(), output))
    })
}

/// Runs all steps, and those of the second commit.
#[track_caller]
pub(super) fn follow_all(project: &Project, ran: &Ran) {
    assert_eq!(follow(project, ran), None);
    project.commit();
    project.git(&["push", "--quiet"]);
}

/// The command in backticks behind some words.
fn command<'t>(text: &'t str, words: &str) -> &'t str {
    let (_, rest) = text
        .split_once(&format!("{words} `"))
        .unwrap_or_else(|| panic!("{words}:\n{text}"));
    rest.split_once('`').unwrap().0
}

/// A bare repository, removed when it is dropped.
pub(super) struct Origin(Workspace);

impl Origin {
    /// Pushes a project with v0.1.0 to a new repository, which it calls `name`.
    pub(super) fn push(project: &Project, name: &str) -> Self {
        let origin = Self(Workspace::new(""));
        let path = origin.path();
        let path = path.to_str().unwrap();
        project.git(&["init", "--quiet", "--bare", "--initial-branch=main", path]);
        project.git(&["remote", "add", name, path]);
        project.git(&["push", "--quiet", "--set-upstream", name, "main", "--tags"]);
        origin
    }

    fn path(&self) -> PathBuf {
        self.0.path("origin.git")
    }

    fn refs(&self, project: &Project) -> String {
        project.git(&["ls-remote", self.path().to_str().unwrap()])
    }

    pub(super) fn clone(&self) -> Project {
        let clone = Project(Workspace::new(""));
        for entry in std::fs::read_dir(clone.0.folder()).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => std::fs::remove_dir_all(path).unwrap(),
                false => std::fs::remove_file(path).unwrap(),
            }
        }
        clone.git(&["clone", "--quiet", self.path().to_str().unwrap(), "."]);
        clone
    }
}

/// A clone of a project that released the next minor since then.
fn behind() -> (Origin, Project) {
    let one = main_with_bundle();
    let origin = Origin::push(&one, "origin");
    let other = origin.clone();
    one.edit("max = 20", "max = 30");
    one.commit_generated();
    follow_all(&one, &one.release("minor").with_code(0));
    (origin, other)
}

fn main_with_bundle() -> Project {
    let project = Project::new();
    project.git(&["branch", "--move", "main"]);
    project.publish("minor", "v0.1.0");
    project
}

#[test]
fn a_refused_push_leaves_neither_the_branch_nor_the_tag() {
    let one = main_with_bundle();
    let origin = Origin::push(&one, "origin");
    let other = origin.clone();
    one.0.write("README.md", "any commit");
    one.commit();
    one.git(&["push", "--quiet"]);
    let before = origin.refs(&one);
    let ran = other.release("patch").with_code(0);
    let (step, output) = follow(&other, &ran).unwrap();
    assert_eq!(step, "git push --atomic origin HEAD:refs/heads/main v0.1.1");
    assert!(output.contains("fetch first"), "{output}");
    assert_eq!(origin.refs(&one), before);
    // The release is not lost: it only comes after the other commit.
    assert!(
        shell(
            &other,
            "git tag --delete v0.1.1 && git pull --rebase && git tag v0.1.1"
        )
        .0
    );
    let (pushed, output) = shell(&other, &step);
    assert!(pushed, "{output}");
    assert!(origin.refs(&one).contains("refs/tags/v0.1.1"));
}

/// Releases and pushes a version that `origin` has already, and follows the advice until the next version is pushed.
pub(super) fn lose(late: &Project, origin: &Origin, [version, next]: [&str; 2]) {
    let ran = late.release("minor").with_code(0);
    let before = origin.refs(late);
    let (step, output) = follow(late, &ran).unwrap();
    assert!(step.starts_with("git push --atomic"), "{step}: {output}");
    assert_eq!(origin.refs(late), before);
    late.git(&["fetch", "--quiet"]);
    for arguments in [&["start-next"][..], &["release", "patch"]] {
        let refused = late.0.run(arguments).with_code(1).stderr;
        let words = format!(
            "{version} was released on `origin/main` as well, and differs from {version} here"
        );
        assert!(refused.contains(&words), "{refused}");
    }
    let refused = late.0.run(&["start-next"]).stderr;
    let words = format!("go back to before your {version} with");
    let (done, output) = shell(late, command(&refused, &words));
    assert!(done, "{output}");
    late.0.run(&["gen-crds"]).with_code(0);
    let ran = late.release("minor").with_code(0);
    assert_eq!(late.manifest(next)["baseline"]["version"], version);
    follow_all(late, &ran);
    late.0.run(&["verify-release"]).with_code(0);
}

/// The advice is followed literally, by somebody who learns of it before the release, and by somebody who learns of it after.
#[test]
fn the_loser_of_a_race_releases_the_next_version() {
    let one = main_with_bundle();
    let origin = Origin::push(&one, "origin");
    let (late, later) = (origin.clone(), origin.clone());
    one.edit("max = 20", "max = 30");
    one.commit_generated();
    let ran = one.release("minor").with_code(0);
    follow_all(&one, &ran);

    late.edit("So long.", "As long.");
    late.commit_generated();
    lose(&late, &origin, ["v0.2.0", "v0.3.0"]);
    let types = late.0.read("src/lib.rs");
    assert!(types.contains("As long."), "a commit was lost");
    assert!(types.contains("max = 30"), "nothing was pulled");

    // The third one fetches before the release.
    later.edit("Where requests go.", "Where requests end.");
    later.commit_generated();
    later.git(&["fetch", "--quiet"]);
    let refused = later.release("minor").with_code(1).stderr;
    assert!(
        refused.contains("v0.2.0 is taken: it was released on `origin/main`"),
        "{refused}"
    );
    assert!(!refused.contains("adopt"), "{refused}");
    let (done, output) = shell(&later, command(&refused, "help: run"));
    assert!(done, "{output}");
    let ran = later.release("minor").with_code(0);
    assert_eq!(later.manifest("v0.4.0")["baseline"]["version"], "v0.3.0");
    follow_all(&later, &ran);
    for tag in ["v0.2.0", "v0.3.0", "v0.4.0"] {
        assert!(
            origin.refs(&one).contains(&format!("refs/tags/{tag}\n")),
            "{tag}"
        );
    }
}

/// A branch that is behind its upstream by a patch is told to pull as well, not to adopt.
#[test]
fn a_patch_of_the_same_branch_is_pulled() {
    let one = main_with_bundle();
    let origin = Origin::push(&one, "origin");
    let other = origin.clone();
    follow_all(&one, &one.release("patch").with_code(0));
    other.git(&["fetch", "--quiet"]);
    let refused = other.release("minor").with_code(1).stderr;
    assert!(
        refused.contains("v0.1.1 was released on `origin/main`, but v0.2.0"),
        "{refused}"
    );
    assert_eq!(command(&refused, "help: run"), "git pull --rebase");
    assert!(shell(&other, "git pull --rebase").0);
    other.release("minor").with_code(0);
}

/// A patch needs no newer minor of the branch, but git would reject its push.
#[test]
fn a_branch_that_is_behind_is_told_to_pull() {
    let (_origin, other) = behind();
    let stderr = || {
        other
            .0
            .run(&["release", "patch", "--dry-run"])
            .with_code(0)
            .stderr
    };
    assert!(!stderr().contains("lacks"), "{}", stderr());
    other.git(&["fetch", "--quiet"]);
    let noted = stderr();
    assert!(noted.contains("note: `origin/main` has "), "{noted}");
    let told = "that this branch lacks, so git will reject the push: run `git pull --rebase`";
    assert!(noted.contains(told), "{noted}");
}

/// Commits after the release are named, because the way back drops them.
#[test]
fn commits_after_a_raced_release_are_counted() {
    let (_origin, other) = behind();
    other.publish("minor", "v0.2.0");
    other.0.write("README.md", "more");
    other.commit();
    other.git(&["fetch", "--quiet"]);
    let refused = other.release("minor").with_code(1).stderr;
    assert!(
        refused.contains("after the release, which `git cherry-pick` brings back"),
        "{refused}"
    );
    assert!(
        refused.contains("git tag --delete v0.2.0 && git reset --hard "),
        "{refused}"
    );
}

/// The steps of a release, and its notes, without writing anything.
fn planned(project: &Project, version: &str) -> (String, String) {
    let ran = project
        .0
        .run(&["release", version, "--dry-run", "--format", "json"])
        .with_code(0);
    let document: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let next = document["next"].as_array().unwrap().iter();
    let push = next
        .filter_map(|step| step.as_str())
        .find(|step| step.starts_with("git push"))
        .unwrap();
    (push.to_owned(), document["notes"].to_string())
}

#[test]
fn the_printed_push_names_the_remote_and_the_branch_that_git_would() {
    let project = main_with_bundle();
    let push = |version: &str| planned(&project, version).0;
    // Without remotes, git's own word for one.
    assert_eq!(
        push("minor"),
        "git push --atomic origin HEAD:refs/heads/main v0.2.0"
    );
    let upstream = Origin::push(&project, "upstream");
    assert_eq!(
        push("minor"),
        "git push --atomic upstream HEAD:refs/heads/main v0.2.0"
    );
    let snapshot = project.0.run(&[
        "release",
        "snapshot",
        "--date",
        "2026-11-21",
        "--dry-run",
        "--format",
        "json",
    ]);
    assert!(
        snapshot
            .stdout
            .contains("\"git push upstream HEAD:refs/heads/main\""),
        "{}",
        snapshot.stdout
    );
    // The branch is called otherwise there.
    project.git(&["branch", "--move", "my-main"]);
    assert_eq!(
        push("minor"),
        "git push --atomic upstream HEAD:refs/heads/main v0.2.0"
    );
    project.git(&["branch", "--unset-upstream"]);
    let (_, output) = shell(&project, "git branch --move 'my$main'");
    assert_eq!(output, "");
    assert_eq!(
        push("minor"),
        "git push --atomic upstream 'HEAD:refs/heads/my$main' v0.2.0"
    );
    project.git(&["branch", "--move", "main"]);
    project.git(&["branch", "--quiet", "--set-upstream-to=upstream/main"]);
    // A second remote, which is the place to push to.
    let fork = Origin::push(&project, "fork");
    project.git(&["branch", "--quiet", "--set-upstream-to=upstream/main"]);
    assert_eq!(
        push("minor"),
        "git push --atomic upstream HEAD:refs/heads/main v0.2.0"
    );
    project.git(&["config", "remote.pushDefault", "fork"]);
    assert_eq!(
        push("minor"),
        "git push --atomic fork HEAD:refs/heads/main v0.2.0"
    );
    project.git(&["config", "branch.main.pushRemote", "upstream"]);
    assert_eq!(
        push("minor"),
        "git push --atomic upstream HEAD:refs/heads/main v0.2.0"
    );
    project.git(&["config", "--unset", "branch.main.pushRemote"]);
    project.git(&["config", "--unset", "remote.pushDefault"]);
    // A branch without an upstream: which of the two remotes is a decision.
    project.git(&["checkout", "--quiet", "-b", "other"]);
    let (push, notes) = planned(&project, "minor");
    assert_eq!(
        push,
        "git push --atomic <REMOTE> HEAD:refs/heads/other v0.2.0"
    );
    assert!(notes.contains("(`fork`, `upstream`)"), "{notes}");
    drop((upstream, fork));
}

#[test]
fn the_printed_push_works_on_a_detached_head() {
    let project = main_with_bundle();
    let origin = Origin::push(&project, "origin");
    // Which branch is to have a minor of an older commit is a decision.
    let clone = origin.clone();
    clone.git(&["checkout", "--quiet", "v0.1.0"]);
    let (push, notes) = planned(&clone, "minor");
    assert_eq!(
        push,
        "git push --atomic origin HEAD:refs/heads/<BRANCH> v0.2.0"
    );
    assert!(notes.contains("HEAD is detached"), "{notes}");
    // As CI checks out a branch.
    project.git(&["checkout", "--quiet", "--detach", "origin/main"]);
    assert_eq!(
        follow(&project, &project.release("patch").with_code(0)),
        None
    );
    let refs = origin.refs(&project);
    let commit = project.git(&["rev-parse", "HEAD"]);
    for name in ["refs/heads/main", "refs/tags/v0.1.1"] {
        assert!(
            refs.contains(&format!("{}\t{name}\n", commit.trim())),
            "{refs}"
        );
    }
    // At a tag that is the head of no branch.
    clone.git(&["fetch", "--quiet"]);
    clone.git(&["checkout", "--quiet", "v0.1.1"]);
    project.0.write("README.md", "main goes on");
    project.commit();
    project.git(&["push", "--quiet", "origin", "HEAD:refs/heads/main"]);
    clone.git(&["fetch", "--quiet"]);
    let ran = clone.release("patch").with_code(0);
    assert!(ran.stderr.contains("`release-0.1`"), "{}", ran.stderr);
    assert_eq!(follow(&clone, &ran), None);
    let refs = origin.refs(&project);
    for name in ["refs/heads/release-0.1", "refs/tags/v0.1.2"] {
        assert!(refs.contains(&format!("\t{name}\n")), "{refs}");
    }
}

/// A note about tags is only printed where tags of others may be missing.
#[test]
fn a_full_clone_has_no_note_about_tags() {
    let project = main_with_bundle();
    let origin = Origin::push(&project, "origin");
    assert!(!planned(&project, "minor").1.contains("git fetch"));
    assert!(!planned(&origin.clone(), "minor").1.contains("git fetch"));
    let clone = origin.clone();
    clone.git(&["config", "remote.origin.tagOpt", "--no-tags"]);
    let notes = planned(&clone, "minor").1;
    assert!(notes.contains("`git fetch --tags origin`"), "{notes}");
    let clone = origin.clone();
    clone.git(&[
        "config",
        "remote.origin.fetch",
        "+refs/heads/main:refs/remotes/origin/main",
    ]);
    assert!(
        planned(&clone, "minor")
            .1
            .contains("does not fetch all branches and tags of `origin`")
    );
    let shallow = origin.clone();
    let url = format!("file://{}", origin.path().display());
    shallow.git(&["remote", "set-url", "origin", &url]);
    shallow.git(&["fetch", "--quiet", "--depth=1"]);
    let notes = planned(&shallow, "minor").1;
    assert!(notes.contains("this clone is shallow"), "{notes}");
    assert!(shell(&shallow, command(&notes, "may be missing here;")).0);
    assert!(!planned(&shallow, "minor").1.contains("shallow"));
}
