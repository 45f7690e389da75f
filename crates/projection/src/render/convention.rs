//! The two shapes of schemas.

/// The shape of a schema where Rust and Kubernetes disagree.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub enum Convention {
    /// The shape that API reviewers expect: optional is not nullable, bounds are integers, formats are the server's.
    #[default]
    Kubernetes,
    /// The shape that kube-derive 5 writes.
    Kube,
}
