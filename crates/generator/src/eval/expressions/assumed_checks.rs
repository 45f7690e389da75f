//! Checks that may be assumed to pass: if an error would make the program panic, statements that only check have succeeded.

use crate::eval::machine::{Frame, Machine};
use crate::eval::values::ty::single;
use crate::eval::values::value::{Value, not_constant};
use crd_channels_diagnostics::Text;
use crd_channels_source::tree::{Expr, ExprKind, Path, Stmt, Token};
use crd_channels_source::{CalledMacro, Expanded, Resolved};

impl Machine<'_> {
    /// Assumes that a statement that cannot be evaluated is a check that passes. Returns false if it may be something else, or
    /// is known to fail.
    pub(super) fn assume_check_passed(&mut self, stmt: &Expr, frame: &mut Frame) -> bool {
        if let ExprKind::Macro(path, tokens) = &stmt.kind
            && !self.is_checking_macro(path, frame)
        {
            let (module, meant) = (frame.scope.module, frame.resolve_uses(path).into_owned());
            let called = self.reader.graph.called_macro(module, &meant, tokens);
            let CalledMacro::Rules(Some(Expanded::Value(made))) = called else {
                return false;
            };
            let passed = self.deeper(stmt.span, |machine| {
                Ok(machine.assume_check_passed(&made, frame))
            });
            return passed.unwrap_or(false);
        }
        if !self.is_check(stmt, frame) {
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

    /// Marks the variables that an expression names as unknown, since it may have changed them.
    pub(in crate::eval) fn forget(&mut self, expr: &Expr, frame: &Frame) -> bool {
        let mut named = Names::default();
        if !self.names(expr, frame, &mut named) {
            return false;
        }
        for (local, slot) in &frame.locals {
            let Some(value) = self.slots.get(*slot) else {
                continue;
            };
            // A function that receives only text or a number cannot change the variable.
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
            let why = format!("`{local}` may have changed here");
            let unknown = || Value::Unknown(not_constant(expr.span, why.clone()));
            if let Value::MutPlace(place) = value {
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

    /// `x?;`, `ensure!(..);`, `if x { return Err(..); }`
    fn is_check(&self, stmt: &Expr, frame: &Frame) -> bool {
        match &stmt.kind {
            ExprKind::Try(_) => true,
            ExprKind::Macro(path, _) => self.is_checking_macro(path, frame),
            ExprKind::If(_, then, None) => match &then.kind {
                ExprKind::Block(stmts, tail) => match (&stmts[..], tail.as_deref()) {
                    ([], Some(only)) | ([Stmt::Expr(only)], None) => self.is_error(only, frame),
                    _ => false,
                },
                _ => false,
            },
            _ => false,
        }
    }

    /// Returns true if a macro only checks: one of std's or of an error crate's.
    fn is_checking_macro(&self, path: &Path, frame: &Frame) -> bool {
        let meant = frame.resolve_uses(path);
        let name = self.reader.graph.macro_path(frame.scope.module, &meant);
        name.is_some_and(|name| CHECKS.contains(&&*name))
    }

    /// `return Err(..)`
    fn is_error(&self, expr: &Expr, frame: &Frame) -> bool {
        let ExprKind::Return(Some(value)) = &expr.kind else {
            return false;
        };
        let ExprKind::Call(function, _) = &value.kind else {
            return false;
        };
        let ExprKind::Path(path) = &function.kind else {
            return false;
        };
        let meant = frame.resolve_uses(path);
        let found = self.reader.graph.resolve_value(frame.scope.module, &meant);
        matches!(found, Ok(Resolved::External(name)) if &*name == "std::result::Result::Err")
    }

    /// Collects all names in an expression; returns false if a part of it cannot be read.
    fn names(&mut self, expr: &Expr, frame: &Frame, into: &mut Names) -> bool {
        match &expr.kind {
            ExprKind::Path(path) => {
                into.all.extend(single(path).cloned());
                true
            }
            ExprKind::Lit(_) | ExprKind::Qualified(..) => true,
            ExprKind::Borrow(inner) => {
                into.changed.extend(variable(inner).cloned());
                self.names(inner, frame, into)
            }
            ExprKind::Unary(_, inner)
            | ExprKind::Field(inner, _)
            | ExprKind::Reference(inner)
            | ExprKind::Cast(inner, _)
            | ExprKind::Try(inner)
            | ExprKind::Is(_, inner) => self.names(inner, frame, into),
            ExprKind::Closure(closure) => self.names(&closure.body, frame, into),
            ExprKind::Binary(_, left, right) | ExprKind::Index(left, right) => {
                self.names(left, frame, into) && self.names(right, frame, into)
            }
            ExprKind::Call(function, args) => {
                self.names(function, frame, into) && self.all_names(args, frame, into)
            }
            ExprKind::Method {
                receiver,
                name,
                args,
                ..
            } => {
                let whole = self.names(receiver, frame, into) && self.all_names(args, frame, into);
                // A trait of the source may have a mutating method with the name of one of std's that only reads.
                let own = self.traits_of(None, name, &frame.scope, false);
                if !only_reads(name) || !own.is_ok_and(|own| own.is_empty()) {
                    into.changed.extend(variable(receiver).cloned());
                }
                whole
            }
            ExprKind::Array(items) | ExprKind::Tuple(items) => self.all_names(items, frame, into),
            ExprKind::Struct { fields, rest, .. } => {
                let mut parts = fields.iter().map(|(_, value)| value).chain(rest.as_deref());
                parts.all(|part| self.names(part, frame, into))
            }
            ExprKind::If(condition, then, otherwise) => {
                let mut parts = [&**condition, then].into_iter().chain(otherwise.as_deref());
                parts.all(|part| self.names(part, frame, into))
            }
            ExprKind::Block(stmts, Some(tail)) if stmts.is_empty() => self.names(tail, frame, into),
            ExprKind::Macro(path, tokens) => {
                words(tokens, self.is_checking_macro(path, frame), into);
                true
            }
            _ => false,
        }
    }

    fn all_names(&mut self, exprs: &[Expr], frame: &Frame, into: &mut Names) -> bool {
        exprs.iter().all(|expr| self.names(expr, frame, into))
    }
}

/// Macros that only check.
const CHECKS: [&str; 10] = [
    "anyhow::ensure",
    "color_eyre::ensure",
    "color_eyre::eyre::ensure",
    "error_stack::ensure",
    "eyre::ensure",
    "failure::ensure",
    "miette::ensure",
    "snafu::ensure",
    "snafu::ensure_whatever",
    "std::assert",
];

/// The names in an expression.
#[derive(Default)]
struct Names {
    all: Vec<Text>,
    /// Variables that it may change even if they are text or a number.
    changed: Vec<Text>,
}

/// Returns the variable whose place, or a part of it, an expression names.
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

/// Returns true for methods of text and numbers that do not change them.
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

/// Collects the names in a macro's tokens. A macro that only checks can change what it borrows mutably or calls a method of;
/// any other macro can change everything.
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
