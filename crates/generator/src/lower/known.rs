//! Constants, constructors and defaults of types that are known by name and never read.

use super::concrete::{Concrete, is_wrapper};
use super::value::{Const, collected};
use serde_json::{Value, json};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::str::FromStr;

/// The value of a constant: `std::primitive::u16::MAX`, `std::option::Option::None`.
pub(super) fn value(path: &str) -> Option<Const> {
    let (ty, name) = last_two(path);
    if let Some((least, greatest)) = int_bounds(ty) {
        return match name {
            "MIN" => Some(Const::Int(least)),
            "MAX" => Some(Const::Int(greatest)),
            _ => None,
        };
    }
    Some(match (ty, name) {
        (_, "None") => Const::Option(None),
        ("f64", "MAX") => Const::Float(f64::MAX),
        ("f64", "MIN") => Const::Float(f64::MIN),
        ("f32", "MAX") => Const::Float(f64::from(f32::MAX)),
        ("f32", "MIN") => Const::Float(f64::from(f32::MIN)),
        ("f64" | "f32" | "consts", "EPSILON" | "PI" | "E") => return None,
        ("Value", "Null") => Const::Json(Value::Null),
        ("Duration", "ZERO") => duration(0, 0),
        ("DateTime", "UNIX_EPOCH") | ("Timestamp", "UNIX_EPOCH") => {
            Const::text("1970-01-01T00:00:00Z")
        }
        ("SystemTime", "UNIX_EPOCH") | ("time", "UNIX_EPOCH") => Const::Json(json!({
            "secs_since_epoch": 0,
            "nanos_since_epoch": 0,
        })),
        ("Ipv4Addr", "LOCALHOST") => Const::text("127.0.0.1"),
        ("Ipv4Addr", "UNSPECIFIED") => Const::text("0.0.0.0"),
        ("Ipv4Addr", "BROADCAST") => Const::text("255.255.255.255"),
        ("Ipv6Addr", "LOCALHOST") => Const::text("::1"),
        ("Ipv6Addr", "UNSPECIFIED") => Const::text("::"),
        (_, "PhantomData") => Const::Tuple(Vec::new()),
        _ => return None,
    })
}

