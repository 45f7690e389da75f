//! Reads every type of several releases of k8s-openapi, which `tests/releases` has cargo fetch.

use super::drafts;
use crate::budget::Budget;
use crate::lower::types::{Memo, Task};
use crate::lower::{Reader, drafts_with_holes};
use crate::overrides::{Overrides, ResolvedOverrides};
use crate::types::{Concrete, Instance};
use crd_channels_diagnostics::{Code, FileId};
use crd_channels_files::Disk;
use crd_channels_source::{Cfgs, fixture};
use crd_channels_workspace::{Package, PackageId, Target, Wanted, Workspace, target};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[test]
fn a_schema_of_a_dependency_reads_only_the_files_of_its_types() {
    let mut loaded = fixture::graph(
        "//- /lib.rs
#[derive(kube::CustomResource, schemars::JsonSchema, serde::Deserialize, serde::Serialize)]
#[kube(group = \"g.example.com\", version = \"v1\", kind = \"K\")]
pub struct KSpec { pub pod: dep::pod::Pod }
//- /dep/lib.rs crate:dep
pub mod pod;
pub mod port;
pub mod unused;
//- /dep/pod.rs
pub struct Pod;
impl schemars::JsonSchema for Pod {
    fn schema_name() -> std::borrow::Cow<'static, str> { \"Pod\".into() }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ \"properties\": { \"port\": generator.subschema_for::<crate::port::Port>() } })
    }
}
//- /dep/port.rs
#[derive(schemars::JsonSchema)]
pub struct Port { pub number: u16 }
//- /dep/unused.rs
pub struct Unused;
//- /kube/lib.rs crate:kube
//- /schemars/lib.rs crate:schemars
//- /serde/lib.rs crate:serde
",
    );
    let drafts = drafts(&loaded.graph, &Overrides::default(), &mut loaded.findings);
    assert_eq!(drafts.len(), 1, "{:?}", loaded.findings.diagnostics());
    let files = (0..).map_while(|id| loaded.sources.get(FileId(id)));
    let files: Vec<_> = files.map(|file| file.shown.to_string()).collect();
    let is_read = |name: &str| files.iter().any(|file| file.ends_with(name));
    assert!(is_read("/port.rs") && !is_read("/unused.rs"), "{files:?}");
}

/// Every adapter gives another schema, so no two fields share a hole.
#[test]
fn each_field_with_an_adapter_of_serde_with_is_a_hole() {
    let mut loaded = fixture::graph(
        "//- /lib.rs
#[serde_with::serde_as]
#[derive(kube::CustomResource, schemars::JsonSchema, serde::Deserialize, serde::Serialize)]
#[kube(group = \"g.example.com\", version = \"v1\", kind = \"K\")]
pub struct KSpec {
    #[serde_as(as = \"serde_with::DisplayFromStr\")]
    pub a: u8,
    #[serde_as(as = \"Vec<serde_with::DisplayFromStr>\")]
    pub b: Vec<u8>,
}
//- /kube/lib.rs crate:kube
//- /schemars/lib.rs crate:schemars
//- /serde/lib.rs crate:serde
//- /serde_with/lib.rs crate:serde_with
pub struct As;
pub struct Schema;
",
    );
    let (graph, overrides) = (&loaded.graph, Overrides::default());
    let (_, holes) = drafts_with_holes(graph, &graph.kinds(), &overrides, &mut loaded.findings);
    let places: Vec<&str> = holes.iter().map(|hole| &*hole.place).collect();
    let findings = loaded.findings.diagnostics();
    assert_eq!(places, ["demo::KSpec.a", "demo::KSpec.b"], "{findings:?}");
}

