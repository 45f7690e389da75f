//! `#[crd(conditions = ..)]`: resolves a path to the conditions that an enum declares, with their reasons.

use super::types::Task;
use crate::types::{Concrete, Instance, Scope};
use crd_channels_diagnostics::{Code, Diagnostic, Span, Text};
use crd_channels_schema::draft::{Gate, Type, WellKnown};
use crd_channels_schema::marks::{Condition, Conditions, Declaring, Marks, Reason, Reasons};
use crd_channels_schema::{ListType, Merge};
use crd_channels_source::Derive;
use crd_channels_source::attrs::Declaration;
use crd_channels_source::tree::{Path, Ty, TypeDef};
use std::sync::Arc;

/// The field that identifies a condition.
const KEY: &str = "type";

impl Task<'_> {
    /// Returns the marks of a list of conditions.
    pub(super) fn conditions(
        &mut self,
        path: &Path,
        items: &Type,
        scope: &Scope,
        marks: &mut Marks,
    ) {
        let keys = [Text::from(KEY)];
        self.check_keys(&keys, items, path.span);
        let Merge {
            list_type,
            list_map_keys,
            ..
        } = &mut marks.merge;
        match list_type {
            Some(ListType::Map) if *list_map_keys == keys => {}
            None => {
                *list_type = Some(ListType::Map);
                list_map_keys.extend(keys);
            }
            Some(_) => self.wrong(
                path.span,
                "a list of conditions must be a `map` with the key `type`",
                "remove `list_type = ..` and `list_map_keys(..)`",
            ),
        }
        let ty = Ty::from(path.clone());
        let of_kubernetes = items.well_known == Some(WellKnown::Condition);
        let declared = self.declared_types(&ty, scope);
        marks.conditions = declared.map(|(declared_by, types)| Conditions {
            declared_by,
            types,
            of_kubernetes,
        });
    }

    fn declared_types(&mut self, ty: &Ty, scope: &Scope) -> Option<(Declaring, Vec<Condition>)> {
        let instance = self.declaring(ty, Derive::Conditions, scope)?;
        let def = &instance.ty.def;
        let Some(Declaration::Conditions(types)) = &def.declares else {
            return None;
        };
        let around = &def.attrs.gate;
        let scope = Scope::of_definition(&instance);
        let types = types
            .iter()
            .map(|of| self.declared_type(of, around, &scope));
        // An error in one type does not prevent checking the others.
        let types: Vec<Option<Condition>> = types.collect();
        Some((declaring(def), types.into_iter().collect::<Option<_>>()?))
    }

    fn declared_type(
        &mut self,
        of: &Condition<Ty>,
        around: &Option<Gate>,
        scope: &Scope,
    ) -> Option<Condition> {
        let Condition {
            name,
            span,
            polarity,
            optional,
            reasons,
            replaced,
            docs,
            gates,
        } = of;
        Some(Condition {
            name: name.clone(),
            span: *span,
            gates: within(around, gates),
            polarity: *polarity,
            optional: *optional,
            replaced: replaced.clone(),
            docs: docs.clone(),
            reasons: self.declared_reasons(reasons, scope)?,
        })
    }

    fn declared_reasons(&mut self, ty: &Ty, scope: &Scope) -> Option<Reasons> {
        let instance = self.declaring(ty, Derive::Reasons, scope)?;
        let def = &instance.ty.def;
        let Some(Declaration::Reasons(reasons)) = &def.declares else {
            return None;
        };
        let reasons = reasons.iter().map(|of| Reason {
            gates: within(&def.attrs.gate, &of.gates),
            ..of.clone()
        });
        Some(Reasons {
            declared_by: declaring(def),
            all: reasons.collect(),
        })
    }

    /// Returns the enum that a path refers to, if it has the derive and no errors.
    fn declaring(&mut self, ty: &Ty, wanted: Derive, scope: &Scope) -> Option<Arc<Instance>> {
        let concrete = self.reader.concrete(ty, scope);
        let concrete = self.keep(concrete, "name the enum")?;
        let Concrete::Def(instance) = concrete.peel() else {
            self.undeclared(ty.span, &concrete.to_string(), None, wanted);
            return None;
        };
        let def = &instance.ty.def;
        let derived = self.reader.graph.first_derive(&instance.ty, &[wanted]);
        match (&def.declares, derived) {
            (Some(Declaration::Wrong(findings)), Some(_)) => {
                findings
                    .iter()
                    .for_each(|finding| self.report(finding.clone()));
                None
            }
            (Some(_), Some(_)) => Some(Arc::clone(instance)),
            _ => {
                self.undeclared(ty.span, &def.name, Some(def.span), wanted);
                None
            }
        }
    }

    fn undeclared(&mut self, at: Span, name: &str, defined: Option<Span>, wanted: Derive) {
        let (what, derive) = match wanted {
            Derive::Reasons => ("reasons", "Reasons"),
            _ => ("conditions", "Conditions"),
        };
        let message = format!("`{name}` declares no {what}");
        let mut finding = Diagnostic::new(Code::UndeclaredConditions, at, message);
        if let Some(defined) = defined {
            finding = finding.with_label(defined, format!("it does not derive `{derive}`"));
        }
        self.report(finding.with_help(format!(
            "name an enum that derives `crd_channels_runtime::conditions::{derive}`"
        )));
    }
}

/// Returns the enum itself, without its variants.
fn declaring(def: &TypeDef) -> Declaring {
    Declaring {
        name: def.name.clone(),
        span: def.span,
        tombstones: def.attrs.tombstones.clone(),
    }
}

/// Returns the gates of a variant: the surrounding ones and its own.
fn within(around: &Option<Gate>, own: &[Gate]) -> Vec<Gate> {
    around.iter().chain(own).cloned().collect()
}
