//! Bundles of projects in subfolders of a repository.

use super::support::{Ran, Workspace, run};
use super::{assert_cannot_run, bundle, crd, empty, git, locked, pin, release};
use std::process::Command;

/// A repository whose folders each have a project. Every bundle has a tag; v0.2.2 of `sub` is only on a branch.
fn projects(prefix: &str) -> Workspace {
    let workspace = empty();
    std::fs::create_dir_all(workspace.path("mono")).unwrap();
    let mono = workspace.path("mono");
    git(&mono, &["init", "--quiet"]);
    let publish = |folder: &str, version: &str, longest, tag: &str| {
        release(
            &workspace,
            &format!("mono/{folder}/channels"),
            version,
            longest,
        );
        git(&mono, &["add", "--all"]);
        git(&mono, &["commit", "--quiet", "--message", version]);
        git(&mono, &["tag", tag]);
    };
    publish("sub", "v0.1.0", 10, &format!("{prefix}v0.1.0"));
    publish("sub", "v0.2.1", 20, &format!("{prefix}v0.2.1"));
    git(&mono, &["branch", "release-0.2"]);
    publish("sub", "v0.3.0", 30, &format!("{prefix}v0.3.0"));
    git(&mono, &["checkout", "--quiet", "release-0.2"]);
    publish("sub", "v0.2.2", 22, &format!("{prefix}v0.2.2"));
    git(&mono, &["checkout", "--quiet", "main"]);
    workspace
}

/// Adds a bundle of another project.
fn add_other(workspace: &Workspace, folder: &str, version: &str) {
    let mono = workspace.path("mono");
    let text = crd(version, "stable", 5, "").replace("example.com", "example.org");
    let files = vec![("crds/example.org_routes.yaml".to_owned(), text)];
    let channels: [(&str, &[&str], _); 1] = [("stable", &[], files)];
    let place = mono.join(folder).join("channels");
    bundle::release_as("example.org", &place, version, &[], &channels);
    git(&mono, &["add", "--all"]);
    git(&mono, &["commit", "--quiet", "--message", folder]);
    git(&mono, &["tag", &format!("{folder}/{version}")]);
}

/// Runs a command as somebody pastes it into a shell.
fn pasted(workspace: &Workspace, command: &str) -> Ran {
    let rest = command.strip_prefix("crd-channels ").unwrap();
    let line = format!("{} {rest}", env!("CARGO_BIN_EXE_crd-channels"));
    let mut shell = Command::new("sh");
    shell.args(["-c", &line]).current_dir(workspace.folder());
    for (name, value) in workspace.command(&[]).get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    run(&mut shell)
}

#[test]
fn a_path_leads_to_bundles_in_a_subfolder() {
    for prefix in ["sub/", "sub-", "", "other/"] {
        let workspace = projects(prefix);
        let mono = workspace.path("mono");
        let url = format!("file://{}", mono.display());
        for (source, requirement, revision, version, tag) in [
            ("git:mono", "*", None, "v0.3.0", None),
            ("git:mono", "~0.2", None, "v0.2.2", Some("v0.2.2")),
            (&*url, "~0.2", None, "v0.2.2", Some("v0.2.2")),
            (&*url, "v0.1.0", None, "v0.1.0", None),
            (&*url, "~0.2", Some("main".to_owned()), "v0.2.1", None),
            (&*url, "*", Some(format!("{prefix}v0.2.2")), "v0.2.2", None),
            (
                "git:mono",
                "*",
                Some(format!("{prefix}v0.1.0")),
                "v0.1.0",
                None,
            ),
            ("mono", "*", None, "v0.3.0", None),
        ] {
            let mut arguments = vec!["--from", source, "--version", requirement, "--path", "sub/"];
            arguments.extend(revision.iter().flat_map(|name| ["--revision", name]));
            pin(&workspace, &arguments).with_code(0);
            let lock = locked(&workspace);
            assert_eq!(lock["version"].as_str(), Some(version), "{arguments:?}");
            let from = lock["source"].as_table().unwrap();
            assert_eq!(from["path"].as_str(), Some("sub"));
            let locked_tag = from.get("tag").map(|tag| tag.as_str().unwrap().to_owned());
            assert_eq!(
                locked_tag,
                tag.map(|tag| format!("{prefix}{tag}")),
                "{arguments:?}"
            );
            workspace.run(&["vendor"]).with_code(0);
            workspace.run(&["vendor", "--check"]).with_code(0);
            std::fs::remove_file(workspace.path("bundle.lock")).unwrap();
            std::fs::remove_dir_all(workspace.path("crds")).unwrap();
        }
    }
}

