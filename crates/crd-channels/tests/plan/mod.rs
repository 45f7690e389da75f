//! `plan` as users run it: what an update of pinned bundles does to their objects, and the commands that carry it out.

mod crds;

use crate::support::Workspace;
use crd_channels_released::manifest::{Baseline, Manifest};
use serde_json::{Value, json};

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
    crate::bundle::release(&workspace.path("api/channels"), version, &[], &channels);
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
    crate::support::schemas::validate("plan.json", &document);
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
            // It was dropped before.
            ("object-defaulted", 7, "spec.weight"),
            ("object-defaulted", 12, "spec.weight"),
            ("object-invalid", 13, "spec.host"),
            ("object-defaulted", 19, "spec.weight"),
            ("object-invalid", 20, "spec.mode"),
            ("object-unknown-field", 21, "spec.timeout"),
            ("object-defaulted", 27, "spec.retries"),
            ("object-defaulted", 27, "spec.weight"),
            ("object-defaulted", 33, "spec.weight"),
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
        "not safe: of 5 objects, 2 rejected or incomplete after it, 3 with warnings, 1 without a CRD skipped (`ConfigMap of v1`)\n",
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
    assert_eq!(found(&plan), [("object-unserved", 1, "apiVersion")]);
    let notes = plan["notes"].to_string();
    assert!(
        notes.contains("API servers refuse v0.3.0 while objects are stored in `v1beta1`"),
        "{notes}"
    );
    let steps = plan["steps"].as_array().unwrap();
    let steps: Vec<&str> = steps.iter().map(|step| step.as_str().unwrap()).collect();
    assert!(steps[0].contains("--version v0.2.0"), "{steps:?}");
    assert!(
        steps.contains(&"crd-channels cluster-migrate routes.example.com"),
        "{steps:?}"
    );
    assert!(
        steps.last().unwrap().starts_with("kubectl apply"),
        "{steps:?}"
    );
    // Who follows the steps harms nothing.
    workspace.write("route.yaml", route("a", "  host: a\n  retries: 1\n"));
    let plan = document(&workspace, &["route.yaml", "--to", "*"], 0);
    assert_eq!(plan["verdict"], "safe with warnings", "{plan:#}");
    assert_eq!(self::steps(&plan), steps);
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

/// A project whose bundles have these CRDs, one after the other; the first is pinned.
fn chain(crds: &[&str]) -> Workspace {
    let workspace = Workspace::new("");
    let mut before = None;
    let versions: Vec<String> = (1..=crds.len()).map(|nth| format!("v0.{nth}.0")).collect();
    for (version, crd) in versions.iter().zip(crds) {
        let crd = crd.replace("BUNDLE", version);
        release(&workspace, version, before, crd);
        before = Some(version);
    }
    let from = ["pin", "--from", "api", "--version", "v0.1.0"];
    workspace.run(&from).with_code(0);
    workspace
}

fn steps(plan: &Value) -> Vec<&str> {
    let steps = plan["steps"].as_array().unwrap().iter();
    steps.map(|step| step.as_str().unwrap()).collect()
}

/// Servers refuse it whatever the objects are.
#[test]
fn a_change_that_no_server_accepts_is_an_error_with_any_objects() {
    let old = crd("BUNDLE", OLD, &V1);
    for new in [
        old.replace("Namespaced", "Cluster"),
        old.replace("routes", "rutes"),
        old.replace("example.com\n  names", "example.net\n  names")
            .replace("routes.example.com", "routes.example.net"),
    ] {
        let workspace = chain(&[&old, &new]);
        workspace.write("route.yaml", route("a", "  host: a\n"));
        for paths in [&["route.yaml"][..], &[]] {
            let plan = document(&workspace, &[paths, &["--to", "*"]].concat(), 1);
            let message = plan["findings"][0]["message"].as_str().unwrap();
            assert!(
                message.starts_with("API servers refuse this change"),
                "{message}"
            );
        }
    }
}

/// What a failed pipe brings is no object of the bundle, so that nothing is known.
#[test]
fn inputs_without_an_object_of_the_bundle_count_as_none() {
    let workspace = pinned();
    for text in [
        "",
        "# nothing\n",
        "{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": []}",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
    ] {
        workspace.write("objects.yaml", text);
        let plan = document(&workspace, &["objects.yaml", "--to", "^0.3"], 1);
        assert!(
            found(&plan).contains(&("pin-refused", 0, "")),
            "{text}: {plan}"
        );
    }
    workspace.write("objects.yaml", "No resources found\n");
    let plan = document(&workspace, &["objects.yaml", "--to", "^0.3"], 1);
    assert_eq!(found(&plan), [("object-invalid", 1, ".")]);
    let gate = route("b", "  host: a\n").replace("example", "exmaple");
    workspace.write("objects.yaml", route("a", "  host: a\n") + &gate);
    let ran = workspace.run(&["plan", "objects.yaml", "--to", "^0.3"]);
    let skipped = "1 without a CRD skipped (`Route of exmaple.com/v1`)";
    assert!(ran.stdout.contains(skipped), "{}", ran.stdout);
}

