//! The JSON output of `explain-rule`.

use super::super::costs::display_field;
use super::parts::{Declared, ExplainedPart};
use super::{Explained, Expression, ExpressionPrice, RulePosition};
use crd_channels_cel::cost::RULE_LIMIT;
use crd_channels_check::{Finding, Level};
use crd_channels_diagnostics::program::as_typed;
use crd_channels_diagnostics::report::{Annotation, json as json_findings, json_finding};
use crd_channels_diagnostics::{Code, Diagnostic, Sources};
use serde_json::{Value, json};
use std::ops::Range;

/// The version of the JSON format, raised when a key is removed or changes its meaning.
const FORMAT: u64 = 2;

/// Formats one document: the rules, or the reason why there are none.
pub(super) fn document(explained: &Result<Vec<Explained>, String>) -> Value {
    match explained {
        Ok(explained) => whole(explained.iter().map(rule).collect(), &[]),
        Err(message) => {
            let finding = Diagnostic::new(Code::UnreadableFile, None, message.as_str());
            failed(&[finding])
        }
    }
}

/// The document of a run that could not begin.
pub(crate) fn failed(findings: &[Diagnostic]) -> Value {
    whole(json!([]), findings)
}

fn whole(rules: Value, findings: &[Diagnostic]) -> Value {
    json!({
        "format": FORMAT,
        "budget": RULE_LIMIT,
        "rules": rules,
        "findings": json_findings(findings, &Sources::default()),
    })
}

fn rule(explained: &Explained) -> Value {
    json!({
        "positions": explained.places.iter().map(place).collect::<Vec<_>>(),
        "accept": !explained.is_rejected(),
        "compiled": !explained.is_uncompiled,
        "expressions": explained.expressions.iter().map(expression).collect::<Vec<_>>(),
        "findings": explained.findings.iter().map(finding).collect::<Vec<_>>(),
    })
}

fn place(place: &RulePosition) -> Value {
    json!({
        "kind": place.kind,
        "version": place.version,
        "field": display_field(&place.field),
        "rule": place.rule,
        "file": place.file,
    })
}

fn expression(expression: &Expression) -> Value {
    let priced = expression.priced.as_ref();
    let need = priced.and_then(|priced| priced.need.as_ref());
    json!({
        "of": expression.keyword,
        "text": expression.text,
        "once": priced.map(|priced| priced.once),
        "times": priced.map(|priced| priced.times),
        "cost": priced.map(|priced| priced.cost),
        "above": priced.map(|priced| &priced.above),
        "kubernetes": priced.map(|ExpressionPrice { minor, .. }| format!("1.{minor}")),
        "newest": need.map(|need| json!({"range": range(&need.range), "uses": need.what})),
        "parts": expression.parts.as_ref().map(part),
    })
}

fn part(explained: &ExplainedPart) -> Value {
    let size = explained.size.as_ref().map(|size| {
        let declared = size.declared.as_ref().map(
            |Declared {
                 place,
                 bound,
                 is_bounded,
             }| {
                json!({"node": place, "keyword": bound.keyword(), "bounded": is_bounded})
            },
        );
        json!({"most": size.most, "unit": size.unit, "by": declared})
    });
    json!({
        "range": range(&explained.range),
        "text": explained.text,
        "type": explained.ty,
        "cost": explained.price.map(|price| price.cost),
        "times": explained.price.map(|price| price.times),
        "size": size,
        "errors": explained.errors,
        "parts": explained.below.iter().map(part).collect::<Vec<_>>(),
    })
}

fn finding(finding: &Finding) -> Value {
    let part = finding.part.as_ref();
    let mut object = json_finding(&Annotation {
        record: finding.rule.record_at(Level::Deny),
        message: finding.message.clone(),
        help: Some(as_typed(finding.help()).into_owned()),
        file: None,
        region: None,
        field: None,
    });
    object["field"] = json!(finding.field.as_ref().map(ToString::to_string));
    object["range"] = json!(part.map(|part| range(&part.range)));
    object
}

fn range(range: &Range<usize>) -> Value {
    json!({"start": range.start, "end": range.end})
}
