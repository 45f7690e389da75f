//! The example of a controller: it installs CRDs, receives a warning, sets conditions, and does not overwrite a newer bundle.

use super::Channel;
use super::install;
use crate::published::Published;
use crate::report::Report;
use crd_channels_envtest::Failure;
use crd_channels_envtest::server::Server;
use std::path::Path;
use std::process::Command;

/// The channel whose CRDs the example embeds.
const CHANNEL: &str = "stable";

/// Runs the example `program` and checks each line of its output.
///
/// # Errors
/// The program could not be started, or the server did not respond.
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

/// Returns the expected output if the CRDs of the working tree have this version.
fn expected(version: &str) -> [(&'static str, String); 10] {
    let line = str::to_owned;
    [
        (
            "two replicas install an earlier bundle at once",
            line("installed: 4 and 4 CRDs"),
        ),
        (
            "it supports the earlier bundle",
            line(
                "SupportedVersion is True: The installed version 0.3.0 of channel `stable` is supported.",
            ),
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
            format!(
                "SupportedVersion is True: The installed version {version} of channel `stable` is supported."
            ),
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

/// Returns the version in the annotation of a CRD, without the leading `v`.
fn bundle_version(published: &Published) -> String {
    let annotation = "/metadata/annotations/edge.crd-channels.dev~1bundle-version";
    let version = published.document.pointer(annotation);
    let version = version
        .and_then(|version| version.as_str())
        .unwrap_or_default();
    version.trim_start_matches('v').to_owned()
}
