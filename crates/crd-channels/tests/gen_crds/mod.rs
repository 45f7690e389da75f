//! `gen-crds` from end to end: the real binary in real workspaces, from the first run to the last resort.

mod writing;
mod costs;
mod channels;
mod findings;
mod same;
mod again;
mod warm;
mod packages;
mod features;
mod kubernetes;
mod cfgs;
mod stated;
mod baseline;
mod hostile;
mod marks;
mod conditions;
mod constants;
mod derives;
mod examples;

use crate::support::{Finding, Workspace};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::time::SystemTime;

/// One kind with a gated field, in two files.
const ROUTE: &str = r#"
//- channels/features.toml
[Timeouts]
summary = "How long a request may take."
//- src/lib.rs
mod route;
//- src/route.rs
use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where requests go.
#[derive(crd_channels_derive::ApiType, Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Route", namespaced)]
pub struct RouteSpec {
    /// The name that clients ask for.
    pub host: String,
    /// How long a client waits.
    #[experimental(feature = "Timeouts")]
    pub timeout: Option<String>,
}
"#;

const FILES: [&str; 4] = [
    "experimental/example.com_routes.yaml",
    "experimental/kustomization.yaml",
    "stable/example.com_routes.yaml",
    "stable/kustomization.yaml",
];

const STABLE: &str = "generated/stable/example.com_routes.yaml";
const EXPERIMENTAL: &str = "generated/experimental/example.com_routes.yaml";

fn names(files: &BTreeMap<String, Vec<u8>>) -> Vec<&str> {
    files.keys().map(String::as_str).collect()
}

/// Returns the time of the last change of each generated file.
fn times(workspace: &Workspace) -> BTreeMap<String, SystemTime> {
    let files = workspace.generated();
    let time = |name: &String| {
        let path = workspace.path("generated").join(name);
        fs::metadata(path).unwrap().modified().unwrap()
    };
    files
        .keys()
        .map(|name| (name.clone(), time(name)))
        .collect()
}

/// Returns the findings of a run that ends with the given code.
fn findings(workspace: &Workspace, code: i32) -> Vec<Finding> {
    let ran = workspace.run(&["gen-crds", "--format", "json"]);
    ran.with_code(code).findings()
}

/// Returns codes and places, in the reported order.
fn places(findings: &[Finding]) -> Vec<String> {
    findings
        .iter()
        .map(|finding| match &finding.place {
            Some((file, line)) => format!("{}: {file}:{line}", finding.code),
            None => finding.code.clone(),
        })
        .collect()
}

fn crd(workspace: &Workspace, path: &str) -> Value {
    serde_saphyr::from_str(&workspace.read(path)).unwrap()
}

/// Several kinds, types used from many places, rules, defaults, maps.
fn many() -> String {
    let mut text = String::from("//- src/lib.rs\n");
    for index in 0..12 {
        text += &format!("mod m{index};\n");
    }
    for index in 0..12 {
        let other = (index + 5) % 12;
        text += &format!(
            r#"//- src/m{index}.rs
use kube::{{CustomResource, KubeSchema}};
use std::collections::{{BTreeMap, HashMap, HashSet}};
/// Kind {index}.
#[derive(crd_channels_derive::ApiType, Clone, CustomResource, KubeSchema, serde::Deserialize, serde::Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Kind{index}", shortname = "k{index}", category = "b", category = "a")]
#[x_kube(validation = Rule::new("self.own != 'x'").message("no x"))]
pub struct Kind{index}Spec {{
    pub own: String,
    pub other: Option<crate::m{other}::Part{other}>,
    #[experimental]
    pub gated: Option<Vec<Part{index}>>,
    pub map: HashMap<String, Part{index}>,
    pub set: HashSet<String>,
    pub sorted: BTreeMap<String, Vec<String>>,
}}
#[derive(crd_channels_derive::ApiType, Clone, schemars::JsonSchema, serde::Deserialize, serde::Serialize)]
pub struct Part{index} {{
    pub z: u8,
    #[serde(default = "seven")]
    pub a: i64,
    #[not_experimental]
    pub m: Option<bool>,
}}
fn seven() -> i64 {{ 7 }}
"#
        );
    }
    text
}

/// A kind in a group.
fn kind(group: &str, version: &str, kind: &str, more: &str) -> String {
    format!(
        "#[derive(crd_channels_derive::ApiType, kube::CustomResource, schemars::JsonSchema)]\n\
         #[kube(group = \"{group}\", version = \"{version}\", kind = \"{kind}\"{more})]\n\
         pub struct {kind}{version}Spec {{\n    pub host: String,\n}}\n"
    )
}
