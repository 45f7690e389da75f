//! House rules that can be checked automatically: the dependencies of packages and modules, the code that starts processes, and
//! that every package and every file states its purpose and is short enough to be one idea.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod shared;

use crd_channels::cli::CommandRow;
use serde_json::Value;
use shared::{root, rust_files, rust_files_of};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Packages that validate or compare what was written. They never depend on code that reads types, not even indirectly, so that
/// a bug in one cannot hide from the other.
const VALIDATORS: [&str; 13] = [
    "crd-channels-cel",
    "crd-channels-internal-check",
    "crd-channels-internal-compat",
    "crd-channels-internal-crd-folders",
    "crd-channels-internal-envtest",
    "crd-channels-internal-files",
    "crd-channels-internal-import",
    "crd-channels-internal-projection",
    "crd-channels-internal-reference",
    "crd-channels-internal-released",
    "crd-channels-internal-schema",
    "crd-channels-internal-signature",
    "crd-channels-validation",
];

/// Packages that read types and generate CRDs from them.
const WRITERS: [&str; 5] = [
    "crd-channels-internal-generator",
    "crd-channels-internal-proof",
    "crd-channels-internal-source",
    "crd-channels-internal-syntax",
    "crd-channels-internal-ungate",
];

/// Packages that other projects link. They only depend on each other among ours.
const LINKED: [&str; 5] = [
    "crd-channels-cel",
    "crd-channels-derive",
    "crd-channels-markers",
    "crd-channels-runtime",
    "crd-channels-validation",
];

/// Modules that validate or compare what was written, in packages that have other modules, too.
const RELEASES: &[&str] = &["consumer", "git", "oci", "release"];
const VALIDATING_MODULES: [(&str, &[&str]); 2] = [
    ("crates/crd-channels", RELEASES),
    (
        "tasks",
        &[
            "changed_crds",
            "e2e",
            "examples",
            "objects",
            "published",
            "random_crds",
            "random_objects",
            "random_rules",
            "record",
            "report",
            "tried_server",
            "verdicts",
        ],
    ),
];

/// The command `e2e` asks the generator whether the CRDs to try are those of the types.
const ASKS: &str = "tasks/src/e2e/command";

/// Packages with several layers, top to bottom; each may import only the layers below it.
const PROGRAM: &[&str] = &["cli", "commands", "release", "consumer", "oci", "git"];
const LAYERS: [(&str, &[&str]); 3] = [
    ("crates/crd-channels", PROGRAM),
    (
        "crates/generator",
        &[
            "pipeline",
            "lower",
            "schemas",
            "serialize",
            "values",
            "types",
        ],
    ),
    ("crates/projection", &["bundle", "channel", "render"]),
];

/// The only folders whose code may start processes.
const STARTERS: [&str; 13] = [
    "crates/crd-channels/src/bin",
    "crates/crd-channels/src/commands/cluster/kubectl.rs",
    "crates/crd-channels/src/consumer/download.rs",
    "crates/crd-channels/src/git",
    "apiserver/envtest",
    "crates/gen-crds/src/hand_over.rs",
    "crates/workspace",
    "tasks/src/dist",
    "tasks/src/e2e",
    "tasks/src/examples.rs",
    "tasks/src/imported_objects",
    "tasks/src/programs.rs",
    "xtask/src/whole.rs",
];

/// A file with more lines is more than one idea.
const LONGEST: usize = 600;

/// Returns the packages of the workspace, in cargo's description.
fn packages() -> Vec<Value> {
    match shared::metadata(&["--no-deps"])["packages"].take() {
        Value::Array(packages) => packages,
        other => panic!("{other}"),
    }
}

/// Returns the packages of the workspace that each package depends on, directly or indirectly, except for tests.
fn reached() -> BTreeMap<String, BTreeSet<String>> {
    let packages = packages();
    let name = |of: &Value| of["name"].as_str().unwrap().to_owned();
    let direct: BTreeMap<String, Vec<String>> = packages
        .iter()
        .map(|package| {
            let all = package["dependencies"].as_array().unwrap();
            let ours = all
                .iter()
                .filter(|it| it["path"].is_string() && it["kind"] != "dev");
            (name(package), ours.map(name).collect())
        })
        .collect();
    let below = |package: &String| {
        let mut found = BTreeSet::new();
        let mut open = direct[package].clone();
        while let Some(next) = open.pop() {
            open.extend(direct.get(&next).into_iter().flatten().cloned());
            found.insert(next);
        }
        found
    };
    direct
        .keys()
        .map(|package| (package.clone(), below(package)))
        .collect()
}

