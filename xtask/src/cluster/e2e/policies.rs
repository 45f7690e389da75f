//! The two policies of a bundle on a server: they refuse what they should and nothing else.

use super::install::said;
use crate::bundle::version::BundleVersion;
use crate::cluster::Failure;
use crate::cluster::http::{Answer, Api};
use crate::cluster::published::NAMESPACE;
use crate::cluster::report::Report;
use crate::compat::{self, Set, read};
use crate::release::policies::{self, Bundle, Channel};
use crate::released::documents;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const CRDS: &str = include_str!("policies.yaml");
const PREFIX: &str = "policies.crd-channels.dev";
const CRD: &str =
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/gauges.policies.crd-channels.dev";
const ALL: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/// How long a server may take to put a policy into force.
const PATIENCE: Duration = Duration::from_secs(30);

/// In ascending order, and each pair of them is tried: two digits, pre-releases of every form, snapshots, a number that no
/// machine counts to.
const VERSIONS: [&str; 24] = [
    "v0.1.0",
    "v0.2.0-1",
    "v0.2.0-9",
    "v0.2.0-10",
    "v0.2.0-dev",
    "v0.2.0-rc.1",
    "v0.2.0-rc.1.x",
    "v0.2.0-rc.2",
    "v0.2.0-rc.10",
    "v0.2.0-rc.99999999999999999999",
    "v0.2.0-rc-1",
    "v0.2.0-snapshot.20260930",
    "v0.2.0-snapshot.20261121",
    "v0.2.0",
    "v0.2.1-dev",
    "v0.2.1",
    "v0.9.10",
    "v0.10.0-rc.1",
    "v0.10.0",
    "v0.10.9",
    "v0.10.10",
    "v0.99.0",
    "v1.0.0",
    "v10.0.0",
];

/// What is not a version of a bundle: nobody can say whether it is older.
const OTHERS: [&str; 6] = ["", "v1", "monthly-2026.05", "v00.1.0", "0.1.0", "v0.1.0+1"];

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
    let bundle = Bundle {
        version: &BundleVersion::new(0, 2, 0),
        prefix: PREFIX,
        channels: &channels,
        set: &set,
    };
    let [stable, _, experimental] = &channels;
    let write = |channel| {
        let text = policies::write(bundle, channel);
        text.map_err(|error| Failure::new(format!("a policy is {error}")))
    };
    let (stable, text) = (write(stable)?, write(experimental)?);
    report.check(
        "policies: the stable channel has one, the experimental one has two",
        "1 and 2",
        format!(
            "{} and {}",
            stable.matches("kind: ValidatingAdmissionPolicy\n").count(),
            text.matches("kind: ValidatingAdmissionPolicy\n").count()
        ),
    );
    let [stable, experimental, trial] = crds.as_slice() else {
        return Err(Failure::new("the policies' CRDs are gone"));
    };
    install(api, &text, report)?;
    upgrades(api, stable, report)?;
    switches(api, stable, report)?;
    objects(api, experimental, report)?;
    wholes(api, experimental, trial, report)
}

fn install(api: Api, text: &str, report: &mut Report) -> Result<(), Failure> {
    for document in documents::parse(text).map_err(Failure::new)? {
        let plural = match document["kind"].as_str() {
            Some("ValidatingAdmissionPolicy") => "validatingadmissionpolicies",
            _ => "validatingadmissionpolicybindings",
        };
        let path = format!("/apis/admissionregistration.k8s.io/v1/{plural}?fieldValidation=Strict");
        let answer = api.post(&path, &document)?;
        let name = document["metadata"]["name"].as_str().unwrap_or_default();
        report.check(
            format!(
                "policies: {} {name} is accepted",
                document["kind"].as_str().unwrap_or_default()
            ),
            "201",
            said(&answer),
        );
    }
    Ok(())
}

