//! One module with one random function and what it uses.

use super::expand::Names;
use super::grammar::{Form, Grammar, Idea, Row};
use super::scan::split;
use super::types::{self, Own, Ty};
use crate::dice::Dice;
use std::collections::BTreeSet;
use std::fmt::Write;

pub const HEAD: &str = "\
#![allow(dead_code, deprecated, non_camel_case_types, unused)]

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, VecDeque};
use std::net::Ipv4Addr;
use std::time::Duration;
";

/// A variable that an expression may use.
#[derive(Clone)]
pub struct Var {
    pub name: String,
    pub ty: Ty,
    pub mutable: bool,
}

/// The names that an expression may use.
#[derive(Clone, Default)]
pub struct Env {
    pub vars: Vec<Var>,
    /// What `return` gives; nothing where there is none.
    pub ret: Option<Ty>,
    /// No further loop may stand there.
    pub looped: bool,
}

impl Env {
    pub fn push(&mut self, var: Var) {
        self.vars.retain(|known| known.name != var.name);
        self.vars.push(var);
    }
}

pub struct Program<'g> {
    pub dice: Dice,
    pub grammar: &'g Grammar,
    /// The rows of this module's ideas.
    pub rows: Vec<(Row, Names)>,
    pub own: Own,
    pub numbers: usize,
    /// The places of the rows that were used.
    pub used: BTreeSet<String>,
}

impl Program<'_> {
    /// Draws a type of a class.
    pub fn draw(&mut self, class: &str, depth: usize) -> Ty {
        loop {
            let ty = types::draw(&mut self.dice, class, depth, &self.own);
            if !self.grammar.closed || types::is_closed(&ty) {
                return ty;
            }
        }
    }

    /// Adds an idea's items and rows.
    pub fn idea(&mut self, idea: &Idea, text: &mut String) {
        let mut names = Names::default();
        let env = Env::default();
        for var in &idea.vars {
            // Own types stand in the module, so that any item can name them.
            let ty = self.draw(&var[..1], 1);
            names.binding.insert(var.clone(), ty);
        }
        self.used.insert(idea.name.clone());
        let items = self.expand(&idea.items, &mut names, &env, 1);
        writeln!(text, "\n{items}").unwrap();
        for (own, words) in &idea.types {
            let name = self.plain(own, &mut names);
            self.own.insert(name, words.clone());
        }
        for row in &idea.rows {
            let of = self.plain(&row.of.to_string(), &mut names);
            let row = Row {
                of: Ty::parse(&of),
                ..row.clone()
            };
            self.rows.push((row, names.clone()));
        }
    }

    /// A type to return, preferably one that the module's ideas give.
    pub fn returned(&mut self) -> Ty {
        let mut given: Vec<Ty> = self
            .rows
            .iter()
            .filter(|(row, _)| row.form == Form::Value)
            .map(|(row, names)| row.of.with(&names.binding))
            .filter(|ty| types::is_of("T", ty, &self.own) && !ty.has_variable())
            .collect();
        given.sort();
        given.dedup();
        if given.is_empty() || self.dice.one_in(4) {
            return self.draw("T", 2);
        }
        let ty = given[self.dice.roll(given.len())].clone();
        if !self.dice.one_in(3) {
            return ty;
        }
        let more = given[self.dice.roll(given.len())].clone();
        Ty {
            name: "()".to_owned(),
            args: vec![ty, more],
        }
    }

    /// The block of a function that returns a type.
    pub fn block(&mut self, ty: &Ty) -> String {
        let mut env = Env {
            ret: Some(ty.clone()),
            ..Env::default()
        };
        let count = self.dice.pick(&[0, 0, 0, 1, 2, 3, 5]);
        let mut text = String::from("{\n");
        text.push_str(&self.statements(count, &mut env, 2));
        let depth = self.dice.pick(&[1, 1, 1, 2, 2, 3]);
        let tail = self.value(ty, true, depth, &env);
        let tail = if !self.grammar.closed && self.dice.one_in(12) {
            format!("return {tail};")
        } else {
            tail
        };
        writeln!(text, "    {tail}\n}}").unwrap();
        text
    }

    /// That number of statements; the variables that they leave are added.
    pub fn statements(&mut self, count: usize, env: &mut Env, depth: usize) -> String {
        let mut text = String::new();
        for _ in 0..count {
            let changeable: Vec<Var> = env.vars.iter().filter(|var| var.mutable).cloned().collect();
            if !changeable.is_empty() && !self.dice.one_in(3) {
                let var = changeable[self.dice.roll(changeable.len())].clone();
                let mut names = Names::default();
                names.names.insert("v".to_owned(), var.name.clone());
                if let Some(change) = self.by_row(Form::Change, &var.ty, depth.max(1), env, &names)
                {
                    writeln!(text, "    {change}").unwrap();
                    continue;
                }
            }
            if let Some(statement) = self.statement(env, depth) {
                writeln!(text, "    {statement}").unwrap();
            }
        }
        text
    }

    fn statement(&mut self, env: &mut Env, depth: usize) -> Option<String> {
        let grammar = self.grammar;
        let fitting: Vec<&Row> = grammar
            .rows
            .iter()
            .filter(|row| {
                row.form == Form::Statement
                    && (env.ret.is_some() || !row.text.contains("RET"))
                    && !(env.looped && row.text.contains("; loop"))
            })
            .collect();
        let own: Vec<(Row, Names)> = self
            .rows
            .iter()
            .filter(|(row, _)| row.form == Form::Statement)
            .cloned()
            .collect();
        let (row, mut names) = if !own.is_empty() && self.dice.one_in(2) {
            own[self.dice.roll(own.len())].clone()
        } else {
            (
                fitting[self.dice.roll(fitting.len())].clone(),
                Names::default(),
            )
        };
        self.used.insert(row.place.clone());
        // A match's arms have arrows as well.
        let at = row.text.rfind(" => mut #").max(row.text.rfind(" => #"));
        let (text, left) = at.map_or((&*row.text, ""), |at| {
            (&row.text[..at], &row.text[at + 4..])
        });
        self.bind(&row.text, &mut names, env);
        // A name may be one that is already there.
        if text.starts_with("let ")
            && left.matches(": ").count() == 1
            && text.matches('#').count() == 1
            && !env.vars.is_empty()
            && self.dice.one_in(6)
        {
            let old = env.vars[self.dice.roll(env.vars.len())].name.clone();
            // A constant's name in a pattern would be the constant.
            if !old.starts_with('K') {
                let word: String = text[text.find('#')? + 1..]
                    .chars()
                    .take_while(|letter| letter.is_ascii_alphanumeric())
                    .collect();
                names.names.insert(word, old);
            }
        }
        let made = self.expand(text, &mut names, env, depth.max(1));
        for var in split(left) {
            let var = self.var(var, &mut names);
            env.push(var);
        }
        Some(made)
    }
}
