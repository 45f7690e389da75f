//! Attributes drawn for one place: which, with what in them, and how they are written.

use super::grammar::{Grammar, Row, pieces};
use super::module::Module;
use super::types::Ty;
use super::words;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The keys of both serde and schemars, either of which may be used.
const SHARED: [&str; 18] = [
    "rename",
    "rename_all",
    "rename_all_fields",
    "deny_unknown_fields",
    "tag",
    "content",
    "untagged",
    "default",
    "skip",
    "skip_serializing",
    "skip_serializing_if",
    "skip_deserializing",
    "flatten",
    "transparent",
    "into",
    "from",
    "try_from",
    "bound",
];

/// The keys that may be repeated.
const REPEATED: [&str; 8] = [
    "alias",
    "example",
    "transform",
    "validation",
    "printcolumn",
    "category",
    "shortname",
    "custom",
];

/// Where attributes stand.
#[derive(Default)]
pub struct AttributeSite<'t> {
    /// The section of the grammar.
    pub name: &'static str,
    /// The facts that hold there.
    pub facts: BTreeSet<&'static str>,
    /// The type of a field.
    pub ty: Option<&'t Ty>,
    /// The type itself, for a container.
    pub this: &'t str,
}

/// An attribute: its name, and its items or what else stands behind the name.
#[derive(Clone, Debug)]
struct Attribute {
    name: String,
    items: Vec<String>,
}

/// A module with what is drawn for it.
pub struct Drawing<'g, 'd> {
    pub grammar: &'g Grammar,
    pub module: Module<'d>,
    /// The lines of the rows that were drawn.
    pub lines: BTreeSet<usize>,
    /// The attributes of one place.
    pub pairs: BTreeSet<(usize, usize)>,
    /// Types are given adapters by `serde_as`.
    pub adapted: bool,
    /// Types that stand for others.
    pub remotes: Vec<String>,
    names: usize,
}

impl<'g, 'd> Drawing<'g, 'd> {
    pub fn new(grammar: &'g Grammar, module: Module<'d>) -> Self {
        Self {
            grammar,
            module,
            lines: BTreeSet::new(),
            pairs: BTreeSet::new(),
            adapted: false,
            remotes: Vec::new(),
            names: 0,
        }
    }

    pub fn chance(&mut self, one_in: usize) -> bool {
        self.module.dice.one_in(one_in)
    }

    /// The attributes of a place, each on a line with this indent. `given` are there in any case.
    pub fn attributes(
        &mut self,
        place: &AttributeSite<'_>,
        given: &[&str],
        indent: &str,
    ) -> String {
        let count = self.module.dice.pick(&[0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4]);
        let mut found: Vec<Attribute> = given.iter().map(|text| attribute(text)).collect();
        let mut lines: Vec<usize> = Vec::new();
        for _ in 0..count {
            // Now and then something that makes no sense there.
            let nonsense = self.chance(80);
            let grammar = self.grammar;
            let rows: Vec<&Row> = grammar
                .rows(place.name)
                .iter()
                .filter(|row| nonsense || fits(row, place))
                .collect();
            let mut left = self
                .module
                .dice
                .roll(rows.iter().map(|row| row.weight).sum());
            let row = rows.into_iter().find(|row| {
                let here = left < row.weight;
                left = left.saturating_sub(row.weight);
                here
            });
            let Some(row) = row else { continue };
            let made: Option<Vec<Attribute>> = row
                .attributes
                .iter()
                .map(|(name, items)| {
                    let name = self.filled(name, place)?;
                    let items = self.filled(items, place)?;
                    Some(attribute(&format!("{name}{items}")))
                })
                .collect();
            let Some(made) = made else { continue };
            if made.iter().any(|one| clashes(one, &found)) && !self.chance(200) {
                continue;
            }
            found.extend(made);
            for other in &lines {
                self.pairs
                    .insert((*other.min(&row.line), *other.max(&row.line)));
            }
            self.lines.insert(row.line);
            lines.push(row.line);
        }
        self.written(found, place, indent)
    }

