//! The configuration for Renovate on the page: its expression finds the versions in a lock, and its commands make a right lock
//! of what it writes.

use super::support::Workspace;
use super::{as_format_2, crd, ends, git, locked, pin, release};
use regex::Regex;
use serde_json::Value;

const PAGE: &str = include_str!("../../../../docs/pinning.md");

/// Returns the JSON on the page that has a key.
fn configuration(key: &str) -> Value {
    let blocks = PAGE.split("```json\n").skip(1);
    let blocks = blocks.filter_map(|rest| rest.split("```").next());
    let mut all = blocks.filter_map(|block| serde_json::from_str::<Value>(block).ok());
    all.find(|value| value.get(key).is_some()).unwrap()
}

/// Returns what the expression finds: name, source and the place of the version.
fn found(lock: &str) -> Vec<(String, String, std::ops::Range<usize>)> {
    let configuration = configuration("customManagers");
    let manager = &configuration["customManagers"][0];
    let pattern = manager["matchStrings"][0].as_str().unwrap();
    let pattern = Regex::new(pattern).unwrap();
    let all = pattern.captures_iter(lock);
    all.map(|found| {
        let text = |name: &str| found.name(name).unwrap().as_str().to_owned();
        let place = found.name("currentValue").unwrap().range();
        (text("depName"), text("packageName"), place)
    })
    .collect()
}

/// A repository with tagged bundles, of which the first one is pinned, beside a bundle from a folder.
fn pinned() -> (Workspace, String) {
    let workspace = super::empty();
    let api = workspace.path("api");
    for (version, longest) in [("v0.3.0", 30), ("v0.4.0", 40), ("v1.0.0", 50)] {
        release(&workspace, "api/channels", version, longest);
        git(&api, &["init", "--quiet"]);
        git(&api, &["add", "--all"]);
        git(&api, &["commit", "--quiet", "--message", version]);
        git(&api, &["tag", version]);
    }
    release(&workspace, "here", "v0.1.0", 10);
    let url = format!("file://{}", api.display());
    pin(&workspace, &["--from", "here", "--name", "a-folder"]).with_code(0);
    let from = ["--from", &url, "--name", "routes", "--version", "v0.3.0"];
    pin(&workspace, &[&from[..], &["--folder", "routes"]].concat()).with_code(0);
    pin(&workspace, &["--from", "here", "--name", "z-folder"]).with_code(0);
    workspace.run(&["vendor"]).with_code(0);
    (workspace, url)
}

/// Writes a version as Renovate does.
fn bumped(workspace: &Workspace, version: &str) {
    let mut lock = workspace.read("bundle.lock");
    let [(_, _, place)] = found(&lock).try_into().unwrap();
    lock.replace_range(place, version);
    workspace.write("bundle.lock", lock);
}

/// Returns the commands on the page, for the bundle of that name.
fn commands(name: &str) -> Vec<String> {
    let configuration = configuration("customManagers");
    let commands = &configuration["packageRules"][0]["postUpgradeTasks"]["commands"];
    let commands = commands.as_array().unwrap().iter();
    commands
        .map(|command| command.as_str().unwrap().replace("{{{depName}}}", name))
        .collect()
}

#[test]
fn only_bundles_of_repositories_are_found() {
    let (workspace, url) = pinned();
    let lock = workspace.read("bundle.lock");
    let all = found(&lock);
    assert_eq!(all.len(), 1, "{all:?}");
    let (name, source, place) = &all[0];
    assert_eq!((name.as_str(), source), ("routes", &url));
    assert_eq!(&lock[place.clone()], "v0.3.0");
}

#[test]
fn the_commands_on_the_page_make_a_lock_of_what_renovate_writes() {
    let (workspace, _) = pinned();
    let allowed = configuration("allowedCommands");
    let allowed = Regex::new(
        &allowed["allowedCommands"][0]
            .as_str()
            .unwrap()
            .replace("\\w", "A-Za-z0-9_"),
    )
    .unwrap();
    let of = |workspace: &Workspace| {
        let mut all = super::bundles(workspace).into_iter();
        all.find(|entry| entry["name"].as_str() == Some("routes"))
            .unwrap()
    };
    bumped(&workspace, "v0.4.0");
    // Without the commands nothing works, and the help names the first of them.
    for arguments in [
        &["vendor"][..],
        &["vendor", "--check"],
        &["pin", "--update"],
    ] {
        let words = [
            "error[lock-inconsistent]",
            "`crd-channels pin --repair routes`",
        ];
        ends(2, &workspace, arguments, &words);
    }
    for command in commands("routes") {
        assert!(allowed.is_match(&command), "{command}");
        let words: Vec<&str> = command.split(' ').skip(1).collect();
        workspace.run(&words).with_code(0);
    }
    workspace.run(&["vendor", "--check"]).with_code(0);
    let entry = of(&workspace);
    for (key, value) in [
        ("version", "v0.4.0"),
        ("channel", "stable"),
        ("requirement", "=0.4.0"),
    ] {
        assert_eq!(entry[key].as_str(), Some(value));
    }
    let text = workspace.read("routes/example.com_routes.yaml");
    assert_eq!(text, crd("v0.4.0", "stable", 40, ""));
    // More than a minor is refused, and so is the lock.
    bumped(&workspace, "v1.0.0");
    let command = &commands("routes")[0];
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    let ran = workspace.run(&words).with_code(1);
    assert!(
        ran.stderr.contains("v1.0.0 is more than a minor"),
        "{}",
        ran.stderr
    );
    workspace.run(&["vendor", "--check"]).with_code(2);
}

/// Locks from before entries had digests, which a bot may have edited.
#[test]
fn a_lock_of_the_format_before_is_refused_too() {
    let workspace = super::released();
    pin(&workspace, &["--from", "api", "--version", "v0.2.0"]).with_code(0);
    workspace.run(&["vendor"]).with_code(0);
    as_format_2(&workspace);
    workspace.edit(
        "bundle.lock",
        "version = \"v0.2.0\"",
        "version = \"v0.2.1\"",
    );
    let words = [
        "error[lock-inconsistent]",
        "`crd-channels pin --repair example.com`",
    ];
    for arguments in [&["vendor"][..], &["vendor", "--check"]] {
        ends(2, &workspace, arguments, &words);
    }
    pin(&workspace, &["--repair", "example.com"]).with_code(0);
    assert_eq!(locked(&workspace)["version"].as_str(), Some("v0.2.1"));
    workspace.run(&["vendor"]).with_code(0);
    workspace.run(&["vendor", "--check"]).with_code(0);
}
