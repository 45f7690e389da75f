//! The examples in the pages are real: the tool generates the YAML from the types beside it.
//!
//! An example is a `rust` block and the `yaml` blocks below it. The first line of a YAML block may name the channel, such as `#
//! stable`; otherwise the last `generated/<channel>/` above does. One of the channel's CRDs must contain the shown lines, at
//! any depth.

use super::blocks::blocks;
use super::root;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns a page's examples: the types, and the channel and the text of each excerpt.
fn examples(page: &str) -> Vec<(String, Vec<(String, String)>)> {
    let mut examples: Vec<(String, Vec<(String, String)>)> = Vec::new();
    for block in blocks(page) {
        match block.language.as_str() {
            "rust" => examples.push((block.text, Vec::new())),
            "yaml" => {
                let Some((_, excerpts)) = examples.last_mut() else {
                    panic!("YAML without types:\n{}", block.text);
                };
                let (channel, text) = match block.text.strip_prefix("# ") {
                    Some(rest) => rest.split_once('\n').unwrap(),
                    None => {
                        let (_, path) = block.above.rsplit_once("generated/").unwrap();
                        (path.split_once('/').unwrap().0, block.text.as_str())
                    }
                };
                excerpts.push((channel.to_owned(), text.to_owned()));
            }
            _ => {}
        }
    }
    examples
}

/// Returns every quoted text after a key: `key = "text"`.
fn quoted<'t>(source: &'t str, key: &str) -> Vec<&'t str> {
    let start = format!("{key} = \"");
    let found = source.match_indices(&start);
    let mut texts: Vec<&str> = found
        .filter_map(|(at, start)| source[at + start.len()..].split('"').next())
        .collect();
    texts.sort_unstable();
    texts.dedup();
    texts
}

/// Writes a workspace without dependencies: the tool compiles nothing and knows the derives without their source.
fn workspace(folder: &Path, source: &str) {
    let _ = fs::remove_dir_all(folder);
    let write = |path: &str, text: &str| {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let features: String = quoted(source, "feature")
        .iter()
        .map(|name| {
            format!("[{name}]\nsummary = \"s\"\nowner = \"o\"\nlink = \"l\"\nsince = \"v0.1.0\"\n")
        })
        .collect();
    write("channels/features.toml", &features);
    write("channels/stable.toml", "features = \"none\"\n");
    write("channels/experimental.toml", "features = \"all\"\n");
    write(
        "Cargo.toml",
        "[workspace]\nresolver = \"3\"\nmembers = [\"api\"]\n",
    );
    write(
        "api/Cargo.toml",
        "[package]\nname = \"api\"\nversion = \"0.1.0\"\nedition = \"2024\"\n",
    );
    let root = "#[derive(CustomResource, KubeSchema)]\n\
                #[kube(group = \"example.dev\", version = \"v1\", kind = \"Example\")]\n\
                pub struct ExampleSpec { pub example: ";
    let name = source
        .split_once("pub struct ")
        .or_else(|| source.split_once("pub enum "))
        .and_then(|(_, rest)| rest.split([' ', '(', '{', ';']).next());
    let root = match name {
        Some(name) if !source.contains("#[kube(") => format!("{root}{name} }}\n"),
        _ => String::new(),
    };
    write("api/src/lib.rs", &format!("{source}\n{root}"));
}

/// Removes the indentation that all lines share.
fn dedented(lines: &[&str]) -> Vec<String> {
    let written = lines.iter().filter(|line| !line.trim().is_empty());
    let indent = written.map(|line| line.len() - line.trim_start().len());
    let indent = indent.min().unwrap_or(0);
    lines
        .iter()
        .map(|line| line.get(indent..).unwrap_or_default().to_owned())
        .collect()
}

fn occurs(excerpt: &str, text: &str) -> bool {
    let excerpt = dedented(&excerpt.lines().collect::<Vec<_>>());
    let lines: Vec<&str> = text.lines().collect();
    !excerpt.is_empty()
        && lines
            .windows(excerpt.len())
            .any(|window| dedented(window) == excerpt)
}

fn yaml_files(folder: &Path) -> String {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    paths
        .iter()
        .map(|path| fs::read_to_string(path).unwrap())
        .collect()
}

/// Runs the tool on each example of a page.
fn check(page: &str) {
    let examples = examples(&fs::read_to_string(root().join(page)).unwrap());
    assert!(!examples.is_empty(), "{page} has no example");
    for (number, (source, excerpts)) in examples.iter().enumerate() {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("pages")
            .join(page.replace('/', "-"))
            .join(number.to_string());
        workspace(&folder, source);
        let run = Command::new(env!("CARGO_BIN_EXE_crd-channels"))
            .args(["gen-crds", "--format", "json"])
            .current_dir(&folder)
            .output()
            .unwrap();
        let said: Value = serde_json::from_slice(&run.stdout).unwrap();
        let said = said["findings"].as_array().unwrap().iter();
        // Examples leave out what they are not about: dependencies, and derives that make no schema.
        let left_out = ["missing-derive", "missing-use", "unknown-crate"];
        let said: Vec<&Value> = said
            .filter(|finding| !left_out.iter().any(|code| finding["code"] == *code))
            .collect();
        assert!(
            run.status.success() && said.is_empty(),
            "{page}: the tool says of\n{source}\n{said:#?}"
        );
        assert!(
            !excerpts.is_empty(),
            "{page}: nothing is shown of\n{source}"
        );
        for (channel, excerpt) in excerpts {
            let written = yaml_files(&folder.join("generated").join(channel));
            assert!(
                occurs(excerpt, &written),
                "{page}: the {channel} channel of\n{source}\nhas no\n{excerpt}\nbut\n{written}"
            );
        }
    }
}

#[test]
fn readme() {
    check("README.md");
}

#[test]
fn attributes() {
    check("docs/attributes.md");
}

#[test]
fn installation() {
    check("docs/installation.md");
}

#[test]
fn from_controller_gen() {
    check("docs/from-controller-gen.md");
}
