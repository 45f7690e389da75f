//! The Helm chart of a released bundle: what Helm makes of it is what was released, and a server takes it.

use super::install::said;
use crate::cluster::Failure;
use crate::cluster::http::Api;
use crate::cluster::published;
use crate::cluster::report::Report;
use crate::released::documents;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// Where CRDs go, without staying there.
const CRDS: &str =
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All&fieldValidation=Strict";

/// Tries the chart in a bundle's folder, channel by channel. Says so where there is no Helm or no chart.
///
/// # Errors
/// The server did not answer, or a file cannot be read.
pub fn check(
    api: Api,
    bundle: Option<&Path>,
    channels: &[String],
    report: &mut Report,
) -> Result<(), Failure> {
    let helm = std::env::var_os("HELM").unwrap_or_else(|| "helm".into());
    let has_helm = Command::new(&helm).arg("version").output().is_ok();
    let Some(bundle) = bundle.filter(|bundle| has_helm && bundle.join("chart").is_dir()) else {
        println!(
            "not tried: the Helm chart; it needs a released bundle, and `helm` on the path or in $HELM"
        );
        return Ok(());
    };
    let chart = bundle.join("chart");
    for channel in channels {
        let output = Command::new(&helm)
            .args(["template", "bundle"])
            .arg(&chart)
            .arg(format!("--set=channel={channel}"))
            .output()
            .map_err(|error| Failure::new(format!("helm could not be started: {error}")))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let made = documents::parse(&text).map_err(Failure::new)?;
        let released = published::read(&bundle.join(channel).join("crds"))?;
        let released: BTreeMap<String, _> = released
            .into_iter()
            .map(|published| (published.crd.name(), published.document))
            .collect();
        let mut found = BTreeMap::new();
        for mut crd in made {
            let name = crd["metadata"]["name"]
                .as_str()
                .unwrap_or_default()
                .to_owned();
            let answer = api.post(CRDS, &crd)?;
            report.check(
                format!("chart: {name} of channel {channel} is accepted"),
                "201",
                said(&answer),
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
    }
    let wrong = Command::new(&helm)
        .args(["template", "bundle"])
        .arg(&chart)
        .arg("--set=channel=nonsense")
        .output()
        .map_err(|error| Failure::new(format!("helm could not be started: {error}")))?;
    report.check(
        "chart: an unknown channel is refused",
        false,
        wrong.status.success(),
    );
    Ok(())
}
