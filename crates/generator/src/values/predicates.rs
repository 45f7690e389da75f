//! Predicates of `skip_serializing_if`: named functions of std, and functions whose body is one test of their argument.

use super::names::Named;
use super::reading::{Env, Reading, Run, int_type, is_named, stop};
use super::{Value, not_constant};
use crate::types::kinds::{is_list, is_map, is_set};
use crate::types::path_segments::last_segment;
use crate::types::{Concrete, Scope, derives};
use crd_channels_diagnostics::{Span, Text};
use crd_channels_source::tree::{Expr, ExprKind, FnDef, Lit, Path, Ty, TyKind};
use crd_channels_source::{Derive, unknown_cfg};
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
        let path = function.path().ok_or_else(unknown)?;
        let answer = match self.item_named(path, &Env::new(scope.clone()), None)? {
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
        if let ExprKind::Undecided(cfg) = &def.body.kind {
            return Err(Box::new(unknown_cfg(cfg, def.body.span)));
        }
        let (mut statements, mut tail) = (&[][..], &def.body);
        // A block in the block has a cfg of its own.
        while let (ExprKind::Block(inner, Some(last)), []) = (&tail.kind, statements) {
            (statements, tail) = (inner, last);
        }
        if let (ExprKind::Lit(Lit::Bool(answer)), []) = (&tail.kind, statements) {
            return Ok(*answer);
        }
        let ([], [param], [Some(ty)]) = (statements, &def.params[..], &def.param_types[..]) else {
            return refused();
        };
        match &def.generics[..] {
            [] => {}
            [generic]
                if self.is_default_of_std(def, scope)
                    && is_reference_to(ty, generic)
                    && compares_with_default(tail, param, generic) =>
            {
                return self.is_default(value, span);
            }
            _ => return refused(),
        }
        let Concrete::Ref(ty, false) = self.reader.typed(ty, scope)? else {
            return refused();
        };
        let subject = Subject {
            param,
            value,
            ty: &ty,
            scope,
        };
        self.test(tail, &subject)?.map_or_else(refused, Ok)
    }

    /// Reads a test of a parameter that runs no code of the project; `None` for others.
    fn test(&mut self, expr: &Expr, subject: &Subject<'_>) -> Run<Option<bool>> {
        Ok(match &expr.kind {
            ExprKind::Unary('!', inner) => self.test(inner, subject)?.map(|answer| !answer),
            ExprKind::Unary('*', inner) if subject.is_named_by(inner) => subject.as_bool(),
            // `!x`
            ExprKind::Path(_) if subject.is_named_by(expr) => subject.as_bool(),
            ExprKind::Binary(operator, left, right) => match &**operator {
                "==" => self.compared(left, right, subject)?,
                "!=" => self.compared(left, right, subject)?.map(|equal| !equal),
                _ => None,
            },
            ExprKind::Method {
                receiver,
                name,
                types,
                args,
            } if types.is_empty() && args.is_empty() && subject.is_named_by(receiver) => {
                match subject.ty {
                    Concrete::External(path, _) if is_std(path) => {
                        self.check_method(name, subject.scope, expr.span)?;
                        of_std(&format!("{path}::{name}"), subject.value)
                    }
                    _ => None,
                }
            }
            _ => None,
        })
    }

    /// `*x == value`, `x == &value`, `x == "text"`; `None` if code of the project compares.
    fn compared(&mut self, left: &Expr, right: &Expr, subject: &Subject<'_>) -> Run<Option<bool>> {
        let Subject { value, ty, .. } = subject;
        let is_text = is_named(ty, "std::string::String");
        let (other, place) = match (&left.kind, &right.kind) {
            (ExprKind::Unary('*', left), _) if subject.is_named_by(left) => {
                (right, Some(*ty).filter(|_| !is_text))
            }
            (_, ExprKind::Reference(right)) if subject.is_named_by(left) => (&**right, Some(*ty)),
            _ if is_text && subject.is_named_by(left) => (right, None),
            _ => return Ok(None),
        };
        let other = self.read(other, &Env::new(subject.scope.clone()), place)?;
        let is_own = match (value, &other) {
            (Value::Adt(one), Value::Adt(other)) => Arc::ptr_eq(&one.of.ty.def, &other.of.ty.def),
            (Value::Text(_), Value::Text(_)) => is_text,
            _ => {
                let plain = ["bool", "char", "f64"];
                plain.iter().any(|name| is_named(ty, name)) || int_type(ty).is_some()
            }
        };
        Ok(is_own.then(|| self.equal(value, &other)).flatten())
    }

    /// Returns true if `Default` is std's, and so are all bounds.
    fn is_default_of_std(&self, def: &FnDef, scope: &Scope) -> bool {
        let known = |path: &Path| self.reader.known_trait(scope.module, path);
        let is_default =
            |path: &Path| known(path).is_some_and(|path| &*path == "std::default::Default");
        let mut bounds = def.bounds.iter().map(|(_, path)| path);
        let named = Path::of_name("Default", def.span);
        bounds.clone().all(|path| known(path).is_some())
            && bounds.any(is_default)
            && is_default(&named)
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
            // Others may be arrays and tuples, whose defaults have items.
            Value::List(items) if items.is_empty() => Value::List(Vec::new()),
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

impl Subject<'_> {
    /// Returns its value, if it is a boolean.
    fn as_bool(&self) -> Option<bool> {
        match self.value {
            Value::Bool(value) if is_named(self.ty, "bool") => Some(*value),
            _ => None,
        }
    }

    /// Returns true for an expression that is the name of the parameter.
    fn is_named_by(&self, expr: &Expr) -> bool {
        expr.name() == Some(self.param)
    }
}

/// Returns true for `&T`.
fn is_reference_to(ty: &Ty, name: &str) -> bool {
    match &ty.kind {
        TyKind::Reference(target, false) => {
            matches!(&target.kind, TyKind::Path(path) if path.name().is_some_and(|own| &**own == name))
        }
        _ => false,
    }
}

/// Returns true for `*x == T::default()` and `x == &T::default()`.
fn compares_with_default(test: &Expr, param: &str, generic: &str) -> bool {
    let ExprKind::Binary(operator, left, right) = &test.kind else {
        return false;
    };
    let (left, right) = match (&left.kind, &right.kind) {
        (ExprKind::Unary('*', left), _) => (left, right),
        (_, ExprKind::Reference(right)) => (left, right),
        _ => return false,
    };
    if let Some((path, args)) = right.call()
        && let [owner, name] = &path.segments[..]
    {
        let is_default = &*name.name == "default" && [generic, "Default"].contains(&&*owner.name);
        let is_called = is_default && !path.leading && args.is_empty();
        return &**operator == "=="
            && left.name().is_some_and(|name| &**name == param)
            && is_called;
    }
    false
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
