//! Finds code that mentions removed items. Names are not resolved: every possible mention is reported, for a person to check.

use crate::{RemovedItem, parse};
use crd_channels_diagnostics::{Diagnostic, FileId, Span};
use crd_channels_syntax::lower_syn::span;
use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::ToTokens;

/// The item to find.
#[derive(Clone, Debug)]
pub enum MentionTarget {
    /// A field or a variant that is removed.
    Member(RemovedItem),
    /// A type, by any of its names.
    Type {
        /// The name in the source, and those that macros generate from it.
        names: Vec<String>,
        /// The modules in paths that refer to it.
        modules: Vec<String>,
        /// The position of its definition, if it is in the file.
        home: Option<usize>,
        /// Whether the name without a path may refer to it.
        alone: bool,
    },
}

/// A mention of an item.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Mention {
    /// The name.
    pub name: String,
    /// The span of the name.
    pub span: Span,
}

/// Finds the mentions of items in a file.
///
/// # Errors
/// `syntax-error` or `nesting-too-deep` if the text is not Rust.
pub fn mentions(
    text: &str,
    wanted: &[MentionTarget],
    file: FileId,
) -> Result<Vec<Mention>, Box<Diagnostic>> {
    parse::look(text, file, |tree| {
        let mut search = Search {
            wanted,
            file,
            found: Vec::new(),
        };
        search.walk(tree.to_token_stream(), &Surroundings::default());
        search.found
    })
}

/// The context of some tokens.
#[derive(Clone, Default)]
struct Surroundings {
    /// The type of the surrounding `impl`.
    of: Option<String>,
    /// The path before the braces of a `use`, a literal or a pattern.
    path: Option<String>,
    /// Types that the module defines.
    defines: Vec<String>,
}

struct Search<'w> {
    wanted: &'w [MentionTarget],
    file: FileId,
    found: Vec<Mention>,
}

impl Search<'_> {
    fn walk(&mut self, stream: TokenStream, around: &Surroundings) {
        let tokens: Vec<TokenTree> = stream.into_iter().collect();
        let mut around = around.clone();
        around.defines.extend(self.defined(&tokens));
        for (at, token) in tokens.iter().enumerate() {
            let before = tokens.get(..at).unwrap_or_default();
            let behind = tokens.get(at + 1..).unwrap_or_default();
            match token {
                TokenTree::Ident(ident) => {
                    let near = Near {
                        before,
                        behind,
                        around: &around,
                    };
                    self.look(ident, &near);
                }
                TokenTree::Group(_) if self.is_home(before) => {}
                TokenTree::Group(group) => {
                    let inside = inside(before, group.delimiter(), &around);
                    self.walk(group.stream(), &inside);
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }

    /// The types that some tokens define, not inside groups, without the ones to find.
    fn defined(&self, tokens: &[TokenTree]) -> Vec<String> {
        let pairs = tokens.windows(2).filter_map(|pair| match pair {
            [word, TokenTree::Ident(name)] if defines(word) && !self.is_home(pair) => {
                Some(name.to_string())
            }
            _ => None,
        });
        pairs.collect()
    }

    /// Whether some tokens end with the definition of an item to find.
    fn is_home(&self, tokens: &[TokenTree]) -> bool {
        let [.., word, TokenTree::Ident(name)] = tokens else {
            return false;
        };
        let at = name.span().byte_range().start;
        let is_it = |wanted: &MentionTarget| matches!(wanted, MentionTarget::Type { home: Some(home), .. } if *home == at);
        defines(word) && self.wanted.iter().any(is_it)
    }

    fn look(&mut self, ident: &Ident, near: &Near<'_>) {
        let written = ident.to_string();
        let name = written.trim_start_matches("r#");
        let is_it = self.wanted.iter().any(|wanted| match wanted {
            MentionTarget::Member(RemovedItem::Field { of, name: field }) => {
                field == name && near.is_field(of)
            }
            MentionTarget::Member(RemovedItem::Variant { of, name: variant }) => {
                variant == name && near.path().is_some_and(|path| near.is(&path, of))
            }
            MentionTarget::Member(RemovedItem::Kind { .. }) => false,
            MentionTarget::Type {
                names,
                modules,
                alone,
                ..
            } => {
                let means = near.type_path(names, *alone, modules);
                means && names.iter().any(|known| known == name)
            }
        });
        if is_it {
            self.found.push(Mention {
                name: name.to_owned(),
                span: span(self.file, ident.span()),
            });
        }
    }
}

/// The tokens around a name.
struct Near<'t> {
    before: &'t [TokenTree],
    behind: &'t [TokenTree],
    around: &'t Surroundings,
}

impl Near<'_> {
    /// The path segment before the name.
    fn path(&self) -> Option<String> {
        match segment(self.before) {
            Some(segment) => Some(segment),
            None if self.begins() => self.around.path.clone(),
            None => None,
        }
    }

    /// Whether the name is at the start or follows a comma.
    fn begins(&self) -> bool {
        self.before.last().is_none_or(|token| is(token, ','))
    }

    /// Whether a segment refers to a type.
    fn is(&self, segment: &str, of: &str) -> bool {
        segment == of || segment == "Self" && self.around.of.as_deref() == Some(of)
    }

    /// Whether the name may be a field of that type: after a dot, or in the braces of the type.
    fn is_field(&self, of: &str) -> bool {
        let next = self.behind.first();
        let dot = matches!(self.before, [.., last] if is(last, '.'))
            && !matches!(self.before, [.., dots, _] if is(dots, '.'));
        if dot {
            let is_call = matches!(next, Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis);
            return !is_call;
        }
        let bound = |token: &TokenTree| matches!(token, TokenTree::Ident(word) if *word == "ref" || *word == "mut");
        let begins = self.begins() || self.before.last().is_some_and(bound);
        let ends = next.is_none_or(|token| is(token, ',') || is(token, ':'));
        let path = self.around.path.as_deref();
        begins && ends && path.is_some_and(|path| self.is(path, of))
    }

    /// Whether the name may be a type's, according to its path.
    fn type_path(&self, names: &[String], alone: bool, modules: &[String]) -> bool {
        if self.before.last().is_some_and(defines) {
            return false;
        }
        match self.path().as_deref() {
            // The module's own definitions shadow its imports.
            None => alone && !names.iter().any(|name| self.around.defines.contains(name)),
            Some("self" | "super" | "crate") => true,
            Some(path) => modules.iter().any(|module| module == path),
        }
    }
}

