//! Functions that return a schema, and transforms that change one.

use super::body::{AskedType, Body, Part};
use crate::types::{Concrete, Scope};
use crate::values::{Reading, Run, not_known, stop};
use crd_channels_diagnostics::{Span, Text};
use crd_channels_schema::draft::{Edit, Literal};
use crd_channels_source::tree::{Expr, ExprKind, FnDef, Pattern};
use crd_channels_source::{Def, ModuleId, Resolved};

/// The name of the type whose schema a transform gets.
const GIVEN: &str = "the schema";

/// Reads a function that returns a schema.
pub(super) fn schema_of(
    reading: &mut Reading<'_>,
    (module, def): (ModuleId, &FnDef),
    scope: &Scope,
    args: Vec<Part>,
    span: Span,
) -> Run<Literal<AskedType>> {
    if def.takes_self || !def.generics.is_empty() || def.params.len() != args.len() {
        return stop(span, format!("how `{}` is called is not read", def.name));
    }
    let scope = reading.body_scope(module, def, scope)?;
    reading.deeper(span, |reading| {
        let mut body = Body::new(reading, scope);
        for (name, part) in def.params.iter().cloned().zip(args) {
            body.bind(name, part, not_known(), def.span);
        }
        match body.part(&def.body)? {
            Part::Json(schema) | Part::Record(schema) => Ok(schema),
            _ => stop(def.span, "this does not return a schema"),
        }
    })
}

/// Runs a transform on an unknown schema.
pub(super) fn edits_of(
    reading: &mut Reading<'_>,
    transform: &Expr,
    scope: &Scope,
) -> Run<Vec<(Text, Edit<AskedType>)>> {
    let span = transform.span;
    let (name, code, scope) = match &transform.kind {
        ExprKind::Closure(closure) => match &closure.params[..] {
            [pattern] => match pattern.name() {
                Some(name) => (name.clone(), closure.body.clone(), scope.clone()),
                None => return stop(span, "the parameter of this closure has no name"),
            },
            _ => return stop(span, "a transform takes one parameter"),
        },
        ExprKind::Path(path) => match reading.reader.graph.resolve_value(scope.module, path)? {
            Resolved::Def(Def::Fn(module, def)) => match &def.patterns[..] {
                [Pattern::Name(name)] => {
                    let inside = reading.body_scope(module, &def, &Scope::module(module))?;
                    (name.clone(), def.body.clone(), inside)
                }
                _ => return stop(span, "a transform takes one parameter"),
            },
            _ => return stop(span, format!("`{path}` is not read")),
        },
        _ => return stop(span, "a transform is a closure or the name of a function"),
    };
    let given = Literal::Schema((Concrete::external(GIVEN), span), Vec::new());
    let mut body = Body::new(reading, scope);
    body.bind(name, Part::Json(given), not_known(), span);
    body.run(&code)?;
    match body.locals.into_iter().next() {
        Some((_, Part::Json(Literal::Schema((ty, _), edits))))
            if ty.external_name() == Some(GIVEN) =>
        {
            Ok(edits)
        }
        _ => stop(
            span,
            "a transform that replaces the whole schema is not read",
        ),
    }
}
