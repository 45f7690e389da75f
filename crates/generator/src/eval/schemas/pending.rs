//! What is known of the schema of a type before a CRD is written: whose it is, and what was done to it.

use crate::eval::ty::{Concrete, Finding};
use crate::eval::value::{MutPlace, Value, not_constant};
use crd_channels_diagnostics::{Span, Text};
use crd_channels_schema::draft::ItemFilter;

/// Something whose content depends on the schema of a type.
#[derive(Clone, Debug)]
pub(crate) enum Pending {
    /// schemars' generator, or its settings.
    Generator,
    /// What a type's schema is made of: a map of keywords.
    Schema(TypeSchema),
    /// What stands at one of its keywords: how it was changed, and its type if that is not JSON.
    Keyword(Vec<Change>, Option<Concrete>),
    /// An item of a list there, or what the item has at a key.
    Item(Option<Text>),
    /// The items of such a list. Whether each comes with its index.
    Items(MutPlace, bool),
    /// The index of the first item of a list that passes a test, and how often the list had been changed before.
    Index(MutPlace, ItemFilter, usize),
    /// Whether an item passes a test.
    Test(ItemFilter),
    /// An option: nobody knows yet whether it holds this.
    Perhaps(Box<Value>),
}

/// The schema of a type, and what was done to its keywords.
#[derive(Clone, Debug)]
pub(crate) struct TypeSchema {
    /// The type.
    pub(crate) of: Concrete,
    /// Where it is asked for.
    pub(crate) span: Span,
    /// The keywords that something was done to: a value, `None` where it was removed, or [`Pending::Keyword`].
    pub(crate) keywords: Vec<(Text, Value)>,
}

/// What was done to a list.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    /// An item was added at its end.
    Push(Value),
    /// Items were taken out.
    Drop(ItemFilter),
}

/// A place of which nobody knows whether it is there. What is done where it is there is done to it, and is nothing where
/// it is not.
#[derive(Clone, Debug)]
pub(crate) struct Unsure {
    /// The place, or the index of an item.
    pub(crate) of: Value,
    /// How many variables there were before.
    pub(crate) slots: usize,
}

impl Pending {
    /// Its value.
    pub(crate) fn value(self) -> Value {
        Value::Pending(Box::new(self))
    }

    /// The schema of a type, nothing done to it.
    pub(crate) fn schema(of: Concrete, span: Span) -> Self {
        Pending::Schema(TypeSchema {
            of,
            span,
            keywords: Vec::new(),
        })
    }

    /// Whether it stands for keywords of a type's schema, which are no value of their own.
    pub(crate) fn is_group(&self) -> bool {
        matches!(self, Pending::Schema(_) | Pending::Keyword(..))
    }

    /// What to call it in a message.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Pending::Generator => "a generator",
            Pending::Schema(_) | Pending::Keyword(..) => "the schema of a type",
            Pending::Item(_) | Pending::Items(..) | Pending::Index(..) | Pending::Test(_) => {
                "a part of a type's schema"
            }
            Pending::Perhaps(_) => "a part that a type's schema may lack",
        }
    }

    /// Its type.
    pub(crate) fn ty(&self) -> Concrete {
        Concrete::external(match self {
            Pending::Generator => "schemars::SchemaGenerator",
            Pending::Schema(_) => "serde_json::Map",
            Pending::Keyword(_, Some(ty)) => return ty.clone(),
            Pending::Keyword(..) | Pending::Item(_) => "serde_json::Value",
            Pending::Index(..) => "usize",
            Pending::Test(_) => "bool",
            Pending::Perhaps(_) => "std::option::Option",
            Pending::Items(..) => return Concrete::Opaque("an iterator".into()),
        })
    }
}

impl TypeSchema {
    /// What stands at a keyword, if anything was done to it.
    pub(crate) fn keyword(&self, name: &str) -> Option<&Value> {
        let found = self.keywords.iter().find(|(known, _)| &**known == name);
        found.map(|(_, value)| value)
    }

    /// The same to change it.
    pub(crate) fn keyword_mut(&mut self, name: &str) -> Option<&mut Value> {
        let found = self.keywords.iter_mut().find(|(known, _)| &**known == name);
        found.map(|(_, value)| value)
    }

    /// Puts a value at a keyword.
    pub(crate) fn set(&mut self, name: &Text, value: Value) {
        match self.keywords.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = value,
            None => self.keywords.push((name.clone(), value)),
        }
    }

    /// Adds a keyword that may be changed, with its type if that is not JSON.
    pub(crate) fn touch(&mut self, name: &Text, ty: Option<Concrete>) {
        if self.keyword(name).is_none() {
            self.set(name, Pending::Keyword(Vec::new(), ty).value());
        }
    }
}

/// Why something is unknown: it depends on the schema of a type.
pub(crate) fn unseen(span: Span) -> Finding {
    not_constant(span, UNSEEN)
}

/// What stands in a type's schema depends on the channel.
pub(crate) const UNSEEN: &str =
    "the content of a type's schema is not known before a CRD is generated";
