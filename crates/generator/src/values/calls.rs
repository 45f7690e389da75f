//! Calls: functions of the source whose body is in the language, constructors, and a few functions of std.

use super::names::{Named, is_same};
use super::reading::{Env, Reading, Run, is_named, mismatch, stop};
use super::{Value, not_constant};
use crate::types::impls::{Bound, substituted, unify};
use crate::types::kinds::{is_list, is_map, is_pointer, is_set};
use crate::types::path_segments::last_segment;
use crate::types::{Concrete, Scope};
use crd_channels_diagnostics::{Span, Text};
use crd_channels_source::ModuleId;
use crd_channels_source::tree::{Expr, ExprKind, FnDef, Path, Ty};
use serde_json::json;

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
        let named = match &function.kind {
            ExprKind::Path(path) => self.named(path, env, place)?,
            ExprKind::Qualified(own, of, last) => {
                self.check_owner(own, env)?;
                let own = self.reader.typed(own, &env.scope)?;
                match of {
                    None => self.associated(&own, last, function.span)?,
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
                let this = Concrete::Def(of.clone());
                if let Some(place) = place
                    && !is_same(&this, place)
                {
                    return mismatch(span, &format!("`{this}`"), place);
                }
                self.constructor(&of, variant, args, env, span)
            }
            Named::Function(module, def, scope) => {
                if scope.this.is_none()
                    && let Some(value) = self.stated_result(module, &def, &scope, place, span)
                {
                    return Ok(value);
                }
                self.function((module, &def, &scope), args, env, place, span)
            }
            Named::Default(own) => self.default_call(&own, args, place, span),
            Named::Known(path, owner) => self.known((&path, &owner), args, env, place, span),
            // The result of the function, set by the configuration.
            Named::Value(value @ Value::Override(_), _) => Ok(value),
            Named::Value(..) => stop(span, "this is not a function that can be read"),
        }
    }

    /// Returns the value that the configuration states for a function. Each argument of a generic one has a value of its own.
    fn stated_result(
        &self,
        module: ModuleId,
        def: &FnDef,
        scope: &Scope,
        place: Option<&Concrete>,
        span: Span,
    ) -> Option<Value> {
        if def.generics.is_empty() || self.reader.overrides.values.is_empty() {
            return self.reader.value_override(module, &def.name);
        }
        let returns = def.returns.as_ref()?;
        let known = self.function_scope(def, scope, returns, place, span).ok()?;
        let args = def.generics.iter().filter_map(|name| known.local(name));
        let args: Vec<Concrete> = args.cloned().collect();
        let name = self.reader.with_arguments(def.name.to_string(), &args);
        self.reader.value_override(module, &name)
    }

    fn is_trait_default(&self, of: &Path, env: &Env) -> bool {
        let key = self.reader.trait_key(env.scope.module, of);
        key.is_some_and(|key| &**key.name() == "std::default::Default")
    }

    fn default_call(
        &mut self,
        own: &Concrete,
        args: &[Expr],
        place: Option<&Concrete>,
        span: Span,
    ) -> Run {
        match place {
            _ if !args.is_empty() => stop(span, "this `default` takes arguments"),
            Some(place) if !own.is_open() && !is_same(own, place) => {
                mismatch(span, &format!("`{own}`"), place)
            }
            Some(place) => self.default_of(place, span),
            None => self.default_of(own, span),
        }
    }

    /// Reads the body of a function of the source, with its arguments.
    pub(crate) fn function(
        &mut self,
        (module, def, scope): (ModuleId, &FnDef, &Scope),
        args: &[Expr],
        env: &Env,
        place: Option<&Concrete>,
        span: Span,
    ) -> Run {
        if def.receiver.is_some() || args.len() != def.params.len() {
            return stop(span, format!("how `{}` is called is not read", def.name));
        }
        let Some(returns) = &def.returns else {
            return stop(span, format!("`{}` returns nothing", def.name));
        };
        let outside = self.function_scope(def, scope, returns, place, span)?;
        let returns = self.reader.typed(returns, &outside)?;
        if let Some(place) = place
            && !is_same(&returns, place)
        {
            return mismatch(span, &format!("`{returns}`"), place);
        }
        let mut body = Env::new(self.body_scope(module, def, &outside)?);
        for ((name, ty), arg) in def.params.iter().zip(&def.param_types).zip(args) {
            let Some(ty) = ty else {
                return stop(span, format!("how `{}` is called is not read", def.name));
            };
            let ty = self.reader.typed(ty, &outside)?;
            let value = self.read(arg, env, Some(&ty))?;
            body.params.push((name.clone(), value, ty));
        }
        self.read(&def.body, &body, Some(&returns))
    }

    /// Returns the scope of a function's body. An item in it hides a parameter of the same name.
    pub(crate) fn body_scope(&self, module: ModuleId, def: &FnDef, scope: &Scope) -> Run<Scope> {
        let module = self.reader.graph.inside(module, def);
        for name in def.params.iter().filter(|_| def.inside.is_some()) {
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

    /// Returns the scope of a function's signature. The place decides its type parameters.
    fn function_scope(
        &self,
        def: &FnDef,
        scope: &Scope,
        returns: &Ty,
        place: Option<&Concrete>,
        span: Span,
    ) -> Run<Scope> {
        let scope = scope.clone();
        if def.generics.is_empty() {
            return Ok(scope);
        }
        let open = def.generics.iter();
        let open = open.map(|name| (name.clone(), Concrete::Param(name.clone())));
        let open = Scope {
            params: open.chain(scope.params.iter().cloned()).collect(),
            ..scope
        };
        let returns = self.reader.typed(returns, &open)?;
        let mut bound = Bound::new();
        if let Some(place) = place {
            unify(&returns, place, &mut bound);
        }
        let params = open.params.iter();
        let params = params.map(|(name, ty)| (name.clone(), substituted(ty, &bound)));
        let params: Vec<(Text, Concrete)> = params.collect();
        if params.iter().any(|(_, ty)| ty.is_open()) {
            return Err(not_constant(
                span,
                format!("the type arguments of `{}` are not known", def.name),
            ));
        }
        Ok(Scope {
            params: params.into(),
            ..open
        })
    }

    /// Calls a function of std or serde_json.
    fn known(
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
                match place {
                    Some(place) if inner.is_some() || is_same(&own, place) => {
                        self.default_of(place, span)
                    }
                    Some(place) => mismatch(span, &format!("`{own}`"), place),
                    None => self.default_of(&own, span),
                }
            }
            ("std::time::Duration", "from_secs" | "from_millis", [number]) => {
                self.duration(number, name == "from_secs", env)
            }
            ("std::net::Ipv4Addr", "new", [_, _, _, _]) => self.address(args, env),
            _ if !is_made(of) => unknown(),
            _ if let (Some(place), None) = (place, own) => {
                mismatch(span, &format!("a `{}`", last_segment(of)), place)
            }
            ("std::option::Option", "Some", [value]) => {
                self.read(value, env, inner).map(Value::some)
            }
            ("std::string::String", "new", []) => Ok(Value::Text("".into())),
            ("std::string::String", "from", [text]) => self.string(text, env),
            (of, "new", []) if is_list(of) || is_set(of) => Ok(Value::List(Vec::new())),
            (of, "new", []) if is_map(of) => Ok(Value::Map(Vec::new())),
            (of, "new", [value]) if is_pointer(of) => self.read(value, env, inner),
            ("std::borrow::Cow", "Borrowed", [value]) => {
                let target = inner.map(|inner| Concrete::Ref(Box::new(inner.clone()), false));
                self.read(value, env, target.as_ref())
            }
            (of, "from", [list]) if is_list(of) || is_map(of) => {
                self.collection(list, env, of, own, span)
            }
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

    /// `Ipv4Addr::new(a, b, c, d)`, as serde writes it.
    fn address(&mut self, parts: &[Expr], env: &Env) -> Run {
        let mut texts = Vec::with_capacity(parts.len());
        for part in parts {
            match self.read(part, env, Some(&Concrete::external("u8")))? {
                Value::Int(number) => texts.push(number.to_string()),
                _ => return stop(part.span, "this is not a part of an address"),
            }
        }
        Ok(Value::Json(texts.join(".").into()))
    }

    /// `NonZeroU8::new(5).unwrap()`; `None` for other calls.
    pub(super) fn non_zero(
        &mut self,
        call: &Expr,
        env: &Env,
        place: Option<&Concrete>,
    ) -> Run<Option<Value>> {
        let ExprKind::Call(function, args) = &call.kind else {
            return Ok(None);
        };
        let (ExprKind::Path(path), [number]) = (&function.kind, &args[..]) else {
            return Ok(None);
        };
        let Named::Known(known, _) = self.named(path, env, None)? else {
            return Ok(None);
        };
        let Some(own) = known.strip_suffix("::new") else {
            return Ok(None);
        };
        let Some(int) = own.strip_prefix("std::num::NonZero") else {
            return Ok(None);
        };
        let own = Concrete::external(own);
        match place {
            Some(place) if !is_same(&own, place) => mismatch(call.span, &format!("`{own}`"), place),
            _ => match self.read(
                number,
                env,
                Some(&Concrete::external(&int.to_ascii_lowercase())),
            )? {
                Value::Int(number) if number != 0 => Ok(Some(Value::Int(number))),
                _ => stop(number.span, "this is not an integer other than zero"),
            },
        }
    }

    /// `Vec::from([a, b])`, `BTreeMap::from([(k, v)])`
    fn collection(
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
        if is_list(of) {
            return self
                .items(items, env, types.and_then(<[Concrete]>::first))
                .map(Value::List);
        }
        let (key_type, value_type) = match types {
            Some([key, value, ..]) => (Some(key), Some(value)),
            _ => (None, None),
        };
        let mut map: Vec<(Text, Value)> = Vec::with_capacity(items.len());
        for item in items {
            let (key, value) = pair(item)?;
            let key = self.map_key(key, env, key_type)?;
            let value = self.read(value, env, value_type)?;
            if map.iter().any(|(known, _)| *known == key) {
                return stop(span, format!("the key `{key}` is written twice"));
            }
            map.push((key, value));
        }
        map.sort_by(|(one, _), (other, _)| one.cmp(other));
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
        match value.text() {
            Some(text) => Ok(Value::Text(text)),
            None => stop(
                text.span,
                format!("a string is needed here, not {}", value.kind()),
            ),
        }
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
