//! Checks once, for all channels, that every CEL expression parses.

use super::kinds::Kind;
use super::walk;
use crd_channels_check::cel;
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Span, Text, Written};
use crd_channels_schema::draft::{Conditional, Facets, Literal, Shape};
use crd_channels_schema::{Expression, Origin, Rule, expressions_below, step};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use serde_json::Value;

/// The label of a rule whose expression is written elsewhere.
pub const USED: &str = "the rule is built from it here";

/// Parses the rules and message expressions of all kinds.
pub fn check(kinds: &[Kind], sink: &mut Sink) {
    let faults: Vec<_> = expressions(kinds)
        .into_par_iter()
        .filter_map(fault)
        .collect();
    for fault in faults {
        sink.push(fault);
    }
}

fn fault(expression: Expression<'_>) -> Option<Diagnostic> {
    let Expression { text, .. } = expression;
    let error = cel::parse(text).err()?;
    let part = error.part(text);
    let help = match text.get(part.clone()).unwrap_or_default() {
        "" if text.trim().is_empty() => {
            "write a CEL expression such as `self.size() > 0`".to_owned()
        }
        "" => "the expression ends too early; complete it".to_owned(),
        part => format!("the expression is complete up to `{part}`; fix it there"),
    };
    let message = format!(
        "an API server rejects the {}: {}",
        expression.in_words(),
        error.message
    );
    let place = expression.place(part);
    let fault = Diagnostic::new(Code::CelSyntax, place, message).with_help(help);
    Some(match expression.origin_apart_from(place) {
        Some(rule) => fault.with_label(rule, USED),
        None => fault,
    })
}

fn expressions(kinds: &[Kind]) -> Vec<Expression<'_>> {
    let mut all = Vec::new();
    let drafts = || kinds.iter().flat_map(|kind| &kind.versions);
    for draft in drafts() {
        for facets in draft.facets.all() {
            of_rules(Some(draft.span), &facets.rules, &mut all);
        }
    }
    for ty in walk::types(drafts()) {
        let members = walk::members(ty);
        for (span, facets) in walk::facets(ty, &members) {
            of_facets(span, facets, &mut all);
        }
        if let Shape::Literal(literal) = &ty.shape {
            of_literal(ty.span, literal, &mut all);
        }
    }
    all
}

fn of_rules<'k>(span: Option<Span>, rules: &'k [Rule], all: &mut Vec<Expression<'k>>) {
    for rule in rules {
        let origin = Origin(rule.origin.0.or(span));
        let expressions = rule.expressions();
        all.extend(expressions.map(|expression| Expression {
            origin,
            ..expression
        }));
    }
}

fn of_facets<'k>(
    span: Option<Span>,
    facets: &'k Conditional<Facets>,
    all: &mut Vec<Expression<'k>>,
) {
    let mut open: Vec<&Facets> = facets.all().collect();
    while let Some(facets) = open.pop() {
        open.extend(facets.inner.as_deref());
        of_rules(span, &facets.rules, all);
        for (key, value) in &facets.extend {
            of_json(span, step(None, key), value, &facets.extended_rules, all);
        }
        for (key, edit) in &facets.edits {
            if let Some(Literal::Value(value)) = edit.value() {
                of_json(span, step(None, key), value, &[], all);
            }
        }
    }
}

/// Collects the texts anywhere below a keyword, in a schema that is JSON with types in it.
fn of_literal<'k>(span: Option<Span>, literal: &'k Literal, all: &mut Vec<Expression<'k>>) {
    let mut open = vec![(None, literal)];
    while let Some((below, literal)) = open.pop() {
        match literal {
            Literal::Value(value) => of_json(span, below, value, &[], all),
            Literal::Array(items) => open.extend(items.iter().map(|item| (below, item))),
            Literal::Object(entries) => {
                let entries = entries.iter();
                open.extend(entries.map(|(key, value)| (step(below, key), value)));
            }
            Literal::Schema(_, edits) => open.extend(
                edits
                    .iter()
                    .filter_map(|(key, edit)| Some((step(below, key), edit.value()?))),
            ),
        }
    }
}

/// Does the same in plain JSON. For some expressions the span is known.
fn of_json<'k>(
    span: Option<Span>,
    below: Option<&'k str>,
    value: &'k Value,
    texts: &'k [(Text, Written)],
    all: &mut Vec<Expression<'k>>,
) {
    let found = expressions_below(below, value).into_iter();
    all.extend(found.map(|(key, text)| {
        let written = texts.iter().find(|(known, _)| **known == *text);
        Expression {
            key,
            text,
            written: written.map(|(_, written)| written),
            origin: Origin(span),
        }
    }));
}

#[cfg(test)]
mod tests {
    use super::super::builders::*;
    use super::check;
    use crd_channels_diagnostics::Sink;
    use crd_channels_schema::Rule;
    use crd_channels_schema::draft::{Draft, Facets, Literal, Shape};
    use serde_json::json;

    fn case(draft: Draft, expected: usize) {
        let ((), found) = findings(|sink| check(&[kind(vec![draft])], sink));
        assert_eq!(found.len(), expected, "{found:#?}");
        assert!(
            found
                .iter()
                .all(|finding| finding.starts_with("cel-syntax: an API server rejects the "))
        );
    }

    #[test]
    fn rules_parse_wherever_they_stand() {
        let wrong = || Facets {
            rules: vec![rule("self.a ==")],
            ..Facets::default()
        };
        case(gateway(vec![text("a").rule("self.startsWith('a')")]), 0);
        case(gateway(vec![text("a").rule("self.a ==")]), 1);
        case(gateway(vec![text("a").when(gate("A"), wrong())]), 1);
        case(
            gateway(vec![text("a").with(|f| f.inner = Some(Box::new(wrong())))]),
            1,
        );
        case(
            gateway(vec![
                field("a", object("T", vec![]).rule("(")),
                text("b").rule(")"),
            ]),
            2,
        );
        case(
            gateway(vec![field(
                "a",
                values("E", vec![variant("V").rule("1 +")]),
            )]),
            1,
        );
        let mut draft = gateway(vec![]);
        draft.facets.always.rules.push(rule("self.spec."));
        case(draft, 1);
        let message = Rule {
            message_expression: Some("'a' +".into()),
            ..rule("true")
        };
        case(gateway(vec![text("a").with(|f| f.rules.push(message))]), 1);
        let rules = json!([{"rule": "self +", "message": "not ( CEL"}]);
        let extend = ("x-kubernetes-validations".into(), rules.clone());
        case(gateway(vec![text("a").with(|f| f.extend.push(extend))]), 1);
        let whole =
            Literal::Value(json!({"properties": {"a": {"x-kubernetes-validations": rules}}}));
        case(
            gateway(vec![field("a", named_type("L", Shape::Literal(whole)))]),
            1,
        );
    }

    #[test]
    fn the_help_says_where_the_text_breaks() {
        let help = |rule: &str| {
            let mut sink = Sink::default();
            check(
                &[kind(vec![gateway(vec![text("a").rule(rule)])])],
                &mut sink,
            );
            sink.diagnostics()[0].help.clone().unwrap_or_default()
        };
        assert_eq!(
            help("true &&\n  self.a ) "),
            "the expression is complete up to `)`; fix it there"
        );
        assert_eq!(help("self."), "the expression ends too early; complete it");
        assert_eq!(help(""), "write a CEL expression such as `self.size() > 0`");
    }
}
