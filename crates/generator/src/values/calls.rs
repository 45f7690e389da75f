//! Calls: functions of the source whose body is in the language, constructors, and a few functions of std.

use super::names::Named;
use super::reading::{Env, Reading, Run, Variable, check_place, is_named, mismatch, stop};
use super::value::display;
use super::{Value, not_constant};
use crate::types::kinds::{is_list, is_map, is_pointer, is_set};
use crate::types::numbers::IntType;
use crate::types::path_segments::last_segment;
use crate::types::{Concrete, Scope};
use crd_channels_diagnostics::{Span, Text};
use crd_channels_source::ModuleId;
use crd_channels_source::tree::{Expr, ExprKind, FnDef, Path, Ty, TyKind};
use serde_json::json;
use std::collections::BTreeSet;

impl Reading<'_> {
    /// `f(a, b)`
    pub(super) fn call(
        &mut self,
        function: &Expr,
        args: &[Expr],
        env: &Env,
        place: Option<&Concrete>,
        span: Span,
    ) -> Run {
        let mut constants = &[][..];
        let named = match &function.kind {
            ExprKind::Path(path) => {
                constants = path.segments.last().map_or(constants, |last| &last.args);
                self.item_named(path, env, place)?
            }
            ExprKind::Qualified(own, of, last) => {
                self.check_owner(own, env)?;
                let own = self.reader.typed(own, &env.scope)?;
                match of {
                    None => {
                        constants = &last.args;
                        self.associated(&own, &last.name, &env.scope, function.span)?
                    }
                    Some(of) if self.is_trait_default(of, env) && &*last.name == "default" => {
                        Named::Default(own)
                    }
                    Some(_) => return stop(span, "a function of a trait is not read"),
                }
            }
            _ => return stop(span, "only a function's name can be called"),
        };
        match named {
            Named::Constructor(of, variant) => {
                check_place(&Concrete::Def(of.clone()), place, span)?;
                self.constructor(&of, variant, args, env, span)
            }
            Named::Function(module, def, scope) => {
                if scope.this.is_none()
                    && def.generics.is_empty()
                    && let Some(value) = self.reader.value_override(module, &def.name)
                {
                    return Ok(value);
                }
                self.function((module, &def, &scope), (constants, args), env, place, span)
            }
            Named::Default(own) => self.default_call(&own, args, place, span),
            Named::Known(path, owner) => {
                self.known_function((&path, &owner), args, env, place, span)
            }
            // The result of the function, set by the configuration.
            Named::Value(value @ Value::Override(_), _) => Ok(value),
            Named::Value(..) => stop(span, "this is not a function that can be read"),
        }
    }

    fn is_trait_default(&self, of: &Path, env: &Env) -> bool {
        let known = self.reader.known_trait(env.scope.module, of);
        known.is_some_and(|path| &*path == "std::default::Default")
    }

    fn default_call(
        &mut self,
        own: &Concrete,
        args: &[Expr],
        place: Option<&Concrete>,
        span: Span,
    ) -> Run {
        if !args.is_empty() {
            return stop(span, "this `default` takes arguments");
        }
        if !own.is_open() {
            check_place(own, place, span)?;
        }
        self.default_of(place.unwrap_or(own), span)
    }

    /// Reads the body of a function of the source, with its arguments; those in `::<>` are constants.
    pub(crate) fn function(
        &mut self,
        (module, def, scope): (ModuleId, &FnDef, &Scope),
        (constants, args): (&[Ty], &[Expr]),
        env: &Env,
        place: Option<&Concrete>,
        span: Span,
    ) -> Run {
        let unread = || not_constant(span, format!("how `{}` is called is not read", def.name));
        let counts = (constants.len(), args.len());
        // A type parameter is none.
        let is_generic = def.constants.iter().any(Option::is_none);
        if def.takes_self || is_generic || counts != (def.generics.len(), def.params.len()) {
            return Err(unread());
        }
        let Some(returns) = &def.returns else {
            return stop(span, format!("`{}` returns nothing", def.name));
        };
        let returns = self.reader.typed(returns, scope)?;
        check_place(&returns, place, span)?;
        let mut body = Env::new(self.body_scope(module, def, scope)?);
        // A path in `::<>` may be a type.
        let constants = constants.iter().map(|constant| match &constant.kind {
            TyKind::Const(value) => Some(&**value),
            _ => None,
        });
        let of_constants = def.generics.iter().zip(&def.constants).zip(constants);
        let of_params = def
            .params
            .iter()
            .zip(&def.param_types)
            .zip(args.iter().map(Some));
        for ((name, ty), arg) in of_constants.chain(of_params) {
            let (name, ty) = (name.clone(), ty.as_ref().ok_or_else(unread)?);
            let ty = self.reader.typed(ty, scope)?;
            let value = self.read(arg.ok_or_else(unread)?, env, Some(&ty))?;
            body.variables.push(Variable { name, value, ty });
        }
        self.read(&def.body, &body, Some(&returns))
    }

    /// Returns the scope of a function's body. An item in it hides a parameter of the same name.
    pub(crate) fn body_scope(&self, module: ModuleId, def: &FnDef, scope: &Scope) -> Run<Scope> {
        let module = self.reader.graph.inside(module, def);
        let names = def.params.iter().chain(&def.generics);
        for name in names.filter(|_| def.inside.is_some()) {
            let path = Path::of_name(name.clone(), def.span);
            if self.reader.graph.resolve_value(module, &path).is_ok() {
                return stop(
                    def.span,
                    format!("which `{name}` the body means is not known"),
                );
            }
        }
        Ok(Scope {
            module,
            ..scope.clone()
        })
    }

    /// Calls a function of std or serde_json.
    fn known_function(
        &mut self,
        (path, owner): (&str, &[Concrete]),
        args: &[Expr],
        env: &Env,
        place: Option<&Concrete>,
        span: Span,
    ) -> Run {
        let unknown = || stop(span, format!("`{path}` is not read"));
        let (of, name) = path.rsplit_once("::").unwrap_or(("", path));
        // The type arguments of the place are those of the value.
        let own = match place {
            Some(Concrete::External(wanted, types)) if same_path(wanted, of) => Some(&types[..]),
            _ => None,
        };
        let inner = own.and_then(<[Concrete]>::first);
        match (of, name, args) {
            (_, "default", []) if of == "std::default::Default" => match place {
                Some(place) => self.default_of(place, span),
                None => stop(span, "the type of this value is not written in the source"),
            },
            (_, "default", []) => {
                let own = Concrete::External(of.into(), owner.to_vec());
                if inner.is_none() {
                    check_place(&own, place, span)?;
                }
                self.default_of(place.unwrap_or(&own), span)
            }
            ("std::net::IpAddr", "V4" | "V6", [address]) => {
                check_place(&Concrete::external(of), place, span)?;
                let of = Concrete::external(&format!("std::net::Ip{}Addr", name.to_lowercase()));
                self.read(address, env, Some(&of))
            }
            ("uuid::Uuid", "nil", []) => {
                check_place(&Concrete::external(of), place, span)?;
                self.default_of(&Concrete::external(of), span)
            }
            ("std::net::Ipv4Addr" | "semver::Version", "new", parts) => {
                check_place(&Concrete::external(of), place, span)?;
                let int = if of == "semver::Version" { "u64" } else { "u8" };
                let parts = self.items(parts, env, Some(&Concrete::external(int)))?;
                let parts: Option<Vec<Text>> = parts.iter().map(display).collect();
                Ok(Value::Json(parts.unwrap_or_default().join(".").into()))
            }
            (_, "from", [number]) if let Some(ty) = IntType::from_name(of) => {
                check_place(&Concrete::external(of), place, span)?;
                self.widened(number, ty, env)
            }
            ("std::time::Duration", "from_secs" | "from_millis", [number]) => {
                self.duration(number, name == "from_secs", env)
            }
            _ if !is_made(of) => unknown(),
            _ if let (Some(place), None) = (place, own) => {
                mismatch(span, &format!("a `{}`", last_segment(of)), place)
            }
            ("std::option::Option", "Some", [value]) => {
                self.part(value, env, inner).map(Value::some)
            }
            ("std::string::String", "new", []) => Ok(Value::Text("".into())),
            ("std::string::String", "from", [text]) => self.string(text, env),
            (of, "new", []) if is_list(of) || is_set(of) => Ok(Value::List(Vec::new())),
            (of, "new", []) if is_map(of) => Ok(Value::Map(Vec::new())),
            (of, "new", [value]) if is_pointer(of) => self.part(value, env, inner),
            ("std::borrow::Cow", "Borrowed", [value]) => {
                let target = inner.map(|inner| Concrete::Ref(Box::new(inner.clone()), false));
                self.part(value, env, target.as_ref())
            }
            (of, "from", [list]) if is_collection(of) => self.collection(list, env, of, own, span),
            _ => unknown(),
        }
    }

    /// `Duration::from_secs(a)`, as serde writes it.
    fn duration(&mut self, expr: &Expr, seconds: bool, env: &Env) -> Run {
        let number = match self.read(expr, env, Some(&Concrete::external("u64")))? {
            Value::Int(number) => u64::try_from(number).ok(),
            _ => None,
        };
        match number {
            Some(number) if seconds => Ok(Value::Json(json!({ "secs": number, "nanos": 0 }))),
            Some(number) => Ok(Value::Json(
                json!({ "secs": number / 1000, "nanos": number % 1000 * 1_000_000 }),
            )),
            None => stop(expr.span, "this is not a duration"),
        }
    }

    /// `Vec::from([a, b])`, `BTreeMap::from([(k, v)])`, `BTreeSet::from([a, b])`
    pub(super) fn collection(
        &mut self,
        list: &Expr,
        env: &Env,
        of: &str,
        types: Option<&[Concrete]>,
        span: Span,
    ) -> Run {
        let ExprKind::Array(items) = &list.kind else {
            return stop(list.span, "only a list of items is read here");
        };
        if !is_map(of) {
            let items = self.items(items, env, types.and_then(<[Concrete]>::first))?;
            return sorted(items, of, span).map(Value::List);
        }
        let (key_type, value_type) = match types {
            Some([key, value, ..]) => (Some(key), Some(value)),
            _ => (None, None),
        };
        let mut map: Vec<(Text, Value)> = Vec::with_capacity(items.len());
        for item in items {
            let (key, value) = pair(item)?;
            let key = self.map_key(key, env, key_type)?;
            let value = self.part(value, env, value_type)?;
            if map.iter().any(|(known, _)| *known == key) {
                return stop(span, format!("the key `{key}` is written twice"));
            }
            insert(&mut map, key, value);
        }
        Ok(Value::Map(map))
    }

    /// Reads a key of a map.
    pub(super) fn map_key(&mut self, key: &Expr, env: &Env, ty: Option<&Concrete>) -> Run<Text> {
        match self.read(key, env, ty)? {
            Value::Text(key) => Ok(key),
            _ => stop(key.span, "only strings are read as keys"),
        }
    }

    /// Reads a text for `String::from` and the like: a `&str` that the source names as one.
    pub(super) fn string(&mut self, text: &Expr, env: &Env) -> Run {
        let str = Concrete::Ref(Box::new(Concrete::external("str")), false);
        let value = self.read(text, env, Some(&str))?;
        value.needed_text(text.span).map(Value::Text)
    }
}

