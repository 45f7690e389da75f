//! Installs CRDs: accepted, established, structural, served.

use crate::published::{Published, path};
use crate::report::Report;
use crd_channels_envtest::Failure;
use crd_channels_envtest::http::{Answer, Api};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

pub const CRDS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/// The path of a CRD.
pub fn place(name: &str) -> String {
    format!("{CRDS}/{name}")
}

/// The maximum time until a server serves what it accepted, or removes what was deleted.
const PATIENCE: Duration = Duration::from_secs(120);

/// The interval after which a server is asked again to remove something.
const RETRY: Duration = Duration::from_secs(3);

/// Installs CRDs, and checks the state of each.
pub fn install(
    api: Api,
    channel: &str,
    crds: &[&Published],
    report: &mut Report,
) -> Result<(), Failure> {
    let mut accepted = Vec::new();
    for published in crds {
        let answer = api.post(
            &format!("{CRDS}?fieldValidation=Strict"),
            &published.document,
        )?;
        let name = published.crd.name();
        report.check(
            format!("{channel}: {name} is accepted"),
            "201",
            described(&answer),
        );
        report.check(
            format!("{channel}: {name} is accepted without a warning"),
            "",
            answer.warnings().join(", "),
        );
        accepted.push((published, answer.status == 201));
    }
    for (published, _) in accepted.iter().filter(|(_, accepted)| *accepted) {
        let name = published.crd.name();
        let conditions = wait_until_established(api, &name)?;
        report.check(
            format!("{channel}: {name} is Established"),
            "True",
            status(&conditions, "Established"),
        );
        report.check(
            format!("{channel}: {name} has no condition NonStructuralSchema"),
            "absent",
            status(&conditions, "NonStructuralSchema"),
        );
        if status(&conditions, "Established") != "True" {
            // It never reaches the other states.
            continue;
        }
        // Versions that are not served are checked last, so that they had as much time to appear.
        let mut versions: Vec<_> = published.crd.versions.iter().collect();
        versions.sort_by_key(|version| !version.served);
        for version in versions {
            let expected = if version.served { "200" } else { "404" };
            let place = path(&published.crd, version);
            report.check(
                format!(
                    "{channel}: {name} {} is {}served",
                    version.name,
                    if version.served { "" } else { "not " }
                ),
                expected,
                wait_until_served(api, &place, version.served)?,
            );
        }
    }
    Ok(())
}

/// Removes CRDs with their objects, and waits until they are gone.
pub fn remove(api: Api, crds: &[&Published]) -> Result<(), Failure> {
    let names: Vec<String> = crds.iter().map(|published| published.crd.name()).collect();
    remove_all(api, &names)
}

/// The same for CRDs by name.
///
/// A server may fail to list the objects of a CRD while it still starts their storage, and then only tries again if the CRD
/// changes. So CRDs that remain are changed from time to time.
pub fn remove_all(api: Api, names: &[String]) -> Result<(), Failure> {
    for name in names {
        api.delete(&place(name))?;
    }
    let start = Instant::now();
    let mut changed = start;
    poll(|| {
        let mut left = Vec::new();
        for place in names.iter().map(|name| place(name)) {
            if api.get(&place)?.status != 404 {
                left.push(place);
            }
        }
        if changed.elapsed() > RETRY {
            changed = Instant::now();
            let after = format!("{:?}", changed - start);
            let change = json!({"metadata": {"annotations": {"e2e/waited": after}}});
            for place in &left {
                api.patch(place, &change)?;
            }
        }
        Ok(left.is_empty().then_some(()))
    })
}

pub fn wait_until_established(api: Api, name: &str) -> Result<Value, Failure> {
    let mut conditions = Value::Null;
    poll(|| {
        conditions = api.get(&place(name))?.json()["status"]["conditions"].take();
        Ok((status(&conditions, "Established") == "True").then_some(()))
    })?;
    Ok(conditions)
}

/// Returns the final status of a version's endpoint, which appears a moment after its CRD is established.
pub fn wait_until_served(api: Api, place: &str, served: bool) -> Result<String, Failure> {
    let mut found = String::new();
    poll(|| {
        let answer = api.get(&format!("{place}?limit=1"))?;
        found = answer.status.to_string();
        Ok((!served || answer.status == 200).then_some(()))
    })?;
    Ok(found)
}

/// Repeats a request until there is a result, or the time is over.
pub fn poll(mut ask: impl FnMut() -> Result<Option<()>, Failure>) -> Result<(), Failure> {
    let start = Instant::now();
    while ask()?.is_none() && start.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

pub fn status(conditions: &Value, ty: &str) -> String {
    let mut conditions = conditions.as_array().into_iter().flatten();
    let condition = conditions.find(|condition| condition["type"] == ty);
    condition
        .and_then(|condition| condition["status"].as_str())
        .unwrap_or("absent")
        .to_owned()
}

/// Returns the status of a response, with the message if it is an error.
pub fn described(answer: &Answer) -> String {
    match answer.status {
        status @ 200..300 => status.to_string(),
        status => format!(
            "{status} {}",
            answer.json()["message"].as_str().unwrap_or(&answer.text)
        ),
    }
}
