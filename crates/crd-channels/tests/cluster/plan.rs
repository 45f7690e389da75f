//! `plan --cluster`.

use super::model::Fault;
use super::{LAST, NEW, OLD, Place, crd};
use crate::support::schemas;
use serde_json::{Value, json};

fn plan(place: &Place, arguments: &[&str], code: i32) -> Value {
    let all = [&["plan", "--format", "json"], arguments].concat();
    let ran = place.run(&all).with_code(code);
    let document = serde_json::from_str(&ran.stdout).unwrap();
    schemas::validate("plan.json", &document);
    document
}

fn place() -> Place {
    let place = Place::new();
    place.release("v0.1.0", &OLD, &[]);
    place.release("v0.2.0", &NEW, &[]);
    place.pin(&["--channel", "experimental", "--version", "v0.1.0"]);
    place
}

#[test]
fn all_objects_of_a_cluster_are_compared_page_by_page() {
    let place = place();
    let stable = ["--cluster", "--channel", "stable", "--to", "^0.2"];
    // Nothing is installed, so that nothing is stored.
    let none = plan(&place, &stable, 1);
    assert_eq!(none["objects"], json!([]));
    {
        let mut server = place.cluster.lock();
        let timeout = || json!({"timeout": {"type": "string"}});
        server.install(crd(Some(("v0.1.0", "experimental")), &OLD, timeout()));
        for number in 0..7 {
            let spec = match number {
                5 => json!({"timeout": "1s"}),
                _ => json!({"host": "a"}),
            };
            server.add("routes", &format!("r{number}"), "v1beta1", spec);
        }
        let error = "Error from server (Expired): too old";
        let at = "/apis/example.com/v1beta1/routes";
        server.faults.push(Fault {
            at,
            after: 2,
            error,
        });
    }
    let found = plan(&place, &stable, 1);
    assert_eq!(found["verdict"], "not safe");
    assert_eq!(found["objects"].as_array().unwrap().len(), 7, "{found:#}");
    let lost = |it: &&Value| it["code"] == "object-unknown-field";
    let lost: Vec<&Value> = found["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(lost)
        .collect();
    assert_eq!(lost.len(), 1, "{found:#}");
    assert_eq!(
        (&lost[0]["name"], &lost[0]["file"]),
        (&json!("r5"), &json!("cluster"))
    );
    assert_eq!(lost[0]["field"], "spec.timeout");
}

/// The objects are those of the CRD that is installed, whatever is pinned.
#[test]
fn the_installed_crd_is_what_objects_are_compared_with() {
    let place = place();
    {
        let mut server = place.cluster.lock();
        server.install(crd(
            Some(("v0.0.9", "stable")),
            &OLD,
            json!({"old": {"type": "string"}}),
        ));
        server.add("routes", "a", "v1beta1", json!({"old": "x"}));
    }
    let found = plan(&place, &["--cluster", "--to", "^0.2"], 1);
    let notes = found["notes"].to_string();
    assert!(notes.contains("the cluster has `routes.example.com` of v0.0.9 stable, and v0.1.0 experimental is pinned"), "{notes}");
    let fields: Vec<&Value> = found["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["field"])
        .collect();
    assert!(fields.contains(&&json!("spec.old")), "{found:#}");
}

#[test]
fn without_rights_or_a_server_there_is_no_plan() {
    let place = place();
    place.cluster.lock().install(crd(None, &OLD, json!({})));
    for (error, code) in [
        (
            "Error from server (Forbidden): routes.example.com is forbidden",
            "cluster-forbidden",
        ),
        ("Error from server (BadRequest): no", "cluster-failed"),
    ] {
        let at = "/apis/example.com/v1beta1/routes";
        place.cluster.lock().faults.push(Fault {
            at,
            after: 0,
            error,
        });
        let found = plan(&place, &["--cluster"], 2);
        assert_eq!(found["verdict"], Value::Null);
        assert_eq!(found["findings"][0]["code"], code, "{found:#}");
    }
}

/// Objects are read in a version that stays, or else followed into one.
#[test]
fn a_version_that_goes_is_no_fault_of_stored_objects() {
    let timeout = || json!({"timeout": {"type": "string"}});
    for (versions, read) in [(&OLD[..], "v1"), (&OLD[..1], "v1beta1")] {
        let place = place();
        place.release("v0.3.0", &LAST, &[]);
        {
            let mut server = place.cluster.lock();
            server.install(crd(Some(("v0.1.0", "experimental")), versions, timeout()));
            server.add("routes", "a", "v1beta1", json!({"timeout": "1s"}));
        }
        // These bundles do not follow each other, so that no way is known.
        let found = plan(&place, &["--cluster", "--to", "*"], 1);
        let findings = found["findings"].as_array().unwrap();
        let codes: Vec<&Value> = findings.iter().map(|it| &it["code"]).collect();
        assert_eq!(codes, ["pin-refused", "object-deprecated"], "{found:#}");
        assert_eq!(found["objects"][0]["version"], read, "{found:#}");
    }
}
