//! The struct that kube-derive generates for a kind, as used in the type of a field.

use crd_channels_diagnostics::{Span, Text};
use crd_channels_schema::draft::{Conditional, KindFacets, generated_doc};
use crd_channels_syntax::attrs::{
    ContainerAttrs, FacetAttrs, FieldAttrs, FieldSerde, KubeAttrs, SchemaMode,
};
use crd_channels_syntax::tree::{Body, Expr, FieldDef, Path, Segment, Style, Ty, TypeDef};
use std::sync::Arc;

/// The struct that a kind's derive generates: `spec` and `status`, since `metadata` has no schema. `None` if the type is not a
/// kind.
pub(crate) fn derived_root(def: &TypeDef) -> Option<Arc<TypeDef>> {
    let kube = def.attrs.kube.as_ref()?;
    let name = &kube.root.as_ref().or(kube.kind.as_ref())?.value;
    let spec = FieldDef {
        attrs: FieldAttrs {
            serde: FieldSerde {
                flatten: kube.no_spec,
                ..serde("spec")
            },
            ..FieldAttrs::default()
        },
        ..field("spec", Path::of_name(&*def.name, def.span).into())
    };
    let status = kube.status.as_ref().map(|path| {
        let inner = Ty::from(path.clone());
        let mut status = field("status", option_of(inner).into());
        status.attrs.gate.clone_from(&kube.status_gate);
        status
    });
    Some(Arc::new(TypeDef {
        helpers: Vec::new(),
        name: name.clone(),
        visibility: def.visibility.clone(),
        constructor: def.visibility.clone(),
        span: def.span,
        generics: Vec::new(),
        fallbacks: Vec::new(),
        bounds: Some(Vec::new()),
        rebound: false,
        derives: derives(kube, def.span),
        reads_serde: true,
        macros: def.macros.clone(),
        body: Body::Struct(Style::Named, std::iter::once(spec).chain(status).collect()),
        attrs: ContainerAttrs {
            gate: def.attrs.gate.clone(),
            facets: facets(kube, &def.name),
            ..ContainerAttrs::default()
        },
        declares: None,
        findings: Vec::new(),
    }))
}

fn derives(kube: &KubeAttrs, span: Span) -> Vec<Path> {
    match kube.schema {
        SchemaMode::Derived => vec![Path {
            leading: true,
            segments: ["schemars", "JsonSchema"].map(segment).into(),
            span,
        }],
        SchemaMode::Manual | SchemaMode::Disabled => Vec::new(),
    }
}

fn facets(kube: &KubeAttrs, spec: &Text) -> Conditional<FacetAttrs> {
    let of = |facets: &KindFacets<Expr>| FacetAttrs {
        doc: facets.doc.clone(),
        rules: facets.rules.clone(),
        ..FacetAttrs::default()
    };
    let mut always = of(&kube.facets.always);
    always.doc.get_or_insert_with(|| generated_doc(spec));
    let when = kube.facets.when.iter();
    Conditional {
        always,
        when: when
            .map(|(gate, facets)| (gate.clone(), of(facets)))
            .filter(|(_, facets)| *facets != FacetAttrs::default())
            .collect(),
    }
}

fn field(name: &str, ty: Ty) -> FieldDef {
    FieldDef {
        name: name.into(),
        span: ty.span,
        extent: ty.span,
        ty,
        attrs: FieldAttrs {
            serde: serde(name),
            ..FieldAttrs::default()
        },
    }
}

fn serde(name: &str) -> FieldSerde {
    FieldSerde {
        name: name.into(),
        ..FieldSerde::default()
    }
}

fn option_of(inner: Ty) -> Path {
    let mut segments: Vec<_> = ["std", "option", "Option"].map(segment).into();
    let span = inner.span;
    if let Some(last) = segments.last_mut() {
        last.args.push(inner);
    }
    Path {
        leading: true,
        segments,
        span,
    }
}

fn segment(name: &str) -> Segment {
    Segment {
        name: name.into(),
        args: Vec::new(),
    }
}
