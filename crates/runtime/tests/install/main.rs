//! Which CRDs a controller may install over others, and that a race between two controllers does no harm.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod server;

use crd_channels_runtime::bundle::NotABundle;
use crd_channels_runtime::install::{
    Allowed, CrdWrite, Embedded, InstallError, InstallPlan, NotEmbedded, Options, Refusal, install,
};
use k8s_openapi::ByteString;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use semver::Version;
use serde_json::{Value, json};
use server::Server;
use std::time::Duration;

const ROUTES: &str = "routes.a.example.com";
const GATEWAYS: &str = "gateways.a.example.com";
const POLICIES: &str = "policies.a.example.com";

/// Returns the document of a CRD with these versions of the kind.
fn written(name: &str, version: &str, channel: &str, versions: &[&str]) -> Value {
    let versions: Vec<Value> = versions
        .iter()
        .map(|version| {
            json!({"name": version, "served": true, "storage": *version == versions[0], "schema": {"openAPIV3Schema": {"type": "object"}}})
        })
        .collect();
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": name, "annotations": {
            "a.example.com/bundle-version": version, "a.example.com/channel": channel,
        }},
        "spec": {
            "group": "a.example.com", "scope": "Namespaced", "versions": versions,
            "names": {"kind": "Kind", "plural": name.split('.').next()},
        },
    })
}

fn embedded(crds: &[Value]) -> Embedded {
    let texts: Vec<String> = crds.iter().map(Value::to_string).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    Embedded::parse(&texts).unwrap()
}

/// The bundle in the program.
fn ours() -> Embedded {
    embedded(&[
        written(ROUTES, "v0.4.0", "stable", &["v1"]),
        written(GATEWAYS, "v0.4.0", "stable", &["v1", "v1beta1"]),
    ])
}

fn installed(written: Value) -> CustomResourceDefinition {
    let mut crd: CustomResourceDefinition = serde_json::from_value(written).unwrap();
    crd.metadata.resource_version = Some("7".to_owned());
    crd
}

#[test]
fn texts_are_the_crds_of_one_bundle() {
    let text = "# A bundle.\n---\n".to_owned()
        + &written(ROUTES, "v0.4.0", "stable", &["v1"]).to_string()
        + "\n---\n"
        + &written(GATEWAYS, "v0.4.0", "stable", &["v1"]).to_string()
        + "\n---\n";
    let found = Embedded::parse(&[&text]).unwrap();
    let names: Vec<_> = found
        .crds()
        .iter()
        .map(|crd| crd.metadata.name.as_deref().unwrap())
        .collect();
    assert_eq!(names, [GATEWAYS, ROUTES]);
    assert_eq!(found.bundle().version, Version::new(0, 4, 0));

    let refused = |crds: &[Value]| {
        let texts: Vec<String> = crds.iter().map(Value::to_string).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        Embedded::parse(&texts).unwrap_err()
    };
    let routes = written(ROUTES, "v0.4.0", "stable", &["v1"]);
    let other = written(GATEWAYS, "v0.4.0", "experimental", &["v1"]);
    let mut bare = routes.clone();
    bare["metadata"]["annotations"] = json!({});
    assert_eq!(refused(&[]), NotEmbedded::Empty);
    assert_eq!(
        refused(&[routes.clone(), routes.clone()]),
        NotEmbedded::Twice(ROUTES.to_owned())
    );
    assert_eq!(
        refused(&[routes, other]),
        NotEmbedded::Mixed(GATEWAYS.to_owned(), ROUTES.to_owned())
    );
    assert_eq!(
        refused(&[bare]),
        NotEmbedded::NotABundle(ROUTES.to_owned(), NotABundle::NoVersion)
    );
    let kustomization =
        json!({"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization"});
    assert!(matches!(refused(&[kustomization]), NotEmbedded::NotACrd(_)));
    assert!(matches!(
        Embedded::parse(&["a: [b"]),
        Err(NotEmbedded::Yaml(_))
    ));
}

