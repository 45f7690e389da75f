//! From the source of Kubernetes API types to the CRDs of each channel: read, not compiled.

mod eval;
pub mod lower;
pub mod pipeline;
