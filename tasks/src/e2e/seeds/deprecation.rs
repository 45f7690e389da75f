//! Deprecated versions, as users, administrators and auditors see them.

use super::{GROUP, Objects, crds};
use crate::e2e::install;
use crate::published::Published;
use crate::report::Report;
use crd_channels_envtest::Failure;
use crd_channels_envtest::http::{Answer, Api};
use crd_channels_envtest::server::Server;
use crd_channels_projection::channel::warning;
use crd_channels_schema::Crd;
use serde_json::{Value, json};

/// Checks every statement.
pub fn check(server: &Server, report: &mut Report) -> Result<(), Failure> {
    let api = server.api;
    let crds = crds(include_str!("deprecation.yaml"))?;
    let crds: Vec<&Published> = crds.iter().collect();
    install::install(api, "deprecation", &crds, report)?;
    for published in &crds {
        texts(api, &published.crd, report)?;
    }
    requests(api, report)?;
    gauge(api, report)?;
    audit(server, report)?;
    kubectl(server, report)?;
    install::remove(api, &crds)
}

fn olds(api: Api, version: &'static str) -> Objects {
    Objects {
        api,
        version,
        plural: "olds",
        kind: "Old",
    }
}

fn headers(answer: &Answer) -> String {
    answer.warnings().join(", ")
}

/// Every version of a CRD sends exactly the predicted warning.
pub fn texts(api: Api, crd: &Crd, report: &mut Report) -> Result<(), Failure> {
    for version in &crd.versions {
        let foretold = warning::deprecation_warning(crd, &version.name);
        let (group, kind, plural) = (&crd.group, &crd.names.kind, &crd.names.plural);
        let answer = api.get(&format!("/apis/{group}/{}/{plural}", version.name))?;
        report.check(
            format!(
                "deprecation: {kind} {} warns as `explain-warning` says",
                version.name
            ),
            foretold.as_deref().map(warning::header).unwrap_or_default(),
            headers(&answer),
        );
    }
    Ok(())
}

/// The warning comes with every kind of request.
fn requests(api: Api, report: &mut Report) -> Result<(), Failure> {
    let old = olds(api, "v1alpha1");
    let expected = warning::header(&format!(
        "{GROUP}/v1alpha1 Old is deprecated; use {GROUP}/v1beta3 Old"
    ));
    let label = json!({"metadata": {"labels": {"a": "b"}}});
    let replicas = json!({"spec": {"replicas": 2}});
    let answers = [
        ("create", old.create("a", json!({"spec": {"replicas": 1}}))?),
        ("get", api.get(&old.path_of_object("a"))?),
        ("list", api.get(&old.path())?),
        (
            "update",
            old.change("a", |object| object["spec"]["replicas"] = json!(3))?,
        ),
        ("patch", api.patch(&old.path_of_object("a"), &label)?),
        ("a get of status", api.get(&old.path_of_object("a/status"))?),
        (
            "a patch of scale",
            api.patch(&old.path_of_object("a/scale"), &replicas)?,
        ),
        (
            "a request that is refused",
            old.create("a", json!({"spec": {"replicas": "many"}}))?,
        ),
        (
            "a get of what is not there",
            api.get(&old.path_of_object("nothing"))?,
        ),
        ("delete", api.delete(&old.path_of_object("a"))?),
    ];
    for (name, answer) in &answers {
        report.check(
            format!("deprecation: {name} is warned of"),
            &expected,
            headers(answer),
        );
    }
    let answer = olds(api, "v1beta3").create("b", json!({}))?;
    report.check(
        "deprecation: a version that is not deprecated does not warn",
        "",
        headers(&answer),
    );
    let answer = api.get(&olds(api, "v1").path())?;
    report.check(
        "deprecation: a deprecated version that is not served answers 404 and does not warn",
        "404 ",
        format!("{} {}", answer.status, headers(&answer)),
    );
    Ok(())
}

/// The metric has the labels group, version, resource and subresource.
fn gauge(api: Api, report: &mut Report) -> Result<(), Failure> {
    let metrics = api.get("/metrics")?.text;
    let value = |version: &str, subresource: &str| {
        let labels = [
            format!("group=\"{GROUP}\""),
            format!("version=\"{version}\""),
            "resource=\"olds\"".to_owned(),
            format!("subresource=\"{subresource}\""),
            "removed_release=\"\"".to_owned(),
        ];
        let mut lines = metrics.lines().filter(|line| {
            line.starts_with("apiserver_requested_deprecated_apis{")
                && labels.iter().all(|label| line.contains(label))
        });
        let value = lines.next().and_then(|line| line.rsplit(' ').next());
        value.unwrap_or("absent").to_owned()
    };
    for (version, subresource, expected) in [
        ("v1alpha1", "", "1"),
        ("v1alpha1", "status", "1"),
        ("v1alpha1", "scale", "1"),
        ("v1alpha2", "", "1"),
        ("v1beta3", "", "absent"),
        ("v1", "", "absent"),
    ] {
        report.check(
            format!("deprecation: apiserver_requested_deprecated_apis of {version} {subresource}"),
            expected,
            value(version, subresource),
        );
    }
    Ok(())
}

/// Audit events of requests to deprecated versions are marked, others are not.
fn audit(server: &Server, report: &mut Report) -> Result<(), Failure> {
    let log = server.audit_events()?;
    for (version, expected) in [
        ("v1alpha1", "\"true\""),
        ("v1alpha2", "\"true\""),
        ("v1beta3", "null"),
    ] {
        let mut marks: Vec<String> = log
            .iter()
            .filter(|event| {
                event["objectRef"]["resource"] == "olds"
                    && event["objectRef"]["apiVersion"] == version
            })
            .map(|event| event["annotations"]["k8s.io/deprecated"].to_string())
            .collect();
        marks.sort();
        marks.dedup();
        report.check(
            format!("deprecation: the audit annotation k8s.io/deprecated of {version}"),
            expected,
            marks.join(", "),
        );
    }
    let removed = log
        .iter()
        .filter(|event| event["objectRef"]["apiGroup"] == GROUP);
    let removed =
        removed.filter(|event| event["annotations"]["k8s.io/removed-release"] != Value::Null);
    report.check(
        "deprecation: no audit event names a release of removal",
        0,
        removed.count(),
    );
    Ok(())
}

/// The output of kubectl.
fn kubectl(server: &Server, report: &mut Report) -> Result<(), Failure> {
    let resource = format!("olds.v1alpha2.{GROUP}");
    let arguments = ["get", &resource, "--all-namespaces", "--output=name"];
    let output = server.kubectl(&arguments)?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let said = said.lines().find(|line| line.starts_with("Warning:"));
    let expected = "Warning: v1alpha2 goes with v2.0; write \"v1beta3\" (not \\v1beta2)";
    report.check(
        "deprecation: kubectl prints the text behind `Warning:`",
        expected,
        said.unwrap_or_default(),
    );
    report.check(
        "deprecation: kubectl succeeds anyway",
        true,
        output.status.success(),
    );
    let strict = server.kubectl(&[&arguments[..], &["--warnings-as-errors"]].concat())?;
    report.check(
        "deprecation: kubectl --warnings-as-errors fails",
        false,
        strict.status.success(),
    );
    Ok(())
}
