//! The parts of an expression as a table: what each costs, how often it is evaluated, its type, and what bounds it.

use super::super::costs::one_line;
use crate::bundle::sizes::grouped;
use crate::check::ExpressionCost;
use crd_channels_cel::cost::{Bound, Part, Size, parts};
use crd_channels_cel::types::{Declarations, NodeId, Type};
use std::fmt::Write as _;

struct Row {
    cost: String,
    times: String,
    ty: String,
    text: String,
    size: String,
}

/// The table; parts stand below what they are parts of.
pub(super) fn table(expression: &ExpressionCost, declarations: &Declarations) -> String {
    let whole = parts(&expression.checked, declarations, expression.itself);
    let told = Told {
        expression,
        declarations,
    };
    let mut rows = vec![Row {
        cost: "cost".to_owned(),
        times: "times".to_owned(),
        ty: "type".to_owned(),
        text: "part".to_owned(),
        size: String::new(),
    }];
    told.rows(&whole, 0, &mut rows);
    let width = |column: fn(&Row) -> &str| {
        let widths = rows.iter().map(|row| column(row).chars().count());
        widths.max().unwrap_or_default()
    };
    let (cost, times) = (width(|row| &row.cost), width(|row| &row.times));
    let (ty, text) = (width(|row| &row.ty), width(|row| &row.text));
    let mut table = String::new();
    for row in &rows {
        let line = format!(
            "  {:>cost$}  {:>times$}  {:ty$}  {:text$}  {}",
            row.cost, row.times, row.ty, row.text, row.size
        );
        // Writing into a string cannot fail.
        let _ = writeln!(table, "{}", line.trim_end());
    }
    table
}

struct Told<'e> {
    expression: &'e ExpressionCost,
    declarations: &'e Declarations,
}

impl Told<'_> {
    fn rows(&self, part: &Part, depth: usize, rows: &mut Vec<Row>) {
        let times = part.times.saturating_mul(self.expression.times);
        let text = self.expression.text.get(part.range.clone());
        let size = part.size.and_then(|size| self.size(part, size));
        rows.push(Row {
            cost: grouped(part.cost.saturating_mul(times)),
            times: grouped(times),
            ty: part.ty.to_string(),
            text: format!(
                "{:depth$}{}",
                "",
                one_line(text.unwrap_or_default()),
                depth = depth * 2
            ),
            size: size.unwrap_or_default(),
        });
        for below in &part.below {
            self.rows(below, depth + 1, rows);
        }
    }

    /// How large the value may be and why, where that is more than a constant or a scalar.
    fn size(&self, part: &Part, size: Size) -> Option<String> {
        if let Some(declared) = size.declared {
            return self.declared(declared);
        }
        match size.most {
            None => Some("of a size that nothing bounds".to_owned()),
            Some(most) if most > 1 && !part.below.is_empty() => {
                Some(format!("up to {} {}", grouped(most), unit(&part.ty)))
            }
            Some(_) => None,
        }
    }

    fn declared(&self, id: NodeId) -> Option<String> {
        let node = self.declarations.node(id)?;
        let bound = Bound::of(&node.ty)?;
        let keyword = bound.keyword();
        let most = format!("up to {} {}", grouped(node.max_elements), unit(&node.ty));
        let Some(place) = self.declarations.place(self.expression.itself, id) else {
            return Some(most);
        };
        Some(match bound {
            _ if !node.is_bounded => format!("{most}, `{place}` has no `{keyword}`"),
            Bound::MaxLength => format!("{most} by `{keyword}` or `enum` of `{place}`"),
            Bound::MaxItems | Bound::MaxProperties => format!("{most} by `{keyword}` of `{place}`"),
        })
    }
}

/// What sizes of a type count.
fn unit(ty: &Type) -> &'static str {
    match ty.unwrapped() {
        Type::List(_) => "items",
        Type::Map(_) => "entries",
        _ => "bytes",
    }
}
