//! The parts that are written besides CRDs: components, policies, a kustomization.

use super::support::skipped::skipped;
use super::support::{Ran, Workspace, run};
use super::{assert_cannot_run, bundle, crd, empty, locked, pin};
use std::process::Command;

fn stamped(kind: &str, name: &str) -> String {
    format!(
        "---\napiVersion: v1\nkind: {kind}\nmetadata:\n  annotations:\n    example.com/bundle-version: v0.1.0\n    example.com/channel: stable\n  name: {name}\n"
    )
}

/// A bundle with everything that a bundle can have.
fn whole() -> Workspace {
    with_policies(&["policies/safe-upgrades.yaml", "policies/kustomization.yaml"])
}

/// The same with its policies in these files.
fn with_policies(policies: &[&str]) -> Workspace {
    let workspace = empty();
    let text = crd("v0.1.0", "stable", 10, "");
    let webhook = stamped("ValidatingWebhookConfiguration", "webhook");
    let policy = stamped("ValidatingAdmissionPolicy", "safe-upgrades");
    let files = [
        ("crds/example.com_routes.yaml", &text),
        ("components/webhook.yaml", &webhook),
        ("install.yaml", &text),
    ];
    let policies = policies.iter().map(|path| (*path, &policy));
    let files = files.into_iter().chain(policies);
    let files = files.map(|(path, text)| (path.to_owned(), text.clone()));
    let files = files.collect();
    bundle::release(
        &workspace.path("api"),
        "v0.1.0",
        &[],
        &[("stable", &[], files)],
    );
    workspace
}

fn vendored(workspace: &Workspace) -> Vec<String> {
    workspace.files("crds").into_keys().collect()
}

fn kustomize(workspace: &Workspace) -> Option<Ran> {
    let mut kubectl = Command::new("kubectl");
    kubectl
        .args(["kustomize", "crds"])
        .current_dir(workspace.folder());
    kubectl.output().ok()?;
    Some(run(&mut kubectl))
}

const CRD: &str = "example.com_routes.yaml";

#[test]
fn a_lock_says_what_is_written_beside_crds() {
    let workspace = whole();
    pin(&workspace, &["--from", "api"]).with_code(0);
    let ran = workspace.run(&["vendor"]).with_code(0);
    let expected = "1 CRD and 1 other file of v0.1.0 stable in `crds`: 2 written, 0 removed";
    assert!(ran.stdout.contains(expected), "{}", ran.stdout);
    assert_eq!(vendored(&workspace), ["components/webhook.yaml", CRD]);

    pin(
        &workspace,
        &["--update", "--with", "policies,kustomization,components"],
    )
    .with_code(0);
    workspace.run(&["vendor", "--check"]).with_code(1);
    workspace.run(&["vendor"]).with_code(0);
    let all = [
        "components/webhook.yaml",
        CRD,
        "kustomization.yaml",
        "policies/safe-upgrades.yaml",
    ];
    assert_eq!(vendored(&workspace), all);
    workspace.run(&["vendor", "--check"]).with_code(0);
    match kustomize(&workspace) {
        Some(ran) => {
            let ran = ran.with_code(0);
            for name in ["routes.example.com", "webhook", "safe-upgrades"] {
                assert!(
                    ran.stdout.contains(&format!("name: {name}\n")),
                    "{}",
                    ran.stdout
                );
            }
        }
        None => skipped("there is no kubectl"),
    }
    for path in [
        "crds/kustomization.yaml",
        "crds/policies/safe-upgrades.yaml",
        "crds/components/webhook.yaml",
    ] {
        let text = workspace.read(path);
        workspace.write(path, format!("{text}# changed\n"));
        let ran = workspace.run(&["vendor", "--check"]).with_code(1);
        assert_eq!(ran.stdout, format!("not as pinned: {path}\n"));
        workspace.run(&["vendor"]).with_code(0);
        assert_eq!(workspace.read(path), text);
    }

    // Parts that are no longer requested are removed, with a note about missing components.
    pin(&workspace, &["--update", "--with", "none"]).with_code(0);
    assert_eq!(locked(&workspace)["with"].as_array().unwrap().len(), 0);
    let ran = workspace.run(&["vendor", "--check"]).with_code(1);
    assert!(
        ran.stdout
            .contains("not pinned: crds/components/webhook.yaml"),
        "{}",
        ran.stdout
    );
    let ran = workspace.run(&["vendor"]).with_code(0);
    assert!(ran.stdout.contains("3 removed"), "{}", ran.stdout);
    assert!(
        ran.stderr
            .contains("--update example.com --with components"),
        "{}",
        ran.stderr
    );
    assert_eq!(vendored(&workspace), [CRD]);
    workspace.run(&["vendor", "--check"]).with_code(0);
}

#[test]
fn files_of_others_stay() {
    // Old bundles have their policies in one file instead of a folder.
    let workspace = with_policies(&["policies.yaml"]);
    let own = "resources:\n- example.com_routes.yaml\n";
    for path in [
        "crds/kustomization.yaml",
        "crds/policies.yaml",
        "crds/components/own.yaml",
    ] {
        workspace.write(path, own);
    }
    pin(&workspace, &["--from", "api"]).with_code(0);
    workspace.run(&["vendor"]).with_code(0);
    workspace.run(&["vendor", "--check"]).with_code(0);
    for path in [
        "crds/kustomization.yaml",
        "crds/policies.yaml",
        "crds/components/own.yaml",
    ] {
        assert_eq!(workspace.read(path), own);
    }
    for part in ["kustomization", "policies"] {
        pin(&workspace, &["--update", "--with", part]).with_code(0);
        let words = format!("`crds/{part}.yaml` was not written by this tool");
        assert_cannot_run(
            &workspace,
            &["vendor"],
            &[&words, "--update example.com --with"],
        );
    }
    pin(&workspace, &["--from", "api", "--with", "webhooks"]).with_code(2);
}
