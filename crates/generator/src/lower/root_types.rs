//! The root type of a kind: as kube-derive generates it, or with a schema written by hand.

use super::root_defaults::with_default;
use super::size::nodes;
use super::types::{Task, is_gated, plain_type};
use crate::types::{Concrete, Instance, Scope};
use crd_channels_diagnostics::{Code, Diagnostic, Text};
use crd_channels_schema::draft::{Field, Literal, Shape, Struct, Type};
use crd_channels_source::TypeRef;
use crd_channels_source::attrs::KubeAttrs;
use crd_channels_source::tree::{Body, Path, Style, Ty, TypeDef};
use std::sync::Arc;

/// Names that the root already uses before a flattened spec adds its own.
const RESERVED: [&str; 5] = ["apiVersion", "api_version", "kind", "metadata", "status"];

impl Task<'_> {
    /// Returns the root type that kube-derive generates: `spec`, or the spec's fields, and `status`.
    pub(super) fn derived_root(
        &mut self,
        root: &TypeRef,
        root_name: &Text,
        kube: &KubeAttrs,
    ) -> Option<Arc<Type>> {
        let (def, no_spec) = (&root.def, kube.no_spec);
        if no_spec {
            self.check_flattenable(def);
        }
        let instance = Arc::new(Instance {
            ty: root.clone(),
            args: Vec::new(),
        });
        if let Some(parameter) = def.generics.first() {
            self.report_parameter(def, parameter);
            return None;
        }
        let concrete = Concrete::Def(instance);
        let spec = self.lower(&concrete, def.span);
        let spec_default = self.spec_default(root, &concrete, no_spec);
        let status_default = self.status_default(root, kube);
        let written = self.root_keywords(root);
        let status = kube.status.as_ref().map(|path| {
            let status = self.status_type(path, &Scope::module(root.module))?;
            Some((status, path.span))
        });
        let spec = spec?;
        let mut spec = Field::new("spec", spec, def.span);
        spec.flatten = no_spec;
        let mut fields = vec![with_default(spec, spec_default)];
        if let Some(status) = status {
            let (status, span) = status?;
            let status = Field {
                gate: kube.status_gate.clone(),
                ..Field::new("status", status, span)
            };
            fields.push(with_default(status, status_default));
        }
        let (object, keywords) = written.unwrap_or_default();
        // `null` leaves a property out.
        fields.retain(|field| !object.iter().any(|(name, _)| *name == field.name));
        let object = object.into_iter().filter(|(_, schema)| !schema.is_null());
        fields.extend(object.map(|(name, schema)| {
            let shape = Shape::Literal(Literal::Value(schema));
            let ty = Arc::new(Type::new(name.clone(), None, shape));
            Field {
                optional: true,
                ..Field::new(name, ty, def.span)
            }
        }));
        let shape = Shape::Struct(Struct {
            fields,
            deny_unknown: false,
        });
        let mut ty = root_type(root, root_name, shape);
        if !keywords.is_empty() {
            Arc::make_mut(&mut ty).facets.always.edits = keywords;
        }
        Some(ty)
    }

    /// Returns `Option<T>` of the type of `#[kube(status = "T")]`.
    fn status_type(&mut self, path: &Path, scope: &Scope) -> Option<Arc<Type>> {
        let ty = Ty::from(path.clone());
        let inner = self.ty(&ty, scope)?;
        let mut status = plain_type(
            &Concrete::External("std::option::Option".into(), Vec::new()),
            Shape::Option(Arc::clone(&inner)),
        );
        status.name = format!("Option<{}>", inner.name).into();
        status.gated = inner.gated;
        Some(Arc::new(status))
    }

    fn report_parameter(&mut self, def: &TypeDef, parameter: &Text) {
        let finding = Diagnostic::new(
            Code::UnsupportedType,
            def.span,
            format!(
                "`{}` has the type parameter `{parameter}`; kinds cannot have type parameters",
                def.name
            ),
        );
        self.report(finding.with_help("derive `CustomResource` on a type without parameters"));
    }

    /// Returns the hand-written schema of the root, with its name.
    pub(super) fn manual_root(
        &mut self,
        root: &TypeRef,
        root_name: &Text,
        kube: &KubeAttrs,
    ) -> Option<(Text, Arc<Type>)> {
        for rule in &kube.facets.always.rules {
            let finding = Diagnostic::new(
                Code::NoEffect,
                rule.span,
                "kube ignores this rule, because the root's schema is written by hand",
            );
            self.report(finding.with_help(
                "put it into the schema: `\"x-kubernetes-validations\": [{ \"rule\": \"..\" }]`",
            ));
        }
        if let Some(gate) = &kube.status_gate {
            let message = "this gate has no effect: the schema of the root is written by hand, with or without a status";
            let finding = Diagnostic::new(Code::IdleGate, gate.span, message);
            self.report(
                finding.with_help("remove `schema = \"manual\"`, or gate the whole version"),
            );
        }
        let place = self.reader.path_of(root.module, root_name);
        if let Some(stated) = self.reader.overrides.schemas.get(&place) {
            let shape = Shape::Literal(Literal::Value(stated.clone()));
            return Some((root_name.clone(), root_type(root, root_name, shape)));
        }
        let before = self.finding_count();
        let read = self.written_root(root, root_name, kube.span);
        let (name, shape) = match read {
            Some((name, literal)) => (name, Shape::Literal(literal)),
            None => {
                let shape = self.filled_type(before, place.into(), kube.span)?;
                (root_name.clone(), shape)
            }
        };
        Some((name, root_type(root, root_name, shape)))
    }

    fn check_flattenable(&mut self, def: &TypeDef) {
        let fields = match &def.body {
            Body::Struct(Style::Named, fields) => fields,
            Body::Struct(..) | Body::Enum(_) => {
                let finding = Diagnostic::new(
                    Code::InvalidAttribute,
                    def.span,
                    "`no_spec` needs a struct with named fields, which become the root's fields",
                );
                self.report(finding.with_help("remove `no_spec`, or give the type named fields"));
                return;
            }
        };
        for field in fields {
            let taken = |name: &Text| RESERVED.contains(&&**name);
            if taken(&field.name) || taken(&field.attrs.serde.name) {
                let finding = Diagnostic::new(
                    Code::InvalidAttribute,
                    field.span,
                    format!(
                        "`no_spec` conflicts with the root's own field `{}`",
                        field.name
                    ),
                );
                self.report(finding.with_help("rename the field, or remove `no_spec`"));
            }
        }
    }
}

fn root_type(root: &TypeRef, name: &Text, shape: Shape) -> Arc<Type> {
    let mut ty = Type {
        gate: root.def.attrs.gate.clone(),
        ..Type::new(name.clone(), Some(root.def.span), shape)
    };
    ty.gated = is_gated(&ty);
    ty.nodes = nodes(&ty);
    Arc::new(ty)
}
