//! Sources with a rewritten history: the pinned commit is gone.

use super::support::{Ran, Workspace, run};
use super::tags::lines;
use super::{ends, git, locked, pin, release};

/// Pins v0.2.2 at its tag, without a cache.
fn pinned(source: &str) -> Workspace {
    let workspace = lines();
    let url = format!("file://{}", workspace.path("api").display());
    let source = if source == "url" { &*url } else { source };
    pin(&workspace, &["--from", source, "--version", "~0.2"]).with_code(0);
    let _ = std::fs::remove_dir_all(workspace.cache());
    workspace
}

/// Replaces the last commit of a branch by one with other bytes, and moves its tags.
fn rewrite(workspace: &Workspace, longest: u32) {
    let api = workspace.path("api");
    git(&api, &["checkout", "--quiet", "release-0.2"]);
    release(workspace, "api/channels", "v0.2.2", longest);
    git(&api, &["add", "--all"]);
    git(
        &api,
        &["commit", "--quiet", "--amend", "--message", "again"],
    );
    git(&api, &["tag", "--force", "v0.2.2"]);
    git(&api, &["checkout", "--quiet", "main"]);
    forget(workspace);
}

/// Removes unreachable commits.
fn forget(workspace: &Workspace) {
    let api = workspace.path("api");
    git(&api, &["reflog", "expire", "--expire=now", "--all"]);
    git(&api, &["gc", "--quiet", "--prune=now"]);
}

fn commit(workspace: &Workspace) -> String {
    let lock = locked(workspace);
    lock["source"]["commit"].as_str().unwrap().to_owned()
}

fn vendor(workspace: &Workspace) -> Ran {
    run(&mut workspace.command(&["vendor"]))
}

#[test]
fn another_bundle_at_the_tag_is_refused() {
    for source in ["git:api", "url"] {
        let workspace = pinned(source);
        let old = commit(&workspace);
        rewrite(&workspace, 26);
        let new = git(&workspace.path("api"), &["rev-parse", "v0.2.2"]);
        let words = [
            "error[bundle-tampered]: the bundle v0.2.2 is not the one that was pinned: the tag `v0.2.2` of",
            &format!("was at {} and is at {} now", &old[..12], &new[..12]),
            "where the bundle has a different digest",
            "run `crd-channels pin --remove example.com` and pin again",
        ];
        for arguments in [&["vendor"][..], &["pin", "--update"]] {
            ends(1, &workspace, arguments, &words);
        }
        // A newer bundle does not hide it: the changes since the pinned one are unknown.
        let api = workspace.path("api");
        git(&api, &["checkout", "--quiet", "release-0.2"]);
        release(&workspace, "api/channels", "v0.2.3", 27);
        git(&api, &["add", "--all"]);
        git(&api, &["commit", "--quiet", "--message", "v0.2.3"]);
        git(&api, &["tag", "v0.2.3"]);
        git(&api, &["checkout", "--quiet", "main"]);
        let words = [
            "error[pin-refused]: the pinned v0.2.2 can no longer be read from its source",
            "where the bundle has a different digest",
            "--allow-data-loss",
        ];
        ends(1, &workspace, &["pin", "--update"], &words);
    }
}

#[test]
fn the_same_bundle_at_another_commit_is_taken() {
    for source in ["git:api", "url"] {
        let workspace = pinned(source);
        let old = commit(&workspace);
        rewrite(&workspace, 25);
        vendor(&workspace).with_code(0);
        let text = workspace.read("crds/example.com_routes.yaml");
        assert_eq!(text, super::crd("v0.2.2", "stable", 25, ""));
        assert_eq!(commit(&workspace), old);
        pin(&workspace, &["--update"]).with_code(0);
        let new = git(&workspace.path("api"), &["rev-parse", "v0.2.2"]);
        assert!(new != old && commit(&workspace) == new);
    }
}

#[test]
fn a_bundle_that_is_gone_with_its_commit_is_reported() {
    for source in ["git:api", "url"] {
        let workspace = pinned(source);
        let api = workspace.path("api");
        git(&api, &["branch", "-D", "release-0.2"]);
        git(&api, &["tag", "--delete", "v0.2.2"]);
        forget(&workspace);
        let words = [
            "error[bundle-missing]: the commit",
            "which v0.2.2 was pinned at, no longer exists",
        ];
        ends(2, &workspace, &["vendor"], &words);
    }
}
