//! Literals.

use crate::tree::Lit;
use crd_channels_diagnostics::Text;
use std::sync::Arc;

/// The value of a literal; `None` for the few that syn does not parse.
pub(super) fn lit(lit: &syn::Lit) -> Option<Lit> {
    Some(match lit {
        syn::Lit::Str(text) => Lit::Str(Text::from(text.value())),
        syn::Lit::ByteStr(bytes) => Lit::Bytes(Arc::from(bytes.value())),
        syn::Lit::CStr(text) => Lit::Bytes(Arc::from(text.value().into_bytes_with_nul())),
        syn::Lit::Byte(byte) => Lit::Int(Text::from(byte.value().to_string()), Some("u8".into())),
        syn::Lit::Char(character) => Lit::Char(character.value()),
        // `1f64` has a float's type but an integer's digits.
        syn::Lit::Int(int) if matches!(int.suffix(), "f32" | "f64") => {
            Lit::Float(Text::from(int.base10_digits()), suffix(int.suffix()))
        }
        syn::Lit::Int(int) => Lit::Int(Text::from(int.base10_digits()), suffix(int.suffix())),
        syn::Lit::Float(float) => {
            Lit::Float(Text::from(float.base10_digits()), suffix(float.suffix()))
        }
        syn::Lit::Bool(value) => Lit::Bool(value.value),
        _ => return None,
    })
}

fn suffix(written: &str) -> Option<Text> {
    (!written.is_empty()).then(|| Text::from(written))
}
