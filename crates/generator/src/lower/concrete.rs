//! Types without open ends: paths resolved, aliases followed, type parameters replaced by their arguments.

use super::Reader;
use super::value::Const;
use crate::Text;
use crate::diag::{Code, Diagnostic, Span};
use crate::source::tree::{Expr, ExprKind, ImplDef, Path, Ty, TyKind};
use crate::source::{Def, ModuleId, Resolved, TypeRef};
use std::fmt::{self, Display};
use std::sync::Arc;

/// What went wrong with one type or expression.
pub(super) type Finding = Box<Diagnostic>;

/// How many aliases are followed in a row, and how deep type arguments may nest.
const MAX_DEPTH: usize = 64;

/// A type without open ends. References and slices are gone: a schema does not know them.
#[derive(Clone, Debug)]
pub(super) enum Concrete {
    /// A type known by name, with its arguments: `std::vec::Vec`, `u8`.
    External(Text, Vec<Concrete>),
    /// A struct or enum in source.
    Def(Arc<Instance>),
    /// `[T; N]`
    Array(Box<Concrete>, u64),
    /// `(A, B)`
    Tuple(Vec<Concrete>),
    /// What a constant parameter is.
    Number(i128),
}

/// A struct or enum with its arguments.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    /// The definition.
    pub(super) ty: TypeRef,
    /// One for each type parameter.
    pub(super) args: Vec<Concrete>,
}

/// Where a path stands: what it may mean besides what its module says.
#[derive(Clone, Debug)]
pub(super) struct Scope {
    /// The module.
    pub(super) module: ModuleId,
    /// The type parameters in scope.
    pub(super) params: Arc<[(Text, Concrete)]>,
    /// What `Self` is.
    pub(super) this: Option<Concrete>,
    /// The function, for messages.
    pub(super) function: Option<Text>,
}

impl Scope {
    /// A module, outside of any type.
    pub(super) fn module(module: ModuleId) -> Self {
        Self {
            module,
            params: Arc::from([]),
            this: None,
            function: None,
        }
    }

    /// The inside of a type's definition.
    pub(super) fn of(instance: &Arc<Instance>) -> Self {
        let names = instance.ty.def.generics.iter().cloned();
        Self {
            module: instance.ty.module,
            params: names.zip(instance.args.iter().cloned()).collect(),
            this: Some(Concrete::Def(Arc::clone(instance))),
            function: None,
        }
    }

    /// The inside of an `impl` block of a type, its own parameters bound where the header names them plainly.
    pub(super) fn of_impl(instance: &Arc<Instance>, module: ModuleId, block: &ImplDef) -> Self {
        let header = match &block.for_.kind {
            TyKind::Path(path) => path.segments.last().map_or(&[][..], |last| &last.args),
            _ => &[],
        };
        let bound = header.iter().zip(&instance.args).filter_map(|(ty, arg)| {
            let TyKind::Path(path) = &ty.kind else {
                return None;
            };
            let name = single(path)?;
            block
                .generics
                .contains(name)
                .then(|| (name.clone(), arg.clone()))
        });
        Self {
            module,
            params: bound.collect(),
            this: Some(Concrete::Def(Arc::clone(instance))),
            function: None,
        }
    }

    /// The same inside of a function.
    pub(super) fn within(self, function: &Text) -> Self {
        Self {
            function: Some(function.clone()),
            ..self
        }
    }

    /// What a name means here that no module knows: a type parameter, or `Self`.
    pub(super) fn local(&self, name: &str) -> Option<&Concrete> {
        if name == "Self" {
            return self.this.as_ref();
        }
        let param = self.params.iter().find(|(param, _)| &**param == name);
        param.map(|(_, concrete)| concrete)
    }
}

