//! What an expression's value is, as far as that can be told without running the program.

use super::Reader;
use super::concrete::{Concrete, Finding, Instance, Scope, single};
use super::construct::field;
use super::known;
use super::operators::{literal, operate};
use super::statements::read;
use super::value::{Const, collected, not_constant};
use crate::Text;
use crate::diag::Span;
use crate::source::tree::{Body, Expr, ExprKind, Path, Ty};
use crate::source::{Def, Resolved, unknown_cfg};
use std::borrow::Cow;
use std::cell::Cell;
use std::sync::Arc;

/// How many expressions one value may take, calls included: functions that call each other cannot keep us forever.
const FUEL: u32 = 100_000;
/// How deep expressions and calls may nest together.
const MAX_DEPTH: u32 = 160;
/// How many evaluations may be started inside each other.
const MAX_ENTERED: u32 = 64;
/// How many items `[x; n]` may have.
const MAX_REPEAT: usize = 65_536;

thread_local! {
    /// How many evaluations are under way, each inside the one before, and the fuel that is left to all of them.
    static ENTERED: Cell<(u32, u32)> = const { Cell::new((0, FUEL)) };
}

/// The inside of a function, while one is evaluated.
pub(super) struct Frame<'f> {
    /// What names mean.
    pub(super) scope: &'f Scope,
    /// Variables, the innermost last, and their types where those are known.
    pub(super) locals: Vec<(Text, Const, Option<Concrete>)>,
    /// How deep we are.
    pub(super) depth: u32,
    /// What the function returns, where that is known.
    pub(super) returns: Option<Concrete>,
    /// What a `return` gives back, on its way out.
    pub(super) returned: Option<Const>,
    /// Whether the program would panic if this function gave back an error: what only checks, has passed.
    pub(super) assured: bool,
    /// The same of the value that is evaluated next.
    pub(super) asked: bool,
    /// What names mean that a `use` in the function brings in.
    pub(super) uses: Vec<(Text, Path)>,
}

impl Frame<'_> {
    /// Starts an evaluation, on the fuel of the one that it is a part of.
    ///
    /// # Errors
    /// `not-constant` where too many are parts of each other, those of `evaluate`.
    pub(super) fn enter<T>(
        scope: &Scope,
        at: Span,
        evaluate: impl FnOnce(&mut Frame<'_>) -> Result<T, Finding>,
    ) -> Result<T, Finding> {
        let (entered, left) = ENTERED.get();
        if entered >= MAX_ENTERED {
            return Err(too_long(at));
        }
        ENTERED.set((entered + 1, if entered == 0 { FUEL } else { left }));
        let value = evaluate(&mut Frame {
            scope,
            locals: Vec::new(),
            depth: 0,
            returns: None,
            returned: None,
            assured: false,
            asked: false,
            uses: Vec::new(),
        });
        let (_, left) = ENTERED.get();
        ENTERED.set((entered, left));
        value
    }

    /// Takes one step.
    ///
    /// # Errors
    /// `not-constant` where there were too many.
    pub(super) fn spend(&self, at: Span) -> Result<(), Finding> {
        let (entered, left) = ENTERED.get();
        if left == 0 || self.depth > MAX_DEPTH {
            return Err(too_long(at));
        }
        ENTERED.set((entered, left - 1));
        Ok(())
    }

    /// The inside of another function, on the same fuel.
    pub(super) fn below<'s>(
        &'s self,
        scope: &'s Scope,
        locals: Vec<(Text, Const, Option<Concrete>)>,
    ) -> Frame<'s> {
        Frame {
            scope,
            locals,
            depth: self.depth + 1,
            returns: None,
            returned: None,
            assured: false,
            asked: false,
            uses: Vec::new(),
        }
    }

    /// A path as the function's own `use`s let it mean.
    pub(super) fn meant<'p>(&self, path: &'p Path) -> Cow<'p, Path> {
        let used = path.segments.first().filter(|_| !path.leading);
        let used = used.and_then(|first| {
            let mut uses = self.uses.iter().rev();
            uses.find(|(name, _)| *name == first.name)
        });
        match used {
            None => Cow::Borrowed(path),
            Some((_, meant)) => {
                let rest = path.segments.iter().skip(1).cloned();
                let mut segments: Vec<_> = meant.segments.clone();
                if let (Some(last), Some(first)) = (segments.last_mut(), path.segments.first()) {
                    last.args.clone_from(&first.args);
                }
                segments.extend(rest);
                Cow::Owned(Path {
                    leading: meant.leading,
                    segments,
                    span: path.span,
                })
            }
        }
    }

    /// Forgets the variables and the `use`s that came after so many.
    pub(super) fn leave(&mut self, (locals, uses): (usize, usize)) {
        self.locals.truncate(locals);
        self.uses.truncate(uses);
    }

    pub(super) fn local(&self, name: &str) -> Option<&(Text, Const, Option<Concrete>)> {
        self.locals
            .iter()
            .rev()
            .find(|(local, ..)| &**local == name)
    }
}

