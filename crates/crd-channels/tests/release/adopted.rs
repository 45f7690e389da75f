//! Adopted bundles of a release branch, and the next minor, which has to follow them.

use super::Project;

/// A project with v0.1.0 and the next version on `main`, and a branch on which `edit` and a waiver led to v0.1.1 and v0.1.2.
fn with_patches(edit: (&str, &str), waived: &str) -> Project {
    let project = Project::new();
    project.git(&["branch", "--move", "main"]);
    project.publish("minor", "v0.1.0");
    project.git(&["checkout", "--quiet", "-b", "release-0.1"]);
    project.edit("The host.", "The name of the host.");
    project.commit_generated();
    project.publish("patch", "v0.1.1");
    project.edit(edit.0, edit.1);
    project.0.write("channels/waivers.toml", waived);
    project.commit_generated();
    project.publish("patch", "v0.1.2");
    project.git(&["checkout", "--quiet", "main"]);
    project
}

#[test]
fn bundles_of_a_branch_are_adopted_with_their_entries() {
    let project = with_patches(("So long.", "As long."), "");
    let stderr = project.release("minor").with_code(1).stderr;
    assert!(stderr.contains("`crd-channels adopt v0.1.2`"), "{stderr}");
    let ran = project.0.run(&["adopt", "v0.1.2"]).with_code(0);
    assert!(
        ran.stdout
            .contains("v0.1.1 and v0.1.2 of `v0.1.2` in `channels`"),
        "{}",
        ran.stdout
    );
    assert_eq!(ran.stderr, "");
    let stderr = project.release("minor").with_code(1).stderr;
    let words = "= help: commit the adopted files first: `git add --all && git commit --message 'Adopt v0.1.2'`\n";
    assert!(stderr.contains(words), "{stderr}");
    project.0.run(&["verify-release"]).with_code(0);
    let log = project.0.read("channels/CHANGELOG.md");
    let order = ["## v0.1.2", "## v0.1.1", "## v0.1.0"].map(|head| log.find(head).unwrap());
    assert!(order.is_sorted(), "{log}");
    project.commit();
    let again = project.0.run(&["adopt", "0.1.2"]).with_code(0).stdout;
    assert_eq!(again, "v0.1.2 already exists here; nothing was written\n");
    project.git(&["diff", "--quiet"]);
    // The next version is above the adopted one.
    project.release("minor").with_code(0);
    assert_eq!(project.manifest("v0.2.0")["baseline"]["version"], "v0.1.2");
    project.0.run(&["gen-crds", "--check"]).with_code(0);
}

/// A signature is not part of the bundle, and may be added later.
#[test]
fn a_signature_comes_with_its_bundle() {
    let project = with_patches(("So long.", "As long."), "");
    project.0.run(&["adopt", "v0.1.2"]).with_code(0);
    project.commit();
    let signature = "channels/v0.1.1/manifest.json.minisig";
    project.git(&["checkout", "--quiet", "release-0.1"]);
    project.0.write(signature, "signed\n");
    project.commit();
    project.git(&["checkout", "--quiet", "main"]);
    let adopt = ["adopt", "v0.1.2", "--from", "release-0.1"];
    let stdout = project.0.run(&adopt).with_code(0).stdout;
    assert!(
        stdout.contains("1 file written: the missing files of v0.1.2"),
        "{stdout}"
    );
    assert_eq!(project.0.read(signature), "signed\n");
    let stdout = project.0.run(&adopt).with_code(0).stdout;
    assert!(stdout.contains("nothing was written"), "{stdout}");
}

#[test]
fn changes_of_the_branch_that_the_tree_lacks_are_reported() {
    let waiver = "[[waiver]]\nkind = \"Route\"\npath = \"spec.host\"\nbundle = \"v0.1.2\"\nreason = \"hosts are long\"\n";
    let project = with_patches(("max = 20", "max = 30"), waiver);
    for _ in 0..2 {
        let stderr = project.0.run(&["adopt", "v0.1.2"]).with_code(0).stderr;
        for words in [
            "warning[behind-bundle]: v0.2.0 would be refused: `Route` `v1` `spec.host` (stable): maxLength was 30 and is 20",
            "src/lib.rs:",
            "= help: make the same change to the types here; the lowest version that allows it is v1.0.0, if it also brings a new GA version such as `v2` to the stable channel; or add a waiver",
            "[[waiver]]",
        ] {
            assert!(stderr.contains(words), "{words}:\n{stderr}");
        }
    }
    project.commit();
    project.release("minor").with_code(1);
    project.edit("max = 20", "max = 30");
    project.commit_generated();
    assert_eq!(project.0.run(&["adopt", "v0.1.2"]).with_code(0).stderr, "");
    project.release("minor").with_code(0);
}

#[test]
fn only_bundles_of_the_same_history_are_adopted() {
    let project = with_patches(("So long.", "As long."), "");
    let before = project.0.files("channels");
    let refused = |arguments: &[&str], code: i32, words: &str| {
        let stderr = project.0.run(arguments).with_code(code).stderr;
        assert!(stderr.contains(words), "{words}:\n{stderr}");
        assert!(project.0.files("channels") == before);
    };
    refused(&["adopt", "v0.9.0"], 2, "no commit is named `v0.9.0`");
    refused(
        &["adopt", "v0.1.2", "--from", "main"],
        2,
        "error[bundle-missing]: `main` has no bundle v0.1.2 in `channels`",
    );
    refused(&["adopt", "huge"], 2, "`huge` is not a version of a bundle");
    // An incomplete bundle, and a modified one.
    project.git(&["checkout", "--quiet", "release-0.1"]);
    project
        .0
        .write("channels/v0.1.2/stable/kustomization.yaml", "");
    project.commit();
    project.git(&["checkout", "--quiet", "main"]);
    refused(
        &["adopt", "v0.1.2", "--from", "release-0.1"],
        1,
        "bundle v0.1.2: `stable/kustomization.yaml` was changed",
    );
    // Another bundle with the same version.
    let other = Project::new();
    other.edit("The host.", "Other.");
    other.commit_generated();
    other.release("minor").with_code(0);
    for (path, bytes) in other.0.files("channels/v0.1.0") {
        project.0.write(&format!("channels/v0.1.0/{path}"), bytes);
    }
    let stderr = project.0.run(&["adopt", "v0.1.2"]).with_code(1).stderr;
    let words = "v0.1.0 of `v0.1.2` differs from v0.1.0 here";
    assert!(stderr.contains(words), "{stderr}");
    assert!(!project.0.path("channels/v0.1.2").exists());
}
