//! Hand-written alternatives (`allOf`, `anyOf`, `oneOf`, `not`) that name what the channel lacks.

use super::{Closure, Finding, below, ungate};
use crate::Text;
use crate::diag::Code;
use crate::schema::Schema;

impl Closure<'_> {
    /// Checks the junctors of one node.
    pub(super) fn junctors(&mut self, full: &Schema, projected: &Schema, path: &str) {
        for branch in projected.branches() {
            self.branch(branch, full, projected, path);
        }
    }

    /// A branch judges the same value as the node that it hangs on.
    fn branch(&mut self, branch: &Schema, full: &Schema, projected: &Schema, path: &str) {
        for name in branch.required.iter().chain(branch.properties.keys()) {
            if let Some(field) = full.properties.get(name)
                && !projected.properties.contains_key(name)
            {
                self.names(name, field, path, projected);
            }
        }
        for value in &branch.enum_values {
            let allowed = &projected.enum_values;
            let lost = full.enum_values.contains(value) && !allowed.contains(value);
            if let Some(name) = value.as_str().filter(|_| lost && !allowed.is_empty()) {
                let gate = self.keepers.value(full.origin.0, name);
                let what = format!(
                    "an alternative of {} has the value `{name}`",
                    self.named(path)
                );
                self.tell(Finding {
                    code: Code::GatedValue,
                    span: projected.origin.0,
                    what,
                    name,
                    of: gate.map(|gate| gate.span).or(full.origin.0),
                    gate,
                    help: format!(
                        "write the keyword under the same gate, or {}",
                        ungate(gate, name)
                    ),
                });
            }
        }
        for (name, property) in &branch.properties {
            if let (Some(full), Some(projected)) =
                (full.properties.get(name), projected.properties.get(name))
            {
                self.branch(property, full, projected, &below(path, name));
            }
        }
        if let (Some(items), Some(full), Some(projected)) =
            (&branch.items, &full.items, &projected.items)
        {
            self.branch(items, full, projected, &format!("{path}[]"));
        }
        for inner in branch.branches() {
            self.branch(inner, full, projected, path);
        }
    }

    fn names(&mut self, name: &Text, field: &Schema, path: &str, projected: &Schema) {
        let gate = self.keepers.node(field.origin.0);
        let what = format!(
            "an alternative of {} names the field `{name}`",
            self.named(path)
        );
        self.tell(Finding {
            code: Code::GatedRead,
            span: projected.origin.0,
            what,
            name,
            of: field.origin.0,
            gate,
            help: format!(
                "write the keyword under the same gate, or {}",
                ungate(gate, name)
            ),
        });
    }
}
