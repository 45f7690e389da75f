//! The output of `explain-rule` for people.

use super::super::costs::{one_line, share};
use super::parts::{Declared, ExplainedPart, Limit};
use super::{Explained, Expression, ExpressionPrice};
use crd_channels_cel::cost::{Bound, RULE_LIMIT};
use crd_channels_projection::bundle::sizes::grouped;
use std::fmt::Write as _;

/// Formats a rule and its message.
pub(super) fn format_rule(explained: &Explained) -> String {
    let mut text = String::new();
    for expression in &explained.expressions {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "{}: {}", expression.keyword, expression.text);
        if let Some(priced) = &expression.priced {
            text.push_str(&cost(expression, priced));
        }
        if let Some(parts) = &expression.parts {
            text.push_str(&table(parts));
        }
    }
    if explained.is_uncompiled {
        text.push_str("servers compile rules only if the rest of the schema is valid:\n");
    }
    for finding in &explained.findings {
        let at = match &finding.field {
            Some(field) if explained.is_uncompiled => format!(" at `{field}`"),
            _ => String::new(),
        };
        let message = finding.message_with_part();
        let _ = writeln!(text, "error{at}: {message}\nhelp: {}", finding.help());
    }
    text
}

/// Formats the cost of an expression, the number of evaluations and the Kubernetes version that it needs.
fn cost(expression: &Expression, priced: &ExpressionPrice) -> String {
    let mut text = format!(
        "costs up to {} of {}, {}",
        grouped(priced.cost),
        grouped(RULE_LIMIT),
        share(priced.cost, RULE_LIMIT).trim_end()
    );
    if !priced.above.is_empty() {
        let _ = write!(
            text,
            ": {} for each of up to {} values\n  {}",
            grouped(priced.once),
            grouped(priced.times),
            priced.above.join("\n  ")
        );
    }
    let minor = priced.minor;
    let _ = writeln!(text, "\nnew rules can use it since Kubernetes 1.{minor}");
    if let Some(need) = &priced.need {
        let part = expression.text.get(need.range.clone()).unwrap_or_default();
        let _ = writeln!(text, "  `{}` uses `{}`", one_line(part), need.what);
    }
    text
}

struct Row {
    cost: String,
    times: String,
    ty: String,
    text: String,
    note: String,
}

/// Formats the table: parts are below the part that contains them. An expression that does not compile has no cost.
fn table(parts: &ExplainedPart) -> String {
    let head = |text: &str| text.to_owned();
    let mut rows = vec![Row {
        cost: head("cost"),
        times: head("times"),
        ty: head("type"),
        text: head("part"),
        note: String::new(),
    }];
    collect(parts, 0, &mut rows);
    let width = |column: fn(&Row) -> &str| {
        let widths = rows.iter().map(|row| column(row).chars().count());
        widths.max().unwrap_or_default()
    };
    let (cost, times) = (width(|row| &row.cost), width(|row| &row.times));
    let (ty, text) = (width(|row| &row.ty), width(|row| &row.text));
    let mut table = String::new();
    for row in &rows {
        let price = match parts.price {
            Some(_) => format!("{:>cost$}  {:>times$}  ", row.cost, row.times),
            None => String::new(),
        };
        let line = format!("  {price}{:ty$}  {:text$}  {}", row.ty, row.text, row.note);
        let _ = writeln!(table, "{}", line.trim_end());
    }
    table
}

fn collect(part: &ExplainedPart, depth: usize, rows: &mut Vec<Row>) {
    let price = part.price;
    let size = part.size.as_ref().map(in_words);
    let notes: Vec<String> = size
        .into_iter()
        .chain(part.errors.iter().cloned())
        .collect();
    rows.push(Row {
        cost: price.map_or_else(String::new, |price| grouped(price.cost)),
        times: price.map_or_else(String::new, |price| grouped(price.times)),
        ty: part.ty.clone().unwrap_or_else(|| "?".to_owned()),
        text: format!("{:depth$}{}", "", one_line(&part.text), depth = depth * 2),
        note: notes.join("; "),
    });
    for below in &part.below {
        collect(below, depth + 1, rows);
    }
}

fn in_words(limit: &Limit) -> String {
    let Some(most) = limit.most else {
        return "of unbounded size".to_owned();
    };
    let most = format!("up to {} {}", grouped(most), limit.unit);
    let Some(Declared {
        place,
        bound,
        is_bounded,
    }) = &limit.declared
    else {
        return most;
    };
    let keyword = bound.keyword();
    match bound {
        _ if !is_bounded => format!("{most}, `{place}` has no `{keyword}`"),
        Bound::MaxLength => format!("{most}, limited by `{keyword}` or `enum` of `{place}`"),
        Bound::MaxItems | Bound::MaxProperties => {
            format!("{most}, limited by `{keyword}` of `{place}`")
        }
    }
}
