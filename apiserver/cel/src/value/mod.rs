//! The values of expressions.

mod compare;
mod quantity;

pub(crate) use compare::{any_equals, float, order};
pub use quantity::Quantity;

use crate::Text;
use crate::ast::Literal;
use crate::time::Timestamp;
use semver::Version;
use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;

/// The reason for which an expression has no value.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Stop {
    /// The server would report an error too, so the rule fails.
    Error,
    /// It cannot be evaluated exactly here.
    Unknown,
}

pub(crate) type Answer = Result<Val, Stop>;

/// A value. Large values are shared, so that copies are cheap.
#[derive(Clone, Debug, PartialEq)]
pub enum Val {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A whole number without a sign.
    Uint(u64),
    /// A floating-point number.
    Double(f64),
    /// The sum of an empty list: zero of any numeric type.
    Zero,
    /// A text.
    String(Text),
    /// Bytes.
    Bytes(Arc<[u8]>),
    /// A list.
    List(Arc<[Val]>),
    /// A list whose order is ignored in comparisons: a set, or a list with keys.
    Unordered(Arc<[Val]>),
    /// A list made from a map, whose entries servers visit in any order, or one with items that occur twice although they must not:
    /// its comparison is unknown.
    Shuffled(Arc<[Val]>),
    /// A map, or an object whose schema was lost.
    Map(Arc<[(Val, Val)]>),
    /// An object with its fields.
    Object(Object),
    /// A value that may be absent.
    Optional(Option<Arc<Val>>),
    /// A type, by name.
    Type(Text),
    /// A point in time.
    Timestamp(Timestamp),
    /// A span of time, in nanoseconds.
    Duration(i64),
    /// `quantity('1Gi')`
    Quantity(Quantity),
    /// `ip('10.0.0.1')`
    Ip(IpAddr),
    /// `cidr('10.0.0.0/8')`, with the bits of the mask.
    Cidr(IpAddr, u8),
    /// `url('https://example.com')`
    Url(Text),
    /// `semver('1.2.3')`
    Semver(Arc<Version>),
    /// `format.dns1123Label()`, by the name of its function.
    Format(&'static str),
    /// A value of a kind that is not evaluated here.
    Opaque,
    /// A value that does not match its schema: reading it is an error.
    Broken,
}

/// An object, including the fields that expressions cannot see, since these affect comparisons.
#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    /// The fields that expressions see.
    pub seen: Arc<[(Val, Val)]>,
    /// The names of the other fields, and their values.
    pub hidden: Arc<[(Text, Hidden)]>,
}

/// A field that expressions cannot see.
#[derive(Clone, Debug, PartialEq)]
pub enum Hidden {
    /// It is null, which counts as missing.
    Null,
    /// It has a schema without a type. Its value as a text that is equal only for equal values; `None` if more than that
    /// matters.
    Untyped(Option<Text>),
    /// It is the metadata of a resource, which servers change. Its earlier value as such a text.
    Metadata(Text),
    /// It has no schema. Its value as such a text.
    Unknown(Text),
}

impl Val {
    /// A text.
    pub fn text(text: impl Into<Text>) -> Self {
        Self::String(text.into())
    }

    /// A list.
    pub fn list(items: impl IntoIterator<Item = Self>) -> Self {
        Self::List(items.into_iter().collect())
    }

    /// A map, or an object.
    pub fn map(entries: impl IntoIterator<Item = (Self, Self)>) -> Self {
        Self::Map(entries.into_iter().collect())
    }

    /// An optional.
    #[must_use]
    pub fn optional(inner: Option<Self>) -> Self {
        Self::Optional(inner.map(Arc::new))
    }

    /// The value of a text with the format `date-time` in rules.
    #[must_use]
    pub fn of_date_time(text: &str) -> Self {
        crate::time::timestamp(text).map_or(Self::Opaque, Self::Timestamp)
    }

    /// Whether it can be a key of a map literal. Servers find other values by identity.
    pub(crate) fn is_key(&self) -> bool {
        matches!(
            self,
            Self::Null
                | Self::Bool(_)
                | Self::Int(_)
                | Self::Uint(_)
                | Self::Double(_)
                | Self::String(_)
        )
    }

