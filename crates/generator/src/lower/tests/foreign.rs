//! Every type of k8s-openapi, read from the source in cargo's registry.

use crate::diag::Code;
use crate::files::Disk;
use crate::lower::Overrides;
use crate::lower::Reader;
use crate::lower::concrete::{Concrete, Instance};
use crate::lower::types::{Memo, Task};
use crate::source::{Cfgs, fixture};
use crate::workspace::{Package, PackageId, Target, Workspace};
use std::path::PathBuf;
use std::sync::Arc;

/// The folder of a package in cargo's registry, where it is on this machine.
fn registry(package: &str) -> Option<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")))?;
    let indexes = std::fs::read_dir(home.join("registry/src")).ok()?;
    indexes
        .filter_map(Result::ok)
        .map(|index| index.path().join(package))
        .find(|path| path.is_dir())
}

#[test]
fn all_of_k8s_openapi_is_readable() {
    let Some(root) = registry("k8s-openapi-0.29.0") else {
        return;
    };
    let package = Package {
        name: "k8s-openapi".into(),
        version: "0.29.0".into(),
        targets: vec![Target {
            name: "k8s_openapi".into(),
            lib: true,
            root: root.join("src/lib.rs"),
            edition: "2024".into(),
        }],
        features: ["v1_36", "schemars"].map(String::from).into(),
        root,
        ..Package::default()
    };
    let workspace = Workspace {
        packages: vec![package],
        members: vec![PackageId(0)],
        ..Workspace::default()
    };
    let loaded = fixture::load(workspace, Disk, Cfgs::default());
    let reader = Reader {
        overrides: &Overrides::default(),
        graph: &loaded.graph,
    };
    let memo = Memo::default();
    let (mut read, mut recursive) = (0, 0);
    for ty in loaded.graph.types() {
        if loaded.graph.impls(&ty, Some("JsonSchema")).is_empty() {
            continue;
        }
        let span = ty.def.span;
        let name = ty.def.name.clone();
        let instance = Concrete::Def(Arc::new(Instance {
            ty,
            args: Vec::new(),
        }));
        let mut task = Task::new(reader, &memo);
        let lowered = task.lower(&instance, span);
        let findings = task.into_sink().into_diagnostics();
        match lowered {
            Some(_) => read += 1,
            // The schema of schemas holds itself.
            None if findings
                .iter()
                .all(|finding| finding.code == Code::RecursiveType) =>
            {
                recursive += 1;
            }
            None => panic!("`{name}`: {findings:#?}"),
        }
    }
    println!("{read} types read, {recursive} contain themselves");
    assert!(read > 650, "only {read} types were read");
    assert!(recursive < 12, "{recursive} types contain themselves");
}
