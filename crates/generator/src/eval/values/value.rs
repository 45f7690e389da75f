//! Values as Rust has them: each knows its type, as far as the program determines it.

use super::callable::Callable;
use super::iterator::Iter;
use super::kinds::{MapKind, SeqKind, Wrapper};
use super::number::{Float, Int, IntType};
use super::ty::{Concrete, Finding, Instance};
use crate::eval::schemas::{Pending, Record};
use crd_channels_diagnostics::{Code, Diagnostic, Span, Text};
use serde_json::Value as Json;
use std::cmp::Ordering;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

/// A value.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    /// `true`, `false`
    Bool(bool),
    /// A character.
    Char(char),
    /// An integer.
    Int(Int),
    /// A float.
    Float(Float),
    /// A `str`, always behind a reference.
    Str(Text),
    /// A `String`.
    String(Text),
    /// A tuple; `()` is empty.
    Tuple(Vec<Value>),
    /// `None`, `Some(x)`
    Option(Option<Box<Value>>),
    /// `Ok(x)`, `Err(x)`
    Result(Result<Box<Value>, Box<Value>>),
    /// A list or a set.
    Seq(Seq),
    /// A map.
    Map(Map),
    /// A struct or enum variant of the source.
    Adt(Adt),
    /// `a..b`: start, end, and whether it is inclusive.
    Range(Option<Box<Value>>, Option<Box<Value>>, bool),
    /// A std type that wraps one value.
    Wrapped(Wrapper, Box<Value>),
    /// `&x`
    Ref(Arc<Value>),
    /// `&mut x`
    MutPlace(MutPlace),
    /// The result of `map.entry(key)`: the map's place, and the key.
    Entry(MutPlace, Box<Value>),
    /// An iterator.
    Iter(Box<Iter>),
    /// A closure, or a function as a value.
    Fn(Arc<Callable>),
    /// `std::cmp::Ordering`
    Ordering(Ordering),
    /// `std::time::Duration`
    Duration(Duration),
    /// `IpAddr`, `Ipv4Addr`, `Ipv6Addr`: the address, and whether its type determines the version.
    Ip(IpAddr, bool),
    /// `SocketAddr`
    Socket(SocketAddr),
    /// `serde_json::Value`: the content of its variant. `null` contains `()`.
    Json(Box<Value>),
    /// schemars' `Schema`: its content, as JSON or schemars 0.8's structs.
    Schema(Box<Value>),
    /// A struct of schemars 0.8 or of kube.
    Record(Record),
    /// A value that depends on the schema of a type.
    Pending(Box<Pending>),
    /// A value of a type known by its full path, of which only its JSON is known.
    Named(Text, Json),
    /// The value of an override: JSON that represents a value of any expected type.
    Override(Json),
    /// The serializer that a type's `serialize` gets.
    Serializer,
    /// A struct, map or list being serialized.
    Compound(Compound),
    /// The formatter that a type's `fmt` gets: its output, and its options.
    Formatter(Text, FormatSpec),
    /// `PhantomData` and other types of std without a value.
    Unit(&'static str),
    /// A value that cannot be determined; an error once it is used.
    Unknown(Finding),
}

/// A list or a set.
#[derive(Clone, Debug)]
pub(crate) struct Seq {
    /// Its kind.
    pub(crate) kind: SeqKind,
    /// Its items. Those of a sorted set are sorted, and those of any set are distinct.
    pub(crate) items: Arc<Vec<Value>>,
    /// The type of its items, if known.
    pub(crate) item: Option<Arc<Concrete>>,
}

/// A map.
#[derive(Clone, Debug)]
pub(crate) struct Map {
    /// Its kind.
    pub(crate) kind: MapKind,
    /// Its entries. Those of a sorted map are sorted, and keys are distinct.
    pub(crate) entries: Arc<Vec<(Value, Value)>>,
    /// The types of keys and values, if known.
    pub(crate) types: Option<Arc<(Concrete, Concrete)>>,
}

/// A struct or enum variant.
#[derive(Clone, Debug)]
pub(crate) struct Adt {
    /// Its type. Arguments that the value does not determine are [`Concrete::Infer`].
    pub(crate) of: Arc<Instance>,
    /// The variant's index.
    pub(crate) variant: Option<usize>,
    /// Its fields; those of a tuple are named by index.
    pub(crate) fields: Arc<Vec<(Text, Value)>>,
}

