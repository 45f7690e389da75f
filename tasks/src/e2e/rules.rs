//! Distinguishes refusals by rules from refusals by keywords, and repairs objects that break a rule.

use crate::objects::dice::Dice;
use crate::objects::field::{Field, Segment};
use crate::objects::valid;
use crd_channels_envtest::http::Answer;
use crd_channels_schema::{Rule, Schema};
use serde_json::Value;

/// One cause of a refusal.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Cause {
    /// The field path in the server's notation.
    pub field: String,
    /// The reason.
    pub reason: String,
    /// The message.
    pub message: String,
}

/// The field of the server's note that it did not evaluate the rules of an object that is invalid anyway.
const NOWHERE: &str = "<nil>";

/// Returns the causes of a refusal.
pub fn causes(answer: &Answer) -> Vec<Cause> {
    let answer = answer.json();
    let causes = answer["details"]["causes"].as_array();
    let text = |cause: &Value, name: &str| cause[name].as_str().unwrap_or_default().to_owned();
    let causes = causes.into_iter().flatten().map(|cause| Cause {
        field: text(cause, "field"),
        reason: text(cause, "reason"),
        message: text(cause, "message"),
    });
    causes.filter(|cause| is_at_field(&cause.field)).collect()
}

/// Whether a refusal names a field. The note that rules were not evaluated has none, and errors about numbers of the scale
/// subresource have its path.
pub fn is_at_field(field: &str) -> bool {
    !field.is_empty() && field != NOWHERE && !field.starts_with('.')
}

/// Whether a rule of the schema refuses.
pub fn is_of_rule(schema: &Schema, cause: &Cause) -> bool {
    let mut found = false;
    visit(schema, &mut |node| {
        found |= node.rules.iter().any(|rule| is_about(rule, cause));
    });
    found
}

/// Whether a cause has a rule's message, or the rule itself if it has no message or fails to run. A rule's duplicate comes
/// without a message, and a computed message can be any that is not a keyword's.
fn is_about(rule: &Rule, cause: &Cause) -> bool {
    let message = rule.message.as_deref().unwrap_or(&rule.rule).trim();
    let is_duplicate = rule.reason.as_deref() == Some("FieldValueDuplicate");
    cause.message.ends_with(message)
        || cause.message.contains(&*rule.rule)
        || (is_duplicate && cause.message == "Duplicate value")
        || (rule.message_expression.is_some() && !cause.message.contains(" in body "))
}

fn visit(schema: &Schema, look: &mut impl FnMut(&Schema)) {
    look(schema);
    schema.children().for_each(|below| visit(below, look));
}

/// Returns the schema at a place.
fn schema_at<'s>(schema: &'s Schema, field: &[Segment]) -> Option<&'s Schema> {
    field.iter().try_fold(schema, |schema, step| match step {
        Segment::Index(_) => schema.items.as_deref(),
        Segment::Name(name) => schema.member(name).map(|below| &**below),
    })
}

/// Changes an object that breaks a rule at a place: the value there or somewhere above is replaced or removed.
pub fn repair(schema: &Schema, object: &mut Value, place: &str, dice: &mut Dice) {
    let mut field = Field::parse(place);
    while field.0.len() > 1 && (dice.chance(1, 3) || field.get(object).is_none()) {
        field.0.pop();
    }
    if dice.chance(1, 2)
        && let Some(value) =
            schema_at(schema, &field.0).and_then(|schema| valid::value(schema, dice))
        && let Some(here) = field.get_mut(object)
    {
        *here = value;
    } else {
        field.remove(object);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::{Answer, Cause, Dice, Schema, causes, is_of_rule, repair};
    use serde_json::{Value, json};

    fn schema() -> Schema {
        let rule = |rule: &str, more: Value| {
            let mut fields = more;
            fields["rule"] = json!(rule);
            fields
        };
        let value = json!({"type": "object", "properties": {"spec": {"type": "object", "properties": {
            "a": {"type": "integer", "minimum": 5, "maximum": 6, "x-kubernetes-validations": [rule("self > 5", json!({"message": "more than 5"}))]},
            "b": {"type": "array", "maxItems": 9, "items": {"type": "integer"}, "x-kubernetes-validations": [
                rule("self.all(x, true)", json!({"reason": "FieldValueDuplicate"})),
            ]},
        }}}});
        Schema::from_json(&value).unwrap()
    }

    #[test]
    fn rules_are_told_from_keywords() {
        let check = |message: &str, expected: bool| {
            let cause = Cause {
                field: "spec.a".to_owned(),
                reason: String::new(),
                message: message.to_owned(),
            };
            assert_eq!(is_of_rule(&schema(), &cause), expected, "{message}");
        };
        check("Invalid value: 5: more than 5", true);
        check(
            "Invalid value: 5: rule evaluation failed: self > 5: no such key",
            true,
        );
        check("Duplicate value", true);
        check("Duplicate value: 7", false);
        check(
            "Invalid value: 4: spec.a in body should be greater than or equal to 5",
            false,
        );
    }

    #[test]
    fn causes_are_read_without_what_is_no_field() {
        let status = json!({"details": {"causes": [
            {"field": "spec.a", "reason": "FieldValueInvalid", "message": "x"},
            {"field": "<nil>", "reason": "FieldValueInvalid", "message": "some validation rules were not checked"},
            {"field": ".spec.a", "reason": "FieldValueInvalid", "message": "should be a non-negative integer"},
        ]}});
        let answer = Answer {
            text: status.to_string(),
            ..Answer::default()
        };
        let fields: Vec<String> = causes(&answer)
            .into_iter()
            .map(|cause| cause.field)
            .collect();
        assert_eq!(fields, ["spec.a"]);
        assert_eq!(causes(&Answer::default()), []);
    }

    #[test]
    fn mending_changes_what_breaks_the_rule_or_what_holds_it() {
        let mut dice = Dice::new("repairing");
        let mut seen = [false; 3];
        for _ in 0..100 {
            let mut object = json!({"spec": {"a": 5}});
            repair(&schema(), &mut object, "spec.a", &mut dice);
            match object.pointer("/spec/a").map(|value| *value == 6) {
                Some(made_anew) => seen[0] |= made_anew,
                None if object.get("spec").is_some() => seen[1] = true,
                None => seen[2] = true,
            }
        }
        assert_eq!(seen, [true; 3]);
    }
}
