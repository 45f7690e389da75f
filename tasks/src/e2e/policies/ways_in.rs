//! The policy for CRDs with every other kind of request: with a status, with the same annotations, beside other CRDs.

use super::{
    ALL, CRD, DELETE, MERGE, POLICIES, PREFIX, annotate, create, is_refused, marked, verdict,
    wait_until, wait_until_refused,
};
use crate::e2e::install::described;
use crate::report::Report;
use crd_channels_envtest::Failure;
use crd_channels_envtest::http::Api;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Servers accept annotations in a write of status. The server's own writes of status are permitted.
pub fn through_status(api: Api, crd: &Value, report: &mut Report) -> Result<(), Failure> {
    create(api, crd, "v0.2.0", "stable")?;
    let start = Instant::now();
    let mut established = Value::Null;
    while established != "True" && start.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(50));
        let conditions = api.get(CRD)?.json()["status"]["conditions"].take();
        let mut conditions = conditions.as_array().into_iter().flatten();
        established = conditions
            .find(|condition| condition["type"] == "Established")
            .map_or(Value::Null, |condition| condition["status"].clone());
    }
    report.check(
        "policies: the server establishes a CRD that they watch",
        "\"True\"",
        established,
    );
    let status = format!("{CRD}/status");
    for (what, version, channel) in [
        ("an older version", Some("v0.1.0"), Some("stable")),
        ("another channel", Some("v0.2.0"), Some("experimental")),
        ("no version", None, Some("stable")),
        ("no channel", Some("v0.2.0"), None),
        ("a version that is none", Some("0.1.0"), Some("stable")),
    ] {
        let answer = annotate(api, &status, version, channel)?;
        report.check(
            format!("policies: {what} is refused in a write of status"),
            true,
            is_refused(&answer),
        );
    }
    let mut whole = api.get(CRD)?.json();
    whole["metadata"]["annotations"] = json!({});
    report.check(
        "policies: a status that replaces all annotations is refused",
        true,
        is_refused(&api.put(&status, &whole)?),
    );
    // As after a migration of all objects.
    let stored = json!({"status": {"storedVersions": ["v1"]}}).to_string();
    report.check(
        "policies: stored versions may be noted in the status",
        "200",
        verdict(&api.send("PATCH", &status, &MERGE, &stored)?),
    );
    Ok(())
}

/// The CRD of a release cannot be changed.
pub fn other_specs(
    api: Api,
    [stable, experimental]: [&Value; 2],
    report: &mut Report,
) -> Result<(), Failure> {
    create(api, stable, "v0.2.0", "stable")?;
    let dry = format!("{CRD}?dryRun=All");
    let patch = |body: &Value| api.send("PATCH", &dry, &MERGE, &body.to_string());
    let apply = |crd: &Value| {
        let place = format!("{dry}&fieldManager=other&force=true");
        let content = [("Content-Type", "application/apply-patch+yaml")];
        api.send("PATCH", &place, &content, &crd.to_string())
    };
    let with = |version: &str, channel: &str| marked(experimental, version, channel);
    let mut bare = experimental.clone();
    bare["metadata"] = json!({"name": stable["metadata"]["name"]});
    let held = format!(
        "the annotations would still claim bundle v0.2.0, but the CRD would differ from it. Apply a CRD of a bundle with its annotations. To change this one, {DELETE}"
    );
    report.check(
        "policies: another CRD under the annotations of the installed one, by server-side apply",
        &held,
        verdict(&apply(&bare)?),
    );
    let versions = json!({"spec": {"versions": experimental["spec"]["versions"]}});
    report.check(
        "policies: other versions under the annotations of the installed one",
        &held,
        verdict(&patch(&versions)?),
    );
    let names = json!({"spec": {"names": {"shortNames": ["gg"]}}});
    report.check(
        "policies: other names under the annotations of the installed one",
        &held,
        verdict(&patch(&names)?),
    );
    let built = apply(&with("v0.2.0+build", "stable"))?;
    report.check(
        "policies: a build of the installed version is refused where it is another CRD",
        true,
        is_refused(&built),
    );
    let mut replaced = api.get(CRD)?.json();
    replaced["metadata"]["annotations"] = json!({"edge.example.com/bundle-version": "v0.2.0"});
    report.check(
        "policies: annotations of another prefix are refused in the place of these",
        true,
        is_refused(&api.put(&dry, &replaced)?),
    );
    let webhook = json!({"spec": {"conversion": {"strategy": "Webhook", "webhook": {
        "clientConfig": {"url": "https://example.com/convert"}, "conversionReviewVersions": ["v1"],
    }}}});
    for (what, answer) in [
        (
            "the same CRD again",
            apply(&marked(stable, "v0.2.0", "stable"))?,
        ),
        (
            "a label",
            patch(&json!({"metadata": {"labels": {"a": "b"}}}))?,
        ),
        ("where objects are converted", patch(&webhook)?),
        (
            "another CRD of a newer bundle",
            apply(&with("v0.2.1", "stable"))?,
        ),
    ] {
        report.check(
            format!("policies: {what} is accepted over a release"),
            "200",
            verdict(&answer),
        );
    }
    create(api, stable, "v0.3.0-dev", "stable")?;
    report.check(
        "policies: who works on a bundle may change its CRDs under one version",
        "200",
        verdict(&apply(&with("v0.3.0-dev", "stable"))?),
    );
    Ok(())
}

