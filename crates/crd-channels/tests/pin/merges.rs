//! Merges of two locks: by git alone, with any resolution, and with the merge driver. No lock is accepted whose entries nobody
//! pinned, and the advice repairs every other one.

use super::lies::{follow, two_kinds};
use super::support::{Ran, Workspace, run};
use super::{bundle, crd, empty, git, pin, released};
use crd_channels_released::manifest::Manifest;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// A source of numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        usize::try_from(self.0 >> 33).unwrap() % sides
    }

    fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.roll(from.len())]
    }
}

const VERSIONS: [&str; 4] = ["v0.1.0", "v0.2.0", "v0.2.1", "v0.3.0"];

/// How many merges are tried.
fn merges() -> usize {
    let asked = std::env::var("LOCK_MERGES").ok();
    asked.map_or(24, |text| text.parse().unwrap())
}

/// Two sources, and a lock with a bundle of each.
fn base() -> Workspace {
    let workspace = empty();
    for (at, version) in (10..).zip(VERSIONS) {
        two_kinds(&workspace, "api/channels", version, at);
        let route = |channel: &str| {
            let text = crd(version, channel, at, "").replace("example.com", "example.org");
            vec![("crds/example.org_routes.yaml".to_owned(), text)]
        };
        let channels: [(&str, &[&str], _); 2] = [
            ("stable", &[], route("stable")),
            ("experimental", &["Timeouts"], route("experimental")),
        ];
        let folder = workspace.path("other/channels");
        bundle::release_as("example.org", &folder, version, &["Timeouts"], &channels);
    }
    pin(&workspace, &["--from", "api", "--version", "=0.1.0"]).with_code(0);
    pin(&workspace, &["--from", "other", "--version", "=0.2.0"]).with_code(0);
    workspace
}

/// Changes the lock as a person or a bot would.
fn change(workspace: &Workspace, dice: &mut Dice) {
    let name = dice.pick(&["example.com", "example.com", "example.org"]);
    let version = dice.pick(&["=0.1.0", "=0.2.0", "^0.2", ">=0.1", "=0.3.0"]);
    let own = match dice.roll(7) {
        0 | 1 => vec!["--update", name, "--version", version],
        2 => vec!["--update", name, "--channel", "experimental"],
        3 => {
            let channel = dice.pick(&["stable", "experimental"]);
            vec!["--update", name, "--channel", channel, "--version", version]
        }
        4 => vec![
            "--update",
            name,
            "--folder",
            dice.pick(&["deploy/a", "deploy/b"]),
        ],
        5 => vec!["--update", name, "--with", dice.pick(&["none", "policies"])],
        _ => vec![
            "--from",
            "api",
            "--name",
            dice.pick(&["staging", "test"]),
            "--version",
            version,
        ],
    };
    let allowed = ["--allow-downgrade", "--allow-data-loss"];
    // Two bundles cannot have one folder.
    let _ = pin(workspace, &[&own[..], &allowed].concat());
}

/// Merges with git, and returns its text with conflict markers.
fn merged(workspace: &Workspace, sides: [&str; 3]) -> String {
    let names = ["base", "ours", "theirs"];
    for (name, text) in names.iter().zip(sides) {
        workspace.write(&format!("target/{name}"), text);
    }
    let mut command = Command::new("git");
    command
        .args(["merge-file", "-p", "ours", "base", "theirs"])
        .current_dir(workspace.path("target"));
    run(&mut command).stdout
}

/// How a person resolves a conflict.
#[derive(Clone, Copy)]
enum Resolution {
    Ours,
    Theirs,
    Both,
    Not,
}

/// Resolves each conflict as drawn.
fn resolved(text: &str, mut resolve: impl FnMut() -> Resolution) -> String {
    let (mut to, mut how, mut side) = (String::new(), Resolution::Not, 0);
    for line in text.split_inclusive('\n') {
        let marker = ["<<<<<<<", "=======", ">>>>>>>"];
        let at = marker.iter().position(|marker| line.starts_with(marker));
        if at == Some(0) {
            how = resolve();
        }
        side = match at {
            Some(2) => 0,
            Some(at) => at + 1,
            None => side,
        };
        let keeps = match (how, side) {
            (Resolution::Not, _) | (_, 0) if at.is_none() => true,
            (Resolution::Not, _) => true,
            _ if at.is_some() => false,
            (Resolution::Ours, side) => side == 1,
            (Resolution::Theirs, side) => side == 2,
            (Resolution::Both, _) => true,
        };
        if keeps {
            to.push_str(line);
        }
    }
    to
}

