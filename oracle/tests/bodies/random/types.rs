//! Types of random values: their text, what they can do, and how a row's pattern fits one.

use crate::dice::Dice;
use std::collections::BTreeMap;
use std::fmt;

/// A type, or a pattern of one: a single capital is a variable, drawn from the class that its letter stands for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Ty {
    /// The name before the arguments; `()`, `[;3]`, `&[]` and `&` for what has none.
    pub name: String,
    pub args: Vec<Self>,
}

/// The type of each variable.
pub type Binding = BTreeMap<String, Ty>;

/// The traits of own types, by name: words of `copy ord hash default display`.
pub type Own = BTreeMap<String, Vec<String>>;

pub const INTEGERS: [&str; 12] = [
    "u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "usize", "isize", "u128", "i128",
];

impl Ty {
    pub fn named(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            args: Vec::new(),
        }
    }

    /// Reads the text of a type.
    pub fn parse(text: &str) -> Self {
        let text = text.trim();
        if text == "&'static str" || text == "Cow<'static, str>" {
            return Self::named(text);
        }
        let of = |name: &str, inner: &str| Self {
            name: name.to_owned(),
            args: split(inner).into_iter().map(Self::parse).collect(),
        };
        if let Some(inner) = text.strip_prefix("&[")
            && !has_length(inner)
        {
            return of("&[]", inner.strip_suffix(']').unwrap());
        }
        if let Some(inner) = text.strip_prefix('&') {
            return of("&", inner);
        }
        if let Some(inner) = text.strip_prefix('(') {
            return of("()", inner.strip_suffix(')').unwrap());
        }
        if let Some(inner) = text.strip_prefix('[') {
            let (item, length) = inner.strip_suffix(']').unwrap().rsplit_once(';').unwrap();
            return of(&format!("[;{}]", length.trim()), item);
        }
        match text.split_once('<') {
            Some((name, inner)) => of(
                name,
                inner
                    .strip_suffix('>')
                    .unwrap_or_else(|| panic!("no type: {text}")),
            ),
            None => Self::named(text),
        }
    }

    pub fn is_variable(&self) -> bool {
        self.args.is_empty() && is_variable(&self.name)
    }

    pub fn has_variable(&self) -> bool {
        self.is_variable() || self.args.iter().any(Self::has_variable)
    }

    /// The type with its variables replaced.
    pub fn with(&self, binding: &Binding) -> Self {
        if let Some(bound) = binding.get(&self.name) {
            return bound.clone();
        }
        Self {
            name: self.name.clone(),
            args: self.args.iter().map(|arg| arg.with(binding)).collect(),
        }
    }

    /// The length of an array.
    pub fn length(&self) -> Option<usize> {
        self.name
            .strip_prefix("[;")?
            .strip_suffix(']')?
            .parse()
            .ok()
    }
}

pub fn is_variable(word: &str) -> bool {
    let mut letters = word.chars();
    letters
        .next()
        .is_some_and(|first| "TUVIJSWFMOKCDP".contains(first))
        && letters.next().is_none_or(|digit| digit.is_ascii_digit())
        && letters.next().is_none()
}

/// Whether the rest of a type in square brackets says how long it is.
fn has_length(inner: &str) -> bool {
    let mut depth = 0;
    inner.chars().any(|letter| {
        match letter {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth -= 1,
            _ => {}
        }
        letter == ';' && depth == 0
    })
}

/// Splits at commas outside of brackets.
fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (at, letter) in text.char_indices() {
        match letter {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts.retain(|part| !part.trim().is_empty());
    parts
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let args: Vec<String> = self.args.iter().map(Self::to_string).collect();
        let args = args.join(", ");
        match self.name.as_str() {
            "()" if self.args.len() == 1 => write!(f, "({args},)"),
            "()" => write!(f, "({args})"),
            "&" => write!(f, "&{args}"),
            "&[]" => write!(f, "&[{args}]"),
            name if name.starts_with("[;") => {
                write!(f, "[{args}; {}", &name[2..])
            }
            name if self.args.is_empty() => f.write_str(name),
            name => write!(f, "{name}<{args}>"),
        }
    }
}

/// Whether a pattern fits a type; what its variables stand for is added.
pub fn fits(pattern: &Ty, ty: &Ty, binding: &mut Binding, own: &Own) -> bool {
    if pattern.is_variable() {
        return match binding.get(&pattern.name) {
            Some(bound) => bound == ty,
            None => {
                let is = is_of(&pattern.name[..1], ty, own);
                if is {
                    binding.insert(pattern.name.clone(), ty.clone());
                }
                is
            }
        };
    }
    pattern.name == ty.name
        && pattern.args.len() == ty.args.len()
        && pattern
            .args
            .iter()
            .zip(&ty.args)
            .all(|(pattern, ty)| fits(pattern, ty, binding, own))
}

/// Whether a type is of the class that a letter stands for.
pub fn is_of(class: &str, ty: &Ty, own: &Own) -> bool {
    let name = ty.name.as_str();
    let integer = INTEGERS.contains(&name);
    let float = matches!(name, "f32" | "f64");
    match class {
        "I" | "J" => integer,
        "S" => integer && name.starts_with('i'),
        "W" => integer && name.starts_with('u'),
        "F" => float,
        "M" => integer || float,
        "O" | "K" => does("ord", ty, own) && does("hash", ty, own),
        "C" => does("copy", ty, own),
        "D" => does("default", ty, own),
        "P" => does("display", ty, own),
        _ => is_value(ty),
    }
}

