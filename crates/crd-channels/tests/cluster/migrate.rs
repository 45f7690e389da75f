//! `cluster-migrate`.

use super::model::Fault;
use super::{LAST, NEW, OLD, Place, crd};
use serde_json::json;
use std::time::Duration;

const MIGRATE: [&str; 4] = ["cluster-migrate", "routes.example.com", "--settle", "0"];

/// A cluster with objects in two versions.
fn place(objects: usize) -> Place {
    let place = Place::new();
    {
        let mut server = place.cluster.lock();
        server.install(crd(None, &OLD, json!({})));
        for number in 0..objects {
            server.add(
                "routes",
                &format!("r{number:03}"),
                "v1beta1",
                json!({"host": "a"}),
            );
        }
        server.install(crd(None, &NEW, json!({})));
        server.add("routes", "s", "v1", json!({"host": "b"}));
    }
    place
}

#[track_caller]
fn has_arrived(place: &Place) {
    let mut server = place.cluster.lock();
    assert_eq!(
        server.stored_versions().into_iter().collect::<Vec<_>>(),
        ["v1"]
    );
    assert_eq!(
        server.crds["routes.example.com"]["status"]["storedVersions"],
        json!(["v1"])
    );
    server.install(crd(None, &LAST, json!({})));
}

#[track_caller]
fn is_not_reduced(place: &Place) {
    let server = place.cluster.lock();
    let stored = &server.crds["routes.example.com"]["status"]["storedVersions"];
    assert_eq!(*stored, json!(["v1beta1", "v1"]));
}

#[test]
fn all_objects_are_rewritten_before_versions_are_removed() {
    let place = place(7);
    let dry = place
        .run(&[&MIGRATE[..], &["--dry-run"]].concat())
        .with_code(0);
    assert!(
        dry.stdout
            .contains("would rewrite objects that are not stored in v1"),
        "{dry:?}"
    );
    is_not_reduced(&place);
    let ran = place.run(&MIGRATE).with_code(0);
    let expected = "routes.example.com: 8 objects stored in v1, 7 of them rewritten; no longer stored: v1beta1\n";
    assert_eq!(ran.stdout, expected);
    assert!(
        ran.stderr
            .contains("7 objects of `routes.example.com` written in v1beta1"),
        "{ran:?}"
    );
    has_arrived(&place);
    let again = place.run(&MIGRATE).with_code(0);
    assert_eq!(
        again.stdout,
        "routes.example.com: all objects are stored in v1\n"
    );
}

#[test]
fn an_expired_list_goes_on_or_begins_again() {
    for (has_own_tokens, beginnings) in [(false, 1), (true, 2)] {
        let place = place(7);
        place.cluster.lock().has_own_tokens = has_own_tokens;
        let error = "Error from server (Expired): The provided continue parameter is too old";
        let at = "/apis/example.com/v1/routes";
        place.cluster.lock().faults.push(Fault {
            at,
            after: 2,
            error,
        });
        let ran = place.run(&MIGRATE).with_code(0);
        assert!(
            ran.stdout
                .contains(": 8 objects stored in v1, 7 of them rewritten;"),
            "{ran:?}"
        );
        let calls = place.cluster.lock().calls.clone();
        let first = format!("get --raw {at}?limit=500");
        let first = calls.iter().filter(|call| **call == first);
        assert_eq!(first.count(), beginnings, "{calls:#?}");
        has_arrived(&place);
    }
}

#[test]
fn conflicts_and_pauses_of_the_server_are_waited_out() {
    let place = place(5);
    for (at, after, error) in [
        (
            "/apis/apiextensions",
            0,
            "The connection to the server 127.0.0.1:1 was refused - did you specify the right host or port?",
        ),
        (
            "patch",
            1,
            "Error from server (Conflict): the object has been modified",
        ),
        (
            "patch",
            3,
            "The connection to the server 127.0.0.1:1 was refused - did you specify the right host or port?",
        ),
        (
            "--subresource=status",
            0,
            "Error from server (Conflict): the object has been modified",
        ),
    ] {
        place.cluster.lock().faults.push(Fault { at, after, error });
    }
    let ran = place.run(&MIGRATE).with_code(0);
    assert!(ran.stderr.contains("trying again"), "{ran:?}");
    has_arrived(&place);
}

#[test]
fn objects_that_are_gone_or_written_by_others_are_no_obstacle() {
    let place = place(5);
    {
        let mut server = place.cluster.lock();
        server.changes.push_back(("--filename=-", 0, |server| {
            server.objects.retain(|(.., name), _| name != "r000");
        }));
        server.changes.push_back(("--filename=-", 1, |server| {
            let written = server.objects.values_mut().next().unwrap();
            written.revision += 1000;
            written.object["spec"]["host"] = "c".into();
        }));
        server.changes.push_back(("--filename=-", 2, |server| {
            server.add("routes", "r0", "v1", json!({}))
        }));
    }
    place.run(&MIGRATE).with_code(0);
    assert_eq!(place.cluster.lock().objects.len(), 6);
    has_arrived(&place);
}

