//! Updates over several bundles, on which a version in which objects are stored goes away.

use super::bundle;
use super::support::{Ran, Workspace, run};
use super::{bundles, empty, locked, pin};
use crd_channels_released::manifest::{Baseline, Manifest};
use std::process::Command;

/// A version of a kind: its name, whether it is served, whether it is stored.
type Version = (&'static str, bool, bool);

fn kind(kind: &str, scope: &str, bundle: &str, versions: &[Version]) -> (String, String) {
    let plural = format!("{}s", kind.to_lowercase());
    let versions = versions.iter().map(|(name, served, storage)| {
        format!(
            "  - name: {name}
    schema:
      openAPIV3Schema:
        type: object
    served: {served}
    storage: {storage}
"
        )
    });
    let versions: String = versions.collect();
    let lower = kind.to_lowercase();
    let text = format!(
        "---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  annotations:
    example.com/bundle-version: {bundle}
    example.com/channel: stable
  name: {plural}.example.com
spec:
  group: example.com
  names:
    kind: {kind}
    listKind: {kind}List
    plural: {plural}
    singular: {lower}
  scope: {scope}
  versions:
{versions}"
    );
    (format!("crds/example.com_{plural}.yaml"), text)
}

/// Writes a bundle that follows another one.
fn release(workspace: &Workspace, version: &str, before: Option<&str>, files: bundle::Files) {
    let channels: [(&str, &[&str], _); 1] = [("stable", &[], files)];
    bundle::release(&workspace.path("api/channels"), version, &[], &channels);
    let Some(before) = before else {
        return;
    };
    let path = |version: &str| format!("api/channels/{version}/manifest.json");
    let parse = |version: &str| Manifest::parse(workspace.read(&path(version)).as_bytes()).unwrap();
    let baseline = Baseline {
        version: before.parse().unwrap(),
        digest: parse(before).digest.unwrap(),
    };
    let manifest = Manifest {
        baseline: Some(baseline),
        ..parse(version)
    };
    workspace.write(&path(version), manifest.to_text().0);
}

/// The year of two kinds: `Batch` moves from v1beta1 to v1, `Room` from v1alpha1 to v1, one bundle later.
fn year() -> Workspace {
    let workspace = empty();
    let old = [("v1beta1", true, true)];
    let both = [("v1", true, true), ("v1beta1", true, false)];
    let unserved = [("v1", true, true), ("v1beta1", false, false)];
    let new = [("v1", true, true)];
    let alpha = [("v1alpha1", true, true)];
    let beta = [("v1", true, true), ("v1alpha1", true, false)];
    let mut before = None;
    for (version, batch, room) in [
        ("v0.3.0", &old[..], &alpha[..]),
        ("v0.4.0", &both, &alpha),
        ("v0.5.0", &unserved, &beta),
        ("v0.6.0", &new, &beta),
        ("v0.7.0", &new, &new),
    ] {
        let files = vec![
            kind("Batch", "Namespaced", version, batch),
            kind("Room", "Cluster", version, room),
        ];
        release(&workspace, version, before, files);
        before = Some(version);
    }
    workspace
}

/// Returns the commands in the help of a refused update.
#[track_caller]
fn steps(ran: &Ran) -> Vec<String> {
    let lines = ran
        .stderr
        .lines()
        .map(|line| line.trim_start_matches([' ', '|']));
    let lines = lines.filter(|line| {
        ["crd-channels ", "kubectl ", "# "]
            .iter()
            .any(|start| line.starts_with(start))
    });
    lines.map(str::to_owned).collect()
}

/// Runs a line as somebody pastes it; what needs a server is only checked to be a command of a shell.
#[track_caller]
fn paste(workspace: &Workspace, line: &str) {
    let own = line.strip_prefix("crd-channels ");
    let Some(rest) = own.filter(|rest| !rest.starts_with("cluster-")) else {
        run(Command::new("sh").args(["-n", "-c", line])).with_code(0);
        return;
    };
    let line = format!("{} {rest}", env!("CARGO_BIN_EXE_crd-channels"));
    let mut shell = Command::new("sh");
    shell.args(["-c", &line]).current_dir(workspace.folder());
    for (name, value) in workspace.command(&[]).get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    run(&mut shell).with_code(0);
}

#[test]
fn a_stored_version_that_goes_away_is_migrated_on_the_way() {
    let workspace = year();
    pin(&workspace, &["--from", "api", "--version", "v0.3.0"]).with_code(0);
    workspace.run(&["vendor"]).with_code(0);
    let ran = pin(&workspace, &["--update", "--version", ">=0.3, <0.7"]).with_code(1);
    let expected = "error[pin-refused]: API servers refuse v0.6.0 while objects are stored in `v1beta1` of `Batch`, which it lacks";
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    assert!(!ran.stderr.contains("--allow-data-loss"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("replace"), "{}", ran.stderr);
    let all = steps(&ran);
    assert_eq!(
        all,
        [
            "crd-channels pin --update example.com --version v0.5.0",
            "crd-channels vendor",
            "kubectl apply --server-side --recursive -f crds",
            "# apply manifests of Batch in v1 before the next step: servers cannot convert fields that server-side apply recorded in a removed version",
            "crd-channels cluster-migrate batchs.example.com",
            "crd-channels pin --update example.com --version '>=0.3, <0.7'",
        ]
    );
    for line in &all {
        paste(&workspace, line);
    }
    let lock = locked(&workspace);
    assert_eq!(lock["version"].as_str(), Some("v0.6.0"));
    assert_eq!(lock["requirement"].as_str(), Some(">=0.3, <0.7"));
    workspace.run(&["vendor"]).with_code(0);
    workspace.run(&["vendor", "--check"]).with_code(0);
}

/// Two kinds change at different bundles; one way serves both.
#[test]
fn one_way_serves_several_kinds() {
    let workspace = year();
    pin(&workspace, &["--from", "api", "--version", "v0.3.0"]).with_code(0);
    let ran = pin(&workspace, &["--update", "--version", "*"]).with_code(1);
    let expected = "`v1alpha1` of `Room`, `v1beta1` of `Batch`";
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    let all = steps(&ran);
    let pins: Vec<&String> = all.iter().filter(|line| line.contains(" pin ")).collect();
    assert_eq!(
        pins,
        [
            "crd-channels pin --update example.com --version v0.5.0",
            "crd-channels pin --update example.com --version '*'",
        ]
    );
    let rewriting = all.iter().filter(|line| line.contains("cluster-migrate"));
    let rewriting: Vec<&str> = rewriting.flat_map(|line| line.split(' ').skip(2)).collect();
    assert_eq!(
        rewriting,
        ["batchs.example.com", "rooms.example.com"],
        "{all:#?}"
    );
    for line in &all {
        paste(&workspace, line);
    }
    assert_eq!(locked(&workspace)["version"].as_str(), Some("v0.7.0"));
}

/// What an earlier bundle stored may still be stored: that is no reason to refuse, but to rewrite first.
#[test]
fn objects_of_an_earlier_bundle_are_mentioned() {
    let workspace = year();
    pin(&workspace, &["--from", "api", "--version", "v0.5.0"]).with_code(0);
    let ran = pin(&workspace, &["--update", "--version", "^0.6"]).with_code(0);
    assert!(
        ran.stderr.contains(
            "note: API servers refuse v0.6.0 while objects are stored in `v1beta1` of `Batch`"
        ),
        "{}",
        ran.stderr
    );
    let all = steps(&ran);
    assert!(
        all.get(1)
            .is_some_and(|line| line == "crd-channels cluster-migrate batchs.example.com"),
        "{all:#?}"
    );
    // Nothing stored goes away.
    let ran = pin(&workspace, &["--update", "--version", "^0.6"]).with_code(0);
    assert!(steps(&ran).is_empty(), "{}", ran.stderr);
}

/// No bundle has both: the text says so, instead of a way that does not exist.
#[test]
fn a_way_that_does_not_exist_is_not_invented() {
    let workspace = empty();
    for (version, before, versions) in [
        ("v0.1.0", None, &[("v1beta1", true, true)][..]),
        ("v0.2.0", Some("v0.1.0"), &[("v1beta1", true, true)]),
        ("v0.3.0", Some("v0.2.0"), &[("v1", true, true)]),
    ] {
        let files = vec![kind("Batch", "Namespaced", version, versions)];
        release(&workspace, version, before, files);
    }
    pin(&workspace, &["--from", "api", "--version", "v0.1.0"]).with_code(0);
    let lock = workspace.read("bundle.lock");
    let ran = pin(&workspace, &["--update", "--version", "^0.3"]).with_code(1);
    assert!(
        ran.stderr.contains(
            "no bundle between v0.1.0 and v0.3.0 has both the old and the new storage version"
        ),
        "{}",
        ran.stderr
    );
    assert!(steps(&ran).is_empty(), "{}", ran.stderr);
    assert_eq!(workspace.read("bundle.lock"), lock);
    assert_eq!(bundles(&workspace).len(), 1);
}
