//! Locks that name what no bundle is: edited by hand, by a bot, or by a merge. Each is refused, and the advice repairs it.

use super::support::{Ran, Workspace};
use super::{as_format_2, bundle, bundles, crd, ends, locked, pin, release, released};

/// Runs the first command in backticks of a help.
#[track_caller]
pub(super) fn follow(workspace: &Workspace, stderr: &str) -> Ran {
    let help = stderr
        .lines()
        .find_map(|line| line.trim().strip_prefix("= help: "));
    let help = help.unwrap_or_else(|| panic!("no help in:\n{stderr}"));
    let command = help.split('`').nth(1).unwrap();
    let words = command.split(' ').map(|word| word.trim_matches('\''));
    let words: Vec<&str> = words.collect();
    let ("crd-channels", arguments) = (words[0], &words[1..]) else {
        panic!("{help}");
    };
    workspace.run(arguments)
}

/// A folder with two kinds in two channels of three bundles, and v0.2.0 stable pinned and vendored.
fn pinned() -> Workspace {
    let workspace = super::empty();
    for (version, longest) in [("v0.2.0", 20), ("v0.3.0", 30), ("v0.7.1", 71)] {
        two_kinds(&workspace, "api/channels", version, longest);
    }
    pin(&workspace, &["--from", "api", "--version", "=0.2.0"]).with_code(0);
    workspace.run(&["vendor"]).with_code(0);
    workspace
}

pub(super) fn two_kinds(workspace: &Workspace, folder: &str, version: &str, longest: u32) {
    let files = |channel: &str| {
        let route = crd(version, channel, longest, "");
        let gate = route.replace("route", "gate").replace("Route", "Gate");
        vec![
            ("crds/example.com_gates.yaml".to_owned(), gate),
            ("crds/example.com_routes.yaml".to_owned(), route),
        ]
    };
    let channels: [(&str, &[&str], _); 2] = [
        ("stable", &[], files("stable")),
        ("experimental", &["Timeouts"], files("experimental")),
    ];
    bundle::release(&workspace.path(folder), version, &["Timeouts"], &channels);
}

/// Returns the lock without the lines that contain a text.
fn without(workspace: &Workspace, part: &str) {
    let text = workspace.read("bundle.lock");
    let lines: Vec<&str> = text.lines().filter(|line| !line.contains(part)).collect();
    assert_ne!(lines.len(), text.lines().count());
    workspace.write("bundle.lock", lines.join("\n") + "\n");
}

const COMMANDS: [&[&str]; 5] = [
    &["vendor"],
    &["vendor", "--check"],
    &["vendor", "other", "--offline"],
    &["pin", "--update"],
    &["pin", "--from", "api"],
];

/// Edits the lock, and checks that every command refuses it at a line, and that the advice leads to a good one.
#[track_caller]
fn is_repaired(edit: &dyn Fn(&Workspace), line: &str, words: &[&str], then: (&str, &str)) {
    let workspace = pinned();
    edit(&workspace);
    let text = workspace.read("bundle.lock");
    let place = text
        .lines()
        .position(|known| known.trim().starts_with(line));
    let place = format!("bundle.lock:{}:", place.unwrap() + 1);
    let mut words = words.to_vec();
    words.extend(["error[lock-inconsistent]", &place]);
    for arguments in COMMANDS {
        ends(2, &workspace, arguments, &words);
    }
    let ran = workspace.run(&["vendor"]);
    assert!(!ran.stderr.contains("publisher"), "{}", ran.stderr);
    follow(&workspace, &ran.stderr).with_code(0);
    let entry = locked(&workspace);
    assert_eq!(
        (entry["version"].as_str(), entry["channel"].as_str()),
        (Some(then.0), Some(then.1))
    );
    assert_eq!(entry["files"].as_table().unwrap().len(), 2);
    workspace.run(&["vendor"]).with_code(0);
    workspace.run(&["vendor", "--check"]).with_code(0);
    let written = workspace.read("crds/example.com_gates.yaml");
    assert!(
        written.contains(&format!("/bundle-version: {}\n", then.0)),
        "{written}"
    );
    assert!(
        written.contains(&format!("/channel: {}\n", then.1)),
        "{written}"
    );
    pin(&workspace, &["--update"]).with_code(0);
}

