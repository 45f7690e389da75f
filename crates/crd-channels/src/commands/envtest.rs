//! `envtest`: runs a real API server for a command, or until Ctrl-C.

use super::Outcome;
use crd_channels_envtest::Failure;
use crd_channels_envtest::binaries::{self, Binaries};
use crd_channels_envtest::server::Server;
use std::path::Path;

/// The arguments of `envtest`.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Only print the paths of the programs.
    pub binaries: bool,
    /// The command to run while the server is up; empty means to wait for Ctrl-C.
    pub command: Vec<String>,
}

/// Runs the command.
#[must_use]
pub fn run(request: &Request) -> Outcome {
    serve(request).unwrap_or_else(|failure| {
        eprintln!("{failure}");
        Outcome::CouldNotRun
    })
}

fn serve(request: &Request) -> Result<Outcome, Failure> {
    let binaries = binaries::find()?;
    if request.binaries {
        print_binaries(&binaries);
        return Ok(Outcome::Clean);
    }
    let server = Server::start(&binaries)?;
    if let Some((program, arguments)) = request.command.split_first() {
        let status = server.run(program, arguments)?;
        return Ok(if status.success() {
            Outcome::Clean
        } else {
            Outcome::Findings
        });
    }
    println!("export KUBECONFIG={}", quoted(&server.kubeconfig));
    note!("the server runs until Ctrl-C");
    Err(server.wait())
}

/// Prints the paths as lines that a shell can evaluate.
fn print_binaries(binaries: &Binaries) {
    println!("KUBE_APISERVER={}", quoted(&binaries.kube_apiserver));
    println!("ETCD={}", quoted(&binaries.etcd));
    println!("KUBECTL={}", quoted(&binaries.kubectl));
}

/// Quotes a path as one word for a shell.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::quoted;
    use std::path::Path;

    #[test]
    fn paths_are_one_word_of_a_shell() {
        for (path, expected) in [("/tmp/a b", "'/tmp/a b'"), ("/it's", "'/it'\\''s'")] {
            assert_eq!(quoted(Path::new(path)), expected);
        }
    }
}
