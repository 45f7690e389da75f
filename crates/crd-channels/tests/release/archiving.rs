//! Archives: reproducible bytes, with their provenance.

use super::Project;
use super::support::skipped::skipped;
use crd_channels_released::documents;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

/// The ends of the names of the files that are attached to a release.
const ENDS: [&str; 6] = [
    "-experimental-install.yaml",
    "-stable-install.yaml",
    ".provenance.json",
    ".sha256",
    ".spdx.json",
    ".tar.gz",
];

/// Runs a program that may not be installed.
fn ran_or_skipped(program: &str, arguments: &[&str], folder: &Path) -> Option<Output> {
    let ran = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .output();
    if let Err(error) = &ran {
        skipped(&format!("`{program}` cannot be run: {error}"));
    }
    ran.ok()
}

#[test]
fn a_release_can_be_packed() {
    let project = Project::new();
    project.0.write(".gitignore", "/target\n/dist\n/again\n");
    project.commit_generated();
    let ran = project.0.run(&["release", "minor", "--archive", "dist"]);
    let ran = ran.with_code(0);
    let names = ENDS.map(|end| format!("example-crds-v0.1.0{end}"));
    for name in &names {
        assert!(ran.stdout.contains(name), "{}", ran.stdout);
    }
    project.commit_generated();
    let again = ["archive", "v0.1.0", "--output", "again"];
    project.0.run(&again).with_code(0);
    for name in &names {
        let read =
            |folder: &str| std::fs::read(project.0.path(&format!("{folder}/{name}"))).unwrap();
        assert!(read("dist") == read("again"), "{name}");
    }
    let ran = project.0.run(&["archive", "v0.2.0"]).with_code(2);
    assert!(ran.stderr.contains("v0.2.0"), "{}", ran.stderr);
    project.0.write("target/file", "");
    let ran = project
        .0
        .run(&["archive", "v0.1.0", "--output", "target/file"]);
    assert!(ran.with_code(2).stderr.contains("error[write-failed]"));
}

/// The bundle is written before it is packed, so if the folder is not writable, only the archive is missing.
#[test]
fn a_bundle_stays_where_it_cannot_be_packed() {
    let project = Project::new();
    project.0.write(".gitignore", "/target\n/file\n/dist\n");
    project.0.write("file", "");
    project.commit_generated();
    let ran = project.0.run(&["release", "minor", "--archive", "file"]);
    let stderr = ran.with_code(2).stderr;
    for words in [
        "error[write-failed]",
        "bundle v0.1.0 is written but not packed; run `crd-channels archive v0.1.0 --output file`\n",
    ] {
        assert!(stderr.contains(words), "{words}:\n{stderr}");
    }
    assert!(!stderr.contains("nothing was written"), "{stderr}");
    project.0.run(&["verify-release", "v0.1.0"]).with_code(0);
    let archive = ["archive", "v0.1.0", "--output", "dist"];
    project.0.run(&archive).with_code(0);
}

/// Each version has its own file of digests.
#[test]
fn archives_of_two_versions_share_a_folder() {
    let project = Project::released();
    project.release("patch").with_code(0);
    for version in ["v0.1.0", "v0.1.1"] {
        let archive = ["archive", version, "--output", "target/dist"];
        project.0.run(&archive).with_code(0);
    }
    assert_eq!(project.0.files("target/dist").len(), 2 * ENDS.len());
    for version in ["v0.1.0", "v0.1.1"] {
        let sums = format!("example-crds-{version}.sha256");
        let listed = project.0.read(&format!("target/dist/{sums}"));
        let names = listed.lines().filter_map(|line| line.split_once("  "));
        let names: Vec<&str> = names.map(|(_, name)| name).collect();
        assert_eq!(names.len(), ENDS.len() - 1, "{listed}");
        let stem = format!("example-crds-{version}");
        assert!(names.iter().all(|name| name.starts_with(&stem)), "{listed}");
        let arguments = ["--check", "--strict", &sums];
        if let Some(ran) = ran_or_skipped("sha256sum", &arguments, &project.0.path("target/dist")) {
            assert!(ran.status.success(), "{ran:?}");
        }
    }
}

/// Returns the documents in an order that does not depend on their origin.
fn sorted(text: &str) -> Vec<String> {
    let documents = documents::parse(text).unwrap();
    let mut texts: Vec<String> = documents.iter().map(Value::to_string).collect();
    texts.sort();
    texts
}

