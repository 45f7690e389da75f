//! `plan` as users run it: what an update of pinned bundles does to their objects, and the commands that carry it out.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

#[path = "support/bundle.rs"]
mod bundle;
mod support;

use crd_channels_released::manifest::{Baseline, Manifest};
use serde_json::{Value, json};
use support::Workspace;

/// A CRD of `Route` with these properties of `spec`, and these versions: name, whether it is served, whether it is stored.
fn crd(bundle: &str, properties: &str, versions: &[(&str, bool, bool)]) -> String {
    let versions = versions.iter().map(|(name, served, storage)| {
        format!(
            "  - name: {name}\n    served: {served}\n    storage: {storage}\n    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n          spec:\n            type: object\n            properties: {{{properties}}}\n"
        )
    });
    let versions: String = versions.collect();
    format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  annotations:\n    example.com/bundle-version: {bundle}\n    example.com/channel: stable\n  name: routes.example.com\nspec:\n  group: example.com\n  names: {{kind: Route, listKind: RouteList, plural: routes, singular: route}}\n  scope: Namespaced\n  versions:\n{versions}"
    )
}

/// Writes a bundle that follows another one.
fn release(workspace: &Workspace, version: &str, before: Option<&str>, crd: String) {
    let files = vec![("crds/example.com_routes.yaml".to_owned(), crd)];
    let channels: [(&str, &[&str], _); 1] = [("stable", &[], files)];
    bundle::release(&workspace.path("api/channels"), version, &[], &channels);
    let path = |version: &str| format!("api/channels/{version}/manifest.json");
    let parse = |version: &str| Manifest::parse(workspace.read(&path(version)).as_bytes()).unwrap();
    if let Some(before) = before {
        let baseline = Some(Baseline {
            version: before.parse().unwrap(),
            digest: parse(before).digest.unwrap(),
        });
        let manifest = Manifest {
            baseline,
            ..parse(version)
        };
        workspace.write(&path(version), manifest.to_text().0);
    }
}

const V1: [(&str, bool, bool); 1] = [("v1", true, true)];

const OLD: &str = "host: {type: string, maxLength: 20}, mode: {type: string, enum: [A, B]}, timeout: {type: string}, retries: {type: integer, default: 1}";

const NEW: &str = "host: {type: string, maxLength: 5}, mode: {type: string, enum: [A]}, retries: {type: integer, default: 3}, weight: {type: integer, default: 1}";

/// Two bundles, of which the first is pinned.
fn pinned() -> Workspace {
    let workspace = Workspace::new("");
    release(&workspace, "v0.1.0", None, crd("v0.1.0", OLD, &V1));
    release(
        &workspace,
        "v0.2.0",
        Some("v0.1.0"),
        crd("v0.2.0", OLD, &V1),
    );
    release(
        &workspace,
        "v0.3.0",
        Some("v0.2.0"),
        crd("v0.3.0", NEW, &V1),
    );
    let from = ["pin", "--from", "api", "--version", "v0.1.0"];
    workspace.run(&from).with_code(0);
    workspace.run(&["vendor"]).with_code(0);
    workspace
}

fn route(name: &str, spec: &str) -> String {
    format!(
        "apiVersion: example.com/v1\nkind: Route\nmetadata: {{name: {name}}}\nspec:\n{spec}---\n"
    )
}

fn document(workspace: &Workspace, arguments: &[&str], code: i32) -> Value {
    let arguments = [&["plan"], arguments, &["--format", "json"]].concat();
    let ran = workspace.run(&arguments).with_code(code);
    let document = serde_json::from_str(&ran.stdout).unwrap();
    support::schemas::validate("plan.json", &document);
    document
}

/// The code, the place and the field of each finding.
fn found(document: &Value) -> Vec<(&str, u64, &str)> {
    let findings = document["findings"].as_array().unwrap().iter();
    let found = findings.map(|it| {
        let line = it["place"]["line"].as_u64().unwrap_or_default();
        let text = |key: &str| it[key].as_str().unwrap_or_default();
        (text("code"), line, text("field"))
    });
    found.collect()
}

#[test]
fn every_effect_on_an_object_is_at_its_field() {
    let workspace = pinned();
    let objects = [
        route("good", "  host: a\n  retries: 1\n  weight: 1\n"),
        route("long", "  host: longer\n  retries: 1\n"),
        route("old", "  mode: B\n  timeout: 3s\n  retries: 1\n"),
        route("fresh", "  host: a\n"),
        route("wrong", "  host: 5\n  retries: 1\n"),
    ];
    workspace.write("deploy/routes.yaml", objects.concat());
    workspace.write("deploy/map.yaml", "apiVersion: v1\nkind: ConfigMap\n");
    let plan = document(&workspace, &["deploy", "--to", "^0.3"], 1);
    assert_eq!(plan["verdict"], "not safe");
    assert_eq!(
        found(&plan),
        [
            ("object-invalid", 13, "spec.host"),
            ("object-invalid", 20, "spec.mode"),
            ("object-unknown-field", 21, "spec.timeout"),
            ("object-defaulted", 27, "spec.retries"),
            ("object-defaulted", 27, "spec.weight"),
        ]
    );
    let ran = workspace
        .run(&["plan", "deploy", "--to", "^0.3"])
        .with_code(1);
    for expected in [
        "example.com: v0.1.0 stable to v0.3.0 stable, over v0.2.0\n",
        "help: a stored object is accepted until this value changes\n",
        "help: a stored object loses it\n",
        "spec.retries becomes `3`, and was `1`",
        "spec.weight becomes `1`, and was not set",
        "note: stored objects that use these lose data or fail validation: `spec.host` of `Route`, `spec.mode` of `Route`, `spec.retries` of `Route`, `spec.timeout` of `Route`",
        "not safe: of 5 objects, 2 rejected or incomplete after it, 1 with warnings, 1 rejected already\n",
        "when the errors are resolved:\n  crd-channels pin --update example.com --version '^0.3' --allow-data-loss\n  crd-channels vendor\n  kubectl apply --server-side --recursive -f crds\n",
    ] {
        assert!(ran.stdout.contains(expected), "{expected}\n{}", ran.stdout);
    }
    let markdown = ["plan", "deploy", "--to", "^0.3", "--format", "markdown"];
    let ran = workspace.run(&markdown).with_code(1);
    let line = "- deploy/routes.yaml:21:3: Route \"old\": unknown field \"spec.timeout\" (a stored object loses it)\n";
    assert!(ran.stdout.contains(line), "{}", ran.stdout);
}

