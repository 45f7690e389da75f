//! Values of structs and enums in source: literals, constructors, their definitions.

use super::Reader;
use super::concrete::{Concrete, Finding, Instance, Scope, single};
use super::constant::Frame;
use super::value::{Const, not_constant};
use crate::Text;
use crate::diag::Code;
use crate::source::tree::{Body, Expr, FieldDef, Path};
use crate::source::{Def, Resolved, TypeRef};
use std::sync::Arc;

impl Reader<'_> {
    /// A definition that a path names, with the arguments that the path gives to its segment `from_end`, else those of
    /// the expected type.
    pub(super) fn instance(
        &self,
        ty: TypeRef,
        path: &Path,
        from_end: usize,
        scope: &Scope,
        expected: Option<&Concrete>,
    ) -> Arc<Instance> {
        if let Some(Concrete::Def(known)) = expected.map(Concrete::peel)
            && Arc::ptr_eq(&known.ty.def, &ty.def)
        {
            return Arc::clone(known);
        }
        if let Some(Concrete::Def(known)) = &scope.this
            && Arc::ptr_eq(&known.ty.def, &ty.def)
        {
            return Arc::clone(known);
        }
        let at = path.segments.len().checked_sub(from_end);
        let written = at.and_then(|at| path.segments.get(at));
        let args = written.map(|segment| self.arguments(&segment.args, scope));
        Arc::new(Instance {
            ty,
            args: args.and_then(Result::ok).unwrap_or_default(),
        })
    }

    /// `Path { a: x, ..rest }`
    pub(super) fn struct_literal(
        &self,
        whole: &Expr,
        path: &Path,
        (fields, rest): (&[(Text, Expr)], Option<&Expr>),
        frame: &mut Frame<'_>,
        expected: Option<&Concrete>,
    ) -> Result<Const, Finding> {
        let meant = frame.meant(path);
        let (instance, variant) = self.literal_target(&meant, frame.scope, expected)?;
        let defs = fields_of(&instance, variant);
        let scope = Scope::of(&instance);
        let mut values = Vec::with_capacity(defs.len());
        for (name, value) in fields {
            let def = defs.iter().find(|def| def.name == *name);
            let ty = def.and_then(|def| self.concrete(&def.ty, &scope).ok());
            let value = self.expr(value, frame, ty.as_ref());
            values.push((name.clone(), later(value)?));
        }
        if let Some(rest) = rest {
            let this = Concrete::Def(Arc::clone(&instance));
            match self.expr(rest, frame, Some(&this))? {
                Const::Struct(_, others) => {
                    for (name, value) in others {
                        if field(&values, &name).is_none() {
                            values.push((name, value));
                        }
                    }
                }
                _ => {
                    return Err(not_constant(
                        whole.span,
                        "the rest of this value is no struct",
                    ));
                }
            }
        }
        Ok(match variant {
            Some(index) => Const::Variant(instance, index, values),
            None => Const::Struct(instance, values),
        })
    }

    fn literal_target(
        &self,
        path: &Path,
        scope: &Scope,
        expected: Option<&Concrete>,
    ) -> Result<(Arc<Instance>, Option<usize>), Finding> {
        let no_struct = || {
            not_constant(
                path.span,
                "only structs and variants that are in source can be evaluated",
            )
        };
        if let Some((ty, name)) = self.own_associated(path, scope) {
            let Concrete::Def(instance) = ty else {
                return Err(no_struct());
            };
            let index = variant_named(&instance, &name).ok_or_else(no_struct)?;
            return Ok((instance, Some(index)));
        }
        if let Ok(Resolved::Def(Def::Variant(ty, index))) =
            self.graph.resolve_value(scope.module, path)
        {
            return Ok((self.instance(ty, path, 2, scope, expected), Some(index)));
        }
        if let Some(Concrete::Def(instance)) = single(path).and_then(|name| scope.local(name)) {
            return Ok((Arc::clone(instance), None));
        }
        match self.graph.resolve_type(scope.module, path)? {
            Resolved::Def(Def::Type(ty)) => Ok((self.instance(ty, path, 1, scope, expected), None)),
            Resolved::Def(Def::Alias(module, alias)) => {
                match self.concrete(&alias.ty, &Scope::module(module))? {
                    Concrete::Def(instance) => Ok((instance, None)),
                    _ => Err(no_struct()),
                }
            }
            _ => Err(no_struct()),
        }
    }

    /// A tuple struct or tuple variant.
    pub(super) fn construct(
        &self,
        instance: Arc<Instance>,
        variant: Option<usize>,
        args: &[Expr],
        frame: &mut Frame<'_>,
    ) -> Result<Const, Finding> {
        let scope = Scope::of(&instance);
        let mut values = Vec::with_capacity(args.len());
        for (index, arg) in args.iter().enumerate() {
            let def = fields_of(&instance, variant).get(index);
            let ty = def.and_then(|def| self.concrete(&def.ty, &scope).ok());
            let value = self.expr(arg, frame, ty.as_ref())?;
            values.push((Text::from(index.to_string()), value));
        }
        Ok(match variant {
            Some(index) => Const::Variant(instance, index, values),
            None => Const::Struct(instance, values),
        })
    }
}

/// The fields of a struct, or of one variant.
pub(super) fn fields_of(instance: &Instance, variant: Option<usize>) -> &[FieldDef] {
    match (&instance.ty.def.body, variant) {
        (Body::Struct(_, fields), None) => fields,
        (Body::Enum(variants), Some(index)) => {
            variants.get(index).map_or(&[], |variant| &variant.fields)
        }
        _ => &[],
    }
}

/// The index of an enum's variant.
pub(super) fn variant_named(instance: &Instance, name: &str) -> Option<usize> {
    match &instance.ty.def.body {
        Body::Enum(variants) => variants.iter().position(|variant| &*variant.name == name),
        Body::Struct(..) => None,
    }
}

/// The value of a field.
pub(super) fn field(fields: &[(Text, Const)], name: &str) -> Option<Const> {
    let found = fields.iter().find(|(field, _)| &**field == name);
    found.map(|(_, value)| value.clone())
}

/// A field's value, where it is not constant to be reported by who asks for it.
pub(super) fn later(value: Result<Const, Finding>) -> Result<Const, Finding> {
    match value {
        Err(finding) if finding.code == Code::NotConstant => Ok(Const::Unknown(finding)),
        value => value,
    }
}
