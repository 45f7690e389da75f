//! Reads a type's attributes: ours, and those of serde, schemars, kube and the validators, on the thread that parsed them.

mod layer;
mod tables;
mod facets;
mod kube;
mod marks;
mod json;
mod serde;
mod overlay;
mod reader;
mod declared;
mod go_markers;
#[cfg(test)]
#[allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]
mod tests;

use super::attrs::{ContainerAttrs, FacetAttrs, FieldAttrs, FieldSerde, VariantAttrs, With};
use super::known::derives::HELPERS;
use super::lower_items::lowering::{constructor, visibility};
use super::lower_syn::{const_argument, expr, generics, name, path, span, ty};
use super::tree::{Body, FieldDef, Path, Style, Ty, TypeDef, VariantDef};
use crd_channels_diagnostics::{Code, FileId, Sink, Span, Text};
use crd_channels_markers::{self as markers, Extent, NodeAttrs, Site, VARIANT_SITE};
use crd_channels_schema::draft::{Conditional, Gate, KindFacets, Tombstone};
use layer::Layer;
use overlay::Listed;
use quote::ToTokens;
use reader::Reader;
use serde::{Serde, VariantSerde};
use syn::punctuated::Punctuated;
use syn::{Attribute, DeriveInput, Fields};

/// Derives that read serde's attributes as serde does.
const SERDE_DERIVES: [&str; 7] = [
    "JsonSchema",
    "JsonSchema_repr",
    "KubeSchema",
    "CELSchema",
    "CustomResource",
    "Deserialize",
    "Serialize",
];

/// The helper attributes of known derives on a type, its fields or variants, each where it is first used.
fn helpers(input: &DeriveInput, file: FileId) -> Vec<(Text, Span)> {
    fn of_fields(fields: &Fields) -> impl Iterator<Item = &Attribute> {
        fields.iter().flat_map(|field| &field.attrs)
    }
    let inside: Vec<&Attribute> = match &input.data {
        syn::Data::Struct(data) => of_fields(&data.fields).collect(),
        syn::Data::Enum(data) => {
            let variants = data.variants.iter();
            variants
                .flat_map(|variant| variant.attrs.iter().chain(of_fields(&variant.fields)))
                .collect()
        }
        syn::Data::Union(_) => Vec::new(),
    };
    let mut found: Vec<(Text, Span)> = Vec::new();
    for attr in input.attrs.iter().chain(inside) {
        let Some(name) = attr.path().get_ident() else {
            continue;
        };
        let known = HELPERS.iter().find(|known| name == known.name);
        let known = known.map(|helper| helper.name);
        if let Some(known) = known.filter(|known| !found.iter().any(|(of, _)| **of == **known)) {
            found.push((known.into(), span(file, name.span())));
        }
    }
    found
}

