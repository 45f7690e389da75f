//! Archives: the same bytes for everybody, with what they were made from.

use super::Project;
use std::process::Command;

#[test]
fn a_release_can_be_packed() {
    let project = Project::new();
    project.0.write(".gitignore", "/target\n/dist\n/again\n");
    project.settle();
    let ran = project.0.run(&["release", "minor", "--archive", "dist"]);
    let ran = ran.with_code(0);
    let names =
        ["provenance.json", "spdx.json", "tar.gz"].map(|end| format!("example-crds-v0.1.0.{end}"));
    for name in names.iter().map(String::as_str).chain(["SHA256SUMS"]) {
        assert!(ran.stdout.contains(name), "{}", ran.stdout);
    }
    project.settle();
    let again = ["archive", "v0.1.0", "--output", "again"];
    project.0.run(&again).with_code(0);
    for name in names.iter().map(String::as_str).chain(["SHA256SUMS"]) {
        let read =
            |folder: &str| std::fs::read(project.0.path(&format!("{folder}/{name}"))).unwrap();
        assert!(read("dist") == read("again"), "{name}");
    }
    let check = Command::new("sha256sum")
        .args(["--check", "--strict", "SHA256SUMS"])
        .current_dir(project.0.path("dist"))
        .output();
    match check {
        Ok(ran) => assert!(ran.status.success(), "{ran:?}"),
        Err(error) => eprintln!("skipped: `sha256sum` cannot be run: {error}"),
    }
    let ran = project.0.run(&["archive", "v0.2.0"]).with_code(2);
    assert!(ran.stderr.contains("v0.2.0"), "{}", ran.stderr);
    project.0.write("file", "");
    let ran = project.0.run(&["archive", "v0.1.0", "--output", "file"]);
    assert!(ran.with_code(2).stderr.contains("error[write-failed]"));
}

/// The bundle is written before it is packed, so a folder that cannot be written to leaves the archive alone to be made.
#[test]
fn a_bundle_stays_where_it_cannot_be_packed() {
    let project = Project::new();
    project.0.write(".gitignore", "/target\n/file\n/dist\n");
    project.0.write("file", "");
    project.settle();
    let ran = project.0.run(&["release", "minor", "--archive", "file"]);
    let said = ran.with_code(2).stderr;
    for words in [
        "error[write-failed]",
        "bundle v0.1.0 is written and not packed; run `crd-channels archive v0.1.0 --output file`\n",
    ] {
        assert!(said.contains(words), "{words}:\n{said}");
    }
    assert!(!said.contains("nothing was written"), "{said}");
    project.0.run(&["verify-release", "v0.1.0"]).with_code(0);
    let archive = ["archive", "v0.1.0", "--output", "dist"];
    project.0.run(&archive).with_code(0);
}
