//! Finds the type of a dependency that makes up most of a large CRD, and suggests how to cut it.

use crd_channels_diagnostics::Sources;
use crd_channels_files::slashed;
use crd_channels_projection::channel::{Kind, walk};
use crd_channels_schema::draft::Type;
use crd_channels_source::Graph;
use crd_channels_workspace::Workspace;
use std::collections::HashMap;
use std::sync::Arc;

/// The divisor of a CRD's size that gives the smallest size worth cutting.
const PART: u64 = 4;

/// The maximum number of uses of the project's own types that are followed.
const MOST_STEPS: usize = 4096;

/// The schema of an object whose fields are not validated.
const OPEN: &str = r#"{ "type": "object", "x-kubernetes-preserve-unknown-fields": true }"#;

/// Returns the help if one type of a dependency is a large part of the kind.
pub fn help(
    kind: &Kind,
    workspace: &Workspace,
    graph: &Graph<'_>,
    sources: &Sources,
) -> Option<String> {
    let mut tops: HashMap<*const Type, (u64, &Arc<Type>)> = HashMap::new();
    let mut all = 0_u64;
    for root in kind.versions.iter().filter_map(|draft| draft.root.as_ref()) {
        all = all.saturating_add(root.nodes);
        let mut open = vec![root];
        let mut steps = MOST_STEPS;
        while let Some(ty) = open.pop() {
            let file = ty.span.and_then(|span| sources.get(span.file));
            if file.is_some_and(|file| file.foreign) {
                let (weight, _) = tops.entry(Arc::as_ptr(ty)).or_insert((0, ty));
                *weight = weight.saturating_add(ty.nodes);
            } else if steps > 0 {
                steps -= 1;
                open.extend(walk::used(ty));
            }
        }
    }
    let (weight, ty) = tops
        .into_values()
        .max_by_key(|(weight, ty)| (*weight, ty.name.clone()))?;
    if weight < all / PART {
        return None;
    }
    let path = graph.short_path(&path(ty, workspace, sources)?)?;
    let name = path.rsplit("::").next()?;
    Some(format!(
        "to leave `{name}` unchecked, which is {} % of it, write `[schemas.\"{path}\"]` and below it `json = '{OPEN}'` into `channels/bundle.toml`; else ",
        weight.saturating_mul(100) / all.max(1)
    ))
}

/// Returns the full path of a type, determined from its file.
fn path(ty: &Type, workspace: &Workspace, sources: &Sources) -> Option<String> {
    let file = sources.get(ty.span?.file)?;
    let packages = workspace.packages.iter();
    let mut found = packages.filter_map(|package| {
        let folder = format!("{}-{}/", package.name, package.version);
        let inside = file.shown.strip_prefix(&*folder)?;
        let library = package.targets.iter().find(|target| target.lib)?;
        let root = library.root.strip_prefix(&package.root).ok()?.parent()?;
        let module = inside.strip_prefix(&*slashed(root))?;
        let module = module.trim_start_matches('/').strip_suffix(".rs")?;
        let module = module.strip_suffix("/mod").unwrap_or(module);
        let module = if module == "lib" { "" } else { module };
        let names = module.split('/').filter(|name| !name.is_empty());
        let names = std::iter::once(library.name.as_str()).chain(names);
        Some(names.collect::<Vec<_>>().join("::"))
    });
    let name = ty.name.split('<').next()?.rsplit("::").next()?;
    Some(format!("{}::{name}", found.next()?))
}
