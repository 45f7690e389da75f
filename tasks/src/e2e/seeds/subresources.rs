//! `/status` and `/scale`: one check for each observable statement of the design. If servers differ from the design, the check
//! says so and expects their behavior.

use super::{GROUP, Objects, crds, replicas};
use crate::e2e::install::{self, described};
use crate::published::Published;
use crate::report::Report;
use crd_channels_envtest::Failure;
use crd_channels_envtest::http::Api;
use serde_json::{Value, json};

/// Checks every statement.
pub fn check(api: Api, report: &mut Report) -> Result<(), Failure> {
    let crds = crds(include_str!("subresources.yaml"))?;
    let crds: Vec<&Published> = crds.iter().collect();
    install::install(api, "subresources", &crds, report)?;
    let of = |plural, kind| Objects {
        api,
        version: "v1",
        plural,
        kind,
    };
    let (both, plain) = (of("boths", "Both"), of("plains", "Plain"));
    let unlabelled = of("unlabelleds", "Unlabelled");
    status(both, plain, report)?;
    generation(both, plain, report)?;
    scale_get(both, unlabelled, plain, report)?;
    scale_put(both, unlabelled, report)?;
    replicas::check(of("looses", "Loose"), of("listeds", "Listed"), report)?;
    verbs(api, report)?;
    tightened(both, report)?;
    install::remove(api, &crds)
}

const STATUS: &str = "status subresource:";

fn status(both: Objects, plain: Objects, report: &mut Report) -> Result<(), Failure> {
    let fields = || json!({"spec": {"color": "red"}, "status": {"phase": "made"}});
    let mut say = |name: &str, expected: Value, found: &Value| {
        report.check(format!("{STATUS} {name}"), expected, found);
    };
    both.create("a", fields())?;
    plain.create("a", fields())?;
    say(
        "status is dropped when an object is created",
        Value::Null,
        &both.get("a")?["status"],
    );
    say(
        "without it, status is stored when an object is created",
        json!("made"),
        &plain.get("a")?["status"]["phase"],
    );

    both.change("a/status", |object| {
        object["status"] = json!({"phase": "one"})
    })?;
    say(
        "/status writes status",
        json!("one"),
        &both.get("a")?["status"]["phase"],
    );
    let answer = both.change("a", |object| object["status"] = json!({"phase": "two"}))?;
    say(
        "a change of status on the main endpoint is not an error",
        json!(200),
        &json!(answer.status),
    );
    say(
        "status changes are ignored on the main endpoint",
        json!("one"),
        &both.get("a")?["status"]["phase"],
    );
    plain.change("a", |object| object["status"] = json!({"phase": "two"}))?;
    say(
        "without it, the main endpoint writes status",
        json!("two"),
        &plain.get("a")?["status"]["phase"],
    );

    both.change("a/status", |object| {
        object["status"] = json!({"phase": "three"});
        object["spec"]["color"] = json!("blue");
        object["metadata"]["labels"] = json!({"a": "b"});
    })?;
    let found = both.get("a")?;
    say(
        "spec changes are ignored on /status",
        json!("red"),
        &found["spec"]["color"],
    );
    say(
        "metadata changes are ignored on /status",
        Value::Null,
        &found["metadata"]["labels"],
    );
    say(
        "/status considers status beside ignored changes",
        json!("three"),
        &found["status"]["phase"],
    );

    let answer = both.change("a/status", |object| {
        object["status"] = json!({"phase": "much too long"})
    })?;
    let field = answer.json()["details"]["causes"][0]["field"].take();
    say(
        "/status validates against the schema of status",
        json!([422, "status.phase"]),
        &json!([answer.status, field]),
    );
    let answer = both.change("a/status", |object| {
        object["metadata"]["resourceVersion"] = json!("1")
    })?;
    say(
        "/status refuses an outdated resourceVersion",
        json!(409),
        &json!(answer.status),
    );
    both.change("a/status", |object| object["status"] = Value::Null)?;
    say(
        "/status without status takes it away",
        Value::Null,
        &both.get("a")?["status"],
    );
    let answer = plain.api.get(&plain.path_of_object("a/status"))?;
    say(
        "without it, there is no /status",
        json!(404),
        &json!(answer.status),
    );
    Ok(())
}

