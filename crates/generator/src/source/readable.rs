//! Which functions are kept: those that a value or a schema may come from.

/// Whether a function can give a value or a schema when it is read: not asynchronous, not foreign, and it returns
/// something or changes the schema it is given. With `self` only what `skip_serializing_if` may ask, yes or no, and what
/// constants may call.
pub(super) fn is_readable(signature: &syn::Signature) -> bool {
    (signature.receiver().is_none() || signature.constness.is_some() || asks_self(signature))
        && signature.asyncness.is_none()
        && signature.abi.is_none()
        && (matches!(signature.output, syn::ReturnType::Type(..))
            || signature.inputs.iter().any(takes_schema))
}

fn asks_self(signature: &syn::Signature) -> bool {
    let syn::ReturnType::Type(_, returned) = &signature.output else {
        return false;
    };
    signature.inputs.len() == 1
        && matches!(&**returned, syn::Type::Path(path) if path.path.is_ident("bool"))
}

fn takes_schema(input: &syn::FnArg) -> bool {
    let syn::FnArg::Typed(typed) = input else {
        return false;
    };
    let syn::Type::Reference(reference) = &*typed.ty else {
        return false;
    };
    let syn::Type::Path(path) = &*reference.elem else {
        return false;
    };
    let last = path.path.segments.last();
    last.is_some_and(|last| last.ident == "Schema")
}
