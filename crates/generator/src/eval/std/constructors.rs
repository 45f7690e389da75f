//! Functions of std's types that make a value: `String::from("x")`, `Duration::from_secs(5)`.

use crate::eval::expressions::coerce::non_zero_type;
use crate::eval::machine::{Machine, Run, Want};
use crate::eval::values::kinds::{MapKind, SeqKind, Wrapper};
use crate::eval::values::number::{Int, IntType};
use crate::eval::values::path_segments::{first_segment, last_segment};
use crate::eval::values::ty::Concrete;
use crate::eval::values::value::Value;
use crd_channels_diagnostics::Span;
use serde_json::Value as Json;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

/// A call of a function of a type.
#[derive(Clone, Copy)]
pub(super) struct OwnFunction<'c> {
    /// The path of the type.
    pub(super) own: &'c str,
    /// The type, with its arguments as far as they are written.
    pub(super) own_type: &'c Concrete,
    /// The function.
    pub(super) name: &'c str,
    /// Its arguments.
    pub(super) args: &'c [Value],
    /// The expectation for the result.
    pub(super) want: Want<'c>,
    /// The whole call.
    pub(super) span: Span,
}

impl OwnFunction<'_> {
    /// Returns the last segment of the type's path.
    fn ty(&self) -> &str {
        last_segment(self.own)
    }

    /// Returns the type with the arguments that the context expects, if none are written.
    fn expected_type(&self) -> Concrete {
        match (self.want.ty, self.own_type) {
            (Some(wanted @ Concrete::External(path, _)), Concrete::External(own, types))
                if types.is_empty() && path == own =>
            {
                wanted.clone()
            }
            _ => self.own_type.clone(),
        }
    }

    /// Returns an argument that is an unsigned integer.
    fn unsigned(&self, index: usize) -> Option<u64> {
        match self.args.get(index) {
            Some(Value::Int(int)) => u64::try_from(int.value).ok(),
            _ => None,
        }
    }
}

