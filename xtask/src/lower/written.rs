//! Hand-written schemas: the body of `impl JsonSchema` or of a `schema_with` function, read instead of run.

use super::concrete::{Concrete, Instance, Scope, single};
use super::literal::{self, Node};
use super::types::Task;
use super::value::Const;
use crate::Text;
use crate::diag::{Code, Diagnostic, Span};
use crate::schema::draft::Literal;
use crate::source::tree::{Expr, ExprKind, FnDef, ImplDef, Path, Stmt, Ty, TyKind};
use crate::source::{Def, ModuleId, Resolved};
use serde_json::Value;
use std::sync::Arc;

/// How deep calls and blocks may nest.
const MAX_DEPTH: usize = 128;

const HELP: &str =
    "write the body as one `json_schema!({ .. })`, or use `#[schemars(with = \"..\")]`";

/// The inside of a function that makes a schema.
struct Body<'s> {
    scope: &'s Scope,
    /// The name of the generator.
    generator: Text,
    /// Variables, the innermost last.
    locals: Vec<(Text, Literal)>,
    depth: usize,
}

type Unread = Box<Diagnostic>;

impl Task<'_> {
    /// The schema that an `impl JsonSchema` in source gives. None where there is no such `impl`; none inside where its
    /// body cannot be read, and that was reported.
    pub(super) fn written_schema(&mut self, instance: &Arc<Instance>) -> Option<Option<Literal>> {
        let blocks = self.reader.graph.impls(&instance.ty, Some("JsonSchema"));
        self.first_schema(instance, &blocks)
    }

    /// The same for the root type that kube-derive makes beside the type of `instance`.
    pub(super) fn written_root(
        &mut self,
        instance: &Arc<Instance>,
        root_name: &Text,
    ) -> Option<Option<Literal>> {
        let graph = self.reader.graph;
        let blocks = graph.impls_of_made(&instance.ty, root_name, "JsonSchema");
        self.first_schema(instance, &blocks)
    }

    fn first_schema(
        &mut self,
        instance: &Arc<Instance>,
        blocks: &[(ModuleId, Arc<ImplDef>)],
    ) -> Option<Option<Literal>> {
        let (module, block) = blocks.first()?;
        let function = block
            .fns
            .iter()
            .find(|function| &*function.name == "json_schema")?;
        let scope = Scope::of_impl(instance, *module, block);
        Some(self.schema_body(function, &scope))
    }

    /// The schema that a `schema_with` function gives.
    pub(super) fn schema_function(&mut self, path: &Path, scope: &Scope) -> Option<Literal> {
        let resolved = self.reader.graph.resolve_value(scope.module, path);
        match self.keep(resolved, HELP)? {
            Resolved::Def(Def::Fn(module, function)) => {
                self.schema_body(&function, &Scope::module(module))
            }
            Resolved::Def(Def::Associated(ty, name)) => {
                let instance = self.reader.instance(ty, path, 2, scope, None);
                if let Some((function, scope)) = self.reader.function_of(&instance, &name) {
                    return self.schema_body(&function, &scope);
                }
                if &*name == "json_schema" {
                    let ty = self.lower(&Concrete::Def(instance), path.span)?;
                    return Some(Literal::Schema(ty, Vec::new()));
                }
                self.report(*unread(path.span, "this function is not in source"));
                None
            }
            Resolved::External(_) if ends_in_json_schema(path) => {
                let ty = self.ty(&owner(path)?, scope)?;
                Some(Literal::Schema(ty, Vec::new()))
            }
            Resolved::External(_) | Resolved::Def(_) => {
                self.report(*unread(path.span, "this function is not in source"));
                None
            }
        }
    }

    fn schema_body(&mut self, function: &FnDef, scope: &Scope) -> Option<Literal> {
        let mut body = Body {
            scope,
            generator: function.params.first().cloned().unwrap_or_default(),
            locals: Vec::new(),
            depth: 0,
        };
        match self.schema_expr(&function.body, &mut body) {
            Ok(literal) => Some(literal),
            Err(Some(finding)) => {
                self.report(*finding);
                None
            }
            Err(None) => None,
        }
    }

    /// The schema of an expression. `Err(None)` where the cause is a type, which was reported.
    fn schema_expr(&mut self, expr: &Expr, body: &mut Body<'_>) -> Result<Literal, Option<Unread>> {
        if body.depth > MAX_DEPTH {
            return Err(Some(unread(expr.span, "this schema is nested too deep")));
        }
        body.depth += 1;
        let literal = self.schema_step(expr, body);
        body.depth -= 1;
        literal
    }

    fn schema_step(&mut self, expr: &Expr, body: &mut Body<'_>) -> Result<Literal, Option<Unread>> {
        match &expr.kind {
            ExprKind::Block(stmts, Some(tail)) => {
                let outer = body.locals.len();
                for stmt in stmts {
                    self.schema_stmt(stmt, body)?;
                }
                let literal = self.schema_expr(tail, body);
                body.locals.truncate(outer);
                literal
            }
            ExprKind::Macro(path, tokens) if matches!(last(path), "json_schema" | "json") => {
                let node = literal::json(tokens, expr.span)
                    .map_err(|span| Some(unread(span, "this is no JSON that can be read")))?;
                self.schema_node(&node, body)
            }
            ExprKind::Path(path) if single(path).is_some() => {
                let name = single(path);
                let local = body
                    .locals
                    .iter()
                    .rev()
                    .find(|(local, _)| Some(local) == name);
                match local {
                    Some((_, literal)) => Ok(literal.clone()),
                    None => self.schema_const(expr, body),
                }
            }
            ExprKind::Reference(inner) => self.schema_expr(inner, body),
            ExprKind::Method {
                receiver,
                name,
                types,
                args,
            } => match (&**name, &types[..], &args[..]) {
                ("subschema_for", [ty], []) if is_generator(receiver, body) => {
                    self.schema_of(ty, body)
                }
                (
                    "into" | "try_into" | "unwrap" | "expect" | "clone" | "to_value" | "to_owned"
                    | "unwrap_or_default" | "take",
                    [],
                    _,
                ) => match self.schema_expr(receiver, body) {
                    Err(Some(_)) if &**name == "into" => self.schema_const(expr, body),
                    literal => literal,
                },
                _ => self.schema_const(expr, body),
            },
            ExprKind::Call(function, args) => self.schema_call(expr, function, args, body),
            _ => self.schema_const(expr, body),
        }
    }

    fn schema_call(
        &mut self,
        whole: &Expr,
        function: &Expr,
        args: &[Expr],
        body: &mut Body<'_>,
    ) -> Result<Literal, Option<Unread>> {
        match (&function.kind, args) {
            (ExprKind::Qualified(ty, name), [generator])
                if &**name == "json_schema" && is_generator(generator, body) =>
            {
                self.schema_of(ty, body)
            }
            (ExprKind::Path(path), [generator]) if is_generator(generator, body) => {
                if let (true, Some(ty)) = (ends_in_json_schema(path), owner(path)) {
                    return self.schema_of(&ty, body);
                }
                let literal = self.schema_function(path, body.scope);
                literal.ok_or(None)
            }
            (ExprKind::Path(path), [value])
                if matches!(
                    last(path),
                    "try_from" | "from" | "from_value" | "Object" | "to_value"
                ) =>
            {
                self.schema_expr(value, body)
            }
            (ExprKind::Path(path), []) if matches!(last(path), "new" | "default") => {
                Ok(Literal::Object(Vec::new()))
            }
            _ => self.schema_const(whole, body),
        }
    }

    fn schema_of(&mut self, ty: &Ty, body: &Body<'_>) -> Result<Literal, Option<Unread>> {
        let ty = self.ty(ty, body.scope).ok_or(None)?;
        Ok(Literal::Schema(ty, Vec::new()))
    }

    /// A value that is no schema of its own.
    fn schema_const(&mut self, expr: &Expr, body: &Body<'_>) -> Result<Literal, Option<Unread>> {
        let value = self.reader.eval(expr, body.scope, None);
        let value = value.and_then(|value| self.reader.json_of(&value, None, expr.span));
        value.map(Literal::Value).map_err(|finding| {
            let place = finding.span.unwrap_or(expr.span);
            let mut why = unread(place, "this part of a hand-written schema cannot be read");
            why.message = format!("{}: {}", why.message, finding.message);
            Some(why)
        })
    }

    fn schema_node(&mut self, node: &Node, body: &mut Body<'_>) -> Result<Literal, Option<Unread>> {
        match node {
            Node::Null => Ok(Literal::Value(Value::Null)),
            Node::Array(items) => {
                let items = items.iter().map(|item| self.schema_node(item, body));
                Ok(Literal::Array(items.collect::<Result<_, _>>()?))
            }
            Node::Object(entries) => {
                let mut object = Vec::with_capacity(entries.len());
                for (key, value) in entries {
                    let key = self.key(key, body)?;
                    let value = self.schema_node(value, body)?;
                    set(&mut object, key, value);
                }
                Ok(Literal::Object(object))
            }
            Node::Expr(expr) => self.schema_expr(expr, body),
        }
    }

    fn key(&self, key: &Expr, body: &Body<'_>) -> Result<Text, Option<Unread>> {
        match self.reader.eval(key, body.scope, None) {
            Ok(Const::Text(text)) => Ok(text),
            _ => Err(Some(unread(key.span, "this key cannot be read"))),
        }
    }

    fn schema_stmt(&mut self, stmt: &Stmt, body: &mut Body<'_>) -> Result<(), Option<Unread>> {
        let expr = match stmt {
            Stmt::Let(name, value) => {
                let literal = self.schema_expr(value, body)?;
                body.locals.push((name.clone(), literal));
                return Ok(());
            }
            Stmt::Expr(expr) => expr,
            Stmt::Other(words, span) => {
                return Err(Some(unread(
                    *span,
                    &format!("{words} cannot be read in a schema"),
                )));
            }
        };
        let refused = || {
            Some(unread(
                expr.span,
                "this statement cannot be read in a schema",
            ))
        };
        let ExprKind::Method {
            receiver,
            name,
            args,
            ..
        } = &expr.kind
        else {
            return Err(refused());
        };
        let variable = variable(receiver).ok_or_else(refused)?;
        let (key, value) = match (&**name, &args[..]) {
            ("insert", [key, value]) => {
                (self.key(key, body)?, Some(self.schema_expr(value, body)?))
            }
            ("remove", [key]) => (self.key(key, body)?, None),
            _ => return Err(refused()),
        };
        let target = body
            .locals
            .iter_mut()
            .rev()
            .find(|(local, _)| local == variable);
        let (_, target) = target.ok_or_else(refused)?;
        match (target, value) {
            (Literal::Object(entries), Some(value)) => set(entries, key, value),
            (Literal::Object(entries), None) => entries.retain(|(known, _)| *known != key),
            (Literal::Schema(_, entries), Some(value)) => set(entries, key, value),
            // `true` becomes an object as soon as something is put into it.
            (target @ Literal::Value(Value::Bool(true)), Some(value)) => {
                *target = Literal::Object(vec![(key, value)]);
            }
            _ => return Err(refused()),
        }
        Ok(())
    }
}

