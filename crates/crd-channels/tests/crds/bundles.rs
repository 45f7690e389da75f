//! Bundles follow each other by the same rules as those of Rust types.

use super::{EXPERIMENTAL, Project, STANDARD, bay, line};
use crate::support::Workspace;
use serde_json::Value;

#[test]
fn a_removed_field_is_reserved_as_the_tool_says() {
    let project = Project::released();
    let wall = "                  wall:\n                    maxLength: 40\n                    type: string\n";
    project.edit(
        wall,
        "                  mole:\n                    type: string\n",
    );
    let found = project.refused("major");
    let removed = found
        .iter()
        .find(|it| it.message.contains("`wall`"))
        .unwrap();
    let help = removed.help.clone().unwrap();
    let (_, entry) = help.split_once("tombstones.toml`:\n\n").unwrap();
    let entry = entry.replace("reason = \"\"", "reason = \"walls are moles\"");
    project
        .0
        .write("channels/tombstones.toml", format!("{entry}\n"));
    project.commit();
    let left = project.refused("major");
    assert!(
        left.iter().all(|it| !it.message.contains("tombstone")),
        "{left:?}"
    );
    // The name is reserved.
    let mole = "                  mole:\n                    type: string\n";
    for path in [STANDARD, EXPERIMENTAL] {
        project.0.edit(path, mole, wall);
    }
    let found = project.findings();
    assert_eq!(found[0].code, "tombstone-in-use", "{found:?}");
    assert_eq!(
        found[0].place,
        Some((STANDARD.into(), line(STANDARD, "wall:", &project)))
    );
    // A place that is nowhere.
    project
        .0
        .edit("channels/tombstones.toml", "spec.shelter", "spec.harbour");
    let found = project.findings();
    assert_eq!(
        (&*found[0].code, found[0].place.clone().unwrap().0.as_str()),
        ("config-invalid", "channels/tombstones.toml")
    );
}

#[test]
fn bundles_follow_each_other() {
    let project = Project::released();
    let manifest: Value =
        serde_json::from_str(&project.0.read("channels/v0.1.0/manifest.json")).unwrap();
    assert_eq!(manifest["sources"][0]["path"], EXPERIMENTAL, "{manifest}");
    // What was experimental may become stable.
    project.0.write(STANDARD, project.0.read(EXPERIMENTAL));
    project.0.generate();
    project.commit();
    project.publish("minor", "v0.2.0");
    // Something new may not be stable at once.
    project.edit(
        "              shelter:\n",
        "              ramp:\n                type: boolean\n              shelter:\n",
    );
    let found = project.refused("minor");
    let straight = found
        .iter()
        .find(|it| it.message.contains("`spec.ramp`"))
        .unwrap();
    assert_eq!(
        straight.place,
        Some((STANDARD.into(), line(STANDARD, "ramp:", &project)))
    );
    let help = straight.help.as_ref().unwrap();
    assert!(
        help.contains("only in the experimental channel first"),
        "{help}"
    );
    let object = "apiVersion: harbour.example.dev/v1\nkind: Bay\nmetadata: {name: north}\nspec: {depth: 9}\n";
    project.0.write("bay.yaml", object);
    let dist = project.0.cache().join("dist").to_str().unwrap().to_owned();
    for arguments in [
        &["verify-release"][..],
        &["verify-release", "--source", "git:v0.2.0", "v0.2.0"],
        &["diff", "v0.1.0", "v0.2.0"],
        &["diff", "git:v0.1.0", "git:HEAD"],
        &["reference", "--out", "site"],
        &["archive", "v0.2.0", "--output", &dist],
        &["features", "--history"],
        &["validate", "bay.yaml"],
        &["show", "Bay.spec.depth"],
        &["check", "config/crd"],
    ] {
        let ran = project.0.run(arguments);
        assert!(!ran.stderr.contains("cargo"), "{arguments:?}: {ran:?}");
        let is_fine = matches!(ran.code, Some(0 | 1)) && !ran.stderr.contains("error[");
        assert!(is_fine, "{arguments:?}: {ran:?}");
    }
}

#[test]
fn what_edits_or_compiles_types_is_refused() {
    let project = Project::released();
    for arguments in [
        &["graduate", "unnamed"][..],
        &["deprecate", "Bay", "v1"],
        &["remove", "unnamed", "--reason", "r"],
        &["prove"],
    ] {
        let before = project.0.files("");
        let ran = project.0.run(arguments);
        assert!(matches!(ran.code, Some(1 | 2)), "{arguments:?}: {ran:?}");
        assert!(
            ran.stderr.contains("is CRDs"),
            "{arguments:?}: {}",
            ran.stderr
        );
        assert_eq!(project.0.files(""), before, "{arguments:?}");
    }
}

/// A project whose tags have CRDs in one folder, and which is set up now.
fn tagged() -> Project {
    let project = Project::bare();
    let wall = "                  wall:\n                    maxLength: 40\n                    type: string\n";
    let moved = "                  mole:\n                    type: string\n";
    for (tag, from, to) in [
        ("v0.9.0", "maximum: 60", "maximum: 50"),
        ("v1.0.0", "maximum: 50", "maximum: 60"),
        ("v1.1.0-rc.1", "minimum: 1\n", "minimum: 2\n"),
        ("v1.1.0", "minimum: 2\n", "minimum: 1\n"),
        ("v1.2.0", wall, moved),
    ] {
        for path in [STANDARD, EXPERIMENTAL] {
            project.0.edit(path, from, to);
        }
        project.commit();
        project.git(&["tag", tag]);
    }
    project
        .0
        .run(&["init", "--crds", "config/crd"])
        .with_code(0);
    project
        .0
        .edit("channels/bundle.toml", "0.1.0-dev", "1.2.1-dev");
    project.0.generate();
    project.commit();
    project
}

