//! Values of structs and enums of the source: literals, constructors, definitions.

use crate::eval::machine::{Flow, Frame, Machine, Run, Want, is_panic, stop};
use crate::eval::traits::impls::{Bound, open_scope, substituted, unify};
use crate::eval::values::ty::{Concrete, Instance, Scope, single};
use crate::eval::values::value::{Adt, Value};
use crd_channels_diagnostics::{Code, Span, Text};
use crd_channels_source::tree::{Body, Expr, FieldDef, Path};
use crd_channels_source::{Def, Resolved};
use std::sync::Arc;

impl Machine<'_> {
    /// `Path { a: x, ..rest }`
    pub(super) fn struct_literal(
        &mut self,
        whole: &Expr,
        path: &Path,
        (fields, rest): (&[(Text, Expr)], Option<&Expr>),
        frame: &mut Frame,
        want: Want<'_>,
    ) -> Run {
        if let Some(record) = self.record_literal(path, (fields, rest), frame, whole.span)? {
            return Ok(record);
        }
        let (of, variant) = self.literal_target(path, frame, want)?;
        let defs = fields_of(&of, variant);
        let scope = Scope::of(&of);
        let mut values = Vec::with_capacity(defs.len());
        for (name, value) in fields {
            let def = defs.iter().find(|def| def.name == *name);
            let ty = match def {
                Some(def) => Some(self.reader.typed(&def.ty, &scope)?),
                None => return stop(value.span, format!("there is no field `{name}`")),
            };
            let made = self.expr(value, frame, Want::maybe(ty.as_ref()));
            if made.is_err() && !self.forget(value, frame) {
                return made;
            }
            values.push((name.clone(), later(made)?));
        }
        if let Some(rest) = rest {
            let this = Concrete::Def(Arc::clone(&of));
            let rest = self.expr(rest, frame, Want::of(&this))?;
            match self.load(&rest) {
                Value::Adt(others) => {
                    for (name, value) in others.fields.iter() {
                        if !values.iter().any(|(known, _)| known == name) {
                            values.push((name.clone(), value.clone()));
                        }
                    }
                }
                _ => return stop(whole.span, "the rest of this value is not a struct"),
            }
        }
        self.assembled(&of, variant, values, whole.span)
    }

    fn literal_target(
        &mut self,
        path: &Path,
        frame: &Frame,
        want: Want<'_>,
    ) -> Run<(Arc<Instance>, Option<usize>)> {
        let meant = frame.resolve_uses(path);
        let path = &*meant;
        let scope = &frame.scope;
        let why = "only structs and variants that are in source can be evaluated";
        if let [first, last] = &path.segments[..]
            && !path.leading
            && let Some(own) = scope.local(&first.name)
        {
            if let Concrete::Def(of) = own
                && let Some(index) = variant_named(of, &last.name)
            {
                return Ok((Arc::clone(of), Some(index)));
            }
            return stop(path.span, why);
        }
        if let Some(Concrete::Def(of)) = single(path).and_then(|name| scope.local(name)) {
            return Ok((Arc::clone(of), None));
        }
        let graph = self.reader.graph;
        if let Ok(Resolved::Def(Def::Variant(ty, index))) = graph.resolve_value(scope.module, path)
        {
            return Ok((self.instance(ty, path, 2, scope, want.ty)?, Some(index)));
        }
        match graph.resolve_type(scope.module, path) {
            Ok(Resolved::Def(Def::Type(ty))) => {
                Ok((self.instance(ty, path, 1, scope, want.ty)?, None))
            }
            Ok(Resolved::Def(Def::Variant(ty, index))) => {
                Ok((self.instance(ty, path, 2, scope, want.ty)?, Some(index)))
            }
            Ok(Resolved::Def(Def::Alias(module, alias))) => {
                let alias_scope = open_scope(module, &alias.generics);
                let ty = self.reader.typed(&alias.ty, &alias_scope)?;
                match substituted(&ty, &Bound::new()) {
                    Concrete::Def(of) => Ok((of, None)),
                    _ => stop(path.span, why),
                }
            }
            Ok(_) => stop(path.span, why),
            Err(finding) => Err(finding.into()),
        }
    }

    /// Constructs a tuple struct or tuple variant.
    pub(in crate::eval) fn construct(
        &mut self,
        of: &Arc<Instance>,
        variant: Option<usize>,
        args: Vec<Value>,
        want: Want<'_>,
        span: Span,
    ) -> Run {
        let of = match want.ty {
            Some(Concrete::Def(wanted))
                if Arc::ptr_eq(&wanted.ty.def, &of.ty.def)
                    && of.args.iter().any(Concrete::is_open) =>
            {
                wanted
            }
            _ => of,
        };
        let names = (0..args.len()).map(|index| Text::from(index.to_string()));
        let values = names.zip(args).collect();
        self.assembled(of, variant, values, span)
    }

    /// Constructs a struct or variant from its fields, coerced to the definition's types, in their order. The fields determine
    /// open arguments.
    fn assembled(
        &mut self,
        of: &Arc<Instance>,
        variant: Option<usize>,
        values: Vec<(Text, Value)>,
        span: Span,
    ) -> Run {
        let of = self.told_by_fields(of, variant, &values)?;
        let scope = Scope::of(&of);
        let defs = fields_of(&of, variant);
        if defs.len() != values.len() {
            return stop(span, "this value has a different number of fields");
        }
        let mut fields = Vec::with_capacity(defs.len());
        for def in defs {
            let value = values.iter().find(|(name, _)| *name == def.name);
            let Some((name, value)) = value else {
                return stop(span, format!("the field `{}` has no value", def.name));
            };
            let ty = self.reader.typed(&def.ty, &scope)?;
            let value = later(self.coerce(value.clone(), &ty, span))?;
            fields.push((name.clone(), value));
        }
        Ok(Value::Adt(Adt {
            of,
            variant,
            fields: Arc::new(fields),
        }))
    }

    fn told_by_fields(
        &mut self,
        of: &Arc<Instance>,
        variant: Option<usize>,
        values: &[(Text, Value)],
    ) -> Run<Arc<Instance>> {
        if !of.args.iter().any(Concrete::is_open) {
            return Ok(Arc::clone(of));
        }
        let open = open_scope(of.ty.module, &of.ty.def.generics);
        let mut bound = Bound::new();
        for def in fields_of(of, variant) {
            let value = values.iter().find(|(name, _)| *name == def.name);
            if let Some((_, value)) = value {
                let ty = self.reader.typed(&def.ty, &open)?;
                let own = self.type_of(value);
                unify(&ty, &own, &mut bound);
            }
        }
        let args = of
            .ty
            .def
            .generics
            .iter()
            .zip(&of.args)
            .map(|(name, known)| {
                if !known.is_open() {
                    return known.clone();
                }
                let found = bound.iter().find(|(param, _)| param == name);
                found.map_or_else(|| known.clone(), |(_, ty)| ty.clone())
            });
        Ok(Arc::new(Instance {
            ty: of.ty.clone(),
            args: args.collect(),
        }))
    }

    /// Returns the discriminants of an enum's variants.
    pub(crate) fn discriminants(&mut self, of: &Arc<Instance>, span: Span) -> Run<Vec<i128>> {
        let Body::Enum(variants) = &of.ty.def.body else {
            return Ok(Vec::new());
        };
        let mut next = 0_i128;
        let mut all = Vec::with_capacity(variants.len());
        for variant in variants {
            if let Some(expr) = &variant.discriminant {
                let mut frame = Frame::new(Scope::of(of));
                let value = self.expr(expr, &mut frame, Want::any())?;
                match self.load(&value) {
                    Value::Int(int) => next = int.value,
                    other => {
                        let why = format!("an integer is needed here, not {}", other.kind());
                        return stop(span, why);
                    }
                }
            }
            all.push(next);
            next = next.saturating_add(1);
        }
        Ok(all)
    }
}

/// Returns the fields of a struct, or of one variant.
pub(crate) fn fields_of(instance: &Instance, variant: Option<usize>) -> &[FieldDef] {
    match (&instance.ty.def.body, variant) {
        (Body::Struct(_, fields), None) => fields,
        (Body::Enum(variants), Some(index)) => {
            variants.get(index).map_or(&[], |variant| &variant.fields)
        }
        _ => &[],
    }
}

/// Returns the index of an enum's variant.
pub(crate) fn variant_named(instance: &Instance, name: &str) -> Option<usize> {
    match &instance.ty.def.body {
        Body::Enum(variants) => variants.iter().position(|variant| &*variant.name == name),
        Body::Struct(..) => None,
    }
}

/// Defers an unknown field's error until the field is used.
pub(in crate::eval) fn later(value: Run) -> Run {
    match value {
        Err(Flow::Stop(finding)) if finding.code == Code::NotConstant && !is_panic(&finding) => {
            Ok(Value::Unknown(finding))
        }
        value => value,
    }
}
