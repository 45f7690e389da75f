//! A release that is killed at any operation is completed or undone by the next run of any command.

use super::Project;
use super::killed::{Killed, moments};
use super::support::{Ran, run};
use crd_channels::cli::{CommandRow, table};
use crd_channels::commands::format::Format;
use crd_channels::commands::release::{Request, prepare};
use crd_channels::release::version_choice::RequestedVersion;
use crd_channels_diagnostics::{Sink, Sources};
use crd_channels_files::{Disk, Plan, recover};
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// A project just before the release of v0.2.0.
struct Story {
    project: Project,
    release: Plan,
    before: Tree,
    after: Tree,
}

/// All files except those of git and cargo, and the empty folders.
type Tree = (BTreeMap<String, Vec<u8>>, Vec<PathBuf>);

impl Story {
    fn new() -> Self {
        let project = Project::released();
        project.edit("max = 20", "max = 30");
        project.commit_generated();
        let before = tree(&project);
        let (sources, mut sink) = (Sources::default(), Sink::default());
        let request = Request {
            asked: RequestedVersion::Minor,
            sign: None,
            archive: None,
            dry_run: false,
            format: Format::Human,
        };
        let prepared = prepare(&request, project.0.folder(), &sources, &mut sink).unwrap();
        assert!(!sink.has_errors(), "{:?}", sink.diagnostics());
        project.release("minor").with_code(0);
        let after = tree(&project);
        let story = Self {
            project,
            release: prepared.plan,
            before,
            after,
        };
        story.reset();
        assert!(tree(&story.project) == story.before);
        story
    }

    /// Restores the state before the release, as `git stash --include-untracked` does.
    fn reset(&self) {
        let _ = fs::remove_dir_all(self.project.0.path("channels/v0.2.0"));
        let (files, _) = tree(&self.project);
        for path in files
            .keys()
            .filter(|path| !self.before.0.contains_key(*path))
        {
            fs::remove_file(self.project.0.path(path)).unwrap();
        }
        for (path, bytes) in &self.before.0 {
            if files.get(path) != Some(bytes) {
                self.project.0.write(path, bytes);
            }
        }
    }

    /// Releases, and is killed at an operation. Returns whether it completed before.
    fn kill(&self, at: usize) -> bool {
        let ended = self.release.apply(&Killed::at(at)).is_ok();
        if at.is_multiple_of(2) {
            // `cargo clean`
            let _ = fs::remove_dir_all(self.project.0.path("target"));
        }
        ended
    }

    /// Returns the first operation at which a killed release leaves a state in which a condition holds.
    fn kill_until(&self, holds: impl Fn() -> bool) -> usize {
        let kills = |at: &usize| {
            let _ = recover(self.project.0.folder(), &Disk).unwrap();
            self.reset();
            self.kill(*at);
            holds()
        };
        (0..).find(kills).unwrap()
    }

    fn has(&self, left: &str) -> bool {
        self.project
            .0
            .path(&format!(".crd-channels/{left}"))
            .exists()
    }

    /// Runs a command after a kill, which settles the release. Returns whether the release exists then.
    fn next(&self, at: usize, command: &[&str]) -> (Ran, bool) {
        let (pending, decided) = (self.has("pending.json"), self.has("journal.json"));
        let mut command = self.project.0.command(command);
        if at.is_multiple_of(3) {
            command.env("CARGO_TARGET_DIR", self.project.0.path("target/elsewhere"));
        }
        let ran = run(&mut command);
        if decided {
            let note = "note: an interrupted run was completed: bundle v0.2.0\nnext steps:\n  read channels/CHANGELOG.md\n";
            assert!(ran.stderr.contains(note), "{at}: {}", ran.stderr);
        } else if pending {
            let note = "note: an interrupted run was undone";
            assert!(ran.stderr.contains(note), "{at}: {}", ran.stderr);
        } else {
            assert!(!ran.stderr.contains("interrupted"), "{at}: {}", ran.stderr);
        }
        let now = tree(&self.project);
        assert!(
            now == self.before || now == self.after,
            "a mixture is left after operation {at}: {}",
            ran.stderr
        );
        let is_there = now == self.after;
        (ran, is_there)
    }

    /// Repeats a settled release: makes it if it was undone, and is told to commit it if it was completed.
    fn release_again(&self, is_there: bool) {
        let again = self.project.release("minor");
        if is_there {
            let again = again.with_code(1);
            let expected = "error[unclean-tree]: v0.2.0 is written but not committed: `";
            assert!(again.stderr.contains(expected), "{}", again.stderr);
            assert!(!again.stderr.contains("git stash"), "{}", again.stderr);
        } else {
            again.with_code(0);
        }
        assert!(tree(&self.project) == self.after);
    }
}

