//! Updates: their output, and the changes that need a flag.

use super::{crd, locked, pin, released};

#[test]
fn an_update_shows_what_changes() {
    let workspace = released();
    pin(&workspace, &["--from", "api", "--version", "=0.1.0"]).with_code(0);
    let ran = pin(&workspace, &["--update", "--version", "^0.2", "--dry-run"]).with_code(0);
    assert!(
        ran.stdout
            .contains("Route\n  v1 spec.host: maxLength was 10 and is 20"),
        "{}",
        ran.stdout
    );
    assert!(!ran.stdout.contains("timeout"), "{}", ran.stdout);
    assert_eq!(locked(&workspace)["version"].as_str(), Some("v0.1.0"));
    pin(&workspace, &["--update", "--version", "^0.2"]).with_code(0);
    assert_eq!(locked(&workspace)["version"].as_str(), Some("v0.2.1"));
    assert_eq!(locked(&workspace)["requirement"].as_str(), Some("^0.2"));
    // The pinned bundle may be gone, but then the changes are unknown.
    std::fs::remove_dir_all(workspace.path("api/channels/v0.2.1")).unwrap();
    let ran = pin(&workspace, &["--update"]).with_code(1);
    for words in [
        "the pinned v0.2.1 can no longer be read from its source, so the changes are unknown",
        "v0.2.0 is older than v0.2.1",
    ] {
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
    }
    pin(
        &workspace,
        &["--update", "--allow-downgrade", "--allow-data-loss"],
    )
    .with_code(0);
}

/// The pinned channel is compared with the new one: going back to stable removes fields.
#[test]
fn a_change_of_channel_shows_what_comes_and_goes() {
    let workspace = released();
    pin(&workspace, &["--from", "api", "--version", "=0.2.1"]).with_code(0);
    let ran = pin(&workspace, &["--update", "--channel", "experimental"]).with_code(0);
    assert!(
        ran.stdout.contains("Route\n  v1 spec.timeout: "),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stderr
            .contains("the channel changes from `stable` to `experimental`"),
        "{}",
        ran.stderr
    );

    let back = ["--update", "--channel", "stable"];
    let ran = pin(&workspace, &back).with_code(1);
    assert!(ran.stdout.contains("v1 spec.timeout: "), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("breaks: stored objects"),
        "{}",
        ran.stdout
    );
    assert!(!ran.stdout.contains("legal"), "{}", ran.stdout);
    for word in [
        "error[pin-refused]",
        "`spec.timeout` of `Route`",
        "--allow-data-loss",
    ] {
        assert!(ran.stderr.contains(word), "{word}:\n{}", ran.stderr);
    }
    assert_eq!(locked(&workspace)["channel"].as_str(), Some("experimental"));
    pin(&workspace, &[&back[..], &["--allow-data-loss"]].concat()).with_code(0);
    assert_eq!(locked(&workspace)["channel"].as_str(), Some("stable"));
}

#[test]
fn downgrades_and_harmful_changes_are_pinned_only_on_request() {
    let workspace = released();
    pin(&workspace, &["--from", "api"]).with_code(0);
    assert_eq!(locked(&workspace)["version"].as_str(), Some("v0.10.0"));
    let older = ["--from", "api", "--version", "=0.2.1"];
    for more in [&[][..], &["--dry-run"]] {
        let ran = pin(&workspace, &[&older[..], more].concat()).with_code(1);
        assert!(
            ran.stderr
                .contains("v0.2.1 is older than v0.10.0, which is pinned"),
            "{}",
            ran.stderr
        );
        assert!(ran.stderr.contains("--allow-downgrade"), "{}", ran.stderr);
    }
    // A stored object may be longer than the older bundle allows.
    let ran = pin(&workspace, &[&older[..], &["--allow-downgrade"]].concat()).with_code(1);
    assert!(
        ran.stderr.contains("`spec.host` of `Route`"),
        "{}",
        ran.stderr
    );
    assert_eq!(locked(&workspace)["version"].as_str(), Some("v0.10.0"));
    let all = ["--allow-downgrade", "--allow-data-loss"];
    pin(&workspace, &[&older[..], &all].concat()).with_code(0);
    assert_eq!(locked(&workspace)["version"].as_str(), Some("v0.2.1"));
}

/// A lock can be read whether or not the bundle contains `install.yaml`.
#[test]
fn an_update_leads_to_bundles_with_fewer_files_and_back() {
    let workspace = released();
    let check = |version: &str, longest: u32, other: &str| {
        let lock = locked(&workspace);
        assert_eq!(lock["version"].as_str(), Some(version));
        let files: Vec<&str> = lock["files"]
            .as_table()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        assert_eq!(files, ["stable/crds/example.com_routes.yaml", other]);
        workspace.run(&["vendor", "--check"]).with_code(1);
        workspace.run(&["vendor"]).with_code(0);
        workspace.run(&["vendor", "--check"]).with_code(0);
        let written = workspace.files("crds");
        assert_eq!(
            written.keys().collect::<Vec<_>>(),
            ["example.com_routes.yaml"]
        );
        let text = workspace.read("crds/example.com_routes.yaml");
        assert_eq!(text, crd(version, "stable", longest, ""));
    };
    pin(&workspace, &["--from", "api", "--version", "=0.2.1"]).with_code(0);
    check("v0.2.1", 20, "stable/install.yaml");
    pin(&workspace, &["--update", "--version", "=0.10.0"]).with_code(0);
    check("v0.10.0", 40, "stable/kustomization.yaml");
    let back = [
        "--update",
        "--version",
        "=0.2.1",
        "--allow-downgrade",
        "--allow-data-loss",
    ];
    pin(&workspace, &back).with_code(0);
    check("v0.2.1", 20, "stable/install.yaml");
}
