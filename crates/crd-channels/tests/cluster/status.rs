//! `cluster-status`.

use super::model::Fault;
use super::{LAST, NEW, OLD, Place, crd};
use crate::support::schemas;
use serde_json::{Value, json};

fn status(place: &Place, arguments: &[&str]) -> Value {
    let all = [&["cluster-status", "--format", "json"], arguments].concat();
    let ran = place.run(&all).with_code(0);
    let document = serde_json::from_str(&ran.stdout).unwrap();
    schemas::validate("cluster-status.json", &document);
    document
}

#[test]
fn the_status_has_what_is_installed_and_used() {
    let place = Place::new();
    place.release("v0.1.0", &OLD, &[]);
    place.release("v0.2.0", &NEW, &[]);
    place.pin(&["--channel", "experimental", "--version", "v0.2.0"]);
    let none = status(&place, &[]);
    assert_eq!(
        none["bundles"][0]["crds"],
        json!([{"name": "routes.example.com", "installed": null}])
    );
    {
        let mut server = place.cluster.lock();
        let timeout = || json!({"timeout": {"type": "string"}});
        server.install(crd(Some(("v0.1.0", "experimental")), &OLD, timeout()));
        for (name, version, spec) in [
            ("a", "v1beta1", json!({"timeout": "1s"})),
            ("b", "v1", json!({"host": "a"})),
            ("c", "v1beta1", json!({"host": "a"})),
        ] {
            server.add("routes", name, version, spec);
        }
        server.has_own_tokens = true;
        // The list of objects expires once, and is counted from its beginning.
        let error = "Error from server (Expired): too old";
        server.faults.push(Fault {
            at: "/apis/example.com/v1beta1/routes",
            after: 1,
            error,
        });
    }
    let document = status(&place, &[]);
    let installed = &document["bundles"][0]["crds"][0]["installed"];
    assert_eq!(
        installed["bundle"],
        json!({"version": "v0.1.0", "channel": "experimental"})
    );
    assert_eq!(installed["owners"], json!(["Helm"]));
    assert_eq!(installed["storage"], "v1beta1");
    assert_eq!(installed["objects"], 3);
    assert_eq!(installed["writtenIn"], json!({"v1": 1, "v1beta1": 2}));
    let field =
        json!({"version": "v1beta1", "field": "spec.timeout", "feature": null, "objects": 1});
    assert_eq!(installed["experimental"], json!([field]));
    let drift = [
        "metadata.annotations.example.com/bundle-version",
        "spec.versions[v1beta1].storage",
        "spec.versions[v1].storage",
    ];
    assert_eq!(installed["drift"], json!(drift));
    let people = place.run(&["cluster-status"]).with_code(0).stdout;
    for expected in [
        "example.com: v0.2.0 experimental is pinned\n",
        "  routes.example.com: v0.1.0 experimental, managed by Helm\n",
        "    serves v1beta1 (deprecated), v1; writes v1beta1\n",
        "    3 objects\n    2 written in v1beta1 by some client, by their managed fields\n",
        "    1 with experimental v1beta1 spec.timeout\n",
        "    differs: spec.versions[v1].storage\n",
        "  the policies of the bundle are not pinned\n",
    ] {
        assert!(people.contains(expected), "{expected}\n{people}");
    }
    // Without the bundle experimental fields are not known.
    std::fs::remove_dir_all(place.workspace.path("api")).unwrap();
    let ran = place.run(&["cluster-status"]).with_code(0);
    assert!(
        ran.stderr
            .contains("note: the use of experimental fields of `example.com` is not counted"),
        "{ran:?}"
    );
}

#[test]
fn a_folder_of_crds_needs_no_lock() {
    let place = Place::new();
    place
        .workspace
        .write("mine/crd.json", crd(None, &NEW, json!({})).to_string());
    place.cluster.lock().install(crd(None, &NEW, json!({})));
    let document = status(&place, &["--crds", "mine"]);
    let installed = &document["bundles"][0]["crds"][0]["installed"];
    assert_eq!(
        (&installed["bundle"], &installed["drift"]),
        (&Value::Null, &json!([]))
    );
    let one = status(&place, &["--crds", "mine/crd.json"]);
    assert_eq!(one["bundles"][0]["crds"], document["bundles"][0]["crds"]);
    place.run(&["cluster-status", "--crds", "bin"]).with_code(2);
}

#[test]
fn without_kubectl_or_a_server_it_could_not_run() {
    let place = Place::new();
    place
        .workspace
        .write("mine/crd.json", crd(None, &NEW, json!({})).to_string());
    let arguments = ["cluster-status", "--crds", "mine"];
    let mut command = place.workspace.command(&arguments);
    let ran = super::run(command.env("PATH", place.workspace.path("mine"))).with_code(2);
    assert!(ran.stderr.contains("error[cluster-failed]: cannot read `routes.example.com`: `kubectl` could not be started"), "{ran:?}");
    let error = "error: context \"nowhere\" does not exist";
    place.cluster.lock().faults.push(Fault {
        at: "get",
        after: 0,
        error,
    });
    let ran = place.run(&arguments).with_code(2);
    assert!(ran.stderr.contains(error), "{ran:?}");
}

/// A version that the pinned bundle removed is not experimental.
#[test]
fn a_version_that_is_gone_everywhere_is_not_experimental() {
    for pinned in [&LAST[..], &NEW] {
        let place = Place::new();
        place.release("v0.1.0", &OLD, &[]);
        place.release("v0.2.0", pinned, &[]);
        place.pin(&["--version", "v0.2.0"]);
        {
            let mut server = place.cluster.lock();
            server.install(crd(Some(("v0.1.0", "stable")), &OLD, json!({})));
            server.add("routes", "a", "v1beta1", json!({"host": "a"}));
        }
        let document = status(&place, &[]);
        let installed = &document["bundles"][0]["crds"][0]["installed"];
        assert_eq!(installed["experimental"], json!([]), "{installed:#}");
    }
}