fn tree(project: &Project) -> Tree {
    let root = project.0.folder();
    let (mut files, mut empty) = Tree::default();
    let mut open = vec![root.to_path_buf()];
    while let Some(folder) = open.pop() {
        let entries = fs::read_dir(&folder).unwrap();
        let entries: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        if entries.is_empty() {
            empty.push(folder);
        }
        for path in entries {
            let name = path.strip_prefix(root).unwrap().to_str().unwrap();
            if path.is_file() {
                files.insert(name.to_owned(), fs::read(&path).unwrap());
            } else if !["target", ".git"].contains(&name) {
                open.push(path);
            }
        }
    }
    (files, empty)
}

/// Kills a release at its operations. Afterwards the command runs successfully, and then the release again.
fn check_moments(command: &[&str]) {
    let story = Story::new();
    let (mut undone, mut completed) = (0, 0);
    for at in moments() {
        let ended = story.kill(at);
        let (ran, is_there) = story.next(at, command);
        ran.with_code(0);
        if at.is_multiple_of(4) {
            story.release_again(is_there);
        }
        match is_there {
            true => completed += 1,
            false => undone += 1,
        }
        if ended {
            break;
        }
        story.reset();
    }
    assert!(undone > 1 && completed > 1, "{undone} {completed}");
}

#[test]
fn gen_crds_settles_a_release() {
    check_moments(&["gen-crds", "--check"]);
}

#[test]
fn verify_release_settles_a_release() {
    check_moments(&["verify-release"]);
}

#[test]
fn features_settles_a_release() {
    check_moments(&["features"]);
}

#[test]
fn release_settles_a_release_and_makes_no_second_one() {
    let story = Story::new();
    let (mut made, mut completed) = (0, 0);
    for at in moments() {
        let ended = story.kill(at);
        let decided = story.has("journal.json");
        let (ran, is_there) = story.next(at, &["release", "minor"]);
        assert!(is_there, "{at}: {}", ran.stderr);
        match (decided, ended) {
            // The second one finds the completed first one.
            (false, true) => {
                ran.with_code(1);
                break;
            }
            (true, _) => {
                let ran = ran.with_code(1);
                for expected in [
                    "  git tag v0.2.0\n",
                    "error: nothing else was released; run the command again for another bundle once this one is committed",
                ] {
                    assert!(ran.stderr.contains(expected), "{at}: {}", ran.stderr);
                }
                completed += 1;
            }
            // The journal is removed last, and what it describes may be complete by then.
            (false, false) if ran.code == Some(1) => {
                assert!(
                    ran.stderr.contains("error[unclean-tree]: v0.2.0"),
                    "{}",
                    ran.stderr
                );
            }
            (false, false) => {
                ran.with_code(0);
                made += 1;
            }
        }
        if at.is_multiple_of(4) {
            story.release_again(true);
        }
        story.reset();
    }
    assert!(made > 1 && completed > 1, "{made} {completed}");
}

#[test]
fn neither_git_nor_cargo_sees_the_journal() {
    let story = Story::new();
    let mut seen = 0;
    let mut packed_at = 0;
    for at in (0..).step_by(5) {
        let ended = story.kill(at);
        let status = story.project.git(&["status", "--porcelain", "--ignored"]);
        seen += usize::from(status.contains("!! .crd-channels/"));
        assert!(!status.contains("?? .crd-channels/"), "{at}: {status}");
        if story.has("journal.json") {
            packed_at = at;
        }
        story.next(at, &["features"]);
        story.reset();
        if ended {
            break;
        }
    }
    assert!(seen > 8, "{seen}");
    for has_git in [true, false] {
        story.kill(packed_at);
        if !has_git {
            fs::remove_dir_all(story.project.0.path(".git")).unwrap();
        }
        let packed = Command::new(env!("CARGO"))
            .args(["package", "--list", "--allow-dirty", "--offline"])
            .current_dir(story.project.0.folder())
            .output()
            .unwrap();
        let packed = String::from_utf8(packed.stdout).unwrap();
        assert!(packed.contains("channels/v0.2.0/"), "{packed}");
        assert!(!packed.contains(".crd-channels/"), "{packed}");
    }
}

