//! Blocks: variables, constants and imports, and the changes of a variable of a known type.

use super::Value;
use super::calls::insert;
use super::numerals::open_type;
use super::reading::{Env, Reading, Run, Variable, stop};
use crate::types::Concrete;
use crate::types::kinds::{is_list, is_map};
use crd_channels_diagnostics::Span;
use crd_channels_source::tree::{Expr, Stmt};
use std::borrow::Cow;

impl Reading<'_> {
    /// Reads a block for a place.
    pub(super) fn block(
        &mut self,
        (statements, tail): (&[Stmt], &Expr),
        env: &Env,
        place: Option<&Concrete>,
    ) -> Run {
        // The variable that the block returns has the type of the place.
        let returned = tail.name();
        let mut inside = Cow::Borrowed(env);
        // A change of a constant is one of a copy.
        let mut outer = env.variables.len();
        for statement in statements {
            match statement {
                Stmt::Let(name, ty, made) => {
                    let ty = match ty {
                        Some(ty) => Some(self.reader.typed(ty, &inside.scope)?),
                        None => place.filter(|_| returned == Some(name)).cloned(),
                    };
                    let (value, ty) = match ty {
                        Some(ty) => (self.read(made, &inside, Some(&ty))?, ty),
                        None => self.variable(made, &inside)?,
                    };
                    let name = name.clone();
                    let variables = &mut inside.to_mut().variables;
                    variables.push(Variable { name, value, ty });
                }
                Stmt::Const(name, ty, value) => {
                    let ty = self.reader.typed(ty, &inside.scope)?;
                    let (name, value) = (name.clone(), self.read(value, &inside, Some(&ty))?);
                    let variables = &mut inside.to_mut().variables;
                    variables.push(Variable { name, value, ty });
                    outer = variables.len();
                }
                Stmt::Expr(expr) => self.change(expr, inside.to_mut(), outer)?,
                Stmt::Other(words, span) => return stop(*span, format!("{words} is not read")),
            }
        }
        self.read(tail, &inside, place)
    }

    /// Reads what a variable without a written type is made of, and its type.
    fn variable(&mut self, made: &Expr, env: &Env) -> Run<(Value, Concrete)> {
        let (value, ty) = match self.untyped(made, env)? {
            Some(known) => known,
            None => {
                let value = self.read(made, env, None)?;
                let ty = open_type(&value);
                (value, ty)
            }
        };
        // Its type may be decided later. Only floats of different types differ.
        match value.has_float() {
            true => stop(made.span, "the type of this float is not written"),
            false => Ok((value, ty)),
        }
    }

    /// `map.insert(key, value);`, `list.push(value);` of a variable of the block itself: the change of one of the `outer`, which
    /// are constants too, would not be seen.
    fn change(&mut self, expr: &Expr, env: &mut Env, outer: usize) -> Run<()> {
        let span = expr.span;
        let Some((receiver, name, args)) = expr.method() else {
            return stop(span, "this statement is not read");
        };
        let target = receiver.name();
        let mut variables = env.variables.iter();
        let position = variables.rposition(|known| Some(&known.name) == target);
        let position = position.filter(|position| *position >= outer);
        let Some(known) = position.and_then(|position| env.variables.get(position)) else {
            return stop(span, "this statement is not read");
        };
        let value = self.with_item(known.clone(), name, args, env, span)?;
        if let Some(known) = position.and_then(|position| env.variables.get_mut(position)) {
            known.value = value;
        }
        Ok(())
    }

    /// Returns the value of a list or a map after a change.
    fn with_item(
        &mut self,
        known: Variable,
        name: &str,
        args: &[Expr],
        env: &Env,
        span: Span,
    ) -> Run {
        // A method of a trait that takes the list itself would come first.
        let is_own = self.check_method(name, &env.scope, span).is_ok();
        match (known.value, name, args, &known.ty) {
            (Value::List(mut items), "push", [item], Concrete::External(path, types))
                if is_own && is_list(path) =>
            {
                items.push(self.read(item, env, types.first())?);
                Ok(Value::List(items))
            }
            (Value::Map(mut entries), "insert", [key, value], Concrete::External(path, types))
                if is_own && is_map(path) =>
            {
                let key = self.map_key(key, env, types.first())?;
                let value = self.read(value, env, types.get(1))?;
                insert(&mut entries, key, value);
                Ok(Value::Map(entries))
            }
            _ => stop(span, format!("the method `{name}` is not read")),
        }
    }
}
