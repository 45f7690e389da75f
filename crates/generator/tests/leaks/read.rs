//! Reading a text to the channels' CRDs.

use crd_channels_generator::channel::config::Config;
use crd_channels_generator::diag::{Severity, Sink};
use crd_channels_generator::files::{Memory, Sources};
use crd_channels_generator::lower::Overrides;
use crd_channels_generator::pipeline::{self, Setup};
use crd_channels_generator::workspace::{Package, PackageId, Target, Workspace};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const CRATES: [&str; 5] = ["kube", "schemars", "serde", "serde_json", "serde_repr"];

/// An error.
#[derive(Debug)]
pub struct Finding {
    pub text: String,
    pub placed: bool,
}

/// What a text was read to.
pub struct Read {
    pub errors: Vec<Finding>,
    pub warnings: Vec<String>,
    /// The CRDs of each channel, as JSON.
    pub channels: BTreeMap<String, String>,
}

/// Reads a text under a convention.
pub fn read(text: &str, conventions: &str) -> Read {
    let mut files = BTreeMap::from([(PathBuf::from("/demo/lib.rs"), text.as_bytes().to_vec())]);
    let mut packages = vec![package("demo")];
    for (index, name) in CRATES.iter().enumerate() {
        let id = PackageId(index + 1);
        packages[0].dependencies.insert((*name).to_owned(), id);
        packages.push(package(name));
        files.insert(format!("/{name}/lib.rs").into(), Vec::new());
    }
    let bundle = format!(
        "conventions = \"{conventions}\"\nversion = \"0.1.0\"\nannotation-prefix = \"a.example.com\"\n"
    );
    for (name, text) in [
        ("bundle", &*bundle),
        ("features", "[Trial]\nsummary = \"A trial.\"\n"),
        ("stable", "features = \"none\"\n"),
        ("experimental", "features = \"all\"\n"),
    ] {
        files.insert(format!("/channels/{name}.toml").into(), text.into());
    }
    let files = Memory(files);
    let sources = Sources::default();
    let mut sink = Sink::default();
    let config = Config::read(&files, Path::new("/"), &sources, &mut sink).unwrap();
    let workspace = Workspace {
        root: "/".into(),
        packages,
        members: vec![PackageId(0)],
        ..Workspace::default()
    };
    let setup = Setup {
        packages: workspace.members.clone(),
        workspace,
        config,
        overrides: Overrides::default(),
        recorded: Vec::new(),
    };
    let kinds = pipeline::read(&setup, &files, &sources, &mut sink);
    let projected = pipeline::project(&setup, &kinds, &mut sink);
    let channels = projected
        .into_iter()
        .map(|one| (one.channel, serde_json::to_string(&one.crds).unwrap()))
        .collect();
    let mut read = Read {
        errors: Vec::new(),
        warnings: Vec::new(),
        channels,
    };
    for finding in sink.into_diagnostics() {
        let record = finding.code.record();
        let text = format!("{}: {}", record.id, finding.message);
        match record.severity {
            Severity::Error => read.errors.push(Finding {
                text,
                placed: finding.span.is_some(),
            }),
            Severity::Warning => read.warnings.push(text),
        }
    }
    read
}

fn package(name: &str) -> Package {
    Package {
        name: name.to_owned(),
        version: "0.1.0".to_owned(),
        root: format!("/{name}").into(),
        local: name == "demo",
        targets: vec![Target {
            name: name.to_owned(),
            lib: true,
            root: format!("/{name}/lib.rs").into(),
            edition: "2024".to_owned(),
        }],
        ..Package::default()
    }
}