/// A server that started a moment ago does not know every kind. Its objects are not gone.
#[test]
fn a_kind_that_a_server_does_not_know_yet_is_waited_for() {
    let unknown = "error: resource mapping not found for name: \"r000\" namespace: \"default\" from \"STDIN\": no matches for kind \"Route\" in version \"example.com/v1\"";
    let missing = "Error from server (NotFound): the server could not find the requested resource";
    let waits = |(at, error)| {
        let place = place(3);
        for _ in 0..4 {
            let after = 0;
            place.cluster.lock().faults.push(Fault { at, after, error });
        }
        let ran = place.run(&MIGRATE).with_code(0);
        assert!(
            ran.stdout
                .contains(": 4 objects stored in v1, 3 of them rewritten;"),
            "{ran:?}"
        );
        has_arrived(&place);
    };
    // Each waits for seconds.
    std::thread::scope(|scope| {
        for case in [
            ("--filename=-", unknown),
            ("--filename=-", missing),
            ("/apis/example.com/v1", missing),
        ] {
            scope.spawn(move || waits(case));
        }
    });
}

#[test]
fn a_server_that_is_behind_is_waited_for_and_corrected() {
    // It answers while the command waits.
    let first = place(3);
    first.cluster.lock().behind = Some(("v1beta1", 2));
    first
        .run(&[MIGRATE[0], MIGRATE[1], "--settle", "1"])
        .with_code(0);
    has_arrived(&first);
    // It writes an object again in the old version, after the wait.
    let second = place(3);
    second
        .cluster
        .lock()
        .changes
        .push_back(("--filename=-", 1, |server| {
            server.behind = Some(("v1beta1", 1));
        }));
    second.run(&MIGRATE).with_code(0);
    has_arrived(&second);
    // It is there again when the stored versions are reduced.
    let third = place(1);
    third
        .cluster
        .lock()
        .changes
        .push_back(("/apis/apiextensions", 1, |server| {
            server.behind = Some(("v1beta1", 1));
        }));
    let ran = third.run(&MIGRATE).with_code(1);
    assert!(
        ran.stderr
            .contains("an API server writes objects in another version"),
        "{ran:?}"
    );
    is_not_reduced(&third);
}

#[test]
fn what_cannot_be_rewritten_is_named_and_stays_stored() {
    let place = place(3);
    place
        .cluster
        .lock()
        .add("routes", "wrong", "v1beta1", json!({"invalid": true}));
    let ran = place.run(&MIGRATE).with_code(1);
    let expected = "error[cluster-incomplete]: `routes.example.com` is not migrated: `default/wrong`: Error from server (Invalid)";
    assert!(ran.stderr.contains(expected), "{ran:?}");
    is_not_reduced(&place);
    place
        .cluster
        .lock()
        .objects
        .retain(|(.., name), _| name != "wrong");
    place.run(&MIGRATE).with_code(0);
    has_arrived(&place);
}

#[test]
fn a_crd_that_changes_in_the_meantime_is_left_as_it_is() {
    let place = place(3);
    place
        .cluster
        .lock()
        .changes
        .push_back(("--filename=-", 0, |server| {
            server.install(crd(None, &NEW, json!({"more": {"type": "string"}})));
        }));
    let ran = place.run(&MIGRATE).with_code(1);
    assert!(
        ran.stderr.contains("it was changed in the meantime"),
        "{ran:?}"
    );
    is_not_reduced(&place);
    place.run(&MIGRATE).with_code(0);
    has_arrived(&place);
}

#[test]
fn refusals_name_what_is_missing() {
    let place = place(3);
    let error = "Error from server (Forbidden): routes.example.com \"r000\" is forbidden: User \"ci\" cannot patch resource \"routes\"";
    for _ in 0..2 {
        place.cluster.lock().faults.push(Fault {
            at: "--filename=-",
            after: 0,
            error,
        });
    }
    let ran = place
        .run(&[&MIGRATE[..], &["--as", "ci", "--context=a b"]].concat())
        .with_code(2);
    for expected in [
        "error[cluster-forbidden]: ",
        "User \"ci\" cannot patch resource \"routes\"",
        "docs/cluster.md",
    ] {
        assert!(ran.stderr.contains(expected), "{expected}\n{}", ran.stderr);
    }
    let calls = place.cluster.lock().calls.clone();
    assert!(
        calls
            .iter()
            .all(|call| call.starts_with("--context=a b --as=ci ")),
        "{calls:#?}"
    );
    is_not_reduced(&place);
}