/// The path is kept: updates find the next bundle, `vendor` reads the pinned one, from the cache without the network.
#[test]
fn updates_keep_the_path() {
    let workspace = projects("sub/");
    let url = format!("file://{}", workspace.path("mono").display());
    let arguments = ["--from", &url, "--path", "sub", "--version", "~0.2"];
    pin(&workspace, &arguments).with_code(0);
    let first = locked(&workspace);
    pin(&workspace, &["--update", "--version", "^0.3"]).with_code(0);
    let lock = locked(&workspace);
    assert_eq!(lock["version"].as_str(), Some("v0.3.0"));
    assert_eq!(lock["source"]["path"], first["source"]["path"]);
    std::fs::rename(workspace.path("mono"), workspace.path("gone")).unwrap();
    workspace.run(&["vendor", "--offline"]).with_code(0);
    let path = "crds/example.com_routes.yaml";
    assert_eq!(workspace.read(path), crd("v0.3.0", "stable", 30, ""));
    // Without the cache the pinned commit is read again.
    std::fs::rename(workspace.path("gone"), workspace.path("mono")).unwrap();
    std::fs::remove_dir_all(workspace.cache()).unwrap();
    std::fs::remove_file(workspace.path(path)).unwrap();
    workspace.run(&["vendor"]).with_code(0);
    assert_eq!(workspace.read(path), crd("v0.3.0", "stable", 30, ""));
}

#[test]
fn a_repository_with_bundles_in_one_subfolder_names_the_command() {
    let workspace = projects("sub/");
    let url = format!("file://{}", workspace.path("mono").display());
    for arguments in [
        &["--from", &*url][..],
        &["--from", &url, "--version", "v0.1.0"],
        &[
            "--from",
            "git:mono",
            "--version",
            "~0.2",
            "--channel",
            "experimental",
        ],
        &["--from", "git:mono#sub/v0.1.0", "--folder", "my crds"],
        &["--from", "mono"],
        // The path of another project, or none.
        &["--from", &url, "--path", "else", "--version", ">=0.2, <0.4"],
    ] {
        let ran = pin(&workspace, arguments).with_code(2);
        assert!(
            ran.stderr.contains("error[bundle-missing]"),
            "{}",
            ran.stderr
        );
        assert!(ran.stderr.contains("only in `sub`"), "{}", ran.stderr);
        assert!(!ran.stderr.contains("available"), "{}", ran.stderr);
        let help = ran
            .stderr
            .split("run `")
            .nth(1)
            .unwrap()
            .split('`')
            .next()
            .unwrap();
        pasted(&workspace, help).with_code(0);
        assert_eq!(
            locked(&workspace)["source"]["path"].as_str(),
            Some("sub"),
            "{help}"
        );
        std::fs::remove_file(workspace.path("bundle.lock")).unwrap();
    }
}

#[test]
fn several_projects_are_told_apart() {
    let workspace = projects("sub/");
    add_other(&workspace, "libs/gates", "v0.9.0");
    let url = format!("file://{}", workspace.path("mono").display());
    for source in ["git:mono", &*url, "mono"] {
        assert_cannot_run(
            &workspace,
            &["pin", "--from", source],
            &[
                "has no bundles at its top, only in `libs/gates`, `sub`",
                "name the folder: `--path libs/gates` or `--path sub`",
            ],
        );
        pin(&workspace, &["--from", source, "--path", "libs/gates"]).with_code(0);
        assert_eq!(locked(&workspace)["name"].as_str(), Some("example.org"));
        std::fs::remove_file(workspace.path("bundle.lock")).unwrap();
    }
    // Two bundles of one repository in one lock, which are updated together.
    pin(&workspace, &["--from", &url, "--path", "libs/gates"]).with_code(0);
    pin(
        &workspace,
        &["--from", &url, "--path", "sub", "--version", "~0.2"],
    )
    .with_code(0);
    let both = super::bundles(&workspace);
    assert_eq!(both.len(), 2);
    pin(&workspace, &["--update"]).with_code(0);
    assert_eq!(super::bundles(&workspace), both);
    workspace.run(&["vendor"]).with_code(0);
}

/// Only what can be pinned is available.
#[test]
fn tags_without_a_bundle_are_not_available() {
    let workspace = projects("sub/");
    let mono = workspace.path("mono");
    git(&mono, &["tag", "v7.0.0"]);
    git(&mono, &["tag", "sub/v8.0.0"]);
    let url = format!("file://{}", mono.display());
    for source in ["git:mono", &*url] {
        let arguments = ["--from", source, "--path", "sub", "--version", "^8"];
        let ran = pin(&workspace, &arguments).with_code(2);
        let expected = "has no bundle `^8` in its folder `sub`";
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
        let expected = "available: v0.1.0, v0.2.1, v0.2.2, v0.3.0\n";
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    }
    for path in ["..", "/sub", "sub/../.."] {
        let arguments = ["pin", "--from", &url, "--path", path];
        assert_cannot_run(
            &workspace,
            &arguments,
            &["is not a folder inside the source"],
        );
    }
}
