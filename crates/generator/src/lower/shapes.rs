//! Structs and enums as schemars' derive sees them.

use super::defaults::ContainerDefault;
use super::size::nodes;
use super::types::{Task, is_gated, is_untyped, missing_schema, plain_type};
use crate::types::{Concrete, Instance, Scope};
use crate::values::DEFAULT_HELP;
use crd_channels_diagnostics::{Code, Diagnostic, Span, Text};
use crd_channels_schema::draft::{
    Conditional, Content, Enum, Facets, Field, IntegerVariant, Shape, SkippedVariant, Struct, Type,
    Variant, WellKnown,
};
use crd_channels_schema::known_lists;
use crd_channels_source::TypeRef;
use crd_channels_source::attrs::{
    ContainerAttrs, FacetAttrs, MarkAttrs, SchemaMode, SerdeDefault, VariantAttrs, With,
};
use crd_channels_source::tree::{Body, FieldDef, Style, TypeDef, VariantDef};
use semver::Version;
use std::sync::Arc;

/// The first version of kube whose derive writes no kind without a schema, unless it is told to.
const WITH_SCHEMAS: Version = Version::new(0, 60, 0);

const NUMBER_HELP: &str = "write the number as a literal";

impl Task<'_> {
    /// Lowers a struct or enum of the source.
    pub(super) fn definition(&mut self, instance: &Arc<Instance>, at: Span) -> Option<Type> {
        let def = Arc::clone(&instance.ty.def);
        let ty = Concrete::Def(Arc::clone(instance));
        let crate_name = self.crate_name(instance);
        self.attribute_findings(&instance.ty);
        let Some(derive) = self.schema_derive(instance) else {
            return match self.written_schema(instance) {
                Some(literal) => {
                    let why = format!("the schema of `{}` is written by hand", def.name);
                    self.refuse_idle_gates(&def, &why);
                    let mut written = plain_type(&ty, Shape::Literal(literal?));
                    written.gate = def.attrs.gate.clone();
                    written.well_known = well_known(&crate_name, &def.name);
                    Some(written)
                }
                None => {
                    let graph = self.reader.graph;
                    let off = graph.schemas_off(instance.ty.module);
                    let kube = ["kube_derive", "kube-derive", "kube"];
                    let kube = graph.version_of(instance.ty.module, &kube);
                    let old_kube = kube.filter(|version| *version < WITH_SCHEMAS);
                    self.report(missing_schema(instance, off, old_kube, at));
                    None
                }
            };
        };
        self.remember_renamed(instance);
        let scope = Scope::of_definition(instance);
        let shape = self.shape(instance, &scope, derive);
        let mut facets = match self.ignores_attributes(&def) {
            true => Conditional::default(),
            false => self.facets(&def.attrs.facets, &scope),
        };
        facets.always.edits = self.transforms(&def.attrs.transforms, &scope);
        let extended = def.attrs.facets.all().flat_map(|facets| &facets.extend);
        let edited = facets.always.edits.iter().map(|(key, _)| key);
        let mut keys = extended.map(|(key, ..)| key).chain(edited);
        if keys.any(|key| **key == *"properties") {
            self.refuse_moved_rules(&def, "its attributes write other `properties`");
        }
        let shape = shape?;
        facets.always.marks = self.type_marks(&def.attrs, &shape, &scope);
        // Without attributes of its own, a transparent type is the same as its content.
        if let Shape::Newtype(only) = &shape
            && forwards(&def, only)
        {
            return Some(Type::clone(&only.ty));
        }
        Some(Type {
            name: ty.identity().to_string().into(),
            span: Some(def.span),
            gate: def.attrs.gate.clone(),
            shape,
            well_known: None,
            facets,
            tombstones: def.attrs.tombstones.clone(),
            gated: false,
            nodes: 0,
        })
    }

    /// Returns the derive that provides a type's schema, even if a `use` renames it. `CustomResource` provides one only for the
    /// root.
    fn schema_derive(&self, instance: &Instance) -> Option<Derive> {
        use crd_channels_source::Derive::{JsonSchema, JsonSchemaRepr, KubeSchema};
        let wanted = [JsonSchema, JsonSchemaRepr, KubeSchema];
        Some(
            match self.reader.graph.first_derive(&instance.ty, &wanted)? {
                JsonSchemaRepr => Derive::Repr,
                _ => Derive::Schema,
            },
        )
    }

    /// Reports the errors in the attributes of a type that is used.
    pub(super) fn attribute_findings(&mut self, ty: &TypeRef) {
        let is_local = self.reader.graph.is_local(ty.module);
        let kube = ty.def.attrs.kube.as_ref();
        let is_left_out = kube.is_some_and(|kube| kube.schema == SchemaMode::Disabled);
        // Doc comments of dependencies cannot be changed, and those of a kind that is left out reach no CRD.
        let is_marker = |code| matches!(code, Code::UnreadGate | Code::UnreadMarker);
        for finding in &ty.def.findings {
            if is_local && !is_left_out || !is_marker(finding.code) {
                self.report(finding.clone());
            }
        }
        if let Some(finding) = self.reader.graph.misread(ty) {
            self.report(*finding);
        }
    }

    fn crate_name(&self, instance: &Instance) -> Text {
        let path = self.reader.graph.module_path(instance.ty.module);
        let end = path.find([':', '@', '(', ' ']).unwrap_or(path.len());
        path.get(..end).unwrap_or_default().into()
    }

    /// Lowers a struct or an enum of the source, whose schema schemars derives.
    fn shape(&mut self, instance: &Arc<Instance>, scope: &Scope, derive: Derive) -> Option<Shape> {
        let def = &instance.ty.def;
        let ContainerAttrs {
            gate: _,
            facets: _,
            serde,
            with,
            transforms: _,
            kube: _,
            crd: _,
            tombstones: _,
            repr: _,
        } = &def.attrs;
        if derive == Derive::Repr {
            return self.integer_enum(instance);
        }
        if let Some(with) = with {
            let why = format!("`with` gives `{}` another type's schema", def.name);
            self.refuse_idle_gates(def, &why);
            self.refuse_moved_rules(def, &why);
            let ty = self.type_with(with, scope)?;
            return Some(Shape::Newtype(Box::new(element(0, ty, def.span))));
        }
        if let (true, Body::Struct(_, fields)) = (serde.transparent, &def.body) {
            let only = fields.iter().find(|field| field.attrs.serde.transparent);
            if let Some(only) = only.or_else(|| fields.first()) {
                self.check_transparent(only);
                let why = format!("the schema of `{}` is that of its only field", def.name);
                self.refuse_moved_rules(def, &why);
                let bare = self.without_ignored(only);
                let only = bare.as_ref().unwrap_or(only);
                let field = self.field(only, scope, &ContainerDefault::None)?;
                return Some(Shape::Newtype(Box::new(field)));
            }
        }
        if let Some(from) = &serde.from {
            let why = format!(
                "`{}` is converted from another type and has its schema",
                def.name
            );
            self.refuse_idle_gates(def, &why);
            self.refuse_moved_rules(def, &why);
            let ty = self.ty(from, scope)?;
            return Some(Shape::Newtype(Box::new(element(0, ty, from.span))));
        }
        match &def.body {
            Body::Struct(Style::Unit, _) => Some(Shape::Unit),
            Body::Struct(style, fields) => {
                if let (Style::Newtype, [only]) = (style, &fields[..]) {
                    let only = self.field(only, scope, &ContainerDefault::None)?;
                    return Some(Shape::Newtype(Box::new(only)));
                }
                if *style != Style::Named {
                    let fields = self.fields(fields, scope, &ContainerDefault::None)?;
                    return Some(Shape::Tuple(fields));
                }
                self.sizes_first(&serde.default, fields, scope);
                let default = self.container(instance, fields, scope);
                Some(Shape::Struct(Struct {
                    fields: self.fields(fields, scope, &default)?,
                    deny_unknown: serde.deny_unknown,
                }))
            }
            Body::Enum(variants) => Some(Shape::Enum(Enum {
                tagging: serde.tag.clone(),
                variants: self.variants(variants, scope, serde.deny_unknown)?,
                skipped: match self.is_on_old_schemars() {
                    true => Vec::new(),
                    false => variants.iter().filter_map(skipped).collect(),
                },
                deny_unknown: serde.deny_unknown,
            })),
        }
    }

    /// Reports rules on fields of a struct with another schema: kube adds them to the first property of that schema, which is
    /// not the field.
    fn refuse_moved_rules(&mut self, def: &TypeDef, why: &str) {
        let Body::Struct(_, fields) = &def.body else {
            return;
        };
        for field in fields {
            let all = field.attrs.facets.all();
            let rule = all
                .filter_map(|FacetAttrs { rules, merge, .. }| rules.first().or(merge.as_ref()))
                .next();
            if let Some(rule) = rule {
                let finding = Diagnostic::new(
                    Code::InvalidAttribute,
                    rule.span,
                    format!("kube does not find the field `{}` of this rule", field.name),
                )
                .with_label(def.span, why);
                self.report(
                    finding.with_help("write the rule on the type that defines the schema"),
                );
            }
        }
    }

    /// Lowers the types of a container's fields before its default is evaluated, since the default is as large as they are.
    fn sizes_first(&mut self, default: &SerdeDefault, fields: &[FieldDef], scope: &Scope) {
        if matches!(default, SerdeDefault::None) {
            return;
        }
        for field in fields {
            let shown = !field.attrs.serde.skip_deserializing && field.attrs.with.is_none();
            if let (true, Ok(ty)) = (shown, self.reader.concrete(&field.ty, scope)) {
                self.lower(&ty, field.ty.span);
            }
        }
    }

    /// Returns the default that a container provides for its fields, evaluated only if one of them shows it.
    fn container(
        &mut self,
        instance: &Arc<Instance>,
        fields: &[FieldDef],
        scope: &Scope,
    ) -> ContainerDefault {
        let def = &instance.ty.def;
        let none = matches!(def.attrs.serde.default, SerdeDefault::None);
        let shown = !self.too_large && fields.iter().any(shows_default_of_container);
        if !none && !shown {
            return ContainerDefault::Unknown;
        }
        let before = self.finding_count();
        let this = Concrete::Def(Arc::clone(instance));
        let default = &def.attrs.serde.default;
        let value = self
            .reader
            .container_default(default, scope, &this, def.span);
        let value = self.keep(value, DEFAULT_HELP);
        value.unwrap_or_else(|| {
            self.keep_container(before, def.span);
            ContainerDefault::Unknown
        })
    }

    /// Lowers all fields that are deserialized. Reports the errors of all fields before returning `None` for a missing one.
    fn fields(
        &mut self,
        defs: &[FieldDef],
        scope: &Scope,
        container: &ContainerDefault,
    ) -> Option<Vec<Field>> {
        let fields: Vec<Option<Field>> = defs
            .iter()
            .filter(|def| !def.attrs.serde.skip_deserializing)
            .map(|def| self.field(def, scope, container))
            .collect();
        fields.into_iter().collect()
    }

    fn field(
        &mut self,
        def: &FieldDef,
        scope: &Scope,
        container: &ContainerDefault,
    ) -> Option<Field> {
        let before = self.finding_count();
        let field = self.read_field(def, scope, container);
        self.or_filled_field(before, field, def, scope)
    }

    /// Lowers a field, of which a part may be reported and left out.
    fn read_field(
        &mut self,
        def: &FieldDef,
        scope: &Scope,
        container: &ContainerDefault,
    ) -> Option<Field> {
        let attrs = &def.attrs;
        let edits = self.transforms(&attrs.transforms, scope);
        let (ty, declared) = match &attrs.with {
            Some(with) => (self.type_with(with, scope), self.declared(&def.ty, scope)),
            None => (self.ty(&def.ty, scope), None),
        };
        self.untyped = ty.as_deref().is_some_and(is_untyped);
        let mut facets = self.facets(&attrs.facets, scope);
        facets.always.edits = edits;
        let has_default = !matches!(attrs.serde.default, SerdeDefault::None)
            || !matches!(container, ContainerDefault::None);
        let shows = has_default && !attrs.serde.flatten && !states_default(def);
        let default = if shows && !self.too_large {
            self.shown_default(def, scope, container)
        } else {
            None
        };
        if has_default || attrs.facets.always != FacetAttrs::default() {
            self.refuse_overwritten(def, scope, (&facets.always, container));
        }
        let ty = ty?;
        facets.always.marks = self.field_marks(def, &ty, scope);
        self.untyped = false;
        let is_option = matches!(ty.shape, Shape::Option(_));
        Some(Field {
            rust_name: def.name.clone(),
            gate: attrs.gate.clone(),
            facets,
            flatten: attrs.serde.flatten,
            force_required: attrs.required,
            optional: has_default || (is_option && !attrs.required),
            default,
            nullable: attrs.crd.as_ref().is_some_and(|crd| crd.value.nullable),
            declared,
            ..Field::new(attrs.serde.name.clone(), ty, def.span)
        })
    }

    fn variants(
        &mut self,
        defs: &[VariantDef],
        scope: &Scope,
        deny_unknown: bool,
    ) -> Option<Vec<Variant>> {
        let variants: Vec<Option<Variant>> = defs
            .iter()
            .filter(|def| !def.attrs.skip)
            .map(|def| self.variant(def, scope, deny_unknown))
            .collect();
        variants.into_iter().collect()
    }

    fn variant(&mut self, def: &VariantDef, scope: &Scope, deny_unknown: bool) -> Option<Variant> {
        let attrs = &def.attrs;
        let mut facets = self.facets(&attrs.facets, scope);
        facets.always.edits = self.transforms(&attrs.transforms, scope);
        let none = ContainerDefault::None;
        let content = match (&attrs.with, def.style, &def.fields[..]) {
            (Some(with), _, _) => self.type_with(with, scope).map(Content::With),
            (None, Style::Unit, _) => Some(Content::Unit),
            (None, Style::Newtype, [only]) => self
                .field(only, scope, &none)
                .map(|field| Content::Newtype(Box::new(field))),
            (None, Style::Newtype | Style::Tuple, fields) => {
                self.fields(fields, scope, &none).map(Content::Tuple)
            }
            (None, Style::Named, fields) => self.fields(fields, scope, &none).map(|fields| {
                Content::Struct(Struct {
                    fields,
                    deny_unknown,
                })
            }),
        };
        Some(Variant {
            name: attrs.name.clone(),
            span: def.span,
            gate: attrs.gate.clone(),
            facets,
            untagged: attrs.untagged,
            content: content?,
        })
    }

    fn integer_enum(&mut self, instance: &Arc<Instance>) -> Option<Shape> {
        let values = self.reader.discriminants(instance);
        let values = self.keep(values, NUMBER_HELP)?;
        let Body::Enum(variants) = &instance.ty.def.body else {
            return None;
        };
        let variants = variants
            .iter()
            .zip(values)
            .map(|(variant, value)| IntegerVariant {
                value,
                span: variant.span,
                gate: variant.attrs.gate.clone(),
            });
        Some(Shape::IntegerEnum(variants.collect()))
    }

    /// Lowers the type that `with` or `schema_with` names.
    fn type_with(&mut self, with: &With, scope: &Scope) -> Option<Arc<Type>> {
        match with {
            With::Type(ty) => self.ty(ty, scope),
            With::Function(path) => {
                let literal = self.schema_function(path, scope)?;
                let name = path.segments.last().map(|last| last.name.clone());
                let shape = Shape::Literal(literal);
                let mut ty = Type::new(name.unwrap_or_default(), Some(path.span), shape);
                ty.gated = is_gated(&ty);
                ty.nodes = nodes(&ty);
                Some(Arc::new(ty))
            }
        }
    }
}

