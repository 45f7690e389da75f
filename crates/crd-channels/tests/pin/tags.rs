//! Bundles of release branches, reachable only by a tag.

use super::support::{Workspace, run};
use super::{crd, empty, ends, git, locked, pin, release};

/// A repository whose branch `main` has three bundles. v0.2.2 was released on a branch, and all are tagged.
pub(super) fn lines() -> Workspace {
    tagged("")
}

/// The same with a prefix in the tags.
fn tagged(prefix: &str) -> Workspace {
    let workspace = empty();
    std::fs::create_dir_all(workspace.path("api")).unwrap();
    let api = workspace.path("api");
    git(&api, &["init", "--quiet"]);
    let publish = |version: &str, longest| {
        release(&workspace, "api/channels", version, longest);
        git(&api, &["add", "--all"]);
        git(&api, &["commit", "--quiet", "--message", version]);
        let tag = format!("{prefix}{version}");
        git(&api, &["tag", "--annotate", "--message", version, &tag]);
    };
    workspace.write("api/readme", "before any bundle");
    git(&api, &["add", "--all"]);
    git(&api, &["commit", "--quiet", "--message", "none"]);
    // Tags without a bundle.
    for tag in ["v0.2.10", "v0.2.11", "v9", "vanilla", "0.2.12"] {
        git(&api, &["tag", tag]);
    }
    publish("v0.1.0", 10);
    publish("v0.2.1", 20);
    git(&api, &["branch", "release-0.2"]);
    publish("v0.3.0", 30);
    git(&api, &["checkout", "--quiet", "release-0.2"]);
    publish("v0.2.2", 25);
    git(&api, &["checkout", "--quiet", "main"]);
    workspace
}

