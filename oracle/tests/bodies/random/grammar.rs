//! The grammar of random bodies: rows of text, read from the files of `grammar/`.
//!
//! A row is `TYPE = EXPRESSION` (`! TYPE = ..` only where its type follows from the place), `TYPE ~ STATEMENT` (a change of the variable `#v` of that type), or
//! `let STATEMENT => #x: TYPE` (a statement, and the variables that it leaves). In a row
//!
//! - `#x` is a name that nothing else has, the same in all of the row;
//! - a single capital is a type, the same in all of the row: `I J` integers, `S` signed, `W` unsigned, `F` floats,
//!   `M` numbers, `O K` what is `Ord` and `Hash`, `C` `Copy`, `D` `Default`, `P` `Display`, `T U V` any;
//! - `«TYPE»` is an expression of that type; with `!` one whose type follows from where it stands, with
//!   `~` one whose type does so if the whole row's does; `«TYPE; #x: U»` with
//!   another variable, `-#x` without one, `only` with no others, `fn` inside another function;
//! - `«?a|b»` is one of these texts, `«m?a|b»` one that `«=m»` repeats;
//! - `«small»`, `«word»`, `«stmts»`, `«RET»`, `«lit:TYPE»` are a small length, a word, statements, what the function
//!   returns, a literal.
//!
//! An idea (`== name`) is items with rows that use them: the items, `--`, then `vars: I T`, `type #X: copy ord`, rows.

use super::types::Ty;

#[derive(Clone)]
pub struct Row {
    /// Its place, as `numbers.txt: I = ..`.
    pub place: String,
    /// Its result, or the value that it changes.
    pub of: Ty,
    pub text: String,
    pub form: Form,
    /// It stands only where its type follows from the place.
    pub known: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Value,
    Change,
    Statement,
}

pub struct Idea {
    pub name: String,
    pub items: String,
    /// Types that are drawn for the whole of it.
    pub vars: Vec<String>,
    /// Own types, and what they can do.
    pub types: Vec<(String, Vec<String>)>,
    pub rows: Vec<Row>,
}

pub struct Grammar {
    pub rows: Vec<Row>,
    pub ideas: Vec<Idea>,
    /// Whether types outside of the language of values are left out.
    pub closed: bool,
}

macro_rules! files {
    ($($name:literal)*) => {
        [$(($name, include_str!(concat!("grammar/", $name, ".txt")))),*]
    };
}

impl Grammar {
    /// Bodies of any Rust.
    pub fn read() -> Self {
        let rows = files!(
            "numbers" "text" "lists" "iterators" "maps" "options" "control" "values" "statements"
            "changes"
        );
        let ideas = files!(
            "ideas/methods" "ideas/impls" "ideas/operators" "ideas/traits" "ideas/generics"
            "ideas/closures" "ideas/shadows" "ideas/macros" "ideas/consts" "ideas/serde"
            "ideas/iterators" "ideas/pointers" "ideas/flow" "ideas/inference" "ideas/order"
            "ideas/lookup" "ideas/edges" "ideas/places" "ideas/derives"
        );
        Self::from_rows(&rows, &ideas, false)
    }

    /// Bodies in the language of values.
    pub fn language() -> Self {
        Self::from_rows(
            &files!("language"),
            &files!("ideas/own" "ideas/names"),
            true,
        )
    }

    fn from_rows(rows: &[(&str, &str)], ideas: &[(&str, &str)], closed: bool) -> Self {
        Self {
            rows: rows
                .iter()
                .flat_map(|(name, text)| text.lines().filter_map(|line| row(name, line)))
                .collect(),
            ideas: ideas
                .iter()
                .flat_map(|(name, text)| text.split("\n== ").skip(1).map(|text| idea(name, text)))
                .collect(),
            closed,
        }
    }
}

/// Reads one line; `None` if it is empty or a comment.
fn row(file: &str, line: &str) -> Option<Row> {
    let line = line.trim();
    if line.is_empty() || line.starts_with("//") {
        return None;
    }
    let place = format!("{file}: {line}");
    if let Some(text) = line.strip_prefix("let: ") {
        return Some(Row {
            place,
            of: Ty::named("()"),
            text: text.to_owned(),
            form: Form::Statement,
            known: false,
        });
    }
    let (known, line) = match line.strip_prefix("! ") {
        Some(line) => (true, line),
        None => (false, line),
    };
    let value = line.find(" = ");
    let change = line.find(" ~ ");
    let (at, form) = match (value, change) {
        (Some(value), Some(change)) if change < value => (change, Form::Change),
        (Some(value), _) => (value, Form::Value),
        (None, Some(change)) => (change, Form::Change),
        (None, None) => panic!("no row: {place}"),
    };
    Some(Row {
        of: Ty::parse(&line[..at]),
        text: line[at + 3..].trim().to_owned(),
        form,
        known,
        place,
    })
}

fn idea(file: &str, text: &str) -> Idea {
    let (name, _) = text.split_once('\n').unwrap();
    let rest = &text[name.len()..];
    let (items, rest) = rest
        .split_once("\n--\n")
        .unwrap_or_else(|| panic!("{file}: `{name}` has no rows"));
    let mut idea = Idea {
        name: format!("{file}: {name}"),
        items: items.to_owned(),
        vars: Vec::new(),
        types: Vec::new(),
        rows: Vec::new(),
    };
    for line in rest.lines() {
        if let Some(vars) = line.strip_prefix("vars: ") {
            idea.vars = vars.split_whitespace().map(str::to_owned).collect();
        } else if let Some(own) = line.strip_prefix("type ") {
            let (own, words) = own.rsplit_once(':').unwrap();
            let words = words.split_whitespace().map(str::to_owned).collect();
            idea.types.push((own.to_owned(), words));
        } else {
            idea.rows.extend(row(&idea.name, line));
        }
    }
    idea
}
