//! The programs that call the libraries of other tools, and the registries. Only this repository has their source, in `go`.

use crd_channels_envtest::server::Server;
use crd_channels_envtest::{Failure, binaries, go};
use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The folder of their source.
const SOURCE: &str = "tasks/src/e2e/go";

/// The folder of the built programs.
#[derive(Debug)]
pub struct Programs(PathBuf);

/// The result of a program: its output, or its error message.
pub type Said = Result<String, String>;

impl Programs {
    /// Builds them into the cache, where Go finds its earlier builds. `None` if there is no Go or no cache, or in a workspace
    /// without their source. They are one module, and its Kubernetes is that of the server, so that Go compiles that once.
    ///
    /// # Errors
    /// Go failed.
    pub fn build(root: &Path) -> Result<Option<Self>, Failure> {
        let source = root.join(SOURCE);
        if !source.is_dir() || !go::is_there() {
            return Ok(None);
        }
        let Ok(cache) = binaries::cache() else {
            return Ok(None);
        };
        let bin = cache.join("others");
        if !bin.is_dir() {
            eprintln!(
                "note: building registries and programs that call Helm, kustomize, Flux and Argo CD into `{}`; about 3 minutes on 2 cores the first time",
                bin.display()
            );
        }
        go::build_all("others", &source, &bin)?;
        Ok(Some(Self(bin)))
    }

    /// The file of a program.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Runs a program against a server, with an optional input file. Its own state is removed with the server.
    ///
    /// # Errors
    /// The program could not be started.
    pub fn run<A: AsRef<OsStr>>(
        &self,
        name: &str,
        arguments: impl IntoIterator<Item = A>,
        input: Option<&Path>,
        server: &Server,
    ) -> Result<Said, Failure> {
        let failed = |error| Failure::new(format!("`{name}` could not be started: {error}"));
        let input = match input {
            Some(path) => File::open(path).map_err(failed)?.into(),
            None => Stdio::null(),
        };
        let output = Command::new(self.path(name))
            .args(arguments)
            .env("KUBECONFIG", &server.kubeconfig)
            .env("HOME", server.scratch("home")?)
            .stdin(input)
            .output()
            .map_err(failed)?;
        let [printed, complaints] =
            [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
        Ok(if output.status.success() {
            Ok(printed.into_owned())
        } else {
            Err(format!("{printed}{complaints}"))
        })
    }
}
