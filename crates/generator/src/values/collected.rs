//! Collections that are made of a list, item by item: `[a, b].iter().map(f).collect()`, `[a, b].map(f).to_vec()`.

use super::Value;
use super::calls::{insert, is_collection, pair, sorted};
use super::numerals::not_known;
use super::reading::{Env, Reading, Run, Variable, is_named, stop};
use crate::types::Concrete;
use crate::types::kinds::{is_list, is_map};
use crd_channels_diagnostics::Span;
use crd_channels_source::tree::{Closure, Expr, ExprKind, Pattern};

impl Reading<'_> {
    /// `[a, b].iter().map(f).collect()`, `LIST.iter().copied().collect()`; without an iterator `[a, b].map(f).to_vec()`,
    /// `LIST.to_vec()`
    pub(super) fn collected(
        &mut self,
        (made, name): (&Expr, &str),
        env: &Env,
        place: Option<&Concrete>,
        span: Span,
    ) -> Run {
        let unread = || stop(span, "what is collected here is not read");
        for method in ["iter", "into_iter", "map", "copied", "cloned"] {
            self.check_method(method, &env.scope, span)?;
        }
        let (list, function) = match made.method() {
            Some((list, "map", [function])) => (list, Some(function)),
            _ => (made, None),
        };
        let (list, clones) = match (name, list.method()) {
            ("collect", Some((list, "copied" | "cloned", []))) => (list, true),
            _ => (list, name == "to_vec"),
        };
        let list = match (name, list.method()) {
            ("collect", Some((list, "iter" | "into_iter", []))) => list,
            ("collect", _) => return unread(),
            _ => list,
        };
        let (of, types) = match place {
            Some(Concrete::External(of, types)) if is_collection(of) => (of, types),
            _ => return unread(),
        };
        // The `Clone` of other items may be hand-written.
        if let (None, ExprKind::Array(_), false) = (function, &list.kind, clones) {
            return self.collection(list, env, of, Some(types), span);
        }
        let Value::List(items) = self.read(list, env, None)? else {
            return unread();
        };
        let Some(function) = function else {
            let is_plain = |item: &Value| matches!(item, Value::Int(_) | Value::Bool(_));
            return match is_list(of) && items.iter().all(is_plain) {
                true => Ok(Value::List(items)),
                false => unread(),
            };
        };
        let mut entries = Vec::new();
        let mut values = Vec::new();
        for item in items {
            match &function.kind {
                ExprKind::Closure(closure) => {
                    let inside = bound(closure, item, env, function.span)?;
                    if is_map(of) {
                        let (key, value) = pair(&closure.body)?;
                        let key = self.map_key(key, &inside, types.first())?;
                        insert(&mut entries, key, self.read(value, &inside, types.get(1))?);
                    } else {
                        values.push(self.read(&closure.body, &inside, types.first())?);
                    }
                }
                _ => values.push(self.as_string(function, item, env, types.first())?),
            }
        }
        match is_map(of) {
            true => Ok(Value::Map(entries)),
            false => sorted(values, of, span).map(Value::List),
        }
    }

    /// Reads what `String::from` and the like make of a text.
    fn as_string(&mut self, function: &Expr, item: Value, env: &Env, ty: Option<&Concrete>) -> Run {
        let known = match function.path() {
            Some(path) => self.known_path(path, env)?,
            None => "".into(),
        };
        let is_string = matches!(
            &*known,
            "std::string::String::from"
                | "std::string::ToString::to_string"
                | "std::borrow::ToOwned::to_owned"
                | "std::convert::Into::into"
                | "str::to_string"
                | "str::to_owned"
        );
        match item {
            Value::Text(_)
                if is_string && ty.is_some_and(|ty| is_named(ty, "std::string::String")) =>
            {
                Ok(item)
            }
            _ => stop(function.span, "what this makes of the items is not read"),
        }
    }
}

/// Returns the names of a closure's body, with those that it gives to an item or its parts.
fn bound(closure: &Closure, item: Value, env: &Env, span: Span) -> Run<Env> {
    let parts = match (&closure.params[..], item) {
        ([Pattern::Parts(names)], Value::List(parts)) if names.len() == parts.len() => {
            names.iter().zip(parts).collect()
        }
        ([pattern], item) => vec![(pattern, item)],
        _ => Vec::new(),
    };
    let mut inside = env.clone();
    for (pattern, value) in parts {
        let ty = match value {
            Value::Text(_) => Concrete::Ref(Box::new(Concrete::external("str")), false),
            _ => not_known(),
        };
        let is_plain = matches!(
            value,
            Value::Text(_) | Value::Int(_) | Value::Bool(_) | Value::Char(_)
        );
        match pattern.name().filter(|_| is_plain).cloned() {
            Some(name) => inside.variables.push(Variable { name, value, ty }),
            None => return stop(span, "what this makes of the items is not read"),
        }
    }
    match inside.variables.len() > env.variables.len() {
        true => Ok(inside),
        false => stop(span, "what this makes of the items is not read"),
    }
}