#[test]
fn a_patch_of_a_release_branch_is_found_by_its_tag() {
    let workspace = lines();
    let api = workspace.path("api");
    let url = format!("file://{}", api.display());
    for source in ["git:api", &*url] {
        for (requirement, revision, bundle, tag) in [
            ("~0.2", None, "v0.2.2", Some("v0.2.2")),
            ("v0.2.2", None, "v0.2.2", Some("v0.2.2")),
            ("*", None, "v0.3.0", None),
            ("v0.2.1", None, "v0.2.1", None),
            // Only the given revision is read.
            ("~0.2", Some("main"), "v0.2.1", None),
            ("~0.2", Some("release-0.2"), "v0.2.2", None),
        ] {
            let mut arguments = vec!["--from", source, "--version", requirement];
            arguments.extend(revision.iter().flat_map(|name| ["--revision", *name]));
            pin(&workspace, &arguments).with_code(0);
            let lock = locked(&workspace);
            assert_eq!(
                lock["version"].as_str(),
                Some(bundle),
                "{source} {requirement}"
            );
            let from = lock["source"].as_table().unwrap();
            let locked = from.get("tag").map(|tag| tag.as_str().unwrap());
            assert_eq!(locked, tag, "{source} {requirement}");
            assert_eq!(
                from.get("revision").map(|name| name.as_str()),
                revision.map(Some)
            );
            let at = tag.map_or("main".to_owned(), |tag| format!("{tag}^{{commit}}"));
            let at = revision.map_or(at, str::to_owned);
            let commit = git(&api, &["rev-parse", &at]);
            assert_eq!(from["commit"].as_str(), Some(&*commit));
            std::fs::remove_file(workspace.path("bundle.lock")).unwrap();
        }
    }
    // An update finds the next one, `vendor` uses the pinned one.
    pin(&workspace, &["--from", &url, "--version", "~0.2"]).with_code(0);
    git(&api, &["checkout", "--quiet", "release-0.2"]);
    release(&workspace, "api/channels", "v0.2.3", 26);
    git(&api, &["add", "--all"]);
    git(&api, &["commit", "--quiet", "--message", "v0.2.3"]);
    git(&api, &["tag", "v0.2.3"]);
    git(&api, &["checkout", "--quiet", "main"]);
    workspace.run(&["vendor"]).with_code(0);
    let path = "crds/example.com_routes.yaml";
    assert_eq!(workspace.read(path), crd("v0.2.2", "stable", 25, ""));
    let ran = pin(&workspace, &["--update"]).with_code(0);
    assert!(
        ran.stdout.contains("maxLength was 25 and is 26"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("at its tag v0.2.3"), "{}", ran.stdout);
}

/// Tags with older or unrequested versions are not fetched.
#[test]
fn no_tag_is_fetched_that_cannot_win() {
    let workspace = lines();
    let url = format!("file://{}", workspace.path("api").display());
    for (requirement, expected) in [
        ("*", &["v0.3.0"][..]),
        ("~0.1", &["v0.1.0"]),
        ("~0.2, <0.2.10", &["v0.2.2"]),
    ] {
        let trace = workspace.path("trace");
        let arguments = ["pin", "--from", &url, "--version", requirement];
        let mut command = workspace.command(&arguments);
        run(command.env("GIT_TRACE", &trace)).with_code(0);
        let calls = workspace.read("trace");
        let fetches = calls
            .lines()
            .filter(|line| line.contains("trace: built-in: git fetch"));
        let named: Vec<&str> = fetches
            .filter_map(|line| Some(line.split_once("+refs/tags/")?.1.split_once(':')?.0))
            .collect();
        assert_eq!(named, expected, "{requirement}");
        std::fs::remove_file(trace).unwrap();
        std::fs::remove_file(workspace.path("bundle.lock")).unwrap();
    }
}

#[test]
fn a_tag_with_another_bundle_of_the_same_version_is_an_error() {
    let workspace = lines();
    let api = workspace.path("api");
    release(&workspace, "api/channels", "v0.3.0", 31);
    git(&api, &["add", "--all"]);
    git(&api, &["commit", "--quiet", "--message", "changed"]);
    let url = format!("file://{}", api.display());
    for source in ["git:api", &url] {
        ends(
            1,
            &workspace,
            &["pin", "--from", source],
            &["error[bundle-tampered]", "has two different bundles v0.3.0"],
        );
    }
}

/// Neither tags from before the first bundle nor tags of files have one; all of them cost one fetch.
#[test]
fn tags_without_a_bundle_are_passed_over() {
    let workspace = lines();
    let api = workspace.path("api");
    for patch in 20..45 {
        git(&api, &["tag", &format!("v0.2.{patch}"), "v0.2.10"]);
    }
    git(&api, &["tag", "v0.2.50", "HEAD:readme"]);
    git(&api, &["tag", "v0.2.30-file", "HEAD:readme"]);
    git(&api, &["tag", "v0.9.1", "HEAD:readme"]);
    let url = format!("file://{}", api.display());
    for (source, fetches) in [("git:api", 0), (&*url, 3)] {
        for (requirement, expected) in [("~0.2", "v0.2.2"), ("*", "v0.3.0")] {
            let trace = workspace.path("trace");
            let arguments = ["pin", "--from", source, "--version", requirement];
            let mut command = workspace.command(&arguments);
            run(command.env("GIT_TRACE", &trace)).with_code(0);
            assert_eq!(locked(&workspace)["version"].as_str(), Some(expected));
            let calls = workspace.read("trace");
            let count = |what: &str| {
                let what = format!("trace: built-in: git {what}");
                calls.lines().filter(|line| line.contains(&what)).count()
            };
            assert_eq!(count("fetch "), fetches, "{source} {requirement}");
            // Git lists the local tags once for each fetch.
            assert!(count("for-each-ref") <= 3, "{source} {requirement}");
            std::fs::remove_file(trace).unwrap();
            std::fs::remove_file(workspace.path("bundle.lock")).unwrap();
        }
    }
}

/// Returns the number of processes of git that a command starts itself.
#[cfg(unix)]
fn processes(workspace: &Workspace, arguments: &[&str], code: i32) -> usize {
    let log = workspace.path("log");
    std::fs::write(&log, "").unwrap();
    let path = std::env::var("PATH").unwrap();
    // Git calls itself by a path of its own.
    let path = format!("{}:{path}", workspace.path("bin").display());
    let mut command = workspace.command(arguments);
    run(command.env("PATH", path).env("LOG", &log)).with_code(code);
    let lines = workspace.read("log").lines().count();
    std::fs::remove_file(log).unwrap();
    let _ = std::fs::remove_file(workspace.path("bundle.lock"));
    lines
}

/// The git that counts is a script.
#[cfg(unix)]
#[test]
fn the_number_of_processes_is_independent_of_the_number_of_tags() {
    use std::os::unix::fs::PermissionsExt;
    let workspace = lines();
    let api = workspace.path("api");
    let found = run(std::process::Command::new("sh").args(["-c", "command -v git"])).stdout;
    let script = format!(
        "#!/bin/sh\necho \"$*\" >> \"$LOG\"\nexec {} \"$@\"\n",
        found.trim()
    );
    workspace.write("bin/git", script);
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(workspace.path("bin/git"), executable).unwrap();
    // A file of that name is not always a bundle's.
    git(&api, &["checkout", "--quiet", "--orphan", "app"]);
    workspace.write("api/manifest.json", "{}");
    git(&api, &["add", "manifest.json"]);
    git(&api, &["commit", "--quiet", "--message", "an app"]);
    git(&api, &["checkout", "--quiet", "main"]);
    let url = format!("file://{}", api.display());
    let commits = ["app", "v0.2.10^{commit}"].map(|name| git(&api, &["rev-parse", name]));
    let mut counts = Vec::new();
    for (first, last) in [(100, 105), (200, 1000)] {
        for at in first..last {
            let commit = &commits[at % 2];
            let tag = format!(".git/refs/tags/v0.2.{at}");
            std::fs::write(api.join(tag), format!("{commit}\n")).unwrap();
        }
        for (source, requirement, code) in [
            ("git:api", "~0.2", 0),
            ("git:api", "~0.2, >=0.2.20", 2),
            (&*url, "~0.2", 0),
            (&*url, "~0.2, >=0.2.20", 2),
        ] {
            let arguments = ["pin", "--from", source, "--version", requirement];
            counts.push(processes(&workspace, &arguments, code));
        }
    }
    let (few, many) = counts.split_at(4);
    // One more fetch of everything.
    for (few, many) in few.iter().zip(many) {
        assert!(*few > 3 && *many <= few + 2 && *many < 30, "{counts:?}");
    }
}

/// Repositories of several projects distinguish their tags by a prefix.
#[test]
fn tags_may_have_a_prefix() {
    for prefix in ["crds-", "my-api-", "api/", "crds_"] {
        let workspace = tagged(prefix);
        let api = workspace.path("api");
        // Tags of another project, and of one without bundles.
        git(&api, &["tag", "cli-v0.2.9"]);
        git(&api, &["tag", "cli-v0.3.0", "v0.2.10"]);
        git(&api, &["tag", "docs/v0.2.12"]);
        let url = format!("file://{}", api.display());
        for source in ["git:api", &*url] {
            pin(&workspace, &["--from", source, "--version", "~0.2"]).with_code(0);
            let lock = locked(&workspace);
            assert_eq!(lock["version"].as_str(), Some("v0.2.2"), "{source}");
            let tag = lock["source"]["tag"].as_str().unwrap();
            assert_eq!(tag, format!("{prefix}v0.2.2"));
            workspace.run(&["vendor"]).with_code(0);
            pin(&workspace, &["--update"]).with_code(0);
            std::fs::remove_file(workspace.path("bundle.lock")).unwrap();
        }
    }
}

/// No branch has a bundle: only tags lead to them.
#[test]
fn a_branch_without_bundles_does_not_hide_tags() {
    let workspace = tagged("crds-");
    let api = workspace.path("api");
    git(&api, &["checkout", "--quiet", "--orphan", "docs"]);
    git(&api, &["rm", "--quiet", "-r", "--force", "."]);
    git(
        &api,
        &["commit", "--quiet", "--allow-empty", "--message", "docs"],
    );
    let url = format!("file://{}", api.display());
    for source in ["git:api", &*url] {
        pin(&workspace, &["--from", source, "--version", "~0.2"]).with_code(0);
        assert_eq!(locked(&workspace)["version"].as_str(), Some("v0.2.2"));
        std::fs::remove_file(workspace.path("bundle.lock")).unwrap();
    }
}