impl Adt {
    /// Returns the value of a field.
    pub(crate) fn field(&self, name: &str) -> Option<&Value> {
        let found = self.fields.iter().find(|(field, _)| &**field == name);
        found.map(|(_, value)| value)
    }
}

/// How a method's receiver was reached.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Via {
    /// Directly.
    Owned,
    /// Behind `&`.
    Shared,
    /// Behind `&mut`.
    Mutable,
}

/// A place that `&mut` refers to: a variable and the elements from it, as in rustc's MIR.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct MutPlace {
    /// The variable.
    pub(crate) slot: usize,
    /// The elements that lead from it.
    pub(crate) elements: Vec<PlaceElem>,
    /// Whether it is a copy of a value behind `&`, which must not change.
    pub(crate) frozen: bool,
}

impl MutPlace {
    /// The place of a variable.
    pub(crate) fn of(slot: usize) -> Self {
        Self {
            slot,
            elements: Vec::new(),
            frozen: false,
        }
    }

    /// A copy of a value behind a shared reference.
    pub(crate) fn frozen(slot: usize) -> Self {
        Self {
            frozen: true,
            ..Self::of(slot)
        }
    }

    /// Returns a part of the place.
    pub(crate) fn part(&self, step: PlaceElem) -> Self {
        let mut elements = self.elements.clone();
        elements.push(step);
        Self {
            slot: self.slot,
            elements,
            frozen: self.frozen,
        }
    }
}

/// An element of a place: from a value to a part of it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum PlaceElem {
    /// A field of a struct, a variant or a tuple.
    Field(Text),
    /// An item of a list, or the value of an entry of a map.
    Item(usize),
    /// The content of `Some`, `Ok`, `Err` or a box.
    Content,
}

/// A value that is serialized in parts.
#[derive(Clone, Debug)]
pub(crate) struct Compound {
    /// Its form.
    pub(crate) shape: CompoundShape,
    /// Its entries; those of a list have no keys.
    pub(crate) entries: Vec<(Text, Json)>,
    /// The variant whose content it is.
    pub(crate) variant: Option<Text>,
}

/// The form of a value that is serialized in parts.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum CompoundShape {
    /// An object.
    Object,
    /// A list.
    List,
}

/// The options of a `{..}` in a format string: `{:>8.2}`.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct FormatSpec {
    pub(crate) fill: Option<char>,
    pub(crate) align: Option<char>,
    pub(crate) plus: bool,
    pub(crate) alternate: bool,
    pub(crate) zero: bool,
    pub(crate) width: Option<usize>,
    pub(crate) precision: Option<usize>,
    /// Empty for `Display`, `?` for `Debug`, `x`, `X`, `b`, `o`, `e`.
    pub(crate) kind: Text,
}

impl Value {
    /// `()`
    pub(crate) fn unit() -> Self {
        Value::Tuple(Vec::new())
    }

    /// A `String`.
    pub(crate) fn string(text: impl Into<Text>) -> Self {
        Value::String(text.into())
    }

    /// A `&str`.
    pub(crate) fn str(text: impl Into<Text>) -> Self {
        Value::Str(text.into())
    }

    /// `Some(x)`
    pub(crate) fn some(value: Value) -> Self {
        Value::Option(Some(Box::new(value)))
    }

    /// `Some(x)` or `None`.
    pub(crate) fn option(value: Option<Value>) -> Self {
        Value::Option(value.map(Box::new))
    }

    /// `Ok(x)`
    pub(crate) fn ok(value: Value) -> Self {
        Value::Result(Ok(Box::new(value)))
    }

    /// `Err(x)`
    pub(crate) fn err(value: Value) -> Self {
        Value::Result(Err(Box::new(value)))
    }

    /// An integer of a type.
    pub(crate) fn int(value: i128, ty: IntType) -> Self {
        Value::Int(Int::new(value, ty))
    }

    /// A `usize`; `None` beyond it.
    pub(crate) fn size(value: usize) -> Option<Self> {
        Int::size(value).map(Value::Int)
    }

    /// A list, or a set whose items are in order.
    pub(crate) fn seq(kind: SeqKind, items: Vec<Value>) -> Self {
        Value::Seq(Seq {
            kind,
            items: Arc::new(items),
            item: None,
        })
    }

