//! The result of a check.

use crate::core::{Id, Kind, Tree};
use crate::diagnostic::Diagnostic;
use crate::functions::Overload;
use crate::types::Type;

/// An expression whose types are known.
#[derive(Clone, Debug)]
pub struct Checked {
    pub(super) tree: Tree,
    pub(super) types: Vec<Type>,
    pub(super) overloads: Vec<Vec<&'static Overload>>,
    /// Whether a node is a name: of a variable or, with dots, of a type.
    pub(super) names: Vec<bool>,
    /// The errors that only servers of newer minors report.
    pub(super) later: Vec<Diagnostic>,
}

impl Checked {
    /// Whether a node is the name of a variable or of a type, not the field of an object.
    pub(crate) fn is_name(&self, id: Id) -> bool {
        self.names.get(id.0).copied().unwrap_or_default()
    }

    /// The expression without its macros.
    #[must_use]
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The type of a node; `Dyn` if it is not in the tree.
    #[must_use]
    pub fn ty(&self, id: Id) -> &Type {
        self.types.get(id.0).unwrap_or(&Type::Dyn)
    }

    /// The errors that only servers of newer minors report.
    #[must_use]
    pub fn later(&self) -> &[Diagnostic] {
        &self.later
    }

    /// The type of the value.
    #[must_use]
    pub fn result(&self) -> &Type {
        self.ty(self.tree.root)
    }

    /// Whether every call has exactly one matching overload.
    #[must_use]
    pub fn is_resolved(&self) -> bool {
        let mut nodes = self.tree.nodes();
        nodes.all(|(id, node)| {
            !matches!(node.kind, Kind::Call { .. }) || self.overloads(id).len() == 1
        })
    }

    /// The overloads that match a call.
    #[must_use]
    pub fn overloads(&self, id: Id) -> &[&'static Overload] {
        self.overloads.get(id.0).map_or(&[], Vec::as_slice)
    }
}
