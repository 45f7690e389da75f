//! Schemas of types before a CRD is written: the type, and the edits so far.

use crate::eval::values::ty::{Concrete, Finding};
use crate::eval::values::value::{MutPlace, Value, not_constant};
use crd_channels_diagnostics::{Span, Text};
use crd_channels_schema::draft::ItemFilter;

/// A value whose content depends on the schema of a type.
#[derive(Clone, Debug)]
pub(crate) enum Pending {
    /// schemars' generator, or its settings.
    Generator,
    /// The schema of a type, as a map of keywords.
    Schema(TypeSchema),
    /// The value of one of its keywords: its changes, and its type if that is not JSON.
    Keyword(Vec<Change>, Option<Concrete>),
    /// An item of a list in it, or the item's value at a key.
    Item(Option<Text>),
    /// The items of such a list, and whether each has its index.
    Items(MutPlace, bool),
    /// The index of the first item of a list that passes a test, and the number of earlier changes of the list.
    Index(MutPlace, ItemFilter, usize),
    /// Whether an item passes a test.
    Test(ItemFilter),
    /// An option that may contain this.
    Perhaps(Box<Value>),
}

/// The schema of a type, with the edits of its keywords.
#[derive(Clone, Debug)]
pub(crate) struct TypeSchema {
    /// The type.
    pub(crate) of: Concrete,
    /// The span of its use.
    pub(crate) span: Span,
    /// The edited keywords: a value, `None` if it was removed, or [`Pending::Keyword`].
    pub(crate) keywords: Vec<(Text, Value)>,
}

/// A change of a list.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    /// Appends an item.
    Push(Value),
    /// Removes items.
    Drop(ItemFilter),
}

/// A place that may not exist. Changes that depend on it apply to it, and have no effect if it does not exist.
#[derive(Clone, Debug)]
pub(crate) struct Unsure {
    /// The place, or the index of an item.
    pub(crate) of: Value,
    /// The number of variables before.
    pub(crate) slots: usize,
}

impl Pending {
    /// Wraps it in a value.
    pub(crate) fn value(self) -> Value {
        Value::Pending(Box::new(self))
    }

    /// The schema of a type without edits.
    pub(crate) fn schema(of: Concrete, span: Span) -> Self {
        Pending::Schema(TypeSchema {
            of,
            span,
            keywords: Vec::new(),
        })
    }

    /// Returns true if it represents keywords of a type's schema, which are not a value on their own.
    pub(crate) fn is_group(&self) -> bool {
        matches!(self, Pending::Schema(_) | Pending::Keyword(..))
    }

    /// Returns its description for messages.
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

    /// Returns its type.
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
    /// Returns the value of an edited keyword.
    pub(crate) fn keyword(&self, name: &str) -> Option<&Value> {
        let found = self.keywords.iter().find(|(known, _)| &**known == name);
        found.map(|(_, value)| value)
    }

    /// Returns the value of an edited keyword, mutably.
    pub(crate) fn keyword_mut(&mut self, name: &str) -> Option<&mut Value> {
        let found = self.keywords.iter_mut().find(|(known, _)| &**known == name);
        found.map(|(_, value)| value)
    }

    /// Sets the value of a keyword.
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

/// Returns the error that a value depends on the schema of a type.
pub(crate) fn unseen(span: Span) -> Finding {
    not_constant(span, UNSEEN)
}

/// The content of a type's schema depends on the channel.
pub(crate) const UNSEEN: &str =
    "the content of a type's schema is not known before a CRD is generated";
