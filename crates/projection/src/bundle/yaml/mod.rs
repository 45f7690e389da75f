//! Canonical YAML: equal values give equal bytes, and every reader of YAML 1.1 or 1.2 returns the same value.

mod error;
mod serializer;
mod key;
mod scalar;

#[cfg(test)]
mod tests;

pub use error::{Error, MAX_DEPTH};

use serde::Serialize;

/// Writes a whole document, from its `---` to its last line break, with lists at their parent's indentation.
///
/// Documents can be concatenated to a stream.
///
/// # Errors
///
/// If a key is not text, or collections are nested deeper than [`MAX_DEPTH`].
pub fn to_string<T: Serialize + ?Sized>(value: &T) -> Result<String, Error> {
    let mut out = String::from("---\n");
    serializer::write(value, &mut out)?;
    out.push('\n');
    Ok(out)
}