/// Returns a variant that is never deserialized.
fn skipped(def: &VariantDef) -> Option<SkippedVariant> {
    let VariantAttrs {
        gate,
        facets,
        with,
        transforms,
        untagged,
        ..
    } = &def.attrs;
    let is_bare = with.is_none() && transforms.is_empty() && *facets == Conditional::default();
    def.attrs.skip.then(|| SkippedVariant {
        gate: gate.clone(),
        is_plain: def.style == Style::Unit && is_bare && !untagged,
        untagged: *untagged,
    })
}

/// Returns true if a field's attributes set the default in its schema.
fn states_default(def: &FieldDef) -> bool {
    let mut extend = def.attrs.facets.always.extend.iter();
    extend.any(|(key, ..)| &**key == "default")
}

pub(super) fn shows_default_of_container(def: &FieldDef) -> bool {
    let serde = &def.attrs.serde;
    let own = !matches!(serde.default, SerdeDefault::None);
    !own && !serde.skip_deserializing
        && !serde.skip_serializing
        && !serde.flatten
        && !states_default(def)
}

/// The derive that provides a type's schema.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Derive {
    /// `JsonSchema`, `KubeSchema`, or `CELSchema`, its name before kube 1
    Schema,
    /// `JsonSchema_repr`
    Repr,
}

