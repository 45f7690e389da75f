//! The words in which an attribute is described: its keys, their forms, and where each may stand.

use crate::check::Check;
use crate::suggest::alternatives;
use std::fmt::{self, Display, Formatter};

/// What an attribute stands on.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Target {
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

impl Target {
    /// Everywhere.
    pub const ALL: &[Target] = &[
        Target::Struct,
        Target::Tuple,
        Target::Enum,
        Target::Field,
        Target::VariantField,
        Target::TupleField,
        Target::Variant,
    ];
    /// On types.
    pub const TYPES: &[Target] = &[Target::Struct, Target::Tuple, Target::Enum];
    /// On fields.
    pub const FIELDS: &[Target] = &[Target::Field, Target::VariantField, Target::TupleField];
    /// On fields that have names.
    pub const NAMED_FIELDS: &[Target] = &[Target::Field, Target::VariantField];
}

impl Display for Target {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Target::Struct => "a struct",
            Target::Tuple => "a struct without named fields",
            Target::Enum => "an enum",
            Target::Field => "a field",
            Target::VariantField => "a field of a variant",
            Target::TupleField => "a field without a name",
            Target::Variant => "a variant",
        })
    }
}

/// Where attributes are being read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Site {
    /// What they stand on.
    pub target: Target,
    /// Whether that is the type of a kind: one with `#[kube(..)]`.
    pub root: bool,
}

/// One attribute.
#[derive(Debug)]
pub struct Attribute {
    /// Its name.
    pub name: &'static str,
    /// Where it may stand without keys; nowhere if it needs some.
    pub bare: &'static [Target],
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
    pub at: &'static [Target],
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
        at: &'static [Target],
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

    /// The same on other targets.
    #[must_use]
    pub const fn at(mut self, at: &'static [Target]) -> Self {
        self.at = at;
        self
    }

    /// Whether it may stand there.
    #[must_use]
    pub fn fits(&self, site: Site) -> bool {
        self.at.contains(&site.target) && (site.root || !self.root)
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

/// Several targets in words: "a field or a variant".
pub(crate) fn targets(at: &[Target], root: bool) -> String {
    if root {
        return "a type with `#[kube(..)]`".to_owned();
    }
    let mut items: Vec<String> = Vec::new();
    let mut rest: Vec<Target> = Vec::new();
    for target in at {
        if !rest.contains(target) {
            rest.push(*target);
        }
    }
    for (group, called) in [
        (Target::TYPES, "a type"),
        (Target::FIELDS, "a field"),
        (Target::NAMED_FIELDS, "a field with a name"),
    ] {
        if group.iter().all(|target| rest.contains(target)) {
            rest.retain(|target| !group.contains(target));
            items.push(called.to_owned());
        }
    }
    items.extend(rest.iter().map(Target::to_string));
    alternatives(&items)
}
