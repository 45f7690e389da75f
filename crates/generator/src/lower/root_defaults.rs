//! `#[crd(default(..))]`: the defaults of `spec` and `status`.

use super::types::Task;
use crate::types::{Concrete, Scope};
use crd_channels_diagnostics::{Code, Diagnostic, Text};
use crd_channels_schema::draft::{Edit, Field, Literal};
use crd_channels_source::TypeRef;
use crd_channels_source::attrs::{CrdAttrs, KubeAttrs};
use crd_channels_source::tree::{Expr, Ty};
use serde_json::Value;

/// Schemas of properties.
type Properties = Vec<(Text, Value)>;
/// Keywords that replace those of a schema.
type Edits = Vec<(Text, Edit)>;

/// The properties that every object has.
const OF_OBJECT: [&str; 3] = ["apiVersion", "kind", "metadata"];

const ROOT_HELP: &str = "write `json!({ \"properties\": { \"apiVersion\": { .. }, \"kind\": { .. }, \"metadata\": { .. } } })`, and other \
                         keywords of the root beside `properties`";

const HELP: &str = "write the default as `json!({ .. })`";

impl Task<'_> {
    /// Returns the default of `spec`, if it has one.
    pub(super) fn spec_default(
        &mut self,
        root: &TypeRef,
        spec: &Concrete,
        no_spec: bool,
    ) -> Option<Value> {
        let default = root.def.attrs.crd.as_ref()?.value.spec_default.as_ref()?;
        if no_spec {
            self.nothing_to_fill("spec", default, "drop `no_spec`");
            return None;
        }
        self.root_default(default, spec, &Scope::module(root.module))
    }

    /// Returns the default of `status`, if it has one.
    pub(super) fn status_default(&mut self, root: &TypeRef, kube: &KubeAttrs) -> Option<Value> {
        let default = root.def.attrs.crd.as_ref()?.value.status_default.as_ref()?;
        let Some(path) = &kube.status else {
            self.nothing_to_fill("status", default, "add `status = \"..\"` to `#[kube(..)]`");
            return None;
        };
        let ty = Ty::from(path.clone());
        let scope = Scope::module(root.module);
        let status = self.reader.concrete(&ty, &scope);
        let status = self.keep(status, HELP)?;
        self.root_default(default, &status, &scope)
    }

    /// Returns the properties and the keywords of `#[crd(root = ..)]`, if it is there.
    pub(super) fn root_keywords(&mut self, root: &TypeRef) -> Option<(Properties, Edits)> {
        let written = root.def.attrs.crd.as_ref()?.value.root.as_ref()?;
        let scope = Scope::module(root.module);
        let value = self.reader.eval_json(written, &scope, None, false);
        let mut properties = Properties::new();
        let mut edits = Edits::new();
        let Value::Object(keywords) = self.keep(value, ROOT_HELP)? else {
            self.refuse_root(written, "the keywords of the root are no object");
            return None;
        };
        for (key, value) in keywords {
            match (&*key, value) {
                ("properties", Value::Object(of_object)) => {
                    for (name, schema) in of_object {
                        let no_status = name == "status" && schema.is_null();
                        match no_status || OF_OBJECT.contains(&&*name) {
                            true => properties.push((name.into(), schema)),
                            false => self.refuse_root(
                                written,
                                &format!("the type of the kind says what `{name}` is"),
                            ),
                        }
                    }
                }
                ("properties", _) => self.refuse_root(written, "`properties` is no object"),
                (_, value) => edits.push((key.into(), Edit::Set(Literal::Value(value)))),
            }
        }
        Some((properties, edits))
    }

    fn refuse_root(&mut self, written: &Expr, message: &str) {
        let finding = Diagnostic::new(Code::InvalidAttribute, written.span, message);
        self.report(finding.with_help(ROOT_HELP));
    }

    /// Reports defaults of a root whose schema is not derived, which they cannot be added to.
    pub(super) fn no_root_default(&mut self, crd: &CrdAttrs) {
        let all = [
            ("spec", &crd.spec_default),
            ("status", &crd.status_default),
            ("root", &crd.root),
        ];
        for (name, default) in all {
            if let Some(default) = default {
                self.nothing_to_fill(name, default, "write it into the schema of the root");
            }
        }
    }

    fn root_default(&mut self, default: &Expr, ty: &Concrete, scope: &Scope) -> Option<Value> {
        // `json!` has a type of its own, other expressions may take that of the place.
        let value = self.reader.eval_json(default, scope, None, false);
        let value = value.or_else(|_| self.reader.eval_json(default, scope, Some(ty), false));
        self.keep(value, HELP)
    }

    fn nothing_to_fill(&mut self, name: &str, default: &Expr, help: &str) {
        let message = format!("the schema of this kind has no `{name}` to set a default on");
        let finding = Diagnostic::new(Code::InvalidAttribute, default.span, message);
        self.report(finding.with_help(help));
    }
}

/// Makes a field with a default optional.
pub(super) fn with_default(field: Field, default: Option<Value>) -> Field {
    Field {
        optional: field.optional || default.is_some(),
        default,
        ..field
    }
}
