//! The adapters of serde_with, as `#[serde_as(as = "..")]` names them: the schema that each gives a type, and what each
//! writes for a value.

use super::Reader;
use super::concrete::{Concrete, Finding, Scope};
use super::shapes::element;
use super::types::{Task, plain};
use super::value::not_constant;
use super::written::owner;
use crate::diag::Span;
use crate::schema::draft::{Literal, Shape, Type};
use crate::source::tree::Path;
use serde_json::{Map, Value, json};
use std::time::Duration;

const OPTION: &str = "std::option::Option";
const VEC: &str = "std::vec::Vec";
const MAP: &str = "std::collections::BTreeMap";
const SET: &str = "std::collections::BTreeSet";
const STRING: &str = "std::string::String";
/// The type by which `serde_as` asks for a schema: a type, and the adapter that writes it.
const SCHEMA: &str = "serde_with::Schema";
/// The type by whose functions it reads and writes.
const AS: &str = "serde_with::As";

const HELP: &str = "say what it looks like with `#[schemars(with = \"..\")]`";

/// What an adapter makes of a type.
enum Adapted {
    /// The schema of another type.
    Other(Concrete),
    /// This schema.
    Literal(Literal),
}

/// The name of an adapter in its crate, and its arguments.
fn adapter(ty: &Concrete) -> Option<(&str, &[Concrete])> {
    match ty {
        Concrete::External(path, args) => {
            let rest = path.strip_prefix("serde_with::")?;
            Some((rest.rsplit("::").next()?, args))
        }
        _ => None,
    }
}

fn schema(of: &Concrete, adapter: &Concrete) -> Concrete {
    Concrete::External(SCHEMA.into(), vec![of.clone(), adapter.clone()])
}

fn external(path: &str, args: Vec<Concrete>) -> Concrete {
    Concrete::External(path.into(), args)
}

/// The pair's types, where the items of a list are pairs.
fn pair(of: &Concrete) -> Option<(&Concrete, &Concrete)> {
    match of.item()? {
        Concrete::Tuple(items) => match &items[..] {
            [key, value] => Some((key, value)),
            _ => None,
        },
        _ => None,
    }
}

