//! Random edits of everything that a diagnostic reads: after each, a run that starts from an earlier one reports and writes what a
//! run from nothing does. `WARM_EDITS` sets how many edits are made.

use super::again::{SHARED, read};
use crate::support::Workspace;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// An edit that can be undone.
#[derive(Clone, Copy)]
enum Edit {
    /// A text in a file, and its replacement.
    Text(&'static str, &'static str, &'static str),
    /// A file that is added or removed.
    File(&'static str, &'static str),
}

use Edit::{File, Text};

const EDITS: &[Edit] = &[
    // Derives and attributes.
    Text("src/route.rs", "crd_channels_derive::ApiType, ", ""),
    Text("src/policy.rs", "crd_channels_derive::ApiType, ", ""),
    Text("src/shared.rs", "crd_channels_derive::ApiType, ", ""),
    Text("src/gateway.rs", "JsonSchema, ", ""),
    Text("common/src/port.rs", "JsonSchema, ", ""),
    Text("src/policy.rs", "CustomResource, ", ""),
    Text(
        "src/shared.rs",
        "#[serde(default",
        "#[x_kube(validation = \"self > 0\")]\n    #[serde(default",
    ),
    Text(
        "src/nested/mod.rs",
        "pub host",
        "#[crd(title = \"The host\")]\n        pub host",
    ),
    Text(
        "src/nested/mod.rs",
        "Clone, Deserialize, JsonSchema, Serialize",
        "Clone",
    ),
    Text(
        "src/route.rs",
        "feature = \"Timeouts\"",
        "feature = \"Mirrors\"",
    ),
    Text(
        "src/route.rs",
        "pub targets",
        "#[experimantal]\n    pub targets",
    ),
    Text(
        "src/gateway.rs",
        "shortname = \"gw\"",
        "shortname = \"gateways\"",
    ),
    Text(
        "src/gateway.rs",
        "shortname = \"gw\"",
        "shortname = \"route\"",
    ),
    Text(
        "src/policy.rs",
        "kind = \"Policy\"",
        "kind = \"Policy\", status = \"Address\"",
    ),
    Text("src/shared.rs", "max = 63", "max = 64"),
    // Names and what they mean.
    Text(
        "src/prelude.rs",
        "pub use kube::CustomResource;",
        "pub use kube::{CustomResource};",
    ),
    Text(
        "src/prelude.rs",
        "pub use schemars::JsonSchema;",
        "pub use schemas::JsonSchema;",
    ),
    Text(
        "src/prelude.rs",
        "pub use serde::{",
        "pub use serde::{self, ",
    ),
    Text(
        "src/defaults.rs",
        "pub const WEIGHT",
        "use chrono::Utc;\npub const WEIGHT",
    ),
    Text("src/defaults.rs", "WEIGHT: i32 = 1", "WEIGHT: i32 = 2"),
    Text(
        "src/shared.rs",
        "Many<T> = Vec<T>",
        "Many<T> = Option<Vec<T>>",
    ),
    Text("src/policy.rs", "fn motto", "struct Rule;\nfn motto"),
    // Comments.
    Text(
        "src/route.rs",
        "The targets.",
        "The targets; see `timeout`.",
    ),
    Text(
        "src/shared.rs",
        "/// The name.",
        "/// The name.\n    /// +optional",
    ),
    Text(
        "src/shared.rs",
        "/// The weight.",
        "// +listType=atomic\n    /// The weight.",
    ),
    Text("words.md", "their beginning", "all letters"),
    Text("motto.txt", "slow", "fast"),
    // Modules, files and macros.
    Text("src/lib.rs", "mod route;", "mod route;\nmod extra;"),
    File("src/extra.rs", KIND),
    File("src/gone.rs", KIND),
    File("src/old.rs", OLD),
    Text("src/lib.rs", "mod policy;", "mod policy;\nmod old;"),
    File("common/src/port/mod.rs", ""),
    Text("src/shared.rs", "/// Any number", MADE),
    Text(
        "src/policy.rs",
        "fn motto",
        "include!(concat!(env!(\"OUT_DIR\"), \"/names.rs\"));\nfn motto",
    ),
    Text(
        "src/lib.rs",
        "mod gateway;",
        "include!(\"more.inc\");\nmod gateway;",
    ),
    File("src/more.inc", "pub struct More;\n"),
    Text(
        "src/nested/mod.rs",
        "pub mod deep",
        "#[cfg(not(any()))]\npub mod deep",
    ),
    // Configuration.
    Text(
        "channels/features.toml",
        "Where copies go.",
        "Where the copies go.",
    ),
    Text(
        "channels/features.toml",
        "[Mirrors]",
        "[Unused]\nsummary = \"Nothing.\"\n[Mirrors]",
    ),
    Text("channels/bundle.toml", "\"allow\"", "\"warn\""),
    Text(
        "channels/bundle.toml",
        "[lints]",
        "conventions = \"kube\"\n[lints]",
    ),
    Text("channels/stable.toml", "none", "all"),
    File(
        "channels/tombstones.toml",
        "[[kinds]]\ngroup = \"example.com\"\nkind = \"Policy\"\nremoved = \"v0.0.1\"\nreason = \"It was not used.\"\n",
    ),
    File("channels/waivers.toml", WAIVER),
    File(
        "channels/examples/route/accept/plain.yaml",
        "apiVersion: example.com/v1\nkind: Route\nmetadata: {name: main}\nspec: {targets: [{name: a}]}\n",
    ),
    File(
        "channels/examples/route/reject/empty.yaml",
        "apiVersion: example.com/v1\nkind: Route\nmetadata: {name: main}\nspec: {}\n",
    ),
    Text(
        "Cargo.toml",
        "[dependencies]",
        "[features]\ndefault = [\"more\"]\nmore = []\n\n[dependencies]",
    ),
    Text(
        "src/policy.rs",
        "/// What it is about.",
        "#[cfg(feature = \"more\")]\n    /// What it is about.",
    ),
    Text("Cargo.toml", "version = \"0.1.0\"", "version = \"0.2.0\""),
];

const KIND: &str = "use crate::prelude::*;
/// Another kind.
#[derive(crd_channels_derive::ApiType, Clone, CustomResource, Deserialize, JsonSchema, Serialize)]
#[kube(group = \"example.com\", version = \"v1\", kind = \"Extra\")]
pub struct ExtraSpec {
    /// The host.
    pub host: String,
}
";

const OLD: &str = "use crate::prelude::*;
/// Where requests went.
#[derive(crd_channels_derive::ApiType, Clone, CustomResource, Deserialize, JsonSchema, Serialize)]
#[kube(group = \"example.com\", version = \"v1beta1\", kind = \"Route\", storage = false)]
pub struct RouteSpec {
    /// The targets.
    pub targets: Many<Target>,
    /// The port, which the other version lacks.
    pub port: Option<u32>,
}
";

/// For the property that one version lacks.
const WAIVER: &str = "[[waiver]]
kind = \"Route\"
path = \"spec.port\"
bundle = \"v0.1.0\"
reason = \"It was never read.\"
";

const MADE: &str = "macro_rules! made {
    ($name:ident) => {
        #[derive(crd_channels_derive::ApiType, Clone, Deserialize, JsonSchema, Serialize)]
        pub struct $name {}
    };
}
made!(Made);
/// Any number";

