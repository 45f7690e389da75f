//! Predicates of `skip_serializing_if`: named functions of std, and functions whose body is one test of their argument.

use super::names::Named;
use super::reading::{Env, Reading, Run, int_type, is_named, stop};
use super::{Value, not_constant};
use crate::types::kinds::{is_list, is_map, is_set};
use crate::types::path_segments::last_segment;
use crate::types::{Concrete, Scope, TraitKey, single};
use crd_channels_diagnostics::Span;
use crd_channels_source::tree::{Expr, ExprKind, FnDef, Lit, Path, Ty, TyKind};
use crd_channels_source::unknown_cfg;
use serde_json::Value as Json;
use std::sync::Arc;

impl Reading<'_> {
    /// Calls a predicate on a value.
    ///
    /// # Errors
    ///
    /// `not-constant` if the answer is not known.
    pub(crate) fn predicate(
        &mut self,
        function: &Expr,
        scope: &Scope,
        value: &Value,
        span: Span,
    ) -> Run<bool> {
        let unknown = || not_constant(span, "this predicate is not read");
        if let Value::Unknown(finding) = value {
            return Err(finding.clone());
        }
        let ExprKind::Path(path) = &function.kind else {
            return Err(unknown());
        };
        let answer = match self.named(path, &Env::new(scope.clone()), None)? {
            Named::Known(path, _) => of_std(&path, value),
            Named::Function(module, def, around) => {
                let scope = Scope { module, ..around };
                let answer = self.own_test(&def, &scope, value, span);
                return answer.map_err(|mut finding| {
                    let path = self.reader.path_of(module, &def.name);
                    finding.help.get_or_insert_with(|| format!(
                        "state whether the default is left out: `[values.\"{path}\"]` with `json = \"true\"` or `json = \"false\"` in `channels/bundle.toml`"
                    ));
                    finding
                });
            }
            Named::Value(Value::Override(Json::Bool(answer)), _) => Some(answer),
            _ => None,
        };
        answer.ok_or_else(unknown)
    }

    /// Reads a function of the source whose body is one test: `!*x`, `*x == 0`, `x.is_empty()`.
    fn own_test(&mut self, def: &FnDef, scope: &Scope, value: &Value, span: Span) -> Run<bool> {
        let name = &def.name;
        if let Some(Value::Override(Json::Bool(answer))) =
            self.reader.value_override(scope.module, name)
        {
            return Ok(answer);
        }
        let refused = || stop(span, format!("the body of `{name}` is not read"));
        if def.inside.is_some() {
            return refused();
        }
        if let ExprKind::Block(statements, Some(tail)) = &def.body.kind
            && let (ExprKind::Lit(Lit::Bool(answer)), []) = (&tail.kind, &statements[..])
        {
            return Ok(*answer);
        }
        if let ([param], [generic]) = (&def.params[..], &def.generics[..]) {
            return match self.is_default_of_std(def, scope) && is_default_test(def, param, generic)
            {
                true => self.is_default(value, span),
                false => refused(),
            };
        }
        let ([param], [Some(ty)], []) = (&def.params[..], &def.param_types[..], &def.generics[..])
        else {
            return refused();
        };
        let ty = self.reader.typed(ty, scope)?;
        let target = match &ty {
            Concrete::Ref(target, false) => &**target,
            _ => return refused(),
        };
        if let ExprKind::Undecided(cfg) = &def.body.kind {
            return Err(Box::new(unknown_cfg(cfg, def.body.span)));
        }
        let ExprKind::Block(statements, Some(tail)) = &def.body.kind else {
            return refused();
        };
        let is_param = |path: &Path| single(path).is_some_and(|name| name == param);
        let is_target = |expr: &Expr| match &expr.kind {
            ExprKind::Unary('*', inner) => {
                matches!(&inner.kind, ExprKind::Path(path) if is_param(path))
            }
            _ => false,
        };
        let is_bool = is_named(target, "bool");
        let answer = match (&tail.kind, value) {
            _ if !statements.is_empty() => None,
            (ExprKind::Unary('!', inner), Value::Bool(value)) if is_bool => match &inner.kind {
                ExprKind::Path(path) if is_param(path) => Some(!value),
                _ if is_target(inner) => Some(!value),
                _ => None,
            },
            (_, Value::Bool(value)) if is_bool && is_target(tail) => Some(*value),
            (ExprKind::Binary(operator, left, right), value)
                if matches!(&**operator, "==" | "!=") =>
            {
                let is_text = is_named(target, "std::string::String");
                let itself = matches!(&left.kind, ExprKind::Path(path) if is_param(path));
                let (right, place) = match &right.kind {
                    ExprKind::Reference(right) if itself => (&**right, Some(target)),
                    _ if is_text && (itself || is_target(left)) => (&**right, None),
                    _ if is_target(left) => (&**right, Some(target)),
                    _ => return refused(),
                };
                let right = self.read(right, &Env::new(scope.clone()), place)?;
                let equal = match (value, &right) {
                    (Value::Adt(one), Value::Adt(other)) => {
                        Arc::ptr_eq(&one.of.ty.def, &other.of.ty.def)
                    }
                    (Value::Text(_), Value::Text(_)) => is_text,
                    _ => is_bool || int_type(target).is_some(),
                };
                let equal = equal.then(|| self.equal(value, &right)).flatten();
                equal.map(|equal| equal == (&**operator == "=="))
            }
            (
                ExprKind::Method {
                    receiver,
                    name,
                    types,
                    args,
                },
                value,
            ) if types.is_empty() && args.is_empty() => match (&receiver.kind, target) {
                (ExprKind::Path(path), Concrete::External(of, _))
                    if is_param(path) && is_std(of) =>
                {
                    of_std(&format!("{of}::{name}"), value)
                }
                _ => None,
            },
            _ => None,
        };
        answer.map_or_else(refused, Ok)
    }

    /// Returns true if `Default` is std's, and so are all bounds.
    fn is_default_of_std(&self, def: &FnDef, scope: &Scope) -> bool {
        let key = |path: &Path| self.reader.trait_key(scope.module, path);
        let is_std = |path: &Path| matches!(key(path), Some(TraitKey::Known(_)));
        let is_default = |path: &Path| match key(path) {
            Some(TraitKey::Known(path)) => &*path == "std::default::Default",
            _ => false,
        };
        let mut bounds = def.bounds.iter().map(|(_, path)| path);
        let named = Path::of_name("Default", def.span);
        bounds.clone().all(is_std) && bounds.any(is_default) && is_default(&named)
    }

    /// `x == T::default()`, for types whose `PartialEq` is std's or derived.
    fn is_default(&mut self, value: &Value, span: Span) -> Run<bool> {
        let default = match value {
            Value::Bool(_) => Value::Bool(false),
            Value::Char(_) => Value::Char('\0'),
            Value::Int(_) => Value::Int(0),
            Value::Float(_) => Value::Float(0.0),
            Value::Text(_) => Value::Text("".into()),
            Value::Option(_) => Value::Option(None),
            Value::Map(_) => Value::Map(Vec::new()),
            Value::Adt(adt) => self.default_of(&Concrete::Def(adt.of.clone()), span)?,
            _ => return stop(span, "whether this is the default is not known"),
        };
        match self.equal(value, &default) {
            Some(equal) => Ok(equal),
            None => stop(span, "whether this is the default is not known"),
        }
    }

    /// Compares two values of one type; `None` if a hand-written `PartialEq` does.
    fn equal(&self, one: &Value, other: &Value) -> Option<bool> {
        let all = |pairs: &mut dyn Iterator<Item = (&Value, &Value)>| {
            let mut equal = true;
            for (one, other) in pairs {
                equal &= self.equal(one, other)?;
            }
            Some(equal)
        };
        match (one, other) {
            (Value::Bool(one), Value::Bool(other)) => Some(one == other),
            (Value::Char(one), Value::Char(other)) => Some(one == other),
            (Value::Int(one), Value::Int(other)) => Some(one == other),
            (Value::Float(one), Value::Float(other)) => Some(one == other),
            (Value::Text(one), Value::Text(other)) => Some(one == other),
            (Value::Unit, Value::Unit) | (Value::Option(None), Value::Option(None)) => Some(true),
            (Value::Option(Some(one)), Value::Option(Some(other))) => self.equal(one, other),
            // Whether absent and present items are compared does not matter.
            (Value::Option(_), Value::Option(_)) => Some(false),
            (Value::List(one), Value::List(other)) if one.len() != other.len() => Some(false),
            (Value::List(one), Value::List(other)) => all(&mut one.iter().zip(other)),
            (Value::Map(one), Value::Map(other)) if one.len() != other.len() => Some(false),
            (Value::Map(one), Value::Map(other)) => {
                let keys = one.iter().zip(other);
                let same = keys.clone().all(|((one, _), (other, _))| one == other);
                let values = &mut keys.map(|((_, one), (_, other))| (one, other));
                all(values).map(|equal| equal && same)
            }
            (Value::Adt(one), Value::Adt(other)) => {
                let graph = self.reader.graph;
                let derives = |of_source| graph.derives_trait(&one.of.ty, "PartialEq", of_source);
                // A derive of that name from elsewhere may compare otherwise.
                if !derives(false) || derives(true) {
                    return None;
                }
                if one.variant != other.variant {
                    return Some(false);
                }
                let fields = one.fields.iter().zip(other.fields.iter());
                all(&mut fields.map(|((_, one), (_, other))| (one, other)))
            }
            _ => None,
        }
    }
}