/// Generation and resourceVersion.
fn generation(both: Objects, plain: Objects, report: &mut Report) -> Result<(), Failure> {
    let fields = || json!({"spec": {"color": "red"}});
    both.create("g", fields())?;
    plain.create("g", fields())?;
    // Each change alone: the increase of generation, and whether resourceVersion changed.
    let mut moves = |name: &str,
                     objects: Objects,
                     path: &str,
                     change: fn(&mut Value),
                     expected: (i64, bool)| {
        let before = objects.get("g")?["metadata"].take();
        objects.change(path, change)?;
        let after = objects.get("g")?["metadata"].take();
        let number = |metadata: &Value| metadata["generation"].as_i64().unwrap_or_default();
        let found = (
            number(&after) - number(&before),
            after["resourceVersion"] != before["resourceVersion"],
        );
        let show = |(generation, version)| {
            format!("generation +{generation}, resourceVersion moves: {version}")
        };
        report.check(format!("{STATUS} {name}"), show(expected), show(found));
        Ok(())
    };
    let color: fn(&mut Value) = |object| object["spec"]["color"] = json!("blue");
    let label: fn(&mut Value) = |object| object["metadata"]["labels"] = json!({"a": "b"});
    let phase: fn(&mut Value) = |object| object["status"] = json!({"phase": "on"});
    let extra: fn(&mut Value) = |object| object["extra"] = json!("more");
    moves(
        "generation moves when spec changes",
        both,
        "g",
        color,
        (1, true),
    )?;
    moves(
        "generation stays when spec does not change",
        both,
        "g",
        color,
        (0, false),
    )?;
    moves(
        "generation stays when only metadata changes",
        both,
        "g",
        label,
        (0, true),
    )?;
    moves(
        "generation moves when a field beside spec changes, unlike the design",
        both,
        "g",
        extra,
        (1, true),
    )?;
    moves(
        "generation stays when status changes, resourceVersion moves",
        both,
        "g/status",
        phase,
        (0, true),
    )?;
    moves(
        "without it, generation moves when status changes",
        plain,
        "g",
        phase,
        (1, true),
    )?;
    moves(
        "without it, generation stays when only metadata changes",
        plain,
        "g",
        label,
        (0, true),
    )
}

const SCALE: &str = "scale subresource:";

fn scale_get(
    both: Objects,
    unlabelled: Objects,
    plain: Objects,
    report: &mut Report,
) -> Result<(), Failure> {
    let mut say = |name: &str, expected: Value, found: &Value| {
        report.check(format!("{SCALE} {name}"), expected, found);
    };
    both.create("s", json!({"spec": {"replicas": 3, "selector": "app=x"}}))?;
    let scale = both.get("s/scale")?;
    say(
        "the payload is autoscaling/v1 Scale",
        json!(["autoscaling/v1", "Scale"]),
        &json!([scale["apiVersion"], scale["kind"]]),
    );
    say(
        "spec.replicas has the value at specReplicasPath",
        json!(3),
        &scale["spec"]["replicas"],
    );
    say(
        "status.replicas is 0 if there is no value at statusReplicasPath",
        json!(0),
        &scale["status"]["replicas"],
    );
    say(
        "the selector has the value at labelSelectorPath",
        json!("app=x"),
        &scale["status"]["selector"],
    );
    let version = both.get("s")?["metadata"]["resourceVersion"].take();
    say(
        "it has the resourceVersion of the object",
        version,
        &scale["metadata"]["resourceVersion"],
    );
    both.change("s/status", |object| {
        object["status"] = json!({"replicas": 2})
    })?;
    say(
        "status.replicas has the value at statusReplicasPath",
        json!(2),
        &both.get("s/scale")?["status"]["replicas"],
    );

    let template = json!({"metadata": {"labels": {"app": "x"}}});
    unlabelled.create(
        "s",
        json!({"spec": {"size": {"replicas": 1}, "template": template}}),
    )?;
    say(
        "without labelSelectorPath the selector is empty, whatever labels a template has",
        Value::Null,
        &unlabelled.get("s/scale")?["status"]["selector"],
    );
    both.create("bare", json!({"spec": {}}))?;
    let answer = both.api.get(&both.path_of_object("bare/scale"))?;
    let missing =
        "500 Internal error occurred: the spec replicas field \".spec.replicas\" does not exist";
    say(
        "an object without replicas has none, and the error names the path",
        json!(missing),
        &json!(described(&answer)),
    );
    plain.create("s", json!({"spec": {"replicas": 1}}))?;
    let answer = plain.api.get(&plain.path_of_object("s/scale"))?;
    say(
        "without it, there is no /scale",
        json!(404),
        &json!(answer.status),
    );
    Ok(())
}

