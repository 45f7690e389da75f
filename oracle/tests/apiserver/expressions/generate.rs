//! Random expressions: calls of every function in the table, with values of its argument types.

use super::Dice;
use super::texts::texts_for;
use super::ways::{Declared, Way};
use crd_channels_cel::functions::{Overload, Style, all};
use crd_channels_cel::macros::MACROS;
use crd_channels_cel::types::{Library, Type};

/// Texts with a meaning for some function.
pub const TEXTS: [&str; 44] = [
    "",
    "a",
    "abc",
    "ABC",
    "a,b,,c",
    "aaa",
    "é☃b",
    " a\t",
    "a-b.c",
    "10.0.0.1",
    "10.0.0.300",
    "::1",
    "fe80::1",
    "::ffff:1.2.3.4",
    "2001:DB8::0",
    "10.1.0.0/16",
    "10.0.0.0/8",
    "10.0.0.1/32",
    "2001:db8::/32",
    "1Gi",
    "1.5",
    "-3",
    "100m",
    "1e3",
    "1.5Gi",
    "0.1n",
    "9E",
    "2024-02-29T23:59:59.5Z",
    "1999-12-31T00:00:00-05:30",
    "1h30m",
    "-1.5s",
    "1.2.3",
    "v1.02",
    "1.2.3-a.1+b",
    "https://u:p@h.example:80/a b/%41?x=1&x=2&y=a+b#f",
    "/p?q=%zz",
    "^a+",
    "[a-c]|b",
    "+02:30",
    "UTC",
    "dns1123Label",
    "true",
    "YWI=",
    "0x1.8p3",
];

const FORMATS: [&str; 8] = ["%s", "a %d", "%%", "%x%s", "%f", "%.2e", "%.0f %s", "%e%b"];

/// Types and namespaces, unless a variable has the same name.
const TAKEN: [&str; 8] = [
    "int",
    "string",
    "type",
    "list",
    "null_type",
    "math",
    "sets",
    "optional",
];

/// Types that values of unknown type may have.
pub const PLAIN: [Type; 5] = [
    Type::Int,
    Type::String,
    Type::Bool,
    Type::Double,
    Type::Uint,
];

/// The types of requested results.
const RESULTS: [Type; 9] = [
    Type::Int,
    Type::String,
    Type::Bool,
    Type::Double,
    Type::Uint,
    Type::Bytes,
    Type::Duration,
    Type::Timestamp,
    Type::Null,
];

pub struct Generator<'d> {
    pub dice: &'d mut Dice,
    declared: &'d Declared,
    /// The variables, in the order of their declaration.
    pub variables: Vec<String>,
    /// The ways from each of them.
    pub ways: Vec<(usize, Way)>,
    rows: Vec<&'static Overload>,
}

/// The functions and operators that rules can call.
pub fn rows() -> impl Iterator<Item = &'static Overload> {
    let hidden = ["@", "cel."];
    all().filter(move |row| {
        let is_hidden = hidden.iter().any(|start| row.name.starts_with(start));
        (!is_hidden || row.name == "@in")
            && row.until.is_none()
            && !row.takes.iter().any(is_of_authorizer)
    })
}

/// A random element.
pub fn one_of<T: Clone>(dice: &mut Dice, of: &[T]) -> T {
    of[dice.roll(of.len())].clone()
}

impl<'d> Generator<'d> {
    /// A generator of expressions that read `self`.
    pub fn new(dice: &'d mut Dice, declared: &'d Declared) -> Self {
        let mut generator = Self {
            dice,
            declared,
            variables: Vec::new(),
            ways: Vec::new(),
            rows: rows().collect(),
        };
        generator.knows("self", &declared.ty());
        generator
    }

    /// Adds a variable.
    pub fn knows(&mut self, name: &str, ty: &Type) {
        let ways = self.declared.ways(name, ty).into_iter();
        let number = self.variables.len();
        self.ways.extend(ways.map(|way| (number, way)));
        self.variables.push(name.to_owned());
    }

    /// Adds a variable of a macro. Some have the names of types and namespaces, which they shadow.
    pub fn variable(&mut self, ty: &Type) -> String {
        let taken = self.dice.pick(&TAKEN).to_owned();
        let name = if self.variables.contains(&taken) || !self.dice.one_in(6) {
            format!("v{}", self.variables.len())
        } else {
            taken
        };
        self.knows(&name, ty);
        name
    }

    /// A type that a variable can provide, or a plain one.
    pub fn type_to_read(&mut self) -> Type {
        if self.ways.is_empty() || self.dice.one_in(2) {
            return one_of(self.dice, &PLAIN);
        }
        self.ways[self.dice.roll(self.ways.len())].1.1.clone()
    }

    /// An expression, usually a call of a function.
    pub fn expression(&mut self) -> String {
        if self.dice.one_in(6) {
            let ty = one_of(self.dice, &RESULTS);
            return self.value(&ty, 3);
        }
        if self.dice.one_in(8) {
            let row = one_of(self.dice, &MACROS);
            return self.macro_call(&row).0;
        }
        let row = self.rows[self.dice.roll(self.rows.len())];
        self.call_of_row(row).0
    }