#[test]
fn lists_within_lists_are_compared() {
    let workspace = pinned();
    let route = "{\"apiVersion\": \"example.com/v1\", \"kind\": \"Route\", \"metadata\": {\"name\": \"a\"}, \"spec\": {\"mode\": \"B\"}}";
    let list = |items: &str| {
        format!("{{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [\n{items}]}}")
    };
    workspace.write(
        "objects.json",
        list(&format!("{},{}", list(route), list(route))),
    );
    let plan = document(&workspace, &["objects.json", "--to", "^0.3"], 1);
    assert_eq!(plan["objects"].as_array().unwrap().len(), 2);
    let invalid = found(&plan)
        .into_iter()
        .filter(|(code, ..)| *code == "object-invalid");
    let lines: Vec<u64> = invalid.map(|(_, line, _)| line).collect();
    assert_eq!(lines, [3, 4]);
}

/// Objects are rewritten under each bundle on the way, and stored in the version that it stores.
#[test]
fn what_a_bundle_on_the_way_or_the_stored_version_drops_is_lost() {
    let less = "host: {type: string}";
    let more = "host: {type: string}, timeout: {type: string}";
    let both = [("v1alpha1", true, false), ("v1", true, true)];
    let workspace = chain(&[
        &crd(
            "BUNDLE",
            more,
            &[("v1alpha1", true, true), ("v1", true, false)],
        ),
        &crd("BUNDLE", less, &both),
        &crd("BUNDLE", more, &V1),
    ]);
    workspace.write("route.yaml", route("a", "  timeout: 3s\n"));
    let plan = document(&workspace, &["route.yaml", "--to", "*"], 1);
    let lost = ("object-unknown-field", 5, "spec.timeout");
    assert!(found(&plan).contains(&lost), "{plan:#}");
    // Each step has the flag that it needs, and no other.
    let pins: Vec<&str> = steps(&plan)
        .into_iter()
        .filter(|it| it.contains(" pin "))
        .collect();
    assert!(pins[0].contains("v0.2.0 --allow-data-loss"), "{pins:?}");
    assert!(!pins[1].contains("--allow-data-loss"), "{pins:?}");

    let (stored, old) = (
        crd("BUNDLE", less, &V1),
        crd("BUNDLE", more, &[("v1beta1", true, true)]),
    );
    let versions = |text: &str| text[text.find("  - name").unwrap()..].to_owned();
    let before = stored.replace("storage: true", "storage: false") + &versions(&old);
    let after = stored + &versions(&old).replace("storage: true", "storage: false");
    let workspace = chain(&[&before, &after]);
    let object = route("a", "  timeout: 3s\n").replace("com/v1", "com/v1beta1");
    workspace.write("route.yaml", object);
    let plan = document(&workspace, &["route.yaml", "--to", "*"], 1);
    assert_eq!(found(&plan), [lost]);
}

#[test]
fn a_limit_that_changed_rejects_nothing_new() {
    let old = crd("BUNDLE", "host: {type: string, maxLength: 4}", &V1);
    let workspace = chain(&[&old, &old.replace("maxLength: 4", "maxLength: 3")]);
    workspace.write("route.yaml", route("a", "  host: longer\n"));
    let plan = document(&workspace, &["route.yaml", "--to", "*"], 0);
    assert_eq!(found(&plan), []);
    let ran = workspace
        .run(&["plan", "route.yaml", "--to", "*"])
        .with_code(0);
    let already = "1 rejected already, as `crd-channels validate` says";
    assert!(ran.stdout.contains(already), "{}", ran.stdout);
}

/// Both have the kind, and which of them a cluster has is not known.
#[test]
fn every_bundle_that_has_the_kind_is_compared() {
    let (old, new) = (
        crd("BUNDLE", OLD, &V1),
        crd("BUNDLE", "host: {type: string}", &V1),
    );
    let workspace = chain(&[&old, &old, &new, &old]);
    for (name, version) in [("prod", ">=0.1"), ("staging", ">=0.2, <0.4")] {
        let first = if name == "prod" { "v0.1.0" } else { "v0.2.0" };
        let arguments = [
            "pin",
            "--from",
            "api",
            "--name",
            name,
            "--folder",
            name,
            "--version",
        ];
        workspace
            .run(&[&arguments[..], &[first]].concat())
            .with_code(0);
        let lock = workspace.read("bundle.lock");
        assert!(lock.contains(name), "{version}");
    }
    workspace
        .run(&["pin", "--remove", "example.com"])
        .with_code(0);
    workspace.write("route.yaml", route("a", "  timeout: 3s\n"));
    let plan = document(
        &workspace,
        &["route.yaml", "--update", "staging", "--to", "v0.3.0"],
        1,
    );
    assert!(found(&plan).contains(&("object-unknown-field", 5, "spec.timeout")));
    document(
        &workspace,
        &["route.yaml", "--update", "prod", "--to", "v0.4.0"],
        0,
    );
    // Kinds of other bundles are not the business of an update.
    let gate = route("b", "  host: a\n").replace("Route", "Gate");
    workspace.write("gate.yaml", gate);
    document(
        &workspace,
        &[
            "route.yaml",
            "gate.yaml",
            "--update",
            "prod",
            "--to",
            "v0.4.0",
        ],
        0,
    );
}

