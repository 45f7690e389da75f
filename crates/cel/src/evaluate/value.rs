//! The values of expressions.

use super::Stop;
use super::library::quantities::Quantity;
use crate::Text;
use crate::time::Timestamp;
use semver::Version;
use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;

/// A value. What is large is shared, so that copies are cheap.
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
    /// The sum of nothing: zero of whatever type is asked for.
    Zero,
    /// A text.
    String(Text),
    /// Bytes.
    Bytes(Arc<[u8]>),
    /// A list.
    List(Arc<[Val]>),
    /// A list whose order does not matter where it is compared: a set, or a list with keys.
    Unordered(Arc<[Val]>),
    /// A map, or an object with its fields.
    Map(Arc<[(Val, Val)]>),
    /// An object with fields that expressions do not see: null, or without a schema. They count where it is compared.
    Partial(Arc<[(Val, Val)]>),
    /// A value that may be absent.
    Optional(Option<Arc<Val>>),
    /// A type, by its name.
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
    /// A value of a kind that is not looked into here.
    Opaque,
    /// A value that is not of its schema's kind: reading it is an error.
    Broken,
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

    /// What a text of the format `date-time` is for rules.
    #[must_use]
    pub fn of_date_time(text: &str) -> Self {
        crate::time::timestamp(text).map_or(Self::Opaque, Self::Timestamp)
    }

    /// Whether it can be a key of a map that an expression makes. Servers find other values by identity, or fail.
    pub(super) fn is_key(&self) -> bool {
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

    /// `value.field`, `value[key]`; with `optional` a missing one is an optional without a value.
    pub(super) fn select(&self, key: &Self, optional: bool) -> Result<Self, Stop> {
        if let Self::Optional(inner) = self {
            return match inner {
                Some(inner) => inner.select(key, true),
                None => Ok(Self::Optional(None)),
            };
        }
        match self.entry(key) {
            Ok(Self::Broken) if optional => Err(Stop::Error),
            Ok(found) if optional => Ok(Self::optional(Some(found))),
            Err(Stop::Error) if optional => Ok(Self::Optional(None)),
            Err(Stop::Unknown) if optional && self.is_scalar() => Ok(Self::Optional(None)),
            found => found,
        }
    }

    /// The entry of a list or a map.
    pub(super) fn entry(&self, key: &Self) -> Result<Self, Stop> {
        match (self, key) {
            (Self::List(items) | Self::Unordered(items), Self::Int(index)) => {
                let index = usize::try_from(*index).map_err(|_| Stop::Error)?;
                items.get(index).cloned().ok_or(Stop::Error)
            }
            (Self::Map(entries) | Self::Partial(entries), key) if *key != Self::Opaque => {
                for (known, value) in entries.iter() {
                    if known.equals(key)? {
                        return Ok(value.clone());
                    }
                }
                Err(Stop::Error)
            }
            _ => Err(Stop::Unknown),
        }
    }

    /// What variables and conditions make of an optional: servers look into it and wrap anew what they find, without its
    /// schema, and fail to wrap the values of libraries.
    pub(super) fn passed_on(self) -> Self {
        match self {
            Self::Optional(Some(inner)) => Self::optional(Some(inner.unwrapped())),
            other => other,
        }
    }

    fn unwrapped(&self) -> Self {
        match self {
            Self::Optional(_) => Self::Opaque,
            Self::Type(name) => Self::String(name.clone()),
            Self::Quantity(_) | Self::Ip(_) | Self::Cidr(..) | Self::Url(_) | Self::Semver(_) => {
                Self::Broken
            }
            Self::List(_) | Self::Map(_) if !self.is_plain() => Self::Opaque,
            Self::Unordered(_) | Self::Partial(_) => Self::Opaque,
            other => other.clone(),
        }
    }

    /// Whether nothing is in a value.
    pub(super) fn is_scalar(&self) -> bool {
        use Val::{Bool, Double, Int, Null, String, Uint};
        matches!(
            self,
            Null | Bool(_) | Int(_) | Uint(_) | Double(_) | String(_)
        )
    }

    /// Whether a value is the same without a schema.
    fn is_plain(&self) -> bool {
        match self {
            Self::Null | Self::Bool(_) | Self::Int(_) | Self::String(_) => true,
            Self::List(items) => items.iter().all(Self::is_plain),
            Self::Map(entries) => entries
                .iter()
                .all(|(key, value)| key.is_plain() && value.is_plain()),
            _ => false,
        }
    }

    /// The items of a list.
    pub(super) fn items(&self) -> Result<&Arc<[Self]>, Stop> {
        match self {
            Self::List(items) | Self::Unordered(items) => Ok(items),
            _ => Err(Stop::Unknown),
        }
    }

    /// What a macro goes through: the items of a list, the keys of a map.
    pub(super) fn elements(&self) -> Result<Arc<[Self]>, Stop> {
        match self {
            Self::Map(entries) => Ok(entries.iter().map(|(key, _)| key.clone()).collect()),
            list => list.items().cloned(),
        }
    }
}

/// How many elements of a value are shown.
const SHOWN: usize = 4;

/// As an expression would write it, shortened.
impl fmt::Display for Val {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Int(value) => write!(f, "{value}"),
            Self::Uint(value) => write!(f, "{value}u"),
            Self::Double(value) => write!(f, "{value:?}"),
            Self::Zero => f.write_str("0"),
            Self::String(text) => write!(f, "{text:?}"),
            Self::Bytes(bytes) => write!(f, "b\"{}\"", bytes.escape_ascii()),
            Self::List(items) | Self::Unordered(items) => {
                let shown = items.iter().take(SHOWN).map(Self::to_string);
                listed(f, ["[", "]"], shown, items.len())
            }
            Self::Map(entries) | Self::Partial(entries) => {
                let shown = entries.iter().take(SHOWN);
                let shown = shown.map(|(key, value)| format!("{key}: {value}"));
                listed(f, ["{", "}"], shown, entries.len())
            }
            Self::Optional(None) => f.write_str("optional.none()"),
            Self::Optional(Some(inner)) => write!(f, "optional.of({inner})"),
            Self::Type(name) => f.write_str(name),
            Self::Timestamp(time) => write!(f, "timestamp('{time}')"),
            Self::Duration(span) => write!(f, "duration('{}')", crate::time::seconds(*span)),
            Self::Quantity(quantity) => write!(f, "quantity('{quantity}')"),
            Self::Ip(address) => write!(f, "ip('{address}')"),
            Self::Cidr(address, bits) => write!(f, "cidr('{address}/{bits}')"),
            Self::Url(text) => write!(f, "url('{text}')"),
            Self::Semver(version) => write!(f, "semver('{version}')"),
            Self::Format(name) => write!(f, "format.{name}()"),
            Self::Opaque => f.write_str("a value"),
            Self::Broken => f.write_str("a value of the wrong type"),
        }
    }
}

fn listed(
    f: &mut fmt::Formatter<'_>,
    [open, close]: [&str; 2],
    shown: impl Iterator<Item = String>,
    all: usize,
) -> fmt::Result {
    let shown: Vec<String> = shown.collect();
    let more = if all > SHOWN { ", .." } else { "" };
    write!(f, "{open}{}{more}{close}", shown.join(", "))
}
