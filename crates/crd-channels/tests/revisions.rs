//! `diff` of revisions: types are read from git's objects, without a checkout and without compiling.

use crate::support::{Workspace, run};
use serde_json::Value;
use std::process::Command;
use std::time::{Duration, SystemTime};

const ROUTE: &str = r#"
//- .gitignore
/target
//- channels/features.toml
[Timeouts]
summary = "How long a request may take."
//- src/lib.rs
mod path;
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
    /// The path.
    pub path: path::Path,
    /// So long.
    #[experimental(feature = "Timeouts")]
    pub timeout: Option<String>,
}
//- src/path.rs
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub struct Path {
    pub prefix: String,
}
"#;

/// Runs git in a folder of the workspace, with an author and without the machine's settings.
fn git_in(workspace: &Workspace, folder: &str, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    command
        .args([
            "-c",
            "protocol.file.allow=always",
            "-c",
            "init.defaultBranch=main",
        ])
        .args(arguments)
        .current_dir(workspace.path(folder))
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .env_remove("GIT_DIR")
        .env_remove("GIT_INDEX_FILE");
    for who in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{who}_NAME"), "test");
        command.env(format!("GIT_{who}_EMAIL"), "test@example.com");
        command.env(format!("GIT_{who}_DATE"), "2026-01-01T00:00:00Z");
    }
    run(&mut command).with_code(0).stdout
}

fn git(workspace: &Workspace, arguments: &[&str]) -> String {
    git_in(workspace, "", arguments)
}

fn commit(workspace: &Workspace, tag: &str) {
    git(workspace, &["add", "--all"]);
    git(workspace, &["commit", "--quiet", "--message", tag]);
    git(workspace, &["tag", tag]);
}

/// A repository with the types at its tag `v0.1.0`, and with cargo's lock file; the working tree is 0.2.0.
fn tagged(text: &str) -> Workspace {
    let workspace = Workspace::new(text);
    workspace.generate();
    git(&workspace, &["init", "--quiet"]);
    commit(&workspace, "v0.1.0");
    workspace.edit("Cargo.toml", "version = \"0.1.0\"", "version = \"0.2.0\"");
    workspace
}

fn json(workspace: &Workspace, old: &str, new: &str) -> Value {
    let ran = workspace.run(&["diff", old, new, "--format", "json"]);
    serde_json::from_str(&ran.with_code(0).stdout).unwrap()
}

fn codes(report: &Value) -> Vec<String> {
    let findings = report["changes"].as_array().unwrap().iter();
    let places = findings.map(|finding| {
        let text = |key: &str| finding[key].as_str().unwrap();
        format!("{} {} {}", text("channel"), text("code"), text("field"))
    });
    places.collect()
}

#[test]
fn a_revision_is_what_a_checkout_of_it_generates() {
    let workspace = tagged(ROUTE);
    workspace.edit("src/path.rs", "prefix", "start");
    workspace.edit("src/lib.rs", "max = 20", "max = 30");
    workspace.write("Cargo.lock", "broken, and not read");
    workspace.write("channels/stable.toml", "broken, and not read");
    // Compared with the files that a checkout of the tag generates.
    let report = json(&workspace, "git:v0.1.0", "generated");
    assert_eq!(report["changes"], Value::Array(Vec::new()), "{report}");
    let report = json(&workspace, "git:HEAD", "git:v0.1.0^{commit}");
    assert_eq!(report["changes"], Value::Array(Vec::new()), "{report}");
    assert!(!workspace.path("target/crd-channels/revisions/src").exists());
}

