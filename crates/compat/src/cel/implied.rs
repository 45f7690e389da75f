//! Whether a rule rejects anything that was accepted.

use super::propositions::follows;
use super::refuted::refused;
use super::truth::truth;
use crate::findings::verdict::Answer;
use crd_channels_check::cel::{Expression, parse};
use crd_channels_schema::Schema;
use serde_json::Value;

/// Whether a rule is true of every value that the old schema accepts: `No` if it is true of none.
pub(crate) fn holds(rule: &str, old: &Schema) -> Answer {
    parse(rule).map_or(Answer::Unknown, |expression| truth(&expression, old))
}

/// A value that the old schema accepts and a rule rejects; `None` if none was found.
pub(crate) fn counterexample(rule: &str, old: &Schema, is_whole_object: bool) -> Option<Value> {
    refused(&parse(rule).ok()?, old, is_whole_object)
}

/// Whether a rule follows from others: each of its conjuncts follows logically from one of them, or is always true.
pub(crate) fn implied_by(rule: &str, others: &[&str], old: &Schema) -> Answer {
    let Ok(expression) = parse(rule) else {
        return Answer::Unknown;
    };
    let known: Vec<Expression> = others.iter().filter_map(|rule| parse(rule).ok()).collect();
    let implied = |conjunct| {
        known.iter().any(|rule| follows(conjunct, rule)) || truth(conjunct, old) == Answer::Yes
    };
    if expression.conjuncts().into_iter().all(implied) {
        Answer::Yes
    } else {
        Answer::Unknown
    }
}
