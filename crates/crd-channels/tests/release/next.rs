//! The tagged commit has the version of the bundle, and the commits after it have another one.

use super::Project;
use crd_channels_released::manifest::Manifest;

#[test]
fn the_tagged_commit_has_the_released_version_everywhere() {
    let project = Project::new();
    project
        .0
        .write("channels/bundle.toml", "constants = \"src/names.rs\"\n");
    project.commit_generated();
    let stdout = project.release("minor").with_code(0).stdout;
    let branch = project.git(&["symbolic-ref", "--short", "HEAD"]);
    let left = format!(
        "  git add --all && git commit --message 'Release v0.1.0'\n  git tag v0.1.0\n  git push --atomic origin HEAD:refs/heads/{} v0.1.0\n  crd-channels start-next\n",
        branch.trim()
    );
    assert!(stdout.ends_with(&left), "{stdout}");
    project.commit();
    project.git(&["tag", "v0.1.0"]);
    for (path, version) in [
        ("Cargo.toml", "version = \"0.1.0\""),
        ("Cargo.lock", "name = \"demo\"\nversion = \"0.1.0\""),
        (
            "generated/stable/example.com_routes.yaml",
            "example.com/bundle-version: v0.1.0\n",
        ),
        (
            "generated/experimental/example.com_routes.yaml",
            "example.com/bundle-version: v0.1.0\n",
        ),
        ("src/names.rs", "\"v0.1.0\""),
    ] {
        let text = project.0.read(path);
        assert!(text.contains(version), "{path}:\n{text}");
    }
    let list = project.0.read("generated/stable/kustomization.yaml");
    assert!(
        list.ends_with("resources:\n- example.com_routes.yaml\n"),
        "{list}"
    );
    let bundle = project
        .0
        .read("channels/v0.1.0/stable/crds/example.com_routes.yaml");
    assert_eq!(
        project.0.read("generated/stable/example.com_routes.yaml"),
        bundle
    );
    project.0.run(&["gen-crds", "--check"]).with_code(0);

    let ran = project.0.run(&["start-next"]).with_code(0);
    assert_eq!(ran.stderr, "");
    let stdout = ran.stdout;
    assert!(stdout.contains("the tree is now at v0.1.1-dev"), "{stdout}");
    assert!(
        project
            .0
            .read("Cargo.toml")
            .contains("version = \"0.1.1-dev\"")
    );
    assert!(project.0.read("src/names.rs").contains("\"v0.1.1-dev\""));
    project.0.run(&["gen-crds", "--check"]).with_code(0);
    project.commit();
    let again = project.0.run(&["start-next"]).with_code(0).stdout;
    assert!(
        again.contains("v0.1.1-dev, which is not released: nothing to do"),
        "{again}"
    );
    for source in ["git:v0.1.0", "git:HEAD", "git:v0.1.0~1"] {
        project
            .0
            .run(&["verify-release", "v0.1.0", "--source", source])
            .with_code(0);
    }
}

/// `cargo publish` is printed where it can work, and otherwise a note says why it cannot.
#[test]
fn packages_are_published_if_their_dependencies_are_in_a_registry() {
    let project = Project::new();
    let dry = ["release", "minor", "--dry-run", "--format", "json"];
    let published = |expected: bool| {
        let stdout = project.0.run(&dry).with_code(0).stdout;
        assert_eq!(
            stdout.contains("\"cargo publish --package demo\""),
            expected,
            "{stdout}"
        );
        stdout
    };
    let why = "`cargo publish --package demo` cannot work: `crd-channels-derive` has a path but no version";
    assert!(published(false).contains(why));
    // A package that is not meant to be published needs no note.
    project.0.edit(
        "Cargo.toml",
        "edition = \"2024\"",
        "edition = \"2024\"\npublish = false",
    );
    project.commit_generated();
    assert!(!published(false).contains("cargo publish"));
    project.0.edit("Cargo.toml", "\npublish = false", "");
    let manifest = project
        .0
        .read("Cargo.toml")
        .replace("\" }", "\", version = \"1\" }");
    project.0.write("Cargo.toml", manifest);
    project.commit_generated();
    assert!(!published(true).contains("cannot work"));
    let stub = "stubs/serde/Cargo.toml";
    let text = project.0.read(stub);
    project.0.write(stub, format!("{text}publish = false\n"));
    project.commit_generated();
    assert!(published(false).contains("cannot work: `serde` has `publish = false`"));
}

