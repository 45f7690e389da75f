//! The JSON of a value: what `derive(Serialize)` writes, and the `Serialize` of k8s-openapi's types.

mod derived;
mod kubernetes;