    /// `value.field`, `value[key]`; with `optional` a missing one is an empty optional. An optional has no entries.
    pub(crate) fn select(&self, key: &Self, optional: bool) -> Result<Self, Stop> {
        // Only a text can be a key of an object.
        if !optional && self.has_only_texts() && !matches!(key, Self::String(_) | Self::Opaque) {
            return Err(Stop::Error);
        }
        match self.find(key)? {
            Some(Self::Broken) if optional => Err(Stop::Error),
            found if optional => Ok(Self::optional(found)),
            found => found.ok_or(Stop::Error),
        }
    }

    /// The entry of a list or a map; `None` if it is missing. Other values have no entries.
    ///
    /// # Errors
    /// If it cannot be a key.
    pub(crate) fn find(&self, key: &Self) -> Result<Option<Self>, Stop> {
        match key {
            Self::Bool(_) | Self::Int(_) | Self::Uint(_) | Self::Double(_) | Self::String(_) => {}
            // Only integers can be an index.
            Self::Zero => return self.find(&Self::Int(0)),
            Self::Opaque | Self::Broken | Self::Optional(_) => return Err(Stop::Unknown),
            _ => return Err(Stop::Error),
        }
        match self {
            Self::List(items) | Self::Unordered(items) => {
                let index = usize::try_from(key.index()?).ok();
                match (index.and_then(|index| items.get(index)), key) {
                    (None, _) => Ok(None),
                    (Some(item), Self::Int(_)) => Ok(Some(item.clone())),
                    // A list literal accepts such a number, but a list of an object does not.
                    (Some(_), _) => Err(Stop::Unknown),
                }
            }
            Self::Map(entries) | Self::Object(Object { seen: entries, .. }) => {
                for (known, value) in entries.iter() {
                    if known.equals(key)? {
                        return Ok(Some(value.clone()));
                    }
                }
                match key {
                    // A map literal lacks such a key, which is an error for an object.
                    Self::Bool(_) | Self::Int(_) | Self::Uint(_) | Self::Double(_)
                        if self.has_only_texts() =>
                    {
                        Err(Stop::Unknown)
                    }
                    _ => Ok(None),
                }
            }
            Self::Opaque | Self::Broken | Self::Shuffled(_) => Err(Stop::Unknown),
            _ => Ok(None),
        }
    }

    /// The value as an index. Servers accept whole numbers of any type.
    fn index(&self) -> Result<i64, Stop> {
        match self {
            Self::Int(index) => Ok(*index),
            Self::Uint(index) => i64::try_from(*index).map_err(|_| Stop::Error),
            Self::Double(index) => whole(*index).ok_or(Stop::Error),
            _ => Err(Stop::Error),
        }
    }

    /// Whether it is a map whose keys are all texts, like those of objects.
    fn has_only_texts(&self) -> bool {
        match self {
            Self::Map(entries) | Self::Object(Object { seen: entries, .. }) => entries
                .iter()
                .all(|(key, _)| matches!(key, Self::String(_))),
            _ => false,
        }
    }

    /// Whether a value contains no other values.
    pub(crate) fn is_scalar(&self) -> bool {
        use Val::{Bool, Double, Int, Null, String, Uint};
        matches!(
            self,
            Null | Bool(_) | Int(_) | Uint(_) | Double(_) | String(_)
        )
    }

    /// The items of a list.
    pub(crate) fn items(&self) -> Result<&Arc<[Self]>, Stop> {
        match self {
            Self::List(items) | Self::Unordered(items) => Ok(items),
            _ => Err(Stop::Unknown),
        }
    }

    /// The items of a list, even if their order is unknown.
    pub(crate) fn in_any_order(&self) -> Result<&Arc<[Self]>, Stop> {
        match self {
            Self::Shuffled(items) => Ok(items),
            list => list.items(),
        }
    }

    /// Whether servers visit its elements in a fixed order.
    pub(crate) fn has_order(&self) -> bool {
        match self {
            Self::Shuffled(items) => items.len() < 2,
            Self::Map(entries) => entries.len() < 2,
            _ => true,
        }
    }