/// Changes the annotations of the installed CRD; none removes one.
fn annotate(
    api: Api,
    version: Option<&str>,
    channel: Option<&str>,
    dry: bool,
) -> Result<Answer, Failure> {
    let mut annotations = json!({});
    annotations[format!("{PREFIX}/bundle-version")] = json!(version);
    annotations[format!("{PREFIX}/channel")] = json!(channel);
    let body = json!({"metadata": {"annotations": annotations}}).to_string();
    let path = format!("{CRD}{}", if dry { "?dryRun=All" } else { "" });
    let merge = [("Content-Type", "application/merge-patch+json")];
    api.send("PATCH", &path, &merge, &body)
}

fn create(api: Api, crd: &Value, version: &str, channel: &str) -> Result<(), Failure> {
    api.delete(CRD)?;
    let start = Instant::now();
    while api.get(CRD)?.status != 404 && start.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(50));
    }
    let mut crd = crd.clone();
    crd["metadata"]["annotations"][format!("{PREFIX}/bundle-version")] = json!(version);
    crd["metadata"]["annotations"][format!("{PREFIX}/channel")] = json!(channel);
    let answer = api.post(ALL, &crd)?;
    if answer.status != 201 {
        return Err(Failure::new(said(&answer)));
    }
    Ok(())
}

fn is_refused(answer: &Answer) -> bool {
    answer.status == 403 && answer.text.contains("ValidatingAdmissionPolicy")
}

