//! The types that a piece of text mentions in any way.

use crate::graph::Graph;
use crate::ids::{Def, ModuleId, Resolved, TypeRef};
use crd_channels_diagnostics::{Span, Text};
use crd_channels_syntax::tree::{Path, Segment};

/// How many aliases are followed in a chain.
const MAX_ALIASES: usize = 16;

impl Graph<'_> {
    /// The types in source that the text of a span mentions, by paths resolved in a module. Words in comments and strings count
    /// as well: a superfluous type does less harm than a missing one.
    #[must_use]
    pub fn types_named_in(&self, span: Span, module: ModuleId) -> Vec<TypeRef> {
        let mut found = Vec::new();
        self.name_types(span, module, MAX_ALIASES, &mut found);
        found
    }

    fn name_types(&self, span: Span, module: ModuleId, aliases: usize, found: &mut Vec<TypeRef>) {
        let Some(file) = self.sources().get(span.file) else {
            return;
        };
        let range = span.start as usize..span.end as usize;
        let text = file.text.get(range).unwrap_or_default();
        for names in paths(text) {
            // The type in `a::B::new` is `a::B`.
            let resolved = (1..=names.len()).rev().find_map(|length| {
                let segments = names.iter().take(length).map(|name| Segment {
                    name: Text::from(*name),
                    args: Vec::new(),
                });
                let path = Path {
                    leading: false,
                    segments: segments.collect(),
                    span,
                };
                self.resolve_type(module, &path).ok()
            });
            match resolved {
                Some(Resolved::Def(
                    Def::Type(ty) | Def::Variant(ty, _) | Def::Associated(ty, _),
                )) => found.push(ty),
                Some(Resolved::Def(Def::Alias(module, alias))) if aliases > 0 => {
                    self.name_types(alias.ty.span, module, aliases - 1, found);
                }
                _ => {}
            }
        }
    }
}

/// All paths in a text, as lists of names.
fn paths(text: &str) -> Vec<Vec<&str>> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut found: Vec<Vec<&str>> = Vec::new();
    let mut rest = text;
    let mut goes_on = false;
    while let Some(start) = rest.find(is_name) {
        let before = rest.get(..start).unwrap_or_default();
        let from = rest.get(start..).unwrap_or_default();
        let end = from.find(|c| !is_name(c)).unwrap_or(from.len());
        let (name, after) = from.split_at(end);
        goes_on = goes_on && before.trim() == "::";
        match found.last_mut() {
            Some(path) if goes_on => path.push(name),
            _ => found.push(vec![name]),
        }
        goes_on = true;
        rest = after;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::paths;

    #[test]
    fn paths_are_told_apart() {
        assert_eq!(
            paths("a::B<c> :: d(e, f::g::<H>())"),
            [&["a", "B"][..], &["c"], &["d"], &["e"], &["f", "g"], &["H"]]
        );
    }
}
