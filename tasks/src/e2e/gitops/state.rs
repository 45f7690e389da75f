//! The state of a server: the CRDs of a bundle, and policies.

use super::{Bundle, World};
use crate::e2e::install::{self, CRDS, described};
use crate::e2e::policies::{BINDINGS, POLICIES};
use crate::report::Report;
use crd_channels_envtest::Failure;
use crd_channels_envtest::http::{Answer, Api};
use serde_json::Value;
use std::collections::BTreeMap;

/// Objects by name.
pub(super) type Objects = BTreeMap<String, Value>;

/// Returns the objects of a collection, including those that are being deleted.
fn items(api: Api, place: &str) -> Result<Vec<Value>, Failure> {
    let mut answer = api.get(place)?.json();
    let items = answer["items"].as_array_mut().map(std::mem::take);
    Ok(items.unwrap_or_default())
}

/// Returns the objects of a collection that are not being deleted.
fn all(api: Api, place: &str) -> Result<Objects, Failure> {
    let items = items(api, place)?.into_iter();
    let left = items.filter(|item| item["metadata"]["deletionTimestamp"].is_null());
    let named = left.map(|item| {
        let name = item["metadata"]["name"].as_str().unwrap_or_default();
        (name.to_owned(), item)
    });
    Ok(named.collect())
}

pub(super) fn crds(api: Api) -> Result<Objects, Failure> {
    all(api, CRDS)
}

pub(super) fn policies(api: Api) -> Result<Objects, Failure> {
    let mut found = all(api, POLICIES)?;
    let bindings = all(api, BINDINGS)?.into_iter();
    found.extend(bindings.map(|(name, binding)| (format!("binding {name}"), binding)));
    Ok(found)
}

/// Returns the names of objects with one field of their metadata, such as the resource version.
pub(super) fn marks(objects: &Objects, field: &str) -> String {
    let marks = objects.iter().map(|(name, object)| {
        let mark = object["metadata"][field].as_str().unwrap_or_default();
        format!("{name} {mark}")
    });
    marks.collect::<Vec<_>>().join(", ")
}

/// Returns the CRDs of a bundle as the server would store them.
pub(super) fn released(api: Api, bundle: &Bundle, channel: &str) -> Result<Objects, Failure> {
    let mut made = Objects::new();
    for published in bundle.crds(channel)? {
        let mut answer = Answer::default();
        // The policies of an earlier tool stay in force for a moment after their deletion.
        install::poll(|| {
            answer = api.post(&format!("{CRDS}?dryRun=All"), &published.document)?;
            Ok((answer.status == 201).then_some(()))
        })?;
        if answer.status != 201 {
            return Err(Failure::new(described(&answer)));
        }
        made.insert(published.crd.name(), answer.json());
    }
    Ok(made)
}

/// Checks that the CRDs of a bundle exist as released, including annotations, and are served.
pub(super) fn check(
    api: Api,
    what: &str,
    released: &Objects,
    report: &mut Report,
) -> Result<(), Failure> {
    let found = crds(api)?;
    let wrong: Vec<&str> = released
        .iter()
        .filter(|(name, crd)| found.get(*name).is_none_or(|found| !is_as(crd, found)))
        .map(|(name, _)| name.as_str())
        .collect();
    report.check(
        format!(
            "{what}: {} CRDs are there as they were released",
            found.len()
        ),
        format!("{}, and others: ", released.len()),
        format!("{}, and others: {}", found.len(), wrong.join(" ")),
    );
    let conditions = found.iter().map(|(name, crd)| {
        let conditions = &crd["status"]["conditions"];
        let [established, not_structural] =
            ["Established", "NonStructuralSchema"].map(|ty| install::status(conditions, ty));
        format!("{name} {established} {not_structural}")
    });
    let healthy = found.keys().map(|name| format!("{name} True absent"));
    report.check(
        format!("{what}: they are Established and structural"),
        healthy.collect::<Vec<_>>().join(", "),
        conditions.collect::<Vec<_>>().join(", "),
    );
    Ok(())
}

/// Tools may add their own annotations, but nothing else.
fn is_as(released: &Value, found: &Value) -> bool {
    let annotations = released["metadata"]["annotations"].as_object();
    let kept = annotations
        .into_iter()
        .flatten()
        .all(|(key, value)| found["metadata"]["annotations"].get(key) == Some(value));
    kept && released["spec"] == found["spec"]
}

/// Removes everything from the server that a tool may have created.
pub(super) fn clear(world: &World) -> Result<(), Failure> {
    let api = world.server.api;
    for place in [POLICIES, BINDINGS, "/api/v1/namespaces/default/secrets"] {
        api.delete(place)?;
    }
    let left = items(api, CRDS)?.into_iter();
    let names = left.filter_map(|crd| Some(crd["metadata"]["name"].as_str()?.to_owned()));
    install::remove_all(api, &names.collect::<Vec<_>>())
}
