//! A crate below `target/` for a batch of texts: written, compiled, run, and read by the generator.

#[path = "../shared/compiled.rs"]
mod compiled;

use crd_channels_diagnostics::{Diagnostic, Severity, Sink, Sources};
use crd_channels_files::Disk;
use crd_channels_generator::pipeline;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc;
use std::time::Duration;

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

/// The generator's result for a kind.
#[derive(Default)]
pub struct Ours {
    /// The CRD, if there is one.
    pub crd: Option<Value>,
    /// The first lines of the errors.
    pub errors: Vec<String>,
}

/// The crate of a batch.
#[derive(Clone)]
pub struct Crate {
    root: PathBuf,
}

impl Crate {
    /// Writes a crate with these modules and this function `main`. Further dependencies are lines of its manifest.
    pub fn write(
        root: &Path,
        modules: &[(String, String)],
        main: &str,
        dependencies: &str,
    ) -> Self {
        let source = root.join("src");
        let _ = std::fs::remove_dir_all(&source);
        std::fs::create_dir_all(&source).unwrap();
        std::fs::create_dir_all(root.join("channels")).unwrap();
        for (name, text) in CHANNELS {
            std::fs::write(root.join("channels").join(name), text).unwrap();
        }
        // Crates that are built at the same time share a target folder, so each has a name of its own.
        let name = format!("oracle-{}", root.file_name().unwrap().display());
        let manifest = compiled::MANIFEST.replace("{name}", &name).replace(
            "serde_json = \"1.0\"\n",
            &format!("serde_json = \"1.0\"\n{dependencies}"),
        );
        std::fs::write(root.join("Cargo.toml"), manifest).unwrap();
        let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock");
        std::fs::copy(&lock, root.join("Cargo.lock")).unwrap();
        let (target, shared) = (root.join("../target"), root.join("../../dependencies"));
        compiled::target_folder(&target, &shared, &lock);
        let mut text = String::from(
            "#![allow(warnings)]\n#![allow(arithmetic_overflow, unconditional_panic, overflowing_literals)]\n\n",
        );
        for (name, module) in modules {
            std::fs::write(source.join(format!("{name}.rs")), module).unwrap();
            writeln!(text, "mod {name};").unwrap();
        }
        std::fs::write(source.join("main.rs"), text + "\n" + main).unwrap();
        Self {
            root: root.to_path_buf(),
        }
    }

    fn cargo(&self, arguments: &[&str]) -> std::process::Output {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(arguments);
        cargo.current_dir(&self.root);
        cargo.env("CARGO_TARGET_DIR", self.root.join("../target"));
        cargo.output().unwrap()
    }

    /// Compiles and runs it: the lines that it prints.
    pub fn run(&self) -> Vec<Value> {
        let output = self.cargo(&["run", "--quiet", "--offline"]);
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let lines = String::from_utf8(output.stdout).unwrap();
        lines
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// The errors of the modules that do not compile.
    pub fn errors(&self) -> BTreeMap<String, Vec<String>> {
        let output = self.cargo(&["build", "--quiet", "--offline", "--message-format=json"]);
        let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let Ok(message) = serde_json::from_str::<Value>(line) else {
                continue;
            };
            let message = &message["message"];
            // The compiler's own failures are `error: internal compiler error`.
            if !message["level"]
                .as_str()
                .is_some_and(|level| level.starts_with("error"))
            {
                continue;
            }
            let mut modules = BTreeSet::new();
            modules_in(message, true, &mut modules);
            if modules.is_empty() {
                modules_in(message, false, &mut modules);
            }
            let rendered = message["rendered"].as_str().unwrap_or_default();
            for module in modules {
                found.entry(module).or_default().push(rendered.to_owned());
            }
        }
        assert!(
            output.status.success() || !found.is_empty(),
            "{}\n{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        found
    }

    /// Replaces the text of a module.
    pub fn rewrite(&self, module: &str, text: &str) {
        let path = self.root.join("src").join(format!("{module}.rs"));
        std::fs::write(path, text).unwrap();
    }

    /// Reads it: what the generator says, by module.
    pub fn ours(&self) -> BTreeMap<String, Ours> {
        let sources = Sources::default();
        let mut sink = Sink::default();
        let setup = pipeline::setup(&self.root, &Disk, &sources, &mut sink).unwrap();
        let kinds = pipeline::read_kinds(&setup, &Disk, &sources, &mut sink);
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

impl Crate {
    /// The same, unless the generator panics or takes longer.
    pub fn ours_within(&self, time: Duration) -> Option<BTreeMap<String, Ours>> {
        let (send, receive) = mpsc::channel();
        let this = self.clone();
        // One that does not end goes on until the test does.
        std::thread::spawn(move || send.send(this.ours()));
        receive.recv_timeout(time).ok()
    }
}

/// The modules that a message of rustc is about.
fn modules_in(message: &Value, primary: bool, found: &mut BTreeSet<String>) {
    match message {
        Value::Object(map) => {
            if let Some(name) = map.get("file_name").and_then(Value::as_str)
                && (!primary || map["is_primary"] == true)
                && let Some(name) = name.strip_prefix("src/")
                && name != "main.rs"
            {
                found.insert(name.trim_end_matches(".rs").to_owned());
            }
            for (key, value) in map {
                // The change that a message proposes may concern another kind.
                if key != "children" {
                    modules_in(value, primary, found);
                }
            }
        }
        Value::Array(items) => {
            for item in items {
                modules_in(item, primary, found);
            }
        }
        _ => {}
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
            // The file of an expansion is called `src/k1.rs:7 (expansion of ..)`.
            let (name, _) = file.shown.strip_prefix("src/")?.split_once(".rs")?;
            Some(name.to_owned())
        })
        .unwrap_or_else(|| "no place".to_owned())
}
