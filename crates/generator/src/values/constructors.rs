//! Structs and variants of the source: literals, tuple structs, and their discriminants.

use super::names::variant_named;
use super::numerals::OVERFLOWS;
use super::reading::{Env, Reading, Run, check_place, stop};
use super::{Adt, Value};
use crate::types::{Concrete, Instance, Scope};
use crd_channels_diagnostics::{Code, Span, Text};
use crd_channels_source::tree::{Body, Expr, FieldDef, Path};
use crd_channels_source::{Def, Resolved};
use std::sync::Arc;

impl Reading<'_> {
    /// `Path { a: x, ..rest }`
    pub(super) fn struct_literal(
        &mut self,
        path: &Path,
        (fields, rest): (&[(Text, Expr)], Option<&Expr>),
        env: &Env,
        place: Option<&Concrete>,
        span: Span,
    ) -> Run {
        let (of, variant) = self.literal_target(path, env, place)?;
        let this = Concrete::Def(Arc::clone(&of));
        check_place(&this, place, span)?;
        let rest = match rest {
            None => None,
            Some(rest) => match self.read(rest, env, Some(&this))? {
                Value::Adt(rest) => Some(rest),
                other => return stop(span, format!("{} is not a struct", other.kind())),
            },
        };
        let scope = Scope::of_definition(&of);
        let defs = fields_of(&of, variant);
        let is_known = |name: &Text| defs.iter().any(|def| def.name == *name);
        if let Some((name, value)) = fields.iter().find(|(name, _)| !is_known(name)) {
            return stop(value.span, format!("there is no field `{name}`"));
        }
        let mut values = Vec::with_capacity(fields.len());
        for def in defs {
            let written = fields.iter().find(|(name, _)| *name == def.name);
            let value = match (written, &rest) {
                (Some((_, expr)), _) => {
                    let ty = self.reader.typed(&def.ty, &scope)?;
                    later(self.read(expr, env, Some(&ty)))?
                }
                (None, Some(rest)) => match rest.field(&def.name) {
                    Some(value) => value.clone(),
                    None => return stop(span, format!("the field `{}` has no value", def.name)),
                },
                (None, None) => {
                    return stop(span, format!("the field `{}` has no value", def.name));
                }
            };
            values.push((def.name.clone(), value));
        }
        Ok(Value::Adt(Adt {
            of,
            variant,
            fields: Arc::new(values),
        }))
    }

    /// Returns the struct or variant that a literal names.
    fn literal_target(
        &self,
        path: &Path,
        env: &Env,
        place: Option<&Concrete>,
    ) -> Run<(Arc<Instance>, Option<usize>)> {
        let scope = &env.scope;
        let why = "only structs and variants of the source are read";
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
        if let Some(Concrete::Def(of)) = path.name().and_then(|name| scope.local(name)) {
            return Ok((Arc::clone(of), None));
        }
        let graph = self.reader.graph;
        if let Ok(Resolved::Def(Def::Variant(ty, index))) = graph.resolve_value(scope.module, path)
        {
            // A variant is a type, too, and one of a glob is hidden by a struct.
            if let Ok(Resolved::Def(Def::Type(_) | Def::Alias(..))) =
                graph.resolve_type(scope.module, path)
            {
                return stop(path.span, format!("which `{path}` this means is not known"));
            }
            return Ok((self.instance(ty, path, 2, scope, place)?, Some(index)));
        }
        match graph.resolve_type(scope.module, path)? {
            Resolved::Def(Def::Type(ty)) => Ok((self.instance(ty, path, 1, scope, place)?, None)),
            Resolved::Def(Def::Variant(ty, index)) => {
                Ok((self.instance(ty, path, 2, scope, place)?, Some(index)))
            }
            Resolved::Def(Def::Alias(..)) => {
                match self.reader.typed(&path.clone().into(), scope)? {
                    Concrete::Def(of) => Ok((of, None)),
                    _ => stop(path.span, why),
                }
            }
            _ => stop(path.span, why),
        }
    }

    /// Reads a tuple struct or tuple variant.
    pub(super) fn constructor(
        &mut self,
        of: &Arc<Instance>,
        variant: Option<usize>,
        args: &[Expr],
        env: &Env,
        span: Span,
    ) -> Run {
        let defs = fields_of(of, variant);
        if defs.len() != args.len() {
            return stop(span, "this value has a different number of fields");
        }
        let scope = Scope::of_definition(of);
        let mut fields = Vec::with_capacity(args.len());
        for (def, arg) in defs.iter().zip(args) {
            let ty = self.reader.typed(&def.ty, &scope)?;
            fields.push((def.name.clone(), later(self.read(arg, env, Some(&ty)))?));
        }
        Ok(Value::Adt(Adt {
            of: Arc::clone(of),
            variant,
            fields: Arc::new(fields),
        }))
    }

    /// Returns the discriminants of an enum's variants.
    pub(crate) fn discriminants(&mut self, of: &Arc<Instance>) -> Run<Vec<i128>> {
        let Body::Enum(variants) = &of.ty.def.body else {
            return Ok(Vec::new());
        };
        let mut next = 0_i128;
        let mut all = Vec::with_capacity(variants.len());
        for variant in variants {
            if let Some(expr) = &variant.discriminant {
                let env = Env::new(Scope::of_definition(of));
                let size = of.ty.def.attrs.repr.as_deref().unwrap_or("isize");
                let value = self.read(expr, &env, Some(&Concrete::external(size)))?;
                next = value.needed_integer(expr.span)?;
            }
            all.push(next);
            next = next.saturating_add(1);
        }
        Ok(all)
    }
}

/// Returns the fields of a struct, or of one variant.
pub(super) fn fields_of(instance: &Instance, variant: Option<usize>) -> &[FieldDef] {
    match (&instance.ty.def.body, variant) {
        (Body::Struct(_, fields), None) => fields,
        (Body::Enum(variants), Some(index)) => {
            variants.get(index).map_or(&[], |variant| &variant.fields)
        }
        _ => &[],
    }
}

/// Defers an unknown field's error until the field is used.
pub(super) fn later(value: Run) -> Run {
    match value {
        Err(finding) if finding.code == Code::NotConstant && finding.message != OVERFLOWS => {
            Ok(Value::Unknown(finding))
        }
        value => value,
    }
}
