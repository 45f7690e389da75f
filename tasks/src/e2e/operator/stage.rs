//! The operator as a cluster runs it: with the account of its `deploy.yaml`, behind its service, in several replicas.

use super::balancer::Balancer;
use crate::examples::Operator;
use crd_channels_envtest::keeper::Keeper;
use crd_channels_envtest::server::Server;
use crd_channels_envtest::{Failure, io};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The namespace of the operator.
pub const SYSTEM: &str = "edge-system";

/// How many seconds a certificate is valid. The next one is served after two thirds of that.
const LIFETIME: &str = "75";

/// The service is this process: <https://kubernetes.io/docs/concepts/services-networking/service/#externalname>
pub struct Stage<'s> {
    /// The API server.
    pub server: &'s Server,
    /// What answers for the service.
    pub balancer: Balancer,
    programs: &'s Operator,
    kubeconfig: PathBuf,
}

/// A running replica.
#[derive(Debug)]
pub struct Replica {
    /// Its process.
    pub keeper: Keeper,
    /// Where it serves conversion.
    pub port: u16,
    process: String,
}

/// Which release of the operator.
#[derive(Clone, Copy, Debug)]
pub enum Release {
    /// The one before.
    Former,
    /// The one of the working tree.
    Newer,
}

impl<'s> Stage<'s> {
    /// Applies `deploy.yaml`, which no controllers act on here.
    pub fn set(server: &'s Server, programs: &'s Operator) -> Result<Self, Failure> {
        let file = programs.folder.join("deploy.yaml").display().to_string();
        kubectl(server, &["apply", "--server-side", "--filename", &file])?;
        let balancer = Balancer::start()?;
        let name = balancer.address.to_string();
        let service =
            json!({ "spec": { "type": "ExternalName", "externalName": name, "selector": null } });
        let patch = format!("--patch={service}");
        kubectl(
            server,
            &[
                "patch",
                "service",
                "edge-webhook",
                "--namespace",
                SYSTEM,
                &patch,
            ],
        )?;
        let token = kubectl(
            server,
            &["create", "token", "edge-operator", "--namespace", SYSTEM],
        )?;
        let own = &server.kubeconfig;
        let text = std::fs::read_to_string(own).map_err(|error| io("read", own, &error))?;
        let mut config: Value = serde_json::from_str(&text).unwrap_or_default();
        config["users"][0]["user"]["token"] = json!(token.trim());
        let kubeconfig = server.scratch("operator-account")?.join("kubeconfig");
        let written = std::fs::write(&kubeconfig, config.to_string());
        written.map_err(|error| io("written", &kubeconfig, &error))?;
        Ok(Self {
            server,
            balancer,
            programs,
            kubeconfig,
        })
    }

    /// Starts a replica, with more settings in its environment, and waits until it serves conversion.
    pub fn start(
        &self,
        name: &'static str,
        release: Release,
        settings: &[&str],
    ) -> Result<Replica, Failure> {
        let program = match release {
            Release::Former => &self.programs.former,
            Release::Newer => &self.programs.newer,
        };
        let kubeconfig = format!("KUBECONFIG={}", self.kubeconfig.display());
        let lifetime = format!("CERTIFICATE_SECONDS={LIFETIME}");
        let script = ["-c", "echo process $$; exec env \"$@\"", "sh"];
        let environment = [&*kubeconfig, &lifetime, "LISTEN=127.0.0.1:0"];
        let program = program.display().to_string();
        let arguments = [&script, &environment, settings, &[&*program]].concat();
        let keeper = self
            .server
            .start_beside(name, Path::new("sh"), &arguments)?;
        let (mut port, mut process) = (None, None);
        keeper.wait_for(|| {
            let log = keeper.log().unwrap_or_default();
            process = after(&log, "process ").map(str::to_owned);
            let address = after(&log, "conversion is served on ");
            port = address.and_then(|address| address.rsplit_once(':')?.1.parse().ok());
            port.is_some()
        })?;
        Ok(Replica {
            keeper,
            port: port.unwrap_or_default(),
            process: process.unwrap_or_default(),
        })
    }
}

impl Replica {
    /// Waits until the replica has logged a text.
    pub fn has_said(&self, text: &str) -> Result<(), Failure> {
        self.has_said_again(text, 0)
    }

    /// The same for a text that it has logged some times before.
    pub fn has_said_again(&self, text: &str, before: usize) -> Result<(), Failure> {
        self.keeper.wait_for(|| self.times(text) > before)
    }

    /// How often it has logged a text.
    pub fn times(&self, text: &str) -> usize {
        self.keeper.log().unwrap_or_default().matches(text).count()
    }

    /// Sends a signal, such as `-TERM`, to the replica alone, and waits until it has ended.
    pub fn end(self, signal: &str) -> Result<(), Failure> {
        let sent = Command::new("kill").args([signal, &self.process]).status();
        sent.map_err(|error| Failure::new(format!("`kill` could not be started: {error}")))?;
        super::super::install::poll(|| Ok(self.keeper.has_ended().then_some(())))
    }
}

/// What follows words in a line that is complete.
fn after<'l>(log: &'l str, words: &str) -> Option<&'l str> {
    let (_, rest) = log.split_once(words)?;
    Some(rest.split_once('\n')?.0)
}

fn kubectl(server: &Server, arguments: &[&str]) -> Result<String, Failure> {
    let output = server.kubectl(arguments)?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => {
            let said = String::from_utf8_lossy(&output.stderr);
            Err(Failure::new(format!(
                "kubectl {}: {said}",
                arguments.join(" ")
            )))
        }
    }
}
