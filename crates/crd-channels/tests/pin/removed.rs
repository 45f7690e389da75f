//! Bundles that are removed from the lock, and their files.

use super::support::Workspace;
use super::{bundle, crd, empty, pin, release, released};

/// A lock with two bundles in folders of their own, vendored with all parts.
fn two() -> Workspace {
    let workspace = empty();
    release(&workspace, "api/channels", "v0.3.0", 10);
    let text = crd("v0.1.0", "stable", 5, "").replace("example.com", "example.org");
    let component = "---\napiVersion: v1\nkind: Service\nmetadata:\n  annotations:\n    example.org/bundle-version: v0.1.0\n    example.org/channel: stable\n  name: one\n";
    let files = vec![
        ("crds/example.org_routes.yaml".to_owned(), text),
        ("components/service.yaml".to_owned(), component.to_owned()),
    ];
    let channels: [(&str, &[&str], _); 1] = [("stable", &[], files)];
    bundle::release_as(
        "example.org",
        &workspace.path("gates"),
        "v0.1.0",
        &[],
        &channels,
    );
    pin(&workspace, &["--from", "api", "--folder", "deploy/api"]).with_code(0);
    let parts = "components,kustomization";
    pin(
        &workspace,
        &[
            "--from",
            "gates",
            "--folder",
            "deploy/gates",
            "--with",
            parts,
        ],
    )
    .with_code(0);
    workspace.run(&["vendor"]).with_code(0);
    workspace
}

#[test]
fn the_files_of_a_removed_bundle_are_removed() {
    let workspace = two();
    workspace.write("deploy/gates/own.yaml", "a: 1\n");
    let before = workspace.files("");
    let ran = pin(&workspace, &["--remove", "example.org", "--dry-run"]).with_code(0);
    assert_eq!(workspace.files(""), before);
    let paths = [
        "deploy/gates/components/service.yaml",
        "deploy/gates/example.org_routes.yaml",
        "deploy/gates/kustomization.yaml",
    ];
    for path in paths {
        assert!(
            ran.stdout.contains(&format!("would remove: {path}\n")),
            "{}",
            ran.stdout
        );
    }
    pin(&workspace, &["--remove", "example.org"]).with_code(0);
    let left = workspace.files("deploy");
    let left: Vec<&String> = left.keys().collect();
    assert_eq!(left, ["api/example.com_routes.yaml", "gates/own.yaml"]);
    let ran = workspace.run(&["vendor", "--check"]).with_code(0);
    assert_eq!(ran.stderr, "");
    // The last one.
    pin(&workspace, &["--remove", "example.com"]).with_code(0);
    assert_eq!(workspace.files("deploy").len(), 1);
    workspace.run(&["vendor", "--check"]).with_code(0);
}

#[test]
fn files_that_stay_are_named() {
    let workspace = two();
    let ran = pin(&workspace, &["--remove", "example.org", "--keep-files"]).with_code(0);
    let command = "`rm deploy/gates/components/service.yaml deploy/gates/example.org_routes.yaml deploy/gates/kustomization.yaml`";
    assert!(ran.stderr.contains(command), "{}", ran.stderr);
    assert_eq!(workspace.files("deploy").len(), 4);
    for arguments in [&["vendor", "--check"][..], &["vendor"]] {
        let ran = workspace.run(arguments).with_code(0);
        let words = "CRDs of bundles that `bundle.lock` does not pin; if a bundle was removed from it: `rm deploy/gates/example.org_routes.yaml`";
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
    }
    // Edited by hand: it may be somebody's own by now.
    let workspace = two();
    workspace.write("deploy/gates/example.org_routes.yaml", "a: 1\n");
    let ran = pin(&workspace, &["--remove", "example.org"]).with_code(0);
    assert!(
        ran.stderr
            .contains("`rm deploy/gates/example.org_routes.yaml`"),
        "{}",
        ran.stderr
    );
    assert_eq!(workspace.files("deploy").len(), 2);
}

/// A new folder leaves the files in the old one behind: the CRDs are there twice.
#[test]
fn crds_in_an_old_folder_are_found() {
    let workspace = released();
    pin(&workspace, &["--from", "api"]).with_code(0);
    workspace.run(&["vendor"]).with_code(0);
    pin(&workspace, &["--update", "--folder", "deploy"]).with_code(0);
    let ran = workspace.run(&["vendor"]).with_code(1);
    assert!(
        ran.stderr
            .contains("error[stray-crd]: `crds/example.com_routes.yaml`"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr.contains("`rm crds/example.com_routes.yaml`"),
        "{}",
        ran.stderr
    );
    std::fs::remove_dir_all(workspace.path("crds")).unwrap();
    workspace.run(&["vendor", "--check"]).with_code(0);
}

/// Nothing would be compared with the lock any more, and a check would pass whatever the CRDs are.
#[test]
fn an_emptied_lock_is_refused_beside_vendored_crds() {
    let workspace = released();
    pin(&workspace, &["--from", "api"]).with_code(0);
    workspace.run(&["vendor"]).with_code(0);
    let head = "# Written by `crd-channels pin`.\nformat = 3\n";
    for arguments in [&["vendor", "--check"][..], &["vendor"]] {
        workspace.write("bundle.lock", head);
        let ran = workspace.run(arguments).with_code(2);
        for words in [
            "error[lock-missing]: `bundle.lock` pins no bundle, but these are CRDs of one: `crds/example.com_routes.yaml`",
            "`crd-channels pin --from SOURCE`",
            "`rm crds/example.com_routes.yaml`",
        ] {
            assert!(ran.stderr.contains(words), "{}", ran.stderr);
        }
        assert_eq!(workspace.files("crds").len(), 1);
        workspace.write("bundle.lock", "");
        workspace.run(arguments).with_code(2);
    }
    // CRDs of one's own are none of a bundle, and an empty project has none.
    workspace.write(
        "crds/example.com_routes.yaml",
        "kind: CustomResourceDefinition\n",
    );
    workspace.write("bundle.lock", head);
    workspace.run(&["vendor", "--check"]).with_code(0);
}