/// The CRDs that this repository ships belong to a bundle, in both channels.
#[test]
fn generated_crds_are_read() {
    for (channel, count) in [("stable", 4), ("experimental", 5)] {
        let folder = format!("{}/../../generated/{channel}", env!("CARGO_MANIFEST_DIR"));
        let files = std::fs::read_dir(folder).unwrap();
        let paths = files.map(|file| file.unwrap().path());
        let texts: Vec<String> = paths
            .filter(|path| !path.ends_with("kustomization.yaml"))
            .map(|path| std::fs::read_to_string(path).unwrap())
            .collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let found = Embedded::parse(&texts).unwrap();
        assert_eq!(
            (found.crds().len(), &*found.bundle().channel),
            (count, channel)
        );
    }
}

#[test]
fn a_plan_creates_first_and_names_what_is_left_over() {
    let plan = |crds: &[CustomResourceDefinition]| {
        InstallPlan::decide(&ours(), crds, Allowed::default()).unwrap()
    };
    let step = |name: &str, version: Option<&str>| CrdWrite {
        name: name.to_owned(),
        resource_version: version.map(str::to_owned),
    };
    assert_eq!(plan(&[]).steps, [step(GATEWAYS, None), step(ROUTES, None)]);
    let old = installed(written(GATEWAYS, "v0.3.0", "stable", &["v1beta1"]));
    let gone = installed(written(POLICIES, "v0.2.0", "stable", &["v1"]));
    let found = plan(&[old, gone]);
    assert_eq!(found.steps, [step(ROUTES, None), step(GATEWAYS, Some("7"))]);
    assert_eq!(found.left_over, [POLICIES]);
}