impl Task<'_> {
    /// `serde_with::Schema<T, Adapter>`; none where the path is another.
    pub(super) fn adapted(
        &mut self,
        path: &str,
        args: &[Concrete],
        ty: &Concrete,
        at: Span,
    ) -> Option<Option<Type>> {
        let (SCHEMA, [of, by]) = (path, args) else {
            return None;
        };
        Some(self.adapted_type(of, by, ty, at))
    }

    fn adapted_type(
        &mut self,
        of: &Concrete,
        by: &Concrete,
        ty: &Concrete,
        at: Span,
    ) -> Option<Type> {
        let (of, by) = (of.peel(), by.peel());
        if let Concrete::Def(instance) = by {
            let blocks = self.reader.graph.impls(&instance.ty, Some("JsonSchemaAs"));
            if let [_] = &blocks[..]
                && let Some(literal) = self.first_schema(instance, &blocks)
            {
                return Some(plain(ty, Shape::Literal(literal?)));
            }
        }
        let adapted = match self.adapt(of, by, at) {
            Some(adapted) => adapted?,
            None => {
                self.refuse(at, &format!("the schema of `{of}` as `{by}`"), HELP);
                return None;
            }
        };
        let shape = match adapted {
            // schemars does not see through it whether a field is an `Option`.
            Adapted::Other(other) => {
                let inner = self.lower(&other, at)?;
                Shape::Newtype(Box::new(element(0, inner, at)))
            }
            Adapted::Literal(literal) => Shape::Literal(literal),
        };
        Some(plain(ty, shape))
    }

    /// What an adapter makes of a type; none for one that is not known, none inside where that was reported.
    fn adapt(&mut self, of: &Concrete, by: &Concrete, at: Span) -> Option<Option<Adapted>> {
        let other = |ty: Concrete| Some(Some(Adapted::Other(ty)));
        let value = |value: Value| Some(Some(Adapted::Literal(Literal::Value(value))));
        let Some((name, args)) = adapter(by) else {
            return other(forwarded(of, by)?);
        };
        let first = args.first();
        match (name, args) {
            ("Same", []) => other(of.clone()),
            ("DisplayFromStr" | "JsonString", _) | ("StringWithSeparator", _) => {
                other(Concrete::external(STRING))
            }
            ("Base64", _) => value(json!({ "type": "string", "contentEncoding": "base64" })),
            ("Base58", _) => value(json!({ "type": "string" })),
            ("Hex", _) => value(json!({ "type": "string", "pattern": "^(?:[0-9A-Fa-f]{2})*$" })),
            ("BoolFromInt", _) => match first.map_or("Strict", strictness) {
                "Strict" => value(json!({ "type": "integer", "minimum": 0.0, "maximum": 1.0 })),
                _ => value(json!({ "type": "integer" })),
            },
            ("Bytes", []) => other(external(VEC, vec![Concrete::external("u8")])),
            ("BytesOrString", []) => {
                let bytes = self.lower(&external(VEC, vec![Concrete::external("u8")]), at);
                Some(bytes.map(|bytes| {
                    let text = json!({ "type": "string", "writeOnly": true });
                    Adapted::Literal(any_of(vec![
                        Literal::Schema(bytes, Vec::new()),
                        Literal::Value(text),
                    ]))
                }))
            }
            ("DefaultOnError", []) => other(of.clone()),
            ("DefaultOnError", [inner]) | ("IfIsHumanReadable", [inner, ..]) => {
                other(schema(of, inner))
            }
            ("DefaultOnNull", []) => other(external(OPTION, vec![of.clone()])),
            ("DefaultOnNull", [inner]) => other(external(OPTION, vec![schema(of, inner)])),
            ("FromInto" | "FromIntoRef" | "TryFromInto" | "TryFromIntoRef", [inner]) => {
                other(inner.clone())
            }
            ("Map", [key, item]) => {
                let (of_key, of_item) = pair(of)?;
                other(external(
                    MAP,
                    vec![schema(of_key, key), schema(of_item, item)],
                ))
            }
            ("MapFirstKeyWins" | "MapPreventDuplicates", [key, item]) => match of {
                Concrete::External(_, of) => match &of[..] {
                    [of_key, of_item, ..] => other(external(
                        MAP,
                        vec![schema(of_key, key), schema(of_item, item)],
                    )),
                    _ => None,
                },
                _ => None,
            },
            ("SetPreventDuplicates", [item]) => {
                other(external(SET, vec![schema(of.item()?, item)]))
            }
            ("SetLastValueWins" | "VecSkipError", [item, ..]) => {
                other(external(VEC, vec![schema(of.item()?, item)]))
            }
            ("NoneAsEmptyString", []) if is_option(of) => {
                other(external(OPTION, vec![Concrete::external(STRING)]))
            }
            ("NoneAsZero", []) if is_option(of) => {
                other(Concrete::external(&primitive(of.item()?)?))
            }
            ("OneOrMany", [item, rest @ ..]) => {
                let one = self.lower(&schema(of.item()?, item), at);
                Some(one.map(|one| {
                    let one = Literal::Schema(one, Vec::new());
                    let many = Literal::Object(vec![
                        ("type".into(), Literal::Value(json!("array"))),
                        ("items".into(), one.clone()),
                    ]);
                    let prefers_many = rest
                        .first()
                        .is_some_and(|of| strictness(of) == "PreferMany");
                    let one = if prefers_many { write_only(one) } else { one };
                    Adapted::Literal(any_of(vec![one, many]))
                }))
            }
            ("PickFirst", [Concrete::Tuple(choices)]) => {
                let mut all = Vec::with_capacity(choices.len());
                for (index, choice) in choices.iter().enumerate() {
                    let Some(choice) = self.lower(&schema(of, choice), at) else {
                        return Some(None);
                    };
                    let choice = Literal::Schema(choice, Vec::new());
                    all.push(if index == 0 {
                        choice
                    } else {
                        write_only(choice)
                    });
                }
                Some(Some(Adapted::Literal(any_of(all))))
            }
            _ => {
                let (format, strict) = timespan(name, args)?;
                let signed = !is_duration(of);
                let fits = match format {
                    "u64" => !signed,
                    "i64" => signed,
                    _ => true,
                };
                if !fits {
                    return None;
                }
                match (strict, format) {
                    (true, "String") => other(Concrete::external(STRING)),
                    (true, format) => other(Concrete::external(format)),
                    (false, format) => value(flexible(format == "String", signed)),
                }
            }
        }
    }
}