#[test]
fn the_attached_manifest_installs_what_the_kustomization_does() {
    let project = Project::new();
    project
        .0
        .write("channels/bundle.toml", "components = \"deploy\"\n");
    let service =
        |name: &str| format!("kind: Service\napiVersion: v1\nmetadata: {{name: {name}}}\n");
    project.0.write(
        "deploy/b.yaml",
        format!("{}---\n{}", service("b"), service("c")),
    );
    project.0.write("deploy/inner/a.yaml", service("a"));
    project.commit_generated();
    project.release("minor").with_code(0);
    let archive = ["archive", "v0.1.0", "--output", "target/dist"];
    project.0.run(&archive).with_code(0);
    for channel in ["stable", "experimental"] {
        let name = format!("target/dist/example-crds-v0.1.0-{channel}-install.yaml");
        let attached = sorted(&project.0.read(&name));
        assert_eq!(attached.len(), 4);
        let folder = format!("channels/v0.1.0/{channel}");
        let list = project.0.read(&format!("{folder}/kustomization.yaml"));
        let list = documents::parse(&list).unwrap();
        let listed = list[0]["resources"].as_array().unwrap().iter().map(|path| {
            project
                .0
                .read(&format!("{folder}/{}", path.as_str().unwrap()))
        });
        assert_eq!(attached, sorted(&listed.collect::<String>()));
        if let Some(ran) = ran_or_skipped("kubectl", &["kustomize", &folder], project.0.folder()) {
            assert!(ran.status.success(), "{ran:?}");
            assert_eq!(attached, sorted(&String::from_utf8(ran.stdout).unwrap()));
        }
    }
}

/// For consumers without git: the archive is a source to pin from.
#[test]
fn an_archive_can_be_unpacked_and_pinned() {
    let project = Project::released();
    let archive = ["archive", "v0.1.0", "--output", "target/dist"];
    project.0.run(&archive).with_code(0);
    let folder = project.0.path("target/dist");
    let unpack = ["-xzf", "example-crds-v0.1.0.tar.gz"];
    let Some(ran) = ran_or_skipped("tar", &unpack, &folder) else {
        return;
    };
    assert!(ran.status.success(), "{ran:?}");
    let install = project.0.read("target/dist/v0.1.0/stable/install.yaml");
    let attached = "target/dist/example-crds-v0.1.0-stable-install.yaml";
    assert_eq!(install, project.0.read(attached));
    let pin = ["pin", "--from", "target/dist/v0.1.0"];
    project.0.run(&pin).with_code(0);
    project.0.run(&["vendor"]).with_code(0);
    project.0.run(&["vendor", "--check"]).with_code(0);
    let written = project.0.files("crds").into_keys().collect::<Vec<_>>();
    assert_eq!(written, ["example.com_routes.yaml"]);
}

/// The printed steps commit everything.
#[test]
fn archives_are_not_written_into_the_working_tree() {
    let project = Project::released();
    let outside = project.0.path("").with_extension("outside");
    std::fs::create_dir_all(&outside).unwrap();
    project.0.link(project.0.path("channels"), "target/link");
    for folder in ["dist", "channels/v0.1.0", "./target/../dist", "target/link"] {
        let ran = project.0.run(&["archive", "v0.1.0", "--output", folder]);
        let stderr = ran.with_code(2).stderr;
        let expected = format!("error[archive-in-tree]: `{folder}` is in the working tree");
        for words in [&*expected, "`target/dist`"] {
            assert!(stderr.contains(words), "{words}:\n{stderr}");
        }
        let ran = project.0.run(&["release", "patch", "--archive", folder]);
        let stderr = ran.with_code(2).stderr;
        assert!(stderr.contains("error[archive-in-tree]"), "{stderr}");
    }
    assert!(!project.0.path("channels/v0.1.1").exists());
    assert_eq!(project.git(&["status", "--porcelain"]), "");
    let ran = project
        .0
        .run(&["release", "patch", "--archive", outside.to_str().unwrap()]);
    ran.with_code(0);
    assert_eq!(std::fs::read_dir(&outside).unwrap().count(), ENDS.len());
    std::fs::remove_dir_all(&outside).unwrap();
    // The default folder is ignored by git.
    project.0.run(&["archive", "v0.1.1"]).with_code(0);
    assert_eq!(project.0.files("target/dist").len(), ENDS.len());
}
