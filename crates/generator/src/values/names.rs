//! Paths: parameters, constants, unit structs and variants, and the functions that a call names.

use super::reading::{Env, Reading, Run, check_place, stop};
use super::{Adt, Value};
use crate::types::numbers::IntType;
use crate::types::{Concrete, Instance, Scope, derives};
use crd_channels_diagnostics::{Span, Text};
use crd_channels_source::tree::{Body, ConstDef, FnDef, Path, Segment, Style, Ty, TyKind};
use crd_channels_source::{Def, Derive, HIDING, ModuleId, Resolved, TypeRef};
use std::sync::Arc;

/// What a path in an expression names.
pub(crate) enum Named {
    /// A value and its type; the type is open if the place decides it.
    Value(Value, Concrete),
    /// A tuple struct, or a variant with fields.
    Constructor(Arc<Instance>, Option<usize>),
    /// A function of the source, and the scope around it.
    Function(ModuleId, Arc<FnDef>, Scope),
    /// A function or constant that is known by its full path, and the type arguments before its last segment.
    Known(Text, Vec<Concrete>),
    /// `T::default` of a type without a function of that name.
    Default(Concrete),
}

impl Reading<'_> {
    /// Reads a path.
    pub(super) fn path(&mut self, path: &Path, env: &Env, place: Option<&Concrete>) -> Run {
        let named = self.item_named(path, env, place)?;
        self.value_of(named, place, path.span)
    }

    /// Refuses a name of the source that means kube's type in the code that `KubeSchema` makes of attributes.
    fn check_hidden(&self, path: &Path, scope: &Scope) -> Run<()> {
        let Some(first) = path.segments.first().filter(|_| !path.leading) else {
            return Ok(());
        };
        if !HIDING.contains(&&*first.name)
            || !matches!(&scope.this, Some(Concrete::Def(instance))
                if derives(&self.reader, instance, Derive::KubeSchema))
        {
            return Ok(());
        }
        let owner = Path {
            leading: false,
            segments: vec![first.clone()],
            span: path.span,
        };
        match self.reader.graph.resolve_type(scope.module, &owner) {
            Ok(Resolved::Def(_)) => {
                let why = format!(
                    "`{0}` may be kube's in the code of `KubeSchema`: write `self::{0}`",
                    first.name
                );
                stop(path.span, why)
            }
            _ => Ok(()),
        }
    }

    /// Refuses the items of a type parameter: they are those of its bounds, whatever the argument has.
    pub(super) fn check_owner(&self, own: &Ty, env: &Env) -> Run<()> {
        match &own.kind {
            TyKind::Path(path) => match path.name() {
                Some(name) if &**name != "Self" && env.scope.local(name).is_some() => {
                    of_parameter(own.span, name)
                }
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }

    fn value_of(&mut self, named: Named, place: Option<&Concrete>, span: Span) -> Run {
        match named {
            Named::Value(value, ty) => {
                if !ty.is_open() {
                    check_place(&ty, place, span)?;
                }
                Ok(value)
            }
            Named::Known(path, _) => match known_constant(&path) {
                Some((value, ty)) => self.value_of(Named::Value(value, ty), place, span),
                None => stop(span, format!("`{path}` is not read")),
            },
            Named::Constructor(..) | Named::Function(..) | Named::Default(_) => {
                stop(span, "a function as a value is not read")
            }
        }
    }

    /// Returns the value and the type of a constant or parameter.
    pub(super) fn constant_of(&mut self, path: &Path, env: &Env) -> Run<(Value, Concrete)> {
        match self.item_named(path, env, None)? {
            Named::Value(Value::Unknown(finding), _) => Err(finding),
            Named::Value(value, ty) => Ok((value, ty)),
            Named::Known(known, _) if let Some(known) = known_constant(&known) => Ok(known),
            _ => stop(
                path.span,
                format!("`{path}` is not a constant that can be read"),
            ),
        }
    }

    /// Returns the full path of what the source does not define; an empty one for everything else.
    pub(super) fn known_path(&mut self, path: &Path, env: &Env) -> Run<Text> {
        Ok(match self.item_named(path, env, None)? {
            Named::Known(known, _) => known,
            _ => "".into(),
        })
    }

    /// Resolves a path.
    pub(crate) fn item_named(
        &mut self,
        path: &Path,
        env: &Env,
        place: Option<&Concrete>,
    ) -> Run<Named> {
        let scope = &env.scope;
        if let Some(name) = path.name() {
            let mut variables = env.variables.iter().rev();
            if let Some(known) = variables.find(|known| known.name == *name) {
                return Ok(Named::Value(known.value.clone(), known.ty.clone()));
            }
            if let ("Self", Some(Concrete::Def(instance))) = (&**name, scope.local(name)) {
                return Ok(constructed(Arc::clone(instance)));
            }
        }
        if let [first, last] = &path.segments[..]
            && !path.leading
            && let Some(own) = scope.local(&first.name).cloned()
        {
            if &*first.name != "Self" {
                return of_parameter(path.span, &first.name);
            }
            return self.associated(&own, &last.name, scope, path.span);
        }
        self.check_hidden(path, scope)?;
        let resolved = match self.reader.graph.resolve_value(scope.module, path) {
            Ok(resolved) => resolved,
            Err(finding) => return self.of_owner(path, env)?.ok_or(finding),
        };
        match resolved {
            Resolved::Def(Def::Const(module, constant)) => {
                if let Some(value) = self.reader.value_override(module, &constant.name) {
                    return Ok(Named::Value(value, Concrete::Infer));
                }
                self.constant(&constant, Scope::module(module))
            }
            Resolved::Def(Def::Fn(module, def)) => {
                Ok(Named::Function(module, def, Scope::module(module)))
            }
            Resolved::Def(Def::Variant(ty, index)) => {
                let of = self.instance(ty, path, 2, scope, place)?;
                Ok(variant(of, index))
            }
            Resolved::Def(Def::Type(ty)) => {
                Ok(constructed(self.instance(ty, path, 1, scope, place)?))
            }
            Resolved::Def(Def::Associated(ty, name)) => {
                let of = self.instance(ty, path, 2, scope, place)?;
                if let [.., owner, _] = &path.segments[..]
                    && owner.args.is_empty()
                {
                    // The place says them only if the item is one of all arguments.
                    let args = vec![Concrete::Infer; of.args.len()];
                    let ty = of.ty.clone();
                    let open = Concrete::Def(Arc::new(Instance { ty, args }));
                    let reader = self.reader;
                    reader.own_item(&open, &name, scope, path.span)?;
                }
                self.associated(&Concrete::Def(of), &name, scope, path.span)
            }
            Resolved::Def(Def::Alias(..) | Def::Trait(..)) => {
                stop(path.span, "a type is not a value")
            }
            Resolved::External(name) => {
                let owner = path.segments.len().checked_sub(2);
                let owner = owner.and_then(|at| path.segments.get(at));
                Ok(Named::Known(name, self.arguments(owner, scope)?))
            }
        }
    }

    /// Resolves `Alias::name`, where the path before the last segment is a type.
    fn of_owner(&mut self, path: &Path, env: &Env) -> Run<Option<Named>> {
        let Some((last, before @ [_, ..])) = path.segments.split_last() else {
            return Ok(None);
        };
        let owner = Path {
            leading: path.leading,
            segments: before.to_vec(),
            span: path.span,
        };
        let is_trait = |resolved| {
            matches!(
                resolved,
                Ok(Resolved::Def(Def::Trait(..)) | Resolved::External(_)) | Err(_)
            )
        };
        if is_trait(self.reader.graph.resolve_type(env.scope.module, &owner)) {
            return Ok(None);
        }
        let own = self.reader.typed(&owner.into(), &env.scope)?;
        self.associated(&own, &last.name, &env.scope, path.span)
            .map(Some)
    }

    /// Resolves `Type::name` in a module: a variant, or an item of the type's own `impl` blocks. Items of traits are not chosen
    /// here.
    pub(super) fn associated(
        &mut self,
        own: &Concrete,
        name: &Text,
        from: &Scope,
        span: Span,
    ) -> Run<Named> {
        let Concrete::Def(instance) = own else {
            return match own {
                Concrete::External(path, args) => {
                    Ok(Named::Known(format!("{path}::{name}").into(), args.clone()))
                }
                _ if &**name == "default" && !own.is_blank() => Ok(Named::Default(own.clone())),
                _ => stop(span, format!("`{own}::{name}` is not read")),
            };
        };
        if let Some(value) = self.reader.member_override(instance, name) {
            return Ok(Named::Value(value, Concrete::Infer));
        }
        if let Some(index) = variant_named(instance, name) {
            return Ok(variant(Arc::clone(instance), index));
        }
        let block = match (self.reader.own_item(own, name, from, span)?, &**name) {
            (Some(block), _) => block,
            (None, "default") => return Ok(Named::Default(own.clone())),
            (None, "from") if let Some(block) = self.reader.conversion_block(own) => block,
            _ => {
                return stop(
                    span,
                    format!("`{own}::{name}` is not an item of the type itself, and is not read"),
                );
            }
        };
        let mut constants = block.def.consts.iter();
        if let Some(found) = constants.find(|found| found.name == *name) {
            return self.constant(found, block.scope());
        }
        match block.function(name) {
            Some(def) => {
                let def = Arc::new(def.clone());
                Ok(Named::Function(block.module, def, block.scope()))
            }
            None => stop(span, format!("`{own}::{name}` is not read")),
        }
    }

    fn constant(&mut self, constant: &ConstDef, scope: Scope) -> Run<Named> {
        let ty = self.reader.typed(&constant.ty, &scope)?;
        let value = self.read(&constant.value, &Env::new(scope), Some(&ty))?;
        Ok(Named::Value(value, ty))
    }

    /// Returns the type arguments of a segment.
    fn arguments(&self, segment: Option<&Segment>, scope: &Scope) -> Run<Vec<Concrete>> {
        let args = segment.map_or(&[][..], |segment| &segment.args);
        args.iter().map(|ty| self.reader.typed(ty, scope)).collect()
    }

    /// Returns a definition that a path names, with the arguments at its segment `from_end` or of an alias there, else those of
    /// the place.
    pub(super) fn instance(
        &self,
        ty: TypeRef,
        path: &Path,
        from_end: usize,
        scope: &Scope,
        place: Option<&Concrete>,
    ) -> Run<Arc<Instance>> {
        if ty.def.generics.is_empty() {
            let args = Vec::new();
            return Ok(Arc::new(Instance { ty, args }));
        }
        let is_it = |found: &Arc<Instance>| Arc::ptr_eq(&found.ty.def, &ty.def);
        let not_written = || {
            let why = format!("the type arguments of `{}` are not written", ty.def.name);
            stop(path.span, why)
        };
        let end = (path.segments.len() + 1).checked_sub(from_end);
        let owner = end.and_then(|end| path.segments.get(..end));
        if let Some(segments @ [.., last]) = owner {
            let owner = Path {
                segments: segments.to_vec(),
                ..path.clone()
            };
            let named = self.reader.graph.resolve_type(scope.module, &owner);
            let is_alias = matches!(named, Ok(Resolved::Def(Def::Alias(..))));
            if is_alias || !last.args.is_empty() {
                return match self.reader.typed(&owner.into(), scope)? {
                    Concrete::Def(found)
                        if is_it(&found) && !found.args.iter().any(Concrete::is_open) =>
                    {
                        Ok(found)
                    }
                    _ => not_written(),
                };
            }
        }
        match place {
            Some(Concrete::Def(known)) if is_it(known) => Ok(Arc::clone(known)),
            _ => not_written(),
        }
    }
}

fn of_parameter<T>(span: Span, name: &str) -> Run<T> {
    stop(
        span,
        format!("the items of the type parameter `{name}` are not read"),
    )
}

/// Returns a constant of std or serde_json by its full path; its type is open if the place decides it.
fn known_constant(path: &str) -> Option<(Value, Concrete)> {
    let value = match path {
        "std::option::Option::None" => Value::Option(None),
        "std::marker::PhantomData" => Value::Unit,
        "serde_json::Value::Null" => Value::Json(serde_json::Value::Null),
        "std::net::Ipv4Addr::LOCALHOST" => return Some(address("Ipv4Addr", "127.0.0.1")),
        "std::net::Ipv4Addr::UNSPECIFIED" => return Some(address("Ipv4Addr", "0.0.0.0")),
        "std::net::Ipv6Addr::LOCALHOST" => return Some(address("Ipv6Addr", "::1")),
        "std::net::Ipv6Addr::UNSPECIFIED" => return Some(address("Ipv6Addr", "::")),
        _ => {
            let (name, limit) = path.rsplit_once("::")?;
            let non_zero = name.strip_prefix("std::num::NonZero");
            let int = non_zero.map_or_else(|| name.to_owned(), str::to_lowercase);
            let ty = IntType::from_name(&int)?;
            let value = match limit {
                "MIN" if non_zero.is_some() && ty.min() == 0 => 1,
                "MIN" => ty.min(),
                // That of `u128` is beyond what is read.
                "MAX" if int != "u128" => ty.max(),
                _ => return None,
            };
            return Some((Value::Int(value), Concrete::external(name)));
        }
    };
    Some((value, Concrete::Infer))
}

/// An address of std, as serde writes it.
fn address(name: &str, text: &str) -> (Value, Concrete) {
    let ty = Concrete::external(&format!("std::net::{name}"));
    (Value::Json(text.into()), ty)
}

/// A unit struct, or the constructor of a tuple struct.
fn constructed(of: Arc<Instance>) -> Named {
    match &of.ty.def.body {
        Body::Struct(Style::Unit, _) => unit(of, None),
        _ => Named::Constructor(of, None),
    }
}

fn variant(of: Arc<Instance>, index: usize) -> Named {
    let style = match &of.ty.def.body {
        Body::Enum(variants) => variants.get(index).map(|variant| variant.style),
        Body::Struct(..) => None,
    };
    match style {
        Some(Style::Unit) | None => unit(of, Some(index)),
        _ => Named::Constructor(of, Some(index)),
    }
}

fn unit(of: Arc<Instance>, variant: Option<usize>) -> Named {
    let ty = Concrete::Def(Arc::clone(&of));
    let value = Value::Adt(Adt {
        of,
        variant,
        fields: Arc::default(),
    });
    Named::Value(value, ty)
}

/// Returns the index of an enum's variant.
pub(super) fn variant_named(instance: &Instance, name: &str) -> Option<usize> {
    match &instance.ty.def.body {
        Body::Enum(variants) => variants.iter().position(|variant| &*variant.name == name),
        Body::Struct(..) => None,
    }
}
