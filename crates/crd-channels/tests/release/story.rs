//! Two lines side by side, every step with git as the command prints it: a candidate, a snapshot, patches of a branch, their
//! adoption, and a branch that is merged back.

use super::Project;
use std::path::Path;
use std::process::Command;

/// Runs git with the tool in the path, since git calls it to merge.
pub(super) fn git(project: &Project, arguments: &[&str]) -> (bool, String) {
    let tool = Path::new(env!("CARGO_BIN_EXE_crd-channels"));
    let path = std::env::var_os("PATH").unwrap();
    let folders = [tool.parent().unwrap().to_path_buf()];
    let folders = folders.into_iter().chain(std::env::split_paths(&path));
    let ran = Command::new("git")
        .args(["-c", "user.name=t", "-c", "user.email=t@example.com"])
        .args(["-c", "commit.gpgsign=false"])
        .args(arguments)
        .current_dir(project.0.folder())
        .env("PATH", std::env::join_paths(folders).unwrap())
        .env("GIT_EDITOR", "true")
        .output()
        .unwrap();
    let output = [ran.stdout, ran.stderr].concat();
    (ran.status.success(), String::from_utf8(output).unwrap())
}

/// A project with v0.2.0 and a change on `main`, and a branch of its line with another change.
fn two_lines() -> Project {
    let project = Project::new();
    project.git(&["branch", "--move", "main"]);
    project.publish("minor", "v0.1.0");
    project.publish("minor", "v0.2.0");
    project.edit("max = 20", "max = 30");
    project.commit_generated();
    project.git(&["checkout", "--quiet", "-b", "release-0.2", "v0.2.0"]);
    project.edit("Where requests go.", "Where requests end.");
    project.commit_generated();
    project
}

pub(super) fn switch(project: &Project, branch: &str) {
    project.git(&["checkout", "--quiet", branch]);
}

/// Checks that the tree has a version everywhere.
fn is_at(project: &Project, version: &str) {
    for (path, words) in [
        ("Cargo.toml", format!("version = \"{version}\"")),
        (
            "Cargo.lock",
            format!("name = \"demo\"\nversion = \"{version}\""),
        ),
        (
            "generated/stable/example.com_routes.yaml",
            format!("example.com/bundle-version: v{version}\n"),
        ),
    ] {
        let text = project.0.read(path);
        assert!(text.contains(&words), "{path} is not at {version}:\n{text}");
    }
    project.0.run(&["gen-crds", "--check"]).with_code(0);
}

fn entries_are(project: &Project, expected: &[&str]) {
    let log = project.0.read("channels/CHANGELOG.md");
    let heads = log.lines().filter_map(|line| line.strip_prefix("## "));
    assert_eq!(heads.collect::<Vec<_>>(), expected);
}

#[test]
fn a_year_on_two_lines() {
    let project = two_lines();
    // The branch: a patch, but not a minor, which only main may release.
    is_at(&project, "0.2.1-dev");
    project.publish("patch", "v0.2.1");
    is_at(&project, "0.2.2-dev");
    // main: a candidate and a snapshot, before the patch is adopted.
    switch(&project, "main");
    is_at(&project, "0.2.1-dev");
    project
        .0
        .run(&["release", "snapshot", "--date", "2026-11-21"])
        .with_code(0);
    project.commit();
    let refused = project.release("0.3.0-rc.1").with_code(1).stderr;
    assert!(
        refused.contains("v0.2.1 was released on `release-0.2`"),
        "{refused}"
    );
    project.0.run(&["adopt", "v0.2.1"]).with_code(0);
    project.commit();
    project.publish("0.3.0-rc.1", "v0.3.0-rc.1");
    is_at(&project, "0.3.0-dev");
    project.publish("minor", "v0.3.0");
    assert_eq!(project.manifest("v0.3.0")["baseline"]["version"], "v0.2.1");
    is_at(&project, "0.3.1-dev");
    // The branch again, which knows v0.3.0 only by its tag.
    switch(&project, "release-0.2");
    for asked in ["minor", "0.3.0"] {
        let refused = project.release(asked).with_code(1).stderr;
        assert!(
            refused.contains("v0.3.0 is taken: it was released on `main`"),
            "{refused}"
        );
    }
    project.edit("So long.", "As long.");
    project.commit_generated();
    project.publish("patch", "v0.2.2");
    // It is merged back, with its changes of the types.
    switch(&project, "main");
    let installed = project.0.run(&["merge-driver", "--install"]).with_code(0);
    assert!(
        installed.stdout.contains("commit `.gitattributes`"),
        "{}",
        installed.stdout
    );
    project.commit();
    let again = project.0.run(&["merge-driver", "--install"]).with_code(0);
    assert!(!again.stdout.contains(".gitattributes"), "{}", again.stdout);
    let (merged, output) = git(&project, &["merge", "--no-edit", "release-0.2"]);
    assert!(merged, "{output}");
    is_at(&project, "0.3.1-dev");
    let crd = project
        .0
        .read("generated/experimental/example.com_routes.yaml");
    assert!(
        crd.contains("As long.") && crd.contains("maxLength: 30"),
        "{crd}"
    );
    entries_are(
        &project,
        &[
            "v0.3.0",
            "v0.3.0-rc.1",
            "v0.3.0-snapshot.20261121",
            "v0.2.2",
            "v0.2.1",
            "v0.2.0",
            "v0.1.0",
        ],
    );
    project.publish("minor", "v0.4.0");
    assert_eq!(project.manifest("v0.4.0")["baseline"]["version"], "v0.3.0");
    // Each tag has the bundle that it is named after, and generates it.
    for version in [
        "0.1.0",
        "0.2.0",
        "0.2.1",
        "0.2.2",
        "0.3.0-rc.1",
        "0.3.0",
        "0.4.0",
    ] {
        let tag = format!("v{version}");
        let source = format!("git:{tag}");
        project
            .0
            .run(&["verify-release", &tag, "--source", &source])
            .with_code(0);
        switch(&project, &tag);
        is_at(&project, version);
        switch(&project, "main");
    }
    project.0.run(&["verify-release"]).with_code(0);
}

