//! Constants of std.

use crate::eval::schemas::instance_type;
use crate::eval::values::kinds::Wrapper;
use crate::eval::values::number::{Float, Int, IntType, U32};
use crate::eval::values::path_segments::{first_segment, last_segment};
use crate::eval::values::value::Value;
use serde_json::{Value as Json, json};
use std::cmp::Ordering;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::time::Duration;

/// Returns a constant: `std::primitive::u16::MAX`, `std::option::Option::None`.
pub(crate) fn value(path: &str) -> Option<Value> {
    let (before, name) = path.rsplit_once("::")?;
    let ty = last_segment(before);
    match (first_segment(path), ty, name) {
        ("serde_json", "Value", "Null") => return Some(Value::json(&Json::Null)),
        ("schemars", ..) => return instance_type(path),
        ("kube" | "kube_core", ..) => return crate::eval::kube::constant(path),
        ("chrono", "DateTime", "UNIX_EPOCH") => {
            return Some(named("chrono::DateTime", json!("1970-01-01T00:00:00Z")));
        }
        ("jiff", "Timestamp", "UNIX_EPOCH") => {
            return Some(named("jiff::Timestamp", json!("1970-01-01T00:00:00Z")));
        }
        // Other crates are unknown; `u16::MAX` has two segments.
        ("std", ..) => {}
        _ if before == ty => {}
        _ => return None,
    }
    if let Some(int) = IntType::from_name(ty) {
        let value = match name {
            "MIN" => int.min(),
            "MAX" if int.bits == 128 && !int.signed => return None,
            "MAX" => int.max(),
            "BITS" => {
                return Some(Value::int(i128::from(int.bits), U32));
            }
            _ => return None,
        };
        return Some(Value::Int(Int::new(value, int)));
    }
    if let "f32" | "f64" = ty {
        return float(ty, name).map(Value::Float);
    }
    if ty == "consts" {
        let of = before.strip_suffix("::consts")?;
        let of = last_segment(of);
        return math(of, name).map(Value::Float);
    }
    let v4 = |address| Some(Value::Ip(IpAddr::V4(address), true));
    let v6 = |address| Some(Value::Ip(IpAddr::V6(address), true));
    match (ty, name) {
        ("Option", "None") => Some(Value::Option(None)),
        ("char", "MAX") => Some(Value::Char(char::MAX)),
        ("char", "REPLACEMENT_CHARACTER") => Some(Value::Char(char::REPLACEMENT_CHARACTER)),
        ("Ordering", "Less") => Some(Value::Ordering(Ordering::Less)),
        ("Ordering", "Equal") => Some(Value::Ordering(Ordering::Equal)),
        ("Ordering", "Greater") => Some(Value::Ordering(Ordering::Greater)),
        ("Duration", "ZERO") => Some(Value::Duration(Duration::ZERO)),
        ("Duration", "MAX") => Some(Value::Duration(Duration::MAX)),
        ("SystemTime", "UNIX_EPOCH") | ("time", "UNIX_EPOCH") => Some(named(
            "std::time::SystemTime",
            json!({ "secs_since_epoch": 0, "nanos_since_epoch": 0 }),
        )),
        ("Ipv4Addr", "LOCALHOST") => v4(Ipv4Addr::LOCALHOST),
        ("Ipv4Addr", "UNSPECIFIED") => v4(Ipv4Addr::UNSPECIFIED),
        ("Ipv4Addr", "BROADCAST") => v4(Ipv4Addr::BROADCAST),
        ("Ipv6Addr", "LOCALHOST") => v6(Ipv6Addr::LOCALHOST),
        ("Ipv6Addr", "UNSPECIFIED") => v6(Ipv6Addr::UNSPECIFIED),
        ("marker", "PhantomData") => Some(Value::Unit("std::marker::PhantomData")),
        ("fmt", "Error") => Some(Value::Unit("std::fmt::Error")),
        (ty, name) if ty.starts_with("NonZero") && matches!(name, "MIN" | "MAX") => {
            let of = IntType::from_name(&ty.strip_prefix("NonZero")?.to_lowercase())?;
            let value = match (name, of.signed) {
                ("MIN", false) => 1,
                ("MIN", true) => of.min(),
                _ => of.max(),
            };
            let inner = Value::Int(Int::new(value, of));
            Some(Value::Wrapped(Wrapper::NonZero, Box::new(inner)))
        }
        ("VarError", "NotPresent") => Some(named("std::env::VarError", json!("NotPresent"))),
        _ => None,
    }
}

fn named(path: &str, json: Json) -> Value {
    Value::Named(path.into(), json)
}

fn float(ty: &str, name: &str) -> Option<Float> {
    let (narrow, wide) = match name {
        "MAX" => (f32::MAX, f64::MAX),
        "MIN" => (f32::MIN, f64::MIN),
        "MIN_POSITIVE" => (f32::MIN_POSITIVE, f64::MIN_POSITIVE),
        "EPSILON" => (f32::EPSILON, f64::EPSILON),
        "INFINITY" => (f32::INFINITY, f64::INFINITY),
        "NEG_INFINITY" => (f32::NEG_INFINITY, f64::NEG_INFINITY),
        "NAN" => (f32::NAN, f64::NAN),
        _ => return None,
    };
    Float::Literal(narrow, wide).of(ty)
}

fn math(ty: &str, name: &str) -> Option<Float> {
    use std::f32::consts as narrow;
    use std::f64::consts as wide;
    macro_rules! constants {
        ($($name:ident)*) => {
            match name {
                $(stringify!($name) => (narrow::$name, wide::$name),)*
                _ => return None,
            }
        };
    }
    let (narrow, wide) = constants!(PI TAU E SQRT_2 LN_2 LN_10 LOG2_E LOG10_E FRAC_PI_2 FRAC_PI_3 FRAC_PI_4
        FRAC_PI_6 FRAC_PI_8 FRAC_1_PI FRAC_2_PI FRAC_1_SQRT_2 FRAC_2_SQRT_PI LOG2_10 LOG10_2);
    Float::Literal(narrow, wide).of(ty)
}
