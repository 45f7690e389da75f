//! What configuration says in the place of source.

use super::Reader;
use super::ty::{Concrete, Instance};
use super::value::Value;
use crate::Text;
use crate::source::ModuleId;
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// Schemas and values by the full path of what they stand for: `crate_name::module::Name`.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// Schemas of types, and of functions that make schemas.
    pub schemas: BTreeMap<Text, Json>,
    /// What constants hold and functions give back, as JSON.
    pub values: BTreeMap<Text, Json>,
}

impl Reader<'_> {
    /// The schema that is stated for a type.
    pub(crate) fn stated_schema(&self, ty: &Concrete) -> Option<&Json> {
        if self.overrides.schemas.is_empty() {
            return None;
        }
        match ty {
            Concrete::External(path, _) => self.overrides.schemas.get(path),
            Concrete::Def(instance) => {
                let (module, name) = (instance.ty.module, &instance.ty.def.name);
                self.overrides.schemas.get(&*self.path_of(module, name))
            }
            _ => None,
        }
    }

    /// The schema that is stated for a function of a module.
    pub(crate) fn stated_function(&self, module: ModuleId, name: &str) -> Option<&Json> {
        if self.overrides.schemas.is_empty() {
            return None;
        }
        self.overrides.schemas.get(&*self.path_of(module, name))
    }

    /// The value that is stated for a constant or a function of a module.
    pub(crate) fn stated_value(&self, module: ModuleId, name: &str) -> Option<Value> {
        if self.overrides.values.is_empty() {
            return None;
        }
        let value = self.overrides.values.get(&*self.path_of(module, name));
        value.map(|json| Value::Stated(json.clone()))
    }

    /// The same for a constant or a function of a type.
    pub(crate) fn stated_member(&self, instance: &Instance, name: &str) -> Option<Value> {
        if self.overrides.values.is_empty() {
            return None;
        }
        let name = format!("{}::{name}", instance.ty.def.name);
        self.stated_value(instance.ty.module, &name)
    }

    fn path_of(&self, module: ModuleId, name: &str) -> String {
        format!("{}::{name}", self.graph.module_path(module))
    }
}