/// The first commands in `docs/lines.md`.
const OURS: [&str; 8] = [
    "checkout",
    "HEAD",
    "--",
    "Cargo.toml",
    "Cargo.lock",
    "channels/CHANGELOG.md",
    "generated/stable",
    "generated/experimental",
];

/// git reports a conflict if a CRD is removed on one side and has another version on the other.
#[test]
fn a_merge_without_the_program_leaves_out_what_is_gone() {
    let project = Project::new();
    project.git(&["branch", "--move", "main"]);
    let types = project.0.read("src/lib.rs");
    let gate = types.split_once("/// Where requests go.").unwrap().1;
    let gate =
        format!("{types}/// What opens.{gate}").replace("kind = \"Route\"", "kind = \"Gate\"");
    let gate = gate.replacen("kind = \"Gate\"", "kind = \"Route\"", 1);
    let (route, added) = gate.split_once("/// What opens.").unwrap();
    let added = added.replace("RouteSpec", "GateSpec");
    project
        .0
        .write("src/lib.rs", format!("{route}/// What opens.{added}"));
    project.commit_generated();
    project.publish("minor", "v0.1.0");
    project.git(&["checkout", "--quiet", "-b", "release-0.1"]);
    project.publish("patch", "v0.1.1");
    switch(&project, "main");
    project.0.write("src/lib.rs", types);
    project.commit_generated();
    let gone = "generated/stable/example.com_gates.yaml";
    assert!(!project.0.path(gone).exists());
    let (merged, output) = git(&project, &["merge", "--no-edit", "release-0.1"]);
    assert!(!merged, "{output}");
    assert!(project.0.path(gone).exists(), "{output}");
    project.git(&OURS);
    project.0.run(&["adopt", "v0.1.1"]).with_code(0);
    project.0.generate();
    assert!(!project.0.path(gone).exists());
    project.commit();
    project.0.run(&["gen-crds", "--check"]).with_code(0);
    assert_eq!(project.git(&["status", "--porcelain"]), "");
    is_at(&project, "0.1.1-dev");
}

/// In a clone without the driver, git's own merge leaves conflicts with an obvious resolution.
#[test]
fn a_merge_without_the_program_is_settled_by_two_commands() {
    let project = two_lines();
    project.publish("patch", "v0.2.1");
    switch(&project, "main");
    let snapshot = ["release", "snapshot", "--date", "2026-11-21"];
    project.0.run(&snapshot).with_code(0);
    project.commit();
    let (merged, output) = git(&project, &["merge", "--no-edit", "release-0.2"]);
    assert!(!merged, "{output}");
    let (_, conflicts) = git(&project, &["diff", "--name-only", "--diff-filter=U"]);
    let expected = [
        "Cargo.lock",
        "Cargo.toml",
        "channels/CHANGELOG.md",
        "generated/experimental/example.com_routes.yaml",
        "generated/stable/example.com_routes.yaml",
    ];
    assert_eq!(conflicts.lines().collect::<Vec<_>>(), expected);
    project.git(&OURS);
    project.0.run(&["adopt", "v0.2.1"]).with_code(0);
    project.0.generate();
    project.commit();
    is_at(&project, "0.2.1-dev");
    entries_are(
        &project,
        &["v0.3.0-snapshot.20261121", "v0.2.1", "v0.2.0", "v0.1.0"],
    );
    project.release("minor").with_code(0);
}
