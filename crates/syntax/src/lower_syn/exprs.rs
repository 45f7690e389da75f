//! Expressions that may be evaluated as constants, and their blocks.

use super::Base;
use super::blocks::block_at;
use super::lits;
use super::paths::{path_at, type_arguments};
use super::patterns::pattern;
use super::tokens::tokens;
use super::types::{qualified, ty_at};
use super::{MAX_DEPTH, join, name, span};
use crate::tree::{Closure, Expr, ExprKind, JsonNode, Segment};
use crd_channels_diagnostics::Text;
use quote::ToTokens;
use std::sync::Arc;
use syn::ext::IdentExt;
use syn::spanned::Spanned;

/// Lowers an expression. One that cannot be a constant becomes [`ExprKind::Other`], described in words.
pub(crate) fn expr(base: impl Into<Base>, expr: &syn::Expr) -> Expr {
    expr_at(base.into(), expr, 0)
}

/// Lowers a function's body to an [`ExprKind::Block`].
pub(crate) fn block(base: impl Into<Base>, block: &syn::Block) -> Expr {
    block_at(base.into(), block, 0)
}

pub(super) fn expr_at(base: Base, expr: &syn::Expr, depth: usize) -> Expr {
    if depth > MAX_DEPTH {
        return other(base, expr, "an expression nested too deep to follow");
    }
    if depends_on_cfg(attributes(expr)) {
        return other(base, expr, "an expression under `cfg`");
    }
    let inner = |expr: &syn::Expr| Box::new(expr_at(base, expr, depth + 1));
    let (kind, span) = match expr {
        syn::Expr::Lit(literal) => match lits::lit(&literal.lit) {
            Some(lit) => (ExprKind::Lit(lit), span(base, literal.lit.span())),
            None => return other(base, expr, "an unknown literal"),
        },
        syn::Expr::Path(path) => match &path.qself {
            None => {
                let path = path_at(base, &path.path, depth);
                let span = path.span;
                (ExprKind::Path(path), span)
            }
            Some(qself) => {
                let (own, of, name, span) = qualified(base, qself, &path.path, depth);
                let last = path_at(base, &path.path, depth).segments.pop();
                let args = last.map_or_else(Vec::new, |last| last.args);
                let segment = Segment { name, args };
                (ExprKind::Qualified(Box::new(own), of, segment), span)
            }
        },
        syn::Expr::Unary(unary) => {
            let (operator, start) = match unary.op {
                syn::UnOp::Deref(token) => ('*', token.span),
                syn::UnOp::Not(token) => ('!', token.span),
                syn::UnOp::Neg(token) => ('-', token.span),
                _ => return other(base, expr, "an unknown operator"),
            };
            let operand = inner(&unary.expr);
            let span = join(span(base, start), operand.span);
            (ExprKind::Unary(operator, operand), span)
        }
        syn::Expr::Binary(binary) => {
            let (left, right) = (inner(&binary.left), inner(&binary.right));
            let span = join(left.span, right.span);
            let operator = Text::from(binary.op.to_token_stream().to_string());
            (ExprKind::Binary(operator, left, right), span)
        }
        syn::Expr::Call(call) => {
            let function = inner(&call.func);
            let span = join(function.span, span(base, call.paren_token.span.close()));
            let arguments = exprs(base, &call.args, depth);
            (ExprKind::Call(function, arguments), span)
        }
        syn::Expr::MethodCall(call) => {
            let receiver = inner(&call.receiver);
            let span = join(receiver.span, span(base, call.paren_token.span.close()));
            let types = call.turbofish.as_ref();
            let kind = ExprKind::Method {
                receiver,
                name: name(&call.method),
                types: types.map_or_else(Vec::new, |angle| type_arguments(base, angle, depth)),
                args: exprs(base, &call.args, depth),
            };
            (kind, span)
        }
        syn::Expr::Field(field) => {
            let owner = inner(&field.base);
            let span = join(owner.span, span(base, field.member.span()));
            (ExprKind::Field(owner, member(&field.member)), span)
        }
        syn::Expr::Struct(literal) => return struct_literal(base, literal, depth),
        syn::Expr::Array(array) => (
            ExprKind::Array(exprs(base, &array.elems, depth)),
            span(base, array.bracket_token.span.join()),
        ),
        syn::Expr::Repeat(repeat) => (
            ExprKind::Repeat(inner(&repeat.expr), inner(&repeat.len)),
            span(base, repeat.bracket_token.span.join()),
        ),
        syn::Expr::Tuple(tuple) => (
            ExprKind::Tuple(exprs(base, &tuple.elems, depth)),
            span(base, tuple.paren_token.span.join()),
        ),
        syn::Expr::Reference(reference) => {
            let target = inner(&reference.expr);
            let span = join(span(base, reference.and_token.span), target.span);
            let borrows = reference.mutability.is_some();
            let kind = if borrows {
                ExprKind::Borrow
            } else {
                ExprKind::Reference
            };
            (kind(target), span)
        }
        syn::Expr::Cast(cast) => {
            let (value, ty) = (inner(&cast.expr), ty_at(base, &cast.ty, depth + 1));
            let span = join(value.span, ty.span);
            (ExprKind::Cast(value, Box::new(ty)), span)
        }
        syn::Expr::Paren(paren) => (
            expr_at(base, &paren.expr, depth + 1).kind,
            span(base, paren.paren_token.span.join()),
        ),
        syn::Expr::Group(group) => return expr_at(base, &group.expr, depth + 1),
        syn::Expr::Block(inner) if inner.label.is_none() => {
            return block_at(base, &inner.block, depth + 1);
        }
        syn::Expr::Const(constant) => return block_at(base, &constant.block, depth + 1),
        syn::Expr::Macro(call) => return macro_call(base, &call.mac),
        syn::Expr::Closure(closure) => {
            let body = inner(&closure.body);
            let start = closure.inputs_begin.span;
            let span = join(span(base, start), body.span);
            let params = closure.inputs.iter();
            let closure = Closure {
                params: params
                    .map(|param| pattern(base, param, depth + 1))
                    .collect(),
                body: *body,
            };
            (ExprKind::Closure(Arc::new(closure)), span)
        }
        syn::Expr::If(branch) => {
            let then = block_at(base, &branch.then_branch, depth + 1);
            let otherwise = branch.else_branch.as_ref().map(|(_, branch)| inner(branch));
            let end = otherwise.as_ref().map_or(then.span, |branch| branch.span);
            (
                ExprKind::If(inner(&branch.cond), Box::new(then), otherwise),
                join(span(base, branch.if_token.span), end),
            )
        }
        syn::Expr::Let(condition) => {
            let value = inner(&condition.expr);
            let span = join(span(base, condition.let_token.span), value.span);
            let pattern = pattern(base, &condition.pat, depth + 1);
            (ExprKind::Is(Box::new(pattern), value), span)
        }
        syn::Expr::Try(attempt) => {
            let value = inner(&attempt.expr);
            let span = join(value.span, span(base, attempt.question_token.span));
            (ExprKind::Try(value), span)
        }
        syn::Expr::Assign(assign) => {
            let (place, value) = (inner(&assign.left), inner(&assign.right));
            let span = join(place.span, value.span);
            (ExprKind::Assign(place, value), span)
        }
        _ => return other(base, expr, kind_in_words(expr)),
    };
    Expr { kind, span }
}

