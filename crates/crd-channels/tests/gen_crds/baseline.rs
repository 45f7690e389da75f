//! Known warnings of a project: only new ones are shown, and stale ones are reported.

use super::{findings, places};
use crate::support::Workspace;

const HOSTS: &str = r#"
//- src/lib.rs
mod part;
use kube::{CustomResource, KubeSchema};
use part::Part;
use serde::{Deserialize, Serialize};

#[derive(Clone, CustomResource, Debug, Deserialize, KubeSchema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Route", namespaced)]
pub struct RouteSpec {
    pub hosts: Vec<Part>,
    pub weight: f64,
    // more
}
//- src/part.rs
#[derive(Clone, Debug, serde::Deserialize, kube::KubeSchema, serde::Serialize)]
pub struct Part {
    pub name: String,
}
"#;

#[test]
fn only_new_warnings_show() {
    let workspace = Workspace::new(HOSTS);
    assert_eq!(
        places(&findings(&workspace, 0)),
        ["untyped-list: src/lib.rs:9", "float: src/lib.rs:10"]
    );
    let ran = workspace
        .run(&["gen-crds", "--write-baseline"])
        .with_code(0);
    assert!(
        ran.stdout
            .ends_with("channels/warnings.json: 2 warnings are known from now on\n"),
        "{ran:?}"
    );
    assert_eq!(ran.stderr, "");
    let known = workspace.read("channels/warnings.json");
    assert!(
        known.contains("\"field\": \"v1 spec.hosts.x-kubernetes-list-type\""),
        "{known}"
    );
    for arguments in [&["gen-crds"][..], &["gen-crds"], &["gen-crds", "--check"]] {
        let ran = workspace.run(arguments).with_code(0);
        assert_eq!(
            ran.stderr,
            "note: 2 warnings are known and not shown, see `channels/warnings.json`\n"
        );
    }
    // Lines move, and a new field has its own warning.
    workspace.edit(
        "src/lib.rs",
        "pub struct RouteSpec {",
        "pub struct RouteSpec {\n    pub ports: Vec<Part>,\n",
    );
    assert_eq!(
        places(&findings(&workspace, 0)),
        ["untyped-list: src/lib.rs:9"]
    );
    workspace.run(&["gen-crds", "--check"]).with_code(0);
    // A type that another kind uses as well.
    workspace.edit("src/lib.rs", "    pub ports: Vec<Part>,\n", "");
    workspace.edit(
        "src/lib.rs",
        "// more\n}",
        "}\n#[derive(CustomResource, KubeSchema)]\n#[kube(group = \"example.com\", version = \"v1\", kind = \"Gateway\")]\npub struct GatewaySpec {\n    pub other: Vec<Part>,\n}\n",
    );
    assert_eq!(places(&findings(&workspace, 0)).len(), 1);
}

#[test]
fn stale_known_warnings_are_reported_until_they_are_written_again() {
    let workspace = Workspace::new(HOSTS);
    workspace
        .run(&["gen-crds", "--write-baseline"])
        .with_code(0);
    workspace.edit("src/lib.rs", "f64", "i64");
    for _ in 0..2 {
        let found = findings(&workspace, 0);
        assert_eq!(places(&found), ["stale-baseline"]);
        assert_eq!(
            found[0].message,
            "`channels/warnings.json` lists warnings that no longer occur: `float` at `v1 spec.weight.type` of `routes.example.com`"
        );
    }
    // A run for one channel does not report stale entries.
    let ran = workspace
        .run(&["gen-crds", "--channel", "stable"])
        .with_code(0);
    assert!(!ran.stderr.contains("stale-baseline"), "{}", ran.stderr);
    workspace
        .run(&["gen-crds", "--write-baseline"])
        .with_code(0);
    assert_eq!(places(&findings(&workspace, 0)), Vec::<String>::new());
}

#[test]
fn errors_are_never_known() {
    let workspace = Workspace::new(&format!(
        "//- channels/bundle.toml\n[lints]\nfloat = \"deny\"\n{HOSTS}"
    ));
    let ran = workspace
        .run(&["gen-crds", "--write-baseline"])
        .with_code(1);
    assert!(ran.stderr.contains("error[float]"), "{}", ran.stderr);
    assert!(!workspace.path("channels/warnings.json").exists());
    workspace.write(
        "channels/warnings.json",
        "{ \"format\": 2, \"warnings\": [] }",
    );
    let ran = workspace
        .run(&["gen-crds", "--format", "json"])
        .with_code(2);
    assert_eq!(places(&ran.findings()), ["config-invalid"]);
}

#[test]
fn a_baseline_that_cannot_be_written() {
    let workspace = Workspace::new(&format!(
        "//- folder channels/warnings.json/inside\n{HOSTS}"
    ));
    let ran = workspace
        .run(&["gen-crds", "--write-baseline"])
        .with_code(2);
    assert!(ran.stderr.contains("error[write-failed]"), "{}", ran.stderr);
}
