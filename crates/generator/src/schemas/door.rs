//! The interface for the layers above: the schemas of functions and blocks, and the edits of transforms.

use super::body::{AskedType, Part};
use super::functions::{edits_of, schema_of};
use crate::reader::Reader;
use crate::types::impls::Block;
use crate::types::{Concrete, Finding, Instance, Scope};
use crate::values::{Run, stop};
use crd_channels_diagnostics::{Code, Diagnostic, Text};
use crd_channels_schema::draft::{Edit, Literal};
use crd_channels_source::tree::{Expr, FnDef, Path};
use crd_channels_source::{Def, ModuleId, Resolved};
use std::sync::Arc;

/// The help for a hand-written schema that cannot be read.
pub(crate) const HELP: &str =
    "write the body as one `json_schema!({ .. })`, or use `#[schemars(with = \"..\")]`";

impl Reader<'_> {
    /// Returns the schema of a function: `#[schemars(schema_with = "..")]`.
    ///
    /// # Errors
    ///
    /// `unreadable-schema` if it is not in the language, `unresolved-path`.
    pub(crate) fn schema_by(
        &self,
        path: &Path,
        scope: &Scope,
    ) -> Result<Literal<AskedType>, Finding> {
        match self.graph.resolve_value(scope.module, path)? {
            Resolved::Def(Def::Fn(module, def)) => {
                self.schema_of_function(module, &def, &Scope::module(module))
            }
            Resolved::Def(Def::Associated(ty, name)) if ty.def.generics.is_empty() => {
                let own = Concrete::Def(Arc::new(Instance {
                    ty,
                    args: Vec::new(),
                }));
                match self.own_item(&own, &name, scope, path.span) {
                    Ok(Some(block)) => self.schema_of_block(&block, &name),
                    Ok(None) | Err(_) => unread(stop(path.span, format!("`{path}` is not read"))),
                }
            }
            _ => unread(stop(path.span, format!("`{path}` is not read"))),
        }
    }

    /// Returns the schema of a function of an `impl` block.
    ///
    /// # Errors
    ///
    /// As for [`Reader::schema_by`].
    pub(crate) fn schema_of_block(
        &self,
        block: &Block,
        name: &str,
    ) -> Result<Literal<AskedType>, Finding> {
        match block.function(name) {
            Some(def) => self.schema_of_function(block.module, def, &block.scope()),
            None => unread(stop(block.def.span, format!("`{name}` is not read"))),
        }
    }

    /// Returns the schema of a function in a known scope.
    ///
    /// # Errors
    ///
    /// As for [`Reader::schema_by`].
    pub(crate) fn schema_of_function(
        &self,
        module: ModuleId,
        def: &FnDef,
        scope: &Scope,
    ) -> Result<Literal<AskedType>, Finding> {
        let mut reading = self.reading();
        unread(schema_of(
            &mut reading,
            (module, def),
            scope,
            vec![Part::Generator],
            def.span,
        ))
    }

    /// Returns the edits that a transform makes to the schema it gets, in order by keyword.
    ///
    /// # Errors
    ///
    /// `unreadable-schema` if they are not in the language, `unresolved-path`.
    pub(crate) fn transformed(
        &self,
        transform: &Expr,
        scope: &Scope,
    ) -> Result<Vec<(Text, Edit<AskedType>)>, Finding> {
        let mut reading = self.reading();
        let done = edits_of(&mut reading, transform, scope);
        done.map_err(|finding| refused(finding, "this transform cannot be read"))
    }
}

/// Converts an error about a value to one about the schema.
fn unread<T>(result: Run<T>) -> Result<T, Finding> {
    result.map_err(|finding| refused(finding, "this part of a hand-written schema cannot be read"))
}

fn refused(finding: Finding, what: &str) -> Finding {
    if finding.code != Code::NotConstant {
        return finding;
    }
    Box::new(Diagnostic {
        code: Code::UnreadableSchema,
        message: format!("{what}: {}", finding.message),
        help: Some(HELP.to_owned()),
        ..*finding
    })
}
