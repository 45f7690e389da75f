//! Conventions of other tools: their names for commands, another folder to run in, help with examples, colors, and verbosity.

use crate::support::project::{ROUTE, commit, copy, git, project};
use crate::support::{Ran, Workspace, run};
use clap::Command;
use crd_channels::cli;
use crd_channels::cli::table;
use crd_channels::commands::program::Program;
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use std::process::Command as Process;

#[test]
fn names_of_other_tools_run_the_command() {
    let workspace = Workspace::new(ROUTE);
    for name in ["generate", "crd"] {
        workspace.run(&[name]).with_code(0);
        assert!(!workspace.generated().is_empty(), "{name}");
    }
    for name in ["lint", "validate"] {
        workspace.run(&[name, "generated"]).with_code(0);
    }
    for name in ["breaking", "compare"] {
        let ran = workspace.run(&[name, "generated", "generated"]);
        ran.with_code(0);
    }
    let help = workspace.run(&["--help"]).with_code(0).stdout;
    for name in ["breaking", "lint"] {
        assert!(!help.contains(name), "{name} is not hidden:\n{help}");
    }
}

#[test]
fn a_command_runs_in_the_folder_that_it_is_given() {
    let workspace = Workspace::new(ROUTE);
    let elsewhere = Workspace::new("");
    let folder = workspace.path("");
    let folder = folder.to_str().unwrap();
    elsewhere.run(&["-C", folder, "gen-crds"]).with_code(0);
    assert!(!workspace.generated().is_empty());
    assert!(elsewhere.generated().is_empty());
    let ran = elsewhere.run(&["-C", "absent", "gen-crds"]).with_code(2);
    assert!(
        ran.stderr.starts_with("error: cannot change to `absent`: "),
        "{}",
        ran.stderr
    );
}

/// The advice to run a command can be followed as printed, whatever the program is called.
#[test]
fn commands_are_named_as_the_user_types_them() {
    let workspace = Workspace::new(ROUTE);
    let unconfigured =
        Workspace::new("//- no channels/stable.toml\n//- no channels/experimental.toml\n");
    let project = project();
    workspace.write("crds/route.yaml", "kind: CustomResourceDefinition\n");
    project.write("crds/example.com_routes.yaml", "");
    for (folder, arguments, advice) in [
        (&unconfigured, &["gen-crds"][..], "init"),
        (&unconfigured, &["gen-crds", "--format", "json"], "init"),
        (
            &unconfigured,
            &["gen-crds", "--format", "rustc-json"],
            "init",
        ),
        (&unconfigured, &["gen-crds", "--format", "github"], "init"),
        (&workspace, &["gen-crds", "--check"], "gen-crds"),
        (&workspace, &["vendor"], "pin --from SOURCE"),
        (
            &workspace,
            &["vendor", "--format", "json"],
            "pin --from SOURCE",
        ),
        (&workspace, &["pin", "--update"], "pin --from SOURCE"),
        (&workspace, &["explain", "stale-files"], "gen-crds"),
        (&workspace, &["explain", "unevaluated-default"], "envtest"),
        (&workspace, &["gen-crds", "--cost"], "explain-rule KIND"),
        (&project, &["vendor", "--check"], "vendor"),
    ] {
        for (first, program) in [
            (&[][..], "crd-channels"),
            (&["crd-channels"], "cargo crd-channels"),
        ] {
            let ran = folder.run(&[first, arguments].concat());
            let output = ran.stdout + &ran.stderr;
            let named = format!("`{program} {advice}");
            let others = output.matches("`crd-channels ").count();
            assert!(
                output.contains(&named),
                "{arguments:?}: no {named}\n{output}"
            );
            assert!(first.is_empty() || others == 0, "{arguments:?}\n{output}");
        }
    }
}

fn visible(program: &Command) -> Vec<String> {
    let commands = program.get_subcommands().filter(|it| !it.is_hide_set());
    commands.map(|it| it.get_name().to_owned()).collect()
}