/// The schema of a collection as one of its kind, item by item.
fn forwarded(of: &Concrete, by: &Concrete) -> Option<Concrete> {
    match (of, by) {
        (Concrete::Tuple(of), Concrete::Tuple(by)) if of.len() == by.len() => {
            let items = of.iter().zip(by).map(|(of, by)| schema(of, by));
            Some(Concrete::Tuple(items.collect()))
        }
        (Concrete::Array(of, length), Concrete::Array(by, same))
            if length == same && *length > 0 =>
        {
            Some(Concrete::Array(Box::new(schema(of, by)), *length))
        }
        // serde_with asks the adapter of the items for the schema of the whole.
        (Concrete::External(_, _), Concrete::External(path, by))
            if &**path == "std::collections::HashSet" =>
        {
            Some(external(path, vec![schema(of, by.first()?)]))
        }
        (Concrete::External(path, of), Concrete::External(same, by)) if path == same => {
            let name = path.strip_prefix("std::")?.rsplit("::").next()?;
            let count = match name {
                "Option" | "Vec" | "VecDeque" | "BTreeSet" | "Bound" | "Range"
                | "RangeInclusive" => 1,
                "BTreeMap" | "HashMap" => 2,
                _ => return None,
            };
            let items = of.iter().zip(by).take(count).map(|(of, by)| schema(of, by));
            Some(external(path, items.collect()))
        }
        _ => None,
    }
}

/// The last word of a format's or a strictness's path.
fn strictness(ty: &Concrete) -> &str {
    match ty {
        Concrete::External(path, _) => path.rsplit("::").next().unwrap_or(path),
        _ => "",
    }
}

/// The format of a duration's or a timestamp's adapter, and whether it takes no other.
fn timespan<'t>(name: &str, args: &'t [Concrete]) -> Option<(&'t str, bool)> {
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

/// How many of a unit are in a second.
fn factor(unit: &str) -> Option<u32> {
    match unit {
        "Seconds" => Some(1),
        "MilliSeconds" => Some(1_000),
        "MicroSeconds" => Some(1_000_000),
        "NanoSeconds" => Some(1_000_000_000),
        _ => None,
    }
}

fn is_duration(ty: &Concrete) -> bool {
    matches!(ty, Concrete::External(path, _) if &**path == "std::time::Duration")
}

fn is_option(ty: &Concrete) -> bool {
    matches!(ty, Concrete::External(path, _) if &**path == OPTION)
}

/// The integer that a `NonZero` one holds.
fn primitive(ty: &Concrete) -> Option<String> {
    let Concrete::External(path, args) = ty else {
        return None;
    };
    let name = path.strip_prefix("std::num::NonZero")?;
    match (name, args.first()) {
        ("", Some(Concrete::External(int, _))) => Some(int.to_string()),
        _ => Some(name.to_lowercase()),
    }
}

fn any_of(schemas: Vec<Literal>) -> Literal {
    Literal::Object(vec![("anyOf".into(), Literal::Array(schemas))])
}

fn write_only(schema: Literal) -> Literal {
    Literal::Object(vec![
        ("writeOnly".into(), Literal::Value(json!(true))),
        ("allOf".into(), Literal::Array(vec![schema])),
    ])
}

fn flexible(is_text: bool, signed: bool) -> Value {
    let digits = r"[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?";
    let sign = if signed { "-?" } else { "" };
    let mut number = json!({ "type": "number" });
    let mut text = json!({ "type": "string", "pattern": format!("^{sign}{digits}$") });
    let other = if is_text { &mut number } else { &mut text };
    if let Value::Object(other) = other {
        other.insert("writeOnly".into(), json!(true));
    }
    if let (false, Value::Object(number)) = (signed, &mut number) {
        number.insert("minimum".into(), json!(0.0));
    }
    json!({ "oneOf": [number, text] })
}

impl Reader<'_> {
    /// What `As::<Adapter>::serialize` writes for a value that serde itself writes so.
    ///
    /// # Errors
    /// `not-constant` where the path is that of another function, or what it writes cannot be told.
    pub(super) fn written_with(
        &self,
        path: &Path,
        scope: &Scope,
        ty: &Concrete,
        plain: impl FnOnce() -> Result<Option<Value>, Finding>,
    ) -> Result<Option<Value>, Finding> {
        let refused = || {
            not_constant(
                path.span,
                "how this function writes the default cannot be evaluated",
            )
        };
        let by = owner(path).ok_or_else(refused)?;
        let by = self.concrete(&by, scope).map_err(|_| refused())?;
        let by = match &by {
            Concrete::External(path, args) if &**path == AS => args.first().cloned(),
            _ => None,
        };
        let by = by.ok_or_else(refused)?;
        let Some(plain) = plain()? else {
            return Ok(None);
        };
        let written = written(&plain, ty.peel(), by.peel(), 0);
        written.map(Some).ok_or_else(|| {
            not_constant(
                path.span,
                format!("how `{by}` writes the default is not known"),
            )
        })
    }
}