fn entries(text: &str) -> Vec<toml::Value> {
    let lock: toml::Value = toml::from_str(text).unwrap();
    let bundles = lock.get("bundle").and_then(|all| all.as_array());
    bundles.cloned().unwrap_or_default()
}

/// Checks that every entry has what its bundle has.
#[track_caller]
fn fits_bundles(workspace: &Workspace) {
    for entry in entries(&workspace.read("bundle.lock")) {
        let text = |value: &toml::Value| value.as_str().unwrap().to_owned();
        let source = text(&entry["source"]["folder"]);
        let path = format!(
            "{source}/channels/{}/manifest.json",
            text(&entry["version"])
        );
        let manifest = Manifest::parse(workspace.read(&path).as_bytes()).unwrap();
        let mut channels = manifest.channels.iter();
        let channel = channels
            .find(|channel| channel.name == text(&entry["channel"]))
            .unwrap();
        let files = entry["files"].as_table().unwrap().iter();
        let files: BTreeMap<String, String> = files
            .map(|(path, digest)| (path.clone(), text(digest)))
            .collect();
        let expected = channel.files.iter();
        let expected: BTreeMap<String, String> = expected
            .map(|(path, digest)| (path.clone(), digest.to_string()))
            .collect();
        assert_eq!(files, expected, "{entry}");
        assert_eq!(
            text(&entry["manifest"]),
            manifest.digest.unwrap().to_string()
        );
    }
}

/// Removes the files that the help of `stray-crd` names: those that an entry in another folder left behind.
fn remove_strays(workspace: &Workspace, stderr: &str) {
    let help = stderr.lines().filter_map(|line| {
        let (_, command) = line.split_once("remove it: `rm ")?;
        command.strip_suffix('`')
    });
    for path in help {
        std::fs::remove_file(workspace.path(path.trim_matches('\''))).unwrap();
    }
}

/// Follows the advice until `vendor` works.
#[track_caller]
fn repair(workspace: &Workspace) {
    let mut ran = workspace.run(&["vendor"]);
    for _ in 0..14 {
        let refused = ran.stderr.contains("error[pin-refused]");
        ran = match ran.code {
            Some(0) => workspace.run(&["vendor"]),
            _ if refused => {
                let allowed = ["pin", "--repair", "--allow-downgrade", "--allow-data-loss"];
                workspace.run(&allowed)
            }
            _ if ran.stderr.contains("error[vendor-refused]") => {
                workspace.run(&["vendor", "--allow-crd-removal"])
            }
            _ if ran.stderr.contains("error[stray-crd]") => {
                remove_strays(workspace, &ran.stderr);
                workspace.run(&["vendor"])
            }
            _ => {
                // What only a person knows.
                let from = match ran.stderr.contains("--repair example.com") {
                    true => "--from api",
                    false => "--from other",
                };
                let said = ran.stderr.replace("--from FROM", from);
                follow(
                    workspace,
                    &said.replace("--version VERSION", "--version =0.2.0"),
                )
            }
        };
        if ran.code == Some(0) && ran.stdout.contains(" written, ") {
            return;
        }
    }
    panic!("{}\n{}", ran.stderr, workspace.read("bundle.lock"));
}

