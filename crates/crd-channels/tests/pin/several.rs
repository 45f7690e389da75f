//! Several bundles in one lock.

use super::support::Workspace;
use super::{assert_cannot_run, bundle, bundles, crd, pin, release, released};
use crd_channels_files::hold;
use std::process::Stdio;
use std::time::Duration;

/// Returns the CRD of another project.
fn gate(version: &str, longest: u32) -> String {
    let text = crd(version, "stable", longest, "");
    text.replace("example.com", "example.org")
        .replace("routes", "gates")
        .replace("Route", "Gate")
        .replace("singular: route", "singular: gate")
}

/// Writes a bundle of another project.
fn release_gates(workspace: &Workspace, version: &str, longest: u32) {
    let text = gate(version, longest);
    let files = vec![("crds/example.org_gates.yaml".to_owned(), text)];
    let folder = workspace.path("gates/channels");
    bundle::release_as(
        "example.org",
        &folder,
        version,
        &[],
        &[("stable", &[], files)],
    );
}

fn names(workspace: &Workspace) -> Vec<(String, String, String)> {
    let text = |bundle: &toml::Table, key: &str| bundle[key].as_str().unwrap().to_owned();
    let bundles = bundles(workspace).into_iter();
    bundles
        .map(|bundle| {
            (
                text(&bundle, "name"),
                text(&bundle, "version"),
                text(&bundle, "folder"),
            )
        })
        .collect()
}

#[track_caller]
fn has(workspace: &Workspace, expected: &[(&str, &str, &str)]) {
    let expected = expected.iter().map(|(name, version, folder)| {
        (
            (*name).to_owned(),
            (*version).to_owned(),
            (*folder).to_owned(),
        )
    });
    assert_eq!(names(workspace), expected.collect::<Vec<_>>());
}

#[test]
fn each_bundle_of_a_lock_has_its_folder() {
    let workspace = released();
    release_gates(&workspace, "v1.0.0", 10);
    pin(&workspace, &["--from", "api", "--version", "=0.1.0"]).with_code(0);
    pin(
        &workspace,
        &["--from", "gates", "--folder", "deploy/gates/"],
    )
    .with_code(0);
    let one = ("example.com", "v0.1.0", "crds");
    let two = ("example.org", "v1.0.0", "deploy/gates");
    has(&workspace, &[one, two]);
    let ran = workspace.run(&["vendor"]).with_code(0);
    for line in [
        "1 CRD of v0.1.0 stable in `crds`: 1 written, 0 removed",
        "1 CRD of v1.0.0 stable in `deploy/gates`: 1 written, 0 removed",
    ] {
        assert!(ran.stdout.contains(line), "{}", ran.stdout);
    }
    let (route, gates) = (
        "crds/example.com_routes.yaml",
        "deploy/gates/example.org_gates.yaml",
    );
    assert_eq!(workspace.read(route), crd("v0.1.0", "stable", 10, ""));
    assert_eq!(workspace.read(gates), gate("v1.0.0", 10));
    workspace.run(&["vendor", "--check"]).with_code(0);
    workspace.write(gates, "a: 1");
    let ran = workspace.run(&["vendor", "--check"]).with_code(1);
    assert_eq!(ran.stdout, format!("not as pinned: {gates}\n"));
    assert_cannot_run(&workspace, &["vendor", "other"], &["several bundles"]);

    // Another bundle is added by its source, updated by its name or its CRDs, and removed by its name.
    release(&workspace, "api/channels", "v0.1.1", 11);
    release_gates(&workspace, "v1.1.0", 12);
    assert_cannot_run(
        &workspace,
        &["pin", "--update", "--version", "*"],
        &[
            "several bundles",
            "`--update example.com` or `--update example.org`",
        ],
    );
    assert_cannot_run(
        &workspace,
        &["pin", "--update", "--key", "release.pub"],
        &["several bundles"],
    );
    assert_cannot_run(
        &workspace,
        &["pin", "--update", "example.net"],
        &[
            "no bundle named `example.net`",
            "available: example.com, example.org",
        ],
    );
    let ran = pin(&workspace, &["--update", "--dry-run"]).with_code(0);
    assert!(
        ran.stdout.contains("example.org:\nGate\n"),
        "{}",
        ran.stdout
    );
    has(&workspace, &[one, two]);
    pin(&workspace, &["--update", "example.org"]).with_code(0);
    let two = ("example.org", "v1.1.0", "deploy/gates");
    has(&workspace, &[one, two]);
    pin(&workspace, &["--from", "api/channels", "--version", "~0.1"]).with_code(0);
    let one = ("example.com", "v0.1.1", "crds");
    has(&workspace, &[one, two]);
    release(&workspace, "api/channels", "v0.1.2", 12);
    release_gates(&workspace, "v1.2.0", 13);
    pin(&workspace, &["--update"]).with_code(0);
    let (one, two) = (
        ("example.com", "v0.1.2", "crds"),
        ("example.org", "v1.2.0", "deploy/gates"),
    );
    has(&workspace, &[one, two]);
    let ran = pin(&workspace, &["--remove", "example.com", "--dry-run"]).with_code(0);
    let expected = "`example.com` is no longer pinned, not written\nwould remove: crds/example.com_routes.yaml\n";
    assert_eq!(ran.stdout, expected);
    has(&workspace, &[one, two]);
    let ran = pin(&workspace, &["--remove", "example.com"]).with_code(0);
    let expected = "`example.com` is no longer pinned\nremoved: crds/example.com_routes.yaml\n";
    assert_eq!(ran.stdout, expected);
    has(&workspace, &[two]);
}