/// Reads a struct or an enum whose `cfg`s are resolved; returns `None` for a union. `extents` has the span of every field,
/// including attributes and comma: one list for a struct, one per variant for an enum. `derives` are the paths of its derives,
/// `derived` their original names if a `use` renames them.
pub(super) fn read_type(
    input: DeriveInput,
    extents: Vec<Vec<Span>>,
    derives: &[syn::Path],
    derived: &[String],
    file: FileId,
    sink: &mut Sink,
) -> Option<TypeDef> {
    let mut reader = Reader { file, sink };
    let reader = &mut reader;
    let derives = derives.iter().map(|of| path(file, of)).collect();
    let helpers = helpers(&input, file);
    let declares = declared::declaration(&input, derived, file);
    let derived = |name: &str| derived.iter().any(|of| of == name);
    if let syn::Data::Union(data) = &input.data {
        if derived("ApiType") {
            reader.report(vec![markers::union_error(data)]);
        }
        return None;
    }
    let schemars = overlay::schemars(&input);
    let reads_serde = SERDE_DERIVES.iter().any(|name| derived(name));
    let Serde {
        container,
        fields: serde_fields,
        variants: serde_variants,
    } = if reads_serde {
        serde::serde(&input, &schemars, reader)
    } else {
        serde::unread(&input)
    };
    // It was called `CELSchema` before kube 1.
    let kube_schema = derived("KubeSchema") || derived("CELSchema");
    let site = markers::type_site(&input);
    if kube_schema && site.target != markers::Target::Struct {
        reader.find(
            Code::InvalidAttribute,
            Extent::of(&input.ident),
            format!("`KubeSchema` cannot be derived for {}", site.target),
            "derive `JsonSchema`",
        );
    }

    let bounds = schema_bounds(&input.generics, &schemars, file);
    let mut schemars = schemars.into_iter();
    let own = schemars.next().unwrap_or_default();
    let layers = Layers::read(&input.attrs, own, site, kube_schema, reader);
    let mut attrs = container_attrs(&input.attrs, layers, reader);
    attrs.serde = container;
    if derived("CustomResource") {
        distinct_root(&attrs, &input, reader);
    }

    let mut extents = extents.into_iter();
    let mut fields =
        |fields: &Fields, serde, schemars: &mut Lists, in_variant, reader: &mut Reader<'_>| {
            let extents = extents.next().unwrap_or_default();
            let beside = (extents, serde, schemars);
            read_fields(fields, beside, in_variant, kube_schema, reader)
        };
    let body = match &input.data {
        syn::Data::Union(_) => return None,
        syn::Data::Struct(data) => Body::Struct(
            style(&data.fields),
            fields(&data.fields, serde_fields, &mut schemars, false, reader),
        ),
        syn::Data::Enum(data) => {
            let mut variants = Vec::with_capacity(data.variants.len());
            let mut serde = serde_variants.into_iter();
            for variant in &data.variants {
                let VariantSerde {
                    name: serialized,
                    skip,
                    untagged,
                    writing,
                    fields: serde_fields,
                } = serde.next().unwrap_or_default();
                let own = schemars.next().unwrap_or_default();
                let layers = Layers::read(&variant.attrs, own, VARIANT_SITE, kube_schema, reader);
                variants.push(VariantDef {
                    name: name(&variant.ident),
                    span: span(file, variant.ident.span()),
                    style: style(&variant.fields),
                    discriminant: variant.discriminant.as_ref().map(|(_, e)| expr(file, e)),
                    attrs: VariantAttrs {
                        gate: layers.gate(reader),
                        facets: layers.facets(reader),
                        with: with(&variant.attrs, &layers.always, reader),
                        transforms: facets::transforms(&layers.always.schemars, reader),
                        name: serialized,
                        skip,
                        untagged,
                        writing,
                        default: variant
                            .attrs
                            .iter()
                            .any(|attr| attr.path().is_ident("default")),
                    },
                    fields: fields(&variant.fields, serde_fields, &mut schemars, true, reader),
                });
            }
            Body::Enum(variants)
        }
    };
    Some(TypeDef {
        helpers,
        name: name(&input.ident),
        visibility: visibility(&input.vis),
        constructor: constructor(&input),
        span: span(file, input.ident.span()),
        generics: generics(&input.generics),
        fallbacks: fallbacks(&input.generics, file),
        bounds,
        rebound: !input.generics.params.is_empty() && overlay::has_bound(&input),
        derives,
        reads_serde,
        macros: Vec::new(),
        body,
        attrs,
        declares,
        findings: Vec::new(),
    })
}

/// The defaults of type and constant parameters.
fn fallbacks(generics: &syn::Generics, file: FileId) -> Vec<Option<Ty>> {
    let written = generics
        .params
        .iter()
        .filter_map(|parameter| match parameter {
            syn::GenericParam::Type(of) => {
                Some(of.default.as_ref().map(|(_, default)| ty(file, default)))
            }
            syn::GenericParam::Const(of) => {
                let default = of.default.as_ref();
                Some(default.map(|(_, default)| const_argument(file, default)))
            }
            syn::GenericParam::Lifetime(_) => None,
        });
    written.collect()
}

