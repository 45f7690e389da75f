//! `pin` and `vendor`: bundles from folders and git, and everything that can be wrong with them.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

#[path = "../support/bundle.rs"]
mod bundle;
#[path = "../support/killed.rs"]
mod killed;
#[path = "../support/mod.rs"]
mod support;

mod archives;
mod faults;
mod bots;
mod http;
mod keys;
mod kills;
mod lies;
mod lists;
mod manual;
mod merges;
mod migrations;
mod months;
mod others;
mod parts;
mod removed;
mod renovate;
mod rewritten;
mod server;
mod several;
mod strays;
mod subfolders;
mod tags;
mod updates;

use crd_channels_released::digest::Digest;
use std::path::Path;
use std::process::Command;
use support::{Ran, Workspace, run};

/// An empty folder.
fn empty() -> Workspace {
    let workspace = Workspace::new("");
    for entry in std::fs::read_dir(workspace.folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            std::fs::remove_dir_all(path).unwrap();
        } else {
            std::fs::remove_file(path).unwrap();
        }
    }
    workspace
}

fn crd(version: &str, channel: &str, longest: u32, more: &str) -> String {
    format!(
        "---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  annotations:
    example.com/bundle-version: {version}
    example.com/channel: {channel}
  name: routes.example.com
spec:
  group: example.com
  names:
    kind: Route
    listKind: RouteList
    plural: routes
    singular: route
  scope: Namespaced
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        properties:
          spec:
            properties:
              host:
                maxLength: {longest}
                type: string
{more}            type: object
        type: object
    served: true
    storage: true
"
    )
}

const TIMEOUT: &str = "              timeout:\n                type: string\n";

/// Writes the bundle of a version below a folder. Those before v0.3.0 contain `install.yaml`, like old bundles.
fn release(workspace: &Workspace, folder: &str, version: &str, longest: u32) {
    let holds_install = ["v0.1.", "v0.2."]
        .iter()
        .any(|old| version.starts_with(old));
    let files = |channel: &str, more: &str| {
        let text = crd(version, channel, longest, more);
        let list = "---\nresources:\n- crds/example.com_routes.yaml\n".to_owned();
        let all = match holds_install {
            true => ("install.yaml", text.clone()),
            false => ("kustomization.yaml", list),
        };
        let all = [("crds/example.com_routes.yaml", text), all];
        all.map(|(path, text)| (path.to_owned(), text)).to_vec()
    };
    let channels: [(&str, &[&str], _); 2] = [
        ("stable", &[], files("stable", "")),
        (
            "experimental",
            &["Timeouts"],
            files("experimental", TIMEOUT),
        ),
    ];
    bundle::release(&workspace.path(folder), version, &["Timeouts"], &channels);
}

/// A folder with five bundles.
fn released() -> Workspace {
    let workspace = empty();
    for (version, longest) in [
        ("v0.1.0", 10),
        ("v0.2.0", 20),
        ("v0.2.1", 20),
        ("v0.3.0-rc.1", 30),
        ("v0.10.0", 40),
    ] {
        release(&workspace, "api/channels", version, longest);
    }
    workspace
}

fn pin(workspace: &Workspace, arguments: &[&str]) -> Ran {
    let mut all = vec!["pin"];
    all.extend(arguments);
    workspace.run(&all)
}

/// Checks that a command could not run.
#[track_caller]
fn assert_cannot_run(workspace: &Workspace, arguments: &[&str], words: &[&str]) {
    ends(2, workspace, arguments, words);
}

/// Checks the exit code and the output of a run, and that no existing file has changed.
#[track_caller]
fn ends(code: i32, workspace: &Workspace, arguments: &[&str], words: &[&str]) {
    let before = workspace.files("");
    let ran = workspace.run(arguments).with_code(code);
    for word in words {
        assert!(ran.stderr.contains(word), "`{word}` in:\n{}", ran.stderr);
    }
    assert_eq!(workspace.files(""), before);
}

/// Returns the only bundle of the lock.
#[track_caller]
fn locked(workspace: &Workspace) -> toml::Table {
    match bundles(workspace).as_slice() {
        [only] => only.clone(),
        several => panic!("{} bundles", several.len()),
    }
}

