//! `gen-crds` runs in the process that cargo built first; every other command is passed unchanged to the whole program.

#![allow(clippy::unwrap_used, reason = "tests")]

#[cfg(unix)]
use std::path::{Path, PathBuf};
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
        "#!/bin/sh\n[ \"$1\" = run ] || exec '{}' \"$@\"\n[ ! -d versions ] || echo \"beside versions\"\nprintf '%s\\n' \"$@\"\ncat\nexit 7\n",
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

/// Only the whole program can compare versions, so it is needed where two of them differ without a conversion.
#[cfg(unix)]
#[test]
fn versions_that_differ_are_left_to_the_whole_program() {
    let cargo = recorder("cargo-of-versions");
    let project = Path::new(env!("CARGO_TARGET_TMPDIR")).join("versions");
    std::fs::create_dir_all(project.join("src")).unwrap();
    std::fs::create_dir_all(project.join("channels")).unwrap();
    let write = |path: &str, text: &str| std::fs::write(project.join(path), text).unwrap();
    let root = env!("CARGO_MANIFEST_DIR");
    write(
        "Cargo.toml",
        &format!(
            "[package]\nname = \"versions\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n{}",
            ["kube", "schemars", "serde"]
                .map(|name| format!("{name} = \"*\"\n"))
                .concat()
        ),
    );
    std::fs::copy(format!("{root}/../Cargo.lock"), project.join("Cargo.lock")).unwrap();
    write("channels/stable.toml", "");
    write("channels/bundle.toml", "pending = [\"versions::other\"]\n");
    let kind = |version: &str, more: &str, fields: &str| {
        format!(
            "/// A version.\n#[derive(Clone, Debug, kube::CustomResource, schemars::JsonSchema, serde::Deserialize, serde::Serialize)]\n\
             #[kube(group = \"example.com\", version = \"{version}\", kind = \"Route\"{more})]\n\
             pub struct {}Spec {{\n    /// Of {version}.\n    pub host: String,\n{fields}}}\n\n",
            version.to_uppercase()
        )
    };
    for (fields, is_whole) in [("", false), ("    pub port: Option<i32>,\n", true)] {
        let one = kind("v1", "", "");
        let pending = kind("v3", "", "").replace("Route", "Other");
        write(
            "src/lib.rs",
            &format!(
                "{one}{}pub mod other {{\n{pending}}}\n",
                kind("v2", ", storage = false", fields)
            ),
        );
        for more in [&[][..], &["--check"]] {
            let output = xtask(&["-C", "versions", "gen-crds"])
                .args(more)
                .current_dir(project.parent().unwrap())
                .env("CARGO", &cargo)
                .output()
                .unwrap();
            let (stdout, stderr) = texts(&output);
            let expected = if is_whole { 7 } else { 0 };
            assert_eq!(output.status.code(), Some(expected), "{stdout}{stderr}");
            // What the whole program says is not said twice, and it finds the same folder.
            assert!(!is_whole || stderr.is_empty(), "{stderr}");
            assert_eq!(
                stdout.starts_with("beside versions\n"),
                is_whole,
                "{stdout}"
            );
        }
    }
}

#[cfg(unix)]
#[test]
fn every_other_command_gets_to_the_whole_program_as_it_was_typed() {
    use std::io::Write;
    use std::process::Stdio;
    let cargo = recorder("cargo-of-others");
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
