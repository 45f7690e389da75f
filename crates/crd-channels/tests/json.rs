//! `--format json`: whatever a command could not do, a program that calls it gets one JSON document that says so.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod support;

use serde_json::Value;
use support::{Workspace, run};

const ROUTE: &str = "//- channels/features.toml
//- src/lib.rs
/// Where requests go.
#[derive(crd_channels_derive::ApiType, kube::CustomResource, schemars::JsonSchema)]
#[kube(group = \"example.com\", version = \"v1\", kind = \"Route\", namespaced)]
pub struct RouteSpec {
    /// The host.
    pub host: Option<String>,
}
";

/// The codes that a run tells on stdout, which is one document, and nothing else says an error.
#[track_caller]
fn codes(workspace: &Workspace, arguments: &[&str]) -> Vec<String> {
    let ran = workspace.run(&[arguments, &["--format", "json"]].concat());
    let about = format!("{arguments:?}\n{}\n{}", ran.stdout, ran.stderr);
    assert_eq!(ran.code, Some(2), "{about}");
    let document: Value = serde_json::from_str(&ran.stdout).expect(&about);
    let found = document.get("findings");
    let found = found.and_then(Value::as_array).expect(&about);
    let told = found.iter().map(|finding| {
        assert!(!finding["message"].as_str().unwrap().is_empty(), "{about}");
        finding["code"].as_str().expect(&about).to_owned()
    });
    let told: Vec<String> = told.collect();
    assert!(!told.is_empty(), "{about}");
    told
}

#[test]
fn commands_that_cannot_run_say_why() {
    let workspace = Workspace::new(ROUTE);
    workspace.generate();
    workspace.write("lock/bundle.lock", "format = ");
    for (arguments, code) in [
        (&["gen-crds", "--channel", "x"][..], "config-invalid"),
        (&["diff", "nowhere", "."], "unreadable-file"),
        (&["diff", ".", "nowhere"], "unreadable-file"),
        (&["diff", "v0.9.0", "."], "unreadable-file"),
        (&["diff", "git:x", "."], "git-failed"),
        (
            &["diff", ".", ".", "--waivers", "nowhere"],
            "unreadable-file",
        ),
        (&["check", "nowhere"], "unreadable-file"),
        (&["pin", "--from", "nowhere"], "bundle-missing"),
        (&["pin", "--from", "."], "bundle-missing"),
        (
            &["pin", "--from", "a#b", "--revision", "c"],
            "bundle-missing",
        ),
        (&["pin", "--update"], "lock-missing"),
        (&["pin", "--remove", "x"], "lock-missing"),
        (
            &["pin", "--from", "file:///nowhere", "--offline"],
            "git-failed",
        ),
        (&["pin", "--from", "file:///nowhere"], "git-failed"),
    ] {
        assert_eq!(codes(&workspace, arguments), [code], "{arguments:?}");
    }
    let ran = run(&mut workspace.command_in("lock", &["pin", "--update", "--format", "json"]));
    assert!(ran.stdout.contains("lock-invalid"), "{}", ran.stdout);
}

#[test]
fn a_workspace_that_cannot_be_read_is_said_to_be() {
    let missing = Workspace::new(
        "//- no channels/stable.toml\n//- no channels/experimental.toml\n//- src/lib.rs\n",
    );
    let broken = Workspace::new(&format!("{ROUTE}//- channels/bundle.toml\nverison = 1\n"));
    let nowhere = Workspace::new("");
    std::fs::remove_file(nowhere.path("Cargo.toml")).unwrap();
    for (workspace, code) in [(&missing, "config-missing"), (&nowhere, "cargo-failed")] {
        for arguments in [
            &["gen-crds"][..],
            &["gen-crds", "--check"],
            &["features"],
            &["prove"],
            &["diff", ".", "."],
        ] {
            assert_eq!(codes(workspace, arguments), [code], "{arguments:?}");
        }
    }
    // What is wrong in the configuration is a finding.
    for arguments in [
        &["gen-crds"][..],
        &["features"],
        &["diff", ".", "."],
        &["check", "src"],
    ] {
        let ran = broken.run(&[arguments, &["--format", "json"]].concat());
        let document: Value = serde_json::from_str(&ran.stdout).expect(&ran.stdout);
        let found = &document["findings"];
        assert_eq!(found[0]["code"], "config-invalid", "{arguments:?}");
        assert!(
            !ran.stderr.contains("error["),
            "{arguments:?}: {}",
            ran.stderr
        );
    }
}

/// What was left by a run that was stopped and cannot be settled is in the way of all commands.
#[test]
fn what_keeps_all_commands_from_running_is_said_as_well() {
    let workspace = Workspace::new(ROUTE);
    workspace.generate();
    workspace.write(".crd-channels/journal.json", "{\"format\": 99}");
    for arguments in [
        &["features"][..],
        &["diff", ".", "."],
        &["pin", "--update"],
        &["check", "generated"],
        &["gen-crds"],
    ] {
        assert_eq!(
            codes(&workspace, arguments),
            ["write-failed"],
            "{arguments:?}"
        );
    }
}