/// What a constructor makes: `String::from("x")`, `Some(1)`, `Duration::from_secs(5)`. None where it is not known.
pub(super) fn call(path: &str, args: &[Const], expected: Option<&Concrete>) -> Option<Const> {
    let (ty, name) = last_two(path);
    let wraps = path
        .rsplit_once("::")
        .is_some_and(|(owner, _)| is_wrapper(owner));
    if wraps && matches!(name, "new" | "from" | "Borrowed" | "Owned") {
        return args.first().cloned();
    }
    Some(match (ty, name, args) {
        (_, "Some", [value]) => Const::Option(Some(Box::new(value.clone()))),
        // It would be taken for the option inside.
        (_, "Ok", [Const::Option(_) | Const::Failed(..)]) => return None,
        (_, "Ok", [value]) => value.clone(),
        (_, "Err", [error]) => Const::Failed(Box::new(error.clone()), None),
        ("serde_json", "from_str", [Const::Text(text)]) => {
            Const::Json(serde_json::from_str(text).ok()?)
        }
        ("String", "from", [value @ (Const::Text(_) | Const::Char(_))]) => {
            Const::Text(shown(value)?.into())
        }
        ("String" | "PathBuf", "new", []) => Const::text(""),
        ("PathBuf" | "Path" | "OsString", "from" | "new", [text @ Const::Text(_)]) => text.clone(),
        ("BTreeMap" | "HashMap" | "IndexMap", "new" | "with_capacity", _) => Const::Map(Vec::new()),
        ("Map", "new", []) => Const::Json(json!({})),
        ("BTreeMap" | "HashMap" | "IndexMap", "from" | "from_iter", [list]) => {
            let map = Concrete::external("std::collections::BTreeMap");
            match collected(list.clone(), Some(&map)) {
                map @ Const::Map(_) => map,
                _ => return None,
            }
        }
        (
            "Vec" | "VecDeque" | "LinkedList" | "BinaryHeap" | "BTreeSet" | "HashSet" | "IndexSet",
            "new" | "with_capacity",
            _,
        ) => Const::List(Vec::new()),
        (
            "Vec" | "VecDeque" | "LinkedList" | "BTreeSet" | "HashSet" | "IndexSet" | "IntoIter"
            | "IntoIterator",
            "from" | "from_iter" | "new" | "into_iter",
            [list @ Const::List(_)],
        ) => list.clone(),
        ("Duration", "from_secs", [Const::Int(secs)]) => duration(*secs, 0),
        ("Duration", "from_millis", [Const::Int(millis)]) => {
            duration(millis / 1_000, millis % 1_000 * 1_000_000)
        }
        ("Duration", "from_micros", [Const::Int(micros)]) => {
            duration(micros / 1_000_000, micros % 1_000_000 * 1_000)
        }
        ("Duration", "from_nanos", [Const::Int(nanos)]) => {
            duration(nanos / 1_000_000_000, nanos % 1_000_000_000)
        }
        ("Duration", "from_mins", [Const::Int(mins)]) => duration(mins.checked_mul(60)?, 0),
        ("Duration", "from_hours", [Const::Int(hours)]) => duration(hours.checked_mul(3_600)?, 0),
        ("Duration", "new", [Const::Int(secs), Const::Int(nanos)]) => duration(*secs, *nanos),
        ("Ipv4Addr", "new", octets) => {
            let octets = small::<u8>(octets)?;
            Const::text(&Ipv4Addr::from(<[u8; 4]>::try_from(octets).ok()?).to_string())
        }
        ("Ipv6Addr", "new", groups) => {
            let groups = small::<u16>(groups)?;
            Const::text(&Ipv6Addr::from(<[u16; 8]>::try_from(groups).ok()?).to_string())
        }
        ("IpAddr", "V4" | "V6" | "from", [address @ Const::Text(_)]) => address.clone(),
        ("Value", "String" | "Bool" | "from" | "Number", [value]) => {
            Const::Json(super::serialize::plain(value)?)
        }
        ("Number" | "Map", "from", [value]) => Const::Json(super::serialize::plain(value)?),
        ("Regex", "new", [pattern @ Const::Text(_)]) => pattern.clone(),
        (wrapper, "new" | "new_unchecked", [Const::Int(int)]) if wrapper.starts_with("NonZero") => {
            let inside = (*int != 0).then(|| Box::new(Const::Int(*int)));
            if name == "new" {
                Const::Option(inside)
            } else {
                *inside?
            }
        }
        (_, "from" | "into", [value]) if fits_as_it_is(value, ty) => value.clone(),
        (_, "from", [Const::Bool(value)]) if int_bounds(ty).is_some() => {
            Const::Int(i128::from(*value))
        }
        (_, "default", []) => {
            let named = Concrete::External(path.rsplit_once("::")?.0.into(), Vec::new());
            let ty = match expected {
                Some(ty) if ty.external_name() == named.external_name() => ty,
                _ => &named,
            };
            default(ty)?
        }
        _ => return None,
    })
}

/// What `Default::default()` gives for a type known by name whose default needs no other type's.
pub(super) fn default(ty: &Concrete) -> Option<Const> {
    let Concrete::External(path, _) = ty.peel() else {
        return None;
    };
    let name = ty.external_name()?;
    if int_bounds(name).is_some() {
        return Some(Const::Int(0));
    }
    Some(match name {
        "bool" => Const::Bool(false),
        "f32" | "f64" => Const::Float(0.0),
        "char" => Const::Char('\0'),
        "String" | "str" | "PathBuf" | "OsString" | "SmolStr" => Const::text(""),
        "Option" => Const::Option(None),
        "Vec" | "VecDeque" | "LinkedList" | "BinaryHeap" | "BTreeSet" | "HashSet" | "IndexSet" => {
            Const::List(Vec::new())
        }
        "RegexSet" if path.starts_with("regex") => Const::List(Vec::new()),
        "BTreeMap" | "HashMap" | "IndexMap" => Const::Map(Vec::new()),
        "Map" if path.starts_with("serde_json") => Const::Json(json!({})),
        "Value" if path.starts_with("serde_json") => Const::Json(Value::Null),
        "Number" if path.starts_with("serde_json") => Const::Json(json!(0)),
        "Duration" if path.starts_with("std") => duration(0, 0),
        "DateTime" if path.starts_with("chrono") => Const::text("1970-01-01T00:00:00Z"),
        "NaiveDateTime" if path.starts_with("chrono") => Const::text("1970-01-01T00:00:00"),
        "NaiveDate" if path.starts_with("chrono") => Const::text("1970-01-01"),
        "NaiveTime" if path.starts_with("chrono") => Const::text("00:00:00"),
        "Timestamp" if path.starts_with("jiff") => Const::text("1970-01-01T00:00:00Z"),
        "PhantomData" => Const::Tuple(Vec::new()),
        "Uuid" => Const::text("00000000-0000-0000-0000-000000000000"),
        _ => return None,
    })
}

