//! What is reserved is on the pages, with its reason: beside the kind, its changes and its feature.

use crate::api;
use crd_channels_reference::{Look, feature_history, markdown, site, status};
use crd_channels_released::manifest::Gate;

#[test]
fn reserved_names_have_their_reasons() {
    let reason = "retries belong to the backend and moved to EdgeBackendPolicy";
    let files = site(&api(), &Look::default()).unwrap();
    for (file, expected) in [
        (
            "edgeroutes.edge.crd-channels.dev.html",
            format!(
                "<li><code>retries</code> in <code>spec.rules[]</code>, removed in v0.3.0: {reason}</li>"
            ),
        ),
        (
            "changes.html",
            format!("<code>v1.spec.rules[].retries</code> was removed: {reason}</li>"),
        ),
    ] {
        assert!(
            files[file].contains(&expected),
            "{expected}\n{}",
            files[file]
        );
    }
    let files = markdown(&api(), &Look::default());
    for (file, expected) in [
        (
            "edgeroutes.edge.crd-channels.dev.md",
            format!("- `retries` in `spec.rules[]`, removed in v0.3.0: {reason}\n"),
        ),
        (
            "changes.md",
            format!("- `v1.spec.rules[].retries` was removed: {reason}\n"),
        ),
    ] {
        assert!(
            files[file].contains(&expected),
            "{expected}\n{}",
            files[file]
        );
    }
}

#[test]
fn features_know_what_became_of_what_they_gate() {
    let mut api = api();
    // The manifests here are older than the record of gates.
    let gate = |path: &str| Gate {
        group: String::new(),
        kind: "EdgeRoute".to_owned(),
        version: "v1".to_owned(),
        path: path.to_owned(),
        what: "field".to_owned(),
        detail: String::new(),
        without: false,
    };
    for release in &mut api.releases {
        for feature in &mut release.features {
            match &*feature.name {
                "RouteTimeouts" => feature.gates = Some(vec![gate("spec.rules[].timeouts")]),
                "RouteRetries" => feature.gates = Some(vec![gate("spec.rules[].retries")]),
                _ => {}
            }
        }
    }
    let features = feature_history(&api);
    let of = |name: &str| features.iter().find(|it| it.name == name).unwrap();
    let place = |name: &str| of(name).gates.as_ref().unwrap()[0].places[0].clone();
    assert_eq!(of("RouteTimeouts").ended, None);
    assert_eq!(
        status(&place("RouteTimeouts").life).unwrap(),
        "experimental since v0.2.0"
    );
    assert_eq!(of("RouteRetries").ended.as_deref(), Some("v0.3.0"));
    assert_eq!(
        status(&place("RouteRetries").life).unwrap(),
        "removed in v0.3.0, before that experimental since v0.1.0"
    );
    assert!(place("RouteRetries").reason.unwrap().starts_with("retries"));
    assert_eq!(of("RouteRuleNames").gates.as_deref().map(<[_]>::len), None);
}

/// A name that came back before may have been removed for another reason.
#[test]
fn the_reason_is_that_of_the_bundle_that_the_tombstone_names() {
    let mut api = api();
    for release in &mut api.releases {
        let names = release
            .set
            .tombstones
            .iter_mut()
            .flat_map(|it| &mut it.names);
        for tombstone in names.filter(|it| it.name == "retries") {
            tombstone.removed = "v0.2.0".to_owned();
        }
    }
    let files = markdown(&api, &Look::default());
    assert!(files["changes.md"].contains("- `v1.spec.rules[].retries` was removed\n"));
    let page = &files["edgeroutes.edge.crd-channels.dev.md"];
    assert!(page.contains("- `retries` in `spec.rules[]`, removed in v0.2.0: "));
}