#[test]
fn what_was_released_before_counts() {
    let project = tagged();
    let ran = project.0.run(&["adopt", "--tags", "v*"]).with_code(0);
    let names = "v0.9.0, v1.0.0, v1.1.0, v1.2.0";
    assert!(ran.stdout.contains(names), "{}", ran.stdout);
    project.commit();
    let ran = project.0.run(&["verify-release"]).with_code(0);
    assert!(ran.stdout.contains("v1.2.0: "), "{}", ran.stdout);
    assert!(ran.stdout.contains("follows v1.1.0"), "{}", ran.stdout);
    // What a bundle has is what the tag has.
    let file = "channels/v0.9.0/stable/crds/harbour.example.dev_bays.yaml";
    assert!(project.0.read(file).contains("maximum: 50"));
    let manifest = project.0.read("channels/v1.2.0/manifest.json");
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(
        manifest["sources"].as_array().unwrap().len(),
        2,
        "{manifest}"
    );
    assert_eq!(
        manifest["tombstones"]["names"][0]["name"], "wall",
        "{manifest}"
    );
    // The next release is compared with the last one, and nothing is left to be said.
    project.publish("minor", "v1.3.0");
    let mole = "                  mole:\n                    type: string\n";
    let both = format!("{mole}                  wall:\n                    type: integer\n");
    for path in [STANDARD, EXPERIMENTAL] {
        project.0.edit(path, mole, &both);
    }
    let found = project.findings();
    assert_eq!(found[0].code, "tombstone-in-use", "{found:?}");
    // Bundles follow each other, so this is for the beginning.
    let ran = project.0.run(&["adopt", "--tags", "v*"]).with_code(2);
    assert!(
        ran.stderr.contains("before the first release"),
        "{}",
        ran.stderr
    );
}

#[test]
fn tags_that_cannot_be_adopted_are_named() {
    let project = tagged();
    let before = project.0.files("channels");
    for pattern in ["v9.*", "crds-v*"] {
        let ran = project.0.run(&["adopt", "--tags", pattern]).with_code(2);
        assert!(ran.stderr.contains("bundle-missing"), "{}", ran.stderr);
    }
    let ran = project.0.run(&[
        "adopt",
        "--tags",
        "v*",
        "--crds",
        "stable=config/none",
        "--crds",
        "experimental=config/none",
    ]);
    assert!(
        ran.with_code(2)
            .stderr
            .contains("v1.0.0: none of the folders is there")
    );
    assert_eq!(project.0.files("channels"), before);
    // A CRD of an old version is left out, and so is only its tag.
    project.git(&["checkout", "--quiet", "v1.1.0"]);
    project.0.edit(
        STANDARD,
        "apiextensions.k8s.io/v1\n",
        "apiextensions.k8s.io/v1beta1\n",
    );
    project.commit();
    project.git(&["tag", "v1.1.1"]);
    project.git(&["checkout", "--quiet", "-"]);
    let ran = project.0.run(&["adopt", "--tags", "v1.*"]).with_code(0);
    assert!(
        ran.stderr.contains("v1.1.1 is not adopted: "),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stdout.contains("v1.0.0, v1.1.0, v1.2.0 in"),
        "{}",
        ran.stdout
    );
}

#[test]
fn projects_in_rust_adopt_crds_of_the_time_before() {
    let rust = Workspace::new("//- .gitignore\n/target\n//- src/lib.rs\n");
    let project = Project(rust);
    project.0.write(STANDARD, bay(false));
    project.git(&["init", "--quiet"]);
    project.commit();
    project.git(&["tag", "v0.0.9"]);
    let ran = project.0.run(&["adopt", "--tags", "v*"]).with_code(2);
    assert!(ran.stderr.contains("--crds stable="), "{}", ran.stderr);
    let folder = "stable=config/crd/standard";
    let ran = project.0.run(&["adopt", "--tags", "v*", "--crds", folder]);
    let ran = ran.with_code(0);
    let lacks = "v0.0.9 has no folder with CRDs of `experimental`";
    assert!(ran.stderr.contains(lacks), "{}", ran.stderr);
    project.0.run(&["verify-release"]).with_code(0);
    assert!(
        project
            .0
            .path("channels/v0.0.9/stable/crds/harbour.example.dev_bays.yaml")
            .exists()
    );
}

#[test]
fn the_source_of_a_bundle_is_committed() {
    let project = Project::bare();
    project.0.write(".gitignore", "config/\n");
    let ran = project.0.run(&["init", "--crds", "config/crd"]);
    ran.with_code(0);
    project.0.generate();
    project.commit();
    let found = project.refused("minor");
    assert_eq!(found[0].code, "unclean-tree", "{found:?}");
    let message = "git has none of the CRDs in `config/crd/standard`";
    assert!(found.iter().any(|it| it.message == message), "{found:?}");
}
