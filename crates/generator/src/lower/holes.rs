//! Holes: replaces schemas and defaults that the source does not determine with marks that can be found once the rest is
//! rendered. The values from the compiled types are recorded, and later used instead.

use super::builtin::ADAPTED;
use super::defaults::ContainerDefault;
use super::hole::{Hole, Missing, is_found_by_compiling, mark};
use super::shapes::shows_default_of_container;
use super::types::{Task, is_gated, own_gate, plain_type};
use crate::overrides::RecordedField;
use crate::reader::Reader;
use crate::types::{Concrete, Scope};
use crd_channels_diagnostics::{Diagnostic, Severity, Span, Text};
use crd_channels_schema::draft::{Conditional, Field, Literal, Shape, Type};
use crd_channels_source::TypeRef;
use crd_channels_source::tree::{Body, FieldDef};
use serde_json::{Value, json};
use std::sync::Arc;

impl Task<'_> {
    /// Returns the draft of a type, or a mark if holes are marked and the source does not determine it.
    pub(super) fn or_marked_type(
        &mut self,
        before: usize,
        built: Option<Type>,
        ty: &Concrete,
        at: Span,
    ) -> Option<Type> {
        if self.holes.is_none() {
            return built;
        }
        // A type with arguments differs for each of them, so each use is a hole.
        let (place, owner) = match ty {
            Concrete::Def(instance) if instance.args.is_empty() => {
                let place = self.reader.type_place(instance);
                (place, Some(instance.ty.clone()))
            }
            // An adapter of serde_with is another one at each use.
            Concrete::External(path, args) if args.is_empty() && **path != *ADAPTED => {
                (path.clone(), None)
            }
            _ => return built,
        };
        let Some(findings) = self.take_answerable(before) else {
            return built;
        };
        let mut marked = plain_type(ty, literal(Missing::Type, &place));
        marked.gate = own_gate(ty);
        marked.gated = is_gated(&marked);
        self.mark_hole(Hole {
            missing: Missing::Type,
            place,
            span: place_of(&findings, at),
            findings,
            gate: None,
            owner,
        });
        Some(marked)
    }

    /// Returns a mark in place of the hand-written schema of a root, under the same conditions.
    pub(super) fn marked_root(
        &mut self,
        before: usize,
        root: &TypeRef,
        place: Text,
        at: Span,
    ) -> Option<Shape> {
        let findings = self.take_answerable(before)?;
        let shape = literal(Missing::Type, &place);
        self.mark_hole(Hole {
            missing: Missing::Type,
            place,
            span: place_of(&findings, at),
            findings,
            gate: None,
            owner: Some(root.clone()),
        });
        Some(shape)
    }

    /// Returns a mark in place of a field, under the same conditions.
    pub(super) fn or_marked_field(
        &mut self,
        before: usize,
        read: Option<Field>,
        def: &FieldDef,
        scope: &Scope,
    ) -> Option<Field> {
        if self.holes.is_none() {
            return read;
        }
        let Some((place, owner)) = self.reader.field_place(def, scope) else {
            return read;
        };
        let Some(findings) = self.take_answerable(before) else {
            return read;
        };
        let gate = def.attrs.facets.when.first().map(|(gate, _)| gate.span);
        let ty = bare_type(def, literal(Missing::Field, &place));
        self.mark_hole(Hole {
            missing: Missing::Field,
            place,
            span: place_of(&findings, def.span),
            findings,
            gate,
            owner: Some(owner),
        });
        Some(bare_field(def, Arc::new(ty), true))
    }

    /// Returns the recorded field, if there is one.
    pub(super) fn recorded_field(&self, def: &FieldDef, scope: &Scope) -> Option<Field> {
        let RecordedField { schema, required } = self.reader.recorded_field(def, scope)?;
        let mut schema = schema.clone();
        // Only kube writes an `Option` as `nullable`, so that is not part of the schema.
        let nullable = schema.get("nullable") == Some(&Value::Bool(true));
        let optional = nullable && !required;
        let mut default = None;
        if let Some(schema) = schema.as_object_mut() {
            if optional {
                schema.remove("nullable");
            }
            default = schema.remove("default");
        }
        let own = Arc::new(bare_type(def, Shape::Literal(Literal::Value(schema))));
        let ty = match optional {
            true => Arc::new(bare_type(def, Shape::Option(own))),
            false => own,
        };
        Some(Field {
            default,
            ..bare_field(def, ty, !required)
        })
    }

    /// Returns the default in the schema of a field: the one in the source, else the recorded one.
    pub(super) fn shown_default(
        &mut self,
        def: &FieldDef,
        scope: &Scope,
        container: &ContainerDefault,
    ) -> Option<Value> {
        if let Some(recorded) = self.reader.recorded_default(def, scope) {
            return recorded.clone();
        }
        let before = self.finding_count();
        let default = self.reader.field_default(def, scope, container);
        let help = self.reader.default_help(&def.attrs.serde.default, scope);
        let default = self.keep(default, &help).flatten();
        if self.holes.is_none() {
            return default;
        }
        let Some((place, owner)) = self.reader.field_place(def, scope) else {
            return default;
        };
        let of_container = || {
            let unknown = matches!(container, ContainerDefault::Unknown);
            let why = self.holes.as_ref()?.containers.get(&owner.def.span)?;
            (unknown && shows_default_of_container(def)).then(|| why.clone())
        };
        let Some(findings) = of_container().or_else(|| self.take_answerable(before)) else {
            return default;
        };
        let text = mark(Missing::Default, &place);
        self.mark_hole(Hole {
            missing: Missing::Default,
            place,
            span: place_of(&findings, def.span),
            findings,
            gate: None,
            owner: Some(owner),
        });
        Some(Value::String(text))
    }

    /// Records why the default of a container is unknown, for the fields that would show it.
    pub(super) fn keep_container(&mut self, before: usize, container: Span) {
        if let Some(findings) = self.take_answerable(before)
            && let Some(holes) = &mut self.holes
        {
            holes.containers.insert(container, findings);
        }
    }

    fn mark_hole(&mut self, hole: Hole) {
        if let Some(holes) = &mut self.holes {
            holes.found.push(hole);
        }
    }

    /// Takes the errors since `before` if holes are marked and compiling resolves all of them.
    fn take_answerable(&mut self, before: usize) -> Option<Vec<Diagnostic>> {
        self.holes.as_ref()?;
        let mut taken = self.take_found(before);
        let is_error = |finding: &Diagnostic| finding.severity() == Severity::Error;
        let mut errors = taken.iter().filter(|finding| is_error(finding)).peekable();
        let answerable = errors.peek().is_some() && errors.all(is_found_by_compiling);
        if !answerable {
            taken.into_iter().for_each(|finding| self.report(finding));
            return None;
        }
        let (errors, others) = taken.drain(..).partition(is_error);
        let others: Vec<Diagnostic> = others;
        others.into_iter().for_each(|finding| self.report(finding));
        Some(errors)
    }
}

