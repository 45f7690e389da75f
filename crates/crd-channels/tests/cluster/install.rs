//! `cluster-install` and `cluster-verify`.

use super::model::Fault;
use super::{LAST, NEW, OLD, Place, crd, stamp, written};
use crate::bundle;
use serde_json::{Value, json};

const INSTALL: [&str; 1] = ["cluster-install"];

fn policy(kind: &str, version: &str) -> Value {
    json!({
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": kind,
        "metadata": {"name": "safe-upgrades.example.com", "annotations": stamp(version, "stable")},
        "spec": {"policyName": "a"},
    })
}

fn secret() -> Value {
    json!({"apiVersion": "v1", "kind": "Secret", "data": {"a": "c2VjcmV0"},
        "metadata": {"name": "key", "namespace": "a", "annotations": stamp("v0.1.0", "stable")}})
}

/// What was applied, in order.
fn applied(place: &Place) -> Vec<String> {
    let server = place.cluster.lock();
    let mut all: Vec<(u64, String)> = Vec::new();
    all.extend(server.others.keys().map(|(kind, _)| (0, kind.clone())));
    all.extend(server.crds.keys().map(|name| (1, name.clone())));
    all.into_iter().map(|(_, name)| name).collect()
}

#[test]
fn a_bundle_is_installed_in_order_and_goes_on_after_a_failure() {
    let place = Place::new();
    let guard = policy("ValidatingAdmissionPolicy", "v0.1.0");
    let binding = policy("ValidatingAdmissionPolicyBinding", "v0.1.0");
    let more = [
        ("components/secret.yaml", secret()),
        ("policies/a.yaml", guard),
        ("policies/b.yaml", binding),
    ];
    place.release("v0.1.0", &OLD, &more);
    place.pin(&["--channel", "stable"]);
    let ran = place.run(&["cluster-verify"]).with_code(1);
    assert!(
        ran.stderr
            .contains("error[cluster-differs]: `routes.example.com` is not installed"),
        "{ran:?}"
    );
    place.run(&["cluster-install", "--dry-run"]).with_code(0);
    assert_eq!(applied(&place), [""; 0]);

    // The CRD is refused.
    let error = "Error from server (Invalid): error when creating \"STDIN\": it is invalid: \n* spec: wrong";
    place.cluster.lock().faults.push(Fault {
        at: "apply",
        after: 0,
        error,
    });
    let ran = place.run(&INSTALL).with_code(1);
    for expected in [
        "error[cluster-refused]: `routes.example.com` cannot be installed: Error from server (Invalid): error when creating \"STDIN\": it is invalid: * spec: wrong",
        "error[cluster-incomplete]: nothing was installed; still as before: `routes.example.com`, `ValidatingAdmissionPolicy safe-upgrades.example.com`, `ValidatingAdmissionPolicyBinding safe-upgrades.example.com`, `Secret key`",
    ] {
        assert!(ran.stderr.contains(expected), "{expected}\n{}", ran.stderr);
    }
    // The component is refused, and its content is not shown.
    let error =
        "Error from server (BadRequest): Secret in version \"v1\" cannot be handled: c2VjcmV0";
    place.cluster.lock().faults.push(Fault {
        at: "apply",
        after: 4,
        error,
    });
    let ran = place.run(&INSTALL).with_code(1);
    assert!(
        ran.stderr
            .contains("`Secret key` cannot be installed: the server does not take it"),
        "{ran:?}"
    );
    assert!(!(ran.stderr + &ran.stdout).contains("c2VjcmV0"));

    let ran = place.run(&INSTALL).with_code(0);
    assert!(
        ran.stdout.contains(
            "PolicyBinding safe-upgrades.example.com: as pinned\nSecret key: installed\n"
        ),
        "{ran:?}"
    );
    let ran = place.run(&["cluster-verify"]).with_code(0);
    assert_eq!(ran.stdout, "4 objects are as they are pinned\n");
    let mut server = place.cluster.lock();
    server.crds.get_mut("routes.example.com").unwrap()["spec"]["versions"][0]["served"] =
        false.into();
    drop(server);
    let ran = place
        .run(&["cluster-verify", "--format", "json"])
        .with_code(1);
    assert_eq!(ran.findings()[0].code, "cluster-differs");
    assert!(
        ran.findings()[0]
            .message
            .ends_with("`spec.versions[v1beta1].served`"),
        "{ran:?}"
    );
}

