//! Statements that change a schema: keys set, removed and added to, through whatever leads to them.

use super::schema_edits::{change, change_list};
use super::schema_exprs::{Body, Local, Stop};
use super::schema_objects::{Member, entries_of, is_absent, member};
use super::types::Task;
use super::written::{last, unread};
use crate::Text;
use crate::eval::single;
use crate::schema::draft::{Asked, Edit, Literal};
use crate::source::tree::{Expr, ExprKind, Pattern, Stmt};
use serde_json::Value;

/// A place that a statement changes: the variable and the keywords below it.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// The variable's index.
    pub(super) variable: usize,
    pub(super) keys: Vec<Text>,
    /// The group of keywords that the place ends in: `schema.metadata`.
    group: Option<&'static [&'static str]>,
    /// The name of the last field, as schemars has it.
    field: Text,
}

/// A place of which nobody knows whether it is there. What is done where it is there is done to it, and is nothing where it
/// is not.
#[derive(Clone, Debug)]
pub(super) struct Unsure {
    place: Place,
    /// Whether it is an item of the list there, which may only be taken out.
    item: bool,
}

/// Whether something stands at a place.
#[derive(Clone, Copy, PartialEq)]
enum Standing {
    There,
    Absent,
    Unknown,
}

impl Task<'_> {
    pub(super) fn schema_stmt(&mut self, stmt: &Stmt, body: &mut Body<'_>) -> Result<(), Stop> {
        match stmt {
            Stmt::Let(name, _, value) => {
                let local = if body.makes_generator(value) {
                    Local::Generator
                } else if let Some((_, asked)) = self.found(value, body) {
                    Local::Found(asked)
                } else if let Some(place) = self.borrowed(value, body) {
                    Local::Alias(place)
                } else {
                    Local::Schema(self.schema_expr(value, body)?)
                };
                body.locals.push((name.clone(), local));
                Ok(())
            }
            Stmt::Bind(pattern, _, value, None) if **pattern == Pattern::Any => {
                self.schema_effect(value, body)
            }
            Stmt::Bind(pattern, _, value, _) => self.schema_bind(pattern, value, body),
            Stmt::Expr(expr) => self.schema_effect(expr, body),
            Stmt::Use(_, path) => {
                let why = "a `use` inside a function cannot be read in a schema";
                Err(unread(path.span, why).into())
            }
            Stmt::Later(name, _) => {
                let value = Literal::Value(Value::Null);
                body.locals.push((name.clone(), Local::Schema(value)));
                Ok(())
            }
            Stmt::Other(words, span) => {
                Err(unread(*span, &format!("{words} cannot be read in a schema")).into())
            }
        }
    }

    /// `let Schema::Object(name) = &mut schema else { .. };`
    fn schema_bind(
        &mut self,
        pattern: &Pattern,
        value: &Expr,
        body: &mut Body<'_>,
    ) -> Result<(), Stop> {
        let refused = || {
            Stop::Unread(unread(
                value.span,
                "this pattern cannot be read in a schema",
            ))
        };
        let name = innermost(pattern).cloned().ok_or_else(refused)?;
        let local = match self.place(value, body) {
            Some(place) => match body.local_at(place.variable) {
                Some(Local::Schema(Literal::Schema(..) | Literal::Object(_)))
                    if place.keys.is_empty() && place.group.is_none() =>
                {
                    Local::Alias(place)
                }
                // Whether a part of a schema is there nobody can tell, nor then which way is gone.
                _ => return Err(refused()),
            },
            None => match self.schema_expr(value, body)? {
                Literal::Value(_) => return Err(refused()),
                literal => Local::Schema(literal),
            },
        };
        body.locals.push((name, local));
        Ok(())
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
            ExprKind::If(condition, then, otherwise) => {
                self.schema_if(condition, (then, otherwise.as_deref()), body)
            }
            // Whether it is left here hangs on what nobody knows.
            ExprKind::Return(_) if body.unsure.is_some() => Err(refused()),
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
                if body.is_generator(receiver) && &**name == "subschema_for" {
                    return Ok(());
                }
                let mut place = self.place(receiver, body).ok_or_else(refused)?;
                let edit = match (&**name, &args[..]) {
                    ("insert", [key, value]) => {
                        place.keys.push(self.schema_key(key, body)?);
                        Edit::Set(self.schema_expr(value, body)?)
                    }
                    ("remove", [key]) if place.is_list() => {
                        Edit::Drop(match self.found_before(key, body) {
                            Some(asked) => asked,
                            None => Asked {
                                key: None,
                                value: Value::String(self.schema_key(key, body)?.to_string()),
                                is: true,
                                first: true,
                            },
                        })
                    }
                    ("remove", [key]) => match self.found_before(key, body) {
                        Some(asked) => Edit::Drop(asked),
                        None => {
                            place.keys.push(self.schema_key(key, body)?);
                            Edit::Remove
                        }
                    },
                    ("retain", [test]) => {
                        let asked = self.asked(test, body).ok_or_else(refused)?;
                        Edit::Drop(Asked {
                            is: !asked.is,
                            ..asked
                        })
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
    /// `if let Some(Value::Array(name)) = schema.get_mut("oneOf") { .. }`. Where nobody can look into the
    /// place, nothing but that place may be changed, and nothing put there.
    fn schema_if(
        &mut self,
        condition: &Expr,
        (then, otherwise): (&Expr, Option<&Expr>),
        body: &mut Body<'_>,
    ) -> Result<(), Stop> {
        let refused = || {
            Stop::Unread(unread(
                condition.span,
                "this condition cannot be read in a schema",
            ))
        };
        let outer = (body.locals.len(), body.unsure.clone());
        let holds = match &condition.kind {
            ExprKind::Is(pattern, value) => {
                let name = innermost(pattern).cloned().ok_or_else(refused)?;
                let (place, local, standing) = match self.found(value, body) {
                    Some((place, asked)) => (place, Local::Found(asked), Standing::Unknown),
                    None => {
                        let place = self.place(value, body).ok_or_else(refused)?;
                        let standing = place.standing(body);
                        (place.clone(), Local::Alias(place), standing)
                    }
                };
                if standing == Standing::Unknown {
                    let nested = body.unsure.as_ref();
                    if otherwise.is_some() || nested.is_some_and(|outer| !place.is_in(outer)) {
                        return Err(refused());
                    }
                    let item = matches!(local, Local::Found(_));
                    body.unsure = Some(Unsure { place, item });
                }
                body.locals.push((name, local));
                standing != Standing::Absent
            }
            _ => match self.schema_expr(condition, body)? {
                Literal::Value(Value::Bool(holds)) => holds,
                _ => return Err(refused()),
            },
        };
        if holds {
            self.schema_effect(then, body)?;
        } else if let Some(otherwise) = otherwise {
            self.schema_effect(otherwise, body)?;
        }
        body.locals.truncate(outer.0);
        body.unsure = outer.1;
        Ok(())
    }

    /// The place that an expression borrows to change it: `schema.ensure_object()`, `&mut schema`,
    /// `schema.get_mut("oneOf").unwrap()`.
    fn borrowed(&self, expr: &Expr, body: &mut Body<'_>) -> Option<Place> {
        let borrows = match &expr.kind {
            ExprKind::Reference(_) | ExprKind::Borrow(_) => true,
            ExprKind::Method { name, args, .. } => {
                matches!(
                    &**name,
                    "ensure_object" | "as_object_mut" | "as_array_mut" | "unwrap" | "expect"
                ) && (args.is_empty() || &**name == "expect")
            }
            _ => false,
        };
        self.place(expr, body).filter(|_| borrows)
    }

    /// The place that an expression names.
    pub(super) fn place(&self, expr: &Expr, body: &mut Body<'_>) -> Option<Place> {
        match &expr.kind {
            ExprKind::Path(path) => {
                let variable = body.index(single(path)?)?;
                match body.local_at(variable)? {
                    Local::Alias(place) => Some(place.clone()),
                    Local::Schema(_) => Some(Place {
                        variable,
                        keys: Vec::new(),
                        group: None,
                        field: Text::default(),
                    }),
                    Local::Generator | Local::Found(_) => None,
                }
            }
            ExprKind::Reference(inner) | ExprKind::Borrow(inner) | ExprKind::Unary('*', inner) => {
                self.place(inner, body)
            }
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
                        | "iter"
                        | "iter_mut"
                        | "enumerate"
                        | "get_or_insert_default"
                        | "get_or_insert_with",
                        _,
                    ) => Some(place),
                    ("and_then", [function]) if gives_mutable(function) => Some(place),
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
        let Local::Schema(literal) = body.local_at(place.variable)? else {
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
            if body.unsure.is_some() {
                return None;
            }
            *body.local_at(place.variable)? = Local::Schema(value);
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
            variable: self.variable,
            keys,
            group: None,
            field: Text::default(),
        }
    }

    /// Whether it is a keyword whose value is a list of texts.
    fn is_list(&self) -> bool {
        let last = self.keys.last();
        self.group.is_none() && last.is_some_and(|key| matches!(&**key, "required" | "enum"))
    }

    /// Whether something stands at the place.
    fn standing(&self, body: &mut Body<'_>) -> Standing {
        let Some(Local::Schema(literal)) = body.local_at(self.variable) else {
            return Standing::Unknown;
        };
        let mut node = &*literal;
        for (index, key) in self.keys.iter().enumerate() {
            match node {
                Literal::Object(entries) => match entries.iter().find(|(known, _)| known == key) {
                    Some((_, found)) => node = found,
                    None => return Standing::Absent,
                },
                Literal::Value(value) => {
                    let mut keys = self.keys.iter().skip(index);
                    return match keys.try_fold(value, |value, key| value.get(&**key)) {
                        Some(_) => Standing::There,
                        None => Standing::Absent,
                    };
                }
                Literal::Array(_) | Literal::Schema(..) => return Standing::Unknown,
            }
        }
        match (node, self.group) {
            (Literal::Schema(..), Some([_, ..])) => Standing::Unknown,
            // An empty group may be there or not, and shows neither.
            (Literal::Object(entries), Some(group @ [_, ..])) => {
                let mut known = entries.iter().map(|(key, _)| &**key);
                match known.any(|key| group.contains(&key)) {
                    true => Standing::There,
                    false => Standing::Unknown,
                }
            }
            _ => Standing::There,
        }
    }

    /// Whether it is a part of a place of which nobody knows whether it is there.
    fn is_in(&self, outer: &Unsure) -> bool {
        let Place {
            variable,
            keys,
            group,
            ..
        } = &outer.place;
        let grouped = group.is_some_and(|group| match self.keys.get(keys.len()) {
            Some(key) => group.contains(&&**key),
            None => self.group.is_some(),
        });
        self.variable == *variable
            && self.keys.starts_with(keys)
            && (grouped || group.is_none())
            && !outer.item
    }

    /// Whether an edit does nothing where the place is not there that nobody knows of.
    fn is_harmless(&self, edit: &Edit, unsure: &Unsure) -> bool {
        match edit {
            Edit::Drop(asked) if unsure.item => {
                let place = &unsure.place;
                asked.first && (self.variable, &self.keys) == (place.variable, &place.keys)
            }
            Edit::Drop(_) | Edit::Push(_) | Edit::Remove => self.is_in(unsure),
            Edit::Set(_) => false,
        }
    }

    /// Changes what stands at the place; none where that cannot be done.
    fn change(self, edit: Edit, body: &mut Body<'_>) -> Option<()> {
        if let Some(unsure) = &body.unsure
            && !self.is_harmless(&edit, unsure)
        {
            return None;
        }
        let Some(Local::Schema(mut target)) =
            body.local_at(self.variable).map(|local| local.clone())
        else {
            return None;
        };
        let done = match (&self.keys[..], &mut target, edit) {
            ([], list @ Literal::Array(_), edit) => change_list(list, edit),
            (keys, target, edit) => {
                let (last, path) = keys.split_last()?;
                let mut node = target;
                for key in path {
                    node = child(node, key)?;
                }
                change(node, last.clone(), edit)
            }
        };
        *body.local_at(self.variable)? = Local::Schema(target);
        done.then_some(())
    }
}

/// `Value::as_array_mut`, `|value| value.as_object_mut()`
fn gives_mutable(function: &Expr) -> bool {
    let name = match &function.kind {
        ExprKind::Path(path) => last(path),
        ExprKind::Closure(closure) => match &closure.body.kind {
            ExprKind::Method { name, .. } => name,
            _ => return false,
        },
        _ => return false,
    };
    matches!(name, "as_array_mut" | "as_object_mut")
}

/// The name inside `Some(..)`, `Value::Array(..)` and the like.
fn innermost(pattern: &Pattern) -> Option<&Text> {
    match pattern {
        Pattern::Tuple(path, parts) => match (last(path), &parts[..]) {
            ("Some" | "Ok" | "Object" | "Array" | "Single" | "Vec", [part]) => match part {
                Pattern::Name(..) => part.name(),
                part => innermost(part),
            },
            _ => None,
        },
        _ => None,
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
