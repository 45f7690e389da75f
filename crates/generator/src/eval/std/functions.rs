//! Functions of std and serde_json, by their full paths.

use crate::eval::expressions::coerce::non_zero_type;
use crate::eval::machine::{Machine, Run, Want, stop};
use crate::eval::values::kinds::{MapKind, SeqKind, Wrapper};
use crate::eval::values::number::{Int, IntType};
use crate::eval::values::path_segments::{first_of, last_two};
use crate::eval::values::ty::Concrete;
use crate::eval::values::value::Via;
use crate::eval::values::value::{MutPlace, Value};
use crd_channels_diagnostics::{Span, Text};
use serde_json::Value as Json;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

/// Traits of std whose functions take `self` first: `ToString::to_string(&x)`.
const TRAITS: [&str; 20] = [
    "AsMut",
    "AsRef",
    "Borrow",
    "Clone",
    "Debug",
    "Deref",
    "Display",
    "DoubleEndedIterator",
    "ExactSizeIterator",
    "Extend",
    "Into",
    "IntoIterator",
    "Iterator",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Serialize",
    "ToOwned",
    "ToString",
    "TryInto",
];

/// Returns what is known of the arguments of a std function before they are evaluated.
pub(crate) fn call_hints(
    path: &str,
    owner: &[Concrete],
    count: usize,
    want: Want<'_>,
) -> Vec<Option<Concrete>> {
    let (ty, name) = last_two(path);
    if let Some(hint) = Machine::kube_hint(path) {
        return vec![Some(hint)];
    }
    let wanted = || want.ty.cloned();
    let argument = |index: usize| want.argument(index).ty.cloned();
    match (ty, name, count) {
        ("Option", "Some", 1) | ("Result", "Ok", 1) => vec![argument(0)],
        ("Result", "Err", 1) => vec![argument(1)],
        (_, "new", 1) if Wrapper::named(path.strip_suffix("::new").unwrap_or(path)).is_some() => {
            vec![owner.first().cloned().or_else(|| argument(0))]
        }
        (_, "from" | "from_iter", 1) => {
            let of = path.rsplit_once("::").map_or(path, |(of, _)| of);
            let arguments = match want.ty {
                Some(Concrete::External(_, args)) if owner.is_empty() => args,
                _ => owner,
            };
            vec![list_for(of, arguments)]
        }
        ("Value", variant, 1) if first_of(path) == "serde_json" => vec![json_content(variant)],
        ("cmp", "min" | "max", 2) => vec![wanted(), wanted()],
        ("iter", "once" | "repeat", 1) => vec![None],
        ("convert", "identity", 1) => vec![wanted()],
        (_, "new" | "from_secs" | "from_millis" | "from_nanos" | "from_micros", _)
            if ty == "Duration" =>
        {
            let unsigned = |name: &str| Some(Concrete::external(name));
            match name {
                "new" => vec![unsigned("u64"), unsigned("u32")],
                _ => vec![unsigned("u64")],
            }
        }
        _ => Vec::new(),
    }
}

/// Returns the list type that a collection is built from; `None` if the path names no collection.
pub(crate) fn list_for(path: &str, arguments: &[Concrete]) -> Option<Concrete> {
    let item = match arguments {
        [item, ..] if SeqKind::named(path).is_some() => item.clone(),
        [key, value, ..] if MapKind::named(path).is_some() => {
            Concrete::Tuple(vec![key.clone(), value.clone()])
        }
        _ => return None,
    };
    Some(Concrete::Slice(Box::new(item)))
}

/// Returns the content type of a variant of `serde_json::Value`.
fn json_content(variant: &str) -> Option<Concrete> {
    let text = Concrete::external("std::string::String");
    let json = Concrete::external("serde_json::Value");
    Some(match variant {
        "Bool" => Concrete::external("bool"),
        "String" => text,
        "Array" => Concrete::External("std::vec::Vec".into(), vec![json]),
        "Object" => Concrete::External("serde_json::Map".into(), vec![text, json]),
        _ => return None,
    })
}

