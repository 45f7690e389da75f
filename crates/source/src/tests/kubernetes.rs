//! The real k8s-openapi, at the version in the lock file.

use super::{lead, lines};
use crate::{Cfgs, fixture};
use crd_channels_diagnostics::FileId;
use crd_channels_files::Disk;
use crd_channels_workspace::{Package, PackageId, Target, Workspace};
use std::path::PathBuf;

#[test]
fn one_type_costs_few_files() {
    let root = fixture::locked("k8s-openapi");
    let package = |name: &str, root: PathBuf, file: &str, features: &[&str]| Package {
        name: name.to_owned(),
        version: "0.29.0".to_owned(),
        targets: vec![Target {
            name: name.replace('-', "_"),
            lib: true,
            root: root.join(file),
            edition: "2021".to_owned(),
            required_features: Vec::new(),
        }],
        root,
        features: features
            .iter()
            .map(|feature| (*feature).to_owned())
            .collect(),
        ..Package::default()
    };
    let mut k8s = package(
        "k8s-openapi",
        root,
        "src/lib.rs",
        &["latest", "v1_37", "std", "schemars"],
    );
    k8s.dependencies.insert("jiff".to_owned(), PackageId(1));
    let jiff = package("jiff", PathBuf::from("/jiff"), "lib.rs", &[]);
    let workspace = Workspace {
        built: Vec::new(),
        root: PathBuf::from("/"),
        target_dir: PathBuf::from("/target"),
        packages: vec![k8s, jiff],
        members: Vec::new(),
    };
    let loaded = fixture::load(workspace, Disk, Cfgs::default());
    let meta = "apimachinery::pkg::apis::meta::v1";
    let check = |path: &str, expected: &str| {
        let found = lead(&loaded.graph, "k8s_openapi", path);
        assert_eq!(found, format!("k8s_openapi::v1_37::{expected}"));
    };
    check(
        &format!("{meta}::Condition"),
        &format!("{meta}::condition::Condition"),
    );
    let mut files = 0;
    while loaded.sources.get(FileId(files)).is_some() {
        files += 1;
    }
    assert!(files < 15, "{files} files were read for one type");
    check("api::core::v1::PodSpec", "api::core::v1::pod_spec::PodSpec");
    let time = format!("{meta}::Time");
    check(&time, &format!("{meta}::time::Time"));
    assert_eq!(lines(&loaded.graph.take_findings()), Vec::<String>::new());

    let path = syn::parse_str::<syn::Path>(&format!("crate::{meta}::Condition")).unwrap();
    let path = super::lower_syn::path(FileId(0), &path);
    let root = super::module(&loaded.graph, "k8s_openapi");
    let found = loaded.graph.resolve_type(root, &path).unwrap();
    let super::Resolved::Def(super::Def::Type(ty)) = found else {
        panic!("no type");
    };
    let impls = loaded.graph.impls(&ty, "JsonSchema");
    assert_eq!(impls.len(), 1);
    let names: Vec<&str> = impls[0].1.fns.iter().map(|def| &*def.name).collect();
    assert_eq!(names, ["schema_name", "json_schema"]);
}

#[test]
fn no_version_is_told() {
    let root = fixture::locked("k8s-openapi");
    let mut workspace = Workspace::default();
    workspace.packages.push(Package {
        name: "k8s-openapi".to_owned(),
        targets: vec![Target {
            name: "k8s_openapi".to_owned(),
            lib: true,
            root: root.join("src/lib.rs"),
            edition: "2021".to_owned(),
            required_features: Vec::new(),
        }],
        root,
        ..Package::default()
    });
    let loaded = fixture::load(workspace, Disk, Cfgs::default());
    let path = syn::parse_str::<syn::Path>("api::core::v1::PodSpec").unwrap();
    let path = super::lower_syn::path(FileId(0), &path);
    let root = super::module(&loaded.graph, "k8s_openapi");
    let found = loaded.graph.resolve_type(root, &path).unwrap_err();
    let help = found.help.unwrap();
    assert!(help.contains("k8s_openapi_enabled_version"), "{help}");
}