/// Asks until a server answers as it should, since policies come into force a moment after they are there.
fn wait_until_refused(ask: impl Fn() -> Result<Answer, Failure>) -> Result<(), Failure> {
    let start = Instant::now();
    while !is_refused(&ask()?) {
        if start.elapsed() > PATIENCE {
            return Err(Failure::new("a policy did not come into force"));
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}

fn upgrades(api: Api, crd: &Value, report: &mut Report) -> Result<(), Failure> {
    create(api, crd, "v0.2.0", "stable")?;
    wait_until_refused(|| annotate(api, Some("v0.1.0"), Some("stable"), true))?;
    create(api, crd, "v0.1.0", "stable")?;
    for (place, old) in VERSIONS.iter().enumerate() {
        let answer = annotate(api, Some(old), Some("stable"), false)?;
        let mut refused = Vec::new();
        for new in VERSIONS.iter().chain(&OTHERS) {
            let answer = annotate(api, Some(new), Some("stable"), true)?;
            if is_refused(&answer) {
                refused.push(*new);
            } else if answer.status != 200 {
                refused.push("something else was wrong");
            }
        }
        let expected: Vec<&str> = VERSIONS.iter().take(place).copied().collect();
        report.check(
            format!(
                "policies: {old} replaces what is older, and of {} versions just those are refused over it",
                VERSIONS.len() + OTHERS.len()
            ),
            format!("200, {}", expected.join(" ")),
            format!("{}, {}", said(&answer), refused.join(" ")),
        );
    }
    Ok(())
}

fn switches(api: Api, crd: &Value, report: &mut Report) -> Result<(), Failure> {
    let channels = ["stable", "preview", "experimental"];
    for (from, refused) in [
        ("stable", &["preview", "experimental"][..]),
        ("preview", &["experimental"]),
        ("experimental", &[]),
        ("somebody-elses", &[]),
    ] {
        create(api, crd, "v0.2.0", from)?;
        let mut found = Vec::new();
        for to in channels.iter().chain(&["somebody-elses"]) {
            if is_refused(&annotate(api, Some("v0.2.0"), Some(to), true)?) {
                found.push(*to);
            }
        }
        if is_refused(&annotate(api, None, None, true)?) {
            found.push("no annotations");
        }
        report.check(
            format!("policies: over the channel {from} are refused"),
            refused.join(" "),
            found.join(" "),
        );
    }
    // Another group does not concern the bundle.
    let mut other = crd.clone();
    other["metadata"]["name"] = json!("gauges.other.crd-channels.dev");
    other["spec"]["group"] = json!("other.crd-channels.dev");
    other["metadata"]["annotations"][format!("{PREFIX}/bundle-version")] = json!("v9.0.0");
    api.post(ALL, &other)?;
    let place = format!("{ALL}/gauges.other.crd-channels.dev");
    let body = json!({"metadata": {"annotations": {format!("{PREFIX}/bundle-version"): "v0.1.0", format!("{PREFIX}/channel"): "experimental"}}});
    let merge = [("Content-Type", "application/merge-patch+json")];
    let answer = api.send("PATCH", &place, &merge, &body.to_string())?;
    report.check(
        "policies: CRDs of other groups are left alone",
        "200",
        said(&answer),
    );
    api.delete(&place)?;
    Ok(())
}

fn objects(api: Api, crd: &Value, report: &mut Report) -> Result<(), Failure> {
    create(api, crd, "v0.2.0", "experimental")?;
    let path = format!("/apis/{PREFIX}/v1/namespaces/{NAMESPACE}/gauges");
    let object = |spec: &Value, allowed: bool| {
        let mut metadata = json!({"name": "one"});
        if allowed {
            metadata["annotations"] = json!({format!("{PREFIX}/experimental"): "allowed"});
        }
        json!({"apiVersion": format!("{PREFIX}/v1"), "kind": "Gauge", "metadata": metadata, "spec": spec})
    };
    let dry = format!("{path}?dryRun=All&fieldValidation=Strict");
    let trial = json!({"trial": {"a": "x"}});
    wait_until_refused(|| api.post(&dry, &object(&trial, false)))?;
    for (spec, names) in [
        (json!({}), None),
        (
            json!({"mode": "Plain", "items": [{"a": "x"}, {}], "named": {"a": {"a": "x"}, "b": null}}),
            None,
        ),
        (trial.clone(), Some("spec.trial")),
        (json!({"trial": {}}), Some("spec.trial")),
        (json!({"mode": "Fancy"}), Some("spec.mode: Fancy")),
        (json!({"odd-name": 1}), Some("spec.odd-name")),
        (
            json!({"items": [{"a": "x"}, {"b": "x"}]}),
            Some("spec.items[].b"),
        ),
        (
            json!({"named": {"a": null, "x y": {"b": ""}}}),
            Some("spec.named{}.b"),
        ),
        (
            json!({"open": "A", "short": "abcd", "plain": "a", "few": [0, 9], "half": 0.6, "pairs": {"a": "b"}}),
            None,
        ),
        (json!({"open": "B"}), Some("spec.open: another value")),
        (
            json!({"short": "äöüßé"}),
            Some("spec.short: over maxLength 4"),
        ),
        (json!({"short": "a"}), Some("spec.short: under minLength 2")),
        (
            json!({"plain": "a1"}),
            Some("spec.plain: not of the pattern ^[a-z]*$"),
        ),
        (json!({"few": [1, 2, 3]}), Some("spec.few: over maxItems 2")),
        (json!({"few": []}), Some("spec.few: under minItems 1")),
        (json!({"few": [1, 10]}), Some("spec.few[]: over maximum 9")),
        (json!({"few": [-1]}), Some("spec.few[]: under minimum 0")),
        (json!({"half": 0.5}), Some("spec.half: under minimum 0.5")),
        (json!({"half": 0}), Some("spec.half: under minimum 0.5")),
        (
            json!({"pairs": {"a": "b", "c": "d"}}),
            Some("spec.pairs: over maxProperties 1"),
        ),
        (
            json!({"trial": {}, "mode": "Fancy"}),
            Some("spec.mode: Fancy, spec.trial"),
        ),
    ] {
        let answers = [
            api.post(&dry, &object(&spec, false))?,
            api.post(&dry, &object(&spec, true))?,
        ];
        let [plain, allowed] = &answers;
        let found = match (is_refused(plain), names) {
            (true, Some(names)) if plain.text.contains(&format!("{names} is experimental")) => {
                "as it should"
            }
            (false, None) if plain.status == 201 => "as it should",
            _ => &said(plain),
        };
        report.check(
            format!(
                "policies: {spec} is {} without the annotation",
                if names.is_some() {
                    "refused"
                } else {
                    "accepted"
                }
            ),
            "as it should",
            found,
        );
        report.check(
            format!("policies: {spec} is accepted with it"),
            "201",
            said(allowed),
        );
    }
    ratchet(api, &path, &object(&trial, true), report)
}

/// What an object has it keeps, also without the annotation; nothing comes to it.
fn ratchet(api: Api, path: &str, object: &Value, report: &mut Report) -> Result<(), Failure> {
    api.post(path, object)?;
    let place = format!("{path}/one");
    let merge = [("Content-Type", "application/merge-patch+json")];
    let patch = |body: Value| api.send("PATCH", &place, &merge, &body.to_string());
    let gone = json!({"metadata": {"annotations": null, "labels": {"a": "b"}}});
    report.check(
        "policies: what an object uses it may keep without the annotation",
        "200",
        said(&patch(gone)?),
    );
    let more = patch(json!({"spec": {"odd-name": 1}}))?;
    report.check("policies: more of it is refused", true, is_refused(&more));
    let status = api.send(
        "PATCH",
        &format!("{place}/status"),
        &merge,
        &json!({"status": {"b": "x"}}).to_string(),
    )?;
    report.check(
        "policies: controllers write status as before",
        "200",
        said(&status),
    );
    let deleted = api.delete(&place)?;
    report.check("policies: the object may be deleted", "200", said(&deleted));
    api.delete(CRD)?;
    Ok(())
}

/// A kind and a version that are experimental as a whole: what is new takes the annotation, what is there may be changed.
fn wholes(api: Api, gauge: &Value, trial: &Value, report: &mut Report) -> Result<(), Failure> {
    create(api, gauge, "v0.2.0", "experimental")?;
    let answer = api.post(ALL, trial)?;
    if answer.status != 201 {
        return Err(Failure::new(said(&answer)));
    }
    for (kind, plural, version) in [
        ("Trial", "trials", "v1alpha1"),
        ("Gauge", "gauges", "v2alpha1"),
    ] {
        let path = format!("/apis/{PREFIX}/{version}/namespaces/{NAMESPACE}/{plural}");
        let object = json!({"apiVersion": format!("{PREFIX}/{version}"), "kind": kind, "metadata": {"name": "one"}, "spec": {"a": "x"}});
        let mut allowed = object.clone();
        allowed["metadata"]["annotations"] = json!({format!("{PREFIX}/experimental"): "allowed"});
        let dry = format!("{path}?dryRun=All");
        wait_until_refused(|| api.post(&dry, &object))?;
        let refused = api.post(&dry, &object)?;
        report.check(
            format!("policies: {kind} {version} is experimental as a whole"),
            true,
            is_refused(&refused)
                && refused
                    .text
                    .contains(&format!("{kind} {version} is experimental")),
        );
        let created = api.post(&path, &allowed)?;
        report.check(
            format!("policies: {kind} {version} is accepted with the annotation"),
            "201",
            said(&created),
        );
        let merge = [("Content-Type", "application/merge-patch+json")];
        let body = json!({"metadata": {"annotations": null}, "spec": {"a": "y"}});
        let place = format!("{path}/one");
        let changed = api.send("PATCH", &place, &merge, &body.to_string())?;
        report.check(
            format!("policies: a {kind} {version} that is there may be changed"),
            "200",
            said(&changed),
        );
        api.delete(&place)?;
    }
    api.delete(&format!("{ALL}/trials.{PREFIX}"))?;
    api.delete(CRD)?;
    Ok(())
}