fn defines(token: &TokenTree) -> bool {
    let words = ["struct", "enum", "union", "trait", "type"];
    matches!(token, TokenTree::Ident(word) if words.iter().any(|known| word == known))
}

fn is(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}

/// The last segment of a path that ends with `::`.
fn segment(before: &[TokenTree]) -> Option<String> {
    match before {
        [.., TokenTree::Ident(segment), one, two] if is(one, ':') && is(two, ':') => {
            Some(segment.to_string())
        }
        _ => None,
    }
}

/// The context inside a group.
fn inside(before: &[TokenTree], delimiter: Delimiter, around: &Surroundings) -> Surroundings {
    let mut inside = Surroundings {
        path: None,
        ..around.clone()
    };
    if delimiter != Delimiter::Brace {
        return inside;
    }
    if let Some(of) = implemented(before) {
        inside.of = Some(of);
    } else if let Some(module) = segment(before) {
        inside.path = Some(module);
    } else if let [rest @ .., TokenTree::Ident(name)] = before {
        match rest.last() {
            Some(TokenTree::Ident(word)) if *word == "mod" => inside.defines.clear(),
            Some(word) if defines(word) => {}
            _ => inside.path = Some(name.to_string()),
        }
    }
    inside
}

/// The type of the `impl` before some braces.
fn implemented(before: &[TokenTree]) -> Option<String> {
    let start = before.iter().rposition(|token| {
        matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
            || is(token, ';')
    });
    let head = before.get(start.map_or(0, |start| start + 1)..)?;
    let word = |wanted: &'static str| move |token: &TokenTree| matches!(token, TokenTree::Ident(word) if *word == wanted);
    let head = head.get(head.iter().position(word("impl"))?..)?;
    let head = head.split(word("where")).next()?;
    let of = head.rsplit(word("for")).next()?;
    let mut depth = 0_usize;
    let mut last = None;
    for token in of {
        match token {
            TokenTree::Punct(sign) if sign.as_char() == '<' => depth += 1,
            TokenTree::Punct(sign) if sign.as_char() == '>' => depth = depth.saturating_sub(1),
            TokenTree::Ident(name) if depth == 0 => last = Some(name.to_string()),
            _ => {}
        }
    }
    last
}
