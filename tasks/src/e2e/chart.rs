//! The Helm chart of a released bundle: Helm renders what was released, and a server accepts it.

use super::install::described;
use super::programs::Programs;
use crate::published;
use crate::report::Report;
use crd_channels_envtest::Failure;
use crd_channels_envtest::http::Api;
use crd_channels_envtest::server::Server;
use crd_channels_files::Disk;
use crd_channels_released::documents;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// The path to post CRDs to, as a dry run.
const CRDS: &str =
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All&fieldValidation=Strict";

/// Renders a bundle's chart for each channel and compares the result with what was released. Without Go or without a chart it
/// prints that nothing was tried.
///
/// # Errors
/// The server did not respond, or a file cannot be read.
pub fn check(
    server: &Server,
    programs: Option<&Programs>,
    bundle: Option<&Path>,
    channels: &[String],
    report: &mut Report,
) -> Result<(), Failure> {
    let bundle = bundle.filter(|bundle| bundle.join("chart").is_dir());
    let (Some(programs), Some(bundle)) = (programs, bundle) else {
        println!(
            "not tried: the Helm chart; it needs a released bundle, and Go with the source of crd-channels"
        );
        return Ok(());
    };
    let api = server.api;
    let chart = bundle.join("chart");
    let template = |values: &[String]| {
        let verb = ["template".to_owned(), chart.display().to_string()];
        programs.run("helm", verb.iter().chain(values), None, server)
    };
    let made = |values: &[String]| {
        let text = template(values)?.map_err(Failure::new)?;
        documents::parse(&text).map_err(Failure::new)
    };
    for channel in channels {
        let made_crds = made(&[format!("channel={channel}")])?;
        let released: BTreeMap<String, _> =
            published::read_published(&bundle.join(channel).join("crds"))?
                .into_iter()
                .map(|published| (published.crd.name(), published.document))
                .collect();
        let mut found = BTreeMap::new();
        for mut crd in made_crds.clone() {
            let name = crd["metadata"]["name"]
                .as_str()
                .unwrap_or_default()
                .to_owned();
            let answer = api.post(CRDS, &crd)?;
            report.check(
                format!("chart: {name} of channel {channel} is accepted"),
                "201",
                described(&answer),
            );
            let annotations = crd["metadata"]["annotations"].as_object_mut();
            let kept = annotations.and_then(|all| all.remove("helm.sh/resource-policy"));
            report.check(
                format!("chart: {name} of channel {channel} stays when the release goes"),
                "\"keep\"",
                kept.unwrap_or_default(),
            );
            found.insert(name, crd);
        }
        report.check(
            format!("chart: channel {channel} is what was released"),
            true,
            found == released,
        );
        if chart.join("policies").is_dir() {
            let mut with_policies = made(&[
                format!("channel={channel}"),
                "policies.enabled=true".to_owned(),
            ])?;
            with_policies.retain(|document| !made_crds.contains(document));
            policies(api, channel, &bundle.join(channel), with_policies, report)?;
        }
    }
    report.check(
        "chart: an unknown channel is refused",
        false,
        template(&["channel=nonsense".to_owned()])?.is_ok(),
    );
    Ok(())
}

/// Checks what the chart has besides CRDs if policies are enabled.
fn policies(
    api: Api,
    channel: &str,
    folder: &Path,
    mut found: Vec<Value>,
    report: &mut Report,
) -> Result<(), Failure> {
    let folder = folder.join("policies");
    let mut released = Vec::new();
    for path in documents::yaml_and_json_files(&folder, &Disk) {
        let text = std::fs::read_to_string(&path)
            .map_err(|error| Failure::new(format!("`{}`: {error}", path.display())))?;
        released.extend(documents::parse(&text).map_err(Failure::new)?);
    }
    released.retain(|document| document["kind"] != "Kustomization");
    for policy in &found {
        let all = match policy["kind"].as_str() {
            Some("ValidatingAdmissionPolicy") => "validatingadmissionpolicies",
            _ => "validatingadmissionpolicybindings",
        };
        let place = format!(
            "/apis/admissionregistration.k8s.io/v1/{all}?dryRun=All&fieldValidation=Strict"
        );
        let answer = api.post(&place, policy)?;
        report.check(
            format!(
                "chart: {} {} of channel {channel} is accepted",
                policy["kind"], policy["metadata"]["name"]
            ),
            "201",
            described(&answer),
        );
    }
    let in_order = |policies: &mut Vec<Value>| policies.sort_by_key(Value::to_string);
    in_order(&mut found);
    in_order(&mut released);
    report.check(
        format!("chart: the policies of channel {channel} are what was released"),
        true,
        found == released,
    );
    Ok(())
}
