//! Patterns in attributes: strings, and statics with a compiled `regex::Regex`, whose text is its pattern.

use super::not_constant;
use crate::reader::Reader;
use crate::types::{Finding, Scope};
use crd_channels_diagnostics::Text;
use crd_channels_source::tree::{Expr, ExprKind, Path};
use crd_channels_source::{Def, ModuleId, Resolved};

/// The types whose value is that of a closure, called when it is first needed.
const LAZY: [&str; 3] = [
    "once_cell::sync::Lazy",
    "once_cell::unsync::Lazy",
    "std::sync::LazyLock",
];

/// The types whose text is the pattern that they are made of.
const REGEX: [&str; 2] = ["regex::Regex", "regex::bytes::Regex"];

/// How many statics may refer to each other.
const MOST_STATICS: usize = 8;

impl Reader<'_> {
    /// Reads a pattern, of which schemars takes the text: a string, or a `Regex` that is made of one.
    ///
    /// # Errors
    ///
    /// `not-constant` if it is neither, or is not in the language.
    pub(crate) fn pattern(&self, expr: &Expr, scope: &Scope) -> Result<Text, Finding> {
        match self.regex(expr, scope.module, MOST_STATICS) {
            Some(text) => {
                // Without `*`, this is the method of the static, which derefs to the `Regex`.
                if !matches!(expr.kind, ExprKind::Unary('*', _)) {
                    self.reading().check_method("to_string", scope, expr.span)?;
                }
                text
            }
            None => self.read_string(expr, scope),
        }
    }

    /// Reads the text of a `Regex`; `None` if an expression is not seen to be one.
    fn regex(&self, expr: &Expr, module: ModuleId, left: usize) -> Option<Result<Text, Finding>> {
        match &expr.kind {
            ExprKind::Unary('*', inner) | ExprKind::Reference(inner) => {
                self.regex(inner, module, left)
            }
            ExprKind::Block(statements, Some(tail)) if statements.is_empty() => {
                self.regex(tail, module, left)
            }
            ExprKind::Path(path) => {
                let resolved = self.graph.resolve_value(module, path).ok()?;
                let Resolved::Def(Def::Const(module, constant)) = resolved else {
                    return None;
                };
                if let Some(stated) = self.value_override(module, &constant.name) {
                    let message = "the stated value is not a string";
                    let text = stated.text();
                    return Some(text.ok_or_else(|| not_constant(expr.span, message)));
                }
                self.regex(&constant.value, module, left.checked_sub(1)?)
            }
            ExprKind::Call(function, args) => match (&function.kind, &args[..]) {
                (ExprKind::Path(path), [lazy]) if self.is_new_of(path, module, &LAZY) => {
                    match &lazy.kind {
                        ExprKind::Closure(lazy) => self.regex(&lazy.body, module, left),
                        _ => None,
                    }
                }
                _ => None,
            },
            ExprKind::Method { receiver, name, .. } if matches!(&**name, "unwrap" | "expect") => {
                let ExprKind::Call(function, args) = &receiver.kind else {
                    return None;
                };
                match (&function.kind, &args[..]) {
                    (ExprKind::Path(path), [text]) if self.is_new_of(path, module, &REGEX) => {
                        Some(self.read_string(text, &Scope::module(module)))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether a path is that of the function `new` of one of these types.
    fn is_new_of(&self, path: &Path, module: ModuleId, types: &[&str]) -> bool {
        let [owner @ .., new] = &path.segments[..] else {
            return false;
        };
        let owner = Path {
            segments: owner.to_vec(),
            ..path.clone()
        };
        let owner = match self.graph.resolve_type(module, &owner) {
            Ok(Resolved::Def(Def::Type(ty))) if !self.graph.is_local(ty.module) => {
                let name = self.graph.name_of(&ty);
                format!("{}::{}", name.module, name.name)
            }
            Ok(Resolved::External(name)) => name.to_string(),
            _ => return false,
        };
        &*new.name == "new" && types.contains(&&*owner)
    }
}
