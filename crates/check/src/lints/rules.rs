//! Lints on rules: optional fields that they read without asking.

use super::{flag, regret, text, texts};
use crate::cel::{self, Property, Shape};
use crate::finding::{Finding, Part};
use crate::registry::Rule;
use crd_channels_validation::path::Path;
use serde_json::Value;

/// A node of a schema as rules on it see it.
#[derive(Clone, Copy)]
struct Node<'s> {
    schema: &'s Value,
    /// Whether it is a whole object, whose metadata the server fills in.
    is_object: bool,
}

impl<'s> Node<'s> {
    fn below(schema: &'s Value) -> Self {
        Self {
            schema,
            is_object: flag(schema, "x-kubernetes-embedded-resource"),
        }
    }

    /// Whether objects may lack the property.
    fn may_lack(self, name: &str, property: &Value) -> bool {
        let filled = self.is_object && matches!(name, "apiVersion" | "kind");
        let required = texts(self.schema, "required").any(|required| required == name);
        let default = property.get("default");
        !filled && !required && default.is_none_or(Value::is_null)
    }
}

impl Shape for Node<'_> {
    fn property(self, fits: &dyn Fn(&str) -> bool) -> Option<Property<Self>> {
        let properties = self.schema.get("properties")?.as_object()?;
        let (name, property) = properties.iter().find(|(name, _)| fits(name))?;
        // What the server fills into metadata is not the schema's.
        let followed = !(self.is_object && name == "metadata");
        followed.then(|| Property {
            shape: Self::below(property),
            optional: self.may_lack(name, property),
        })
    }

    fn items(self) -> Option<Self> {
        self.schema.get("items").map(Self::below)
    }

    fn values(self) -> Option<Self> {
        let values = self.schema.get("additionalProperties");
        values.filter(|values| values.is_object()).map(Self::below)
    }
}

pub(super) fn judge(schema: &Value, is_root: bool, at: Path<'_>, found: &mut Vec<Finding>) {
    let rules = schema.get("x-kubernetes-validations");
    let Some(rules) = rules.and_then(Value::as_array) else {
        return;
    };
    let at = at.child("x-kubernetes-validations");
    let mut node = Node::below(schema);
    node.is_object |= is_root;
    for (index, rule) in rules.iter().enumerate() {
        let expression = text(rule, "rule");
        let Ok(parsed) = cel::parse(expression) else {
            continue;
        };
        // An optional is asked anyway.
        let old = (!flag(rule, "optionalOldSelf")).then_some(node);
        let at = at.index(index);
        for read in cel::unguarded(expression, &parsed, node, old) {
            let of = |range| {
                expression
                    .get::<std::ops::Range<usize>>(range)
                    .unwrap_or_default()
            };
            let (whole, operand) = (of(read.range.clone()), of(read.operand.clone()));
            let message = format!("`{whole}` is read where it may be absent");
            let help = format!(
                "check first, as in `!has({whole}) || ..`, or read it as `{operand}.?{}.orValue(..)`",
                read.field
            );
            found.push(Finding {
                part: Some(Part {
                    expression: expression.to_owned(),
                    range: read.range.clone(),
                }),
                help: Some(help),
                ..regret(Rule::UnguardedRead, at.child("rule"), message)
            });
        }
    }
}
