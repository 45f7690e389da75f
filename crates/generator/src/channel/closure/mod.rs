//! What leans on a removed part goes with it, or is an error: the full schema and a channel's are walked in step.

mod gatekeepers;
mod junctors;
mod mentions;
mod paths;
mod rules;
mod values;

#[cfg(test)]
mod tests;

use super::config::Channel;
use super::gates::{attribute, condition};
use crate::Text;
use crate::check::{Removed, RemovedKind};
use crate::diag::{Code, Diagnostic, Sink, Span};
use crate::schema::draft::{Draft, Gate};
use crate::schema::{Additional, Column, ListType, Schema};
use gatekeepers::Gatekeepers;
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::Arc;

pub use paths::{keep_columns, keep_selectable};

/// The closure of one version in one channel.
pub struct Closure<'a> {
    draft: &'a Draft,
    channel: &'a Channel,
    keepers: Gatekeepers<'a>,
    sink: &'a mut Sink,
    /// What was said already: a type that is used twice is told about once.
    told: BTreeSet<(Code, Option<Span>, Option<Span>, String)>,
    lost: Vec<Lost>,
}

/// A part of the full schema that the channel does not have, with what lies below it.
struct Lost {
    /// Its path from the root: `spec.listeners[].port`.
    path: String,
    /// Its own name; for a value of an enum the value.
    name: Text,
    gate: Option<Span>,
}

impl<'a> Closure<'a> {
    /// A closure that knows the version's gates.
    pub fn new(draft: &'a Draft, channel: &'a Channel, sink: &'a mut Sink) -> Self {
        Self {
            draft,
            channel,
            keepers: Gatekeepers::of(draft),
            sink,
            told: BTreeSet::new(),
            lost: Vec::new(),
        }
    }

    /// Closes a channel's schema over what it lacks of the full one. The channel's columns are read for what they say.
    pub fn close(
        &mut self,
        full: &Schema,
        projected: &mut Arc<Schema>,
        columns: &[(Column, Span)],
    ) {
        if let Some(closed) = self.node(full, projected, "") {
            *projected = Arc::new(closed);
        }
        self.scale(full, projected);
        self.mentions(projected, columns);
    }

    /// Closes one node; none where nothing changes. Nodes that both schemas share lack nothing.
    fn node(&mut self, full: &Schema, projected: &Schema, path: &str) -> Option<Schema> {
        if std::ptr::eq(full, projected) {
            return None;
        }
        self.note_lost(full, projected, path);
        self.map_keys(projected, full, path);
        self.rules(full, projected, path);
        self.junctors(full, projected, path);
        let mut changed = self.own(full, projected, path);
        for (name, child) in &projected.properties {
            let Some(full) = full.properties.get(name) else {
                continue;
            };
            if let Some(child) = self.node(full, child, &below(path, name)) {
                let node = changed.get_or_insert_with(|| projected.clone());
                node.properties.insert(name.clone(), Arc::new(child));
            }
        }
        if let (Some(full), Some(items)) = (&full.items, &projected.items)
            && let Some(items) = self.node(full, items, &format!("{path}[]"))
        {
            let node = changed.get_or_insert_with(|| projected.clone());
            node.items = Some(Arc::new(items));
        }
        if let (Some(full), Some(values)) = (values_of(full), values_of(projected))
            && let Some(values) = self.node(full, values, &format!("{path}{{}}"))
        {
            let node = changed.get_or_insert_with(|| projected.clone());
            node.additional_properties = Some(Additional::Schema(Arc::new(values)));
        }
        changed
    }

    /// What a node itself says of removed fields: `required`, its default, its example.
    fn own(&mut self, full: &Schema, projected: &Schema, path: &str) -> Option<Schema> {
        let mut changed = None;
        let is_lost = |name: &Text| {
            full.properties.contains_key(name) && !projected.properties.contains_key(name)
        };
        if projected.required.iter().any(is_lost) {
            let node: &mut Schema = changed.get_or_insert_with(|| projected.clone());
            node.required.retain(|name| !is_lost(name));
        }
        if let Some(default) = &projected.default {
            let holder = values::Holder {
                word: "default",
                path,
                span: projected.origin.0,
            };
            let mut default = Value::clone(default);
            if self.prune(&mut default, full, projected, path, &holder) {
                let node: &mut Schema = changed.get_or_insert_with(|| projected.clone());
                node.default = Some(Box::new(default));
            }
        }
        if let Some(example) = projected
            .notes
            .as_ref()
            .and_then(|notes| notes.example.as_ref())
        {
            let holder = values::Holder {
                word: "example",
                path,
                span: projected.origin.0,
            };
            let mut example = example.clone();
            if self.prune(&mut example, full, projected, path, &holder) {
                let node: &mut Schema = changed.get_or_insert_with(|| projected.clone());
                node.notes.get_or_insert_default().example = Some(example);
            }
        }
        changed
    }

