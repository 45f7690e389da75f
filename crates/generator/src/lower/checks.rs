//! Statements that check something and leave the function with an error where it does not hold. Where that error would be a
//! panic of the program, what comes behind them runs only after they have passed.

use super::Reader;
use super::concrete::single;
use super::constant::Frame;
use super::value::{Const, not_constant};
use crate::Text;
use crate::source::tree::{Expr, ExprKind, Stmt, Token};

impl Reader<'_> {
    /// Takes a statement that cannot be evaluated for a check that has passed. None where it may be something else, or is
    /// known to fail.
    pub(super) fn passed(&self, stmt: &Expr, frame: &mut Frame<'_>) -> Option<()> {
        if !is_check(stmt) {
            return None;
        }
        if let ExprKind::If(condition, ..) = &stmt.kind {
            let outer = frame.locals.len();
            let fails = self.condition(condition, frame).is_ok();
            frame.locals.truncate(outer);
            if fails {
                return None;
            }
        }
        forget(stmt, frame)
    }
}

/// The function's variables that a statement names are not known any more: it may have changed them.
fn forget(stmt: &Expr, frame: &mut Frame<'_>) -> Option<()> {
    let mut named = Vec::new();
    if !names(stmt, &mut named) {
        return None;
    }
    for (local, value, _) in &mut frame.locals {
        // Text and numbers have no methods that change them behind a shared reference.
        let plain = matches!(
            value,
            Const::Text(_) | Const::Int(_) | Const::Bool(_) | Const::Char(_) | Const::Float(_)
        );
        if !plain && named.contains(local) {
            let why = format!("a check may have changed `{local}`");
            *value = Const::Unknown(not_constant(stmt.span, why));
        }
    }
    Some(())
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
fn names(expr: &Expr, into: &mut Vec<Text>) -> bool {
    let mut all = |exprs: Vec<&Expr>| exprs.into_iter().all(|expr| names(expr, into));
    match &expr.kind {
        ExprKind::Path(path) => {
            into.extend(single(path).cloned());
            true
        }
        ExprKind::Lit(_) | ExprKind::Qualified(..) => true,
        ExprKind::Unary(_, inner)
        | ExprKind::Field(inner, _)
        | ExprKind::Reference(inner)
        | ExprKind::Borrow(inner)
        | ExprKind::Cast(inner, _)
        | ExprKind::Try(inner)
        | ExprKind::Is(_, inner)
        | ExprKind::Closure(_, inner) => names(inner, into),
        ExprKind::Binary(_, left, right) | ExprKind::Index(left, right) => {
            names(left, into) && names(right, into)
        }
        ExprKind::Call(function, args) => all(std::iter::once(&**function).chain(args).collect()),
        ExprKind::Method { receiver, args, .. } => {
            all(std::iter::once(&**receiver).chain(args).collect())
        }
        ExprKind::Array(items) | ExprKind::Tuple(items) => all(items.iter().collect()),
        ExprKind::Struct { fields, rest, .. } => {
            let rest = rest.as_deref();
            all(fields.iter().map(|(_, value)| value).chain(rest).collect())
        }
        ExprKind::If(condition, ..) => names(condition, into),
        ExprKind::Macro(_, tokens) => {
            words(tokens, into);
            true
        }
        _ => false,
    }
}

fn words(tokens: &[Token], into: &mut Vec<Text>) {
    for token in tokens {
        match token {
            Token::Ident(name, _) => into.push(name.clone()),
            Token::Group(_, inner, _) => words(inner, into),
            Token::Punct(..) | Token::Lit(..) => {}
        }
    }
}
