//! Values out of strings: `T::from_str(x)` and `x.parse::<T>()`.

use super::Reader;
use super::concrete::{Concrete, Finding};
use super::constant::Frame;
use super::known;
use super::value::{Const, not_constant};
use crate::diag::Span;
use std::sync::Arc;

impl Reader<'_> {
    /// The value of a type that a text stands for. Where `asked`, the program would panic if it stood for none.
    pub(super) fn parsed(
        &self,
        text: &str,
        ty: &Concrete,
        span: Span,
        (frame, asked): (&Frame<'_>, bool),
    ) -> Result<Const, Finding> {
        let refused = || not_constant(span, format!("the `{ty}` in `{text}` cannot be told"));
        let instance = match ty.peel() {
            Concrete::Def(instance) => instance,
            known @ Concrete::External(..) => {
                return known::parsed(text, known).ok_or_else(refused);
            }
            _ => return Err(refused()),
        };
        let Some((function, scope)) = self.trait_function(instance, "FromStr", "from_str") else {
            return Err(refused());
        };
        let name = function.params.first().cloned().unwrap_or_default();
        let of = Concrete::external("str");
        let locals = vec![(name, Const::text(text), Some(of))];
        let this = Concrete::Def(Arc::clone(instance));
        self.inside_assured(&function.body, &scope, locals, Some(&this), frame, asked)
    }
}
