//! The words in which an attribute is described: its keys, their forms, and where each may stand.

use crate::check::Check;
use crate::suggest::alternatives;
use std::fmt::{self, Display, Formatter};

/// What an attribute stands on.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Place {
    /// A struct with named fields.
    Struct,
    /// A struct without named fields.
    Tuple,
    /// An enum.
    Enum,
    /// A named field of a struct.
    Field,
    /// A named field of a variant.
    VariantField,
    /// A field without a name, of a struct or a variant.
    TupleField,
    /// A variant.
    Variant,
}

impl Place {
    /// Everywhere.
    pub const ALL: &[Place] = &[
        Place::Struct,
        Place::Tuple,
        Place::Enum,
        Place::Field,
        Place::VariantField,
        Place::TupleField,
        Place::Variant,
    ];
    /// On types.
    pub const TYPES: &[Place] = &[Place::Struct, Place::Tuple, Place::Enum];
    /// On fields.
    pub const FIELDS: &[Place] = &[Place::Field, Place::VariantField, Place::TupleField];
    /// On fields that have names.
    pub const NAMED_FIELDS: &[Place] = &[Place::Field, Place::VariantField];
}

impl Display for Place {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Place::Struct => "a struct",
            Place::Tuple => "a struct without named fields",
            Place::Enum => "an enum",
            Place::Field => "a field",
            Place::VariantField => "a field of a variant",
            Place::TupleField => "a field without a name",
            Place::Variant => "a variant",
        })
    }
}

/// Where attributes are being read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Site {
    /// What they stand on.
    pub place: Place,
    /// Whether that is the type of a kind: one with `#[kube(..)]`.
    pub root: bool,
}

/// One attribute.
#[derive(Debug)]
pub struct Attribute {
    /// Its name.
    pub name: &'static str,
    /// Where it may stand without keys; nowhere if it needs some.
    pub bare: &'static [Place],
    /// What may stand in its parentheses.
    pub keys: &'static Keys,
    /// Whether it may stand several times on one node without being merged.
    pub repeats: bool,
    /// One sentence about it.
    pub says: &'static str,
}

/// What may stand in one pair of parentheses.
#[derive(Debug)]
pub struct Keys {
    /// The keys that are read.
    pub keys: &'static [Key],
    /// Keys that are known and may not stand here.
    pub refused: &'static [Refused],
    /// What is done with keys that are in neither list.
    pub others: Others,
}

/// What is done with unknown keys.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Others {
    /// They are errors.
    Refuse,
    /// They are left to whoever knows them.
    Ignore,
}

/// A key that is known and may not stand where it does.
#[derive(Clone, Copy, Debug)]
pub struct Refused {
    /// Its name.
    pub name: &'static str,
    /// Why.
    pub why: &'static str,
    /// What to write instead.
    pub help: &'static str,
}

/// One key.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// What follows it.
    pub form: Form,
    /// Whether it may be repeated.
    pub many: bool,
    /// Whether it has to be there.
    pub required: bool,
    /// Where the attribute has to stand for it.
    pub at: &'static [Place],
    /// Whether that has to be the type of a kind.
    pub root: bool,
    /// One sentence about it.
    pub says: &'static str,
}

/// What follows a key.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// `key`
    Word,
    /// `key`, `key = true`, `key = "true"`
    Flag,
    /// `key = ".."`
    Text(Check),
    /// `key`, `key = ".."`
    WordOrText,
    /// `key = 1`, `key = "1"`
    Int,
    /// `key = a::B`, `key = "a::B"`
    Path,
    /// `key = <expression>`
    Expr,
    /// `key(..)`
    List(&'static Keys),
    /// `key = ".."` with JSON in it, `key(..)`
    JsonOrList(&'static Keys),
    /// `key("name", "value")`
    Pair,
    /// `key("a", "b")`
    Texts,
    /// `key(<expression>)`
    Arg,
    /// `key(<expression>)`, `key(pattern = <expression>)`
    ArgOrList(&'static Keys),
    /// `key = <expression>`, `key(..)`
    ExprOrList(&'static Keys),
    /// `key("name" = <tokens>, ..)`; the names that may stand there, none for all.
    Pairs(&'static [&'static str]),
    /// `key(lint-code, .., reason = "..")`
    Lints,
    /// Anything: somebody else reads it.
    Any,
}

impl Key {
    /// A key that may stand once.
    #[must_use]
    pub const fn new(
        name: &'static str,
        form: Form,
        at: &'static [Place],
        says: &'static str,
    ) -> Self {
        Self {
            name,
            form,
            many: false,
            required: false,
            at,
            root: false,
            says,
        }
    }

    /// The same, repeatable.
    #[must_use]
    pub const fn many(mut self) -> Self {
        self.many = true;
        self
    }

    /// The same, required.
    #[must_use]
    pub const fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// The same, only on the type of a kind.
    #[must_use]
    pub const fn root(mut self) -> Self {
        self.root = true;
        self
    }

    /// The same with another form.
    #[must_use]
    pub const fn with(mut self, form: Form) -> Self {
        self.form = form;
        self
    }

    /// The same in other places.
    #[must_use]
    pub const fn at(mut self, at: &'static [Place]) -> Self {
        self.at = at;
        self
    }

    /// Whether it may stand there.
    #[must_use]
    pub fn fits(&self, site: Site) -> bool {
        self.at.contains(&site.place) && (site.root || !self.root)
    }
}

/// The key as it is written: `feature = ".."`, `length(..)`.
impl Display for Key {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let name = self.name;
        match self.form {
            Form::Word | Form::WordOrText | Form::Flag | Form::Any => f.write_str(name),
            Form::Text(Check::OneOf([first, ..])) => write!(f, "{name} = \"{first}\""),
            Form::Text(_) => write!(f, "{name} = \"..\""),
            Form::Int => write!(f, "{name} = 0"),
            Form::Path | Form::Expr => write!(f, "{name} = .."),
            Form::Pair => write!(f, "{name}(\"..\", \"..\")"),
            Form::Texts => write!(f, "{name}(\"..\")"),
            Form::Pairs(_) => write!(f, "{name}(\"..\" = ..)"),
            Form::Lints => write!(f, "{name}(.., reason = \"..\")"),
            Form::List(_)
            | Form::JsonOrList(_)
            | Form::Arg
            | Form::ArgOrList(_)
            | Form::ExprOrList(_) => {
                write!(f, "{name}(..)")
            }
        }
    }
}

/// Several places in words: "a field or a variant".
pub(crate) fn places(at: &[Place], root: bool) -> String {
    if root {
        return "a type with `#[kube(..)]`".to_owned();
    }
    let mut items: Vec<String> = Vec::new();
    let mut rest: Vec<Place> = Vec::new();
    for place in at {
        if !rest.contains(place) {
            rest.push(*place);
        }
    }
    for (group, called) in [
        (Place::TYPES, "a type"),
        (Place::FIELDS, "a field"),
        (Place::NAMED_FIELDS, "a field with a name"),
    ] {
        if group.iter().all(|place| rest.contains(place)) {
            rest.retain(|place| !group.contains(place));
            items.push(called.to_owned());
        }
    }
    items.extend(rest.iter().map(Place::to_string));
    alternatives(&items)
}