#[test]
fn changes_since_a_revision_are_reported_with_their_lines() {
    let workspace = tagged(ROUTE);
    workspace.edit("src/lib.rs", "max = 20", "max = 30");
    let report = json(&workspace, "git:v0.1.0", ".");
    assert_eq!(codes(&report), ["stable limit-loosened spec.host"]);
    let human = workspace.run(&["diff", "git:v0.1.0", "."]).stdout;
    assert!(human.contains("at src/lib.rs:13\n"), "{human}");
    commit(&workspace, "v0.2.0");
    workspace.write("src/lib.rs", "");
    let human = workspace.run(&["diff", "git:v0.1.0", "git:v0.2.0"]).stdout;
    assert!(
        human.contains("at src/lib.rs:13 of `git:v0.2.0`\n"),
        "{human}"
    );
    // Waivers are those of the released side.
    workspace.write(
        "channels/waivers.toml",
        "[[waiver]]\nkind = \"Route\"\npath = \"spec.host\"\nbundle = \"v0.2.0\"\nreason = \"never worked\"\n",
    );
    let human = workspace.run(&["diff", "git:v0.1.0", "git:v0.2.0"]).stdout;
    assert!(!human.contains("waived"), "{human}");
}

#[test]
fn the_workspace_may_lie_below_the_top_and_its_types_behind_links() {
    let workspace = Workspace::new("");
    let inner = Workspace::at(workspace.path("a b/ws"), ROUTE);
    // A package of the workspace in a linked folder, and a linked module.
    inner.edit(
        "Cargo.toml",
        "[workspace]\n",
        "[workspace]\nmembers = [\"types\"]\n",
    );
    inner.write("channels/bundle.toml", "packages = [\"types\"]\n");
    let manifest = "[package]\nname = \"types\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\nkube = { path = \"../stubs/kube\" }\nschemars = { path = \"../stubs/schemars\" }\nserde = { path = \"../stubs/serde\" }\n";
    workspace.write("a b/real/Cargo.toml", manifest);
    let types = inner.read("src/lib.rs");
    workspace.write("a b/real/src/lib.rs", types);
    inner.write("src/lib.rs", "");
    inner.link("../real", "types");
    workspace.link("../../ws/src/path.rs", "a b/real/src/path.rs");
    inner.generate();
    git(&workspace, &["init", "--quiet"]);
    commit(&workspace, "v0.1.0");
    let report = json(&inner, "git:v0.1.0", "generated");
    assert_eq!(report["changes"], Value::Array(Vec::new()), "{report}");
    workspace.edit("a b/real/src/lib.rs", "max = 20", "max = 30");
    workspace.edit(
        "a b/real/Cargo.toml",
        "version = \"0.1.0\"",
        "version = \"0.2.0\"",
    );
    let report = json(&inner, "git:v0.1.0", ".");
    assert_eq!(codes(&report), ["stable limit-loosened spec.host"]);
}

#[test]
fn a_package_without_a_workspace_table_or_a_lock_file_is_read() {
    let workspace = Workspace::new(ROUTE);
    workspace.edit("Cargo.toml", "[workspace]\nexclude = [\"stubs\"]\n", "");
    workspace.write(".gitignore", "/target\nCargo.lock\n");
    workspace.generate();
    git(&workspace, &["init", "--quiet"]);
    commit(&workspace, "v0.1.0");
    let report = json(&workspace, "git:v0.1.0", "generated");
    assert_eq!(report["changes"], Value::Array(Vec::new()), "{report}");
}

/// Checks a failed comparison: exit code 2 and a reason.
fn assert_unreadable(workspace: &Workspace, revision: &str, words: &[&str]) {
    let ran = workspace.run(&["diff", revision, "."]).with_code(2);
    for word in words {
        assert!(ran.stderr.contains(word), "`{word}` in:\n{}", ran.stderr);
    }
    assert_eq!(ran.stdout, "");
}

#[test]
fn a_revision_that_is_not_there() {
    let workspace = tagged(ROUTE);
    for name in ["v9", "", "--all", "HEAD:src", "HEAD..HEAD", "HEAD^9"] {
        let expected = format!("error[revision-not-found]: no commit is named `{name}`");
        assert_unreadable(&workspace, &format!("git:{name}"), &[&expected]);
    }
    // The clone only has the last commit.
    commit(&workspace, "v0.2.0");
    let url = format!("file://{}", workspace.folder().display());
    let clone = Workspace::new("");
    git(&clone, &["clone", "--quiet", "--depth", "1", &url, "clone"]);
    let ran = run(&mut clone.command_in("clone", &["diff", "git:HEAD~1", "."]));
    assert!(
        ran.with_code(2).stderr.contains("git fetch --unshallow"),
        "a shallow clone"
    );
}

