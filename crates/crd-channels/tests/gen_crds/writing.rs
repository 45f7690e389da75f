//! Which files are written, and when nothing is written.

use super::{EXPERIMENTAL, FILES, ROUTE, STABLE, findings, names, places, times};
use crate::killed::Killed;
use crate::support::{Workspace, run};
use crd_channels_files::Plan;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

#[test]
fn the_first_run_writes_and_the_second_touches_nothing() {
    let workspace = Workspace::new(ROUTE);
    let first = workspace.generate();
    assert_eq!(names(&workspace.generated()), FILES);
    for name in FILES {
        assert!(
            first
                .stdout
                .contains(&format!("created generated/{name}\n"))
        );
    }
    assert!(!workspace.read(STABLE).contains("timeout"));
    assert!(workspace.read(EXPERIMENTAL).contains("timeout"));
    let before = times(&workspace);
    let second = workspace.generate();
    assert_eq!(
        second.stdout,
        "0 files written, 4 unchanged; 0 of 1 kind read\n"
    );
    assert_eq!(second.stderr, "");
    assert_eq!(times(&workspace), before);
}

#[test]
fn an_edit_changes_only_what_it_concerns() {
    let workspace = Workspace::new(ROUTE);
    workspace.generate();
    let before = times(&workspace);
    workspace.edit(
        "src/route.rs",
        "How long a client waits.",
        "How long it takes.",
    );
    let ran = workspace.generate();
    assert_eq!(
        ran.stdout,
        format!("changed {EXPERIMENTAL}\n1 file written, 3 unchanged; 1 of 1 kind read\n")
    );
    let after = times(&workspace);
    let changed: Vec<_> = FILES
        .iter()
        .filter(|name| before[**name] != after[**name])
        .collect();
    assert_eq!(changed, [&"experimental/example.com_routes.yaml"]);
}

#[test]
fn check_tells_stale_missing_and_orphaned_files() {
    let workspace = Workspace::new(ROUTE);
    workspace.generate();
    let clean = workspace.run(&["gen-crds", "--check"]).with_code(0);
    assert_eq!((clean.stdout, clean.stderr), (String::new(), String::new()));

    workspace.edit(STABLE, "type: string", "type: integer");
    fs::remove_file(workspace.path(EXPERIMENTAL)).unwrap();
    let orphan = workspace.read(STABLE).replace("routes", "ways");
    workspace.write("generated/stable/example.com_ways.yaml", orphan);
    let before = workspace.generated();
    let ran = workspace.run(&["gen-crds", "--check"]).with_code(1);
    for line in [
        format!("stale: {STABLE}"),
        format!("missing: {EXPERIMENTAL}"),
        "orphaned: generated/stable/example.com_ways.yaml".to_owned(),
        "-            type: integer".to_owned(),
    ] {
        let found = ran
            .stdout
            .lines()
            .any(|text| text.trim_end() == line || text.contains(&line));
        assert!(found, "no `{line}` in\n{}", ran.stdout);
    }
    assert_eq!(ran.stderr, "help: run `crd-channels gen-crds`\n");
    assert_eq!(workspace.generated(), before, "`--check` wrote");

    let fixed = workspace.generate();
    assert!(
        fixed
            .stdout
            .contains("removed generated/stable/example.com_ways.yaml\n")
    );
    workspace.run(&["gen-crds", "--check"]).with_code(0);
}

#[test]
fn handwritten_files_are_not_orphans() {
    let workspace = Workspace::new(ROUTE);
    workspace.generate();
    workspace.write("generated/stable/README.md", "mine");
    workspace.write("generated/stable/notes.yaml", "kind: Note\n");
    workspace.write("generated/elsewhere/x.yaml", "kind: Note\n");
    workspace.run(&["gen-crds", "--check"]).with_code(0);
    workspace.generate();
    assert_eq!(
        workspace.read("generated/stable/notes.yaml"),
        "kind: Note\n"
    );
}

#[test]
fn a_diff_shows_everything_and_is_no_finding() {
    let workspace = Workspace::new(ROUTE);
    let ran = workspace.run(&["gen-crds", "--diff"]).with_code(0);
    assert!(workspace.generated().is_empty());
    let added = ran
        .stdout
        .lines()
        .filter(|line| line.starts_with('+'))
        .count();
    assert!(added > 60, "{}", ran.stdout);
    let checked = workspace
        .run(&["gen-crds", "--diff", "--check"])
        .with_code(1);
    assert_eq!(checked.stdout, ran.stdout);
    let short = workspace.run(&["gen-crds", "--check"]).with_code(1);
    assert!(short.stdout.contains(" more lines"), "{}", short.stdout);
}

