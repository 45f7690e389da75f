//! Expressions that make schemas: JSON, types' schemas, and what schemars' own types are built from.

use super::schema_edits::set;
use super::schema_objects::{entries, entries_of, instance_type, is_schema_struct};
use super::schema_stmts::{Place, Unsure};
use super::types::Task;
use super::written::{ends_in_json_schema, last, owner, unread};
use crate::Text;
use crate::eval::{Concrete, Finding, Scope, single};
use crate::schema::draft::{Asked, Literal};
use crate::source::tree::{Arm, Expr, ExprKind, JsonNode, Lit, Path, Pattern, Ty, TyKind};
use crate::source::{Def, Resolved, unknown_cfg};
use serde_json::Value;

/// How deep calls and blocks may nest.
const MAX_DEPTH: usize = 128;
/// How many expressions one schema may take, calls included.
const FUEL: u32 = 100_000;

/// The inside of a function that makes a schema.
pub(super) struct Body<'s> {
    /// What names mean besides its variables.
    pub(super) scope: &'s Scope,
    /// Variables, the innermost last.
    pub(super) locals: Vec<(Text, Local)>,
    /// How deep we are.
    pub(super) depth: usize,
    /// How many expressions may still be read: functions that call each other cannot keep us forever.
    pub(super) fuel: u32,
    /// Where only a place is changed of which nobody knows whether it is there.
    pub(super) unsure: Option<Unsure>,
}

/// A variable.
#[derive(Clone, Debug)]
pub(super) enum Local {
    /// A schema, or any other value.
    Schema(Literal),
    /// schemars' generator.
    Generator,
    /// Another name of a place: what `if let Schema::Object(name) = &mut other` makes.
    Alias(Place),
    /// The index of an item that a list was searched for.
    Found(Asked),
}

/// Why an expression gives no schema.
pub(super) enum Stop {
    /// It cannot be read.
    Unread(Finding),
    /// The cause is a type, which was reported.
    Reported,
    /// The function is left here, with that value.
    Return(Literal),
}

impl From<Finding> for Stop {
    fn from(finding: Finding) -> Self {
        Stop::Unread(finding)
    }
}

impl<'s> Body<'s> {
    /// A body without variables.
    pub(super) fn new(scope: &'s Scope) -> Self {
        Self {
            scope,
            locals: Vec::new(),
            depth: 0,
            fuel: FUEL,
            unsure: None,
        }
    }

    /// The variable of a name, through its aliases.
    pub(super) fn local_mut(&mut self, name: &Text) -> Option<&mut Local> {
        let mut at = self.index(name)?;
        if let Some((_, Local::Alias(place))) = self.locals.get(at)
            && place.keys.is_empty()
        {
            at = place.variable;
        }
        self.local_at(at)
    }

    /// The variable of an index.
    pub(super) fn local_at(&mut self, index: usize) -> Option<&mut Local> {
        self.locals.get_mut(index).map(|(_, local)| local)
    }

    /// The index of the innermost variable of a name.
    pub(super) fn index(&self, name: &Text) -> Option<usize> {
        self.locals.iter().rposition(|(local, _)| local == name)
    }

    pub(super) fn is_generator(&mut self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Reference(inner) | ExprKind::Borrow(inner) | ExprKind::Unary('*', inner) => {
                self.is_generator(inner)
            }
            ExprKind::Path(path) => single(path)
                .and_then(|name| self.local_mut(name))
                .is_some_and(|local| matches!(local, Local::Generator)),
            // `SchemaSettings::openapi3().with(..).into_generator()`: kube's own settings hold in any case.
            ExprKind::Method { receiver, name, .. } => {
                matches!(
                    &**name,
                    "with" | "with_visitor" | "with_transform" | "into_generator" | "clone"
                ) && self.is_generator(receiver)
            }
            ExprKind::Call(function, _) => match &function.kind {
                ExprKind::Path(path) => {
                    let mut names = path.segments.iter().rev();
                    let owner = names.nth(1).map_or("", |segment| &*segment.name);
                    matches!(owner, "SchemaSettings" | "SchemaGenerator")
                }
                _ => false,
            },
            _ => false,
        }
    }
}

