//! Types inside each other that schemars takes for one, by their names in schemas: it writes the inner one as a reference.

use super::schema_ids::{defined, definition};
use super::types::Task;
use crate::types::{Block, Instance};
use crd_channels_diagnostics::{Code, Diagnostic, Text};
use crd_channels_projection::channel::walk;
use crd_channels_schema::draft::Type;
use crd_channels_source::tree::{Path, Segment};
use crd_channels_source::{Def, ModuleId, Resolved, TypeRef};
use std::sync::Arc;

impl Task<'_> {
    /// Remembers a type in a function, or whose name in schemas is not its own, with the type beside it that has this name.
    pub(super) fn remember_renamed(&self, instance: &Instance) {
        let (def, module) = (&instance.ty.def, instance.ty.module);
        let serde = &def.attrs.serde;
        // `Name<..>` may be that of an instance.
        let name = serde.schema_name.split('<').next().unwrap_or_default();
        let home = self.reader.graph.proper(module);
        let has_own = name.is_empty() || *name == *def.name || serde.transparent;
        if has_own && home == module {
            return;
        }
        let name = if has_own { &def.name } else { name };
        let id = self.schema_id(module, name);
        // A name may have `::`.
        let segments = name.split("::").map(|name| Segment {
            name: name.into(),
            args: Vec::new(),
        });
        let beside = Path {
            leading: false,
            segments: segments.collect(),
            span: def.span,
        };
        let beside = match self.reader.graph.resolve_type(home, &beside) {
            Ok(Resolved::Def(Def::Type(other)))
                if self.schema_id(other.module, &other.def.name) == id =>
            {
                Some(defined(&other))
            }
            _ => None,
        };
        self.schema_ids()
            .add(id, [defined(&instance.ty)].into_iter().chain(beside));
    }

    /// Remembers a type with a schema written by hand, if the source tells its identity.
    pub(super) fn remember_written(&self, block: &Block, ty: &TypeRef) {
        let id = ["schema_id", "schema_name"]
            .iter()
            .find_map(|name| block.function(name))
            .filter(|_| !block.def.has_function("inline_schema"));
        let id = id.and_then(|function| {
            let scope = block.scope();
            let returns = self.reader.typed(function.returns.as_ref()?, &scope).ok()?;
            let id = self
                .reader
                .eval(&function.body, &scope, Some(&returns))
                .ok()?;
            id.text()
        });
        if let Some(id) = id {
            self.schema_ids().add(id.to_string(), [defined(ty)]);
        }
    }

    /// Reports types of a kind that are inside another one of the same identity. No CRD can have the reference.
    pub(super) fn report_same_names(&mut self, module: ModuleId, name: &Text, root: &Arc<Type>) {
        let mut wrong = Vec::new();
        for (is_root, definitions) in self.schema_ids().shared(&self.schema_id(module, name)) {
            let is_one =
                |ty: &&Arc<Type>| definition(ty).is_some_and(|it| definitions.contains(&it));
            let all = walk::below(root).into_iter().filter(is_one);
            for outer in is_root.then_some(root).into_iter().chain(all) {
                let mut below = walk::below(outer).into_iter();
                let inner = below.find(|ty| is_one(ty) && definition(ty) != definition(outer));
                wrong.extend(inner.map(|inner| (outer, inner)));
            }
        }
        for (outer, inner) in wrong {
            let message = format!(
                "`{}` contains `{}`, and both have one name in schemas, so that schemars writes a reference",
                outer.name, inner.name
            );
            let finding = Diagnostic::new(Code::RecursiveType, inner.span, message);
            self.report(
                finding.with_help("give them different names: `#[schemars(rename = \"..\")]`"),
            );
        }
    }

    /// schemars' identity of a type that derives `JsonSchema`: `module_path!()` does not have the function that a type is in.
    fn schema_id(&self, module: ModuleId, name: &str) -> String {
        let home = self.reader.graph.proper(module);
        format!("{}::{name}", self.reader.graph.module_path(home))
    }
}
