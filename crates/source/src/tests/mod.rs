//! Tests of the reader on whole fixtures.

mod cfgs;
mod deep;
mod files;
mod kubernetes;
mod lowering;
mod macros;
mod paths;

use super::fixture::Loaded;
use crate::{Def, Graph, ModuleId, Resolved};
use crd_channels_diagnostics::{Diagnostic, FileId, Sink};
use crd_channels_syntax::{lower_syn, parse};

/// The module with a path such as `demo::a`; loads the modules above it.
fn module(graph: &Graph<'_>, path: &str) -> ModuleId {
    let mut id = 0;
    while let Some(module) = graph.module(ModuleId(id)) {
        if *module.path == *path {
            return ModuleId(id);
        }
        let above = format!("{}::", module.path);
        if path.starts_with(&above) {
            graph.content(ModuleId(id), &module);
        }
        id += 1;
    }
    panic!("there is no module `{path}`");
}

/// Resolves a path, as text. A path that starts with `=` is resolved as a value.
fn lead(graph: &Graph<'_>, from: &str, path: &str) -> String {
    let (values, path) = match path.strip_prefix('=') {
        Some(path) => (true, path),
        None => (false, path),
    };
    let path = parse::parsed(path, |path: &syn::Path| lower_syn::path(FileId(0), path));
    let path = path.expect("a path");
    let module = module(graph, from);
    let found = if values {
        graph.resolve_value(module, &path)
    } else {
        graph.resolve_type(module, &path)
    };
    let in_module = |module, name: &str| format!("{}::{name}", graph.module_path(module));
    match found {
        Err(found) => format!("error: {}", found.message),
        Ok(Resolved::External(name)) => format!("extern {name}"),
        Ok(Resolved::Def(def)) => match def {
            Def::Type(ty) => in_module(ty.module, &ty.def.name),
            Def::Alias(module, def) => format!("alias {}", in_module(module, &def.name)),
            Def::Const(module, def) => format!("const {}", in_module(module, &def.name)),
            Def::Fn(module, def) => format!("fn {}", in_module(module, &def.name)),
            Def::Trait(module, def) => format!("trait {}", in_module(module, &def.name)),
            Def::Variant(ty, index) => {
                format!("variant {} {index}", in_module(ty.module, &ty.def.name))
            }
            Def::Associated(ty, name) => {
                format!("associated {}::{name}", in_module(ty.module, &ty.def.name))
            }
        },
    }
}

/// The diagnostics as `code: message`, in source order, including those about the attributes of types.
fn findings(loaded: &Loaded) -> Vec<String> {
    let types = loaded.graph.types();
    let about_types = types.iter().flat_map(|ty| &ty.def.findings).map(line);
    let mut lines = lines(&loaded.findings);
    lines.extend(about_types);
    lines.sort();
    lines
}

fn lines(sink: &Sink) -> Vec<String> {
    let mut lines: Vec<String> = sink.diagnostics().iter().map(line).collect();
    lines.sort();
    lines
}

fn line(found: &Diagnostic) -> String {
    format!("{}: {}", found.code.record().id, found.message)
}
