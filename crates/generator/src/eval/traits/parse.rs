//! `FromStr`: values that are read from text.

use crate::eval::machine::{Machine, Run, Want, stop};
use crate::eval::values::number::{Float, IntType};
use crate::eval::values::path_segments::{first_segment, last_segment};
use crate::eval::values::trait_key::TraitKey;
use crate::eval::values::ty::Concrete;
use crate::eval::values::value::Value;
use crd_channels_diagnostics::{Span, Text};
use serde_json::Value as Json;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

impl Machine<'_> {
    /// `text.parse::<T>()`
    pub(crate) fn parsed(&mut self, text: &str, ty: &Concrete, want: Want<'_>, span: Span) -> Run {
        let refused = || stop(span, format!("reading `{ty}` from text is not evaluated"));
        match ty {
            Concrete::Def(instance) => {
                let of = TraitKey::Known("std::str::FromStr".into());
                let blocks = self.reader.trait_blocks(ty, &of, instance.ty.module);
                match &blocks[..] {
                    [block] => {
                        let wanted = Want {
                            ty: None,
                            assured: want.assured,
                        };
                        self.call_block(block, "from_str", vec![Value::str(text)], wanted, span)
                    }
                    _ => refused(),
                }
            }
            Concrete::External(path, _) => match parsed_by_std(text, path) {
                Some(parsed) => Ok(parsed),
                None => refused(),
            },
            _ => refused(),
        }
    }
}

/// Reads a value of a std type: the value or the error in a `Result`; `None` if the type is not known.
fn parsed_by_std(text: &str, path: &Text) -> Option<Value> {
    if let Some(ty) = IntType::from_name(path) {
        return match parsed_int(text) {
            Some(Some(int)) if ty.holds(int) && (ty.signed || !text.starts_with('-')) => {
                Some(Value::ok(Value::int(int, ty)))
            }
            Some(None) => None,
            _ => Some(error("std::num::ParseIntError")),
        };
    }
    let last = match first_segment(path) {
        "std" => last_segment(path),
        _ => "",
    };
    let ip = |address: IpAddr| Value::Ip(address, last != "IpAddr");
    Some(match (&**path, last) {
        ("f32", _) => read(text, "std::num::ParseFloatError", |value| {
            Value::Float(Float::F32(value))
        }),
        ("f64", _) => read(text, "std::num::ParseFloatError", |value| {
            Value::Float(Float::F64(value))
        }),
        ("bool", _) => read(text, "std::str::ParseBoolError", Value::Bool),
        ("char", _) => read(text, "std::char::ParseCharError", Value::Char),
        ("std::string::String", _) => Value::ok(Value::string(text)),
        (_, "PathBuf" | "OsString") => {
            Value::ok(Value::Named(path.clone(), Json::String(text.to_owned())))
        }
        (_, "IpAddr") => read(text, ADDRESS_ERROR, ip),
        (_, "Ipv4Addr") => read(text, ADDRESS_ERROR, |address: Ipv4Addr| ip(address.into())),
        (_, "Ipv6Addr") => read(text, ADDRESS_ERROR, |address: Ipv6Addr| ip(address.into())),
        (_, "SocketAddr") => read(text, ADDRESS_ERROR, Value::Socket),
        _ => return None,
    })
}

const ADDRESS_ERROR: &str = "std::net::AddrParseError";

/// Reads a value as std does, with the type of the error.
fn read<T: FromStr>(text: &str, failed: &str, of: impl FnOnce(T) -> Value) -> Value {
    match text.parse() {
        Ok(value) => Value::ok(of(value)),
        Err(_) => error(failed),
    }
}

/// Returns the error of a type.
fn error(path: &str) -> Value {
    Value::err(Value::Named(path.into(), Json::Null))
}

/// Parses an integer: `Some(None)` if it is out of range here, `None` if it is not an integer.
fn parsed_int(text: &str) -> Option<Option<i128>> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    match text.parse() {
        Ok(int) => Some(Some(int)),
        Err(_) if digits.len() > 40 => None,
        Err(_) => Some(None),
    }
}