#[test]
fn help_lists_every_command_once_in_a_group() {
    let workspace = Workspace::new("");
    let help = workspace.run(&["--help"]).with_code(0).stdout;
    for name in visible(&cli::command(Program::Plain)) {
        let line = format!("\n  {name} ");
        assert_eq!(help.matches(&line).count(), 1, "{name}\n{help}");
    }
    for text in [
        "\nGenerate and check CRDs:\n  init ",
        "\nOptions:\n",
        "\n  -q, --quiet ",
        "\n`crd-channels COMMAND --help` ",
    ] {
        assert!(help.contains(text), "{text}\n{help}");
    }
    assert!(!help.contains("Tasks of this repository"), "{help}");
}

/// Splits a command line into words, as a shell does.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for character in line.chars() {
        match (character, words.last_mut()) {
            ('\'', _) => quoted = !quoted,
            (' ', _) if !quoted => words.push(String::new()),
            (other, Some(word)) => word.push(other),
            (_, None) => {}
        }
    }
    words
}

#[test]
fn every_example_parses_and_ends_the_help_of_its_command() {
    let program = cli::command(Program::Plain);
    let workspace = Workspace::new("");
    for row in table::commands() {
        let name = row.name();
        assert!(row.examples().count() > 0, "{name} has no example");
        let help = workspace.run(&[&name, "--help"]).with_code(0).stdout;
        for (what, line) in row.examples() {
            let all = ["crd-channels".to_owned()].into_iter().chain(words(line));
            let parsed = program.clone().try_get_matches_from(all);
            let parsed = parsed.unwrap_or_else(|error| panic!("{line}: {error}"));
            assert_eq!(parsed.subcommand_name(), Some(&*name), "{line}");
            let shown = format!("\n  # {what}\n  crd-channels {line}\n");
            assert!(help.contains(&shown), "{line}\n{help}");
        }
    }
}

/// Examples that tests cannot run, each with the reason.
const NOT_RUN: [(&str, &str); 8] = [
    (
        "adopt --tags",
        "is for projects without bundles, as the tests of `crds` have",
    ),
    (
        "import",
        "needs packages of the registry, in place of which the tests of `import` have stubs",
    ),
    (
        "cluster-",
        "asks an API server, as the tests of `cluster` do",
    ),
    (
        "plan --cluster",
        "asks an API server, as the tests of `cluster` do",
    ),
    (
        "keygen",
        "writes beside the project, and asks for a password",
    ),
    ("prove", "compiles the types, as the tests of `prove` do"),
    (
        "envtest",
        "starts an API server, as the tests of `envtest` do",
    ),
    ("pin --from https:", "reads a repository over the network"),
];

/// Prepares the project for an example. Returns the expected exit code.
fn before(line: &str, project: &Workspace) -> i32 {
    match line {
        "init --diff" | "init --yes" => {
            std::fs::remove_dir_all(project.path("channels")).unwrap();
            for file in ["src/lib.rs", "src/old.rs"] {
                project.edit(file, "    #[experimental(feature = \"Timeouts\")]\n", "");
            }
            0
        }
        "start-next" => {
            project.run(&["release", "minor"]).with_code(0);
            commit(project);
            git(project, &["tag", "v0.2.0"]);
            0
        }
        "adopt v0.1.0" | "adopt v0.1.0 --from release-0.1" => {
            std::fs::remove_dir_all(project.path("channels/v0.1.0")).unwrap();
            commit(project);
            0
        }
        "explain-warning Route v1beta1" => {
            project.run(&["deprecate", "Route", "v1beta1"]).with_code(0);
            0
        }
        "reference --out docs/reference --format markdown --check" => {
            let written = [
                "reference",
                "--out",
                "docs/reference",
                "--format",
                "markdown",
            ];
            project.run(&written).with_code(0);
            0
        }
        _ => 0,
    }
}

