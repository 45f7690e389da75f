//! Canonical YAML: the same value gives the same bytes, and every reader of YAML 1.1 or 1.2 gives the value back.

mod error;
mod serializer;
mod key;
mod scalar;

#[cfg(test)]
mod tests;

pub use error::{Error, MAX_DEPTH};

use serde::Serialize;

/// A whole document, from its `---` to its last line break, lists at their parent's indentation.
///
/// Several of them joined are a stream.
///
/// # Errors
/// When a key is not text, or when collections are nested deeper than [`MAX_DEPTH`].
pub fn to_string<T: Serialize + ?Sized>(value: &T) -> Result<String, Error> {
    let mut out = String::from("---\n");
    serializer::write(value, &mut out)?;
    out.push('\n');
    Ok(out)
}
