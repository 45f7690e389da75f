//! The overrides of types, constants and functions.

use super::Value;
use crate::reader::Reader;
use crate::types::{Concrete, Instance, Scope};
use crd_channels_diagnostics::Text;
use crd_channels_source::attrs::SerdeDefault;
use crd_channels_source::{Def, ModuleId, Resolved, TypeRef};
use serde_json::Value as Json;

/// The help for a default that cannot be evaluated.
pub(crate) const DEFAULT_HELP: &str = "write the default as a literal, or state the schema's value with `#[schemars(extend(\"default\" = ..))]`";

impl<'g> Reader<'g> {
    /// Returns the schema that overrides a type's.
    pub(crate) fn schema_override(&self, ty: &Concrete) -> Option<&'g Json> {
        let schemas = &self.overrides.schemas;
        if schemas.is_empty() {
            return None;
        }
        match ty {
            Concrete::External(path, _) => schemas.get(path),
            Concrete::Def(instance) => {
                schemas.get(&self.path_of(instance.ty.module, &instance.ty.def.name))
            }
            _ => None,
        }
    }

    /// Returns the schema that overrides a function's.
    pub(crate) fn function_override(&self, module: ModuleId, name: &str) -> Option<&'g Json> {
        let schemas = Some(&self.overrides.schemas).filter(|schemas| !schemas.is_empty());
        schemas?.get(&self.path_of(module, name))
    }

    /// Returns the value that overrides a constant's or a function's.
    pub(crate) fn value_override(&self, module: ModuleId, name: &str) -> Option<Value> {
        if self.overrides.values.is_empty() {
            return None;
        }
        let value = self.overrides.values.get(&self.path_of(module, name));
        value.map(|json| Value::Override(json.clone()))
    }

    /// Returns the value that overrides a constant or function of a type. Each argument of the type has a value of its own.
    pub(crate) fn member_override(&self, instance: &Instance, name: &str) -> Option<Value> {
        if self.overrides.values.is_empty() {
            return None;
        }
        let path = format!("{}::{name}", self.type_place(instance));
        let value = self.overrides.values.get(&path);
        value.map(|json| Value::Override(json.clone()))
    }

    /// Returns the help for a field's default that cannot be evaluated.
    pub(crate) fn default_help(&self, default: &SerdeDefault, scope: &Scope) -> String {
        let function = match default {
            SerdeDefault::Function(function) => function.path(),
            SerdeDefault::Default | SerdeDefault::None => None,
        };
        let function = function.and_then(|path| self.graph.resolve_value(scope.module, path).ok());
        let path = match function {
            Some(Resolved::Def(Def::Fn(module, of))) if of.generics.is_empty() => {
                self.path_of(module, &of.name)
            }
            Some(Resolved::Def(Def::Associated(ty, name))) if ty.def.generics.is_empty() => {
                let owner = self.path_of(ty.module, &ty.def.name);
                format!("{owner}::{name}")
            }
            _ => return DEFAULT_HELP.to_owned(),
        };
        format!(
            "write the default as a literal, or state it: `[values.\"{path}\"]` with `json = \"..\"` in `channels/bundle.toml`"
        )
    }

    /// Returns the full path of a type with its arguments.
    pub(crate) fn type_place(&self, instance: &Instance) -> Text {
        let TypeRef { module, def } = &instance.ty;
        let path = format!("{}::{}", self.graph.module_path(*module), def.name);
        self.with_arguments(path, &instance.args)
    }

    pub(crate) fn with_arguments(&self, path: String, args: &[Concrete]) -> Text {
        if args.is_empty() {
            return path.into();
        }
        let args = args.iter().map(|arg| self.argument_place(arg));
        format!("{path}<{}>", args.collect::<Vec<_>>().join(", ")).into()
    }

    /// Returns an argument of a type with full paths, so that two types of one name differ.
    fn argument_place(&self, arg: &Concrete) -> Text {
        match arg {
            Concrete::Def(instance) => self.type_place(instance),
            Concrete::External(path, args) => self.with_arguments(path.to_string(), args),
            Concrete::Tuple(items) => self.with_arguments(String::new(), items),
            Concrete::Array(item, length) => {
                format!("[{}; {length}]", self.argument_place(item)).into()
            }
            other => other.to_string().into(),
        }
    }

    /// Returns the full path of an item of a module, as `[values]` names it.
    pub(crate) fn path_of(&self, module: ModuleId, name: &str) -> String {
        format!("{}::{name}", self.graph.module_path(module))
    }
}
