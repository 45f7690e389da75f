//! Macros in constants: `vec!`, `json!`, `concat!`, `format!`, `cfg!`.

use super::Reader;
use super::concrete::{Concrete, Finding, Scope};
use super::constant::Frame;
use super::known;
use super::literal::{self, Node};
use super::token_exprs;
use super::tokens::Cursor;
use super::value::{Const, not_constant};
use crate::diag::Span;
use crate::source::tree::{Expr, ExprKind, Lit, Path, Segment, Token};
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
        Frame::enter(scope, span, |frame| self.node(&node, frame))
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
            "env" | "option_env" => {
                let args = cursor.exprs();
                self.build_variable(whole, name == "option_env", &args, frame.scope)
            }
            "format" => {
                let text = self.format(whole, &cursor.exprs(), frame)?;
                Ok(Const::Text(text.into()))
            }
            "write" => self.write_macro(whole, &cursor.exprs(), false, frame),
            "writeln" => self.write_macro(whole, &cursor.exprs(), true, frame),
            "cfg" => {
                let holds = self.graph.cfg_holds(frame.scope.module, tokens);
                let holds = holds.ok_or_else(|| {
                    not_constant(whole.span, "nothing decides whether this `cfg!` holds")
                })?;
                Ok(Const::Bool(holds))
            }
            "panic" | "unreachable" | "todo" | "unimplemented" => {
                Err(not_constant(whole.span, "the program stops here"))
            }
            _ => match self.made_by(whole, frame) {
                Some(made) => self.expr(&made, frame, expected),
                None => Err(not_constant(
                    whole.span,
                    format!("the macro `{name}!` is not evaluated"),
                )),
            },
        }
    }

    /// Whether a macro's call as a statement changes no value: what writes to a log or a terminal, and assertions.
    pub(super) fn only_speaks(&self, whole: &Expr, frame: &Frame<'_>) -> bool {
        let ExprKind::Macro(path, _) = &whole.kind else {
            return false;
        };
        let name = path.segments.last().map_or("", |last| &*last.name);
        let known = matches!(
            name,
            "trace"
                | "debug"
                | "info"
                | "warn"
                | "error"
                | "log"
                | "event"
                | "print"
                | "println"
                | "eprint"
                | "eprintln"
                | "debug_assert"
                | "debug_assert_eq"
                | "debug_assert_ne"
        );
        known && self.made_by(whole, frame).is_none()
    }

    /// What a macro of the source makes of a call.
    fn made_by(&self, whole: &Expr, frame: &Frame<'_>) -> Option<Expr> {
        let ExprKind::Macro(path, tokens) = &whole.kind else {
            return None;
        };
        let module = frame.scope.module;
        self.graph.expanded_value(module, path, tokens)
    }

    /// `format!("{}-{name}", x)`, as far as plain places go: no width, no precision, no `{:?}`.
    pub(super) fn format(
        &self,
        whole: &Expr,
        exprs: &[Expr],
        frame: &mut Frame<'_>,
    ) -> Result<String, Finding> {
        let refused = |why: &str| not_constant(whole.span, format!("`format!` {why}"));
        let Some((
            Expr {
                kind: ExprKind::Lit(Lit::Str(template)),
                ..
            },
            args,
        )) = exprs.split_first()
        else {
            return Err(refused("without a literal is not evaluated"));
        };
        let mut next = args.iter();
        let mut made = String::new();
        let mut rest: &str = template;
        while let Some(at) = rest.find(['{', '}']) {
            let (before, behind) = rest.split_at(at);
            made += before;
            if let Some(behind) = behind.strip_prefix("{{") {
                made.push('{');
                rest = behind;
                continue;
            }
            if let Some(behind) = behind.strip_prefix("}}") {
                made.push('}');
                rest = behind;
                continue;
            }
            let (name, behind) = behind
                .strip_prefix('{')
                .and_then(|inside| inside.split_once('}'))
                .ok_or_else(|| refused("with a lone brace is not evaluated"))?;
            let name = name.trim();
            let value = match (name, name.parse::<usize>()) {
                ("", _) => next
                    .next()
                    .map(|argument| self.expr(argument, frame, None))
                    .ok_or_else(|| refused("lacks an argument"))??,
                (_, Ok(index)) => args
                    .get(index)
                    .map(|argument| self.expr(argument, frame, None))
                    .ok_or_else(|| refused("lacks an argument"))??,
                (name, Err(_)) => self.named_argument(whole, name, frame)?,
            };
            made += &self.displayed(&value, whole.span, frame)?;
            rest = behind;
        }
        made += rest;
        Ok(made)
    }

    /// What `{name}` shows: a variable, or a constant.
    fn named_argument(
        &self,
        whole: &Expr,
        name: &str,
        frame: &mut Frame<'_>,
    ) -> Result<Const, Finding> {
        let segment = Segment {
            name: name.into(),
            args: Vec::new(),
        };
        let named = Expr {
            kind: ExprKind::Path(Path {
                leading: false,
                segments: vec![segment],
                span: whole.span,
            }),
            span: whole.span,
        };
        let plain = |c: char| c.is_alphanumeric() || c == '_';
        if !name.chars().all(plain) {
            let why = "`format!` with more than a name in braces is not evaluated";
            return Err(not_constant(whole.span, why));
        }
        self.expr(&named, frame, None)
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