#[test]
fn a_folder_without_a_usable_repository() {
    let workspace = Workspace::new(ROUTE);
    assert_unreadable(
        &workspace,
        "git:HEAD",
        &["error[git-failed]", "not a git repository"],
    );
    git(&workspace, &["init", "--quiet"]);
    assert_unreadable(&workspace, "git:HEAD", &["error[revision-not-found]"]);
    let ran = run(workspace
        .command(&["diff", "git:HEAD", "."])
        .env("PATH", "/nowhere"));
    let stderr = ran.with_code(2).stderr;
    assert!(stderr.contains("`git` could not be started"), "{stderr}");
    // A missing object.
    let workspace = tagged(ROUTE);
    let blob = git(&workspace, &["rev-parse", "HEAD:src/path.rs"]);
    let (folder, file) = blob.trim().split_at(2);
    std::fs::remove_file(workspace.path(&format!(".git/objects/{folder}/{file}"))).unwrap();
    assert_unreadable(
        &workspace,
        "git:HEAD",
        &["error[unreadable-file]: `src/path.rs` cannot be read: git does not have the object"],
    );
}

#[test]
fn a_revision_without_the_types() {
    let workspace = Workspace::new("//- channels/bundle.toml\npackages = [\"demo\"]\n");
    git(&workspace, &["init", "--quiet"]);
    workspace.write("README.md", "");
    git(&workspace, &["add", "README.md"]);
    git(&workspace, &["commit", "--quiet", "--message", "first"]);
    assert_unreadable(
        &workspace,
        "git:HEAD",
        &["error[cargo-failed]: the revision `HEAD` has no `Cargo.toml`"],
    );
    workspace.edit("Cargo.toml", "name = \"demo\"", "name = \"other\"");
    workspace.write("src/lib.rs", "");
    commit(&workspace, "packages");
    assert_unreadable(
        &workspace,
        "git:HEAD",
        &[
            "error[package-not-found]",
            "channels/bundle.toml:1:",
            "error: the types of `git:HEAD` cannot be read",
        ],
    );
    for path in ["bundle", "stable", "experimental"] {
        std::fs::remove_file(workspace.path(&format!("channels/{path}.toml"))).unwrap();
    }
    commit(&workspace, "channels");
    assert_unreadable(&workspace, "git:HEAD", &["error[config-missing]"]);
}

#[test]
fn submodules_and_links_out_of_the_repository_are_reported() {
    let library = Workspace::new("");
    library.write("src/lib.rs", "pub struct A;");
    git(&library, &["init", "--quiet"]);
    commit(&library, "one");
    let workspace = tagged(ROUTE);
    git(
        &workspace,
        &[
            "submodule",
            "--quiet",
            "add",
            library.folder().to_str().unwrap(),
            "sub",
        ],
    );
    workspace.edit(
        "Cargo.toml",
        "[dependencies]\n",
        "[dependencies]\nlibrary = { package = \"demo\", path = \"sub\" }\n",
    );
    commit(&workspace, "submodule");
    assert_unreadable(
        &workspace,
        "git:HEAD",
        &[
            "error[cargo-failed]",
            "the files of submodules are not read, and `sub` is one",
        ],
    );
    let workspace = tagged(ROUTE);
    std::fs::remove_file(workspace.path("src/path.rs")).unwrap();
    workspace.link("/etc/hostname", "src/path.rs");
    commit(&workspace, "out");
    assert_unreadable(&workspace, "git:HEAD", &["error[module-not-found]"]);
    std::fs::remove_file(workspace.path("src/path.rs")).unwrap();
    workspace.link("path.rs", "src/path.rs");
    commit(&workspace, "circle");
    assert_unreadable(&workspace, "git:HEAD", &["error[module-not-found]"]);
}

#[test]
fn variables_of_git_hooks_are_ignored() {
    let workspace = tagged(ROUTE);
    let other = Workspace::new("");
    let git_folder = workspace.path(".git");
    let ran = run(workspace
        .command(&["diff", "git:v0.1.0", "."])
        .env("GIT_DIR", &git_folder)
        .env("GIT_INDEX_FILE", other.path("index")));
    ran.with_code(0);
}

