//! Faults of sources, bundles and locks.

use super::{assert_cannot_run, ends, git, pin, release, released};
use crate::support::{Workspace, run};

/// What the program cannot do is said with the command that installs one that can, and everything else goes on.
#[cfg(not(feature = "oci"))]
#[test]
fn a_registry_needs_a_program_that_was_built_for_it() {
    let workspace = released();
    let from = "oci://ghcr.io/edge/crds";
    for arguments in [
        &["pin", "--from", from][..],
        &["pin", "--list", "--from", from],
    ] {
        let words = [
            "error[registry-support]: `oci://ghcr.io/edge/crds` is in a registry",
            "crd-channels --features oci`",
        ];
        assert_cannot_run(&workspace, arguments, &words);
    }
    assert_cannot_run(
        &workspace,
        &["pin", "--from", "oci://ghcr.io"],
        &["names no repository", "write `oci://REGISTRY/REPOSITORY`"],
    );
    assert_cannot_run(
        &workspace,
        &["pin", "--from", from, "--offline"],
        &["is not fetched with `--offline`"],
    );
}

#[test]
fn a_tampered_or_half_bundle_is_refused() {
    let check = |code, change: &dyn Fn(&Workspace), arguments: &[&str], words: &[&str]| {
        let workspace = released();
        pin(&workspace, &["--from", "api", "--version", "=0.2.0"]).with_code(0);
        change(&workspace);
        ends(code, &workspace, arguments, words);
    };
    let file = "api/channels/v0.2.0/stable/crds/example.com_routes.yaml";
    let other = "api/channels/v0.2.0/experimental/install.yaml";
    let manifest = "api/channels/v0.2.0/manifest.json";
    let vendor: &[&str] = &["vendor"];
    let again: &[&str] = &["pin", "--update"];
    for arguments in [vendor, again] {
        check(
            1,
            &|w| w.edit(file, "maxLength: 20", "maxLength: 21"),
            arguments,
            &["error[bundle-tampered]"],
        );
        check(
            1,
            &|w| std::fs::remove_file(w.path(file)).unwrap(),
            arguments,
            &["error[bundle-tampered]"],
        );
        check(
            1,
            &|w| w.edit(other, "20", "21"),
            arguments,
            &["error[bundle-tampered]"],
        );
        check(
            1,
            &|w| w.write("api/channels/v0.2.0/more", ""),
            arguments,
            &["`more` is not part of the bundle"],
        );
        check(
            1,
            &|w| w.edit(manifest, "1.31", "1.30"),
            arguments,
            &["error[bundle-tampered]"],
        );
        check(
            1,
            &|w| w.write(manifest, "{"),
            arguments,
            &["error[bundle-invalid]"],
        );
        check(
            2,
            &|w| w.write(manifest, "{\"format\": 99}"),
            arguments,
            &["error[bundle-newer]"],
        );
        check(
            2,
            &|w| std::fs::remove_dir_all(w.path("api")).unwrap(),
            arguments,
            &["error[bundle-missing]: `api` is not a folder"],
        );
        // Complete, but different from the pinned one.
        check(
            1,
            &|w| release(w, "api/channels", "v0.2.0", 21),
            arguments,
            &["is not the one that was pinned"],
        );
        // A bundle under the name of another.
        check(
            1,
            &|w| {
                std::fs::remove_dir_all(w.path("api/channels/v0.2.0")).unwrap();
                std::fs::rename(w.path("api/channels/v0.1.0"), w.path("api/channels/v0.2.0"))
                    .unwrap();
            },
            arguments,
            &["the folder of v0.2.0 contains the bundle v0.1.0"],
        );
    }
}

#[test]
fn locks_that_are_newer_broken_or_not_there_are_refused() {
    let workspace = released();
    for arguments in [&["vendor"][..], &["pin", "--update"]] {
        assert_cannot_run(
            &workspace,
            arguments,
            &["error[lock-missing]", "pin a bundle: `crd-channels pin"],
        );
    }
    pin(&workspace, &["--from", "api"]).with_code(0);
    workspace.edit("bundle.lock", "format = 3", "format = 4\nnews = true");
    for arguments in [
        &["vendor"][..],
        &["pin", "--update"],
        &["pin", "--from", "api"],
    ] {
        assert_cannot_run(
            &workspace,
            arguments,
            &[
                "error[lock-newer]",
                "use the version of `crd-channels` that wrote it",
            ],
        );
    }
    workspace.write("bundle.lock", "format = ");
    assert_cannot_run(&workspace, &["vendor"], &["error[lock-invalid]"]);
}

