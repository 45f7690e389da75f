//! `import`: types of CRDs, and what it refuses.

mod named;
mod updated;

use crate::support::project::project;
use crate::support::{Ran, Workspace};
use std::fs;

/// A workspace without kinds, whose packages from the registry are stubs.
const EMPTY: &str = r#"
//- Cargo.toml
[workspace]
members = ["crates/*"]
resolver = "3"

[patch.crates-io]
crd-channels-derive = { path = "stubs/crd-channels-derive" }
k8s-openapi = { path = "stubs/k8s-openapi" }
kube = { path = "stubs/kube" }
schemars = { path = "stubs/schemars" }
serde = { path = "stubs/serde" }
serde_json = { path = "stubs/serde_json" }
//- stubs/crd-channels-derive/Cargo.toml
[package]
name = "crd-channels-derive"
version = "0.3.0"
edition = "2024"
//- stubs/k8s-openapi/Cargo.toml
[package]
name = "k8s-openapi"
version = "0.29.0"
edition = "2024"
[features]
latest = []
schemars = []
//- stubs/k8s-openapi/src/lib.rs
//! Nothing.
//- stubs/kube/Cargo.toml
[package]
name = "kube"
version = "5.0.0"
edition = "2024"
[features]
derive = []
//- stubs/serde/Cargo.toml
[package]
name = "serde"
version = "1.0.0"
edition = "2024"
[features]
derive = []
"#;

/// A queue, in both channels if there is no `# experimental`.
const QUEUE: &str = r#"
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: queues.example.dev
  resourceVersion: "5"
spec:
  group: example.dev
  names: {kind: Queue, plural: queues, shortNames: [q]}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    additionalPrinterColumns:
    - {name: Capacity, type: integer, jsonPath: .spec.capacity}
    schema:
      openAPIV3Schema:
        description: A queue of messages.
        type: object
        required: [spec]
        properties:
          metadata: {type: object}
          spec:
            type: object
            required: [storage]
            properties:
              capacity: {description: Messages that it holds., type: integer, format: int32, minimum: 1, default: 10}
              storage: {type: string, enum: [disk, memory]}
              retry: # experimental
                type: object # experimental
                properties: # experimental
                  attempts: {type: integer, format: int32, maximum: 5} # experimental
status: {conditions: []}
"#;

fn workspace() -> Workspace {
    let workspace = Workspace::new(EMPTY);
    fs::remove_dir_all(workspace.path("channels")).unwrap();
    let stable = QUEUE
        .lines()
        .filter(|line| !line.contains("# experimental"));
    workspace.write(
        "crds/stable/queue.yaml",
        stable.collect::<Vec<_>>().join("\n"),
    );
    workspace.write("crds/experimental/queue.yaml", QUEUE);
    workspace
}

fn import(workspace: &Workspace, arguments: &[&str]) -> Ran {
    let mut all = vec!["import"];
    all.extend(arguments);
    workspace.run(&all)
}

#[test]
fn the_types_of_two_channels_give_both_again() {
    let workspace = workspace();
    let channels = [
        "--channel",
        "stable=crds/stable",
        "--channel",
        "experimental=crds/experimental",
        "--out",
        "crates/api",
    ];
    let ran = import(&workspace, &channels).with_code(0);
    let same = "stable: 1 CRD, and `gen-crds` makes the same again\n\
                experimental: 1 CRD, and `gen-crds` makes the same again\n";
    assert!(ran.stdout.ends_with(same), "{}", ran.stdout);
    let queue = workspace.read("crates/api/src/v1/queue.rs");
    let field = "    /// Messages that it holds.\n    #[serde(default = \"default_10\")]\n    #[schemars(range(min = 1))]\n    pub capacity: i32,\n";
    assert!(queue.contains(field), "{queue}");
    let gated = "    #[experimental(feature = \"Retry\")]\n    #[serde(skip_serializing_if = \"Option::is_none\")]\n    pub retry: Option<Retry>,\n";
    assert!(queue.contains(gated), "{queue}");
    workspace.run(&["gen-crds"]).with_code(0);
    let stable = workspace.read("generated/stable/example.dev_queues.yaml");
    assert!(!stable.contains("retry"), "{stable}");
    // A mistake of the types is found by the same comparison.
    let edited = queue.replace("range(min = 1)", "range(min = 2)");
    workspace.write("crates/api/src/v1/queue.rs", edited);
    let ran = workspace
        .run(&["init", "--compare", "crds/stable"])
        .with_code(0);
    assert!(ran.stdout.contains("minimum"), "{}", ran.stdout);
}