/// Returns the bundles of the lock.
fn bundles(workspace: &Workspace) -> Vec<toml::Table> {
    let lock: toml::Table = toml::from_str(&workspace.read("bundle.lock")).unwrap();
    let bundles = lock["bundle"].as_array().unwrap().iter();
    bundles
        .map(|bundle| bundle.as_table().unwrap().clone())
        .collect()
}

/// Rewrites the lock in the format before, which has no digests of entries.
fn as_format_2(workspace: &Workspace) {
    let text = workspace
        .read("bundle.lock")
        .replace("format = 3", "format = 2");
    let lines = text.lines().filter(|line| !line.starts_with("digest = "));
    let lines: Vec<&str> = lines.collect();
    workspace.write("bundle.lock", lines.join("\n") + "\n");
}

#[test]
fn the_newest_bundle_that_fits_is_pinned() {
    let workspace = released();
    for (requirement, expected) in [
        (Some("^0.2"), "v0.2.1"),
        (Some("=0.2.0"), "v0.2.0"),
        (Some("v0.2.0"), "v0.2.0"),
        (Some(">=0.1, <0.9"), "v0.2.1"),
        (Some("^0.3.0-rc"), "v0.3.0-rc.1"),
        (None, "v0.10.0"),
    ] {
        let mut arguments = vec!["--from", "api"];
        arguments.extend(requirement.iter().flat_map(|text| ["--version", *text]));
        pin(&workspace, &arguments).with_code(0);
        assert_eq!(locked(&workspace)["version"].as_str(), Some(expected));
        std::fs::remove_file(workspace.path("bundle.lock")).unwrap();
    }
    pin(
        &workspace,
        &["--from", "api", "--channel", "stable", "--version", "^0.2"],
    )
    .with_code(0);
    let lock = locked(&workspace);
    let text = crd("v0.2.1", "stable", 20, "");
    for (path, expected) in [
        (&["name"][..], "\"example.com\"".to_owned()),
        (&["folder"], "\"crds\"".to_owned()),
        (&["with"], "[\"components\"]".to_owned()),
        (&["channel"], "\"stable\"".to_owned()),
        (&["requirement"], "\"^0.2\"".to_owned()),
        (&["kubernetes"], "\"1.31\"".to_owned()),
        (&["source", "folder"], "\"api\"".to_owned()),
        (
            &["files", "stable/crds/example.com_routes.yaml"],
            format!("\"{}\"", Digest::of(text.as_bytes())),
        ),
    ] {
        let mut value = &toml::Value::Table(lock.clone());
        for key in path {
            value = &value[*key];
        }
        let shown = serde_json::to_value(value).unwrap().to_string();
        assert_eq!(shown, expected, "{path:?}");
    }
    assert_eq!(lock["files"].as_table().unwrap().len(), 2);
    // Repeating it changes nothing; the folder of bundles and a bundle's own folder are sources too.
    let again = pin(&workspace, &["--update"]).with_code(0).stdout;
    assert!(again.contains(", as it was"), "{again}");
    pin(&workspace, &["--from", "api/channels", "--version", "^0.2"]).with_code(0);
    let own = ["--from", "api/channels/v0.2.0", "--allow-downgrade"];
    pin(&workspace, &own).with_code(0);
    assert_eq!(locked(&workspace)["version"].as_str(), Some("v0.2.0"));
}