/// However a folder is written, `vendor` would remove one bundle's files for the other's.
#[test]
fn no_bundle_stands_where_another_one_does() {
    let workspace = released();
    release_gates(&workspace, "v1.0.0", 10);
    pin(&workspace, &["--from", "api"]).with_code(0);
    workspace.run(&["vendor"]).with_code(0);
    let here = workspace.path("").canonicalize().unwrap();
    let full = here.join("crds");
    workspace.link("crds", "linked");
    let others = [
        "x/../crds",
        full.to_str().unwrap(),
        "CRDS",
        "crds/components",
        "crds/x/../policies",
        "Crds/Policies",
        "linked",
        "linked/components",
    ];
    for folder in others {
        assert_cannot_run(
            &workspace,
            &["pin", "--from", "gates", "--folder", folder],
            &[
                "is in use: files of `example.com` are in `crds`",
                "`--folder crds-example.org`",
            ],
        );
    }
    // A handwritten lock of a format without digests of entries.
    pin(&workspace, &["--from", "gates"]).with_code(0);
    let lock = workspace.read("bundle.lock");
    super::as_format_2(&workspace);
    workspace.edit("bundle.lock", "crds-example.org", "./x/../Crds");
    assert_cannot_run(
        &workspace,
        &["vendor"],
        &["`crds` of `example.com` and `./x/../Crds` of `example.org` overlap"],
    );
    workspace.write("bundle.lock", lock);
    pin(&workspace, &["--remove", "example.org"]).with_code(0);
    // Following the advice works, and so does the default folder.
    let named = ["pin", "--from", "gates", "--name", "policies"];
    assert_cannot_run(
        &workspace,
        &[&named[..], &["--folder", "crds"]].concat(),
        &["`--folder crds-policies`"],
    );
    workspace.run(&named).with_code(0);
    let two = ("policies", "v1.0.0", "crds-policies");
    has(&workspace, &[("example.com", "v0.10.0", "crds"), two]);
    pin(&workspace, &["--remove", "policies"]).with_code(0);
    pin(&workspace, &["--remove", "example.com"]).with_code(0);
    // The other way around.
    pin(
        &workspace,
        &["--from", "gates", "--folder", "crds/policies"],
    )
    .with_code(0);
    assert_cannot_run(
        &workspace,
        &["pin", "--from", "api", "--folder", "crds"],
        &["`crds` is in use: files of `example.org` are in `crds/policies`"],
    );
    pin(
        &workspace,
        &["--from", "api", "--folder", "crds/policies/more"],
    )
    .with_code(0);
}

