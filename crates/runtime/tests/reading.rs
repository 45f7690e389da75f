//! What is read of conditions: of an object, of its children, and one condition from others.

#![allow(clippy::unwrap_used, reason = "tests")]

use crd_channels_runtime::conditions::severity::SeverityCondition;
use crd_channels_runtime::conditions::{
    Condition, ConditionType, HasConditions, HasConditionsMut, Readiness, State, Status, mirror,
    summary, summary_of_children,
};
use k8s_openapi::api::apps::v1::{DaemonSet, Deployment, StatefulSet};
use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::core::v1::{Node, Pod};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

const ACCEPTED: ConditionType = ConditionType::positive("Accepted");
const PROGRAMMED: ConditionType = ConditionType::positive("Programmed");
const CONFLICTED: ConditionType = ConditionType::negative("Conflicted");

#[derive(Default)]
struct Route {
    metadata: ObjectMeta,
    status: Option<RouteStatus>,
}

#[derive(Default)]
struct RouteStatus {
    conditions: Vec<Condition>,
}

crd_channels_runtime::has_conditions!(Route);

fn from<T: DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).unwrap()
}

/// A route of generation 3 with conditions: type, status, generation.
fn route(conditions: &[(&str, &str, Option<i64>)]) -> Route {
    let mut route = Route::default();
    route.metadata.generation = Some(3);
    for (type_, status, generation) in conditions {
        let mut condition: Condition = from(json!({
            "type": type_, "status": status, "reason": format!("{type_}Is{status}"), "message": format!("It is {status}."),
            "lastTransitionTime": "2026-01-01T00:00:00Z",
        }));
        condition.observed_generation = *generation;
        route.conditions_mut().push(condition);
    }
    route
}

#[test]
fn conditions_are_found_and_read() {
    let read = |of: ConditionType, route: &Route| {
        (
            of.is_true(route),
            of.is_false(route),
            of.is_healthy(route),
            of.is_stale(route),
        )
    };
    for (status, generation, positive, negative) in [
        (
            "True",
            Some(3),
            (true, false, true, false),
            (true, false, false, false),
        ),
        (
            "True",
            Some(2),
            (true, false, false, true),
            (true, false, false, true),
        ),
        (
            "True",
            Some(4),
            (true, false, true, false),
            (true, false, false, false),
        ),
        (
            "True",
            None,
            (true, false, true, false),
            (true, false, false, false),
        ),
        (
            "False",
            Some(3),
            (false, true, false, false),
            (false, true, true, false),
        ),
        (
            "Maybe",
            Some(3),
            (false, false, false, false),
            (false, false, false, false),
        ),
    ] {
        let route = route(&[
            ("Accepted", status, generation),
            ("Conflicted", status, generation),
        ]);
        assert_eq!(read(ACCEPTED, &route), positive, "{status} {generation:?}");
        assert_eq!(
            read(CONFLICTED, &route),
            negative,
            "{status} {generation:?}"
        );
    }
    let none = Route::default();
    assert_eq!(read(ACCEPTED, &none), (false, false, false, false));
    assert_eq!(read(CONFLICTED, &none), (false, false, true, false));
    assert_eq!(
        (ACCEPTED.reason(&none), ACCEPTED.message(&none)),
        (None, None)
    );
    let one = route(&[("Accepted", "False", Some(2))]);
    assert_eq!(ACCEPTED.reason(&one), Some("AcceptedIsFalse"));
    assert_eq!(ACCEPTED.message(&one), Some("It is False."));
    assert!(
        !ACCEPTED.is_stale(one.conditions()),
        "a list has no generation"
    );
}

/// The trait of kube's `await_condition` has the same implementation for functions.
trait Waited<K> {
    fn matches_object(&self, object: Option<&K>) -> bool;
}

impl<K, F: Fn(Option<&K>) -> bool> Waited<K> for F {
    fn matches_object(&self, object: Option<&K>) -> bool {
        self(object)
    }
}

