//! The conversions between types of std, and of the crates whose types are known.

use super::convert::bytes_of;
use crate::eval::machine::{Machine, Run};
use crate::eval::serde::json_value::integer;
use crate::eval::values::kinds::{MapKind, SeqKind, Wrapper};
use crate::eval::values::number::{Float, Int, IntType, U8};
use crate::eval::values::path_segments::{first_segment, is_kube, last_segment};
use crate::eval::values::ty::Concrete;
use crate::eval::values::value::Value;
use crd_channels_diagnostics::Span;
use serde_json::Value as Json;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

impl Machine<'_> {
    /// Converts a value as std and the known crates do; `None` if they have no such conversion.
    pub(super) fn converted_by_std(
        &mut self,
        value: &Value,
        target: &Concrete,
        span: Span,
    ) -> Run<Option<Value>> {
        let loaded = self.load(value);
        let Concrete::External(path, args) = target else {
            return Ok(array_or_tuple_from(&loaded, target));
        };
        let argument = args.first().unwrap_or(&Concrete::Infer);
        if let Some(ty) = IntType::from_name(path) {
            return Ok(int_from(&loaded, ty));
        }
        if let Some(kind) = SeqKind::named(path) {
            return self.list_from(&loaded, value, kind, span);
        }
        if let Some(kind) = MapKind::named(path) {
            return match &loaded {
                Value::Seq(seq) if seq.kind == SeqKind::Array => {
                    let pairs = self.pairs(&seq.items, span)?;
                    self.mapping(kind, pairs, span).map(Some)
                }
                _ => Ok(None),
            };
        }
        if is_kube(path) {
            return Ok(self.kube_converted(&loaded, path));
        }
        if let Some(wrapper) = Wrapper::named(path) {
            return self.wrapped_from(value, &loaded, wrapper, argument, span);
        }
        // Types of other crates may have the names of std's.
        let last = match first_segment(path) {
            "std" | "smol_str" | "schemars" | "serde_json" => last_segment(path),
            _ => "",
        };
        Ok(match (&**path, last, &loaded) {
            ("std::string::String", _, Value::Char(c)) => Some(Value::string(c.to_string())),
            ("std::string::String", _, text) => text.text().map(|text| Value::String(text.clone())),
            ("f32" | "f64", _, number) => float_from(number, path),
            ("char", _, Value::Int(int)) => u8::try_from(int.value)
                .ok()
                .map(|byte| Value::Char(char::from(byte))),
            ("std::option::Option", ..) => {
                Some(Value::some(self.coerce(value.clone(), argument, span)?))
            }
            (_, "PathBuf" | "OsString" | "SmolStr", text) => text
                .text()
                .map(|text| Value::Named(path.clone(), Json::String(text.to_string()))),
            (_, "IpAddr" | "Ipv4Addr" | "Ipv6Addr", from) => ip_from(from, last),
            (_, "SocketAddr", Value::Tuple(parts)) => socket_from(parts),
            ("serde_json::Value" | "serde_json::value::Value", ..) => self.json_from(&loaded),
            (_, "Schema", _) if path.starts_with("schemars::") => self.schema_from(loaded),
            (_, "SchemaObject", Value::Schema(inner)) if path.starts_with("schemars::") => {
                schema_object_from(inner)
            }
            (_, "SingleOrVec", _) if path.starts_with("schemars::") => {
                self.one_or_more(loaded, argument, span)?
            }
            (_, "Number", Value::Int(int)) if path.starts_with("serde_json") => {
                let number = integer(int.value);
                number.map(|number| Value::Named(path.clone(), Json::Number(number)))
            }
            _ => None,
        })
    }

    fn wrapped_from(
        &mut self,
        value: &Value,
        loaded: &Value,
        wrapper: Wrapper,
        argument: &Concrete,
        span: Span,
    ) -> Run<Option<Value>> {
        let wrap = |value| Some(Value::Wrapped(wrapper, Box::new(value)));
        match wrapper {
            Wrapper::Box | Wrapper::Rc | Wrapper::Arc | Wrapper::Cow => {}
            Wrapper::Cell | Wrapper::RefCell | Wrapper::Mutex | Wrapper::RwLock => {
                return Ok(wrap(self.coerce(value.clone(), argument, span)?));
            }
            _ => return Ok(None),
        }
        if let (Some("str"), Some(text)) = (argument.external_name(), loaded.text()) {
            return Ok(wrap(match (wrapper, loaded) {
                (Wrapper::Cow, Value::String(text)) => Value::String(text.clone()),
                _ => Value::Str(text.clone()),
            }));
        }
        Ok(match (argument, loaded) {
            (Concrete::Slice(_), Value::Seq(_)) => {
                wrap(self.coerce(loaded.clone(), argument, span)?)
            }
            (Concrete::Opaque(_), _) => wrap(value.clone()),
            _ if wrapper != Wrapper::Cow => wrap(self.coerce(value.clone(), argument, span)?),
            _ => None,
        })
    }

    fn list_from(
        &mut self,
        loaded: &Value,
        value: &Value,
        kind: SeqKind,
        span: Span,
    ) -> Run<Option<Value>> {
        let behind = !matches!(value, Value::Seq(_));
        match loaded {
            Value::Seq(seq) => {
                let lists = seq.kind.is_slice() || seq.kind == SeqKind::Deque;
                let fits = match kind {
                    SeqKind::Vec => lists || seq.kind == SeqKind::Heap,
                    SeqKind::Deque => lists && !behind,
                    SeqKind::Heap => matches!(seq.kind, SeqKind::Vec | SeqKind::Array) && !behind,
                    _ => seq.kind == SeqKind::Array && !behind,
                };
                if !fits || seq.kind == SeqKind::Heap {
                    return Ok(None);
                }
                self.collection(kind, seq.items.to_vec(), span).map(Some)
            }
            text if kind == SeqKind::Vec => Ok(text.text().map(|text| bytes_of(text))),
            _ => Ok(None),
        }
    }
}

