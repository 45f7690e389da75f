//! Reads and projects a package with one file; the crates that it names exist but are empty.

use crd_channels_diagnostics::{Sink, Sources};
use crd_channels_files::Memory;
use crd_channels_generator::pipeline::{self, Overrides, Projected, Setup};
use crd_channels_projection::channel::config::Config;
use crd_channels_workspace::{Package, PackageId, Target, Workspace};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Returns the CRDs of a text by channel, and the findings. `features` is the content of `features.toml`.
pub fn project(
    text: &[u8],
    crates: &[&str],
    conventions: &str,
    features: &str,
) -> (Vec<Projected>, Sink) {
    let mut files = BTreeMap::from([(PathBuf::from("/demo/lib.rs"), text.to_vec())]);
    let mut packages = vec![package("demo")];
    for (index, name) in crates.iter().enumerate() {
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
        ("features", features),
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
    let kinds = pipeline::read_kinds(&setup, &files, &sources, &mut sink);
    let projected = pipeline::project(&setup, &kinds, &mut sink);
    (projected, sink)
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
            required_features: Vec::new(),
        }],
        ..Package::default()
    }
}
