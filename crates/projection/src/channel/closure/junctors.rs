//! Hand-written alternatives (`allOf`, `anyOf`, `oneOf`, `not`) that name removed parts.

use super::{Closure, View, field_path, step};
use crd_channels_schema::Schema;

impl Closure<'_> {
    /// Checks a branch, which validates the same value as the node it belongs to.
    pub(super) fn branch(&mut self, view: View<'_>, branch: &Schema, node: &Schema, path: &str) {
        for name in branch.required.iter().chain(branch.properties.keys()) {
            self.member("an alternative", name, view, node, path);
        }
        for value in &branch.enum_values {
            if view.lacks_value(value) {
                self.named_value("an alternative", value, view, node, path);
            }
        }
        self.pattern(view, branch, node, path);
        let views = [view];
        for (name, property) in &branch.properties {
            for view in step(&views, |view| view.property(name)) {
                let inner = node.properties.get(name).map_or(node, |inner| &**inner);
                self.branch(view, property, inner, &field_path(path, name));
            }
        }
        for (inner, view, mark) in [
            (branch.items.as_deref(), view.items(), "[]"),
            (branch.values().map(|values| &**values), view.values(), "{}"),
        ] {
            if let (Some(inner), Some(view)) = (inner, view)
                && !view.is_whole()
            {
                self.branch(view, inner, node, &format!("{path}{mark}"));
            }
        }
        for inner in branch.branches() {
            self.branch(view, inner, node, path);
        }
    }
}
