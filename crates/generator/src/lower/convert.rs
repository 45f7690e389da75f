//! Conversions: `.into()` and `T::from(..)`.

use super::Reader;
use super::concrete::{Concrete, Finding, Instance, Scope};
use super::constant::Frame;
use super::known;
use super::serialize::plain;
use super::value::{Const, collected, not_constant};
use crate::diag::Span;
use crate::source::tree::TyKind;
use std::sync::Arc;

impl Reader<'_> {
    /// `x.into()`, `T::from(x)`
    pub(super) fn converted(
        &self,
        value: Const,
        target: &Concrete,
        span: Span,
        frame: &Frame<'_>,
    ) -> Result<Const, Finding> {
        let target = target.peel();
        let refused = |value: &Const| {
            let why = format!(
                "the conversion of {} to `{target}` is not evaluated",
                value.kind()
            );
            not_constant(span, why)
        };
        match target {
            Concrete::External(path, args) => match (target.external_name(), value) {
                (Some("Option"), value @ Const::Option(_)) => Ok(value),
                (Some("Option"), value) => {
                    let inner = match args.first() {
                        Some(inner) => self.converted(value, inner, span, frame)?,
                        None => value,
                    };
                    Ok(Const::Option(Some(Box::new(inner))))
                }
                (Some("Value"), value) if path.starts_with("serde_json") => {
                    let json = plain(&value);
                    json.map(Const::Json).ok_or_else(|| refused(&value))
                }
                (Some("f32" | "f64"), Const::Int(int)) => {
                    let float = int.to_string().parse().map(Const::Float);
                    float.map_err(|_| refused(&Const::Int(int)))
                }
                (
                    Some("String" | "str" | "PathBuf" | "Path" | "SmolStr"),
                    value @ Const::Text(_),
                ) => Ok(value),
                (Some("String"), Const::Char(c)) => Ok(Const::text(&c.to_string())),
                (Some(name), Const::Int(int)) if known::fits(int, name) => Ok(Const::Int(int)),
                (
                    _,
                    value @ (Const::List(_)
                    | Const::Map(_)
                    | Const::Float(_)
                    | Const::Bool(_)
                    | Const::Json(_)),
                ) => Ok(collected(value, Some(target))),
                (_, value) => Err(refused(&value)),
            },
            Concrete::Def(instance) => self.converted_by_impl(value, instance, span, frame),
            Concrete::Array(..) | Concrete::Tuple(_) | Concrete::Number(_) => Ok(value),
        }
    }

    fn converted_by_impl(
        &self,
        value: Const,
        instance: &Arc<Instance>,
        span: Span,
        frame: &Frame<'_>,
    ) -> Result<Const, Finding> {
        if let Const::Struct(own, _) | Const::Variant(own, _, _) = &value
            && Arc::ptr_eq(&own.ty.def, &instance.ty.def)
        {
            return Ok(value);
        }
        for (module, block) in self.graph.impls(&instance.ty, Some("From")) {
            let scope = Scope::of_impl(instance, module, &block);
            let source = block
                .of
                .as_ref()
                .and_then(|of| of.segments.last()?.args.first());
            let takes = source.is_some_and(|ty| match &ty.kind {
                TyKind::Other(_) => false,
                _ => self.concrete(ty, &scope).is_ok_and(|ty| is_a(&value, &ty)),
            });
            let function = block.fns.iter().find(|function| &*function.name == "from");
            if let (true, Some(function)) = (takes, function) {
                let name = function.params.first().cloned().unwrap_or_default();
                let this = Concrete::Def(Arc::clone(instance));
                let locals = vec![(name, value, None)];
                let scope = self.body_scope(function, &scope);
                return self.inside(&function.body, &scope, locals, Some(&this), frame);
            }
        }
        let ty = &instance.ty.def.name;
        let why = format!(
            "the conversion of {} to `{ty}` is not evaluated",
            value.kind()
        );
        Err(not_constant(span, why))
    }
}

/// Whether a value may be of a type known by name.
fn is_a(value: &Const, ty: &Concrete) -> bool {
    let name = ty.external_name();
    match value {
        Const::Text(_) => matches!(name, Some("String" | "str")),
        Const::Int(int) => name.is_some_and(|name| known::fits(*int, name)),
        Const::Float(_) => matches!(name, Some("f32" | "f64")),
        Const::Bool(_) => name == Some("bool"),
        Const::Char(_) => name == Some("char"),
        Const::List(_) => name == Some("Vec"),
        Const::Struct(own, _) | Const::Variant(own, _, _) => match ty.peel() {
            Concrete::Def(instance) => Arc::ptr_eq(&own.ty.def, &instance.ty.def),
            _ => false,
        },
        _ => false,
    }
}
