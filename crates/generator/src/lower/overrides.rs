//! What configuration says in the place of source.

use super::Reader;
use super::concrete::{Concrete, Instance, Scope};
use super::value::Const;
use crate::Text;
use crate::source::ModuleId;
use crate::source::tree::FieldDef;
use serde_json::Value;
use std::collections::BTreeMap;

/// Schemas and values by the full path of what they stand for: `crate_name::module::Name`.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// Schemas of types, and of functions that make schemas.
    pub schemas: BTreeMap<Text, Value>,
    /// What constants hold and functions give back, as JSON.
    pub values: BTreeMap<Text, Value>,
    /// What was taken from the compiled types, where source cannot tell.
    pub records: Records,
}

/// What was recorded, by the full path of its place. What configuration states goes before it.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Records {
    /// Schemas of types.
    pub types: BTreeMap<Text, Value>,
    /// Schemas of fields.
    pub fields: BTreeMap<Text, RecordedField>,
    /// Defaults of fields; none for those that show none.
    pub defaults: BTreeMap<Text, Option<Value>>,
}

/// What was recorded of a field: all of its schema, whatever its attributes say.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct RecordedField {
    /// The schema.
    pub schema: Value,
    /// Whether the field has to be there.
    pub required: bool,
}

impl Reader<'_> {
    /// The schema that is stated for a type.
    pub(super) fn stated_schema(&self, ty: &Concrete) -> Option<&Value> {
        let Overrides {
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
                    .get(&*path)
                    .or_else(|| recorded(&path, &instance.args))
            }
            Concrete::Array(..) | Concrete::Tuple(_) | Concrete::Number(_) => None,
        }
    }

    /// What is recorded of a field.
    pub(super) fn recorded_field(&self, def: &FieldDef, scope: &Scope) -> Option<&RecordedField> {
        let fields = &self.overrides.records.fields;
        if fields.is_empty() {
            return None;
        }
        fields.get(&self.field_place(def, scope)?.0)
    }

    /// The default that is recorded for a field: none inside where it shows none.
    pub(super) fn recorded_default(&self, def: &FieldDef, scope: &Scope) -> Option<&Option<Value>> {
        let defaults = &self.overrides.records.defaults;
        if defaults.is_empty() {
            return None;
        }
        defaults.get(&self.field_place(def, scope)?.0)
    }

    /// The schema that is stated for a function of a module.
    pub(super) fn stated_function(&self, module: ModuleId, name: &str) -> Option<&Value> {
        if self.overrides.schemas.is_empty() {
            return None;
        }
        self.overrides.schemas.get(&*self.path_of(module, name))
    }

    /// The value that is stated for a constant or a function of a module.
    pub(super) fn stated_value(&self, module: ModuleId, name: &str) -> Option<Const> {
        if self.overrides.values.is_empty() {
            return None;
        }
        let value = self.overrides.values.get(&*self.path_of(module, name));
        value.map(stated)
    }

    /// The same for a constant or a function of a type.
    pub(super) fn stated_member(&self, instance: &Instance, name: &str) -> Option<Const> {
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

/// A value from JSON. What has no type here stands for any type that is written so.
fn stated(value: &Value) -> Const {
    match value {
        Value::Null => Const::Option(None),
        Value::Bool(value) => Const::Bool(*value),
        Value::String(text) => Const::text(text),
        Value::Number(number) => match number.as_i64() {
            Some(int) => Const::Int(i128::from(int)),
            None => Const::Json(value.clone()),
        },
        Value::Array(_) | Value::Object(_) => Const::Json(value.clone()),
    }
}
