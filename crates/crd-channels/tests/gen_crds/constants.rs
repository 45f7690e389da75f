//! The Rust file of a bundle's names: its content, and that it is written and checked with the CRDs.

use super::conditions::ROUTE;
use super::{EXPERIMENTAL, STABLE, findings};
use crate::support::Workspace;
use std::process::Command;

const FILE: &str = "src/names.rs";

/// A kind with conditions, whose crate declares the file as a module before it exists.
fn route() -> Workspace {
    let (before, after) = ROUTE.split_once("//- src/lib.rs\n").unwrap();
    Workspace::new(&format!(
        "{before}//- channels/bundle.toml\nconstants = \"{FILE}\"\n//- src/lib.rs\npub mod names;\n{after}"
    ))
}

const NAMES: &str = r##"//! The names of the bundle, written by `gen-crds`; do not edit: the next run overwrites it.

#![allow(dead_code)]

/// The version, as in the annotation of every CRD.
pub const BUNDLE_VERSION: &str = "v0.6.0";

/// The annotation with the bundle that a CRD belongs to.
pub const BUNDLE_VERSION_ANNOTATION: &str = "example.com/bundle-version";

/// The annotation with the channel that a CRD belongs to.
pub const CHANNEL_ANNOTATION: &str = "example.com/channel";

/// The channels, as in the annotation.
pub mod channels {
    /// The channel `stable`.
    pub const STABLE: &str = "stable";

    /// The channel `experimental`.
    pub const EXPERIMENTAL: &str = "experimental";
}

/// The features that gates name.
pub mod features {
    /// Routes in a mesh.
    pub const MESH: &str = "Mesh";
}

/// The kinds and their versions.
pub mod kinds {
    /// `Route` of `example.com`.
    pub mod route {
        /// The API group.
        pub const GROUP: &str = "example.com";

        /// The kind.
        pub const KIND: &str = "Route";

        /// The plural name, as in URLs.
        pub const PLURAL: &str = "routes";

        /// The name of the CRD.
        pub const CRD: &str = "routes.example.com";

        /// The version `v1`.
        pub const V1: &str = "v1";
    }
}

/// The types of conditions and their reasons.
pub mod conditions {
    /// The conditions of `RouteCondition`.
    pub mod route_condition {
        /// The route is valid enough
        /// to produce some configuration.
        ///
        /// It is `True` on a healthy object.
        pub const ACCEPTED: &str = "Accepted";

        /// The reasons of `Accepted`.
        pub mod accepted {
            /// True: The route is accepted.
            pub const ACCEPTED: &str = "Accepted";

            /// False: No backend exists.
            pub const NO_RESOURCES: &str = "NoResources";

            /// False: The sidecar is missing.
            ///
            /// Experimental: only available with the feature `Mesh`.
            pub const NO_SIDECAR: &str = "NoSidecar";

