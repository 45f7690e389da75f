//! The exit codes of docs/commands.md, command by command: 0 success, 1 the input has findings, 2 the command could not run.

use crate::support::Workspace;
use crate::support::project::{ROUTE, commit, copy, git, project};
use clap::Command;
use crd_channels::cli;
use crd_channels::commands::program::Program;

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
    let expected = format!("{arguments:?}\n{}\n{}", ran.stdout, ran.stderr);
    assert_eq!(ran.code, Some(code), "{expected}");
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
    // A difference is a result; `--against` makes it a finding.
    stale(&workspace);
    ends(&workspace, &["gen-crds", "--check"], 1);
    ends(&workspace, &["diff", "generated", "."], 0);
    ends(
        &workspace,
        &["diff", "generated", ".", "--against", "minor"],
        1,
    );
}

#[test]
fn verifying_nothing_is_reported() {
    let workspace = Workspace::new(ROUTE);
    let ran = workspace.run(&["verify-release"]).with_code(0);
    assert_eq!(ran.stderr, "note: `channels` has no bundles\n");
    std::fs::remove_dir_all(workspace.path("channels")).unwrap();
    let ran = workspace.run(&["verify-release"]).with_code(2);
    assert!(ran.stderr.contains("error[config-missing]: "), "{ran:?}");
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

/// `init` leaves out kinds that cannot be written, with a warning. A kind that stays in but cannot be written is an error in
/// the types.
#[test]
fn kinds_that_init_leaves_out_are_a_warning() {
    let project = project();
    uninitialised(&project);
    let left_out = "\n/// Not ours.\n#[derive(kube::CustomResource, schemars::JsonSchema)]\n\
        #[kube(group = \"Example.com\", version = \"v1\", kind = \"Gateway\", namespaced)]\n\
        pub struct GatewaySpec {\n    /// The host.\n    pub host: Option<String>,\n}\n";
    project.edit("src/lib.rs", "mod old;", &format!("mod old;{left_out}"));
    let ran = project.run(&["init"]).with_code(0);
    let warning = "warning: 1 of your 2 kinds is left out: Gateway\n";
    assert!(ran.stderr.contains(warning), "{ran:?}");
    project.run(&["gen-crds"]).with_code(0);
}

/// How a command ends with a code: a change of the project, and the arguments; or why it never does.
enum Way {
    By(fn(&Workspace), &'static [&'static str]),
    Never(&'static str),
}

use Way::{By, Never};

fn as_it_is(_: &Workspace) {}

fn stale(project: &Workspace) {
    project.edit("src/lib.rs", "max = 20", "max = 10");
}

fn wrong_types(project: &Workspace) {
    project.edit("src/lib.rs", "host: Option<String>", "host: Nowhere");
}

fn tampered(project: &Workspace) {
    project.write("channels/v0.1.0/more", "");
}

/// Writes CRDs whose fields have other types.
fn other_types(project: &Workspace) {
    for entry in std::fs::read_dir(project.path("generated/stable")).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_str().unwrap();
        let changed = text.replace("type: string", "type: boolean");
        project.write(&format!("others/{name}"), changed);
    }
}

fn unconfigured(project: &Workspace) {
    for name in ["stable", "experimental"] {
        std::fs::remove_file(project.path(&format!("channels/{name}.toml"))).unwrap();
    }
}

fn no_workspace(project: &Workspace) {
    std::fs::remove_file(project.path("Cargo.toml")).unwrap();
}

fn no_git(project: &Workspace) {
    std::fs::remove_dir_all(project.path(".git")).unwrap();
}

fn no_key(project: &Workspace) {
    std::fs::remove_file(project.path("release.key")).unwrap();
}

fn no_lock(project: &Workspace) {
    std::fs::remove_file(project.path("bundle.lock")).unwrap();
}

fn no_bundle(project: &Workspace) {
    std::fs::remove_dir_all(project.path("channels/v0.1.0")).unwrap();
    commit(project);
}

fn uninitialised(project: &Workspace) {
    std::fs::remove_dir_all(project.path("channels")).unwrap();
    for file in ["src/lib.rs", "src/old.rs"] {
        project.edit(file, "    #[experimental(feature = \"Timeouts\")]\n", "");
    }
}

fn refused_crd(project: &Workspace) {
    project.edit(
        "deploy/crds/routes.yaml",
        "maxLength: 20",
        "maxLength: many",
    );
}

fn refused_object(project: &Workspace) {
    project.write(
        "route.yaml",
        "{apiVersion: example.com/v1, kind: Route, metadata: {name: a}, spec: {host: a}}",
    );
}

fn refused_rule(project: &Workspace) {
    project.edit(
        "generated/stable/example.com_routes.yaml",
        "self.size()",
        "self.siz()",
    );
}

fn uncommitted(project: &Workspace) {
    project.write("channels/v0.0.9-rc.1/manifest.json", "{}");
}

