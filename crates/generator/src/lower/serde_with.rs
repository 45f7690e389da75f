//! The adapters of serde_with, as `#[serde_as(as = "..")]` names them, and the schemas they give to types.

use super::shapes::element;
use super::types::{Task, plain_type};
use crate::eval::Concrete;
use crate::eval::serde::serde_with::{
    OPTION, STRING, adapter, is_option, pair, strictness, timespan,
};
use crd_channels_diagnostics::Span;
use crd_channels_schema::draft::{Literal, Shape, Type};
use serde_json::{Value, json};

const VEC: &str = "std::vec::Vec";
const MAP: &str = "std::collections::BTreeMap";
const SET: &str = "std::collections::BTreeSet";
/// The type that `serde_as` uses in schemas. Its arguments are a type and its adapter.
const SCHEMA: &str = "serde_with::Schema";

const HELP: &str = "name an equivalent type with `#[schemars(with = \"..\")]`";

/// The schema that an adapter gives to a type.
enum Adapted {
    /// The schema of another type.
    Other(Concrete),
    /// This schema.
    Literal(Literal),
}

fn schema(of: &Concrete, adapter: &Concrete) -> Concrete {
    Concrete::External(SCHEMA.into(), vec![of.clone(), adapter.clone()])
}

fn external(path: &str, args: Vec<Concrete>) -> Concrete {
    Concrete::External(path.into(), args)
}

impl Task<'_> {
    /// Lowers `serde_with::Schema<T, Adapter>`; returns `None` for any other path.
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
                return Some(plain_type(ty, Shape::Literal(literal?)));
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
            // schemars cannot see that the adapted field is an `Option`.
            Adapted::Other(other) => {
                let inner = self.lower(&other, at)?;
                Shape::Newtype(Box::new(element(0, inner, at)))
            }
            Adapted::Literal(literal) => Shape::Literal(literal),
        };
        Some(plain_type(ty, shape))
    }

    /// Returns the schema that an adapter gives to a type: `None` if the adapter is unknown, `Some(None)` if it was reported.
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
            ("BytesOrString", []) => Some(self.bytes_or_string(at)),
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
                Some(self.one_or_many(&schema(of.item()?, item), rest.first(), at))
            }
            ("PickFirst", [Concrete::Tuple(choices)]) => Some(self.pick_first(of, choices, at)),
            _ => time(of, name, args).map(Some),
        }
    }

    /// `BytesOrString`: writes bytes, reads text too.
    fn bytes_or_string(&mut self, at: Span) -> Option<Adapted> {
        let bytes = self.lower(&external(VEC, vec![Concrete::external("u8")]), at)?;
        let text = json!({ "type": "string", "writeOnly": true });
        Some(Adapted::Literal(any_of(vec![
            Literal::Schema(bytes, Vec::new()),
            Literal::Value(text),
        ])))
    }

    /// `OneOrMany<T>`: an item or a list; if many are preferred, a single item is only read.
    fn one_or_many(
        &mut self,
        item: &Concrete,
        preference: Option<&Concrete>,
        at: Span,
    ) -> Option<Adapted> {
        let one = Literal::Schema(self.lower(item, at)?, Vec::new());
        let many = Literal::Object(vec![
            ("type".into(), Literal::Value(json!("array"))),
            ("items".into(), one.clone()),
        ]);
        let prefers_many = preference.is_some_and(|of| strictness(of) == "PreferMany");
        let one = if prefers_many { write_only(one) } else { one };
        Some(Adapted::Literal(any_of(vec![one, many])))
    }

    /// `PickFirst<(A, B)>`: writes by the first adapter, reads by any.
    fn pick_first(&mut self, of: &Concrete, choices: &[Concrete], at: Span) -> Option<Adapted> {
        let mut all = Vec::with_capacity(choices.len());
        for (index, choice) in choices.iter().enumerate() {
            let choice = Literal::Schema(self.lower(&schema(of, choice), at)?, Vec::new());
            all.push(if index == 0 {
                choice
            } else {
                write_only(choice)
            });
        }
        Some(Adapted::Literal(any_of(all)))
    }
}

/// Returns the schema of a duration or timestamp; `None` if the adapter is unknown.
fn time(of: &Concrete, name: &str, args: &[Concrete]) -> Option<Adapted> {
    let (format, strict) = timespan(name, args)?;
    let signed = !is_duration(of);
    let fits = match format {
        "u64" => !signed,
        "i64" => signed,
        _ => true,
    };
    fits.then(|| match (strict, format) {
        (true, "String") => Adapted::Other(Concrete::external(STRING)),
        (true, format) => Adapted::Other(Concrete::external(format)),
        (false, format) => Adapted::Literal(Literal::Value(flexible(format == "String", signed))),
    })
}

/// Adapts a collection item by item.
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
        // serde_with asks the adapter of the items for the schema of the whole collection.
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

fn is_duration(ty: &Concrete) -> bool {
    matches!(ty, Concrete::External(path, _) if &**path == "std::time::Duration")
}

/// Returns the integer type inside a `NonZero` one.
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
