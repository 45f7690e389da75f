//! Structs that write themselves field by field: the body of a `Serialize` of the form that generators write.

use super::Reader;
use super::concrete::{Concrete, Finding, Instance, Scope};
use super::construct::{field, fields_of};
use super::value::Const;
use crate::Text;
use crate::diag::Span;
use crate::source::tree::{Expr, ExprKind, Lit, Stmt};
use serde_json::{Map, Value};
use std::sync::Arc;

/// An entry that such a body writes.
struct Written<'e> {
    key: Text,
    value: What<'e>,
    /// It is written only where it is `Some`.
    optional: bool,
}

/// What it writes there.
enum What<'e> {
    /// A field of the struct.
    Field(Text),
    /// Something else, such as `<Self as Resource>::KIND`.
    Constant(&'e Expr),
}

impl Reader<'_> {
    /// The JSON of a struct whose `Serialize` writes field after field. None where it is of another form.
    pub(super) fn json_by_fields(
        &self,
        instance: &Arc<Instance>,
        values: &[(Text, Const)],
        span: Span,
    ) -> Option<Result<Value, Finding>> {
        let blocks = self.graph.impls(&instance.ty, Some("Serialize"));
        let (_, block) = blocks.first()?;
        let function = block.fns.iter().find(|def| &*def.name == "serialize")?;
        let written = written(&function.body)?;
        let scope = Scope::of(instance);
        let mut map = Map::new();
        for Written {
            key,
            value,
            optional,
        } in written
        {
            let name = match value {
                What::Field(name) => name,
                What::Constant(value) => {
                    let this = Concrete::Def(Arc::clone(instance));
                    let scope = Scope {
                        this: Some(this),
                        ..Scope::of(instance)
                    };
                    let json = self
                        .eval(value, &scope, None)
                        .and_then(|value| self.json_of(&value, None, span));
                    match json {
                        Ok(json) => map.insert(key.to_string(), json),
                        Err(finding) => return Some(Err(finding)),
                    };
                    continue;
                }
            };
            let value = field(values, &name)?;
            if optional && matches!(value, Const::Option(None)) {
                continue;
            }
            let def = fields_of(instance, None)
                .iter()
                .find(|def| def.name == name)?;
            let json = self
                .concrete(&def.ty, &scope)
                .and_then(|ty: Concrete| self.json_of(&value, Some(&ty), span));
            match json {
                Ok(json) => map.insert(key.to_string(), json),
                Err(finding) => return Some(Err(finding)),
            };
        }
        Some(Ok(Value::Object(map)))
    }
}

/// The fields that a body writes, in order; none where something else is written.
fn written(body: &Expr) -> Option<Vec<Written<'_>>> {
    let ExprKind::Block(stmts, Some(end)) = &body.kind else {
        return None;
    };
    let mut written = Vec::new();
    let mut stmts = stmts.iter();
    let started = stmts.next()?;
    matches!(started, Stmt::Let(_, _, start) if is_call(start, "serialize_struct")).then_some(())?;
    for stmt in stmts {
        let Stmt::Expr(expr) = stmt else {
            return None;
        };
        written.push(match &expr.kind {
            ExprKind::If(condition, then, None) => {
                let ExprKind::Is(_, value) = &condition.kind else {
                    return None;
                };
                let ExprKind::Block(inner, None) = &then.kind else {
                    return None;
                };
                let [Stmt::Expr(call)] = &inner[..] else {
                    return None;
                };
                let (key, _) = arguments(call)?;
                Written {
                    key,
                    value: What::Field(own_field(value)?),
                    optional: true,
                }
            }
            _ => {
                let (key, value) = arguments(expr)?;
                Written {
                    key,
                    value: match own_field(value) {
                        Some(name) => What::Field(name),
                        None => What::Constant(value),
                    },
                    optional: false,
                }
            }
        });
    }
    is_call(end, "end").then_some(written)
}

/// Whether an expression calls a function or a method of that name, with or without `?`.
fn is_call(expr: &Expr, wanted: &str) -> bool {
    match &expr.kind {
        ExprKind::Try(inner) => is_call(inner, wanted),
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

/// The key and the value of `serialize_field(&mut state, "key", value)?` or `state.serialize_field("key", value)?`.
fn arguments(expr: &Expr) -> Option<(Text, &Expr)> {
    if !is_call(expr, "serialize_field") {
        return None;
    }
    let ExprKind::Try(call) = &expr.kind else {
        return None;
    };
    let (ExprKind::Call(_, args) | ExprKind::Method { args, .. }) = &call.kind else {
        return None;
    };
    let [.., key, value] = &args[..] else {
        return None;
    };
    match &key.kind {
        ExprKind::Lit(Lit::Str(key)) => Some((key.clone(), value)),
        _ => None,
    }
}

/// The field of `&self.name`.
fn own_field(expr: &Expr) -> Option<Text> {
    match &expr.kind {
        ExprKind::Reference(inner) | ExprKind::Borrow(inner) => own_field(inner),
        ExprKind::Field(base, name) => match &base.kind {
            ExprKind::Path(path) if path.segments.len() == 1 => {
                let only = path.segments.first()?;
                (&*only.name == "self").then(|| name.clone())
            }
            _ => None,
        },
        _ => None,
    }
}
