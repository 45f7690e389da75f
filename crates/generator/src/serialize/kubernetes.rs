//! The `Serialize` of k8s-openapi's types, which its generator writes in one form.

use super::derived::Written;
use crate::types::{Concrete, Fit, TraitKey, single};
use crate::values::{Adt, Reading, Run, Value, not_constant, stop};
use crd_channels_diagnostics::{Span, Text};
use crd_channels_source::tree::{Expr, ExprKind, Lit, Pattern, Stmt};
use serde_json::{Map, Value as Json};
use std::sync::Arc;

/// A field that the generated code writes.
struct FieldWritten {
    /// Its name in JSON.
    name: Text,
    /// Its name in Rust.
    field: Text,
    /// Whether it is left out if it is `None`.
    optional: bool,
}

impl Reading<'_> {
    /// Returns the JSON of a value whose type has a hand-written `Serialize`; only that of k8s-openapi is read.
    pub(super) fn write_by_hand(&mut self, adt: &Adt, span: Span) -> Run<Written> {
        let name = &adt.of.ty.def.name;
        let refused = || {
            let finding = not_constant(span, format!("how `{name}` is serialized is not read"));
            let label = "it does not derive `Serialize`";
            Box::new(finding.with_label(adt.of.ty.def.span, label))
        };
        let home = self.reader.graph.crate_of(adt.of.ty.module);
        if home.is_none_or(|home| &*home.name != "k8s_openapi") {
            return Err(refused());
        }
        if adt.variant.is_some() {
            // `IntOrString` and the like write their content.
            return match &adt.fields[..] {
                [(_, content)] => self.serialize_value(content, span),
                _ => Err(refused()),
            };
        }
        let own = Concrete::Def(Arc::clone(&adt.of));
        let of = TraitKey::Known("serde::Serialize".into());
        let blocks = self.reader.trait_blocks(&own, &of, adt.of.ty.module);
        let [block] = &blocks[..] else {
            return Err(refused());
        };
        let Some(def) = block
            .function("serialize")
            .filter(|_| block.fit == Fit::Yes)
        else {
            return Err(refused());
        };
        let ExprKind::Block(statements, Some(tail)) = &def.body.kind else {
            return Err(refused());
        };
        if let ExprKind::Method { name, args, .. } = &tail.kind
            && &**name == "serialize_newtype_struct"
            && let ([_, content], [(_, value)]) = (&args[..], &adt.fields[..])
            && field_of(content).is_some()
        {
            return self.serialize_value(value, span);
        }
        let [Stmt::Let(_, None, state), fields @ ..] = &statements[..] else {
            return Err(refused());
        };
        if !is_call_of(state, "serialize_struct") || !is_call_of(tail, "end") {
            return Err(refused());
        }
        let mut object = Map::new();
        for statement in fields {
            let Stmt::Expr(statement) = statement else {
                return Err(refused());
            };
            let written = written_field(statement).ok_or_else(refused)?;
            let value = match adt.field(&written.field) {
                Some(Value::Option(None)) if written.optional => continue,
                Some(value) => value,
                None => return stop(span, format!("`{}` has no value", written.field)),
            };
            match self.serialize_value(value, span)? {
                Ok(json) => object.insert(written.name.to_string(), json),
                Err(why) => return Ok(Err(why)),
            };
        }
        Ok(Ok(Json::Object(object)))
    }
}

/// `if let Some(value) = &self.field { serialize_field(&mut state, "name", value)?; }`,
/// `serialize_field(&mut state, "name", &self.field)?;`
fn written_field(statement: &Expr) -> Option<FieldWritten> {
    match &statement.kind {
        ExprKind::If(condition, then, None) => {
            let ExprKind::Is(pattern, of) = &condition.kind else {
                return None;
            };
            let Pattern::Tuple(some, inner) = &**pattern else {
                return None;
            };
            let [Pattern::Name(bound)] = &inner[..] else {
                return None;
            };
            let ExprKind::Block(statements, None) = &then.kind else {
                return None;
            };
            let [Stmt::Expr(only)] = &statements[..] else {
                return None;
            };
            let (name, value) = field_call(only)?;
            let is_bound =
                matches!(&value.kind, ExprKind::Path(path) if single(path) == Some(bound));
            let is_some = some
                .segments
                .last()
                .is_some_and(|last| &*last.name == "Some");
            (is_bound && is_some).then_some(FieldWritten {
                name,
                field: field_of(of)?,
                optional: true,
            })
        }
        _ => {
            let (name, value) = field_call(statement)?;
            Some(FieldWritten {
                name,
                field: field_of(value)?,
                optional: false,
            })
        }
    }
}

/// The name and the value of `serialize_field(&mut state, "name", value)?`.
fn field_call(expr: &Expr) -> Option<(Text, &Expr)> {
    let ExprKind::Try(call) = &expr.kind else {
        return None;
    };
    let ExprKind::Call(function, args) = &call.kind else {
        return None;
    };
    let ExprKind::Path(path) = &function.kind else {
        return None;
    };
    let is_field = path
        .segments
        .last()
        .is_some_and(|last| &*last.name == "serialize_field");
    match &args[..] {
        [_, name, value] if is_field => match &name.kind {
            ExprKind::Lit(Lit::Str(name)) => Some((name.clone(), value)),
            _ => None,
        },
        _ => None,
    }
}

/// Returns true for a call of a function or method of a name, with or without `?`.
fn is_call_of(expr: &Expr, wanted: &str) -> bool {
    match &expr.kind {
        ExprKind::Try(inner) => is_call_of(inner, wanted),
        ExprKind::Method { name, .. } => &**name == wanted,
        ExprKind::Call(function, _) => match &function.kind {
            ExprKind::Path(path) => path
                .segments
                .last()
                .is_some_and(|last| &*last.name == wanted),
            _ => false,
        },
        _ => false,
    }
}

/// The field of `&self.field`.
fn field_of(expr: &Expr) -> Option<Text> {
    let ExprKind::Reference(inner) = &expr.kind else {
        return None;
    };
    match &inner.kind {
        ExprKind::Field(this, name) => match &this.kind {
            ExprKind::Path(path) if single(path).is_some_and(|name| &**name == "self") => {
                Some(name.clone())
            }
            _ => None,
        },
        _ => None,
    }
}
