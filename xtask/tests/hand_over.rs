//! `gen-crds` runs in the process that cargo built first; every other command is passed unchanged to the whole program.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::path::Path;
#[cfg(unix)]
use std::path::PathBuf;
use std::process::{Command, Output};

/// The program of the alias in a folder of the repository, with a missing cargo unless a test sets another.
fn xtask(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("CARGO", "no-such-cargo");
    command
}

fn texts(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&output.stdout), text(&output.stderr))
}

#[test]
fn the_help_of_gen_crds_names_the_alias_and_has_examples() {
    let output = xtask(&["gen-crds", "--help"]).output().unwrap();
    let (stdout, _) = texts(&output);
    assert_eq!(output.status.code(), Some(0));
    assert!(
        stdout.contains("Usage: cargo xtask gen-crds [OPTIONS]"),
        "{stdout}"
    );
    assert!(
        stdout.contains("\n  cargo xtask gen-crds --check"),
        "{stdout}"
    );
}

#[test]
fn a_wrong_argument_of_gen_crds_ends_with_2() {
    let output = xtask(&["gen-crds", "--chek"]).output().unwrap();
    let (_, stderr) = texts(&output);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr.contains("unexpected argument '--chek'"), "{stderr}");
}

/// A cargo whose `run` prints its arguments and its input and exits with 7.
#[cfg(unix)]
fn recorder(name: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let text = format!(
        "#!/bin/sh\n[ \"$1\" = run ] || exec '{}' \"$@\"\nprintf '%s\\n' \"$@\"\ncat\nexit 7\n",
        env!("CARGO")
    );
    std::fs::write(&path, text).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

#[cfg(unix)]
#[test]
fn gen_crds_needs_no_other_program() {
    let cargo = recorder("cargo-of-gen-crds");
    for args in [
        &["gen-crds", "--check"][..],
        &["-q", "--color", "never", "-C", "..", "crd", "--check"],
        &["generate", "--check", "-v"],
    ] {
        let output = xtask(args).env("CARGO", &cargo).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}: {output:?}");
    }
}

#[cfg(unix)]
#[test]
fn every_other_command_gets_to_the_whole_program_as_it_was_typed() {
    use std::io::Write;
    use std::process::Stdio;
    let cargo = recorder("cargo-of-others");
    let without_bundles = Path::new(env!("CARGO_TARGET_TMPDIR")).join("without-bundles");
    std::fs::create_dir_all(&without_bundles).unwrap();
    std::fs::write(without_bundles.join("Cargo.toml"), "[workspace]\n").unwrap();
    for args in [
        &[][..],
        &["--help"],
        &["-h"],
        &["--version"],
        &["help", "gen-crds"],
        &["-C", "no such folder", "check", "-"],
        &["-q", "e2e"],
        &["no-such-command"],
        &["--no-such-option", "gen-crds"],
        &["prove", "--", "--offline"],
        // Only the whole program can compare the kinds of a first bundle.
        &["-C", without_bundles.to_str().unwrap(), "gen-crds"],
    ] {
        let mut child = xtask(args)
            .env("CARGO", &cargo)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(b"input\n").unwrap();
        let output = child.wait_with_output().unwrap();
        let (stdout, stderr) = texts(&output);
        assert_eq!(output.status.code(), Some(7), "{args:?}: {stderr}");
        let lines: Vec<&str> = stdout.lines().collect();
        assert_eq!(lines[..2], ["run", "--manifest-path"], "{args:?}");
        let manifest = Path::new(lines[2]);
        assert!(manifest.ends_with("tasks/Cargo.toml") && manifest.is_file());
        assert_eq!(lines[3], "--", "{args:?}");
        assert_eq!(lines[4..lines.len() - 1], *args);
        assert_eq!(lines.last(), Some(&"input"), "{args:?}");
    }
}

#[test]
fn a_cargo_that_cannot_be_started_is_an_error() {
    let output = xtask(&["diff"]).output().unwrap();
    let (_, stderr) = texts(&output);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr.starts_with("error: cannot start `no-such-cargo`: "),
        "{stderr}"
    );
}
