//! The two policies of a bundle on a server: they refuse what they should and nothing else.

mod objects;
mod upgrades;
mod ways_in;

use super::install::{described, place};
use crate::report::Report;
use crd_channels::release::policies;
use crd_channels::release::policy::{Bundle, Channel};
use crd_channels_compat::{self as compat, Set, read};
use crd_channels_envtest::Failure;
use crd_channels_envtest::http::{Answer, Api};
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_released::documents;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const CRDS: &str = include_str!("policies.yaml");
const PREFIX: &str = "policies.crd-channels.dev";
const CRD: &str =
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/gauges.policies.crd-channels.dev";
const ALL: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
pub const MERGE: [(&str, &str); 1] = [("Content-Type", "application/merge-patch+json")];
pub const POLICIES: &str = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
pub const BINDINGS: &str =
    "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings";

/// The help at the end of each refusal.
const DELETE: &str = "delete the policy first: kubectl delete validatingadmissionpolicy safe-upgrades.policies.crd-channels.dev";

/// The maximum time until a server enforces a policy.
const PATIENCE: Duration = Duration::from_secs(30);

/// Checks every statement.
pub fn check(api: Api, report: &mut Report) -> Result<(), Failure> {
    let crds = documents::parse(CRDS).map_err(Failure::new)?;
    let mut set = Set::default();
    let channels = [
        compat::Channel::Stable,
        compat::Channel::Experimental,
        compat::Channel::Experimental,
    ];
    for (channel, document) in channels.into_iter().zip(&crds) {
        for published in read::texts(&document.to_string()).map_err(Failure::new)? {
            set.insert(channel, published).map_err(Failure::new)?;
        }
    }
    let channel = |name: &str, features: &[&str]| Channel {
        name: name.to_owned(),
        annotation: name.to_owned(),
        features: features
            .iter()
            .map(|feature| (*feature).to_owned())
            .collect(),
    };
    let channels = [
        channel("stable", &[]),
        channel("preview", &["A"]),
        channel("experimental", &["A", "B"]),
    ];
    let [stable, _, experimental] = &channels;
    let write = |version: BundleVersion, channel| {
        let bundle = Bundle {
            version: &version,
            prefix: PREFIX,
            channels: &channels,
            set: &set,
        };
        let written = policies::write(bundle, channel);
        written.map_err(|error| Failure::new(format!("a policy is {error}")))
    };
    let of_stable = write(BundleVersion::new(0, 2, 0), stable)?;
    let of_experimental = write(BundleVersion::new(0, 1, 0), experimental)?;
    let names = |files: &[(&'static str, String)]| {
        let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
        names.join(" ")
    };
    report.check(
        "policies: the stable channel has one, the experimental one has two",
        "safe-upgrades.yaml, safe-upgrades.yaml guardrails.yaml",
        format!("{}, {}", names(&of_stable), names(&of_experimental)),
    );
    let [stable, experimental, trial] = crds.as_slice() else {
        return Err(Failure::new("the policies' CRDs are gone"));
    };
    post(api, stable)?;
    install(api, &of_experimental, report)?;
    upgrades::adopted(api, stable, report)?;
    upgrades::versions(api, stable, report)?;
    upgrades::switches(api, stable, report)?;
    ways_in::through_status(api, stable, report)?;
    ways_in::other_specs(api, [stable, experimental], report)?;
    objects::places(api, experimental, report)?;
    objects::wholes(api, experimental, trial, report)?;
    remove(api)?;
    install(api, &of_stable, report)?;
    ways_in::creation(api, stable, trial, report)
}

/// Creates policies and their bindings.
pub fn install(
    api: Api,
    policies: &[(&'static str, String)],
    report: &mut Report,
) -> Result<(), Failure> {
    for (_, text) in policies {
        for document in documents::parse(text).map_err(Failure::new)? {
            let all = match document["kind"].as_str() {
                Some("ValidatingAdmissionPolicy") => POLICIES,
                _ => BINDINGS,
            };
            let answer = api.post(&format!("{all}?fieldValidation=Strict"), &document)?;
            let name = document["metadata"]["name"].as_str().unwrap_or_default();
            report.check(
                format!(
                    "policies: {} {name} is accepted",
                    document["kind"].as_str().unwrap_or_default()
                ),
                "201",
                described(&answer),
            );
        }
    }
    Ok(())
}

/// Removes the policies, and waits until they are no longer enforced.
fn remove(api: Api) -> Result<(), Failure> {
    for all in [POLICIES, BINDINGS] {
        for name in ["safe-upgrades", "guardrails"] {
            api.delete(&format!("{all}/{name}.{PREFIX}"))?;
        }
    }
    Ok(())
}

/// Returns the CRD with the annotations of a bundle and a channel.
fn marked(crd: &Value, version: &str, channel: &str) -> Value {
    let mut crd = crd.clone();
    crd["metadata"]["annotations"] = json!({
        format!("{PREFIX}/bundle-version"): version,
        format!("{PREFIX}/channel"): channel,
    });
    crd
}

/// Creates a CRD, replacing the existing one.
fn create(api: Api, crd: &Value, version: &str, channel: &str) -> Result<(), Failure> {
    post(api, &marked(crd, version, channel))
}

/// The same for a CRD that already has its annotations.
fn post(api: Api, crd: &Value) -> Result<(), Failure> {
    let place = place(crd["metadata"]["name"].as_str().unwrap_or_default());
    api.delete(&place)?;
    let start = Instant::now();
    while api.get(&place)?.status != 404 && start.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(50));
    }
    let answer = api.post(ALL, crd)?;
    if answer.status != 201 {
        return Err(Failure::new(described(&answer)));
    }
    Ok(())
}

/// Returns whether the server accepts, or the message of the refusal.
fn verdict(answer: &Answer) -> String {
    let said = described(answer);
    match said.split_once("denied request: ") {
        Some((_, why)) if is_refused(answer) => why.to_owned(),
        _ => said,
    }
}

/// Changes the annotations of the installed CRD; `None` removes one.
fn annotate(
    api: Api,
    place: &str,
    version: Option<&str>,
    channel: Option<&str>,
) -> Result<Answer, Failure> {
    let mut annotations = json!({});
    annotations[format!("{PREFIX}/bundle-version")] = json!(version);
    annotations[format!("{PREFIX}/channel")] = json!(channel);
    let body = json!({"metadata": {"annotations": annotations}}).to_string();
    api.send("PATCH", place, &MERGE, &body)
}

/// The same as a dry run.
fn tried(api: Api, version: Option<&str>, channel: Option<&str>) -> Result<Answer, Failure> {
    annotate(api, &format!("{CRD}?dryRun=All"), version, channel)
}

fn is_refused(answer: &Answer) -> bool {
    answer.status == 403 && answer.text.contains("ValidatingAdmissionPolicy")
}

/// Repeats a request until it is refused, since policies are enforced a moment after they are created.
pub fn wait_until_refused(ask: impl Fn() -> Result<Answer, Failure>) -> Result<(), Failure> {
    wait_until(true, ask)
}

/// The same, also for removed policies.
fn wait_until(refused: bool, ask: impl Fn() -> Result<Answer, Failure>) -> Result<(), Failure> {
    let start = Instant::now();
    while is_refused(&ask()?) != refused {
        if start.elapsed() > PATIENCE {
            return Err(Failure::new("a policy did not come into force, or stayed"));
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}
