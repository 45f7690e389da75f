//! What chooses between expressions: `if`, `match`, `?`, `return`, and the patterns they hold values against.

use super::Reader;
use super::concrete::{Concrete, Finding, single};
use super::constant::Frame;
use super::construct::field;
use super::environment::variable_error;
use super::operators::literal;
use super::value::{Const, not_constant};
use crate::Text;
use crate::diag::Span;
use crate::source::tree::{Arm, Expr, ExprKind, Path, Pattern};
use crate::source::{Def, Resolved};
use std::cmp::Ordering;

impl Reader<'_> {
    /// `if condition { .. } else { .. }`
    pub(super) fn branch(
        &self,
        (condition, then, otherwise): (&Expr, &Expr, Option<&Expr>),
        asked: bool,
        frame: &mut Frame<'_>,
        expected: Option<&Concrete>,
    ) -> Result<Const, Finding> {
        let outer = frame.locals.len();
        let holds = self.condition(condition, frame)?;
        frame.asked = asked;
        let value = match (holds, otherwise) {
            (true, _) => self.expr(then, frame, expected),
            (false, Some(otherwise)) => {
                // What the part of the condition that held has bound, is not seen here.
                frame.locals.truncate(outer);
                self.expr(otherwise, frame, expected)
            }
            (false, None) => Ok(Const::Tuple(Vec::new())),
        };
        frame.locals.truncate(outer);
        value
    }

    /// Whether a condition holds; what its patterns bind stays in the frame.
    pub(super) fn condition(
        &self,
        condition: &Expr,
        frame: &mut Frame<'_>,
    ) -> Result<bool, Finding> {
        match &condition.kind {
            ExprKind::Is(pattern, value) => {
                let place = value.span;
                let value = self.expr(value, frame, None)?;
                self.matches(pattern, &value, place, frame)
            }
            ExprKind::Binary(operator, left, right) if &**operator == "&&" => {
                Ok(self.condition(left, frame)? && self.condition(right, frame)?)
            }
            _ => match self.expr(condition, frame, None)? {
                Const::Bool(holds) => Ok(holds),
                other => Err(not_constant(
                    condition.span,
                    format!("a boolean is needed here, not {}", other.kind()),
                )),
            },
        }
    }

    /// `match x { .. }`
    pub(super) fn choice(
        &self,
        whole: &Expr,
        (value, arms, asked): (&Expr, &[Arm], bool),
        frame: &mut Frame<'_>,
        expected: Option<&Concrete>,
    ) -> Result<Const, Finding> {
        let place = value.span;
        let value = self.expr(value, frame, None)?;
        let outer = frame.locals.len();
        for arm in arms {
            let fits = self.matches(&arm.pattern, &value, place, frame)?;
            if fits {
                frame.asked = asked;
                let value = self.expr(&arm.body, frame, expected);
                frame.locals.truncate(outer);
                return value;
            }
            frame.locals.truncate(outer);
        }
        Err(not_constant(whole.span, "no arm of this `match` fits"))
    }

    /// `return x`: the value waits in the frame for the end of its function.
    pub(super) fn leave(
        &self,
        whole: &Expr,
        value: Option<&Expr>,
        frame: &mut Frame<'_>,
    ) -> Result<Const, Finding> {
        let returns = frame.returns.clone();
        frame.asked = frame.assured;
        let value = match value {
            Some(value) => self.expr(value, frame, returns.as_ref())?,
            None => Const::Tuple(Vec::new()),
        };
        frame.returned = Some(value);
        Err(not_constant(whole.span, "this leaves the function"))
    }

    /// `x?`, where `Ok(x)` and `x` are one.
    pub(super) fn attempt(
        &self,
        whole: &Expr,
        value: &Expr,
        frame: &mut Frame<'_>,
    ) -> Result<Const, Finding> {
        frame.asked = frame.assured;
        match self.expr(value, frame, None)? {
            Const::Option(Some(value)) => Ok(*value),
            left @ (Const::Option(None) | Const::Failed(..)) => {
                frame.returned = Some(left);
                Err(not_constant(whole.span, "this leaves the function"))
            }
            value => Ok(value),
        }
    }

    /// Whether a value has the form of a pattern. What the pattern names is added to the frame.
    pub(super) fn matches(
        &self,
        pattern: &Pattern,
        value: &Const,
        place: Span,
        frame: &mut Frame<'_>,
    ) -> Result<bool, Finding> {
        if let Const::Unknown(finding) = value
            && !matches!(pattern, Pattern::Any)
        {
            return Err(finding.clone());
        }
        match pattern {
            Pattern::Any => Ok(true),
            Pattern::Name(path, behind) => {
                if let Some(found) = self.named(path, value, frame) {
                    return found;
                }
                if let Some(behind) = behind
                    && !self.matches(behind, value, place, frame)?
                {
                    return Ok(false);
                }
                let name = single(path).cloned().unwrap_or_default();
                frame.locals.push((name, value.clone(), None));
                Ok(true)
            }
            Pattern::Path(path) => self
                .named(path, value, frame)
                .unwrap_or_else(|| Err(not_constant(path.span, "this pattern is not evaluated"))),
            Pattern::Value(Expr {
                kind: ExprKind::Lit(lit),
                span,
            }) => {
                let wanted = literal(lit);
                let same = wanted.and_then(|wanted| wanted.same(value));
                same.ok_or_else(|| not_constant(*span, "this pattern is not evaluated"))
            }
            Pattern::Value(other) => {
                let wanted = self.expr(other, frame, None)?;
                let same = wanted.same(value);
                same.ok_or_else(|| not_constant(other.span, "this pattern is not evaluated"))
            }
            Pattern::Range(from, to, closed) => {
                let mut inside = true;
                for (end, is_end) in [(from, false), (to, true)] {
                    let Some(end) = end else { continue };
                    let bound = self.expr(end, frame, None)?;
                    inside &= match value.compare(&bound) {
                        Some(Ordering::Equal) => !is_end || *closed,
                        Some(Ordering::Less) => is_end,
                        Some(Ordering::Greater) => !is_end,
                        None => {
                            return Err(not_constant(end.span, "this range is not evaluated"));
                        }
                    };
                }
                Ok(inside)
            }
            Pattern::Tuple(path, parts) => {
                let last = path.segments.last().map_or("", |last| &*last.name);
                match (last, value, &parts[..]) {
                    ("Some", Const::Option(inner), [part]) => match inner {
                        Some(inner) => self.matches(part, inner, place, frame),
                        None => Ok(false),
                    },
                    ("Ok", Const::Failed(..), [_]) => Ok(false),
                    ("Err", Const::Failed(error, _), [part]) => {
                        self.matches(part, error, place, frame)
                    }
                    ("Ok", Const::Option(_), [_]) => {
                        Err(not_constant(path.span, "this pattern is not evaluated"))
                    }
                    ("Ok", value, [part]) => self.matches(part, value, place, frame),
                    ("Err", _, [_]) => Ok(false),
                    (_, Const::Variant(_, _, fields) | Const::Struct(_, fields), parts) => {
                        if self.named(path, value, frame).transpose()? == Some(false) {
                            return Ok(false);
                        }
                        let values = fields.iter().map(|(_, value)| value);
                        self.all(parts.iter().zip(values), place, frame)
                    }
                    _ => self.named(path, value, frame).unwrap_or_else(|| {
                        Err(not_constant(path.span, "this pattern is not evaluated"))
                    }),
                }
            }
            Pattern::Struct(path, parts) => {
                let (Const::Variant(_, _, fields) | Const::Struct(_, fields)) = value else {
                    return Err(not_constant(path.span, "this pattern is not evaluated"));
                };
                if self.named(path, value, frame).transpose()? == Some(false) {
                    return Ok(false);
                }
                for (name, part) in parts {
                    let value = field(fields, name)
                        .ok_or_else(|| not_constant(place, format!("`{name}` is not known")))?;
                    if !self.matches(part, &value, place, frame)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Pattern::Items(parts) => match value {
                Const::Tuple(values) if values.len() == parts.len() => {
                    self.all(parts.iter().zip(values), place, frame)
                }
                _ => Err(not_constant(place, "this is no tuple of that size")),
            },
            Pattern::Either(parts) => {
                for part in parts {
                    if self.matches(part, value, place, frame)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Pattern::If(inner, guard) => {
                Ok(self.matches(inner, value, place, frame)? && self.condition(guard, frame)?)
            }
            Pattern::Other(words, span) => {
                Err(not_constant(*span, format!("{words} is not evaluated")))
            }
        }
    }

    fn all<'p>(
        &self,
        pairs: impl Iterator<Item = (&'p Pattern, &'p Const)>,
        place: Span,
        frame: &mut Frame<'_>,
    ) -> Result<bool, Finding> {
        for (pattern, value) in pairs {
            if !self.matches(pattern, value, place, frame)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a value is the variant, the struct or the constant of that name; none where the name is a new variable's.
    fn named(
        &self,
        path: &Path,
        value: &Const,
        frame: &mut Frame<'_>,
    ) -> Option<Result<bool, Finding>> {
        let meant = frame.meant(path).into_owned();
        let path = &meant;
        let last = path.segments.last().map_or("", |last| &*last.name);
        if let ("None", Const::Option(inner)) = (last, value) {
            return Some(Ok(inner.is_none()));
        }
        // What configuration states for an option is there.
        let stated = match value {
            Const::Text(_) | Const::Int(_) | Const::Bool(_) | Const::Char(_) | Const::Float(_) => {
                true
            }
            Const::Json(json) => !json.is_null(),
            _ => false,
        };
        if last == "None" && stated {
            return Some(Ok(false));
        }
        let refused = || not_constant(path.span, "this pattern is not evaluated");
        // No constant and no variant is written so.
        let may_be_new = single(path).is_some_and(|name| {
            &**name == "Self" || name.starts_with(|c: char| c.is_lowercase() || c == '_')
        });
        let unread = (!may_be_new).then(|| Err(refused()));
        if let Some((Concrete::Def(_), name)) = self.own_associated(path, frame.scope)
            && let Const::Variant(instance, index, _) = value
        {
            let wanted = super::construct::variant_named(instance, &name)?;
            return Some(Ok(wanted == *index));
        }
        match self.graph.resolve_value(frame.scope.module, path) {
            Ok(Resolved::Def(Def::Variant(_, wanted))) => match value {
                Const::Variant(_, index, _) => Some(Ok(wanted == *index)),
                _ => Some(Err(refused())),
            },
            Ok(Resolved::Def(Def::Const(..) | Def::Associated(..))) => {
                let constant = Expr {
                    kind: ExprKind::Path(path.clone()),
                    span: path.span,
                };
                Some(self.expr(&constant, frame, None).and_then(|constant| {
                    let same = constant.same(value);
                    same.ok_or_else(refused)
                }))
            }
            Ok(Resolved::External(name)) => variable_error(&name).map(Ok).or(unread),
            _ => match self.graph.resolve_type(frame.scope.module, path) {
                Ok(Resolved::Def(Def::Variant(_, wanted))) => match value {
                    Const::Variant(_, index, _) => Some(Ok(wanted == *index)),
                    _ => Some(Err(refused())),
                },
                Ok(Resolved::Def(_)) => None,
                _ => unread,
            },
        }
    }

    /// `x = y` and the like: what a statement does to a variable or to a field of one.
    pub(super) fn assign(
        &self,
        whole: &Expr,
        (place, value): (&Expr, &Expr),
        frame: &mut Frame<'_>,
    ) -> Result<(), Finding> {
        let refused = || not_constant(whole.span, "this assignment is not evaluated");
        let ty = match &place.kind {
            ExprKind::Path(path) => single(path)
                .and_then(|name| frame.local(name))
                .and_then(|(_, _, ty)| ty.clone()),
            _ => None,
        };
        let value = self.expr(value, frame, ty.as_ref())?;
        let target = place_of(place, frame).ok_or_else(refused)?;
        *target = value;
        Ok(())
    }
}

/// The variable, or the field of one, that an expression names.
pub(super) fn place_of<'f>(place: &Expr, frame: &'f mut Frame<'_>) -> Option<&'f mut Const> {
    let (variable, fields) = named_place(place, frame)?;
    let (_, value, _) = frame.locals.get_mut(variable)?;
    fields.iter().try_fold(value, |value, name| match value {
        Const::Struct(_, entries) | Const::Variant(_, _, entries) => {
            let found = entries.iter_mut().find(|(known, _)| known == name);
            found.map(|(_, value)| value)
        }
        Const::Tuple(items) => items.get_mut(name.parse::<usize>().ok()?),
        _ => None,
    })
}

/// The index of the variable and the fields that an expression names, through what the variable borrows.
pub(super) fn named_place(place: &Expr, frame: &Frame<'_>) -> Option<(usize, Vec<Text>)> {
    match &place.kind {
        ExprKind::Path(path) => {
            let name = single(path)?;
            let index = frame.locals.iter().rposition(|(local, ..)| local == name)?;
            match frame.locals.get(index)? {
                (_, Const::Borrowed(variable, fields), _) => Some((*variable, fields.clone())),
                _ => Some((index, Vec::new())),
            }
        }
        ExprKind::Field(base, name) => {
            let (variable, mut fields) = named_place(base, frame)?;
            fields.push(name.clone());
            Some((variable, fields))
        }
        ExprKind::Unary('*', inner) | ExprKind::Borrow(inner) => named_place(inner, frame),
        _ => None,
    }
}
