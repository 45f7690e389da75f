//! Bundles follow each other by the same rules as those of Rust types.

use super::{EXPERIMENTAL, Project, STANDARD, line};
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
