//! What configuration says in the place of source.

use super::Reader;
use super::ty::{Concrete, Instance, Scope};
use super::value::Value;
use crd_channels_diagnostics::{Diagnostic, Text};
use crd_channels_source::attrs::SerdeDefault;
use crd_channels_source::tree::ExprKind;
use crd_channels_source::{Def, Graph, ModuleId, Resolved};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

/// What to write where a default cannot be evaluated.
pub(crate) const DEFAULT_HELP: &str = "write the default as a literal, or state the schema's value with `#[schemars(extend(\"default\" = ..))]`";

/// Schemas and values by the path of what they stand for, as code writes it or the full one: `crate_name::module::Name`.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// Schemas of types, and of functions that make schemas.
    pub schemas: BTreeMap<Text, Json>,
    /// What constants hold and functions give back, as JSON.
    pub values: BTreeMap<Text, Json>,
    /// What was taken from the compiled types, where source cannot tell.
    pub records: Records,
}

/// What was recorded, by the full path of its place. What configuration states goes before it.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Records {
    /// Schemas of types.
    pub types: BTreeMap<Text, Json>,
    /// Schemas of fields.
    pub fields: BTreeMap<Text, RecordedField>,
    /// Defaults of fields; none for those that show none.
    pub defaults: BTreeMap<Text, Option<Json>>,
}

/// What was recorded of a field: all of its schema, whatever its attributes say.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct RecordedField {
    /// The schema.
    pub schema: Json,
    /// Whether the field has to be there.
    pub required: bool,
}

/// An override that nothing needs.
#[derive(Clone, Debug)]
pub struct Idle {
    /// Its path, as it is written.
    pub path: Text,
    /// Whether it is a schema, else a value.
    pub is_schema: bool,
    /// Why the path leads nowhere, where it does not.
    pub lost: Option<Box<Diagnostic>>,
}

/// One of the tables, found by full paths.
#[derive(Debug, Default)]
struct Table<'o> {
    /// By full path: the path as written, and what holds there.
    by_path: BTreeMap<Text, (&'o Text, &'o Json)>,
    lost: BTreeMap<&'o Text, Box<Diagnostic>>,
    used: Mutex<BTreeSet<Text>>,
}

impl<'o> Table<'o> {
    fn new(stated: &'o BTreeMap<Text, Json>, graph: &Graph<'_>) -> Self {
        let mut table = Self::default();
        for (written, value) in stated {
            // What a procedural macro makes has this path and no source.
            table.by_path.insert(written.clone(), (written, value));
            match graph.full_paths(written) {
                Ok(paths) => {
                    let paths = paths.into_iter().map(|path| (path, (written, value)));
                    table.by_path.extend(paths);
                }
                Err(why) => drop(table.lost.insert(written, why)),
            }
        }
        table
    }

    fn get(&self, path: &str) -> Option<&'o Json> {
        let (written, value) = self.by_path.get(path)?;
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.insert(Text::clone(written));
        Some(value)
    }

    fn idle(&self, is_schema: bool) -> Vec<Idle> {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let written: BTreeSet<&Text> = self.by_path.values().map(|(written, _)| *written).collect();
        let idle = written.into_iter().filter(|path| !used.contains(*path));
        idle.map(|path| Idle {
            path: Text::clone(path),
            is_schema,
            lost: self.lost.get(path).cloned(),
        })
        .collect()
    }
}

/// What is stated in the place of source, found by the full paths that the reader has.
#[derive(Debug)]
pub(crate) struct Stated<'o> {
    schemas: Table<'o>,
    values: Table<'o>,
    /// What was taken from the compiled types.
    pub(crate) records: &'o Records,
}

impl<'o> Stated<'o> {
    /// Finds out what the written paths lead to.
    pub(crate) fn new(overrides: &'o Overrides, graph: &Graph<'_>) -> Self {
        Self {
            schemas: Table::new(&overrides.schemas, graph),
            values: Table::new(&overrides.values, graph),
            records: &overrides.records,
        }
    }

    /// What was not asked for.
    pub(crate) fn idle(&self) -> Vec<Idle> {
        [self.schemas.idle(true), self.values.idle(false)].concat()
    }
}

impl<'g> Reader<'g> {
    /// The schema that is stated for a type.
    pub(crate) fn stated_schema(&self, ty: &Concrete) -> Option<&'g Json> {
        let Stated {
            schemas, records, ..
        } = self.stated;
        if schemas.by_path.is_empty() && records.types.is_empty() {
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

    /// The schema that is stated for a function of a module.
    pub(crate) fn stated_function(&self, module: ModuleId, name: &str) -> Option<&'g Json> {
        if self.stated.schemas.by_path.is_empty() {
            return None;
        }
        self.stated.schemas.get(&self.path_of(module, name))
    }

    /// The value that is stated for a constant or a function of a module.
    pub(crate) fn stated_value(&self, module: ModuleId, name: &str) -> Option<Value> {
        if self.stated.values.by_path.is_empty() {
            return None;
        }
        let value = self.stated.values.get(&self.path_of(module, name));
        value.map(|json| Value::Stated(json.clone()))
    }

    /// The same for a constant or a function of a type.
    pub(crate) fn stated_member(&self, instance: &Instance, name: &str) -> Option<Value> {
        if self.stated.values.by_path.is_empty() {
            return None;
        }
        let name = format!("{}::{name}", instance.ty.def.name);
        self.stated_value(instance.ty.module, &name)
    }

    /// What to write where a field's default cannot be evaluated.
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

    fn path_of(&self, module: ModuleId, name: &str) -> String {
        format!("{}::{name}", self.graph.module_path(module))
    }
}
