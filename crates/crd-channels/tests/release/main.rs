//! `release` and `verify-release` from end to end: refusals, written files, and later modifications.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

#[path = "../support/killed.rs"]
mod killed;
#[path = "../support/mod.rs"]
mod support;

mod advice;
mod archiving;
mod components;
mod conditions;
mod tombstones;
mod installing;
mod kills;
mod lines;
mod merging;
mod names;
mod lives;
mod pruning;
mod races;
mod compiling;
mod departed;
mod circles;
mod deprecated;
mod differing;
mod proven;
mod operators;
mod pages;
mod refusals;
mod signing;
mod tags;
mod story;
mod subresources;
mod adopted;
mod at_once;
mod next;
mod verifying;
mod waived;
mod year;

use serde_json::Value;
use std::collections::BTreeMap;
use std::process::Command;
use std::sync::OnceLock;
use support::{Ran, Workspace};

const ROUTE: &str = r#"
//- .gitignore
/target
//- channels/features.toml
[Timeouts]
summary = "How long a request may take."
//- channels/tombstones.toml
//- src/lib.rs
use crd_channels_derive::ApiType;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where requests go.
#[derive(ApiType, Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Route", namespaced)]
pub struct RouteSpec {
    /// The host.
    #[schemars(length(max = 20))]
    pub host: String,
    /// So long.
    #[experimental(feature = "Timeouts")]
    pub timeout: Option<String>,
    /// How often.
    #[experimental]
    pub retries: Option<String>,
}
"#;

/// A workspace in a git repository, with everything committed.
struct Project(Workspace);

impl Project {
    fn new() -> Self {
        static FILES: OnceLock<BTreeMap<String, Vec<u8>>> = OnceLock::new();
        Self(Workspace::with_files(FILES.get_or_init(|| {
            let project = Self(Workspace::new(ROUTE));
            project.0.edit("Cargo.toml", "0.1.0", "0.1.0-dev");
            // Without the samples of hooks.
            project.git(&["init", "--quiet", "--template="]);
            project.commit_generated();
            project.0.files("")
        })))
    }

    /// The same with the bundle v0.1.0.
    fn released() -> Self {
        static FILES: OnceLock<BTreeMap<String, Vec<u8>>> = OnceLock::new();
        Self(Workspace::with_files(FILES.get_or_init(|| {
            let project = Self::new();
            project.release("minor").with_code(0);
            project.commit_generated();
            project.0.files("")
        })))
    }

    fn git(&self, arguments: &[&str]) -> String {
        let ran = Command::new("git")
            .args([
                "-c",
                "user.name=t",
                "-c",
                "user.email=t@example.com",
                "-c",
                "commit.gpgsign=false",
            ])
            .args(arguments)
            .current_dir(self.0.folder())
            .output()
            .unwrap();
        assert!(ran.status.success(), "{ran:?}");
        String::from_utf8(ran.stdout).unwrap()
    }

    /// Commits, starts the next version after a release, generates the CRDs and commits them.
    fn commit_generated(&self) {
        self.commit();
        self.0.run(&["start-next"]).with_code(0);
        self.0.generate();
        self.commit();
    }

    fn commit(&self) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message", "x"]);
    }

    /// Releases, commits and tags, following the printed steps, and starts the next version.
    fn publish(&self, asked: &str, version: &str) {
        self.release(asked).with_code(0);
        self.commit();
        self.git(&["tag", version]);
        self.commit_generated();
    }

    fn edit(&self, from: &str, to: &str) {
        self.0.edit("src/lib.rs", from, to);
    }

    fn release(&self, version: &str) -> Ran {
        self.0.run(&["release", version])
    }

    fn manifest(&self, version: &str) -> Value {
        let text = self.0.read(&format!("channels/{version}/manifest.json"));
        serde_json::from_str(&text).unwrap()
    }
}

