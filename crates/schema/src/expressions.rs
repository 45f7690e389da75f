//! Rule expressions in schemas written as JSON.

use super::{Rule, Schema};
use crd_channels_diagnostics::{Text, Written};
use serde_json::Value;

/// The keyword of rules.
const KEYWORD: &str = "x-kubernetes-validations";

/// The rule expressions in a JSON value, each with its key: `rule` or `messageExpression`. `below` is the key of the value, if
/// that is the keyword of rules or inside it.
#[must_use]
pub fn expressions_below<'v>(below: Option<&'v str>, value: &'v Value) -> Vec<(&'v str, &'v str)> {
    let mut all = Vec::new();
    let mut open = vec![(below, value)];
    while let Some((below, value)) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items.iter().map(|item| (below, item))),
            Value::Object(entries) => {
                let entries = entries.iter();
                open.extend(entries.map(|(key, value)| (step(below, key), value)));
            }
            Value::String(text) => {
                if let Some(key @ ("rule" | "messageExpression")) = below {
                    all.push((key, text.as_str()));
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    all
}

/// The key of a value, if it is the keyword of rules or inside it.
#[must_use]
pub fn step<'k>(below: Option<&'k str>, key: &'k str) -> Option<&'k str> {
    (below.is_some() || key == KEYWORD).then_some(key)
}

impl Schema {
    /// Sets the spans of rule expressions that came as JSON.
    pub fn place_rules(&mut self, texts: &[(Text, Written)]) {
        for rule in &mut self.rules {
            rule.place(texts);
        }
    }
}

impl Rule {
    fn place(&mut self, texts: &[(Text, Written)]) {
        let of = |text: &Text| {
            let found = texts.iter().find(|(known, _)| known == text);
            found.map(|(_, written)| written.clone())
        };
        if let Some(written) = of(&self.rule).filter(|_| self.rule_written.is_unknown()) {
            self.rule_written = written;
        }
        let message = self.message_expression.as_ref();
        let message = message.filter(|_| self.message_written.is_unknown());
        if let Some(written) = message.and_then(of) {
            self.message_written = written;
        }
    }
}