#[test]
fn what_speaks_against_an_installation() {
    let [mut channel, mut unknown, mut older] = [Allowed::default(); 3];
    channel.other_channel = true;
    unknown.unknown_bundle = true;
    older.older_bundle = true;
    let crd = |version, channel| written(ROUTES, version, channel, &["v1"]);
    let stored = |versions: &[&str]| {
        let mut crd = crd("v0.3.0", "stable");
        crd["status"] = json!({"storedVersions": versions, "conditions": [], "acceptedNames": {"kind": "", "plural": ""}});
        crd
    };
    let mut deleted = crd("v0.4.0", "stable");
    deleted["metadata"]["deletionTimestamp"] = "2026-11-23T00:00:00Z".into();
    let mut bare = crd("v0.3.0", "stable");
    bare["metadata"]["annotations"] = json!({});
    let mut foreign = bare.clone();
    foreign["metadata"]["annotations"] =
        json!({"b.example.com/bundle-version": "v0.1.0", "b.example.com/channel": "stable"});
    let extra = written(POLICIES, "v0.5.0", "stable", &["v1"]);
    let left = written(POLICIES, "v0.3.0", "experimental", &["v1"]);
    let newer = Some("newer than 0.4.0");
    for (what, installed_crds, allowed, expected) in [
        (
            "the same",
            vec![crd("v0.4.0", "stable")],
            Allowed::default(),
            None,
        ),
        (
            "older",
            vec![crd("v0.3.9", "stable")],
            Allowed::default(),
            None,
        ),
        (
            "a pre-release of ours",
            vec![crd("v0.4.0-dev", "stable")],
            Allowed::default(),
            None,
        ),
        (
            "a version that cannot be compared",
            vec![crd("monthly-2026.06", "experimental")],
            channel,
            Some("its version is `monthly-2026.06`, not `v` and a semantic version"),
        ),
        (
            "a version that cannot be compared, if that is allowed",
            vec![crd("monthly-2026.06", "experimental")],
            unknown,
            None,
        ),
        (
            "a patch later",
            vec![crd("v0.4.1", "stable")],
            Allowed::default(),
            newer,
        ),
        (
            "a pre-release later",
            vec![crd("v0.4.1-dev", "stable")],
            Allowed::default(),
            newer,
        ),
        (
            "newer, if another channel is allowed",
            vec![crd("v0.5.0", "experimental")],
            channel,
            newer,
        ),
        (
            "newer, if that is allowed",
            vec![crd("v0.5.0", "stable")],
            older,
            None,
        ),
        (
            "newer and of another channel, if newer is allowed",
            vec![crd("v0.5.0", "experimental")],
            older,
            Some("from channel `experimental`, not from `stable`"),
        ),
        (
            "newer, and a CRD that we do not know",
            vec![extra],
            Allowed::default(),
            newer,
        ),
        (
            "fields would go",
            vec![crd("v0.4.0", "experimental")],
            Allowed::default(),
            Some("from channel `experimental`, not from `stable`"),
        ),
        (
            "and may",
            vec![crd("v0.4.0", "experimental")],
            channel,
            None,
        ),
        (
            "left over from a switch",
            vec![left],
            Allowed::default(),
            None,
        ),
        (
            "an interrupted installation",
            vec![
                crd("v0.4.0", "stable"),
                written(GATEWAYS, "v0.3.0", "stable", &["v1"]),
            ],
            Allowed::default(),
            None,
        ),
        (
            "two channels",
            vec![
                crd("v0.4.0", "stable"),
                written(GATEWAYS, "v0.3.0", "experimental", &["v1"]),
            ],
            Allowed::default(),
            Some("`gateways.a.example.com` is installed from channel"),
        ),
        (
            "no bundle",
            vec![bare.clone()],
            Allowed::default(),
            Some("no annotation"),
        ),
        ("no bundle, allowed", vec![bare], unknown, None),
        (
            "another API's",
            vec![foreign],
            unknown,
            Some("from the bundle of `b.example.com`"),
        ),
        (
            "stored in what stays",
            vec![stored(&["v1"])],
            Allowed::default(),
            None,
        ),
        (
            "stored in what goes",
            vec![stored(&["v1alpha1", "v1"])],
            Allowed::default(),
            Some("stored in version `v1alpha1`"),
        ),
        (
            "being deleted",
            vec![deleted],
            Allowed::default(),
            Some("being deleted"),
        ),
    ] {
        let crds: Vec<_> = installed_crds.into_iter().map(installed).collect();
        match (InstallPlan::decide(&ours(), &crds, allowed), expected) {
            (Ok(_), None) => {}
            (Err(against), Some(expected)) => {
                let said: Vec<String> = against.iter().map(Refusal::to_string).collect();
                assert_eq!(said.len(), 1, "{what}: {said:?}");
                assert!(said[0].contains(expected), "{what}: {said:?}");
            }
            (found, expected) => panic!("{what}: {found:?}, not {expected:?}"),
        }
    }
    // The same from stable to experimental.
    let experimental = embedded(&[written(ROUTES, "v0.4.0", "experimental", &["v1"])]);
    let crds = [installed(crd("v0.4.0", "stable"))];
    assert!(InstallPlan::decide(&experimental, &crds, Allowed::default()).is_err());
    assert!(InstallPlan::decide(&experimental, &crds, channel).is_ok());
}

/// Returns the two CRDs of the bundle in one version.
fn both(version: &str) -> [String; 2] {
    [GATEWAYS, ROUTES].map(|name| format!("{name} {version}"))
}

fn options() -> Options {
    let mut options = Options::new("operator");
    options.patience = Duration::from_secs(5);
    options
}

#[tokio::test(start_paused = true)]
async fn an_installation_is_idempotent() {
    let server = Server::default();
    for _ in 0..2 {
        let done = install(&server.client(), &ours(), &options())
            .await
            .unwrap();
        assert_eq!(done.left_over, Vec::<String>::new());
        assert_eq!(server.versions(), both("v0.4.0"));
    }
    assert_eq!(server.writes(), 2, "the second one changes nothing");
    assert!(server.looks() > 1, "it waits until both versions are shown");
}

