//! Literals.

use crate::tree::Lit;
use crd_channels_diagnostics::Text;
use std::sync::Arc;

/// The value of a literal; `None` for the few that syn does not parse.
pub(super) fn lit(lit: &syn::Lit) -> Option<Lit> {
    Some(match lit {
        syn::Lit::Str(text) => Lit::Str(lines(text)),
        syn::Lit::ByteStr(bytes) => Lit::Bytes(Arc::from(bytes.value())),
        syn::Lit::CStr(text) => Lit::Bytes(Arc::from(text.value().into_bytes_with_nul())),
        syn::Lit::Byte(byte) => Lit::Int(Text::from(byte.value().to_string()), Some("u8".into())),
        syn::Lit::Char(character) => Lit::Char(character.value()),
        // `1f64` has a float's type but an integer's digits.
        syn::Lit::Int(int) if matches!(int.suffix(), "f32" | "f64") => {
            Lit::Float(Text::from(int.base10_digits()), suffix(int.suffix()))
        }
        syn::Lit::Int(int) => Lit::Int(Text::from(int.base10_digits()), suffix(int.suffix())),
        // `concat!` keeps the digits as they are written.
        syn::Lit::Float(float) => {
            let digits = float.token().to_string().replace('_', "");
            let digits = digits.strip_suffix(float.suffix()).unwrap_or(&digits);
            Lit::Float(Text::from(digits), suffix(float.suffix()))
        }
        syn::Lit::Bool(value) => Lit::Bool(value.value),
        _ => return None,
    })
}

/// The value of a string. rustc reads `\r\n` as a line break, which only matters in raw strings.
pub(crate) fn lines(text: &syn::LitStr) -> Text {
    let value = text.value();
    if value.contains("\r\n") && text.token().to_string().starts_with('r') {
        return value.replace("\r\n", "\n").into();
    }
    value.into()
}

fn suffix(written: &str) -> Option<Text> {
    (!written.is_empty()).then(|| Text::from(written))
}