#[test]
fn a_release_writes_a_bundle_and_gives_the_tree_its_version() {
    let project = Project::new();
    // git notes in its index when it has seen these files.
    project.git(&["status"]);
    let before = project.0.files("");
    let dry = project
        .0
        .run(&["release", "minor", "--dry-run"])
        .with_code(0);
    assert!(
        dry.stdout
            .contains("would create channels/v0.1.0/manifest.json"),
        "{}",
        dry.stdout
    );
    assert!(
        dry.stdout.contains("would change Cargo.toml"),
        "{}",
        dry.stdout
    );
    let mut after = project.0.files("");
    after.retain(|path, _| before.contains_key(path) || !path.starts_with("target/"));
    assert!(after == before, "a dry run wrote something");

    let ran = project.release("minor").with_code(0);
    assert!(ran.stdout.contains("git tag v0.1.0"), "{}", ran.stdout);
    assert!(project.0.read("Cargo.toml").contains("version = \"0.1.0\""));
    assert!(
        project
            .0
            .read("Cargo.lock")
            .contains("name = \"demo\"\nversion = \"0.1.0\"")
    );
    project.0.run(&["gen-crds", "--check"]).with_code(0);
    let files: Vec<String> = project.0.files("channels/v0.1.0").into_keys().collect();
    assert_eq!(
        files,
        [
            "chart/Chart.yaml",
            "chart/files/experimental/example.com_routes.yaml",
            "chart/files/stable/example.com_routes.yaml",
            "chart/policies/experimental/guardrails.yaml",
            "chart/policies/experimental/safe-upgrades.yaml",
            "chart/policies/stable/safe-upgrades.yaml",
            "chart/templates/NOTES.txt",
            "chart/templates/crds.yaml",
            "chart/templates/policies.yaml",
            "chart/values.schema.json",
            "chart/values.yaml",
            "experimental/crds/example.com_routes.yaml",
            "experimental/kustomization.yaml",
            "experimental/policies/guardrails.yaml",
            "experimental/policies/kustomization.yaml",
            "experimental/policies/safe-upgrades.yaml",
            "manifest.json",
            "stable/crds/example.com_routes.yaml",
            "stable/kustomization.yaml",
            "stable/policies/kustomization.yaml",
            "stable/policies/safe-upgrades.yaml",
        ]
    );
    for file in files
        .iter()
        .filter(|file| file.contains("able/") || file.contains("mental/"))
    {
        let text = project.0.read(&format!("channels/v0.1.0/{file}"));
        let stamped = text.contains("example.com/bundle-version: v0.1.0");
        assert!(stamped || file.ends_with("kustomization.yaml"), "{file}");
    }
    let manifest = project.manifest("v0.1.0");
    assert_eq!(manifest["baseline"], Value::Null);
    let source = &manifest["sources"][0];
    assert_eq!(
        (&source["package"], &source["path"]),
        (&"demo".into(), &"src/lib.rs".into())
    );
    assert_eq!(
        manifest["channels"][1]["features"],
        serde_json::json!(["Timeouts", "unnamed"])
    );
}

/// A dry run begins with what a person asks of it; every file and every changed line is there on request.
#[test]
fn a_dry_run_leads_with_what_matters() {
    let project = Project::released();
    project.edit("max = 20", "max = 30");
    project.commit_generated();
    let dry = ["release", "minor", "--dry-run"];
    let stdout = project.0.run(&dry).with_code(0).stdout;
    let lines: Vec<&str> = stdout.lines().collect();
    assert_eq!(
        lines[0],
        "bundle v0.2.0 could be released; nothing was written"
    );
    assert!(lines.len() < 25, "{stdout}");
    for line in [
        "## v0.2.0",
        "- Route `spec.host`: maxLength was 20 and is 30 (v1)",
        "would create channels/v0.2.0/manifest.json and 20 more files in channels/v0.2.0",
        "would change generated/experimental/example.com_routes.yaml and 1 more file in generated",
        "would change channels/CHANGELOG.md",
        "would change Cargo.toml",
        "would change Cargo.lock",
        "`--verbose` shows every file and its changes",
    ] {
        assert!(lines.contains(&line), "{line}:\n{stdout}");
    }
    let whole = project
        .0
        .run(&[&dry[..], &["--verbose"]].concat())
        .with_code(0)
        .stdout;
    assert!(whole.starts_with(lines[0]), "{whole}");
    for words in [
        "would create channels/v0.2.0/chart/Chart.yaml\n",
        "\n+version = \"0.2.0\"\n",
    ] {
        assert!(whole.contains(words), "{words}:\n{whole}");
    }
    let quiet = project.0.run(&[&dry[..], &["-q"]].concat()).with_code(0);
    let hint = "`--verbose` shows every file and its changes\n";
    let result = stdout.replace(hint, "");
    assert_eq!((&*quiet.stdout, &*quiet.stderr), (&*result, ""));
    // What prevents the release is an error for everybody.
    project.edit("max = 30", "max = 10");
    project.commit_generated();
    let refused = project.0.run(&[&dry[..], &["-q"]].concat()).with_code(1);
    assert!(
        refused.stderr.contains("(limit-tightened)"),
        "{}",
        refused.stderr
    );
}

