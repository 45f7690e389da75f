//! The two shapes that a schema can take.

/// What shape the schema takes where Rust and Kubernetes disagree.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub enum Convention {
    /// What API reviewers expect: optional is not nullable, bounds are integers, formats are the server's.
    #[default]
    Kubernetes,
    /// What kube-derive 5 writes.
    Kube,
}