#[test]
fn no_merge_makes_a_lock_that_nobody_pinned() {
    let workspace = base();
    let base = workspace.read("bundle.lock");
    let mut dice = Dice(34);
    let mut states = vec![base.clone()];
    for _ in 0..14 {
        workspace.write("bundle.lock", &base);
        for _ in 0..=dice.roll(3) {
            change(&workspace, &mut dice);
        }
        let text = workspace.read("bundle.lock");
        if !states.contains(&text) {
            states.push(text);
        }
    }
    let (mut accepted, mut refused) = (0, 0);
    for at in 0..merges() {
        let ours = states[dice.roll(states.len())].clone();
        let theirs = states[dice.roll(states.len())].clone();
        // A third branch, merged into what became of the first two.
        let third = (at % 3 == 2).then(|| states[dice.roll(states.len())].clone());
        let others = [&base, third.as_ref().unwrap_or(&base)];
        let known = [&ours, &theirs].into_iter().chain(others);
        let known: Vec<toml::Value> = known.flat_map(|text| entries(text)).collect();
        let text = merged(&workspace, [&base, &ours, &theirs]);
        let all = [
            Resolution::Ours,
            Resolution::Theirs,
            Resolution::Both,
            Resolution::Not,
        ];
        for how in 0..6 {
            let mut resolve = || match all.get(how) {
                Some(how) => *how,
                None => all[dice.roll(3)],
            };
            let mut text = resolved(&text, &mut resolve);
            if let Some(third) = &third {
                text = resolved(&merged(&workspace, [&base, &text, third]), resolve);
            }
            workspace.write("bundle.lock", &text);
            let _ = std::fs::remove_dir_all(workspace.path("crds"));
            let ran = workspace.run(&["vendor", "--check"]);
            if ran.code == Some(2) {
                refused += 1;
                // The advice is tried once for each merge.
                if how == at % 6 {
                    repair(&workspace);
                    fits_bundles(&workspace);
                }
            } else {
                accepted += 1;
                for entry in entries(&text) {
                    assert!(known.contains(&entry), "merge {at}:\n{text}");
                }
                fits_bundles(&workspace);
            }
        }
        // With the driver there is a conflict, or a lock of whole entries.
        for (name, text) in [("base", &base), ("ours", &ours), ("theirs", &theirs)] {
            workspace.write(&format!("target/{name}"), text);
        }
        let files = ["target/base", "target/ours", "target/theirs", "bundle.lock"];
        let ran = workspace.run(&[&["merge-driver"], &files[..]].concat());
        workspace.write("bundle.lock", workspace.read("target/ours"));
        match ran.code {
            Some(0) => {
                let ran = workspace.run(&["vendor", "--check"]);
                assert_ne!(ran.code, Some(2), "merge {at}: {}", ran.stderr);
                fits_bundles(&workspace);
            }
            code => {
                assert_eq!(code, Some(1), "merge {at}: {}", ran.stderr);
                workspace.run(&["vendor", "--check"]).with_code(2);
            }
        }
    }
    assert!(
        accepted > 0 && refused > 0,
        "{accepted} accepted, {refused} refused"
    );
}

/// Two branches that each pin their first bundle give the two entries one header, or mix their lines.
#[test]
fn every_bundle_that_a_merged_text_names_is_there_after_its_repair() {
    let workspace = base();
    let mut dice = Dice(7);
    let mut several = 0;
    for at in 0..merges() {
        let mut sides = Vec::new();
        let pins = [
            ("api", "example.com", "crds"),
            ("other", "example.org", "crds-other"),
            ("api", "staging", "crds-staging"),
        ];
        // Two branches, or three of which two have bundles of one source.
        for (source, name, folder) in pins.into_iter().take(2 + at % 4 / 3) {
            std::fs::remove_file(workspace.path("bundle.lock")).unwrap();
            let version = dice.pick(&["=0.1.0", "=0.2.0", ">=0.1"]);
            let channel = dice.pick(&["stable", "experimental"]);
            let folder = ["crds", folder][dice.roll(2)];
            let with = dice.pick(&["none", "kustomization"]);
            let options = [
                "--version",
                version,
                "--channel",
                channel,
                "--folder",
                folder,
            ];
            pin(
                &workspace,
                &[
                    &["--from", source, "--name", name, "--with", with],
                    &options[..],
                ]
                .concat(),
            )
            .with_code(0);
            sides.push(workspace.read("bundle.lock"));
        }
        let first = dice.roll(sides.len());
        sides.rotate_left(first);
        let all = [Resolution::Both, Resolution::Ours, Resolution::Theirs];
        let mut text = String::new();
        for side in &sides {
            let merged = merged(&workspace, ["", &text, side]);
            text = resolved(&merged, || all[dice.roll(if at % 2 == 0 { 1 } else { 3 })]);
        }
        let names = |text: &str| {
            let names = text.lines().filter(|line| line.starts_with("name = "));
            names
                .map(str::to_owned)
                .collect::<std::collections::BTreeSet<_>>()
        };
        if names(&text).is_empty() {
            continue;
        }
        several += usize::from(names(&text).len() > 1);
        workspace.write("bundle.lock", &text);
        let _ = std::fs::remove_dir_all(workspace.path("crds"));
        let _ = std::fs::remove_dir_all(workspace.path("crds-other"));
        let _ = std::fs::remove_dir_all(workspace.path("crds-staging"));
        repair(&workspace);
        fits_bundles(&workspace);
        assert_eq!(
            names(&workspace.read("bundle.lock")),
            names(&text),
            "merge {at}:\n{text}"
        );
    }
    assert!(several > 0);
}

