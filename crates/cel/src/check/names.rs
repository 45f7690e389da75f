//! Name resolution.

use super::Checker;
use super::type_names::named_type;
use crate::core::Id;
use crate::diagnostic::Code;
use crate::types::Type;

impl Checker<'_, '_> {
    /// The type of a dotted name, if it is declared.
    pub(super) fn resolve_name(&self, name: &str) -> Option<Type> {
        let name = name.strip_prefix('.').unwrap_or(name);
        if let Some((_, ty)) = self.locals.iter().rev().find(|(known, _)| **known == *name) {
            return Some(ty.clone());
        }
        let itself = || self.environment.declarations.ty(self.environment.itself);
        match name {
            "self" => Some(itself()),
            "oldSelf" if self.environment.optional_old => Some(Type::optional(itself())),
            "oldSelf" => Some(itself()),
            "google.protobuf.NullValue.NULL_VALUE" => Some(Type::Int),
            _ => named_type(name).map(Type::of_type),
        }
    }

    /// Marks a node as a name.
    pub(super) fn mark(&mut self, id: Id) {
        if let Some(flag) = self.names.get_mut(id.0) {
            *flag = true;
        }
    }

    pub(super) fn identifier(&mut self, id: Id, name: &str) -> Type {
        if let Some(ty) = self.resolve_name(name) {
            self.mark(id);
            return ty;
        }
        let locals = self.locals.iter().map(|(known, _)| known.to_string());
        let written = locals.filter(|known| !known.starts_with(['@', '#']));
        let known = written
            .chain(["self".to_owned(), "oldSelf".to_owned()])
            .collect();
        let message = format!("unknown variable `{name}`");
        self.fault_among(Code::Undeclared, id, message, known)
    }
}
