//! Files of a package do not import each other, except where they describe something recursive.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod shared;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The circles that `ARCHITECTURE.md` explains.
const INHERENT: [(&str, &[&str]); 5] = [
    ("cel", &["go_regexp::class", "go_regexp::escape"]),
    ("compat", &["values::inhabited", "values::local"]),
    ("released", &["yaml::numbers", "yaml::scalars"]),
    (
        "runtime",
        &[
            "conversion::fields",
            "conversion::plan",
            "conversion::variants",
        ],
    ),
    (
        "syntax",
        &[
            "lower_syn::blocks",
            "lower_syn::exprs",
            "lower_syn::paths",
            "lower_syn::patterns",
            "lower_syn::types",
        ],
    ),
];

/// The path of a module from the root of its package.
type Module = Vec<String>;

/// Returns the modules of a package with their texts, except those for tests.
fn modules(source: &Path) -> BTreeMap<Module, String> {
    let mut found = BTreeMap::new();
    for file in shared::rust_files(source) {
        let path = file.strip_prefix(source).unwrap().with_extension("");
        let names = path.iter().map(|name| name.to_str().unwrap().to_owned());
        let mut module: Module = names.collect();
        let is_test = |name: &String| name == "tests" || name.ends_with("_tests");
        if module.iter().any(is_test) || module[0] == "bin" {
            continue;
        }
        if matches!(module[module.len() - 1].as_str(), "lib" | "main" | "mod") {
            module.pop();
        }
        found.insert(module, fs::read_to_string(&file).unwrap());
    }
    found
}

/// Returns the paths in the private imports of a file. A module does not itself use what it re-exports.
fn imports(text: &str) -> Vec<Module> {
    let file = syn::parse_file(text).unwrap();
    let mut found = Vec::new();
    for item in &file.items {
        if let syn::Item::Use(item) = item
            && matches!(item.vis, syn::Visibility::Inherited)
            && item.attrs.is_empty()
        {
            paths(&item.tree, &mut Vec::new(), &mut found);
        }
    }
    found
}

fn paths(tree: &syn::UseTree, before: &mut Module, found: &mut Vec<Module>) {
    match tree {
        syn::UseTree::Path(path) => {
            before.push(path.ident.to_string());
            paths(&path.tree, before, found);
            before.pop();
        }
        syn::UseTree::Group(group) => {
            for tree in &group.items {
                paths(tree, before, found);
            }
        }
        syn::UseTree::Name(name) => {
            found.push([before.as_slice(), &[name.ident.to_string()]].concat());
        }
        syn::UseTree::Rename(rename) => {
            found.push([before.as_slice(), &[rename.ident.to_string()]].concat());
        }
        syn::UseTree::Glob(_) => found.push(before.clone()),
    }
}

/// Returns the module that a path in another module leads to.
fn target(path: &[String], from: &[String], all: &BTreeMap<Module, String>) -> Option<Module> {
    let mut base = match path.first()?.as_str() {
        "crate" => Vec::new(),
        "super" | "self" => from.to_vec(),
        _ => return None,
    };
    for name in path {
        match name.as_str() {
            "super" => drop(base.pop()),
            "crate" | "self" => {}
            _ => base.push(name.clone()),
        }
    }
    while !base.is_empty() && !all.contains_key(&base) {
        base.pop();
    }
    (!base.is_empty() && base != from).then_some(base)
}

/// Returns everything that a module imports, directly or indirectly.
fn reached<'a>(
    from: &Module,
    edges: &'a BTreeMap<Module, BTreeSet<Module>>,
) -> BTreeSet<&'a Module> {
    let mut reached = BTreeSet::new();
    let mut next: Vec<&Module> = edges[from].iter().collect();
    while let Some(module) = next.pop() {
        if reached.insert(module) {
            next.extend(&edges[module]);
        }
    }
    reached
}

/// Returns the circles of a package, each with its modules in order.
fn circles(package: &Path) -> BTreeSet<Vec<String>> {
    let all = modules(&package.join("src"));
    assert!(!all.is_empty(), "{}", package.display());
    let edges: BTreeMap<Module, BTreeSet<Module>> = all
        .iter()
        .map(|(module, text)| {
            let imports = imports(text);
            let targets = imports.iter().filter_map(|path| target(path, module, &all));
            (module.clone(), targets.collect())
        })
        .collect();
    let reached: BTreeMap<&Module, BTreeSet<&Module>> = edges
        .keys()
        .map(|module| (module, reached(module, &edges)))
        .collect();
    let circle_of = |module: &Module| -> Vec<String> {
        let all = reached[module].iter();
        let both = all.filter(|other| reached[**other].contains(module));
        both.map(|module| module.join("::")).collect()
    };
    let circles = edges.keys().map(circle_of);
    circles.filter(|circle| circle.len() > 1).collect()
}

#[test]
fn only_what_is_recursive_makes_circles() {
    let root = shared::root();
    let packages = shared::packages().into_iter();
    let packages = packages.chain(["tasks", "xtask"].map(str::to_owned));
    for package in packages.map(|name| root.join(name)) {
        let name = package.file_name().unwrap().to_str().unwrap();
        let inherent = INHERENT.iter().filter(|(package, _)| *package == name);
        let inherent: BTreeSet<Vec<String>> = inherent
            .map(|(_, modules)| modules.iter().map(|module| (*module).to_owned()).collect())
            .collect();
        assert_eq!(circles(&package), inherent, "circles of {name}");
    }
}

#[test]
fn imports_are_resolved() {
    let texts = [
        ("a", "use super::b::{self, Known};"),
        ("b", "use crate::a::deep::Thing;"),
    ];
    let module = |name: &str| vec![name.to_owned()];
    let all: BTreeMap<Module, String> = texts
        .iter()
        .map(|(name, text)| (module(name), (*text).to_owned()))
        .collect();
    for (name, text) in texts {
        let other = if name == "a" { "b" } else { "a" };
        let imports = imports(text);
        assert!(!imports.is_empty());
        for path in imports {
            assert_eq!(target(&path, &module(name), &all), Some(module(other)));
        }
    }
}
