//! Hand-written schemas: evaluates the body of `impl JsonSchema`, of a `schema_with` function or of a transform, leaving the
//! schemas of types open.

use super::types::Task;
use crate::schemas::{AskedType, HELP};
use crate::types::{Concrete, Finding, Instance, Scope, TraitKey};
use crd_channels_diagnostics::{Code, Diagnostic, Span, Text};
use crd_channels_schema::draft::{Edit, Literal, Type};
use crd_channels_source::tree::{Expr, ImplDef, Path};
use crd_channels_source::{Def, ModuleId, Resolved, TypeRef};
use std::sync::Arc;

/// The prefix of functions of `JsonSchema` that only schemars' derive writes.
const HIDDEN: &str = "_schemars_private";
/// The function by which schemars asks whether fields of a type may be missing.
const IS_OPTION: &str = "_schemars_private_is_option";

const TRANSFORM_HELP: &str = "write the keys that it sets with `#[schemars(extend(\"key\" = ..))]`";
const NAME_HELP: &str = "write the name as a literal: `\"..\".into()`";

impl Task<'_> {
    /// Returns the schema of a hand-written `impl JsonSchema`: `None` if there is no such `impl`, `Some(None)` if its body
    /// cannot be read, which was reported.
    pub(super) fn written_schema(&mut self, instance: &Arc<Instance>) -> Option<Option<Literal>> {
        let own = Concrete::Def(Arc::clone(instance));
        let of = TraitKey::Known("schemars::JsonSchema".into());
        let blocks = self.reader.trait_blocks(&own, &of, instance.ty.module);
        match &blocks[..] {
            [] => None,
            [block] => {
                if block.function(IS_OPTION).is_some() || block.hides(IS_OPTION) {
                    // No hole: it decides what the types that use this one require.
                    let message = format!("`{IS_OPTION}` is private to schemars, and not read");
                    let finding = Diagnostic::new(Code::InvalidAttribute, block.def.span, message);
                    self.report(finding.with_help("remove the function, and use `Option<..>`"));
                    return Some(None);
                }
                block.function("json_schema")?;
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
        let instance = Arc::new(Instance {
            ty: root.clone(),
            args: Vec::new(),
        });
        let Some(schema) = self.first_schema(&instance, &blocks) else {
            let finding = Diagnostic::new(
                Code::UnreadableSchema,
                at,
                format!("there is no `impl JsonSchema for {root_name}` in source"),
            );
            self.report(finding.with_help(format!(
                "write `impl JsonSchema for {root_name}` with one `json_schema!({{ .. }})`, or remove `schema = \"manual\"`"
            )));
            return None;
        };
        Some((self.written_name(&instance, root_name, &blocks)?, schema?))
    }

    pub(super) fn first_schema(
        &mut self,
        instance: &Arc<Instance>,
        blocks: &[(ModuleId, Arc<ImplDef>)],
    ) -> Option<Option<Literal>> {
        let (module, block) = blocks.first()?;
        let function = block
            .fns
            .iter()
            .find(|function| &*function.name == "json_schema")?;
        let mut hidden = block.fns.iter();
        if let Some(hidden) = hidden.find(|function| function.name.starts_with(HIDDEN)) {
            let message = format!(
                "`{}` is internal to schemars, and its effect on fields of the type is not read",
                hidden.name
            );
            let finding = Diagnostic::new(Code::UnreadableSchema, hidden.span, message);
            self.report(finding.with_help(
                "remove it; `#[serde(default)]` makes a field optional, `#[schemars(required)]` required",
            ));
        }
        let scope = Scope::of_impl(instance, *module, block);
        let schema = self.reader.schema_of_function(*module, function, &scope);
        Some(self.resolved(schema))
    }

    fn written_name(
        &mut self,
        instance: &Arc<Instance>,
        root_name: &Text,
        blocks: &[(ModuleId, Arc<ImplDef>)],
    ) -> Option<Text> {
        let named = blocks.first().and_then(|(module, block)| {
            let mut functions = block.fns.iter();
            let function = functions.find(|function| &*function.name == "schema_name")?;
            Some((module, block, function))
        });
        // Without the function the source does not compile, which rustc reports.
        let Some((module, block, function)) = named else {
            return Some(root_name.clone());
        };
        let scope = Scope::of_impl(instance, *module, block);
        // `Cow<'static, str>` or `String`: a text may still have to be converted to it.
        let returns = match &function.returns {
            Some(returns) => self.reader.typed(returns, &scope).ok(),
            None => None,
        };
        let name = self.reader.eval(&function.body, &scope, returns.as_ref());
        let name = self.keep(name, NAME_HELP)?;
        if let Some(name) = name.text() {
            return Some(name);
        }
        let message = "the name of this schema, which is its title, cannot be read";
        let finding = Diagnostic::new(Code::NotConstant, function.body.span, message);
        self.report(finding.with_help(NAME_HELP));
        None
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