impl Machine<'_> {
    /// Calls a constructor of a type; returns `None` for any other function.
    pub(super) fn constructed(&mut self, call: OwnFunction<'_>) -> Run<Option<Value>> {
        if let Some(made) = self.constructed_by_trait(call)? {
            return Ok(Some(made));
        }
        let OwnFunction {
            own, name, args, ..
        } = call;
        if let Some(kind) = SeqKind::named(own) {
            return self.empty(call, Value::seq(kind, Vec::new()));
        }
        if let Some(kind) = MapKind::named(own) {
            return self.empty(call, Value::map(kind, Vec::new()));
        }
        if let Some(wrapper) = Wrapper::named(own) {
            return self.wrapped_new(wrapper, name, args, call.span);
        }
        if let Some(int) = IntType::from_name(call.ty()) {
            return Ok(int_function(int, name, args));
        }
        if own.starts_with("std::num::NonZero") {
            return Ok(self.non_zero(call));
        }
        // `char::from_u32` has no path before its type.
        if !matches!(first_segment(own), "std" | "serde_json") && own != call.ty() {
            return Ok(None);
        }
        Ok(self.plain_constructor(call))
    }

    /// `T::from(x)`, `T::default()` and the like, for traits that make a value.
    fn constructed_by_trait(&mut self, call: OwnFunction<'_>) -> Run<Option<Value>> {
        let (ty, span) = (call.ty(), call.span);
        let whole = call.expected_type();
        match (call.name, call.args) {
            ("from", [value]) if !matches!(ty, "From" | "") => {
                self.converted(value.clone(), &whole, span).map(Some)
            }
            ("try_from", [value]) if ty != "TryFrom" => {
                self.try_from(value.clone(), &whole, span).map(Some)
            }
            ("default", []) => self.default_of(&whole, span).map(Some),
            ("from_str", [text]) if ty != "serde_json" => match text.text() {
                Some(text) => {
                    let text = text.clone();
                    self.parsed(&text, &whole, call.want, span).map(Some)
                }
                None => Ok(None),
            },
            ("from_iter", [list]) => {
                let iter = self.iterate(list.clone(), span)?;
                self.collected(iter, &whole, span).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// `Vec::new()`, `HashMap::with_capacity(8)`
    fn empty(&mut self, call: OwnFunction<'_>, empty: Value) -> Run<Option<Value>> {
        match call.name {
            "new" | "with_capacity" => {
                let whole = call.expected_type();
                self.coerce(empty, &whole, call.span).map(Some)
            }
            _ => Ok(None),
        }
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
            (Wrapper::Cow, "Borrowed" | "Owned", [value]) => Some(cow(value)),
            (_, "new", [value]) if wrapper != Wrapper::NonZero => {
                Some(Value::Wrapped(wrapper, Box::new(value.clone())))
            }
            (Wrapper::Rc | Wrapper::Arc, "clone", [value]) => Some(self.load(value)),
            _ => None,
        })
    }

    /// `NonZeroU32::new(1)`
    fn non_zero(&self, call: OwnFunction<'_>) -> Option<Value> {
        let Value::Int(int) = self.load(call.args.first()?) else {
            return None;
        };
        let arguments = match call.own_type {
            Concrete::External(_, args) => args,
            _ => &[][..],
        };
        let int = match IntType::from_name(&non_zero_type(call.own, arguments)) {
            Some(of) => int.of(of)?,
            None => int,
        };
        let inner =
            (int.value != 0).then(|| Value::Wrapped(Wrapper::NonZero, Box::new(Value::Int(int))));
        match call.name {
            "new" => Some(Value::option(inner)),
            "new_unchecked" => inner,
            _ => None,
        }
    }

    /// Calls a constructor that evaluates nothing further.
    fn plain_constructor(&self, call: OwnFunction<'_>) -> Option<Value> {
        let OwnFunction { own, name, .. } = call;
        match (call.ty(), name, call.args) {
            ("Option", "Some", [value]) => Some(Value::some(value.clone())),
            ("Result", "Ok", [value]) => Some(Value::ok(value.clone())),
            ("Result", "Err", [value]) => Some(Value::err(value.clone())),
            ("String", "new", []) | ("String", "with_capacity", [_])
                if own.starts_with("std::") =>
            {
                Some(Value::string(""))
            }
            ("String", "from_utf8", [bytes]) => {
                decoded(&self.load(bytes)).map(|text| Value::ok(Value::string(text)))
            }
            ("String", "from_utf8_lossy", [bytes]) => decoded(&self.load(bytes))
                .map(|text| Value::Wrapped(Wrapper::Cow, Box::new(Value::string(text)))),
            ("Cow", "Borrowed" | "Owned", [value]) => Some(cow(value)),
            ("PathBuf" | "Path" | "OsString", "new", []) => {
                Some(Value::Named(own.into(), Json::String(String::new())))
            }
            ("Duration", _, _) if own.starts_with("std::") => {
                duration(name, call.unsigned(0)?, call.unsigned(1))
            }
            ("Ipv4Addr", "new", args) => {
                let octets: [u8; 4] = numbers(args)?.try_into().ok()?;
                Some(Value::Ip(IpAddr::V4(Ipv4Addr::from(octets)), true))
            }
            ("Ipv6Addr", "new", args) => {
                let groups: [u16; 8] = numbers(args)?.try_into().ok()?;
                Some(Value::Ip(IpAddr::V6(Ipv6Addr::from(groups)), true))
            }
            ("IpAddr", "V4" | "V6", [Value::Ip(address, true)]) => Some(Value::Ip(*address, false)),
            ("SocketAddr", "new", [Value::Ip(address, false), Value::Int(port)]) => {
                let port = u16::try_from(port.value).ok()?;
                Some(Value::Socket(SocketAddr::new(*address, port)))
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
                let digit = u32::try_from(digit.value).ok()?;
                let radix = u32::try_from(radix.value).ok();
                let c = char::from_digit(digit, radix.filter(|radix| (2..=36).contains(radix))?);
                Some(Value::option(c.map(Value::Char)))
            }
            _ => None,
        }
    }
}

/// `u8::max_value()`, `u8::from_str_radix("ff", 16)`
fn int_function(int: IntType, name: &str, args: &[Value]) -> Option<Value> {
    match (name, args) {
        ("max_value", []) => Some(Value::int(int.max(), int)),
        ("min_value", []) => Some(Value::int(int.min(), int)),
        ("from_str_radix", [text, Value::Int(radix)]) => from_radix(text.text()?, *radix, int),
        _ => None,
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

/// `Cow::Borrowed(x)`, `Cow::Owned(x)`
fn cow(value: &Value) -> Value {
    let inner = match value {
        Value::Ref(inner) => Value::clone(inner),
        value => value.clone(),
    };
    Value::Wrapped(Wrapper::Cow, Box::new(inner))
}

/// Returns the text of a list of bytes in UTF-8.
fn decoded(bytes: &Value) -> Option<String> {
    let Value::Seq(seq) = bytes else {
        return None;
    };
    let bytes = seq.items.iter().map(Value::through);
    String::from_utf8(numbers(bytes)?).ok()
}

/// Returns integers as numbers of a type, if they all fit.
fn numbers<'v, T: TryFrom<i128>>(values: impl IntoIterator<Item = &'v Value>) -> Option<Vec<T>> {
    let numbers = values.into_iter().map(|value| match value {
        Value::Int(int) => T::try_from(int.value).ok(),
        _ => None,
    });
    numbers.collect()
}

fn duration(name: &str, first: u64, second: Option<u64>) -> Option<Value> {
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
