//! Hand-written schemas: the body of `impl JsonSchema`, of a `schema_with` function or of a transform, read instead of run.

use super::schema_exprs::{Body, Local, Stop};
use super::types::{Task, plain};
use crate::Text;
use crate::diag::{Code, Diagnostic, Span};
use crate::eval::{Concrete, Finding, Instance, Scope, TraitKey};
use crate::schema::draft::{Edit, Literal, Shape};
use crate::source::tree::{Expr, ExprKind, FnDef, ImplDef, Path, Pattern, Ty, TyKind};
use crate::source::{Def, ModuleId, Resolved};
use std::sync::Arc;

pub(super) const HELP: &str =
    "write the body as one `json_schema!({ .. })`, or use `#[schemars(with = \"..\")]`";

/// What the functions of `JsonSchema` start with that only schemars' derive writes.
const HIDDEN: &str = "_schemars_private";
const NAME_HELP: &str = "write the name as a literal: `\"..\".into()`";

impl Task<'_> {
    /// The schema that an `impl JsonSchema` in source gives. None where there is no such `impl`; none inside where its
    /// body cannot be read, and that was reported.
    pub(super) fn written_schema(&mut self, instance: &Arc<Instance>) -> Option<Option<Literal>> {
        let own = Concrete::Def(Arc::clone(instance));
        let of = TraitKey::Known("schemars::JsonSchema".into());
        let blocks = self.reader.trait_blocks(&own, &of, instance.ty.module);
        match &blocks[..] {
            [] => None,
            [block] => {
                let function = block.function("json_schema")?.clone();
                Some(self.schema_body(&function, &block.scope()))
            }
            [first, ..] => {
                let why = format!("several blocks give `{}` a schema", instance.ty.def.name);
                self.report(*unread(first.def.span, &why));
                Some(None)
            }
        }
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

    pub(super) fn first_schema(
        &mut self,
        instance: &Arc<Instance>,
        blocks: &[(ModuleId, Arc<ImplDef>)],
    ) -> Option<Option<Literal>> {
        let (module, block) = blocks.first()?;
        let function = block
            .fns
            .iter()
            .find(|function| &*function.name == "json_schema")?;
        let mut hidden = block.fns.iter();
        if let Some(hidden) = hidden.find(|function| function.name.starts_with(HIDDEN)) {
            let message = format!(
                "`{}` is schemars' own business, and what it does to fields of the type is not read",
                hidden.name
            );
            let finding = Diagnostic::new(Code::UnreadableSchema, hidden.span, message);
            self.report(finding.with_help(
                "leave it out; `#[serde(default)]` makes a field optional, `#[schemars(required)]` required",
            ));
        }
        let scope = Scope::of_impl(instance, *module, block);
        Some(self.schema_body(function, &scope))
    }

    /// What a hand-written schema of the root type calls itself, which is its title. None where nobody can tell; that was
    /// reported.
    pub(super) fn written_name(
        &mut self,
        instance: &Arc<Instance>,
        root_name: &Text,
    ) -> Option<Text> {
        let graph = self.reader.graph;
        let blocks = graph.impls_of_made(&instance.ty, root_name, "JsonSchema");
        let named = blocks.first().and_then(|(module, block)| {
            let mut functions = block.fns.iter();
            let function = functions.find(|function| &*function.name == "schema_name")?;
            Some((module, block, function))
        });
        // Without the function the source does not compile, and somebody else says so.
        let Some((module, block, function)) = named else {
            return Some(root_name.clone());
        };
        let scope = Scope::of_impl(instance, *module, block);
        // `Cow<'static, str>`, `String`: a text that may still have to become one of them.
        let returns = match &function.returns {
            Some(returns) => self.reader.typed(returns, &scope).ok(),
            None => None,
        };
        let name = self.reader.eval(&function.body, &scope, returns.as_ref());
        let name = self.keep(name, NAME_HELP)?;
        if let Some(name) = name.text() {
            return Some(name.clone());
        }
        let message = "the name of this schema cannot be read, which is its title";
        let finding = Diagnostic::new(Code::NotConstant, function.body.span, message);
        self.report(finding.with_help(NAME_HELP));
        None
    }

    /// The schema that a `schema_with` function gives.
    pub(super) fn schema_function(&mut self, path: &Path, scope: &Scope) -> Option<Literal> {
        let resolved = self.reader.graph.resolve_value(scope.module, path);
        match self.keep(resolved, HELP)? {
            Resolved::Def(Def::Fn(module, function)) => {
                if let Some(schema) = self.reader.stated_function(module, &function.name) {
                    return Some(Literal::Value(schema.clone()));
                }
                let scope = self.reader.function_scope(module, &function, path, scope);
                self.schema_body(&function, &scope)
            }
            Resolved::Def(Def::Associated(ty, name)) => {
                let own = self.reader.instance_of(ty, path, 2, scope);
                if let Some((function, scope)) = self.reader.function_of(&own, &name) {
                    return self.schema_body(&function, &scope);
                }
                if &*name == "json_schema" {
                    let ty = self.lower(&Concrete::Def(own), path.span)?;
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

    /// What transforms do to the schema that they are given, in order: `|schema| { .. }` or the name of a function.
    pub(super) fn transforms(&mut self, transforms: &[Expr], scope: &Scope) -> Vec<(Text, Edit)> {
        let mut edits = Vec::new();
        for transform in transforms {
            match self.transform(transform, scope) {
                Ok(more) => edits.extend(more),
                Err(Stop::Unread(finding)) => self.report(*with_help(
                    finding,
                    "write what it sets with `#[schemars(extend(\"key\" = ..))]`",
                )),
                Err(Stop::Reported | Stop::Return(_)) => {}
            }
        }
        edits
    }

    fn transform(&mut self, transform: &Expr, scope: &Scope) -> Result<Vec<(Text, Edit)>, Stop> {
        let refused = || unread_transform(transform.span);
        let (name, body, scope) = match &transform.kind {
            ExprKind::Closure(closure) => {
                let first = closure.params.first();
                let name = first
                    .and_then(|(pattern, _)| Pattern::name(pattern))
                    .cloned();
                (name, closure.body.clone(), scope.clone())
            }
            ExprKind::Path(path) => {
                let resolved = self.reader.graph.resolve_value(scope.module, path);
                match resolved.map_err(Stop::Unread)? {
                    Resolved::Def(Def::Fn(module, function)) => {
                        let scope = self.reader.function_scope(module, &function, path, scope);
                        let scope = self.reader.body_scope(&function, &scope);
                        let name = function.params.first().cloned();
                        (name, function.body.clone(), scope)
                    }
                    Resolved::Def(Def::Associated(ty, name)) => {
                        let instance = self.reader.instance_of(ty, path, 2, scope);
                        let found = self.reader.function_of(&instance, &name);
                        let (function, scope) = found.ok_or_else(refused)?;
                        let scope = self.reader.body_scope(&function, &scope);
                        (function.params.first().cloned(), function.body, scope)
                    }
                    _ => return Err(refused()),
                }
            }
            _ => return Err(refused()),
        };
        // The schema it is given: of what it had before nothing is asked.
        let given = Concrete::external("the schema");
        let given = Literal::Schema(Arc::new(plain(&given, Shape::Any)), Vec::new());
        let mut made = Body::new(&scope);
        let name = name.ok_or_else(refused)?;
        made.locals.push((name.clone(), Local::Schema(given)));
        self.schema_effect(&body, &mut made)?;
        let found = made.locals.into_iter().find(|(local, _)| *local == name);
        match found {
            Some((_, Local::Schema(Literal::Schema(_, edits)))) => Ok(edits),
            _ => Err(refused()),
        }
    }

    fn schema_body(&mut self, function: &FnDef, scope: &Scope) -> Option<Literal> {
        let scope = self.reader.body_scope(function, scope);
        let mut body = Body::new(&scope);
        let generator = function.params.first().cloned().unwrap_or_default();
        body.locals.push((generator, Local::Generator));
        match self.schema_of_body(&function.body, &mut body) {
            Ok(literal) => Some(literal),
            Err(Stop::Unread(finding)) => {
                self.report(*finding);
                None
            }
            Err(Stop::Reported | Stop::Return(_)) => None,
        }
    }

    /// The schema that a call of a function in source gives, its arguments bound already.
    pub(super) fn schema_of_call(
        &mut self,
        path: &Path,
        args: Vec<Local>,
        outside: &mut Body<'_>,
    ) -> Result<Literal, Stop> {
        let scope = outside.scope;
        let resolved = self.reader.graph.resolve_value(scope.module, path);
        let (function, scope) = match resolved.map_err(Stop::Unread)? {
            Resolved::Def(Def::Fn(module, function)) => {
                let scope = self.reader.function_scope(module, &function, path, scope);
                (FnDef::clone(&function), scope)
            }
            Resolved::Def(Def::Associated(ty, name)) => {
                let instance = self.reader.instance_of(ty, path, 2, scope);
                let found = self.reader.function_of(&instance, &name);
                found.ok_or_else(|| {
                    Stop::Unread(unread(path.span, "this function is not in source"))
                })?
            }
            _ => {
                return Err(Stop::Unread(unread(
                    path.span,
                    "this function is not in source",
                )));
            }
        };
        let scope = self.reader.body_scope(&function, &scope);
        let mut body = Body::new(&scope);
        body.depth = outside.depth;
        body.fuel = outside.fuel;
        body.locals
            .extend(function.params.iter().cloned().zip(args));
        let literal = self.schema_of_body(&function.body, &mut body);
        outside.fuel = body.fuel;
        literal
    }
}

fn unread_transform(span: Span) -> Stop {
    let finding = Diagnostic::new(
        Code::UnreadableSchema,
        span,
        "a transform is a function that cannot be run here",
    );
    Stop::Unread(Box::new(finding))
}

/// The last segment's name.
pub(super) fn last(path: &Path) -> &str {
    path.segments.last().map_or("", |last| &*last.name)
}

/// Whether a path names a type's `json_schema`.
pub(super) fn ends_in_json_schema(path: &Path) -> bool {
    path.segments.len() > 1 && last(path) == "json_schema"
}

/// The type before the last segment of a path.
pub(super) fn owner(path: &Path) -> Option<Ty> {
    let mut path = path.clone();
    path.segments.pop()?;
    let span = path.span;
    (!path.segments.is_empty()).then_some(Ty {
        kind: TyKind::Path(path),
        span,
    })
}

/// `unreadable-schema`
pub(super) fn unread(span: Span, why: &str) -> Finding {
    Box::new(Diagnostic::new(Code::UnreadableSchema, span, why).with_help(HELP))
}

fn with_help(finding: Finding, help: &str) -> Finding {
    match finding.help {
        Some(_) => finding,
        None => Box::new(finding.with_help(help)),
    }
}