/// What `text.parse()` gives for a type known by name; none where that is not known.
pub(super) fn parsed(text: &str, ty: &Concrete) -> Option<Const> {
    let name = ty.external_name()?;
    let value = match name {
        "f32" | "f64" => text.parse().ok().map(Const::Float),
        "bool" => text.parse().ok().map(Const::Bool),
        "char" => text.parse().ok().map(Const::Char),
        "String" | "PathBuf" | "OsString" => Some(Const::text(text)),
        "IpAddr" => shortest::<IpAddr>(text),
        "Ipv4Addr" => shortest::<Ipv4Addr>(text),
        "Ipv6Addr" => shortest::<Ipv6Addr>(text),
        "SocketAddr" => shortest::<SocketAddr>(text),
        name => {
            let (least, greatest) = int_bounds(name)?;
            let int: Option<i128> = text.parse().ok();
            int.filter(|int| (least..=greatest).contains(int))
                .map(Const::Int)
        }
    };
    let error = || Const::text(&format!("`{text}` is no `{name}`"));
    Some(value.unwrap_or_else(|| Const::Failed(Box::new(error()), Some(ty.clone()))))
}

/// An address as it is written again.
fn shortest<T: FromStr + ToString>(text: &str) -> Option<Const> {
    let address: T = text.parse().ok()?;
    Some(Const::text(&address.to_string()))
}

/// A scalar as `to_string()` shows it.
pub(super) fn shown(value: &Const) -> Option<String> {
    Some(match value {
        Const::Text(text) => text.to_string(),
        Const::Char(c) => c.to_string(),
        Const::Int(int) => int.to_string(),
        Const::Bool(value) => value.to_string(),
        _ => return None,
    })
}

/// Whether an integer stays what it is in a type.
pub(super) fn fits(int: i128, ty: &str) -> bool {
    int_bounds(ty).is_some_and(|(least, greatest)| (least..=greatest).contains(&int))
}

/// The least and the greatest value of an integer type. `usize` is 64 bits wide, as on every machine that runs a
/// controller; `u128` ends where we do.
pub(super) fn int_bounds(ty: &str) -> Option<(i128, i128)> {
    Some(match ty {
        "u8" => (0, i128::from(u8::MAX)),
        "u16" => (0, i128::from(u16::MAX)),
        "u32" => (0, i128::from(u32::MAX)),
        "u64" | "usize" => (0, i128::from(u64::MAX)),
        "u128" => (0, i128::MAX),
        "i8" => (i128::from(i8::MIN), i128::from(i8::MAX)),
        "i16" => (i128::from(i16::MIN), i128::from(i16::MAX)),
        "i32" => (i128::from(i32::MIN), i128::from(i32::MAX)),
        "i64" | "isize" => (i128::from(i64::MIN), i128::from(i64::MAX)),
        "i128" => (i128::MIN, i128::MAX),
        _ => return None,
    })
}

fn fits_as_it_is(value: &Const, ty: &str) -> bool {
    match value {
        Const::Int(int) => fits(*int, ty),
        Const::Float(_) => matches!(ty, "f32" | "f64"),
        Const::Bool(_) => ty == "bool",
        Const::Char(_) => ty == "char",
        _ => false,
    }
}

fn duration(secs: i128, nanos: i128) -> Const {
    let (secs, nanos) = (u64::try_from(secs).ok(), u32::try_from(nanos).ok());
    Const::Json(json!({ "secs": secs, "nanos": nanos }))
}

fn small<T: TryFrom<i128>>(args: &[Const]) -> Option<Vec<T>> {
    let parts = args.iter().map(|arg| match arg {
        Const::Int(int) => T::try_from(*int).ok(),
        _ => None,
    });
    parts.collect()
}

fn last_two(path: &str) -> (&str, &str) {
    match path.rsplit_once("::") {
        Some((before, name)) => (before.rsplit("::").next().unwrap_or(before), name),
        None => ("", path),
    }
}
