//! From the source of Kubernetes API types to the CRDs of each channel: read, not compiled.
//!
//! The layers, top to bottom; each imports only what stands below it.

pub mod pipeline;
pub mod bundle;
pub mod channel;
pub mod check;
mod eval;
pub mod lower;
pub mod render;
pub mod schema;
pub mod source;
pub mod workspace;
pub mod diag;
pub mod files;

/// The stack that everything here runs on, in bytes. Types, values and schemas all nest, each as deep as its own bound;
/// together that may be more than a thread's usual stack. Only what is used of it costs memory.
pub const STACK: usize = 64 << 20;

/// Text that many places share.
pub use crd_channels_cel::Text;

/// What kube-derive writes above the struct of a kind that nothing else is said of.
fn generated_doc(spec: &str) -> Text {
    format!("Auto-generated derived type for {spec} via `CustomResource`").into()
}