    /// The attributes as they are written: by serde or schemars, together or apart, in some order, under conditions.
    fn written(
        &mut self,
        mut found: Vec<Attribute>,
        place: &AttributeSite<'_>,
        indent: &str,
    ) -> String {
        for at in 0..found.len() {
            let shared = |item: &String| SHARED.contains(&key(item));
            let of_serde = found[at].name == "serde" && found[at].items.iter().all(shared);
            // On a type `rename` is a word of schemars' own.
            let renames = found[at].items.iter().any(|item| key(item) == "rename");
            if !of_serde || renames && place.name == "container" || !self.chance(9) {
                continue;
            }
            let mut moved = found[at].clone();
            "schemars".clone_into(&mut moved.name);
            let unset = self.chance(2);
            if unset {
                moved.items = vec![format!("!{}", key(&moved.items[0]))];
            }
            let others = found.iter().filter(|other| other.name == "schemars");
            let said = others.flat_map(|other| &other.items).any(|item| {
                let said = key(item.trim_start_matches('!'));
                moved
                    .items
                    .iter()
                    .any(|item| key(item.trim_start_matches('!')) == said)
            });
            if !said && unset {
                found.push(moved);
            } else if !said {
                found[at] = moved;
            }
        }
        for at in (1..found.len()).rev() {
            let other = self.module.dice.roll(at + 1);
            found.swap(at, other);
        }
        let mut joined: Vec<Attribute> = Vec::new();
        for one in found {
            let listed = one.items.first().is_some_and(|item| !item.starts_with('='));
            let same = joined
                .iter_mut()
                .find(|other| other.name == one.name && listed);
            match same {
                Some(same) if self.module.dice.one_in(2) => same.items.extend(one.items),
                _ => joined.push(one),
            }
        }
        let mut text = String::new();
        let doc = self.module.dice.roll(joined.len() * 3 + 3);
        for (at, one) in joined.iter().enumerate() {
            if at == doc {
                text.push_str(&words::doc(self.module.dice, indent));
            }
            let meta = one.meta(self.module.dice.one_in(25));
            // Neither serde_with nor kube-derive looks inside of conditions.
            let bare =
                ["serde_as", "serialize_always", "kube", "x_kube", "repr"].contains(&&*one.name);
            let line = match self.module.dice.roll(90) {
                _ if bare => format!("#[{meta}]"),
                0 => format!("#[cfg_attr(all(), {meta})]"),
                1 => format!("#[cfg_attr(not(windows), {meta})]"),
                2 => format!("#[cfg_attr(any(), {meta})]"),
                3 => format!("#[cfg_attr(unix, {meta}, doc = \"Beside it.\")]"),
                4 => format!("#[cfg_attr(unix, cfg_attr(not(test), {meta}))]"),
                5 => format!("#[ {meta} ]"),
                _ => format!("#[{meta}]"),
            };
            writeln!(text, "{indent}{line}").unwrap();
        }
        if doc == joined.len() {
            text.push_str(&words::doc(self.module.dice, indent));
        }
        text
    }

    /// A text with its holes filled; `None` if there is nothing to fill one with.
    fn filled(&mut self, text: &str, place: &AttributeSite<'_>) -> Option<String> {
        let mut made = String::new();
        let mut rest = text;
        while let Some(at) = rest.find('$') {
            made.push_str(&rest[..at]);
            let name = &rest[at + 1..];
            let end = name
                .find(|letter: char| !letter.is_ascii_lowercase() && letter != '_')
                .unwrap_or(name.len());
            match &name[..end] {
                // A keyword of JSON Schema.
                "comment" => made.push_str("$comment"),
                hole => made.push_str(&self.hole(hole, place)?),
            }
            rest = &name[end..];
        }
        made.push_str(rest);
        Some(made)
    }

