//! The example of a controller: it installs CRDs, is warned, sets conditions, and keeps off a newer bundle.

use super::Channel;
use super::install;
use crate::published::Published;
use crate::report::Report;
use crd_channels_envtest::Failure;
use crd_channels_envtest::server::Server;
use std::path::Path;
use std::process::Command;

/// The channel whose CRDs the example brings.
const CHANNEL: &str = "stable";

/// Runs the example and checks each line of it. `program` is the example.
///
/// # Errors
/// The program could not be started, or the server did not answer.
pub fn check(
    server: &Server,
    program: &Path,
    channels: &[Channel],
    report: &mut Report,
) -> Result<(), Failure> {
    let channel = channels.iter().find(|channel| channel.name == CHANNEL);
    let Some(channel) = channel else {
        return Ok(());
    };
    let output = Command::new(program)
        .env("KUBECONFIG", &server.kubeconfig)
        .output()
        .map_err(|error| Failure::new(format!("the example could not be started: {error}")))?;
    let version = channel.crds.first().map(bundle_version).unwrap_or_default();
    let said = String::from_utf8_lossy(&output.stdout);
    let mut said = said.lines();
    for (what, expected) in expected(&version) {
        report.check(
            format!("controller: {what}"),
            expected,
            said.next().unwrap_or_default(),
        );
    }
    report.check(
        "controller: it ends well",
        "",
        String::from_utf8_lossy(&output.stderr),
    );
    install::remove(server.api, &channel.crds.iter().collect::<Vec<_>>())
}

/// What it prints, where the CRDs of the working tree are of this version.
fn expected(version: &str) -> [(&'static str, String); 10] {
    let line = str::to_owned;
    [
        (
            "two replicas install an earlier bundle at once",
            line("installed: 4 and 4 CRDs"),
        ),
        (
            "it supports the earlier bundle",
            line("SupportedVersion is True: Version 0.3.0 of channel `stable`."),
        ),
        (
            "a user of the deprecated version is warned",
            line(
                " WARN edge.crd-channels.dev/v1beta1 EdgeGateway is deprecated, unavailable in v0.4.0+; use edge.crd-channels.dev/v1 EdgeGateway agent=\"-\"",
            ),
        ),
        (
            "two replicas install the bundle of the working tree at once",
            line("installed: 4 and 4 CRDs"),
        ),
        (
            "it supports that bundle",
            format!("SupportedVersion is True: Version {version} of channel `stable`."),
        ),
        (
            "the first visit sets the conditions",
            line("written: Accepted is True, Programmed is Unknown"),
        ),
        (
            "the second visit has nothing to write",
            line("nothing to write: Accepted is True, Programmed is Unknown"),
        ),
        (
            "a condition with a severity is what the API has",
            line("written: \"Warning\""),
        ),
        ("the soonest retry counts", line("try again: Soon")),
        (
            "the earlier release keeps off the newer bundle",
            format!(
                "refused: `edgegatewayclasses.edge.crd-channels.dev` is installed in version {version}, which is newer than 0.3.0"
            ),
        ),
    ]
}

/// The version in the annotation of a CRD, without the `v` before it.
fn bundle_version(published: &Published) -> String {
    let annotation = "/metadata/annotations/edge.crd-channels.dev~1bundle-version";
    let version = published.document.pointer(annotation);
    let version = version
        .and_then(|version| version.as_str())
        .unwrap_or_default();
    version.trim_start_matches('v').to_owned()
}
