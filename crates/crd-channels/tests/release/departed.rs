//! Released bundles that were replaced or removed, as git's tags show.

use super::support::{Workspace, run};
use super::{Project, ROUTE};

/// A project with v0.1.0 and v0.2.0 on `main`, both tagged.
fn tagged() -> Project {
    let project = Project::new();
    project.git(&["branch", "--move", "main"]);
    project.publish("minor", "v0.1.0");
    project.publish("minor", "v0.2.0");
    project
}

/// Puts another bundle in the place of v0.2.0, one that is consistent and follows v0.1.0 as well.
fn replace(project: &Project) {
    let own = project.git(&["rev-parse", "HEAD"]);
    let tagged = project.git(&["rev-parse", "v0.2.0"]);
    project.git(&["reset", "--quiet", "--hard", "v0.2.0~1"]);
    project.git(&["tag", "--delete", "v0.2.0"]);
    project.edit("The host.", "The name of the host.");
    project.commit_generated();
    project.release("minor").with_code(0);
    let other = project.0.files("channels/v0.2.0");
    project.git(&["add", "--all"]);
    project.git(&["reset", "--quiet", "--hard", own.trim()]);
    project.git(&["tag", "v0.2.0", tagged.trim()]);
    for (path, bytes) in other {
        project.0.write(&format!("channels/v0.2.0/{path}"), bytes);
    }
    project.commit();
}

const COMMANDS: [&[&str]; 7] = [
    &["verify-release"],
    &["verify-release", "v0.2.0"],
    &["diff", "git:v0.2.0", ".", "--against", "minor"],
    &["release", "patch", "--dry-run"],
    &["release", "0.2.1", "--dry-run"],
    &["release", "minor", "--dry-run"],
    &["release", "0.3.0", "--dry-run"],
];

#[test]
fn a_bundle_that_is_not_the_one_of_its_tag_is_found_and_restored() {
    let project = tagged();
    replace(&project);
    project.0.run(&["verify-release", "v0.1.0"]).with_code(0);
    for command in COMMANDS {
        let stderr = project.0.run(command).with_code(1).stderr;
        for words in [
            "error[bundle-tampered]: bundle v0.2.0 is not the one that was released: the tag `v0.2.0` has a different one",
            "run `git checkout --no-overlay v0.2.0 -- channels/v0.2.0`",
        ] {
            assert!(stderr.contains(words), "{command:?}: {stderr}");
        }
    }
    let json = [
        "diff",
        "git:v0.2.0",
        ".",
        "--against",
        "minor",
        "--format",
        "json",
    ];
    let findings = project.0.run(&json).with_code(1).findings();
    assert_eq!(findings[0].code, "bundle-tampered");
    project.git(&[
        "checkout",
        "--quiet",
        "--no-overlay",
        "v0.2.0",
        "--",
        "channels/v0.2.0",
    ]);
    project.commit();
    for command in COMMANDS {
        project.0.run(command).with_code(0);
    }
}

#[test]
fn a_bundle_that_was_removed_is_adopted_again() {
    for is_committed in [true, false] {
        let project = tagged();
        project.git(&["rm", "-r", "--quiet", "channels/v0.2.0"]);
        if is_committed {
            project.commit();
        }
        for command in COMMANDS
            .iter()
            .filter(|command| ***command != ["verify-release", "v0.2.0"])
        {
            let stderr = project.0.run(command).with_code(1).stderr;
            for words in [
                "error[bundle-tampered]: bundle v0.2.0 was released at the tag `v0.2.0`, but its folder was removed",
                "run `crd-channels adopt v0.2.0`",
            ] {
                assert!(stderr.contains(words), "{command:?}: {stderr}");
            }
        }
        project.0.run(&["adopt", "v0.2.0"]).with_code(0);
        project.commit();
        for command in COMMANDS {
            project.0.run(command).with_code(0);
        }
    }
}

