//! Kinds: reads `#[kube(..)]` and `#[crd(..)]` of a root type, and its own schema.

use super::root_defaults::with_default;
use super::size::nodes;
use super::types::{Task, is_gated};
use crate::eval::{Concrete, Instance, Scope};
use crd_channels_diagnostics::{Code, Diagnostic, Span, Spanned, Text, nearest};
use crd_channels_schema::Scope as CrdScope;
use crd_channels_schema::draft::{
    Conditional, ConversionStrategy, Draft, Field, KindFacets, Shape, Struct, Type,
};
use crd_channels_source::TypeRef;
use crd_channels_source::attrs::{ContainerAttrs, CrdAttrs, KubeAttrs, SchemaMode};
use crd_channels_source::tree::{Body, Expr, Style, Ty, TyKind, TypeDef};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Names that the root already uses before a flattened spec adds its own.
const RESERVED: [&str; 5] = ["apiVersion", "api_version", "kind", "metadata", "status"];

impl Task<'_> {
    /// Lowers one version of one kind. Returns `None` if its types could not be read completely, which was reported.
    pub(super) fn draft(&mut self, root: &TypeRef) -> Option<Draft> {
        let def = &root.def;
        let ContainerAttrs {
            gate,
            facets: _,
            serde: _,
            with: _,
            transforms: _,
            kube,
            crd,
            tombstones: _,
            repr: _,
        } = &def.attrs;
        self.attribute_findings(root);
        if let Some(finding) = self.reader.graph.rewritten_kind(root) {
            self.report(*finding);
            return None;
        }
        let Some(kube) = kube else {
            let finding = Diagnostic::new(
                Code::MissingKubeKey,
                def.span,
                format!(
                    "`{}` derives `CustomResource` without `#[kube(..)]`",
                    def.name
                ),
            );
            self.report(finding.with_help(
                "add `#[kube(group = \"..\", version = \"v1\", kind = \"..\")]` above the type",
            ));
            return None;
        };
        let KubeAttrs {
            span,
            group,
            version,
            kind,
            singular,
            plural,
            namespaced,
            root: root_name,
            status,
            scale,
            annotations,
            labels,
            storage,
            served,
            schema,
            no_spec,
            more_doc,
            facets,
        } = kube;
        // All three are checked before the first missing one ends it.
        let group = self.required(group.as_ref(), "group", "gateway.example.com", *span);
        let version = self.required(version.as_ref(), "version", "v1", *span);
        let name = def.name.strip_suffix("Spec").unwrap_or("MyKind");
        let kind = self.required(kind.as_ref(), "kind", name, *span);
        let scope = Scope::module(root.module);
        let mut facets = Conditional {
            always: self.kind_facets(&facets.always, &scope),
            when: facets
                .when
                .iter()
                .map(|(gate, facets)| (gate.clone(), self.kind_facets(facets, &scope)))
                .collect(),
        };
        if *schema != SchemaMode::Derived {
            self.drop_rules(&mut facets);
        }
        let unsaid = CrdAttrs::default();
        let crd = crd.as_ref().map_or(&unsaid, |crd| &crd.value);
        let CrdAttrs {
            conversion,
            deprecated_in,
            removed_in,
            replaced_by,
            list_kind,
            annotations: more_annotations,
            labels: more_labels,
            spec_default: _,
            status_default: _,
            nullable: _,
            marks: _,
        } = crd;
        let conversion = conversion
            .as_ref()
            .and_then(|conversion| self.conversion(conversion));
        let (Some(group), Some(version), Some(kind)) = (group, version, kind) else {
            return None;
        };
        let mut root_name = root_name
            .as_ref()
            .map_or_else(|| kind.clone(), |root| root.value.clone());
        let server_list_kind = format!("{kind}List");
        let singular = singular.as_ref().map_or_else(
            || kind.to_ascii_lowercase().into(),
            |singular| singular.value.clone(),
        );
        let plural = plural.as_ref().map_or_else(
            || to_plural(&singular).into(),
            |plural| plural.value.clone(),
        );
        let schema = match schema {
            SchemaMode::Disabled => {
                self.no_root_default(crd);
                self.report_disabled(&kind, &version, &root_name, *span);
                return None;
            }
            SchemaMode::Derived => Some(self.root(root, &root_name, kube, *no_spec)?),
            SchemaMode::Manual => {
                self.no_root_default(crd);
                let written = self.manual_root(root, &root_name, kube)?;
                let instance = Arc::new(Instance {
                    ty: root.clone(),
                    args: Vec::new(),
                });
                root_name = self.written_name(&instance, &root_name)?;
                Some(written)
            }
        };
        Some(Draft {
            span: def.span,
            spec_name: def.name.clone(),
            module: self.reader.graph.module_path(root.module),
            root_name,
            group,
            version,
            kind,
            plural,
            singular,
            list_kind: list_kind
                .as_ref()
                .map(|name| name.value.clone())
                .filter(|name| **name != server_list_kind),
            scope: if *namespaced {
                CrdScope::Namespaced
            } else {
                CrdScope::Cluster
            },
            served: *served,
            storage: *storage,
            gate: gate.clone(),
            annotations: pairs(annotations, more_annotations),
            labels: pairs(labels, more_labels),
            status: status.is_some(),
            scale: scale.clone(),
            conversion,
            facets,
            deprecated_in: deprecated_in.clone(),
            removed_in: removed_in.clone(),
            replaced_by: replaced_by.as_ref().map(|text| text.value.clone()),
            more_doc: more_doc.clone(),
            root: schema,
        })
    }

    fn required(
        &mut self,
        value: Option<&Spanned<Text>>,
        key: &str,
        example: &str,
        span: Span,
    ) -> Option<Text> {
        if let Some(value) = value {
            return Some(value.value.clone());
        }
        let finding = Diagnostic::new(
            Code::MissingKubeKey,
            span,
            format!("`#[kube(..)]` lacks `{key}`"),
        );
        self.report(finding.with_help(format!("add `{key} = \"{example}\"`")));
        None
    }

    /// Reports `schema = "disabled"`: kube leaves out the schema, so servers refuse the CRD; such a kind serves clients of a
    /// CRD published elsewhere.
    fn report_disabled(&mut self, kind: &Text, version: &Text, root_name: &Text, span: Span) {
        let finding = Diagnostic::new(
            Code::SchemaDisabled,
            span,
            format!(
                "`{kind}` of version `{version}` is left out: `schema = \"disabled\"` gives it no schema"
            ),
        );
        self.report(finding.with_help(format!(
            "if its CRD belongs to this bundle, remove the key, or write `schema = \"manual\"` and `impl JsonSchema for {root_name}` with one \
             `json_schema!({{ .. }})`"
        )));
    }

    fn conversion(&mut self, attr: &Spanned<Text>) -> Option<Spanned<ConversionStrategy>> {
        let strategy = |value| {
            Some(Spanned {
                value,
                span: attr.span,
            })
        };
        match &*attr.value {
            "none" => strategy(ConversionStrategy::None),
            "webhook" => strategy(ConversionStrategy::Webhook),
            other => {
                let near = nearest(other, ["none", "webhook"]).unwrap_or("webhook");
                let finding = Diagnostic::new(
                    Code::InvalidAttribute,
                    attr.span,
                    format!("`{other}` is not a conversion strategy"),
                );
                self.report(finding.with_help(format!("write `conversion = \"{near}\"`")));
                None
            }
        }
    }

    fn kind_facets(&mut self, attrs: &KindFacets<Expr>, scope: &Scope) -> KindFacets {
        attrs.with_rules(|rule| {
            let rule = self.reader.rule(rule, scope);
            self.keep(rule, "write the rule as a literal")
        })
    }

    /// Returns the root type that kube-derive generates: `spec`, or the spec's fields, and `status`.
    fn root(
        &mut self,
        root: &TypeRef,
        root_name: &Text,
        kube: &KubeAttrs,
        no_spec: bool,
    ) -> Option<Arc<Type>> {
        let def = &root.def;
        if no_spec {
            self.check_flattenable(def);
        }
        let instance = Arc::new(Instance {
            ty: root.clone(),
            args: Vec::new(),
        });
        if let Some(parameter) = def.generics.first() {
            let finding = Diagnostic::new(
                Code::UnsupportedType,
                def.span,
                format!(
                    "`{}` has the type parameter `{parameter}`; kinds cannot have type parameters",
                    def.name
                ),
            );
            self.report(finding.with_help("derive `CustomResource` on a type without parameters"));
            return None;
        }
        let concrete = Concrete::Def(instance);
        let spec = self.lower(&concrete, def.span);
        let spec_default = self.spec_default(root, &concrete, no_spec);
        let status_default = self.status_default(root, kube);
        let status = kube.status.as_ref().map(|path| {
            let ty = Ty {
                kind: TyKind::Path(path.clone()),
                span: path.span,
            };
            let inner = self.ty(&ty, &Scope::module(root.module))?;
            let mut status = super::types::plain_type(
                &Concrete::External("std::option::Option".into(), Vec::new()),
                Shape::Option(Arc::clone(&inner)),
            );
            status.name = format!("Option<{}>", inner.name).into();
            status.gated = inner.gated;
            Some((Arc::new(status), path.span))
        });
        let spec = spec?;
        let mut spec = root_field("spec", spec, def.span);
        spec.flatten = no_spec;
        let mut fields = vec![with_default(spec, spec_default)];
        if let Some(status) = status {
            let (status, span) = status?;
            fields.push(with_default(
                root_field("status", status, span),
                status_default,
            ));
        }
        let shape = Shape::Struct(Struct {
            fields,
            deny_unknown: false,
        });
        Some(root_type(root, root_name, shape))
    }

    /// Drops and reports rules on the root, which kube ignores unless it derives the schema.
    fn drop_rules(&mut self, facets: &mut Conditional<KindFacets>) {
        let when = facets.when.iter_mut().map(|(_, facets)| facets);
        let all = std::iter::once(&mut facets.always).chain(when);
        for rule in all.flat_map(|facets| facets.rules.drain(..)) {
            let finding = Diagnostic::new(
                Code::NoEffect,
                rule.origin.0,
                "kube ignores this rule, because the root's schema is not derived",
            );
            self.report(finding.with_help(
                "put it into the schema: `\"x-kubernetes-validations\": [{ \"rule\": \"..\" }]`",
            ));
        }
    }

    /// Returns the hand-written schema of the root.
    fn manual_root(
        &mut self,
        root: &TypeRef,
        root_name: &Text,
        kube: &KubeAttrs,
    ) -> Option<Arc<Type>> {
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
        let instance = Arc::new(Instance {
            ty: root.clone(),
            args: Vec::new(),
        });
        match self.written_root(&instance, root_name) {
            Some(literal) => Some(root_type(root, root_name, Shape::Literal(literal?))),
            None => {
                let finding = Diagnostic::new(
                    Code::UnreadableSchema,
                    kube.span,
                    format!("there is no `impl JsonSchema for {root_name}` in source"),
                );
                self.report(finding.with_help(format!(
                    "write `impl JsonSchema for {root_name}` with one `json_schema!({{ .. }})`, or remove `schema = \"manual\"`"
                )));
                None
            }
        }
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

/// Returns a field of the root. Gates on the version are on the draft and on the root's type.
fn root_field(name: &str, ty: Arc<Type>, span: Span) -> Field {
    Field {
        name: name.into(),
        rust_name: name.into(),
        span,
        gate: None,
        facets: Conditional::default(),
        flatten: false,
        force_required: false,
        optional: matches!(ty.shape, Shape::Option(_)),
        default: None,
        nullable: false,
        ty,
        declared: None,
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

/// Returns the pairs of `#[kube(..)]` and of `#[crd(..)]`.
fn pairs(ofs: &[(Text, Text)], more: &[(Spanned<Text>, Spanned<Text>)]) -> BTreeMap<Text, Text> {
    let more = more.iter();
    let more = more.map(|(key, value)| (key.value.clone(), value.value.clone()));
    ofs.iter().cloned().chain(more).collect()
}

/// Returns the plural that kube-derive uses if none is set.
fn to_plural(singular: &str) -> String {
    if ["s", "x", "z", "ch", "sh"]
        .iter()
        .any(|end| singular.ends_with(end))
    {
        return format!("{singular}es");
    }
    let before_y = singular
        .strip_suffix('y')
        .and_then(|stem| stem.chars().next_back());
    match (singular.strip_suffix('y'), before_y) {
        (Some(stem), Some(before)) if !"aeiou".contains(before) => format!("{stem}ies"),
        _ => format!("{singular}s"),
    }
}
