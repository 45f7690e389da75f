//! `/status` and `/scale` of the tried CRDs: they exist if the version declares them, and access the fields that it names.

use super::install::described;
use super::kinds::Kind;
use super::opinion::SecondOpinion;
use crate::objects::field::Field;
use crate::report::Report;
use crd_channels_envtest::Failure;
use serde_json::{Value, json};

/// Reads and writes both for an existing object.
pub fn check(
    kind: &Kind<'_>,
    objects: &[Value],
    opinion: &mut SecondOpinion,
    report: &mut Report,
) -> Result<(), Failure> {
    let Some(object) = objects.first() else {
        return Ok(());
    };
    let title = kind.title();
    let name = object["metadata"]["name"].as_str().unwrap_or_default();
    let place = format!("{}/{name}", kind.path());
    let there = |is_there: bool| if is_there { "200" } else { "404" };
    report.check(
        format!("{title}: /status is {}", presence(kind.has_status())),
        there(kind.has_status()),
        kind.api.get(&format!("{place}/status"))?.status,
    );
    let subresources = kind.version.subresources.as_ref();
    let scale = subresources.and_then(|subresources| subresources.scale.as_ref());
    let Some(scale) = scale else {
        report.check(
            format!("{title}: /scale is not there"),
            "404",
            kind.api.get(&format!("{place}/scale"))?.status,
        );
        return Ok(());
    };
    // The server has no response for an object without replicas.
    let replicas = Field::parse(&scale.spec_replicas_path);
    let stored = kind.api.get(&kind.path())?.json();
    let stored = stored["items"].as_array().into_iter().flatten();
    let mut scaled = stored.filter(|object| replicas.get(object).is_some_and(Value::is_i64));
    let Some(object) = scaled.next() else {
        report.check(
            format!("{title}: an object has {}", scale.spec_replicas_path),
            "one of them",
            "none",
        );
        return Ok(());
    };
    let name = object["metadata"]["name"].as_str().unwrap_or_default();
    let place = format!("{}/{name}/scale", kind.path());
    let answer = kind.api.get(&place)?;
    let wanted = replicas.get(object).cloned().unwrap_or_default();
    report.check(
        format!("{title}: /scale reads {}", scale.spec_replicas_path),
        json!([200, wanted]),
        json!([answer.status, answer.json()["spec"]["replicas"]]),
    );
    for (path, of_scale) in [
        (Some(&scale.status_replicas_path), "/status/replicas"),
        (scale.label_selector_path.as_ref(), "/status/selector"),
    ] {
        let Some(path) = path else { continue };
        let expected = match Field::parse(path).get(object) {
            Some(value) => value.clone(),
            None if of_scale.ends_with("replicas") => json!(0),
            None => Value::Null,
        };
        let found = answer.json().pointer(of_scale).cloned();
        report.check(
            format!("{title}: /scale reads {path}"),
            expected,
            found.unwrap_or_default(),
        );
    }
    let mut scale = answer.json();
    let place = format!("{place}?dryRun=All");
    report.check(
        format!("{title}: /scale writes"),
        "200",
        described(&kind.api.put(&place, &scale)?),
    );
    for replicas in [i32::MIN + 1, -1, 0, 1, 3, 1_000, i32::MAX] {
        if let Some(wanted) = scale.pointer_mut("/spec/replicas") {
            *wanted = json!(replicas);
        }
        opinion.of_scale(replicas, object, &kind.api.put(&place, &scale)?);
    }
    Ok(())
}

fn presence(is_there: bool) -> &'static str {
    if is_there { "there" } else { "not there" }
}