            /// Unknown: Nobody has looked.
            pub const NOT_RECONCILED: &str = "NotReconciled";
        }
"##;

#[test]
fn the_names_of_a_bundle_are_written_with_its_crds() {
    let workspace = route();
    workspace.generate();
    let text = workspace.read(FILE);
    assert!(text.starts_with(NAMES), "{text}");
    for part in [
        "        ///\n        /// Experimental: only available with the feature `Mesh`.\n        pub const MESHED: &str = \"Meshed\";\n",
        "        /// The opposite.\n        ///\n        /// It is an error, there only while it is `True`.\n        #[deprecated(note = \"replaced by `Accepted`, removed in v0.7.0\")]\n        pub const DETACHED: &str = \"Detached\";\n",
        "    pub mod own {\n",
        "pub const THROTTLED: &str = \"example.com/Throttled\";\n",
    ] {
        assert!(text.contains(part), "{part}:\n{text}");
    }
    let before = workspace.generated();
    workspace.run(&["gen-crds", "--check"]).with_code(0);
    workspace.generate();
    assert_eq!(workspace.read(FILE), text);
    assert_eq!(workspace.generated(), before);
}

#[test]
fn a_stale_constants_file_is_reported() {
    let workspace = route();
    workspace.generate();
    workspace.edit(FILE, "v0.6.0", "v0.5.0");
    let stdout = workspace.run(&["gen-crds", "--check"]).with_code(1).stdout;
    assert!(stdout.contains("stale: src/names.rs"), "{stdout}");
    workspace.generate();
    workspace.run(&["gen-crds", "--check"]).with_code(0);
    // Only one kind is read again, but the file has the names of all.
    workspace.edit("src/declared.rs", "    Is,", "    IsSo,");
    workspace.generate();
    let text = workspace.read(FILE);
    assert!(text.contains("pub const IS_SO: &str = \"IsSo\";"), "{text}");
    workspace.run(&["gen-crds", "--check"]).with_code(0);
}

#[test]
fn a_handwritten_constants_file_is_not_overwritten() {
    let workspace = route();
    workspace.write(FILE, "pub const MINE: u8 = 1;\n");
    let found = findings(&workspace, 1);
    let found: Vec<_> = found.iter().map(|finding| &*finding.code).collect();
    assert_eq!(found, ["config-invalid"]);
    assert_eq!(workspace.read(FILE), "pub const MINE: u8 = 1;\n");
    workspace.write(FILE, "\n");
    workspace.generate();
    assert!(workspace.read(FILE).starts_with(NAMES));
}

#[test]
fn another_folder_gets_crds_only() {
    let workspace = route();
    workspace
        .run(&["gen-crds", "--output", "elsewhere"])
        .with_code(0);
    assert!(!workspace.path(FILE).exists());
    for path in [STABLE, EXPERIMENTAL] {
        let path = path.replace("generated/", "elsewhere/");
        assert!(workspace.path(&path).exists(), "{path}");
    }
}

/// `diff` reads the types as `gen-crds` does, even before the file is written.
#[test]
fn types_are_compared_before_the_file_is_written() {
    let workspace = route();
    workspace
        .run(&["gen-crds", "--output", "elsewhere"])
        .with_code(0);
    assert!(!workspace.path(FILE).exists());
    let ran = workspace.run(&["diff", "elsewhere", "."]).with_code(0);
    let out = ran.stdout;
    assert!(out.contains("0 findings: no change"), "{out}");
}

/// For any names, rustfmt changes nothing and rustc reports nothing.
#[test]
fn the_file_is_rust_as_rustfmt_leaves_it() {
    let workspace = route();
    workspace.edit(
        "src/declared.rs",
        "pub enum Own",
        "pub enum \u{6761}\u{4ef6}",
    );
    workspace.edit("src/lib.rs", "declared::Own", "declared::\u{6761}\u{4ef6}");
    let long = "VeryMuchLongerThanAnyoneWouldEverWriteATypeOfConditionInEarnest";
    workspace.edit(
        "src/declared.rs",
        "Accepted\", until",
        &format!("{long}\", until"),
    );
    workspace.edit(
        "src/declared.rs",
        "        Ready(",
        &format!("        {long}("),
    );
    workspace.edit(
        "src/declared.rs",
        "    NoResources,",
        "    #[doc = \" \\\"quoted\\\" \"]\n    Type,",
    );
    workspace.edit("src/lib.rs", "kind = \"Route\"", "kind = \"Type\"");
    workspace.edit("channels/bundle.toml", "constants", "version = \"0.7.0-rc.1+build.of.a.very.long.name.that.does.not.fit.on.one.line.of.a.hundred\"\nconstants");
    workspace.write("channels/1st-one.toml", "features = \"none\"\n");
    workspace.run(&["gen-crds"]).with_code(0);
    let text = workspace.read(FILE);
    for part in [
        "pub mod r#type {",
        "pub const _1ST_ONE",
        "note = \"replaced by",
        long,
    ] {
        assert!(text.contains(part), "{part}:\n{text}");
    }
    let file = workspace.path(FILE);
    let run = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .arg(&file)
            .current_dir(workspace.folder());
        let ran = command.output().unwrap();
        assert!(
            ran.status.success(),
            "{program}: {}{}\n{text}",
            String::from_utf8_lossy(&ran.stdout),
            String::from_utf8_lossy(&ran.stderr)
        );
    };
    run("rustfmt", &["--edition", "2024", "--check"]);
    let strict = [
        "--edition",
        "2024",
        "--crate-type",
        "lib",
        "--emit",
        "metadata",
        "--deny",
        "warnings",
        "--deny",
        "missing_docs",
    ];
    run("rustc", &strict);
}
