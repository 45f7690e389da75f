//! Released features leave tombstones, which `release` requires and accepts.

use super::{PATH, TIMEOUT, bundle, remove, source, support, workspace};
use std::process::Command;
use support::Workspace;

/// Releases the current types.
pub fn release(workspace: &Workspace, version: &str, features: &[&str]) {
    workspace.edit(
        "Cargo.toml",
        "version = \"0.1.0\"",
        &format!("version = \"{}\"", &version[1..]),
    );
    workspace.generate();
    let files = |channel: &str| {
        let files = workspace.files(&format!("generated/{channel}")).into_iter();
        let crds = files.filter(|(path, _)| path != "kustomization.yaml");
        crds.map(|(path, bytes)| (format!("crds/{path}"), String::from_utf8(bytes).unwrap()))
            .collect()
    };
    let channels = [
        ("stable", &[][..], files("stable")),
        ("experimental", features, files("experimental")),
    ];
    bundle::release(&workspace.path("channels"), version, features, &channels);
    workspace.edit(
        "Cargo.toml",
        &format!("version = \"{}\"", &version[1..]),
        "version = \"0.2.0-dev\"",
    );
    workspace.generate();
}

fn git(workspace: &Workspace, arguments: &[&str]) {
    let ran = Command::new("git")
        .args(["-c", "user.name=t", "-c", "user.email=t@example.com"])
        .args(["-c", "commit.gpgsign=false"])
        .args(arguments)
        .current_dir(workspace.folder())
        .output()
        .unwrap();
    assert!(ran.status.success(), "{ran:?}");
}

fn commit(workspace: &Workspace) {
    git(workspace, &["add", "--all"]);
    git(
        workspace,
        &["commit", "--quiet", "--allow-empty", "--message", "x"],
    );
}

/// A workspace in a git repository that released v0.1.0.
pub fn published(workspace: Workspace) -> Workspace {
    workspace.write(".gitignore", "/target\n");
    git(&workspace, &["init", "--quiet"]);
    workspace.edit("Cargo.toml", "\"0.1.0\"", "\"0.1.0-dev\"");
    workspace.generate();
    commit(&workspace);
    workspace.run(&["release", "minor"]).with_code(0);
    commit(&workspace);
    workspace.run(&["start-next"]).with_code(0);
    workspace.generate();
    commit(&workspace);
    workspace
}

/// Releases the next minor, and returns the tombstones of its manifest.
pub fn released(workspace: &Workspace) -> serde_json::Value {
    commit(workspace);
    workspace.run(&["release", "minor"]).with_code(0);
    let manifest = workspace.read("channels/v0.2.0/manifest.json");
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    manifest["tombstones"].clone()
}

#[test]
fn the_next_minor_needs_no_waiver() {
    let fields = TIMEOUT.replace("    pub path", "    /// Which.\n    pub path");
    let workspace = workspace(&fields);
    let text = workspace.read("src/lib.rs");
    let text = text.replace("    Exact", "    /// E.\n    Exact");
    let text = text.replace("    pub request:", "    /// R.\n    pub request:");
    workspace.write("src/lib.rs", text);
    let workspace = published(workspace);
    remove(&workspace, "Timeouts");
    remove(&workspace, "Paths");
    let text = workspace.read("src/lib.rs");
    let value = "#[tombstone(name = \"Regex\", removed = \"v0.2.0\", reason = \"nobody used it\")]\npub enum PathType {\n";
    assert!(text.contains(value), "{text}");
    workspace.run(&["gen-crds", "--check"]).with_code(0);
    let tombstones = released(&workspace);
    let names = tombstones["names"].as_array().unwrap().iter();
    let names: Vec<_> = names
        .map(|tombstone| {
            ["path", "name", "removed", "reason"]
                .map(|key| tombstone[key].as_str().unwrap().to_owned())
        })
        .collect();
    let tombstone =
        |path: &str, name: &str| [path, name, "v0.2.0", "nobody used it"].map(str::to_owned);
    assert_eq!(
        names,
        [
            tombstone("spec", "requestTimeout"),
            tombstone("spec.path", "Regex")
        ]
    );
    // Readers of the notes learn that only the experimental channel had it, and why it was removed.
    let notes = workspace.read("channels/CHANGELOG.md");
    for expected in [
        "### Breaking (experimental)\n\n- Route `spec.path`: `Regex` removed from the enum (v1) — nobody used it\n",
        "### Removed (experimental)\n\n- Route `spec.requestTimeout`: property removed (v1) — nobody used it\n",
    ] {
        assert!(notes.contains(expected), "{notes}");
    }
}

#[test]
fn tagged_variants_and_their_fields_are_reserved_on_their_enum() {
    let fields = format!("{TIMEOUT}    /// Which.\n    pub action: Option<Action>,\n");
    let more = "
/// What to do.
#[derive(ApiType, Clone, Debug, Deserialize, JsonSchema, Serialize)]
#[serde(tag = \"type\")]
pub enum Action {
    /// Goes on.
    Pass,
    /// Says no.
    #[experimental(feature = \"Other\")]
    Deny {
        /// With that.
        status: Option<String>,
    },
}
";
    let workspace = Workspace::new(&source(&fields, more));
    release(&workspace, "v0.1.0", &["Timeouts", "Paths", "Other"]);
    remove(&workspace, "Other");
    let text = workspace.read("src/lib.rs");
    for name in ["Deny", "status"] {
        let stone = format!(
            "#[tombstone(name = {name:?}, removed = \"v0.2.0\", reason = \"nobody used it\")]\n"
        );
        assert_eq!(text.matches(&stone).count(), 1, "{text}");
    }
    let ran = workspace.run(&["diff", "v0.1.0", "."]).with_code(0);
    assert!(!ran.stdout.contains("tombstone"), "{}", ran.stdout);
}

#[test]
fn unreleased_fields_leave_no_tombstone() {
    let workspace = workspace(PATH);
    release(&workspace, "v0.1.0", &["Timeouts", "Paths", "Other"]);
    workspace.edit(
        "src/lib.rs",
        PATH,
        &format!(
            "{PATH}    #[experimental(feature = \"Timeouts\")]\n    pub idle: Option<String>,\n"
        ),
    );
    let ran = remove(&workspace, "Timeouts");
    assert!(ran.stdout.contains("property-removed"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("tombstone"), "{}", ran.stdout);
    let text = workspace.read("src/lib.rs");
    assert!(!text.contains("tombstone"), "{text}");
    assert!(!text.contains("idle"), "{text}");
}

#[test]
fn fields_removed_earlier_get_no_tombstone() {
    let workspace = workspace(TIMEOUT);
    release(&workspace, "v0.1.0", &["Timeouts", "Paths", "Other"]);
    // Somebody removed it without a tombstone, for another reason.
    workspace.edit(
        "src/lib.rs",
        "    #[experimental(feature = \"Other\")]\n    Other,\n",
        "",
    );
    remove(&workspace, "Timeouts");
    let text = workspace.read("src/lib.rs");
    assert_eq!(text.matches("tombstone").count(), 1, "{text}");
}