impl Machine<'_> {
    /// Calls a function of std.
    ///
    /// # Errors
    ///
    /// `not-constant` if no table has it.
    pub(crate) fn call_known(
        &mut self,
        path: &str,
        (owner, types): (&[Concrete], &[Concrete]),
        args: Vec<Value>,
        want: Want<'_>,
        span: Span,
    ) -> Run {
        let (ty, name) = last_two(path);
        let own = path.rsplit_once("::").map_or("", |(own, _)| own);
        let own_type = Concrete::External(own.into(), owner.to_vec());
        let serde = own.starts_with("serde::") || own.starts_with("serde_core::");
        if serde || (own.starts_with("std::") && TRAITS.contains(&ty)) {
            let mut args = args.into_iter();
            return match args.next() {
                Some(this) => self.method_by_name(this, name, types, args.collect(), want, span),
                None => stop(span, format!("`{path}` takes a value")),
            };
        }
        let of_trait = own.starts_with("std::");
        match (ty, name, &args[..]) {
            ("Default", "default", []) if of_trait => {
                return match want.ty {
                    Some(ty) => self.default_of(&ty.clone(), span),
                    None => stop(span, "the type of this default is not known"),
                };
            }
            ("From", "from", [value]) if of_trait => {
                return match want.ty {
                    Some(ty) => self.converted(value.clone(), &ty.clone(), span),
                    None => stop(span, "the type that this converts into is not known"),
                };
            }
            ("FromStr", "from_str", [text]) if of_trait => {
                let ty = want.argument(0).ty.cloned();
                return match (ty, text.text()) {
                    (Some(ty), Some(text)) => self.parsed(&text.clone(), &ty, want, span),
                    _ => stop(span, "the type that this is parsed into is not known"),
                };
            }
            ("Not", "not", [value]) if of_trait => return self.unary_of('!', value, want, span),
            ("Neg", "neg", [value]) if of_trait => return self.unary_of('-', value, want, span),
            ("FromIterator", "from_iter", [list]) if of_trait => {
                return match want.ty {
                    Some(ty) => {
                        let iter = self.iterate(list.clone(), span)?;
                        self.collected(iter, &ty.clone(), span)
                    }
                    None => stop(span, "the type that this is collected into is not known"),
                };
            }
            _ => {}
        }
        if let Some(made) = self.kube_known(own, (ty, name), &args, span)? {
            return Ok(made);
        }
        if let Some(made) = self.schema_known(own, &own_type, (ty, name), &args, span)? {
            return Ok(made);
        }
        if let Some(made) = self.constructed(path, own, &own_type, name, &args, want, span)? {
            return Ok(made);
        }
        if let Some(made) = self.free_function(path, types, &args, want, span)? {
            return Ok(made);
        }
        // `Option::is_none(&x)`, `str::len("x")`, `u32::pow(2, 3)`
        let mut args = args.into_iter();
        if let Some(this) = args.next() {
            let loaded = self.load(&this);
            let is_of = match loaded.ty().peel_references() {
                Concrete::External(found, _) => {
                    let found = last_two(found).1;
                    found == ty || found.starts_with('{') || (ty == "str" && found == "String")
                }
                Concrete::Slice(_) | Concrete::Array(..) => ty == "slice" || ty == "Vec",
                _ => matches!(loaded, Value::Str(_)) && ty == "str",
            };
            let is_text = matches!(loaded, Value::Str(_) | Value::String(_))
                && matches!(ty, "str" | "String");
            if (is_of || is_text) && super::names::has_method(&self.reader, &loaded, name) {
                return self.method_by_name(this, name, types, args.collect(), want, span);
            }
        }
        stop(span, format!("`{path}` is not evaluated here"))
    }

    /// Calls a method by the name that paths use.
    pub(crate) fn method_by_name(
        &mut self,
        this: Value,
        name: &str,
        types: &[Concrete],
        args: Vec<Value>,
        want: Want<'_>,
        span: Span,
    ) -> Run {
        let loaded = self.load(&this);
        if let Value::Adt(_) = loaded {
            let own = self.type_of(&loaded);
            if !self.reader.known_blocks(&own, name).is_empty() {
                return self.user_method(&this, name, args, want, span);
            }
        }
        let (place, via) = match this {
            Value::MutPlace(place) => (place, Via::Mutable),
            Value::Ref(inner) => (MutPlace::of(self.store(self.load(&inner))), Via::Shared),
            value => (MutPlace::of(self.store(value)), Via::Owned),
        };
        let mut place = place;
        while let Some(Value::MutPlace(other)) = self.at(&place) {
            place = other.clone();
        }
        self.std_method((&place, via), &Text::from(name), types, args, want, span)
    }

    /// Calls a constructor of a type: `String::from("x")`, `Duration::from_secs(5)`; returns `None` for any other function.
    #[expect(clippy::too_many_arguments, reason = "what a call is made of")]
    fn constructed(
        &mut self,
        path: &str,
        own: &str,
        own_type: &Concrete,
        name: &str,
        args: &[Value],
        want: Want<'_>,
        span: Span,
    ) -> Run<Option<Value>> {
        let (ty, _) = last_two(path);
        let whole = match (want.ty, own_type) {
            (Some(wanted @ Concrete::External(path, _)), Concrete::External(own, types))
                if types.is_empty() && path == own =>
            {
                wanted.clone()
            }
            _ => own_type.clone(),
        };
        if name == "from" && args.len() == 1 && !matches!(ty, "From" | "") {
            let value = args.first().cloned().unwrap_or_else(Value::unit);
            return self.converted(value, &whole, span).map(Some);
        }
        if name == "try_from" && args.len() == 1 && ty != "TryFrom" {
            let value = args.first().cloned().unwrap_or_else(Value::unit);
            return self.try_from(value, &whole, span).map(Some);
        }
        if name == "default" && args.is_empty() {
            return self.default_of(&whole, span).map(Some);
        }
        if let ("from_str", [text]) = (name, args)
            && ty != "serde_json"
        {
            return match text.text() {
                Some(text) => self.parsed(&text.clone(), &whole, want, span).map(Some),
                None => Ok(None),
            };
        }
        if let ("from_iter", [list]) = (name, args) {
            let iter = self.iterate(list.clone(), span)?;
            return self.collected(iter, &whole, span).map(Some);
        }
        let first = args.first();
        let loaded = first.map(|value| self.load(value));
        if let Some(kind) = SeqKind::named(own) {
            return Ok(match (name, args) {
                ("new" | "with_capacity", _) => {
                    let empty = Value::seq(kind, Vec::new());
                    Some(self.coerce(empty, &whole, span)?)
                }
                _ => None,
            });
        }
        if let Some(kind) = MapKind::named(own) {
            return Ok(match name {
                "new" | "with_capacity" => {
                    let empty = Value::map(kind, Vec::new());
                    Some(self.coerce(empty, &whole, span)?)
                }
                _ => None,
            });
        }
        if let Some(wrapper) = Wrapper::named(own) {
            return self.wrapped_new(wrapper, name, args, span);
        }
        if let (Some(int), "from_str_radix", [text, Value::Int(radix)]) =
            (IntType::from_name(ty), name, args)
        {
            return Ok(text.text().and_then(|text| from_radix(text, *radix, int)));
        }
        if let Some(int) = IntType::from_name(ty) {
            return Ok(match (name, args) {
                ("max_value", []) => Some(Value::int(int.max(), int)),
                ("min_value", []) => Some(Value::int(int.min(), int)),
                _ => None,
            });
        }
        if own.starts_with("std::num::NonZero") {
            let of = IntType::from_name(&non_zero_type(own, owner_args(own_type)));
            return Ok(match (name, &loaded, of) {
                ("new" | "new_unchecked", Some(Value::Int(int)), of) => {
                    let int = match of {
                        Some(of) => int.of(of),
                        None => Some(*int),
                    };
                    let Some(int) = int else { return Ok(None) };
                    let inner = (int.value != 0)
                        .then(|| Value::Wrapped(Wrapper::NonZero, Box::new(Value::Int(int))));
                    if name == "new" {
                        Some(Value::option(inner))
                    } else {
                        inner
                    }
                }
                _ => None,
            });
        }
        // `char::from_u32` has no path before its type.
        if !matches!(first_of(own), "std" | "serde_json") && own != ty {
            return Ok(None);
        }
        let number = |index: usize| match args.get(index) {
            Some(Value::Int(int)) => u64::try_from(int.value).ok(),
            _ => None,
        };
        Ok(match (ty, name, args) {
            ("Option", "Some", [value]) => Some(Value::some(value.clone())),
            ("Result", "Ok", [value]) => Some(Value::ok(value.clone())),
            ("Result", "Err", [value]) => Some(Value::err(value.clone())),
            ("String", "new", []) | ("String", "with_capacity", [_])
                if own.starts_with("std::") =>
            {
                Some(Value::string(""))
            }
            ("String", "from_utf8" | "from_utf8_lossy", [_]) => match &loaded {
                Some(Value::Seq(seq)) => {
                    let bytes = seq.items.iter().map(|item| match item.through() {
                        Value::Int(int) => u8::try_from(int.value).ok(),
                        _ => None,
                    });
                    let bytes: Option<Vec<u8>> = bytes.collect();
                    let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
                    text.map(|text| match name {
                        "from_utf8" => Value::ok(Value::string(text)),
                        _ => Value::Wrapped(Wrapper::Cow, Box::new(Value::string(text))),
                    })
                }
                _ => None,
            },
            ("Cow", "Borrowed" | "Owned", [value]) => {
                let inner = match value {
                    Value::Ref(inner) => Value::clone(inner),
                    value => value.clone(),
                };
                Some(Value::Wrapped(Wrapper::Cow, Box::new(inner)))
            }
            ("PathBuf" | "Path" | "OsString", "new", []) => {
                Some(Value::Named(own.into(), Json::String(String::new())))
            }
            ("Duration", _, _) if own.starts_with("std::") => duration(name, number(0), number(1)),
            ("Ipv4Addr", "new", args) if args.len() == 4 => {
                let octets = args.iter().map(|arg| match arg {
                    Value::Int(int) => u8::try_from(int.value).ok(),
                    _ => None,
                });
                let octets: Option<Vec<u8>> = octets.collect();
                octets
                    .and_then(|octets| <[u8; 4]>::try_from(octets).ok())
                    .map(|octets| Value::Ip(IpAddr::V4(Ipv4Addr::from(octets)), true))
            }
            ("Ipv6Addr", "new", args) if args.len() == 8 => {
                let groups = args.iter().map(|arg| match arg {
                    Value::Int(int) => u16::try_from(int.value).ok(),
                    _ => None,
                });
                let groups: Option<Vec<u16>> = groups.collect();
                groups
                    .and_then(|groups| <[u16; 8]>::try_from(groups).ok())
                    .map(|groups| Value::Ip(IpAddr::V6(Ipv6Addr::from(groups)), true))
            }
            ("IpAddr", "V4" | "V6", [Value::Ip(address, true)]) => Some(Value::Ip(*address, false)),
            ("SocketAddr", "new", [Value::Ip(address, false), Value::Int(port)]) => {
                u16::try_from(port.value)
                    .ok()
                    .map(|port| Value::Socket(SocketAddr::new(*address, port)))
            }
            ("Value", "String" | "Bool" | "Array" | "Object" | "Number", [value])
                if own.starts_with("serde_json") =>
            {
                let value = self.load(value);
                self.json_from(&value)
            }
            ("cmp", "Reverse", [value]) => {
                Some(Value::Wrapped(Wrapper::Reverse, Box::new(value.clone())))
            }
            ("num", "Wrapping", [value]) => {
                Some(Value::Wrapped(Wrapper::Wrapping, Box::new(value.clone())))
            }
            ("char", "from_u32", [Value::Int(int)]) => {
                let c = u32::try_from(int.value).ok().and_then(char::from_u32);
                Some(Value::option(c.map(Value::Char)))
            }
            ("char", "from_digit", [Value::Int(digit), Value::Int(radix)]) => {
                match (u32::try_from(digit.value), u32::try_from(radix.value)) {
                    (Ok(digit), Ok(radix @ 2..=36)) => {
                        let c = char::from_digit(digit, radix);
                        Some(Value::option(c.map(Value::Char)))
                    }
                    _ => None,
                }
            }
            _ => None,
        })
    }

    fn wrapped_new(
        &mut self,
        wrapper: Wrapper,
        name: &str,
        args: &[Value],
        span: Span,
    ) -> Run<Option<Value>> {
        Ok(match (wrapper, name, args) {
            (Wrapper::Lazy, "new", [function]) => {
                let made = self.apply(function, Vec::new(), Want::any(), span)?;
                Some(Value::Wrapped(wrapper, Box::new(made)))
            }
            (Wrapper::Once, "new", []) => Some(Value::Wrapped(wrapper, Box::new(Value::unit()))),
            (Wrapper::Cow, "Borrowed" | "Owned", [value]) => {
                let inner = match value {
                    Value::Ref(inner) => Value::clone(inner),
                    value => value.clone(),
                };
                Some(Value::Wrapped(wrapper, Box::new(inner)))
            }
            (_, "new", [value]) if wrapper != Wrapper::NonZero => {
                Some(Value::Wrapped(wrapper, Box::new(value.clone())))
            }
            (Wrapper::Rc | Wrapper::Arc, "clone", [value]) => Some(self.load(value)),
            _ => None,
        })
    }
}