#[test]
fn an_edited_entry_is_refused_and_repaired() {
    let replace = |from: &'static str, to: &'static str| {
        move |workspace: &Workspace| workspace.edit("bundle.lock", from, to)
    };
    let stable = ("v0.2.0", "stable");
    is_repaired(
        &replace("channel = \"stable\"", "channel = \"experimental\""),
        "channel =",
        &["its `channel` is `experimental`, but it has files of `stable`"],
        ("v0.2.0", "experimental"),
    );
    is_repaired(
        &replace("version = \"v0.2.0\"", "version = \"v0.7.1\""),
        "version =",
        &[
            "its `version` is `v0.7.1`, but `crds/example.com_gates.yaml`, which it pins, is of `v0.2.0`",
            "but its `requirement` is `=0.2.0`",
        ],
        ("v0.7.1", "stable"),
    );
    is_repaired(
        &|workspace| without(workspace, "routes.yaml"),
        "[bundle.files]",
        &["`crds/example.com_routes.yaml` is of v0.2.0 stable as well, but `files` lacks it"],
        stable,
    );
    is_repaired(
        &replace("stable", "experimental"),
        "channel =",
        &[
            "its `channel` is `experimental`, but `crds/example.com_gates.yaml`, which it pins, is of `stable`",
        ],
        ("v0.2.0", "experimental"),
    );
    is_repaired(
        &|workspace| {
            without(workspace, "_gates.yaml");
            without(workspace, "_routes.yaml");
        },
        "[bundle.files]",
        &["it has no CRD"],
        stable,
    );
    for (from, to) in [
        ("kubernetes = \"1.31\"", "kubernetes = \"1.20\""),
        ("manifest = \"sha256:", "manifest = \"sha256:0000"),
        ("folder = \"api\"", "folder = \"./api\""),
        ("requirement = \"=0.2.0\"", "requirement = \"^0.2\""),
        ("with = [\"components\"]", "with = []"),
        ("prefix = \"example.com\"\n", ""),
    ] {
        is_repaired(
            &|workspace| {
                workspace.edit("bundle.lock", from, to);
                // The digest of a manifest has its length.
                let text = workspace.read("bundle.lock");
                let lines = text.lines().map(|line| match line.len() {
                    87.. if line.starts_with("manifest") => format!("{}\"", &line[..83]),
                    _ => line.to_owned(),
                });
                let lines: Vec<String> = lines.collect();
                workspace.write("bundle.lock", lines.join("\n"));
            },
            "digest =",
            &["its `digest` is not that of its other fields"],
            stable,
        );
    }
}

#[test]
fn what_means_the_same_is_the_same() {
    let workspace = pinned();
    let text = workspace.read("bundle.lock");
    let value: toml::Value = toml::from_str(&text).unwrap();
    for text in [
        text.replace('\n', "\r\n"),
        text.replace(" = ", "  =  ")
            .replace("\n\n", "\n# a comment\n\n\n"),
        text.replace("\"stable\"", "'stable'"),
        toml::to_string_pretty(&value).unwrap(),
    ] {
        workspace.write("bundle.lock", text);
        workspace.run(&["vendor", "--check"]).with_code(0);
        pin(&workspace, &["--update"]).with_code(0);
    }
}

