//! A test server that fails to start leaves nothing behind.

#![cfg(unix)]

use crate::support::{Ran, Workspace, run};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A kubectl that only prints its version.
const KUBECTL: &str = r#"echo '{"clientVersion": {"minor": "36"}}'"#;

/// An etcd that creates its key and runs, with its process id in `$PIDS`.
const ETCD: &str = "mkdir -p data/fixtures/peer\n: > data/fixtures/peer/key.pem\necho $$ > \"$PIDS/etcd\"\nexec sleep 30";

/// Writes a script in place of a program.
fn program(workspace: &Workspace, path: &str, script: &str) {
    workspace.write(path, format!("#!/bin/sh\n{script}\n"));
    let executable = fs::Permissions::from_mode(0o755);
    fs::set_permissions(workspace.path(path), executable).unwrap();
}

/// Runs `envtest` with these programs, and with `tmp` for temporary files.
fn envtest(workspace: &Workspace, programs: [(&str, &str); 3]) -> Ran {
    for (name, script) in programs {
        program(workspace, &format!("programs/{name}"), script);
    }
    fs::create_dir_all(workspace.path("pids")).unwrap();
    run(workspace
        .command(&["envtest"])
        .env("KUBEBUILDER_ASSETS", workspace.path("programs"))
        .env("PIDS", workspace.path("pids"))
        .env("TMPDIR", workspace.path("tmp")))
}

/// Waits for an effect of another process.
fn wait_for(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Returns the names in a folder.
fn names(workspace: &Workspace, folder: &str) -> Vec<String> {
    let entries = fs::read_dir(workspace.path(folder)).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.collect()
}

#[test]
fn a_program_that_ends_early_leaves_nothing_behind() {
    for (programs, expected) in [
        (
            [
                ("etcd", "echo no; exit 1"),
                ("kube-apiserver", ""),
                ("kubectl", KUBECTL),
            ],
            "etcd ended early",
        ),
        (
            [
                ("etcd", ETCD),
                ("kube-apiserver", "echo no; exit 1"),
                ("kubectl", KUBECTL),
            ],
            "kube-apiserver ended early",
        ),
    ] {
        let workspace = Workspace::new("");
        fs::create_dir_all(workspace.path("tmp")).unwrap();
        let ran = envtest(&workspace, programs).with_code(2);
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
        assert_eq!(names(&workspace, "tmp"), [""; 0], "{expected}");
        if let Ok(pid) = fs::read_to_string(workspace.path("pids/etcd")) {
            let mut alive = Command::new("kill");
            let alive = alive.args(["-0", pid.trim()]).stderr(Stdio::null());
            assert!(!alive.status().unwrap().success(), "etcd is there");
        }
    }
}

#[test]
fn a_folder_for_temporary_files_that_is_not_there_is_not_made() {
    let workspace = Workspace::new("");
    let programs = [("etcd", ""), ("kube-apiserver", ""), ("kubectl", KUBECTL)];
    let ran = envtest(&workspace, programs).with_code(2);
    assert!(ran.stderr.contains("cannot be written"), "{}", ran.stderr);
    assert!(!workspace.path("tmp").exists());
}

#[test]
fn a_build_that_is_killed_leaves_nothing_behind() {
    let workspace = Workspace::new("");
    let go = r#"case $1 in
mod) echo "module m" > "$PIDS/go.mod"; echo "{\"GoMod\": \"$PIDS/go.mod\"}";;
build) echo $$ > "$PIDS/go"; exec sleep 30;;
esac"#;
    program(&workspace, "programs/go", go);
    fs::create_dir_all(workspace.path("pids")).unwrap();
    let path = format!("{}:/usr/bin:/bin", workspace.path("programs").display());
    let mut envtest = workspace
        .command(&["envtest"])
        .env("PATH", path)
        .env("PIDS", workspace.path("pids"))
        .env_remove("KUBEBUILDER_ASSETS")
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_for("go builds", || workspace.path("pids/go").exists());
    let cache = workspace.cache().join("crd-channels");
    let builds = || {
        let below = fs::read_dir(&cache)
            .unwrap()
            .map(|entry| entry.unwrap().path());
        let all = below.flat_map(|folder| fs::read_dir(folder).unwrap());
        let names = all.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.starts_with("build-")).count()
    };
    assert_eq!(builds(), 1);
    envtest.kill().unwrap();
    envtest.wait().unwrap();
    wait_for("the folder of the build is gone", || builds() == 0);
    let pid = fs::read_to_string(workspace.path("pids/go")).unwrap();
    let mut stop = Command::new("kill");
    stop.arg(pid.trim()).status().unwrap();
}

/// The second of two runs waits for the first, and uses what it built.
#[test]
fn two_runs_build_each_program_once() {
    let workspace = Workspace::new("");
    let go = r#"case $1 in
mod) echo "module m" > "$PIDS/go.mod"; echo "{\"GoMod\": \"$PIDS/go.mod\"}";;
build) while [ "$1" != -o ]; do shift; done
echo "${2##*/}" >> "$PIDS/builds"; sleep 2
printf '#!/bin/sh\necho "{\\"clientVersion\\": {\\"minor\\": \\"36\\"}}"\n' > "$2"; chmod +x "$2";;
esac"#;
    program(&workspace, "programs/go", go);
    fs::create_dir_all(workspace.path("pids")).unwrap();
    let path = format!("{}:/usr/bin:/bin", workspace.path("programs").display());
    let start = || {
        workspace
            .command(&["envtest", "--binaries"])
            .env("PATH", &path)
            .env("PIDS", workspace.path("pids"))
            .env_remove("KUBEBUILDER_ASSETS")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let runs = [start(), start()];
    let outputs = runs.map(|run| run.wait_with_output().unwrap());
    let told: Vec<_> = outputs
        .iter()
        .map(|output| String::from_utf8_lossy(&output.stderr))
        .collect();
    assert!(
        outputs.iter().all(|output| output.status.success()),
        "{told:?}"
    );
    assert_eq!(outputs[0].stdout, outputs[1].stdout);
    let builds = fs::read_to_string(workspace.path("pids/builds")).unwrap();
    // There may be a kubectl already.
    let builds: Vec<&str> = builds.lines().filter(|name| *name != "kubectl").collect();
    assert_eq!(builds, ["etcd", "kube-apiserver"], "{told:?}");
    let waited = "note: waiting for another process that builds etcd v3.6.16\n";
    assert_eq!(
        told.iter().filter(|told| told.contains(waited)).count(),
        1,
        "{told:?}"
    );
}