/// Servers cannot apply an object that has a record of fields in a version which is gone.
#[test]
fn records_of_fields_move_to_the_version_that_stays() {
    let place = place(3);
    let record = |manager: &str, version: &str| json!({"manager": manager, "operation": "Update", "apiVersion": format!("example.com/{version}")});
    {
        let mut server = place.cluster.lock();
        server.add("routes", "both", "v1beta1", json!({}));
        let both = server
            .objects
            .values_mut()
            .find(|it| it.object["metadata"]["name"] == "both");
        both.unwrap().object["metadata"]["managedFields"] = json!([
            record("a", "v1"),
            record("b", "v1beta1"),
            record("a", "v1beta1"),
            {"manager": "c", "operation": "Update", "apiVersion": "v1"},
        ]);
        // Somebody writes an object just before its records are moved.
        server.changes.push_back(("--type=json", 0, |server| {
            let written = server.objects.values_mut().next().unwrap();
            written.revision += 1000;
            let records = written.object["metadata"]["managedFields"]
                .as_array_mut()
                .unwrap();
            records.insert(
                0,
                json!({"manager": "d", "operation": "Update", "apiVersion": "example.com/v1"}),
            );
        }));
    }
    place.run(&MIGRATE).with_code(0);
    {
        let server = place.cluster.lock();
        let records = |name: &str| {
            let found = server
                .objects
                .values()
                .find(|it| it.object["metadata"]["name"] == name);
            found.unwrap().object["metadata"]["managedFields"].clone()
        };
        let expected = json!([record("d", "v1"), record("a", "v1"), record("b", "v1"), {"manager": "c", "operation": "Update", "apiVersion": "v1"}]);
        assert_eq!(records("both"), expected);
        for name in ["both", "r000", "r001", "r002", "s"] {
            assert!(
                !records(name).to_string().contains("v1beta1"),
                "{name}: {}",
                records(name)
            );
        }
    }
    has_arrived(&place);
}

/// A webhook may give a field another path in another version.
#[test]
fn records_of_fields_stay_where_a_webhook_converts() {
    let place = place(1);
    let mut webhook = crd(None, &NEW, json!({}));
    webhook["spec"]["conversion"] = json!({"strategy": "Webhook"});
    place.cluster.lock().install(webhook);
    let ran = place.run(&MIGRATE).with_code(0);
    let expected = "note: 1 object of `routes.example.com` written in v1beta1 by some client: apply manifests in v1";
    assert!(ran.stderr.contains(expected), "{ran:?}");
    let server = place.cluster.lock();
    assert!(!server.calls.iter().any(|call| call.contains("--type=json")));
}

#[test]
fn a_crd_that_is_not_installed_is_not_passed_over() {
    let place = Place::new();
    let ran = place.run(&MIGRATE).with_code(1);
    assert!(
        ran.stderr
            .contains("`routes.example.com` is not migrated: it is not installed"),
        "{ran:?}"
    );
    place.release("v0.1.0", &LAST, &[]);
    place.pin(&[]);
    let ran = place.run(&["cluster-migrate"]).with_code(0);
    assert_eq!(ran.stdout, "routes.example.com: not installed\n");
}

/// The same command goes on after a kill at any moment.
#[test]
fn a_killed_migration_is_repeated() {
    for moment in [1, 3, 4, 5, 7, 9, 12] {
        let place = place(6);
        let mut child = place
            .cluster
            .serve(&mut place.workspace.command(&MIGRATE))
            .spawn()
            .unwrap();
        while place.cluster.lock().calls.len() < moment && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        place.run(&MIGRATE).with_code(0);
        assert_eq!(place.cluster.lock().objects.len(), 7);
        has_arrived(&place);
    }
}

/// A migration of Kubernetes that fails reduces the record of stored versions all the same.
#[test]
fn after_a_failed_migration_of_kubernetes_nothing_counts_as_stored() {
    let place = place(3);
    place.release("v0.1.0", &LAST, &[]);
    place.pin(&["--version", "v0.1.0"]);
    let conditions = |place: &Place| {
        let crd = &place.cluster.lock().crds["routes.example.com"];
        crd["status"]["conditions"].clone()
    };
    let established = conditions(&place);
    {
        let mut server = place.cluster.lock();
        let status = &mut server.crds.get_mut("routes.example.com").unwrap()["status"];
        status["storedVersions"] = json!(["v1"]);
        status["conditions"].as_array_mut().unwrap().push(
            json!({"type": "StorageMigrating", "status": "False", "reason": "MigrationFailed"}),
        );
    }
    let install = ["cluster-install", "--force-conflicts"];
    let refused = place.run(&install).with_code(1);
    let advice = "rewrite them first: `crd-channels cluster-migrate routes.example.com`";
    assert!(refused.stderr.contains(advice), "{refused:?}");
    let ran = place.run(&MIGRATE).with_code(0);
    assert!(
        ran.stdout
            .contains("4 objects stored in v1, 3 of them rewritten"),
        "{ran:?}"
    );
    assert_eq!(conditions(&place), established);
    place.run(&install).with_code(0);
}