#[test]
fn waiting_ends_at_the_generation_of_the_object() {
    let waits = ACCEPTED.wait_for::<Route>(Status::True);
    assert!(!waits.matches_object(None));
    for (conditions, is_over) in [
        (&[][..], false),
        (&[("Accepted", "True", Some(2))], false),
        (&[("Accepted", "True", Some(3))], true),
        (&[("Accepted", "True", None)], true),
        (&[("Accepted", "False", Some(3))], false),
        (&[("Programmed", "True", Some(3))], false),
    ] {
        assert_eq!(
            waits.matches_object(Some(&route(conditions))),
            is_over,
            "{conditions:?}"
        );
    }
    let waits = ACCEPTED.wait_for(Status::Unknown);
    assert!(waits.matches_object(Some(&route(&[("Accepted", "Unknown", Some(3))]))));
}

/// As `kubectl wait` does: a condition without a generation of its own is about that of the status.
#[test]
fn conditions_of_kubernetes_are_about_the_generation_of_the_status() {
    let object = |status: i64, own: Option<i64>| {
        json!({
            "metadata": {"generation": 2}, "spec": {"selector": {}, "serviceName": "s", "template": {}, "containers": []},
            "status": {
                "observedGeneration": status, "currentNumberScheduled": 0, "desiredNumberScheduled": 0, "numberMisscheduled": 0,
                "numberReady": 0, "replicas": 1,
                "conditions": [{"type": "Accepted", "status": "True", "observedGeneration": own}],
            },
        })
    };
    fn is_over<K: HasConditions + DeserializeOwned>(object: Value) -> bool {
        let object: K = from(object);
        let is_stale = ACCEPTED.is_stale(&object);
        assert_eq!(
            mirror(&object, ACCEPTED).status == Status::Unknown,
            is_stale
        );
        assert_eq!(ACCEPTED.is_healthy(&object), !is_stale);
        ACCEPTED.wait_for::<K>(Status::True)(Some(&object))
    }
    for (observed, expected) in [(1, false), (2, true)] {
        let of = || object(observed, None);
        let all = [
            is_over::<Deployment>(of()),
            is_over::<StatefulSet>(of()),
            is_over::<DaemonSet>(of()),
            is_over::<Pod>(of()),
        ];
        assert_eq!(all, [expected; 4], "{observed}");
    }
    assert!(is_over::<Pod>(object(1, Some(2))), "its own goes first");
    assert!(!is_over::<Pod>(object(2, Some(1))));
    assert!(is_over::<Job>(object(1, None)), "a Job says nothing of it");
}

fn shown(state: &State) -> (&str, &str, &str) {
    (state.status.as_str(), state.reason.as_str(), &state.message)
}

#[test]
fn a_summary_shows_the_worst() {
    let types = [ACCEPTED, PROGRAMMED, CONFLICTED];
    let healthy = [
        ("Accepted", "True", Some(3)),
        ("Programmed", "True", Some(3)),
    ];
    for (conditions, expected) in [
        (&healthy[..], ("True", "AllHealthy", "")),
        (
            &[
                healthy[0],
                ("Programmed", "False", Some(3)),
                ("Conflicted", "True", Some(3)),
            ],
            (
                "False",
                "ProgrammedIsFalse",
                "Programmed: It is False.\nConflicted: It is True.",
            ),
        ),
        (
            &[
                healthy[0],
                ("Programmed", "Unknown", Some(3)),
                ("Conflicted", "True", Some(3)),
            ],
            ("False", "ConflictedIsTrue", "Conflicted: It is True."),
        ),
        (
            &[
                healthy[0],
                ("Programmed", "Unknown", Some(3)),
                ("Conflicted", "False", Some(3)),
            ],
            (
                "Unknown",
                "ProgrammedIsUnknown",
                "Programmed: It is Unknown.",
            ),
        ),
        (
            &healthy[..1],
            ("Unknown", "Pending", "Programmed: it is not set"),
        ),
        (
            &[healthy[0], ("Programmed", "True", Some(2))],
            (
                "Unknown",
                "Pending",
                "Programmed: it is about an earlier generation",
            ),
        ),
    ] {
        let found = summary(&route(conditions), &types);
        assert_eq!(shown(&found), expected, "{conditions:?}");
    }
    let with_severity = |type_: &str, severity: &str| -> SeverityCondition {
        from(json!({
            "type": type_, "status": "False", "reason": severity, "severity": severity, "message": "",
            "lastTransitionTime": "2026-01-01T00:00:00Z",
        }))
    };
    for (first, second, reason) in [
        ("Info", "Warning", "Warning"),
        ("Warning", "Error", "Error"),
        ("Error", "Info", "Error"),
        ("Fatal", "Warning", "Fatal"),
        ("Fatal", "Error", "Error"),
    ] {
        let conditions = [
            with_severity("Accepted", first),
            with_severity("Programmed", second),
        ];
        let found = summary(&conditions[..], &types);
        assert_eq!(found.reason.as_str(), reason);
        assert!(found.message.starts_with(&format!(
            "{}: {reason}",
            if reason == first {
                "Accepted"
            } else {
                "Programmed"
            }
        )));
    }
}