#[test]
fn pinned_crds_are_written_and_nothing_else() {
    let workspace = released();
    pin(
        &workspace,
        &[
            "--from",
            "api",
            "--version",
            "=0.1.0",
            "--channel",
            "experimental",
        ],
    )
    .with_code(0);
    workspace
        .run(&["vendor", "deploy/crds", "--check"])
        .with_code(1);
    workspace.run(&["vendor", "deploy/crds"]).with_code(0);
    let path = "deploy/crds/example.com_routes.yaml";
    assert_eq!(
        workspace.read(path),
        crd("v0.1.0", "experimental", 10, TIMEOUT)
    );
    assert_eq!(workspace.files("deploy").len(), 1);
    // A folder that is not a workspace gets no other files.
    let mut there: Vec<String> = workspace.files("").into_keys().collect();
    there.retain(|path| !path.starts_with("api/"));
    assert_eq!(there, ["bundle.lock", path]);
    workspace
        .run(&["vendor", "deploy/crds", "--check"])
        .with_code(0);
    // Files that are no longer pinned are removed, those of others stay.
    let gone = crd("v0.1.0", "stable", 1, "").replace("routes", "gates");
    workspace.write("deploy/crds/example.com_gates.yaml", gone);
    workspace.write("deploy/crds/own.yaml", "a: 1\n");
    workspace.write(path, crd("v0.1.0", "experimental", 11, TIMEOUT));
    let ran = workspace
        .run(&["vendor", "deploy/crds", "--check"])
        .with_code(1);
    assert!(
        ran.stdout
            .contains("not as pinned: deploy/crds/example.com_routes.yaml"),
        "{}",
        ran.stdout
    );
    workspace.run(&["vendor", "deploy/crds"]).with_code(0);
    let files = workspace.files("deploy/crds");
    assert_eq!(
        files.keys().collect::<Vec<_>>(),
        ["example.com_routes.yaml", "own.yaml"]
    );
    assert_eq!(
        workspace.read(path),
        crd("v0.1.0", "experimental", 10, TIMEOUT)
    );
    for folder in ["..", "/", "."] {
        let ran = workspace.run(&["vendor", folder]);
        assert!(ran.code == Some(2) || folder == ".", "{folder}: {ran:?}");
    }
}

/// A lock has every digest, so committed files can be checked without the source and without git.
#[test]
fn vendored_files_are_checked_without_their_source() {
    let workspace = released();
    let api = workspace.path("api");
    git(&api, &["init", "--quiet"]);
    git(&api, &["add", "--all"]);
    git(&api, &["commit", "--quiet", "--message", "one"]);
    pin(&workspace, &["--from", "git:api", "--version", "^0.2"]).with_code(0);
    workspace.run(&["vendor"]).with_code(0);
    std::fs::remove_dir_all(&api).unwrap();
    let vendor = |arguments: &[&str]| {
        let arguments = [&["vendor"], arguments].concat();
        run(workspace.command(&arguments).env("PATH", ""))
    };
    vendor(&["--check"]).with_code(0);
    // Files that match the lock need no source either.
    let ran = vendor(&[]).with_code(0);
    assert!(ran.stdout.contains("0 written"), "{}", ran.stdout);
    let path = "crds/example.com_routes.yaml";
    let text = workspace.read(path);
    workspace.write(path, text.replace('\n', "\r\n"));
    vendor(&["--check"]).with_code(0);
    for (change, words) in [
        ("", "not as pinned: crds/example.com_routes.yaml"),
        ("a: 1\n", "not as pinned: crds/example.com_routes.yaml"),
    ] {
        workspace.write(path, change);
        let ran = vendor(&["--check"]).with_code(1);
        assert!(ran.stdout.contains(words), "{}", ran.stdout);
    }
    std::fs::remove_file(workspace.path(path)).unwrap();
    let ran = vendor(&["--check"]).with_code(1);
    assert!(
        ran.stdout.contains(&format!("missing: {path}")),
        "{}",
        ran.stdout
    );
    vendor(&[]).with_code(2);
}

fn git(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    command
        .args(["-c", "init.defaultBranch=main", "-c", "user.name=test"])
        .args(["-c", "user.email=test@example.com"])
        .args(arguments)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env_remove("GIT_DIR");
    run(&mut command).with_code(0).stdout.trim().to_owned()
}

/// Neither a drive nor a share is the host of a URL. Here any text can be a folder's name.
#[test]
fn paths_of_windows_are_paths() {
    let workspace = released();
    let api = workspace.path("api");
    git(&api, &["init", "--quiet"]);
    git(&api, &["add", "--all"]);
    git(&api, &["commit", "--quiet", "--message", "one"]);
    let mut before = api;
    for name in ["C:\\x", "c:x", "\\\\server\\share", "D:\\a@b"] {
        let folder = workspace.path(name);
        std::fs::rename(&before, &folder).unwrap();
        before = folder;
        for source in [
            name.to_owned(),
            format!("git:{name}"),
            format!("{name}#main"),
        ] {
            pin(&workspace, &["--from", &source]).with_code(0);
            workspace.run(&["vendor"]).with_code(0);
            std::fs::remove_file(workspace.path("bundle.lock")).unwrap();
        }
        let wrong = format!("{name}-not-there");
        let words = format!("error[bundle-missing]: `{wrong}` is not a folder");
        for source in [wrong.clone(), format!("git:{wrong}")] {
            assert_cannot_run(&workspace, &["pin", "--from", &source], &[&words]);
        }
    }
}

