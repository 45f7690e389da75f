//! The parts of an expression: what each costs, how often it is evaluated, its type, what bounds it, and what is wrong
//! with it.

use crd_channels_cel::cost::{Bound, Part, Size, parts, typed_parts};
use crd_channels_cel::types::{Declarations, NodeId, Type};
use crd_channels_check::{ExpressionCost, Finding, RefusedExpression};
use std::ops::Range;

/// A part of an expression, explained.
pub(super) struct ExplainedPart {
    /// Where it stands in the text, in bytes.
    pub(super) range: Range<usize>,
    pub(super) text: String,
    /// None where it has no type.
    pub(super) ty: Option<String>,
    /// None where the expression does not compile.
    pub(super) price: Option<Price>,
    pub(super) size: Option<Limit>,
    /// What is wrong with it.
    pub(super) errors: Vec<String>,
    /// The parts that it is made of.
    pub(super) below: Vec<ExplainedPart>,
}

/// What a part costs.
#[derive(Clone, Copy)]
pub(super) struct Price {
    /// All the times that it is evaluated, with the parts below.
    pub(super) cost: u64,
    pub(super) times: u64,
}

/// How large the value of a part may be.
pub(super) struct Limit {
    /// None where nothing bounds it.
    pub(super) most: Option<u64>,
    /// What it counts.
    pub(super) unit: &'static str,
    /// The node of the schema that says so, and the bound, if it has one.
    pub(super) declared: Option<Declared>,
}

/// A node of the schema that bounds a value, or could.
pub(super) struct Declared {
    pub(super) place: String,
    pub(super) bound: Bound,
    pub(super) is_bounded: bool,
}

/// The parts of an expression that compiles.
pub(super) fn priced(expression: &ExpressionCost, declarations: &Declarations) -> ExplainedPart {
    let whole = parts(&expression.checked, declarations, expression.itself);
    let telling = Telling {
        text: &expression.text,
        declared: Some((declarations, expression.itself)),
        times: Some(expression.times),
    };
    telling.part(&whole)
}

/// The parts of an expression that does not, with its errors where they are.
pub(super) fn refused(
    expression: &RefusedExpression,
    text: &str,
    errors: &[&Finding],
) -> ExplainedPart {
    let telling = Telling {
        text,
        declared: None,
        times: None,
    };
    let mut whole = telling.part(&typed_parts(&expression.checked));
    for error in errors {
        let part = error.part.as_ref();
        let range = part.map_or(0..text.len(), |part| part.range.clone());
        whole.blame(&range, &error.message);
    }
    whole
}

impl ExplainedPart {
    /// Notes what is wrong with the smallest part that a range lies in.
    fn blame(&mut self, range: &Range<usize>, error: &str) {
        let holds =
            |part: &&mut Self| part.range.start <= range.start && range.end <= part.range.end;
        match self.below.iter_mut().find(holds) {
            Some(part) => part.blame(range, error),
            None => self.errors.push(error.to_owned()),
        }
    }
}

/// How parts are told.
struct Telling<'e> {
    text: &'e str,
    /// What the expression reads, and what `self` is.
    declared: Option<(&'e Declarations, NodeId)>,
    /// How often the expression is evaluated; none where it is not.
    times: Option<u64>,
}

impl Telling<'_> {
    fn part(&self, part: &Part) -> ExplainedPart {
        let text = self.text.get(part.range.clone());
        let price = self.times.map(|times| {
            let times = part.times.saturating_mul(times);
            Price {
                cost: part.cost.saturating_mul(times),
                times,
            }
        });
        ExplainedPart {
            range: part.range.clone(),
            text: text.unwrap_or_default().to_owned(),
            ty: (part.ty != Type::Error).then(|| part.ty.to_string()),
            price,
            size: part.size.and_then(|size| self.size(part, size)),
            errors: Vec::new(),
            below: part.below.iter().map(|below| self.part(below)).collect(),
        }
    }

    /// How large the value may be and why, where that is more than a constant or a scalar.
    fn size(&self, part: &Part, size: Size) -> Option<Limit> {
        if let Some(declared) = size.declared {
            return self.declared(declared);
        }
        match size.most {
            Some(most) if most <= 1 || part.below.is_empty() => None,
            most => Some(Limit {
                most,
                unit: unit(&part.ty),
                declared: None,
            }),
        }
    }

    fn declared(&self, id: NodeId) -> Option<Limit> {
        let (declarations, itself) = self.declared?;
        let node = declarations.node(id)?;
        let bound = Bound::of(&node.ty)?;
        let place = declarations.place(itself, id);
        Some(Limit {
            most: Some(node.max_elements),
            unit: unit(&node.ty),
            declared: place.map(|place| Declared {
                place,
                bound,
                is_bounded: node.is_bounded,
            }),
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