    /// A call of a function, and the type of its result.
    pub fn call_of_row(&mut self, row: &Overload) -> (String, Type) {
        let known = self.binding(row);
        (self.call(row, &known, 3), substituted(&row.gives, &known))
    }

    /// The types for `A` and `B`.
    fn binding(&mut self, row: &Overload) -> [Type; 2] {
        let is_key = |ty: &Type| matches!(ty, Type::Map(entry) if entry.0 == Type::Variable(0));
        let first = match row.takes.iter().any(is_key) {
            // Any value can be a key, but servers can find only some of them.
            true => one_of(self.dice, &PLAIN),
            false => self.type_to_read(),
        };
        [first, self.type_to_read()]
    }

    /// An expression of a type.
    pub fn value(&mut self, ty: &Type, depth: usize) -> String {
        if depth > 0 && self.dice.one_in(2) {
            return self.composed(ty, depth - 1);
        }
        self.leaf(ty)
    }

    fn composed(&mut self, ty: &Type, depth: usize) -> String {
        match self.dice.roll(8) {
            0 => {
                let condition = self.value(&Type::Bool, depth);
                let (then, otherwise) = (self.value(ty, depth), self.value(ty, depth));
                format!("({condition} ? {then} : {otherwise})")
            }
            1 => self.with_macro(ty, depth),
            _ => {
                let fitting: Vec<(&Overload, [Type; 2])> = self
                    .rows
                    .iter()
                    .filter_map(|row| Some((*row, bound(&row.gives, ty)?)))
                    .collect();
                if fitting.is_empty() {
                    return self.leaf(ty);
                }
                let (row, known) = fitting[self.dice.roll(fitting.len())].clone();
                let free = self.binding(row);
                let known = [0, 1].map(|at: usize| match &known[at] {
                    Type::Error => free[at].clone(),
                    known => known.clone(),
                });
                self.call(row, &known, depth)
            }
        }
    }

    fn call(&mut self, row: &Overload, known: &[Type; 2], depth: usize) -> String {
        let takes: Vec<Type> = row.takes.iter().map(|ty| substituted(ty, known)).collect();
        let mut given: Vec<String> = takes
            .iter()
            .enumerate()
            .map(|(at, ty)| match self.hint(row.name, at, ty) {
                Some(text) => text,
                None => self.value(ty, depth),
            })
            .collect();
        let operator = row.name.trim_matches('_');
        match (row.name, given.as_slice()) {
            ("_?_:_", [condition, then, otherwise]) => {
                format!("({condition} ? {then} : {otherwise})")
            }
            ("_[_]", [operand, index]) => format!("{operand}[{index}]"),
            ("_[?_]", [operand, index]) => format!("{operand}[?{index}]"),
            ("@in", [item, list]) => format!("({item} in {list})"),
            ("!_" | "-_", [operand]) => format!("{operator}({operand})"),
            (name, [left, right]) if name.starts_with('_') => {
                format!("({left} {operator} {right})")
            }
            (name, _) if row.style == Style::Member => {
                let target = given.remove(0);
                format!("({target}).{name}({})", given.join(", "))
            }
            (name, given) => format!("{name}({})", given.join(", ")),
        }
    }

    /// Constants with a meaning for the function.
    fn hint(&mut self, function: &str, at: usize, ty: &Type) -> Option<String> {
        if function == "lists.range" {
            // The server makes lists of any length.
            let read = self.read(&Type::Int).map(|read| format!("{read} % 50"));
            return Some(read.unwrap_or_else(|| self.dice.pick(&["0", "3", "-1"]).to_owned()));
        }
        if *ty != Type::String || self.dice.one_in(5) {
            return None;
        }
        let pool = texts_for(function, at)?;
        let text = self.dice.pick(pool);
        // Servers write as many digits as a format or an exponent requires, however long that takes.
        let is_bounded = function != "format" && !text.contains(['e', 'E']);
        Some(match is_bounded && self.dice.one_in(3) {
            true => quoted(&self.changed(text, pool)),
            false => quoted(text),
        })
    }

    /// A text in which one or two characters are removed, repeated, or replaced by some of another text of the pool.
    fn changed(&mut self, text: &str, pool: &[&str]) -> String {
        let mut all: Vec<char> = text.chars().collect();
        let mut others: Vec<char> = pool.concat().chars().collect();
        others.retain(|c| !matches!(c, 'e' | 'E'));
        for _ in 0..=self.dice.roll(2) {
            let at = self.dice.roll(all.len() + 1);
            let other = one_of(self.dice, &others);
            match self.dice.roll(4) {
                0 => all.insert(at, other),
                1 if at < all.len() => all[at] = other,
                2 if at < all.len() => all.insert(at, all[at]),
                _ if at < all.len() => drop(all.remove(at)),
                _ => all.push(other),
            }
        }
        all.into_iter().collect()
    }

