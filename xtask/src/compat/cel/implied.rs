//! Whether a rule refuses anything that was accepted.

use super::canonical::written;
use super::refuted::refused;
use super::truth::truth;
use crate::check::cel::ast::{Expression, Kind, Logic};
use crate::check::cel::parse;
use crate::compat::verdict::Answer;
use crate::schema::Schema;
use serde_json::Value;

/// Whether a rule is true of every value that the old schema accepts; no where it is true of none.
pub(in crate::compat) fn holds(rule: &str, old: &Schema) -> Answer {
    parse(rule).map_or(Answer::Unknown, |expression| truth(&expression, old))
}

/// A value that the old schema accepts and a rule refuses; none where none was found.
pub(in crate::compat) fn counterexample(rule: &str, old: &Schema) -> Option<Value> {
    refused(&parse(rule).ok()?, old)
}

/// Whether a rule follows from others: each of its conjuncts is one of theirs, or a disjunction with all of the
/// alternatives of one of theirs, or true anyway.
pub(in crate::compat) fn implied_by(rule: &str, others: &[&str], old: &Schema) -> Answer {
    let Ok(expression) = parse(rule) else {
        return Answer::Unknown;
    };
    let known: Vec<Expression> = others.iter().filter_map(|rule| parse(rule).ok()).collect();
    let known: Vec<Vec<String>> = known
        .iter()
        .flat_map(|expression| parts(expression, Logic::And))
        .map(alternatives)
        .collect();
    let conjuncts = parts(&expression, Logic::And);
    let all = conjuncts.into_iter().all(|conjunct| {
        let mine = alternatives(conjunct);
        let follows = known
            .iter()
            .any(|theirs| theirs.iter().all(|one| mine.contains(one)));
        follows || truth(conjunct, old) == Answer::Yes
    });
    if all { Answer::Yes } else { Answer::Unknown }
}

fn parts(expression: &Expression, logic: Logic) -> Vec<&Expression> {
    match &expression.kind {
        Kind::Logic {
            operator, operands, ..
        } if *operator == logic => operands
            .iter()
            .flat_map(|operand| parts(operand, logic))
            .collect(),
        _ => vec![expression],
    }
}

/// `a || b`, and `c ? a : true` as `!c || a`.
fn alternatives(expression: &Expression) -> Vec<String> {
    parts(expression, Logic::Or)
        .into_iter()
        .flat_map(|part| match &part.kind {
            Kind::Conditional {
                condition,
                then,
                otherwise,
            } if written(otherwise) == "true" => {
                let mut all = alternatives(then);
                all.push(negated(condition));
                all
            }
            _ => vec![written(part)],
        })
        .collect()
}

fn negated(expression: &Expression) -> String {
    let text = written(expression);
    match text.strip_prefix('!') {
        Some(inner) => inner.to_owned(),
        None => format!("!{text}"),
    }
}
