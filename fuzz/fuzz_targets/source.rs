//! Any text as the only file of a package with kinds: read, lowered, projected for two channels under both conventions.

#![no_main]

use crd_channels_generator::channel::config::Config;
use crd_channels_generator::diag::Sink;
use crd_channels_generator::files::{Memory, Sources};
use crd_channels_generator::lower::Overrides;
use crd_channels_generator::pipeline::{self, Setup};
use crd_channels_generator::workspace::{Package, PackageId, Target, Workspace};
use libfuzzer_sys::fuzz_target;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const CRATES: [&str; 7] = [
    "chrono",
    "k8s_openapi",
    "kube",
    "schemars",
    "serde",
    "serde_json",
    "url",
];
const CONVENTIONS: [&str; 2] = ["kube", "kubernetes"];

fuzz_target!(|text: &[u8]| {
    for conventions in CONVENTIONS {
        run(text, conventions);
    }
});

fn run(text: &[u8], conventions: &str) {
    let mut files = BTreeMap::from([(PathBuf::from("/src/lib.rs"), text.to_vec())]);
    let mut packages = vec![package("demo", "/src/lib.rs")];
    for (index, name) in CRATES.iter().enumerate() {
        let root = format!("/{name}/lib.rs");
        packages[0]
            .dependencies
            .insert((*name).to_owned(), PackageId(index + 1));
        packages.push(package(name, &root));
        files.insert(root.into(), Vec::new());
    }
    for (name, text) in [
        (
            "bundle.toml",
            format!("conventions = \"{conventions}\"\nversion = \"0.1.0\"\n"),
        ),
        (
            "features.toml",
            "[Trials]\nsummary = \"A.\"\nowner = \"b\"\nlink = \"c\"\nsince = \"v0.1.0\"\n"
                .to_owned(),
        ),
        (
            "stable.toml",
            "features = \"none\"\nannotation = \"stable\"\n".to_owned(),
        ),
        (
            "experimental.toml",
            "features = \"all\"\nannotation = \"experimental\"\n".to_owned(),
        ),
    ] {
        files.insert(Path::new("/channels").join(name), text.into_bytes());
    }
    let files = Memory(files);
    let sources = Sources::default();
    let mut sink = Sink::default();
    let Some(config) = Config::read(&files, Path::new("/"), &sources, &mut sink) else {
        return;
    };
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
    for crd in projected.iter().flat_map(|one| &one.crds) {
        if let Ok(crd) = serde_json::to_value(crd) {
            let _ = crd_channels_generator::check::judge(&crd);
        }
    }
}

fn package(name: &str, root: &str) -> Package {
    Package {
        name: name.to_owned(),
        version: "0.1.0".to_owned(),
        root: Path::new(root)
            .parent()
            .unwrap_or(Path::new("/"))
            .to_path_buf(),
        local: name == "demo",
        targets: vec![Target {
            name: name.to_owned(),
            lib: true,
            root: root.into(),
            edition: "2024".to_owned(),
        }],
        ..Package::default()
    }
}
