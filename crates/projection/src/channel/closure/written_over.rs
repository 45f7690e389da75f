//! Keywords that attributes set over those of the types. They may name removed parts.

use super::{Closure, Finding, View};
use crd_channels_check::spells;
use crd_channels_diagnostics::Code;
use crd_channels_schema::Schema;
use serde_json::Value;

impl Closure<'_> {
    /// Checks `properties`, `enum` and `pattern` of one node.
    pub(super) fn check_written_over(&mut self, view: View<'_>, projected: &Schema, path: &str) {
        self.pattern(view, projected, projected, path);
        // The projected schema itself lacks nothing.
        if std::ptr::eq(view.left, projected) {
            return;
        }
        for name in projected.properties.keys() {
            self.member("`properties`", name, view, projected, path);
        }
        for value in &projected.enum_values {
            if view.lacks_value(value) {
                self.named_value("`enum`", value, view, projected, path);
            }
        }
    }

    /// Checks a required key of a map. Removed fields are no longer required, but this requirement is written by hand.
    pub(super) fn required_key(&mut self, name: &str, view: View<'_>, node: &Schema, path: &str) {
        let key = Value::from(name);
        if let Some(keys) = view.keys().filter(|keys| keys.lacks_value(&key)) {
            self.named_value("`required`", &key, keys, node, path);
        }
    }

    /// Checks a member of an object that a keyword names: a field, or the key of a map.
    pub(super) fn member(
        &mut self,
        keyword: &str,
        name: &str,
        view: View<'_>,
        node: &Schema,
        path: &str,
    ) {
        let key = Value::from(name);
        let keys = view.keys().filter(|keys| keys.lacks_value(&key));
        if let Some(keys) = keys {
            self.named_value(keyword, &key, keys, node, path);
        } else if let Some(field) = view.missing_property(name) {
            self.named_field(keyword, name, field, node, path);
        }
    }

    /// Checks a pattern for an enum that contains one of its values: `^(A|B)$`.
    pub(super) fn pattern(&mut self, view: View<'_>, schema: &Schema, node: &Schema, path: &str) {
        let bounds = schema.bounds.as_deref();
        let Some(pattern) = bounds.and_then(|bounds| bounds.pattern.as_deref()) else {
            return;
        };
        for value in &view.full.enum_values {
            let spelt = value.as_str().is_some_and(|text| spells(pattern, text));
            if spelt && view.lacks_value(value) {
                self.named_value("`pattern`", value, view, node, path);
            }
        }
    }

    /// Reports a keyword that names a field.
    fn named_field(
        &mut self,
        keyword: &str,
        name: &str,
        field: &Schema,
        node: &Schema,
        path: &str,
    ) {
        let gate = self.keepers.node(field.origin.0);
        let what = format!(
            "{keyword} of {} names the field `{name}`",
            self.show_path(path)
        );
        self.report(Finding {
            code: Code::GatedRead,
            span: node.origin.0,
            what,
            name,
            of: field.origin.0,
            gate,
            help: format!(
                "write the keyword under the same gate, or {}",
                self.ungate(gate, name)
            ),
        });
    }

    /// Reports a keyword that names an enum value.
    pub(super) fn named_value(
        &mut self,
        keyword: &str,
        value: &Value,
        view: View<'_>,
        node: &Schema,
        path: &str,
    ) {
        let name = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        let gate = self.keepers.value(view.full.origin.0, &name);
        let what = format!(
            "{keyword} of {} has the value `{name}`",
            self.show_path(path)
        );
        self.report(Finding {
            code: Code::GatedValue,
            span: node.origin.0,
            what,
            name: &name,
            of: gate.map(|gate| gate.span).or(view.full.origin.0),
            gate,
            help: format!(
                "write the keyword under the same gate, or {}",
                self.ungate(gate, &name)
            ),
        });
    }
}
