//! What reading types and values needs: the items, the overrides of the configuration, and the limits.

use crate::budget::Budget;
use crate::overrides::ResolvedOverrides;
use crd_channels_source::Graph;

/// Reads types and values.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'g> {
    /// The items.
    pub(crate) graph: &'g Graph<'g>,
    /// The overrides.
    pub(crate) overrides: &'g ResolvedOverrides<'g>,
    /// The limits of a value.
    pub(crate) budget: &'g Budget,
}
