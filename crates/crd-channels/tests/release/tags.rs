//! Git's tags: versions of other lines, regardless of the checked-out branch.

use super::Project;

/// A project with v0.1.0 and v0.2.0 on `main`, and a branch of the line v0.1 that only has v0.1.0.
fn two_lines() -> Project {
    let project = Project::new();
    project.git(&["branch", "--move", "main"]);
    project.publish("minor", "v0.1.0");
    project.git(&["branch", "release-0.1"]);
    project.publish("minor", "v0.2.0");
    project
}

#[test]
fn a_version_that_another_line_has_is_not_released_again() {
    let project = two_lines();
    project.git(&["checkout", "--quiet", "release-0.1"]);
    for arguments in [
        &["release", "minor", "--dry-run"][..],
        &["release", "0.2.0"],
    ] {
        let stderr = project.0.run(arguments).with_code(1).stderr;
        for words in [
            "error[release-version]: v0.2.0 is taken: it was released on `main`",
            "`crd-channels release patch`",
            "1 error; nothing was written",
        ] {
            assert!(stderr.contains(words), "{words}:\n{stderr}");
        }
    }
    project.release("patch").with_code(0);
}

#[test]
fn a_minor_waits_for_the_patches_of_branches() {
    let project = two_lines();
    project.git(&["checkout", "--quiet", "-b", "release-0.2"]);
    project.release("patch").with_code(0);
    project.commit();
    project.git(&["tag", "--annotate", "--message", "x", "v0.2.1"]);
    project.git(&["checkout", "--quiet", "main"]);
    for asked in ["minor", "0.3.0-rc.1"] {
        let stderr = project.release(asked).with_code(1).stderr;
        for words in [
            "v0.2.1 was released on `release-0.2`, but v0.3.0",
            "`crd-channels adopt v0.2.1`",
        ] {
            assert!(stderr.contains(words), "{words}:\n{stderr}");
        }
    }
    let stderr = project.release("patch").with_code(1).stderr;
    assert!(stderr.contains("v0.2.1 is taken"), "{stderr}");
    // A snapshot promises nothing.
    project
        .0
        .run(&["release", "snapshot", "--date", "2026-11-21", "--dry-run"])
        .with_code(0);
}

#[test]
fn a_release_that_nobody_tagged_is_noticed() {
    let project = two_lines();
    let note = "note: v0.3.0 has no tag in this clone";
    project.release("minor").with_code(0);
    project.commit_generated();
    let ran = project
        .0
        .run(&["release", "minor", "--dry-run"])
        .with_code(0);
    assert!(ran.stderr.contains(note), "{}", ran.stderr);
    project.git(&["tag", "v0.3.0", "HEAD~1"]);
    let ran = project
        .0
        .run(&["release", "minor", "--dry-run"])
        .with_code(0);
    assert!(!ran.stderr.contains(note), "{}", ran.stderr);
}

#[test]
fn a_tag_of_a_file_is_noted_and_does_not_block() {
    let project = Project::released();
    for tag in ["v0.2.0", "v0.2.1", "v9.0.0"] {
        project.git(&["tag", tag, "HEAD:Cargo.toml"]);
    }
    let ran = project.release("minor").with_code(0);
    let note = "the tag `v0.2.0` already exists and names no commit; give the bundle another tag";
    assert!(ran.stderr.contains(note), "{}", ran.stderr);
}

/// The program has versions of its own, or the tag was set too early.
#[test]
fn a_tag_without_a_bundle_is_noted_and_does_not_block() {
    let project = Project::released();
    project.git(&["tag", "v0.2.0"]);
    project.git(&["tag", "v9.0.0"]);
    project.git(&["tag", "very-old"]);
    let ran = project.release("minor").with_code(0);
    let note = "the tag `v0.2.0` already exists and names a commit without this bundle";
    assert!(ran.stderr.contains(note), "{}", ran.stderr);
    assert!(ran.stdout.contains("git tag <TAG>\n"), "{}", ran.stdout);
    assert!(!ran.stderr.contains("git fetch"), "{}", ran.stderr);
    // In a clone of a shared repository, some tags may be missing.
    project.commit_generated();
    project.git(&["remote", "add", "origin", "https://example.com/x.git"]);
    let ran = project
        .0
        .run(&["release", "minor", "--dry-run"])
        .with_code(0);
    let note = "nothing was fetched from `origin` yet, so tags of bundles may be missing here; `git fetch --tags origin` fetches them";
    assert!(ran.stderr.contains(note), "{}", ran.stderr);
}

/// The other name that a note suggests is free.
#[test]
fn a_suggested_tag_does_not_exist() {
    let project = Project::released();
    for (tag, suggested) in [
        ("v0.2.0", "another tag, such as `crds-v0.2.0`"),
        ("crds-v0.2.0", "another tag, such as `api-v0.2.0`"),
        ("api-v0.2.0", "another tag, such as `bundle-v0.2.0`"),
        ("bundle-v0.2.0", "another tag\n"),
    ] {
        project.git(&["tag", tag]);
        let ran = project
            .0
            .run(&["release", "minor", "--dry-run"])
            .with_code(0);
        let note = "the tag `v0.2.0` already exists and names a commit without this bundle; give the bundle";
        assert!(
            ran.stderr.contains(&format!("{note} {suggested}")),
            "{}",
            ran.stderr
        );
    }
    // Tags of the project have a prefix, and the next one is taken.
    let project = Project::new();
    project.release("minor").with_code(0);
    project.commit();
    project.git(&["tag", "crds-v0.1.0"]);
    project.commit_generated();
    project.git(&["tag", "crds-v0.2.0"]);
    let ran = project
        .0
        .run(&["release", "minor", "--dry-run"])
        .with_code(0);
    let note = "the tag `crds-v0.2.0` already exists and names a commit without this bundle; give the bundle another tag, such as `api-v0.2.0`";
    assert!(ran.stderr.contains(note), "{}", ran.stderr);
}