#[test]
fn what_loses_something_is_refused() {
    let place = Place::new();
    for (version, versions) in [("v0.1.0", &OLD[..]), ("v0.2.0", &NEW), ("v0.3.0", &LAST)] {
        place.release(version, versions, &[]);
    }
    place.pin(&["--channel", "experimental", "--version", "v0.2.0"]);
    place.run(&INSTALL).with_code(0);
    {
        let mut server = place.cluster.lock();
        for (name, spec) in [
            ("a", json!({"timeout": "1s"})),
            ("b", json!({"host": "a"})),
            ("c", json!({"timeout": "2s"})),
        ] {
            server.add("routes", name, "v1", spec);
        }
    }
    let check = |arguments: &[&str], expected: &str| {
        let before = place.cluster.lock().crds.clone();
        let ran = place.run(arguments).with_code(1);
        assert!(ran.stderr.contains(expected), "{expected}\n{}", ran.stderr);
        assert_eq!(place.cluster.lock().crds, before);
    };
    let allowed = ["--allow-downgrade", "--allow-data-loss"];
    let pin = |channel: &str, version: &str| {
        place.pin(&[&["--channel", channel, "--version", version], &allowed[..]].concat());
    };
    pin("experimental", "v0.1.0");
    check(
        &INSTALL,
        "error[cluster-refused]: `routes.example.com` is of v0.2.0, which is newer than v0.1.0",
    );
    pin("stable", "v0.2.0");
    let dropped = "error[cluster-refused]: the pinned `routes.example.com` drops what objects have: `v1 spec.timeout in 2 objects`";
    check(&INSTALL, dropped);
    check(&["cluster-upgrade", "--dry-run"], dropped);
    let error = "error: Apply failed with 1 conflict: conflict with \"helm\": .spec.versions\nPlease review the fields above";
    place.cluster.lock().faults.push(Fault {
        at: "apply",
        after: 0,
        error,
    });
    check(
        &["cluster-install", "--allow-data-loss"],
        "take its fields over with `--force-conflicts`",
    );
    place
        .run(&["cluster-install", "--allow-data-loss", "--force-conflicts"])
        .with_code(0);
    let calls = place.cluster.lock().calls.clone();
    let apply = "apply --server-side --field-manager=crd-channels --filename=- --output=json --force-conflicts";
    assert!(calls.iter().any(|call| call == apply), "{calls:#?}");
}

#[test]
fn what_would_reject_stored_objects_is_refused() {
    let place = Place::new();
    let level = json!({"level": {"type": "integer", "default": 1}});
    let new = written(&crd(Some(("v0.1.0", "stable")), &LAST, level));
    let files = vec![("crds/example.com_routes.yaml".to_owned(), new)];
    let channels = [("stable", &[][..], files)];
    bundle::release(
        &place.workspace.path("api/channels"),
        "v0.1.0",
        &[],
        &channels,
    );
    place.pin(&["--channel", "stable"]);
    {
        let mut server = place.cluster.lock();
        let mut installed = crd(None, &LAST, json!({}));
        let spec = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties";
        *installed.pointer_mut(spec).unwrap() = json!({"host": {"type": "integer"}});
        server.install(installed);
        server.add("routes", "a", "v1", json!({"host": 1}));
        server.add("routes", "b", "v1", json!({}));
    }
    let ran = place
        .run(&["cluster-install", "--context", "a b"])
        .with_code(1);
    let command = "crd-channels plan --cluster '--context=a b' --after crds";
    for expected in [
        "error[cluster-refused]: the pinned `routes.example.com` rejects what objects have: `v1 spec.host in 1 object`",
        &format!("help: `{command}` names the objects"),
        "note: the pinned `routes.example.com` changes what objects have: `v1 spec.level in 2 objects`",
    ] {
        assert!(ran.stderr.contains(expected), "{expected}\n{}", ran.stderr);
    }
    let plan = ["plan", "--cluster", "--context=a b", "--after", "crds"];
    let ran = place.run(&plan).with_code(1);
    let expected = "Route \"default/a\": spec.host: 1 is not of type `string`";
    assert!(ran.stdout.contains(expected), "{ran:?}");
    place
        .run(&["cluster-install", "--allow-data-loss"])
        .with_code(0);
}

