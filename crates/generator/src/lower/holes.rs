//! Holes: replaces schemas and defaults that the source does not determine with marks that can be found once the rest is
//! rendered. The values from the compiled types are recorded, and later used instead.

use super::builtin::ADAPTED;
use super::defaults::ContainerDefault;
use super::hole::{Hole, Missing, is_found_by_compiling, mark};
use super::shapes::shows_default_of_container;
use super::types::{Task, own_gate, plain_type};
use crate::overrides::RecordedField;
use crate::reader::Reader;
use crate::types::{Concrete, Scope};
use crd_channels_diagnostics::{Diagnostic, Severity, Span, Text};
use crd_channels_schema::draft::{Field, Literal, Shape, Type};
use crd_channels_source::TypeRef;
use crd_channels_source::tree::{Body, FieldDef};
use serde_json::{Value, json};
use std::sync::Arc;

impl Task<'_> {
    /// Returns a type. If source does not determine it, this is the record of its schema, or else a mark if holes are marked.
    pub(super) fn or_filled_type(
        &mut self,
        before: usize,
        built: Option<Type>,
        ty: &Concrete,
        at: Span,
    ) -> Option<Type> {
        if self.finding_count() == before {
            return built;
        }
        // A type with arguments differs for each of them, so each use is a hole.
        let place = match ty {
            Concrete::Def(instance) if instance.args.is_empty() => self.reader.type_place(instance),
            // An adapter of serde_with is another one at each use.
            Concrete::External(path, args) if args.is_empty() && **path != *ADAPTED => path.clone(),
            _ => return built,
        };
        let Some(shape) = self.filled_type(before, place, at) else {
            return built;
        };
        let mut filled = plain_type(ty, shape);
        filled.gate = own_gate(ty);
        Some(filled)
    }

    /// Returns the schema of a type that is not read, likewise.
    pub(super) fn filled_type(&mut self, before: usize, place: Text, at: Span) -> Option<Shape> {
        self.explain_stale(before, &place);
        let recorded = self.reader.overrides.records.types.get(&place);
        let findings = self.take_answerable(before, recorded.is_some())?;
        if let Some(schema) = recorded {
            return Some(Shape::Literal(Literal::Value(schema.clone())));
        }
        let shape = literal(Missing::Type, &place);
        self.holes.found.push(Hole {
            missing: Missing::Type,
            place,
            span: place_of(&findings, at),
            findings,
            gate: None,
        });
        Some(shape)
    }

    /// Does the same for a field.
    pub(super) fn or_filled_field(
        &mut self,
        before: usize,
        read: Option<Field>,
        def: &FieldDef,
        scope: &Scope,
    ) -> Option<Field> {
        if self.finding_count() == before {
            return read;
        }
        let Some((place, _)) = self.reader.field_place(def, scope) else {
            return read;
        };
        self.explain_stale(before, &place);
        let recorded = self.reader.overrides.records.fields.get(&place);
        let Some(findings) = self.take_answerable(before, recorded.is_some()) else {
            return read;
        };
        // Its default is part of it.
        self.holes.found.pop_if(|hole| hole.place == place);
        if let Some(recorded) = recorded {
            return Some(recorded_field(def, recorded));
        }
        let gate = def.attrs.facets.when.first().map(|(gate, _)| gate.span);
        let ty = bare_type(def, literal(Missing::Field, &place));
        self.holes.found.push(Hole {
            missing: Missing::Field,
            place,
            span: place_of(&findings, def.span),
            findings,
            gate,
        });
        Some(bare_field(def, Arc::new(ty), true))
    }

    /// Returns the default in the schema of a field, likewise.
    pub(super) fn shown_default(
        &mut self,
        def: &FieldDef,
        scope: &Scope,
        container: &ContainerDefault,
    ) -> Option<Value> {
        let before = self.finding_count();
        let default = self.reader.field_default(def, scope, container);
        let help = self.reader.default_help(&def.attrs.serde.default, scope);
        let default = self.keep(default, &help).flatten();
        let of_container =
            matches!(container, ContainerDefault::Unknown) && shows_default_of_container(def);
        if self.finding_count() == before && !of_container {
            return default;
        }
        let Some((place, owner)) = self.reader.field_place(def, scope) else {
            return default;
        };
        self.explain_stale(before, &place);
        let recorded = self.reader.overrides.records.defaults.get(&place);
        let of_container = self
            .holes
            .containers
            .get(&owner.def.span)
            .filter(|_| of_container);
        let may_fill = recorded.is_some() || self.holes.marking;
        let findings = match of_container.cloned() {
            Some(findings) if may_fill => findings,
            Some(findings) => {
                self.holes.containers.remove(&owner.def.span);
                let before = self.finding_count();
                findings
                    .into_iter()
                    .for_each(|finding| self.report(finding));
                self.explain_stale(before, &place);
                return default;
            }
            None => match self.take_answerable(before, may_fill) {
                Some(findings) => findings,
                None => return default,
            },
        };
        if let Some(recorded) = recorded {
            return recorded.clone();
        }
        let text = mark(Missing::Default, &place);
        self.holes.found.push(Hole {
            missing: Missing::Default,
            place,
            span: place_of(&findings, def.span),
            findings,
            gate: None,
        });
        Some(Value::String(text))
    }

    /// Keeps why the default of a container is unknown for the fields that show it.
    pub(super) fn keep_container(&mut self, before: usize, container: Span) {
        if let Some(findings) = self.take_answerable(before, true) {
            self.holes.containers.insert(container, findings);
        }
    }

    /// Says of the errors since `before` that they were answered once, if the record of a place may not hold any more.
    fn explain_stale(&mut self, before: usize, place: &str) {
        if let Some(changed) = self.reader.overrides.records.stale.get(place) {
            for mut finding in self.take_found(before) {
                if is_found_by_compiling(&finding) {
                    finding.help = Some(format!(
                        "{changed} since `{place}` was recorded: run `crd-channels gen-crds --record` to record it again"
                    ));
                }
                self.report(finding);
            }
        }
    }

    /// Takes the errors since `before` if they can be filled, by a record or a mark, and compiling resolves all of them.
    fn take_answerable(&mut self, before: usize, is_recorded: bool) -> Option<Vec<Diagnostic>> {
        if !is_recorded && !self.holes.marking {
            return None;
        }
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

/// Returns a field with its recorded schema.
fn recorded_field(def: &FieldDef, RecordedField { schema, required }: &RecordedField) -> Field {
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
    Field {
        default,
        ..bare_field(def, ty, !required)
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
        rust_name: def.name.clone(),
        gate: def.attrs.gate.clone(),
        flatten: def.attrs.serde.flatten,
        optional,
        ..Field::new(def.attrs.serde.name.clone(), ty, def.span)
    }
}

impl Reader<'_> {
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
