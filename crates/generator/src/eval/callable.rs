//! What a value can be called as: closures, functions of the source, constructors, functions of std.

use super::traits::TraitKey;
use super::ty::{Concrete, Instance, Scope};
use crd_channels_diagnostics::Text;
use crd_channels_source::ModuleId;
use crd_channels_source::tree::{Closure, FnDef, Path};
use std::sync::Arc;

/// What can be called.
#[derive(Clone, Debug)]
pub(crate) enum Callable {
    /// `|a| ..`, with the variables that it sees.
    Closure {
        /// What is written.
        def: Arc<Closure>,
        /// What names mean where it is written.
        scope: Scope,
        /// The variables that it sees.
        locals: Vec<(Text, usize)>,
        /// What `use`s of blocks bring in there.
        uses: Vec<(Text, Path)>,
    },
    /// A function of the source; its block's and its own parameters are bound as far as its path tells.
    Function {
        /// The module it stands in.
        module: ModuleId,
        /// The function.
        def: Arc<FnDef>,
        /// What names mean around it.
        scope: Scope,
        /// `::<T>`
        types: Vec<Concrete>,
    },
    /// A tuple struct or a tuple variant.
    Constructor(Arc<Instance>, Option<usize>),
    /// `Type::name`, `<Type as Trait>::name`
    Associated {
        /// The type.
        own: Concrete,
        /// The trait, where it is named.
        of: Option<TraitKey>,
        /// The function.
        name: Text,
        /// `::<T>`
        types: Vec<Concrete>,
        /// Where it is named.
        scope: Scope,
    },
    /// `Trait::name`: whose function it is, the first argument or the result tells.
    OfTrait {
        /// The trait.
        of: TraitKey,
        /// The function.
        name: Text,
        /// Where it is named.
        scope: Scope,
    },
    /// A function of which configuration states what it gives.
    Stated(serde_json::Value),
    /// A function known by its full path, with the type arguments of its last two segments.
    Known(Text, Vec<Concrete>, Vec<Concrete>),
}