/// Servers cannot apply an object whose record is in a version that is gone, even if nothing is stored in it.
#[test]
fn a_version_that_clients_wrote_is_not_removed_before_its_records_are_moved() {
    let place = Place::new();
    place.release("v0.1.0", &LAST, &[]);
    place.pin(&["--channel", "stable"]);
    let mut both = crd(Some(("v0.0.9", "stable")), &NEW, json!({}));
    both["spec"]["versions"][0]["deprecated"] = false.into();
    {
        let mut server = place.cluster.lock();
        server.install(both);
        server.add("routes", "a", "v1beta1", json!({"host": "a"}));
        let crd = server.crds.get_mut("routes.example.com").unwrap();
        crd["status"]["storedVersions"] = json!(["v1"]);
    }
    let plan = ["plan", "--cluster", "--after", "crds"];
    let ran = place.run(&plan).with_code(0);
    let said = "a client wrote it in `v1beta1`, which is gone then";
    assert!(ran.stdout.contains(said), "{ran:?}");
    let ran = place.run(&INSTALL).with_code(1);
    let said = "the pinned `routes.example.com` lacks versions in which clients wrote objects, so that servers refuse to apply these: `v1 metadata.managedFields[v1beta1] in 1 object`";
    assert!(ran.stderr.contains(said), "{ran:?}");
    assert!(
        ran.stderr
            .contains("`crd-channels cluster-migrate routes.example.com` moves"),
        "{ran:?}"
    );
    let migrate = ["cluster-migrate", "routes.example.com", "--settle", "0"];
    let ran = place.run(&migrate).with_code(0);
    assert!(ran.stdout.contains("1 object stored in v1"), "{ran:?}");
    place.run(&INSTALL).with_code(0);
    let ran = place.run(&migrate).with_code(0);
    assert!(
        ran.stdout.contains("all objects are stored in v1"),
        "{ran:?}"
    );
    assert!(place.run(&plan).with_code(0).stdout.contains("\nsafe: "));
}

/// The policy that refuses it is deleted, as it says, and is not there again before the CRDs are back.
#[test]
fn a_policy_does_not_stand_in_the_way_for_ever() {
    let place = Place::new();
    for version in ["v0.1.0", "v0.2.0"] {
        let guard = [
            (
                "policies/a.yaml",
                policy("ValidatingAdmissionPolicy", version),
            ),
            (
                "policies/b.yaml",
                policy("ValidatingAdmissionPolicyBinding", version),
            ),
        ];
        place.release(version, &OLD, &guard);
    }
    place.pin(&["--channel", "stable"]);
    place.run(&INSTALL).with_code(0);
    place.pin(&[
        "--channel",
        "stable",
        "--version",
        "v0.1.0",
        "--allow-downgrade",
    ]);
    let before = place.cluster.lock().others.clone();
    let back = ["cluster-install", "--allow-downgrade"];
    let ran = place.run(&back).with_code(1);
    assert!(ran.stderr.contains("denied request: older"), "{ran:?}");
    assert_eq!(place.cluster.lock().others, before);
    let ran = place.run(&[back[0], back[1], "--dry-run"]).with_code(1);
    assert!(!ran.stderr.contains("cluster-incomplete"), "{ran:?}");
    assert!(
        ran.stdout
            .contains("Binding safe-upgrades.example.com: would be installed"),
        "{ran:?}"
    );

    place
        .cluster
        .lock()
        .others
        .retain(|(kind, _), _| kind != "ValidatingAdmissionPolicyBinding");
    place.run(&back).with_code(0);
    place.run(&["cluster-verify"]).with_code(0);
}

/// A policy that the pinned channel does not have still judges objects.
#[test]
fn a_policy_that_is_not_pinned_any_more_is_named() {
    let place = Place::new();
    let mut guard = policy("ValidatingAdmissionPolicy", "v0.1.0");
    place.release("v0.1.0", &OLD, &[("policies/a.yaml", guard.clone())]);
    place.pin(&["--channel", "stable"]);
    let name = "guardrails.example.com";
    guard["metadata"] = json!({"name": name, "annotations": stamp("v0.0.9", "experimental")});
    let key = ("ValidatingAdmissionPolicy".to_owned(), name.to_owned());
    place.cluster.lock().others.insert(key.clone(), guard);
    let said = "`ValidatingAdmissionPolicy guardrails.example.com` is of v0.0.9 experimental, and not pinned any more";
    let ran = place.run(&INSTALL).with_code(0);
    let command = format!("`kubectl delete validatingadmissionpolicies {name}`");
    assert!(ran.stderr.contains(said), "{ran:?}");
    assert!(ran.stderr.contains(&command), "{ran:?}");
    let ran = place.run(&["cluster-verify"]).with_code(1);
    assert!(ran.stderr.contains(said), "{ran:?}");
    place.cluster.lock().others.remove(&key);
    place.run(&["cluster-verify"]).with_code(0);
}

