//! Resolved types: paths resolved, aliases followed, type parameters replaced by their arguments.

use super::kinds::is_wrapper;
use super::path_segments::last_segment;
use crd_channels_diagnostics::{Diagnostic, Span, Text};
use crd_channels_source::{ModuleId, TypeRef};
use std::fmt::{self, Display};
use std::slice::from_ref;
use std::sync::Arc;

/// An error about one type or expression.
pub(crate) type Finding = Box<Diagnostic>;

/// A resolved type.
#[derive(Clone, Debug)]
pub(crate) enum Concrete {
    /// A type known by name, with its arguments: `std::vec::Vec`, `u8`.
    External(Text, Vec<Concrete>),
    /// A struct or enum in source.
    Def(Arc<Instance>),
    /// `[T; N]`
    Array(Box<Concrete>, u64),
    /// `(A, B)`
    Tuple(Vec<Concrete>),
    /// `&T`, `&mut T`, and whether it is mutable. Schemas have no references outside the arguments of definitions.
    Ref(Box<Concrete>, bool),
    /// `[T]`, as a reference
    Slice(Box<Concrete>),
    /// An unbound parameter.
    Param(Text),
    /// A type that is not known: `_`, `T::Part`, a function, a trait object.
    Infer,
}

/// A struct or enum with its arguments.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    /// The definition.
    pub(crate) ty: TypeRef,
    /// One for each type parameter.
    pub(crate) args: Vec<Concrete>,
}

/// The scope of a path: the names that it may use besides those of its module.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    /// The module.
    pub(crate) module: ModuleId,
    /// The type parameters in scope.
    pub(crate) params: Arc<[(Text, Concrete)]>,
    /// The type of `Self`.
    pub(crate) this: Option<Concrete>,
}

impl Scope {
    /// Creates the scope of a module, outside any type.
    pub(crate) fn module(module: ModuleId) -> Self {
        Self {
            module,
            params: Arc::from([]),
            this: None,
        }
    }

    /// Creates the scope of a module, with bindings of type parameters.
    pub(crate) fn with(module: ModuleId, params: Arc<[(Text, Concrete)]>) -> Self {
        Self {
            params,
            ..Self::module(module)
        }
    }

    /// Creates the scope of a type's definition.
    pub(crate) fn of_definition(instance: &Arc<Instance>) -> Self {
        let names = instance.ty.def.generics.iter().cloned();
        Self {
            module: instance.ty.module,
            params: names.zip(instance.args.iter().cloned()).collect(),
            this: Some(Concrete::Def(Arc::clone(instance))),
        }
    }

    /// Resolves a name that belongs to no module: a type parameter, or `Self`.
    pub(crate) fn local(&self, name: &str) -> Option<&Concrete> {
        if name == "Self" {
            return self.this.as_ref();
        }
        let param = self.params.iter().find(|(param, _)| &**param == name);
        param.map(|(_, concrete)| concrete)
    }
}

impl Display for Concrete {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn list(f: &mut fmt::Formatter<'_>, items: &[Concrete]) -> fmt::Result {
            for (index, item) in items.iter().enumerate() {
                let comma = if index == 0 { "" } else { ", " };
                write!(f, "{comma}{item}")?;
            }
            Ok(())
        }
        let (name, args) = match self {
            Concrete::External(path, args) => (last_segment(path), args),
            Concrete::Def(instance) => (&*instance.ty.def.name, &instance.args),
            Concrete::Ref(inner, mutable) => {
                return write!(f, "&{}{inner}", if *mutable { "mut " } else { "" });
            }
            Concrete::Slice(item) => return write!(f, "[{item}]"),
            Concrete::Param(name) => return f.write_str(name),
            Concrete::Infer => return f.write_str("_"),
            Concrete::Array(item, length) => return write!(f, "[{item}; {length}]"),
            Concrete::Tuple(items) => {
                f.write_str("(")?;
                list(f, items)?;
                return f.write_str(")");
            }
        };
        f.write_str(name)?;
        if !args.is_empty() {
            f.write_str("<")?;
            list(f, args)?;
            f.write_str(">")?;
        }
        Ok(())
    }
}

