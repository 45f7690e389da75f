//! The needs of update bots: a bound, an exit code, JSON.

use super::support::{Ran, Workspace};
use super::{bundles, crd, empty, locked, pin, release, released};
use crd_channels_released::digest::Digest;
use crd_channels_released::manifest::{Baseline, Manifest};
use serde_json::{Value, json};

#[test]
fn an_update_beyond_its_bound_is_refused() {
    let workspace = released();
    release(&workspace, "api/channels", "v1.0.0", 40);
    let from = |version: &str| {
        let _ = std::fs::remove_file(workspace.path("bundle.lock"));
        pin(&workspace, &["--from", "api", "--version", version]).with_code(0);
    };
    for (old, new, against, words) in [
        ("v0.2.0", "v0.2.1", "patch", None),
        ("v0.2.0", "v0.10.0", "minor", None),
        (
            "v0.2.0",
            "v0.10.0",
            "patch",
            Some("v0.10.0 is more than a patch: it follows v0.2.0"),
        ),
        (
            "v0.2.0",
            "v1.0.0",
            "minor",
            Some("v1.0.0 is more than a minor: it follows v0.2.0"),
        ),
        (
            "v0.2.0",
            "v0.1.0",
            "patch",
            Some("v0.1.0 is more than a patch: it is older than v0.2.0"),
        ),
    ] {
        for more in [&["--dry-run"][..], &[]] {
            from(old);
            let arguments = ["--update", "--version", new, "--against", against];
            let ran =
                pin(&workspace, &[&arguments, more].concat()).with_code(i32::from(words.is_some()));
            let stays = words.is_some() || !more.is_empty();
            assert_eq!(
                locked(&workspace)["version"].as_str(),
                Some(if stays { old } else { new })
            );
            if let Some(words) = words {
                assert!(ran.stderr.contains(words), "{}", ran.stderr);
                assert!(ran.stderr.contains("error[pin-refused]"), "{}", ran.stderr);
            }
        }
    }
    // A patch by its version, but not by its changes.
    release(&workspace, "api/channels", "v0.2.2", 19);
    from("v0.2.1");
    let arguments = [
        "--update",
        "--version",
        "^0.2",
        "--against",
        "patch",
        "--allow-data-loss",
    ];
    let ran = pin(&workspace, &arguments).with_code(1);
    let words = "v0.2.2 is more than a patch: objects or manifests break at `spec.host` of `Route`";
    assert!(ran.stderr.contains(words), "{}", ran.stderr);
}

fn answer(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}

#[test]
fn json_has_the_same_facts() {
    let workspace = released();
    let tell = |arguments: &[&str], code| {
        let ran = pin(&workspace, &[arguments, &["--format", "json"]].concat()).with_code(code);
        assert_eq!(ran.stderr, "");
        answer(&ran)
    };
    let document = tell(&["--from", "api", "--version", "v0.2.1"], 0);
    assert_eq!(document["format"], 2);
    assert_eq!(document["written"], true);
    assert_eq!(document["findings"], json!([]));
    assert_eq!(document["bundles"][0]["before"], Value::Null);
    assert_eq!(document["bundles"][0]["changes"], Value::Null);
    let after = &document["bundles"][0]["after"];
    for (key, value) in [
        ("name", json!("example.com")),
        ("version", json!("v0.2.1")),
        ("channel", json!("stable")),
        ("requirement", json!("=0.2.1")),
        ("kubernetes", json!("1.31")),
        ("folder", json!("crds")),
        ("with", json!(["components"])),
        ("files", json!(2)),
    ] {
        assert_eq!(after[key], value, "{key}");
    }
    assert_eq!(after["source"]["folder"], "api");
    assert_eq!(
        after["manifest"],
        bundles(&workspace)[0]["manifest"].as_str().unwrap()
    );

    let document = tell(&["--update"], 0);
    assert_eq!(
        (&document["written"], &document["bundles"][0]["unchanged"]),
        (&json!(false), &json!(true))
    );
    let document = tell(&["--update", "--version", "v0.10.0", "--dry-run"], 0);
    assert_eq!(document["written"], false);
    assert_eq!(
        document["bundles"][0]["changes"],
        json!([{
            "code": "limit-loosened",
            "group": "example.com",
            "kind": "Route",
            "version": "v1",
            "field": "spec.host",
            "message": "maxLength was 20 and is 40",
            "breaks": ["clients that read"],
            "mayBreak": [],
        }])
    );
    tell(&["--update", "--version", "v0.10.0"], 0);
    let document = tell(&["--update", "--version", "v0.1.0"], 1);
    assert_eq!(document["written"], false);
    let findings = document["findings"].as_array().unwrap();
    let codes: Vec<&str> = findings
        .iter()
        .map(|one| one["code"].as_str().unwrap())
        .collect();
    assert_eq!(codes, ["pin-refused", "pin-refused"]);
    assert!(
        findings
            .iter()
            .any(|one| one["help"].as_str().unwrap().contains("--allow-downgrade"))
    );
    assert_eq!(document["bundles"][0]["after"]["version"], "v0.1.0");
    let document = tell(&["--update", "--version", "^7"], 2);
    assert_eq!(document["findings"][0]["code"], "bundle-missing");
    assert_eq!(document["bundles"], json!([]));
    let document = tell(&["--remove", "example.com"], 0);
    assert_eq!(document["removed"]["name"], "example.com");
    assert_eq!(document["written"], true);
}

