//! Pre-releases are removed once the final bundle is released, but only if git has them.

use super::Project;

/// v0.1.0, a candidate and a snapshot of the next, all committed.
fn project() -> Project {
    let project = Project::released();
    project.edit("max = 20", "max = 30");
    project.commit_generated();
    project.release("0.2.0-rc.1").with_code(0);
    project.commit_generated();
    let snapshot = ["release", "snapshot", "--date", "2026-11-21"];
    project.0.run(&snapshot).with_code(0);
    project.commit_generated();
    project
}

#[test]
fn pre_releases_go_when_the_final_bundle_is_out() {
    let project = project();
    let ran = project.0.run(&["prune"]).with_code(0);
    assert!(
        ran.stdout.contains("no pre-release is followed"),
        "{}",
        ran.stdout
    );
    project.release("minor").with_code(0);
    let ran = project.0.run(&["prune"]).with_code(1);
    assert!(ran.stderr.contains("error[unclean-tree]"), "{}", ran.stderr);
    assert_eq!(ran.stdout, "");
    project.commit_generated();
    let gone = ["v0.2.0-rc.1", "v0.2.0-snapshot.20261121"];
    let ran = project.0.run(&["prune", "--dry-run"]).with_code(0);
    for version in gone {
        assert!(
            ran.stdout
                .contains(&format!("would remove channels/{version}"))
        );
        assert!(project.0.path(&format!("channels/{version}")).exists());
    }
    // The remains of an interrupted run are removed as well.
    project
        .0
        .write("channels/.pruned/v0.2.0-rc.0/manifest.json", "{}");
    project.git(&["add", "--all"]);
    project.git(&["commit", "--quiet", "--message", "x"]);
    let ran = project.0.run(&["prune"]).with_code(0);
    let removed = gone.map(|version| format!("removed channels/{version}\n"));
    for line in &removed {
        assert!(ran.stdout.contains(line), "{}", ran.stdout);
    }
    let log = project.0.read("channels/CHANGELOG.md");
    for version in gone {
        assert!(!project.0.path(&format!("channels/{version}")).exists());
        assert!(!log.contains(version), "{log}");
    }
    assert!(!project.0.path("channels/.pruned").exists());
    assert!(
        log.contains("## v0.2.0\n") && log.contains("## v0.1.0\n"),
        "{log}"
    );
    project.0.run(&["verify-release"]).with_code(0);
    project.commit_generated();
    project.release("minor").with_code(0);
}

#[test]
fn only_bundles_in_git_are_pruned() {
    let project = project();
    project.release("minor").with_code(0);
    project.commit_generated();
    project.git(&["rm", "-r", "-q", "--cached", "channels/v0.2.0-rc.1"]);
    project
        .0
        .write(".gitignore", "/target\n/channels/v0.2.0-rc.1\n");
    project.git(&["add", "--all"]);
    project.git(&["commit", "--quiet", "--message", "x"]);
    let ran = project.0.run(&["prune"]).with_code(1);
    let expected = "git does not have `channels/v0.2.0-rc.1`";
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    assert!(
        project
            .0
            .path("channels/v0.2.0-rc.1/manifest.json")
            .exists()
    );
}
