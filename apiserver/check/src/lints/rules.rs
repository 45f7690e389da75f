//! Lints on rules: optional fields that they read without a presence test.

use super::regret::regret;
use crate::cel::{self, Property, Shape};
use crate::document::model::Schema;
use crate::finding::{Finding, Part};
use crate::registry::Rule;
use crd_channels_validation::path::Path;

/// A node of a schema as rules see it.
#[derive(Clone, Copy)]
struct RuleNode<'s, 'a> {
    schema: &'s Schema<'a>,
    /// Whether it is a whole object, whose metadata the server sets.
    is_object: bool,
}

impl<'s, 'a> RuleNode<'s, 'a> {
    fn of_child(schema: &'s Schema<'a>) -> Self {
        Self {
            schema,
            is_object: schema.embedded_resource,
        }
    }

    /// Whether the property may be absent.
    fn may_lack(self, name: &str, property: &Schema<'_>) -> bool {
        let filled = self.is_object && matches!(name, "apiVersion" | "kind");
        let required = self
            .schema
            .required
            .iter()
            .any(|required| *required == name);
        !filled && !required && property.default.is_none()
    }
}

impl Shape for RuleNode<'_, '_> {
    fn property(self, fits: &dyn Fn(&str) -> bool) -> Option<Property<Self>> {
        let mut properties = self.schema.properties.iter();
        let (name, property) = properties.find(|(name, _)| fits(name))?;
        // The server's metadata is not described by the schema.
        let followed = !(self.is_object && *name == "metadata");
        followed.then(|| Property {
            shape: Self::of_child(property),
            optional: self.may_lack(name, property),
        })
    }

    fn items(self) -> Option<Self> {
        self.schema.item().map(Self::of_child)
    }

    fn values(self) -> Option<Self> {
        self.schema.values().map(Self::of_child)
    }
}

pub(super) fn lint(schema: &Schema<'_>, is_root: bool, at: Path<'_>, found: &mut Vec<Finding>) {
    let at = at.child("x-kubernetes-validations");
    let mut node = RuleNode::of_child(schema);
    node.is_object |= is_root;
    for (index, rule) in schema.rules.iter().enumerate() {
        let expression = rule.rule;
        let Ok(parsed) = cel::parse(expression) else {
            continue;
        };
        // An optional has a presence test anyway.
        let old = (rule.optional_old_self != Some(true)).then_some(node);
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