fn scale_put(both: Objects, unlabelled: Objects, report: &mut Report) -> Result<(), Failure> {
    let mut say = |name: &str, expected: Value, found: &Value| {
        report.check(format!("{SCALE} {name}"), expected, found);
    };
    let before = both.get("s")?;
    let answer = both.api.put(&both.path_of_object("s/scale"), &{
        let mut scale = both.get("s/scale")?;
        scale["spec"]["replicas"] = json!(5);
        scale["status"] = json!({"replicas": 9, "selector": "other=y"});
        scale["metadata"]["labels"] = json!({"a": "b"});
        scale
    })?;
    let after = both.get("s")?;
    say(
        "an update writes spec.replicas to specReplicasPath",
        json!([200, 5]),
        &json!([answer.status, after["spec"]["replicas"]]),
    );
    let others = |object: &Value| {
        json!([
            object["status"],
            object["spec"]["selector"],
            object["metadata"]["labels"]
        ])
    };
    say(
        "all other values of an update are ignored",
        others(&before),
        &others(&after),
    );
    let number = |object: &Value| {
        object["metadata"]["generation"]
            .as_i64()
            .unwrap_or_default()
    };
    say(
        "an update moves generation",
        json!(number(&before) + 1),
        &json!(number(&after)),
    );

    let scale = |replicas: i64, version: Option<&Value>| {
        let mut metadata = json!({"name": "s"});
        if let Some(version) = version {
            metadata["resourceVersion"] = version.clone();
        }
        json!({"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": metadata, "spec": {"replicas": replicas}})
    };
    let outdated = before["metadata"].get("resourceVersion");
    let answer = both
        .api
        .put(&both.path_of_object("s/scale"), &scale(6, outdated))?;
    say(
        "an update with an outdated resourceVersion is a conflict",
        json!(409),
        &json!(answer.status),
    );
    let answer = both
        .api
        .put(&both.path_of_object("s/scale"), &scale(7, None))?;
    say(
        "an update without a resourceVersion is taken",
        json!(200),
        &json!(answer.status),
    );
    let mut selecting = scale(1, None);
    selecting["status"] = json!({"selector": "a=b"});
    let answer = unlabelled
        .api
        .put(&unlabelled.path_of_object("s/scale"), &selecting)?;
    say(
        "a selector is ignored without labelSelectorPath, unlike the design, which refuses it",
        json!([200, null]),
        &json!([answer.status, answer.json()["status"]["selector"]]),
    );
    let mut counted = scale(1, None);
    counted["status"] = json!({"replicas": 9});
    let answer = unlabelled
        .api
        .put(&unlabelled.path_of_object("s/scale"), &counted)?;
    say(
        "an update does not write status.replicas",
        json!([200, 0]),
        &json!([answer.status, answer.json()["status"]["replicas"]]),
    );
    let answer = both
        .api
        .put(&both.path_of_object("s/scale"), &scale(-1, None))?;
    say(
        "negative replicas are refused by /scale",
        json!(422),
        &json!(answer.status),
    );
    let answer = both.change("s", |object| object["spec"]["replicas"] = json!(-1))?;
    say(
        "negative replicas are refused by the main endpoint",
        json!(422),
        &json!(answer.status),
    );
    let answer = both.change("s/status", |object| {
        object["status"]["replicas"] = json!(-1)
    })?;
    say(
        "negative replicas are refused by /status",
        json!(422),
        &json!(answer.status),
    );
    unlabelled.create("bare", json!({}))?;
    unlabelled
        .api
        .put(&unlabelled.path_of_object("bare/scale"), &{
            let mut scale = scale(4, None);
            scale["metadata"]["name"] = json!("bare");
            scale
        })?;
    say(
        "an update makes what is missing above the path",
        json!(4),
        &unlabelled.get("bare")?["spec"]["size"]["replicas"],
    );
    Ok(())
}

/// The schema becomes stricter than a stored spec.
fn tightened(both: Objects, report: &mut Report) -> Result<(), Failure> {
    both.create("t", json!({"spec": {"color": "purple"}}))?;
    let place = install::place(&format!("boths.{GROUP}"));
    let mut crd = both.api.get(&place)?.json();
    let color = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/color";
    if let Some(color) = crd.pointer_mut(color) {
        color["maxLength"] = json!(3);
    }
    let answer = both.api.put(&place, &crd)?;
    let probe = json!({"apiVersion": format!("{GROUP}/v1"), "kind": "Both", "metadata": {"name": "probe"}, "spec": {"color": "purple"}});
    let mut refused = 0;
    install::poll(|| {
        refused = both
            .api
            .post(&format!("{}?dryRun=All", both.path()), &probe)?
            .status;
        Ok((refused == 422).then_some(()))
    })?;
    report.check(
        format!("{STATUS} a schema that becomes stricter refuses new objects"),
        "200, then 422",
        format!("{}, then {refused}", answer.status),
    );
    let answer = both.change("t/status", |object| {
        object["status"] = json!({"phase": "one"})
    })?;
    report.check(
        format!("{STATUS} /status validates nothing outside of status"),
        json!([200, "one"]),
        json!([answer.status, both.get("t")?["status"]["phase"]]),
    );
    Ok(())
}

fn verbs(api: Api, report: &mut Report) -> Result<(), Failure> {
    let discovered = api.get(&format!("/apis/{GROUP}/v1"))?.json();
    for subresource in ["status", "scale"] {
        let name = format!("boths/{subresource}");
        let mut resources = discovered["resources"].as_array().into_iter().flatten();
        let found = resources.find(|resource| resource["name"] == *name);
        report.check(
            format!("{subresource} subresource: it supports get and update, and patch"),
            json!(["get", "patch", "update"]),
            found.map_or(Value::Null, |resource| resource["verbs"].clone()),
        );
    }
    Ok(())
}
