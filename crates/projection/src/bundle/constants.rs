//! The names of a bundle as constants in Rust, formatted as rustfmt leaves it.

use crate::channel::config::{Channel, Config};
use crate::channel::{Declared, DeclaredType, Stamp, Word, Words, all_declared};
use crd_channels_markers::constant_name;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The first line of the file.
const HEAD: &str = "//! The names of the bundle, written by `gen-crds`; do not edit: the next run overwrites it.\n";

/// The maximum length of a line.
const WIDTH: usize = 100;

/// The maximum length of an attribute's arguments on one line.
const ATTRIBUTE_WIDTH: usize = 70;

/// Names that cannot be raw identifiers.
const PATH_WORDS: [&str; 3] = ["crate", "self", "super"];

/// Keywords that can only name a module as raw identifiers.
const KEYWORDS: [&str; 48] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let",
    "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return",
    "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield",
];

/// Returns true if the file is empty or was written by this module.
#[must_use]
pub fn is_ours(text: &str) -> bool {
    text.trim().is_empty() || text.starts_with(HEAD)
}

/// The text of the file.
#[must_use]
pub fn constants_file(config: &Config, stamp: &Stamp, kinds: &[Words]) -> String {
    let mut file = Module {
        text: format!("{HEAD}\n#![allow(dead_code)]\n"),
        ..Module::default()
    };
    let version = format!("v{}", stamp.version);
    file.text_constant(
        "BUNDLE_VERSION",
        "The version, as in the annotation of every CRD.",
        &version,
    );
    let docs = "The annotation with the bundle that a CRD belongs to.";
    file.text_constant("BUNDLE_VERSION_ANNOTATION", docs, &stamp.version_key());
    let docs = "The annotation with the channel that a CRD belongs to.";
    file.text_constant("CHANNEL_ANNOTATION", docs, &stamp.channel_key());
    file.module(
        "channels",
        "The channels, as in the annotation.",
        |module| {
            for Channel {
                name, annotation, ..
            } in &config.channels
            {
                let docs = format!("The channel `{name}`.");
                module.text_constant(&constant(name), &docs, &annotation.value);
            }
        },
    );
    file.module("features", "The features that gates name.", |module| {
        for feature in &config.features.declared {
            let name = &feature.name.value;
            module.text_constant(&constant(name), &feature.summary, name);
        }
    });
    file.module("kinds", "The kinds and their versions.", |module| {
        kinds.iter().for_each(|kind| module.kind(kind));
    });
    file.module(
        "conditions",
        "The types of conditions and their reasons.",
        |module| {
            for declared in &all_declared(kinds) {
                module.declared(declared);
            }
        },
    );
    file.text
}

/// A module that is being written.
#[derive(Default)]
struct Module {
    text: String,
    depth: usize,
    /// The names of its constants, and those of its modules.
    constants: BTreeSet<String>,
    modules: BTreeSet<String>,
}

impl Module {
    fn kind(&mut self, kind: &Words) {
        let Words {
            group,
            kind: name,
            plural,
            versions,
            conditions: _,
        } = kind;
        let docs = format!("`{name}` of `{group}`.");
        self.module(&module(name), &docs, |module| {
            module.text_constant("GROUP", "The API group.", group);
            module.text_constant("KIND", "The kind.", name);
            module.text_constant("PLURAL", "The plural name, as in URLs.", plural);
            module.text_constant("CRD", "The name of the CRD.", &format!("{plural}.{group}"));
            versions
                .iter()
                .for_each(|version| module.word(version, None));
        });
    }

    fn declared(&mut self, declared: &Declared) {
        let docs = format!("The conditions of `{}`.", declared.name);
        self.module(&module(&declared.name), &docs, |inside| {
            for DeclaredType {
                word,
                replaced,
                reasons,
            } in &declared.types
            {
                let note = replaced
                    .as_ref()
                    .map(|(by, until)| format!("replaced by `{by}`, removed in {until}"));
                inside.word(word, note.as_deref());
                let docs = format!("The reasons of `{}`.", word.name);
                inside.module(&module(bare(&word.name)), &docs, |module| {
                    for reason in together(reasons) {
                        module.word(&reason, None);
                    }
                });
            }
        });
    }