/// A CRD that the server does not serve, or not for long, is not as it is pinned.
#[test]
fn a_crd_that_is_out_of_use_is_not_in_place() {
    let place = Place::new();
    place.release("v0.1.0", &OLD, &[]);
    place.pin(&["--channel", "stable"]);
    place.run(&INSTALL).with_code(0);
    let edit = |pointer: &str, value: Value| {
        let mut server = place.cluster.lock();
        let crd = server.crds.get_mut("routes.example.com").unwrap();
        match crd.pointer_mut(pointer) {
            Some(place) => *place = value,
            None => crd["metadata"]["deletionTimestamp"] = value,
        }
    };
    edit("/status/conditions/0/status", json!("False"));
    let ran = place.run(&["cluster-verify"]).with_code(1);
    let said = "differs from what is pinned: `status.conditions[NamesAccepted]`";
    assert!(ran.stderr.contains(said), "{ran:?}");
    edit("/status/conditions/0/status", json!("True"));
    place.run(&["cluster-verify"]).with_code(0);
    edit("/metadata/deletionTimestamp", json!("2026-01-01T00:00:00Z"));
    place.run(&["cluster-verify"]).with_code(1);
    let ran = place.run(&INSTALL).with_code(1);
    let said = "`routes.example.com` is being deleted, with all of its objects";
    assert!(ran.stderr.contains(said), "{ran:?}");
}

#[test]
fn what_others_added_to_a_crd_is_removed_on_request() {
    let place = Place::new();
    place.release("v0.1.0", &OLD, &[]);
    place.pin(&["--channel", "stable"]);
    place.run(&INSTALL).with_code(0);
    {
        let mut server = place.cluster.lock();
        let crd = server.crds.get_mut("routes.example.com").unwrap();
        crd["spec"]["names"]["categories"] = json!(["all"]);
    }
    let ran = place.run(&INSTALL).with_code(1);
    let expected = "error[cluster-refused]: others set fields of `routes.example.com` that the pinned CRD lacks: `spec.names.categories`";
    assert!(ran.stderr.contains(expected), "{ran:?}");
    place.run(&["cluster-verify"]).with_code(1);
    place
        .run(&["cluster-install", "--force-conflicts"])
        .with_code(0);
    place.run(&["cluster-verify"]).with_code(0);
}

#[test]
fn stored_versions_are_not_removed() {
    let place = Place::new();
    for (version, versions) in [("v0.1.0", &OLD[..]), ("v0.2.0", &NEW), ("v0.3.0", &LAST)] {
        place.release(version, versions, &[]);
    }
    place.pin(&["--channel", "stable", "--version", ">=0.3"]);
    let mut old = crd(Some(("v0.1.0", "stable")), &OLD, json!({}));
    place.cluster.lock().install(old.clone());
    let ran = place.run(&INSTALL).with_code(1);
    for expected in [
        "objects of `routes.example.com` may be stored in `v1beta1`, which the pinned CRD lacks",
        "install a bundle between the two first",
    ] {
        assert!(ran.stderr.contains(expected), "{expected}\n{}", ran.stderr);
    }
    // What it advises prints the way.
    let commands: Vec<&str> = ran
        .stderr
        .split('`')
        .filter_map(|it| it.strip_prefix("crd-channels "))
        .collect();
    let [lock, way] = commands.as_slice() else {
        panic!("{ran:?}")
    };
    assert!(lock.starts_with("pin --update "), "{lock}");
    let words = |line: &str| line.replace('\'', "");
    place
        .run(&words(lock).split(' ').collect::<Vec<_>>())
        .with_code(0);
    let ran = place
        .run(&words(way).split(' ').collect::<Vec<_>>())
        .with_code(1);
    assert!(
        ran.stderr
            .contains("API servers refuse v0.3.0 while objects are stored in `v1beta1`"),
        "{ran:?}"
    );
    place.pin(&[
        "--channel",
        "stable",
        "--version",
        ">=0.3",
        "--allow-data-loss",
    ]);
    old["spec"] = crd(None, &NEW, json!({}))["spec"].clone();
    place.cluster.lock().install(old);
    let ran = place.run(&INSTALL).with_code(1);
    assert!(
        ran.stderr
            .contains("rewrite them first: `crd-channels cluster-migrate routes.example.com`"),
        "{ran:?}"
    );
    place
        .run(&["cluster-migrate", "--settle", "0"])
        .with_code(0);
    place.run(&["cluster-upgrade"]).with_code(0);
    place.run(&["cluster-verify"]).with_code(0);
}

#[test]
fn files_that_are_not_as_pinned_are_not_installed() {
    let place = Place::new();
    place.release("v0.1.0", &LAST, &[]);
    let ran = place.run(&INSTALL).with_code(2);
    assert!(ran.stderr.contains("error[lock-missing]"), "{ran:?}");
    place.pin(&[]);
    place.workspace.edit(
        "crds/example.com_routes.yaml",
        "type: string",
        "type: integer",
    );
    for command in ["cluster-install", "cluster-verify", "cluster-status"] {
        let ran = place.run(&[command]).with_code(1);
        assert!(ran.stderr.contains("error[not-as-pinned]"), "{ran:?}");
    }
    assert_eq!(place.cluster.lock().calls, [""; 0]);
}
