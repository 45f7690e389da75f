//! The requirements of the scale subresource for the values at its paths, if the schema has none.

use super::Objects;
use crate::e2e::install::described;
use crate::report::Report;
use crd_channels_envtest::Failure;
use crd_channels_envtest::http::Answer;
use serde_json::{Value, json};

/// One more than the largest number of replicas.
const BEYOND: i64 = 1 << 31;

/// Checks every statement; the schema of `loose` has no requirements, and a path of `listed` is in array notation.
pub fn check(loose: Objects, listed: Objects, report: &mut Report) -> Result<(), Failure> {
    let mut say = |name: &str, expected: Value, found: Value| {
        report.check(format!("scale subresource: {name}"), expected, found);
    };
    loose.create("a", json!({"spec": {"replicas": 1}}))?;
    for (what, value) in [
        ("a text", json!("3")),
        ("a number beyond int32", json!(BEYOND)),
        ("a negative number", json!(-1)),
    ] {
        let answer = loose.change("a", |object| object["spec"]["replicas"] = value.clone())?;
        say(
            &format!("{what} at specReplicasPath is refused by the main endpoint"),
            json!([422, ".spec.replicas"]),
            refusal(&answer),
        );
        let answer = loose.change("a/status", |object| {
            object["status"] = json!({"replicas": value});
        })?;
        say(
            &format!("{what} at statusReplicasPath is refused by /status"),
            json!([422, ".status.replicas"]),
            refusal(&answer),
        );
    }
    for (what, value) in [
        ("a text", json!("3")),
        ("a number beyond int32", json!(BEYOND)),
    ] {
        let mut scale = loose.get("a/scale")?;
        scale["spec"]["replicas"] = value;
        let answer = loose.api.put(&loose.path_of_object("a/scale"), &scale)?;
        say(
            &format!("/scale rejects {what} as replicas"),
            json!(400),
            json!(answer.status),
        );
    }
    let answer = loose.change("a/status", |object| {
        object["status"] = json!({"selector": 1});
    })?;
    say(
        "a number at labelSelectorPath is refused by /status",
        json!([422, ".status.selector"]),
        refusal(&answer),
    );
    let malformed = "not a (selector";
    let answer = loose.change("a/status", |object| {
        object["status"] = json!({"selector": malformed});
    })?;
    say(
        "a text that is not a selector is stored and shown, unlike the design, which refuses it",
        json!([200, malformed]),
        json!([answer.status, loose.get("a/scale")?["status"]["selector"]]),
    );
    listed.create("a", json!({"spec": {"list": [1]}}))?;
    let answer = listed.api.get(&listed.path_of_object("a/scale"))?;
    say(
        "a path in array notation leads nowhere: the CRD is accepted, unlike the design, and /scale fails",
        json!(
            "500 Internal error occurred: the spec replicas field \".spec.list[0]\" does not exist"
        ),
        json!(described(&answer)),
    );
    Ok(())
}

/// Returns the status of a response, and the first field that it refuses.
fn refusal(answer: &Answer) -> Value {
    json!([
        answer.status,
        answer.json()["details"]["causes"][0]["field"]
    ])
}
