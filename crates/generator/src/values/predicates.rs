//! Predicates of `skip_serializing_if`: named functions of std, and functions whose body is one test of their argument.

use super::constructors::fields_of;
use super::names::Named;
use super::reading::{Env, Reading, Run, int_type, is_named, stop};
use super::{Adt, Value, not_constant};
use crate::types::kinds::{is_list, is_map, is_set};
use crate::types::path_segments::last_segment;
use crate::types::{Concrete, Scope, TraitKey, derives, single};
use crd_channels_diagnostics::{Span, Text};
use crd_channels_source::tree::{Expr, ExprKind, FnDef, Lit, Path, Token, Ty, TyKind};
use crd_channels_source::{CalledMacro, Derive, unknown_cfg};
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
                    // One answer would count for all arguments.
                    if !def.generics.is_empty() {
                        return finding;
                    }
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
            && def.generics.is_empty()
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
        if !statements.is_empty() {
            return refused();
        }
        let subject = Subject {
            param,
            value,
            ty: target,
            scope,
        };
        self.test(tail, &subject)?.map_or_else(refused, Ok)
    }

    /// Reads a test of a parameter that runs no code of the project; `None` for others.
    fn test(&mut self, expr: &Expr, of: &Subject<'_>) -> Run<Option<bool>> {
        Ok(match &expr.kind {
            ExprKind::Unary('!', inner) => self.test(inner, of)?.map(|answer| !answer),
            ExprKind::Binary(operator, left, right) => match &**operator {
                "&&" | "||" => {
                    let (left, right) = (self.test(left, of)?, self.test(right, of)?);
                    let both = |(left, right)| match &**operator {
                        "&&" => left && right,
                        _ => left || right,
                    };
                    left.zip(right).map(both)
                }
                "==" => self.compared(left, right, of)?,
                "!=" => self.compared(left, right, of)?.map(|equal| !equal),
                _ => None,
            },
            ExprKind::Method {
                receiver,
                name,
                types,
                args,
            } if types.is_empty() && args.is_empty() => match self.part(receiver, of)? {
                Some(Part { value, ty, .. }) => match &ty {
                    Concrete::External(path, _) if is_std(path) => {
                        self.check_method(name, of.scope, expr.span)?;
                        of_std(&format!("{path}::{name}"), &value)
                    }
                    _ => None,
                },
                None => None,
            },
            ExprKind::Macro(path, tokens) => self.matched(path, tokens, of)?,
            _ => match self.part(expr, of)? {
                Some(Part {
                    value: Value::Bool(value),
                    ty,
                    ..
                }) if is_named(&ty, "bool") => Some(value),
                _ => None,
            },
        })
    }

    /// Reads the parameter, one of its fields, or its length; `None` for other expressions.
    fn part(&mut self, expr: &Expr, of: &Subject<'_>) -> Run<Option<Part>> {
        let is_param = |expr: &Expr| matches!(&expr.kind, ExprKind::Path(path) if single(path).is_some_and(|name| name == of.param));
        let whole = |is_reference| {
            Ok(Some(Part {
                value: of.value.clone(),
                ty: of.ty.clone(),
                is_reference,
            }))
        };
        match &expr.kind {
            _ if is_param(expr) => whole(true),
            ExprKind::Unary('*', inner) if is_param(inner) => whole(false),
            ExprKind::Field(owner, name) => {
                let Some(owner) = self.part(owner, of)? else {
                    return Ok(None);
                };
                let (Value::Adt(adt), Concrete::Def(instance)) = (owner.value, &owner.ty) else {
                    return Ok(None);
                };
                let def = fields_of(instance, None)
                    .iter()
                    .find(|def| def.name == *name);
                let Some((def, value)) = def.zip(adt.field(name)) else {
                    return Ok(None);
                };
                if let Value::Unknown(finding) = value {
                    return Err(finding.clone());
                }
                let ty = (self.reader).typed(&def.ty, &Scope::of_definition(instance))?;
                Ok(Some(Part {
                    value: value.clone(),
                    ty,
                    is_reference: false,
                }))
            }
            ExprKind::Method {
                receiver,
                name,
                types,
                args,
            } if &**name == "len" && types.is_empty() && args.is_empty() => {
                let Some(Part { value, ty, .. }) = self.part(receiver, of)? else {
                    return Ok(None);
                };
                let is_std = matches!(&ty, Concrete::External(path, _) if is_std(path));
                let length = match &value {
                    _ if !is_std => None,
                    Value::List(items) => Some(items.len()),
                    Value::Map(entries) => Some(entries.len()),
                    Value::Text(text) => Some(text.len()),
                    _ => None,
                };
                self.check_method(name, of.scope, expr.span)?;
                let length = length.and_then(|length| i128::try_from(length).ok());
                Ok(length.map(|length| Part {
                    value: Value::Int(length),
                    ty: Concrete::external("usize"),
                    is_reference: false,
                }))
            }
            _ => Ok(None),
        }
    }

    /// Compares a part with a value; `None` if code of the project does.
    fn compared(&mut self, left: &Expr, right: &Expr, of: &Subject<'_>) -> Run<Option<bool>> {
        let (part, other) = match (self.part(left, of)?, self.part(right, of)?) {
            (Some(part), None) => (part, right),
            (None, Some(part)) => (part, left),
            _ => return Ok(None),
        };
        let Part {
            value,
            ty,
            is_reference,
        } = part;
        let is_text = is_named(&ty, "std::string::String");
        let (other, place) = match &other.kind {
            ExprKind::Reference(other) if is_reference => (&**other, Some(&ty)),
            _ if is_text => (other, None),
            _ if is_reference => return Ok(None),
            _ => (other, Some(&ty)),
        };
        let other = self.read(other, &Env::new(of.scope.clone()), place)?;
        let is_own = match (&value, &other) {
            (Value::Adt(one), Value::Adt(other)) => Arc::ptr_eq(&one.of.ty.def, &other.of.ty.def),
            (Value::Text(_), Value::Text(_)) => is_text,
            _ => {
                ["bool", "char", "f64"]
                    .iter()
                    .any(|name| is_named(&ty, name))
                    || int_type(&ty).is_some()
            }
        };
        Ok(is_own.then(|| self.equal(&value, &other)).flatten())
    }

    /// `matches!(x, A | B)`, for unit variants, `None` and literals.
    fn matched(&mut self, path: &Path, tokens: &[Token], of: &Subject<'_>) -> Run<Option<bool>> {
        let graph = self.reader.graph;
        let called = graph.called_macro(of.scope.module, path, tokens);
        if !matches!(called, CalledMacro::Named(name) if &*name == "std::matches") {
            return Ok(None);
        }
        let exprs = graph.macro_expressions(tokens);
        let Some([subject, pattern]) = exprs.as_deref().map(Vec::as_slice) else {
            return Ok(None);
        };
        match self.part(subject, of)? {
            Some(part) => self.fits(pattern, &part, of),
            None => Ok(None),
        }
    }

    fn fits(&mut self, pattern: &Expr, part: &Part, of: &Subject<'_>) -> Run<Option<bool>> {
        let is_literal = |expr: &Expr| {
            matches!(
                &expr.kind,
                ExprKind::Lit(Lit::Int(..) | Lit::Bool(_) | Lit::Char(_))
            )
        };
        let is_pattern = match &pattern.kind {
            ExprKind::Binary(operator, left, right) if &**operator == "|" => {
                let (left, right) = (self.fits(left, part, of)?, self.fits(right, part, of)?);
                return Ok(left.zip(right).map(|(left, right)| left || right));
            }
            ExprKind::Path(_) => true,
            ExprKind::Unary('-', inner) => is_literal(inner),
            _ => is_literal(pattern),
        };
        if !is_pattern {
            return Ok(None);
        }
        let value = self.read(pattern, &Env::new(of.scope.clone()), Some(&part.ty))?;
        Ok(match (&part.value, &value) {
            (Value::Adt(one), Value::Adt(other)) if is_unit(other) => {
                Some(one.variant == other.variant)
            }
            (Value::Option(one), Value::Option(None)) => Some(one.is_none()),
            (Value::Bool(_) | Value::Char(_) | Value::Int(_), _) => self.equal(&part.value, &value),
            _ => None,
        })
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
                // A derive of that name from elsewhere may compare otherwise.
                if !derives(&self.reader, &one.of, Derive::PartialEq) {
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

/// The parameter of a test.
struct Subject<'t> {
    param: &'t Text,
    value: &'t Value,
    /// Its type, without the reference.
    ty: &'t Concrete,
    scope: &'t Scope,
}

/// The parameter of a test, or a part of it.
struct Part {
    value: Value,
    ty: Concrete,
    /// Whether the expression is a reference to it.
    is_reference: bool,
}

/// Returns true for a variant without fields.
fn is_unit(adt: &Adt) -> bool {
    adt.variant.is_some() && adt.fields.is_empty()
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
