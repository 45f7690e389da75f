//! `gen-crds --cost`: the costs of rules, compared with the limits of API servers.

use crd_channels_cel::cost::{RULE_LIMIT, SCHEMA_LIMIT};
use crd_channels_check::{self as check, ExpressionCost, SchemaCosts};
use crd_channels_diagnostics::program::as_typed;
use crd_channels_generator::pipeline::build::Built;
use crd_channels_projection::bundle::sizes::grouped;
use crd_channels_projection::channel::config::Channel;
use crd_channels_released::documents;
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::fmt::Write as _;

/// The version of the JSON format, raised when a key is removed or changes its meaning.
const FORMAT: u64 = 1;

/// The maximum length of an expression in a line.
const SHOWN: usize = 72;

/// The costs of a version of a CRD in a channel.
pub struct Costs {
    channel: String,
    crd: String,
    kind: String,
    schema: SchemaCosts,
}

/// Returns the costs of the rules of all generated kinds, channel by channel, the most expensive schema first.
pub fn rule_costs(built: &Built, channels: &[&Channel]) -> Vec<Costs> {
    let mut all = Vec::new();
    for channel in channels {
        let files = built.made.iter().flat_map(|(_, made)| &made.files);
        let files = files.filter(|file| *file.channel == *channel.name);
        let crds = files.filter_map(|file| documents::parse(&file.text).ok());
        let mut own: Vec<Costs> = crds
            .flatten()
            .flat_map(|crd| of_crd(&channel.name, &crd))
            .collect();
        own.sort_by_key(|costs| Reverse(costs.schema.total));
        all.extend(own);
    }
    all
}

fn of_crd(channel: &str, crd: &Value) -> Vec<Costs> {
    let text = |pointer| {
        let found = crd.pointer(pointer).and_then(Value::as_str);
        found.unwrap_or_default().to_owned()
    };
    let schemas = check::Document::decode(crd).costs().into_iter();
    let schemas = schemas.filter(|schema| !schema.expressions.is_empty());
    let costs = schemas.map(|schema| Costs {
        channel: channel.to_owned(),
        crd: text("/metadata/name"),
        kind: text("/spec/names/kind"),
        schema,
    });
    costs.collect()
}

/// Formats a table for people; `!` marks what exceeds its budget.
pub fn table(all: &[Costs]) -> String {
    let mut table = String::new();
    let expressions = all.iter().flat_map(|costs| &costs.schema.expressions);
    let costs = expressions.map(|expression| expression.cost);
    let width = costs.map(|cost| grouped(cost).len()).max();
    let Some(width) = width else {
        return "there are no rules\n".to_owned();
    };
    for costs in all {
        let Costs {
            channel,
            crd: _,
            kind,
            schema,
        } = costs;
        // Writing into a string cannot fail.
        let _ = writeln!(
            table,
            "{channel} {kind} {}: {} of {}, {}",
            schema.version,
            grouped(schema.total),
            grouped(SCHEMA_LIMIT),
            share(schema.total, SCHEMA_LIMIT).trim_end()
        );
        for expression in schema.dearest_first() {
            let _ = writeln!(
                table,
                "  {:>width$}  {:>9}  {}: {}",
                grouped(expression.cost),
                share(expression.cost, RULE_LIMIT),
                name(expression),
                one_line(&expression.text)
            );
        }
    }
    let _ = writeln!(
        table,
        "The budget of an expression is {}, that of a schema {}. {}",
        grouped(RULE_LIMIT),
        grouped(SCHEMA_LIMIT),
        as_typed("`crd-channels explain-rule KIND FIELD` shows the cost of each part.")
    );
    table
}

/// Formats the costs as JSON; without schemas if there was nothing to estimate.
pub fn json(all: Option<&[Costs]>) -> Value {
    let expression = |expression: &&ExpressionCost| {
        json!({
            "field": display_field(&expression.field),
            "rule": expression.number,
            "of": if expression.is_message { "messageExpression" } else { "rule" },
            "text": expression.text,
            "once": expression.once,
            "times": expression.times,
            "cost": expression.cost,
            "share": fraction(expression.cost, RULE_LIMIT),
        })
    };
    let schema = |costs: &Costs| {
        let sorted = costs.schema.dearest_first();
        json!({
            "channel": costs.channel,
            "crd": costs.crd,
            "kind": costs.kind,
            "version": costs.schema.version,
            "total": costs.schema.total,
            "share": fraction(costs.schema.total, SCHEMA_LIMIT),
            "expressions": sorted.iter().map(expression).collect::<Vec<_>>(),
        })
    };
    json!({
        "format": FORMAT,
        "budgets": {"expression": RULE_LIMIT, "schema": SCHEMA_LIMIT},
        "schemas": all.map(|all| all.iter().map(schema).collect::<Vec<_>>()),
    })
}

/// The arguments of `explain-rule` for an expression.
fn name(expression: &ExpressionCost) -> String {
    let field = display_field(&expression.field);
    let message = if expression.is_message {
        " message"
    } else {
        ""
    };
    format!("{field} --rule {}{message}", expression.number)
}

/// A field path in the form of the command line.
pub fn display_field(field: &str) -> &str {
    match field {
        "" => ".",
        field => field,
    }
}

fn fraction(cost: u64, budget: u64) -> f64 {
    cost as f64 / budget as f64
}

/// Formats the share of a budget in percent; `!` marks what exceeds it.
pub fn share(cost: u64, budget: u64) -> String {
    let mark = if cost > budget { "!" } else { " " };
    format!("{:.1} %{mark}", fraction(cost, budget) * 100.0)
}

/// Joins the lines of a text and truncates it.
pub fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}..", line.get(..end).unwrap_or(&line)),
        None => line,
    }
}
