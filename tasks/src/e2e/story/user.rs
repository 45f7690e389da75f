//! Somebody who installs bundles, and whose tool and servers are killed.

use super::super::way::Folder;
use super::crashes::{self, Program};
use crate::objects::dice::Dice;
use crate::report::Report;
use crd_channels_envtest::Failure;
use crd_channels_envtest::server::Server;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

/// The tool and the server are killed within this time in milliseconds, and a server is gone for less than this.
const MOMENT: usize = 3_000;
const DOWN: usize = 3_000;

/// How often a command is disturbed before it is left alone.
const DISTURBED: usize = 2;

/// The user of a folder.
pub(super) struct User<'s> {
    pub(super) folder: Folder,
    server: &'s Server,
    source: String,
    dice: Dice,
}

impl<'s> User<'s> {
    pub(super) fn new(
        server: &'s Server,
        folder: &str,
        source: &Path,
        seed: &str,
    ) -> Result<Self, Failure> {
        Ok(Self {
            folder: Folder::new(server, folder)?,
            server,
            source: source.display().to_string(),
            dice: Dice::new(&format!("{seed} {folder}")),
        })
    }

    /// Another one, in another folder.
    pub(super) fn other(&self, folder: &str) -> Result<Self, Failure> {
        Self::new(self.server, folder, Path::new(&self.source), folder)
    }

    /// Runs a line, which ends with this code. Returns what it says.
    pub(super) fn paste(
        &self,
        line: &str,
        code: i32,
        report: &mut Report,
    ) -> Result<String, Failure> {
        let output = self.folder.run(line)?;
        let said =
            [output.stdout, output.stderr].map(|it| String::from_utf8_lossy(&it).into_owned());
        let said = said.concat();
        let found = match output.status.code() {
            Some(found) if found == code => found.to_string(),
            found => format!("{found:?}: {said}"),
        };
        report.check(format!("story: `{line}`"), code.to_string(), found);
        Ok(said)
    }

    /// The same for a command of the tool.
    pub(super) fn run(
        &self,
        command: &str,
        code: i32,
        report: &mut Report,
    ) -> Result<String, Failure> {
        self.paste(&format!("cargo xtask {command}"), code, report)
    }

    /// Pins and writes a bundle in place of the one that is there.
    pub(super) fn pin(
        &self,
        version: &str,
        channel: &str,
        report: &mut Report,
    ) -> Result<(), Failure> {
        let line = format!(
            "rm -f bundle.lock && cargo xtask pin --from git:{} --channel {channel} --with policies --version {version} && cargo xtask vendor",
            self.source
        );
        self.paste(&line, 0, report).map(drop)
    }

    pub(super) fn install_first(&mut self, report: &mut Report) -> Result<(), Failure> {
        self.pin("v0.1.0", "experimental", report)?;
        let said = self.run("cluster-verify", 1, report)?;
        let install = advised(&said, "cluster-install");
        report.check(
            "story: a difference names the command",
            false,
            install.is_empty(),
        );
        self.run("cluster-install --dry-run", 0, report)?;
        self.insist("cluster-install", report)?;
        self.run("cluster-verify", 0, report).map(drop)
    }

    /// Asks for the plan for the objects of the cluster, and returns its commands.
    pub(super) fn plan(&self, report: &mut Report) -> Result<Vec<String>, Failure> {
        crashes::wait_until_ready(self.server)?;
        let said = self.paste("cargo xtask plan --cluster --to v0.6.0", 0, report)?;
        let lines = said.lines().skip_while(|line| {
            !["to carry it out:", "when the errors are resolved:"].contains(line)
        });
        let lines = lines.skip(1).map_while(|line| line.strip_prefix("  "));
        Ok(lines.map(str::to_owned).collect())
    }

    /// Runs a command again and again, as it and the server are killed, until it ends by itself.
    pub(super) fn insist(&mut self, command: &str, report: &mut Report) -> Result<(), Failure> {
        let start = Instant::now();
        let mut disturbances = Vec::new();
        loop {
            let mut child = self
                .folder
                .command(&format!("exec cargo xtask {command}"))?
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .map_err(|error| Failure::new(format!("`{command}`: {error}")))?;
            let is_last = disturbances.len() >= DISTURBED;
            let victim = self.dice.roll(if is_last { 1 } else { 5 });
            if victim > 0 {
                let moment = self.dice.roll(MOMENT);
                thread::sleep(Duration::from_millis(millis(moment)));
                disturbances.push(format!(
                    "{} after {moment} ms",
                    VICTIMS.get(victim).unwrap_or(&"")
                ));
            }
            let down = Duration::from_millis(millis(self.dice.roll(DOWN)));
            if let 2 | 4 = victim {
                crashes::kill(self.server, Program::ApiServer, down)?;
            }
            if victim == 3 {
                crashes::kill(self.server, Program::Etcd, down)?;
            }
            if let 1 | 4 = victim {
                // It may have ended.
                let _ = child.kill();
            }
            let output = child.wait_with_output();
            let output = output.map_err(|error| Failure::new(format!("`{command}`: {error}")))?;
            let is_killed = output.status.code().is_none();
            if is_killed {
                continue;
            }
            let found = match output.status.code() {
                Some(0) => "0".to_owned(),
                code => format!("{code:?}: {}", String::from_utf8_lossy(&output.stderr)),
            };
            let title = format!(
                "story: `{command}` ends well, after it was killed: [{}], in {} s",
                disturbances.join(", "),
                start.elapsed().as_secs()
            );
            report.check(title, "0", found);
            return Ok(());
        }
    }
}

/// Who is killed.
const VICTIMS: [&str; 5] = [
    "nobody",
    "the tool",
    "the API server",
    "etcd",
    "the tool and the API server",
];

fn millis(number: usize) -> u64 {
    u64::try_from(number).unwrap_or_default()
}

/// Returns the commands in what the tool says, those with this word.
pub(super) fn advised(said: &str, word: &str) -> Vec<String> {
    let quoted = said.split('`').skip(1).step_by(2);
    let mut own: Vec<String> = Vec::new();
    for command in quoted.filter_map(|it| it.strip_prefix("cargo xtask ")) {
        if command.contains(word) && !own.iter().any(|it| it == command) {
            own.push(command.to_owned());
        }
    }
    own
}
