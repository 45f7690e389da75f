//! Why a value cannot be written.

use serde::ser;
use std::fmt;

/// The maximum depth of nested collections. serde_json, with which Rust clients of Kubernetes read, refuses deeper ones too.
pub const MAX_DEPTH: usize = 127;

/// Why a value cannot be written.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Error(String);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

impl ser::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Error(message.to_string())
    }
}