#[test]
fn examples_run() {
    let examples = table::commands().flat_map(|row| row.examples());
    let mut idle: Vec<&str> = NOT_RUN.iter().map(|(line, _)| *line).collect();
    let mut lines = Vec::new();
    for (_, line) in examples {
        match NOT_RUN.iter().find(|it| line.starts_with(it.0)) {
            Some((begin, reason)) => {
                println!("`{line}` is not run: it {reason}");
                idle.retain(|it| it != begin);
            }
            None => lines.push(line),
        }
    }
    let template = project();
    lines.par_iter().for_each(|line| {
        let project = copy(&template);
        let code = before(line, &project);
        let words = words(line);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let ran = project.run(&words);
        assert_eq!(
            ran.code,
            Some(code),
            "{line}\n{}\n{}",
            ran.stdout,
            ran.stderr
        );
    });
    assert!(idle.is_empty(), "no example begins with {idle:?}");
}

/// Returns a workspace with a warning in its configuration.
fn warned() -> Workspace {
    let workspace = Workspace::new(ROUTE);
    let declared = workspace.read("channels/features.toml");
    workspace.write(
        "channels/features.toml",
        format!("{declared}[Unused]\nsummary = \"nothing\"\n"),
    );
    workspace
}

fn colored(ran: &Ran) -> bool {
    ran.stdout.contains('\u{1b}') || ran.stderr.contains('\u{1b}')
}

#[test]
fn colours_are_those_that_were_asked_for() {
    let workspace = warned();
    let check = |arguments: &[&str], environment: &[(&str, &str)], expected: bool| {
        let mut command = workspace.command(arguments);
        command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
        let ran = run(command.envs(environment.iter().copied())).with_code(0);
        assert_eq!(colored(&ran), expected, "{arguments:?} {environment:?}");
    };
    check(&["gen-crds"], &[], false);
    check(&["gen-crds"], &[("CLICOLOR_FORCE", "1")], true);
    check(
        &["gen-crds", "--color", "always"],
        &[("NO_COLOR", "1")],
        true,
    );
    check(&["--color", "always", "gen-crds"], &[], true);
    check(
        &["gen-crds", "--color", "never"],
        &[("CLICOLOR_FORCE", "1")],
        false,
    );
    check(&["gen-crds", "--color", "auto"], &[], false);
    // Output for programs has no color.
    for format in ["json", "github", "sarif", "rustc-json"] {
        let arguments = ["gen-crds", "--color", "always", "--format", format];
        check(&arguments, &[], false);
    }
    workspace
        .run(&["gen-crds", "--color", "sometimes"])
        .with_code(2);
}

#[test]
fn quiet_runs_print_errors_and_results() {
    let workspace = warned();
    let silent = |arguments: &[&str]| {
        let ran = workspace
            .run(&[arguments, &["--quiet"]].concat())
            .with_code(0);
        assert_eq!((&*ran.stdout, &*ran.stderr), ("", ""), "{arguments:?}");
    };
    silent(&["gen-crds"]);
    silent(&["check", "generated"]);
    let unused = "[Unused]\nsummary = \"nothing\"\n";
    workspace.edit("channels/features.toml", unused, "");
    let shown = workspace.run(&["release", "minor", "--dry-run", "-q"]);
    let shown = shown.with_code(0);
    for line in [
        "bundle v0.1.0 could be released; nothing was written\n",
        "would create channels/v0.1.0/manifest.json",
    ] {
        assert!(shown.stdout.contains(line), "{shown:?}");
    }
    assert!(!shown.stdout.contains("--verbose"), "{shown:?}");
    assert_eq!(shown.stderr, "");
    silent(&["release", "minor"]);
    silent(&["verify-release"]);
    silent(&["pin", "--from", "."]);
    silent(&["vendor"]);
    let listed = workspace.run(&["features", "-q"]).with_code(0);
    assert!(listed.stdout.contains("Route v1 (stable"), "{listed:?}");
    assert_eq!(listed.stderr, "");
    workspace.edit("src/lib.rs", "host: Option<String>", "host: Nowhere");
    let ran = workspace.run(&["-q", "gen-crds"]).with_code(1);
    assert!(ran.stderr.contains("error["), "{ran:?}");
    assert!(!ran.stderr.contains("warning"), "{ran:?}");
    assert!(
        ran.stderr.ends_with("1 error; nothing was written\n"),
        "{ran:?}"
    );
    workspace.run(&["-q", "-v", "gen-crds"]).with_code(2);
}

