//! The house rules that a machine can keep: layers import downwards only, processes start in one place, every file says
//! what it is for and stays short enough to be one idea.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The layers, top to bottom; each may import only what stands below it.
const LAYERS: [&str; 20] = [
    "cli",
    "commands",
    "cluster",
    "release",
    "consumer",
    "compat",
    "released",
    "git",
    "pipeline",
    "bundle",
    "channel",
    "check",
    "lower",
    "eval",
    "render",
    "schema",
    "source",
    "workspace",
    "files",
    "diag",
];

/// `diag` names files, `files` reports diagnostics: the two stand beside each other on the ground floor.
const GROUND: [&str; 2] = ["files", "diag"];

/// What judges published bytes never sees what wrote them, not even through another layer.
const JUDGES: [&str; 9] = [
    "bundle", "channel", "check", "cluster", "compat", "consumer", "release", "released", "render",
];
const WRITERS: [&str; 3] = ["source", "eval", "lower"];

/// The only layers that start processes.
const STARTERS: [&str; 3] = ["cluster", "git", "workspace"];

/// A file that needs more lines than this is more than one idea.
const LONGEST: usize = 600;

/// The packages that the layers are in.
const PACKAGES: [&str; 2] = ["xtask", "crates/generator"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Every file of the packages that belongs to a layer, by layer.
fn by_layer() -> BTreeMap<String, Vec<PathBuf>> {
    let mut layers: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for package in PACKAGES {
        let source = root().join(package).join("src");
        let mut files = Vec::new();
        rust_files(&source, &mut files);
        for file in files {
            let relative = file.strip_prefix(&source).unwrap();
            let first = relative.iter().next().unwrap().to_str().unwrap();
            let layer = first.trim_end_matches(".rs");
            if !["bin", "lib", "main"].contains(&layer) {
                layers.entry(layer.to_owned()).or_default().push(file);
            }
        }
    }
    layers
}

/// The layers that a file's code imports, as `crate::layer`; comments and the tests at the end do not count.
fn imports(text: &str) -> BTreeSet<String> {
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap();
    let code: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect();
    let text = code.join("\n");
    text.match_indices("crate::")
        .filter(|(at, _)| !text[..*at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
        .map(|(at, found)| {
            text[at + found.len()..]
                .chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect::<String>()
        })
        .filter(|name| LAYERS.contains(&name.as_str()))
        .collect()
}

fn graph() -> BTreeMap<String, BTreeSet<String>> {
    by_layer()
        .into_iter()
        .map(|(layer, files)| {
            let mut imported = BTreeSet::new();
            for file in files {
                imported.extend(imports(&std::fs::read_to_string(file).unwrap()));
            }
            imported.remove(&layer);
            (layer, imported)
        })
        .collect()
}

fn rank(layer: &str) -> usize {
    LAYERS
        .iter()
        .position(|known| *known == layer)
        .unwrap_or_else(|| {
            panic!("`{layer}` is not a layer: give it a place in LAYERS and in ARCHITECTURE.md")
        })
}

#[test]
fn layers_import_downwards_only() {
    for (layer, imported) in graph() {
        for below in imported {
            let beside = GROUND.contains(&layer.as_str()) && GROUND.contains(&below.as_str());
            assert!(
                rank(&layer) < rank(&below) || beside,
                "`{layer}` imports `{below}`, which stands above it"
            );
        }
    }
}

#[test]
fn judges_never_see_writers_through_any_layer() {
    let graph = graph();
    for judge in JUDGES {
        let mut reached = BTreeSet::new();
        let mut open = vec![judge.to_owned()];
        while let Some(layer) = open.pop() {
            if reached.insert(layer.clone()) {
                open.extend(graph.get(&layer).into_iter().flatten().cloned());
            }
        }
        for writer in WRITERS {
            assert!(!reached.contains(writer), "`{judge}` reaches `{writer}`");
        }
    }
}

#[test]
fn processes_start_in_few_layers() {
    for (layer, files) in by_layer() {
        for file in files {
            let text = std::fs::read_to_string(&file).unwrap();
            let starts = text.contains("process::Command");
            assert!(
                !starts || STARTERS.contains(&layer.as_str()),
                "{} starts processes",
                file.display()
            );
        }
    }
}

/// The tool builds on a fresh machine before its first run, and a controller has one client: its own.
#[test]
fn no_async_runtime_comes_in_unasked() {
    for (package, edges) in [
        ("crd-channels", "normal,build,dev"),
        ("crd-channels-generator", "normal,build,dev"),
        ("crd-channels-derive", "normal,build,dev"),
        ("crd-channels-runtime", "normal,build"),
    ] {
        let output = Command::new(env!("CARGO"))
            .args(["tree", "--locked", "--prefix", "none", "--edges", edges])
            .args(["--package", package])
            .current_dir(root())
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        let tree = String::from_utf8(output.stdout).unwrap();
        assert!(tree.starts_with(package), "{tree}");
        let found = ["tokio v", "kube-client v", "hyper v"];
        let found = found
            .into_iter()
            .find(|name| tree.lines().any(|line| line.starts_with(name)));
        assert_eq!(found, None, "below {package}:\n{tree}");
    }
}

#[test]
fn files_say_what_they_are_for_and_stay_short() {
    let root = root();
    let mut files = Vec::new();
    for folder in ["xtask", "crates", "api-types"] {
        rust_files(&root.join(folder), &mut files);
    }
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let shown = file.strip_prefix(&root).unwrap().display();
        let ui = file.iter().any(|part| part == "ui");
        assert!(
            ui || text.starts_with("//! "),
            "{shown}: the first line says what the file is for"
        );
        let lines = text.lines().count();
        assert!(
            lines <= LONGEST,
            "{shown} has {lines} lines; {LONGEST} is the limit"
        );
    }
}

/// A file that no `mod` names is compiled by nobody, and its tests never run.
#[test]
fn every_file_is_a_module() {
    let root = root();
    let mut files = Vec::new();
    for folder in ["xtask/src", "crates", "api-types/src", "oracle/src"] {
        rust_files(&root.join(folder), &mut files);
    }
    for file in files {
        let parts: Vec<_> = file.iter().filter_map(|part| part.to_str()).collect();
        let stem = file.file_stem().unwrap().to_str().unwrap();
        // What cargo finds by itself, and files whose compilation is a test.
        let is_found = ["lib", "main"].contains(&stem) || parts.contains(&"bin");
        if is_found || parts.contains(&"ui") || !parts.contains(&"src") {
            continue;
        }
        let folder = file.parent().unwrap();
        let (above, name) = match stem == "mod" {
            true => (
                folder.parent().unwrap(),
                folder.file_name().unwrap().to_str().unwrap(),
            ),
            false => (folder, stem),
        };
        let parents = ["mod.rs", "lib.rs", "main.rs"].map(|name| above.join(name));
        let sibling = above.with_extension("rs");
        let shown = file.strip_prefix(&root).unwrap().display();
        let named = parents.iter().chain([&sibling]).any(|parent| {
            let text = std::fs::read_to_string(parent).unwrap_or_default();
            let path = file.file_name().unwrap().to_str().unwrap();
            text.contains(&format!("mod {name};")) || text.contains(&format!("{path}\"]"))
        });
        assert!(named, "{shown}: no `mod {name};` names this file");
    }
}
