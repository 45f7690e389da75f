//! The parts of an expression: cost, number of evaluations, type, bounds and errors of each.

use crd_channels_cel::cost::{Bound, Part, Size, parts, typed_parts};
use crd_channels_cel::types::{Declarations, NodeId, Type};
use crd_channels_check::{ExpressionCost, Finding, RefusedExpression};
use std::ops::Range;

/// A part of an expression, explained.
pub(super) struct ExplainedPart {
    /// Its range in the text, in bytes.
    pub(super) range: Range<usize>,
    pub(super) text: String,
    /// `None` if it has no type.
    pub(super) ty: Option<String>,
    /// `None` if the expression does not compile.
    pub(super) price: Option<Price>,
    pub(super) size: Option<Limit>,
    /// The errors in it.
    pub(super) errors: Vec<String>,
    /// The parts that it consists of.
    pub(super) below: Vec<ExplainedPart>,
}

/// The cost of a part.
#[derive(Clone, Copy)]
pub(super) struct Price {
    /// The cost of all evaluations, including the parts below.
    pub(super) cost: u64,
    pub(super) times: u64,
}

/// The maximum size of a part's value.
pub(super) struct Limit {
    /// `None` if it is unbounded.
    pub(super) most: Option<u64>,
    /// The unit of the size.
    pub(super) unit: &'static str,
    /// The node of the schema that declares the value, and its bound, if it has one.
    pub(super) declared: Option<Declared>,
}

/// A node of the schema that bounds a value or could bound it.
pub(super) struct Declared {
    pub(super) place: String,
    pub(super) bound: Bound,
    pub(super) is_bounded: bool,
}

/// Explains the parts of an expression that compiles.
pub(super) fn explain_compiled(
    expression: &ExpressionCost,
    declarations: &Declarations,
) -> ExplainedPart {
    let whole = parts(&expression.checked, declarations, expression.itself);
    let telling = Telling {
        text: &expression.text,
        declared: Some((declarations, expression.itself)),
        times: Some(expression.times),
    };
    telling.part(&whole)
}

/// Explains the parts of an expression that does not compile, with its errors.
pub(super) fn explain_rejected(
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
    /// Adds an error to the smallest part that contains the range.
    fn blame(&mut self, range: &Range<usize>, error: &str) {
        let holds =
            |part: &&mut Self| part.range.start <= range.start && range.end <= part.range.end;
        match self.below.iter_mut().find(holds) {
            Some(part) => part.blame(range, error),
            None => self.errors.push(error.to_owned()),
        }
    }
}

/// The context for explaining parts.
struct Telling<'e> {
    text: &'e str,
    /// The declarations that the expression reads, and the node of `self`.
    declared: Option<(&'e Declarations, NodeId)>,
    /// How often the expression is evaluated; `None` if it is not evaluated.
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

    /// Returns the maximum size of the value and its reason, unless the value is a constant or a scalar.
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
        let bound = Bound::for_type(&node.ty)?;
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

/// The unit of the sizes of a type.
fn unit(ty: &Type) -> &'static str {
    match ty.unwrapped() {
        Type::List(_) => "items",
        Type::Map(_) => "entries",
        _ => "bytes",
    }
}
