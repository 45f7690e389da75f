//! Hand-written schemas: evaluates the body of `impl JsonSchema`, of a `schema_with` function or of a transform, leaving the
//! schemas of types open.

use super::types::Task;
use crate::schemas::{AskedType, HELP};
use crate::types::{Concrete, Finding, Instance, JSON_SCHEMA, Scope};
use crd_channels_diagnostics::{Code, Diagnostic, Span, Text};
use crd_channels_schema::draft::{Edit, Literal, Type};
use crd_channels_source::tree::{Expr, Path};
use crd_channels_source::{Def, Resolved, TypeRef};
use std::sync::Arc;

/// The function by which schemars asks whether fields of a type may be missing.
const IS_OPTION: &str = "_schemars_private_is_option";

const TRANSFORM_HELP: &str = "write the keys that it sets with `#[schemars(extend(\"key\" = ..))]`";
pub(super) const NAME_HELP: &str = "write the name as a literal: `\"..\".into()`";

impl Task<'_> {
    /// Returns the schema of a hand-written `impl JsonSchema`: `None` if there is no such `impl`, `Some(None)` if its body
    /// cannot be read, which was reported.
    pub(super) fn written_schema(&mut self, instance: &Arc<Instance>) -> Option<Option<Literal>> {
        let own = Concrete::Def(Arc::clone(instance));
        let blocks = self.reader.trait_blocks(&own, JSON_SCHEMA);
        match &blocks[..] {
            [] => None,
            [block] => {
                if block.def.has_function(IS_OPTION) {
                    // No hole: it decides what the types that use this one require.
                    let message = format!("`{IS_OPTION}` is private to schemars, and not read");
                    let finding = Diagnostic::new(Code::InvalidAttribute, block.def.span, message);
                    self.report(finding.with_help("remove the function, and use `Option<..>`"));
                    return Some(None);
                }
                block.function("json_schema")?;
                self.remember_written(block, instance);
                let schema = self.reader.schema_of_block(block, "json_schema");
                Some(self.resolved(schema))
            }
            [first, ..] => {
                let why = format!(
                    "several `impl` blocks define a schema for `{}`",
                    instance.ty.def.name
                );
                self.report(*unread(first.def.span, &why));
                Some(None)
            }
        }
    }

    /// Does the same for the root type that kube-derive generates for a type: its name, which is the title, and its schema.
    /// Returns `None` if one of them cannot be determined, which was reported.
    pub(super) fn written_root(
        &mut self,
        root: &TypeRef,
        root_name: &Text,
        at: Span,
    ) -> Option<(Text, Literal)> {
        let blocks = (self.reader.graph).impls_of_derived(root, root_name, "JsonSchema");
        let written = blocks.first().and_then(|(module, block)| {
            let function = |name: &str| block.fns.iter().find(|own| &*own.name == name);
            Some((*module, function("json_schema")?, function("schema_name")))
        });
        let Some((module, schema, name)) = written else {
            let message = format!("there is no `impl JsonSchema for {root_name}` in source");
            let finding = Diagnostic::new(Code::UnreadableSchema, at, message);
            self.report(finding.with_help(format!(
                "write `impl JsonSchema for {root_name}` with one `json_schema!({{ .. }})`, or remove `schema = \"manual\"`"
            )));
            return None;
        };
        let ty = root.clone();
        let args = Vec::new();
        let scope = Scope {
            this: Some(Concrete::Def(Arc::new(Instance { ty, args }))),
            ..Scope::module(module)
        };
        let schema = self.reader.schema_of_function(module, schema, &scope);
        let schema = self.resolved(schema);
        // Without the function the source does not compile, which rustc reports.
        let Some(name) = name else {
            return Some((root_name.clone(), schema?));
        };
        // `Cow<'static, str>` or `String`: a text may still have to be converted to it.
        let returns = name.returns.as_ref();
        let returns = returns.and_then(|returns| self.reader.typed(returns, &scope).ok());
        let named = self.reader.eval(&name.body, &scope, returns.as_ref());
        let named = self.keep(named, NAME_HELP)?;
        let Some(named) = named.text() else {
            let message = "the name of this schema, which is its title, cannot be read";
            let finding = Diagnostic::new(Code::NotConstant, name.body.span, message);
            self.report(finding.with_help(NAME_HELP));
            return None;
        };
        Some((named, schema?))
    }

    /// Returns the schema of a `schema_with` function.
    pub(super) fn schema_function(&mut self, path: &Path, scope: &Scope) -> Option<Literal> {
        let resolved = self.reader.graph.resolve_value(scope.module, path);
        if let Ok(Resolved::Def(Def::Fn(module, function))) = &resolved
            && let Some(schema) = self.reader.function_override(*module, &function.name)
        {
            return Some(Literal::Value(schema.clone()));
        }
        let schema = self.reader.schema_by(path, scope);
        self.resolved(schema)
    }

    /// Returns the edits that transforms make to the schema that they are passed, in order. A transform is `|schema| { .. }` or
    /// the name of a function.
    pub(super) fn transforms(&mut self, transforms: &[Expr], scope: &Scope) -> Vec<(Text, Edit)> {
        let mut edits = Vec::new();
        for transform in transforms {
            match self.reader.transformed(transform, scope) {
                Ok(more) => {
                    for (keyword, edit) in more {
                        let edit = edit.with_types(&mut |asked| self.asked_type(asked));
                        edits.extend(edit.map(|edit| (keyword, edit)));
                    }
                }
                Err(finding) => self.report(Diagnostic {
                    help: Some(TRANSFORM_HELP.to_owned()),
                    ..*finding
                }),
            }
        }
        edits
    }

    /// Lowers the types that a schema asks for. Returns `None` if that fails or the schema could not be evaluated; either is
    /// reported.
    fn resolved(&mut self, schema: Result<Literal<AskedType>, Finding>) -> Option<Literal> {
        match schema {
            Ok(schema) => schema.with_types(&mut |asked| self.asked_type(asked)),
            Err(finding) => {
                self.report(*finding);
                None
            }
        }
    }

    fn asked_type(&mut self, (ty, span): &AskedType) -> Option<Arc<Type>> {
        self.lower(ty, *span)
    }
}

/// `unreadable-schema`
fn unread(span: Span, why: &str) -> Finding {
    Box::new(Diagnostic::new(Code::UnreadableSchema, span, why).with_help(HELP))
}
