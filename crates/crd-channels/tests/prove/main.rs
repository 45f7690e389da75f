//! `prove` as users run it, on types that are compiled: kinds in private modules, in a binary, behind a feature; records of
//! what source cannot tell, and stale ones.
//!
//! All tests share one target folder below this workspace's, so that kube is compiled once, and take turns in it.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod edits;
mod generics;
mod holes;
mod stale;
#[path = "../support/mod.rs"]
mod support;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use support::{Ran, Workspace, run};

const DEPENDENCIES: &str = r#"
[dependencies]
kube = { version = "5", default-features = false, features = ["derive"] }
k8s-openapi = { version = "0.29", default-features = false, features = ["v1_36", "schemars"] }
schemars = { version = "1", default-features = false, features = ["derive", "std"] }
serde = { version = "1", features = ["derive"] }
serde_json = "1"
"#;

/// The first lines of every file of types.
const IMPORTS: &str =
    "use kube::CustomResource;\nuse schemars::JsonSchema;\nuse serde::{Deserialize, Serialize};\n";

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A workspace whose types can be compiled, and the lock that its test holds.
struct Compiled {
    workspace: Workspace,
    _turn: MutexGuard<'static, ()>,
}

impl Compiled {
    /// Creates a workspace with the files of a text; `$dependencies`, `$imports` and `$derive` are replaced.
    fn new(text: &str) -> Self {
        static TURN: Mutex<()> = Mutex::new(());
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let derive = repository().join("crates/derive").canonicalize().unwrap();
        let text = text
            .replace("$dependencies", DEPENDENCIES)
            .replace("$imports", IMPORTS)
            .replace("$derive", derive.to_str().unwrap());
        let workspace = Workspace::new(&text);
        // The versions in this workspace's lock file are available offline.
        let lock = std::fs::read(repository().join("Cargo.lock")).unwrap();
        workspace.write("Cargo.lock", lock);
        Self {
            workspace,
            _turn: turn,
        }
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        let target = repository().join("target/prove");
        run(self
            .workspace
            .command(arguments)
            .env("CARGO_TARGET_DIR", target))
    }

    /// Returns the JSON that `prove` prints, and checks its exit code.
    #[track_caller]
    fn prove(&self, arguments: &[&str], code: i32) -> (Ran, Value) {
        let arguments: Vec<&str> = ["prove", "--format", "json"]
            .iter()
            .chain(arguments)
            .copied()
            .collect();
        let ran = self.run(&arguments).with_code(code);
        let document: Value = serde_json::from_str(&ran.stdout).unwrap();
        support::schemas::validate("prove.json", &document);
        (ran, document)
    }
}

/// Returns `code file:line`, in order.
fn found(ran: &Ran) -> Vec<String> {
    let shown = ran
        .findings()
        .into_iter()
        .map(|finding| match finding.place {
            Some((file, line)) => format!("{} {file}:{line}", finding.code),
            None => finding.code,
        });
    shown.collect()
}

