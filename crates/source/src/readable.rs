//! Which functions are kept: those that a value or a schema may come from.

/// Whether a function can be evaluated when it is read: it is neither asynchronous nor foreign.
pub(super) fn is_readable(signature: &syn::Signature) -> bool {
    signature.asyncness.is_none() && signature.abi.is_none()
}