impl Task<'_> {
    /// The schema that a function's body gives.
    pub(super) fn schema_of_body(
        &mut self,
        expr: &Expr,
        body: &mut Body<'_>,
    ) -> Result<Literal, Stop> {
        if let ExprKind::Undecided(cfg) = &expr.kind {
            return Err(Finding::from(unknown_cfg(cfg, expr.span)).into());
        }
        match self.schema_expr(expr, body) {
            Err(Stop::Return(literal)) => Ok(literal),
            literal => literal,
        }
    }

    /// The schema, or the value, of an expression.
    pub(super) fn schema_expr(
        &mut self,
        expr: &Expr,
        body: &mut Body<'_>,
    ) -> Result<Literal, Stop> {
        if body.depth > MAX_DEPTH || body.fuel == 0 {
            return Err(unread(expr.span, "this schema is nested too deep").into());
        }
        body.fuel -= 1;
        body.depth += 1;
        let literal = self.schema_step(expr, body);
        body.depth -= 1;
        literal
    }

    fn schema_step(&mut self, expr: &Expr, body: &mut Body<'_>) -> Result<Literal, Stop> {
        match &expr.kind {
            ExprKind::Block(stmts, tail) => {
                let outer = body.locals.len();
                for stmt in stmts {
                    self.schema_stmt(stmt, body)?;
                }
                let literal = match tail {
                    Some(tail) => self.schema_expr(tail, body),
                    None => Ok(Literal::Value(Value::Null)),
                };
                body.locals.truncate(outer);
                literal
            }
            ExprKind::Macro(path, tokens) if matches!(last(path), "json_schema" | "json") => {
                match self.reader.graph.macro_json(tokens) {
                    Some(node) => self.schema_node(&node, body),
                    None => Err(unread(expr.span, "this is no JSON that can be read").into()),
                }
            }
            ExprKind::Path(path) => {
                if let Some(name) = single(path)
                    && let Some(local) = body.local_mut(name)
                {
                    return match local {
                        Local::Schema(literal) => Ok(literal.clone()),
                        Local::Alias(_) => self.schema_at(expr, body).ok_or_else(|| {
                            unread(expr.span, "what is borrowed here cannot be told").into()
                        }),
                        Local::Generator | Local::Found(_) => {
                            Err(unread(expr.span, "a generator is no schema").into())
                        }
                    };
                }
                let module = body.scope.module;
                if let Ok(Resolved::External(name)) = self.reader.graph.resolve_value(module, path)
                {
                    if let Some(name) = instance_type(&name) {
                        return Ok(Literal::Value(Value::String(name.to_owned())));
                    }
                    if name.ends_with("::None") {
                        return Ok(Literal::Value(Value::Null));
                    }
                }
                self.schema_const(expr, body)
            }
            ExprKind::Struct { path, fields, rest } if is_schema_struct(last(path)) => {
                let mut values = Vec::with_capacity(fields.len());
                for (name, value) in fields {
                    values.push((name.clone(), self.schema_expr(value, body)?));
                }
                let refused = || unread(expr.span, "a part of this schema is no object");
                let mut object = match rest {
                    Some(rest) => {
                        let rest = self.schema_expr(rest, body)?;
                        entries_of(rest).ok_or_else(refused)?
                    }
                    None => Vec::new(),
                };
                for (key, value) in entries(values).ok_or_else(refused)? {
                    set(&mut object, key, value);
                }
                Ok(Literal::Object(object))
            }
            ExprKind::Reference(inner) | ExprKind::Borrow(inner) | ExprKind::Unary('*', inner) => {
                self.schema_expr(inner, body)
            }
            ExprKind::Field(..) => match self.schema_at(expr, body) {
                Some(literal) => Ok(literal),
                None => self.schema_const(expr, body),
            },
            ExprKind::Array(items) => self.schema_items(items, body),
            ExprKind::Macro(path, tokens) if last(path) == "vec" => {
                match self.reader.graph.macro_expressions(tokens) {
                    Some(items) => self.schema_items(&items, body),
                    None => self.schema_const(expr, body),
                }
            }
            ExprKind::If(condition, then, Some(otherwise)) => {
                match self.schema_const(condition, body)? {
                    Literal::Value(Value::Bool(true)) => self.schema_expr(then, body),
                    Literal::Value(Value::Bool(false)) => self.schema_expr(otherwise, body),
                    _ => self.schema_const(expr, body),
                }
            }
            ExprKind::Match(value, arms) => self.schema_match(expr, value, arms, body),
            ExprKind::Return(Some(value)) => {
                let literal = self.schema_expr(value, body)?;
                Err(Stop::Return(literal))
            }
            ExprKind::Method {
                receiver,
                name,
                types,
                args,
            } => match (&**name, &types[..], &args[..]) {
                ("subschema_for" | "root_schema_for" | "into_root_schema_for", [ty], [])
                    if body.is_generator(receiver) =>
                {
                    self.schema_of(ty, body)
                }
                (
                    "into" | "try_into" | "unwrap" | "expect" | "clone" | "to_value" | "to_owned"
                    | "unwrap_or_default" | "take" | "into_object" | "into_iter" | "collect"
                    | "into_value",
                    _,
                    _,
                ) => self.passed_on(receiver, expr, body),
                ("unwrap_or" | "unwrap_or_else", _, [_]) => {
                    let literal = self.schema_expr(receiver, body)?;
                    match literal {
                        // `None`, and what is no schema.
                        Literal::Value(Value::Null) => self.schema_const(expr, body),
                        literal => Ok(literal),
                    }
                }
                _ => self.schema_const(expr, body),
            },
            ExprKind::Call(function, args) => self.schema_call(expr, function, args, body),
            _ => self.schema_const(expr, body),
        }
    }

    /// A list; of pairs whose first is a text it is an object, as `[(k, v)].into()` makes a map.
    fn schema_items(&mut self, items: &[Expr], body: &mut Body<'_>) -> Result<Literal, Stop> {
        let pairs = items.iter().map(|item| match &item.kind {
            ExprKind::Tuple(pair) => match &pair[..] {
                [key, value] => Some((key, value)),
                _ => None,
            },
            _ => None,
        });
        let pairs: Option<Vec<_>> = pairs.collect();
        match pairs {
            Some(pairs) if !pairs.is_empty() => {
                let mut object = Vec::with_capacity(pairs.len());
                for (key, value) in pairs {
                    let key = self.schema_key(key, body)?;
                    let value = self.schema_expr(value, body)?;
                    set(&mut object, key, value);
                }
                Ok(Literal::Object(object))
            }
            _ => {
                let items = items.iter().map(|item| self.schema_expr(item, body));
                Ok(Literal::Array(items.collect::<Result<_, _>>()?))
            }
        }
    }

    /// `match schema { Schema::Bool(..) => .., Schema::Object(name) => .. }`
    fn schema_match(
        &mut self,
        whole: &Expr,
        value: &Expr,
        arms: &[Arm],
        body: &mut Body<'_>,
    ) -> Result<Literal, Stop> {
        let unreadable = || unread(whole.span, "this `match` cannot be read in a schema");
        let of_schema = |arm: &Arm| match &arm.pattern {
            Pattern::Tuple(path, _) => matches!(last(path), "Bool" | "Object"),
            _ => false,
        };
        if !arms.iter().any(of_schema) {
            // A value, which may not depend on what the body itself names.
            let is_local = |(_, local): &(Text, Local)| !matches!(local, Local::Generator);
            return match body.locals.iter().any(is_local) {
                true => Err(unreadable().into()),
                false => self.schema_const(whole, body),
            };
        }
        let value = self.schema_expr(value, body)?;
        let is_bool = matches!(value, Literal::Value(Value::Bool(_)));
        for arm in arms {
            let bound = match &arm.pattern {
                Pattern::Tuple(path, parts) => match (last(path), &parts[..]) {
                    ("Bool", [part]) if is_bool => Some(part),
                    ("Object", [part]) if !is_bool => Some(part),
                    ("Bool" | "Object", _) => continue,
                    _ => break,
                },
                Pattern::Any => None,
                name @ Pattern::Name(_, None) => Some(name),
                _ => break,
            };
            let outer = body.locals.len();
            match bound {
                Some(Pattern::Name(path, None)) => {
                    let name = single(path).cloned().unwrap_or_default();
                    body.locals.push((name, Local::Schema(value)));
                }
                Some(Pattern::Any) | None => {}
                Some(_) => break,
            }
            let literal = self.schema_expr(&arm.body, body);
            body.locals.truncate(outer);
            return literal;
        }
        Err(unreadable().into())
    }

    fn schema_call(
        &mut self,
        whole: &Expr,
        function: &Expr,
        args: &[Expr],
        body: &mut Body<'_>,
    ) -> Result<Literal, Stop> {
        match (&function.kind, args) {
            (ExprKind::Qualified(ty, _, last), [generator])
                if &*last.name == "json_schema" && body.is_generator(generator) =>
            {
                self.schema_of(ty, body)
            }
            (ExprKind::Path(path), args)
                if args.iter().any(|argument| body.is_generator(argument)) =>
            {
                if let (true, Some(ty)) = (ends_in_json_schema(path), owner(path)) {
                    return self.schema_of(&ty, body);
                }
                let mut bound = Vec::with_capacity(args.len());
                for argument in args {
                    bound.push(if body.is_generator(argument) {
                        Local::Generator
                    } else {
                        Local::Schema(self.schema_expr(argument, body)?)
                    });
                }
                self.schema_of_call(path, bound, body)
            }
            (ExprKind::Path(path), [value])
                if matches!(
                    last(path),
                    "try_from"
                        | "from"
                        | "from_value"
                        | "Object"
                        | "Array"
                        | "Bool"
                        | "to_value"
                        | "Some"
                        | "Ok"
                        | "Single"
                        | "Vec"
                        | "new"
                        | "from_iter"
                        | "into_iter"
                ) =>
            {
                if self.is_in_source(path, body) {
                    return self.own_call(whole, path, args, body);
                }
                if self.wraps_json(path, body) {
                    return self.schema_expr(value, body);
                }
                self.passed_on(value, whole, body)
            }
            (ExprKind::Path(path), [])
                if (last(path) == "default" || last(path) == "new")
                    && !self.is_in_source(path, body) =>
            {
                Ok(match path.segments.iter().rev().nth(1) {
                    Some(owner) if &*owner.name == "Vec" => Literal::Array(Vec::new()),
                    Some(owner)
                        if matches!(&*owner.name, "BTreeSet" | "HashSet" | "IndexSet" | "Set") =>
                    {
                        Literal::Array(Vec::new())
                    }
                    _ => Literal::Object(Vec::new()),
                })
            }
            (ExprKind::Path(path), args) if self.makes_schema(path, body) => {
                self.own_call(whole, path, args, body)
            }
            _ => self.schema_const(whole, body),
        }
    }

    /// What a conversion hands on as it is: a schema. Of values the whole expression is evaluated.
    fn passed_on(
        &mut self,
        value: &Expr,
        whole: &Expr,
        body: &mut Body<'_>,
    ) -> Result<Literal, Stop> {
        if let Ok(literal) = self.schema_const(whole, body) {
            return Ok(literal);
        }
        // A value of its own, which this makes another one of.
        if self.schema_const(value, body).is_ok() {
            return self.schema_const(whole, body);
        }
        self.schema_expr(value, body)
    }

    /// Whether a path leads to a function that changes the type of JSON and nothing else.
    fn wraps_json(&self, path: &Path, body: &Body<'_>) -> bool {
        let graph = self.reader.graph;
        match graph.resolve_value(body.scope.module, path) {
            Ok(Resolved::External(name)) => {
                let json = name.starts_with("serde_json::") || name.starts_with("schemars::");
                json && !name.ends_with("from_str")
            }
            _ => false,
        }
    }

    /// Whether a path leads to a function or a constructor in source.
    fn is_in_source(&self, path: &Path, body: &Body<'_>) -> bool {
        let graph = self.reader.graph;
        matches!(
            graph.resolve_value(body.scope.module, path),
            Ok(Resolved::Def(_))
        )
    }

    fn own_call(
        &mut self,
        whole: &Expr,
        path: &Path,
        args: &[Expr],
        body: &mut Body<'_>,
    ) -> Result<Literal, Stop> {
        if !self.makes_schema(path, body) {
            return self.schema_const(whole, body);
        }
        let mut bound = Vec::with_capacity(args.len());
        for argument in args {
            bound.push(Local::Schema(self.schema_expr(argument, body)?));
        }
        self.schema_of_call(path, bound, body)
    }

    /// Whether a path names a function in source that gives a schema back.
    fn makes_schema(&self, path: &Path, body: &Body<'_>) -> bool {
        let graph = self.reader.graph;
        match graph.resolve_value(body.scope.module, path) {
            Ok(Resolved::Def(Def::Fn(_, function))) => {
                let returns = function.returns.as_ref().map(|ty| &ty.kind);
                matches!(returns, Some(TyKind::Path(path)) if matches!(last(path), "Schema" | "SchemaObject"))
            }
            _ => false,
        }
    }

    fn schema_of(&mut self, ty: &Ty, body: &Body<'_>) -> Result<Literal, Stop> {
        let ty = self.ty(ty, body.scope).ok_or(Stop::Reported)?;
        Ok(Literal::Schema(ty, Vec::new()))
    }

    /// A value that is no schema of its own.
    fn schema_const(&mut self, expr: &Expr, body: &Body<'_>) -> Result<Literal, Stop> {
        let json = Concrete::external("serde_json::Value");
        let value = self.reader.eval_json(expr, body.scope, Some(&json));
        value.map(Literal::Value).map_err(|finding| {
            let place = finding.span.unwrap_or(expr.span);
            let mut why = unread(place, "this part of a hand-written schema cannot be read");
            why.message = format!("{}: {}", why.message, finding.message);
            Stop::Unread(why)
        })
    }

    fn schema_node(&mut self, node: &JsonNode, body: &mut Body<'_>) -> Result<Literal, Stop> {
        match node {
            JsonNode::Null => Ok(Literal::Value(Value::Null)),
            JsonNode::Array(items) => {
                let items = items.iter().map(|item| self.schema_node(item, body));
                Ok(Literal::Array(items.collect::<Result<_, _>>()?))
            }
            JsonNode::Object(entries) => {
                let mut object = Vec::with_capacity(entries.len());
                for (key, value) in entries {
                    let key = self.schema_key(key, body)?;
                    let value = self.schema_node(value, body)?;
                    set(&mut object, key, value);
                }
                Ok(Literal::Object(object))
            }
            JsonNode::Value(expr) => self.schema_expr(expr, body),
        }
    }

    /// A keyword's name, or a property's.
    pub(super) fn schema_key(&self, key: &Expr, body: &Body<'_>) -> Result<Text, Stop> {
        if let ExprKind::Lit(Lit::Str(text)) = &key.kind {
            return Ok(text.clone());
        }
        match self.reader.text(key, body.scope) {
            Ok(text) => Ok(text),
            _ => Err(unread(key.span, "this key cannot be read").into()),
        }
    }
}
