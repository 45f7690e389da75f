//! The reference pages that `reference-pages` asks for: no command leaves them stale.

use super::Project;
use std::fs;

const WANTED: &str = "reference-pages = \"docs/api\"\n";

const PAGE: &str = "docs/api/routes.example.com.md";

fn project() -> Project {
    let project = Project::new();
    project.0.write("channels/bundle.toml", WANTED);
    project.commit_generated();
    project
}

#[test]
fn pages_follow_every_command_that_changes_an_api() {
    let project = project();
    let check = || project.0.run(&["gen-crds", "--check"]).with_code(0);
    check();
    assert!(project.0.read(PAGE).contains("spec.timeout"));
    for command in [
        &["release", "minor"][..],
        &["graduate", "Timeouts"],
        &["release", "minor"],
    ] {
        let ran = project.0.run(command).with_code(0);
        assert!(!ran.stderr.contains("help:"), "{}", ran.stderr);
        check();
        project.commit();
        project.0.run(&["start-next"]).with_code(0);
        check();
        project.commit_generated();
    }
    let changes = project.0.read("docs/api/changes.md");
    let (_, release) = changes.split_once("## v0.2.0\n").unwrap();
    let (release, _) = release.split_once("\n## ").unwrap();
    assert!(release.contains("\n\nNothing breaks.\n"), "{changes}");
    let install = "kubectl apply --server-side -k channels/v0.2.0/stable`\n";
    assert!(release.contains(install), "{changes}");
    assert!(changes.contains("`v1.spec.timeout`"), "{changes}");
}

#[test]
fn a_tree_has_the_digest_of_its_bundle_until_it_changes() {
    let project = project();
    project.release("minor").with_code(0);
    project.commit_generated();
    project.edit("/// So long.", "/// As long as it takes.");
    project.commit_generated();
    project.release("patch").with_code(0);
    let newest = |page: &str| {
        let changes = project.0.read(page);
        let releases: Vec<&str> = changes.split("\n## ").collect();
        releases[1].to_owned()
    };
    let release = newest("docs/api/changes.md");
    let digest = project.manifest("v0.1.1")["digest"].to_string();
    let digest = format!("- Digest: `{}`", digest.trim_matches('"'));
    assert!(
        release.starts_with("v0.1.1\n") && release.contains(&digest),
        "{release}"
    );
    project.edit("/// As long as it takes.", "/// Longer.");
    let arguments = ["reference", "--out", "target/pages", "--format", "markdown"];
    project.0.run(&arguments).with_code(0);
    let release = newest("target/pages/changes.md");
    assert!(!release.contains("Digest"), "{release}");
}

/// A consumer has one bundle, and those before it stay with those who released it.
#[test]
fn one_bundle_alone_tells_its_history() {
    let project = project();
    project.publish("minor", "v0.1.0");
    project.0.run(&["graduate", "Timeouts"]).with_code(0);
    project.edit(
        "    /// How often.\n    #[experimental]\n    pub retries: Option<String>,\n",
        "",
    );
    project.0.run(&["gen-crds"]).with_code(0);
    project.0.run(&["release", "minor"]).with_code(1);
    project.edit("pub struct RouteSpec", "#[tombstone(name = \"retries\", removed = \"v0.2.0\", reason = \"nobody retried\")]\npub struct RouteSpec");
    project.commit_generated();
    project.publish("minor", "v0.2.0");
    project.publish("minor", "v0.3.0");
    fs::rename(
        project.0.path("channels/v0.3.0"),
        project.0.path("target/v0.3.0"),
    )
    .unwrap();
    let show = |place: &str| project.0.run(&["show", place, "--from", "target/v0.3.0"]);
    for (place, expected) in [
        (
            "routes.spec.timeout",
            "stable since v0.2.0, before that experimental since v0.1.0",
        ),
        ("routes.spec.host", "stable since v0.1.0"),
    ] {
        let shown = show(place).with_code(0).stdout;
        assert!(shown.contains(expected), "{place}: {shown}");
    }
    let shown = show("routes.spec.retries").with_code(2).stderr;
    let expected = "removed in v0.2.0, before that experimental since v0.1.0: nobody retried";
    assert!(shown.contains(expected), "{shown}");
    let arguments = [
        "reference",
        "target/v0.3.0",
        "--out",
        "target/pages",
        "--format",
        "markdown",
    ];
    project.0.run(&arguments).with_code(0);
    let page = project.0.read("target/pages/routes.example.com.md");
    assert!(page.contains("stable since v0.2.0"), "{page}");
    let index = project.0.read("target/pages/index.md");
    assert!(!index.contains("may be older"), "{index}");
}

#[test]
fn stale_pages_are_findings() {
    let project = project();
    project.edit("/// So long.", "/// As long as it takes.");
    project.0.run(&["gen-crds"]).with_code(0);
    let text = project.0.read(PAGE);
    project.0.write(PAGE, format!("{text}More.\n"));
    fs::write(project.0.path("docs/api/own.md"), "Ours.\n").unwrap();
    let ran = project.0.run(&["gen-crds", "--check"]).with_code(1);
    assert!(
        ran.stdout.contains(&format!("stale: {PAGE}\n")),
        "{}",
        ran.stdout
    );
    assert_eq!(ran.stdout.matches("stale: ").count(), 1, "{}", ran.stdout);
    let ran = project.0.run(&["gen-crds", "--check", "--format", "json"]);
    let document: serde_json::Value = serde_json::from_str(&ran.with_code(1).stdout).unwrap();
    assert_eq!(document["findings"][0]["code"], "stale-files");
    // Those of one channel, or for another folder, are not all that is generated.
    for part in [&["--channel", "stable"][..], &["--output", "target/crds"]] {
        let part = [&["gen-crds"], part].concat();
        project.0.run(&part).with_code(0);
        assert!(project.0.read(PAGE).ends_with("More.\n"));
    }
    project.0.run(&["gen-crds"]).with_code(0);
    assert_eq!(project.0.read(PAGE), text);
    assert_eq!(project.0.read("docs/api/own.md"), "Ours.\n");
}

#[test]
fn pages_of_somebody_else_are_not_replaced() {
    let project = Project::new();
    project.0.write(PAGE, "Written by hand.\n");
    project.0.write("channels/bundle.toml", WANTED);
    project.edit("/// So long.", "/// As long as it takes.");
    let ran = project.0.run(&["gen-crds"]).with_code(2);
    let refused = format!("`{PAGE}` was not written by this command");
    assert!(ran.stderr.contains(&refused), "{}", ran.stderr);
    assert_eq!(project.0.read(PAGE), "Written by hand.\n");
    assert!(!project.0.path("docs/api/index.md").exists());
}
