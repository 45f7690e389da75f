//! Finds the bound that would bring a cost below a limit.

use super::{Estimator, estimate};
use crate::check::Checked;
use crate::types::{Declarations, NodeId, Type};

/// A keyword of a schema that bounds a size.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Bound {
    /// Of a list.
    MaxItems,
    /// Of a map.
    MaxProperties,
    /// Of text.
    MaxLength,
}

impl Bound {
    /// The keyword that bounds values of a type.
    #[must_use]
    pub fn for_type(ty: &Type) -> Option<Self> {
        match ty {
            Type::List(_) => Some(Self::MaxItems),
            Type::Map(_) => Some(Self::MaxProperties),
            Type::String | Type::Dyn | Type::Bytes => Some(Self::MaxLength),
            _ => None,
        }
    }

    /// The keyword.
    #[must_use]
    pub fn keyword(self) -> &'static str {
        match self {
            Self::MaxItems => "maxItems",
            Self::MaxProperties => "maxProperties",
            Self::MaxLength => "maxLength",
        }
    }
}

/// A bound that would suffice.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Advice {
    /// The keyword.
    pub bound: Bound,
    /// The place, as in `self.list[].name`.
    pub place: String,
    /// The largest value that suffices.
    pub most: u64,
    /// Whether the node has the bound, but it is too large.
    pub is_bounded: bool,
}

/// The bound that alone would bring an expression's maximum cost down to a limit; if there are several, the least restrictive.
/// `None` if no single bound suffices on servers of the minor.
#[must_use]
pub fn advise(
    checked: &Checked,
    declarations: &Declarations,
    itself: NodeId,
    limit: u64,
    minor: u32,
) -> Option<Advice> {
    let sizes = estimate(checked, declarations, itself, minor).sizes;
    let advices = sizes.into_iter().filter_map(|id| {
        // Servers ignore a bound that they do not set themselves.
        let node = declarations
            .node(id)
            .filter(|node| node.bounded_later.is_none())?;
        let bound = Bound::for_type(&node.ty)?;
        let unit = match node.ty {
            // Servers count four bytes for each character.
            Type::String | Type::Dyn => 4,
            _ => 1,
        };
        let costs = |size: u64| {
            let mut estimator = Estimator::new(checked, declarations, itself, minor);
            estimator.assumed = Some((id, size.saturating_mul(unit)));
            estimator.cost(checked.tree().root).max
        };
        let most = largest(node.max_elements / unit, |size| costs(size) <= limit)?;
        Some(Advice {
            bound,
            place: declarations.place(itself, id)?,
            most,
            is_bounded: node.is_bounded,
        })
    });
    advices.max_by_key(|advice| (!advice.is_bounded, advice.most))
}

/// The largest number from 1 to `too_large - 1` that fits, if any.
fn largest(too_large: u64, fits: impl Fn(u64) -> bool) -> Option<u64> {
    if too_large < 2 || !fits(1) {
        return None;
    }
    let (mut low, mut high) = (1, too_large);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if fits(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(low)
}