    /// The keys of a list-map are fields of its items.
    fn map_keys(&mut self, projected: &Schema, full: &Schema, path: &str) {
        let Some(merge) = &projected.merge else {
            return;
        };
        let (Some(full), Some(items)) = (&full.items, &projected.items) else {
            return;
        };
        if merge.list_type != Some(ListType::Map) {
            return;
        }
        for key in &merge.list_map_keys {
            let Some(field) = full.properties.get(key) else {
                continue;
            };
            if items.properties.contains_key(key) {
                continue;
            }
            let what = format!("the list-map {} is keyed by `{key}`", self.named(path));
            let gate = self.keepers.node(field.origin.0);
            self.tell(Finding {
                code: Code::GatedMapKey,
                span: projected.origin.0,
                what,
                name: key,
                of: field.origin.0,
                gate,
                help: format!(
                    "{}, or key the list by a field that every channel has",
                    ungate(gate, key)
                ),
            });
        }
    }

    /// Remembers the fields and values that the channel lacks.
    fn note_lost(&mut self, full: &Schema, projected: &Schema, path: &str) {
        for (name, field) in &full.properties {
            if !projected.properties.contains_key(name) {
                let gate = self.keepers.node(field.origin.0).map(|gate| gate.span);
                self.note_all(name, field, below(path, name), gate);
            }
        }
        if projected.enum_values.is_empty() {
            return;
        }
        for value in &full.enum_values {
            if let Some(name) = value.as_str()
                && !projected.enum_values.contains(value)
            {
                let gate = self
                    .keepers
                    .value(full.origin.0, name)
                    .map(|gate| gate.span);
                self.lost.push(Lost {
                    path: below(path, name),
                    name: name.into(),
                    gate,
                });
            }
        }
    }

    fn note_all(&mut self, name: &Text, field: &Schema, path: String, gate: Option<Span>) {
        let mut inner = field;
        let mut inside = path.clone();
        loop {
            if let Some(items) = &inner.items {
                inner = items;
                inside.push_str("[]");
            } else if let Some(values) = values_of(inner) {
                inner = values;
                inside.push_str("{}");
            } else {
                break;
            }
        }
        for (name, field) in &inner.properties {
            self.note_all(name, field, below(&inside, name), gate);
        }
        self.lost.push(Lost {
            path,
            name: name.clone(),
            gate,
        });
    }

    /// A path as messages have it: `` `spec.a` of `Gateway` v1 ``.
    fn named(&self, path: &str) -> String {
        let Draft { kind, version, .. } = self.draft;
        match path {
            "" => format!("the root of `{kind}` {version}"),
            path => format!("`{path}` of `{kind}` {version}"),
        }
    }

    /// The gate that took something away.
    fn keeper(&self, removed: &Removed) -> Option<&'a Gate> {
        match removed.kind {
            RemovedKind::Field => self.keepers.node(removed.origin.0),
            RemovedKind::EnumValue => self.keepers.value(removed.origin.0, &removed.name),
        }
    }

    fn tell(&mut self, finding: Finding<'_>) {
        let Finding {
            code,
            span,
            what,
            name,
            of,
            gate,
            help,
        } = finding;
        let span = span.or(Some(self.draft.span));
        // The paths of one type's nodes differ by where it is used; one of them is enough.
        if !self.told.insert((code, span, of, name.to_owned())) {
            return;
        }
        let message = format!(
            "{what}, which channel `{}` does not have",
            self.channel.name
        );
        let mut diagnostic = Diagnostic::new(code, span, message).with_help(help);
        if let Some(gate) = gate {
            diagnostic =
                diagnostic.with_label(gate.span, format!("it is there only {}", condition(gate)));
        } else if let Some(of) = of.filter(|of| Some(*of) != span) {
            diagnostic = diagnostic.with_label(of, "it comes from here");
        }
        self.sink.push(diagnostic);
    }
}

/// Something that leans on what the channel lacks.
struct Finding<'g> {
    code: Code,
    span: Option<Span>,
    /// What leans on what; ends with what is lacking.
    what: String,
    /// The name of what is lacking.
    name: &'g str,
    /// The place of what is lacking.
    of: Option<Span>,
    gate: Option<&'g Gate>,
    help: String,
}

/// The path of a field of a node.
fn below(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}

/// What undoes a gate.
fn ungate(gate: Option<&Gate>, name: &str) -> String {
    match gate {
        Some(gate) => format!("remove `{}` from `{name}`", attribute(gate)),
        None => format!("remove the gate that `{name}` stands under"),
    }
}

fn values_of(schema: &Schema) -> Option<&Schema> {
    match schema.additional_properties.as_ref()? {
        Additional::Schema(values) => Some(values),
        Additional::Allowed(_) => None,
    }
}
