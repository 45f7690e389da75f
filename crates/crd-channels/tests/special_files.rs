//! Files that only Unix has. Named pipes and sockets are never opened, since that would block forever, and control characters in
//! names never reach a terminal.
#![cfg(unix)]

use crate::support::Workspace;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Far longer than any of the commands takes.
const PATIENCE: Duration = Duration::from_secs(60);

const ROUTE: &str = r#"
//- channels/features.toml
//- channels/tombstones.toml
//- channels/waivers.toml
//- channels/bundle.toml
components = "deploy"
//- deploy/webhook.yaml
apiVersion: v1
kind: Service
metadata: {name: webhook}
//- src/lib.rs
use crd_channels_derive::ApiType;
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where requests go.
#[derive(ApiType, Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Route", namespaced)]
pub struct RouteSpec {
    /// The host.
    #[schemars(length(max = 20))]
    pub host: String,
}
"#;

fn mkfifo(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status().unwrap();
    assert!(made.success(), "{}", path.display());
}

/// Returns the exit code of a command that must terminate.
fn code(workspace: &Workspace, arguments: &[&str], about: &str) -> i32 {
    let mut command = workspace.command(arguments);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let began = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status
                .code()
                .unwrap_or_else(|| panic!("{about}: {arguments:?}"));
        }
        if began.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("{about}: {arguments:?} waits");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn no_command_waits_for_a_pipe_in_channels() {
    let workspace = Workspace::new(ROUTE);
    workspace.generate();
    workspace.run(&["release", "minor"]).with_code(0);
    workspace.run(&["start-next"]).with_code(0);
    let commands: [&[&str]; 10] = [
        &["gen-crds", "--check"],
        &["gen-crds", "--check", "--warnings"],
        &["verify-release"],
        &["release", "patch", "--dry-run"],
        &["diff", "v0.1.0", "."],
        &["diff", "channels/v0.1.0", "generated"],
        &["features"],
        &["prune", "--dry-run"],
        &["check", "channels", "generated"],
        &["pin", "--from", ".", "--dry-run"],
    ];
    for path in [
        "channels/bundle.toml",
        "channels/features.toml",
        "channels/tombstones.toml",
        "channels/waivers.toml",
        "channels/stable.toml",
        "channels/other.toml",
        "channels/recorded.json",
        "channels/CHANGELOG.md",
        "channels/.gitattributes",
        "channels/v0.2.0",
        "channels/v0.1.0/manifest.json",
        "channels/v0.1.0/manifest.json.minisig",
        "channels/v0.1.0/stable/crds/example.com_routes.yaml",
        "channels/v0.1.0/stable/crds/example.com_others.yaml",
        "deploy/webhook.yaml",
        "generated/stable/example.com_routes.yaml",
        "generated/stable/example.com_others.yaml",
    ] {
        let place = workspace.path(path);
        let text = std::fs::read(&place).ok();
        let _ = std::fs::remove_file(&place);
        mkfifo(&place);
        for command in commands {
            code(&workspace, command, path);
        }
        std::fs::remove_file(&place).unwrap();
        if let Some(text) = text {
            workspace.write(path, text);
        }
    }
}

#[test]
fn no_command_waits_for_a_pipe_among_vendored_files() {
    let workspace = Workspace::new(ROUTE);
    workspace.generate();
    workspace.run(&["release", "minor"]).with_code(0);
    let with = ["--with", "components,policies,kustomization"];
    let pin = [&["pin", "--from", ".", "--folder", "crds"][..], &with].concat();
    workspace.run(&pin).with_code(0);
    workspace.run(&["vendor"]).with_code(0);
    let pinned = [
        "crds/example.com_routes.yaml",
        "crds/components/webhook.yaml",
        "crds/policies/safe-upgrades.yaml",
        "crds/kustomization.yaml",
    ];
    for path in pinned {
        let place = workspace.path(path);
        for socket in [false, true] {
            std::fs::remove_file(&place).unwrap();
            let listener = match socket {
                true => Some(std::os::unix::net::UnixListener::bind(&place).unwrap()),
                false => {
                    mkfifo(&place);
                    None
                }
            };
            assert_eq!(code(&workspace, &["vendor", "--check"], path), 1, "{path}");
            // It belongs to somebody else, so it is reported and stays.
            assert_eq!(code(&workspace, &["vendor"], path), 2, "{path}");
            drop(listener);
            std::fs::remove_file(&place).unwrap();
            workspace.run(&["vendor"]).with_code(0);
        }
    }
    for path in ["crds/own.yaml", "crds/below", "crds/policies/own.yaml"] {
        mkfifo(&workspace.path(path));
    }
    assert_eq!(code(&workspace, &["vendor", "--check"], "own"), 0);
    assert_eq!(code(&workspace, &["vendor"], "own"), 0);
    let lock = workspace.path("bundle.lock");
    std::fs::remove_file(&lock).unwrap();
    mkfifo(&lock);
    for command in [
        &["vendor", "--check"][..],
        &["vendor"],
        &["pin", "--update"],
    ] {
        assert_eq!(code(&workspace, command, "bundle.lock"), 2);
    }
}