#[test]
fn validators_never_see_writers_through_any_package() {
    let reached = reached();
    for validator in VALIDATORS {
        for writer in WRITERS {
            assert!(
                !reached[validator].contains(writer),
                "`{validator}` depends on `{writer}`"
            );
        }
    }
    for (package, modules) in VALIDATING_MODULES {
        for module in modules {
            for file in files_of(package, module) {
                if file.to_str().unwrap().contains(ASKS) {
                    continue;
                }
                let code = code(&std::fs::read_to_string(&file).unwrap());
                for writer in WRITERS {
                    let named = code.contains(&writer.replace('-', "_"));
                    assert!(!named, "{} uses `{writer}`", file.display());
                }
            }
        }
    }
}

#[test]
fn what_projects_link_brings_nothing_of_the_tool() {
    let reached = reached();
    for package in LINKED {
        let more = reached[package]
            .iter()
            .find(|below| !LINKED.contains(&below.as_str()));
        assert_eq!(more, None, "below `{package}`");
    }
}

/// Returns the files of a module.
fn files_of(package: &str, module: &str) -> Vec<PathBuf> {
    let source = root().join(package).join("src");
    let mut files = Vec::new();
    let folder = source.join(module);
    if folder.is_dir() {
        files.extend(rust_files(&folder));
    }
    let file = folder.with_extension("rs");
    if file.is_file() {
        files.push(file);
    }
    assert!(!files.is_empty(), "`{package}` has no module `{module}`");
    files
}

/// Returns a file's code without comments and the tests at its end.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap();
    let code = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    code.collect::<Vec<_>>().join("\n")
}

/// Returns the modules that code imports, as `crate::module`.
fn imports(code: &str) -> BTreeSet<String> {
    code.match_indices("crate::")
        .filter(|(at, _)| !code[..*at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
        .map(|(at, found)| {
            code[at + found.len()..]
                .chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect()
        })
        .collect()
}

/// cargo enforces the order of packages; this is about modules.
#[test]
fn layers_import_downwards_only() {
    for (package, layers) in LAYERS {
        for (rank, layer) in layers.iter().enumerate() {
            let above = &layers[..rank];
            for file in files_of(package, layer) {
                let imported = imports(&code(&std::fs::read_to_string(&file).unwrap()));
                let upwards = above.iter().find(|above| imported.contains(**above));
                assert_eq!(upwards, None, "{} imports a layer above it", file.display());
            }
        }
    }
}

#[test]
fn every_layer_of_a_package_has_a_rank() {
    for (package, layers) in LAYERS {
        for entry in std::fs::read_dir(root().join(package).join("src")).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            let is_layer = path.is_dir() && name != "bin";
            assert!(
                !is_layer || layers.contains(&name),
                "`{package}` has a layer `{name}`: give it a place in LAYERS and in ARCHITECTURE.md"
            );
        }
    }
}

#[test]
fn processes_start_in_few_places() {
    let root = root();
    let mut files = Vec::new();
    for package in packages() {
        let manifest = Path::new(package["manifest_path"].as_str().unwrap());
        let folder = manifest.parent().unwrap();
        let is_task = ["tasks", "xtask"].iter().any(|name| folder.ends_with(name));
        let is_tool = is_task || shared::is_of_product(folder);
        if is_tool {
            files.extend(rust_files(&folder.join("src")));
        }
    }
    assert!(!files.is_empty());
    let root = root.canonicalize().unwrap();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let file = file.canonicalize().unwrap();
        let shown = file.strip_prefix(&root).unwrap();
        let may = STARTERS.iter().any(|starter| shown.starts_with(starter));
        assert!(
            may || !imports_command(&text),
            "{} starts processes",
            shown.display()
        );
    }
}

/// Whether a file names `std::process::Command`, by its path or in a list of imports.
fn imports_command(text: &str) -> bool {
    let lists = text.split("process::{").skip(1);
    let mut imports = lists.filter_map(|rest| Some(rest.split_once('}')?.0));
    text.contains("process::Command")
        || imports.any(|list| list.split(',').any(|name| name.trim() == "Command"))
}

#[test]
fn a_command_is_found_in_every_form_of_import() {
    for text in [
        "use std::process::Command;",
        "use std::process::{Child, Command, Stdio};",
        "use std::process::{\n    Command,\n    Stdio,\n};",
        "use std::{io, process::{Command, ExitCode}};",
        "use std::process;\nfn f() { process::Command::new(\"true\"); }",
    ] {
        assert!(imports_command(text), "{text}");
    }
    for text in ["use std::process::{ExitCode, Stdio};", "use clap::Command;"] {
        assert!(!imports_command(text), "{text}");
    }
}