/// If the second step is forgotten, the first relevant change reports it.
#[test]
fn crds_do_not_change_under_a_released_version() {
    let project = Project::new();
    project.release("minor").with_code(0);
    project.commit();
    let fresh = project.0.files("generated");
    let refused = |arguments: &[&str], place: &str| {
        let stderr = project.0.run(arguments).with_code(1).stderr;
        for words in [
            "error[version-released]: the tree still has the version of v0.1.0, which is released",
            place,
            "`crd-channels start-next`",
        ] {
            assert!(stderr.contains(words), "{words}:\n{stderr}");
        }
        assert!(project.0.files("generated") == fresh);
    };
    // Changes that do not affect CRDs are possible.
    project.0.edit(
        "src/lib.rs",
        "use serde::",
        "// Another comment.\nuse serde::",
    );
    project.0.generate();
    for (from, to, place) in [
        ("max = 20", "max = 30", "`stable/example.com_routes.yaml`"),
        (
            "kind = \"Route\"",
            "kind = \"Path\"",
            "`stable/example.com_routes.yaml`",
        ),
        (
            "How often.",
            "How many.",
            "`experimental/example.com_routes.yaml`",
        ),
    ] {
        let before = project.0.read("src/lib.rs");
        project.edit(from, to);
        refused(&["gen-crds"], place);
        refused(&["gen-crds", "--check"], place);
        project.commit();
        refused(&["release", "minor"], place);
        project.0.write("src/lib.rs", before);
    }
    project.commit();
    refused(
        &["graduate", "Timeouts"],
        "`stable/example.com_routes.yaml`",
    );
    // They may be generated into another folder.
    project.edit("max = 20", "max = 30");
    project
        .0
        .run(&["gen-crds", "--output", "tried"])
        .with_code(0);
    project.0.run(&["start-next"]).with_code(0);
    assert!(
        project
            .0
            .read("generated/stable/example.com_routes.yaml")
            .contains("maxLength: 30")
    );
    project.0.run(&["gen-crds", "--check"]).with_code(0);
    // Without changes, it can be released again.
    let project = Project::new();
    project.release("minor").with_code(0);
    project.commit();
    project.release("patch").with_code(0);
    assert!(project.0.read("Cargo.toml").contains("version = \"0.1.1\""));
}

/// The same types may make other bytes with another version of the tool, even at the tagged commit.
#[test]
fn another_version_of_the_tool_is_named() {
    let project = Project::new();
    project.release("minor").with_code(0);
    let place = "channels/v0.1.0/manifest.json";
    let mut manifest = Manifest::parse(project.0.read(place).as_bytes()).unwrap();
    manifest.tool = "0.0.1".to_owned();
    project.0.write(place, manifest.to_text().0);
    project.0.run(&["gen-crds", "--check"]).with_code(0);
    project.edit("max = 20", "max = 30");
    let stderr = project.0.run(&["gen-crds", "--check"]).with_code(1).stderr;
    assert!(
        stderr.contains("or use version 0.0.1 of the tool, which made v0.1.0"),
        "{stderr}"
    );
}

#[test]
fn start_next_needs_a_released_version() {
    let project = Project::new();
    project.0.edit("Cargo.toml", "0.1.0-dev", "0.1.0");
    project.0.generate();
    let stderr = project.0.run(&["start-next"]).with_code(1).stderr;
    assert!(
        stderr.contains("v0.1.0 is not released yet, so there is no next version"),
        "{stderr}"
    );
    assert!(
        stderr.contains("`crd-channels release 0.1.0` first"),
        "{stderr}"
    );
    // A version that another tool has set is released as it is.
    project.commit();
    project.release("minor").with_code(0);
    project.commit();
    // If the types cannot be read, nothing is written.
    project.edit("pub host: String", "pub host: Nowhere");
    let before = project.0.read("Cargo.toml");
    project.0.run(&["start-next"]).with_code(1);
    assert_eq!(project.0.read("Cargo.toml"), before);
}

/// The tagged commit is the one that adds the bundle, so it comes before the next version.
#[test]
fn start_next_needs_a_committed_bundle() {
    let project = Project::new();
    project.release("minor").with_code(0);
    let refused = project.0.run(&["start-next"]).with_code(1).stderr;
    for words in [
        "error[unclean-tree]: v0.1.0 is written but not committed",
        "`git add --all && git commit --message 'Release v0.1.0'`, then `git tag v0.1.0`",
    ] {
        assert!(refused.contains(words), "{words}:\n{refused}");
    }
    assert!(project.0.read("Cargo.toml").contains("\"0.1.0\""));
    project.commit();
    let stderr = project.0.run(&["start-next"]).with_code(0).stderr;
    assert_eq!(
        stderr,
        "note: v0.1.0 has no tag yet: run `git tag v0.1.0` before you commit\n"
    );
    assert!(project.0.read("Cargo.toml").contains("\"0.1.1-dev\""));
    let unread = project.0.run(&["diff", "v0.9.0", "."]).with_code(2).stderr;
    assert!(unread.contains("; bundles: `v0.1.0`"), "{unread}");
}