#[test]
fn verbose_runs_tell_each_step() {
    let workspace = Workspace::new(ROUTE);
    let steps = |ran: &Ran| -> Vec<String> {
        let lines = ran.stderr.lines();
        let steps = lines.filter_map(|line| line.strip_prefix("verbose: "));
        let steps = steps.map(|line| line.split(" (").next().unwrap_or(line));
        steps.map(str::to_owned).collect()
    };
    let first = steps(&workspace.run(&["gen-crds", "-v"]).with_code(0));
    for step in [
        "ran `cargo metadata`",
        "read the configuration and the manifests of 1 package",
        "no run left a memory that fits this one",
        "read 1 of 1 kind: example.com_routes",
        "`gen-crds` ended",
    ] {
        assert!(first.iter().any(|it| it == step), "{step}: {first:#?}");
    }
    let again = steps(&workspace.run(&["--verbose", "gen-crds"]).with_code(0));
    assert!(
        again.iter().any(|it| it == "read 0 of 1 kind"),
        "{again:#?}"
    );
    workspace.edit("src/lib.rs", "The host.", "The name of the host.");
    let edited = steps(&workspace.run(&["gen-crds", "-v"]).with_code(0));
    for step in [
        "src/lib.rs changed since",
        "read 1 of 1 kind: example.com_routes",
    ] {
        assert!(
            edited.iter().any(|it| it.ends_with(step)),
            "{step}: {edited:#?}"
        );
    }
}

/// Returns every line that has `1` followed by a plural.
fn plurals_of_one(text: &str) -> Vec<&str> {
    let no_plurals = ["is", "was", "has"];
    let of_one = |line: &&str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        words.windows(2).any(|pair| {
            let word = pair[1].trim_end_matches(|last: char| !last.is_alphanumeric());
            pair[0] == "1" && word.ends_with('s') && !no_plurals.contains(&word)
        })
    };
    text.lines().filter(of_one).collect()
}

/// A project with one of everything: a kind, a feature, a bundle, a warning.
#[test]
fn texts_about_one_item_are_singular() {
    assert_eq!(
        plurals_of_one("1 features, 1 is known\n1 file"),
        ["1 features, 1 is known"]
    );
    let workspace = Workspace::new(ROUTE);
    for arguments in [
        &["gen-crds"][..],
        &["gen-crds", "--sizes"],
        &["gen-crds", "--cost"],
        &["features"],
        &["check", "generated/stable"],
        &["release", "minor"],
        &["verify-release"],
        &["start-next"],
        &["gen-crds"],
        &["pin", "--from", "."],
        &["vendor"],
        &["diff", "v0.1.0", "."],
        &["graduate", "Timeouts", "--dry-run"],
        &["remove", "Timeouts", "--dry-run"],
        &["gen-crds", "--verbose"],
        &["gen-crds", "--write-baseline"],
        &["release", "minor", "--dry-run"],
    ] {
        let ran = workspace.run(arguments);
        assert_ne!(ran.code, Some(2), "{arguments:?}: {ran:?}");
        let output = ran.stdout + &ran.stderr;
        assert!(
            plurals_of_one(&output).is_empty(),
            "{arguments:?}\n{output}"
        );
    }
}

#[test]
fn neither_changes_files_or_output_for_programs() {
    let plain = warned();
    let json = plain
        .run(&["gen-crds", "--format", "json"])
        .with_code(0)
        .stdout;
    for option in ["-q", "-v", "--color=always"] {
        let workspace = warned();
        let ran = workspace
            .run(&["gen-crds", "--format", "json", option])
            .with_code(0);
        assert_eq!(ran.stdout, json, "{option}");
        assert_eq!(workspace.generated(), plain.generated(), "{option}");
    }
}

