//! Telling what a rule refuses from what a keyword refuses, and mending objects that break a rule.

use crate::cluster::http::Answer;
use crate::cluster::objects::dice::Dice;
use crate::cluster::objects::field::{Field, Step};
use crate::cluster::objects::valid;
use crate::schema::{Additional, Rule, Schema};
use serde_json::Value;

/// One cause of a refusal.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Cause {
    /// The field, as the server writes it.
    pub field: String,
    /// The reason.
    pub reason: String,
    /// The message.
    pub message: String,
}

/// Where a server puts its note that it did not evaluate the rules of an object that is broken anyway.
const NOWHERE: &str = "<nil>";

/// The causes of a refusal.
pub fn causes(answer: &Answer) -> Vec<Cause> {
    let answer = answer.json();
    let causes = answer["details"]["causes"].as_array();
    let text = |cause: &Value, name: &str| cause[name].as_str().unwrap_or_default().to_owned();
    let causes = causes.into_iter().flatten().map(|cause| Cause {
        field: text(cause, "field"),
        reason: text(cause, "reason"),
        message: text(cause, "message"),
    });
    // The note that rules were left out stands at no field; what the scale subresource makes of a number stands at its path.
    let is_at_field = |cause: &Cause| cause.field != NOWHERE && !cause.field.starts_with('.');
    causes.filter(is_at_field).collect()
}

/// Whether a rule of the schema refuses.
pub fn is_of_rule(schema: &Schema, cause: &Cause) -> bool {
    let mut found = false;
    visit(schema, &mut |node| {
        found |= node.rules.iter().any(|rule| says(rule, cause));
    });
    found
}

/// Whether a cause is in a rule's words: its message, or the rule itself where it has none or fails to run. A rule's duplicate
/// comes without words, and a computed message is any that is not a keyword's.
fn says(rule: &Rule, cause: &Cause) -> bool {
    let message = rule.message.as_deref().unwrap_or(&rule.rule).trim();
    let is_duplicate = rule.reason.as_deref() == Some("FieldValueDuplicate");
    cause.message.ends_with(message)
        || cause.message.contains(&*rule.rule)
        || (is_duplicate && cause.message == "Duplicate value")
        || (rule.message_expression.is_some() && !cause.message.contains(" in body "))
}

fn visit(schema: &Schema, look: &mut impl FnMut(&Schema)) {
    look(schema);
    let values = match &schema.additional_properties {
        Some(Additional::Schema(values)) => Some(values),
        _ => None,
    };
    for below in schema
        .properties
        .values()
        .chain(&schema.items)
        .chain(values)
    {
        visit(below, look);
    }
}

/// The schema of what stands at a place.
fn at<'s>(schema: &'s Schema, field: &[Step]) -> Option<&'s Schema> {
    field.iter().try_fold(schema, |schema, step| match step {
        Step::Index(_) => schema.items.as_deref(),
        Step::Name(name) => match (
            schema.properties.get(&**name),
            &schema.additional_properties,
        ) {
            (Some(property), _) => Some(&**property),
            (None, Some(Additional::Schema(values))) => Some(&**values),
            (None, _) => None,
        },
    })
}

/// Changes an object that breaks a rule at a place: what stands there or somewhere above is made anew, or goes.
pub fn mend(schema: &Schema, object: &mut Value, place: &str, dice: &mut Dice) {
    let mut field = Field::parse(place);
    while field.0.len() > 1 && (dice.chance(1, 3) || field.get(object).is_none()) {
        field.0.pop();
    }
    if dice.chance(1, 2)
        && let Some(value) = at(schema, &field.0).and_then(|schema| valid::value(schema, dice))
        && let Some(here) = field.get_mut(object)
    {
        *here = value;
    } else {
        field.remove(object);
    }
}
