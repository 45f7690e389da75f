//! Checks that have passed: where the program would panic if a function gave back an error, what only checks was right.

use super::machine::{Frame, Machine};
use super::ty::single;
use super::value::{Value, not_constant};
use crate::Text;
use crate::source::tree::{Expr, ExprKind, Stmt, Token};

impl Machine<'_> {
    /// Takes a statement that cannot be evaluated for a check that has passed. False where it may be something else, or is
    /// known to fail.
    pub(super) fn passed(&mut self, stmt: &Expr, frame: &mut Frame) -> bool {
        if !is_check(stmt) {
            return false;
        }
        let ExprKind::If(condition, ..) = &stmt.kind else {
            return self.forget(stmt, frame);
        };
        let outer = frame.mark();
        let fails = self.condition(condition, frame).is_ok();
        frame.leave(outer);
        !fails && self.forget(condition, frame)
    }

    /// The function's variables that an expression names are not known any more: it may have changed them.
    pub(super) fn forget(&mut self, expr: &Expr, frame: &Frame) -> bool {
        let mut named = Names::default();
        if !names(expr, &mut named) {
            return false;
        }
        for (local, slot) in &frame.locals {
            let Some(value) = self.slots.get(*slot) else {
                continue;
            };
            // A function that is only given text or a number cannot change the variable.
            let plain = matches!(
                value.through(),
                Value::Str(_)
                    | Value::String(_)
                    | Value::Int(_)
                    | Value::Bool(_)
                    | Value::Char(_)
                    | Value::Float(_)
            );
            if !named.changed.contains(local) && (plain || !named.all.contains(local)) {
                continue;
            }
            let why = format!("`{local}` may have been changed here");
            let unknown = || Value::Unknown(not_constant(expr.span, why.clone()));
            if let Value::Place(place) = value {
                let place = place.clone();
                if let Some(target) = self.at_mut(&place) {
                    *target = unknown();
                }
            }
            if let Some(value) = self.slots.get_mut(*slot) {
                *value = unknown();
            }
        }
        true
    }
}

/// The names in an expression.
#[derive(Default)]
struct Names {
    all: Vec<Text>,
    /// Those of variables that it may change even where they hold text or a number.
    changed: Vec<Text>,
}

/// `x?;`, `ensure!(..);`, `if x { return Err(..); }`
fn is_check(stmt: &Expr) -> bool {
    match &stmt.kind {
        ExprKind::Try(_) => true,
        ExprKind::Macro(path, _) => path
            .segments
            .last()
            .is_some_and(|last| matches!(&*last.name, "ensure" | "ensure_whatever" | "assert")),
        ExprKind::If(_, then, None) => match &then.kind {
            ExprKind::Block(stmts, tail) => match (&stmts[..], tail.as_deref()) {
                ([], Some(only)) | ([Stmt::Expr(only)], None) => is_error(only),
                _ => false,
            },
            _ => false,
        },
        _ => false,
    }
}

/// `return Err(..)`
fn is_error(expr: &Expr) -> bool {
    let ExprKind::Return(Some(value)) = &expr.kind else {
        return false;
    };
    match &value.kind {
        ExprKind::Call(function, _) => match &function.kind {
            ExprKind::Path(path) => single(path).is_some_and(|name| &**name == "Err"),
            _ => false,
        },
        _ => false,
    }
}

/// All names in an expression; false where a part of it is not read.
fn names(expr: &Expr, into: &mut Names) -> bool {
    let mut all = |exprs: Vec<&Expr>| exprs.into_iter().all(|expr| names(expr, into));
    match &expr.kind {
        ExprKind::Path(path) => {
            into.all.extend(single(path).cloned());
            true
        }
        ExprKind::Lit(_) | ExprKind::Qualified(..) => true,
        ExprKind::Borrow(inner) => {
            into.changed.extend(variable(inner).cloned());
            names(inner, into)
        }
        ExprKind::Unary(_, inner)
        | ExprKind::Field(inner, _)
        | ExprKind::Reference(inner)
        | ExprKind::Cast(inner, _)
        | ExprKind::Try(inner)
        | ExprKind::Is(_, inner) => names(inner, into),
        ExprKind::Closure(closure) => names(&closure.body, into),
        ExprKind::Binary(_, left, right) | ExprKind::Index(left, right) => {
            names(left, into) && names(right, into)
        }
        ExprKind::Call(function, args) => all(std::iter::once(&**function).chain(args).collect()),
        ExprKind::Method {
            receiver,
            name,
            args,
            ..
        } => {
            let whole = all(std::iter::once(&**receiver).chain(args).collect());
            if !only_reads(name) {
                into.changed.extend(variable(receiver).cloned());
            }
            whole
        }
        ExprKind::Array(items) | ExprKind::Tuple(items) => all(items.iter().collect()),
        ExprKind::Struct { fields, rest, .. } => {
            let rest = rest.as_deref();
            all(fields.iter().map(|(_, value)| value).chain(rest).collect())
        }
        ExprKind::If(condition, then, otherwise) => {
            let parts = [&**condition, then].into_iter();
            all(parts.chain(otherwise.as_deref()).collect())
        }
        ExprKind::Block(stmts, Some(tail)) if stmts.is_empty() => names(tail, into),
        ExprKind::Macro(_, tokens) => {
            let checks = is_check(expr);
            words(tokens, checks, into);
            true
        }
        _ => false,
    }
}

/// The variable whose place, or a part of it, an expression names.
fn variable(place: &Expr) -> Option<&Text> {
    match &place.kind {
        ExprKind::Path(path) => single(path),
        ExprKind::Field(base, _)
        | ExprKind::Index(base, _)
        | ExprKind::Unary(_, base)
        | ExprKind::Reference(base)
        | ExprKind::Borrow(base) => variable(base),
        _ => None,
    }
}

/// Methods of text and numbers that leave them as they are.
fn only_reads(name: &str) -> bool {
    matches!(
        name,
        "as_bytes"
            | "as_ref"
            | "as_str"
            | "bytes"
            | "chars"
            | "clone"
            | "contains"
            | "ends_with"
            | "find"
            | "is_ascii"
            | "is_empty"
            | "len"
            | "lines"
            | "parse"
            | "split"
            | "split_once"
            | "starts_with"
            | "strip_prefix"
            | "strip_suffix"
            | "to_lowercase"
            | "to_owned"
            | "to_string"
            | "to_uppercase"
            | "trim"
    )
}

/// The names in a macro's tokens. One that only checks changes what it borrows to do so, or calls a method of; any other
/// may change all.
fn words(tokens: &[Token], checks: bool, into: &mut Names) {
    for (index, token) in tokens.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|index| tokens.get(index));
        let method = match (tokens.get(index + 1), tokens.get(index + 2)) {
            (Some(Token::Punct('.', ..)), Some(Token::Ident(name, _))) => Some(name),
            _ => None,
        };
        match token {
            Token::Ident(name, _) => {
                let borrowed = matches!(before, Some(Token::Ident(word, _)) if &**word == "mut");
                if !checks || borrowed || method.is_some_and(|method| !only_reads(method)) {
                    into.changed.push(name.clone());
                }
                into.all.push(name.clone());
            }
            Token::Group(_, inner, _) => words(inner, checks, into),
            Token::Punct(..) | Token::Lit(..) => {}
        }
    }
}
