//! The `impl` blocks of a type, by their headers, and the bindings of their parameters.

use super::concrete::Finding;
use super::path_segments::{first_segment, last_segment};
use super::{Concrete, Instance, Scope};
use crate::reader::Reader;
use crd_channels_diagnostics::{Code, Diagnostic, Span, Text};
use crd_channels_source::tree::{FnDef, ImplDef, Path, Ty, TyKind, Visibility};
use crd_channels_source::{Def, Derive, Derived, ModuleId, Resolved};
use std::collections::HashSet;
use std::sync::Arc;

/// The paths of the traits that decide schemas and defaults.
pub(crate) const JSON_SCHEMA: &str = "schemars::JsonSchema";
pub(crate) const SERIALIZE: &str = "serde::Serialize";

/// The bindings of parameters.
pub(crate) type Bound = Vec<(Text, Concrete)>;

/// Whether a header applies to a type.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Fit {
    /// It applies to other types.
    No,
    /// It depends on unknown parts of the type.
    Maybe,
    /// It applies.
    Yes,
}

/// A block that applies to a type.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// Its module.
    pub(crate) module: ModuleId,
    /// The block.
    pub(crate) def: Arc<ImplDef>,
    /// The path of its trait, if that is known by name.
    pub(crate) trait_path: Option<Text>,
    /// The bindings of its parameters.
    pub(crate) params: Bound,
    /// The type that it applies to.
    pub(crate) this: Concrete,
    /// Whether it certainly applies to the type.
    pub(crate) fit: Fit,
    /// Whether it applies to the type with any arguments.
    is_general: bool,
}

impl Block {
    /// Returns the scope inside it.
    pub(crate) fn scope(&self) -> Scope {
        Scope {
            module: self.module,
            params: self.params.iter().cloned().collect(),
            this: Some(self.this.clone()),
        }
    }

    /// Returns a function of it.
    pub(crate) fn function(&self, name: &str) -> Option<&FnDef> {
        self.def.fns.iter().find(|function| &*function.name == name)
    }
}

