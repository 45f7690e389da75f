//! Adapts what refers to a removed part, or reports an error. Walks the full and the projected schema in parallel.

mod gatekeepers;
mod junctors;
mod mentions;
mod paths;
mod rules;
mod written_over;
mod values;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod written_tests;

use super::config::Channel;
use super::gates::{STATUS, attribute, condition, with_feature};
use crd_channels_check::{Removed, RemovedKind};
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Span, Text};
use crd_channels_schema::draft::{Draft, Gate, KindFacets};
use crd_channels_schema::{Additional, ListType, Schema};
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
    /// Reported findings, so that a type used twice is reported once.
    reported: BTreeSet<(Code, Option<Span>, Option<Span>, String)>,
    missing: Vec<MissingPart>,
}

/// A removed part: missing from the channel's schema, with everything below it.
struct MissingPart {
    /// Its path from the root: `spec.listeners[].port`.
    path: String,
    /// Its own name; for an enum value, the value.
    name: Text,
    gate: Option<Span>,
}

/// A full schema and its projection; the difference is what the channel lacks.
#[derive(Clone, Copy, Debug)]
pub struct View<'s> {
    /// The full schema.
    pub full: &'s Schema,
    /// The channel's schema.
    pub left: &'s Schema,
}

impl<'s> View<'s> {
    /// Returns the view of a property.
    fn property(self, name: &str) -> Option<Self> {
        Some(Self {
            full: self.full.properties.get(name)?,
            left: self.left.properties.get(name)?,
        })
    }

    /// Returns the view of the items.
    fn items(self) -> Option<Self> {
        Some(Self {
            full: self.full.items.as_deref()?,
            left: self.left.items.as_deref()?,
        })
    }

    /// Returns the view of a map's values.
    fn values(self) -> Option<Self> {
        Some(Self {
            full: self.full.values()?,
            left: self.left.values()?,
        })
    }

    /// Returns the view of a map's keys.
    fn keys(self) -> Option<Self> {
        Some(Self {
            full: self.full.keys.0.as_deref()?,
            left: self.left.keys.0.as_deref()?,
        })
    }

    /// Returns true if nothing was removed.
    fn is_whole(self) -> bool {
        std::ptr::eq(self.full, self.left)
    }

    /// Returns the property of that name if the channel lacks it.
    fn missing_property(self, name: &str) -> Option<&'s Schema> {
        let field = self.full.properties.get(name)?;
        (!self.left.properties.contains_key(name)).then_some(field)
    }

    /// Returns true if the channel lacks this enum value.
    fn lacks_value(self, value: &Value) -> bool {
        let left = &self.left.enum_values;
        !left.is_empty() && self.full.enum_values.contains(value) && !left.contains(value)
    }
}

/// Moves several views of one node to a child.
fn step<'s>(views: &[View<'s>], below: impl Fn(View<'s>) -> Option<View<'s>>) -> Vec<View<'s>> {
    let below = views.iter().filter_map(|view| below(*view));
    below.filter(|view| !view.is_whole()).collect()
}

impl<'a> Closure<'a> {
    /// Creates the closure, with the gates of the version.
    pub fn new(draft: &'a Draft, channel: &'a Channel, sink: &'a mut Sink) -> Self {
        Self {
            draft,
            channel,
            keepers: Gatekeepers::of_version(draft),
            sink,
            reported: BTreeSet::new(),
            missing: Vec::new(),
        }
    }