#[test]
fn an_update_that_is_refused_leaves_all_bundles_as_they_are() {
    let workspace = released();
    release_gates(&workspace, "v1.0.0", 10);
    pin(&workspace, &["--from", "api"]).with_code(0);
    pin(&workspace, &["--from", "gates"]).with_code(0);
    let (one, two) = (
        ("example.com", "v0.10.0", "crds"),
        ("example.org", "v1.0.0", "crds-example.org"),
    );
    has(&workspace, &[one, two]);
    release(&workspace, "api/channels", "v0.11.0", 50);
    // A lower maximum refuses stored objects.
    release_gates(&workspace, "v1.1.0", 9);
    let ran = pin(&workspace, &["--update"]).with_code(1);
    assert!(
        ran.stderr
            .contains("stored objects would lose data or fail validation: `spec.host` of `Gate`"),
        "{}",
        ran.stderr
    );
    has(&workspace, &[one, two]);
    workspace.run(&["vendor"]).with_code(0);
    workspace.run(&["vendor", "--check"]).with_code(0);
}

#[test]
fn one_bundle_can_be_there_twice_under_two_names() {
    let workspace = released();
    pin(
        &workspace,
        &["--from", "api", "--name", "prod", "--version", "=0.1.0"],
    )
    .with_code(0);
    let staging = ["--from", "api", "--name", "staging"];
    pin(&workspace, &staging).with_code(0);
    has(
        &workspace,
        &[
            ("prod", "v0.1.0", "crds"),
            ("staging", "v0.10.0", "crds-staging"),
        ],
    );
    workspace.run(&["vendor"]).with_code(0);
    workspace.run(&["vendor", "--check"]).with_code(0);
    assert_cannot_run(
        &workspace,
        &["pin", "--from", "api"],
        &["`--name prod` or `--name staging`"],
    );
    assert_cannot_run(
        &workspace,
        &[
            "pin", "--from", "api", "--name", "test", "--folder", "./crds",
        ],
        &["`crds` is in use: files of `prod` are in `crds`"],
    );
    assert_cannot_run(
        &workspace,
        &["pin", "--from", "api", "--name", "../a"],
        &["`../a` is not a valid name"],
    );
}

/// Rewrites the lock in the previous format.
fn as_format_1(workspace: &Workspace) {
    let text = workspace
        .read("bundle.lock")
        .replace("format = 3\n\n[[bundle]]\n", "format = 1\n")
        .replace("\nversion = ", "\nbundle = ")
        .replace("[bundle.", "[");
    let is_new = |line: &&str| {
        let keys = [
            "name = ",
            "folder = \"crds\"",
            "folder = \"deploy\"",
            "with = ",
            "prefix = ",
            "digest = ",
        ];
        keys.iter().any(|key| line.starts_with(key))
    };
    let lines = text.lines().filter(|line| !is_new(line));
    workspace.write(
        "bundle.lock",
        lines.map(|line| format!("{line}\n")).collect::<String>(),
    );
}

#[test]
fn a_lock_of_the_format_before_works_and_is_updated() {
    let workspace = released();
    pin(&workspace, &["--from", "api", "--version", "^0.2"]).with_code(0);
    as_format_1(&workspace);
    workspace.run(&["vendor", "deploy"]).with_code(0);
    workspace.run(&["vendor", "deploy", "--check"]).with_code(0);
    pin(&workspace, &["--update", "--folder", "deploy"]).with_code(0);
    has(&workspace, &[("example.com", "v0.2.1", "deploy")]);
    workspace.run(&["vendor", "--check"]).with_code(0);
    as_format_1(&workspace);
    pin(&workspace, &["--from", "api"]).with_code(0);
    has(&workspace, &[("example.com", "v0.10.0", "crds")]);
}