fn struct_literal(base: Base, literal: &syn::ExprStruct, depth: usize) -> Expr {
    if literal.qself.is_some() {
        return other(base, literal, "a struct literal of a qualified type");
    }
    if literal
        .fields
        .iter()
        .any(|field| depends_on_cfg(&field.attrs))
    {
        return other(base, literal, "a struct literal with a field under `cfg`");
    }
    let path = path_at(base, &literal.path, depth);
    let fields = literal
        .fields
        .iter()
        .map(|field| (member(&field.member), expr_at(base, &field.expr, depth + 1)));
    let fields = fields.collect();
    let rest = literal.rest.as_ref();
    let span = join(path.span, span(base, literal.brace_token.span.close()));
    let rest = rest.map(|rest| Box::new(expr_at(base, rest, depth + 1)));
    let kind = ExprKind::Struct { path, fields, rest };
    Expr { kind, span }
}

pub(super) fn macro_call(base: Base, mac: &syn::Macro) -> Expr {
    let path = path_at(base, &mac.path, 0);
    Expr {
        span: join(path.span, span(base, mac.delimiter.span().close())),
        kind: ExprKind::Macro(path, tokens(base, mac.tokens.clone())),
    }
}

fn exprs<'a>(base: Base, list: impl IntoIterator<Item = &'a syn::Expr>, depth: usize) -> Vec<Expr> {
    list.into_iter()
        .map(|expr| expr_at(base, expr, depth + 1))
        .collect()
}

/// The name of a parameter; `_` for patterns.
pub(crate) fn parameter(pattern: &syn::Pat) -> Text {
    match pattern {
        syn::Pat::Ident(ident) => name(&ident.ident),
        syn::Pat::Type(typed) => parameter(&typed.pat),
        _ => Text::from("_"),
    }
}

fn member(member: &syn::Member) -> Text {
    match member {
        syn::Member::Named(ident) => name(ident),
        syn::Member::Unnamed(index) => Text::from(index.index.to_string()),
    }
}

