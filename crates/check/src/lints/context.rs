//! What lints of a schema's node know besides the node.

/// Where a node stands.
#[derive(Clone, Copy)]
pub(super) struct Context<'s> {
    /// The oldest minor of Kubernetes that the CRD is for.
    pub(super) minor: u32,
    /// The name of the property that it is, if it is one.
    pub(super) name: &'s str,
    /// Whether it lies below the status.
    pub(super) in_status: bool,
    /// Whether it is the root.
    pub(super) is_root: bool,
}
