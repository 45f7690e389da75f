//! Macros in constants: `vec!`, `json!`, `concat!`, `format!` without arguments.

use super::Reader;
use super::concrete::{Concrete, Finding, Scope};
use super::constant::Frame;
use super::known;
use super::literal::{self, Node};
use super::token_exprs;
use super::tokens::Cursor;
use super::value::{Const, not_constant};
use crate::diag::Span;
use crate::source::tree::{Expr, ExprKind, Lit, Token};
use serde_json::{Map, Value};

impl Reader<'_> {
    /// The JSON that tokens spell, as `json!` takes them.
    ///
    /// # Errors
    /// `not-constant` where they spell none, or a value in them cannot be evaluated.
    pub(super) fn json_tokens(
        &self,
        tokens: &[Token],
        span: Span,
        scope: &Scope,
    ) -> Result<Value, Finding> {
        let node = literal::json(tokens, span)
            .map_err(|span| not_constant(span, "this is no JSON that can be read"))?;
        Frame::enter(scope, |frame| self.node(&node, frame))
    }

    pub(super) fn macro_value(
        &self,
        whole: &Expr,
        name: &str,
        tokens: &[Token],
        frame: &mut Frame<'_>,
        expected: Option<&Concrete>,
    ) -> Result<Const, Finding> {
        let mut cursor = Cursor::new(tokens, whole.span);
        match name {
            "vec" => {
                let kind = token_exprs::list(&mut cursor);
                let list = Expr {
                    kind,
                    span: whole.span,
                };
                self.expr(&list, frame, expected)
            }
            "json" => {
                let node = literal::json(tokens, whole.span)
                    .map_err(|span| not_constant(span, "this is no JSON that can be read"))?;
                self.node(&node, frame).map(Const::Json)
            }
            "concat" => {
                let mut text = String::new();
                for part in cursor.exprs() {
                    let value = self.expr(&part, frame, None)?;
                    let shown = known::shown(&value);
                    text += &shown
                        .ok_or_else(|| not_constant(part.span, "only literals can be joined"))?;
                }
                Ok(Const::Text(text.into()))
            }
            "format" => match &cursor.exprs()[..] {
                [
                    Expr {
                        kind: ExprKind::Lit(Lit::Str(text)),
                        ..
                    },
                ] if !text.contains(['{', '}']) => Ok(Const::Text(text.clone())),
                _ => Err(not_constant(
                    whole.span,
                    "`format!` with arguments is not evaluated",
                )),
            },
            _ => Err(not_constant(
                whole.span,
                format!("the macro `{name}!` is not evaluated"),
            )),
        }
    }

    /// The JSON of `json!`'s input.
    fn node(&self, node: &Node, frame: &mut Frame<'_>) -> Result<Value, Finding> {
        match node {
            Node::Null => Ok(Value::Null),
            Node::Array(items) => {
                let items = items.iter().map(|item| self.node(item, frame));
                Ok(Value::Array(items.collect::<Result<_, _>>()?))
            }
            Node::Object(entries) => {
                let mut map = Map::new();
                for (key, value) in entries {
                    let text = known::shown(&self.expr(key, frame, None)?);
                    let text =
                        text.ok_or_else(|| not_constant(key.span, "this key is no string"))?;
                    map.insert(text, self.node(value, frame)?);
                }
                Ok(Value::Object(map))
            }
            Node::Expr(expr) => {
                let value = self.expr(expr, frame, None)?;
                self.json_of(&value, None, expr.span)
            }
        }
    }
}