impl Reader<'_> {
    /// Returns the full path of the trait that a path names. `None` if the trait is defined in the source, or the path does not
    /// name a trait.
    pub(crate) fn known_trait(&self, module: ModuleId, path: &Path) -> Option<Text> {
        match self.graph.resolve_type(module, path) {
            Ok(Resolved::External(name)) => Some(name),
            _ => None,
        }
    }

    /// Returns the inherent block of a type of the source that has an item which code in the scope `from` sees. `None` if there
    /// is certainly none.
    ///
    /// # Errors
    ///
    /// `not-constant` if several have it, or one whose type is not known, or in generic code one for certain arguments: rustc
    /// chooses before it knows them.
    pub(crate) fn own_item(
        &self,
        own: &Concrete,
        wanted: &str,
        from: &Scope,
        span: Span,
    ) -> Result<Option<Block>, Finding> {
        let Concrete::Def(instance) = own else {
            return Ok(None);
        };
        let blocks = self.graph.shadowing_blocks(&instance.ty, wanted);
        let mut blocks = blocks.unwrap_or_else(|| self.graph.all_impls(&instance.ty));
        blocks.retain(|(_, def)| def.of.is_none());
        let mut found = self.fitting(blocks, own);
        found.retain(|block| {
            let sees = |of: &Visibility| self.graph.sees(from.module, block.module, of);
            let mut consts = block.def.consts.iter();
            let function = block.function(wanted);
            block.def.has_function(wanted) && function.is_none_or(|known| sees(&known.visibility))
                || consts.any(|known| &*known.name == wanted && sees(&known.visibility))
        });
        match (found.pop(), found.is_empty()) {
            (None, _) => Ok(None),
            (Some(block), true)
                if block.fit == Fit::Yes && (block.is_general || from.params.is_empty()) =>
            {
                Ok(Some(block))
            }
            _ => {
                let why = format!("which `{wanted}` of `{own}` this is, is not known");
                Err(Box::new(Diagnostic::new(Code::NotConstant, span, why)))
            }
        }
    }

    /// Returns the blocks that implement a trait for a type of the source.
    pub(crate) fn trait_blocks(&self, own: &Concrete, trait_path: &str) -> Vec<Block> {
        let Concrete::Def(instance) = own.peel_references() else {
            return Vec::new();
        };
        let blocks = self.graph.impls(&instance.ty, last_segment(trait_path));
        let mut found = self.fitting(blocks, own);
        found.retain(|block| {
            let path = block.trait_path.as_deref();
            path.is_some_and(|path| is_same_trait(path, trait_path))
        });
        found
    }

    /// Returns the blocks of `std::default::Default`, which a `use` may have renamed, that may be those of a type.
    pub(crate) fn default_blocks(&self, own: &Concrete) -> Vec<Block> {
        let Concrete::Def(instance) = own.peel_references() else {
            return Vec::new();
        };
        let mut blocks = self.graph.all_impls(&instance.ty);
        blocks.retain(|(_, def)| def.has_function("default"));
        let mut found = self.fitting(blocks, own);
        found.retain(|block| block.trait_path.as_deref() == Some("std::default::Default"));
        found
    }

    /// Returns the only block `From` of a type, if it is for texts or booleans: an argument of that type chooses it whatever other
    /// blocks there are.
    pub(crate) fn conversion_block(&self, own: &Concrete) -> Option<Block> {
        let mut blocks = self.trait_blocks(own, "std::convert::From");
        let block = blocks.pop().filter(|_| blocks.is_empty())?;
        let [Some(from)] = &block.function("from")?.param_types[..] else {
            return None;
        };
        let is_known = match self.typed(from, &block.scope()).ok()? {
            Concrete::Ref(of, false) => of.external_name() == Some("str"),
            of => matches!(of.external_name(), Some("std::string::String" | "bool")),
        };
        (is_known && block.fit == Fit::Yes).then_some(block)
    }

    /// Returns those blocks whose header applies to a type, or may.
    fn fitting(&self, blocks: Vec<(ModuleId, Arc<ImplDef>)>, own: &Concrete) -> Vec<Block> {
        let fitting = blocks.into_iter().filter_map(|(module, def)| {
            let header = match self.typed(&def.for_, &open_scope(module, &def.generics)) {
                Ok(header) => header,
                Err(_) if self.is_of_other(module, &def.for_, own) => return None,
                // What cannot be read may be the type.
                Err(_) => Concrete::Infer,
            };
            let mut params = Bound::new();
            let fit = match unify(&header, own, &mut params) {
                Fit::No => return None,
                // Whether a type has a trait is not decided here.
                Fit::Yes if !def.bounds.is_empty() => Fit::Maybe,
                fit => fit,
            };
            let path = def.of.as_ref();
            Some(Block {
                module,
                trait_path: path.and_then(|path| self.known_trait(module, path)),
                is_general: is_general(&header),
                def,
                params,
                this: own.clone(),
                fit,
            })
        });
        fitting.collect()
    }

    /// Returns true if a header that cannot be read as a whole names another type than `own`.
    fn is_of_other(&self, module: ModuleId, header: &Ty, own: &Concrete) -> bool {
        let (TyKind::Path(path), Concrete::Def(own)) = (&header.kind, own) else {
            return false;
        };
        match self.graph.resolve_type(module, path) {
            Ok(Resolved::Def(Def::Type(ty))) => !Arc::ptr_eq(&ty.def, &own.ty.def),
            Ok(Resolved::Def(_)) => false,
            Ok(Resolved::External(_)) => true,
            // Only a macro that is not read can have made it.
            Err(_) => path
                .segments
                .last()
                .is_some_and(|last| last.name != own.ty.def.name),
        }
    }
}

/// Returns true if a header has a parameter of its own for each argument of its type.
fn is_general(header: &Concrete) -> bool {
    let Concrete::Def(instance) = header else {
        return true;
    };
    let mut seen = HashSet::new();
    let mut args = instance.args.iter();
    args.all(|arg| matches!(arg, Concrete::Param(name) if seen.insert(name)))
}