impl Reader<'_> {
    /// The value of an expression. The expected type, where there is one, says what `Default::default()`, `.into()` and
    /// the like make.
    ///
    /// # Errors
    /// `not-constant` at the innermost expression that cannot be told, `unresolved-path`.
    pub(super) fn eval(
        &self,
        expr: &Expr,
        scope: &Scope,
        expected: Option<&Concrete>,
    ) -> Result<Const, Finding> {
        Frame::enter(scope, expr.span, |frame| self.body(expr, frame, expected))
    }

    /// The value of an expression that counts something.
    pub(super) fn number(&self, expr: &Expr, scope: &Scope) -> Result<u64, Finding> {
        match self.eval(expr, scope, None)? {
            Const::Int(int) => u64::try_from(int)
                .map_err(|_| not_constant(expr.span, format!("`{int}` is no length"))),
            other => Err(not_constant(
                expr.span,
                format!("an integer is needed here, not {}", other.kind()),
            )),
        }
    }

    pub(super) fn expr(
        &self,
        expr: &Expr,
        frame: &mut Frame<'_>,
        expected: Option<&Concrete>,
    ) -> Result<Const, Finding> {
        frame.spend(expr.span)?;
        frame.depth += 1;
        let value = self.step(expr, frame, expected);
        frame.depth -= 1;
        match value {
            Ok(Const::Unknown(finding)) => Err(finding),
            value => value,
        }
    }

    fn step(
        &self,
        expr: &Expr,
        frame: &mut Frame<'_>,
        expected: Option<&Concrete>,
    ) -> Result<Const, Finding> {
        let span = expr.span;
        let asked = std::mem::take(&mut frame.asked);
        match &expr.kind {
            ExprKind::Lit(lit) => literal(lit)
                .ok_or_else(|| not_constant(span, "this literal is beyond what can be read")),
            ExprKind::Path(path) => self.path_value(path, frame, expected),
            ExprKind::Qualified(ty, name) => {
                let ty = self.concrete(ty, frame.scope)?;
                self.associated_const(&ty, name, span)
            }
            ExprKind::Unary(operator, inner) => {
                let value = self.expr(inner, frame, expected)?;
                match (operator, value) {
                    ('*', value) => Ok(value),
                    ('-', Const::Int(int)) => int
                        .checked_neg()
                        .map(Const::Int)
                        .ok_or_else(|| not_constant(span, "this integer is too large")),
                    ('-', Const::Float(float)) => Ok(Const::Float(-float)),
                    ('!', Const::Bool(value)) => Ok(Const::Bool(!value)),
                    (operator, value) => Err(not_constant(
                        span,
                        format!("`{operator}` on {} is not evaluated", value.kind()),
                    )),
                }
            }
            ExprKind::Binary(operator, left, right) => {
                self.binary(expr, operator, (left, right), frame, expected)
            }
            ExprKind::Call(function, args) => {
                self.call(expr, (function, asked), args, frame, expected)
            }
            ExprKind::Method {
                receiver,
                name,
                types,
                args,
            } => {
                let types = (&types[..], asked);
                self.method(expr, (receiver, name), types, args, frame, expected)
            }
            ExprKind::Field(base, name) => match self.expr(base, frame, None)? {
                Const::Struct(_, fields) => field(&fields, name),
                Const::Tuple(items) => name
                    .parse()
                    .ok()
                    .and_then(|index: usize| items.get(index).cloned()),
                _ => None,
            }
            .ok_or_else(|| not_constant(span, format!("the field `{name}` cannot be evaluated"))),
            ExprKind::Struct { path, fields, rest } => {
                self.struct_literal(expr, path, (fields, rest.as_deref()), frame, expected)
            }
            ExprKind::Array(items) => {
                let item = expected.and_then(Concrete::made_from);
                let items = items
                    .iter()
                    .map(|value| self.expr(value, frame, item.as_ref()));
                let list = Const::List(items.collect::<Result<_, _>>()?);
                Ok(collected(list, expected))
            }
            ExprKind::Repeat(value, length) => {
                let item = expected.and_then(Concrete::item).cloned();
                let value = self.expr(value, frame, item.as_ref())?;
                match self.expr(length, frame, None)? {
                    Const::Int(length) => usize::try_from(length)
                        .ok()
                        .filter(|length| *length <= MAX_REPEAT)
                        .map(|length| Const::List(vec![value; length])),
                    _ => None,
                }
                .ok_or_else(|| not_constant(span, "the length of this list cannot be evaluated"))
            }
            ExprKind::Tuple(items) => {
                let types = match expected.map(Concrete::peel) {
                    Some(Concrete::Tuple(types)) => types.clone(),
                    _ => Vec::new(),
                };
                let items = items
                    .iter()
                    .enumerate()
                    .map(|(index, value)| self.expr(value, frame, types.get(index)));
                Ok(Const::Tuple(items.collect::<Result<_, _>>()?))
            }
            ExprKind::Reference(inner) => self.expr(inner, frame, expected),
            ExprKind::Borrow(inner) => self.borrow(expr, inner, frame, expected),
            ExprKind::Range(start, end, closed) => self.range(
                expr,
                (start.as_deref(), end.as_deref(), *closed),
                frame,
                expected,
            ),
            ExprKind::Cast(inner, ty) => self.cast(inner, ty, frame),
            ExprKind::Block(stmts, tail) => {
                let parts = (&stmts[..], tail.as_deref(), asked);
                self.block(expr, parts, frame, expected)
            }
            ExprKind::Macro(path, tokens) => {
                let name = path.segments.last().map_or("", |last| &*last.name);
                self.macro_value(expr, name, tokens, frame, expected)
            }
            ExprKind::If(condition, then, otherwise) => {
                let parts = (&**condition, &**then, otherwise.as_deref());
                self.branch(parts, asked, frame, expected)
            }
            ExprKind::Match(value, arms) => {
                self.choice(expr, (value, arms, asked), frame, expected)
            }
            ExprKind::Return(value) => self.leave(expr, value.as_deref(), frame),
            ExprKind::Try(value) => self.attempt(expr, value, frame),
            ExprKind::Index(list, at) => self.index(expr, list, at, frame),
            ExprKind::Is(..) => Err(not_constant(span, "a condition is no value")),
            ExprKind::For(..) => Err(not_constant(span, "a loop is no value")),
            ExprKind::Assign(..) => Err(not_constant(span, "an assignment is no value")),
            ExprKind::Closure(..) => Err(not_constant(span, "a closure is no constant")),
            ExprKind::Unread => match self.graph.expression_at(span) {
                Some(read) => self.expr(&read, frame, expected),
                None => Err(not_constant(span, "this expression cannot be read")),
            },
            ExprKind::Undecided(cfg) => Err(Box::new(unknown_cfg(cfg, span))),
            ExprKind::Other(words) => Err(not_constant(span, format!("{words} is not evaluated"))),
        }
    }

    fn path_value(
        &self,
        path: &Path,
        frame: &mut Frame<'_>,
        expected: Option<&Concrete>,
    ) -> Result<Const, Finding> {
        if let Some((_, value, _)) = single(path).and_then(|name| frame.local(name)) {
            return Ok(match value {
                Const::Borrowed(..) => read(path, frame).ok_or_else(|| {
                    not_constant(path.span, "what is borrowed here cannot be told")
                })?,
                value => value.clone(),
            });
        }
        if let Some(Concrete::Number(number)) =
            single(path).and_then(|name| frame.scope.local(name))
        {
            return Ok(Const::Int(*number));
        }
        if let Some((ty, name)) = self.own_associated(path, frame.scope) {
            return self.associated_const(&ty, &name, path.span);
        }
        if single(path).is_some_and(|name| &**name == "Self")
            && let Some(Concrete::Def(instance)) = &frame.scope.this
        {
            return Ok(Const::Struct(Arc::clone(instance), Vec::new()));
        }
        let meant = frame.meant(path);
        let path = &*meant;
        match self.graph.resolve_value(frame.scope.module, path)? {
            Resolved::Def(Def::Const(module, constant)) => {
                if let Some(value) = self.stated_value(module, &constant.name) {
                    return Ok(value);
                }
                let scope = Scope::module(module);
                let ty = self.concrete(&constant.ty, &scope).ok();
                self.inside(&constant.value, &scope, Vec::new(), ty.as_ref(), frame)
            }
            Resolved::Def(Def::Variant(ty, index)) => {
                let instance = self.instance(ty, path, 2, frame.scope, expected);
                Ok(Const::Variant(instance, index, Vec::new()))
            }
            Resolved::Def(Def::Associated(ty, name)) => {
                let instance = self.instance(ty, path, 2, frame.scope, expected);
                self.associated_const(&Concrete::Def(instance), &name, path.span)
            }
            Resolved::Def(Def::Type(ty)) => {
                let instance = self.instance(ty, path, 1, frame.scope, expected);
                Ok(Const::Struct(instance, Vec::new()))
            }
            Resolved::Def(Def::Fn(_, function)) => Err(not_constant(
                path.span,
                format!("`{}` is a function, not a value", function.name),
            )),
            Resolved::Def(Def::Alias(..) | Def::Trait(..)) => {
                Err(not_constant(path.span, "a type is no value"))
            }
            Resolved::External(name) => known::value(&name)
                .ok_or_else(|| not_constant(path.span, format!("`{name}` cannot be evaluated"))),
        }
    }

    /// `Self::name` and `T::name`, where `T` is a type parameter: the type and the name.
    pub(super) fn own_associated(&self, path: &Path, scope: &Scope) -> Option<(Concrete, Text)> {
        match &path.segments[..] {
            [first, second] if !path.leading => {
                let ty = scope.local(&first.name)?;
                Some((ty.clone(), second.name.clone()))
            }
            _ => None,
        }
    }

    /// Evaluates in another scope, on the same fuel.
    pub(super) fn inside(
        &self,
        expr: &Expr,
        scope: &Scope,
        locals: Vec<(Text, Const, Option<Concrete>)>,
        expected: Option<&Concrete>,
        frame: &Frame<'_>,
    ) -> Result<Const, Finding> {
        self.inside_assured(expr, scope, locals, expected, frame, false)
    }

    /// The same of a function whose error would be a panic, if it is `assured`.
    pub(super) fn inside_assured(
        &self,
        expr: &Expr,
        scope: &Scope,
        locals: Vec<(Text, Const, Option<Concrete>)>,
        expected: Option<&Concrete>,
        frame: &Frame<'_>,
        assured: bool,
    ) -> Result<Const, Finding> {
        let mut frame = frame.below(scope, locals);
        frame.assured = assured;
        self.body(expr, &mut frame, expected)
    }

    /// A function's body, which a `return` may leave early.
    pub(super) fn body(
        &self,
        expr: &Expr,
        frame: &mut Frame<'_>,
        expected: Option<&Concrete>,
    ) -> Result<Const, Finding> {
        frame.returns = expected.cloned();
        frame.asked = frame.assured;
        let value = self.expr(expr, frame, expected);
        match frame.returned.take() {
            Some(value) => Ok(value),
            None => value,
        }
    }

    fn binary(
        &self,
        whole: &Expr,
        operator: &str,
        (left, right): (&Expr, &Expr),
        frame: &mut Frame<'_>,
        expected: Option<&Concrete>,
    ) -> Result<Const, Finding> {
        let compares = matches!(operator, "==" | "!=" | "<" | ">" | "<=" | ">=");
        let expected = if compares {
            local_type(left, frame).or_else(|| local_type(right, frame))
        } else {
            expected.cloned()
        };
        let left = self.expr(left, frame, expected.as_ref())?;
        match (operator, &left) {
            ("&&", Const::Bool(false)) | ("||", Const::Bool(true)) => return Ok(left),
            _ => {}
        }
        let right = self.expr(right, frame, expected.as_ref())?;
        operate(operator, &left, &right).ok_or_else(|| {
            not_constant(
                whole.span,
                format!(
                    "`{operator}` on {} and {} cannot be evaluated",
                    left.kind(),
                    right.kind()
                ),
            )
        })
    }

    fn cast(&self, inner: &Expr, ty: &Ty, frame: &mut Frame<'_>) -> Result<Const, Finding> {
        let target = self.concrete(ty, frame.scope)?;
        let value = self.expr(inner, frame, None)?;
        let name = target.external_name().unwrap_or_default();
        let cast = match (value, name) {
            (Const::Int(int), "f32" | "f64") => format!("{int}").parse().ok().map(Const::Float),
            (Const::Float(float), "f32" | "f64") => Some(Const::Float(float)),
            (Const::Int(int), _) => known::fits(int, name).then_some(Const::Int(int)),
            (Const::Bool(value), _) => Some(Const::Int(i128::from(value))),
            (Const::Char(c), "u32" | "u64" | "u128" | "i64" | "i128" | "usize") => {
                Some(Const::Int(i128::from(u32::from(c))))
            }
            (Const::Variant(instance, index, _), _) => self
                .discriminants(&instance)?
                .get(index)
                .copied()
                .map(Const::Int),
            _ => None,
        };
        cast.ok_or_else(|| {
            not_constant(
                inner.span,
                format!("the cast to `{target}` changes the value"),
            )
        })
    }

    /// The integers that the variants of an enum stand for.
    pub(super) fn discriminants(&self, instance: &Arc<Instance>) -> Result<Vec<i128>, Finding> {
        let Body::Enum(variants) = &instance.ty.def.body else {
            return Ok(Vec::new());
        };
        let scope = Scope::of(instance);
        let mut next = 0_i128;
        let mut all = Vec::with_capacity(variants.len());
        for variant in variants {
            if let Some(expr) = &variant.discriminant {
                match self.eval(expr, &scope, None)? {
                    Const::Int(int) => next = int,
                    other => {
                        let why = format!("an integer is needed here, not {}", other.kind());
                        return Err(not_constant(expr.span, why));
                    }
                }
            }
            all.push(next);
            next = next.saturating_add(1);
        }
        Ok(all)
    }

    /// `x[y]`
    fn index(
        &self,
        whole: &Expr,
        list: &Expr,
        at: &Expr,
        frame: &mut Frame<'_>,
    ) -> Result<Const, Finding> {
        let list = self.expr(list, frame, None)?;
        let found = match (&list, self.expr(at, frame, None)?) {
            (Const::List(items), Const::Int(at)) => {
                usize::try_from(at).ok().and_then(|at| items.get(at))
            }
            (Const::Map(entries), key) => entries
                .iter()
                .find(|(known, _)| known.same(&key) == Some(true))
                .map(|(_, value)| value),
            _ => None,
        };
        found
            .cloned()
            .ok_or_else(|| not_constant(whole.span, "this index cannot be evaluated"))
    }
}

fn too_long(at: Span) -> Finding {
    not_constant(at, "this value takes too many steps to evaluate")
}

pub(super) fn local_type(expr: &Expr, frame: &Frame<'_>) -> Option<Concrete> {
    match &expr.kind {
        ExprKind::Path(path) => {
            let (_, _, ty) = single(path).and_then(|name| frame.local(name))?;
            ty.clone()
        }
        ExprKind::Unary('*', inner) => local_type(inner, frame),
        ExprKind::Reference(inner) | ExprKind::Borrow(inner) => local_type(inner, frame),
        _ => None,
    }
}
