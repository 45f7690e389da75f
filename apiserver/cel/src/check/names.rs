//! Name resolution.

use super::Checker;
use super::type_names::named_type;
use crate::core::Id;
use crate::diagnostic::Code;
use crate::types::Type;

/// The first minor in which the variables of macros hide types, and a leading dot skips them.
const FROM_INSIDE: u32 = 37;

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

    /// Whether a macro has a variable of that name.
    pub(super) fn is_local(&self, name: &str) -> bool {
        self.locals.iter().any(|(known, _)| **known == *name)
    }

    /// Adds an error of servers that resolve names from the inside out.
    pub(super) fn later_fault(&mut self, id: Id, message: String) {
        self.fault(Code::Undeclared, id, message);
        if let Some(fault) = self.faults.last_mut() {
            fault.since = FROM_INSIDE;
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
            if let Some(global) = name.strip_prefix('.').filter(|name| self.is_local(name)) {
                let message = format!("`{name}` does not name the macro's variable `{global}`");
                self.later_fault(id, message);
            }
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