    fn hole(&mut self, name: &str, place: &AttributeSite<'_>) -> Option<String> {
        if let Some(texts) = self.grammar.hole(name) {
            let text = texts[self.module.dice.roll(texts.len())];
            return match (name, place.ty) {
                ("skip", Some(ty)) if self.module.dice.one_in(2) => {
                    Some(words::skip_if(ty).unwrap_or(text).to_owned())
                }
                // `KubeSchema` takes garde's words away with its helpers.
                ("validator" | "inner", _) if text == "garde" && place.facts.contains("kube") => {
                    Some("schemars".to_owned())
                }
                _ => self.filled(text, place),
            };
        }
        self.names += 1;
        let number = self.names;
        Some(match name {
            "word" => match self.module.dice.roll(6) {
                0 => format!("some-{number}"),
                1 => format!("Some {number}"),
                2 => format!("$some.{number}"),
                3 => format!("größe{number}"),
                _ => format!("word{number}"),
            },
            "lower" => format!("lower{number}of{}", place.this),
            "this" => place.this.to_owned(),
            "ty" => self.module.ty(1, 0).write(&self.module.helpers),
            "object" => "Limits".to_owned(),
            "default" => {
                let ty = place.ty?.clone();
                let value = ty.value(&self.module.helpers, self.module.dice)?;
                self.module.function(&ty, &value)
            }
            "self" => {
                let this = place.this;
                let name = format!("whole_{number}");
                self.module.write(&format!(
                    "fn {name}() -> {this} {{\n    {this}::default()\n}}"
                ));
                name
            }
            "from" | "try_from" | "into" | "both" => {
                let wire = self.module.ty(1, 0).write(&self.module.helpers);
                self.conversions(place.this, &wire, name);
                match name {
                    "both" => format!("from = \"{wire}\", into = \"{wire}\""),
                    _ => wire,
                }
            }
            "adapter" => self.adapter(place.ty?),
            _ => return None,
        })
    }

    /// The conversions between a type and the one that stands for it.
    fn conversions(&mut self, this: &str, wire: &str, name: &str) {
        if matches!(name, "from" | "both") {
            self.module.write(&format!(
                "impl From<{wire}> for {this} {{\n    fn from(_: {wire}) -> Self {{\n        unimplemented!()\n    }}\n}}"
            ));
        }
        if name == "try_from" {
            self.module.write(&format!(
                "impl TryFrom<{wire}> for {this} {{\n    type Error = String;\n\n    fn try_from(_: {wire}) -> Result<Self, String> {{\n        unimplemented!()\n    }}\n}}"
            ));
        }
        if matches!(name, "into" | "both") {
            self.module.write(&format!(
                "impl From<{this}> for {wire} {{\n    fn from(_: {this}) -> Self {{\n        unimplemented!()\n    }}\n}}"
            ));
        }
    }

    /// An adapter of serde_with for a type.
    fn adapter(&mut self, ty: &Ty) -> String {
        let dice = &mut *self.module.dice;
        let any = [
            "_",
            "Same",
            "DefaultOnNull",
            "DefaultOnError",
            "DefaultOnNull<_>",
        ];
        if dice.one_in(6) {
            return dice.pick(&any).to_owned();
        }
        match ty {
            Ty::Scalar("bool") => dice
                .pick(&["BoolFromInt", "BoolFromInt<Flexible>", "DisplayFromStr"])
                .to_owned(),
            Ty::Scalar("Duration") => dice
                .pick(&[
                    "DurationSeconds<u64>",
                    "DurationSeconds<String>",
                    "DurationSeconds<u64, Flexible>",
                    "DurationMilliSeconds<String, Flexible>",
                    "DurationSeconds<f64>",
                    "DurationSecondsWithFrac<f64>",
                    "DurationSecondsWithFrac<String>",
                    "DurationSecondsWithFrac",
                    "DurationNanoSeconds",
                ])
                .to_owned(),
            Ty::Scalar(_) => dice
                .pick(&[
                    "DisplayFromStr",
                    "DisplayFromStr",
                    "PickFirst<(_, DisplayFromStr)>",
                    "DefaultOnError<DisplayFromStr>",
                    "DefaultOnNull<DisplayFromStr>",
                    "IfIsHumanReadable<DisplayFromStr>",
                    "FromInto<String>",
                ])
                .to_owned(),
            Ty::Option(inner) => match (&**inner, dice.roll(3)) {
                (Ty::Scalar("String"), 0) => "NoneAsEmptyString".to_owned(),
                (Ty::Scalar("NonZeroU16"), 0) => "NoneAsZero".to_owned(),
                _ => format!("Option<{}>", self.adapter(inner)),
            },
            Ty::Box(inner) => format!("Box<{}>", self.adapter(inner)),
            Ty::Array(inner, length) => format!("[{}; {length}]", self.adapter(inner)),
            Ty::List("Vec", inner) => match (dice.roll(6), inner.is_string()) {
                (0, _) => "OneOrMany<_>".to_owned(),
                (1, _) => "OneOrMany<_, PreferMany>".to_owned(),
                (2, _) => "VecSkipError<_>".to_owned(),
                (3, true) => "StringWithSeparator<CommaSeparator, String>".to_owned(),
                _ => format!("Vec<{}>", self.adapter(inner)),
            },
            Ty::Set(_, inner) if dice.one_in(4) => {
                format!("SetPreventDuplicates<{}>", self.adapter(inner))
            }
            Ty::List(name, inner) | Ty::Set(name, inner) => {
                format!("{name}<{}>", self.adapter(inner))
            }
            Ty::Map(name, _, value) => match dice.roll(6) {
                0 => "MapPreventDuplicates<_, _>".to_owned(),
                1 => format!("MapFirstKeyWins<_, {}>", self.adapter(value)),
                2 => "Vec<(_, _)>".to_owned(),
                _ => format!("{name}<_, {}>", self.adapter(value)),
            },
            _ => dice.pick(&any).to_owned(),
        }
    }
}

