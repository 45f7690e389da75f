//! Which gates hold.

use crd_channels_diagnostics::Text;
use crd_channels_schema::draft::{Conditional, Facets, Gate, KindFacets};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Which gates hold.
#[derive(Clone, Copy, Debug)]
pub enum Selection<'a> {
    /// Every gated node is there, on and off alike. Paths and expressions are resolved against it.
    Everything,
    /// These features are on, all others off.
    Features(&'a BTreeSet<Text>),
}

impl Selection<'_> {
    /// Whether what stands under the gate is there.
    #[must_use]
    pub fn holds(&self, gate: &Gate) -> bool {
        match self {
            Selection::Everything => true,
            Selection::Features(features) => features.contains(&gate.feature) == gate.on,
        }
    }

    /// Whether a node is there: it has no gate, or its gate holds.
    #[must_use]
    pub fn keeps(&self, gate: Option<&Gate>) -> bool {
        gate.is_none_or(|gate| self.holds(gate))
    }

    /// What always holds with what holds here laid over it, in source order.
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

/// What can be laid over another of its kind.
pub trait Overlay {
    /// Lays `over` on top.
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