#[test]
fn what_types_do_not_keep_is_said() {
    let workspace = workspace();
    let lossy = QUEUE.replace("required: [spec]", "").replace(
        "type: integer, format: int32, minimum: 1, default: 10",
        "type: integer, nullable: true",
    );
    let lossy = lossy.replace(
        "maximum: 5}",
        "maximum: 5}\n                  pause: {type: string, nullable: true}",
    );
    workspace.write("crds/lossy/queue.yaml", lossy);
    let ran = import(&workspace, &["crds/lossy", "--out", "crates/api"]).with_code(0);
    for said in [
        "warning: `queues.example.dev v1 .spec`: an object without `spec` is not read",
        "warning: `queues.example.dev v1 .spec.capacity` and 1 more place (`--verbose` lists them): null becomes absent",
    ] {
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
    }
    let all = ["crds/lossy", "--out", "crates/again", "--verbose"];
    let ran = import(&workspace, &all);
    let said = "verbose: `queues.example.dev v1 .spec.retry.pause`: null becomes absent";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
}

#[test]
fn types_of_a_client_have_no_schema() {
    let workspace = workspace();
    let client = ["crds/experimental", "--client", "--out", "crates/client"];
    let ran = import(&workspace, &client).with_code(0);
    assert!(ran.stdout.starts_with("1 CRD: "), "{}", ran.stdout);
    let queue = workspace.read("crates/client/src/v1/queue.rs");
    let whole = r#"use kube::CustomResource;
use serde::{Deserialize, Serialize};

#[derive(Clone, CustomResource, Debug, Deserialize, PartialEq, Serialize)]
#[kube(
    group = "example.dev",
    version = "v1",
    kind = "Queue",
    plural = "queues",
    namespaced,
    doc = "A queue of messages.",
    schema = "disabled",
    derive = "PartialEq"
)]
pub struct QueueSpec {
    /// Messages that it holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capacity: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry: Option<Retry>,
    pub storage: Storage,
}

#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Retry {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempts: Option<i32>,
}

#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub enum Storage {
    #[serde(rename = "disk")]
    Disk,
    #[serde(rename = "memory")]
    Memory,
}
"#;
    assert_eq!(queue, whole);
    let manifest = workspace.read("crates/client/Cargo.toml");
    assert!(!manifest.contains("schemars"), "{manifest}");
    assert!(manifest.contains("k8s-openapi"), "{manifest}");
    assert!(!workspace.path("channels").exists());
    let keeping = [
        "crds/stable",
        "--client",
        "--keep-unknown",
        "--out",
        "crates/keeping",
    ];
    import(&workspace, &keeping).with_code(0);
    let queue = workspace.read("crates/keeping/src/v1/queue.rs");
    let kept = "    #[serde(flatten)]\n    pub other: BTreeMap<String, Value>,\n";
    assert!(queue.contains(kept), "{queue}");
    let alone = ["crds/stable", "--keep-unknown", "--out", "crates/other"];
    let ran = import(&workspace, &alone).with_code(2);
    assert!(ran.stderr.contains("--client"), "{}", ran.stderr);
}

#[test]
fn nothing_is_written_over_anything() {
    let workspace = workspace();
    import(&workspace, &["crds/stable", "--out", "crates/api"]).with_code(0);
    let ran = import(&workspace, &["crds/stable", "--out", "crates/api"]).with_code(2);
    assert!(
        ran.stderr
            .contains("error[config-exists]: `crates/api` already exists"),
        "{}",
        ran.stderr
    );
    // A second package leaves the configuration as it is, and says so.
    let bundle = workspace.read("channels/bundle.toml");
    let ran = import(&workspace, &["crds/stable", "--out", "crates/more"]);
    assert!(
        ran.stderr.contains("is there already and was not changed"),
        "{}",
        ran.stderr
    );
    assert_eq!(workspace.read("channels/bundle.toml"), bundle);
}