#[test]
fn a_minor_graduates_features_and_lists_its_changes() {
    let project = Project::released();
    project.edit("    #[experimental(feature = \"Timeouts\")]\n", "");
    project.0.write("channels/features.toml", "");
    project.edit("max = 20", "max = 30");
    project.commit_generated();
    let refused = project.release("patch").with_code(1);
    assert!(
        refused
            .stderr
            .contains("the lowest version that allows it is v0.2.0"),
        "{}",
        refused.stderr
    );
    project.release("minor").with_code(0);
    let manifest = project.manifest("v0.2.0");
    let digest = project.manifest("v0.1.0")["digest"].clone();
    assert_eq!(
        manifest["baseline"],
        serde_json::json!({"version": "v0.1.0", "digest": digest})
    );
    let codes: Vec<&str> = manifest["changes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|change| change["code"].as_str().unwrap())
        .collect();
    assert!(
        codes.contains(&"property-graduated") && codes.contains(&"limit-loosened"),
        "{codes:?}"
    );
    let log = project.0.read("channels/CHANGELOG.md");
    assert!(
        log.contains("## v0.2.0\n\nCompared with v0.1.0.\n\n### Graduated to stable"),
        "{log}"
    );
    assert!(log.find("## v0.2.0") < log.find("## v0.1.0"), "{log}");
    project.commit_generated();
    // Nothing changed, but a patch may still be wanted.
    project.release("patch").with_code(0);
    assert_eq!(project.manifest("v0.2.1")["baseline"]["version"], "v0.2.0");
    project.commit_generated();
    project.0.run(&["verify-release"]).with_code(0);
}

#[test]
fn pre_releases_and_snapshots_are_no_baseline() {
    let project = Project::released();
    project.edit("max = 20", "max = 30");
    project.commit_generated();
    project.release("0.2.0-rc.1").with_code(0);
    assert!(project.0.read("Cargo.toml").contains("\"0.2.0-rc.1\""));
    project.commit_generated();
    assert!(project.0.read("Cargo.toml").contains("\"0.2.0-dev\""));
    project
        .0
        .run(&["release", "snapshot", "--date", "2026-11-21"])
        .with_code(0);
    assert_eq!(
        project.manifest("v0.2.0-snapshot.20261121")["baseline"]["version"],
        "v0.1.0"
    );
    assert!(project.0.read("Cargo.toml").contains("\"0.2.0-dev\""));
    project.commit_generated();
    project.release("minor").with_code(0);
    assert_eq!(project.manifest("v0.2.0")["baseline"]["version"], "v0.1.0");
}

#[test]
fn a_release_branch_is_compared_with_its_own_line() {
    let project = Project::released();
    project.git(&["branch", "release-0.1"]);
    project.edit("max = 20", "max = 30");
    project.commit_generated();
    project.release("minor").with_code(0);
    project.commit_generated();
    // The branch has the bundles of the main line as well.
    let bundle = project.0.files("channels/v0.2.0");
    project.git(&["checkout", "--quiet", "release-0.1"]);
    for (path, bytes) in bundle {
        project.0.write(&format!("channels/v0.2.0/{path}"), bytes);
    }
    project.edit("The host.", "The name of the host.");
    project.commit_generated();
    project.release("patch").with_code(0);
    assert_eq!(project.manifest("v0.1.1")["baseline"]["version"], "v0.1.0");
    project.0.run(&["verify-release", "v0.1.1"]).with_code(0);
}

#[test]
fn the_version_may_be_in_the_configuration() {
    let project = Project::new();
    project.0.write(
        "channels/bundle.toml",
        "# the bundle's own\nversion = \"1.4.0-dev\" # so\n",
    );
    project.commit_generated();
    project.release("1.4.0").with_code(0);
    assert_eq!(
        project.0.read("channels/bundle.toml"),
        "# the bundle's own\nversion = \"1.4.0\" # so\n"
    );
    assert!(project.0.read("Cargo.toml").contains("\"0.1.0-dev\""));
    let project = Project::new();
    project.0.edit(
        "Cargo.toml",
        "version = \"0.1.0-dev\"",
        "version.workspace = true",
    );
    project.0.edit(
        "Cargo.toml",
        "[workspace]\n",
        "[workspace]\npackage.version = \"0.1.0-dev\"\n",
    );
    project.commit_generated();
    project.release("minor").with_code(0);
    assert!(
        project
            .0
            .read("Cargo.toml")
            .contains("package.version = \"0.1.0\"")
    );
    assert!(project.0.read("Cargo.lock").contains("version = \"0.1.0\""));
}