#[test]
fn shells_and_man_know_every_command() {
    let workspace = Workspace::new("");
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = workspace.run(&["completions", shell]).with_code(0).stdout;
        for name in visible(&cli::command(Program::Plain)) {
            assert!(script.contains(&name), "{shell}: {name}");
        }
    }
    // If the shell is installed, it can read the script.
    let script = workspace.run(&["completions", "bash"]).stdout;
    workspace.write("completions.bash", script);
    let mut bash = Process::new("bash");
    let check = "source ./completions.bash && complete -p crd-channels";
    let known = run(bash.args(["-c", check]).current_dir(workspace.folder())).with_code(0);
    assert!(known.stdout.contains("crd-channels"), "{known:?}");
    let page = workspace.run(&["man"]).with_code(0).stdout;
    assert!(page.contains(".TH crd-channels 1"), "{page}");
    let page = workspace.run(&["man", "gen-crds"]).with_code(0).stdout;
    assert!(page.contains("\\-\\-check"), "{page}");
    workspace.run(&["man", "nothing"]).with_code(2);
    workspace.run(&["man", "--output", "man"]).with_code(0);
    let pages = workspace.files("man");
    for name in visible(&cli::command(Program::Plain)) {
        assert!(
            pages.contains_key(&format!("crd-channels-{name}.1")),
            "{name}"
        );
    }
}

/// Pages and messages refer to arguments by these names.
#[test]
fn every_argument_has_a_placeholder() {
    let mut program = cli::command(Program::Plain);
    program.build();
    let mut missing = Vec::new();
    for command in program.get_subcommands() {
        let arguments = command.get_arguments();
        let arguments = arguments.filter(|it| it.get_action().takes_values() && !it.is_hide_set());
        // Without a placeholder, help shows the argument's id.
        let is_upper = |it: &clap::Id| it.as_str().chars().all(|c| !c.is_lowercase());
        let nameless =
            arguments.filter(|it| it.get_value_names().is_none() && !is_upper(it.get_id()));
        missing.extend(nameless.map(|it| format!("{}: {}", command.get_name(), it.get_id())));
    }
    assert!(missing.is_empty(), "{missing:?} lack a `value_name`");
}

#[test]
fn the_words_of_cluster_commands_may_be_apart() {
    let workspace = Workspace::new("");
    for words in ["status", "install", "upgrade", "migrate", "verify"] {
        let ran = workspace.run(&["cluster", words]).with_code(2);
        assert!(
            ran.stderr.contains("lock-missing"),
            "{words}: {}",
            ran.stderr
        );
    }
    workspace.run(&["cluster", "nothing"]).with_code(2);
}

/// kubectl finds plugins, and what completes their words, by the names of files.
#[cfg(unix)]
#[test]
fn a_link_makes_it_a_plugin_of_kubectl() {
    let workspace = Workspace::new("");
    let link = |name: &str| {
        let link = workspace.path(name);
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_crd-channels"), &link).unwrap();
        link
    };
    let plugin = link("kubectl-crd_channels");
    let mut command = Process::new(&plugin);
    let ran = run(command.args(["vendor"]).current_dir(workspace.folder())).with_code(2);
    let advice = "`kubectl crd-channels pin --from SOURCE";
    assert!(ran.stderr.contains(advice), "{}", ran.stderr);
    let completion = link("kubectl_complete-crd_channels");
    for (words, proposed, rest) in [
        (&["val"][..], &["validate"][..], ":4"),
        (&["validate", "--field"], &["--field-validation"], ":4"),
        (
            &["validate", "--field-validation", ""],
            &["strict", "warn", "ignore"],
            ":4",
        ),
        (&["validate", "a"], &[], ":0"),
        (&["nothing", ""], &[], ":4"),
        (&[], &["pin"], ":4"),
    ] {
        let ran = run(Process::new(&completion).args(words)).with_code(0);
        let lines: Vec<&str> = ran.stdout.lines().collect();
        let (last, lines) = lines.split_last().unwrap();
        let names: Vec<&str> = lines
            .iter()
            .map(|it| it.split('\t').next().unwrap())
            .collect();
        assert_eq!(*last, rest, "{words:?}");
        assert!(
            proposed.iter().all(|it| names.contains(it)),
            "{words:?}: {names:?}"
        );
        assert!(words.len() != 1 || names == proposed, "{names:?}");
    }
}
