//! What else goes when a node goes: keys of defaults, columns, selectable fields. What cannot simply go, because it says
//! something about the node, is an error at the line that says it.

use super::gates::written;
use super::nodes::{Node, gates_by_place, walk};
use super::words::{Words, gated_names};
use crate::Text;
use crate::check::cel::{parse, removed_reads};
use crate::check::{Removed, RemovedKind, removed_field_path, removed_json_path};
use crate::diag::{Code, Diagnostic, Sink, Span};
use crate::render::{Cache, Convention, Renderer, Selection};
use crate::schema::draft::{Draft, Enum, Gate, Shape};
use crate::schema::{Additional, Rule, Scale, Schema};
use serde_json::Value;
use std::collections::HashMap;
use std::sync::Arc;

/// One version in one channel, beside the version with every gate open.
pub(super) struct Closure<'a> {
    channel: &'a str,
    /// The schema with everything in it; none where nothing is gated, so that nothing can be gone.
    full: Option<Arc<Schema>>,
    gates: HashMap<Span, &'a Gate>,
    words: Words,
}

impl<'a> Closure<'a> {
    pub(super) fn new(
        draft: &'a Draft,
        channel: &'a str,
        selection: Selection<'_>,
        convention: Convention,
        cache: &Cache,
        sink: &mut Sink,
    ) -> Self {
        let gated = draft.root.as_ref().is_some_and(|root| root.gated);
        if !gated {
            return Self {
                channel,
                full: None,
                gates: HashMap::new(),
                words: Words::default(),
            };
        }
        empty_enums(draft, channel, selection, sink);
        // What is wrong with the full schema is wrong with a channel's too, or nobody's concern.
        let full = Renderer::new(convention, Selection::Everything, cache)
            .root(draft, &mut Sink::default());
        Self {
            channel,
            full,
            gates: gates_by_place(draft),
            words: gated_names(draft, selection),
        }
    }

    /// The projected schema with its defaults closed; everything in it is judged.
    pub(super) fn schema(&self, projected: Arc<Schema>, sink: &mut Sink) -> Arc<Schema> {
        let full = self.full.clone().unwrap_or_else(|| projected.clone());
        let mut path = String::new();
        self.node(&full, &projected, &mut path, sink)
            .unwrap_or(projected)
    }

    /// Whether a JSONPath runs through something that is gone.
    pub(super) fn removes(&self, path: &str, projected: &Schema) -> bool {
        self.full
            .as_ref()
            .is_some_and(|full| removed_json_path(path, full, projected).is_some())
    }

    /// Scale paths cannot go.
    pub(super) fn scale(&self, scale: &Scale, span: Span, projected: &Schema, sink: &mut Sink) {
        let Some(full) = &self.full else {
            return;
        };
        let Scale {
            spec_replicas_path,
            status_replicas_path,
            label_selector_path,
        } = scale;
        for path in [spec_replicas_path, status_replicas_path]
            .into_iter()
            .chain(label_selector_path)
        {
            if let Some(removed) = removed_json_path(path, full, projected) {
                let message = format!(
                    "the scale path `{path}` runs through a field that channel `{}` lacks",
                    self.channel
                );
                let help =
                    "gate the field no longer, or point the path at one that every channel has";
                self.report(
                    Code::GatedScalePath,
                    Some(span),
                    message,
                    &removed,
                    help.to_owned(),
                    sink,
                );
            }
        }
    }

    /// Judges a node and all below it; comes back with a new node where a default had to change.
    fn node(
        &self,
        full: &Schema,
        projected: &Arc<Schema>,
        path: &mut String,
        sink: &mut Sink,
    ) -> Option<Arc<Schema>> {
        for rule in &projected.rules {
            self.rule(rule, full, projected, path, sink);
        }
        self.words.check(self.channel, projected, sink);
        if self.full.is_some() {
            self.map_keys(full, projected, path, sink);
        }
        let mut changed: Option<Schema> = None;
        if let (Some(default), Some(_)) = (&projected.default, &self.full) {
            let closed = self.default(default, full, projected, projected, path, sink);
            if closed != **default {
                changed
                    .get_or_insert_with(|| Schema::clone(projected))
                    .default = Some(Box::new(closed));
            }
        }
        for (name, child) in &projected.properties {
            let Some(full) = full.properties.get(name) else {
                continue;
            };
            if let Some(closed) = self.below(full, child, &format!(".{name}"), path, sink) {
                let changed = changed.get_or_insert_with(|| Schema::clone(projected));
                changed.properties.insert(name.clone(), closed);
            }
        }
        if let (Some(full), Some(child)) = (&full.items, &projected.items)
            && let Some(closed) = self.below(full, child, "[]", path, sink)
        {
            changed
                .get_or_insert_with(|| Schema::clone(projected))
                .items = Some(closed);
        }
        if let (Some(Additional::Schema(full)), Some(Additional::Schema(child))) = (
            &full.additional_properties,
            &projected.additional_properties,
        ) && let Some(closed) = self.below(full, child, "{}", path, sink)
        {
            let changed = changed.get_or_insert_with(|| Schema::clone(projected));
            changed.additional_properties = Some(Additional::Schema(closed));
        }
        changed.map(Arc::new)
    }

