//! The names that a `use` imports.

use super::name;
use crate::tree::{Path, Segment};
use crd_channels_diagnostics::{Span, Text};

/// One name that is imported, or one glob.
pub(crate) struct Import {
    pub(crate) path: Path,
    /// `None` for a glob.
    pub(crate) name: Option<Text>,
    /// Whether it is the `self` of a list, which imports no value and no macro.
    pub(crate) is_self: bool,
}

/// The names that a `use` imports, and its globs.
pub(crate) fn uses(span: Span, item: &syn::ItemUse) -> Vec<Import> {
    let mut flat = Flattening {
        leading: item.leading_colon.is_some(),
        span,
        found: Vec::new(),
    };
    flat.tree(&item.tree, &mut Vec::new());
    flat.found
}

struct Flattening {
    leading: bool,
    span: Span,
    found: Vec<Import>,
}

impl Flattening {
    fn tree(&mut self, tree: &syn::UseTree, prefix: &mut Vec<Text>) {
        match tree {
            syn::UseTree::Path(step) => {
                prefix.push(name(&step.ident));
                self.tree(&step.tree, prefix);
                prefix.pop();
            }
            syn::UseTree::Name(leaf) => self.leaf(prefix, &leaf.ident, None),
            syn::UseTree::Rename(leaf) => self.leaf(prefix, &leaf.ident, Some(&leaf.rename)),
            syn::UseTree::Glob(_) => self.push(prefix.clone(), None, false),
            syn::UseTree::Group(group) => {
                for tree in &group.items {
                    self.tree(tree, prefix);
                }
            }
        }
    }

    /// `a::b`, `a::b as c`, `a::{self}`.
    fn leaf(&mut self, prefix: &[Text], ident: &syn::Ident, rename: Option<&syn::Ident>) {
        let mut path = prefix.to_vec();
        let is_self = ident == "self" && !path.is_empty();
        if !is_self {
            path.push(name(ident));
        }
        let bound = rename.map(name).or_else(|| path.last().cloned());
        self.push(path, bound, is_self);
    }

    fn push(&mut self, path: Vec<Text>, name: Option<Text>, is_self: bool) {
        let segments = path.into_iter().map(|name| Segment {
            name,
            args: Vec::new(),
        });
        let path = Path {
            leading: self.leading,
            segments: segments.collect(),
            span: self.span,
        };
        self.found.push(Import {
            path,
            name,
            is_self,
        });
    }
}