/// Returns a schema that only marks a hole, with a keyword that neither attributes nor transforms change.
fn literal(missing: Missing, place: &str) -> Shape {
    Shape::Literal(Literal::Value(json!({
        "type": "object",
        "externalDocs": { "url": mark(missing, place) },
    })))
}

/// Returns the span of a hole: that of the first finding, if it has one.
fn place_of(findings: &[Diagnostic], otherwise: Span) -> Span {
    let first = findings.first();
    first.and_then(|finding| finding.span).unwrap_or(otherwise)
}

/// Returns a type with only a shape.
fn bare_type(def: &FieldDef, shape: Shape) -> Type {
    Type {
        nodes: 1,
        ..Type::new(def.name.clone(), Some(def.span), shape)
    }
}

/// Returns a field with only the gate and the position that the source gives it.
fn bare_field(def: &FieldDef, ty: Arc<Type>, optional: bool) -> Field {
    Field {
        name: def.attrs.serde.name.clone(),
        rust_name: def.name.clone(),
        span: def.span,
        gate: def.attrs.gate.clone(),
        ty,
        facets: Conditional::default(),
        flatten: def.attrs.serde.flatten,
        force_required: false,
        optional,
        default: None,
        nullable: false,
        declared: None,
    }
}

impl Reader<'_> {
    /// Returns the record of a field.
    pub(super) fn recorded_field(&self, def: &FieldDef, scope: &Scope) -> Option<&RecordedField> {
        let fields = &self.overrides.records.fields;
        if fields.is_empty() {
            return None;
        }
        fields.get(&self.field_place(def, scope)?.0)
    }

    /// Returns the recorded default of a field: `Some(None)` if it shows none.
    pub(super) fn recorded_default(&self, def: &FieldDef, scope: &Scope) -> Option<&Option<Value>> {
        let defaults = &self.overrides.records.defaults;
        if defaults.is_empty() {
            return None;
        }
        defaults.get(&self.field_place(def, scope)?.0)
    }

    /// Returns the full path of a field, and the type that contains it.
    pub(super) fn field_place(&self, def: &FieldDef, scope: &Scope) -> Option<(Text, TypeRef)> {
        let Some(Concrete::Def(instance)) = &scope.this else {
            return None;
        };
        let is_in = |fields: &[FieldDef]| fields.iter().any(|field| field.span == def.span);
        let mut place = self.type_place(instance).to_string();
        match &instance.ty.def.body {
            Body::Struct(_, fields) if is_in(fields) => {}
            Body::Struct(..) => return None,
            Body::Enum(variants) => {
                let variant = variants.iter().find(|variant| is_in(&variant.fields))?;
                place.push_str(&format!("::{}", variant.name));
            }
        }
        place.push_str(&format!(".{}", def.name));
        Some((place.into(), instance.ty.clone()))
    }
}
