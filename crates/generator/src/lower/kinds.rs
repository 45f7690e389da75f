//! Kinds: reads `#[kube(..)]` and `#[crd(..)]` of a root type.

use super::types::Task;
use crate::types::Scope;
use crd_channels_diagnostics::{Code, Diagnostic, Span, Spanned, Text, nearest};
use crd_channels_schema::Scope as CrdScope;
use crd_channels_schema::draft::{
    Conditional, ConversionStrategy, Draft, KindFacets, NameSpans, Type,
};
use crd_channels_source::TypeRef;
use crd_channels_source::attrs::{ContainerAttrs, CrdAttrs, KubeAttrs, SchemaMode};
use crd_channels_source::tree::{Expr, TypeDef};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The names of a kind besides its own.
struct Names {
    singular: Text,
    plural: Text,
    /// The kind of lists, unless it is the one that servers choose.
    list_kind: Option<Text>,
    spans: NameSpans,
}

impl Names {
    /// Returns the names in the attributes, or those that kube-derive chooses.
    fn new(kube: &KubeAttrs, crd: &CrdAttrs, kind: &Text) -> Self {
        let singular = kube.singular.as_ref().map_or_else(
            || kind.to_ascii_lowercase().into(),
            |singular| singular.value.clone(),
        );
        let plural = kube.plural.as_ref().map_or_else(
            || to_plural(&singular).into(),
            |plural| plural.value.clone(),
        );
        let span = |name: &Option<Spanned<Text>>| name.as_ref().map(|name| name.span);
        let server_list_kind = format!("{kind}List");
        let list_kind = crd.list_kind.as_ref().map(|name| name.value.clone());
        Self {
            singular,
            plural,
            list_kind: list_kind.filter(|name| **name != server_list_kind),
            spans: NameSpans {
                group: span(&kube.group),
                version: span(&kube.version),
                kind: span(&kube.kind),
                plural: span(&kube.plural),
                singular: span(&kube.singular),
                list_kind: span(&crd.list_kind),
            },
        }
    }
}

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
            self.report_no_kube(def);
            return None;
        };
        let KubeAttrs {
            span,
            group,
            version,
            kind,
            singular: _,
            plural: _,
            namespaced,
            root: _,
            status,
            status_gate,
            annotations,
            labels,
            storage,
            served,
            schema: _,
            no_spec: _,
            more_doc,
            root_macros: _,
            facets: _,
        } = kube;
        // All three are checked before the first missing one ends it.
        let group = self.required(group.as_ref(), "group", "gateway.example.com", *span);
        let version = self.required(version.as_ref(), "version", "v1", *span);
        let name = def.name.strip_suffix("Spec").unwrap_or("MyKind");
        let kind = self.required(kind.as_ref(), "kind", name, *span);
        let facets = self.root_facets(kube, &Scope::module(root.module));
        let unsaid = CrdAttrs::default();
        let crd = crd.as_ref().map_or(&unsaid, |crd| &crd.value);
        let CrdAttrs {
            conversion,
            deprecated_in,
            removed_in,
            replaced_by,
            list_kind: _,
            annotations: more_annotations,
            labels: more_labels,
            spec_default: _,
            status_default: _,
            no_status_subresource,
            root: _,
            nullable: _,
            marks: _,
        } = crd;
        let conversion = conversion
            .as_ref()
            .and_then(|conversion| self.conversion(conversion));
        let (Some(group), Some(version), Some(kind)) = (group, version, kind) else {
            return None;
        };
        let (root_name, schema) = self.root_schema(root, kube, crd, &kind, &version)?;
        let names = Names::new(kube, crd, &kind);
        Some(Draft {
            span: def.span,
            spec_name: def.name.clone(),
            module: self.reader.graph.module_path(root.module),
            root_name,
            group,
            version,
            kind,
            plural: names.plural,
            singular: names.singular,
            list_kind: names.list_kind,
            spans: names.spans,
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
            status: status.is_some() && !no_status_subresource,
            status_gate: status_gate.clone(),
            conversion,
            facets,
            deprecated_in: deprecated_in.clone(),
            removed_in: removed_in.clone(),
            replaced_by: replaced_by.as_ref().map(|text| text.value.clone()),
            written_object: crd.root.is_some(),
            more_doc: more_doc.clone(),
            root: schema,
        })
    }

    /// Reports that a type derives `CustomResource` without `#[kube(..)]`.
    fn report_no_kube(&mut self, def: &TypeDef) {
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
    }

    /// Reads the facets of `#[kube(..)]`.
    fn root_facets(&mut self, kube: &KubeAttrs, scope: &Scope) -> Conditional<KindFacets> {
        let facets = &kube.facets;
        let mut facets = Conditional {
            always: self.kind_facets(&facets.always, scope),
            when: facets
                .when
                .iter()
                .map(|(gate, facets)| (gate.clone(), self.kind_facets(facets, scope)))
                .collect(),
        };
        if kube.schema != SchemaMode::Derived {
            self.drop_rules(&mut facets);
        }
        facets
    }

    /// Returns the name and the schema of the root type, depending on who writes the schema.
    fn root_schema(
        &mut self,
        root: &TypeRef,
        kube: &KubeAttrs,
        crd: &CrdAttrs,
        kind: &Text,
        version: &Text,
    ) -> Option<(Text, Option<Arc<Type>>)> {
        let name = kube
            .root
            .as_ref()
            .map_or_else(|| kind.clone(), |root| root.value.clone());
        match kube.schema {
            SchemaMode::Disabled => {
                self.no_root_default(crd);
                self.report_disabled(kind, version, &name, kube.span);
                None
            }
            SchemaMode::Derived => {
                let schema = self.derived_root(root, &name, kube)?;
                // With rules, kube writes the root's `impl`, without an id.
                let id = match kube.facets.all().any(|facets| !facets.rules.is_empty()) {
                    true => name.to_string(),
                    false => self.schema_id(root.module, &name),
                };
                self.report_same_names(&id, &schema);
                Some((name, Some(schema)))
            }
            SchemaMode::Manual => {
                self.no_root_default(crd);
                let (name, schema) = self.manual_root(root, &name, kube)?;
                Some((name, Some(schema)))
            }
        }
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
