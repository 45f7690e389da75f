//! Macros as expressions: expands those of the source, and implements those of std and serde_json.

use crate::eval::machine::{Frame, Machine, Run, Want, panics, stop, truth};
use crate::eval::values::kinds::{MapKind, SeqKind};
use crate::eval::values::value::Value;
use crd_channels_diagnostics::{Span, Text};
use crd_channels_source::tree::{Expr, JsonNode, Path, Token};
use crd_channels_source::{CalledMacro, Expanded};

impl Machine<'_> {
    /// `name!(..)`
    pub(super) fn macro_call(
        &mut self,
        whole: &Expr,
        path: &Path,
        tokens: &[Token],
        frame: &mut Frame,
        want: Want<'_>,
    ) -> Run {
        let span = whole.span;
        let graph = self.reader.graph;
        let meant = frame.resolve_uses(path);
        let name = match graph.called_macro(frame.scope.module, &meant, tokens) {
            CalledMacro::Rules(Some(Expanded::Value(made) | Expanded::Statements(made))) => {
                return self.expr(&made, frame, want);
            }
            CalledMacro::Rules(None) => {
                return stop(span, format!("the macro `{path}!` cannot be expanded"));
            }
            CalledMacro::Named(name) => name,
            CalledMacro::Unknown => {
                return stop(span, format!("the macro `{path}!` is not evaluated"));
            }
        };
        // Logging has no effect on values.
        if name.starts_with("tracing::") || name.starts_with("log::") {
            return Ok(Value::unit());
        }
        match &*name {
            "std::vec" => self.vec_macro(tokens, frame, want, span),
            "serde_json::json" => match graph.macro_json(tokens) {
                Some(node) => self.json_node(&node, span, frame),
                None => stop(span, "this is not JSON that can be read"),
            },
            "schemars::json_schema" => match graph.macro_json(tokens) {
                Some(node) => {
                    let json = self.json_node(&node, span, frame)?;
                    match self.schema_from(json) {
                        Some(schema) => Ok(schema),
                        None => stop(span, "a schema is an object, `true` or `false`"),
                    }
                }
                None => stop(span, "this is not JSON that can be read"),
            },
            "std::matches" => {
                let Some(input) = graph.macro_matches(tokens) else {
                    return stop(span, "the input of `matches!` cannot be read");
                };
                let (value, arm) = &*input;
                let place = value.span;
                let value = self.expr(value, frame, Want::any())?;
                let outer = frame.mark();
                let fits = self.matches(&arm.pattern, &value, place, frame)?;
                frame.leave(outer);
                Ok(Value::Bool(fits))
            }
            "std::cfg" => match graph.cfg_holds(frame.scope.module, tokens) {
                Some(holds) => Ok(Value::Bool(holds)),
                None => stop(span, "this `cfg!` cannot be evaluated"),
            },
            "std::include_str" => match graph.included_text(frame.scope.module, span, tokens) {
                Ok((text, place)) => {
                    if let Some(literals) = &mut self.literals {
                        literals.read(&text, place);
                    }
                    Ok(Value::Str(text))
                }
                Err(why) => stop(span, why),
            },
            "std::stringify" => stop(span, "the macro `stringify!` is not evaluated"),
            "std::panic" | "std::unreachable" | "std::todo" | "std::unimplemented" => {
                panics(span, "unreachable code is reached")
            }
            name => {
                let Some(exprs) = graph.macro_expressions(tokens) else {
                    return stop(span, format!("the input of `{path}!` cannot be read"));
                };
                self.macro_of_exprs(whole, name, &exprs, frame)
            }
        }
    }

    fn macro_of_exprs(
        &mut self,
        whole: &Expr,
        name: &str,
        exprs: &[Expr],
        frame: &mut Frame,
    ) -> Run {
        let span = whole.span;
        match name {
            "std::format" => self.format(whole, exprs, frame).map(Value::string),
            "std::format_args" => self.format(whole, exprs, frame).map(Value::str),
            "std::concat" => {
                let mut parts = Vec::with_capacity(exprs.len());
                for part in exprs {
                    let value = self.expr(part, frame, Want::any())?;
                    parts.push((Text::from(self.displayed(&value, part.span)?), part.span));
                }
                let text: String = parts.iter().map(|(part, _)| &**part).collect();
                let text = Text::from(text);
                if let Some(literals) = &mut self.literals {
                    literals.join(text.clone(), parts);
                }
                Ok(Value::Str(text))
            }
            "std::env" | "std::option_env" => {
                self.build_variable(span, name == "std::option_env", exprs, &frame.scope.clone())
            }
            "std::write" | "std::writeln" => {
                let Some((target, template)) = exprs.split_first() else {
                    return stop(span, "this has nothing to write to");
                };
                let mut text = self.format(whole, template, frame)?;
                if name == "std::writeln" {
                    text.push('\n');
                }
                let target = match self.place(target, frame)? {
                    Some(place) => Value::MutPlace(place),
                    None => self.expr(target, frame, Want::any())?,
                };
                self.append(&target, &text, span)
            }
            "std::print" | "std::println" | "std::eprint" | "std::eprintln" | "std::dbg" => {
                Ok(Value::unit())
            }
            "std::assert" | "std::debug_assert" => {
                let Some(condition) = exprs.first() else {
                    return stop(span, "this assertion has no condition");
                };
                let value = self.expr(condition, frame, Want::any())?;
                let value = self.load(&value);
                match truth(&value, condition.span)? {
                    true => Ok(Value::unit()),
                    false => panics(span, "this assertion fails"),
                }
            }
            "std::assert_eq"
            | "std::assert_ne"
            | "std::debug_assert_eq"
            | "std::debug_assert_ne" => {
                let [left, right, ..] = exprs else {
                    return stop(span, "this assertion has no condition");
                };
                let left = self.expr(left, frame, Want::any())?;
                let right = self.expr(right, frame, Want::any())?;
                let same = self.same(&left, &right, span)?;
                if same == name.ends_with("_eq") {
                    Ok(Value::unit())
                } else {
                    panics(span, "this assertion fails")
                }
            }
            _ => stop(span, format!("the macro `{name}!` is not evaluated")),
        }
    }

    fn vec_macro(
        &mut self,
        tokens: &[Token],
        frame: &mut Frame,
        want: Want<'_>,
        span: Span,
    ) -> Run {
        let graph = self.reader.graph;
        if let Some(repeat) = graph.macro_repeat(tokens) {
            let (value, length) = &*repeat;
            return self.repeat(SeqKind::Vec, (value, length), frame, want, span);
        }
        match graph.macro_expressions(tokens) {
            Some(items) => self.list(SeqKind::Vec, &items, frame, want),
            None => stop(span, "the input of `vec!` cannot be read"),
        }
    }

    /// Evaluates the input of `json!`.
    pub(crate) fn json_node(&mut self, node: &JsonNode, span: Span, frame: &mut Frame) -> Run {
        let content = match node {
            JsonNode::Null => Value::unit(),
            JsonNode::Array(items) => {
                let mut values = Vec::with_capacity(items.len());
                for item in items {
                    values.push(self.json_node(item, span, frame)?);
                }
                Value::seq(SeqKind::Vec, values)
            }
            JsonNode::Object(entries) => {
                let mut object = Vec::with_capacity(entries.len());
                for (key, value) in entries {
                    let shown = self.expr(key, frame, Want::any())?;
                    let Some(text) = shown.text() else {
                        return stop(key.span, "this key is not a string");
                    };
                    let key = Value::String(text.clone());
                    object.push((key, self.json_node(value, span, frame)?));
                }
                self.mapping(MapKind::Json, object, span)?
            }
            JsonNode::Value(expr) => {
                let value = self.expr(expr, frame, Want::any())?;
                return self.as_json(&value, expr.span);
            }
        };
        Ok(Value::Json(Box::new(content)))
    }
}