#[test]
fn a_version_that_was_never_released_has_the_others_in_its_help() {
    let workspace = pinned();
    workspace.edit(
        "bundle.lock",
        "version = \"v0.2.0\"",
        "version = \"v0.3.1\"",
    );
    let ran = workspace.run(&["vendor"]).with_code(2);
    let ran = follow(&workspace, &ran.stderr).with_code(2);
    for words in ["error[bundle-missing]", "available: v0.2.0, v0.3.0, v0.7.1"] {
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
    }
    let stderr = ran.stderr.replace("VERSION", "v0.3.0");
    follow(&workspace, &stderr).with_code(0);
    assert_eq!(locked(&workspace)["version"].as_str(), Some("v0.3.0"));
    workspace.run(&["vendor"]).with_code(0);
}

/// The digest shows which version the entry was written with, so that an update by a bot is an update.
#[test]
fn a_repair_shows_what_changes_and_keeps_its_bounds() {
    let workspace = pinned();
    workspace.edit(
        "bundle.lock",
        "version = \"v0.2.0\"",
        "version = \"v0.3.0\"",
    );
    let repair = ["--repair", "example.com", "--against"];
    let ran = pin(&workspace, &[&repair[..], &["patch"]].concat()).with_code(1);
    let words = "v0.3.0 is more than a patch: it follows v0.2.0";
    assert!(ran.stderr.contains(words), "{}", ran.stderr);
    // The same without the vendored files.
    std::fs::remove_dir_all(workspace.path("crds")).unwrap();
    let ran = pin(&workspace, &[&repair[..], &["minor"]].concat()).with_code(0);
    let words = "v1 spec.host: maxLength was 20 and is 30";
    assert!(ran.stdout.contains(words), "{}", ran.stdout);
    let words = "updates of `example.com` follow `=0.3.0` from now on, and no longer `=0.2.0`";
    assert!(ran.stderr.contains(words), "{}", ran.stderr);
    // Backwards is a downgrade here, too.
    workspace.edit(
        "bundle.lock",
        "version = \"v0.3.0\"",
        "version = \"v0.2.0\"",
    );
    let ran = pin(&workspace, &["--repair"]).with_code(1);
    assert!(ran.stderr.contains("--allow-downgrade"), "{}", ran.stderr);
    // If more was changed, nobody knows what was pinned.
    workspace.edit(
        "bundle.lock",
        "kubernetes = \"1.31\"",
        "kubernetes = \"1.2\"",
    );
    let bound = [&repair[..], &["minor"]].concat();
    let ran = pin(&workspace, &bound).with_code(1);
    assert!(
        ran.stderr.contains("cannot be determined"),
        "{}",
        ran.stderr
    );
    pin(&workspace, &["--repair"]).with_code(0);
    assert_eq!(locked(&workspace)["version"].as_str(), Some("v0.2.0"));
    let ran = pin(&workspace, &["--repair"]).with_code(0);
    assert!(
        ran.stdout.contains("every entry of `bundle.lock` is as"),
        "{}",
        ran.stdout
    );
    pin(&workspace, &["--repair", "--version", "v0.3.0"]).with_code(1);
    pin(&workspace, &["--repair", "example.net"]).with_code(2);
}

