//! The adapters of serde_with: converts what serde writes for a value to what an adapter writes.

use crate::eval::values::path_segments::last_segment;
use crate::eval::values::ty::Concrete;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};
use serde_json::{Map, Value, json};
use std::time::Duration;

/// The type whose functions `serde_as` uses to serialize and deserialize.
pub(crate) const AS: &str = "serde_with::As";
pub(crate) const OPTION: &str = "std::option::Option";
pub(crate) const STRING: &str = "std::string::String";

/// Returns the name of an adapter in its crate, and its arguments.
pub(crate) fn adapter(ty: &Concrete) -> Option<(&str, &[Concrete])> {
    match ty {
        Concrete::External(path, args) => {
            let rest = path.strip_prefix("serde_with::")?;
            Some((last_segment(rest), args))
        }
        _ => None,
    }
}

/// Returns the types of a pair if the items of a list are pairs.
pub(crate) fn pair(of: &Concrete) -> Option<(&Concrete, &Concrete)> {
    match of.item()? {
        Concrete::Tuple(items) => match &items[..] {
            [key, value] => Some((key, value)),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the last segment of the path of a format or strictness.
pub(crate) fn strictness(ty: &Concrete) -> &str {
    match ty {
        Concrete::External(path, _) => last_segment(path),
        _ => "",
    }
}

/// Returns the format of a duration's or timestamp's adapter, and whether it is fixed.
pub(crate) fn timespan<'t>(name: &str, args: &'t [Concrete]) -> Option<(&'t str, bool)> {
    let (rest, plain) = match name.strip_prefix("Duration") {
        Some(rest) => (rest, "u64"),
        None => (name.strip_prefix("Timestamp")?, "i64"),
    };
    let (unit, fraction) = match rest.strip_suffix("WithFrac") {
        Some(unit) => (unit, true),
        None => (rest, false),
    };
    factor(unit)?;
    let format = args
        .first()
        .map_or(if fraction { "f64" } else { plain }, strictness);
    let known = matches!(format, "f64" | "String") || !fraction && matches!(format, "u64" | "i64");
    let strict = args.get(1).is_none_or(|of| strictness(of) == "Strict");
    known.then_some((format, strict))
}

/// Returns how many of a unit make up a second.
pub(crate) fn factor(unit: &str) -> Option<u32> {
    match unit {
        "Seconds" => Some(1),
        "MilliSeconds" => Some(1_000),
        "MicroSeconds" => Some(1_000_000),
        "NanoSeconds" => Some(1_000_000_000),
        _ => None,
    }
}

pub(crate) fn is_option(ty: &Concrete) -> bool {
    matches!(ty, Concrete::External(path, _) if &**path == OPTION)
}

/// The maximum depth of nested adapters.
const MAX_DEPTH: usize = 32;

/// Returns what an adapter writes for a value, given what serde writes for it; `None` if that is unknown.
pub(super) fn serialized_by(plain: &Value, of: &Concrete, by: &Concrete) -> Option<Value> {
    nested(plain, of, by, 0)
}

/// A value to convert, with what it takes to convert its parts.
#[derive(Clone, Copy)]
struct Conversion<'c> {
    /// What serde writes for the value.
    plain: &'c Value,
    /// The value's type.
    of: &'c Concrete,
    /// The depth of nested adapters.
    depth: usize,
}

fn nested(plain: &Value, of: &Concrete, by: &Concrete, depth: usize) -> Option<Value> {
    if depth > MAX_DEPTH {
        return None;
    }
    let (of, by) = (of.peel(), by.peel());
    let conversion = Conversion { plain, of, depth };
    match adapter(by) {
        Some((name, args)) => conversion.adapted(name, args),
        None => conversion.structural(by),
    }
}

impl Conversion<'_> {
    /// Converts a part.
    fn part(&self, plain: &Value, of: &Concrete, by: &Concrete) -> Option<Value> {
        nested(plain, of, by, self.depth + 1)
    }

    /// Converts each item of a list.
    fn items(&self, by: &Concrete) -> Option<Value> {
        let of = self.of.item()?;
        let all = self.plain.as_array()?.iter();
        let all = all.map(|item| self.part(item, of, by));
        all.collect::<Option<Vec<_>>>().map(Value::Array)
    }

    /// Converts the parts of a type by adapters in the same places of a type of the same form.
    fn structural(&self, by: &Concrete) -> Option<Value> {
        match (self.of, by) {
            (Concrete::Tuple(of), Concrete::Tuple(by)) if of.len() == by.len() => {
                let all = self.plain.as_array()?.iter().zip(of.iter().zip(by));
                let all = all.map(|(item, (of, by))| self.part(item, of, by));
                all.collect::<Option<Vec<_>>>().map(Value::Array)
            }
            (Concrete::Array(..), Concrete::Array(item, _)) => self.items(item),
            (Concrete::External(path, of), Concrete::External(same, by)) if path == same => {
                match (last_segment(path), &of[..], &by[..]) {
                    ("Option", [of], [by]) if !may_be_null(of) => match self.plain {
                        Value::Null => Some(Value::Null),
                        some => self.part(some, of, by),
                    },
                    (
                        "Vec" | "VecDeque" | "LinkedList" | "BTreeSet" | "BinaryHeap",
                        _,
                        [item, ..],
                    ) => self.items(item),
                    ("BTreeMap" | "HashMap", [key, item, ..], [by_key, by_item, ..]) => {
                        keeps_keys(key, by_key).then_some(())?;
                        let all = self.plain.as_object()?.iter();
                        let all = all.map(|(key, value)| {
                            Some((key.clone(), self.part(value, item, by_item)?))
                        });
                        all.collect::<Option<Map<_, _>>>().map(Value::Object)
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Converts the value by an adapter of serde_with.
    fn adapted(&self, name: &str, args: &[Concrete]) -> Option<Value> {
        let Self { plain, of, .. } = *self;
        match (name, args) {
            ("Same" | "Bytes" | "BytesOrString", []) | ("DefaultOnError" | "DefaultOnNull", []) => {
                Some(plain.clone())
            }
            ("DisplayFromStr", []) => shown(plain, of).map(Value::String),
            ("DefaultOnError" | "DefaultOnNull", [by]) | ("IfIsHumanReadable", [by, ..]) => {
                self.part(plain, of, by)
            }
            ("PickFirst", [Concrete::Tuple(choices)]) => self.part(plain, of, choices.first()?),
            ("BoolFromInt", _) => plain.as_bool().map(|is| json!(u8::from(is))),
            ("NoneAsEmptyString", []) if is_option(of) => match plain {
                Value::Null => Some(json!("")),
                some => shown(some, of.item()?).map(Value::String),
            },
            ("NoneAsZero", []) if is_option(of) => match plain {
                Value::Null => Some(json!(0)),
                some => Some(some.clone()),
            },
            ("VecSkipError" | "SetPreventDuplicates" | "SetLastValueWins", [item, ..]) => {
                self.items(item)
            }
            ("MapFirstKeyWins" | "MapPreventDuplicates", [by_key, by_item]) => {
                let Concrete::External(path, _) = of else {
                    return None;
                };
                let same = Concrete::External(path.clone(), vec![by_key.clone(), by_item.clone()]);
                self.part(plain, of, &same)
            }
            ("OneOrMany", [item, rest @ ..]) => self.one_or_many(item, rest.first()),
            ("Map", [by_key, by_item]) => self.map(by_key, by_item),
            ("StringWithSeparator", [separator, _]) => self.separated(strictness(separator)),
            ("Hex", _) => Some(hex(&bytes(plain)?, args)),
            ("Base64", _) => base64(&bytes(plain)?, args),
            _ => time(plain, of, name, args),
        }
    }

    /// `OneOrMany<T>`: a list of one item is the item, unless many are preferred.
    fn one_or_many(&self, item: &Concrete, preference: Option<&Concrete>) -> Option<Value> {
        let many = self.items(item)?;
        let prefers_many = preference.is_some_and(|of| strictness(of) == "PreferMany");
        match many.as_array()?.as_slice() {
            [only] if !prefers_many => Some(only.clone()),
            _ => Some(many),
        }
    }

    /// `Map<K, V>`: an object for a list of pairs.
    fn map(&self, by_key: &Concrete, by_item: &Concrete) -> Option<Value> {
        let (key, item) = pair(self.of)?;
        keeps_keys(key, by_key).then_some(())?;
        let mut map = Map::new();
        for entry in self.plain.as_array()? {
            let [first, second] = entry.as_array()?.as_slice() else {
                return None;
            };
            let first = match first {
                Value::String(text) => text.clone(),
                other => shown(other, key)?,
            };
            map.insert(first, self.part(second, item, by_item)?);
        }
        Some(Value::Object(map))
    }

    /// `StringWithSeparator<S, T>`: one text for a list.
    fn separated(&self, separator: &str) -> Option<Value> {
        let separator = match separator {
            "SpaceSeparator" => " ",
            "CommaSeparator" => ",",
            "SemicolonSeparator" => ";",
            "ColonSeparator" => ":",
            "UnixLineSeparator" => "\n",
            "DosLineSeparator" => "\r\n",
            _ => return None,
        };
        let of = self.of.item()?;
        let all = self.plain.as_array()?.iter().map(|item| shown(item, of));
        Some(json!(all.collect::<Option<Vec<_>>>()?.join(separator)))
    }
}

/// Returns true if the keys of a map are written as serde does.
fn keeps_keys(of: &Concrete, by: &Concrete) -> bool {
    match adapter(by.peel()) {
        Some(("Same", [])) => true,
        Some(("DisplayFromStr", [])) => {
            let is_text = matches!(of.peel(), Concrete::External(path, _) if &**path == STRING);
            is_text || is_integer(of.peel())
        }
        _ => false,
    }
}

fn may_be_null(ty: &Concrete) -> bool {
    match ty.peel() {
        Concrete::External(path, _) => &**path == OPTION || path.starts_with("serde_json::"),
        Concrete::Tuple(items) => items.is_empty(),
        Concrete::Array(..) | Concrete::Number(_) => false,
        _ => true,
    }
}

fn is_integer(ty: &Concrete) -> bool {
    let Concrete::External(path, _) = ty else {
        return false;
    };
    let name = path.strip_prefix("std::num::NonZero").unwrap_or(path);
    let int = name.strip_prefix(['i', 'u', 'I', 'U']);
    int.is_some_and(|bits| matches!(bits, "8" | "16" | "32" | "64" | "128" | "size"))
}

/// Returns the `Display` text of a value, for types that serde writes like that.
fn shown(plain: &Value, of: &Concrete) -> Option<String> {
    let Concrete::External(path, _) = of.peel() else {
        return None;
    };
    match (plain, &**path) {
        (Value::Bool(is), "bool") => Some(is.to_string()),
        (Value::Number(number), "f64") => number.as_f64().map(|float| float.to_string()),
        (Value::Number(number), _) if is_integer(of.peel()) => Some(number.to_string()),
        (
            Value::String(text),
            "char"
            | "str"
            | STRING
            | "std::net::IpAddr"
            | "std::net::Ipv4Addr"
            | "std::net::Ipv6Addr"
            | "std::net::SocketAddr"
            | "std::net::SocketAddrV4"
            | "std::net::SocketAddrV6"
            | "url::Url"
            | "semver::Version"
            | "semver::VersionReq"
            | "uuid::Uuid",
        ) => Some(text.clone()),
        _ => None,
    }
}

fn bytes(plain: &Value) -> Option<Vec<u8>> {
    let all = plain.as_array()?.iter();
    all.map(|byte| u8::try_from(byte.as_u64()?).ok()).collect()
}

fn hex(bytes: &[u8], args: &[Concrete]) -> Value {
    let upper = args.first().is_some_and(|of| strictness(of) == "Uppercase");
    let digits = bytes.iter().map(|byte| match upper {
        true => format!("{byte:02X}"),
        false => format!("{byte:02x}"),
    });
    Value::String(digits.collect())
}

fn base64(bytes: &[u8], args: &[Concrete]) -> Option<Value> {
    let alphabet = args.first().map_or("Standard", strictness);
    let padded = args.get(1).is_none_or(|of| strictness(of) == "Padded");
    let engine = match (alphabet, padded) {
        ("Standard", true) => &STANDARD,
        ("Standard", false) => &STANDARD_NO_PAD,
        ("UrlSafe", true) => &URL_SAFE,
        ("UrlSafe", false) => &URL_SAFE_NO_PAD,
        _ => return None,
    };
    Some(Value::String(engine.encode(bytes)))
}

/// Formats a duration, or the time since the epoch, in the unit and format of an adapter.
fn time(plain: &Value, of: &Concrete, name: &str, args: &[Concrete]) -> Option<Value> {
    let (format, _) = timespan(name, args)?;
    let [seconds, nanos] = match of {
        Concrete::External(path, _) if &**path == "std::time::Duration" => ["secs", "nanos"],
        Concrete::External(path, _) if &**path == "std::time::SystemTime" => {
            ["secs_since_epoch", "nanos_since_epoch"]
        }
        _ => return None,
    };
    let number = |key: &str| plain.get(key)?.as_u64();
    let duration = Duration::new(number(seconds)?, u32::try_from(number(nanos)?).ok()?);
    let unit = name
        .strip_prefix("Duration")
        .or_else(|| name.strip_prefix("Timestamp"))?;
    if let Some(unit) = unit.strip_suffix("WithFrac") {
        let float = duration.checked_mul(factor(unit)?)?.as_secs_f64();
        return match format {
            "String" => Some(json!(float.to_string())),
            _ => Some(json!(float)),
        };
    }
    let duration = duration.checked_mul(factor(unit)?)?;
    let up = u64::from(duration.subsec_millis() >= 500);
    match format {
        "u64" => Some(json!(duration.as_secs().checked_add(up)?)),
        "i64" => Some(json!(
            i64::try_from(duration.as_secs().checked_add(up)?).ok()?
        )),
        "String" => {
            let whole = i64::try_from(duration.as_secs().checked_add(up)?).ok()?;
            Some(json!(whole.to_string()))
        }
        // The same computation as serde_with's, so that all bits agree.
        #[expect(clippy::cast_precision_loss, reason = "as serde_with has it")]
        _ => Some(json!(
            duration.as_secs() as f64 + if up == 1 { 1.0 } else { 0.0 }
        )),
    }
}
