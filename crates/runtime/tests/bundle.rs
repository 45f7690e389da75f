//! Reads the bundle of a CRD.

#![allow(clippy::unwrap_used, reason = "tests")]

use crd_channels_runtime::bundle::{BundleInfo, NotABundle, SUPPORTED_VERSION, Support};
use crd_channels_runtime::conditions::{ConditionType, Status};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use semver::Version;
use serde_json::{Map, Value, json};

fn of(annotations: &[(&str, &str)]) -> Result<BundleInfo, NotABundle> {
    let annotations: Map<String, Value> = annotations
        .iter()
        .map(|(key, value)| ((*key).to_owned(), Value::from(*value)))
        .collect();
    let crd: CustomResourceDefinition = serde_json::from_value(json!({
        "metadata": { "annotations": annotations },
        "spec": {
            "group": "a.example.com", "names": { "kind": "Route", "plural": "routes" }, "scope": "Namespaced", "versions": [],
        },
    }))
    .unwrap();
    BundleInfo::of(&crd)
}

#[test]
fn the_groups_own_annotations_go_before_others() {
    let version = |prefix: &str| format!("{prefix}/bundle-version");
    let (own, other, third) = (
        version("a.example.com"),
        version("b.example.com"),
        version("c.example.com"),
    );
    let both = of(&[
        (&other, "v9.0.0"),
        (&own, "v0.1.0"),
        ("b.example.com/channel", "x"),
        ("a.example.com/channel", "stable"),
    ]);
    let both = both.unwrap();
    assert_eq!(
        (&*both.prefix, both.version, &*both.channel),
        ("a.example.com", Version::new(0, 1, 0), "stable")
    );
    let shared = of(&[(&other, "v0.1.0"), ("b.example.com/channel", "stable")]);
    assert_eq!(shared.unwrap().prefix, "b.example.com");
    assert_eq!(of(&[]), Err(NotABundle::NoVersion));
    assert_eq!(
        of(&[(&other, "v0.1.0"), (&third, "v0.1.0")]),
        Err(NotABundle::Several)
    );
    assert_eq!(
        of(&[(&own, "0.1.0")]),
        Err(NotABundle::Malformed("0.1.0".to_owned()))
    );
    assert_eq!(
        of(&[(&own, "v0.1.0"), ("b.example.com/channel", "x")]),
        Err(NotABundle::NoChannel)
    );
}

#[test]
fn support_asks_for_version_channel_and_one_bundle() {
    let crd = |version: &str, channel: &str| {
        of(&[
            ("a.example.com/bundle-version", version),
            ("a.example.com/channel", channel),
        ])
    };
    let support = Support::new(Version::new(0, 4, 0)..Version::new(0, 6, 0), &["stable"]);
    let supported = (Status::True, "SupportedVersion");
    let unsupported = (Status::False, "UnsupportedVersion");
    for (crds, expected) in [
        (vec![], (Status::Unknown, "Pending")),
        (
            vec![crd("v0.4.0", "stable"), crd("v0.4.0", "stable")],
            supported,
        ),
        (vec![crd("v0.4.0-dev", "stable")], supported),
        (vec![crd("v0.6.0-dev", "stable")], unsupported),
        (vec![crd("v0.3.9", "stable")], unsupported),
        (vec![crd("v0.5.0", "experimental")], unsupported),
        (
            vec![crd("v0.5.0", "stable"), crd("v0.5.1", "stable")],
            unsupported,
        ),
        (vec![crd("v0.5.0", "stable"), of(&[])], unsupported),
    ] {
        let decision = support.decide(crds.clone());
        let decided = (decision.status, decision.reason.as_str());
        assert_eq!(decided, expected, "{crds:?}: {}", decision.message);
    }
    assert_eq!(
        SUPPORTED_VERSION,
        ConditionType::positive("SupportedVersion"),
        "Gateway API's word"
    );
}

/// Gateway API releases its experimental channel each month, without a semantic version.
#[test]
fn a_version_that_cannot_be_compared_is_unknown_until_it_is_named() {
    let crd = |version: &str| {
        of(&[
            ("a.example.com/bundle-version", version),
            ("a.example.com/channel", "experimental"),
        ])
    };
    let support = Support::new(
        Version::new(1, 4, 0)..Version::new(1, 6, 0),
        &["experimental"],
    );
    let (june, july) = ("monthly-2026.06", "monthly-2026.07");
    for (named, crds, status, reason) in [
        (&[][..], vec![june, june], Status::Unknown, "UnknownVersion"),
        (&[june], vec![june, june], Status::True, "SupportedVersion"),
        (&[july], vec![june], Status::Unknown, "UnknownVersion"),
        (&[], vec![june, july], Status::False, "UnsupportedVersion"),
        (
            &[],
            vec![june, "v1.5.0"],
            Status::False,
            "UnsupportedVersion",
        ),
        (
            &[],
            vec!["v1.5.0", june],
            Status::False,
            "UnsupportedVersion",
        ),
        (
            &[june, july],
            vec![june, july],
            Status::False,
            "UnsupportedVersion",
        ),
        (
            &[june],
            vec![june, "v1.5.0"],
            Status::False,
            "UnsupportedVersion",
        ),
        (&[june], vec!["v1.5.0"], Status::True, "SupportedVersion"),
        (
            &[june],
            vec![june, "v1.7.0"],
            Status::False,
            "UnsupportedVersion",
        ),
    ] {
        let decision = support.decide_with(named, crds.iter().map(|version| crd(version)));
        let decided = (decision.status, decision.reason.as_str());
        assert_eq!(
            decided,
            (status, reason),
            "{named:?} {crds:?}: {}",
            decision.message
        );
    }
    let unknown = support.decide([crd(june)]);
    assert_eq!(
        unknown.message,
        "The installed version `monthly-2026.06` cannot be compared with the supported ones: it is not `v` and a semantic version."
    );
}