/// A repository of several projects, whose tags have prefixes.
#[test]
fn the_tags_of_a_project_may_have_a_prefix() {
    for prefix in ["crds-", "api/", "demo_"] {
        let project = Project::new();
        project.git(&["branch", "--move", "main"]);
        let publish = |asked: &str, version: &str| {
            project.release(asked).with_code(0);
            project.commit();
            project.git(&["tag", &format!("{prefix}{version}")]);
            project.commit_generated();
        };
        publish("minor", "v0.1.0");
        project.git(&["branch", "release-0.1"]);
        // Another project's tags neither block the release nor count as this project's.
        project.git(&["tag", "cli-v0.2.0"]);
        project.git(&["tag", "v0.2.0"]);
        let ran = project.release("minor").with_code(0);
        let step = format!(
            "git tag {prefix}v0.2.0\n  git push --atomic origin HEAD:refs/heads/main {prefix}v0.2.0\n"
        );
        assert!(ran.stdout.contains(&step), "{}", ran.stdout);
        assert!(!ran.stderr.contains("already exists"), "{}", ran.stderr);
        // A command that is run before the steps repeats them.
        let stderr = project.release("patch").with_code(1).stderr;
        let step = format!("then `git tag {prefix}v0.2.0`");
        assert!(stderr.contains(&step), "{stderr}");
        project.commit();
        project.git(&["tag", &format!("{prefix}v0.2.0")]);
        project.git(&["checkout", "--quiet", "release-0.1"]);
        let stderr = project.release("0.2.0").with_code(1).stderr;
        let words = "v0.2.0 is taken: it was released on `main`";
        assert!(stderr.contains(words), "{stderr}");
        publish("patch", "v0.1.1");
        project.git(&["checkout", "--quiet", "main"]);
        project.0.run(&["adopt", "v0.1.1"]).with_code(0);
    }
}

/// A bundle is recognized by the commit of its tag, whatever the prefix.
#[test]
fn another_line_may_put_something_else_before_its_versions() {
    let project = Project::new();
    project.git(&["branch", "--move", "main"]);
    project.publish("minor", "v0.1.0");
    project.git(&["checkout", "--quiet", "-b", "release-0.1"]);
    project.release("patch").with_code(0);
    project.commit();
    project.git(&["tag", "crds-v0.1.1"]);
    project.git(&["checkout", "--quiet", "main"]);
    let stderr = project.release("patch").with_code(1).stderr;
    let words = "v0.1.1 is taken: it was released on `release-0.1`";
    assert!(stderr.contains(words), "{stderr}");
    let stderr = project.release("minor").with_code(1).stderr;
    assert!(stderr.contains("`crd-channels adopt v0.1.1`"), "{stderr}");
}

/// Every later commit has the bundle too, and may have the tags of a program.
#[test]
fn the_tag_of_a_bundle_is_that_of_its_commit() {
    let project = Project::new();
    project.git(&["branch", "--move", "main"]);
    project.release("minor").with_code(0);
    project.commit();
    project.git(&["tag", "crds-v0.1.0"]);
    project.commit_generated();
    for tag in ["v0.1.0", "api-v0.1.0"] {
        project.git(&["tag", tag]);
    }
    let ran = project.release("minor").with_code(0);
    assert!(
        ran.stdout.contains("git tag crds-v0.2.0\n"),
        "{}",
        ran.stdout
    );
}

/// A refusal offers what the commands would do: `release patch` is about the line of the tree.
#[test]
fn help_about_a_taken_version_names_a_free_one() {
    let project = two_lines();
    project.git(&["checkout", "--quiet", "main"]);
    project.publish("minor", "v0.3.0");
    project.git(&["checkout", "--quiet", "release-0.1"]);
    project.0.run(&["adopt", "v0.2.0"]).with_code(0);
    project.commit();
    let stderr = project.release("minor").with_code(1).stderr;
    for words in [
        "v0.3.0 is taken: it was released on `main`",
        "run `crd-channels release patch` for v0.1.1, or `crd-channels adopt v0.3.0` first",
    ] {
        assert!(stderr.contains(words), "{words}:\n{stderr}");
    }
    project
        .0
        .run(&["release", "patch", "--dry-run"])
        .with_code(0);
    // If a patch is not possible either, it is not offered.
    project.git(&["checkout", "--quiet", "-b", "other"]);
    project.publish("patch", "v0.1.1");
    project.git(&["checkout", "--quiet", "release-0.1"]);
    let stderr = project.release("minor").with_code(1).stderr;
    let words = "= help: run `crd-channels adopt v0.3.0`, which copies it here, and release the next version";
    assert!(stderr.contains(words), "{stderr}");
}

#[test]
fn the_lowest_version_that_is_named_is_free() {
    let project = two_lines();
    project.git(&["checkout", "--quiet", "release-0.1"]);
    project.edit("max = 20", "max = 30");
    project.commit_generated();
    let stderr = project.release("patch").with_code(1).stderr;
    let words = "the lowest version that allows it is v0.3.0";
    assert!(stderr.contains(words), "{stderr}");
    // The same if the bundle is adopted.
    project.0.run(&["adopt", "v0.2.0"]);
    project.commit();
    project.git(&["tag", "--delete", "v0.2.0"]);
    let stderr = project.release("patch").with_code(1).stderr;
    assert!(stderr.contains(words), "{stderr}");
}
