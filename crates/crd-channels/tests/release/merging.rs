//! Merges by git with `merge-driver`: no edit is lost, and no released file changes.

use super::Project;
use super::story::{git, switch};

const README: &str = "my crds/README.md";

/// A project with v0.1.0 and v0.2.0 on `main`, and v0.1.1 on a branch that `main` can merge. Both sides edited the README
/// beside the generated files.
fn project() -> Project {
    let project = Project::new();
    project.git(&["branch", "--move", "main"]);
    project.git(&["rm", "-r", "--quiet", "generated"]);
    let bundle = "version = \"0.1.0-dev\"\noutput = \"my crds\"\nconstants = \"src/names.rs\"\n";
    project.0.write("channels/bundle.toml", bundle);
    project.0.write(README, "one\n\n\n\n\ntwo\n");
    project.commit_generated();
    project.publish("minor", "v0.1.0");
    project.edit("max = 20", "max = 30");
    project.0.write(README, "uno\n\n\n\n\ntwo\n");
    project.commit_generated();
    project.publish("minor", "v0.2.0");
    project.git(&["checkout", "--quiet", "-b", "release-0.1", "v0.1.0"]);
    project.0.write(README, "one\n\n\n\n\ndue\n");
    project.edit("So long.", "As long.");
    project.commit_generated();
    project.publish("patch", "v0.1.1");
    switch(&project, "main");
    project.0.run(&["merge-driver", "--install"]).with_code(0);
    project.commit();
    project
}

#[test]
fn a_file_by_hand_is_merged_and_the_version_stays() {
    let project = project();
    let attributes = project.0.read(".gitattributes");
    for line in [
        "channels/v*/** merge=crd-channels",
        "channels/bundle.toml merge=crd-channels",
        "src/names.rs merge=crd-channels",
        "\"my crds/**\" merge=crd-channels",
    ] {
        assert!(
            attributes.lines().any(|known| known == line),
            "{attributes}"
        );
    }
    let (merged, output) = git(&project, &["merge", "--no-edit", "release-0.1"]);
    assert!(merged, "{output}");
    assert_eq!(project.0.read(README), "uno\n\n\n\n\ndue\n");
    let bundle = project.0.read("channels/bundle.toml");
    assert!(bundle.contains("version = \"0.2.1-dev\""), "{bundle}");
    project.0.generate();
    let crd = project
        .0
        .read("my crds/experimental/example.com_routes.yaml");
    for words in ["As long.", "maxLength: 30", "v0.2.1-dev\n"] {
        assert!(crd.contains(words), "{words}:\n{crd}");
    }
    project.0.run(&["verify-release"]).with_code(0);
}

#[test]
fn a_conflict_in_a_file_by_hand_is_left_to_a_person() {
    let project = project();
    project.0.write(README, "uno\n\n\n\n\ndeux\n");
    project.commit();
    let (merged, output) = git(&project, &["merge", "--no-edit", "release-0.1"]);
    assert!(!merged, "{output}");
    let (_, conflicts) = git(&project, &["ls-files", "--unmerged", "-z"]);
    let paths = conflicts
        .split('\0')
        .filter_map(|line| line.split('\t').nth(1));
    assert!(paths.clone().count() > 0, "{output}");
    for path in paths {
        assert_eq!(path, README, "{output}");
    }
    let text = project.0.read(README);
    assert!(text.contains("deux") && text.contains("due\n"), "{text}");
}

/// git takes a removed file and a new one for a rename, and merges their changes.
#[test]
fn a_bundles_file_is_that_of_the_side_which_has_the_bundle() {
    let project = project();
    for (version, expected) in [("v0.2.0", "ours\n"), ("v0.9.0", "theirs\n")] {
        project.0.write("target/base", "base\n");
        project.0.write("target/ours", "ours\n");
        project.0.write("target/theirs", "theirs\n");
        let path = format!("channels/{version}/stable/crds/example.com_routes.yaml");
        let sides = ["target/base", "target/ours", "target/theirs"];
        let [base, ours, theirs] = sides;
        project
            .0
            .run(&["merge-driver", base, ours, theirs, &path])
            .with_code(0);
        assert_eq!(project.0.read(ours), expected, "{version}");
    }
}

/// Lines beside the version are merged as git does it, though every line of the file may be next to the version.
#[test]
fn constants_lints_and_known_warnings_merge_where_the_versions_differ() {
    let project = project();
    let constants = project.0.read("src/names.rs");
    assert!(constants.contains("0.2.1-dev"), "{constants}");
    let lint = "[lints]\ncondition-fields = \"allow\"\n";
    let lints = |text: &str| text.replacen("constants", "constants ", 1) + lint;
    let bundle = project.0.read("channels/bundle.toml");
    project.0.write("channels/bundle.toml", lints(&bundle));
    project
        .0
        .run(&["gen-crds", "--write-baseline"])
        .with_code(0);
    project.commit();
    project.git(&["checkout", "--quiet", "release-0.1"]);
    project
        .0
        .run(&["gen-crds", "--write-baseline"])
        .with_code(0);
    let theirs = project.0.read("channels/warnings.json");
    project.commit();
    project.git(&["checkout", "--quiet", "main"]);
    assert_eq!(project.0.read("channels/warnings.json"), theirs);
    let (merged, output) = git(&project, &["merge", "--no-edit", "release-0.1"]);
    assert!(merged, "{output}");
    let (_, left) = git(&project, &["ls-files", "--unmerged"]);
    assert_eq!(left, "");
    assert_eq!(project.0.read("src/names.rs"), constants);
    let bundle = project.0.read("channels/bundle.toml");
    for words in ["version = \"0.2.1-dev\"", lint] {
        assert!(bundle.contains(words), "{bundle}");
    }
    project.0.run(&["gen-crds"]).with_code(0);
    assert_eq!(project.0.read("src/names.rs"), constants);
}