/// Returns true if schemars uses the content's schema for a type, so that an `Option` inside makes the field optional.
fn forwards(def: &TypeDef, only: &Field) -> bool {
    let ContainerAttrs {
        gate,
        facets,
        serde,
        with,
        transforms,
        kube: _,
        crd,
        tombstones,
        repr: _,
    } = &def.attrs;
    let by_type = matches!(with, Some(With::Type(_)));
    let own = match &def.body {
        Body::Struct(_, fields) => fields.iter().find(|field| field.span == only.span),
        Body::Enum(_) => None,
    };
    let bare_field = only.facets == Conditional::<Facets>::default()
        && only.gate.is_none()
        && !only.force_required
        && own.is_some_and(|field| field.attrs.with.is_none());
    (by_type || (with.is_none() && serde.transparent && bare_field))
        && gate.is_none()
        && *facets == Conditional::default()
        && crd
            .as_ref()
            .is_none_or(|crd| leaves_schema(&crd.value.marks))
        && transforms.is_empty()
        && tombstones.is_empty()
}

/// Returns true if no mark changes the schema itself.
fn leaves_schema(marks: &MarkAttrs) -> bool {
    let rest = MarkAttrs {
        levels: Vec::new(),
        ..marks.clone()
    };
    rest == MarkAttrs::default()
}

/// Returns types of k8s-openapi of which Kubernetes knows more than their source says. Their names are unique in that crate.
fn well_known(crate_name: &str, name: &str) -> Option<WellKnown> {
    if crate_name != "k8s_openapi" {
        return None;
    }
    Some(match name {
        "Condition" => WellKnown::Condition,
        "IntOrString" => WellKnown::IntOrString,
        "Quantity" => WellKnown::Quantity,
        "ObjectMeta" => WellKnown::ObjectMeta,
        "RawExtension" => WellKnown::RawExtension,
        _ => return known_lists::lists_of(name),
    })
}

/// Returns a field without attributes: an element of a tuple, or the replacement of a whole type.
pub(super) fn element(index: usize, ty: Arc<Type>, span: Span) -> Field {
    Field {
        optional: false,
        ..Field::new(index.to_string(), ty, span)
    }
}
