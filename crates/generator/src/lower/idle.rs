//! Gates without effect, on a type whose schema is that of another type or written by hand.

use super::types::Task;
use crate::types::{Concrete, Instance, Scope};
use crd_channels_diagnostics::{Code, Diagnostic, Span};
use crd_channels_schema::draft::{Gate, Type};
use crd_channels_source::tree::{Body, FieldDef, Ty, TypeDef};
use std::collections::HashSet;
use std::sync::Arc;

/// The maximum number of types to search for gates.
const MOST_TYPES: usize = 256;

impl Task<'_> {
    /// Reports the first gate on a member that no schema shows, for the reason `why`.
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

    /// Returns the declared type of a field if another schema replaces it and it has gates. Its findings are dropped, since it
    /// is not published.
    pub(super) fn declared(&mut self, ty: &Ty, scope: &Scope) -> Option<Arc<Type>> {
        let concrete = self.reader.concrete(ty, scope).ok()?;
        if !self.has_gates(&concrete) {
            return None;
        }
        let lowered = self.aside(|task| task.lower(&concrete, ty.span));
        lowered.filter(|ty| ty.gated)
    }

    /// Returns true if a type or one below it has a gate, within the packages that are read.
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
                Concrete::Array(item, _) | Concrete::Slice(item) | Concrete::Ref(item, _) => {
                    open.push(Concrete::clone(item))
                }
                Concrete::Param(_) | Concrete::Infer => {}
                Concrete::Def(instance) => {
                    if !self.reader.graph.is_local(instance.ty.module) {
                        continue;
                    }
                    if gates(&instance.ty.def).next().is_some() {
                        return true;
                    }
                    open.extend(self.field_types(instance));
                }
            }
        }
        false
    }

    /// Returns the types of a type's fields, except unresolved ones.
    fn field_types(&self, instance: &Arc<Instance>) -> Vec<Concrete> {
        let scope = Scope::of_definition(instance);
        let fields = members(&instance.ty.def);
        let types = fields.filter_map(|field| self.reader.concrete(&field.ty, &scope).ok());
        types.collect()
    }

    /// Runs a function and drops its findings.
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

/// Returns all fields, including those of variants.
fn members(def: &TypeDef) -> impl Iterator<Item = &FieldDef> {
    let (fields, variants) = match &def.body {
        Body::Struct(_, fields) => (&fields[..], &[][..]),
        Body::Enum(variants) => (&[][..], &variants[..]),
    };
    let of_variants = variants.iter().flat_map(|variant| &variant.fields);
    fields.iter().chain(of_variants)
}

/// Returns the gates on the members of a type, with the span of the member.
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