/// The metadata that crates.io and docs.rs show.
#[test]
fn every_package_says_what_it_is_for() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    for package in packages() {
        let folder = Path::new(package["manifest_path"].as_str().unwrap())
            .parent()
            .unwrap();
        let name = package["name"].as_str().unwrap();
        assert!(package["description"].is_string(), "{name}: no description");
        if !shared::is_of_product(folder) {
            continue;
        }
        for key in ["keywords", "categories"] {
            let value = &package[key];
            let is_empty = value.is_null() || value.as_array().is_some_and(Vec::is_empty);
            assert!(!is_empty, "{name}: Cargo.toml has no {key}");
        }
        let row = folder.strip_prefix(root().canonicalize().unwrap()).unwrap();
        let row = format!("`{}/`", row.display());
        assert!(readme.contains(&row), "README.md has no row for {row}");
        let page = std::fs::read_to_string(folder.join("README.md"))
            .unwrap_or_else(|error| panic!("{name}: README.md: {error}"));
        assert!(
            page.starts_with(&format!("# {name}\n")),
            "{name}: the title"
        );
        assert!(page.contains("\n```"), "{name}: README.md has no example");
        let library = std::fs::read_to_string(folder.join("src/lib.rs")).unwrap();
        assert!(
            library.contains("#![doc = include_str!(\"../README.md\")]"),
            "{name}: docs.rs does not show README.md"
        );
    }
}

/// Returns the dependencies of a package, one per line.
fn tree(package: &str, edges: &str, format: &str) -> String {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--locked", "--prefix", "none", "--edges", edges])
        .args(["--package", package, "--format", format])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let tree = String::from_utf8(output.stdout).unwrap();
    assert!(tree.starts_with(package), "{tree}");
    tree
}

/// Packages for other commands. `gen-crds` would wait for them without using any.
const OF_OTHER_COMMANDS: [&str; 14] = [
    "clap_complete",
    "clap_mangen",
    "crd-channels",
    "crd-channels-internal-compat",
    "crd-channels-internal-envtest",
    "crd-channels-internal-import",
    "crd-channels-internal-signature",
    "flate2",
    "minisign",
    "serde-saphyr",
    "sha1",
    "tar",
    "toml_edit",
    "walkdir",
];

/// Newcomers wait for the first build of `cargo xtask gen-crds`.
#[test]
fn a_first_gen_crds_builds_nothing_that_only_other_commands_need() {
    let tree = tree("xtask", "normal,build", "{p}");
    let names: BTreeSet<&str> = tree
        .lines()
        .filter_map(|line| line.split(' ').next())
        .collect();
    let found = OF_OTHER_COMMANDS.iter().find(|name| names.contains(*name));
    assert_eq!(found, None, "below xtask:\n{tree}");
}

/// cargo builds a package, and all packages above it, once for each set of features. So the whole program, which `xtask` builds
/// for other commands, must use what `gen-crds` was built from.
#[test]
fn the_whole_program_builds_nothing_again_that_gen_crds_has_built() {
    let built = |package| {
        let tree = tree(package, "normal,build", "{p} {f}");
        let lines = tree.lines().map(|line| line.trim_end_matches(" (*)"));
        lines.map(str::to_owned).collect::<BTreeSet<_>>()
    };
    let (first, whole) = (built("xtask"), built("tasks"));
    let first = first.into_iter().filter(|line| !line.starts_with("xtask "));
    let again: Vec<_> = first.filter(|line| !whole.contains(line)).collect();
    assert!(again.is_empty(), "built with other features: {again:#?}");
}

