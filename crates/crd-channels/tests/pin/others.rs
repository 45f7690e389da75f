//! Files and places of others: files of other projects, places outside the folder, another bundle with the same prefix.

use super::{bundle, crd, empty, pin, release, released};

/// A policy of another project, with annotations of its bundle and channel.
const POLICY: &str = "---\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata:\n  name: gateways\n  annotations:\n    gateway.networking.k8s.io/bundle-version: v1.4.0\n    gateway.networking.k8s.io/channel: standard\n";

#[test]
fn files_of_other_projects_stay() {
    let workspace = released();
    pin(&workspace, &["--from", "api", "--version", "^0.2"]).with_code(0);
    workspace.run(&["vendor"]).with_code(0);
    let other = crd("v1.0.0", "stable", 5, "")
        .replace("routes", "gates")
        .replace("example.com", "example.org");
    let files = [
        ("crds/policies/gateways.yaml", POLICY),
        ("crds/components/gateways.yaml", POLICY),
        ("crds/policies.yaml", POLICY),
        ("crds/example.org_gates.yaml", &*other),
    ];
    for (path, text) in files {
        workspace.write(path, text);
    }
    for arguments in [&["vendor", "--check"][..], &["vendor"]] {
        let ran = workspace.run(arguments).with_code(0);
        assert!(!ran.stdout.contains("not pinned"), "{}", ran.stdout);
    }
    for (path, text) in files {
        assert_eq!(workspace.read(path), text, "{path}");
    }
}

/// A file with the name of a CRD's file is replaced only if it contains that CRD.
#[test]
fn a_file_of_ones_own_is_not_replaced() {
    let workspace = released();
    pin(&workspace, &["--from", "api", "--version", "^0.2"]).with_code(0);
    let path = "crds/example.com_routes.yaml";
    let secret = "---\napiVersion: v1\nkind: Secret\nmetadata:\n  name: routes.example.com\n";
    workspace.write(path, secret);
    let ran = workspace.run(&["vendor"]).with_code(2);
    assert!(
        ran.stderr.contains("was not written by this tool"),
        "{}",
        ran.stderr
    );
    assert_eq!(workspace.read(path), secret);
    let merging = "<<<<<<< ours\n".to_owned() + &crd("v0.1.0", "stable", 10, "");
    for text in [merging.as_str(), ""] {
        workspace.write(path, text);
        workspace.run(&["vendor"]).with_code(0);
        workspace.run(&["vendor", "--check"]).with_code(0);
    }
}

#[test]
fn only_files_of_objects_are_written() {
    for odd in [
        ".git/config",
        "authorized_keys",
        ".hidden_a.yaml",
        "a/b_c.yaml",
        "b.yaml",
    ] {
        let workspace = empty();
        let files = vec![(format!("crds/{odd}"), crd("v0.1.0", "stable", 10, ""))];
        let folder = workspace.path("api/channels");
        bundle::release_as(
            "example.com",
            &folder,
            "v0.1.0",
            &[],
            &[("stable", &[], files)],
        );
        let ran = pin(&workspace, &["--from", "api", "--folder", "."]).with_code(1);
        let expected = format!("error[bundle-invalid]: v0.1.0 has the file `stable/crds/{odd}`");
        assert!(ran.stderr.contains(&expected), "{odd}: {}", ran.stderr);
        assert!(!workspace.path("bundle.lock").exists());
    }
    // A handwritten lock does not lead there either.
    let workspace = released();
    pin(&workspace, &["--from", "api", "--version", "^0.2"]).with_code(0);
    let lock = workspace.read("bundle.lock");
    let name = "stable/crds/example.com_routes.yaml";
    workspace.write("bundle.lock", lock.replace(name, "stable/crds/.git/config"));
    let ran = workspace.run(&["vendor"]).with_code(2);
    assert!(ran.stderr.contains("error[lock-invalid]"), "{}", ran.stderr);
}

#[test]
fn another_bundle_of_the_same_prefix_does_not_replace_the_first() {
    let workspace = released();
    pin(&workspace, &["--from", "api", "--version", "^0.2"]).with_code(0);
    let lock = workspace.read("bundle.lock");
    let other = crd("v9.0.0", "stable", 5, "")
        .replace("routes", "gates")
        .replace("Route", "Gate")
        .replace("singular: route", "singular: gate");
    let files = vec![("crds/example.com_gates.yaml".to_owned(), other)];
    let folder = workspace.path("gates/channels");
    bundle::release_as(
        "example.com",
        &folder,
        "v9.0.0",
        &[],
        &[("stable", &[], files)],
    );
    let ran = pin(&workspace, &["--from", "gates"]).with_code(2);
    assert!(
        ran.stderr.contains("`example.com` is already pinned"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("--name NAME"), "{}", ran.stderr);
    assert_eq!(workspace.read("bundle.lock"), lock);
    pin(&workspace, &["--from", "gates", "--name", "gates"]).with_code(0);
    release(&workspace, "api/channels", "v0.99.0", 60);
    pin(&workspace, &["--from", "api"]).with_code(0);
    workspace.run(&["vendor"]).with_code(0);
    workspace.run(&["vendor", "--check"]).with_code(0);
}