/// Makes a bundle follow another one.
fn follow(workspace: &Workspace, version: &str, before: &str, digest: Option<Digest>) {
    let path = |version: &str| format!("api/channels/{version}/manifest.json");
    let parse = |version: &str| Manifest::parse(workspace.read(&path(version)).as_bytes()).unwrap();
    let baseline = Baseline {
        version: before.parse().unwrap(),
        digest: digest.unwrap_or_else(|| parse(before).digest.unwrap()),
    };
    let manifest = Manifest {
        baseline: Some(baseline),
        ..parse(version)
    };
    workspace.write(&path(version), manifest.to_text().0);
}

#[test]
fn a_bundle_with_a_broken_chain_is_refused() {
    let bundles = || {
        let workspace = empty();
        for (version, longest) in [("v0.1.0", 10), ("v0.2.0", 20), ("v0.3.0", 30)] {
            release(&workspace, "api/channels", version, longest);
        }
        follow(&workspace, "v0.2.0", "v0.1.0", None);
        follow(&workspace, "v0.3.0", "v0.2.0", None);
        workspace
    };
    let from: &[&str] = &["--from", "api"];
    pin(&bundles(), from).with_code(0);
    let gone = |w: &Workspace| std::fs::remove_dir_all(w.path("api/channels/v0.1.0")).unwrap();
    let other = |w: &Workspace| release(w, "api/channels", "v0.1.0", 9);
    let changed = |w: &Workspace| {
        let text = crd("v0.1.0", "stable", 11, "");
        w.write("api/channels/v0.1.0/stable/install.yaml", text);
    };
    let never = |w: &Workspace| follow(w, "v0.3.0", "v0.2.0", Some(Digest::of(b"")));
    let check = |change: &dyn Fn(&Workspace), words: &str| {
        let workspace = bundles();
        change(&workspace);
        for more in [&["--dry-run"][..], &[]] {
            let ran = pin(&workspace, &[from, more].concat()).with_code(1);
            for words in [words, "error[pin-refused]", "--allow-broken-chain"] {
                assert!(ran.stderr.contains(words), "{words}: {}", ran.stderr);
            }
        }
        assert!(!workspace.path("bundle.lock").exists());
        pin(&workspace, &[from, &["--allow-broken-chain"]].concat()).with_code(0);
        assert_eq!(locked(&workspace)["version"].as_str(), Some("v0.3.0"));
    };
    check(&gone, "v0.1.0");
    check(
        &other,
        "bundle v0.2.0 was compared with v0.1.0, which changed since: its digest differs",
    );
    check(&changed, "bundle v0.1.0: `stable/install.yaml` was changed");
    check(
        &never,
        "bundle v0.3.0 was compared with v0.2.0, which changed since: its digest differs",
    );
    // Without other bundles it is unknown what a bundle follows.
    let workspace = bundles();
    let own = workspace.path("api/channels/v0.3.0");
    std::fs::rename(own, workspace.path("alone")).unwrap();
    pin(&workspace, &["--from", "alone"]).with_code(0);
}
