//! The commands `cluster-*` on a server: objects of two versions move to another storage version while writers go on, and the
//! migration is killed on the way.

use super::install;
use super::way::{self, Folder};
use crate::published::NAMESPACE;
use crate::report::Report;
use crd_channels_envtest::Failure;
use crd_channels_envtest::http::Api;
use crd_channels_envtest::server::Server;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

const CRD: &str = "lanes.way.example.com";
const VERSIONS: [&str; 2] = ["v1beta1", "v1"];
const OBJECTS: usize = 300;
const WRITERS: usize = 2;

/// The migration is killed within this time, which is longer than it takes.
const LONGEST: u64 = 8_000;

/// The hosts of the objects by name, as the server confirmed them.
type Hosts = BTreeMap<String, String>;

/// Installs, upgrades, migrates and verifies.
///
/// # Errors
/// The server did not respond, or a program could not be started.
pub fn check(server: &Server, report: &mut Report) -> Result<(), Failure> {
    let source = way::released(server, "cluster-project", report)?;
    let user = |folder: &str| {
        Ok::<_, Failure>(User {
            folder: Folder::new(server, folder)?,
            source: source.path.display().to_string(),
        })
    };
    let (user, early) = (user("cluster-user")?, user("cluster-early-user")?);
    user.pin("v0.2.0", report)?;
    user.run("cargo xtask cluster-verify", 1, report)?;
    user.run("cargo xtask cluster-install --dry-run", 0, report)?;
    user.run("cargo xtask cluster-install", 0, report)?;
    user.run("cargo xtask cluster-verify", 0, report)?;
    let api = server.api;
    for version in VERSIONS {
        install::wait_until_served(api, &place(version, ""), true)?;
    }
    let mut hosts = create(api)?;

    user.pin("v0.3.0", report)?;
    let is_over = &AtomicBool::new(false);
    thread::scope(|scope| {
        let writers: Vec<_> = (0..WRITERS)
            .map(|writer| scope.spawn(move || write(api, writer, is_over)))
            .collect();
        let result = user.upgrade(&early, report);
        is_over.store(true, Ordering::Relaxed);
        for writer in writers {
            let written = writer.join();
            let written = written.map_err(|_| Failure::new("a writer panicked"))??;
            report.check("cluster: writers wrote", true, !written.is_empty());
            hosts.extend(written);
        }
        result
    })?;
    let crd = api.get(&install::place(CRD))?.json();
    let stored = crd["status"]["storedVersions"].to_string();
    report.check("cluster: one version is stored", "[\"v1\"]", stored);
    report.check(
        "cluster: objects are as written",
        "",
        difference(api, &hosts)?,
    );
    user.run("cargo xtask cluster-verify", 0, report)?;

    // A server that cannot read the old version finds all objects. The writers have left records in it since.
    user.pin("v0.6.0", report)?;
    user.run("cargo xtask cluster-migrate --settle 1", 0, report)?;
    user.run("cargo xtask cluster-upgrade", 0, report)?;
    user.run("cargo xtask cluster-verify", 0, report)?;
    report.check(
        "cluster: objects are there without the old version",
        "",
        difference(api, &hosts)?,
    );
    user.run("kubectl delete --recursive -f crds", 0, report)
        .map(drop)
}

/// Somebody who installs bundles.
struct User {
    folder: Folder,
    source: String,
}

impl User {
    /// Runs a line, which ends with this code. Returns what it says.
    fn run(&self, line: &str, code: i32, report: &mut Report) -> Result<String, Failure> {
        let output = self.folder.run(line)?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let found = match output.status.code() {
            Some(found) if found == code => found.to_string(),
            found => format!("{found:?}: {said}"),
        };
        let line = line.split('\'').next().unwrap_or(line);
        report.check(format!("cluster: `{line}`"), code.to_string(), found);
        Ok(said)
    }

    fn pin(&self, version: &str, report: &mut Report) -> Result<(), Failure> {
        let line = format!(
            "rm -f bundle.lock && cargo xtask pin --from git:{} --with policies --version {version} && cargo xtask vendor",
            self.source
        );
        self.run(&line, 0, report).map(drop)
    }