/// The name of a path that is nothing but a name.
pub(super) fn single(path: &Path) -> Option<&Text> {
    match &path.segments[..] {
        [only] if !path.leading && only.args.is_empty() => Some(&only.name),
        _ => None,
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
            Concrete::External(path, args) => (path.rsplit("::").next().unwrap_or(path), args),
            Concrete::Def(instance) => (&*instance.ty.def.name, &instance.args),
            Concrete::Number(number) => return write!(f, "{number}"),
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
    pub(super) fn external(path: &str) -> Self {
        Concrete::External(path.into(), Vec::new())
    }

    /// The same text for the same type, another one for any other.
    pub(super) fn key(&self) -> String {
        let mut key = String::new();
        self.write_key(&mut key);
        key
    }

    fn write_key(&self, key: &mut String) {
        let args = match self {
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
            Concrete::Number(number) => {
                key.push_str(&number.to_string());
                return;
            }
            Concrete::Array(item, length) => {
                key.push_str(&format!("[{length};"));
                item.write_key(key);
                key.push(']');
                return;
            }
            Concrete::Tuple(items) => {
                key.push('(');
                items
            }
        };
        key.push('<');
        for arg in args {
            arg.write_key(key);
            key.push(',');
        }
        key.push('>');
    }

    /// The type inside of boxes, reference counts and cells, which neither serde nor schemars shows.
    pub(super) fn peel(&self) -> &Concrete {
        let mut ty = self;
        while let Concrete::External(path, args) = ty {
            match (is_wrapper(path), args.first()) {
                (true, Some(inner)) => ty = inner,
                _ => break,
            }
        }
        ty
    }

    /// The first argument of a type known by name: the items' type of a list, the inner type of an option.
    pub(super) fn item(&self) -> Option<&Concrete> {
        match self.peel() {
            Concrete::External(_, args) => args.first(),
            Concrete::Array(item, _) => Some(item),
            _ => None,
        }
    }

    /// The type of the items that a collection is made from: of a map the pairs.
    pub(super) fn made_from(&self) -> Option<Concrete> {
        match (self.external_name(), self.peel()) {
            (Some("BTreeMap" | "HashMap" | "IndexMap"), Concrete::External(_, args)) => {
                let pair = args.get(..2)?;
                Some(Concrete::Tuple(pair.to_vec()))
            }
            _ => self.item().cloned(),
        }
    }

    /// The last segment of the name of a type known by name.
    /// The type arguments of a type known by name.
    pub(super) fn arguments(&self) -> &[Concrete] {
        match self.peel() {
            Concrete::External(_, arguments) => arguments,
            _ => &[],
        }
    }

    pub(super) fn external_name(&self) -> Option<&str> {
        match self.peel() {
            Concrete::External(path, _) => path.rsplit("::").next(),
            _ => None,
        }
    }
}

/// Types whose schema and value are those of what they hold.
pub(super) fn is_wrapper(path: &str) -> bool {
    path.starts_with("std::")
        && matches!(
            path.rsplit("::").next(),
            Some(
                "Box"
                    | "Arc"
                    | "Rc"
                    | "Weak"
                    | "Cow"
                    | "Cell"
                    | "RefCell"
                    | "Mutex"
                    | "RwLock"
                    | "Wrapping"
                    | "Reverse"
            )
        )
}

impl Reader<'_> {
    /// A type as written, without open ends.
    ///
    /// # Errors
    /// `unresolved-path`, or `unsupported-type` for what can have no schema.
    pub(super) fn concrete(&self, ty: &Ty, scope: &Scope) -> Result<Concrete, Finding> {
        self.concrete_at(ty, scope, 0)
    }

    pub(super) fn concrete_at(
        &self,
        ty: &Ty,
        scope: &Scope,
        depth: usize,
    ) -> Result<Concrete, Finding> {
        if depth > MAX_DEPTH {
            return Err(unsupported(
                ty.span,
                "a type that aliases and arguments nest too deep",
                "name the type without the chain of aliases",
            ));
        }
        match &ty.kind {
            TyKind::Path(path) => self.concrete_path(path, scope, depth),
            TyKind::Reference(inner) => self.concrete_at(inner, scope, depth + 1),
            TyKind::Slice(item) => {
                let item = self.concrete_at(item, scope, depth + 1)?;
                Ok(Concrete::External("std::vec::Vec".into(), vec![item]))
            }
            TyKind::Array(item, length) => {
                let item = self.concrete_at(item, scope, depth + 1)?;
                let length = self.number(length, scope)?;
                Ok(Concrete::Array(Box::new(item), length))
            }
            TyKind::Tuple(items) => {
                let items = items
                    .iter()
                    .map(|item| self.concrete_at(item, scope, depth + 1));
                Ok(Concrete::Tuple(items.collect::<Result<_, _>>()?))
            }
            TyKind::Qualified(own, of, name) => {
                let own = self.concrete_at(own, scope, depth + 1)?;
                let found = match of {
                    Some(of) => self.associated_type(&own, (of, name), scope, depth + 1)?,
                    None => None,
                };
                found.ok_or_else(|| {
                    unsupported(
                        ty.span,
                        &format!("the associated type `{name}` of `{own}`"),
                        "name the type itself",
                    )
                })
            }
            TyKind::Const(value) => self.constant_argument(value, scope),
            TyKind::Macro(path, tokens) => {
                let made = self.graph.expanded_type(scope.module, path, tokens);
                let made = made.ok_or_else(|| {
                    unsupported(
                        ty.span,
                        &format!("what `{path}!` makes in the place of a type"),
                        "name the type itself",
                    )
                })?;
                self.concrete_at(&made, scope, depth + 1)
            }
            TyKind::Other(words) => Err(unsupported(
                ty.span,
                words,
                "use a type that derives `JsonSchema`, or say what it looks like with \
                 `#[schemars(with = \"..\")]`",
            )),
        }
    }

    fn concrete_path(&self, path: &Path, scope: &Scope, depth: usize) -> Result<Concrete, Finding> {
        if let (Some(first), false) = (path.segments.first(), path.leading)
            && let Some(concrete) = scope.local(&first.name)
        {
            if path.segments.len() == 1 {
                return Ok(concrete.clone());
            }
            return Err(unsupported(
                path.span,
                &format!("an associated type of `{concrete}`"),
                "name the type itself",
            ));
        }
        let args = || {
            let written = path.segments.last().map_or(&[][..], |last| &last.args);
            let args = written
                .iter()
                .map(|arg| self.concrete_at(arg, scope, depth + 1));
            args.collect::<Result<Vec<_>, _>>()
        };
        let resolved = match self.graph.resolve_type(scope.module, path) {
            Ok(resolved) => resolved,
            // A constant's name among type arguments looks like a type's.
            Err(finding) => {
                let value = Expr {
                    kind: ExprKind::Path(path.clone()),
                    span: path.span,
                };
                return match depth {
                    0 => Err(finding),
                    _ => self.constant_argument(&value, scope).map_err(|_| finding),
                };
            }
        };
        match resolved {
            Resolved::External(name) => Ok(Concrete::External(name, args()?)),
            Resolved::Def(Def::Type(ty)) => {
                let mut args = args()?;
                let left_out = ty.def.fallbacks.get(args.len()..).unwrap_or_default();
                for fallback in left_out.iter().map_while(Option::as_ref) {
                    let names = ty.def.generics.iter().cloned();
                    let scope = Scope {
                        module: ty.module,
                        params: names.zip(args.iter().cloned()).collect(),
                        this: None,
                        function: None,
                    };
                    args.push(self.concrete_at(fallback, &scope, depth + 1)?);
                }
                check_arguments(&ty.def.name, &ty.def.generics, args.len(), path.span)?;
                Ok(Concrete::Def(Arc::new(Instance { ty, args })))
            }
            Resolved::Def(Def::Alias(module, alias)) => {
                let args = args()?;
                check_arguments(&alias.name, &alias.generics, args.len(), path.span)?;
                let scope = Scope {
                    module,
                    params: alias.generics.iter().cloned().zip(args).collect(),
                    this: None,
                    function: None,
                };
                self.concrete_at(&alias.ty, &scope, depth + 1)
            }
            Resolved::Def(
                Def::Const(..)
                | Def::Fn(..)
                | Def::Variant(..)
                | Def::Associated(..)
                | Def::Trait(..),
            ) => Err(unsupported(
                path.span,
                "something that is no type",
                "name a struct, an enum or an alias",
            )),
        }
    }

    fn constant_argument(&self, value: &Expr, scope: &Scope) -> Result<Concrete, Finding> {
        match self.eval(value, scope, None)? {
            Const::Int(int) => Ok(Concrete::Number(int)),
            _ => Err(unsupported(
                value.span,
                "a constant that is no integer in place of a type",
                "name the type without the parameter",
            )),
        }
    }

    /// Type arguments that a path gives to a definition, those of its last segment.
    pub(super) fn arguments(&self, args: &[Ty], scope: &Scope) -> Result<Vec<Concrete>, Finding> {
        args.iter().map(|arg| self.concrete(arg, scope)).collect()
    }
}

fn check_arguments(
    name: &Text,
    generics: &[Text],
    given: usize,
    span: Span,
) -> Result<(), Finding> {
    if given == generics.len() {
        return Ok(());
    }
    let wanted = generics.join(", ");
    Err(unsupported(
        span,
        &format!(
            "`{name}` with {given} of its {} type arguments",
            generics.len()
        ),
        &format!("write all of them: `{name}<{wanted}>`"),
    ))
}

/// `unsupported-type`
pub(super) fn unsupported(span: Span, what: &str, help: &str) -> Finding {
    Box::new(
        Diagnostic::new(
            Code::UnsupportedType,
            span,
            format!("{what} cannot be expressed in a CRD"),
        )
        .with_help(help),
    )
}
