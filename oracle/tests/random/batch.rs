//! A batch of random kinds as a crate: written, compiled, run, and read by the generator.

use super::compare::by_version;
use crd_channels_generator::check;
use crd_channels_generator::diag::{Diagnostic, Severity, Sink};
use crd_channels_generator::files::{Disk, Sources};
use crd_channels_generator::pipeline;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

const MANIFEST: &str = r#"[package]
name = "random"
version = "0.1.0"
edition = "2024"
publish = false

[workspace]

[dependencies]
k8s-openapi = { version = "0.29.0", default-features = false, features = ["v1_36", "schemars"] }
kube = { version = "5.0.0", default-features = false, features = ["derive"] }
schemars = { version = "1.2.3", default-features = false, features = ["derive", "std"] }
serde = { version = "1.0.229", features = ["derive"] }
serde_json = "1.0"

[profile.dev]
debug = false
incremental = false
"#;

const CHANNELS: [(&str, &str); 4] = [
    ("bundle.toml", "conventions = \"kube\"\n"),
    ("features.toml", ""),
    (
        "stable.toml",
        "features = \"none\"\nannotation = \"stable\"\n",
    ),
    (
        "experimental.toml",
        "features = \"all\"\nannotation = \"experimental\"\n",
    ),
];

/// What kube says of a kind: its CRD, or the words with which it panics.
pub type ByKube = Result<Value, String>;

/// What the generator says of a kind.
#[derive(Default)]
pub struct Ours {
    /// The CRD, if there is one.
    pub crd: Option<Value>,
    /// The first lines of the errors.
    pub errors: Vec<String>,
}

pub struct Batch {
    root: PathBuf,
}

impl Batch {
    /// Writes a crate with these modules.
    pub fn write(root: &Path, modules: &[(String, String)]) -> Self {
        let source = root.join("src");
        let _ = std::fs::remove_dir_all(&source);
        std::fs::create_dir_all(&source).unwrap();
        std::fs::create_dir_all(root.join("channels")).unwrap();
        for (name, text) in CHANNELS {
            std::fs::write(root.join("channels").join(name), text).unwrap();
        }
        std::fs::write(root.join("Cargo.toml"), MANIFEST).unwrap();
        let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock");
        std::fs::copy(lock, root.join("Cargo.lock")).unwrap();
        let mut main = String::from("#![allow(warnings)]\n\n");
        let mut calls = String::new();
        for (name, text) in modules {
            std::fs::write(source.join(format!("{name}.rs")), text).unwrap();
            writeln!(main, "mod {name};").unwrap();
            writeln!(calls, "    say(\"{name}\", {name}::crd);").unwrap();
        }
        write!(
            main,
            "\nfn say(name: &str, crd: fn() -> serde_json::Value) {{
    let said = match std::panic::catch_unwind(crd) {{
        Ok(crd) => serde_json::json!({{ \"name\": name, \"crd\": crd }}),
        Err(panic) => {{
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            serde_json::json!({{ \"name\": name, \"panic\": text }})
        }}
    }};
    println!(\"{{said}}\");
}}

fn main() {{
    std::panic::set_hook(Box::new(|_| {{}}));
{calls}}}
"
        )
        .unwrap();
        std::fs::write(source.join("main.rs"), main).unwrap();
        Self {
            root: root.to_path_buf(),
        }
    }

    /// Compiles and runs it: what kube says, by module.
    pub fn by_kube(&self) -> BTreeMap<String, ByKube> {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["run", "--quiet", "--offline"]);
        cargo.current_dir(&self.root);
        cargo.env("CARGO_TARGET_DIR", self.root.join("../target"));
        let output = cargo.output().unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let lines = String::from_utf8(output.stdout).unwrap();
        lines
            .lines()
            .map(|line| {
                let said: Value = serde_json::from_str(line).unwrap();
                let name = said["name"].as_str().unwrap().to_owned();
                let crd = match said.get("crd") {
                    Some(crd) => Ok(crd.clone()),
                    None => Err(said["panic"].to_string()),
                };
                (name, crd)
            })
            .collect()
    }

    /// Reads it: what the generator says, by module.
    pub fn ours(&self) -> BTreeMap<String, Ours> {
        let sources = Sources::default();
        let mut sink = Sink::default();
        let setup = pipeline::setup(&self.root, &Disk, &sources, &mut sink).unwrap();
        let kinds = pipeline::read(&setup, &Disk, &sources, &mut sink);
        let projected = pipeline::project(&setup, &kinds, &mut sink);
        let mut found: BTreeMap<String, Ours> = BTreeMap::new();
        for finding in sink.into_diagnostics() {
            if finding.severity() == Severity::Error {
                let name = module_of(&finding, &sources);
                let text = format!("{} {}", finding.code.record().id, finding.message);
                found.entry(name).or_default().errors.push(text);
            }
        }
        for crd in projected.into_iter().take(1).flat_map(|one| one.crds) {
            let crd = serde_json::to_value(&crd).unwrap();
            let kind = crd["spec"]["names"]["kind"].as_str().unwrap();
            let name = kind.to_lowercase();
            found.entry(name).or_default().crd = Some(crd);
        }
        found
    }
}

/// The module that a finding is about, by the file that it stands in.
fn module_of(finding: &Diagnostic, sources: &Sources) -> String {
    let labels = finding.labels.iter().map(|label| label.span);
    finding
        .span
        .into_iter()
        .chain(labels)
        .filter_map(|span| sources.get(span.file))
        .find_map(|file| {
            // What a macro makes is called `src/k1.rs:7 (expansion of ..)`.
            let (name, _) = file.shown.strip_prefix("src/")?.split_once(".rs")?;
            Some(name.to_owned())
        })
        .unwrap_or_else(|| "no place".to_owned())
}

/// Why a server refuses a CRD; nothing if it does not.
pub fn refusals(crd: &Value) -> Vec<String> {
    let findings = check::judge(crd).into_iter();
    findings
        .filter(check::Finding::refuses)
        .map(|finding| format!("{}: {}", finding.field.unwrap_or_default(), finding.message))
        .collect()
}

/// The only version of a CRD, without what is not compared.
pub fn alone(crd: &Value) -> Value {
    by_version(crd).remove(0).1
}
