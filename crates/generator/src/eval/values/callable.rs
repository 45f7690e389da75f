//! Callable values: closures, functions of the source, constructors, functions of std.

use super::trait_key::TraitKey;
use super::ty::{Concrete, Instance, Scope};
use crd_channels_diagnostics::Text;
use crd_channels_source::ModuleId;
use crd_channels_source::tree::{Closure, FnDef, Path};
use std::sync::Arc;

/// A callable value.
#[derive(Clone, Debug)]
pub(crate) enum Callable {
    /// `|a| ..`, with the variables that it captures.
    Closure {
        /// Its source.
        def: Arc<Closure>,
        /// The scope of its source.
        scope: Scope,
        /// The captured variables.
        locals: Vec<(Text, usize)>,
        /// The names that `use`s of blocks import there.
        uses: Vec<(Text, Path)>,
    },
    /// A function of the source. Its own parameters and its block's are bound as far as its path determines them.
    Function {
        /// Its module.
        module: ModuleId,
        /// The function.
        def: Arc<FnDef>,
        /// The scope around it.
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
        /// The trait, if it is named.
        of: Option<TraitKey>,
        /// The function.
        name: Text,
        /// `::<T>`
        types: Vec<Concrete>,
        /// The scope that names it.
        scope: Scope,
    },
    /// `Trait::name`: the first argument or the result determines the type.
    OfTrait {
        /// The trait.
        of: TraitKey,
        /// The function.
        name: Text,
        /// The scope that names it.
        scope: Scope,
    },
    /// A function whose result the configuration sets.
    Override(serde_json::Value),
    /// A function known by its full path, with the type arguments of its last two segments.
    Known(Text, Vec<Concrete>, Vec<Concrete>),
}