/// Makes the edit, or undoes it. Returns false if that is not possible now.
fn toggle(workspace: &Workspace, edit: Edit, undo: bool) -> bool {
    match edit {
        Text(file, from, to) => {
            let (from, to) = if undo { (to, from) } else { (from, to) };
            let text = workspace.read(file);
            let there = !from.is_empty() && text.contains(from);
            // A text that contains the other one would be found in it again.
            let there = there && (undo || !text.contains(to) || to.is_empty());
            if there {
                workspace.write(file, text.replacen(from, to, 1));
            }
            there
        }
        File(file, _) if undo => fs::remove_file(workspace.path(file)).is_ok(),
        File(file, text) => {
            workspace.write(file, text);
            true
        }
    }
}

/// How many edits random tests make.
pub fn edits() -> u32 {
    let given = std::env::var("WARM_EDITS").ok();
    given.map_or(25, |given| given.parse().unwrap())
}

#[test]
fn random_edits_are_reported_as_from_nothing() {
    let workspace = Workspace::new(SHARED);
    workspace.generate();
    let mut dice: u64 = 20_261_125;
    let mut roll = |sides: usize| {
        dice = dice
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(dice >> 33).unwrap() % sides
    };
    let originals: BTreeMap<&str, String> = EDITS
        .iter()
        .filter_map(|edit| match edit {
            Text(file, ..) => Some((*file, workspace.read(file))),
            File(..) => None,
        })
        .collect();
    let mut made = BTreeSet::new();
    let (mut warm, mut with_findings) = (0, 0);
    for _ in 0..edits() {
        let place = roll(EDITS.len());
        let edit = EDITS[place];
        let undo = made.contains(&place);
        // What an edit removed without a trace cannot be undone.
        if !toggle(&workspace, edit, undo) {
            continue;
        }
        if undo {
            made.remove(&place);
        } else {
            made.insert(place);
        }
        let shown = match edit {
            Text(file, _, to) => format!("{file}: {to}"),
            File(file, _) => file.to_owned(),
        };
        // The second run starts from the first one.
        for _ in 0..2 {
            let ran = workspace.run(&["gen-crds"]);
            let cold = workspace.run(&["gen-crds", "--check"]);
            assert_eq!(ran.stderr, cold.stderr, "{shown}\n{}", cold.stdout);
            assert_eq!(ran.code, cold.code, "{shown}\n{}", cold.stdout);
            warm += u32::from(read(&ran).is_some());
            with_findings += u32::from(read(&ran).is_some() && !ran.stderr.is_empty());
        }
        // With errors nothing is written, so that little is compared: most of the time they are undone at once.
        if workspace.run(&["gen-crds"]).code != Some(0) && roll(4) > 0 {
            made.clear();
            originals
                .iter()
                .for_each(|(file, text)| workspace.write(file, text));
            for edit in EDITS.iter().filter(|edit| matches!(edit, File(..))) {
                toggle(&workspace, *edit, true);
            }
        }
    }
    println!("{warm} runs started from an earlier one, {with_findings} of them with findings");
    assert!(warm > edits() / 2 && with_findings > edits() / 8);
}

/// Random edits rarely make versions differ, so waivers for that have a test of their own.
#[test]
fn waivers_count_in_runs_that_start_from_an_earlier_one() {
    let workspace = Workspace::new(SHARED);
    workspace.write("src/old.rs", OLD);
    workspace.edit("src/lib.rs", "mod policy;", "mod policy;\nmod old;");
    for waived in [false, true, false, true] {
        match waived {
            true => workspace.write("channels/waivers.toml", WAIVER),
            false => drop(fs::remove_file(workspace.path("channels/waivers.toml"))),
        }
        for _ in 0..2 {
            let ran = workspace.run(&["gen-crds"]).with_code(0);
            let found = ran.stderr.contains("warning[versions-differ]");
            assert_eq!(found, !waived, "{}", ran.stderr);
        }
    }
}