/// How deep adapters may nest.
const MAX_DEPTH: usize = 32;

/// What an adapter writes for a value of a type; none where that is not known.
fn written(plain: &Value, of: &Concrete, by: &Concrete, depth: usize) -> Option<Value> {
    if depth > MAX_DEPTH {
        return None;
    }
    let (of, by) = (of.peel(), by.peel());
    let inner = |plain: &Value, of: &Concrete, by: &Concrete| written(plain, of, by, depth + 1);
    let items = |by: &Concrete| -> Option<Value> {
        let of = of.item()?;
        let all = plain.as_array()?.iter().map(|item| inner(item, of, by));
        all.collect::<Option<Vec<_>>>().map(Value::Array)
    };
    let Some((name, args)) = adapter(by) else {
        return match (of, by) {
            (Concrete::Tuple(of), Concrete::Tuple(by)) if of.len() == by.len() => {
                let all = plain.as_array()?.iter().zip(of.iter().zip(by));
                let all = all.map(|(item, (of, by))| inner(item, of, by));
                all.collect::<Option<Vec<_>>>().map(Value::Array)
            }
            (Concrete::Array(..), Concrete::Array(item, _)) => items(item),
            (Concrete::External(path, of), Concrete::External(same, by)) if path == same => {
                match (path.rsplit("::").next()?, &of[..], &by[..]) {
                    ("Option", [of], [by]) if !may_be_null(of) => match plain {
                        Value::Null => Some(Value::Null),
                        some => inner(some, of, by),
                    },
                    (
                        "Vec" | "VecDeque" | "LinkedList" | "BTreeSet" | "BinaryHeap",
                        _,
                        [item, ..],
                    ) => items(item),
                    ("BTreeMap" | "HashMap", [key, item, ..], [by_key, by_item, ..]) => {
                        keeps_keys(key, by_key).then_some(())?;
                        let all = plain.as_object()?.iter();
                        let all = all
                            .map(|(key, value)| Some((key.clone(), inner(value, item, by_item)?)));
                        all.collect::<Option<Map<_, _>>>().map(Value::Object)
                    }
                    _ => None,
                }
            }
            _ => None,
        };
    };
    match (name, args) {
        ("Same" | "Bytes" | "BytesOrString", []) | ("DefaultOnError" | "DefaultOnNull", []) => {
            Some(plain.clone())
        }
        ("DisplayFromStr", []) => shown(plain, of).map(Value::String),
        ("DefaultOnError" | "DefaultOnNull", [by]) | ("IfIsHumanReadable", [by, ..]) => {
            inner(plain, of, by)
        }
        ("PickFirst", [Concrete::Tuple(choices)]) => inner(plain, of, choices.first()?),
        ("BoolFromInt", _) => plain.as_bool().map(|is| json!(u8::from(is))),
        ("NoneAsEmptyString", []) if is_option(of) => match plain {
            Value::Null => Some(json!("")),
            some => shown(some, of.item()?).map(Value::String),
        },
        ("NoneAsZero", []) if is_option(of) => match plain {
            Value::Null => Some(json!(0)),
            some => Some(some.clone()),
        },
        ("VecSkipError" | "SetPreventDuplicates" | "SetLastValueWins", [item, ..]) => items(item),
        ("MapFirstKeyWins" | "MapPreventDuplicates", [by_key, by_item]) => {
            let Concrete::External(path, _) = of else {
                return None;
            };
            let same = Concrete::External(path.clone(), vec![by_key.clone(), by_item.clone()]);
            inner(plain, of, &same)
        }
        ("OneOrMany", [item, rest @ ..]) => {
            let many = items(item)?;
            let prefers_many = rest
                .first()
                .is_some_and(|of| strictness(of) == "PreferMany");
            match many.as_array()?.as_slice() {
                [only] if !prefers_many => Some(only.clone()),
                _ => Some(many),
            }
        }
        ("Map", [by_key, by_item]) => {
            let (key, item) = pair(of)?;
            keeps_keys(key, by_key).then_some(())?;
            let mut map = Map::new();
            for entry in plain.as_array()? {
                let [first, second] = entry.as_array()?.as_slice() else {
                    return None;
                };
                let first = match first {
                    Value::String(text) => text.clone(),
                    other => shown(other, key)?,
                };
                map.insert(first, inner(second, item, by_item)?);
            }
            Some(Value::Object(map))
        }
        ("StringWithSeparator", [separator, _]) => {
            let separator = match strictness(separator) {
                "SpaceSeparator" => " ",
                "CommaSeparator" => ",",
                "SemicolonSeparator" => ";",
                "ColonSeparator" => ":",
                "UnixLineSeparator" => "\n",
                "DosLineSeparator" => "\r\n",
                _ => return None,
            };
            let of = of.item()?;
            let all = plain.as_array()?.iter().map(|item| shown(item, of));
            Some(json!(all.collect::<Option<Vec<_>>>()?.join(separator)))
        }
        ("Hex", _) => {
            let upper = args.first().is_some_and(|of| strictness(of) == "Uppercase");
            let digits = bytes(plain)?.into_iter().map(|byte| match upper {
                true => format!("{byte:02X}"),
                false => format!("{byte:02x}"),
            });
            Some(Value::String(digits.collect()))
        }
        ("Base64", _) => {
            let url = match args.first().map_or("Standard", strictness) {
                "Standard" => false,
                "UrlSafe" => true,
                _ => return None,
            };
            let padded = args.get(1).is_none_or(|of| strictness(of) == "Padded");
            Some(Value::String(base64(&bytes(plain)?, url, padded)))
        }
        _ => time(plain, of, name, args),
    }
}