/// Converts an integer to a type that has all values of its own.
fn int_from(value: &Value, ty: IntType) -> Option<Value> {
    match value {
        Value::Int(int) => {
            let own = match int.ty {
                Some(own) => own,
                None => return int.of(ty).map(Value::Int),
            };
            let wider = if own.signed == ty.signed {
                own.bits < ty.bits && !own.size
            } else {
                !own.signed && own.bits < ty.bits && !own.size
            };
            // For `usize` only conversions that every platform has.
            let to_size = ty.size && own.bits > 16;
            let to_size = to_size || (ty.size && ty.signed && own.bits > 16);
            (wider && !to_size).then(|| Value::int(int.value, ty))
        }
        Value::Bool(value) => Some(Value::int(i128::from(*value), ty)),
        Value::Char(c) => (!ty.signed && ty.bits >= 32 && !ty.size)
            .then(|| Value::int(i128::from(u32::from(*c)), ty)),
        Value::Wrapped(Wrapper::NonZero, inner) => match &**inner {
            Value::Int(int) => int.of(ty).map(Value::Int),
            _ => None,
        },
        _ => None,
    }
}

/// Converts a number to a float that has all values of its type.
fn float_from(number: &Value, name: &str) -> Option<Value> {
    match number {
        Value::Int(int) => float_from_int(*int, name),
        Value::Bool(value) => float_from_int(Int::new(i128::from(*value), U8), name),
        Value::Float(Float::F32(value)) if name == "f64" => {
            Some(Value::Float(Float::F64(f64::from(*value))))
        }
        _ => None,
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "only integers that the float can represent are converted"
)]
fn float_from_int(int: Int, name: &str) -> Option<Value> {
    let bits = int.ty.map_or(32, |ty| ty.bits);
    let size = int.ty.is_some_and(|ty| ty.size);
    match name {
        "f32" if bits <= 16 && !size => Some(Value::Float(Float::F32(int.value as f32))),
        "f64" if bits <= 32 && !size => Some(Value::Float(Float::F64(int.value as f64))),
        _ => None,
    }
}

/// `[T; N]: From<(T, ..)>` and the other way round.
fn array_or_tuple_from(value: &Value, target: &Concrete) -> Option<Value> {
    match (target, value) {
        (Concrete::Array(..), Value::Tuple(items)) => {
            Some(Value::seq(SeqKind::Array, items.clone()))
        }
        (Concrete::Tuple(_), Value::Seq(seq)) if seq.kind == SeqKind::Array => {
            Some(Value::Tuple(seq.items.to_vec()))
        }
        _ => None,
    }
}

/// Converts a value to an IP address: of any version if the type is `IpAddr`.
fn ip_from(value: &Value, ty: &str) -> Option<Value> {
    match (value, ty) {
        (Value::Ip(address, _), "IpAddr") => Some(Value::Ip(*address, false)),
        (Value::Seq(seq), _) => {
            address_from(&seq.items).map(|address| Value::Ip(address, ty != "IpAddr"))
        }
        (Value::Int(int), "Ipv4Addr") => {
            let bits = u32::try_from(int.value).ok()?;
            Some(Value::Ip(IpAddr::V4(Ipv4Addr::from(bits)), true))
        }
        _ => None,
    }
}

/// `SocketAddr: From<(IpAddr, u16)>`
fn socket_from(parts: &[Value]) -> Option<Value> {
    let [address, Value::Int(port)] = parts else {
        return None;
    };
    let address = match address {
        Value::Ip(address, _) => *address,
        Value::Seq(seq) => address_from(&seq.items)?,
        _ => return None,
    };
    let port = u16::try_from(port.value).ok()?;
    Some(Value::Socket(SocketAddr::new(address, port)))
}

/// Returns the object in a `Schema`.
fn schema_object_from(inner: &Value) -> Option<Value> {
    match inner {
        Value::Record(_) => Some(inner.clone()),
        Value::Json(content) if matches!(**content, Value::Pending(_)) => {
            Some(Value::clone(content))
        }
        _ => None,
    }
}

fn address_from(items: &[Value]) -> Option<IpAddr> {
    let parts = items.iter().map(|item| match item {
        Value::Int(int) => u16::try_from(int.value).ok(),
        _ => None,
    });
    let parts: Vec<u16> = parts.collect::<Option<_>>()?;
    match parts.len() {
        4 => {
            let octets = parts.iter().map(|part| u8::try_from(*part).ok());
            let octets: Vec<u8> = octets.collect::<Option<_>>()?;
            Some(IpAddr::from(<[u8; 4]>::try_from(octets).ok()?))
        }
        8 => Some(IpAddr::from(<[u16; 8]>::try_from(parts).ok()?)),
        _ => None,
    }
}
