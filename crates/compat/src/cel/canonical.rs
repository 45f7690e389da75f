//! Analyses of a rule's text.

use crd_channels_cel::Text;
use crd_channels_cel::calls::Call;
use crd_channels_check::cel::ast::Kind;
use crd_channels_check::cel::{Expression, parse};
use std::collections::BTreeSet;

/// The canonical text of a rule, or the rule itself if it does not parse.
pub(crate) fn canonical(rule: &str) -> String {
    match parse(rule) {
        Ok(expression) => crd_channels_cel::canonical(&expression),
        Err(_) => rule.split_whitespace().collect::<Vec<_>>().join(" "),
    }
}

/// Whether two rules have most of their parts in common.
pub(crate) fn resembles(one: &str, other: &str) -> bool {
    similar::TextDiff::from_words(one, other).ratio() > 0.7
}

/// Whether a rule compares with the old object.
pub(crate) fn transitional(rule: &str) -> bool {
    parse(rule).map_or_else(
        |_| rule.contains("oldSelf"),
        |expression| expression.names("oldSelf"),
    )
}

/// The names of all fields that a rule selects.
pub(crate) fn selects(rule: &str) -> BTreeSet<Text> {
    let name = |part: &Expression| match &part.kind {
        Kind::Select { field, .. } => Some(field.text.clone()),
        _ => None,
    };
    parse(rule).map_or_else(
        |_| BTreeSet::new(),
        |expression| expression.parts().filter_map(name).collect(),
    )
}

/// The fields of `self` that a rule reads without a presence test for them anywhere.
pub(crate) fn unguarded(rule: &str) -> BTreeSet<Text> {
    let Ok(expression) = parse(rule) else {
        return BTreeSet::new();
    };
    let asked = expression.parts().filter_map(|part| match part.call() {
        Some(Call::Has(selection)) => field_of_self(selection.whole),
        _ => None,
    });
    let asked: BTreeSet<Text> = asked.collect();
    let read = expression.parts().filter_map(field_of_self);
    read.filter(|name| !asked.contains(name)).collect()
}

/// The name in `self.name`.
fn field_of_self(part: &Expression) -> Option<Text> {
    let selection = part.selection()?;
    let of_self = selection.operand.is_named("self") && !selection.optional;
    of_self.then(|| selection.field.text.clone())
}