#[test]
fn missing_bundles_and_channels_are_reported() {
    let workspace = released();
    assert_cannot_run(
        &workspace,
        &["pin", "--from", "api", "--version", "^7"],
        &[
            "error[bundle-missing]: `api` has no bundle `^7`",
            "available: v0.1.0, v0.2.0",
        ],
    );
    assert_cannot_run(
        &workspace,
        &["pin", "--from", "api", "--version", "newest"],
        &["`newest` is not a version requirement"],
    );
    assert_cannot_run(
        &workspace,
        &["pin", "--from", "api", "--channel", "stabel"],
        &[
            "error[channel-missing]",
            "the bundle v0.10.0 has no channel `stabel`",
            "did you mean `stable`?",
        ],
    );
    workspace.write("none/a", "");
    assert_cannot_run(
        &workspace,
        &["pin", "--from", "none"],
        &["name a source with bundles"],
    );
    // Such a name does not resolve: git is not asked to search its own folder.
    for path in ["nowhere", "../nowhere", "../../nowhere", "host:nowhere"] {
        assert_cannot_run(
            &workspace,
            &["pin", "--from", &format!("git:{path}")],
            &[&format!("error[bundle-missing]: `{path}` is not a folder")],
        );
    }
    assert_cannot_run(
        &workspace,
        &["pin", "--from", "file:///nowhere#main"],
        &["error[git-failed]"],
    );
    workspace.run(&["pin"]).with_code(2);
}

/// The advice for `vendor` does not help `pin`, which has to look for new bundles.
#[test]
fn help_for_offline_runs_depends_on_the_command() {
    let workspace = released();
    let api = workspace.path("api");
    git(&api, &["init", "--quiet"]);
    git(&api, &["add", "--all"]);
    git(&api, &["commit", "--quiet", "--message", "one"]);
    let url = format!("file://{}", api.display());
    let words = ["error[git-failed]", "remove `--offline`"];
    assert_cannot_run(&workspace, &["pin", "--from", &url, "--offline"], &words);
    pin(&workspace, &["--from", &url]).with_code(0);
    assert_cannot_run(&workspace, &["pin", "--update", "--offline"], &words);
    let mut command = workspace.command(&["vendor", "--offline"]);
    let ran = run(command.env("XDG_CACHE_HOME", workspace.path("none"))).with_code(2);
    let help = "run it once without `--offline`: pinned bundles then stay in the cache";
    assert!(ran.stderr.contains(help), "{}", ran.stderr);
}

#[test]
fn a_source_is_named_in_one_way() {
    let workspace = released();
    assert_cannot_run(
        &workspace,
        &["pin", "--from", "git:api#v0.4.0", "--revision", "v0.5.0"],
        &["names the revision `v0.4.0`, and `--revision` names `v0.5.0`"],
    );
    for path in ["git:C:\\api", "C:/api#main"] {
        let words = ["error[bundle-missing]", "is not a folder"];
        assert_cannot_run(&workspace, &["pin", "--from", path], &words);
    }
}

/// A consumer has no `channels/` to restore.
#[test]
fn help_about_broken_bundles_is_for_consumers() {
    let check = |change: &dyn Fn(&str) -> String, help: &str| {
        let workspace = released();
        for path in ["stable/install.yaml", "manifest.json"] {
            let path = format!("api/channels/v0.2.1/{path}");
            let before = workspace.read(&path);
            workspace.write(&path, change(&before));
            let arguments = ["pin", "--from", "api", "--version", "v0.2.1"];
            let ran = workspace.run(&arguments).with_code(1);
            assert!(
                ran.stderr.contains("error[bundle-tampered]"),
                "{}",
                ran.stderr
            );
            assert!(ran.stderr.contains(help), "{}", ran.stderr);
            assert!(
                !ran.stderr.contains("git checkout") && !ran.stderr.contains("git rm"),
                "{}",
                ran.stderr
            );
            workspace.write(&path, before);
        }
    };
    check(
        &|text| text.replace("example.com", "example.org"),
        "ask its publisher",
    );
    check(&|text| text.replace('\n', "\r\n"), "--from git:PATH");
}

/// An error in a bundle is a finding; a bundle that is too new keeps a command from running.
#[test]
fn every_command_has_the_same_exit_code_for_an_invalid_bundle() {
    let workspace = released();
    pin(&workspace, &["--from", "api", "--version", "v0.2.0"]).with_code(0);
    let manifest = "api/channels/v0.2.0/manifest.json";
    let text = workspace.read(manifest);
    for (text, code) in [
        (text.replace("1.31", "1.30"), 1),
        ("{\"format\": 99}".to_owned(), 2),
    ] {
        workspace.write(manifest, text);
        for (folder, arguments) in [
            ("", &["pin", "--update"][..]),
            ("", &["vendor"]),
            ("", &["diff", "api/channels/v0.1.0", "api/channels/v0.2.0"]),
            ("api", &["verify-release"]),
            ("api", &["verify-release", "v0.2.0"]),
        ] {
            run(&mut workspace.command_in(folder, arguments)).with_code(code);
        }
    }
}