/// The changes since the last bundle give a snapshot a higher version, which may be taken as well.
#[test]
fn a_day_has_one_snapshot() {
    let project = Project::released();
    project.edit("max = 20", "max = 30");
    project.commit_generated();
    let snapshot = ["release", "snapshot", "--date", "2026-11-21"];
    project.0.run(&snapshot).with_code(0);
    let refused = project.0.run(&snapshot).with_code(1).stderr;
    let words = "finish that release first: `git add --all && git commit --message 'Release v0.2.0-snapshot.20261121'`\n";
    assert!(refused.contains(words), "{refused}");
    project.edit("max = 30", "max = 40");
    project.commit_generated();
    let before = project.0.files("channels");
    let refused = project.0.run(&snapshot).with_code(1).stderr;
    for words in [
        "bundle v0.2.0-snapshot.20261121 already exists, and bundles never change",
        "there is one snapshot per day: name another day with `--date`",
    ] {
        assert!(refused.contains(words), "{words}:\n{refused}");
    }
    // A tag of that name with the bundle counts as well.
    project.git(&["tag", "v0.2.0-snapshot.20261121"]);
    project.git(&["rm", "-r", "--quiet", "channels/v0.2.0-snapshot.20261121"]);
    project.commit();
    let refused = project.0.run(&snapshot).with_code(1).stderr;
    let words = "v0.2.0-snapshot.20261121 is taken";
    assert!(refused.contains(words), "{refused}");
    project.git(&["reset", "--quiet", "--hard", "HEAD~"]);
    assert!(project.0.files("channels") == before);
}

#[test]
fn the_trees_own_pre_release_is_not_released() {
    let project = Project::released();
    let refused = project.release("0.2.0-dev").with_code(1).stderr;
    for words in [
        "error[release-version]: v0.2.0-dev is the version of the tree before v0.2.0",
        "`-dev` is the tree's own",
    ] {
        assert!(refused.contains(words), "{words}:\n{refused}");
    }
}

#[test]
fn a_snapshot_leaves_the_tree_and_needs_no_tag() {
    let project = Project::new();
    project.release("minor").with_code(0);
    project.commit();
    let manifest = project.0.read("Cargo.toml");
    let stdout = project
        .0
        .run(&["release", "snapshot", "--date", "2026-11-21"])
        .with_code(0)
        .stdout;
    assert!(
        stdout.contains("bundle v0.1.1-snapshot.20261121 is in"),
        "{stdout}"
    );
    assert!(stdout.contains("the tree is at v0.1.0\n"), "{stdout}");
    assert!(
        !stdout.contains("git tag") && !stdout.contains("start-next"),
        "{stdout}"
    );
    assert_eq!(project.0.read("Cargo.toml"), manifest);
    project.0.run(&["gen-crds", "--check"]).with_code(0);
}

/// A tree with the version of a bundle is that bundle: it is not between itself and another one.
#[test]
fn a_tagged_tree_is_its_own_bundle() {
    let project = Project::new();
    project.publish("minor", "v0.1.0");
    project.publish("minor", "v0.2.0");
    project.publish("minor", "v0.3.0");
    for (old, new, expected) in [
        ("v0.2.0", "git:v0.3.0", None),
        ("v0.3.0", "git:v0.3.0", None),
        ("git:v0.2.0", "git:v0.3.0", None),
        ("v0.1.0", "git:v0.3.0", Some("v0.2.0 is between the two")),
        ("v0.2.0", ".", Some("v0.3.0 is between the two")),
        ("v0.3.0", ".", None),
    ] {
        let stdout = project.0.run(&["diff", old, new]).with_code(0).stdout;
        assert_eq!(
            stdout.contains("between"),
            expected.is_some(),
            "{old} {new}: {stdout}"
        );
        assert!(stdout.contains(expected.unwrap_or_default()), "{stdout}");
    }
    project.git(&["checkout", "--quiet", "v0.3.0"]);
    let stdout = project.0.run(&["diff", "v0.2.0", "."]).with_code(0).stdout;
    assert!(!stdout.contains("between"), "{stdout}");
}
