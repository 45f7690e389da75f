//! Paths as expressions: variables, constants, functions, constructors.

use crate::eval::machine::{Frame, Machine, Run, Want, stop};
use crate::eval::values::callable::Callable;
use crate::eval::values::number::Int;
use crate::eval::values::trait_key::TraitKey;
use crate::eval::values::ty::{Concrete, Instance, Scope, single};
use crate::eval::values::value::{Adt, Value};
use crd_channels_diagnostics::Span;
use crd_channels_source::tree::{Body, ConstDef, Path, Segment, Style, Ty, TyKind};
use crd_channels_source::{Def, ModuleId, Resolved, TypeRef};
use std::sync::Arc;

/// The resolution of a path in an expression.
pub(in crate::eval) enum ResolvedPath {
    /// A value.
    Value(Value),
    /// A function that may be called.
    Function(Callable),
}

impl From<ResolvedPath> for Value {
    fn from(led: ResolvedPath) -> Self {
        match led {
            ResolvedPath::Value(value) => value,
            ResolvedPath::Function(callable) => Value::Fn(Arc::new(callable)),
        }
    }
}

impl Machine<'_> {
    /// Evaluates a path.
    pub(in crate::eval) fn path(&mut self, path: &Path, frame: &mut Frame, want: Want<'_>) -> Run {
        self.resolve_path(path, frame, want).map(Value::from)
    }

    /// `<Type as Trait>::name` as a value.
    pub(super) fn qualified(
        &mut self,
        own: &Concrete,
        of: Option<&Path>,
        last: &Segment,
        frame: &mut Frame,
        want: Want<'_>,
        span: Span,
    ) -> Run {
        self.resolve_qualified(own, of, last, frame, want, span)
            .map(Value::from)
    }

    pub(in crate::eval) fn resolve_qualified(
        &mut self,
        own: &Concrete,
        of: Option<&Path>,
        last: &Segment,
        frame: &mut Frame,
        want: Want<'_>,
        span: Span,
    ) -> Run<ResolvedPath> {
        let of = match of {
            Some(path) => match self.reader.trait_key(frame.scope.module, path) {
                Some(of) => Some(of),
                None => return stop(span, format!("the trait `{path}` is not known")),
            },
            None => None,
        };
        self.resolve_associated((own, of, last), &frame.scope.clone(), want, span)
    }

    /// Resolves a path.
    pub(in crate::eval) fn resolve_path(
        &mut self,
        path: &Path,
        frame: &mut Frame,
        want: Want<'_>,
    ) -> Run<ResolvedPath> {
        if let Some(slot) = single(path).and_then(|name| frame.local(name)) {
            return match self.slots.get(slot) {
                Some(value) => Ok(ResolvedPath::Value(value.clone())),
                None => stop(path.span, "this variable is not known"),
            };
        }
        if let Some(Concrete::Number(number)) =
            single(path).and_then(|name| frame.scope.local(name))
        {
            return Ok(ResolvedPath::Value(Value::Int(Int::literal(*number))));
        }
        let meant = frame.resolve_uses(path);
        let path = &*meant;
        let scope = frame.scope.clone();
        if let [first, last] = &path.segments[..]
            && !path.leading
            && let Some(own) = scope.local(&first.name)
        {
            let own = own.clone();
            return self.resolve_associated((&own, None, last), &scope, want, path.span);
        }
        if single(path).is_some_and(|name| &**name == "Self")
            && let Some(Concrete::Def(instance)) = &scope.this
        {
            return Ok(self.resolve_struct(Arc::clone(instance)));
        }
        let resolved = match self.reader.graph.resolve_value(scope.module, path) {
            Ok(resolved) => resolved,
            Err(finding) => {
                return match self.resolve_by_owner(path, &scope, want)? {
                    Some(led) => Ok(led),
                    None => Err(finding.into()),
                };
            }
        };
        match resolved {
            Resolved::Def(Def::Const(module, constant)) => {
                self.constant(module, &constant).map(ResolvedPath::Value)
            }
            Resolved::Def(Def::Fn(module, def)) => {
                if let Some(value) = self.reader.value_override(module, &def.name) {
                    return Ok(ResolvedPath::Function(overridden(value)));
                }
                Ok(ResolvedPath::Function(Callable::Function {
                    module,
                    scope: Scope::module(module),
                    types: self.written_types(path.segments.last(), &scope)?,
                    def,
                }))
            }
            Resolved::Def(Def::Variant(ty, index)) => {
                let of = self.instance(ty, path, 2, &scope, want.ty)?;
                Ok(resolve_variant(of, index))
            }
            Resolved::Def(Def::Type(ty)) => {
                let of = self.instance(ty, path, 1, &scope, want.ty)?;
                Ok(self.resolve_struct(of))
            }
            Resolved::Def(Def::Associated(ty, name)) => {
                let of = self.instance(ty, path, 2, &scope, want.ty)?;
                let last = Segment {
                    name,
                    args: last_args(path),
                };
                self.resolve_associated((&Concrete::Def(of), None, &last), &scope, want, path.span)
            }
            Resolved::Def(Def::Alias(..) | Def::Trait(..)) => {
                stop(path.span, "a type is not a value")
            }
            Resolved::External(name) => {
                // `Trait::name` of a trait known by name.
                let owner = path.segments.len().checked_sub(2);
                let owner =
                    self.written_types(owner.and_then(|at| path.segments.get(at)), &scope)?;
                let types = self.written_types(path.segments.last(), &scope)?;
                self.resolve_known(&name, owner, types, path.span)
            }
        }
    }

    /// Resolves `Trait::name`, `Alias::name` and the like, where the path before the last segment is a type or trait.
    fn resolve_by_owner(
        &mut self,
        path: &Path,
        scope: &Scope,
        want: Want<'_>,
    ) -> Run<Option<ResolvedPath>> {
        let Some((last, before)) = path.segments.split_last() else {
            return Ok(None);
        };
        if before.is_empty() {
            return Ok(None);
        }
        let owner = Path {
            leading: path.leading,
            segments: before.to_vec(),
            span: path.span,
        };
        match self.reader.graph.resolve_type(scope.module, &owner) {
            Ok(Resolved::Def(Def::Trait(home, of))) => {
                Ok(Some(ResolvedPath::Function(Callable::OfTrait {
                    of: TraitKey::Source((home, of)),
                    name: last.name.clone(),
                    scope: scope.clone(),
                })))
            }
            Ok(Resolved::Def(_)) => {
                let ty = Ty {
                    kind: TyKind::Path(owner),
                    span: path.span,
                };
                let own = self.reader.typed(&ty, scope)?;
                self.resolve_associated((&own, None, last), scope, want, path.span)
                    .map(Some)
            }
            _ => Ok(None),
        }
    }

    fn resolve_known(
        &mut self,
        name: &str,
        owner: Vec<Concrete>,
        types: Vec<Concrete>,
        span: Span,
    ) -> Run<ResolvedPath> {
        match crate::eval::std::constants::value(name) {
            Some(value) => Ok(ResolvedPath::Value(value)),
            None if crate::eval::std::is_constant(name) => {
                stop(span, format!("`{name}` cannot be evaluated"))
            }
            None => Ok(ResolvedPath::Function(Callable::Known(
                name.into(),
                owner,
                types,
            ))),
        }
    }

    /// Resolves a struct's name: a unit struct, or the constructor of a tuple struct.
    fn resolve_struct(&self, of: Arc<Instance>) -> ResolvedPath {
        match &of.ty.def.body {
            Body::Struct(Style::Unit, _) => ResolvedPath::Value(Value::Adt(Adt {
                of,
                variant: None,
                fields: Arc::default(),
            })),
            _ => ResolvedPath::Function(Callable::Constructor(of, None)),
        }
    }

    /// `Type::name`, `<Type as Trait>::name`
    pub(super) fn resolve_associated(
        &mut self,
        (own, of, last): (&Concrete, Option<TraitKey>, &Segment),
        scope: &Scope,
        want: Want<'_>,
        span: Span,
    ) -> Run<ResolvedPath> {
        let types = self.written_types(Some(last), scope)?;
        let name = &last.name;
        if let (Concrete::Def(instance), None) = (own, &of) {
            if let Some(value) = self.reader.member_override(instance, name) {
                return Ok(match self.is_function(own, name) {
                    true => ResolvedPath::Function(overridden(value)),
                    false => ResolvedPath::Value(value),
                });
            }
            if let Some(index) = super::construct::variant_named(instance, name) {
                let of = match want.ty {
                    Some(Concrete::Def(wanted))
                        if Arc::ptr_eq(&wanted.ty.def, &instance.ty.def)
                            && instance.args.iter().any(Concrete::is_open) =>
                    {
                        Arc::clone(wanted)
                    }
                    _ => Arc::clone(instance),
                };
                return Ok(resolve_variant(of, index));
            }
        }
        if let Some(value) = self.associated_const(own, of.as_ref(), name, scope, span)? {
            return Ok(ResolvedPath::Value(value));
        }
        if let (Concrete::External(path, args), None) = (own, &of) {
            let user = self.of_source(own, None, name, scope)?;
            if user.is_empty() {
                let name = format!("{path}::{name}");
                return self.resolve_known(&name, args.clone(), types, span);
            }
        }
        Ok(ResolvedPath::Function(Callable::Associated {
            own: own.clone(),
            of,
            name: name.clone(),
            types,
            scope: scope.clone(),
        }))
    }

    fn is_function(&self, own: &Concrete, name: &str) -> bool {
        let mut blocks = self.reader.inherent_blocks(own, name);
        blocks.extend(self.reader.blocks_with(own, name));
        blocks.iter().any(|block| block.function(name).is_some())
    }

    /// `Type::NAME`, if that is a constant.
    fn associated_const(
        &mut self,
        own: &Concrete,
        of: Option<&TraitKey>,
        name: &str,
        scope: &Scope,
        span: Span,
    ) -> Run<Option<Value>> {
        if of.is_none() {
            for block in self.reader.inherent_blocks(own, name) {
                let found = block.def.consts.iter().find(|found| &*found.name == name);
                if let Some(found) = found {
                    let block_scope = block.scope();
                    return self.constant_in(found, block_scope).map(Some);
                }
            }
        }
        let mut found = Vec::new();
        for candidate in self.traits_of(of, name, scope, true)? {
            let declares = match &candidate {
                TraitKey::Source((_, def)) => def.const_names.iter().any(|known| &**known == name),
                TraitKey::Known(_) => false,
            };
            if !declares {
                continue;
            }
            for block in self.reader.trait_blocks(own, &candidate, scope.module) {
                found.push((candidate.clone(), block));
            }
        }
        match &found[..] {
            [] => Ok(None),
            [(candidate, block)] => {
                let block_scope = block.scope();
                let own_const = block.def.consts.iter().find(|found| &*found.name == name);
                if let Some(found) = own_const {
                    return self.constant_in(&found.clone(), block_scope).map(Some);
                }
                let TraitKey::Source((home, def)) = candidate else {
                    return stop(span, format!("`{own}::{name}` cannot be evaluated"));
                };
                let Some(found) = def.consts.iter().find(|found| &*found.name == name) else {
                    return stop(span, format!("`{own}::{name}` cannot be evaluated"));
                };
                let block_scope = Scope {
                    module: *home,
                    params: block_scope.params,
                    this: Some(own.clone()),
                    function: None,
                    traits: Arc::from([(*home, Arc::clone(def))]),
                };
                self.constant_in(found, block_scope).map(Some)
            }
            _ => stop(span, format!("several `{name}` of `{own}` are possible")),
        }
    }

    /// Evaluates a constant or a static.
    fn constant(&mut self, module: ModuleId, constant: &ConstDef) -> Run {
        if let Some(value) = self.reader.value_override(module, &constant.name) {
            return Ok(value);
        }
        self.constant_in(constant, Scope::module(module))
    }

    fn constant_in(&mut self, constant: &ConstDef, scope: Scope) -> Run {
        let ty = self.reader.typed(&constant.ty, &scope)?;
        let mut frame = Frame::new(scope.within(&constant.name));
        let value = self.expr(&constant.value, &mut frame, Want::of(&ty))?;
        self.coerce(value, &ty, constant.value.span)
    }

    /// Returns the type arguments of a segment.
    pub(super) fn written_types(
        &mut self,
        segment: Option<&Segment>,
        scope: &Scope,
    ) -> Run<Vec<Concrete>> {
        let args = segment.map_or(&[][..], |segment| &segment.args);
        let types = args.iter().map(|ty| self.reader.typed(ty, scope));
        Ok(types.collect::<Result<_, _>>()?)
    }

    /// Returns a definition that a path names, with the arguments at its segment `from_end`, else those of the expected type.
    /// Undetermined ones are left open.
    pub(crate) fn instance(
        &mut self,
        ty: TypeRef,
        path: &Path,
        from_end: usize,
        scope: &Scope,
        expected: Option<&Concrete>,
    ) -> Run<Arc<Instance>> {
        let at = path.segments.len().checked_sub(from_end);
        let written = at.and_then(|at| path.segments.get(at));
        // `Option::<T>::None` and `None::<T>` mean the same.
        let written = match written {
            Some(written) if !written.args.is_empty() || from_end == 1 => Some(written),
            _ => path.segments.last().filter(|_| from_end == 2),
        };
        let wanted = ty.def.generics.len();
        let mut args = self.written_types(written, scope)?;
        if args.len() > wanted {
            args.clear();
        }
        if args.is_empty()
            && let Some(Concrete::Def(known)) = expected.map(Concrete::peel)
            && Arc::ptr_eq(&known.ty.def, &ty.def)
        {
            return Ok(Arc::clone(known));
        }
        args.resize(wanted, Concrete::Infer);
        Ok(Arc::new(Instance { ty, args }))
    }
}

fn resolve_variant(of: Arc<Instance>, index: usize) -> ResolvedPath {
    let style = match &of.ty.def.body {
        Body::Enum(variants) => variants.get(index).map(|variant| variant.style),
        Body::Struct(..) => None,
    };
    match style {
        Some(Style::Unit) | None => ResolvedPath::Value(Value::Adt(Adt {
            of,
            variant: Some(index),
            fields: Arc::default(),
        })),
        _ => ResolvedPath::Function(Callable::Constructor(of, Some(index))),
    }
}

/// Returns the function whose result the configuration sets.
fn overridden(value: Value) -> Callable {
    let json = match value {
        Value::Override(json) => json,
        _ => serde_json::Value::Null,
    };
    Callable::Override(json)
}

fn last_args(path: &Path) -> Vec<Ty> {
    let last = path.segments.last();
    last.map_or_else(Vec::new, |last| last.args.clone())
}