/// The trait bounds in the `impl` that schemars derives: those of the type and those of `#[schemars(bound = "..")]`. `None` if
/// these are not read: which nodes and which of two lists schemars considers depends on its version.
fn schema_bounds(
    generics: &syn::Generics,
    schemars: &[Vec<Listed>],
    file: FileId,
) -> Option<Vec<(Ty, Path)>> {
    fn take(
        of: &Ty,
        bounds: &Punctuated<syn::TypeParamBound, syn::Token![+]>,
        file: FileId,
        into: &mut Vec<(Ty, Path)>,
    ) {
        into.extend(bounds.iter().filter_map(|bound| match bound {
            syn::TypeParamBound::Trait(bound) => Some((of.clone(), path(file, &bound.path))),
            _ => None,
        }));
    }
    let mut found = Vec::new();
    if generics.params.is_empty() {
        return Some(found);
    }
    for of in generics.type_params() {
        let own = syn::Path::from(of.ident.clone());
        take(&path(file, &own).into(), &of.bounds, file, &mut found);
    }
    let own = generics.where_clause.iter();
    let mut predicates: Vec<_> = own.flat_map(|of| of.predicates.iter().cloned()).collect();
    for (node, listed) in schemars.iter().enumerate() {
        for item in listed.iter().flat_map(|listed| &listed.items) {
            if item.name().as_deref() != Some("bound") {
                continue;
            }
            let markers::Item::Value(_, _, syn::Expr::Lit(value)) = item else {
                return None;
            };
            let syn::Lit::Str(text) = &value.lit else {
                return None;
            };
            let parser = Punctuated::<syn::WherePredicate, syn::Token![,]>::parse_terminated;
            predicates.extend(text.parse_with(parser).ok().filter(|_| node == 0)?);
        }
    }
    for predicate in &predicates {
        if let syn::WherePredicate::Type(of) = predicate {
            take(&ty(file, &of.bounded_ty), &of.bounds, file, &mut found);
        }
    }
    Some(found)
}

/// The attributes of one node, layer by layer.
struct Layers {
    node: NodeAttrs,
    always: Layer,
    when: Vec<(markers::Gate, Layer)>,
}

impl Layers {
    fn read(
        attrs: &[Attribute],
        schemars: Vec<Listed>,
        site: Site,
        kube_schema: bool,
        reader: &mut Reader<'_>,
    ) -> Self {
        let mut errors = Vec::new();
        let mut node = markers::read_node(attrs, site, &mut errors);
        reader.report(errors);
        let docs = layer::docs(attrs);
        go_markers::report(attrs, &docs, &node, reader);
        let mut always = Layer::always(attrs, docs, schemars, site, reader);
        let mut when = Vec::new();
        for conditional in std::mem::take(&mut node.conditionals) {
            let markers::Conditional {
                gate,
                docs,
                contents,
            } = conditional;
            when.push((gate, Layer::conditional(docs, &contents, site, reader)));
        }
        if kube_schema {
            for written in std::iter::once(&mut always).chain(when.iter_mut().map(|(_, w)| w)) {
                drop_garde(written, reader);
            }
        }
        Self { node, always, when }
    }

    fn gate(&self, reader: &Reader<'_>) -> Option<Gate> {
        self.node.gate.as_ref().map(|gate| gate_of(gate, reader))
    }

    fn facets(&self, reader: &mut Reader<'_>) -> Conditional<FacetAttrs> {
        let always = facets::facets(&self.always, reader);
        let mut when = Vec::new();
        for (gate, written) in &self.when {
            let found = facets::facets(written, reader);
            if found != FacetAttrs::default() {
                when.push((gate_of(gate, reader), found));
            }
        }
        Conditional { always, when }
    }
}

/// `KubeSchema` copies the struct without `#[garde(..)]`, so schemars never sees it.
fn drop_garde(written: &mut Layer, reader: &mut Reader<'_>) {
    for entry in written.garde.drain(..) {
        reader.find(
            Code::IgnoredAttribute,
            entry.extent(),
            format!(
                "`garde({})` is not in the schema under `KubeSchema`",
                entry.key
            ),
            format!("write `#[schemars({})]` beside it", entry.key),
        );
    }
}

fn container_attrs(attrs: &[Attribute], layers: Layers, reader: &mut Reader<'_>) -> ContainerAttrs {
    let mut kube = kube::kube(&layers.always, reader);
    if let Some(kube) = &mut kube {
        let gate = layers.node.status_gate.as_ref();
        kube.status_gate = gate.map(|gate| gate_of(gate, reader));
        for (gate, written) in &layers.when {
            let found = kube::facets(&written.kube, reader);
            if found != KindFacets::default() {
                kube.facets.when.push((gate_of(gate, reader), found));
            }
        }
    }
    let tombstones = layers
        .node
        .tombstones
        .iter()
        .map(|tombstone| tombstone_of(tombstone, reader))
        .collect();
    ContainerAttrs {
        gate: layers.gate(reader),
        facets: layers.facets(reader),
        serde: Default::default(),
        with: facets::with(&layers.always.schemars, reader),
        transforms: facets::transforms(&layers.always.schemars, reader),
        kube,
        crd: marks::crd(&layers.node, reader),
        tombstones,
        repr: repr(attrs),
    }
}

