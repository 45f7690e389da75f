//! The context of a schema node for lints.

/// The context of a node.
#[derive(Clone, Copy)]
pub(super) struct Context<'s> {
    /// The oldest minor of Kubernetes that the CRD supports.
    pub(super) minor: u32,
    /// The name of the property, if it is one.
    pub(super) name: &'s str,
    /// Whether it is below the status.
    pub(super) in_status: bool,
    /// Whether it is the root.
    pub(super) is_root: bool,
}
