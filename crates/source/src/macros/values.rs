//! Macro calls in expressions: which macro they name, and their parsed input. Each call is read once, however often it is
//! evaluated.

use crate::graph::Graph;
use crate::ids::ModuleId;
use crate::names::{Macro, Making};
use crd_channels_diagnostics::{Span, Text};
use crd_channels_syntax::lower_syn::Base;
use crd_channels_syntax::parse;
use crd_channels_syntax::tree::{Expr, JsonNode, Path, Token};
use std::sync::Arc;

impl Graph<'_> {
    /// The full name of the macro of a call in expression position: `std::vec`, unless the source defines a macro of that name.
    /// `None` for a `macro_rules!`, and if the path cannot be resolved.
    #[must_use]
    pub fn called_macro(&self, id: ModuleId, path: &Path) -> Option<Text> {
        self.calls_read.names.get_or_find((id, path.span), || {
            match self.macro_of_call(id, path, &[], Making::Nothing) {
                Some(Macro::Named(name)) => Some(name),
                Some(Macro::Rules(..)) | None => None,
            }
        })
    }

    /// The full name of the macro of a call; for a `macro_rules!`, its crate and its own name.
    #[must_use]
    pub fn macro_path(&self, id: ModuleId, path: &Path) -> Option<Text> {
        match self.macro_of_call(id, path, &[], Making::Nothing)? {
            Macro::Named(name) => Some(name),
            Macro::Rules(home, def) => {
                let of = &self.crate_of(home)?.name;
                Some(format!("{of}::{}", def.name).into())
            }
        }
    }

    /// Parses a macro's input as expressions separated by commas.
    #[must_use]
    pub fn macro_expressions(&self, tokens: &[Token]) -> Option<Arc<Vec<Expr>>> {
        let Some(place) = whole(tokens) else {
            return Some(Arc::default());
        };
        self.calls_read.lists.get_or_find(place, || {
            let (text, base) = self.macro_input(place)?;
            parse::expressions(&text, base).map(Arc::new)
        })
    }

    /// Parses a macro's input like `vec![a; n]`.
    #[must_use]
    pub fn macro_repeat(&self, tokens: &[Token]) -> Option<(Expr, Expr)> {
        let (text, base) = self.macro_input(whole(tokens)?)?;
        parse::repeated(&text, base)
    }

    /// Parses a macro's input like `json!`.
    #[must_use]
    pub fn macro_json(&self, tokens: &[Token]) -> Option<Arc<JsonNode>> {
        let place = whole(tokens)?;
        self.calls_read.json.get_or_find(place, || {
            let (text, base) = self.macro_input(place)?;
            parse::json(&text, base).map(Arc::new)
        })
    }

    /// The text of a macro's input, and its position.
    fn macro_input(&self, place: Span) -> Option<(String, Base)> {
        let base = Base {
            file: place.file,
            start: place.start,
        };
        Some((self.source_text(place)?, base))
    }
}

/// The span of all tokens; `None` if there are none.
fn whole(tokens: &[Token]) -> Option<Span> {
    Some(Span {
        end: tokens.last()?.span().end,
        ..tokens.first()?.span()
    })
}