/// The tool has to build quickly on a new machine, and a controller already has a client of its own.
#[test]
fn no_async_runtime_comes_in_unasked() {
    for (package, edges) in [
        ("crd-channels", "normal,build,dev"),
        ("crd-channels-internal-generator", "normal,build,dev"),
        ("tasks", "normal,build,dev"),
        ("xtask", "normal,build,dev"),
        ("crd-channels-derive", "normal,build,dev"),
        ("crd-channels-runtime", "normal,build"),
    ] {
        let tree = tree(package, edges, "{p}");
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
    for file in rust_files_of(&[
        "tasks",
        "xtask",
        "apiserver",
        "crates",
        "api-types",
        "examples",
    ]) {
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

/// Phrases that native readers stumble over, between colons; messages avoid those after the blank line, too.
const UNIDIOMATIC: &str = include_str!("../../crates/crd-channels/tests/unidiomatic.txt");

#[test]
fn comments_and_pages_are_in_plain_english() {
    let root = root();
    let common = UNIDIOMATIC.split("\n# only in messages\n").next();
    let phrases = common.unwrap().lines();
    let phrases: Vec<&str> = phrases.filter_map(|line| line.split(':').nth(1)).collect();
    assert!(phrases.len() > 5, "{phrases:?}");
    let check = |file: &Path, line: &str| {
        let prose: Vec<&str> = line.split('`').step_by(2).collect();
        let prose = format!(" {} ", prose.join("``").to_lowercase());
        let found = phrases.iter().find(|phrase| prose.contains(**phrase));
        let shown = file.strip_prefix(&root).unwrap().display();
        assert_eq!(found, None, "{shown}: {line}");
    };
    for file in rust_files_of(&[
        "tasks",
        "xtask",
        "apiserver",
        "crates",
        "examples",
        "oracle",
    ]) {
        // Texts of tests are the sources of fixtures.
        let is_test = |part| part == "tests";
        if shared::is_of_product(&file) && file.iter().any(is_test) {
            continue;
        }
        let text = std::fs::read_to_string(&file).unwrap();
        let comments = text.lines().map(str::trim_start);
        let comments = comments.filter(|line| line.starts_with("//"));
        comments.for_each(|comment| check(&file, comment));
    }
    for file in pages() {
        let text = std::fs::read_to_string(&file).unwrap();
        // Every other part is the code of a fence.
        let prose = text.split("```").step_by(2).flat_map(str::lines);
        prose.for_each(|line| check(&file, line));
    }
}

/// Our Markdown files: pages for users, and the READMEs of packages.
fn pages() -> Vec<PathBuf> {
    let root = root();
    let packages = shared::packages().into_iter();
    let packages = packages.map(|package| root.join(package));
    let folders = ["", "docs", "benches", "apiserver"].map(|folder| root.join(folder));
    let folders = folders.into_iter().chain(packages);
    let entries = folders.flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let paths = entries.map(|entry| entry.unwrap().path());
    let pages = paths.filter(|path| path.extension().is_some_and(|it| it == "md"));
    let pages: Vec<_> = pages.collect();
    assert!(pages.len() > 40, "{pages:?}");
    pages
}

/// A file that no `mod` names is not compiled, so its tests never run.
#[test]
fn every_file_is_a_module() {
    let root = root();
    for file in rust_files_of(&[
        "tasks/src",
        "xtask/src",
        "apiserver",
        "crates",
        "api-types/src",
        "examples/operator",
        "oracle/src",
    ]) {
        let parts: Vec<_> = file.iter().filter_map(|part| part.to_str()).collect();
        let stem = file.file_stem().unwrap().to_str().unwrap();
        // Files that cargo finds by itself, and files whose compilation is a test.
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

/// The advice to run a command can be followed as printed: texts name a command `crd-channels COMMAND`, which the reports
/// replace by what the user types (`crates/diagnostics/src/program.rs`), or name the program that they are given.
#[test]
fn advice_names_commands_as_they_are_typed() {
    let root = root();
    let commands = crd_channels::cli::table::commands();
    let commands: BTreeSet<String> = commands.map(CommandRow::name).collect();
    let advises = |text: &str| -> Vec<String> {
        let words = [
            "run `", "Run `", "with `", "see `", "use `", "try `", "then `", "or `",
        ];
        let quoted = words.iter().flat_map(|word| text.split(word).skip(1));
        let quoted = quoted.filter_map(|rest| rest.split('`').next());
        let first = |quoted: &&str| {
            quoted
                .split(' ')
                .next()
                .is_some_and(|it| commands.contains(it))
        };
        quoted.filter(first).map(str::to_owned).collect()
    };
    assert_eq!(
        advises("run `prove`, or `gen-crds --cost`"),
        ["prove", "gen-crds --cost"]
    );
    assert_eq!(
        advises("run `crd-channels prove` or `{program} gen-crds`"),
        [""; 0]
    );
    let mut found = Vec::new();
    for file in rust_files_of(&shared::PACKAGES) {
        let shown = file.strip_prefix(&root).unwrap();
        let is_source = shown.iter().any(|part| part == "src");
        let is_help = shown.iter().any(|part| part == "cli");
        let is_test = shown.to_str().unwrap().contains("tests");
        if is_source && !is_help && !is_test {
            let advice = advises(&code(&std::fs::read_to_string(&file).unwrap()));
            found.extend(
                advice
                    .iter()
                    .map(|it| format!("{}: `{it}`", shown.display())),
            );
        }
    }
    assert_eq!(found, Vec::<String>::new());
}
