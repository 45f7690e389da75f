//! Selects the functions to keep: those that a value or a schema may depend on.

/// Whether a function can be evaluated: it is neither asynchronous nor foreign.
pub(crate) fn is_readable(signature: &syn::Signature) -> bool {
    signature.asyncness.is_none() && signature.abi.is_none()
}
