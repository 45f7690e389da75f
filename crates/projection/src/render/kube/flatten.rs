//! `#[serde(flatten)]` as schemars writes it.

use super::super::Renderer;
use super::super::common::inside_option;
use super::super::context::Context;
use super::super::raw::{Raw, Types};
use super::facets::set_merge;
use crd_channels_diagnostics::{Code, Diagnostic, Text};
use crd_channels_schema::draft::{Field, Shape};
use crd_channels_schema::{Additional, JsonType};
use serde_json::Value;
use std::sync::Arc;

impl Renderer<'_> {
    /// Merges a flattened field into the struct around it.
    pub(super) fn flatten(&self, raw: &mut Raw, field: &Field, context: &mut Context<'_>) {
        let optional = matches!(field.ty.shape, Shape::Option(_)) && !field.force_required;
        let mut flat = self.raw(inside_option(self.type_itself(field)), context);
        self.name_units(&mut flat, context);
        if optional {
            make_optional(&mut flat);
        }
        flat.allow_unknown();
        self.misplace(&mut flat, field, context);
        let rules = self.mark_rules(
            inside_option(self.type_itself(field)),
            &flat.node.properties,
        );
        if optional && !rules.is_empty() {
            context.report(
                Code::NonStructural,
                "the rules of this type would also apply where the optional, flattened value is absent",
                "write them on the struct around it, guarded by `has(..)`",
            );
        }
        raw.absorb(flat);
        // schemars keeps the rules of only one flattened type.
        for rule in rules {
            if !raw.node.rules.contains(&rule) {
                raw.node.rules.push(rule);
            }
        }
    }

    /// Names the unit variants: a unit variant is a string, but `{"Variant": null}` if its enum is flattened.
    fn name_units(&self, flat: &mut Raw, context: &mut Context<'_>) {
        let Some(names) = take_units(flat) else {
            return;
        };
        let list = flat.one_of.get_or_insert_default();
        for name in names {
            let null = self.finish(Raw::of_types(Types::NULL), context).schema;
            let mut branch = Raw::of_types(Types::one(JsonType::Object)).from(context.span);
            branch.node.properties.insert(name.clone(), Arc::new(null));
            branch.node.required.push(name);
            list.push(branch);
        }
    }

    /// Moves `#[x_kube(..)]` of a flattened field onto the first of its properties, as kube does, and reports it.
    fn misplace(&self, flat: &mut Raw, field: &Field, context: &mut Context<'_>) {
        let facets = self.selection.resolve(&field.facets);
        let merges = facets.list_type.is_some() || facets.map_type.is_some();
        if facets.rules.is_empty() && !merges {
            return;
        }
        let first = flat.node.properties.iter_mut().next();
        let place = match &first {
            Some((name, _)) => {
                format!("kube moves it to `{name}`, the first field of the flattened type")
            }
            None => "kube drops it".to_owned(),
        };
        context.sink.push(
            Diagnostic::new(
                Code::MisplacedRule,
                field.span,
                format!("`#[x_kube(..)]` does not apply to a flattened field: {place}"),
            )
            .with_help("write it on the struct or on a field of the flattened type"),
        );
        if let Some((_, property)) = first {
            let property = Arc::make_mut(property);
            property.rules.extend(facets.rules.iter().cloned());
            if merges {
                set_merge(property, &facets);
            }
        }
    }
}

fn take_units(flat: &mut Raw) -> Option<Vec<Text>> {
    let string = Types::one(JsonType::String);
    let names = |values: Vec<Value>| {
        let names = values.iter().filter_map(Value::as_str).map(Text::from);
        Some(names.collect())
    };
    if flat.types == string
        && let Some(values) = flat.values.take()
    {
        flat.types = Types::default();
        return names(values);
    }
    let list = flat.one_of.as_mut()?;
    let first = list.first_mut()?;
    if first.types != string {
        return None;
    }
    let values = first.values.take()?;
    list.remove(0);
    names(values)
}

fn make_optional(flat: &mut Raw) {
    flat.node.required.clear();
    if let Some(one_of) = flat.one_of.take() {
        let some = Raw {
            one_of: Some(one_of),
            ..Raw::default()
        };
        flat.absorb(Raw {
            any_of: Some(vec![some, Raw::default()]),
            ..Raw::default()
        });
    }
    if let Some(any_of) = &mut flat.any_of
        && !any_of.contains(&Raw::default())
    {
        any_of.push(Raw::default());
    }
}

impl Raw {
    /// Removes the keywords that deny unknown fields, here and in the branches.
    pub(super) fn allow_unknown(&mut self) {
        let denied = Some(Additional::Allowed(false));
        if self.node.additional_properties == denied {
            self.node.additional_properties = None;
        }
        if self.unevaluated == denied {
            self.unevaluated = None;
        }
        self.branches_mut().for_each(Raw::allow_unknown);
    }
}
