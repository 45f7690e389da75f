//! Conversions: `From`, `Into`, `TryFrom`, `FromStr`.

use super::impls::{Bound, Fit, unify};
use crate::eval::machine::{Machine, Run, Want, stop};
use crate::eval::values::kinds::{MapKind, SeqKind, Wrapper};
use crate::eval::values::number::{Float, Int, IntType};
use crate::eval::values::path_segments::{first_of, last_of};
use crate::eval::values::trait_key::TraitKey;
use crate::eval::values::ty::Concrete;
use crate::eval::values::value::Value;
use crd_channels_diagnostics::Span;
use serde_json::Value as Json;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

impl Machine<'_> {
    /// `x.into()`, `T::from(x)`
    ///
    /// # Errors
    ///
    /// `not-constant` if no conversion is known, or several may be meant.
    pub(crate) fn converted(&mut self, value: Value, target: &Concrete, span: Span) -> Run {
        if let Value::Stated(_) = value {
            return Ok(value);
        }
        if target.is_blank() {
            return stop(span, "the type that this converts into is not known");
        }
        let from = TraitKey::Known("std::convert::From".into());
        let module = crd_channels_source::ModuleId(0);
        let own = self.type_of(&value);
        let near = match (target, &own) {
            (Concrete::Def(instance), _) | (_, Concrete::Def(instance)) => instance.ty.module,
            _ => module,
        };
        let mut blocks = match (target, own.peel_references()) {
            (Concrete::Def(_), _) => self.reader.trait_blocks(target, &from, near),
            (_, Concrete::Def(_)) => self.reader.trait_blocks(target, &from, near),
            _ => Vec::new(),
        };
        if !blocks.is_empty() {
            blocks =
                self.by_arguments(blocks, "from", std::slice::from_ref(&value), Want::any())?;
        }
        let of_itself = unify(target, &own, &mut Bound::new());
        match &blocks[..] {
            [] => {}
            [block] if of_itself == Fit::No || !self.is_literal(&value) => {
                return self.call_block(block, "from", vec![value], Want::of(target), span);
            }
            _ => {
                return stop(
                    span,
                    format!(
                        "several conversions of {} to `{target}` are possible",
                        value.kind()
                    ),
                );
            }
        }
        // `impl Into<T> for X`
        let into = self.reader.known_blocks(own.peel_references(), "into");
        let mut fitting = Vec::new();
        for block in into {
            let args = self.trait_arguments(&block)?;
            let fits = args
                .first()
                .is_some_and(|arg| unify(arg, target, &mut Bound::new()) != Fit::No);
            if fits {
                fitting.push(block);
            }
        }
        if let [block] = &fitting[..] {
            return self.call_block(block, "into", vec![value], Want::of(target), span);
        }
        if of_itself != Fit::No && !matches!(value, Value::MutPlace(_)) {
            return self.coerce(value, target, span);
        }
        match self.converted_by_std(&value, target, span)? {
            Some(value) => self.coerce(value, target, span),
            None => stop(
                span,
                format!(
                    "the conversion of {} to `{target}` is not evaluated",
                    value.kind()
                ),
            ),
        }
    }

    fn is_literal(&self, value: &Value) -> bool {
        match value {
            Value::Int(int) => int.ty.is_none(),
            Value::Float(float) => float.type_name().is_none(),
            _ => false,
        }
    }

    fn converted_by_std(
        &mut self,
        value: &Value,
        target: &Concrete,
        span: Span,
    ) -> Run<Option<Value>> {
        let loaded = self.load(value);
        let Concrete::External(path, args) = target else {
            return Ok(match (target, &loaded) {
                // `[T; N]: From<(T, ..)>`
                (Concrete::Array(..), Value::Tuple(items)) => {
                    Some(Value::seq(SeqKind::Array, items.clone()))
                }
                (Concrete::Tuple(_), Value::Seq(seq)) if seq.kind == SeqKind::Array => {
                    Some(Value::Tuple(seq.items.to_vec()))
                }
                _ => None,
            });
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
        if crate::eval::values::path_segments::is_kube(path) {
            return Ok(self.kube_converted(&loaded, path));
        }
        // Types of other crates may have the names of std's.
        let last = match first_of(path) {
            "std" | "smol_str" | "schemars" | "serde_json" => last_of(path),
            _ => "",
        };
        Ok(match (&**path, last, &loaded) {
            ("std::string::String", _, Value::Char(c)) => Some(Value::string(c.to_string())),
            ("std::string::String", _, text) => text.text().map(|text| Value::String(text.clone())),
            ("f32" | "f64", _, Value::Int(int)) => float_from(*int, path),
            ("f64", _, Value::Float(Float::F32(value))) => {
                Some(Value::Float(Float::F64(f64::from(*value))))
            }
            ("f32" | "f64", _, Value::Bool(value)) => float_from(
                Int::new(i128::from(*value), crate::eval::values::number::U8),
                path,
            ),
            ("char", _, Value::Int(int)) => u8::try_from(int.value)
                .ok()
                .map(|byte| Value::Char(char::from(byte))),
            ("std::option::Option", ..) => {
                Some(Value::some(self.coerce(value.clone(), argument, span)?))
            }
            (_, "PathBuf" | "OsString" | "SmolStr", text) => text
                .text()
                .map(|text| Value::Named(path.clone(), Json::String(text.to_string()))),
            (_, "IpAddr", Value::Ip(address, _)) => Some(Value::Ip(*address, false)),
            (_, "IpAddr" | "Ipv4Addr" | "Ipv6Addr", Value::Seq(seq)) => {
                let address = address_from(&seq.items);
                address.map(|address| Value::Ip(address, last != "IpAddr"))
            }
            (_, "Ipv4Addr", Value::Int(int)) => u32::try_from(int.value)
                .ok()
                .map(|bits| Value::Ip(IpAddr::V4(Ipv4Addr::from(bits)), true)),
            (_, "SocketAddr", Value::Tuple(parts)) => match &parts[..] {
                [address, Value::Int(port)] => {
                    let address = match address {
                        Value::Ip(address, _) => Some(*address),
                        Value::Seq(seq) => address_from(&seq.items),
                        _ => None,
                    };
                    let port = u16::try_from(port.value).ok();
                    address
                        .zip(port)
                        .map(|(address, port)| Value::Socket(SocketAddr::new(address, port)))
                }
                _ => None,
            },
            ("serde_json::Value" | "serde_json::value::Value", ..) => self.json_from(&loaded),
            (_, "Schema", _) if path.starts_with("schemars::") => self.schema_from(loaded),
            (_, "SchemaObject", Value::Schema(inner)) if path.starts_with("schemars::") => {
                match &**inner {
                    Value::Record(_) => Some(Value::clone(inner)),
                    Value::Json(content) if matches!(**content, Value::Pending(_)) => {
                        Some(Value::clone(content))
                    }
                    _ => None,
                }
            }
            (_, "SingleOrVec", _) if path.starts_with("schemars::") => {
                self.one_or_more(loaded, argument, span)?
            }
            (_, "Number", Value::Int(int)) if path.starts_with("serde_json") => {
                let number = crate::eval::serde::json_value::integer(int.value);
                number.map(|number| Value::Named(path.clone(), Json::Number(number)))
            }
            _ => match Wrapper::named(path) {
                Some(Wrapper::Box | Wrapper::Rc | Wrapper::Arc | Wrapper::Cow) => {
                    return self.wrapped_from(value, &loaded, path, argument, span);
                }
                Some(
                    wrapper @ (Wrapper::Cell | Wrapper::RefCell | Wrapper::Mutex | Wrapper::RwLock),
                ) => {
                    let inner = self.coerce(value.clone(), argument, span)?;
                    Some(Value::Wrapped(wrapper, Box::new(inner)))
                }
                _ => None,
            },
        })
    }

    fn wrapped_from(
        &mut self,
        value: &Value,
        loaded: &Value,
        path: &str,
        argument: &Concrete,
        span: Span,
    ) -> Run<Option<Value>> {
        let Some(wrapper) = Wrapper::named(path) else {
            return Ok(None);
        };
        let wrap = |value| Some(Value::Wrapped(wrapper, Box::new(value)));
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

    /// Returns the pairs of a list of tuples.
    pub(crate) fn pairs(&mut self, items: &[Value], span: Span) -> Run<Vec<(Value, Value)>> {
        let mut pairs = Vec::with_capacity(items.len());
        for item in items {
            match item {
                Value::Tuple(pair) => match &pair[..] {
                    [key, value] => pairs.push((key.clone(), value.clone())),
                    _ => return stop(span, "this is not a list of pairs"),
                },
                _ => return stop(span, "this is not a list of pairs"),
            }
        }
        Ok(pairs)
    }

    /// `T::try_from(x)`, `x.try_into()`
    pub(crate) fn try_from(&mut self, value: Value, target: &Concrete, span: Span) -> Run {
        if let Concrete::Def(_) = target {
            let of = TraitKey::Known("std::convert::TryFrom".into());
            let Concrete::Def(instance) = target else {
                return stop(span, "this conversion is not evaluated");
            };
            let blocks = self.reader.trait_blocks(target, &of, instance.ty.module);
            let blocks = self.by_arguments(
                blocks,
                "try_from",
                std::slice::from_ref(&value),
                Want::any(),
            )?;
            return match &blocks[..] {
                [block] => self.call_block(block, "try_from", vec![value], Want::any(), span),
                [] => self.converted(value, target, span).map(Value::ok),
                _ => stop(
                    span,
                    format!(
                        "several conversions of {} to `{target}` are possible",
                        value.kind()
                    ),
                ),
            };
        }
        let loaded = self.load(&value);
        let error = |path: &str| Value::err(Value::Named(path.into(), Json::Null));
        match (target, &loaded) {
            (Concrete::External(path, _), Value::Int(int))
                if IntType::from_name(path).is_some() =>
            {
                let Some(ty) = IntType::from_name(path) else {
                    return stop(span, "this conversion is not evaluated");
                };
                let Some(int) = int.with_default_type() else {
                    return stop(span, "the type of this integer is not known");
                };
                Ok(if ty.holds(int.value) {
                    Value::ok(Value::int(int.value, ty))
                } else {
                    error("std::num::TryFromIntError")
                })
            }
            (Concrete::External(path, _), Value::Int(int)) if &**path == "char" => {
                let c = u32::try_from(int.value).ok().and_then(char::from_u32);
                Ok(match c {
                    Some(c) => Value::ok(Value::Char(c)),
                    None => error("std::char::CharTryFromError"),
                })
            }
            (Concrete::Array(_, length), Value::Seq(seq)) if seq.kind.is_slice() => {
                let fits = u64::try_from(seq.items.len()).ok() == Some(*length);
                Ok(if fits {
                    Value::ok(Value::seq(SeqKind::Array, seq.items.to_vec()))
                } else {
                    error("std::array::TryFromSliceError")
                })
            }
            _ => self.converted(value, target, span).map(Value::ok),
        }
    }

    /// `text.parse::<T>()`
    pub(crate) fn parsed(&mut self, text: &str, ty: &Concrete, want: Want<'_>, span: Span) -> Run {
        let refused = || stop(span, format!("reading `{ty}` from text is not evaluated"));
        let error = |path: &str| Value::err(Value::Named(path.into(), Json::Null));
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
            Concrete::External(path, _) => {
                if let Some(ty) = IntType::from_name(path) {
                    return Ok(match parsed_int(text) {
                        Some(Some(int))
                            if ty.holds(int) && (ty.signed || !text.starts_with('-')) =>
                        {
                            Value::ok(Value::int(int, ty))
                        }
                        Some(None) => return refused(),
                        _ => error("std::num::ParseIntError"),
                    });
                }
                let last = match first_of(path) {
                    "std" => last_of(path),
                    _ => "",
                };
                let address = |address: Option<IpAddr>, versioned| match address {
                    Some(address) => Value::ok(Value::Ip(address, versioned)),
                    None => error("std::net::AddrParseError"),
                };
                Ok(match (&**path, last) {
                    ("f32", _) => match text.parse() {
                        Ok(value) => Value::ok(Value::Float(Float::F32(value))),
                        Err(_) => error("std::num::ParseFloatError"),
                    },
                    ("f64", _) => match text.parse() {
                        Ok(value) => Value::ok(Value::Float(Float::F64(value))),
                        Err(_) => error("std::num::ParseFloatError"),
                    },
                    ("bool", _) => match text.parse() {
                        Ok(value) => Value::ok(Value::Bool(value)),
                        Err(_) => error("std::str::ParseBoolError"),
                    },
                    ("char", _) => match text.parse() {
                        Ok(value) => Value::ok(Value::Char(value)),
                        Err(_) => error("std::char::ParseCharError"),
                    },
                    ("std::string::String", _) => Value::ok(Value::string(text)),
                    (_, "PathBuf" | "OsString") => {
                        Value::ok(Value::Named(path.clone(), Json::String(text.to_owned())))
                    }
                    (_, "IpAddr") => address(text.parse().ok(), false),
                    (_, "Ipv4Addr") => address(text.parse::<Ipv4Addr>().ok().map(IpAddr::V4), true),
                    (_, "Ipv6Addr") => address(text.parse::<Ipv6Addr>().ok().map(IpAddr::V6), true),
                    (_, "SocketAddr") => match text.parse() {
                        Ok(address) => Value::ok(Value::Socket(address)),
                        Err(_) => error("std::net::AddrParseError"),
                    },
                    _ => return refused(),
                })
            }
            _ => refused(),
        }
    }
}

impl Concrete {
    /// Returns the type behind references.
    pub(crate) fn peel_references(&self) -> &Concrete {
        let mut ty = self;
        while let Concrete::Ref(inner, _) = ty {
            ty = inner;
        }
        ty
    }
}

/// Returns the bytes of a text.
pub(in crate::eval) fn bytes_of(text: &str) -> Value {
    let bytes = text.bytes();
    let bytes = bytes.map(|byte| Value::int(i128::from(byte), crate::eval::values::number::U8));
    Value::seq(SeqKind::Vec, bytes.collect())
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

#[expect(
    clippy::cast_precision_loss,
    reason = "only integers that the float can represent are converted"
)]
fn float_from(int: Int, name: &str) -> Option<Value> {
    let bits = int.ty.map_or(32, |ty| ty.bits);
    let size = int.ty.is_some_and(|ty| ty.size);
    match name {
        "f32" if bits <= 16 && !size => Some(Value::Float(Float::F32(int.value as f32))),
        "f64" if bits <= 32 && !size => Some(Value::Float(Float::F64(int.value as f64))),
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