const WORKSPACE: &str = "
//- Cargo.toml
[workspace]
members = [\"app\", \"api\"]
resolver = \"3\"
//- README.md
text
//- app/Cargo.toml
[package]
name = \"the-app\"
version = \"0.1.0\"
edition = \"2024\"
$dependencies
//- app/src/main.rs
#![deny(warnings)]
#![forbid(unsafe_code)]
mod kinds;
/// Does what the program does.
fn main() {
    panic!(\"nobody runs the program\");
}
#[cfg(test)]
mod tests {
    #[test]
    fn fails() {
        panic!(\"nobody runs the tests\");
    }
}
//- app/src/kinds.rs
const _: &str = include_str!(\"../../README.md\");
mod outer {
    mod inner {
        $imports
        #[derive(CustomResource, Serialize, Deserialize, JsonSchema, Clone, Debug)]
        #[kube(group = \"a.example.com\", version = \"v1\", kind = \"Hidden\")]
        struct HiddenSpec {
            /// How large.
            size: Option<u16>,
            #[cfg(test)]
            tested: String,
        }
    }
}
//- api/Cargo.toml
[package]
name = \"api\"
version = \"0.1.0\"
edition = \"2021\"
[features]
more = []
$dependencies
crd-channels-derive = { path = \"$derive\" }
//- api/src/lib.rs
#[cfg(feature = \"more\")]
pub mod v1;
//- api/src/v1.rs
$imports
use crd_channels_derive::ApiType;

/// A kind with all of it.
#[derive(CustomResource, Serialize, Deserialize, JsonSchema, ApiType, Clone, Debug)]
#[kube(group = \"b.example.com\", version = \"v1\", kind = \"Widget\", status = \"WidgetStatus\")] #[experimental(kube(status, scale(spec_replicas_path = \".spec.replicas\", status_replicas_path = \".status.trials\")))]
pub struct WidgetSpec {
    #[serde(default = \"late\")]
    pub port: u32,
    pub any: Option<serde_json::Value>, #[schemars(range(min = 0))] pub replicas: i32,
    /// Documented where it is used.
    pub odd: Odd,
    pub odds: Vec<Odd>,
    #[experimental]
    pub trial: Option<String>,
    #[experimental(schemars(length(max = 9)))]
    pub name: String,
}

fn late() -> u32 {
    8000 + u32::from(std::env::var_os(\"CARGO\").is_none())
}

#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct Odd(String);

impl JsonSchema for Odd {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        \"Odd\".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let text = std::hint::black_box(r#\"{\"type\": \"string\", \"maxLength\": 63}\"#);
        serde_json::from_str::<serde_json::Value>(text).unwrap().try_into().unwrap()
    }
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct WidgetStatus {
    #[schemars(range(min = 0))]
    pub trials: i32,
}
//- channels/bundle.toml
annotation-prefix = \"example.com\"
cargo-features = [\"api/more\"]
";

#[test]
fn kinds_are_proven_and_holes_are_filled() {
    let project = Compiled::new(WORKSPACE);
    let (ran, document) = project.prove(&[], 1);
    assert_eq!(
        found(&ran),
        [
            "not-constant api/src/v1.rs:24",
            "unreadable-schema api/src/v1.rs:35"
        ]
    );
    let proof = &document["proof"];
    assert_eq!((&proof["kinds"], &proof["open"]), (&2.into(), &2.into()));
    let documented = proof["documented"].as_object().unwrap();
    let rows: Vec<&String> = documented.keys().collect();
    assert_eq!(rows, ["any-json", "own-attributes"]);
    let equal = proof["equal"].as_u64().unwrap();
    assert_eq!(proof["facts"].as_u64().unwrap(), equal + 1);

    let (_, document) = project.prove(&["--record"], 0);
    let recorded = document["proof"]["recorded"].as_array().unwrap();
    let line = |entry: &Value| {
        let value = entry.get("schema").unwrap_or(&entry["default"]);
        format!("{} {}: {value}", entry["place"], entry["missing"])
    };
    assert_eq!(
        recorded.iter().map(line).collect::<Vec<_>>(),
        [
            "\"api::v1::Odd\" \"type\": {\"maxLength\":63,\"type\":\"string\"}",
            "\"api::v1::WidgetSpec.port\" \"default\": 8001",
        ]
    );
    assert!(document["proof"]["equal"].as_u64().unwrap() > equal);
    assert!(recorded[0]["code"].as_str().unwrap().starts_with("sha256:"));
    assert!(recorded[0].get("sources").is_none());
    project.run(&["gen-crds"]).with_code(0);
    let crd = "generated/stable/b.example.com_widgets.yaml";
    let written = project.workspace.read(crd);
    assert!(written.contains("default: 8001"), "{written}");
    assert_eq!(written.matches("maxLength: 63").count(), 2, "{written}");
    assert!(!written.contains("trial"), "{written}");
    let experimental = project
        .workspace
        .read(&crd.replace("stable", "experimental"));
    assert!(
        experimental.contains("statusReplicasPath: .status.trials"),
        "{experimental}"
    );

    // The source of the record changes: `gen-crds` does not use it any more, `prove` shows the difference once.
    project.workspace.edit("api/src/v1.rs", "8000", "9000");
    for arguments in [&["gen-crds", "--check"][..], &["gen-crds"]] {
        let ran = project.run(arguments).with_code(1);
        assert!(
            ran.stderr.contains(
                "help: code has changed that may decide it since `api::v1::WidgetSpec.port` was recorded: run `crd-channels gen-crds --record`"
            ),
            "{ran:?}"
        );
    }
    assert_eq!(project.workspace.read(crd), written);
    let (ran, _) = project.prove(&[], 1);
    assert_eq!(found(&ran), ["proof-differs api/src/v1.rs:24"]);
    // `gen-crds --record` asks the compiled types and goes on.
    let record = ["gen-crds", "--record", "--format", "json"];
    let ran = project.run(&record).with_code(0);
    assert_eq!(found(&ran), Vec::<String>::new());
    let written = project.workspace.read(crd);
    assert!(written.contains("default: 9001"), "{written}");
    let (ran, document) = project.prove(&[], 0);
    assert_eq!(found(&ran), Vec::<String>::new());
    assert_eq!(document["proof"]["recordsHolding"], 2);

    // Without a question, nothing is compiled, so nothing can fail to compile.
    project.workspace.edit(
        "app/src/main.rs",
        "mod kinds;",
        "mod kinds; compile_error!();",
    );
    let ran = project.run(&record).with_code(0);
    assert_eq!(found(&ran), Vec::<String>::new());
    // If something is asked that cannot be compiled, nothing is written, not even what is read.
    project.workspace.edit("api/src/v1.rs", "9000", "9001");
    project
        .workspace
        .edit("api/src/v1.rs", "range(min = 0)", "range(min = 1)");
    let before = project.workspace.read(crd);
    let ran = project.run(&record).with_code(2);
    assert!(found(&ran).contains(&"compile-failed".to_owned()));
    assert_eq!(project.workspace.read(crd), before);
    project
        .workspace
        .edit("api/src/v1.rs", "range(min = 1)", "range(min = 0)");
    project.workspace.edit("api/src/v1.rs", "9001", "9000");
    project
        .workspace
        .edit("app/src/main.rs", " compile_error!();", "");

    // Values that source now tells are no longer recorded.
    project.workspace.edit(
        "api/src/v1.rs",
        "9000 + u32::from(std::env::var_os(\"CARGO\").is_none())",
        "9002",
    );
    let (ran, _) = project.prove(&[], 0);
    let warnings = found(&ran);
    assert!(
        warnings.contains(&"record-unused".to_owned()),
        "{warnings:?}"
    );
    let (_, document) = project.prove(&["--record", "--write-test"], 0);
    assert_eq!(document["proof"]["recorded"].as_array().unwrap().len(), 1);
    let test = project.workspace.read("api/tests/crd_channels.rs");
    assert!(test.contains("\"crd-channels\", \"prove\""), "{test}");

    // Configured values in place of source are compared as well.
    let bundle = "annotation-prefix = \"example.com\"\ncargo-features = [\"api/more\"]\n[values.\"api::v1::late\"]\njson = '1'\n";
    project.workspace.write("channels/bundle.toml", bundle);
    let (ran, _) = project.prove(&[], 1);
    assert_eq!(found(&ran), ["proof-differs api/src/v1.rs:12"]);
    let finding = ran.findings().remove(0);
    let differs = "`1` is read, `9002` is compiled";
    assert!(finding.message.contains(differs), "{}", finding.message);
    assert!(finding.help.unwrap().contains("`api::v1::late`"));
}

#[test]
fn differences_that_cannot_be_proven_are_reported() {
    let project = Compiled::new(
        "
//- Cargo.toml
[package]
name = \"api\"
version = \"0.1.0\"
edition = \"2024\"
$dependencies
crd-channels-derive = { path = \"$derive\" }
[workspace]
//- src/lib.rs
$imports
use crd_channels_derive::ApiType;

#[derive(CustomResource, Serialize, Deserialize, JsonSchema, ApiType, Clone, Debug)]
#[kube(group = \"b.example.com\", version = \"v1\", kind = \"Widget\")]
pub struct WidgetSpec {
    #[schemars(schema_with = \"odd\")]
    pub odd: Inner,
    pub shape: Shape,
    #[schemars(schema_with = \"far\")]
    pub far: u8,
}

fn odd(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
    let mut schema = <Inner as JsonSchema>::json_schema(generator);
    schema.insert(\"maxProperties\".to_owned(), std::process::id().min(9).into());
    schema
}

#[derive(Serialize, Deserialize, JsonSchema, ApiType, Clone, Debug)]
pub struct Inner {
    #[experimental]
    pub trial: Option<String>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[serde(tag = \"type\")]
pub enum Shape {
    Round { radius: u8 },
    Long { length: u8 },
}

#[derive(CustomResource, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[kube(group = \"b.example.com\", version = \"v1\", kind = \"Chain\")]
pub struct ChainSpec {
    pub next: Option<Box<ChainSpec>>,
}

#[derive(CustomResource, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[kube(group = \"b.example.com\", version = \"v1\", kind = \"Flat\")]
pub struct FlatSpec {
    pub name: String,
    #[serde(flatten)]
    #[schemars(schema_with = \"flat\")]
    pub rest: serde_json::Value,
}

fn flat(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({ \"type\": \"object\", \"maxProperties\": std::process::id().min(9) })
}

fn far(all: &mut schemars::SchemaGenerator) -> schemars::Schema { deep(all, std::process::id()) }
fn deep(all: &mut schemars::SchemaGenerator, _: u32) -> schemars::Schema { Inner::json_schema(all) }
",
    );
    // kube panics on tagged enums, which is documented: they are not compared.
    let (ran, document) = project.prove(&["--record"], 1);
    let expected = [
        "record-gated src/lib.rs:19",
        "proof-incomplete src/lib.rs:38",
        "recursive-type src/lib.rs:39",
        "record-failed src/lib.rs:52",
        "record-gated src/lib.rs:55",
    ];
    assert_eq!(found(&ran), expected, "{}", ran.stderr);
    assert_eq!(document["proof"]["kinds"], 1, "{document}");
    assert_eq!(
        document["proof"]["documented"]["tagged-enum"],
        serde_json::json!(["api::WidgetSpec"])
    );
    project
        .workspace
        .edit("src/lib.rs", "pub shape: Shape", "pub shape: Missing");
    let (ran, _) = project.prove(&[], 2);
    assert_eq!(found(&ran), ["compile-failed"]);
    assert!(
        ran.stderr.contains("cannot find type `Missing`"),
        "{}",
        ran.stderr
    );
}

const UNCONFIGURED: &str = "
//- no channels/stable.toml
//- no channels/experimental.toml
//- Cargo.toml
[workspace]
[package]
name = \"api\"
version = \"0.1.0\"
edition = \"2024\"
$dependencies
//- src/lib.rs
$imports
#[derive(CustomResource, Serialize, Deserialize, JsonSchema, Clone, Debug)]
#[kube(group = \"a.example.com\", version = \"v1\", kind = \"Route\")]
pub struct RouteSpec {
    #[serde(default = \"computed\")]
    pub weight: u64,
}
fn computed() -> u64 {
    [7, 8].into_iter().sum()
}
";

#[test]
fn one_command_leads_to_the_crds_of_types_with_holes() {
    let compiled = Compiled::new(UNCONFIGURED);
    let ran = compiled.run(&["init", "--yes"]).with_code(0);
    let recorded = "channels/recorded.json: 1 value\n";
    assert!(ran.stdout.contains(recorded), "{ran:?}");
    let crd = compiled
        .workspace
        .read("generated/stable/a.example.com_routes.yaml");
    assert!(crd.contains("default: 15\n"), "{crd}");
    compiled.run(&["gen-crds", "--check"]).with_code(0);
}

const HOLES_IN_HOLES: &str = "
//- no channels/stable.toml
//- no channels/experimental.toml
//- Cargo.toml
[package]
name = \"the-api\"
version = \"0.1.0\"
edition = \"2024\"
$dependencies
strum = { version = \"0.28\", features = [\"derive\"] }
//- src/lib.rs
$imports
use std::str::FromStr;

#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub struct Leader {
    class: String,
}
impl Default for Leader { fn default() -> Self { Leader { class: \"leader\".replace(\"l\", \"L\") } } }
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub struct Worker {
    class: String,
}
impl Default for Worker { fn default() -> Self { Worker { class: \"worker\".replace(\"w\", \"W\") } } }
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub struct Role<T: Default + JsonSchema + Serialize> {
    #[serde(default)]
    config: T,
    #[serde(default)]
    others: Vec<T>,
}

/// A name.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Name(String);
impl FromStr for Name {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        Ok(Name(text.to_string()))
    }
}
const fn least(a: usize, b: usize) -> usize {
    if a < b { a } else { b }
}
impl JsonSchema for Name {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        \"Name\".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ \"type\": \"string\", \"maxLength\": least(253, 63) })
    }
}
fn tls() -> Name {
    Name::from_str(\"tls\").unwrap()
}

pub mod one {
    #[derive(Clone, Debug, serde::Deserialize, schemars::JsonSchema, serde::Serialize)]
    pub struct Same(String);
    impl Default for Same { fn default() -> Self { Same(\"One\".replace(\"O\", \"o\")) } }
}
pub mod two {
    #[derive(Clone, Debug, serde::Deserialize, schemars::JsonSchema, serde::Serialize)]
    pub struct Same(String);
    impl Default for Same { fn default() -> Self { Same(\"two\".to_owned()) } }
}

#[derive(Clone, Debug, strum::EnumDiscriminants)]
#[strum_discriminants(name(Format), derive(Deserialize, JsonSchema, Serialize))]
pub enum Data {
    Pem(String),
    Raw(Vec<u8>),
}

#[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = \"a.example.com\", version = \"v1\", kind = \"Route\")]
pub struct RouteSpec {
    leader: Role<Leader>,
    worker: Role<Worker>,
    first: Role<[one::Same; 2]>,
    second: Role<[two::Same; 2]>,
    #[serde(default = \"tls\")]
    name: Name,
    other: Option<Name>,
    format: Option<Format>,
}
";

/// A generic type has a default for each of its arguments, a default can be of a type that is not known either, and a macro makes
/// types that source does not name.
#[test]
fn every_hole_of_a_kind_is_recorded_in_one_go() {
    let compiled = Compiled::new(HOLES_IN_HOLES);
    let ran = compiled.run(&["init", "--yes"]).with_code(0);
    assert!(ran.stdout.contains("1 kind in `the-api`"), "{ran:?}");
    let crd = compiled
        .workspace
        .read("generated/stable/a.example.com_routes.yaml");
    for part in [
        "class: Leader",
        "class: Worker",
        "default: tls",
        "- Pem",
        "maxLength: 63",
    ] {
        assert!(crd.contains(part), "no {part}: {crd}");
    }
    compiled.prove(&[], 0);
    compiled.run(&["gen-crds", "--check"]).with_code(0);
    // One that cannot be recorded is the only error that is left.
    compiled.workspace.edit(
        "src/lib.rs",
        "    format: Option<Format>,\n",
        "    format: Option<Format>,\n    late: u8,\n    either: Either,\n",
    );
    compiled.workspace.edit(
        "src/lib.rs",
        "/// A name.\n",
        "#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]\n#[serde(untagged)]\npub enum Either {\n    Named(Data2),\n    Counted { late: Data2 },\n}\npub type Data2 = inner::Tagged;\nmod inner {\n    use super::*;\n    #[derive(Clone, Debug, Deserialize, Serialize)]\n    pub struct Tagged(String);\n    impl JsonSchema for Tagged {\n        fn schema_name() -> std::borrow::Cow<'static, str> {\n            \"Tagged\".into()\n        }\n        fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {\n            schemars::json_schema!({ \"type\": \"string\", \"minLength\": least(1, 2) })\n        }\n    }\n}\n\n/// A name.\n",
    );
    let ran = compiled.run(&["gen-crds", "--record"]).with_code(1);
    assert_eq!(ran.stderr.matches("\nerror[").count(), 1, "{ran:?}");
    assert!(
        ran.stderr
            .contains("error[record-failed]: the schema of `the_api::inner::Tagged`")
    );
    let line = "`[schemas.\"the_api::inner::Tagged\"]` with `json";
    assert!(ran.stderr.contains(line), "{ran:?}");
    assert!(
        ran.stderr.contains("1 error; no CRD was written"),
        "{ran:?}"
    );
}
