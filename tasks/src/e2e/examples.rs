//! The examples of objects: each is accepted or rejected, as its folder says.

use super::install::described;
use crate::published::{NAMESPACE, Published, path};
use crate::report::Report;
use crd_channels::commands::examples::ServerExample;
use crd_channels_envtest::Failure;
use crd_channels_envtest::http::{Answer, Api};
use crd_channels_schema::{Crd, Scope, Version};
use serde_json::{Value, json};

/// Tries the examples that apply to a channel whose CRDs are installed.
pub fn check(
    api: Api,
    channel: &str,
    crds: &[&Published],
    examples: &[ServerExample],
    report: &mut Report,
) -> Result<(), Failure> {
    for example in examples {
        let is_elsewhere = example.channel.as_deref().is_some_and(|it| it != channel);
        let Some((crd, version)) = serving(&example.object, crds).filter(|_| !is_elsewhere) else {
            continue;
        };
        let answer = send(api, crd, version, example)?;
        let (fate, expected) = match example.is_accepted {
            true => ("accepted", "accepted"),
            false => ("rejected", "invalid"),
        };
        let found = match answer.status {
            200..300 => "accepted".to_owned(),
            422 => "invalid".to_owned(),
            _ => described(&answer),
        };
        let why = match answer.status {
            422 if example.is_accepted => described(&answer),
            _ => found,
        };
        let path = &example.path;
        report.check(
            format!("{channel}: the example {path} is {fate}"),
            expected,
            why,
        );
    }
    Ok(())
}

/// Returns the CRD and the version that serve an object.
fn serving<'c>(object: &Value, crds: &[&'c Published]) -> Option<(&'c Crd, &'c Version)> {
    crds.iter().find_map(|published| {
        let crd = &published.crd;
        let serves = |version: &&Version| {
            version.served && object["apiVersion"] == format!("{}/{}", crd.group, version.name)
        };
        let version = crd.versions.iter().find(serves)?;
        (object["kind"] == *crd.names.kind).then_some((crd, version))
    })
}

/// Creates the object, or updates the old one to it, and deletes it.
fn send(
    api: Api,
    crd: &Crd,
    version: &Version,
    example: &ServerExample,
) -> Result<Answer, Failure> {
    let objects = path(crd, version);
    let query = "fieldValidation=Strict&dryRun=All";
    let object = placed(&example.object, crd);
    let Some(old) = &example.old else {
        return api.post(&format!("{objects}?{query}"), &object);
    };
    let created = api.post(
        &format!("{objects}?fieldValidation=Strict"),
        &placed(old, crd),
    )?;
    if created.status >= 300 {
        return Ok(created);
    }
    let created = created.json();
    let name = created["metadata"]["name"].as_str().unwrap_or_default();
    let place = format!("{objects}/{name}");
    let mut object = object;
    object["metadata"]["resourceVersion"] = created["metadata"]["resourceVersion"].clone();
    let answer = api.put(&format!("{place}?{query}"), &object);
    api.delete(&place)?;
    answer
}

/// Returns the object in the namespace for objects to try.
fn placed(object: &Value, crd: &Crd) -> Value {
    let mut object = object.clone();
    if crd.scope == Scope::Namespaced && object["metadata"].is_object() {
        object["metadata"]["namespace"] = json!(NAMESPACE);
    }
    object
}