fn vendored_otherwise(project: &Workspace) {
    project.write("crds/example.com_routes.yaml", "");
}

fn deprecated(project: &Workspace) {
    project.run(&["deprecate", "Route", "v1beta1"]).with_code(0);
}

fn file_in_the_way(project: &Workspace) {
    project.write("pages", "");
}

/// A command, with ways to end it with 0, 1 and 2.
type Ends = (&'static str, Way, Way, Way);

/// Each command. Unknown options end all of them with 2.
const ENDS: [Ends; 36] = [
    (
        "init",
        By(uninitialised, &["--diff"]),
        By(
            |project| {
                uninitialised(project);
                wrong_types(project);
            },
            &[],
        ),
        By(no_workspace, &[]),
    ),
    (
        "gen-crds",
        By(as_it_is, &[]),
        By(stale, &["--check"]),
        By(unconfigured, &[]),
    ),
    (
        "check",
        By(as_it_is, &["generated"]),
        By(refused_crd, &["deploy/crds"]),
        By(as_it_is, &["nowhere"]),
    ),
    (
        "prove",
        Never("compiles the types; the tests of `prove` do"),
        Never("compiles the types; the tests of `prove` do"),
        By(unconfigured, &[]),
    ),
    (
        "explain",
        By(as_it_is, &["unknown-feature"]),
        Never("looks at nothing"),
        By(as_it_is, &["unknown-featur"]),
    ),
    (
        "reference",
        By(as_it_is, &["--out", "target/reference"]),
        By(as_it_is, &["--out", "target/reference", "--check"]),
        By(as_it_is, &["nowhere", "--out", "target/reference"]),
    ),
    (
        "eval-rule",
        By(as_it_is, &["route.yaml"]),
        By(refused_object, &["route.yaml"]),
        By(as_it_is, &["route.yaml", "--crds", "nowhere"]),
    ),
    (
        "validate",
        By(as_it_is, &["route.yaml"]),
        By(refused_object, &["route.yaml"]),
        By(as_it_is, &["route.yaml", "--crds", "nowhere"]),
    ),
    (
        "explain-rule",
        By(as_it_is, &["Route"]),
        By(refused_rule, &["Route"]),
        By(as_it_is, &["Route", "--crds", "nowhere"]),
    ),
    (
        "show",
        By(as_it_is, &["route.spec.host"]),
        By(tampered, &["Route"]),
        By(as_it_is, &["Rout"]),
    ),
    (
        "features",
        By(as_it_is, &[]),
        By(tampered, &[]),
        By(unconfigured, &[]),
    ),
    (
        "graduate",
        By(as_it_is, &["Timeouts"]),
        By(tampered, &["Timeouts"]),
        By(unconfigured, &["Timeouts"]),
    ),
    (
        "remove",
        By(as_it_is, &["Timeouts", "--dry-run"]),
        By(tampered, &["Timeouts", "--dry-run"]),
        By(unconfigured, &["Timeouts", "--dry-run"]),
    ),
    (
        "deprecate",
        By(as_it_is, &["Route", "v1beta1"]),
        By(deprecated, &["Route", "v1beta1"]),
        By(unconfigured, &["Route", "v1beta1"]),
    ),
    (
        "explain-warning",
        By(deprecated, &["Route", "v1beta1"]),
        By(wrong_types, &["Route", "v1beta1"]),
        By(as_it_is, &["Route", "v7"]),
    ),
    (
        "diff",
        By(stale, &["v0.1.0", "."]),
        By(stale, &["v0.1.0", ".", "--against", "patch"]),
        By(as_it_is, &["nowhere", "."]),
    ),
    (
        "release",
        By(as_it_is, &["minor", "--dry-run"]),
        By(stale, &["minor"]),
        By(unconfigured, &["minor"]),
    ),
    (
        "start-next",
        By(
            |project| {
                project.run(&["release", "minor"]).with_code(0);
                commit(project);
                git(project, &["tag", "v0.2.0"]);
            },
            &[],
        ),
        By(wrong_types, &[]),
        By(unconfigured, &[]),
    ),
    (
        "verify-release",
        By(as_it_is, &[]),
        By(tampered, &[]),
        By(as_it_is, &["v0.1.0", "--source", "git:nowhere"]),
    ),
    (
        "import",
        By(
            as_it_is,
            &["generated/stable", "--client", "--out", "imported"],
        ),
        By(
            other_types,
            &[
                "--channel",
                "stable=generated/stable",
                "--channel",
                "other=others",
                "--out",
                "imported",
            ],
        ),
        By(as_it_is, &["nowhere", "--out", "imported"]),
    ),
    (
        "keygen",
        By(
            |project| project.write("target/a", ""),
            &[
                "--secret",
                "target/a.key",
                "--public",
                "a.pub",
                "--no-password",
            ],
        ),
        Never("writes keys or cannot"),
        By(as_it_is, &["--secret", "release.key", "--public", "a.pub"]),
    ),
    (
        "sign",
        By(as_it_is, &["v0.1.0", "--key", "release.key"]),
        By(tampered, &["v0.1.0", "--key", "release.key"]),
        By(no_key, &["v0.1.0", "--key", "release.key"]),
    ),
    (
        "archive",
        By(as_it_is, &["v0.1.0"]),
        By(tampered, &["v0.1.0"]),
        By(as_it_is, &["v0.1.0", "--output", "dist"]),
    ),
    (
        "adopt",
        By(no_bundle, &["v0.1.0"]),
        By(
            |project| {
                project.write("channels/v0.1.0/more", "");
                commit(project);
                git(project, &["branch", "broken"]);
                no_bundle(project);
            },
            &["v0.1.0", "--from", "broken"],
        ),
        By(no_git, &["v0.1.0"]),
    ),
    (
        "merge-driver",
        By(as_it_is, &["--install"]),
        By(
            |project| {
                for (name, text) in [("base", "a\n"), ("ours", "b\n"), ("theirs", "c\n")] {
                    project.write(name, text);
                }
            },
            &["base", "ours", "theirs", "notes.txt"],
        ),
        By(no_git, &["--install"]),
    ),
    (
        "prune",
        By(as_it_is, &[]),
        By(uncommitted, &[]),
        By(no_workspace, &[]),
    ),
    (
        "pin",
        By(as_it_is, &["--update"]),
        By(tampered, &["--from", "."]),
        By(no_lock, &["--update"]),
    ),
    (
        "vendor",
        By(as_it_is, &["--check"]),
        By(vendored_otherwise, &["--check"]),
        By(no_lock, &[]),
    ),
    (
        "plan",
        By(as_it_is, &[]),
        By(tampered, &["--from", "."]),
        By(no_lock, &[]),
    ),
    (
        "cluster-status",
        Never("asks an API server; the tests of `cluster` have one"),
        Never("asks an API server; the tests of `cluster` have one"),
        By(no_lock, &[]),
    ),
    (
        "cluster-install",
        Never("asks an API server; the tests of `cluster` have one"),
        Never("asks an API server; the tests of `cluster` have one"),
        By(no_lock, &[]),
    ),
    (
        "cluster-migrate",
        Never("asks an API server; the tests of `cluster` have one"),
        Never("asks an API server; the tests of `cluster` have one"),
        By(no_lock, &[]),
    ),
    (
        "cluster-verify",
        Never("asks an API server; the tests of `cluster` have one"),
        Never("asks an API server; the tests of `cluster` have one"),
        By(no_lock, &[]),
    ),
    (
        "envtest",
        Never("starts an API server; the tests of `envtest` do"),
        Never("starts an API server; the tests of `envtest` do"),
        Never("depends on the machine"),
    ),
    (
        "completions",
        By(as_it_is, &["bash"]),
        Never("looks at nothing"),
        By(as_it_is, &["csh"]),
    ),
    (
        "man",
        By(as_it_is, &["check"]),
        Never("looks at nothing"),
        By(file_in_the_way, &["--output", "pages"]),
    ),
];

#[test]
fn every_command_ends_as_the_readme_says() {
    let template = project();
    let (half, other) = ENDS.split_at(ENDS.len() / 2);
    let wrong = std::thread::scope(|scope| {
        let other = scope.spawn(|| wrong_ends(&template, other));
        [wrong_ends(&template, half), other.join().unwrap()].concat()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Runs commands so that they end with each code, and returns those that end with another one.
fn wrong_ends(template: &Workspace, ends_of: &[Ends]) -> Vec<String> {
    let mut wrong = Vec::new();
    for (name, success, findings, obstacle) in ends_of {
        for (code, way) in [(0, success), (1, findings), (2, obstacle)] {
            let (change, arguments) = match way {
                By(change, arguments) => (change, arguments),
                Never(why) => {
                    println!("`{name}` is not made to end with {code}: it {why}");
                    continue;
                }
            };
            let project = copy(template);
            change(&project);
            let ran = project.run(&[&[*name], *arguments].concat());
            if ran.code != Some(code) {
                let (found, output) = (ran.code, ran.stdout + &ran.stderr);
                wrong.push(format!(
                    "{name} {arguments:?}: {found:?}, not {code}\n{output}"
                ));
            }
        }
        ends(template, &[name, "--unknown-option"], 2);
    }
    wrong
}

#[test]
fn every_command_has_exit_codes() {
    let program = cli::command(Program::Plain);
    let commands = program.get_subcommands().map(Command::get_name);
    for name in commands.filter(|name| *name != "help") {
        assert!(ENDS.iter().any(|(known, ..)| *known == name), "{name}");
    }
}
