//! Patterns: texts, and the statics of a `Regex`.

use crate::reader::Reader;
use crate::types::{Finding, Scope};
use crd_channels_diagnostics::Text;
use crd_channels_source::tree::{Expr, ExprKind};
use crd_channels_source::{Def, Resolved};

impl Reader<'_> {
    /// Reads a pattern: a string, or the static of a `Regex`, or what the configuration states for it.
    ///
    /// # Errors
    ///
    /// `not-constant` if it is neither.
    pub(crate) fn pattern(&self, pattern: &Expr, scope: &Scope) -> Result<Text, Finding> {
        let mut named = pattern;
        while let ExprKind::Unary('*', inner) | ExprKind::Reference(inner) = &named.kind {
            named = inner;
        }
        if let Some(path) = named.path()
            && let Ok(Resolved::Def(Def::Const(home, of))) =
                self.graph.resolve_value(scope.module, path)
        {
            let stated = self.value_override(home, &of.name);
            if let Some(text) = stated.and_then(|value| value.text()) {
                return Ok(text);
            }
            let home = Scope::module(home);
            if let Some(text) = self.compiled_pattern(&of.value, &home) {
                return self.read_string(text, &home);
            }
        }
        self.read_string(pattern, scope)
    }

    /// Returns the text in `LazyLock::new(|| Regex::new("..").unwrap())`. A `Regex` shows the text that it was made of.
    fn compiled_pattern<'e>(&self, made: &'e Expr, scope: &Scope) -> Option<&'e Expr> {
        let called = |expr: &'e Expr, names: [&str; 2]| {
            let (path, [only]) = expr.call()? else {
                return None;
            };
            let name = match self.graph.resolve_value(scope.module, path).ok()? {
                Resolved::External(name) => name.to_string(),
                Resolved::Def(Def::Associated(ty, name)) => {
                    format!("{}::{name}", self.path_of(ty.module, &ty.def.name))
                }
                Resolved::Def(_) => return None,
            };
            names.contains(&&*name).then_some(only)
        };
        let lazy = called(
            made,
            ["std::sync::LazyLock::new", "once_cell::sync::Lazy::new"],
        )?;
        let ExprKind::Closure(closure) = &lazy.kind else {
            return None;
        };
        match closure.body.method()? {
            (made, "unwrap" | "expect", _) => {
                called(made, ["regex::Regex::new", "regex_lite::Regex::new"])
            }
            _ => None,
        }
    }
}