/// Locks of the format before have no digest of an entry. What can be checked must fit.
#[test]
fn an_old_lock_works_as_far_as_it_fits() {
    let workspace = pinned();
    let new = workspace.read("bundle.lock");
    as_format_2(&workspace);
    let old = workspace.read("bundle.lock");
    for arguments in [&["vendor"][..], &["vendor", "--check"]] {
        let ran = workspace.run(arguments).with_code(0);
        assert!(
            ran.stderr.contains("`crd-channels pin --repair`"),
            "{}",
            ran.stderr
        );
    }
    for upgrade in [&["--repair"][..], &["--update"]] {
        workspace.write("bundle.lock", &old);
        pin(&workspace, upgrade).with_code(0);
        assert_eq!(workspace.read("bundle.lock"), new);
    }
    for (from, to) in [
        ("version = \"v0.2.0\"", "version = \"v0.7.1\""),
        ("channel = \"stable\"", "channel = \"experimental\""),
        ("stable", "experimental"),
        (
            "\"stable/crds/example.com_routes",
            "\"stable/other/example.com_routes",
        ),
    ] {
        workspace.write("bundle.lock", &old);
        workspace.run(&["vendor"]).with_code(0);
        workspace.write("bundle.lock", old.replace(from, to));
        if !to.contains("other") {
            ends(2, &workspace, &["vendor"], &["error[lock-inconsistent]"]);
        }
        // Another bundle cannot be pinned before this one is repaired.
        two_kinds(&workspace, "gates/channels", "v0.1.0", 1);
        let other = ["--from", "gates", "--name", "gates"];
        let ran = pin(&workspace, &other).with_code(2);
        assert!(
            ran.stderr.contains("error[lock-inconsistent]"),
            "{}",
            ran.stderr
        );
        pin(&workspace, &["--repair"]).with_code(0);
        workspace.run(&["vendor"]).with_code(0);
        workspace.run(&["vendor", "--check"]).with_code(0);
    }
}

/// The digest of the manifest is that of the bundle that was pinned.
#[test]
fn an_old_lock_with_another_version_does_not_accuse_the_publisher() {
    for update in [&["vendor"][..], &["pin", "--update"]] {
        let workspace = released();
        pin(&workspace, &["--from", "api", "--version", "^0.2.0"]).with_code(0);
        as_format_2(&workspace);
        workspace.edit("bundle.lock", "\"v0.2.1\"", "\"v0.2.0\"");
        let words = [
            "error[lock-inconsistent]",
            "its `version` is v0.2.0, but its `manifest` is that of v0.2.1",
        ];
        ends(2, &workspace, update, &words);
        let ran = workspace.run(update);
        follow(&workspace, &ran.stderr).with_code(0);
        assert_eq!(locked(&workspace)["version"].as_str(), Some("v0.2.0"));
        workspace.run(&["vendor"]).with_code(0);
        workspace.run(&["vendor", "--check"]).with_code(0);
    }
}

/// If the digest was computed again for wrong fields, only the annotations of the CRDs show it.
#[test]
fn crds_that_name_another_bundle_contradict_the_lock() {
    let workspace = pinned();
    std::fs::remove_dir_all(workspace.path("api/channels/v0.7.1")).unwrap();
    let files = vec![(
        "crds/example.com_routes.yaml".to_owned(),
        crd("v0.6.0", "stable", 40, ""),
    )];
    let folder = workspace.path("api/channels");
    bundle::release(&folder, "v0.8.0", &[], &[("stable", &[], files)]);
    let ran = pin(&workspace, &["--from", "api"]).with_code(1);
    let words = "error[bundle-invalid]: `stable/crds/example.com_routes.yaml` of v0.8.0 names another bundle";
    assert!(ran.stderr.contains(words), "{}", ran.stderr);
}

#[test]
fn a_channel_without_crds_is_not_pinned() {
    let workspace = released();
    let files = |channel: &str| {
        let text = crd("v0.20.0", channel, 20, "");
        vec![("crds/example.com_routes.yaml".to_owned(), text)]
    };
    let channels: [(&str, &[&str], _); 2] = [
        (
            "stable",
            &[],
            vec![(
                "kustomization.yaml".to_owned(),
                "---\nresources: []\n".to_owned(),
            )],
        ),
        ("experimental", &["Timeouts"], files("experimental")),
    ];
    bundle::release(
        &workspace.path("api/channels"),
        "v0.20.0",
        &["Timeouts"],
        &channels,
    );
    let ran = pin(&workspace, &["--from", "api"]).with_code(2);
    for words in [
        "error[channel-missing]: the channel `stable` of v0.20.0 has no CRDs",
        "--channel experimental",
    ] {
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
    }
}

