//! Defaults and examples: keys of removed fields are dropped, removed enum members are errors.

use super::{Closure, Finding, Holder, View, field_path, step};
use crd_channels_diagnostics::{Code, Span, Text};
use crd_channels_schema::{Junctors, Schema};
use serde_json::Value;

impl Closure<'_> {
    /// Removes from a value what the channel lacks. Returns true if the value changed.
    pub(super) fn prune(
        &mut self,
        value: &mut Value,
        views: &[View<'_>],
        path: &str,
        holder: &Holder<'_>,
    ) -> bool {
        if views.is_empty() {
            return false;
        }
        match value {
            Value::Object(entries) => {
                let mut gone = Vec::new();
                let mut changed = false;
                for (name, entry) in entries.iter_mut() {
                    let key = Value::String(name.clone());
                    let keys = step(views, View::keys);
                    if let Some(keys) = keys.iter().find(|keys| keys.lacks_value(&key)) {
                        self.removed_value(name, None, keys.full.origin.0, holder);
                        continue;
                    }
                    let lost = views
                        .iter()
                        .find_map(|view| Some((view, view.missing_property(name)?)));
                    match lost {
                        Some((view, field)) if is_variant(view.full, name) => {
                            self.removed_value(name, field.origin.0, field.origin.0, holder);
                        }
                        Some(_) => gone.push(name.clone()),
                        None => {
                            let fields = step(views, |view| view.property(name));
                            let path = field_path(path, name);
                            changed |= self.prune(entry, &fields, &path, holder);
                            let is_map =
                                |view: View<'_>| !view.full.properties.contains_key(&**name);
                            let values = step(views, |view| is_map(view).then(|| view.values())?);
                            let path = format!("{path}{{}}");
                            changed |= self.prune(entry, &values, &path, holder);
                        }
                    }
                }
                for name in &gone {
                    entries.remove(name);
                }
                changed || !gone.is_empty()
            }
            Value::Array(items) => {
                let views = step(views, View::items);
                let path = format!("{path}[]");
                let mut changed = false;
                for item in items {
                    changed |= self.prune(item, &views, &path, holder);
                }
                changed
            }
            scalar => {
                for view in views {
                    if view.lacks_value(scalar) {
                        let name = scalar
                            .as_str()
                            .map_or_else(|| scalar.to_string(), str::to_owned);
                        self.removed_value(&name, None, view.full.origin.0, holder);
                    }
                }
                false
            }
        }
    }

    /// `node` is the variant if it is a property of its own; `holds` is the node whose enum had the value.
    fn removed_value(
        &mut self,
        name: &str,
        node: Option<Span>,
        holds: Option<Span>,
        holder: &Holder<'_>,
    ) {
        let gate = self
            .keepers
            .node(node)
            .or_else(|| self.keepers.value(holds, name));
        let what = format!(
            "the {} of {} has the value `{name}`",
            holder.word,
            self.show_path(holder.path)
        );
        self.report(Finding {
            code: Code::GatedValue,
            span: holder.span,
            what,
            name,
            of: gate.map(|gate| gate.span).or(holds),
            gate,
            help: format!(
                "choose a value that every channel has, or {}",
                self.ungate(gate, name)
            ),
        });
    }
}

/// Returns true if the property represents a variant: an alternative requires it.
fn is_variant(full: &Schema, name: &str) -> bool {
    let Some(junctors) = &full.junctors else {
        return false;
    };
    let Junctors { one_of, any_of, .. } = &**junctors;
    let names = |required: &[Text]| matches!(required, [only] if **only == *name);
    one_of
        .iter()
        .chain(any_of)
        .any(|branch| names(&branch.required))
}