/// A comment on a pull request has the text of objects, and nothing that acts.
#[test]
fn markdown_escapes_what_objects_say() {
    let workspace = pinned();
    let name = "\"![x](http://example.com/x.png) @org/team <details>\\n# T\\n```\\nq\"";
    let object = route("a", "  mode: B\n").replace("name: a", &format!("name: {name}"));
    workspace.write("route.yaml", object);
    let arguments = ["plan", "route.yaml", "--to", "^0.3", "--format", "markdown"];
    let ran = workspace.run(&arguments).with_code(1);
    for acting in ["![", " @org", "<details>", "\n#  T", "\n```\nq", "\n# T"] {
        assert!(!ran.stdout.contains(acting), "{acting}:\n{}", ran.stdout);
    }
}

/// 16 times as many faults of an object take about 16 times as long, not 256 times.
#[test]
fn many_faults_of_one_object_take_linear_time() {
    let map = |of: &str| {
        format!(
            "all: {{type: object, additionalProperties: {{type: object, properties: {{{of}}}}}}}"
        )
    };
    let old = crd("BUNDLE", &map("host: {type: string, maxLength: 4}"), &V1);
    let new = crd(
        "BUNDLE",
        &map("host: {type: string, maxLength: 3}, weight: {type: integer, default: 1}"),
        &V1,
    );
    let workspace = chain(&[&old, &new]);
    let taken = |number: usize| {
        let entries = (0..number).map(|nth| format!("    k{nth}: {{host: abcd}}\n"));
        workspace.write(
            "route.yaml",
            route("a", &format!("  all:\n{}", entries.collect::<String>())),
        );
        let start = std::time::Instant::now();
        let plan = document(&workspace, &["route.yaml", "--to", "*"], 1);
        assert_eq!(found(&plan).len(), 2 * number);
        start.elapsed()
    };
    taken(10);
    let few = (0..3).map(|_| taken(200)).min().unwrap();
    let many = (0..2).map(|_| taken(3200)).min().unwrap();
    assert!(many < few * 128, "{few:?} {many:?}");
}

/// A kind that one bundle gives up and another one takes over keeps its objects.
#[test]
fn a_kind_that_moves_to_another_bundle_is_compared_with_its_new_crd() {
    let workspace = Workspace::new("");
    let gate = |version| {
        let gate = crd(version, OLD, &V1).replace("Route", "Gate");
        gate.replace("routes", "gates")
    };
    let released = |source: &str, version, before, crd| {
        let source = workspace.path(source);
        if source.exists() {
            std::fs::rename(&source, workspace.path("api")).unwrap();
        }
        release(&workspace, version, before, crd);
        std::fs::rename(workspace.path("api"), source).unwrap();
    };
    for (source, crd) in [
        ("first", crd("v0.1.0", OLD, &V1)),
        ("second", gate("v0.1.0")),
    ] {
        released(source, "v0.1.0", None, crd);
        let pin = [
            "pin", "--from", source, "--name", source, "--folder", source,
        ];
        workspace.run(&pin).with_code(0);
    }
    released("first", "v0.2.0", Some("v0.1.0"), gate("v0.2.0"));
    released("second", "v0.2.0", Some("v0.1.0"), crd("v0.2.0", NEW, &V1));
    workspace.write("route.yaml", route("a", "  mode: B\n"));
    let ran = workspace.run(&["plan", "route.yaml", "--format", "json"]);
    let plan: Value = serde_json::from_str(&ran.stdout).unwrap();
    let codes: Vec<&str> = found(&plan).iter().map(|(code, ..)| *code).collect();
    assert!(codes.contains(&"object-invalid"), "{plan:#}");
    assert!(!codes.contains(&"object-unknown-kind"), "{plan:#}");
}

/// A file in a folder that is named too is read once.
#[test]
fn objects_that_are_named_twice_count_once() {
    let workspace = pinned();
    workspace.write("deploy/route.yaml", route("a", "  mode: B\n"));
    let plan = document(
        &workspace,
        &["deploy", "deploy/route.yaml", "deploy", "--to", "^0.3"],
        1,
    );
    assert_eq!(plan["objects"].as_array().unwrap().len(), 1, "{plan:#}");
}
