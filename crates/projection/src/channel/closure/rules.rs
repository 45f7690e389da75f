//! CEL rules: everything that they read, compare with and point at must exist.

use super::{Closure, Finding, View};
use crate::channel::gates::with_feature;
use crd_channels_check::{Removed, RemovedKind, cel, removed_field_path};
use crd_channels_diagnostics::Code;
use crd_channels_schema::draft::Gate;
use crd_channels_schema::{Expression, Rule, Schema};

impl Closure<'_> {
    /// Checks the rules of one node. Parse errors are reported elsewhere.
    pub(super) fn rules(&mut self, view: View<'_>, projected: &Schema, path: &str) {
        for rule in &projected.rules {
            for expression in rule.expressions() {
                let Ok(tree) = cel::parse(expression.text) else {
                    continue;
                };
                for removed in cel::removed_reads(&tree, view.full, view.left) {
                    self.read(rule, expression, &removed, path);
                }
            }
            let field = rule.field_path.as_deref();
            if let Some(removed) =
                field.and_then(|field| removed_field_path(field, view.full, view.left))
            {
                self.pointed_at(rule, &removed, path);
            }
        }
    }

    fn read(&mut self, rule: &Rule, expression: Expression<'_>, removed: &Removed, path: &str) {
        let gate = self.keeper(removed);
        let place = absolute(path, &removed.path);
        let (code, does) = match removed.kind {
            RemovedKind::Field => (Code::GatedRead, format!("reads `{place}`")),
            RemovedKind::EnumValue => (
                Code::GatedValue,
                format!("compares `{place}` with `{}`", removed.name),
            ),
            RemovedKind::Key => (
                Code::GatedValue,
                format!("names the key `{}` of `{place}`", removed.name),
            ),
        };
        let what = format!(
            "the {} on {} {does}",
            expression.in_words(),
            self.show_path(path)
        );
        self.report(Finding {
            code,
            span: expression.place(removed.offset..removed.offset + removed.len),
            what,
            name: &removed.name,
            of: gate.map(|gate| gate.span).or(removed.origin.0),
            gate,
            help: format!("{}; {LOST}", regate(gate, rule, path)),
        });
    }

    fn pointed_at(&mut self, rule: &Rule, removed: &Removed, path: &str) {
        let gate = self.keeper(removed);
        let place = absolute(path, &removed.path);
        let what = format!(
            "the `fieldPath` of a rule on {} points at `{place}`",
            self.show_path(path)
        );
        self.report(Finding {
            code: Code::GatedFieldPath,
            span: rule.origin.0,
            what,
            name: &removed.name,
            of: gate.map(|gate| gate.span).or(removed.origin.0),
            gate,
            help: format!(
                "{}, or {}; {LOST}",
                regate(gate, rule, path),
                self.ungate(gate, &removed.name)
            ),
        });
    }
}

/// Returns the path from the root for a path that starts at the rule's node.
fn absolute(path: &str, from_self: &str) -> String {
    let rest = from_self.strip_prefix("self").unwrap_or(from_self);
    match path {
        "" => rest.trim_start_matches('.').to_owned(),
        path => format!("{path}{rest}"),
    }
}

/// A drawback of gated rules.
const LOST: &str = "kube does not know gates: `crd()` returns the field, but not a gated rule";

/// Returns the rule at a path, with the gate of the field it reads.
fn regate(gate: Option<&Gate>, rule: &Rule, path: &str) -> String {
    let mut text = format!("Rule::new({:?})", &*rule.rule);
    if let Some(message) = &rule.message {
        text.push_str(&format!(".message({:?})", &**message));
    }
    let list = if path.is_empty() { "kube" } else { "x_kube" };
    let rule = format!("{list}(validation = {text})");
    match gate {
        Some(gate) => format!("write `#[{}]`", with_feature(gate, Some(&rule))),
        None => format!("gate the rule as well: `#[experimental(feature = \"..\", {rule})]`"),
    }
}