/// Returns the key and the value that an item of a map is written with.
pub(crate) fn pair(item: &Expr) -> Run<(&Expr, &Expr)> {
    if let ExprKind::Tuple(pair) = &item.kind
        && let [key, value] = &pair[..]
    {
        return Ok((key, value));
    }
    stop(item.span, "only pairs of keys and values are read here")
}

/// Sets a key of a map, which is in the order of its keys.
pub(super) fn insert(map: &mut Vec<(Text, Value)>, key: Text, value: Value) {
    match map.binary_search_by(|(known, _)| known.cmp(&key)) {
        Ok(at) => map.splice(at..=at, [(key, value)]).for_each(drop),
        Err(at) => map.insert(at, (key, value)),
    }
}

/// Returns the items of a list as they are, and those of a set in its order.
pub(super) fn sorted(items: Vec<Value>, of: &str, span: Span) -> Run<Vec<Value>> {
    if !is_set(of) {
        return Ok(items);
    }
    let texts: Option<BTreeSet<Text>> = items.iter().map(Value::text).collect();
    match texts {
        Some(texts) => Ok(texts.into_iter().map(Value::Text).collect()),
        None => stop(span, "how these items are sorted is not read"),
    }
}

/// Returns true for the collections that are made of items: lists, maps, and the set with an order.
pub(super) fn is_collection(of: &str) -> bool {
    is_list(of) || is_map(of) || of == "std::collections::BTreeSet"
}

/// Returns true for the types whose functions are read.
fn is_made(of: &str) -> bool {
    is_list(of)
        || is_set(of)
        || is_map(of)
        || is_pointer(of)
        || matches!(
            of,
            "std::option::Option" | "std::string::String" | "std::borrow::Cow"
        )
}

/// Returns true if two paths name one type of std.
fn same_path(one: &str, other: &str) -> bool {
    let alike = |is: fn(&str) -> bool| is(one) && is(other);
    one == other
        || (last_segment(one) == last_segment(other)
            && (alike(is_list) || alike(is_set) || alike(is_map)))
}

/// Returns true for the types that a `&str` becomes by `.into()`.
pub(super) fn is_text(ty: &Concrete) -> bool {
    is_named(ty, "std::string::String")
        || matches!(
            ty,
            Concrete::External(path, args)
                if (&**path == "std::borrow::Cow" || is_pointer(path))
                    && matches!(&args[..], [inner] if is_named(inner, "str"))
        )
}
