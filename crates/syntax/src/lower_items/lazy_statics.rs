//! The statics in a `lazy_static!`, which are read like plain ones.

use syn::Attribute;

/// An item of `lazy_static!`.
pub(crate) struct LazyStatic {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) ident: syn::Ident,
    pub(crate) ty: syn::Type,
    pub(crate) expr: syn::Expr,
}

impl syn::parse::Parse for LazyStatic {
    fn parse(input: syn::parse::ParseStream<'_>) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        input.parse::<syn::Visibility>()?;
        input.parse::<syn::Token![static]>()?;
        input.parse::<syn::Token![ref]>()?;
        let ident = input.parse()?;
        input.parse::<syn::Token![:]>()?;
        let ty = input.parse()?;
        input.parse::<syn::Token![=]>()?;
        let expr = input.parse()?;
        input.parse::<syn::Token![;]>()?;
        Ok(Self {
            attrs,
            ident,
            ty,
            expr,
        })
    }
}

/// Parses the statics in a `lazy_static!`.
pub(crate) fn lazy_statics(item: &syn::ItemMacro) -> Option<Vec<LazyStatic>> {
    let last = item.mac.path.segments.last()?;
    (last.ident == "lazy_static").then_some(())?;
    let parse = |input: syn::parse::ParseStream<'_>| {
        let mut found = Vec::new();
        while !input.is_empty() {
            found.push(input.parse()?);
        }
        Ok(found)
    };
    item.mac.parse_body_with(parse).ok()
}