#[test]
fn further_channels_are_compared_too() {
    let further = format!("{ROUTE}//- channels/preview.toml\nfeatures = [\"Timeouts\"]\n");
    let workspace = tagged(&further);
    let report = json(&workspace, "git:v0.1.0", "generated");
    assert_eq!(report["changes"], Value::Array(Vec::new()), "{report}");
    // A change in all channels is reported once.
    workspace.edit(
        "src/lib.rs",
        "pub timeout: Option<String>",
        "pub timeout: Option<i32>",
    );
    let report = json(&workspace, "git:v0.1.0", ".");
    assert_eq!(codes(&report), ["experimental type-changed spec.timeout"]);
    workspace.edit(
        "src/lib.rs",
        "pub timeout: Option<i32>",
        "pub timeout: Option<String>",
    );
    // Only that channel loses it.
    workspace.write("channels/preview.toml", "features = []\n");
    let report = json(&workspace, "git:v0.1.0", ".");
    assert_eq!(codes(&report), ["preview property-removed spec.timeout"]);
    assert_eq!(report["bump"], "minor", "{report}");
    std::fs::remove_file(workspace.path("channels/preview.toml")).unwrap();
    let report = json(&workspace, "git:v0.1.0", ".");
    assert_eq!(report["changes"], Value::Array(Vec::new()), "{report}");
    let notes = report["notes"].to_string();
    assert!(
        notes.contains("only the old set has the channel `preview`"),
        "{notes}"
    );
}

#[test]
fn the_declared_kubernetes_counts() {
    let workspace = tagged(&format!(
        "{ROUTE}//- channels/bundle.toml\nkubernetes = \"1.31\"\n"
    ));
    workspace.edit("channels/bundle.toml", "1.31", "1.33");
    let report = json(&workspace, "git:v0.1.0", ".");
    assert_eq!(codes(&report), ["stable kubernetes-raised ."]);
    let message = &report["changes"][0]["message"];
    assert_eq!(message, "is for Kubernetes 1.33 and newer; 1.31 was enough");
    // CRDs on disk declare no Kubernetes version.
    let report = json(&workspace, "generated", ".");
    assert_eq!(report["changes"], Value::Array(Vec::new()), "{report}");
    // The declared version already covers what the keywords need.
    workspace.edit("channels/bundle.toml", "1.33", "1.31");
    workspace.edit(
        "src/lib.rs",
        "namespaced)",
        "namespaced, selectable = \".spec.host\")",
    );
    let report = json(&workspace, "git:v0.1.0", ".");
    assert_eq!(
        codes(&report),
        ["stable selectable-field-added spec.versions[v1].selectableFields"]
    );
}

#[test]
fn old_revision_layouts_are_removed() {
    let workspace = tagged(ROUTE);
    let folder = "target/crd-channels/revisions";
    let layouts = || -> Vec<String> {
        let entries = std::fs::read_dir(workspace.path(folder)).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    };
    json(&workspace, "git:v0.1.0", ".");
    let [first] = layouts().try_into().unwrap();
    let past = SystemTime::now() - Duration::from_secs(1_000_000);
    let age = |name: &str, seconds| {
        let place = workspace.path(&format!("{folder}/{name}"));
        std::fs::create_dir_all(&place).unwrap();
        let place = std::fs::File::open(place).unwrap();
        place
            .set_modified(past + Duration::from_secs(seconds))
            .unwrap();
    };
    age(&first, 0);
    for seconds in 1..40 {
        age(&format!("other-{seconds:02}"), seconds);
    }
    // Used again, it is the second most recent when another one is added.
    json(&workspace, "git:v0.1.0", ".");
    commit(&workspace, "v0.2.0");
    json(&workspace, "git:v0.2.0", ".");
    let mut kept = layouts();
    assert!(kept.contains(&first), "{kept:?}");
    kept.retain(|name| name.starts_with("other-"));
    let expected: Vec<String> = (30..40).map(|number| format!("other-{number}")).collect();
    assert_eq!(kept, expected);
}
