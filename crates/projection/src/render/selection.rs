//! Selections of features: they decide which gates hold.

use crd_channels_diagnostics::Text;
use crd_channels_schema::draft::{Conditional, Facets, Gate, KindFacets};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// A selection of features.
#[derive(Clone, Copy, Debug)]
pub enum Selection<'a> {
    /// Every gated node is present, whether its feature must be on or off. Paths and expressions are resolved against it.
    Everything,
    /// These features are on, all others are off.
    Features(&'a BTreeSet<Text>),
}

impl Selection<'_> {
    /// Returns true if the gate holds.
    #[must_use]
    pub fn holds(&self, gate: &Gate) -> bool {
        match self {
            Selection::Everything => true,
            Selection::Features(features) => features.contains(&gate.feature) == gate.on,
        }
    }

    /// Returns true if a node is present: it has no gate, or its gate holds.
    #[must_use]
    pub fn keeps(&self, gate: Option<&Gate>) -> bool {
        gate.is_none_or(|gate| self.holds(gate))
    }

    /// Overlays the unconditional value with those whose gates hold, in source order.
    #[must_use]
    pub fn resolve<'c, T: Clone + Overlay>(&self, conditional: &'c Conditional<T>) -> Cow<'c, T> {
        let Conditional { always, when } = conditional;
        let mut resolved = Cow::Borrowed(always);
        for (gate, over) in when {
            if self.holds(gate) {
                resolved.to_mut().overlay(over);
            }
        }
        resolved
    }
}

/// A value that can be overlaid with another of its type.
pub trait Overlay {
    /// Overlays this value with `over`.
    fn overlay(&mut self, over: &Self);
}

impl Overlay for Facets {
    fn overlay(&mut self, over: &Self) {
        Facets::overlay(self, over);
    }
}

impl Overlay for KindFacets {
    fn overlay(&mut self, over: &Self) {
        KindFacets::overlay(self, over);
    }
}
