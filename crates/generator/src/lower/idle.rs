//! Gates on a type whose schema comes from elsewhere: another type's, or one that is written by hand.

use super::types::Task;
use crate::eval::{Concrete, Instance, Scope};
use crd_channels_diagnostics::{Code, Diagnostic, Span};
use crd_channels_schema::draft::{Gate, Type};
use crd_channels_source::tree::{Body, FieldDef, Ty, TypeDef};
use std::collections::HashSet;
use std::sync::Arc;

/// How many types are searched for gates.
const MOST_TYPES: usize = 256;

impl Task<'_> {
    /// Reports the first gate on a member of a type that no schema shows, because of what `why` says.
    pub(super) fn refuse_idle_gates(&mut self, def: &TypeDef, why: &str) {
        let Some((span, gate)) = gates(def).next() else {
            return;
        };
        let message = format!("this gate has no effect: {why}");
        let finding = Diagnostic::new(Code::IdleGate, gate.span, message)
            .with_label(span, format!("a member of `{}`", def.name))
            .with_help(
                "derive `JsonSchema` for the type, or put the gate where its schema is used",
            );
        self.report(finding);
    }

    /// The type that a field is declared with, where another schema stands in for it and gates decide about it. What is
    /// wrong with it is of no interest: nobody publishes it.
    pub(super) fn declared(&mut self, ty: &Ty, scope: &Scope) -> Option<Arc<Type>> {
        let concrete = self.reader.concrete(ty, scope).ok()?;
        if !self.has_gates(&concrete) {
            return None;
        }
        let lowered = self.aside(|task| task.lower(&concrete, ty.span));
        lowered.filter(|ty| ty.gated)
    }

    /// Whether a gate stands in a type or below it, in the packages at hand.
    fn has_gates(&self, ty: &Concrete) -> bool {
        let mut seen = HashSet::new();
        let mut open = vec![ty.clone()];
        while let Some(ty) = open.pop() {
            let ty = ty.peel();
            if seen.len() >= MOST_TYPES || !seen.insert(ty.key()) {
                continue;
            }
            match ty {
                Concrete::External(_, args) | Concrete::Tuple(args) => open.extend(args.clone()),
                Concrete::Array(item, _)
                | Concrete::Sized(item, _)
                | Concrete::Slice(item)
                | Concrete::Ref(item, _) => open.push(Concrete::clone(item)),
                Concrete::Number(_)
                | Concrete::Param(_)
                | Concrete::Infer
                | Concrete::Opaque(_) => {}
                Concrete::Def(instance) => {
                    if !self.reader.graph.is_local(instance.ty.module) {
                        continue;
                    }
                    if gates(&instance.ty.def).next().is_some() {
                        return true;
                    }
                    open.extend(self.below(instance));
                }
            }
        }
        false
    }

    /// The types of a type's fields, as far as they lead anywhere.
    fn below(&self, instance: &Arc<Instance>) -> Vec<Concrete> {
        let scope = Scope::of(instance);
        let fields = members(&instance.ty.def);
        let types = fields.filter_map(|field| self.reader.concrete(&field.ty, &scope).ok());
        types.collect()
    }

    /// Does something whose findings nobody hears.
    fn aside<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let own = self.own.clone();
        let (endless, too_large) = (self.endless, self.too_large);
        let heard = std::mem::take(&mut self.sink);
        let result = run(self);
        self.sink = heard;
        self.endless = endless;
        self.too_large = too_large;
        self.own = own;
        result
    }
}

/// All fields, those of variants too.
fn members(def: &TypeDef) -> impl Iterator<Item = &FieldDef> {
    let (fields, variants) = match &def.body {
        Body::Struct(_, fields) => (&fields[..], &[][..]),
        Body::Enum(variants) => (&[][..], &variants[..]),
    };
    let inside = variants.iter().flat_map(|variant| &variant.fields);
    fields.iter().chain(inside)
}

/// The gates on the members of a type, with the place of the member.
fn gates(def: &TypeDef) -> impl Iterator<Item = (Span, &Gate)> {
    let fields = members(def).filter_map(|field| Some((field.span, field.attrs.gate.as_ref()?)));
    let variants = match &def.body {
        Body::Struct(..) => &[][..],
        Body::Enum(variants) => &variants[..],
    };
    let variants = variants
        .iter()
        .filter_map(|variant| Some((variant.span, variant.attrs.gate.as_ref()?)));
    fields.chain(variants)
}
