//! Draws expressions by the grammar's rows: a row's text with its names, types and holes filled in.

use super::grammar::{Form, Row};
use super::program::{Env, Program, Var};
use super::scan::{halves, placed, split, words};
use super::types::{self, Binding, Ty};
use std::collections::BTreeMap;

/// The values of the names, types and choices of one text.
#[derive(Clone, Default)]
pub struct Names {
    pub names: BTreeMap<String, String>,
    pub binding: Binding,
    pub choices: BTreeMap<String, String>,
    /// Whether the type of the whole follows from where it stands.
    pub known: bool,
}

const WORDS: [&str; 24] = [
    "a",
    "b",
    "Ab",
    "x-y",
    "zone",
    "Ready",
    "not ready",
    "10",
    "0",
    "-7",
    "3.5",
    "true",
    " pad ",
    "a,b,c",
    "k=v",
    "é",
    "ßtraße",
    "Ωmega",
    "line\\nnext",
    "tab\\there",
    "",
    "b",
    "zz",
    "a.b.c",
];

impl Program<'_> {
    /// An expression of a type. What is known need not say its type.
    pub fn value(&mut self, ty: &Ty, known: bool, depth: usize, env: &Env) -> String {
        let usable: Vec<String> = env
            .vars
            .iter()
            .filter_map(|var| used(var, ty, self))
            .collect();
        if !usable.is_empty() && self.dice.roll(4) < if depth == 0 { 3 } else { 1 } {
            return usable[self.dice.roll(usable.len())].clone();
        }
        if depth == 0 || self.dice.one_in(7) {
            return self.literal(ty, known);
        }
        let given = Names {
            known,
            ..Names::default()
        };
        if let Some(text) = self.by_row(Form::Value, ty, depth, env, &given) {
            return text;
        }
        self.literal(ty, known)
    }

    /// An expression or a change by a row of this module's ideas or of the grammar.
    pub fn by_row(
        &mut self,
        form: Form,
        ty: &Ty,
        depth: usize,
        env: &Env,
        given: &Names,
    ) -> Option<String> {
        let own: Vec<usize> = (0..self.rows.len())
            .filter(|at| {
                let (row, names) = &self.rows[*at];
                let mut binding = names.binding.clone();
                row.form == form
                    && (given.known || !row.known)
                    && types::fits(&row.of, ty, &mut binding, &self.own)
            })
            .collect();
        if !own.is_empty() && !self.dice.one_in(3) {
            let (row, names) = self.rows[own[self.dice.roll(own.len())]].clone();
            let mut names = names;
            names.names.extend(given.names.clone());
            names.known = given.known;
            return self.use_row(&row, ty, depth, env, names);
        }
        let grammar = self.grammar;
        let fitting: Vec<&Row> = grammar
            .rows
            .iter()
            .filter(|row| {
                row.form == form
                    && (given.known || !row.known)
                    && types::fits(&row.of, ty, &mut Binding::new(), &self.own)
                    && (env.ret.is_some() || !row.text.contains("RET"))
            })
            .collect();
        if fitting.is_empty() {
            return None;
        }
        let row = fitting[self.dice.roll(fitting.len())];
        self.use_row(row, ty, depth, env, given.clone())
    }

    fn use_row(
        &mut self,
        row: &Row,
        ty: &Ty,
        depth: usize,
        env: &Env,
        mut names: Names,
    ) -> Option<String> {
        types::fits(&row.of, ty, &mut names.binding, &self.own);
        self.used.insert(row.place.clone());
        self.bind(&row.text, &mut names, env);
        let text = self.expand(&row.text, &mut names, env, depth.saturating_sub(1));
        Some(if row.form == Form::Value {
            placed(text)
        } else {
            text
        })
    }

    /// Draws the types that a text names and that nothing has bound.
    pub fn bind(&mut self, text: &str, names: &mut Names, env: &Env) {
        for (_, word) in words(text) {
            if types::is_variable(word) && !names.binding.contains_key(word) {
                let class = &word[..1];
                let of_env: Vec<Ty> = env
                    .vars
                    .iter()
                    .map(|var| var.ty.clone())
                    .filter(|ty| types::is_of(class, ty, &self.own))
                    .collect();
                let ty = if !of_env.is_empty() && self.dice.one_in(3) {
                    of_env[self.dice.roll(of_env.len())].clone()
                } else {
                    self.draw(class, 1)
                };
                names.binding.insert(word.to_owned(), ty);
            }
        }
    }

    /// A text with its names, types and holes filled in.
    pub fn expand(&mut self, text: &str, names: &mut Names, env: &Env, depth: usize) -> String {
        let mut made = String::new();
        let mut rest = text;
        while let Some(at) = rest.find('«') {
            let end = at
                + rest[at..]
                    .find('»')
                    .unwrap_or_else(|| panic!("no end: {text}"));
            let plain = self.plain(&rest[..at], names);
            made.push_str(&plain);
            let hole = &rest[at + '«'.len_utf8()..end];
            let filled = self.hole(hole, names, env, depth);
            made.push_str(&filled);
            rest = &rest[end + '»'.len_utf8()..];
        }
        let plain = self.plain(rest, names);
        made.push_str(&plain);
        made
    }

    /// A text without holes.
    pub fn plain(&mut self, text: &str, names: &mut Names) -> String {
        let mut made = String::new();
        let mut last = 0;
        for (at, word) in words(text) {
            let before = text[..at].chars().next_back();
            let ty = names.binding.get(word);
            if before == Some('#') && text[..at - 1].ends_with('#') {
                // `##x` is `#x`.
                made.push_str(&text[last..at - 1]);
                last = at;
            } else if before == Some('#') {
                made.push_str(&text[last..at - 1]);
                let name = self.name(word, names);
                made.push_str(&name);
                last = at + word.len();
            } else if let Some(ty) = ty {
                made.push_str(&text[last..at]);
                made.push_str(&ty.to_string());
                last = at + word.len();
            }
        }
        made.push_str(&text[last..]);
        made.replace("##", "#")
    }

    /// The name that stands for `#word`.
    fn name(&mut self, word: &str, names: &mut Names) -> String {
        if let Some(name) = names.names.get(word) {
            return name.clone();
        }
        self.numbers += 1;
        // `S1` would be a variable of the grammar.
        let between = if types::is_variable(word) { "own" } else { "" };
        let name = format!("{word}{between}{}", self.numbers);
        names.names.insert(word.to_owned(), name.clone());
        name
    }

    fn hole(&mut self, hole: &str, names: &mut Names, env: &Env, depth: usize) -> String {
        if let Some((bound, choices)) = hole.split_once('?') {
            let choices: Vec<&str> = choices.split('|').collect();
            let chosen = self.dice.pick(&choices).to_owned();
            if !bound.is_empty() {
                names.choices.insert(bound.to_owned(), chosen.clone());
            }
            return self.plain(&chosen, names);
        }
        if let Some(bound) = hole.strip_prefix('=') {
            let chosen = names.choices.get(bound);
            return chosen
                .unwrap_or_else(|| panic!("no choice {bound}"))
                .clone();
        }
        if let Some(ty) = hole.strip_prefix("lit:") {
            let ty = Ty::parse(&self.plain(ty, names));
            return self.literal(&ty, false);
        }
        match hole {
            "word" => {
                return self.dice.pick(&WORDS).to_owned();
            }
            "small" => return self.dice.roll(5).to_string(),
            "RET" => {
                let ret = env.ret.clone().unwrap();
                return self.value(&ret, true, depth.min(1), env);
            }
            _ => {}
        }
        let (wanted, changes) = halves(hole);
        let mut inner = env.clone();
        for change in split(changes) {
            self.change(change, names, &mut inner);
        }
        if wanted == "stmts" {
            let count = 1 + self.dice.roll(2);
            return self.statements(count, &mut inner, depth);
        }
        let (wanted, known) = match (wanted.strip_suffix('!'), wanted.strip_suffix('~')) {
            (Some(wanted), _) => (wanted, true),
            (None, Some(wanted)) => (wanted, names.known),
            (None, None) => (wanted, false),
        };
        let ty = Ty::parse(&self.plain(wanted, names));
        self.value(&ty, known, depth, &inner)
    }

    /// Applies what a hole says of its variables.
    fn change(&mut self, change: &str, names: &mut Names, env: &mut Env) {
        match change {
            "only" => env.vars.clear(),
            "fn" => env.ret = None,
            "loop" => env.looped = true,
            _ => {
                if let Some(name) = change.strip_prefix("-#") {
                    let name = self.name(name, names);
                    env.vars.retain(|var| var.name != name);
                    return;
                }
                let var = self.var(change, names);
                env.push(var);
            }
        }
    }

    /// The variable that `mut #x: T` says.
    pub fn var(&mut self, text: &str, names: &mut Names) -> Var {
        let (mutable, text) = match text.strip_prefix("mut ") {
            Some(text) => (true, text),
            None => (false, text),
        };
        let (name, ty) = text
            .strip_prefix('#')
            .and_then(|text| text.split_once(": "))
            .unwrap_or_else(|| panic!("no variable: {text}"));
        Var {
            name: self.name(name, names),
            ty: Ty::parse(&self.plain(ty, names)),
            mutable,
        }
    }

    /// A string's content.
    pub fn word(&mut self) -> &'static str {
        self.dice.pick(&WORDS)
    }
}

