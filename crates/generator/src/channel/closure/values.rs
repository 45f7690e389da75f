//! Defaults and examples: keys of removed fields go, removed members of enums are errors.

use super::{Closure, Finding, below, ungate, values_of};
use crate::Text;
use crate::diag::{Code, Span};
use crate::schema::{Junctors, Schema};
use serde_json::Value;

/// What a value belongs to.
pub(super) struct Holder<'p> {
    /// `default`, `example`
    pub word: &'static str,
    /// The path of the node that has it.
    pub path: &'p str,
    /// That node.
    pub span: Option<Span>,
}

impl Closure<'_> {
    /// Takes out of a value what the channel lacks. Whether anything changed.
    pub(super) fn prune(
        &mut self,
        value: &mut Value,
        full: &Schema,
        projected: &Schema,
        path: &str,
        holder: &Holder<'_>,
    ) -> bool {
        if std::ptr::eq(full, projected) {
            return false;
        }
        match value {
            Value::Object(entries) => {
                let mut gone = Vec::new();
                let mut changed = false;
                for (name, entry) in entries.iter_mut() {
                    match (
                        full.properties.get(&**name),
                        projected.properties.get(&**name),
                    ) {
                        (Some(field), None) if is_variant(full, name) => {
                            self.removed_value(name, field.origin.0, field.origin.0, holder);
                        }
                        (Some(_), None) => gone.push(name.clone()),
                        (Some(full), Some(projected)) => {
                            let path = below(path, name);
                            changed |= self.prune(entry, full, projected, &path, holder);
                        }
                        (None, _) => {
                            if let (Some(full), Some(projected)) =
                                (values_of(full), values_of(projected))
                            {
                                let path = format!("{path}{{}}");
                                changed |= self.prune(entry, full, projected, &path, holder);
                            }
                        }
                    }
                }
                for name in &gone {
                    entries.remove(name);
                }
                changed || !gone.is_empty()
            }
            Value::Array(items) => {
                let (Some(full), Some(projected)) = (&full.items, &projected.items) else {
                    return false;
                };
                let path = format!("{path}[]");
                let mut changed = false;
                for item in items {
                    changed |= self.prune(item, full, projected, &path, holder);
                }
                changed
            }
            scalar => {
                let allowed = &projected.enum_values;
                let lost = full.enum_values.contains(scalar) && !allowed.contains(scalar);
                if lost && !allowed.is_empty() {
                    let name = scalar
                        .as_str()
                        .map_or_else(|| scalar.to_string(), str::to_owned);
                    self.removed_value(&name, None, full.origin.0, holder);
                }
                false
            }
        }
    }

    /// `node` is the variant where it is a property of its own, `holds` the node whose enum had the value.
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
            self.named(holder.path)
        );
        self.tell(Finding {
            code: Code::GatedValue,
            span: holder.span,
            what,
            name,
            of: gate.map(|gate| gate.span).or(holds),
            gate,
            help: format!(
                "choose a value that every channel has, or {}",
                ungate(gate, name)
            ),
        });
    }
}

/// Whether a property stands for a variant: an alternative requires it.
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