/// Runs git with the tool in its path, whatever its exit code.
fn try_git(workspace: &Workspace, arguments: &[&str]) -> Ran {
    let tool = Path::new(env!("CARGO_BIN_EXE_crd-channels"))
        .parent()
        .unwrap();
    let path = std::env::var("PATH").unwrap();
    let mut command = Command::new("git");
    command
        .args(["-c", "user.name=test", "-c", "user.email=test@example.com"])
        .args(arguments)
        .current_dir(workspace.folder())
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("PATH", format!("{}:{path}", tool.display()));
    run(&mut command)
}

/// A repository whose branch `bot` has one change of the lock, and whose `main` has another one.
fn diverged(ours: &[&str], theirs: &[&str], with_driver: bool) -> Workspace {
    let workspace = base();
    let commit = || {
        git(workspace.folder(), &["add", "--all"]);
        git(
            workspace.folder(),
            &["commit", "--quiet", "--message", "one"],
        );
    };
    git(workspace.folder(), &["init", "--quiet"]);
    if with_driver {
        let ran = workspace.run(&["merge-driver", "--install"]).with_code(0);
        assert!(
            ran.stdout.contains("commit `.gitattributes`"),
            "{}",
            ran.stdout
        );
        assert_eq!(
            workspace.read(".gitattributes"),
            "bundle.lock merge=crd-channels\n"
        );
    }
    workspace.run(&["vendor"]).with_code(0);
    commit();
    git(workspace.folder(), &["checkout", "--quiet", "-b", "bot"]);
    pin(&workspace, theirs).with_code(0);
    commit();
    git(workspace.folder(), &["checkout", "--quiet", "main"]);
    pin(&workspace, ours).with_code(0);
    commit();
    workspace
}

#[test]
fn the_driver_is_installed_after_the_first_pin() {
    let workspace = released();
    git(workspace.folder(), &["init", "--quiet"]);
    let stderr = workspace
        .run(&["merge-driver", "--install"])
        .with_code(2)
        .stderr;
    for words in [
        "neither a `bundle.lock` nor a workspace",
        "`crd-channels pin --from SOURCE`",
    ] {
        assert!(stderr.contains(words), "{stderr}");
    }
    pin(&workspace, &["--from", "api"]).with_code(0);
    workspace.run(&["merge-driver", "--install"]).with_code(0);
}

const CHANNEL: &[&str] = &["--update", "example.com", "--channel", "experimental"];
const VERSION: &[&str] = &["--update", "example.com", "--version", "=0.3.0"];

fn version_and_channel(workspace: &Workspace, name: &str) -> (String, String) {
    let all = entries(&workspace.read("bundle.lock"));
    let entry = all
        .iter()
        .find(|entry| entry["name"].as_str() == Some(name))
        .unwrap();
    let text = |key: &str| entry[key].as_str().unwrap().to_owned();
    (text("version"), text("channel"))
}

