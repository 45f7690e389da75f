//! Types that write themselves as another value: the body of a `Serialize` that hands one value to its serializer.

use super::Reader;
use super::concrete::{Concrete, Finding, Instance, single};
use super::constant::Frame;
use super::value::{Const, not_constant};
use crate::Text;
use crate::diag::Span;
use crate::source::tree::{Expr, ExprKind};
use serde_json::Value;
use std::sync::Arc;

impl Reader<'_> {
    /// The JSON that the type's `serialize` hands on; none where there is no such function in source.
    pub(super) fn json_by_body(
        &self,
        value: &Const,
        instance: &Arc<Instance>,
        span: Span,
    ) -> Option<Result<Value, Finding>> {
        let (function, scope) = self.trait_function(instance, "Serialize", "serialize")?;
        let serializer = function.params.get(1)?;
        let written = Frame::enter(&scope, span, |frame| {
            let this = Concrete::Def(Arc::clone(instance));
            frame
                .locals
                .push((Text::from("self"), value.clone(), Some(this)));
            frame
                .locals
                .push((serializer.clone(), Const::Serializer, None));
            self.body(&function.body, frame, None)
        });
        Some(written.and_then(|written| match written {
            Const::Json(json) => Ok(json),
            _ => Err(not_constant(
                span,
                format!("how `{}` is written cannot be told", instance.ty.def.name),
            )),
        }))
    }

    /// `serializer.serialize_str(x)`, `x.serialize(serializer)`: the JSON of `x`. None where it is something else.
    pub(super) fn handed_on(
        &self,
        (receiver, name): (&Expr, &str),
        args: &[Expr],
        frame: &mut Frame<'_>,
    ) -> Option<Result<Const, Finding>> {
        if let ("serialize", [serializer]) = (name, args)
            && is_serializer(serializer, frame)
        {
            return Some(self.json_const(receiver, frame));
        }
        if !is_serializer(receiver, frame) {
            return None;
        }
        match (name, args) {
            ("serialize_none" | "serialize_unit", []) => Some(Ok(Const::Json(Value::Null))),
            ("collect_str", [shown]) => {
                let text = self
                    .expr(shown, frame, None)
                    .and_then(|value| self.displayed(&value, shown.span, frame));
                Some(text.map(|text| Const::Json(Value::String(text))))
            }
            (
                "serialize_str" | "serialize_bool" | "serialize_char" | "serialize_some"
                | "serialize_u8" | "serialize_u16" | "serialize_u32" | "serialize_u64"
                | "serialize_i8" | "serialize_i16" | "serialize_i32" | "serialize_i64"
                | "serialize_f64" | "collect_seq" | "collect_map",
                [value],
            ) => Some(self.json_const(value, frame)),
            _ => None,
        }
    }

    /// `T::serialize(x, serializer)`
    pub(super) fn handed_on_by_path(
        &self,
        name: &str,
        args: &[Expr],
        frame: &mut Frame<'_>,
    ) -> Option<Result<Const, Finding>> {
        match (name, args) {
            ("serialize", [value, serializer]) if is_serializer(serializer, frame) => {
                Some(self.json_const(value, frame))
            }
            _ => None,
        }
    }

    fn json_const(&self, value: &Expr, frame: &mut Frame<'_>) -> Result<Const, Finding> {
        let of = self.expr(value, frame, None)?;
        self.json_of(&of, None, value.span).map(Const::Json)
    }
}

fn is_serializer(expr: &Expr, frame: &Frame<'_>) -> bool {
    match &expr.kind {
        ExprKind::Path(path) => single(path)
            .and_then(|name| frame.local(name))
            .is_some_and(|(_, value, _)| matches!(value, Const::Serializer)),
        _ => false,
    }
}