#[test]
fn bundles_come_from_git_too() {
    let workspace = released();
    let api = workspace.path("api");
    git(&api, &["init", "--quiet"]);
    git(&api, &["add", "--all"]);
    git(&api, &["commit", "--quiet", "--message", "one"]);
    git(&api, &["tag", "one"]);
    let one = git(&api, &["rev-parse", "HEAD"]);
    std::fs::remove_dir_all(api.join("channels/v0.10.0")).unwrap();
    release(&workspace, "api/channels", "v0.11.0", 50);
    git(&api, &["add", "--all"]);
    git(&api, &["commit", "--quiet", "--message", "two"]);
    let two = git(&api, &["rev-parse", "HEAD"]);
    // Nothing is read from the working tree.
    std::fs::remove_dir_all(api.join("channels")).unwrap();

    let url = format!("file://{}", api.display());
    let short = one.get(..9).unwrap();
    for (from, revision, commit, bundle) in [
        ("git:api", None, &two, "v0.11.0"),
        ("api#one", None, &one, "v0.10.0"),
        ("git:api", Some("main"), &two, "v0.11.0"),
        ("git:api", Some("main~1"), &one, "v0.10.0"),
        (&*url, None, &two, "v0.11.0"),
        (&*url, Some("one"), &one, "v0.10.0"),
        (&*url, Some("main"), &two, "v0.11.0"),
        (&*url, Some("main~1"), &one, "v0.10.0"),
        (&*url, Some("HEAD~1"), &one, "v0.10.0"),
        (&*url, Some(&*one), &one, "v0.10.0"),
        (&*url, Some(short), &one, "v0.10.0"),
    ] {
        let other = empty();
        other.link(&api, "api");
        let mut arguments = vec!["--from", from];
        arguments.extend(revision.iter().flat_map(|name| ["--revision", *name]));
        pin(&other, &arguments).with_code(0);
        let lock = locked(&other);
        assert_eq!(
            lock["version"].as_str(),
            Some(bundle),
            "{from} {revision:?}"
        );
        assert_eq!(lock["source"]["commit"].as_str(), Some(commit.as_str()));
        other.run(&["vendor"]).with_code(0);
        let longest = if bundle == "v0.11.0" { 50 } else { 40 };
        assert_eq!(
            other.read("crds/example.com_routes.yaml"),
            crd(bundle, "stable", longest, "")
        );
    }
    // An update follows the revision, `vendor` uses the pinned commit.
    let other = empty();
    git(&api, &["branch", "stays", "one"]);
    pin(&other, &["--from", &url, "--revision", "stays"]).with_code(0);
    git(&api, &["branch", "--force", "stays", "main"]);
    other.run(&["vendor"]).with_code(0);
    assert!(
        other
            .read("crds/example.com_routes.yaml")
            .contains("v0.10.0")
    );
    let ran = pin(&other, &["--update"]).with_code(0);
    assert!(
        ran.stdout.contains("maxLength was 40 and is 50"),
        "{}",
        ran.stdout
    );
    assert_eq!(locked(&other)["version"].as_str(), Some("v0.11.0"));
    for revision in ["nowhere", "--upload-pack=x", "main:channels"] {
        assert_cannot_run(
            &workspace,
            &["pin", "--from", &url, &format!("--revision={revision}")],
            &["error[revision-not-found]"],
        );
    }
    let left = std::fs::read_dir(std::env::temp_dir())
        .unwrap()
        .filter(|entry| {
            let name = entry.as_ref().unwrap().file_name();
            name.to_string_lossy().starts_with("crd-channels-git-")
        });
    // Other tests may be running; old files are not theirs.
    let old = left.filter(|entry| {
        let about = entry.as_ref().unwrap().metadata().unwrap();
        about.modified().unwrap().elapsed().unwrap().as_secs() > 60
    });
    assert_eq!(old.count(), 0);
}
