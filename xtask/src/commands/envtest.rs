//! `envtest`: a real API server for as long as it is wanted.

use super::Outcome;
use crate::cluster::Failure;
use crate::cluster::binaries::{self, Binaries};
use crate::cluster::server::Server;

/// What was asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Request {
    /// Only say where the programs are.
    pub binaries: bool,
}

/// Runs the command.
#[must_use]
pub fn run(request: Request) -> Outcome {
    let Err(failure) = serve(request) else {
        return Outcome::Clean;
    };
    eprintln!("{failure}");
    Outcome::CouldNotRun
}

fn serve(request: Request) -> Result<(), Failure> {
    let binaries = binaries::find()?;
    if request.binaries {
        print_binaries(&binaries);
        return Ok(());
    }
    let server = Server::start(&binaries)?;
    println!("export KUBECONFIG='{}'", server.kubeconfig.display());
    eprintln!("note: the server runs until Ctrl-C");
    Err(server.wait())
}

/// Lines that a shell can evaluate.
fn print_binaries(binaries: &Binaries) {
    println!("KUBE_APISERVER='{}'", binaries.kube_apiserver.display());
    println!("ETCD='{}'", binaries.etcd.display());
    println!("KUBECTL='{}'", binaries.kubectl.display());
}
