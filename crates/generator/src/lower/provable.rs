//! Whether a type is certainly `Serialize`: whether the `impl` that schemars derives for a type knows it of a field. schemars asks
//! this where the type is defined, so only the bounds there count, not the arguments.

use super::Reader;
use crate::types::impls::open_scope;
use crate::types::{
    Concrete, Fit, Instance, SERIALIZE, Scope, derives, is_list, is_map, is_same_trait, is_set,
    is_wrapper,
};
use crd_channels_diagnostics::Text;
use crd_channels_source::Derive;
use crd_channels_source::tree::{Body, Ty};

/// The type that is `Serialize` whatever its argument is.
const PHANTOM: &str = "std::marker::PhantomData";

/// The longest tuples and arrays that serde can serialize.
const LONGEST_TUPLE: usize = 16;
const LONGEST_ARRAY: u64 = 32;

/// What is known of the parts of a type.
#[derive(Default)]
struct Known {
    /// Whether all without type parameters are `Serialize`, or the source does not compile.
    closed: bool,
    // The type parameters with bounds that matter:
    /// Those that are `Serialize`.
    proven: Vec<Text>,
    /// Those with a bound that may imply it.
    undecided: Vec<Text>,
}

impl Reader<'_> {
    /// Returns whether a field's type is `Serialize` by the bounds of its definition; `None` if that is not decided here:
    /// bounds of traits of the source, `impl`s that may be where nothing is read, and types that wrap a parameter which is not
    /// `Serialize`, are left to the compiler.
    pub(super) fn proves_serialize(&self, ty: &Ty, scope: &Scope) -> Option<bool> {
        let Some(Concrete::Def(instance)) = &scope.this else {
            return Some(true);
        };
        let open = open_scope(instance.ty.module, &instance.ty.def.generics);
        let ty = self.typed(ty, &open).ok()?;
        let mut known = Known {
            closed: self.writes_fields(instance),
            ..Known::default()
        };
        if !ty.is_open() {
            return self.proves(&ty, &known);
        }
        for (of, path) in instance.ty.def.bounds.as_ref()? {
            // A trait of the source may have `Serialize` among its supertraits.
            let bound = self
                .known_trait(open.module, path)
                .filter(|path| is_foreign(path));
            let serialize = bound
                .as_ref()
                .is_some_and(|path| is_same_trait(path, SERIALIZE));
            match self.typed(of, &open).ok()? {
                Concrete::Param(name) if serialize => known.proven.push(name),
                Concrete::Param(name) if bound.is_none() => known.undecided.push(name),
                of if of.is_open() && !of.is_blank() && (serialize || bound.is_none()) => {
                    return None;
                }
                _ => {}
            }
        }
        self.proves(&ty, &known)
    }

    /// Returns true if serde derives `Deserialize` for the type of a scope.
    pub(super) fn derives_deserialize(&self, scope: &Scope) -> bool {
        matches!(&scope.this, Some(Concrete::Def(instance))
            if derives(self, instance, Derive::Deserialize))
    }

    /// Returns true if a type without parameters is certainly `Serialize`.
    pub(super) fn is_serialize(&self, ty: &Concrete) -> bool {
        self.proves(ty, &Known::default()) == Some(true)
    }

    /// Returns true if serde writes the fields of a type one by one, so that they are `Serialize` or the source does not compile.
    fn writes_fields(&self, instance: &Instance) -> bool {
        let def = &instance.ty.def;
        let is_whole = match &def.body {
            Body::Struct(..) => true,
            Body::Enum(variants) => variants.iter().all(|variant| {
                let writing = &variant.attrs.writing;
                !writing.skip && writing.serialize_with.is_none()
            }),
        };
        is_whole && self.derives_serialize(instance) && def.attrs.serde.writing().into.is_none()
    }

    fn derives_serialize(&self, instance: &Instance) -> bool {
        derives(self, instance, Derive::Serialize) || derives(self, instance, Derive::SerializeRepr)
    }

    /// Decides for a type whose parameters may be open.
    fn proves(&self, ty: &Concrete, known: &Known) -> Option<bool> {
        let all = |types: &[Concrete]| {
            let found = types.iter().map(|ty| self.proves(ty, known));
            let found: Vec<_> = found.collect();
            match found.contains(&Some(false)) {
                true => Some(false),
                false => found.into_iter().collect::<Option<Vec<_>>>().map(|_| true),
            }
        };
        match ty {
            _ if known.closed && !ty.is_open() => Some(true),
            Concrete::External(name, args) => all(written_arguments(name, args)?),
            Concrete::Tuple(items) => all(items).filter(|_| items.len() <= LONGEST_TUPLE),
            Concrete::Array(_, 0) => Some(true),
            Concrete::Array(item, length) => self
                .proves(item, known)
                .filter(|_| *length <= LONGEST_ARRAY),
            Concrete::Slice(item) | Concrete::Ref(item, _) => self.proves(item, known),
            Concrete::Param(name) if known.proven.contains(name) => Some(true),
            Concrete::Param(name) => (!known.undecided.contains(name)).then_some(false),
            Concrete::Def(instance) => {
                let has_block = || {
                    let mut blocks = self.trait_blocks(ty, SERIALIZE).into_iter();
                    blocks.any(|block| block.fit == Fit::Yes)
                };
                // The `impl` that serde derives requires it of the parameters at most.
                let is_derived = self.derives_serialize(instance)
                    && !instance.ty.def.rebound
                    && all(&instance.args) == Some(true);
                (is_derived || !ty.is_open() && has_block()).then_some(true)
            }
            Concrete::Infer => None,
        }
    }
}

/// Returns the arguments of a type of std or indexmap that have to be `Serialize` for it to be; `None` for types that may never be.
fn written_arguments<'a>(name: &str, args: &'a [Concrete]) -> Option<&'a [Concrete]> {
    // The path of a primitive type has one segment.
    let is_scalar = !name.contains("::");
    let written = match name {
        PHANTOM | "std::string::String" | "serde_json::Value" => 0,
        _ if is_scalar => 0,
        _ if is_map(name) => 2,
        _ if is_set(name) || is_list(name) || is_wrapper(name) => 1,
        "std::option::Option" => 1,
        _ => return None,
    };
    args.get(..written)
}

/// Returns true for a trait of a crate whose traits have no supertrait `Serialize`.
fn is_foreign(of: &str) -> bool {
    let home = of.split("::").next();
    matches!(
        home,
        Some("std" | "core" | "alloc" | "serde" | "serde_core" | "schemars")
    )
}