/// Whether values of it can be kept in variables; the other types are only names for places in expressions.
fn is_value(ty: &Ty) -> bool {
    !matches!(
        ty.name.as_str(),
        "str" | "BinaryHeap" | "It" | "Dit" | "&[]" | "&" | "Ord"
    ) && ty.args.iter().all(is_value)
}

fn does(what: &str, ty: &Ty, own: &Own) -> bool {
    if let Some(words) = own.get(&ty.to_string()) {
        return words.iter().any(|word| word == what);
    }
    let all = || ty.args.iter().all(|arg| does(what, arg, own));
    let name = ty.name.as_str();
    match name {
        name if INTEGERS.contains(&name) => true,
        "bool" | "char" | "&'static str" => true,
        "f32" | "f64" => !matches!(what, "ord" | "hash"),
        "String" | "Cow<'static, str>" => what != "copy",
        "Duration" => what != "display",
        "Ipv4Addr" => what != "default",
        "Value" => matches!(what, "default" | "display"),
        "()" => what != "display" && all(),
        "Option" => what == "default" || (what != "display" && all()),
        "Vec" | "VecDeque" | "BTreeSet" | "BTreeMap" => {
            what == "default" || (matches!(what, "ord" | "hash") && all())
        }
        "HashMap" | "HashSet" | "BinaryHeap" => what == "default",
        "Box" => what != "copy" && all(),
        "Result" => matches!(what, "ord" | "hash") && all(),
        name if name.starts_with('[') => what != "display" && all(),
        _ => false,
    }
}

/// Whether the language of values has values of it.
pub fn is_closed(ty: &Ty) -> bool {
    let is_map = matches!(ty.name.as_str(), "BTreeMap" | "HashMap");
    let is_text = |ty: &Ty| matches!(ty.name.as_str(), "String" | "&'static str");
    !matches!(
        ty.name.as_str(),
        "Duration" | "Ipv4Addr" | "BTreeSet" | "VecDeque" | "HashSet" | "Result" | "u128" | "i128"
    ) && (!is_map || is_text(&ty.args[0]))
        && ty.args.iter().all(is_closed)
}

const SCALARS: [(usize, &str); 22] = [
    (8, "i32"),
    (5, "u8"),
    (3, "i8"),
    (5, "u16"),
    (2, "i16"),
    (6, "u32"),
    (5, "i64"),
    (5, "u64"),
    (5, "usize"),
    (1, "isize"),
    (1, "i128"),
    (1, "u128"),
    (3, "f32"),
    (5, "f64"),
    (7, "bool"),
    (4, "char"),
    (16, "String"),
    (4, "&'static str"),
    (2, "Duration"),
    (1, "Ipv4Addr"),
    (1, "Value"),
    (2, "Cow<'static, str>"),
];

const MADE: [(usize, &str); 15] = [
    (12, "Vec<T>"),
    (8, "Option<T>"),
    (5, "(T, U)"),
    (1, "(T, U, V)"),
    (4, "[T; 3]"),
    (1, "[T; 2]"),
    (6, "BTreeMap<K, T>"),
    (4, "BTreeSet<O>"),
    (2, "VecDeque<T>"),
    (1, "HashMap<K, T>"),
    (1, "HashSet<O>"),
    (2, "Result<T, String>"),
    (1, "Box<T>"),
    (1, "Vec<(K, T)>"),
    (1, "Option<Option<T>>"),
];

/// Draws a type of the class that a letter stands for, at most so deep.
pub fn draw(dice: &mut Dice, class: &str, depth: usize, own: &Own) -> Ty {
    for _ in 0..60 {
        let ty = if class == "K" && !dice.one_in(4) {
            Ty::named(dice.pick(&["String", "String", "&'static str", "u8", "i32", "char"]))
        } else if depth > 0 && dice.one_in(3) {
            let pattern = Ty::parse(weigh(dice, &MADE));
            filled(dice, &pattern, depth - 1, own)
        } else if !own.is_empty() && dice.one_in(4) {
            let names: Vec<&String> = own.keys().collect();
            Ty::parse(names[dice.roll(names.len())])
        } else {
            Ty::named(weigh(dice, &SCALARS))
        };
        if is_of(class, &ty, own) {
            return ty;
        }
    }
    Ty::named(if class == "F" { "f64" } else { "i32" })
}

/// A pattern with its variables drawn, each on its own.
fn filled(dice: &mut Dice, pattern: &Ty, depth: usize, own: &Own) -> Ty {
    if pattern.is_variable() {
        let class = pattern.name[..1].to_owned();
        return draw(dice, &class, depth, own);
    }
    Ty {
        name: pattern.name.clone(),
        args: pattern
            .args
            .iter()
            .map(|arg| filled(dice, arg, depth, own))
            .collect(),
    }
}

fn weigh(dice: &mut Dice, of: &[(usize, &'static str)]) -> &'static str {
    let mut left = dice.roll(of.iter().map(|(weight, _)| weight).sum());
    for (weight, what) in of {
        if left < *weight {
            return what;
        }
        left -= weight;
    }
    of[0].1
}