/// Returns true for `fn f<T: Default + PartialEq>(x: &T) -> bool { x == &T::default() }`.
fn is_default_test(def: &FnDef, param: &str, generic: &str) -> bool {
    let is_named = |path: &Path, name: &str| single(path).is_some_and(|own| &**own == name);
    let is_of = |ty: &Ty| match &ty.kind {
        TyKind::Reference(target, false) => {
            matches!(&target.kind, TyKind::Path(path) if is_named(path, generic))
        }
        _ => false,
    };
    let is_default = |expr: &Expr| match &expr.kind {
        ExprKind::Call(function, args) if args.is_empty() => match &function.kind {
            ExprKind::Path(path) => match &path.segments[..] {
                [of, name] => {
                    !path.leading
                        && &*name.name == "default"
                        && (&*of.name == generic || &*of.name == "Default")
                }
                _ => false,
            },
            _ => false,
        },
        _ => false,
    };
    let is_param =
        |expr: &Expr| matches!(&expr.kind, ExprKind::Path(path) if is_named(path, param));
    let ExprKind::Block(statements, Some(tail)) = &def.body.kind else {
        return false;
    };
    let ExprKind::Binary(operator, left, right) = &tail.kind else {
        return false;
    };
    let compares = match (&left.kind, &right.kind) {
        (ExprKind::Unary('*', left), _) => is_param(left) && is_default(right),
        (_, ExprKind::Reference(right)) => is_param(left) && is_default(right),
        _ => false,
    };
    statements.is_empty()
        && &**operator == "=="
        && compares
        && matches!(&def.param_types[..], [Some(ty)] if is_of(ty))
}