/// One person switched the channel, a bot updated the version.
#[test]
fn a_switched_channel_and_a_new_version_do_not_mix() {
    for with_driver in [false, true] {
        let workspace = diverged(CHANNEL, VERSION, with_driver);
        let ran = try_git(&workspace, &["merge", "--no-edit", "bot"]).with_code(1);
        assert!(ran.stdout.contains("CONFLICT"), "{}", ran.stdout);
        let conflict = workspace.read("bundle.lock");
        let ran = workspace.run(&["vendor", "--check"]).with_code(2);
        let line = conflict
            .lines()
            .position(|line| line.starts_with("<<<<<<<"))
            .unwrap()
            + 1;
        for words in [
            "error[lock-conflict]: `bundle.lock` has conflict markers",
            &format!("bundle.lock:{line}:"),
        ] {
            assert!(ran.stderr.contains(words), "{}", ran.stderr);
        }
        // Their version, our channel, their files: what a person takes for both.
        if !with_driver {
            let mut at = 0;
            let text = resolved(&conflict, || {
                at += 1;
                if at == 1 {
                    Resolution::Ours
                } else {
                    Resolution::Theirs
                }
            });
            let text = text.replace("version = \"v0.1.0\"", "version = \"v0.3.0\"");
            workspace.write("bundle.lock", text);
            let ran = workspace.run(&["vendor"]).with_code(2);
            assert!(
                ran.stderr.contains("error[lock-inconsistent]"),
                "{}",
                ran.stderr
            );
            assert!(workspace.path("crds/example.com_routes.yaml").exists());
            workspace.write("bundle.lock", &conflict);
        }
        // The advice asks what nobody can know, and then leads there.
        let ran = follow(&workspace, &ran.stderr).with_code(2);
        let words = "the entry `example.com` of `bundle.lock` has several values of `version`: `v0.1.0`, `v0.3.0`, and several values of `channel`: `experimental`, `stable`";
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
        let words =
            "`crd-channels pin --repair example.com --version v0.3.0 --channel experimental`";
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
        follow(&workspace, &ran.stderr).with_code(0);
        let both = ("v0.3.0".to_owned(), "experimental".to_owned());
        assert_eq!(version_and_channel(&workspace, "example.com"), both);
        fits_bundles(&workspace);
        workspace.run(&["vendor"]).with_code(0);
        workspace.run(&["vendor", "--check"]).with_code(0);
    }
}

#[test]
fn the_driver_merges_what_both_sides_mean() {
    for (ours, theirs, expected) in [
        // Changes of different bundles, which git would put into one conflict.
        (
            CHANNEL,
            &["--update", "example.org", "--version", "=0.3.0"][..],
            [("v0.1.0", "experimental"), ("v0.3.0", "stable")],
        ),
        // A new bundle, and a decision that no file depends on.
        (
            VERSION,
            &["--update", "example.com", "--with", "policies"],
            [("v0.3.0", "stable"), ("v0.2.0", "stable")],
        ),
        (
            &["--update", "example.com", "--folder", "deploy"],
            VERSION,
            [("v0.3.0", "stable"), ("v0.2.0", "stable")],
        ),
    ] {
        let workspace = diverged(ours, theirs, true);
        try_git(&workspace, &["merge", "--no-edit", "bot"]).with_code(0);
        for (name, (version, channel)) in ["example.com", "example.org"].iter().zip(expected) {
            let expected = (version.to_owned(), channel.to_owned());
            assert_eq!(
                version_and_channel(&workspace, name),
                expected,
                "{ours:?} {theirs:?}"
            );
        }
        fits_bundles(&workspace);
        remove_strays(&workspace, &workspace.run(&["vendor"]).stderr);
        workspace.run(&["vendor"]).with_code(0);
        workspace.run(&["vendor", "--check"]).with_code(0);
    }
}

/// Each conflict of several bundles can be resolved on its own.
#[test]
fn several_conflicts_are_repaired_one_by_one() {
    let both = |name| ["--update", name, "--version", "=0.3.0"];
    let workspace = diverged(CHANNEL, &both("example.com"), true);
    pin(
        &workspace,
        &["--update", "example.org", "--channel", "experimental"],
    )
    .with_code(0);
    git(
        workspace.folder(),
        &["commit", "--quiet", "--all", "--message", "two"],
    );
    git(workspace.folder(), &["checkout", "--quiet", "bot"]);
    pin(&workspace, &both("example.org")).with_code(0);
    git(
        workspace.folder(),
        &["commit", "--quiet", "--all", "--message", "two"],
    );
    git(workspace.folder(), &["checkout", "--quiet", "main"]);
    try_git(&workspace, &["merge", "--no-edit", "bot"]).with_code(1);
    repair(&workspace);
    for name in ["example.com", "example.org"] {
        let both = ("v0.3.0".to_owned(), "experimental".to_owned());
        assert_eq!(version_and_channel(&workspace, name), both);
    }
    fits_bundles(&workspace);
}
