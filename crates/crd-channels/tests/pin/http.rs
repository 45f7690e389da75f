//! Bundles of a repository that is accessed over HTTP.

use super::server::{Manner, Server, can};
use super::support::skipped::skipped;
use super::support::{Ran, Workspace, run};
use std::path::Path;

use super::{crd, empty, git, locked, release, released};

/// Runs the tool without any proxy of this machine.
fn tool(workspace: &Workspace, arguments: &[&str]) -> Ran {
    let mut command = workspace.command(arguments);
    run(command.env("no_proxy", "*").env("NO_PROXY", "*"))
}

/// Modifies every file in a cache.
fn spoil(cache: &Path) {
    let mut open = vec![cache.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                std::fs::write(path, "a: 1\n").unwrap();
            }
        }
    }
}

#[test]
fn bundles_come_over_http() {
    for manner in [Manner::Files, Manner::Backend] {
        if !can(manner) {
            skipped(&format!(
                "this git has no git-remote-http or no git-http-backend, {manner:?} cannot be tried"
            ));
            continue;
        }
        let workspace = released();
        let api = workspace.path("api");
        let bare = workspace.path("served/api.git");
        git(&api, &["init", "--quiet"]);
        let publish = |message: &str| {
            git(&api, &["add", "--all"]);
            git(&api, &["commit", "--quiet", "--message", message]);
            git(
                &api,
                &["push", "--quiet", "--tags", bare.to_str().unwrap(), "main"],
            );
            git(&bare, &["update-server-info"]);
            git(&api, &["rev-parse", "HEAD"])
        };
        std::fs::create_dir_all(&bare).unwrap();
        git(&bare, &["init", "--quiet", "--bare"]);
        let one = publish("one");
        let server = Server::start(&workspace.path("served"), manner);
        let url = server.url("api.git");
        for (revision, wanted) in [
            (None, "v0.10.0"),
            (Some("main"), "v0.10.0"),
            (Some(&*one), "v0.10.0"),
        ] {
            let other = empty();
            let mut arguments = vec!["pin", "--from", &*url];
            arguments.extend(revision.iter().flat_map(|name| ["--revision", *name]));
            tool(&other, &arguments).with_code(0);
            let lock = locked(&other);
            assert_eq!(
                lock["version"].as_str(),
                Some(wanted),
                "{manner:?} {revision:?}"
            );
            assert_eq!(lock["source"]["commit"].as_str(), Some(&*one));
            assert_eq!(lock["source"]["git"].as_str(), Some(&*url));
        }
        // An update follows the branch, `vendor` uses the pinned commit.
        let other = empty();
        tool(&other, &["pin", "--from", &format!("{url}#main")]).with_code(0);
        release(&workspace, "api/channels", "v0.11.0", 50);
        publish("two");
        tool(&other, &["vendor"]).with_code(0);
        let place = "crds/example.com_routes.yaml";
        assert_eq!(other.read(place), crd("v0.10.0", "stable", 40, ""));
        let ran = tool(&other, &["pin", "--update"]).with_code(0);
        assert!(
            ran.stdout.contains("maxLength was 40 and is 50"),
            "{}",
            ran.stdout
        );
        tool(&other, &["vendor"]).with_code(0);
        assert_eq!(other.read(place), crd("v0.11.0", "stable", 50, ""));
        // Missing things are reported with the URL.
        let lock = other.read("bundle.lock");
        for (from, code) in [
            (server.url("none.git"), "error[git-failed]"),
            (format!("{url}#nowhere"), "error[revision-not-found]"),
        ] {
            let ran = tool(&other, &["pin", "--from", &from]).with_code(2);
            assert!(ran.stderr.contains(code), "{manner:?} {}", ran.stderr);
        }
        // The cache is optional.
        let mut homeless = other.command(&["pin", "--update"]);
        homeless.env("no_proxy", "*").env("NO_PROXY", "*");
        run(homeless.env_remove("HOME").env_remove("XDG_CACHE_HOME")).with_code(0);
        drop(server);
        // A pinned bundle is fetched once, and verified before it is used again.
        let fresh = |more: &[&str]| {
            std::fs::remove_dir_all(other.path("crds")).unwrap();
            tool(&other, &[&["vendor"], more].concat())
        };
        fresh(&[]).with_code(0);
        assert_eq!(other.read(place), crd("v0.11.0", "stable", 50, ""));
        let ran = fresh(&["--offline"]).with_code(0);
        assert!(ran.stdout.contains("1 written"), "{}", ran.stdout);
        spoil(&other.cache());
        let ran = fresh(&["--offline"]).with_code(2);
        assert!(
            ran.stderr.contains("is not fetched with `--offline`"),
            "{}",
            ran.stderr
        );
        let ran = tool(&other, &["pin", "--from", &url]).with_code(2);
        assert!(ran.stderr.contains("error[git-failed]"), "{}", ran.stderr);
        assert!(ran.stderr.contains(&url), "{}", ran.stderr);
        assert_eq!(other.read("bundle.lock"), lock);
    }
}