/// What cannot be written is an error; that its reader is gone is none. Other systems have no `/dev/full`.
#[cfg(target_os = "linux")]
#[test]
fn output_that_is_lost_is_an_error() {
    let workspace = Workspace::new(ROUTE);
    workspace.generate();
    for arguments in [
        &["check", "generated", "--format", "json"][..],
        &["explain", "stale-files"],
        &["features"],
    ] {
        let mut command = workspace.command(arguments);
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
        command.stdout(full.unwrap());
        let ran = crate::support::run(&mut command).with_code(2);
        let expected = "the output cannot be written: No space left on device";
        assert!(ran.stderr.contains(expected), "{arguments:?}: {ran:?}");
        let mut command = workspace.command(arguments);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        assert_eq!(child.wait().unwrap().code(), Some(0), "{arguments:?}");
    }
}

/// Names, descriptions, values and paths are other people's texts, and a terminal would obey the sequences in them.
#[test]
fn no_control_character_reaches_a_terminal() {
    let workspace = Workspace::new("");
    let evil = "\u{1b}[2J\u{1b}]0;t\u{7}\u{9b}31m\r\u{8}";
    let crd: serde_json::Value = serde_json::json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("widgets.example.com{evil}"), "annotations": {evil: evil}},
        "spec": {
            "group": format!("example.com{evil}"),
            "scope": evil,
            "names": {"plural": format!("widgets{evil}"), "kind": evil, "shortNames": [evil]},
            "versions": [{
                "name": evil, "served": true, "storage": true,
                "schema": {"openAPIV3Schema": {"type": "object", "description": evil, "properties": {
                    evil: {"type": evil, "pattern": format!("({evil}"), "default": evil},
                    "a": {"type": "object", "x-kubernetes-validations": [{"rule": format!("self.{evil}"), "message": evil}]},
                }}},
            }],
        },
    });
    let path = format!("crds/{evil}.yaml");
    workspace.write(&path, crd.to_string());
    workspace.write("broken.yaml", format!("a: [b\nc: '{evil}'\n"));
    let missing = format!("{evil}missing.yaml");
    let option = format!("--{evil}");
    for format in ["human", "json", "github", "sarif"] {
        for color in ["never", "always"] {
            for arguments in [
                vec!["check", "--format", format, "crds"],
                vec!["check", "--format", format, &path],
                vec!["check", "--format", format, &missing],
                vec!["check", "--format", format, "broken.yaml"],
                vec!["check", &option],
                vec!["diff", "--format", format, &path, &missing],
                vec!["diff", "--format", format, &path, "broken.yaml"],
                vec!["eval-rule", &path, &missing],
                vec!["explain", &missing],
            ] {
                let arguments: Vec<&str> =
                    ["--color", color].into_iter().chain(arguments).collect();
                let ran = workspace.run(&arguments);
                for text in [&ran.stdout, &ran.stderr] {
                    let mut text = text.clone();
                    if color == "always" {
                        text = without_colors(&text);
                    }
                    let found = text
                        .chars()
                        .find(|c| c.is_control() && !matches!(c, '\n' | '\t'));
                    assert_eq!(found, None, "{arguments:?}: {text:?}");
                }
            }
        }
    }
}

/// A text without the sequences `ESC [ numbers m` that set a colour of our own.
fn without_colors(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let numbers = part.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
        match numbers.strip_prefix('m') {
            Some(behind) => plain.push_str(behind),
            None => plain.push_str(&format!("\u{1b}[{part}")),
        }
    }
    plain
}