    /// The elements that a macro visits: the items of a list, the keys of a map.
    pub(crate) fn elements(&self) -> Result<Arc<[Self]>, Stop> {
        match self {
            Self::Map(entries) => Ok(entries.iter().map(|(key, _)| key.clone()).collect()),
            list => list.in_any_order().cloned(),
        }
    }
}

/// The floating-point number as an integer, if it is whole.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::float_cmp,
    reason = "only what is the same again counts"
)]
fn whole(number: f64) -> Option<i64> {
    let whole = number as i64;
    (whole as f64 == number && whole != i64::MAX).then_some(whole)
}

/// The maximum number of elements that are shown.
const SHOWN: usize = 4;
/// The maximum depth that is shown.
const SHOWN_DEPTH: usize = 4;

/// The value as an expression, shortened.
impl fmt::Display for Val {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown(SHOWN_DEPTH))
    }
}

impl Val {
    fn shown(&self, depth: usize) -> String {
        let Some(below) = depth.checked_sub(1) else {
            return "..".to_owned();
        };
        match self {
            Self::Null => "null".to_owned(),
            Self::Bool(value) => format!("{value}"),
            Self::Int(value) => format!("{value}"),
            Self::Uint(value) => format!("{value}u"),
            Self::Double(value) => format!("{value:?}"),
            Self::Zero => "0".to_owned(),
            Self::String(text) => format!("{text:?}"),
            Self::Bytes(bytes) => format!("b\"{}\"", bytes.escape_ascii()),
            Self::List(items) | Self::Unordered(items) | Self::Shuffled(items) => {
                let shown = items.iter().take(SHOWN);
                let shown = shown.map(|item| item.shown(below));
                listed(["[", "]"], shown, items.len())
            }
            Self::Map(entries) | Self::Object(Object { seen: entries, .. }) => {
                let shown = entries.iter().take(SHOWN);
                let shown = shown
                    .map(|(key, value)| format!("{}: {}", key.shown(below), value.shown(below)));
                listed(["{", "}"], shown, entries.len())
            }
            Self::Optional(None) => "optional.none()".to_owned(),
            Self::Optional(Some(inner)) => format!("optional.of({})", inner.shown(below)),
            Self::Type(name) => name.to_string(),
            Self::Timestamp(time) => format!("timestamp('{time}')"),
            Self::Duration(span) => format!("duration('{}')", crate::time::seconds(*span)),
            Self::Quantity(quantity) => format!("quantity('{quantity}')"),
            Self::Ip(address) => format!("ip('{address}')"),
            Self::Cidr(address, bits) => format!("cidr('{address}/{bits}')"),
            Self::Url(text) => format!("url('{text}')"),
            Self::Semver(version) => format!("semver('{version}')"),
            Self::Format(name) => format!("format.{name}()"),
            Self::Opaque => "a value".to_owned(),
            Self::Broken => "a value of the wrong type".to_owned(),
        }
    }
}

fn listed([open, close]: [&str; 2], shown: impl Iterator<Item = String>, all: usize) -> String {
    let shown: Vec<String> = shown.collect();
    let more = if all > SHOWN { ", .." } else { "" };
    format!("{open}{}{more}{close}", shown.join(", "))
}

/// The value of a literal.
pub(crate) fn constant_of(literal: &Literal) -> Val {
    match literal {
        Literal::Null => Val::Null,
        Literal::Bool(value) => Val::Bool(*value),
        Literal::Int(value) => Val::Int(*value),
        Literal::Uint(value) => Val::Uint(*value),
        Literal::Double(value) => Val::Double(*value),
        Literal::String(text) => Val::text(text.clone()),
        Literal::Bytes(bytes) => Val::Bytes(bytes.as_slice().into()),
    }
}

/// Zero of the type of another number.
pub(crate) fn zero_like(other: &Val) -> Val {
    match other {
        Val::Int(_) => Val::Int(0),
        Val::Uint(_) => Val::Uint(0),
        Val::Double(_) => Val::Double(0.0),
        Val::Duration(_) => Val::Duration(0),
        _ => Val::Zero,
    }
}
