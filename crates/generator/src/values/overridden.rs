//! The overrides of types, constants and functions.

use super::Value;
use crate::overrides::ResolvedOverrides;
use crate::reader::Reader;
use crate::types::{Concrete, Instance, Scope};
use crd_channels_source::attrs::SerdeDefault;
use crd_channels_source::tree::ExprKind;
use crd_channels_source::{Def, ModuleId, Resolved};
use serde_json::Value as Json;

/// The help for a default that cannot be evaluated.
pub(crate) const DEFAULT_HELP: &str = "write the default as a literal, or state the schema's value with `#[schemars(extend(\"default\" = ..))]`";

impl<'g> Reader<'g> {
    /// Returns the schema that overrides a type's.
    pub(crate) fn schema_override(&self, ty: &Concrete) -> Option<&'g Json> {
        let ResolvedOverrides {
            schemas, records, ..
        } = self.overrides;
        if schemas.is_empty() && records.types.is_empty() {
            return None;
        }
        let recorded = |path: &str, args: &[Concrete]| {
            let recorded = records.types.get(path);
            recorded.filter(|_| args.is_empty())
        };
        match ty {
            Concrete::External(path, args) => schemas.get(path).or_else(|| recorded(path, args)),
            Concrete::Def(instance) => {
                let (module, name) = (instance.ty.module, &instance.ty.def.name);
                let path = self.path_of(module, name);
                schemas
                    .get(&path)
                    .or_else(|| recorded(&path, &instance.args))
            }
            _ => None,
        }
    }

    /// Returns the schema that overrides a function's.
    pub(crate) fn function_override(&self, module: ModuleId, name: &str) -> Option<&'g Json> {
        if self.overrides.schemas.is_empty() {
            return None;
        }
        self.overrides.schemas.get(&self.path_of(module, name))
    }

    /// Returns the value that overrides a constant's or a function's.
    pub(crate) fn value_override(&self, module: ModuleId, name: &str) -> Option<Value> {
        if self.overrides.values.is_empty() {
            return None;
        }
        let value = self.overrides.values.get(&self.path_of(module, name));
        value.map(|json| Value::Override(json.clone()))
    }

    /// Does the same for a constant or function of a type.
    pub(crate) fn member_override(&self, instance: &Instance, name: &str) -> Option<Value> {
        if self.overrides.values.is_empty() {
            return None;
        }
        let name = format!("{}::{name}", instance.ty.def.name);
        self.value_override(instance.ty.module, &name)
    }

    /// Returns the help for a field's default that cannot be evaluated.
    pub(crate) fn default_help(&self, default: &SerdeDefault, scope: &Scope) -> String {
        let function = match default {
            SerdeDefault::Function(function) => match &function.kind {
                ExprKind::Path(path) => self.graph.resolve_value(scope.module, path).ok(),
                _ => None,
            },
            SerdeDefault::Default | SerdeDefault::None => None,
        };
        let path = match function {
            Some(Resolved::Def(Def::Fn(module, of))) => self.path_of(module, &of.name),
            Some(Resolved::Def(Def::Associated(ty, name))) => {
                let owner = self.path_of(ty.module, &ty.def.name);
                format!("{owner}::{name}")
            }
            _ => return DEFAULT_HELP.to_owned(),
        };
        format!(
            "write the default as a literal, or state it: `[values.\"{path}\"]` with `json = \"..\"` in `channels/bundle.toml`"
        )
    }

    /// Returns the full path of an item of a module, as `[values]` names it.
    pub(crate) fn path_of(&self, module: ModuleId, name: &str) -> String {
        format!("{}::{name}", self.graph.module_path(module))
    }
}