/// The items in each node's `#[schemars(..)]`s, for the nodes that remain to be read.
type Lists = std::vec::IntoIter<Vec<Listed>>;

/// Reads fields, given their extents, serde's attributes and the items of their `#[schemars(..)]`s.
fn read_fields(
    fields: &Fields,
    (extents, serde, schemars): (Vec<Span>, Vec<FieldSerde>, &mut Lists),
    in_variant: bool,
    kube_schema: bool,
    reader: &mut Reader<'_>,
) -> Vec<FieldDef> {
    let mut found = Vec::with_capacity(fields.len());
    let mut extents = extents.into_iter();
    let mut serde = serde.into_iter();
    for (index, field) in fields.iter().enumerate() {
        let site = markers::field_site(field, in_variant);
        let own = schemars.next().unwrap_or_default();
        let layers = Layers::read(&field.attrs, own, site, kube_schema, reader);
        let (field_name, place) = match &field.ident {
            Some(ident) => (name(ident), reader.place(Extent::of(ident))),
            None => (
                Text::from(index.to_string()),
                reader.place(Extent::of(&field.ty)),
            ),
        };
        found.push(FieldDef {
            name: field_name,
            span: place,
            extent: extents
                .next()
                .unwrap_or_else(|| reader.place(Extent::of(field))),
            ty: ty(reader.file, &field.ty),
            attrs: FieldAttrs {
                gate: layers.gate(reader),
                facets: layers.facets(reader),
                required: facets::required(&layers.always),
                with: with(&field.attrs, &layers.always, reader),
                transforms: facets::transforms(&layers.always.schemars, reader),
                serde: serde.next().unwrap_or_default(),
                crd: marks::crd(&layers.node, reader),
            },
        });
    }
    found
}

/// The source of the schema of a field or a variant: that of schemars, else serde's `with`, read as a type.
fn with(attrs: &[Attribute], always: &Layer, reader: &mut Reader<'_>) -> Option<With> {
    let own = facets::with(&always.schemars, reader);
    if own.is_some() {
        return own;
    }
    let text = overlay::serde_with(attrs)?;
    let found = reader.parsed(&text, "a type")?;
    Some(With::Type(ty(reader.file, &found)))
}

/// Checks that the root type generated by kube has another name than the type it is generated from.
fn distinct_root(attrs: &ContainerAttrs, input: &DeriveInput, reader: &mut Reader<'_>) {
    let Some(kube) = &attrs.kube else {
        return;
    };
    let Some(root) = kube.root.as_ref().or(kube.kind.as_ref()) else {
        return;
    };
    if input.ident == *root.value {
        reader.find(
            Code::InvalidAttribute,
            Extent::of(&input.ident),
            format!(
                "the root type of this kind is already called `{}`",
                root.value
            ),
            format!("call this type `{}Spec`", root.value),
        );
    }
}

fn gate_of(gate: &markers::Gate, reader: &Reader<'_>) -> Gate {
    let markers::Gate { feature, on, span } = gate;
    Gate {
        feature: Text::from(feature.as_str()),
        on: *on,
        span: reader.place(*span),
    }
}

fn tombstone_of(tombstone: &markers::Tombstone, reader: &Reader<'_>) -> Tombstone {
    let markers::Tombstone {
        name,
        removed,
        reason,
        span,
    } = tombstone;
    Tombstone {
        name: reader::text_of(name),
        removed: reader::text_of(removed),
        reason: reader::text_of(reason),
        span: reader.place(*span),
    }
}

/// The type in the first `#[repr(..)]`, if it is the only argument.
fn repr(attrs: &[Attribute]) -> Option<Text> {
    let attr = attrs.iter().find(|attr| attr.path().is_ident("repr"))?;
    let found: syn::Type = attr.parse_args().ok()?;
    Some(Text::from(found.to_token_stream().to_string()))
}

fn style(fields: &Fields) -> Style {
    match fields {
        Fields::Named(_) => Style::Named,
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 => Style::Newtype,
        Fields::Unnamed(_) => Style::Tuple,
        Fields::Unit => Style::Unit,
    }
}