/// How a variable gives a value of a type, if it does.
fn used(var: &Var, ty: &Ty, program: &Program<'_>) -> Option<String> {
    let name = &var.name;
    if var.ty == *ty {
        let copy = types::is_of("C", ty, &program.own) || ty.name.starts_with('&');
        return Some(if copy {
            name.clone()
        } else {
            format!("{name}.clone()")
        });
    }
    let mut inner = &var.ty;
    let mut stars = String::new();
    while inner.name == "&" {
        inner = &inner.args[0];
        stars.push('*');
        if inner == ty {
            let copy = types::is_of("C", ty, &program.own);
            return Some(match copy {
                true => format!("{stars}{name}"),
                false if stars.len() == 1 => format!("{name}.clone()"),
                false => format!("({stars}{name}).clone()"),
            })
            .map(|text| if copy { format!("({text})") } else { text });
        }
    }
    match (inner.name.as_str(), ty.name.as_str()) {
        ("String", "str") => Some(format!("{name}.as_str()")),
        ("&'static str" | "str", "str") if stars.is_empty() => Some(name.clone()),
        ("&'static str", "str") => Some(format!("({stars}{name})")),
        ("Vec", "&[]") if inner.args == ty.args => Some(format!("{name}.as_slice()")),
        ("Vec", "It") if inner.args == ty.args && stars.is_empty() => {
            Some(format!("{name}.iter().cloned()"))
        }
        _ => None,
    }
}