impl Concrete {
    /// A type known by name.
    pub(crate) fn external(path: &str) -> Self {
        Concrete::External(path.into(), Vec::new())
    }

    /// Returns a text that identifies the type.
    pub(crate) fn key(&self) -> String {
        let mut key = String::new();
        self.write_key(&mut key);
        key
    }

    fn write_key(&self, key: &mut String) {
        let args: &[Concrete] = match self {
            Concrete::External(path, args) => {
                key.push_str(path);
                args
            }
            Concrete::Def(instance) => {
                let Instance { ty, args } = &**instance;
                let Span { file, start, .. } = ty.def.span;
                key.push_str(&format!(
                    "{}@{}:{}:{start}",
                    ty.def.name, ty.module.0, file.0
                ));
                args
            }
            Concrete::Array(item, length) => {
                key.push_str(&format!("[{length}"));
                from_ref(item)
            }
            Concrete::Slice(item) => {
                key.push('[');
                from_ref(item)
            }
            Concrete::Ref(inner, mutable) => {
                key.push_str(if *mutable { "&mut " } else { "&" });
                from_ref(inner)
            }
            Concrete::Tuple(items) => {
                key.push('(');
                items
            }
            Concrete::Infer => {
                key.push('_');
                &[]
            }
            Concrete::Param(_) => {
                key.push_str(&format!("`{self}"));
                &[]
            }
        };
        key.push('<');
        for arg in args {
            arg.write_key(key);
            key.push(',');
        }
        key.push('>');
    }

    /// Returns the type behind all references.
    pub(crate) fn peel_references(&self) -> &Concrete {
        let mut ty = self;
        while let Concrete::Ref(inner, _) = ty {
            ty = inner;
        }
        ty
    }

    /// Returns the type as a schema sees it: without references, and slices as lists. The arguments of a definition stay, because
    /// they decide which of its blocks apply.
    pub(crate) fn erased(&self) -> Concrete {
        self.erased_with(&|instance| Concrete::Def(Arc::clone(instance)))
    }

    /// Returns the type as the ids of schemars name it: those of a reference, and of a slice, are of what they refer to.
    pub(crate) fn identity(&self) -> Concrete {
        self.erased_with(&|instance| {
            let args = instance.args.iter().map(Concrete::identity).collect();
            let ty = instance.ty.clone();
            Concrete::Def(Arc::new(Instance { ty, args }))
        })
    }

    fn erased_with(&self, definition: &dyn Fn(&Arc<Instance>) -> Concrete) -> Concrete {
        let erased = |ty: &Concrete| ty.erased_with(definition);
        let all = |types: &[Concrete]| types.iter().map(erased).collect();
        match self {
            Concrete::External(name, args) => Concrete::External(name.clone(), all(args)),
            Concrete::Def(instance) => definition(instance),
            Concrete::Array(item, length) => Concrete::Array(Box::new(erased(item)), *length),
            Concrete::Tuple(items) => Concrete::Tuple(all(items)),
            Concrete::Ref(inner, _) => erased(inner),
            Concrete::Slice(item) => Concrete::External("std::vec::Vec".into(), vec![erased(item)]),
            Concrete::Param(_) | Concrete::Infer => self.clone(),
        }
    }

    /// Returns the type inside boxes, reference counts and cells, which neither serde nor schemars shows.
    pub(crate) fn peel(&self) -> &Concrete {
        let mut ty = self;
        while let Concrete::External(path, args) = ty {
            match (is_wrapper(path), args.first()) {
                (true, Some(inner)) => ty = inner,
                _ => break,
            }
        }
        ty
    }

    /// Returns the full path of a type known by name.
    pub(crate) fn external_path(&self) -> Option<&str> {
        match self.peel() {
            Concrete::External(path, _) => Some(path),
            _ => None,
        }
    }

    /// Returns the last segment of the path of a type known by name.
    pub(crate) fn external_name(&self) -> Option<&str> {
        self.external_path().map(last_segment)
    }
}