/// Whether attributes make an expression depend on the configuration. Their predicates are not evaluated here: constants that
/// differ by configuration are written as two items, whose `cfg`s are.
pub(super) fn depends_on_cfg(attributes: &[syn::Attribute]) -> bool {
    attributes
        .iter()
        .any(|attribute| attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr"))
}

/// Runs one expression for kinds that can be statements, and the other for all others.
macro_rules! as_statement {
    ($expr:expr, $inner:ident => $found:expr, $other:expr) => {
        as_statement!(@ $expr, $inner, $found, $other,
            Array Assign Binary Block Call Cast Closure Const Field ForLoop If Index Let Lit Loop
            Macro Match MethodCall Paren Path Reference Repeat Return Struct Try Tuple Unary
            Unsafe While
        )
    };
    (@ $expr:expr, $inner:ident, $found:expr, $other:expr, $($kind:ident)*) => {
        match $expr {
            $(syn::Expr::$kind($inner) => $found,)*
            _ => $other,
        }
    };
}

fn attributes(expr: &syn::Expr) -> &[syn::Attribute] {
    as_statement!(expr, inner => &inner.attrs, &[])
}

/// The attributes of an expression that can be a statement.
pub(crate) fn attributes_mut(expr: &mut syn::Expr) -> Option<&mut Vec<syn::Attribute>> {
    as_statement!(expr, inner => Some(&mut inner.attrs), None)
}

fn kind_in_words(expr: &syn::Expr) -> &'static str {
    match expr {
        syn::Expr::Unsafe(_) => "an `unsafe` block",
        syn::Expr::Async(_) | syn::Expr::Await(_) => "asynchronous code",
        syn::Expr::ForLoop(_) | syn::Expr::While(_) | syn::Expr::Loop(_) => "a loop",
        syn::Expr::Match(_) => "a `match`",
        syn::Expr::Range(_) => "a range",
        syn::Expr::Index(_) => "an index",
        syn::Expr::Return(_) | syn::Expr::Break(_) | syn::Expr::Continue(_) => "an early exit",
        _ => "an unknown expression",
    }
}

pub(super) fn other(base: Base, node: &impl ToTokens, what: &str) -> Expr {
    Expr {
        kind: ExprKind::Other(Text::from(what)),
        span: span(base, node.span()),
    }
}

/// The input of `json!`: brackets are JSON's, anything else is an expression.
pub(crate) enum JsonInput {
    Null,
    Array(Vec<JsonInput>),
    Object(Vec<(syn::Expr, JsonInput)>),
    Value(Box<syn::Expr>),
}

impl syn::parse::Parse for JsonInput {
    fn parse(input: syn::parse::ParseStream<'_>) -> syn::Result<Self> {
        let ends =
            |input: syn::parse::ParseStream<'_>| input.is_empty() || input.peek(syn::Token![,]);
        let ahead = input.fork();
        if let Ok(ident) = ahead.call(syn::Ident::parse_any)
            && ident == "null"
            && ends(&ahead)
        {
            input.call(syn::Ident::parse_any)?;
            return Ok(Self::Null);
        }
        if input.peek(syn::token::Bracket) {
            let ahead = input.fork();
            ahead.parse::<proc_macro2::Group>()?;
            if ends(&ahead) {
                let inside;
                syn::bracketed!(inside in input);
                let items = inside.parse_terminated(Self::parse, syn::Token![,])?;
                return Ok(Self::Array(items.into_iter().collect()));
            }
        }
        if input.peek(syn::token::Brace) {
            let inside;
            syn::braced!(inside in input);
            let entries = inside.parse_terminated(
                |input: syn::parse::ParseStream<'_>| {
                    let key = input.parse::<syn::Expr>()?;
                    input.parse::<syn::Token![:]>()?;
                    Ok((key, input.parse::<Self>()?))
                },
                syn::Token![,],
            )?;
            return Ok(Self::Object(entries.into_iter().collect()));
        }
        input.parse().map(|value| Self::Value(Box::new(value)))
    }
}

/// Lowers the input of `json!`.
pub(crate) fn json(base: Base, input: &JsonInput) -> JsonNode {
    match input {
        JsonInput::Null => JsonNode::Null,
        JsonInput::Array(items) => {
            JsonNode::Array(items.iter().map(|item| json(base, item)).collect())
        }
        JsonInput::Object(entries) => {
            let entries = entries
                .iter()
                .map(|(key, value)| (expr_at(base, key, 1), json(base, value)));
            JsonNode::Object(entries.collect())
        }
        JsonInput::Value(value) => JsonNode::Value(expr_at(base, value, 1)),
    }
}
