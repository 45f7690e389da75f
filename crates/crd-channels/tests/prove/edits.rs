//! No edit of code behind a record is missed. Draws programs whose defaults are made in every way that code can be used; each part
//! is in a file of its own. The compiler once confirms a plain model of the values. Then each edit of one part either makes the
//! records stale whose values it changes, or the value is that of the model.
//!
//! `EDITS` sets the number of edits, `EDITS_SEED` the first seed.

use super::Compiled;
use std::collections::{BTreeMap, BTreeSet};

/// A way to make and to use a value.
#[derive(Default)]
struct Form {
    /// The expression that uses it.
    usage: &'static str,
    /// Files and what is in them. `$e` is an expression of the number of the node and of other nodes, `$k` the number alone, `$n`
    /// tells the nodes apart, `$own`, `$mid` and `$far` are modules. A file without an end is a module.
    parts: Vec<(&'static str, String)>,
    /// A file, a text in it, and one that adds 5 to the value.
    redirect: Option<[&'static str; 3]>,
    constant: bool,
}

fn forms() -> Vec<Form> {
    let mut forms: Vec<Form> = Vec::new();
    let mut constant = true;
    for line in include_str!("edits.txt").lines() {
        if let Some(usage) = line.strip_prefix("= ") {
            forms.push(Form {
                usage,
                constant,
                ..Form::default()
            });
        } else if let Some(edit) = line.strip_prefix("~ ") {
            let edit: Vec<&str> = edit.split(" ~ ").collect();
            forms.last_mut().unwrap().redirect = Some(edit.try_into().unwrap());
        } else if line.starts_with("== ") {
            constant = false;
        } else if let Some((file, text)) = line.split_once(": ")
            && !line.starts_with("//")
        {
            let text = text.replace("$add", ADD);
            let parts = &mut forms.last_mut().unwrap().parts;
            match parts.last_mut() {
                Some((last, known)) if *last == file => *known += &format!("\n{text}"),
                _ => parts.push((file, text)),
            }
        }
    }
    forms
}

const ADD: &str = "{ type Output = u32; fn add(self, x: u32) -> u32 { x + $e } }";

const BASE: &str = "
//- Cargo.toml
[workspace]
[package]
name = \"api\"
version = \"0.1.0\"
edition = \"2024\"
[features]
default = []
big = []
$dependencies
dep = { path = \"dep\" }
mac = { path = \"mac\" }
//- dep/Cargo.toml
[package]
name = \"dep\"
version = \"0.1.0\"
edition = \"2024\"
//- mac/Cargo.toml
[package]
name = \"mac\"
version = \"0.1.0\"
edition = \"2024\"
[lib]
proc-macro = true
//- channels/bundle.toml
annotation-prefix = \"example.com\"
";

/// Draws numbers.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }
}

/// A number that the environment sets.
pub(super) fn number(name: &str, default: u64) -> u64 {
    let said = std::env::var(name).ok();
    said.map_or(default, |said| said.parse().unwrap())
}

/// A node of the program, and the nodes that it uses.
struct Node {
    form: Form,
    children: Vec<usize>,
}

fn number_of(node: usize) -> usize {
    1000 + 10 * node
}

fn values(nodes: &[Node], edited: usize, by: usize) -> Vec<usize> {
    let mut values: Vec<usize> = Vec::new();
    for (index, node) in nodes.iter().enumerate() {
        let own = number_of(index) + if index == edited { by } else { 0 };
        values.push(
            own + node
                .children
                .iter()
                .map(|child| values[*child])
                .sum::<usize>(),
        );
    }
    values
}

/// Replaces what stands for the parts of a node.
fn filled(text: &str, index: usize, nodes: &[Node]) -> String {
    let uses = nodes[index]
        .children
        .iter()
        .map(|child| format!(" + {}", filled(nodes[*child].form.usage, *child, nodes)));
    let number = number_of(index).to_string();
    let sum = format!("{number}_u32{}", uses.collect::<String>());
    let sum = if text.contains("$k") { &number } else { &sum };
    let mut text = text.replace("$e", sum).replace("$k", &number);
    for module in ["own", "mid", "far"] {
        text = text.replace(&format!("${module}"), &format!("crate::{module}$n"));
    }
    text.replace("$n", &index.to_string())
}

fn path_of(file: &str, index: usize) -> String {
    let file = file.replace("$n", &index.to_string());
    match file.contains('.') {
        true => file,
        false => format!("src/{file}.rs"),
    }
}

/// A program with every form once, in random order.
fn draw(dice: &mut Dice) -> (Vec<Node>, BTreeMap<String, String>) {
    let mut forms = forms();
    for index in (1..forms.len()).rev() {
        forms.swap(index, dice.below(index + 1));
    }
    let mut nodes: Vec<Node> = Vec::new();
    for form in forms {
        let takes = form.parts.iter().any(|(_, text)| text.contains("$e"));
        let mut node = Node {
            form,
            children: Vec::new(),
        };
        for _ in 0..dice.below(3) {
            if nodes.is_empty() || !takes {
                break;
            }
            let child = dice.below(nodes.len());
            let is_deep = values(&nodes, nodes.len(), 0)[child] > 100_000_000;
            if !is_deep && (nodes[child].form.constant || !node.form.constant) {
                node.children.push(child);
            }
        }
        nodes.push(node);
    }
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    files.insert(
        "mac/src/lib.rs".to_owned(),
        "use proc_macro::TokenStream;\n".to_owned(),
    );
    files.insert(
        "build.rs".to_owned(),
        "fn main() {\n    println!(\"cargo::rerun-if-changed=build.rs\");\n".to_owned(),
    );
    let mut modules = BTreeSet::new();
    let (mut fields, mut defaults) = (String::new(), String::new());
    for (index, node) in nodes.iter().enumerate() {
        let Form { parts, usage, .. } = &node.form;
        for (file, text) in parts {
            let path = path_of(file, index);
            if !file.contains('.') && *file != "macros" {
                modules.insert(path["src/".len()..path.len() - ".rs".len()].to_owned());
            }
            *files.entry(path).or_default() += &(filled(text, index, &nodes) + "\n");
        }
        let usage = filled(usage, index, &nodes);
        fields += &format!("    #[serde(default = \"d{index}\")]\n    pub f{index}: u32,\n");
        defaults += &format!("fn d{index}() -> u32 {{ ({usage}).max(0) }}\n");
    }
    *files.entry("build.rs".to_owned()).or_default() += "}\n";
    let modules: String = modules
        .iter()
        .map(|name| format!("pub mod {name};\n"))
        .collect();
    let lib = format!("#![allow(warnings)]\n#[macro_use]\nmod macros;\nmod kind;\n{modules}");
    files.insert("src/lib.rs".to_owned(), lib);
    let kind = format!(
        "$imports\n#[derive(CustomResource, Clone, Debug, Deserialize, JsonSchema, Serialize)]\n\
         #[kube(group = \"a.example.com\", version = \"v1\", kind = \"Route\")]\npub struct RouteSpec {{\n{fields}}}\n{defaults}"
    );
    files.insert("src/kind.rs".to_owned(), kind);
    (nodes, files)
}

/// The defaults of a CRD.
fn defaults(crd: &str) -> BTreeMap<String, usize> {
    let lines: Vec<&str> = crd.lines().map(str::trim).collect();
    let pairs = lines.windows(2).filter_map(|pair| {
        let name = pair[0].strip_suffix(':')?;
        let value = pair[1].strip_prefix("default: ")?.parse().ok()?;
        Some((name.to_owned(), value))
    });
    pairs.collect()
}

#[test]
fn no_edit_behind_a_record_is_missed() {
    let (mut left, mut seed) = (number("EDITS", 24), number("EDITS_SEED", 1));
    let (mut changed, mut stale, mut refused, mut missed) = (0, 0, 0, Vec::new());
    while left > 0 {
        let mut dice = Dice(seed);
        let (nodes, files) = draw(&mut dice);
        let texts = files
            .iter()
            .map(|(path, text)| format!("//- {path}\n{text}"));
        let project = Compiled::new(&(BASE.to_owned() + &texts.collect::<String>()));
        project.run(&["gen-crds", "--record"]).with_code(0);
        let crd = "generated/stable/a.example.com_routes.yaml";
        let shown = defaults(&project.workspace.read(crd));
        for (index, value) in values(&nodes, nodes.len(), 0).into_iter().enumerate() {
            assert_eq!(
                shown.get(&format!("f{index}")),
                Some(&value),
                "seed {seed}: the model, {}",
                nodes[index].form.usage
            );
        }
        let mut edits = Vec::new();
        for (index, node) in nodes.iter().enumerate() {
            let form = &node.form;
            let number = number_of(index);
            let holds = form
                .parts
                .iter()
                .find(|(_, text)| ["$e", "$k"].iter().any(|part| text.contains(part)));
            edits.push((
                index,
                3,
                path_of(holds.unwrap().0, index),
                number.to_string(),
                (number + 3).to_string(),
            ));
            if let Some([file, from, to]) = form.redirect {
                edits.push((
                    index,
                    5,
                    path_of(file, index),
                    filled(from, index, &nodes),
                    filled(to, index, &nodes),
                ));
            }
        }
        for index in (1..edits.len()).rev() {
            edits.swap(index, dice.below(index + 1));
        }
        for (index, by, file, from, to) in edits {
            if left == 0 {
                break;
            }
            left -= 1;
            let before = project.workspace.read(&file);
            project.workspace.write(&file, before.replace(&from, &to));
            let ran = project.run(&["gen-crds", "--format", "json"]);
            let shown = defaults(&project.workspace.read(crd));
            let findings = ran.findings();
            refused += usize::from(ran.code == Some(2));
            for (field, (now, then)) in values(&nodes, index, by)
                .into_iter()
                .zip(values(&nodes, nodes.len(), 0))
                .enumerate()
            {
                let place = format!("`api::kind::RouteSpec.f{field}`");
                let helps = findings.iter().filter_map(|finding| finding.help.as_ref());
                let mut asks = helps.filter(|help| help.contains(&place));
                let is_refused = ran.code != Some(0)
                    && findings
                        .iter()
                        .all(|finding| finding.code != "not-constant");
                let is_stale = is_refused || asks.next().is_some();
                stale += usize::from(is_stale);
                changed += usize::from(now != then);
                if !is_stale && shown.get(&format!("f{field}")) != Some(&now) {
                    let text = format!(
                        "seed {seed}: {file}: {from} -> {to}: {}, used by {}",
                        nodes[index].form.usage, nodes[field].form.usage
                    );
                    missed.push((field != index, text));
                }
            }
            project.workspace.write(&file, before);
        }
        seed += 1;
    }
    println!(
        "{changed} values changed, {stale} records stale, {refused} runs refused, {} missed",
        missed.len()
    );
    missed.sort();
    missed.dedup();
    assert!(missed.is_empty(), "{missed:#?}");
}
