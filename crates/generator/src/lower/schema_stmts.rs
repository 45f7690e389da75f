//! Statements that change a schema: keys set, removed and added to, through whatever leads to them.

use super::concrete::single;
use super::schema_exprs::{Body, Local, Stop, change};
use super::schema_objects::{Member, entries_of, is_absent, member};
use super::types::Task;
use super::written::{last, unread};
use crate::Text;
use crate::schema::draft::{Edit, Literal};
use crate::source::tree::{Expr, ExprKind, Pattern, Stmt};
use serde_json::Value;

/// A place that a statement changes: the variable and the keywords below it.
struct Place {
    variable: Text,
    keys: Vec<Text>,
    /// The group of keywords that the place ends in: `schema.metadata`.
    group: Option<&'static [&'static str]>,
    /// The name of the last field, as schemars has it.
    field: Text,
}

impl Task<'_> {
    pub(super) fn schema_stmt(&mut self, stmt: &Stmt, body: &mut Body<'_>) -> Result<(), Stop> {
        match stmt {
            Stmt::Let(name, _, value) => {
                let local = if body.makes_generator(value) {
                    Local::Generator
                } else if let Some(other) = self.borrowed(value, body) {
                    Local::Alias(other)
                } else {
                    Local::Schema(self.schema_expr(value, body)?)
                };
                body.locals.push((name.clone(), local));
                Ok(())
            }
            Stmt::Expr(expr) => self.schema_effect(expr, body),
            Stmt::Use(_, path) => {
                let why = "a `use` inside a function cannot be read in a schema";
                Err(unread(path.span, why).into())
            }
            Stmt::Other(words, span) => {
                Err(unread(*span, &format!("{words} cannot be read in a schema")).into())
            }
        }
    }

    /// What an expression does to the variables.
    pub(super) fn schema_effect(&mut self, expr: &Expr, body: &mut Body<'_>) -> Result<(), Stop> {
        let refused = || {
            Stop::Unread(unread(
                expr.span,
                "this statement cannot be read in a schema",
            ))
        };
        match &expr.kind {
            ExprKind::Block(stmts, tail) => {
                let outer = body.locals.len();
                for stmt in stmts {
                    self.schema_stmt(stmt, body)?;
                }
                if let Some(tail) = tail {
                    self.schema_effect(tail, body)?;
                }
                body.locals.truncate(outer);
                Ok(())
            }
            ExprKind::If(condition, then, None) => self.schema_if(condition, then, body),
            ExprKind::Return(Some(_)) => self.schema_expr(expr, body).map(|_| ()),
            ExprKind::Assign(target, value) => {
                let place = self.place(target, body).ok_or_else(refused)?;
                let value = self.schema_expr(value, body)?;
                self.put(place, value, body).ok_or_else(refused)
            }
            ExprKind::Method {
                receiver,
                name,
                args,
                ..
            } => {
                let mut place = self.place(receiver, body).ok_or_else(refused)?;
                let edit = match (&**name, &args[..]) {
                    ("insert", [key, value]) => {
                        place.keys.push(self.schema_key(key, body)?);
                        Edit::Set(self.schema_expr(value, body)?)
                    }
                    ("remove", [key]) if place.keys.is_empty() || place.group.is_some() => {
                        place.keys.push(self.schema_key(key, body)?);
                        Edit::Remove
                    }
                    ("push" | "insert", [value]) => Edit::Push(self.schema_expr(value, body)?),
                    ("clear", []) => Edit::Remove,
                    _ => return Err(refused()),
                };
                place.change(edit, body).ok_or_else(refused)
            }
            _ => Err(refused()),
        }
    }

    /// `if let Some(name) = &mut schema.enum_values { .. }`, `if let Schema::Object(name) = &mut schema { .. }`,
    /// `if let Some(name) = schema.as_object_mut() { .. }`
    fn schema_if(
        &mut self,
        condition: &Expr,
        then: &Expr,
        body: &mut Body<'_>,
    ) -> Result<(), Stop> {
        let refused = || {
            Stop::Unread(unread(
                condition.span,
                "this condition cannot be read in a schema",
            ))
        };
        let ExprKind::Is(pattern, value) = &condition.kind else {
            return Err(refused());
        };
        let Pattern::Tuple(path, parts) = &**pattern else {
            return Err(refused());
        };
        let (true, [Pattern::Name(name, None)]) =
            (matches!(last(path), "Some" | "Object"), &parts[..])
        else {
            return Err(refused());
        };
        let name = single(name).cloned().ok_or_else(refused)?;
        let place = self.place(value, body).ok_or_else(refused)?;
        match &place.keys[..] {
            [] => {
                let outer = body.locals.len();
                body.locals.push((name, Local::Alias(place.variable)));
                self.schema_effect(then, body)?;
                body.locals.truncate(outer);
                Ok(())
            }
            [key] => {
                // What is done to the list is done to the keyword, if it is there.
                let given = Literal::Array(Vec::new());
                let outer = body.locals.len();
                body.locals.push((name.clone(), Local::Schema(given)));
                self.schema_effect(then, body)?;
                let pushed = match body.local_mut(&name) {
                    Some(Local::Schema(Literal::Array(items))) => std::mem::take(items),
                    _ => return Err(refused()),
                };
                body.locals.truncate(outer);
                for item in pushed {
                    let place = Place {
                        variable: place.variable.clone(),
                        keys: vec![key.clone()],
                        group: None,
                        field: Text::default(),
                    };
                    place.change(Edit::Push(item), body).ok_or_else(refused)?;
                }
                Ok(())
            }
            _ => Err(refused()),
        }
    }

    /// The variable that an expression borrows to change it: `schema.ensure_object()`, `&mut schema`.
    fn borrowed(&self, expr: &Expr, body: &mut Body<'_>) -> Option<Text> {
        let borrows = match &expr.kind {
            ExprKind::Reference(_) => true,
            ExprKind::Method { name, args, .. } => {
                matches!(
                    &**name,
                    "ensure_object" | "as_object_mut" | "unwrap" | "expect"
                ) && (args.is_empty() || &**name == "expect")
            }
            _ => false,
        };
        let place = self.place(expr, body).filter(|_| borrows)?;
        let whole = place.keys.is_empty() && place.group.is_none_or(<[_]>::is_empty);
        whole.then_some(place.variable)
    }

    /// The place that an expression names.
    fn place(&self, expr: &Expr, body: &mut Body<'_>) -> Option<Place> {
        match &expr.kind {
            ExprKind::Path(path) => {
                let variable = single(path)?.clone();
                body.local_mut(&variable)?;
                Some(Place {
                    variable,
                    keys: Vec::new(),
                    group: None,
                    field: Text::default(),
                })
            }
            ExprKind::Reference(inner) | ExprKind::Unary('*', inner) => self.place(inner, body),
            ExprKind::Field(base, name) => Some(self.place(base, body)?.field(name)),
            ExprKind::Index(base, key) => {
                let mut place = self.place(base, body)?;
                place.keys.push(self.schema_key(key, body).ok()?);
                Some(place)
            }
            ExprKind::Method {
                receiver,
                name,
                args,
                ..
            } => {
                let mut place = self.place(receiver, body)?;
                match (&**name, &args[..]) {
                    (
                        "ensure_object"
                        | "as_object_mut"
                        | "as_array_mut"
                        | "unwrap"
                        | "expect"
                        | "as_mut"
                        | "as_deref_mut"
                        | "get_or_insert_default"
                        | "get_or_insert_with",
                        _,
                    ) => Some(place),
                    ("metadata" | "subschemas" | "number" | "string" | "array" | "object", []) => {
                        Some(place.field(name))
                    }
                    ("get_mut", [key]) => {
                        place.keys.push(self.schema_key(key, body).ok()?);
                        Some(place)
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// What stands at a place.
    pub(super) fn schema_at(&self, expr: &Expr, body: &mut Body<'_>) -> Option<Literal> {
        let place = self.place(expr, body)?;
        let Local::Schema(literal) = body.local_mut(&place.variable)? else {
            return None;
        };
        match (&place.keys[..], place.group) {
            ([], Some([])) => Some(literal.clone()),
            ([key], None) => match literal {
                Literal::Object(entries) => {
                    let found = entries.iter().find(|(known, _)| known == key);
                    let absent = Literal::Value(Value::Null);
                    Some(found.map_or(absent, |(_, value)| value.clone()))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Sets a place to a value; a group is taken away as a whole before.
    fn put(&mut self, mut place: Place, value: Literal, body: &mut Body<'_>) -> Option<()> {
        if let Some(group) = place.group {
            for key in group {
                place.with_key((*key).into()).change(Edit::Remove, body)?;
            }
            for (key, value) in entries_of(value)? {
                place.with_key(key).change(Edit::Set(value), body)?;
            }
            return Some(());
        }
        if place.keys.is_empty() {
            *body.local_mut(&place.variable)? = Local::Schema(value);
            return Some(());
        }
        let field = std::mem::take(&mut place.field);
        let edit = if is_absent(&field, &value) {
            Edit::Remove
        } else {
            Edit::Set(value)
        };
        place.change(edit, body)
    }
}

impl Body<'_> {
    fn makes_generator(&mut self, value: &Expr) -> bool {
        matches!(&value.kind, ExprKind::Method { name, .. } if &**name == "into_generator")
            || matches!(&value.kind, ExprKind::Call(function, _)
            if matches!(&function.kind, ExprKind::Path(path)
                if path.segments.iter().rev().nth(1).is_some_and(|owner| {
                    matches!(&*owner.name, "SchemaSettings" | "SchemaGenerator")
                })))
    }
}

impl Place {
    fn field(mut self, name: &Text) -> Self {
        match member(name) {
            Member::Group(keys) => self.group = Some(keys),
            Member::Keyword(key) => {
                self.group = None;
                self.keys.push(key);
            }
        }
        self.field = name.clone();
        self
    }

    fn with_key(&self, key: Text) -> Self {
        let mut keys = self.keys.clone();
        keys.push(key);
        Self {
            variable: self.variable.clone(),
            keys,
            group: None,
            field: Text::default(),
        }
    }

    /// Changes what stands at the place; none where that cannot be done.
    fn change(self, edit: Edit, body: &mut Body<'_>) -> Option<()> {
        let Some(Local::Schema(mut target)) =
            body.local_mut(&self.variable).map(|local| local.clone())
        else {
            return None;
        };
        let done = match (&self.keys[..], &mut target, edit) {
            ([], Literal::Array(items), Edit::Push(value)) => {
                items.push(value);
                true
            }
            (keys, target, edit) => {
                let (last, path) = keys.split_last()?;
                let mut node = target;
                for key in path {
                    node = child(node, key)?;
                }
                change(node, last.clone(), edit)
            }
        };
        *body.local_mut(&self.variable)? = Local::Schema(target);
        done.then_some(())
    }
}

/// The value of a key, made where there is none.
fn child<'l>(node: &'l mut Literal, key: &Text) -> Option<&'l mut Literal> {
    if let Literal::Value(Value::Object(_)) = node {
        let entries = entries_of(std::mem::replace(node, Literal::Object(Vec::new())))?;
        *node = Literal::Object(entries);
    }
    let Literal::Object(entries) = node else {
        return None;
    };
    if entries.iter().all(|(known, _)| known != key) {
        entries.push((key.clone(), Literal::Object(Vec::new())));
    }
    let found = entries.iter_mut().find(|(known, _)| known == key);
    found.map(|(_, value)| value)
}
