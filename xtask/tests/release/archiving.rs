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