/// The releases there, with the newest API version of each, and a minimum for the number of types in it. Their schemas are built with
/// other types of schemars.
const RELEASES: [(&str, &str, usize); 6] = [
    ("0.13.1", "v1_22", 450),
    ("0.14.0", "v1_23", 450),
    ("0.18.0", "v1_26", 450),
    ("0.22.0", "v1_30", 500),
    ("0.25.0", "v1_33", 600),
    ("0.29.0", "v1_36", 650),
];

#[test]
fn all_of_k8s_openapi_is_readable() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/releases");
    let wanted = Wanted {
        target: target::DEFAULT,
        features: &[],
        without: &[],
        built: &|_| Vec::new(),
    };
    let fetched = crd_channels_workspace::load(&folder, wanted)
        .unwrap_or_else(|finding| panic!("{}", finding.message));
    let mut found: Vec<_> = fetched.packages.iter().collect();
    found.retain(|package| package.name == "k8s-openapi");
    assert_eq!(found.len(), RELEASES.len());
    // The first and the last one, unless all are asked for.
    let all = std::env::var("K8S_OPENAPI_RELEASES").is_ok_and(|releases| releases == "all");
    let step = if all { 1 } else { RELEASES.len() - 1 };
    let looked_at: Vec<_> = RELEASES.into_iter().step_by(step).collect();
    looked_at.into_par_iter().for_each(|release| {
        let package = found.iter().find(|package| package.version == release.0);
        release_is_readable(release, package.unwrap().root.clone());
    });
}

fn release_is_readable((version, api, least): (&str, &str, usize), root: PathBuf) {
    let package = Package {
        name: "k8s-openapi".into(),
        version: version.into(),
        targets: vec![Target {
            name: "k8s_openapi".into(),
            lib: true,
            root: root.join("src/lib.rs"),
            edition: "2024".into(),
            required_features: Vec::new(),
        }],
        features: [api, "schemars"].map(String::from).into(),
        root,
        dependencies: [
            ("schemars".into(), PackageId(1)),
            ("serde_json".into(), PackageId(2)),
            ("serde".into(), PackageId(3)),
        ]
        .into(),
        ..Package::default()
    };
    // Known by its names alone, as everywhere.
    let known = |name: &str| Package {
        name: name.into(),
        targets: vec![Target {
            name: name.into(),
            lib: true,
            root: package.root.join(format!("{name}.rs")),
            edition: "2021".into(),
            required_features: Vec::new(),
        }],
        ..Package::default()
    };
    let (schemars, serde_json, serde) = (known("schemars"), known("serde_json"), known("serde"));
    let workspace = Workspace {
        packages: vec![package, schemars, serde_json, serde],
        members: vec![PackageId(0)],
        ..Workspace::default()
    };
    let loaded = fixture::load(workspace, Disk, Cfgs::default());
    let budget = Budget::default();
    let overrides = Overrides::default();
    let resolved = ResolvedOverrides::new(&overrides, &loaded.graph);
    let reader = Reader {
        budget: &budget,
        overrides: &resolved,
        graph: &loaded.graph,
    };
    let memo = Memo::default();
    let (mut read, mut recursive) = (0, 0);
    for ty in loaded.graph.types() {
        if loaded.graph.impls(&ty, "JsonSchema").is_empty() {
            continue;
        }
        let span = ty.def.span;
        let name = ty.def.name.clone();
        let mut task = Task::new(reader, &memo, &ty);
        let instance = Concrete::Def(Arc::new(Instance {
            ty,
            args: Vec::new(),
        }));
        let lowered = task.lower(&instance, span);
        let findings = task.into_findings().0.into_diagnostics();
        match lowered {
            Some(_) => read += 1,
            // The schema of schemas contains itself.
            None if findings
                .iter()
                .all(|finding| finding.code == Code::RecursiveType) =>
            {
                recursive += 1;
            }
            None => panic!("{version}: `{name}`: {findings:#?}"),
        }
    }
    assert!(read > least, "{version}: only {read} types were read");
    assert!(
        recursive < 12,
        "{version}: {recursive} types contain themselves"
    );
}