fn owner_args(ty: &Concrete) -> &[Concrete] {
    match ty {
        Concrete::External(_, args) => args,
        _ => &[],
    }
}

fn from_radix(text: &str, radix: Int, ty: IntType) -> Option<Value> {
    let radix = u32::try_from(radix.value)
        .ok()
        .filter(|radix| (2..=36).contains(radix))?;
    if ty.bits == 128 || (text.starts_with('-') && !ty.signed) {
        return None;
    }
    Some(match i128::from_str_radix(text, radix) {
        Ok(value) if ty.holds(value) => Value::ok(Value::int(value, ty)),
        _ => Value::err(Value::Named("std::num::ParseIntError".into(), Json::Null)),
    })
}

fn duration(name: &str, first: Option<u64>, second: Option<u64>) -> Option<Value> {
    let first = first?;
    let made = match (name, second) {
        ("new", Some(nanos)) => {
            let nanos = u32::try_from(nanos).ok()?;
            // Nanoseconds beyond a second are carried over; an overflow panics.
            let carried = first.checked_add(u64::from(nanos / 1_000_000_000))?;
            Duration::new(carried, nanos % 1_000_000_000)
        }
        ("from_secs", None) => Duration::from_secs(first),
        ("from_millis", None) => Duration::from_millis(first),
        ("from_micros", None) => Duration::from_micros(first),
        ("from_nanos", None) => Duration::from_nanos(first),
        ("from_mins", None) => Duration::from_secs(first.checked_mul(60)?),
        ("from_hours", None) => Duration::from_secs(first.checked_mul(3_600)?),
        _ => return None,
    };
    Some(Value::Duration(made))
}