/// A release that was merged as a new commit: its tag is on no branch.
#[test]
fn a_removed_bundle_whose_tag_is_elsewhere_is_adopted_before_the_next() {
    let project = tagged();
    let tree = project.git(&["commit-tree", "-m", "x", "HEAD^{tree}"]);
    project.git(&["reset", "--quiet", "--hard", tree.trim()]);
    project.git(&["rm", "-r", "--quiet", "channels/v0.2.0"]);
    project.commit();
    for asked in ["patch", "0.2.1", "minor", "0.3.0"] {
        let stderr = project.release(asked).with_code(1).stderr;
        let words = "run `crd-channels adopt v0.2.0`, which copies it here";
        assert!(stderr.contains(words), "{asked}: {stderr}");
    }
    project.0.run(&["adopt", "v0.2.0"]).with_code(0);
    project.commit();
    project.release("patch").with_code(0);
}

/// Nothing is reported where git does not know what was released.
#[test]
fn what_no_tag_shows_is_accepted() {
    let verified = |project: &Project, what: &str| {
        let ran = project.0.run(&["verify-release"]);
        assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{what}");
    };
    let project = tagged();
    replace(&project);
    project.git(&["tag", "--force", "v0.2.0", "v0.2.0~1"]);
    verified(&project, "a tag of a commit without the bundle");
    project.git(&["tag", "--force", "v0.2.0", "HEAD:Cargo.toml"]);
    verified(&project, "a tag of a file");
    project.git(&["tag", "--delete", "v0.2.0"]);
    verified(&project, "no tag");
    std::fs::remove_dir_all(project.0.path(".git")).unwrap();
    verified(&project, "no repository");

    // A bundle of another branch, whose merge left it there.
    let project = tagged();
    project.git(&["checkout", "--quiet", "-b", "release-0.1", "v0.1.0"]);
    verified(&project, "a later bundle");
    project.0.run(&["start-next"]).with_code(0);
    project.0.generate();
    project.commit();
    project.publish("patch", "v0.1.1");
    project.git(&["checkout", "--quiet", "main"]);
    verified(&project, "a patch of another branch");
    project.git(&[
        "merge",
        "--quiet",
        "--strategy",
        "ours",
        "--message",
        "x",
        "release-0.1",
    ]);
    verified(&project, "a merge without the patch");
    project.0.run(&["adopt", "v0.1.1"]).with_code(0);
    project.commit();
    verified(&project, "an adopted patch");
    project.git(&["rm", "-r", "--quiet", "channels/v0.1.1"]);
    project.commit();
    project.0.run(&["verify-release"]).with_code(1);
}

/// The repository has other projects, and a clone of it may have no past.
#[test]
fn a_project_in_a_subfolder_is_compared_as_far_as_a_clone_goes() {
    let outer = Workspace::new("");
    let project = Project(Workspace::at(outer.path("api"), ROUTE));
    project.git(&["init", "--quiet", "--initial-branch", "main", ".."]);
    project.0.edit("Cargo.toml", "0.1.0", "0.1.0-dev");
    project.commit_generated();
    for version in ["v0.1.0", "v0.2.0"] {
        project.release("minor").with_code(0);
        project.commit();
        project.git(&[
            "tag",
            "--annotate",
            "--message",
            "x",
            &format!("api/{version}"),
        ]);
        project.git(&["tag", &format!("cli-{version}"), "HEAD~1"]);
        project.commit_generated();
    }
    project.0.run(&["verify-release"]).with_code(0);
    let manifest = "channels/v0.2.0/manifest.json";
    project.git(&["rm", "-r", "--quiet", "channels/v0.2.0"]);
    project.commit();
    let stderr = project.0.run(&["verify-release"]).with_code(1).stderr;
    let words = "bundle v0.2.0 was released at the tag `api/v0.2.0`, but its folder was removed";
    assert!(stderr.contains(words), "{stderr}");
    assert!(!project.0.path(manifest).exists());

    let url = format!("file://{}", outer.folder().display());
    let clones = Workspace::new("");
    let clone = clones.path("clone").display().to_string();
    project.git(&["clone", "--quiet", "--depth", "1", &url, &clone]);
    let verify = || run(&mut clones.command_in("clone/api", &["verify-release"]));
    verify().with_code(0);
    project.git(&["-C", &clone, "fetch", "--quiet", "--unshallow", "--tags"]);
    verify().with_code(1);
}
