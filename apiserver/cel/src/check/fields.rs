//! Selected fields, and the fields of messages.

use super::Checker;
use super::type_names::named_type;
use crate::Text;
use crate::core::Id;
use crate::diagnostic::Code;
use crate::types::Type;

impl Checker<'_, '_> {
    /// `operand.field` or `has(operand.field)`
    pub(super) fn select(&mut self, id: Id, operand: Id, field: &str, is_test: bool) -> Type {
        let name = self.tree.qualified(id).filter(|_| !is_test);
        let known = name.and_then(|name| Some((self.resolve_name(&name)?, name)));
        if let Some((ty, name)) = known {
            self.mark(id);
            let first = name.split('.').next().unwrap_or_default();
            if name.contains('.') && self.is_local(first) {
                let message = format!("the macro's variable `{first}` hides `{name}`");
                self.later_fault(id, message);
            }
            return ty;
        }
        let ty = self.field(id, operand, field, false);
        if is_test {
            return Type::Bool;
        }
        self.variables.resolved(&ty)
    }

    /// The type of a field; an optional if it or its operand is optional.
    pub(super) fn field(&mut self, id: Id, operand: Id, field: &str, optional: bool) -> Type {
        self.check(operand);
        let whole = self.variables.resolved(&self.ty(operand));
        let optional = optional || matches!(whole, Type::Optional(_));
        let ty = match whole.unwrapped() {
            Type::Map(entry) => entry.1.clone(),
            Type::Object(object) => {
                let declarations = self.environment.declarations;
                match declarations.field(*object, field) {
                    Some(found) => declarations.ty(found.node),
                    None => {
                        let names = declarations.fields(*object).map(ToOwned::to_owned);
                        let names = names.collect();
                        let message = format!("unknown field `{field}`");
                        self.fault_among(Code::NoField, id, message, names)
                    }
                }
            }
            Type::Library(_) => {
                let message = format!("unknown field `{field}`");
                self.fault(Code::NoField, id, message)
            }
            variable @ Type::Variable(_) => {
                self.variables.fits(&Type::Dyn, variable);
                Type::Dyn
            }
            Type::Dyn | Type::Error => Type::Dyn,
            other => {
                let message = format!(
                    "`.{field}` is read from a value of type `{other}`, which has no fields"
                );
                self.fault(Code::NoFields, id, message);
                Type::Dyn
            }
        };
        if optional { Type::optional(ty) } else { ty }
    }

    /// `Name{field: value}`
    pub(super) fn message(
        &mut self,
        id: Id,
        name: &str,
        fields: &[(Text, usize, Id, bool)],
    ) -> Type {
        let name = name.strip_prefix('.').unwrap_or(name);
        let ty = match self.resolve_name(name) {
            None => {
                let message = format!("unknown type `{name}`");
                return self.fault(Code::Undeclared, id, message);
            }
            Some(Type::Type(_)) => named_type(name).filter(|_| name.contains(".protobuf.")),
            Some(_) => None,
        };
        let Some(ty) = ty else {
            let message = format!("`{name}` is not a type that can be constructed with fields");
            return self.fault(Code::Undeclared, id, message);
        };
        for (field, at, value, optional) in fields {
            self.check(*value);
            let given = self.ty(*value);
            let given = if *optional {
                self.inner(*value, given)
            } else {
                given
            };
            let Some(wanted) = message_field(name, &ty, field) else {
                let message = format!("unknown field `{field}`");
                self.fault(Code::NoField, id, message);
                if let Some(fault) = self.faults.last_mut() {
                    fault.at = *at;
                }
                continue;
            };
            if !self.variables.fits(&wanted, &given) {
                self.mismatch(*value, &wanted, &given);
            }
        }
        ty
    }
}

/// The type of a message's field.
fn message_field(message: &str, ty: &Type, field: &str) -> Option<Type> {
    match (message.strip_prefix("google.protobuf.")?, field) {
        ("Duration" | "Timestamp", "seconds" | "nanos") => Some(Type::Int),
        ("Any", "type_url") => Some(Type::String),
        ("Any", "value") => Some(Type::Bytes),
        ("Struct", "fields") => Some(Type::map(Type::String, Type::Dyn)),
        ("ListValue", "values") => Some(Type::list(Type::Dyn)),
        ("Value", "null_value") => Some(Type::Dyn),
        ("Value", "number_value") => Some(Type::Double),
        ("Value", "string_value") => Some(Type::String),
        ("Value", "bool_value") => Some(Type::Bool),
        ("Value", "struct_value") => Some(Type::map(Type::String, Type::Dyn)),
        ("Value", "list_value") => Some(Type::list(Type::Dyn)),
        (_, "value") => match ty {
            Type::Nullable(inner) => Some((**inner).clone()),
            _ => None,
        },
        _ => None,
    }
}