#[test]
fn what_cannot_be_read_or_said_writes_nothing() {
    let workspace = workspace();
    let refused = |arguments: &[&str], code: i32, why: &str| {
        let ran = import(&workspace, arguments).with_code(code);
        assert!(ran.stderr.contains(why), "{}", ran.stderr);
        assert!(!workspace.path("crates").exists());
    };
    refused(
        &["nowhere", "--out", "crates/api"],
        2,
        "error[unreadable-file]: `nowhere` cannot be read",
    );
    workspace.write("broken.yaml", "a: [");
    refused(
        &["crds/stable", "broken.yaml", "--out", "crates/api"],
        2,
        "error[unreadable-file]: `broken.yaml`",
    );
    refused(
        &["crds", "--out", "crates/api"],
        2,
        "`queues.example.dev` is in `crds/experimental/queue.yaml` and in `crds/stable/queue.yaml`",
    );
    refused(
        &["--channel", "crds", "--out", "crates/api"],
        2,
        "as in `stable=config/crd/standard`",
    );
    let typed = QUEUE.replace(
        "type: integer, format: int32, minimum: 1, default: 10",
        "type: string",
    );
    workspace.write("crds/experimental/queue.yaml", typed);
    let channels = [
        "--channel",
        "stable=crds/stable",
        "--channel",
        "experimental=crds/experimental",
        "--out",
        "crates/api",
    ];
    refused(
        &channels,
        1,
        "error[not-importable]: `queues.example.dev v1 .spec.capacity`: `type` differs between the channels",
    );
}

#[test]
fn types_that_cargo_cannot_read_are_written_and_the_way_on_is_said() {
    let workspace = workspace();
    let manifest = workspace.read("Cargo.toml");
    let unpatched = manifest.split("[patch").next().unwrap();
    workspace.write("Cargo.toml", format!("{unpatched}\nerror"));
    let ran = import(&workspace, &["crds/stable", "--out", "crates/api"]).with_code(1);
    let way = "the types are written, but not compared: let `cargo metadata` run in ";
    assert!(ran.stderr.contains(way), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("`crd-channels init --compare "),
        "{}",
        ran.stderr
    );
    assert!(
        !ran.stderr.contains("nothing was written"),
        "{}",
        ran.stderr
    );
    assert!(workspace.path("crates/api/src/lib.rs").exists());
}

#[test]
fn crds_of_revisions_bundles_and_archives_are_imported() {
    let project = project();
    let types = |stable: &str, experimental: &str, out: &str| {
        let channels = [
            format!("stable={stable}"),
            format!("experimental={experimental}"),
        ];
        let ran = import(
            &project,
            &[
                "--channel",
                &channels[0],
                "--channel",
                &channels[1],
                "--out",
                out,
            ],
        );
        assert!(ran.stdout.starts_with("1 CRD: "), "{}", ran.stderr);
        project.read(&format!("{out}/src/v1/route.rs"))
    };
    let wanted = types("generated/stable", "generated/experimental", "a");
    assert!(
        wanted.contains("#[experimental(feature = \"Timeout\")]"),
        "{wanted}"
    );
    let [stable, experimental] =
        ["stable", "experimental"].map(|name| format!("git:v0.1.0:generated/{name}"));
    assert_eq!(types(&stable, &experimental, "b"), wanted);
    let bundle = "channels/v0.1.0";
    assert_eq!(types(bundle, bundle, "c"), wanted);
    let archive = ["archive", "v0.1.0", "--output", "target/dist"];
    project.run(&archive).with_code(0);
    let dist = fs::read_dir(project.path("target/dist")).unwrap();
    let names = dist.map(|file| file.unwrap().file_name().into_string().unwrap());
    let archive = names.into_iter().find(|name| name.ends_with(".tar.gz"));
    let archive = format!("target/dist/{}", archive.unwrap());
    assert_eq!(types(&archive, &archive, "d"), wanted);
    let wrong = |path: &str, why: &str| {
        let ran = import(&project, &[path, "--out", "e"]).with_code(2);
        assert!(ran.stderr.contains(why), "{path}\n{}", ran.stderr);
        assert!(!project.path("e").exists());
    };
    wrong("git:v0.1.0:nowhere", "has no CRDs");
    wrong("git:v9", "error[revision-not-found]");
    project.write(
        "channels/v0.1.0/stable/crds/example.com_routes.yaml",
        "kind: A\n",
    );
    wrong(bundle, "error[bundle-tampered]");
    // CRDs of one kind in two places of a channel.
    wrong("generated", "and in `generated/stable/");
}
