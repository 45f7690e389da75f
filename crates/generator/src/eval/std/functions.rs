//! Functions of std and serde_json, by their full paths.

use super::constructors::OwnFunction;
use crate::eval::machine::{Machine, Run, Want, stop};
use crate::eval::values::kinds::{MapKind, SeqKind, Wrapper};
use crate::eval::values::path_segments::{first_segment, last_two_segments};
use crate::eval::values::ty::Concrete;
use crate::eval::values::value::{MutPlace, Value, Via};
use crd_channels_diagnostics::{Span, Text};

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
    let (ty, name) = last_two_segments(path);
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
        ("Value", variant, 1) if first_segment(path) == "serde_json" => vec![json_content(variant)],
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
        let (ty, name) = last_two_segments(path);
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
        if own.starts_with("std::")
            && let Some(made) = self.trait_function((ty, name), &args, want, span)?
        {
            return Ok(made);
        }
        if let Some(made) = self.kube_known(own, (ty, name), &args, span)? {
            return Ok(made);
        }
        if let Some(made) = self.schema_known(own, &own_type, (ty, name), &args, span)? {
            return Ok(made);
        }
        let call = OwnFunction {
            own,
            own_type: &own_type,
            name,
            args: &args,
            want,
            span,
        };
        if let Some(made) = self.constructed(call)? {
            return Ok(made);
        }
        if let Some(made) = self.free_function(path, types, &args, want, span)? {
            return Ok(made);
        }
        let mut args = args.into_iter();
        match args.next() {
            Some(this) if self.is_own_method(ty, name, &this) => {
                self.method_by_name(this, name, types, args.collect(), want, span)
            }
            _ => stop(span, format!("`{path}` is not evaluated here")),
        }
    }

    /// Calls a function of a std trait by the trait's path: `Default::default()`, `From::from(x)`. Returns `None` for any other
    /// function.
    fn trait_function(
        &mut self,
        (of, name): (&str, &str),
        args: &[Value],
        want: Want<'_>,
        span: Span,
    ) -> Run<Option<Value>> {
        let made = match (of, name, args) {
            ("Default", "default", []) => match want.ty {
                Some(ty) => self.default_of(&ty.clone(), span),
                None => stop(span, "the type of this default is not known"),
            },
            ("From", "from", [value]) => match want.ty {
                Some(ty) => self.converted(value.clone(), &ty.clone(), span),
                None => stop(span, "the type that this converts into is not known"),
            },
            ("FromStr", "from_str", [text]) => {
                let ty = want.argument(0).ty.cloned();
                match (ty, text.text()) {
                    (Some(ty), Some(text)) => self.parsed(&text.clone(), &ty, want, span),
                    _ => stop(span, "the type that this is parsed into is not known"),
                }
            }
            ("Not", "not", [value]) => self.unary_of('!', value, want, span),
            ("Neg", "neg", [value]) => self.unary_of('-', value, want, span),
            ("FromIterator", "from_iter", [list]) => match want.ty {
                Some(ty) => {
                    let iter = self.iterate(list.clone(), span)?;
                    self.collected(iter, &ty.clone(), span)
                }
                None => stop(span, "the type that this is collected into is not known"),
            },
            _ => return Ok(None),
        };
        made.map(Some)
    }

    /// Returns true if a path of a type names a method that this value has: `Option::is_none(&x)`, `str::len("x")`.
    fn is_own_method(&self, ty: &str, name: &str, this: &Value) -> bool {
        let loaded = self.load(this);
        let is_of = match loaded.ty().peel_references() {
            Concrete::External(found, _) => {
                let found = last_two_segments(found).1;
                found == ty || found.starts_with('{') || (ty == "str" && found == "String")
            }
            Concrete::Slice(_) | Concrete::Array(..) => ty == "slice" || ty == "Vec",
            _ => matches!(loaded, Value::Str(_)) && ty == "str",
        };
        let is_text =
            matches!(loaded, Value::Str(_) | Value::String(_)) && matches!(ty, "str" | "String");
        (is_of || is_text) && super::names::has_method(&self.reader, &loaded, name)
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
}
