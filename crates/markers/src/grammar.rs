//! The description of an attribute: its keys, their forms, and where each is allowed.

use crate::check::Check;
use crate::suggest::alternatives;
use std::fmt::{self, Display, Formatter};

/// The item that an attribute is on.
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
    /// An unnamed field of a struct or a variant.
    TupleField,
    /// A variant.
    Variant,
}

impl Target {
    /// All targets.
    pub const ALL: &[Target] = &[
        Target::Struct,
        Target::Tuple,
        Target::Enum,
        Target::Field,
        Target::VariantField,
        Target::TupleField,
        Target::Variant,
    ];
    /// All types.
    pub const TYPES: &[Target] = &[Target::Struct, Target::Tuple, Target::Enum];
    /// All fields.
    pub const FIELDS: &[Target] = &[Target::Field, Target::VariantField, Target::TupleField];
    /// All named fields.
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

/// The place of the attributes being read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Site {
    /// The item that they are on.
    pub target: Target,
    /// Whether that is the type of a kind, with `#[kube(..)]`.
    pub root: bool,
}

/// The grammar of an attribute.
#[derive(Debug)]
pub struct Attribute {
    /// Its name.
    pub name: &'static str,
    /// The targets on which it is allowed without keys; empty if it needs keys.
    pub bare: &'static [Target],
    /// The keys in its parentheses.
    pub keys: &'static Keys,
    /// Whether it may be repeated on one node without being merged.
    pub repeats: bool,
    /// One sentence that describes it.
    pub says: &'static str,
}

/// The keys in one pair of parentheses.
#[derive(Debug)]
pub struct Keys {
    /// The supported keys.
    pub keys: &'static [Key],
    /// Known keys that are not allowed here.
    pub refused: &'static [Refused],
    /// The treatment of all other keys.
    pub others: Others,
}

/// The treatment of unknown keys.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Others {
    /// They are errors.
    Refuse,
    /// They are left to other readers.
    Ignore,
}

/// A known key that is not allowed.
#[derive(Clone, Copy, Debug)]
pub struct Refused {
    /// Its name.
    pub name: &'static str,
    /// The reason.
    pub why: &'static str,
    /// What to write instead.
    pub help: &'static str,
}

/// A key of an attribute.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// The form of its value.
    pub form: Form,
    /// Whether it may be repeated.
    pub many: bool,
    /// Whether it is required.
    pub required: bool,
    /// The targets of the attribute that allow it.
    pub at: &'static [Target],
    /// Whether the target must be the type of a kind.
    pub root: bool,
    /// One sentence that describes it.
    pub says: &'static str,
    /// What to write at other targets, if there is such a thing.
    pub otherwise: Option<&'static str>,
}

/// The form of a key and its value.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// `key`
    Word,
    /// `key`, whose value another attribute has; the text says so to who writes a value.
    Elsewhere(&'static str),
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
    /// `key("name" = <tokens>, ..)`, with the allowed names; empty if all are allowed.
    Pairs(&'static [&'static str]),
    /// `key(lint-code, .., reason = "..")`
    Lints,
    /// Anything: another reader parses it.
    Any,
}

impl Key {
    /// Creates a key that may occur once.
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
            otherwise: None,
        }
    }

    /// Makes the key repeatable.
    #[must_use]
    pub const fn many(mut self) -> Self {
        self.many = true;
        self
    }

    /// Makes the key required.
    #[must_use]
    pub const fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// Limits the key to types of kinds.
    #[must_use]
    pub const fn root(mut self) -> Self {
        self.root = true;
        self
    }

    /// Adds what to write at other targets.
    #[must_use]
    pub const fn otherwise(mut self, otherwise: &'static str) -> Self {
        self.otherwise = Some(otherwise);
        self
    }

    /// Replaces the form.
    #[must_use]
    pub const fn with(mut self, form: Form) -> Self {
        self.form = form;
        self
    }

    /// Replaces the targets.
    #[must_use]
    pub const fn at(mut self, at: &'static [Target]) -> Self {
        self.at = at;
        self
    }

    /// Whether the key is allowed there.
    #[must_use]
    pub fn fits(&self, site: Site) -> bool {
        self.at.contains(&site.target) && (site.root || !self.root)
    }
}

/// Writes the key as in source: `feature = ".."`, `length(..)`.
impl Display for Key {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let name = self.name;
        match self.form {
            Form::Word | Form::Elsewhere(_) | Form::WordOrText | Form::Flag | Form::Any => {
                f.write_str(name)
            }
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

/// Describes several targets: "a field or a variant".
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
