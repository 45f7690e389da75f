//! Updates that need more than the vendored files: a bot does not take them by itself.

use super::bundle::{self, Files};
use super::support::Workspace;
use super::{crd, empty, locked, pin};

const WEBHOOK: &str = "  conversion:
    strategy: Webhook
    webhook:
      clientConfig:
        service:
          name: hook
          namespace: edge
          path: /convert
      conversionReviewVersions:
      - v1
";

fn object(kind: &str, group: &str, version: &str, more: &str) -> String {
    format!(
        "---\napiVersion: {group}v1\nkind: {kind}\nmetadata:\n  annotations:\n    example.com/bundle-version: {version}\n    example.com/channel: stable\n  name: one\n{more}"
    )
}

fn release(workspace: &Workspace, version: &str, conversion: &str, components: Files) {
    let text = crd(version, "stable", 10, "").replace(
        "  group: example.com\n",
        &format!("{conversion}  group: example.com\n"),
    );
    let mut files = vec![("crds/example.com_routes.yaml".to_owned(), text)];
    files.extend(components);
    let channels: [(&str, &[&str], _); 1] = [("stable", &[], files)];
    bundle::release(&workspace.path("api/channels"), version, &[], &channels);
}

/// Checks that a bot refuses an update for a reason, and that a person can accept it.
#[track_caller]
fn refused(workspace: &Workspace, more: &[&str], reason: &str) {
    let _ = std::fs::remove_file(workspace.path("bundle.lock"));
    let first = [&["--from", "api", "--version", "v0.1.0"], more].concat();
    pin(workspace, &first).with_code(0);
    let update = ["--update", "--version", "^0.1", "--against", "patch"];
    let ran = pin(workspace, &update).with_code(1);
    let expected =
        format!("error[pin-refused]: v0.1.1 needs more than the vendored files: {reason}");
    assert!(ran.stderr.contains(&expected), "{expected}\n{}", ran.stderr);
    assert!(
        ran.stderr.contains("--allow-manual-steps"),
        "{}",
        ran.stderr
    );
    assert_eq!(locked(workspace)["version"].as_str(), Some("v0.1.0"));
    pin(
        workspace,
        &[&update[..], &["--allow-manual-steps"]].concat(),
    )
    .with_code(0);
    assert_eq!(locked(workspace)["version"].as_str(), Some("v0.1.1"));
}

#[track_caller]
fn taken(workspace: &Workspace) {
    let _ = std::fs::remove_file(workspace.path("bundle.lock"));
    pin(workspace, &["--from", "api", "--version", "v0.1.0"]).with_code(0);
    pin(
        workspace,
        &["--update", "--version", "^0.1", "--against", "patch"],
    )
    .with_code(0);
}

#[test]
fn a_bot_takes_no_webhook_that_must_be_running() {
    let elsewhere = WEBHOOK.replace("/convert", "/v2");
    let service = WEBHOOK.replace("name: hook", "name: other");
    let reviews = WEBHOOK.replace("      - v1\n", "      - v1\n      - v1beta1\n");
    for (old, new, reason) in [
        (
            "",
            WEBHOOK,
            "`spec.conversion` of `Route`: versions are converted by a webhook, which must be running",
        ),
        (
            WEBHOOK,
            &*elsewhere,
            "`spec.conversion.webhook.clientConfig` of `Route`: client configuration changed",
        ),
        (
            WEBHOOK,
            &*service,
            "`spec.conversion.webhook.clientConfig` of `Route`: client configuration changed",
        ),
        (
            WEBHOOK,
            &*reviews,
            "`spec.conversion.webhook.conversionReviewVersions` of `Route`",
        ),
    ] {
        let workspace = empty();
        release(&workspace, "v0.1.0", old, Vec::new());
        release(&workspace, "v0.1.1", new, Vec::new());
        refused(&workspace, &[], reason);
    }
    let workspace = empty();
    release(&workspace, "v0.1.0", WEBHOOK, Vec::new());
    release(&workspace, "v0.1.1", WEBHOOK, Vec::new());
    taken(&workspace);
}

#[test]
fn a_bot_takes_no_object_that_a_person_installs() {
    let components = |version: &str, kind: &str, group: &str, more: &str| {
        vec![(
            "components/one.yaml".to_owned(),
            object(kind, group, version, more),
        )]
    };
    let admission = "admissionregistration.k8s.io/";
    let workspace = empty();
    release(&workspace, "v0.1.0", "", Vec::new());
    release(
        &workspace,
        "v0.1.1",
        "",
        components("v0.1.1", "ConfigMap", "", ""),
    );
    // It is vendored, or not.
    taken(&workspace);
    refused(
        &workspace,
        &["--with", "none"],
        "`components[ConfigMap one]`: the object is new",
    );
    let hook = |version: &str, more| {
        components(version, "ValidatingWebhookConfiguration", admission, more)
    };
    let workspace = empty();
    release(&workspace, "v0.1.0", "", Vec::new());
    release(&workspace, "v0.1.1", "", hook("v0.1.1", "webhooks: []\n"));
    let name = "`components[ValidatingWebhookConfiguration.admissionregistration.k8s.io one]`";
    refused(&workspace, &[], &format!("{name}: the object is new"));
    let workspace = empty();
    release(&workspace, "v0.1.0", "", hook("v0.1.0", "webhooks: []\n"));
    release(
        &workspace,
        "v0.1.1",
        "",
        hook("v0.1.1", "webhooks: [{name: a}]\n"),
    );
    refused(&workspace, &[], &format!("{name}: the object changed"));
    let workspace = empty();
    release(&workspace, "v0.1.0", "", hook("v0.1.0", "webhooks: []\n"));
    release(&workspace, "v0.1.1", "", hook("v0.1.1", "webhooks: []\n"));
    taken(&workspace);
}