    /// A map whose entries are in order.
    pub(crate) fn map(kind: MapKind, entries: Vec<(Value, Value)>) -> Self {
        Value::Map(Map {
            kind,
            entries: Arc::new(entries),
            types: None,
        })
    }

    /// A reference. One to a `str` is represented by the `str` itself.
    pub(crate) fn reference(value: Value) -> Self {
        match value {
            Value::Str(text) => Value::Str(text),
            value => Value::Ref(Arc::new(value)),
        }
    }

    /// Returns the possible content of an option that may or may not be `Some`.
    pub(crate) fn perhaps(&self) -> Option<&Value> {
        match self {
            Value::Pending(pending) => match &**pending {
                Pending::Perhaps(inner) => Some(inner),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the target of all nested references. Does not follow `&mut`, whose target only the machine knows.
    pub(crate) fn through(&self) -> &Value {
        let mut value = self;
        while let Value::Ref(inner) = value {
            value = inner;
        }
        value
    }

    /// Returns the text of a `str` or `String`, through references and boxes.
    pub(crate) fn text(&self) -> Option<&Text> {
        match self.through() {
            Value::Str(text) | Value::String(text) => Some(text),
            Value::Wrapped(wrapper, inner) if wrapper.derefs() => inner.text(),
            _ => None,
        }
    }

    /// Returns its description for messages.
    pub(crate) fn kind(&self) -> &'static str {
        match self.through() {
            Value::Bool(_) => "a boolean",
            Value::Int(_) => "an integer",
            Value::Float(_) => "a float",
            Value::Str(_) | Value::String(_) => "a string",
            Value::Char(_) => "a character",
            Value::Option(_) => "an option",
            Value::Result(_) => "a result",
            Value::Seq(seq) if seq.kind.is_set() => "a set",
            Value::Seq(_) => "a list",
            Value::Tuple(_) => "a tuple",
            Value::Map(_) => "a map",
            Value::Adt(Adt { variant: None, .. }) => "a struct",
            Value::Adt(_) => "a variant of an enum",
            Value::Range(..) => "a range",
            Value::Wrapped(..) => "a wrapped value",
            Value::Ref(_) | Value::MutPlace(_) => "a reference",
            Value::Entry(..) => "an entry",
            Value::Iter(_) => "an iterator",
            Value::Fn(_) => "a function",
            Value::Ordering(_) => "an ordering",
            Value::Duration(_) => "a duration",
            Value::Ip(..) | Value::Socket(_) => "an address",
            Value::Json(_) | Value::Override(_) => "a JSON value",
            Value::Schema(_) => "a schema",
            Value::Record(_) => "a struct of a library",
            Value::Pending(pending) => pending.kind(),
            Value::Named(..) | Value::Unit(_) => "a value of a library",
            Value::Serializer | Value::Compound(_) => "a serializer",
            Value::Formatter(..) => "a formatter",
            Value::Unknown(_) => "something unknown",
        }
    }

    /// Returns the type of a value, as far as the value determines it.
    pub(crate) fn ty(&self) -> Concrete {
        let infer = || Concrete::Infer;
        let external = |path: &str, args: Vec<Concrete>| Concrete::External(path.into(), args);
        let inner = |value: &Option<Box<Value>>| match value {
            Some(value) => value.ty(),
            None => Concrete::Infer,
        };
        match self {
            Value::Bool(_) => external("bool", Vec::new()),
            Value::Char(_) => external("char", Vec::new()),
            Value::Int(int) => match int.ty {
                Some(ty) => external(ty.name(), Vec::new()),
                None => external(INTEGER, Vec::new()),
            },
            Value::Float(float) => external(float.type_name().unwrap_or(FLOAT), Vec::new()),
            Value::Str(_) => Concrete::Ref(Box::new(external("str", Vec::new())), false),
            Value::String(_) => external("std::string::String", Vec::new()),
            Value::Tuple(items) => Concrete::Tuple(items.iter().map(Value::ty).collect()),
            Value::Option(value) => external("std::option::Option", vec![inner(value)]),
            Value::Result(Ok(value)) => external("std::result::Result", vec![value.ty(), infer()]),
            Value::Result(Err(value)) => external("std::result::Result", vec![infer(), value.ty()]),
            Value::Seq(Seq { kind, items, item }) => {
                let item = match item {
                    Some(item) => Concrete::clone(item),
                    None => items.first().map_or_else(infer, Value::ty),
                };
                match kind {
                    SeqKind::Array => {
                        let length = u64::try_from(items.len()).unwrap_or(u64::MAX);
                        Concrete::Array(Box::new(item), length)
                    }
                    SeqKind::Slice => Concrete::Slice(Box::new(item)),
                    kind => external(kind.path().unwrap_or_default(), vec![item]),
                }
            }
            Value::Map(map) => {
                let first = || {
                    let first = map.entries.first();
                    first.map_or_else(
                        || (Concrete::Infer, Concrete::Infer),
                        |(key, value)| (key.ty(), value.ty()),
                    )
                };
                let types = map.types.as_ref();
                let (key, value) = types.map_or_else(first, |types| (**types).clone());
                match map.kind {
                    MapKind::Json => external(
                        map.kind.path(),
                        vec![
                            Concrete::external("std::string::String"),
                            Concrete::external("serde_json::Value"),
                        ],
                    ),
                    kind => external(kind.path(), vec![key, value]),
                }
            }
            Value::Adt(adt) => Concrete::Def(Arc::clone(&adt.of)),
            Value::Range(start, end, closed) => {
                let of = start.as_ref().or(end.as_ref());
                let name = match (start, end, closed) {
                    (Some(_), Some(_), false) => "std::ops::Range",
                    (Some(_), Some(_), true) => "std::ops::RangeInclusive",
                    (Some(_), None, _) => "std::ops::RangeFrom",
                    (None, Some(_), false) => "std::ops::RangeTo",
                    (None, Some(_), true) => "std::ops::RangeToInclusive",
                    (None, None, _) => "std::ops::RangeFull",
                };
                external(name, of.map(|of| of.ty()).into_iter().collect())
            }
            Value::Wrapped(wrapper, inner) => {
                let inner = match (wrapper, &**inner) {
                    (_, Value::Str(_)) => external("str", Vec::new()),
                    (Wrapper::Cow, Value::String(_)) => external("str", Vec::new()),
                    (_, inner) => inner.ty(),
                };
                external(wrapper.path(), vec![inner])
            }
            Value::Ref(inner) => Concrete::Ref(Box::new(inner.ty()), false),
            Value::MutPlace(_) => Concrete::Ref(Box::new(Concrete::Infer), true),
            Value::Ordering(_) => external("std::cmp::Ordering", Vec::new()),
            Value::Duration(_) => external("std::time::Duration", Vec::new()),
            Value::Ip(address, versioned) => external(
                match (versioned, address) {
                    (false, _) => "std::net::IpAddr",
                    (true, IpAddr::V4(_)) => "std::net::Ipv4Addr",
                    (true, IpAddr::V6(_)) => "std::net::Ipv6Addr",
                },
                Vec::new(),
            ),
            Value::Socket(_) => external("std::net::SocketAddr", Vec::new()),
            Value::Json(_) => external("serde_json::Value", Vec::new()),
            Value::Schema(_) => external("schemars::Schema", Vec::new()),
            Value::Record(record) => Concrete::External(record.of.clone(), Vec::new()),
            Value::Pending(pending) => pending.ty(),
            Value::Named(path, _) => Concrete::External(path.clone(), Vec::new()),
            Value::Unit(path) => external(path, vec![Concrete::Infer]),
            Value::Iter(_) => Concrete::Opaque("an iterator".into()),
            Value::Fn(_) => Concrete::Opaque("a function".into()),
            Value::Serializer | Value::Compound(_) | Value::Formatter(..) | Value::Entry(..) => {
                Concrete::Opaque(self.kind().into())
            }
            Value::Override(_) | Value::Unknown(_) => Concrete::Infer,
        }
    }
}

/// The name of an undetermined integer type.
pub(crate) const INTEGER: &str = "{integer}";
/// The name of an undetermined float type.
pub(crate) const FLOAT: &str = "{float}";

/// Returns `not-constant` at an expression, with the reason.
pub(crate) fn not_constant(span: Span, why: impl Into<String>) -> Finding {
    Box::new(Diagnostic::new(Code::NotConstant, span, why.into()))
}
