//! JSON as `json!` and `json_schema!` take it: a tree of brackets with expressions in the places of values.

use super::tokens::{Cursor, span};
use crate::diag::Span;
use crate::source::tree::{Expr, ExprKind, Lit, Token};

/// A value in the macro's input.
#[derive(Debug)]
pub(super) enum Node {
    /// `null`
    Null,
    /// `[..]`
    Array(Vec<Node>),
    /// `{..}`: keys are expressions as well.
    Object(Vec<(Expr, Node)>),
    /// Anything else, literals included.
    Expr(Expr),
}

/// Reads one value to the end of the input; gives the place back where that is impossible.
pub(super) fn json(tokens: &[Token], whole: Span) -> Result<Node, Span> {
    let mut cursor = Cursor::new(tokens, whole);
    let node = value(&mut cursor)?;
    cursor.eat(",");
    if cursor.is_done() {
        Ok(node)
    } else {
        Err(cursor.place())
    }
}

/// Reads one value; stops before the comma behind it.
fn value(cursor: &mut Cursor<'_>) -> Result<Node, Span> {
    match cursor.peek() {
        Some(Token::Group('[', tokens, whole)) => {
            cursor.next();
            let mut inner = Cursor::new(tokens, *whole);
            let mut items = Vec::new();
            while !inner.is_done() {
                items.push(value(&mut inner)?);
                if !inner.eat(",") && !inner.is_done() {
                    return Err(inner.place());
                }
            }
            Ok(Node::Array(items))
        }
        Some(Token::Group('{', tokens, whole)) => {
            cursor.next();
            object(&mut Cursor::new(tokens, *whole)).map(Node::Object)
        }
        Some(Token::Ident(word, _)) if &**word == "null" => {
            cursor.next();
            Ok(Node::Null)
        }
        Some(_) => Ok(Node::Expr(cursor.expr())),
        None => Err(cursor.place()),
    }
}

fn object(cursor: &mut Cursor<'_>) -> Result<Vec<(Expr, Node)>, Span> {
    let mut entries = Vec::new();
    while !cursor.is_done() {
        let key = key(cursor);
        if !cursor.eat(":") {
            return Err(cursor.place());
        }
        entries.push((key, value(cursor)?));
        if !cursor.eat(",") && !cursor.is_done() {
            return Err(cursor.place());
        }
    }
    Ok(entries)
}

/// A literal is a key as it stands; in an expression, a type's `::` is no end.
fn key(cursor: &mut Cursor<'_>) -> Expr {
    match cursor.peek() {
        Some(token @ Token::Lit(Lit::Str(text), _)) => {
            let lit = Lit::Str(text.clone());
            let span = span(token);
            cursor.next();
            Expr {
                kind: ExprKind::Lit(lit),
                span,
            }
        }
        _ => cursor.expr(),
    }
}