/// Whether the keys of a map are written as serde writes them.
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
        Concrete::Def(_) => true,
        Concrete::Array(..) | Concrete::Number(_) => false,
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

/// What `Display` shows of a value, for types that serde writes as they are shown.
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

fn base64(bytes: &[u8], url: bool, padded: bool) -> String {
    let digits: Vec<char> = ('A'..='Z')
        .chain('a'..='z')
        .chain('0'..='9')
        .chain(if url { ['-', '_'] } else { ['+', '/'] })
        .collect();
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let all = chunk
            .iter()
            .fold(0_u32, |all, byte| all << 8 | u32::from(*byte));
        let all = all << (8 * (3 - chunk.len()));
        for place in 0..4 {
            if place > chunk.len() {
                text.push_str(if padded { "=" } else { "" });
            } else {
                let digit = (all >> (18 - 6 * place)) & 63;
                text.extend(digits.get(digit as usize));
            }
        }
    }
    text
}

/// A duration, or the time since the epoch, in the unit and the format of an adapter.
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
        // What serde_with does, to the last bit.
        #[expect(clippy::cast_precision_loss, reason = "as serde_with has it")]
        _ => Some(json!(
            duration.as_secs() as f64 + if up == 1 { 1.0 } else { 0.0 }
        )),
    }
}