/// Puts a key into an object, over one of the same name.
fn set(entries: &mut Vec<(Text, Literal)>, key: Text, value: Literal) {
    match entries.iter_mut().find(|(known, _)| *known == key) {
        Some((_, known)) => *known = value,
        None => entries.push((key, value)),
    }
}

/// The variable that `x`, `x.ensure_object()` and the like change.
fn variable(expr: &Expr) -> Option<&Text> {
    let mut expr = expr;
    loop {
        match &expr.kind {
            ExprKind::Path(path) => return single(path),
            ExprKind::Method { receiver, name, .. }
                if matches!(
                    &**name,
                    "ensure_object" | "as_object_mut" | "unwrap" | "expect"
                ) =>
            {
                expr = receiver;
            }
            _ => return None,
        }
    }
}

fn is_generator(expr: &Expr, body: &Body<'_>) -> bool {
    let mut expr = expr;
    while let ExprKind::Reference(inner) | ExprKind::Unary('*', inner) = &expr.kind {
        expr = inner;
    }
    matches!(&expr.kind, ExprKind::Path(path) if single(path) == Some(&body.generator))
}

fn last(path: &Path) -> &str {
    path.segments.last().map_or("", |last| &*last.name)
}

fn ends_in_json_schema(path: &Path) -> bool {
    path.segments.len() > 1 && last(path) == "json_schema"
}

/// The type before the last segment of a path.
fn owner(path: &Path) -> Option<Ty> {
    let mut path = path.clone();
    path.segments.pop()?;
    let span = path.span;
    (!path.segments.is_empty()).then_some(Ty {
        kind: TyKind::Path(path),
        span,
    })
}

fn unread(span: Span, why: &str) -> Unread {
    Box::new(Diagnostic::new(Code::UnreadableSchema, span, why).with_help(HELP))
}