#[test]
fn a_condition_is_mirrored_as_it_is() {
    let one = route(&[
        ("Accepted", "False", Some(3)),
        ("Programmed", "True", Some(2)),
    ]);
    assert_eq!(
        shown(&mirror(&one, ACCEPTED)),
        ("False", "AcceptedIsFalse", "It is False.")
    );
    let stale = (
        "Unknown",
        "Pending",
        "`Programmed` is about an earlier generation",
    );
    assert_eq!(shown(&mirror(&one, PROGRAMMED)), stale);
    assert_eq!(
        shown(&mirror(&one, CONFLICTED)),
        ("False", "AllHealthy", "")
    );
    let missing = ("Unknown", "Pending", "`Accepted` is not set");
    assert_eq!(shown(&mirror(&Route::default(), ACCEPTED)), missing);
    let pod: Pod = from(
        json!({"status": {"conditions": [{"type": "Ready", "status": "False", "reason": "containers not ready"}]}}),
    );
    let ready = ConditionType::positive("Ready");
    assert_eq!(
        shown(&mirror(&pod, ready)),
        ("False", "ContainersNotReady", "")
    );
    let node: Node = from(
        json!({"status": {"conditions": [{"type": "Ready", "status": "True", "reason": "KubeletReady", "message": "m"}]}}),
    );
    assert_eq!(shown(&mirror(&node, ready)), ("True", "KubeletReady", "m"));
}

/// A Deployment of generation 2 that wants 3 replicas.
fn deployment(status: Value) -> State {
    let of = json!({"metadata": {"generation": 2}, "spec": {"replicas": 3, "selector": {}, "template": {}}, "status": status});
    from::<Deployment>(of).readiness()
}

#[test]
fn deployments() {
    let unseen = ("Unknown", "Pending", "the generation has not been observed");
    assert_eq!(shown(&Deployment::default().readiness()), unseen);
    assert_eq!(
        shown(&deployment(json!({"observedGeneration": 1, "replicas": 3}))),
        unseen
    );
    for (replicas, updated, available, expected) in [
        (3, 3, 3, ("True", "Ready", "3 are available")),
        (3, 2, 3, ("False", "Progressing", "2 of 3 are updated")),
        (4, 3, 3, ("False", "Progressing", "3 of 3 are updated")),
        (3, 3, 2, ("False", "Progressing", "2 of 3 are available")),
        (0, 0, 0, ("False", "Progressing", "0 of 3 are updated")),
    ] {
        let status = json!({
            "observedGeneration": 2, "replicas": replicas, "updatedReplicas": updated, "availableReplicas": available,
        });
        assert_eq!(shown(&deployment(status)), expected);
    }
    let stuck = json!({"observedGeneration": 2, "conditions": [
        {"type": "Progressing", "status": "False", "reason": "ProgressDeadlineExceeded", "message": "m"},
    ]});
    assert_eq!(
        shown(&deployment(stuck)),
        ("False", "ProgressDeadlineExceeded", "m")
    );
    let one: Deployment = from(
        json!({"spec": {"selector": {}, "template": {}}, "status": {"replicas": 1, "updatedReplicas": 1}}),
    );
    assert_eq!(
        shown(&one.readiness()),
        ("False", "Progressing", "0 of 1 are available")
    );
}