/// Runs every command, whatever its exit code.
#[test]
fn every_command_settles_a_release() {
    let story = Story::new();
    let commands: [&[&str]; 25] = [
        &["gen-crds"],
        &["prove"],
        &["init"],
        &["import", "nowhere", "--out", "target/imported"],
        &["check", "generated"],
        &["eval-rule", "generated"],
        &["validate", "generated"],
        &["explain-rule", "Route"],
        &["diff", "v0.1.0", "."],
        &["release", "0.1.1", "--dry-run"],
        &["verify-release", "v0.1.0"],
        &["features", "--format", "json"],
        &["show", "Route"],
        &["graduate", "Nothing"],
        &["deprecate", "Nothing", "v1"],
        &["remove", "Nothing", "--dry-run"],
        &["prune", "--dry-run"],
        &["adopt", "v0.1.9", "--from", "nowhere"],
        &["sign", "v0.1.0", "--key", "nothing"],
        &["archive", "v0.1.0", "--output", "target/archive"],
        &["pin", "--from", ".", "--dry-run"],
        &["vendor", "--check"],
        &["plan"],
        &["explain-warning", "Route", "v1"],
        &["reference", "--out", "target/reference", "--check"],
    ];
    // These read no files of a release; the last two write more than what is settled.
    let others = [
        "cluster-status",
        "cluster-install",
        "cluster-migrate",
        "cluster-verify",
        "keygen",
        "explain",
        "completions",
        "man",
        "envtest",
        "start-next",
        "merge-driver",
    ];
    for name in table::commands().map(CommandRow::name) {
        let is_tried = commands.iter().any(|command| command[0] == name);
        assert!(
            is_tried || others.contains(&&*name),
            "`{name}` is not tried"
        );
    }
    let decision = story.kill_until(|| story.has("journal.json"));
    story.project.0.run(&["features"]).with_code(0);
    story.reset();
    for command in commands {
        for at in [decision - 1, decision, decision + 9] {
            story.kill(at);
            assert!(story.has("pending.json") || story.has("journal.json"));
            let (_, is_there) = story.next(at, command);
            assert_eq!(is_there, at >= decision, "{command:?}");
            story.reset();
        }
    }
}

/// As after `git clean -X`, which removes ignored files.
#[test]
fn without_its_journal_a_killed_release_is_reported_and_can_be_undone() {
    let story = Story::new();
    let project = &story.project;
    story.kill_until(|| project.0.path("channels/v0.2.0/chart/Chart.yaml").exists());
    fs::remove_dir_all(project.0.path(".crd-channels")).unwrap();
    for command in [["verify-release"], ["features"]] {
        let ran = project.0.run(&command);
        let expected = "error[bundle-invalid]: the folder `v0.2.0` has no `manifest.json`, so the bundle is incomplete";
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
        let help = "if an interrupted release left it, remove the folder";
        assert!(ran.stderr.contains(help), "{}", ran.stderr);
    }
    let ran = project.0.run(&["gen-crds", "--check"]).with_code(1);
    let orphan = "orphaned: generated/stable/.crd-channels-";
    assert!(ran.stdout.contains(orphan), "{}", ran.stdout);
    let ran = project.release("minor").with_code(1);
    for expected in [
        "error[unclean-tree]: v0.2.0 is only partly written: `",
        "undo it with `git stash --include-untracked` and run the command again",
        "error[unclean-tree]: an interrupted run left temporary files, but its journal is missing: `",
        "remove them: `rm generated/",
    ] {
        assert!(ran.stderr.contains(expected), "{expected}\n{}", ran.stderr);
    }
    project.git(&["stash", "--quiet", "--include-untracked"]);
    assert!(tree(project) == story.before);
    project.release("minor").with_code(0);
    assert!(tree(project) == story.after);
    project.git(&["add", "--all"]);
    project.git(&["commit", "--quiet", "--message", "x"]);
    // The leftover files in a bundle are found there and named.
    project
        .0
        .write("channels/v0.2.0/stable/.crd-channels-3.tmp", "");
    let ran = project.0.run(&["verify-release"]).with_code(1);
    let expected = "bundle v0.2.0: `stable/.crd-channels-3.tmp` was left by an interrupted run";
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
}

/// Somebody who goes back to the last commit is not overruled.
#[test]
fn a_killed_release_that_git_has_undone_is_given_up() {
    let story = Story::new();
    story.kill_until(|| story.has("journal.json"));
    story
        .project
        .git(&["stash", "--quiet", "--include-untracked"]);
    let ran = story.project.release("minor").with_code(0);
    let note = "note: an interrupted run was abandoned: the files that it had written of bundle v0.2.0 are missing\n";
    assert!(ran.stderr.contains(note), "{}", ran.stderr);
    assert!(tree(&story.project) == story.after);
}