#[test]
fn the_last_crd_and_that_of_another_bundle_are_removed_only_on_request() {
    let workspace = released();
    let from = |source: &str, name: &str, folder: &str| {
        let named = ["--from", source, "--name", name, "--folder", folder];
        pin(&workspace, &named).with_code(0);
    };
    // Another bundle of the project takes the folder.
    from("api", "one", "crds");
    workspace.run(&["vendor"]).with_code(0);
    pin(&workspace, &["--remove", "one", "--keep-files"]).with_code(0);
    let gate = crd("v0.1.0", "stable", 10, "")
        .replace("route", "gate")
        .replace("Route", "Gate");
    let files = vec![("crds/example.com_gates.yaml".to_owned(), gate)];
    bundle::release(
        &workspace.path("gates"),
        "v0.1.0",
        &[],
        &[("stable", &[], files)],
    );
    from("gates", "two", "crds");
    let refused = [
        "error[vendor-refused]: all CRDs in `crds` would be removed: `crds/example.com_routes.yaml`",
        "`crd-channels vendor --allow-crd-removal`",
    ];
    ends(1, &workspace, &["vendor"], &refused);
    workspace
        .run(&["vendor", "--allow-crd-removal"])
        .with_code(0);
    workspace.run(&["vendor", "--check"]).with_code(0);
    assert!(!workspace.path("crds/example.com_routes.yaml").exists());
    // One of two bundles loses a CRD that the other has.
    for version in ["v0.1.0", "v0.2.0"] {
        two_kinds(&workspace, "both", version, 10);
    }
    release(&workspace, "both", "v0.3.0", 10);
    for name in ["prod", "staging"] {
        pin(
            &workspace,
            &["--from", "both", "--name", name, "--version", "v0.2.0"],
        )
        .with_code(0);
    }
    workspace.run(&["vendor"]).with_code(0);
    let update = [
        "--update",
        "prod",
        "--version",
        "v0.3.0",
        "--allow-data-loss",
    ];
    pin(&workspace, &update).with_code(0);
    let folder = bundles(&workspace)[0]["folder"]
        .as_str()
        .unwrap()
        .to_owned();
    let words = format!(
        "`{folder}/example.com_gates.yaml` would be removed, but `staging` has this CRD as well"
    );
    ends(1, &workspace, &["vendor"], &[&words]);
    workspace
        .run(&["vendor", "--allow-crd-removal"])
        .with_code(0);
    workspace.run(&["vendor", "--check"]).with_code(0);
}

/// An entry that tells no longer what was pinned: its vendored CRDs do.
#[test]
fn a_repair_takes_no_data_and_goes_to_no_older_bundle() {
    for (edit, words) in [
        (
            ["experimental", "stable", "", ""],
            ["stored objects would lose data", "`--allow-data-loss`"],
        ),
        (
            ["v0.2.0", "v0.1.0", "\"=0.2.0\"", "\"^0.1\""],
            [
                "v0.1.0 is older than v0.2.0, which is pinned",
                "`--allow-downgrade`",
            ],
        ),
    ] {
        let workspace = released();
        let first = [
            "--from",
            "api",
            "--version",
            "=0.2.0",
            "--channel",
            "experimental",
        ];
        pin(&workspace, &first).with_code(0);
        workspace.run(&["vendor"]).with_code(0);
        let [from, to, requirement, other] = edit;
        let text = workspace.read("bundle.lock").replace(from, to);
        let text = match requirement {
            "" => text,
            requirement => text.replace(requirement, other),
        };
        workspace.write("bundle.lock", &text);
        let stderr = pin(&workspace, &["--repair"]).with_code(1).stderr;
        for word in words {
            assert!(stderr.contains(word), "{stderr}");
        }
        assert_eq!(workspace.read("bundle.lock"), text);
        let allowed = ["--repair", "--allow-downgrade", "--allow-data-loss"];
        pin(&workspace, &allowed).with_code(0);
        workspace.run(&["vendor"]).with_code(0);
    }
}
