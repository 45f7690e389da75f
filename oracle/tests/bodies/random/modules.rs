//! A tree of modules that have the same few names, private and public, imported by name and by globs; a function in one of them
//! says what each name means there.

use super::body::Body;
use crate::dice::Dice;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The names of items and of modules. A module, a function and a type may share one.
const NAMES: [&str; 5] = ["f", "g", "Own", "m", "n"];

struct Module {
    name: &'static str,
    parent: Option<usize>,
    text: String,
    /// The names that are written in it, by namespace: whether it is that of types.
    taken: BTreeSet<(&'static str, bool)>,
}

struct Tree {
    dice: Dice,
    modules: Vec<Module>,
    /// The values so far: each item has one of its own.
    values: u32,
}

/// A tree by its seed.
pub fn body(seed: u64) -> Body {
    let root = Module {
        name: "",
        parent: None,
        text: String::new(),
        taken: BTreeSet::from([("value", false)]),
    };
    let mut tree = Tree {
        dice: Dice::new(seed),
        modules: vec![root],
        values: 0,
    };
    for _ in 0..tree.dice.pick(&[2, 3, 3, 4, 5]) {
        tree.module();
    }
    let size = tree.modules.len();
    for _ in 0..size * 3 {
        let of = tree.dice.roll(size);
        tree.item(of);
    }
    let asking = match tree.dice.one_in(3) {
        true => tree.dice.roll(size),
        false => 0,
    };
    let inside = match tree.dice.one_in(6) {
        true => {
            let (path, module) = tree.path(asking);
            let name = tree.name_in(module);
            let choice = tree.dice.pick(&["*", name]);
            format!("use {path}::{choice};\n")
        }
        false => String::new(),
    };
    let values = tree.values(asking);
    write!(
        tree.modules[asking].text,
        "pub fn value() -> Vec<u32> {{\n{inside}vec![\n{values}] }}\n"
    )
    .unwrap();
    let mut names = vec!["value"];
    let mut at = asking;
    while let Some(parent) = tree.modules[at].parent {
        names.insert(0, tree.modules[at].name);
        at = parent;
    }
    let text = tree.text(0);
    let [names, text] = tree.spelled([&names.join("::"), &text]);
    let mut body = Body::at(names, "Vec<u32>", &text);
    body.is_of_items = true;
    body
}

impl Tree {
    fn module(&mut self) {
        let parent = self.dice.roll(self.modules.len());
        let name = self.dice.pick(&["m", "m", "n", "n", "f", "Own"]);
        if self.modules[parent].taken.insert((name, true)) {
            self.modules.push(Module {
                name,
                parent: Some(parent),
                text: String::new(),
                taken: BTreeSet::from([("value", false)]),
            });
        }
    }

    /// Whether a name is free in the namespaces that an item takes; takes them.
    fn take(&mut self, of: usize, name: &'static str, types: bool, values: bool) -> bool {
        let taken = &mut self.modules[of].taken;
        let wanted = [(name, true), (name, false)];
        let wanted = wanted
            .into_iter()
            .filter(|(_, is_type)| if *is_type { types } else { values });
        if wanted.clone().any(|key| taken.contains(&key)) {
            return false;
        }
        taken.extend(wanted);
        true
    }

    fn item(&mut self, of: usize) {
        let vis = self.visibility(of);
        let name = self.dice.pick(&NAMES[..3]);
        self.values += 1;
        let number = self.values;
        let own = format!(
            "impl {name} {{ pub fn f() -> u32 {{ {number} }} pub const g: u32 = {number}; }}"
        );
        let text = match self.dice.roll(22) {
            0..3 if self.take(of, name, false, true) => {
                format!("{vis}fn {name}() -> u32 {{ {number} }}")
            }
            3..5 if self.take(of, name, false, true) => {
                format!("{vis}const {name}: u32 = {number};")
            }
            5 if self.take(of, name, true, true) => format!("{vis}struct {name}; {own}"),
            6 if self.take(of, name, true, true) => {
                let field = self.visibility(of);
                format!("{vis}struct {name}({field}u32); {own}")
            }
            7 if self.take(of, name, true, false) => format!("{vis}struct {name} {{}} {own}"),
            8 if self.take(of, name, true, false) => format!("{vis}enum {name} {{ f, g }}"),
            9 if self.take(of, name, true, false) => {
                let (path, module) = self.path(of);
                let meant = self.name_in(module);
                format!("{vis}type {name} = {path}::{meant};")
            }
            10 if self.take(of, name, false, true) => format!(
                "macro_rules! made {{ ($name:ident) => {{ {vis}fn $name() -> u32 {{ {number} }} }} }} made!({name});"
            ),
            11..16 => {
                let (path, _) = self.path(of);
                format!("{vis}use {path}::*;")
            }
            16..22 => {
                let (path, module) = self.path(of);
                let meant = self.name_in(module);
                let last = path.rsplit("::").next().unwrap_or_default();
                let last = NAMES.into_iter().find(|name| *name == last);
                let (imported, used) = match self.dice.roll(8) {
                    0..4 => (Some(meant), meant.to_owned()),
                    4..6 => (Some(name), format!("{meant} as {name}")),
                    6 => (Some(name), format!("{{self as {name}}}")),
                    _ => (last, "{self}".to_owned()),
                };
                if !imported.is_some_and(|name| self.take(of, name, true, true)) {
                    return;
                }
                format!("{vis}use {path}::{used};")
            }
            _ => return,
        };
        writeln!(self.modules[of].text, "{text}").unwrap();
    }

