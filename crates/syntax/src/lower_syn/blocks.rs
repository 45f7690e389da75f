//! Blocks: items, which are visible in the whole block, and statements.

use super::Base;
use super::exprs::{depends_on_cfg, expr_at, macro_call, other};
use super::types::ty_at;
use super::{join, name, span};
use crate::tree::{Expr, ExprKind, Stmt};
use crd_channels_diagnostics::{Span, Text};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;

/// A block: its items, then its statements, and the expression at its end. At depth 0 it is the body of a function.
pub(super) fn block_at(base: Base, block: &syn::Block, depth: usize) -> Expr {
    let place = span(base, block.brace_token.span.join());
    let mut stmts = items_of(base, block, depth);
    let mut tail = None;
    for (index, stmt) in block.stmts.iter().enumerate() {
        let last = index + 1 == block.stmts.len();
        match stmt {
            syn::Stmt::Expr(syn::Expr::Return(exit), _)
                if last
                    && depth == 0
                    && exit.attrs.is_empty()
                    && let Some(value) = &exit.expr =>
            {
                tail = Some(Box::new(expr_at(base, value, depth + 1)));
            }
            syn::Stmt::Expr(value, None) if last => {
                tail = Some(Box::new(expr_at(base, value, depth + 1)));
            }
            syn::Stmt::Macro(call) if last && call.semi_token.is_none() => {
                tail = Some(Box::new(statement_macro(base, call)));
            }
            syn::Stmt::Expr(value, _) => stmts.push(Stmt::Expr(expr_at(base, value, depth + 1))),
            syn::Stmt::Macro(call) => stmts.push(Stmt::Expr(statement_macro(base, call))),
            syn::Stmt::Local(local) => stmts.push(let_statement(base, local, depth)),
            syn::Stmt::Item(_) => {}
        }
    }
    Expr {
        kind: ExprKind::Block(stmts, tail),
        span: place,
    }
}

/// The items of a block, which are visible in all of it. A constant follows those that it mentions.
fn items_of(base: Base, block: &syn::Block, depth: usize) -> Vec<Stmt> {
    let mut stmts = Vec::with_capacity(block.stmts.len());
    let mut constants = Vec::new();
    for stmt in &block.stmts {
        let syn::Stmt::Item(item) = stmt else {
            continue;
        };
        match item {
            syn::Item::Const(item) if depends_on_cfg(&item.attrs) => {
                let place = span(base, item.ident.span());
                stmts.push(Stmt::Other(Text::from("a constant under `cfg`"), place));
            }
            syn::Item::Const(item) => constants.push(item),
            syn::Item::Use(item) => {
                let place = span(base, item.use_token.span);
                stmts.push(Stmt::Other(Text::from("a `use` in a block"), place));
            }
            item => stmts.push(Stmt::Other(
                Text::from("an item inside a function"),
                span(base, item.span()),
            )),
        }
    }
    while !constants.is_empty() {
        let ready = constants.iter().position(|item| {
            let mut others = constants.iter().filter(|other| other.ident != item.ident);
            !others.any(|other| mentions(item.expr.to_token_stream(), &other.ident))
        });
        let Some(ready) = ready else {
            // Some of these names are not those of the constants, which is not seen here.
            let place = span(base, block.span());
            stmts.push(Stmt::Other("an order of constants".into(), place));
            break;
        };
        let item = constants.remove(ready);
        stmts.push(Stmt::Const(
            name(&item.ident),
            ty_at(base, &item.ty, depth + 1),
            expr_at(base, &item.expr, depth + 1),
        ));
    }
    stmts
}

/// Whether tokens contain a name.
fn mentions(tokens: TokenStream, name: &syn::Ident) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == *name,
        TokenTree::Group(group) => mentions(group.stream(), name),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

fn statement_macro(base: Base, call: &syn::StmtMacro) -> Expr {
    if depends_on_cfg(&call.attrs) {
        return other(base, call, "an expression under `cfg`");
    }
    macro_call(base, &call.mac)
}

fn let_statement(base: Base, local: &syn::Local, depth: usize) -> Stmt {
    let place = || -> Span {
        join(
            span(base, local.let_token.span),
            span(base, local.semi_token.span),
        )
    };
    let (bound, of) = match &local.pat {
        syn::Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
        pattern => (pattern, None),
    };
    if depends_on_cfg(&local.attrs) {
        return Stmt::Other(Text::from("a `let` under `cfg`"), place());
    }
    let of = of.map(|of| ty_at(base, of, depth + 1));
    match (&local.init, bound) {
        (Some(init), syn::Pat::Ident(ident))
            if init.diverge.is_none() && ident.by_ref.is_none() && ident.subpat.is_none() =>
        {
            Stmt::Let(name(&ident.ident), of, expr_at(base, &init.expr, depth + 1))
        }
        (Some(init), syn::Pat::Wild(_)) if init.diverge.is_none() => {
            Stmt::Expr(expr_at(base, &init.expr, depth + 1))
        }
        _ => Stmt::Other(
            Text::from("a `let` with a pattern, or without a value,"),
            place(),
        ),
    }
}
