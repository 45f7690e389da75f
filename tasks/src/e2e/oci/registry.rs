//! Real registries on loopback, and the programs that call Flux's and Argo CD's libraries. They are built from `go/`.

use crd_channels_envtest::{Failure, binaries, go, io};
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The folder of their source.
const SOURCE: &str = "tasks/src/e2e/oci/go";

/// The folder of the built programs.
#[derive(Debug)]
pub struct Programs(PathBuf);

impl Programs {
    /// Builds them into the cache, where Go finds its earlier builds. `None` if there is no Go or no cache, or in a workspace
    /// without their source.
    ///
    /// # Errors
    /// Go failed.
    pub fn build(root: &Path) -> Result<Option<Self>, Failure> {
        let source = root.join(SOURCE);
        let Some(cache) = binaries::cache().ok().filter(|_| source.is_dir()) else {
            return Ok(None);
        };
        if !go::is_there() {
            return Ok(None);
        }
        let bin = cache.join("oci");
        if !bin.is_dir() {
            eprintln!(
                "note: building registries and programs that call Flux and Argo CD into `{}`; about 3 minutes on 2 cores the first time",
                bin.display()
            );
        }
        go::build_all("oci", &source, &bin)?;
        Ok(Some(Self(bin)))
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

/// The user of a registry that needs one: the name and the password, also as `docker login` writes them.
const USER: [&str; 2] = ["user", "secret"];
const ENCODED: &str = "dXNlcjpzZWNyZXQ=";

/// A registry, until dropped.
pub(super) struct Registry {
    child: Child,
    /// The host with its port.
    pub host: String,
}

impl Registry {
    /// Starts one with a folder for its files. With a user it has TLS as well, by the authority in `ca.pem` there; the
    /// credentials are written into the folder `home`.
    pub fn start(
        programs: &Programs,
        kind: &str,
        folder: &Path,
        home: Option<&Path>,
    ) -> Result<Self, Failure> {
        let failed = |error| Failure::new(format!("a registry could not be started: {error}"));
        fs::create_dir_all(folder).map_err(|error| io("written", folder, &error))?;
        let mut child = Command::new(programs.path("registry"))
            .args([kind.as_ref(), folder.as_os_str()])
            .args(home.iter().flat_map(|_| USER))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(failed)?;
        let mut host = String::new();
        if let Some(stdout) = child.stdout.take() {
            BufReader::new(stdout)
                .read_line(&mut host)
                .map_err(failed)?;
        }
        let this = Self {
            child,
            host: host.trim().to_owned(),
        };
        if let Some(home) = home {
            let folder = home.join(".docker");
            let text = format!(
                "{{\"auths\": {{\"{}\": {{\"auth\": \"{ENCODED}\"}}}}}}",
                this.host
            );
            let written = fs::create_dir_all(&folder)
                .and_then(|()| fs::write(folder.join("config.json"), text));
            written.map_err(|error| io("written", &folder, &error))?;
        }
        Ok(this)
    }
}

impl Drop for Registry {
    fn drop(&mut self) {
        // It ends by itself when its input does.
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}
