//! A server whose programs are killed, and start again with the files that they left.

use super::super::install;
use crd_channels_diagnostics::shell;
use crd_channels_envtest::binaries::Binaries;
use crd_channels_envtest::http::Api;
use crd_channels_envtest::server::Server;
use crd_channels_envtest::{Failure, io};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const SCRIPT: &str = include_str!("again.sh");

/// A program of the server, named as its folder.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Program {
    ApiServer,
    Etcd,
}

impl Program {
    fn name(self) -> &'static str {
        match self {
            Self::ApiServer => "kube-apiserver",
            Self::Etcd => "etcd",
        }
    }
}

/// Starts a server whose programs start again.
pub(super) fn start(binaries: &Binaries) -> Result<Server, Failure> {
    let folder = std::env::temp_dir().join(format!("crd-channels-again-{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(|error| io("written", &folder, &error))?;
    let started =
        again(&folder, Program::ApiServer, &binaries.kube_apiserver).and_then(|kube_apiserver| {
            Server::start(&Binaries {
                kube_apiserver,
                etcd: again(&folder, Program::Etcd, &binaries.etcd)?,
                kubectl: binaries.kubectl.clone(),
            })
        });
    // The shells have read their scripts.
    let _ = fs::remove_dir_all(&folder);
    started
}

/// Writes the script that runs a program.
fn again(folder: &Path, program: Program, file: &Path) -> Result<PathBuf, Failure> {
    let script = folder.join(program.name());
    let file = shell::word(&file.display().to_string());
    fs::write(&script, SCRIPT.replace("PROGRAM", &file))
        .map_err(|error| io("written", &script, &error))?;
    run("chmod", &["+x", &script.display().to_string()])?;
    Ok(script)
}

fn run(program: &str, arguments: &[&str]) -> Result<(), Failure> {
    // A program that is killed twice is no longer there.
    let output = Command::new(program).args(arguments).output();
    output
        .map(drop)
        .map_err(|error| Failure::new(format!("`{program}` could not be started: {error}")))
}

/// The folder of a program.
fn folder(server: &Server, program: Program) -> PathBuf {
    let own = server.kubeconfig.parent().unwrap_or(&server.kubeconfig);
    own.with_file_name(program.name())
}

fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|error| io("read", path, &error))
}

/// Kills a program, which starts again after this time.
pub(super) fn kill(server: &Server, program: Program, down: Duration) -> Result<(), Failure> {
    let folder = folder(server, program);
    let file = folder.join("down");
    fs::write(&file, down.as_secs_f64().to_string())
        .map_err(|error| io("written", &file, &error))?;
    let process = read(&folder.join("pid"))?;
    run("kill", &["-KILL", process.trim()])
}

/// Waits until the server answers.
pub(super) fn wait_until_ready(server: &Server) -> Result<(), Failure> {
    install::poll(|| {
        let answer = server.api.get("/readyz")?;
        Ok((answer.status == 200).then_some(()))
    })
}

/// The address of etcd, which answers JSON as well.
pub(super) fn etcd(server: &Server) -> Result<Api, Failure> {
    let arguments = read(&folder(server, Program::Etcd).join("arguments"))?;
    let port = arguments
        .lines()
        .find_map(|it| it.strip_prefix("--listen-client-urls=http://127.0.0.1:"));
    let port = port.and_then(|port| port.parse().ok());
    port.map(|port| Api { port })
        .ok_or_else(|| Failure::new("etcd has no port"))
}