    /// A read of a variable, preferably of a macro's.
    fn read(&mut self, ty: &Type) -> Option<String> {
        let fitting: Vec<&(usize, Way)> =
            self.ways.iter().filter(|(_, way)| way.1 == *ty).collect();
        let of_macros: Vec<&(usize, Way)> =
            fitting.iter().filter(|(of, _)| *of > 0).copied().collect();
        let fitting = match of_macros.is_empty() || self.dice.one_in(3) {
            true => fitting,
            false => of_macros,
        };
        let at = (!fitting.is_empty()).then(|| self.dice.roll(fitting.len()))?;
        Some(fitting[at].1.0.clone())
    }

    pub fn leaf(&mut self, ty: &Type) -> String {
        let is_literal = !matches!(ty, Type::Object(_)) && self.dice.one_in(3);
        if let Some(text) = self.read(ty).filter(|_| !is_literal) {
            return text;
        }
        match ty {
            Type::Null => "null".to_owned(),
            Type::Bool => self.dice.pick(&["true", "false"]).to_owned(),
            Type::Int => self
                .dice
                .pick(&[
                    "0",
                    "1",
                    "-1",
                    "2",
                    "3",
                    "9223372036854775807",
                    "-9223372036854775808",
                ])
                .to_owned(),
            Type::Uint => self
                .dice
                .pick(&["0u", "1u", "3u", "18446744073709551615u"])
                .to_owned(),
            Type::Double => self
                .dice
                .pick(&[
                    "0.0",
                    "-0.0",
                    "1.5",
                    "-2.5",
                    "1e21",
                    "1e-7",
                    "123456789.0",
                    "9223372036854775808.0",
                ])
                .to_owned(),
            Type::String if self.dice.one_in(20) => quoted(self.dice.pick(&FORMATS)),
            Type::String => quoted(self.dice.pick(&TEXTS)),
            Type::Bytes => self.dice.pick(&["b''", "b'ab'", "b'\\xff'"]).to_owned(),
            Type::Duration => self.call_of("duration"),
            Type::Timestamp => self.call_of("timestamp"),
            Type::Library(Library::Quantity) => self.call_of("quantity"),
            Type::Library(Library::Url) => self.call_of("url"),
            Type::Library(Library::Semver) => self.call_of("semver"),
            Type::Library(Library::Ip) => self.call_of("ip"),
            Type::Library(Library::Cidr) => self.call_of("cidr"),
            Type::Library(_) => "format.dns1123Label()".to_owned(),
            Type::List(item) => {
                let items: Vec<String> = (0..self.dice.roll(4)).map(|_| self.leaf(item)).collect();
                format!("[{}]", items.join(", "))
            }
            Type::Map(entry) => {
                let (key, value) = (self.leaf(&entry.0), self.leaf(&entry.1));
                format!("{{{key}: {value}}}")
            }
            Type::Optional(inner) if self.dice.one_in(3) => {
                let value = self.leaf(inner);
                format!("[optional.of({value}), optional.none()][1]")
            }
            Type::Optional(inner) => format!("optional.of({})", self.leaf(inner)),
            Type::Type(_) => self
                .dice
                .pick(&["int", "string", "list", "type(self)"])
                .to_owned(),
            _ => {
                let plain = one_of(self.dice, &PLAIN);
                format!("dyn({})", self.leaf(&plain))
            }
        }
    }

    /// A value made from a text.
    fn call_of(&mut self, function: &str) -> String {
        let text = self.hint(function, 0, &Type::String);
        let text = text.unwrap_or_else(|| quoted("1"));
        format!("{function}({text})")
    }
}

fn is_of_authorizer(ty: &Type) -> bool {
    use Library::{Authorizer, Decision, GroupCheck, PathCheck, ResourceCheck};
    matches!(
        ty,
        Type::Library(Authorizer | Decision | GroupCheck | PathCheck | ResourceCheck)
    )
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "\\'"))
}

/// The types for `A` and `B` that make a type equal another one; `Error` if any type will do.
fn bound(ty: &Type, wanted: &Type) -> Option<[Type; 2]> {
    let mut known = [Type::Error, Type::Error];
    bind(ty, wanted, &mut known).then_some(known)
}

fn bind(ty: &Type, wanted: &Type, known: &mut [Type; 2]) -> bool {
    match (ty, wanted) {
        (Type::Variable(at), wanted) => {
            let is_free = known[*at] == Type::Error;
            if is_free {
                known[*at] = wanted.clone();
            }
            is_free || known[*at] == *wanted
        }
        (Type::List(one), Type::List(other)) | (Type::Optional(one), Type::Optional(other)) => {
            bind(one, other, known)
        }
        (Type::Map(one), Type::Map(other)) => {
            bind(&one.0, &other.0, known) && bind(&one.1, &other.1, known)
        }
        (one, other) => one == other,
    }
}

fn substituted(ty: &Type, known: &[Type; 2]) -> Type {
    match ty {
        Type::Variable(at) => known[*at].clone(),
        Type::List(item) => Type::list(substituted(item, known)),
        Type::Optional(inner) => Type::optional(substituted(inner, known)),
        Type::Map(entry) => Type::map(substituted(&entry.0, known), substituted(&entry.1, known)),
        other => other.clone(),
    }
}