/// A killed run leaves its files in the folder of the files, or beside the lock, never above it.
#[test]
fn nothing_is_written_above_the_lock() {
    let workspace = released();
    release_gates(&workspace, "v1.0.0", 10);
    // A journal needs a folder of that name.
    workspace.write(".crd-channels", "");
    workspace.write("app/own.yaml", "a: 1");
    let run = |arguments: &[&str]| super::run(&mut workspace.command_in("app", arguments));
    for (folder, gates) in [
        (".", "gates"),
        (".", "../deploy/gates"),
        ("../deploy/crds", "../deploy/crds/gates"),
        ("../deploy/crds", "."),
    ] {
        let crds = [
            "pin",
            "--from",
            "../api",
            "--version",
            "v0.1.0",
            "--folder",
            folder,
        ];
        run(&crds).with_code(0);
        run(&["pin", "--from", "../gates", "--folder", gates]).with_code(0);
        run(&["vendor"]).with_code(0);
        let path = |folder: &str, file: &str| format!("app/{folder}/{file}");
        let (routes, other) = (
            path(folder, "example.com_routes.yaml"),
            path(gates, "example.org_gates.yaml"),
        );
        assert_eq!(workspace.read(&routes), crd("v0.1.0", "stable", 10, ""));
        assert_eq!(workspace.read(&other), gate("v1.0.0", 10));
        run(&["vendor", "--check"]).with_code(0);
        // Only what is no longer pinned is removed.
        let old = path(folder, "example.com_olds.yaml");
        workspace.write(
            &old,
            crd("v0.1.0", "stable", 10, "").replace("routes", "olds"),
        );
        let ran = run(&["vendor", "--check"]).with_code(1);
        assert!(ran.stdout.contains("not pinned: "), "{}", ran.stdout);
        let ran = run(&["vendor"]).with_code(0);
        assert!(
            ran.stdout.contains("0 written, 1 removed\nremoved "),
            "{}",
            ran.stdout
        );
        assert!(
            ran.stdout.contains("example.com_olds.yaml\n"),
            "{}",
            ran.stdout
        );
        assert!(!workspace.path(&old).exists());
        assert_eq!(workspace.read("app/own.yaml"), "a: 1");
        assert!(!workspace.path("app/.crd-channels").exists());
        for path in ["app/bundle.lock", &routes, &other] {
            std::fs::remove_file(workspace.path(path)).unwrap();
        }
    }
    // The parent of the lock's folder belongs to others.
    let name = workspace.folder().file_name().unwrap().to_str().unwrap();
    let above = format!("../../{name}");
    run(&["pin", "--from", "../api", "--folder", &above]).with_code(0);
    let ran = run(&["vendor"]).with_code(2);
    let words = "CRDs cannot be written into the folder";
    assert!(ran.stderr.contains(words), "{}", ran.stderr);
}

/// Applying a folder recursively applies one bundle.
#[test]
fn folders_that_nobody_names_lie_apart() {
    let workspace = released();
    for (name, channel, folder) in [
        ("one", "stable", "crds"),
        ("two", "experimental", "crds-two"),
        ("Two", "stable", "crds-Two-2"),
        ("TWO", "stable", "crds-TWO-3"),
    ] {
        let named = ["--from", "api", "--name", name, "--channel", channel];
        pin(&workspace, &named).with_code(0);
        let is = names(&workspace);
        let own = is.iter().find(|(known, _, _)| known == name).unwrap();
        assert_eq!(own.2, folder);
    }
    workspace.run(&["vendor"]).with_code(0);
    workspace.run(&["vendor", "--check"]).with_code(0);
    // An explicit folder may be where the next default one would be.
    for (taken, folder) in [
        ("crds/deep/one", "crds-two"),
        ("crds-two/deep", "crds"),
        (".", "crds"),
        ("components", "crds"),
    ] {
        std::fs::remove_file(workspace.path("bundle.lock")).unwrap();
        pin(
            &workspace,
            &["--from", "api", "--name", "one", "--folder", taken],
        )
        .with_code(0);
        pin(&workspace, &["--from", "api", "--name", "two"]).with_code(0);
        let is = names(&workspace);
        assert_eq!(is[1].2, folder, "{taken}");
    }
}

/// Both wait for another run before they read the lock, so neither loses the entry of the other.
#[test]
fn runs_at_the_same_time_pin_both_bundles() {
    let workspace = released();
    release_gates(&workspace, "v1.0.0", 10);
    let held = hold(workspace.folder()).unwrap();
    let runs = [("api", "a"), ("gates", "b")].map(|(from, folder)| {
        let mut pin = workspace.command(&["pin", "--from", from, "--folder", folder]);
        pin.stdout(Stdio::null()).spawn().unwrap()
    });
    std::thread::sleep(Duration::from_millis(500));
    assert!(!workspace.path("bundle.lock").exists());
    drop(held);
    for mut run in runs {
        assert!(run.wait().unwrap().success());
    }
    assert_eq!(
        names(&workspace).len(),
        2,
        "{}",
        workspace.read("bundle.lock")
    );
    assert!(!workspace.path(".crd-channels").exists());
}
