//! What the README says of exit codes, command by command: 0 it went well, 1 something is wrong with what was looked at, 2 the
//! command could not do its work.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod support;

use support::Workspace;

const ROUTE: &str = "//- channels/features.toml
[Timeouts]
summary = \"How long a request may take.\"
//- src/lib.rs
/// Where requests go.
#[derive(crd_channels_derive::ApiType, kube::CustomResource, schemars::JsonSchema)]
#[kube(group = \"example.com\", version = \"v1\", kind = \"Route\", namespaced)]
pub struct RouteSpec {
    /// The host.
    pub host: Option<String>,
    /// So long.
    #[experimental(feature = \"Timeouts\")]
    pub timeout: Option<String>,
}
";

/// The commands that read the types.
const READERS: [&[&str]; 6] = [
    &["gen-crds"],
    &["gen-crds", "--check"],
    &["features"],
    &["graduate", "Timeouts"],
    &["remove", "Timeouts", "--dry-run"],
    &["release", "minor"],
];

#[track_caller]
fn ends(workspace: &Workspace, arguments: &[&str], code: i32) {
    let ran = workspace.run(arguments);
    let said = format!("{arguments:?}\n{}\n{}", ran.stdout, ran.stderr);
    assert_eq!(ran.code, Some(code), "{said}");
}

#[test]
fn nothing_to_read_is_2() {
    let workspace = Workspace::new(&format!(
        "{ROUTE}//- no channels/stable.toml\n//- no channels/experimental.toml\n"
    ));
    for arguments in READERS {
        ends(&workspace, arguments, 2);
    }
    ends(&workspace, &["prove"], 2);
    let workspace = Workspace::new(ROUTE);
    workspace.write("Cargo.toml", "[package");
    for arguments in READERS {
        ends(&workspace, arguments, 2);
    }
}

#[test]
fn errors_in_types_and_configuration_are_1() {
    let workspace = Workspace::new(ROUTE);
    workspace.edit(
        "src/lib.rs",
        "host: Option<String>",
        "host: Option<Nowhere>",
    );
    for arguments in READERS {
        ends(&workspace, arguments, 1);
    }
    let workspace = Workspace::new(ROUTE);
    workspace.write("channels/features.toml", "[Timeouts]\n");
    for arguments in READERS {
        ends(&workspace, arguments, 1);
    }
}

#[test]
fn wrong_arguments_are_2() {
    let workspace = Workspace::new(ROUTE);
    workspace.generate();
    for arguments in [
        &["gen-crds", "--channel", "stabel"][..],
        &["gen-crds", "--nowhere"],
        &["graduate", "Nothing"],
        &["remove", "Nothing", "--dry-run"],
        &["remove", "Timeouts"],
        &["release", "huge"],
        &["verify-release", "v0.9.0"],
        &["explain", "nothing"],
        &["diff", "nowhere", "."],
        &["check", "nowhere"],
    ] {
        ends(&workspace, arguments, 2);
    }
}

#[test]
fn warnings_and_answers_are_0() {
    let workspace = Workspace::new(ROUTE);
    let features = workspace.read("channels/features.toml");
    workspace.write(
        "channels/features.toml",
        features + "[Unused]\nsummary = \"nothing\"\n",
    );
    let warned = workspace.run(&["gen-crds"]).with_code(0);
    assert!(
        warned.stderr.contains("warning[unused-feature]"),
        "{warned:?}"
    );
    ends(&workspace, &["gen-crds", "--check"], 0);
    ends(&workspace, &["features"], 0);
    // What changed is an answer; whether it may be is asked with `--against`.
    workspace.edit("src/lib.rs", "host: Option<String>", "host: Option<i32>");
    ends(&workspace, &["gen-crds", "--check"], 1);
    ends(&workspace, &["diff", "generated", "."], 0);
    ends(
        &workspace,
        &["diff", "generated", ".", "--against", "minor"],
        1,
    );
}

#[test]
fn a_changed_bundle_is_a_finding_in_every_command() {
    let workspace = Workspace::new(ROUTE);
    workspace.generate();
    workspace.run(&["release", "minor"]).with_code(0);
    ends(&workspace, &["verify-release"], 0);
    workspace.write("channels/v0.1.0/more", "");
    for arguments in [
        &["verify-release"][..],
        &["release", "minor"],
        &["features"],
        &["graduate", "Timeouts"],
        &["remove", "Timeouts", "--dry-run"],
        &["diff", "v0.1.0", "."],
    ] {
        ends(&workspace, arguments, 1);
    }
}
