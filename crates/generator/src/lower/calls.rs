//! Calls: constructors, functions and methods in source, and those of std that a constant may use.

use super::Reader;
use super::concrete::{Concrete, Finding, Instance, Scope, is_wrapper};
use super::constant::Frame;
use super::construct::variant_named;
use super::known;
use super::methods::property;
use super::statements::unmoved;
use super::value::{Const, not_constant};
use crate::diag::Span;
use crate::source::tree::{Expr, ExprKind, FnDef, Path};
use crate::source::{Def, ModuleId, Resolved};
use std::sync::Arc;

impl Reader<'_> {
    /// `f(a, b)`
    pub(super) fn call(
        &self,
        whole: &Expr,
        (function, asked): (&Expr, bool),
        args: &[Expr],
        frame: &mut Frame<'_>,
        expected: Option<&Concrete>,
    ) -> Result<Const, Finding> {
        match &function.kind {
            ExprKind::Qualified(ty, name) => {
                let ty = self.concrete(ty, frame.scope)?;
                self.associated((&ty, name, asked), args, whole.span, frame, expected)
            }
            ExprKind::Path(path) => {
                let path = frame.meant(path);
                self.call_path(whole, (&path, asked), args, frame, expected)
            }
            _ => Err(not_constant(whole.span, "this call cannot be evaluated")),
        }
    }

    fn call_path(
        &self,
        whole: &Expr,
        (path, asked): (&Path, bool),
        args: &[Expr],
        frame: &mut Frame<'_>,
        expected: Option<&Concrete>,
    ) -> Result<Const, Finding> {
        if let Some((ty, name)) = self.own_associated(path, frame.scope) {
            return self.associated((&ty, &name, asked), args, whole.span, frame, expected);
        }
        let last = path.segments.last().map_or("", |last| &*last.name);
        if let Some(done) = self.handed_on_by_path(last, args, frame) {
            return done;
        }
        if let ("fmt", [shown, _]) = (last, args)
            && let Some(done) = self.formats(
                whole,
                (shown, last),
                args.get(1..).unwrap_or_default(),
                frame,
            )
        {
            return done;
        }
        if let ("Self", Some(Concrete::Def(this))) = (last, &frame.scope.this) {
            let this = Arc::clone(this);
            return self.construct(this, None, args, frame);
        }
        let resolved = match self.graph.resolve_value(frame.scope.module, path) {
            Ok(resolved) => resolved,
            // `T::default()` in a generic function: its parameters are not kept, the expected type says what `T` is.
            Err(finding) => match (last, args, expected) {
                ("default", [], Some(ty)) => return self.default_of(ty, whole.span),
                _ => return Err(finding),
            },
        };
        match resolved {
            Resolved::Def(Def::Fn(module, function)) => {
                if let Some(value) = self.stated_value(module, &function.name) {
                    return Ok(value);
                }
                let scope = self.scope_of_fn(module, &function, path, frame.scope);
                self.run((&function, &scope, asked), args, frame, expected)
            }
            Resolved::Def(Def::Variant(ty, index)) => {
                let instance = self.instance(ty, path, 2, frame.scope, expected);
                self.construct(instance, Some(index), args, frame)
            }
            Resolved::Def(Def::Type(ty)) => {
                let instance = self.instance(ty, path, 1, frame.scope, expected);
                self.construct(instance, None, args, frame)
            }
            Resolved::Def(Def::Associated(ty, name)) => {
                let instance = self.instance(ty, path, 2, frame.scope, expected);
                let ty = Concrete::Def(instance);
                self.associated((&ty, &name, asked), args, whole.span, frame, expected)
            }
            Resolved::Def(Def::Const(..) | Def::Alias(..) | Def::Trait(..)) => {
                Err(not_constant(path.span, "this is no function"))
            }
            Resolved::External(name) => {
                let at = path.segments.len().checked_sub(2);
                let types = at.and_then(|at| path.segments.get(at));
                let types = types.map_or(&[][..], |segment| &segment.args);
                let types = self.arguments(types, frame.scope)?;
                self.call_known(whole, (&name, asked), types, args, frame, expected)
            }
        }
    }

    fn call_known(
        &self,
        whole: &Expr,
        (name, asked): (&str, bool),
        types: Vec<Concrete>,
        args: &[Expr],
        frame: &mut Frame<'_>,
        expected: Option<&Concrete>,
    ) -> Result<Const, Finding> {
        let (owner, last) = name.rsplit_once("::").unwrap_or(("", name));
        if let ("from_str", [text], Some(ty)) = (last, args, expected)
            && owner.ends_with("::FromStr")
        {
            let Const::Text(text) = self.expr(text, frame, None)? else {
                return Err(not_constant(whole.span, "only text is read"));
            };
            return self.parsed(&text, ty, whole.span, (frame, asked));
        }
        let trait_call = owner.ends_with("::Default");
        if last == "default" && args.is_empty() {
            let named = Concrete::External(owner.into(), types);
            let ty = match expected {
                Some(ty) if trait_call || ty.external_name() == named.external_name() => ty,
                _ => &named,
            };
            return self.default_of(ty, whole.span);
        }
        if let (
            [
                Expr {
                    kind: ExprKind::Closure(_, body),
                    ..
                },
            ],
            "new",
        ) = (args, last)
            && matches!(
                owner.rsplit("::").next(),
                Some("LazyLock" | "LazyCell" | "Lazy")
            )
        {
            return self.expr(body, frame, expected);
        }
        if let Some(value) = self.variable(whole, name, args, frame) {
            return value;
        }
        // `Some(..)`, `Box::new(..)` and collections hand what is expected of them to what they hold.
        let item = match (last, expected) {
            ("new", Some(ty)) if is_wrapper(owner) => Some(ty.clone()),
            (_, ty) => ty.and_then(Concrete::item).cloned(),
        };
        let item = match last {
            "Some" | "Ok" => item,
            "from" | "from_iter" => expected.filter(|_| owner != "std::string::String").cloned(),
            "new" => item,
            _ => None,
        };
        let values = args
            .iter()
            .map(|arg| self.expr(arg, frame, item.as_ref()))
            .collect::<Result<Vec<_>, _>>()?;
        known::call(name, &values, expected)
            .ok_or_else(|| not_constant(whole.span, format!("`{name}` is not evaluated here")))
    }

    /// The inside of a function of the source, its type parameters bound where the path to it says what they are.
    pub(super) fn scope_of_fn(
        &self,
        module: ModuleId,
        function: &FnDef,
        path: &Path,
        outside: &Scope,
    ) -> Scope {
        let written = path.segments.last().map_or(&[][..], |last| &last.args);
        let names = function.generics.iter().cloned().zip(written);
        let bound = names.filter_map(|(name, ty)| Some((name, self.concrete(ty, outside).ok()?)));
        Scope {
            params: bound.collect(),
            ..Scope::module(module).within(&function.name)
        }
    }

    /// The inside of a function's body, where the items in it are known as well.
    pub(super) fn body_scope(&self, function: &FnDef, scope: &Scope) -> Scope {
        Scope {
            module: self.graph.inside(scope.module, function),
            ..scope.clone()
        }
    }

    /// Runs a function of the source.
    fn run(
        &self,
        (function, scope, asked): (&FnDef, &Scope, bool),
        args: &[Expr],
        frame: &mut Frame<'_>,
        expected: Option<&Concrete>,
    ) -> Result<Const, Finding> {
        let mut locals = Vec::with_capacity(args.len());
        for ((name, of), arg) in function.params.iter().zip(&function.param_types).zip(args) {
            let of = of.as_ref().and_then(|of| self.concrete(of, scope).ok());
            unmoved(arg, frame)?;
            locals.push((name.clone(), self.expr(arg, frame, of.as_ref())?, of));
        }
        let returns = function.returns.as_ref();
        let returns = returns.and_then(|ty| self.concrete(ty, scope).ok());
        let returns = returns.as_ref().or(expected);
        let scope = &self.body_scope(function, scope);
        self.inside_assured(&function.body, scope, locals, returns, frame, asked)
    }

    /// Runs a function that takes no argument: what `#[serde(default = "..")]` names.
    ///
    /// # Errors
    /// `not-constant` where the body cannot be evaluated, `unresolved-path`.
    pub(super) fn result_of(
        &self,
        path: &Path,
        scope: &Scope,
        expected: &Concrete,
    ) -> Result<Const, Finding> {
        let function = Expr {
            kind: ExprKind::Path(path.clone()),
            span: path.span,
        };
        let call = Expr {
            kind: ExprKind::Call(Box::new(function), Vec::new()),
            span: path.span,
        };
        self.eval(&call, scope, Some(expected))
    }

    /// Asks a function of one argument about a value: what `skip_serializing_if` names.
    ///
    /// # Errors
    /// `not-constant` where the answer cannot be evaluated, `unresolved-path`.
    pub(super) fn asks(
        &self,
        path: &Path,
        scope: &Scope,
        value: &Const,
        ty: &Concrete,
    ) -> Result<bool, Finding> {
        if let Const::Unknown(finding) = value {
            return Err(finding.clone());
        }
        let answer = match self.graph.resolve_value(scope.module, path)? {
            Resolved::Def(Def::Fn(module, function)) => {
                self.answer(&function, &Scope::module(module), value, ty)?
            }
            Resolved::Def(Def::Associated(owner, name)) => {
                let instance = self.instance(owner, path, 2, scope, Some(ty));
                match self.function_of(&instance, &name) {
                    Some((function, scope)) => self.answer(&function, &scope, value, ty)?,
                    None => None,
                }
            }
            Resolved::External(name) => {
                let name = name.rsplit("::").next().unwrap_or_default();
                property(name, value).or(match (name, value) {
                    ("not", Const::Bool(value)) => Some(!value),
                    ("clone", Const::Bool(value)) => Some(*value),
                    _ => None,
                })
            }
            Resolved::Def(_) => None,
        };
        answer.ok_or_else(|| {
            not_constant(
                path.span,
                "whether this default is skipped cannot be evaluated",
            )
        })
    }

    fn answer(
        &self,
        function: &FnDef,
        scope: &Scope,
        value: &Const,
        ty: &Concrete,
    ) -> Result<Option<bool>, Finding> {
        let scope = self.body_scope(function, scope);
        let answer = Frame::enter(&scope, function.span, |frame| {
            if let Some(name) = function.params.first() {
                let local = (name.clone(), value.clone(), Some(ty.clone()));
                frame.locals.push(local);
            }
            self.body(&function.body, frame, None)
        });
        match answer? {
            Const::Bool(answer) => Ok(Some(answer)),
            _ => Ok(None),
        }
    }

    /// A function in an inherent `impl` of a type.
    pub(super) fn function_of(
        &self,
        instance: &Arc<Instance>,
        name: &str,
    ) -> Option<(FnDef, Scope)> {
        let own = self.graph.impls(&instance.ty, None).into_iter();
        // A type's own come before those of its traits, which are looked for only then.
        let of_traits = std::iter::once_with(|| self.graph.trait_impls(&instance.ty));
        let far = std::iter::once_with(|| self.graph.all_impls(&instance.ty));
        own.chain(of_traits.flatten())
            .chain(far.flatten())
            .find_map(|(module, block)| {
                let function = block.fns.iter().find(|function| &*function.name == name)?;
                let scope = Scope::of_impl(instance, module, &block).within(&function.name);
                Some((function.clone(), scope))
            })
    }

    /// A function in a type's `impl` of a trait, and what names mean in its body.
    pub(super) fn trait_function(
        &self,
        instance: &Arc<Instance>,
        of: &str,
        name: &str,
    ) -> Option<(FnDef, Scope)> {
        let mut blocks = self.graph.impls(&instance.ty, Some(of)).into_iter();
        blocks.find_map(|(module, block)| {
            let function = block.fns.iter().find(|function| &*function.name == name)?;
            let scope = Scope::of_impl(instance, module, &block);
            Some((function.clone(), self.body_scope(function, &scope)))
        })
    }

    /// `Type::name`
    pub(super) fn associated_const(
        &self,
        ty: &Concrete,
        name: &str,
        span: Span,
    ) -> Result<Const, Finding> {
        let unknown = || not_constant(span, format!("`{ty}::{name}` cannot be evaluated"));
        match ty {
            Concrete::External(path, _) => {
                known::value(&format!("{path}::{name}")).ok_or_else(unknown)
            }
            Concrete::Def(instance) => {
                if let Some(value) = self.stated_member(instance, name) {
                    return Ok(value);
                }
                if let Some(index) = variant_named(instance, name) {
                    return Ok(Const::Variant(Arc::clone(instance), index, Vec::new()));
                }
                let own = self.graph.impls(&instance.ty, None).into_iter();
                let of_traits = || self.graph.trait_impls(&instance.ty);
                let far = std::iter::once_with(|| self.graph.all_impls(&instance.ty));
                let near = own.chain(std::iter::once_with(of_traits).flatten());
                for (module, block) in near.chain(far.flatten()) {
                    let found = block.consts.iter().find(|constant| &*constant.name == name);
                    if let Some(constant) = found {
                        let scope = Scope::of_impl(instance, module, &block);
                        let ty = self.concrete(&constant.ty, &scope)?;
                        return self.eval(&constant.value, &scope, Some(&ty));
                    }
                }
                Err(unknown())
            }
            Concrete::Array(..) | Concrete::Tuple(_) | Concrete::Number(_) => Err(unknown()),
        }
    }

    /// `Type::name(a, b)`
    fn associated(
        &self,
        (ty, name, asked): (&Concrete, &str, bool),
        args: &[Expr],
        span: Span,
        frame: &mut Frame<'_>,
        expected: Option<&Concrete>,
    ) -> Result<Const, Finding> {
        if name == "default" && args.is_empty() {
            return self.default_of(ty, span);
        }
        let unknown = || not_constant(span, format!("`{ty}::{name}` is not evaluated here"));
        match ty {
            Concrete::Def(instance) => {
                if let Some(value) = self.stated_member(instance, name) {
                    return Ok(value);
                }
                if let Some(index) = variant_named(instance, name) {
                    return self.construct(Arc::clone(instance), Some(index), args, frame);
                }
                if let ("from", [value]) = (name, args)
                    && self.graph.impls(&instance.ty, Some("From")).len() > 1
                {
                    let value = self.expr(value, frame, None)?;
                    return self.converted(value, ty, span, frame);
                }
                if let Some((function, scope)) = self.function_of(instance, name) {
                    return self.run((&function, &scope, asked), args, frame, expected);
                }
                match (name, args) {
                    ("from", [value]) => {
                        let value = self.expr(value, frame, None)?;
                        self.converted(value, ty, span, frame)
                    }
                    _ => Err(unknown()),
                }
            }
            Concrete::External(path, types) => {
                let whole = Expr {
                    kind: ExprKind::Other("a call".into()),
                    span,
                };
                let name = format!("{path}::{name}");
                self.call_known(&whole, (&name, asked), types.clone(), args, frame, expected)
            }
            Concrete::Array(..) | Concrete::Tuple(_) | Concrete::Number(_) => Err(unknown()),
        }
    }
}
