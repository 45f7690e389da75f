//! Months of a consumer, randomly generated: two bundles, other people's files beside them, manual edits.

use super::support::Workspace;
use super::{bundle, crd, empty, pin};
use std::collections::{BTreeMap, BTreeSet};

/// A source of numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        usize::try_from(self.0 >> 33).unwrap() % sides
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.roll(from.len())].clone()
    }
}

const BUNDLES: [(&str, &str); 2] = [("example.com", "deploy/com"), ("example.org", "deploy/org")];
const VERSIONS: [&str; 3] = ["v0.1.0", "v0.2.0", "v0.3.0"];
const CHANNELS: [&str; 2] = ["stable", "experimental"];
const PARTS: [&str; 5] = [
    "components",
    "policies",
    "kustomization",
    "components,policies",
    "components,policies,kustomization",
];

fn stamped(kind: &str, prefix: &str, version: &str) -> String {
    format!(
        "---\napiVersion: v1\nkind: {kind}\nmetadata:\n  annotations:\n    {prefix}/bundle-version: {version}\n    {prefix}/channel: stable\n  name: one\n"
    )
}

/// Writes bundles whose files come and go from one version to the next.
fn release(workspace: &Workspace) {
    for (prefix, _) in BUNDLES {
        for (at, version) in VERSIONS.into_iter().enumerate() {
            let routes = crd(version, "stable", 10, "").replace("example.com", prefix);
            let gates = routes.replace("route", "gate").replace("Route", "Gate");
            let mut files = vec![(format!("crds/{prefix}_routes.yaml"), routes)];
            if at != 1 {
                files.push((format!("crds/{prefix}_gates.yaml"), gates));
            }
            let others = [
                ("components/webhook.yaml", "Webhook"),
                ("components/service.yaml", "Service"),
                ("policies/safe-upgrades.yaml", "Policy"),
                ("policies/kustomization.yaml", "Kustomization"),
            ];
            for (path, kind) in others.into_iter().skip(at) {
                files.push((path.to_owned(), stamped(kind, prefix, version)));
            }
            let experimental = files.iter().map(|(path, text)| {
                let text = text.replace("/channel: stable", "/channel: experimental");
                (path.clone(), text)
            });
            let experimental = experimental.collect();
            let channels: [(&str, &[&str], _); 2] = [
                ("stable", &[], files),
                ("experimental", &["Timeouts"], experimental),
            ];
            let folder = workspace.path(&format!("{prefix}-api"));
            bundle::release_as(prefix, &folder, version, &["Timeouts"], &channels);
        }
    }
}

/// Returns somebody else's file: another project's objects, an overlay, notes.
fn foreign(dice: &mut Dice, at: usize) -> (String, String) {
    let (_, folder) = dice.pick(&BUNDLES);
    let below = dice.pick(&["", "components/", "policies/", "mine/", "mine/policies/"]);
    let name = dice.pick(&[
        "kustomization.yaml",
        "webhook.yaml",
        "notes.txt",
        "policies.yaml",
        "a_b.yaml",
    ]);
    let texts = [
        stamped("Policy", "other.example", "v1.0.0"),
        crd("v1.0.0", "stable", 3, "").replace("example.com", "other.example"),
        "---\nkind: ConfigMap\nmetadata:\n  name: mine\n".to_owned(),
        "resources: []\n".to_owned(),
        "{{ not yaml }}\n".to_owned(),
    ];
    let path = format!("{folder}/{below}{at}-{name}");
    (path, dice.pick(&texts))
}

/// Checks that the folders match the lock, and returns the pinned files.
fn pinned(workspace: &Workspace) -> BTreeSet<String> {
    let mut paths = BTreeSet::new();
    for pinned in super::bundles(workspace) {
        let text = |key: &str| pinned[key].as_str().unwrap();
        let (folder, channel) = (text("folder"), text("channel"));
        let with = pinned.get("with").and_then(|with| with.as_array());
        let has =
            |part: &str| with.is_some_and(|with| with.iter().any(|one| one.as_str() == Some(part)));
        let own = pinned["files"].as_table().unwrap().keys();
        for path in own.filter_map(|path| path.strip_prefix(&format!("{channel}/"))) {
            match path.split_once('/') {
                Some(("crds", name)) => paths.insert(format!("{folder}/{name}")),
                Some(("policies", "kustomization.yaml")) => false,
                Some((part, _)) if has(part) => paths.insert(format!("{folder}/{path}")),
                _ => false,
            };
        }
        if has("kustomization") {
            paths.insert(format!("{folder}/kustomization.yaml"));
        }
    }
    paths
}

fn step(dice: &mut Dice, workspace: &Workspace, theirs: &mut BTreeMap<String, Vec<u8>>, at: usize) {
    match dice.roll(6) {
        0..3 => {
            let (prefix, folder) = dice.pick(&BUNDLES);
            let from = format!("{prefix}-api");
            let (version, channel) = (dice.pick(&VERSIONS), dice.pick(&CHANNELS));
            pin(
                workspace,
                &[
                    "--from",
                    &from,
                    "--version",
                    version,
                    "--channel",
                    channel,
                    "--folder",
                    folder,
                    "--with",
                    dice.pick(&PARTS),
                    "--allow-downgrade",
                    "--allow-data-loss",
                ],
            )
            .with_code(0);
        }
        3 => {
            let (path, text) = foreign(dice, at);
            workspace.write(&path, &text);
            theirs.insert(path, text.into_bytes());
        }
        _ => {
            let ours: Vec<String> = workspace.files("deploy").into_keys().collect();
            let ours: Vec<String> = ours
                .iter()
                .map(|path| format!("deploy/{path}"))
                .filter(|path| !theirs.contains_key(path))
                .collect();
            if !ours.is_empty() {
                let path = workspace.path(&dice.pick(&ours));
                match dice.roll(2) {
                    0 => std::fs::remove_file(path).unwrap(),
                    _ => {
                        let text = std::fs::read_to_string(&path).unwrap();
                        std::fs::write(path, text + "# by hand\n").unwrap();
                    }
                }
            }
        }
    }
}

#[test]
fn folders_are_as_pinned_and_the_files_of_others_stay() {
    for seed in 0..6 {
        let mut dice = Dice(seed);
        let workspace = empty();
        release(&workspace);
        let mut theirs = BTreeMap::new();
        for at in 0..30 {
            step(&mut dice, &workspace, &mut theirs, at);
            if !workspace.path("bundle.lock").exists() || dice.roll(2) == 0 {
                continue;
            }
            // Without it, a CRD that is alone in its folder, since others were removed by hand, stays.
            workspace
                .run(&["vendor", "--allow-crd-removal"])
                .with_code(0);
            workspace.run(&["vendor", "--check"]).with_code(0);
            let files = workspace.files("deploy").into_iter();
            let mut files: BTreeMap<String, Vec<u8>> = files
                .map(|(path, bytes)| (format!("deploy/{path}"), bytes))
                .collect();
            for (path, text) in &theirs {
                assert_eq!(
                    files.remove(path).as_ref(),
                    Some(text),
                    "seed {seed}, step {at}: {path}"
                );
            }
            let ours: BTreeSet<String> = files.into_keys().collect();
            assert_eq!(ours, pinned(&workspace), "seed {seed}, step {at}");
        }
    }
}
