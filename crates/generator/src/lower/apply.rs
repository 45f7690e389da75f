//! Functions in the place of values: closures, and the names of functions.

use super::Reader;
use super::concrete::{Concrete, Finding};
use super::constant::Frame;
use super::value::{Const, not_constant};
use crate::source::Resolved;
use crate::source::tree::{Expr, ExprKind, Path, Pattern, Segment};

impl Reader<'_> {
    /// What `|a, b| ..`, `f` or `T::f` gives for these arguments.
    pub(super) fn apply(
        &self,
        function: &Expr,
        given: &[&Const],
        frame: &mut Frame<'_>,
        expected: Option<&Concrete>,
    ) -> Result<Const, Finding> {
        let outer = frame.locals.len();
        let value = match &function.kind {
            ExprKind::Closure(patterns, body) => {
                self.apply_closure((patterns, body), given, frame, expected)
            }
            ExprKind::Path(path) => self.apply_named(function, path, given, frame, expected),
            ExprKind::Reference(inner) => self.apply(inner, given, frame, expected),
            _ => Err(not_constant(
                function.span,
                "what this function gives is not evaluated",
            )),
        };
        frame.locals.truncate(outer);
        value
    }

    fn apply_closure(
        &self,
        (patterns, body): (&[Pattern], &Expr),
        given: &[&Const],
        frame: &mut Frame<'_>,
        expected: Option<&Concrete>,
    ) -> Result<Const, Finding> {
        for (pattern, value) in patterns.iter().zip(given) {
            if !self.matches(pattern, value, body.span, frame)? {
                return Err(not_constant(body.span, "this closure takes other values"));
            }
        }
        let returns = std::mem::replace(&mut frame.returns, expected.cloned());
        // Who calls the closure may take its error for a value.
        let assured = std::mem::replace(&mut frame.assured, false);
        let value = self.expr(body, frame, expected);
        frame.assured = assured;
        frame.returns = returns;
        match frame.returned.take() {
            Some(value) => Ok(value),
            None => value,
        }
    }

    fn apply_named(
        &self,
        function: &Expr,
        path: &Path,
        given: &[&Const],
        frame: &mut Frame<'_>,
        expected: Option<&Concrete>,
    ) -> Result<Const, Finding> {
        let mut args = Vec::with_capacity(given.len());
        for (index, value) in given.iter().enumerate() {
            // No variable of the source has a number for its name.
            let name = crate::Text::from(index.to_string());
            frame.locals.push((name.clone(), (*value).clone(), None));
            let segments = vec![Segment {
                name,
                args: Vec::new(),
            }];
            let argument = Path {
                leading: false,
                segments,
                span: function.span,
            };
            args.push(Expr {
                kind: ExprKind::Path(argument),
                span: function.span,
            });
        }
        let is_known = matches!(
            self.graph.resolve_value(frame.scope.module, path),
            Ok(Resolved::External(_))
        );
        let last = path.segments.last().map_or("", |last| &*last.name);
        match args.split_first() {
            // `Into::into`, `str::to_owned`: methods by their full names.
            Some((receiver, rest)) if is_known && last != "from" => {
                let called = self.method(
                    function,
                    (receiver, last),
                    (&[], false),
                    rest,
                    frame,
                    expected,
                );
                called.or_else(|_| self.call(function, (function, false), &args, frame, expected))
            }
            _ => self.call(function, (function, false), &args, frame, expected),
        }
    }
}