#[test]
fn an_update_that_no_object_minds_is_carried_out_by_its_steps() {
    let workspace = pinned();
    workspace.write("route.yaml", route("a", "  host: a\n"));
    let plan = document(&workspace, &["route.yaml", "--to", "^0.2"], 0);
    assert_eq!(plan["verdict"], "safe");
    assert_eq!(plan["objects"][0]["accept"], true);
    for step in plan["steps"].as_array().unwrap() {
        let step = step.as_str().unwrap();
        if let Some(arguments) = step.strip_prefix("crd-channels ") {
            let arguments: Vec<&str> = arguments
                .split(' ')
                .map(|it| it.trim_matches('\''))
                .collect();
            workspace.run(&arguments).with_code(0);
        }
    }
    assert!(
        workspace
            .read("crds/example.com_routes.yaml")
            .contains("v0.2.0")
    );
    let plan = document(&workspace, &["route.yaml"], 0);
    assert_eq!(
        (&plan["verdict"], &plan["steps"]),
        (&json!("safe"), &json!([]))
    );
}

/// Whether stored objects are harmed is known only from them.
#[test]
fn without_objects_what_may_be_lost_is_an_error() {
    let workspace = pinned();
    let plan = document(&workspace, &["--to", "^0.3"], 1);
    assert_eq!(found(&plan), [("pin-refused", 0, "")]);
    document(&workspace, &["--to", "^0.2"], 0);
    let ran = workspace.run(&["pin", "--update", "--version", "^0.3"]);
    let ran = ran.with_code(1);
    assert!(ran.stderr.contains("`crd-channels plan DIR`"), "{ran:?}");
    document(&workspace, &["--to", "^9"], 2);
    document(&workspace, &["nowhere", "--to", "^0.2"], 2);
    std::fs::remove_file(workspace.path("bundle.lock")).unwrap();
    let plan = document(&workspace, &[], 2);
    assert_eq!(plan["verdict"], Value::Null);
    assert_eq!(found(&plan)[0].0, "lock-missing");
}

/// Versions that go, and the way on which stored objects are rewritten.
#[test]
fn versions_that_go_are_named_with_the_way() {
    let workspace = Workspace::new("");
    let old = [("v1beta1", true, true)];
    let both = [("v1", true, true), ("v1beta1", true, false)];
    let mut before = None;
    for (version, versions) in [("v0.1.0", &old[..]), ("v0.2.0", &both), ("v0.3.0", &V1)] {
        release(&workspace, version, before, crd(version, OLD, versions));
        before = Some(version);
    }
    let from = ["pin", "--from", "api", "--version", "v0.1.0"];
    workspace.run(&from).with_code(0);
    let object = route("a", "  host: a\n").replace("v1", "v1beta1");
    workspace.write("route.yaml", object);
    let plan = document(&workspace, &["route.yaml", "--to", "*"], 1);
    assert_eq!(
        found(&plan),
        [("pin-refused", 0, ""), ("object-unserved", 1, "apiVersion")]
    );
    let steps = plan["steps"].as_array().unwrap();
    let steps: Vec<&str> = steps.iter().map(|step| step.as_str().unwrap()).collect();
    assert!(steps[0].contains("--version v0.2.0"), "{steps:?}");
    assert!(
        steps.iter().any(|it| it.contains("storedVersions")),
        "{steps:?}"
    );
    assert!(
        steps.last().unwrap().starts_with("kubectl apply"),
        "{steps:?}"
    );
}

/// What no bundle of the update has is not its business; a kind that it removes is.
#[test]
fn a_removed_kind_is_an_error() {
    let workspace = pinned();
    let other = crd("v0.4.0", OLD, &V1)
        .replace("Route", "Gate")
        .replace("routes", "gates");
    release(&workspace, "v0.4.0", Some("v0.3.0"), other);
    workspace.write("route.yaml", route("a", "  host: a\n"));
    let plan = document(&workspace, &["route.yaml", "--to", "^0.4"], 1);
    assert!(
        found(&plan).contains(&("object-unknown-kind", 2, "kind")),
        "{plan:#}"
    );
}
