//! The CRDs of the compiled types, by kind.

use crate::documented::Versions;
use crd_channels_diagnostics::Diagnostic;
use crd_channels_generator::pipeline::{Setup, kubernetes};
use crd_channels_source::{Graph, Probed, TypeRef};
use crd_channels_workspace::{self as workspace, CompileOrder, CompileTarget, Package};
use serde_json::Value;
use std::collections::HashMap;

/// The result for a kind.
#[derive(Clone, Debug)]
pub(crate) enum Shown {
    /// Its CRD.
    Crd(Value),
    /// kube panicked with this message.
    Panic(String),
    /// There is no CRD, for this reason.
    Not(String),
}

/// Compiles the types and returns a result for each.
///
/// # Errors
///
/// `compile-failed` if cargo fails.
pub(crate) fn compile_all(
    setup: &Setup,
    graph: &Graph<'_>,
    types: &[TypeRef],
    arguments: &[String],
) -> Result<Vec<Shown>, Box<Diagnostic>> {
    let probes = graph.probes(types);
    let targets: Vec<CompileTarget> = probes
        .targets
        .iter()
        .filter_map(|target| wanted(setup, target))
        .collect();
    let kubernetes = kubernetes(setup);
    let compiled = match targets.is_empty() {
        true => workspace::Shown::default(),
        false => workspace::compile(CompileOrder {
            workspace: &setup.workspace,
            texts: &probes.files,
            targets: &targets,
            features: &setup.config.bundle.cargo_features,
            kubernetes: kubernetes.as_deref(),
            arguments,
        })?,
    };
    // A macro may make several versions from one definition, each in a module of its own.
    let place = |ty: &TypeRef| (ty.def.span, graph.module_path(ty.module));
    let mut shown: HashMap<_, Shown> = HashMap::new();
    for (name, ty) in &probes.kinds {
        let shows = match compiled.get(name) {
            Some(Ok(json)) => match serde_json::from_str(json) {
                Ok(crd) => Shown::Crd(crd),
                Err(error) => Shown::Not(format!("its output is not a CRD: {error}")),
            },
            Some(Err(words)) => Shown::Panic(words.clone()),
            None => Shown::Not("its program ended before it".to_owned()),
        };
        shown.insert(place(ty), shows);
    }
    for (ty, why) in probes.unreached {
        shown.insert(place(&ty), Shown::Not(why));
    }
    let all = types.iter().map(|ty| {
        let shows = shown.get(&place(ty)).cloned();
        shows.unwrap_or_else(|| Shown::Not("it is not known".to_owned()))
    });
    Ok(all.collect())
}

fn wanted(setup: &Setup, target: &Probed) -> Option<CompileTarget> {
    let Package {
        name,
        version,
        root: folder,
        ..
    } = setup.workspace.package(target.package)?;
    Some(CompileTarget {
        package: format!("{name}@{version}"),
        bin: (!target.lib).then(|| target.name.clone()),
        root: target.root.clone(),
        folder: folder.clone(),
    })
}

/// Returns the versions of kube and schemars that a kind is compiled with.
pub(crate) fn versions(graph: &Graph<'_>, ty: &TypeRef) -> Versions {
    let kube = [
        "kube",
        "kube_core",
        "kube-core",
        "kube_derive",
        "kube-derive",
    ];
    Versions {
        kube: graph.version_of(ty.module, &kube),
        schemars: graph.version_of(ty.module, &["schemars"]),
    }
}
