//! Methods that make a `String` or a collection of literals, and `unwrap` of a number or a text that is one of its type.

use super::calls::{is_collection, is_text};
use super::parsed::parsed;
use super::reading::{Env, Reading, Run, check_place, int_type, is_named, mismatch, stop};
use super::value::display;
use super::{Value, not_constant};
use crate::types::numbers::IntType;
use crate::types::{Concrete, Scope};
use crd_channels_diagnostics::{Span, Text};
use crd_channels_source::tree::{Expr, ExprKind, TraitDef, Ty};

impl Reading<'_> {
    /// `"..".to_string()`, `CONST.to_owned()`, `"..".into()`, `5.to_string()`, `[a, b].into()`,
    /// `[a, b].iter().map(f).collect()`, `NonZeroU8::new(5).unwrap()`, `"10.0.0.1".parse().unwrap()`, `"..".len()`,
    /// `2_u32.pow(3)`, `5.into()`, `"..".into()` of a type of the source
    pub(super) fn method(
        &mut self,
        whole: &Expr,
        (receiver, name): (&Expr, &Text),
        (types, args): (&[Ty], &[Expr]),
        env: &Env,
        place: Option<&Concrete>,
    ) -> Run {
        let span = whole.span;
        let unread = || stop(span, format!("the method `{name}` is not read"));
        self.check_method(name, &env.scope, span)?;
        match (&**name, args) {
            ("unwrap", []) | ("expect", [_]) => {
                let value = self.unwrapped(receiver, env, place)?;
                return value.map_or_else(unread, Ok);
            }
            // Its type arguments say no more than the place.
            ("collect", []) => return self.collected((receiver, name), env, place, span),
            ("pow", [_]) => return self.number(whole, env, place),
            (_, []) if types.is_empty() => {}
            _ => return unread(),
        }
        match (&**name, place) {
            ("to_string" | "to_owned", None) => self.shown(receiver, name, env),
            ("to_string" | "to_owned", Some(ty)) if is_named(ty, "std::string::String") => {
                self.shown(receiver, name, env)
            }
            // The length in bytes.
            ("len", _) => {
                check_place(&Concrete::external("usize"), place, span)?;
                let text = self.read(receiver, env, None)?.needed_text(span)?;
                i128::try_from(text.len())
                    .map_or_else(|_| unread(), |length| Ok(Value::Int(length)))
            }
            ("into", Some(ty)) if is_text(ty) => self.string(receiver, env),
            ("into", Some(Concrete::External(of, types)))
                if is_collection(of) && matches!(receiver.kind, ExprKind::Array(_)) =>
            {
                self.collection(receiver, env, of, Some(types), span)
            }
            ("into" | "to_vec", Some(Concrete::External(of, _))) if is_collection(of) => {
                self.collected((receiver, name), env, place, span)
            }
            ("into", Some(ty)) if let Some(ty) = int_type(ty) => self.widened(receiver, ty, env),
            ("into", Some(own @ Concrete::Def(_)))
                if let Some(block) = self.reader.conversion_block(own)
                    && let Some(from) = block.function("from") =>
            {
                let args = std::slice::from_ref(receiver);
                let from = (block.module, from, &block.scope());
                self.function(from, (&[], args), env, place, span)
            }
            ("into", Some(ty)) if is_named(ty, "serde_json::Value") => {
                let text = self.string(receiver, env)?;
                self.json(&text, span).map(Value::Json)
            }
            ("to_string" | "to_owned" | "into", Some(ty)) => {
                mismatch(span, &format!("the result of `{name}`"), ty)
            }
            _ => unread(),
        }
    }

    /// `NonZeroU8::new(5)`, `Url::parse("..")`, `"..".parse()`, if that is a value.
    fn unwrapped(
        &mut self,
        made: &Expr,
        env: &Env,
        place: Option<&Concrete>,
    ) -> Run<Option<Value>> {
        if let Some((text, "parse", [])) = made.method() {
            self.check_method("parse", &env.scope, made.span)?;
            let of = place.and_then(Concrete::external_path);
            let text = self.string(text, env)?.needed_text(made.span)?;
            return Ok(of.and_then(|of| parsed(of, &text)));
        }
        let Some((path, [arg])) = made.call() else {
            return Ok(None);
        };
        let known = self.known_path(path, env)?;
        if let Some(of) = known.strip_suffix("::parse") {
            check_place(&Concrete::external(of), place, made.span)?;
            return Ok(parsed(of, &self.string(arg, env)?.needed_text(arg.span)?));
        }
        let of = known.strip_suffix("::new").unwrap_or_default();
        let int = of.strip_prefix("std::num::NonZero").map(str::to_lowercase);
        let Some(int) = int.filter(|int| IntType::from_name(int).is_some()) else {
            return Ok(None);
        };
        check_place(&Concrete::external(of), place, made.span)?;
        let number = self.read(arg, env, Some(&Concrete::external(&int)))?;
        Ok(Some(number).filter(|number| matches!(number, Value::Int(number) if *number != 0)))
    }

    /// Refuses a method that a trait of the source may have, too.
    pub(crate) fn check_method(&self, name: &str, scope: &Scope, span: Span) -> Run<()> {
        let traits = self.reader.graph.traits_in_scope(scope.module);
        let has = |of: &TraitDef| of.has_unseen || of.functions.iter().any(|own| **own == *name);
        match traits.iter().any(|(_, of)| has(of)) {
            true => stop(span, format!("which `{name}` this calls is not known")),
            false => Ok(()),
        }
    }

    /// Reads what `to_string` and `to_owned` make of a text, and `to_string` of a number or the like.
    fn shown(&mut self, receiver: &Expr, name: &str, env: &Env) -> Run {
        if matches!(receiver.kind, ExprKind::Reference(_)) {
            return stop(receiver.span, "a method of a reference is not read");
        }
        let value = self.read(receiver, env, None)?;
        let text = match &value {
            Value::Text(_) | Value::Override(_) => value.text(),
            value => display(value).filter(|_| name == "to_string"),
        };
        let why = || {
            not_constant(
                receiver.span,
                format!("`{name}` of {} is not read", value.kind()),
            )
        };
        text.map(Value::Text).ok_or_else(why)
    }
}