    fn visibility(&mut self, of: usize) -> &'static str {
        let all = [
            "",
            "",
            "pub ",
            "pub ",
            "pub ",
            "pub ",
            "pub(super) ",
            "pub(crate) ",
            "pub(self) ",
            "pub(in super::super) ",
        ];
        // The module of the whole text has one above it.
        let has_two = self.modules[of].parent.is_some();
        self.dice
            .pick(&all[..if has_two { all.len() } else { all.len() - 1 }])
    }

    /// A path that may lead to a module, and the module.
    fn path(&mut self, from: usize) -> (String, Option<usize>) {
        let mut at = from;
        let mut path = String::new();
        while let Some(parent) = self.modules[at].parent
            && self.dice.one_in(2)
        {
            path.push_str(if path.is_empty() { "super" } else { "::super" });
            at = parent;
        }
        if path.is_empty() && self.dice.one_in(3) {
            path.push_str("self");
        }
        for _ in 0..self.dice.pick(&[1, 1, 1, 2]) {
            let inside =
                (0..self.modules.len()).filter(|child| self.modules[*child].parent == Some(at));
            let inside: Vec<usize> = inside.collect();
            let blind = self.dice.one_in(12);
            if inside.is_empty() && !path.is_empty() && !blind {
                break;
            }
            path.push_str(if path.is_empty() { "" } else { "::" });
            if inside.is_empty() || blind {
                path.push_str(self.dice.pick(&NAMES));
                return (path, None);
            }
            at = self.dice.pick(&inside);
            path.push_str(self.modules[at].name);
        }
        (path, Some(at))
    }

    /// A name that a module may have.
    fn name_in(&mut self, module: Option<usize>) -> &'static str {
        let there = module.map(|module| &self.modules[module].taken);
        let there = there.into_iter().flatten().map(|(name, _)| *name);
        let there: Vec<&str> = there.filter(|name| *name != "value").collect();
        match there.is_empty() || self.dice.one_in(5) {
            true => self.dice.pick(&NAMES),
            false => self.dice.pick(&there),
        }
    }

    /// What each name may mean, a line each: those that mean nothing do not compile, and are removed.
    fn values(&mut self, from: usize) -> String {
        let mut values = String::new();
        let mut paths: Vec<String> = NAMES.map(str::to_owned).to_vec();
        for _ in 0..3 {
            let (path, module) = self.path(from);
            paths.push(format!("{path}::{}", self.name_in(module)));
        }
        for path in paths {
            for _ in 0..2 {
                let form = self.dice.pick(&["()", "", "::f()", "::g"]);
                writeln!(values, "{path}{form},").unwrap();
            }
        }
        values
    }

    /// Texts with a name beyond ASCII in one of four: where it stands, it is composed or not, which is one name to the compiler.
    fn spelled(&mut self, texts: [&str; 2]) -> [String; 2] {
        let is_beyond = self.dice.one_in(4);
        texts.map(|text| {
            let mut parts = text.split("Own");
            let mut spelled = parts.next().unwrap_or_default().to_owned();
            for part in parts {
                spelled.push_str(match is_beyond {
                    true => self.dice.pick(&["\u{d6}wn", "O\u{308}wn"]),
                    false => "Own",
                });
                spelled.push_str(part);
            }
            spelled
        })
    }

    fn text(&mut self, of: usize) -> String {
        let mut text = self.modules[of].text.clone();
        for child in 0..self.modules.len() {
            if self.modules[child].parent == Some(of) {
                let vis = self.visibility(of);
                let vis = self.dice.pick(&[vis, "pub ", "pub "]);
                let inner = self.text(child);
                let name = self.modules[child].name;
                writeln!(text, "{vis}mod {name} {{\n{inner}}}").unwrap();
            }
        }
        text
    }
}