    fn below(
        &self,
        full: &Schema,
        child: &Arc<Schema>,
        step: &str,
        path: &mut String,
        sink: &mut Sink,
    ) -> Option<Arc<Schema>> {
        let length = path.len();
        path.push_str(if path.is_empty() {
            step.trim_start_matches('.')
        } else {
            step
        });
        let closed = self.node(full, child, path, sink);
        path.truncate(length);
        closed
    }

    fn rule(&self, rule: &Rule, full: &Schema, projected: &Schema, path: &str, sink: &mut Sink) {
        let Rule {
            rule: text,
            message: _,
            message_expression,
            reason: _,
            field_path,
            optional_old_self: _,
            origin,
        } = rule;
        let at = if path.is_empty() {
            "the root".to_owned()
        } else {
            format!("`{path}`")
        };
        for (what, text) in [
            ("rule", Some(text)),
            ("message expression", message_expression.as_ref()),
        ] {
            let Some(text) = text else { continue };
            let expression = match parse(text) {
                Ok(expression) => expression,
                Err(error) => {
                    let message =
                        format!("the {what} on {at} is no CEL expression: {}", error.message);
                    let help =
                        format!("the error is at character {} of `{text}`", error.offset + 1);
                    sink.push(Diagnostic::new(Code::CelSyntax, origin.0, message).with_help(help));
                    continue;
                }
            };
            if self.full.is_none() {
                continue;
            }
            for removed in removed_reads(&expression, full, projected) {
                let (code, verb) = match removed.kind {
                    RemovedKind::Field => (Code::GatedRead, "reads"),
                    RemovedKind::EnumValue => (Code::GatedValue, "compares with the value"),
                };
                let message = match removed.kind {
                    RemovedKind::Field => {
                        format!(
                            "the {what} on {at} {verb} `{}`, which channel `{}` lacks",
                            removed.path, self.channel
                        )
                    }
                    RemovedKind::EnumValue => format!(
                        "the {what} on {at} {verb} `{}` of `{}`, which channel `{}` lacks",
                        removed.name, removed.path, self.channel
                    ),
                };
                self.report(
                    code,
                    origin.0,
                    message,
                    &removed,
                    self.gate_the_rule(&removed),
                    sink,
                );
            }
        }
        if let (Some(field_path), Some(_)) = (field_path, &self.full)
            && let Some(removed) = removed_field_path(field_path, full, projected)
        {
            let message = format!(
                "the `fieldPath` `{field_path}` of the rule on {at} points to a field that channel `{}` lacks",
                self.channel
            );
            self.report(
                Code::GatedFieldPath,
                origin.0,
                message,
                &removed,
                self.gate_the_rule(&removed),
                sink,
            );
        }
    }