/// Returns true if a type has a derive.
pub(crate) fn derives(reader: &Reader<'_>, instance: &Instance, wanted: Derive) -> bool {
    matches!(reader.graph.derive_of(&instance.ty, wanted), Derived::Yes)
}

/// Returns true if two paths name one trait, since serde re-exports its own under several.
pub(crate) fn is_same_trait(one: &str, other: &str) -> bool {
    let is_serde = |path: &str| matches!(first_segment(path), "serde" | "serde_core");
    one == other || (is_serde(one) && is_serde(other) && last_segment(one) == last_segment(other))
}

/// Returns the scope of a module, with unbound type parameters.
pub(crate) fn open_scope(module: ModuleId, generics: &[Text]) -> Scope {
    let open = generics.iter();
    let open = open.map(|name| (name.clone(), Concrete::Param(name.clone())));
    Scope::with(module, open.collect())
}

/// Unifies a type with open parameters with another type, and binds the parameters.
pub(crate) fn unify(header: &Concrete, own: &Concrete, bound: &mut Bound) -> Fit {
    let all = |headers: &[Concrete], types: &[Concrete], bound: &mut Bound| {
        let mut fit = Fit::Yes;
        for (header, own) in headers.iter().zip(types) {
            fit = fit.min(unify(header, own, bound));
        }
        fit
    };
    match (header, own) {
        (Concrete::Param(name), own) => {
            match bound.iter().position(|(known, _)| known == name) {
                None => {
                    bound.push((name.clone(), own.clone()));
                    Fit::Yes
                }
                Some(at) => {
                    let known = bound.get(at).map(|(_, known)| known.clone());
                    let known = known.unwrap_or(Concrete::Infer);
                    let fit = unify(&known, own, bound);
                    // The more specific type is kept.
                    if fit != Fit::No
                        && known.is_open()
                        && let Some((_, known)) = bound.get_mut(at)
                    {
                        *known = own.clone();
                    }
                    if known.is_open() || own.is_open() {
                        fit.max(Fit::Maybe)
                    } else {
                        fit
                    }
                }
            }
        }
        (Concrete::Infer, _) | (_, Concrete::Infer) => Fit::Maybe,
        (Concrete::External(name, args), Concrete::External(own, types))
            if last_segment(name) == last_segment(own) =>
        {
            // Crates have several paths for one type.
            let most = if name == own { Fit::Yes } else { Fit::Maybe };
            all(args, types, bound).min(most)
        }
        (Concrete::Def(header), Concrete::Def(own)) if Arc::ptr_eq(&header.ty.def, &own.ty.def) => {
            all(&header.args, &own.args, bound)
        }
        (Concrete::Array(header, length), Concrete::Array(own, other)) if length == other => {
            unify(header, own, bound)
        }
        (Concrete::Slice(header), Concrete::Slice(own)) => unify(header, own, bound),
        (Concrete::Ref(header, mutable), Concrete::Ref(own, other)) if mutable == other => {
            unify(header, own, bound)
        }
        (Concrete::Tuple(headers), Concrete::Tuple(types)) if headers.len() == types.len() => {
            all(headers, types, bound)
        }
        _ => Fit::No,
    }
}

impl Concrete {
    /// Returns true if a part of the type is unknown.
    pub(crate) fn is_open(&self) -> bool {
        match self {
            Concrete::External(_, args) => args.iter().any(Concrete::is_open),
            Concrete::Def(instance) => {
                let Instance { args, .. } = &**instance;
                args.iter().any(Concrete::is_open)
            }
            Concrete::Array(item, _) | Concrete::Slice(item) | Concrete::Ref(item, _) => {
                item.is_open()
            }
            Concrete::Tuple(items) => items.iter().any(Concrete::is_open),
            Concrete::Param(_) | Concrete::Infer => true,
        }
    }

    /// Returns true if the type is completely unknown.
    pub(crate) fn is_blank(&self) -> bool {
        matches!(self, Concrete::Infer | Concrete::Param(_))
    }
}