/// With the policies of the stable channel of v0.2.0, a CRD created beside the installed ones must be of the same bundle.
pub fn creation(
    api: Api,
    stable: &Value,
    trial: &Value,
    report: &mut Report,
) -> Result<(), Failure> {
    let dry = format!("{ALL}?dryRun=All");
    let post = |crd: &Value| api.post(&dry, crd);
    let of_trial = marked(trial, "v0.2.0", "experimental");
    wait_until_refused(|| post(&of_trial))?;
    report.check(
        "policies: an experimental CRD is refused beside the stable channel",
        format!("this policy is of the stable channel; the experimental channel adds experimental features. To switch, {DELETE}"),
        verdict(&post(&of_trial)?),
    );
    let named = |name: &str, mut crd: Value| {
        crd["metadata"]["name"] = json!(format!("{name}.{PREFIX}"));
        crd["spec"]["names"] = json!({"kind": name, "plural": name});
        crd
    };
    let mut plain = trial.clone();
    plain["metadata"] = json!({"name": trial["metadata"]["name"]});
    for (what, is_wrong, crd) in [
        ("an older CRD", true, marked(stable, "v0.1.9", "stable")),
        ("a CRD of the bundle that does not say so", true, plain),
        (
            "one under another version",
            true,
            marked(trial, "0.2.0", "stable"),
        ),
        (
            "one under another channel",
            true,
            marked(trial, "v0.2.0", "Stable"),
        ),
        (
            "an experimental CRD that the bundle does not know",
            true,
            named("others", marked(trial, "v0.3.0", "experimental")),
        ),
        (
            "a CRD of somebody else in the group",
            false,
            named(
                "others",
                json!({"apiVersion": trial["apiVersion"], "kind": trial["kind"], "metadata": {}, "spec": trial["spec"]}),
            ),
        ),
        (
            "a CRD of the bundle",
            false,
            marked(stable, "v0.2.0", "stable"),
        ),
        (
            "a CRD of a newer bundle",
            false,
            marked(trial, "v0.3.0", "stable"),
        ),
    ] {
        let answer = post(&crd)?;
        report.check(
            format!(
                "policies: {what} is {}, beside the stable channel of v0.2.0",
                if is_wrong { "refused" } else { "created" }
            ),
            if is_wrong { "refused" } else { "201" },
            if is_refused(&answer) {
                "refused".to_owned()
            } else {
                described(&answer)
            },
        );
    }
    // As the refusals advise.
    let gone = api.delete(&format!("{POLICIES}/safe-upgrades.{PREFIX}"))?;
    wait_until(false, || post(&of_trial))?;
    report.check(
        "policies: without the policy the channel may be switched",
        "200, 201",
        format!("{}, {}", described(&gone), verdict(&post(&of_trial)?)),
    );
    Ok(())
}