#[tokio::test(start_paused = true)]
async fn nothing_is_written_where_the_server_refuses_one() {
    let server = Server::default();
    server.refuse(ROUTES);
    let error = install(&server.client(), &ours(), &options())
        .await
        .unwrap_err();
    assert!(matches!(error, InstallError::Client(_)), "{error}");
    assert_eq!(server.writes(), 0);
    server.put(written(ROUTES, "v0.5.0", "stable", &["v1"]));
    let error = install(&server.client(), &ours(), &options())
        .await
        .unwrap_err();
    assert!(matches!(error, InstallError::Refused(_)), "{error}");
    assert!(error.is_newer_installed());
    assert_eq!(server.versions(), [format!("{ROUTES} v0.5.0")]);
    server.put(written(ROUTES, "v0.3.0", "experimental", &["v1"]));
    let error = install(&server.client(), &ours(), &options())
        .await
        .unwrap_err();
    assert!(!error.is_newer_installed(), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_webhook_is_installed_with_what_servers_have_to_trust() {
    let [mut converted, other] =
        [ROUTES, GATEWAYS].map(|name| written(name, "v0.4.0", "stable", &["v1"]));
    converted["spec"]["conversion"] = json!({
        "strategy": "Webhook",
        "webhook": { "conversionReviewVersions": ["v1"], "clientConfig": { "url": "https://a.example" } },
    });
    let server = Server::default();
    let embedded = embedded(&[converted, other]);
    let bundle = |name| {
        let crd = server.crd(name);
        let bundle = crd.pointer("/spec/conversion/webhook/clientConfig/caBundle")?;
        let ByteString(bundle) = serde_json::from_value(bundle.clone()).unwrap();
        Some(String::from_utf8(bundle).unwrap())
    };
    let certificate =
        |text| format!("-----BEGIN CERTIFICATE-----\n{text}\n-----END CERTIFICATE-----\n");
    let (first, second) = (certificate("A"), certificate("B"));
    let both = format!("{second}{first}");
    let (third, all) = (certificate("C"), format!("{}{both}", certificate("C")));
    let third = third.trim_end().to_owned();
    // A replica that starts later brings another certificate, while the first one still serves its own.
    for (own, trusted) in [
        (&first, &first),
        (&second, &both),
        (&second, &both),
        (&third, &all),
    ] {
        let mut options = options();
        options.ca_bundle = Some(own.clone());
        let installed = install(&server.client(), &embedded, &options).await;
        installed.unwrap();
        assert_eq!(bundle(ROUTES).as_ref(), Some(trusted));
        assert_eq!(bundle(GATEWAYS), None);
    }
}

/// The newer bundle stays, before whichever of our requests another controller writes.
#[tokio::test(start_paused = true)]
async fn a_newer_bundle_wins_every_race() {
    let mut refused = 0;
    for request in 1..20 {
        let server = Server::default();
        server.put(written(ROUTES, "v0.3.0", "stable", &["v1"]));
        let newer = ["v0.5.0"; 2].into_iter().zip([ROUTES, GATEWAYS]);
        let newer = newer.map(|(version, name)| written(name, version, "stable", &["v1"]));
        server.put_before(request, newer.collect());
        let done = install(&server.client(), &ours(), &options()).await;
        if !server.was_put() {
            assert!(done.is_ok());
            assert_eq!(server.versions(), both("v0.4.0"));
            continue;
        }
        refused += usize::from(done.is_err());
        assert_eq!(
            server.versions(),
            both("v0.5.0"),
            "request {request}: {done:?}"
        );
    }
    assert!(refused > 4, "{refused} installations saw the newer bundle");
}

#[tokio::test(start_paused = true)]
async fn replicas_start_at_once() {
    let server = Server::default();
    let (embedded, options) = (ours(), options());
    let clients: Vec<_> = (0..4).map(|_| server.client()).collect();
    let [a, b, c, d] = [0, 1, 2, 3].map(|at| install(&clients[at], &embedded, &options));
    let (a, b, c, d) = tokio::join!(a, b, c, d);
    for done in [a, b, c, d] {
        assert_eq!(done.unwrap().applied.len(), 2);
    }
    assert_eq!(server.versions(), both("v0.4.0"));
}

#[tokio::test(start_paused = true)]
async fn names_that_are_taken_are_waited_for_and_said() {
    let server = Server::default();
    server.never_accept(GATEWAYS);
    let mut options = options();
    options.patience = Duration::from_millis(400);
    let error = install(&server.client(), &ours(), &options)
        .await
        .unwrap_err();
    let expected = "the CRDs are not installed in time: `gateways.a.example.com` is not `NamesAccepted`: taken";
    assert_eq!(error.to_string(), expected);
}