#[test]
fn stateful_sets() {
    let unseen = ("Unknown", "Pending", "the generation has not been observed");
    assert_eq!(shown(&StatefulSet::default().readiness()), unseen);
    for (strategy, revision, updated, ready, expected) in [
        (json!({}), "new", 3, 3, ("True", "Ready", "3 are ready")),
        (
            json!({}),
            "new",
            2,
            3,
            ("False", "Progressing", "2 of 3 are updated"),
        ),
        (json!({}), "old", 0, 3, ("True", "Ready", "3 are ready")),
        (
            json!({}),
            "old",
            0,
            2,
            ("False", "Progressing", "2 of 3 are ready"),
        ),
        (
            json!({"rollingUpdate": {"partition": 2}}),
            "new",
            1,
            3,
            ("True", "Ready", "3 are ready"),
        ),
        (
            json!({"rollingUpdate": {"partition": 2}}),
            "new",
            0,
            3,
            ("False", "Progressing", "0 of 1 are updated"),
        ),
        (
            json!({"type": "OnDelete"}),
            "new",
            0,
            3,
            ("True", "Ready", "3 are ready"),
        ),
    ] {
        let set: StatefulSet = from(json!({
            "metadata": {"generation": 2},
            "spec": {"replicas": 3, "selector": {}, "template": {}, "updateStrategy": strategy},
            "status": {
                "observedGeneration": 2, "replicas": 3, "currentRevision": "old", "updateRevision": revision,
                "updatedReplicas": updated, "readyReplicas": ready,
            },
        }));
        assert_eq!(shown(&set.readiness()), expected, "{strategy}");
    }
}

#[test]
fn daemon_sets() {
    for (strategy, updated, available, expected) in [
        ("RollingUpdate", 2, 2, ("True", "Ready", "2 are available")),
        (
            "RollingUpdate",
            1,
            2,
            ("False", "Progressing", "1 of 2 are updated"),
        ),
        (
            "RollingUpdate",
            2,
            1,
            ("False", "Progressing", "1 of 2 are available"),
        ),
        ("OnDelete", 1, 2, ("True", "Ready", "2 are available")),
    ] {
        let set: DaemonSet = from(json!({
            "metadata": {"generation": 2},
            "spec": {"selector": {}, "template": {}, "updateStrategy": {"type": strategy}},
            "status": {
                "observedGeneration": 2, "currentNumberScheduled": 2, "desiredNumberScheduled": 2, "numberMisscheduled": 0,
                "numberReady": 2, "updatedNumberScheduled": updated, "numberAvailable": available,
            },
        }));
        assert_eq!(shown(&set.readiness()), expected, "{strategy}");
    }
    let unseen = ("Unknown", "Pending", "the generation has not been observed");
    assert_eq!(shown(&DaemonSet::default().readiness()), unseen);
}

#[test]
fn jobs_and_pods() {
    let job = |type_: &str, status: &str| -> State {
        let condition = json!({"type": type_, "status": status, "reason": "BackoffLimitExceeded", "message": "m"});
        from::<Job>(json!({"status": {"conditions": [condition]}})).readiness()
    };
    let running = ("Unknown", "Pending", "the job is not complete");
    assert_eq!(shown(&Job::default().readiness()), running);
    assert_eq!(
        shown(&job("Complete", "True")),
        ("True", "BackoffLimitExceeded", "m")
    );
    assert_eq!(
        shown(&job("Failed", "True")),
        ("False", "BackoffLimitExceeded", "m")
    );
    assert_eq!(shown(&job("Failed", "False")), running);
    let missing = ("Unknown", "Pending", "`Ready` is not set");
    assert_eq!(shown(&Pod::default().readiness()), missing);
}

#[test]
fn children_are_summed_up_by_name() {
    let ready = deployment(
        json!({"observedGeneration": 2, "replicas": 3, "updatedReplicas": 3, "availableReplicas": 3}),
    );
    let waits = deployment(json!({"observedGeneration": 2}));
    let found = summary_of_children([
        ("Deployment a", ready.clone()),
        ("Deployment b", waits.clone()),
    ]);
    assert_eq!(
        shown(&found),
        ("False", "Progressing", "Deployment b: 0 of 3 are updated")
    );
    let unknown = summary_of_children([("a", ready.clone()), ("b", Job::default().readiness())]);
    assert_eq!(
        shown(&unknown),
        ("Unknown", "Pending", "b: the job is not complete")
    );
    assert_eq!(
        shown(&summary_of_children([("a", ready)])),
        ("True", "AllHealthy", "")
    );
    let none: [(&str, State); 0] = [];
    assert_eq!(summary_of_children(none).status, Status::True);
}