#[test]
fn another_output_folder() {
    let workspace = Workspace::new(&format!("//- folder some/place\n{ROUTE}"));
    workspace.generate();
    let expected = workspace.generated();
    let elsewhere = Workspace::new("");
    let absolute = elsewhere.path("a/b").to_str().unwrap().to_owned();
    let up = "../out";
    for (from, output, is) in [
        ("", "out/deep", workspace.path("out/deep")),
        ("src", "out", workspace.path("src/out")),
        ("some/place", up, workspace.path("some/out")),
        ("", &absolute, elsewhere.path("a/b")),
        ("", ".", workspace.path("")),
    ] {
        let go = |arguments: &[&str]| {
            let all = [&["gen-crds", "--output", output][..], arguments].concat();
            run(&mut workspace.command_in(from, &all))
        };
        let ran = go(&[]).with_code(0);
        let first = Path::new(output).join(FILES[0]);
        let created = format!("created {}\n", first.display());
        assert!(ran.stdout.starts_with(&created), "{}", ran.stdout);
        for (name, bytes) in &expected {
            assert_eq!(
                &fs::read(is.join(name)).unwrap(),
                bytes,
                "{name} in {output}"
            );
        }
        go(&["--check"]).with_code(0);
        fs::remove_file(is.join(FILES[0])).unwrap();
        go(&["--check"]).with_code(1);
    }
    assert_eq!(workspace.generated(), expected);
}

/// The journal is in the given folder, and the next run for that folder settles it.
#[test]
fn a_killed_run_for_another_output_folder() {
    let workspace = Workspace::new(ROUTE);
    workspace.run(&["gen-crds", "--output", "out"]).with_code(0);
    let expected = workspace.files("out");
    let texts = expected.iter().map(|(path, bytes)| {
        let text = String::from_utf8(bytes.clone()).unwrap();
        (path.clone(), text)
    });
    let root = workspace.path("out");
    let plan = Plan::new(
        "the generated files",
        root.clone(),
        texts.collect(),
        Vec::new(),
    );
    let mut settled = 0;
    for at in 0.. {
        fs::remove_dir_all(&root).unwrap();
        let ended = plan.apply(&Killed::at(at)).is_ok();
        let ran = workspace.run(&["gen-crds", "--output", "out"]).with_code(0);
        settled += usize::from(
            ran.stderr
                .contains("note: an interrupted run was completed"),
        );
        assert_eq!(workspace.files("out"), expected, "{at}");
        if ended {
            break;
        }
    }
    assert!(settled > 3, "{settled}");
}

#[test]
fn a_subfolder_is_as_good_as_the_root() {
    let workspace = Workspace::new(ROUTE);
    run(&mut workspace.command_in("src", &["gen-crds"])).with_code(0);
    assert_eq!(names(&workspace.generated()), FILES);
}

#[test]
fn sizes_are_shown_beside_their_limits() {
    let workspace = Workspace::new(ROUTE);
    let ran = workspace
        .run(&["gen-crds", "--check", "--sizes"])
        .with_code(1);
    assert!(ran.stdout.contains("routes.example.com"), "{}", ran.stdout);
    let alone = workspace.run(&["gen-crds", "--sizes"]).with_code(0);
    assert!(alone.stdout.contains("routes.example.com"), "{alone:?}");
    assert!(workspace.generated().is_empty());
}

#[test]
fn standard_output_is_no_folder() {
    let workspace = Workspace::new(ROUTE);
    let ran = workspace.run(&["gen-crds", "--output", "-"]).with_code(2);
    let expected = "CRDs are written into a folder, not to standard output";
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    assert!(!workspace.path("-").exists());
}

#[test]
fn a_crd_too_large_for_client_side_apply() {
    let workspace = Workspace::new(ROUTE);
    let words = "word ".repeat(60_000);
    workspace.edit("src/route.rs", "The name that clients ask for.", &words);
    let found = findings(&workspace, 0);
    assert_eq!(places(&found), ["size-limit", "size-limit"]);
    assert_eq!(names(&workspace.generated()), FILES);
}

/// Waits until a condition holds.
#[track_caller]
fn wait_for(what: &str, holds: impl Fn() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(30), "no {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn watching_writes_after_every_edit() {
    let workspace = Workspace::new(ROUTE);
    let mut child = workspace
        .command(&["gen-crds", "--watch"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let says = |text: &str| {
        let path = workspace.path(EXPERIMENTAL);
        fs::read_to_string(path).is_ok_and(|whole| whole.contains(text))
    };
    wait_for("first run", || says("How long a client waits."));
    workspace.edit("src/route.rs", "a client waits", "it takes");
    wait_for("second run", || says("How long it takes."));
    // An error is reported, and the next edit fixes it.
    workspace.edit("src/route.rs", "host: String", "host: Strin");
    std::thread::sleep(Duration::from_millis(100));
    assert!(says("How long it takes."));
    workspace.edit("src/route.rs", "host: Strin", "name: String");
    wait_for("run after the error", || says("name:"));
    // Examples are watched as well: an invalid one keeps the next edit from being written.
    let object = "apiVersion: example.com/v1\nkind: Route\nmetadata: {name: a}\nspec: {host: a}\n";
    let example = "channels/examples/route/accept/plain.yaml";
    workspace.write(example, object);
    std::thread::sleep(Duration::from_millis(100));
    workspace.edit("src/route.rs", "it takes", "is waited");
    std::thread::sleep(Duration::from_millis(200));
    assert!(says("How long it takes."));
    workspace.edit(example, "host", "name");
    wait_for("run after the example", || says("How long is waited."));
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn this_repository_is_as_its_types_say() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let mut command = Workspace::new("").command(&["gen-crds", "--check"]);
    // What only other members of the workspace need may not have been fetched.
    command.env_remove("CARGO_NET_OFFLINE");
    let ran = run(command.current_dir(root)).with_code(0);
    assert_eq!(ran.stdout, "");
}
