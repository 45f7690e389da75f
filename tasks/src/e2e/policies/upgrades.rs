//! The policy for CRDs: which versions and channels may replace which.

use super::{
    ALL, CRD, DELETE, MERGE, PREFIX, annotate, create, is_refused, marked, tried, verdict,
    wait_until_refused,
};
use crate::e2e::install::described;
use crate::report::Report;
use crd_channels_envtest::Failure;
use crd_channels_envtest::http::Api;
use serde_json::{Value, json};

/// Versions in ascending order, of which each pair is tried: two digits, pre-releases of every form, snapshots, a number larger
/// than integers.
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

/// Texts that are not versions of a bundle and cannot be compared.
const OTHERS: [&str; 8] = [
    "",
    "v1",
    "v99.0",
    "monthly-2026.05",
    "v00.1.0",
    "99.0.0",
    "V99.0.0",
    "v99.0.0+",
];

const CHANNELS: [&str; 3] = ["stable", "preview", "experimental"];

/// A CRD that exists before the policies and has no annotations: the policies' own version and channel count as installed.
pub fn adopted(api: Api, crd: &Value, report: &mut Report) -> Result<(), Failure> {
    wait_until_refused(|| tried(api, Some("v0.0.9"), Some("stable")))?;
    report.check(
        "policies: over a CRD without a version no bundle comes that is older than the policy",
        format!(
            "bundle v0.0.9 is older than v0.1.0, which this policy is of. To go back, {DELETE}"
        ),
        verdict(&tried(api, Some("v0.0.9"), Some("stable"))?),
    );
    let patch = |body: Value| {
        api.send(
            "PATCH",
            &format!("{CRD}?dryRun=All"),
            &MERGE,
            &body.to_string(),
        )
    };
    let mut versions = crd["spec"]["versions"].clone();
    versions[0]["schema"]["openAPIV3Schema"]["description"] = json!("another");
    for (what, body) in [
        ("be labelled", json!({"metadata": {"labels": {"a": "b"}}})),
        ("be changed", json!({"spec": {"versions": versions}})),
    ] {
        report.check(
            format!("policies: a CRD without a version may {what}"),
            "200",
            verdict(&patch(body)?),
        );
    }
    report.check(
        "policies: a CRD without a version may come into a bundle",
        "200",
        verdict(&tried(api, Some("v0.1.0"), Some("experimental"))?),
    );
    Ok(())
}

/// Tries every version over every other one.
pub fn versions(api: Api, crd: &Value, report: &mut Report) -> Result<(), Failure> {
    create(api, crd, "v0.1.0", "stable")?;
    for (place, old) in VERSIONS.iter().enumerate() {
        for build in ["", "+build-1.x"] {
            let old = format!("{old}{build}");
            let answer = annotate(api, CRD, Some(&old), Some("stable"))?;
            let mut refused = Vec::new();
            for new in VERSIONS.iter().chain(&OTHERS) {
                let new = format!("{new}{}", if build.is_empty() { "" } else { "+z" });
                let answer = tried(api, Some(&new), Some("stable"))?;
                if is_refused(&answer) {
                    refused.push(new);
                } else if answer.status != 200 {
                    refused.push(described(&answer));
                }
            }
            let older = VERSIONS.iter().take(place).chain(&OTHERS);
            let expected =
                older.map(|new| format!("{new}{}", if build.is_empty() { "" } else { "+z" }));
            let expected: Vec<String> = expected.collect();
            report.check(
                format!(
                    "policies: {old} is accepted over older versions; of {} texts the older versions are refused over it, and what is not a version",
                    VERSIONS.len() + OTHERS.len()
                ),
                format!("200, {}", expected.join(" ")),
                format!("{}, {}", described(&answer), refused.join(" ")),
            );
        }
    }
    create(api, crd, "v0.4.0+build", "stable")?;
    for (new, said) in [
        (
            Some("v0.3.9"),
            format!("bundle v0.3.9 is older than v0.4.0, which is installed. To go back, {DELETE}"),
        ),
        (
            Some("0.4.0"),
            format!(
                "the annotation {PREFIX}/bundle-version says 0.4.0, which is not a version of a bundle. Apply a CRD of a bundle as it was released. To do without, {DELETE}"
            ),
        ),
        (
            None,
            format!(
                "the annotation {PREFIX}/bundle-version is missing. Apply a CRD of a bundle as it was released. To do without, {DELETE}"
            ),
        ),
    ] {
        report.check(
            format!("policies: the message for {new:?} over v0.4.0+build"),
            said,
            verdict(&tried(api, new, Some("stable"))?),
        );
    }
    Ok(())
}

/// Tries every channel over every other one.
pub fn switches(api: Api, crd: &Value, report: &mut Report) -> Result<(), Failure> {
    for (from, refused) in [
        ("stable", &["preview", "experimental"][..]),
        ("preview", &["experimental"]),
        ("experimental", &[]),
    ] {
        create(api, crd, "v0.2.0", from)?;
        let mut found = Vec::new();
        for to in CHANNELS
            .iter()
            .chain(&["Experimental", "somebody-elses", ""])
        {
            if is_refused(&tried(api, Some("v0.2.0"), Some(to))?) {
                found.push(*to);
            }
        }
        if is_refused(&tried(api, Some("v0.2.0"), None)?) {
            found.push("none");
        }
        let never = ["Experimental", "somebody-elses", "", "none"];
        report.check(
            format!("policies: over the channel {from} are refused"),
            [refused, &never].concat().join(" "),
            found.join(" "),
        );
    }
    create(api, crd, "v0.2.0", "stable")?;
    report.check(
        "policies: the message for another channel",
        format!("the stable channel is installed; the experimental channel adds experimental features. To switch, {DELETE}"),
        verdict(&tried(api, Some("v0.2.0"), Some("experimental"))?),
    );
    report.check(
        "policies: the message for a channel that the bundle does not have",
        format!("the annotation {PREFIX}/channel says Experimental, which this policy does not know. Apply a CRD of a bundle as it was released. To do without, {DELETE}"),
        verdict(&tried(api, Some("v0.2.0"), Some("Experimental"))?),
    );
    // Other groups are not affected.
    let mut other = marked(crd, "v9.0.0", "stable");
    other["metadata"]["name"] = json!("gauges.other.crd-channels.dev");
    other["spec"]["group"] = json!("other.crd-channels.dev");
    let place = format!("{ALL}/gauges.other.crd-channels.dev");
    api.post(ALL, &other)?;
    report.check(
        "policies: CRDs of other groups are left alone",
        "200",
        verdict(&annotate(api, &place, Some("v0.1.0"), None)?),
    );
    api.delete(&place)?;
    Ok(())
}
