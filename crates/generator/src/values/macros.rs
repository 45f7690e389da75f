//! Macros of std and serde_json that make values.

use super::reading::{Env, Reading, Run, is_named, mismatch, stop};
use super::value::display;
use super::{Value, not_constant};
use crate::types::Concrete;
use crate::types::kinds::is_list;
use crd_channels_diagnostics::{Span, Text};
use crd_channels_source::tree::{Expr, ExprKind, JsonNode, Lit, Path, Token};
use serde_json::{Map, Value as Json};

impl Reading<'_> {
    /// `name!(..)`
    pub(super) fn macro_call(
        &mut self,
        (path, tokens): (&Path, &[Token]),
        env: &Env,
        place: Option<&Concrete>,
        span: Span,
    ) -> Run {
        let graph = self.reader.graph;
        let Some(name) = graph.called_macro(env.scope.module, path) else {
            return stop(span, format!("the macro `{path}!` is not read"));
        };
        let exprs = || {
            let exprs = graph.macro_expressions(tokens);
            exprs.ok_or_else(|| not_constant(span, format!("the input of `{path}!` is not read")))
        };
        let text = match &*name {
            "std::vec" => {
                let item = match place {
                    None => None,
                    Some(Concrete::External(path, args)) if is_list(path) => args.first(),
                    Some(ty) => return mismatch(span, "a `Vec`", ty),
                };
                return match graph.macro_repeat(tokens) {
                    Some((repeated, length)) => self.repeated((&repeated, &length), env, item),
                    None => self.items(&exprs()?, env, item).map(Value::List),
                };
            }
            "serde_json::json" => {
                let node = graph.macro_json(tokens);
                let node =
                    node.ok_or_else(|| not_constant(span, "this is not JSON that can be read"))?;
                return match place {
                    Some(ty) if !is_named(ty, "serde_json::Value") => {
                        mismatch(span, "a `serde_json::Value`", ty)
                    }
                    _ => self.json_node(&node, env).map(Value::Json),
                };
            }
            "std::format" => {
                let text = self.format(&exprs()?, env, span)?;
                return match place {
                    Some(ty) if !is_named(ty, "std::string::String") => {
                        mismatch(span, "a `String`", ty)
                    }
                    _ => Ok(Value::Text(text.into())),
                };
            }
            "std::concat" => self.concat(&exprs()?, env)?,
            "std::env" => match exprs()?.first().map(|first| &first.kind) {
                Some(ExprKind::Lit(Lit::Str(variable))) => {
                    let value = graph.package_variable(env.scope.module, variable);
                    let why = || format!("the value of `{variable}` is not read");
                    value.ok_or_else(|| not_constant(span, why()))?.into()
                }
                _ => return stop(span, "this variable has no name"),
            },
            "std::include_str" => match graph.included_text(env.scope.module, span, tokens) {
                Ok((text, at)) => {
                    if let Some(literals) = &mut self.literals {
                        literals.record(&text, at);
                    }
                    text
                }
                Err(why) => return stop(span, why),
            },
            _ => return stop(span, format!("the macro `{path}!` is not read")),
        };
        match place {
            None => Ok(Value::Text(text)),
            Some(Concrete::Ref(target, _)) if is_named(target, "str") => Ok(Value::Text(text)),
            Some(ty) => mismatch(span, "a `&str`", ty),
        }
    }

    /// Concatenates literals by their text: a float keeps its digits.
    fn concat(&mut self, exprs: &[Expr], env: &Env) -> Run<Text> {
        let mut parts = Vec::with_capacity(exprs.len());
        for part in exprs {
            let text = match &part.kind {
                ExprKind::Lit(Lit::Float(digits, _) | Lit::Int(digits, _)) => digits.clone(),
                ExprKind::Lit(_) | ExprKind::Macro(..) => {
                    let value = self.read(part, env, None)?;
                    display(&value).ok_or_else(|| {
                        not_constant(part.span, "this part of `concat!` is not read")
                    })?
                }
                _ => return stop(part.span, "this part of `concat!` is not read"),
            };
            parts.push((text, part.span));
        }
        let text: String = parts.iter().map(|(part, _)| &**part).collect();
        let text = Text::from(text);
        if let Some(literals) = &mut self.literals {
            literals.join(text.clone(), parts);
        }
        Ok(text)
    }

    /// Reads the input of `json!`.
    pub(crate) fn json_node(&mut self, node: &JsonNode, env: &Env) -> Run<Json> {
        Ok(match node {
            JsonNode::Null => Json::Null,
            JsonNode::Array(items) => {
                let items = items.iter().map(|item| self.json_node(item, env));
                Json::Array(items.collect::<Run<_>>()?)
            }
            JsonNode::Object(entries) => {
                let mut object = Map::new();
                for (key, value) in entries {
                    let key = self.json_key(key, env)?;
                    object.insert(key.to_string(), self.json_node(value, env)?);
                }
                Json::Object(object)
            }
            JsonNode::Value(expr) => {
                let value = self.read(expr, env, None)?;
                self.untyped_json(&value, expr.span)?
            }
        })
    }

    /// Reads a key of `json!`.
    pub(crate) fn json_key(&mut self, key: &Expr, env: &Env) -> Run<Text> {
        match self.read(key, env, None)? {
            Value::Text(text) => Ok(text),
            _ => stop(key.span, "this key is not a string"),
        }
    }
}