    /// Closes a channel's schema over its removed parts, and checks the texts of its facets. Each view determines removed parts
    /// by itself: one of the schema as written, one without what attributes set over the types.
    pub fn close(&mut self, views: &[View<'_>], projected: &mut Arc<Schema>, facets: &KindFacets) {
        if let Some(closed) = self.node(views, projected, "") {
            *projected = Arc::new(closed);
        }
        if let Some(scale) = &facets.scale {
            self.scale(views, scale);
        }
        self.mentions(projected, facets);
    }

    /// Closes one node; returns `None` if nothing changes. Nodes that both schemas of a view share lack nothing.
    fn node(&mut self, views: &[View<'_>], projected: &Schema, path: &str) -> Option<Schema> {
        if views.is_empty() {
            return None;
        }
        for view in views {
            self.note_lost(*view, path);
            self.map_keys(*view, projected, path);
            self.rules(*view, projected, path);
            self.check_written_over(*view, projected, path);
            for branch in projected.branches() {
                self.branch(*view, branch, projected, path);
            }
        }
        let mut changed = self.own(views, projected, path);
        for (name, child) in &projected.properties {
            let views = step(views, |view| view.property(name));
            if let Some(child) = self.node(&views, child, &field_path(path, name)) {
                let node = changed.get_or_insert_with(|| projected.clone());
                node.properties.insert(name.clone(), Arc::new(child));
            }
        }
        if let Some(items) = &projected.items
            && let Some(items) = self.node(&step(views, View::items), items, &format!("{path}[]"))
        {
            let node = changed.get_or_insert_with(|| projected.clone());
            node.items = Some(Arc::new(items));
        }
        if let Some(values) = projected.values()
            && let Some(values) =
                self.node(&step(views, View::values), values, &format!("{path}{{}}"))
        {
            let node = changed.get_or_insert_with(|| projected.clone());
            node.additional_properties = Some(Additional::Schema(Arc::new(values)));
        }
        changed
    }

    /// Adapts the keywords of the node that name removed fields: `required`, `default`, `example`.
    fn own(&mut self, views: &[View<'_>], projected: &Schema, path: &str) -> Option<Schema> {
        let mut changed = None;
        let is_lost = |name: &Text| {
            views
                .iter()
                .any(|view| view.missing_property(name).is_some())
        };
        if projected.required.iter().any(is_lost) {
            let node: &mut Schema = changed.get_or_insert_with(|| projected.clone());
            node.required.retain(|name| !is_lost(name));
        }
        for name in &projected.required {
            for view in views {
                self.required_key(name, *view, projected, path);
            }
        }
        if let Some(default) = &projected.default {
            let holder = Holder {
                word: "default",
                path,
                span: projected.origin.0,
            };
            let mut default = Value::clone(default);
            if self.prune(&mut default, views, path, &holder) {
                let node: &mut Schema = changed.get_or_insert_with(|| projected.clone());
                node.default = Some(Box::new(default));
            }
        }
        if let Some(example) = projected
            .notes
            .as_ref()
            .and_then(|notes| notes.example.as_ref())
        {
            let holder = Holder {
                word: "example",
                path,
                span: projected.origin.0,
            };
            let mut example = example.clone();
            if self.prune(&mut example, views, path, &holder) {
                let node: &mut Schema = changed.get_or_insert_with(|| projected.clone());
                node.notes.get_or_insert_default().example = Some(example);
            }
        }
        changed
    }

    /// Checks that all list-map keys are still fields of the items.
    fn map_keys(&mut self, view: View<'_>, projected: &Schema, path: &str) {
        let (Some(merge), Some(items)) = (&projected.merge, view.items()) else {
            return;
        };
        if merge.list_type != Some(ListType::Map) {
            return;
        }
        for key in &merge.list_map_keys {
            let Some(field) = items.missing_property(key) else {
                continue;
            };
            let what = format!("the list-map {} is keyed by `{key}`", self.show_path(path));
            let gate = self.keepers.node(field.origin.0);
            self.report(Finding {
                code: Code::GatedMapKey,
                span: projected.origin.0,
                what,
                name: key,
                of: field.origin.0,
                gate,
                help: format!(
                    "{}, or key the list by a field that every channel has",
                    self.ungate(gate, key)
                ),
            });
        }
    }

    /// Records the fields and values that the channel lacks.
    fn note_lost(&mut self, view: View<'_>, path: &str) {
        let View { full, left } = view;
        for (name, field) in &full.properties {
            if !left.properties.contains_key(name) {
                let gate = self.keepers.node(field.origin.0).map(|gate| gate.span);
                self.note_all(name, field, field_path(path, name), gate);
            }
        }
        if let Some(keys) = view.keys() {
            self.note_lost(keys, path);
        }
        for value in &full.enum_values {
            if let Some(name) = value.as_str()
                && view.lacks_value(value)
            {
                let gate = self
                    .keepers
                    .value(full.origin.0, name)
                    .map(|gate| gate.span);
                self.missing.push(MissingPart {
                    path: field_path(path, name),
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
            } else if let Some(values) = inner.values() {
                inner = values;
                inside.push_str("{}");
            } else {
                break;
            }
        }
        for (name, field) in &inner.properties {
            self.note_all(name, field, field_path(&inside, name), gate);
        }
        self.missing.push(MissingPart {
            path,
            name: name.clone(),
            gate,
        });
    }

    /// Formats a path for messages: `` `spec.a` of `Gateway` v1 ``.
    fn show_path(&self, path: &str) -> String {
        let Draft { kind, version, .. } = self.draft;
        match path {
            "" => format!("the root of `{kind}` {version}"),
            path => format!("`{path}` of `{kind}` {version}"),
        }
    }

    /// Returns the gate that removed a part.
    fn keeper(&self, removed: &Removed) -> Option<&'a Gate> {
        match removed.kind {
            RemovedKind::Field => self.keepers.node(removed.origin.0),
            RemovedKind::EnumValue | RemovedKind::Key => {
                self.keepers.value(removed.origin.0, &removed.name)
            }
        }
    }

    /// Returns how to undo a gate.
    fn ungate(&self, gate: Option<&Gate>, name: &str) -> String {
        match gate {
            Some(gate) if Some(gate) == self.draft.status_gate.as_ref() => {
                format!("remove `#[{}]`", with_feature(gate, Some(STATUS)))
            }
            Some(gate) => format!("remove `{}` from `{name}`", attribute(gate)),
            None => format!("remove the gate of `{name}`"),
        }
    }

    fn report(&mut self, finding: Finding<'_>) {
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
        // The same node of a type has a path for each use; reporting one is enough.
        if !self.reported.insert((code, span, of, name.to_owned())) {
            return;
        }
        let message = format!(
            "{what}, which channel `{}` does not have",
            self.channel.name
        );
        let mut diagnostic = Diagnostic::new(code, span, message).with_help(help);
        if let Some(gate) = gate {
            diagnostic = diagnostic.with_label(
                gate.span,
                format!("it is only available {}", condition(gate)),
            );
        } else if let Some(of) = of.filter(|of| Some(*of) != span) {
            diagnostic = diagnostic.with_label(of, "it comes from here");
        }
        self.sink.push(diagnostic);
    }
}

/// A reference to a removed part.
struct Finding<'g> {
    code: Code,
    span: Option<Span>,
    /// The message up to the removed part's name.
    what: String,
    /// The name of the removed part.
    name: &'g str,
    /// The span of the removed part.
    of: Option<Span>,
    gate: Option<&'g Gate>,
    help: String,
}

/// The keyword that a value belongs to.
struct Holder<'p> {
    /// `default`, `example`
    word: &'static str,
    /// The path of the node that has it.
    path: &'p str,
    /// That node.
    span: Option<Span>,
}

/// Returns the path of a node's field.
fn field_path(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}