    fn gate_of(&self, removed: &Removed) -> Option<&&'a Gate> {
        self.gates.get(&removed.origin.0?)
    }

    fn gate_the_rule(&self, removed: &Removed) -> String {
        match self.gate_of(removed) {
            Some(gate) => {
                let attribute = written(gate).replace("#[", "").replace(']', "");
                let inside = match attribute.strip_suffix(')') {
                    Some(with_feature) => format!("#[{with_feature}, x_kube(validation = ..))]"),
                    None => format!("#[{attribute}(x_kube(validation = ..))]"),
                };
                format!("gate the rule like the field: `{inside}`")
            }
            None => "gate the rule like what it reads: `#[experimental(x_kube(validation = ..))]`"
                .to_owned(),
        }
    }

    fn report(
        &self,
        code: Code,
        span: Option<Span>,
        message: String,
        removed: &Removed,
        help: String,
        sink: &mut Sink,
    ) {
        let mut finding = Diagnostic::new(code, span, message).with_help(help);
        if let Some(gate) = self.gate_of(removed) {
            finding = finding.with_label(gate.span, format!("`{}` is gated here", removed.name));
        }
        sink.push(finding);
    }

    fn map_keys(&self, full: &Schema, projected: &Schema, path: &str, sink: &mut Sink) {
        let keys = projected
            .merge
            .iter()
            .flat_map(|merge| &merge.list_map_keys);
        let (Some(full), Some(items)) = (&full.items, &projected.items) else {
            return;
        };
        for key in keys {
            let Some(gone) = full
                .properties
                .get(key)
                .filter(|_| !items.properties.contains_key(key))
            else {
                continue;
            };
            let message = format!(
                "the list-map key `{key}` of `{path}` is a field that channel `{}` lacks",
                self.channel
            );
            let mut finding = Diagnostic::new(Code::GatedMapKey, projected.origin.0, message)
                .with_help(
                    "a key must be in every channel: remove its gate, or choose another key",
                );
            if let Some(gate) = gone.origin.0.and_then(|span| self.gates.get(&span)) {
                finding = finding.with_label(gate.span, format!("`{key}` is gated here"));
            }
            sink.push(finding);
        }
    }

    /// A default without the keys that are gone. A value that is gone cannot be left out: it is reported at `owner`, the
    /// node whose default it is.
    fn default(
        &self,
        value: &Value,
        full: &Schema,
        projected: &Schema,
        owner: &Schema,
        path: &str,
        sink: &mut Sink,
    ) -> Value {
        if full.enum_values.contains(value) && !projected.enum_values.contains(value) {
            let message = format!(
                "the default of `{path}` names `{}`, which channel `{}` lacks",
                plain(value),
                self.channel
            );
            let help = "choose a default that every channel has";
            sink.push(Diagnostic::new(Code::GatedValue, owner.origin.0, message).with_help(help));
        }
        match value {
            Value::Object(entries) => Value::Object(
                entries
                    .iter()
                    .filter_map(|(key, value)| {
                        let known = full.properties.get(key.as_str());
                        let kept = projected.properties.get(key.as_str());
                        let closed = match (
                            known,
                            kept,
                            &full.additional_properties,
                            &projected.additional_properties,
                        ) {
                            (Some(_), None, _, _) => return None,
                            (Some(full), Some(kept), _, _) => {
                                self.default(value, full, kept, owner, path, sink)
                            }
                            (
                                None,
                                _,
                                Some(Additional::Schema(full)),
                                Some(Additional::Schema(kept)),
                            ) => self.default(value, full, kept, owner, path, sink),
                            _ => value.clone(),
                        };
                        Some((key.clone(), closed))
                    })
                    .collect(),
            ),
            Value::Array(items) => match (&full.items, &projected.items) {
                (Some(full), Some(kept)) => Value::Array(
                    items
                        .iter()
                        .map(|item| self.default(item, full, kept, owner, path, sink))
                        .collect(),
                ),
                _ => value.clone(),
            },
            _ => value.clone(),
        }
    }
}

fn plain(value: &Value) -> Text {
    match value {
        Value::String(text) => text.as_str().into(),
        other => other.to_string().into(),
    }
}

/// An enum that a channel reaches keeps at least one value.
fn empty_enums(draft: &Draft, channel: &str, selection: Selection<'_>, sink: &mut Sink) {
    walk(draft, &mut |node, _| match node {
        Node::Field(field) => selection.keeps(field.gate.as_ref()),
        Node::Variant(variant) => selection.keeps(variant.gate.as_ref()),
        Node::Type(ty) => {
            let gates: Vec<Option<&Gate>> = match &ty.shape {
                Shape::Enum(Enum { variants, .. }) => variants
                    .iter()
                    .map(|variant| variant.gate.as_ref())
                    .collect(),
                Shape::IntegerEnum(variants) => variants
                    .iter()
                    .map(|variant| variant.gate.as_ref())
                    .collect(),
                _ => return true,
            };
            if !gates.is_empty() && !gates.iter().any(|gate| selection.keeps(*gate)) {
                let message = format!("channel `{channel}` has no value of the enum `{}`", ty.name);
                let help =
                    "keep one variant without a gate, or gate the fields of this type as well";
                sink.push(Diagnostic::new(Code::EmptyEnum, ty.span, message).with_help(help));
            }
            true
        }
    });
}