/// Returns true for the types whose own methods the predicates of std are.
fn is_std(path: &str) -> bool {
    is_list(path)
        || is_set(path)
        || is_map(path)
        || matches!(path, "std::option::Option" | "std::string::String" | "str")
}

/// Answers a predicate of std by its full path.
fn of_std(path: &str, value: &Value) -> Option<bool> {
    let (of, name) = path.rsplit_once("::")?;
    match (name, value) {
        ("is_empty", _) if !is_std(of) || of == "std::option::Option" => None,
        ("is_empty", Value::List(items)) => Some(items.is_empty()),
        ("is_empty", Value::Map(entries)) => Some(entries.is_empty()),
        ("is_empty", Value::Text(text)) => Some(text.is_empty()),
        ("is_empty", Value::Override(Json::Array(items))) => Some(items.is_empty()),
        ("is_empty", Value::Override(Json::Object(entries))) => Some(entries.is_empty()),
        ("is_empty", Value::Override(Json::String(text))) => Some(text.is_empty()),
        ("is_none" | "is_some", _) if of != "std::option::Option" => None,
        ("is_none", Value::Option(option)) => Some(option.is_none()),
        ("is_some", Value::Option(option)) => Some(option.is_some()),
        ("is_none", Value::Override(json)) => Some(json.is_null()),
        ("is_some", Value::Override(json)) => Some(!json.is_null()),
        ("not", Value::Bool(value)) if last_segment(of) == "Not" => Some(!value),
        ("is_null", Value::Json(json)) if of == "serde_json::Value" => Some(json.is_null()),
        _ => None,
    }
}