impl Attribute {
    fn meta(&self, comma: bool) -> String {
        let Self { name, items } = self;
        match items.first() {
            None => name.clone(),
            Some(value) if value.starts_with('=') => format!("{name} {value}"),
            Some(_) => {
                let comma = if comma { "," } else { "" };
                format!("{name}({}{comma})", items.join(", "))
            }
        }
    }
}

fn attribute(text: &str) -> Attribute {
    let end = text
        .find(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let rest = rest.trim();
    let inside = rest
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'));
    let items = match inside {
        // A condition is one whole.
        Some(inside) if name.starts_with("cfg") => vec![inside.to_owned()],
        Some(inside) => pieces(inside).into_iter().map(str::to_owned).collect(),
        None if rest.is_empty() => Vec::new(),
        None => vec![rest.to_owned()],
    };
    Attribute {
        name: name.to_owned(),
        items,
    }
}

/// The key of an item.
fn key(item: &str) -> &str {
    let end = item
        .find(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .unwrap_or(item.len());
    &item[..end]
}

fn fits(row: &Row, place: &AttributeSite<'_>) -> bool {
    row.wants.iter().all(|want| match want.strip_prefix('!') {
        Some(want) => !place.facts.contains(want),
        None => place.facts.contains(want),
    })
}

/// Words of one attribute of which only one may be said.
const RIVALS: [&[&str]; 9] = [
    &["with", "schema_with"],
    &["with", "serialize_with"],
    &["with", "deserialize_with"],
    &["skip", "skip_serializing", "serialize_with"],
    &["skip", "skip_deserializing", "deserialize_with"],
    &["pattern", "regex", "contains"],
    &["email", "url", "ip", "ipv4", "ipv6"],
    &["from", "try_from", "transparent"],
    &["into", "transparent"],
];

/// Whether an attribute repeats or contradicts one that is there.
fn clashes(one: &Attribute, found: &[Attribute]) -> bool {
    if ["doc", "cfg_attr"].contains(&&*one.name) {
        return false;
    }
    found.iter().any(|other| match (&*one.name, &*other.name) {
        ("serde_as", "serde") | ("serde", "serde_as") => {
            let serde = if one.name == "serde" { one } else { other };
            serde.items.iter().any(|item| key(item).ends_with("with"))
        }
        (name, other) if name != other => false,
        _ if one.items.is_empty() || one.name == "cfg" => true,
        _ => one.items.iter().any(|item| rivals(item, &other.items)),
    })
}

fn rivals(item: &str, others: &[String]) -> bool {
    let key = key(item);
    others.iter().any(|other| {
        if key == "extend" {
            // The keywords of one are those of no other.
            let words = |item: &str| item.split('"').nth(1).map(str::to_owned);
            return words(item).is_some() && words(item) == words(other);
        }
        let other = self::key(other);
        other == key && !REPEATED.contains(&key)
            || RIVALS
                .iter()
                .any(|of| of.contains(&key) && of.contains(&other) && key != other)
    })
}