    /// Writes the constant of a word; its documentation says so if the word is not in every channel.
    fn word(&mut self, word: &Word, deprecated: Option<&str>) {
        let mut docs = word.docs.clone();
        if !word.when.is_empty() {
            let when = word.when.join(" and ");
            let _ = write!(docs, "\n\nExperimental: only available {when}.");
        }
        self.constant(&constant(bare(&word.name)), &docs, deprecated, &word.name);
    }

    fn text_constant(&mut self, name: &str, docs: &str, value: &str) {
        self.constant(name, docs, None, value);
    }

    fn constant(&mut self, name: &str, docs: &str, deprecated: Option<&str>, value: &str) {
        let name = unique(&mut self.constants, name);
        self.docs(docs);
        let indent = " ".repeat(4 * self.depth);
        if let Some(note) = deprecated {
            let inside = format!("note = {note:?}");
            let attribute = match inside.len() > ATTRIBUTE_WIDTH {
                true => format!("#[deprecated(\n{indent}    {inside}\n{indent})]"),
                false => format!("#[deprecated({inside})]"),
            };
            let _ = writeln!(self.text, "{indent}{attribute}");
        }
        let value = format!("{value:?};");
        let wide = |line: &str| line.chars().count() > WIDTH;
        let begin = format!("{indent}pub const {name}: &str =");
        let line = format!("{begin} {value}");
        let line = match (wide(&begin), wide(&line)) {
            (true, _) => format!("{indent}pub const {name}:\n{indent}    &str = {value}"),
            (false, true) => format!("{begin}\n{indent}    {value}"),
            (false, false) => line,
        };
        let _ = writeln!(self.text, "{line}");
    }

    /// Writes a module, unless it is empty.
    fn module(&mut self, name: &str, docs: &str, inside: impl FnOnce(&mut Self)) {
        let mut below = Self {
            depth: self.depth + 1,
            ..Self::default()
        };
        inside(&mut below);
        if below.text.is_empty() {
            return;
        }
        let name = unique(&mut self.modules, name);
        let name = match KEYWORDS.contains(&&*name) {
            true => format!("r#{name}"),
            false => name,
        };
        self.docs(docs);
        let indent = " ".repeat(4 * self.depth);
        let inside = below.text.trim_start_matches('\n');
        let _ = write!(self.text, "{indent}pub mod {name} {{\n{inside}{indent}}}\n");
    }

    /// Writes a blank line and the documentation of the next item.
    fn docs(&mut self, docs: &str) {
        let indent = " ".repeat(4 * self.depth);
        self.text.push('\n');
        for line in docs.lines() {
            let line = format!("{indent}/// {line}");
            let _ = writeln!(self.text, "{}", line.trim_end());
        }
    }
}

/// Merges reasons with the same name, which differ only in their status, into one constant.
fn together(reasons: &[Word]) -> Vec<Word> {
    let mut found: Vec<Word> = Vec::new();
    for reason in reasons {
        match found.iter_mut().find(|known| known.name == reason.name) {
            Some(known) => {
                let _ = write!(known.docs, "\n\n{}", reason.docs);
                known.when.retain(|when| reason.when.contains(when));
            }
            None => found.push(reason.clone()),
        }
    }
    found
}

/// Returns a condition type without its domain.
fn bare(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// Returns the name of a constant.
fn constant(word: &str) -> String {
    let words: Vec<String> = word
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(constant_name)
        .collect();
    let name = match words.is_empty() {
        // No character of it is allowed in a constant's name.
        true => "UNNAMED".to_owned(),
        false => words.join("_"),
    };
    match name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        true => name,
        false => format!("_{name}"),
    }
}

/// Returns the name of a module.
fn module(word: &str) -> String {
    let name = constant(word).to_lowercase();
    match PATH_WORDS.contains(&&*name) {
        true => format!("{name}_"),
        false => name,
    }
}

/// Returns the name, with a number appended if it is taken.
fn unique(taken: &mut BTreeSet<String>, name: &str) -> String {
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    let free = names.find(|name| !taken.contains(name)).unwrap_or_default();
    taken.insert(free.clone());
    free
}
