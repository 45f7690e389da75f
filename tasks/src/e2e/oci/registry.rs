//! Real registries on loopback.

use super::Programs;
use crd_channels_envtest::{Failure, io};
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

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
