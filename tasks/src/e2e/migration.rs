//! Moving stored objects to another version, with the commands of `docs/controllers.md` as they are printed there.

use super::install::{self, CRDS, described, place};
use crate::published::NAMESPACE;
use crate::report::Report;
use crd_channels_envtest::http::Api;
use crd_channels_envtest::server::Server;
use crd_channels_envtest::{Failure, io};
use serde_json::{Value, json};
use std::path::Path;

/// The CRD that the page writes about.
const CRD: &str = "routes.edge.example.com";

/// Installs three states of the CRD, as three bundles would, and moves objects between the second and the third.
///
/// # Errors
/// The server did not respond, or the page cannot be read.
pub fn check(server: &Server, root: &Path, report: &mut Report) -> Result<(), Failure> {
    let page = root.join("docs/controllers.md");
    let text = std::fs::read_to_string(&page).map_err(|error| io("read", &page, &error))?;
    let [rewrite, reduce] =
        ["kubectl get routes", "storedVersions"].map(|words| command(&text, words));
    let (Some(rewrite), Some(reduce)) = (rewrite, reduce) else {
        report.check("migration: the page has the commands", "both", "not both");
        return Ok(());
    };
    let api = server.api;
    let (both, switched, removed) = (
        crd(&[("v1beta1", true), ("v1", false)]),
        crd(&[("v1beta1", false), ("v1", true)]),
        crd(&[("v1", true)]),
    );
    let answer = api.post(CRDS, &both)?;
    report.check("migration: the CRD is accepted", "201", described(&answer));
    install::wait_until_established(api, CRD)?;
    let folder = server.scratch("migration")?;
    let mut files = Vec::new();
    for (name, options) in [("plain", &[][..]), ("sent", &["--server-side"])] {
        let file = folder.join(format!("{name}.json"));
        let object = json!({
            "apiVersion": "edge.example.com/v1beta1",
            "kind": "Route",
            "metadata": {"name": name, "namespace": NAMESPACE},
            "spec": {"host": "a"},
        });
        std::fs::write(&file, object.to_string()).map_err(|error| io("written", &file, &error))?;
        files.push((file.display().to_string(), options));
    }
    applied("before", server, &files, report)?;
    let update = |crd: &Value| {
        let patch = json!({"spec": {"versions": crd["spec"]["versions"]}});
        Ok::<_, Failure>(described(&api.patch(&place(CRD), &patch)?))
    };
    report.check(
        "migration: the storage version changes",
        "200",
        update(&switched)?,
    );
    let refused = update(&removed)?;
    report.check(
        "migration: the old version cannot be removed while objects may be stored in it",
        true,
        refused.contains("status.storedVersions"),
    );
    let before = versions(api)?;
    run(server, &rewrite, report)?;
    let after = versions(api)?;
    let still = before.iter().filter(|version| after.contains(version));
    report.check(
        "migration: the command of the page writes every object",
        format!("{} objects, unchanged: 0", files.len()),
        format!("{} objects, unchanged: {}", after.len(), still.count()),
    );
    run(server, &reduce, report)?;
    // The fields that an applier owns are recorded in the version of its manifest, so manifests move first.
    for (file, _) in &files {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let text = text.replace("v1beta1", "v1");
        std::fs::write(file, text).map_err(|error| io("written", Path::new(file), &error))?;
    }
    applied("in the new version", server, &files, report)?;
    report.check(
        "migration: then it can be removed",
        "200",
        update(&removed)?,
    );
    applied("afterwards", server, &files, report)?;
    install::remove_all(api, &[CRD.to_owned()])
}

/// Returns the command of a page's console block that contains these words.
fn command(page: &str, words: &str) -> Option<String> {
    let blocks = page.split("```console\n").skip(1);
    let blocks = blocks.filter_map(|rest| rest.split("\n```").next());
    let mut commands = blocks.flat_map(|block| block.split("$ ").skip(1));
    commands
        .find(|command| command.contains(words))
        .map(str::to_owned)
}

/// Runs a command of the page in a shell.
fn run(server: &Server, command: &str, report: &mut Report) -> Result<(), Failure> {
    let status = server.run("sh", &["-c".to_owned(), command.to_owned()])?;
    let first = command.lines().next().unwrap_or_default();
    report.check(format!("migration: `{first}`"), true, status.success());
    Ok(())
}

/// Applies the objects as their owner does.
fn applied(
    when: &str,
    server: &Server,
    files: &[(String, &[&str])],
    report: &mut Report,
) -> Result<(), Failure> {
    for (file, options) in files {
        let output = server.kubectl(&[&["apply", "--filename", file], *options].concat())?;
        let options = options.join(" ");
        report.check(
            format!("migration: `kubectl apply {options}` works {when}"),
            true,
            output.status.success(),
        );
    }
    Ok(())
}

/// The resource versions of all objects.
fn versions(api: Api) -> Result<Vec<String>, Failure> {
    let list = api.get("/apis/edge.example.com/v1/routes")?.json();
    let items = list["items"].as_array().cloned().unwrap_or_default();
    let versions = items
        .iter()
        .filter_map(|item| item["metadata"]["resourceVersion"].as_str());
    Ok(versions.map(str::to_owned).collect())
}

/// The CRD with these versions, each with whether objects are stored in it.
fn crd(versions: &[(&str, bool)]) -> Value {
    let schema = json!({"openAPIV3Schema": {"type": "object", "properties": {
        "spec": {"type": "object", "properties": {"host": {"type": "string"}}},
    }}});
    let versions: Vec<Value> = versions
        .iter()
        .map(|(name, storage)| {
            json!({"name": name, "served": true, "storage": storage, "schema": schema})
        })
        .collect();
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": CRD},
        "spec": {
            "group": "edge.example.com",
            "scope": "Namespaced",
            "names": {"plural": "routes", "singular": "route", "kind": "Route", "listKind": "RouteList"},
            "versions": versions,
        },
    })
}
