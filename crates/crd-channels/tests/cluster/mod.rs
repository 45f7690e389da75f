//! The commands `cluster-*`, against a model of an API server.

#![cfg(unix)]

mod install;
mod migrate;
mod model;
mod plan;
mod status;

use crate::support::{Ran, Workspace, run};
use crd_channels_projection::bundle::yaml;
use model::Cluster;
use serde_json::{Value, json};

/// A folder with a cluster.
struct Place {
    workspace: Workspace,
    cluster: Cluster,
}

impl Place {
    fn new() -> Self {
        let workspace = Workspace::new("");
        let cluster = Cluster::start(&workspace);
        Self { workspace, cluster }
    }

    /// Releases a bundle with these files of its stable channel, and with more fields in the experimental one.
    fn release(&self, version: &str, versions: &[Version], more: &[(&str, Value)]) {
        let files = |channel: &str, fields: Value| {
            let crd = crd(Some((version, channel)), versions, fields);
            let more = more
                .iter()
                .map(|(path, object)| ((*path).to_owned(), written(object)));
            let crd = ("crds/example.com_routes.yaml".to_owned(), written(&crd));
            more.chain([crd]).collect::<Vec<_>>()
        };
        let channels: [(&str, &[&str], _); 2] = [
            ("stable", &[], files("stable", json!({}))),
            (
                "experimental",
                &["Timeouts"],
                files("experimental", json!({"timeout": {"type": "string"}})),
            ),
        ];
        crate::bundle::release(
            &self.workspace.path("api/channels"),
            version,
            &["Timeouts"],
            &channels,
        );
    }

    fn pin(&self, arguments: &[&str]) {
        let all = [
            &["pin", "--from", "api", "--with", "components,policies"],
            arguments,
        ]
        .concat();
        self.workspace.run(&all).with_code(0);
        self.workspace.run(&["vendor"]).with_code(0);
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        run(self.cluster.serve(&mut self.workspace.command(arguments)))
    }
}

/// A version of the CRD: its name, whether it is served, whether it is stored.
type Version = (&'static str, bool, bool);

const OLD: [Version; 2] = [("v1beta1", true, true), ("v1", true, false)];
const NEW: [Version; 2] = [("v1beta1", true, false), ("v1", true, true)];
const LAST: [Version; 1] = [("v1", true, true)];

fn crd(bundle: Option<(&str, &str)>, versions: &[Version], fields: Value) -> Value {
    let mut spec = json!({"host": {"type": "string"}, "invalid": {"type": "boolean"}});
    spec.as_object_mut()
        .unwrap()
        .extend(fields.as_object().unwrap().clone());
    let schema =
        json!({"type": "object", "properties": {"spec": {"type": "object", "properties": spec}}});
    let versions = versions.iter().map(|(name, served, storage)| {
        json!({"name": name, "served": served, "storage": storage, "deprecated": *name == "v1beta1",
            "schema": {"openAPIV3Schema": schema}})
    });
    let mut crd = json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "routes.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"plural": "routes", "singular": "route", "kind": "Route", "listKind": "RouteList"},
            "versions": versions.collect::<Vec<_>>(),
        },
    });
    if let Some((version, channel)) = bundle {
        crd["metadata"]["annotations"] = stamp(version, channel);
    }
    crd
}

fn stamp(version: &str, channel: &str) -> Value {
    json!({"example.com/bundle-version": version, "example.com/channel": channel})
}

/// Returns an object as bundles have it.
fn written(object: &Value) -> String {
    yaml::to_string(object).unwrap()
}