    /// Upgrades and migrates, with a kill at some moment. Another user installs the last bundle too early.
    fn upgrade(&self, early: &Self, report: &mut Report) -> Result<(), Failure> {
        self.run("cargo xtask cluster-upgrade", 0, report)?;
        early.pin("v0.6.0", report)?;
        let refusal = early.run("cargo xtask cluster-upgrade", 1, report)?;
        report.check(
            "cluster: the refusal names the way",
            true,
            refusal.contains(&format!("cluster-migrate {CRD}")),
        );
        let moment = RandomState::new().hash_one(0) % LONGEST;
        let mut command = self
            .folder
            .command("exec cargo xtask cluster-migrate --settle 1")?;
        let failed = |error: std::io::Error| Failure::new(format!("the migration: {error}"));
        let mut child = command.spawn().map_err(failed)?;
        thread::sleep(Duration::from_millis(moment));
        child.kill().map_err(failed)?;
        let ended = child.wait().map_err(failed)?;
        report.check(
            format!("cluster: the migration is killed after {moment} ms"),
            true,
            ended.code().is_none_or(|code| code == 0),
        );
        self.run("cargo xtask cluster-migrate --settle 1", 0, report)
            .map(drop)
    }
}

/// The path of all objects in a version, or of one.
fn place(version: &str, name: &str) -> String {
    let all = format!("/apis/way.example.com/{version}/namespaces/{NAMESPACE}/lanes");
    match name.is_empty() {
        true => all,
        false => format!("{all}/{name}"),
    }
}

fn name(number: usize) -> String {
    format!("lane-{number}")
}

/// The version that a number writes in.
fn version(number: usize) -> &'static str {
    VERSIONS
        .get(number % VERSIONS.len())
        .copied()
        .unwrap_or("v1")
}

fn create(api: Api) -> Result<Hosts, Failure> {
    let mut hosts = Hosts::new();
    for number in 0..OBJECTS {
        let version = version(number);
        let object = json!({
            "apiVersion": format!("way.example.com/{version}"),
            "kind": "Lane",
            "metadata": {"name": name(number)},
            "spec": {"host": "new"},
        });
        let answer = api.post(&place(version, ""), &object)?;
        if answer.status != 201 {
            return Err(Failure::new(install::described(&answer)));
        }
        hosts.insert(name(number), "new".to_owned());
    }
    Ok(hosts)
}

/// Writes objects until it is over, each writer its own, and returns what the server confirmed.
fn write(api: Api, writer: usize, is_over: &AtomicBool) -> Result<Hosts, Failure> {
    let mut hosts = Hosts::new();
    for round in 0.. {
        if is_over.load(Ordering::Relaxed) {
            break;
        }
        // 7 has no divisor in common with the number of objects.
        let number = (round * 7 * WRITERS + writer) % OBJECTS;
        let host = format!("{writer}-{round}");
        let patch = json!({"spec": {"host": host}});
        if api
            .patch(&place(version(round), &name(number)), &patch)?
            .status
            == 200
        {
            hosts.insert(name(number), host);
        }
        thread::sleep(Duration::from_millis(5));
    }
    Ok(hosts)
}

/// How the objects differ from what was written.
fn difference(api: Api, hosts: &Hosts) -> Result<String, Failure> {
    // After its CRD changed, a server opens the storage of a kind again.
    let mut list = Value::Null;
    install::poll(|| {
        let answer = api.get(&place("v1", ""))?;
        list = answer.json();
        Ok((answer.status == 200).then_some(()))
    })?;
    let items = list["items"].as_array().cloned().unwrap_or_default();
    let found = items.iter().filter_map(|item| {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        Some((
            text(&item["metadata"]["name"])?,
            text(&item["spec"]["host"])?,
        ))
    });
    let found: Hosts = found.collect();
    let wrong = hosts
        .iter()
        .filter(|(name, host)| found.get(*name) != Some(host));
    let mut wrong: Vec<String> = wrong
        .map(|(name, host)| format!("{name}: not {host}"))
        .collect();
    if found.len() != hosts.len() {
        wrong.push(format!("{} objects", found.len()));
    }
    Ok(wrong.join(", "))
}
