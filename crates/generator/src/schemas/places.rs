//! Statements in the body of a hand-written schema: variables, and keywords that are set or removed.

use super::body::{AskedType, Body, Part, Place};
use super::functions::GIVEN;
use super::lists::set;
use super::records::{METADATA, is_group, keyword_of};
use crate::types::{Concrete, derives, single};
use crate::values::{Run, Value, has_float, not_constant, stop};
use crd_channels_diagnostics::{Span, Text};
use crd_channels_schema::draft::{Edit, Literal};
use crd_channels_source::Derive;
use crd_channels_source::tree::{Body as Members, Expr, ExprKind, Path, Stmt, Style, Ty};
use serde_json::Value as Json;

/// The content of a type's schema depends on the channel.
const UNSEEN: &str = "the content of a type's schema is not known before a CRD is generated";

impl Body<'_, '_> {
    /// Runs a block, or an expression for its effect.
    pub(super) fn run(&mut self, code: &Expr) -> Run<()> {
        match &code.kind {
            ExprKind::Block(statements, tail) => {
                let outer = self.locals.len();
                for statement in statements {
                    self.statement(statement)?;
                }
                if let Some(tail) = tail {
                    self.effect(tail)?;
                }
                self.leave(outer);
                Ok(())
            }
            _ => self.effect(code),
        }
    }

    /// Runs a statement.
    pub(super) fn statement(&mut self, statement: &Stmt) -> Run<()> {
        match statement {
            Stmt::Use(_, path) => stop(path.span, "a `use` in a block is not read"),
            Stmt::Let(name, ty, value) => {
                let part = match self.alias(value)? {
                    Some(place) => Part::Alias(place),
                    None => self.variable(ty.as_ref(), value)?,
                };
                self.bind(name.clone(), part, value.span);
                Ok(())
            }
            Stmt::Expr(expr) => self.effect(expr),
            Stmt::Other(words, span) => stop(*span, format!("{words} is not read")),
        }
    }

    /// Reads the value of a variable: of its type, if that is written and none of schemars or serde_json.
    fn variable(&mut self, ty: Option<&Ty>, value: &Expr) -> Run<Part> {
        if let Some(ty) = ty
            && !self.is_json_type(ty)
        {
            let ty = self.reading.reader.typed(ty, &self.env.scope)?;
            return self
                .reading
                .read(value, &self.env, Some(&ty))
                .map(Part::Value);
        }
        match self.part(value)? {
            Part::Value(made) if has_float(&made) => {
                stop(value.span, "the type of this float is not written")
            }
            part => Ok(part),
        }
    }

    fn effect(&mut self, expr: &Expr) -> Run<()> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Assign(target, value) => self.assign(target, value, span),
            ExprKind::Method {
                receiver,
                name,
                args,
                ..
            } => self.change(receiver, name, args, span),
            ExprKind::If(condition, then, None) => self.if_there(condition, then),
            ExprKind::Block(..) => self.run(expr),
            _ => stop(span, "this statement is not read"),
        }
    }

    /// `schema = made;`, `record.field = Some(value);`
    fn assign(&mut self, target: &Expr, value: &Expr, span: Span) -> Run<()> {
        match &target.kind {
            ExprKind::Field(owner, field) if !is_group(field) => {
                let Some(mut place) = self.record(owner)? else {
                    return stop(span, "what this sets is not known");
                };
                let value = self.field(field, value)?;
                place.keys.push(keyword_of(field));
                self.write(&place, value, span)
            }
            // The group replaces all keywords of the one before it.
            ExprKind::Field(owner, field) if &**field == "metadata" => {
                let Some(place) = self.record(owner)? else {
                    return stop(span, "what this sets is not known");
                };
                let mut entries = match self.field(field, value)? {
                    None => Vec::new(),
                    Some(Literal::Object(entries)) => entries,
                    Some(_) => return stop(span, "this assignment is not read"),
                };
                for keyword in METADATA {
                    let at = entries.iter().position(|(known, _)| &**known == keyword);
                    let value = at.map(|at| entries.swap_remove(at).1);
                    let keys = vec![keyword.into()];
                    self.write(&Place { keys, ..place }, value, span)?;
                }
                Ok(())
            }
            ExprKind::Path(path) => {
                let local = self.position(path);
                let part = self.part(value)?;
                let known = local.and_then(|local| self.locals.get_mut(local));
                match (known, part) {
                    (Some((_, known @ Part::Json(_))), part @ Part::Json(_)) => *known = part,
                    _ => return stop(span, "this assignment is not read"),
                }
                Ok(())
            }
            _ => stop(span, "what this sets is not known"),
        }
    }

    /// `object.insert(key, value);`, `object.remove(key);`
    fn change(&mut self, receiver: &Expr, name: &str, args: &[Expr], span: Span) -> Run<()> {
        self.check_method(name, span)?;
        let Some(mut place) = self.place(receiver)? else {
            return stop(span, "what this changes is not known");
        };
        match (name, args) {
            ("insert", [key, value]) => {
                place.keys.push(self.read_key(key)?);
                let part = self.part(value)?;
                let value = self.literal_of(part, value.span)?;
                self.write(&place, Some(value), span)
            }
            ("remove", [key]) => {
                place.keys.push(self.read_key(key)?);
                self.write(&place, None, span)
            }
            ("ensure_object", []) => self.ensure_object(&place, span),
            _ => stop(span, format!("the method `{name}` is not read")),
        }
    }

    /// `if let Some(object) = schema.as_object_mut() { .. }`, `if let Schema::Object(object) = &mut schema { .. }`
    fn if_there(&mut self, condition: &Expr, then: &Expr) -> Run<()> {
        let span = condition.span;
        let refused = || stop(span, "this condition is not read");
        let ExprKind::Is(pattern, value) = &condition.kind else {
            return refused();
        };
        let Some((path, name)) = pattern.only() else {
            return refused();
        };
        let fits = match path.segments.last() {
            Some(last) if &*last.name == "Some" => matches!(
                &value.kind,
                ExprKind::Method { name, args, .. } if &**name == "as_object_mut" && args.is_empty()
            ),
            Some(last) => &*last.name == "Object",
            None => false,
        };
        let (true, Some(place)) = (fits, self.place(value)?) else {
            return refused();
        };
        match self.target(&place, span)? {
            Some(Literal::Value(_)) => return Ok(()),
            Some(Literal::Schema((ty, _), _)) if !self.is_object(ty) => {
                return stop(
                    span,
                    "whether the schema of this type is an object is not known",
                );
            }
            _ => {}
        }
        // In schemars 0.8 it is a struct.
        if path
            .segments
            .last()
            .is_some_and(|last| &*last.name == "Object")
            && let Some((_, part)) = self.locals.get_mut(place.local)
            && let (Part::Json(json), true) = (&*part, place.keys.is_empty())
        {
            *part = Part::Record(json.clone());
        }
        let outer = self.locals.len();
        let local = place.local;
        self.bind(name.clone(), Part::Alias(place), span);
        self.run(then)?;
        self.leave(outer);
        if let Some((_, part)) = self.locals.get_mut(local)
            && let Part::Record(json) = &*part
        {
            *part = Part::Json(json.clone());
        }
        Ok(())
    }

    /// Returns true if the schema of a type certainly is an object rather than `true`.
    fn is_object(&self, ty: &Concrete) -> bool {
        match ty.peel() {
            Concrete::External(path, args) if &**path == "std::option::Option" => {
                args.first().is_some_and(|inner| self.is_object(inner))
            }
            Concrete::External(path, _) => &**path != GIVEN && !path.starts_with("serde_json::"),
            Concrete::Array(..) | Concrete::Slice(_) => true,
            Concrete::Tuple(items) => !items.is_empty(),
            Concrete::Ref(inner, _) => self.is_object(inner),
            Concrete::Def(instance) => {
                let (body, attrs) = (&instance.ty.def.body, &instance.ty.def.attrs);
                let own =
                    attrs.with.is_none() && !attrs.serde.transparent && attrs.serde.from.is_none();
                let is_object = match body {
                    Members::Struct(style, _) => *style == Style::Named,
                    Members::Enum(variants) => !variants.is_empty(),
                };
                own && is_object && derives(&self.reading.reader, instance, Derive::JsonSchema)
            }
            _ => false,
        }
    }

    /// Returns the index of the variable that a path names.
    pub(super) fn position(&self, path: &Path) -> Option<usize> {
        let name = single(path)?;
        self.locals.iter().rposition(|(known, _)| known == name)
    }

    /// Returns the place of a variable.
    pub(super) fn local(&self, path: &Path) -> Option<Place> {
        let local = self.position(path)?;
        match self.locals.get(local) {
            Some((_, Part::Alias(place))) => Some(place.clone()),
            _ => Some(Place {
                local,
                keys: Vec::new(),
            }),
        }
    }

    /// `&mut schema`, `schema.ensure_object()` and the like: a part of a variable rather than a value.
    fn alias(&mut self, value: &Expr) -> Run<Option<Place>> {
        match &value.kind {
            ExprKind::Path(path) => {
                let local = self.position(path);
                Ok(match local.and_then(|local| self.locals.get(local)) {
                    Some((_, Part::Alias(place))) => Some(place.clone()),
                    _ => None,
                })
            }
            ExprKind::Method { .. } | ExprKind::Borrow(_) => self.place(value),
            _ => Ok(None),
        }
    }

    /// Returns the place of a struct of schemars 0.8 that an expression names: of the variable itself, or of a group of it.
    fn record(&mut self, expr: &Expr) -> Run<Option<Place>> {
        let place = match &expr.kind {
            ExprKind::Field(owner, field) if is_group(field) => self.record(owner)?,
            ExprKind::Method {
                receiver,
                name,
                args,
                ..
            } if is_group(name) && args.is_empty() => {
                self.check_method(name, expr.span)?;
                self.record(receiver)?
            }
            ExprKind::Path(path) => self.local(path),
            _ => None,
        };
        let is_record = |place: &Place| {
            let local = self.locals.get(place.local);
            place.keys.is_empty() && matches!(local, Some((_, Part::Record(_))))
        };
        Ok(place.filter(is_record))
    }

    /// Returns the place of an object that an expression names; `None` for other expressions.
    fn place(&mut self, expr: &Expr) -> Run<Option<Place>> {
        match &expr.kind {
            ExprKind::Path(path) => Ok(self.local(path)),
            ExprKind::Borrow(inner) | ExprKind::Unary('*', inner) => self.place(inner),
            ExprKind::Field(owner, field) => {
                let place = self.record(owner)?;
                Ok(place.map(|mut place| {
                    if !is_group(field) {
                        place.keys.push(keyword_of(field));
                    }
                    place
                }))
            }
            ExprKind::Method {
                receiver,
                name,
                args,
                ..
            } => {
                let of_object = |expr: &Expr| matches!(&expr.kind, ExprKind::Method { name, .. } if &**name == "as_object_mut");
                let passes = match (&**name, args.len()) {
                    ("ensure_object" | "as_object_mut", 0) => true,
                    ("unwrap", 0) | ("expect", 1) => of_object(receiver),
                    (name, 0) if is_group(name) => return self.record(expr),
                    _ => false,
                };
                if !passes {
                    return Ok(None);
                }
                self.check_method(name, expr.span)?;
                let Some(place) = self.place(receiver)? else {
                    return Ok(None);
                };
                if &**name == "ensure_object" {
                    self.ensure_object(&place, expr.span)?;
                }
                Ok(Some(place))
            }
            _ => Ok(None),
        }
    }

    /// `true` becomes `{}`, and `false` becomes `{ not: {} }`.
    fn ensure_object(&mut self, place: &Place, span: Span) -> Run<()> {
        let Some(Literal::Value(Json::Bool(accepts))) = self.target(place, span)? else {
            return Ok(());
        };
        let nothing = || Literal::Object(Vec::new());
        let object = match accepts {
            true => nothing(),
            false => Literal::Object(vec![("not".into(), nothing())]),
        };
        self.write(place, Some(object), span)
    }

    /// Returns what is at a place; `None` if it has no such key.
    fn target(&self, place: &Place, span: Span) -> Run<Option<&Literal<AskedType>>> {
        let Some((_, Part::Json(target) | Part::Record(target))) = self.locals.get(place.local)
        else {
            return stop(span, "this is not a schema");
        };
        let mut target = target;
        for key in &place.keys {
            let Literal::Object(entries) = target else {
                return stop(span, UNSEEN);
            };
            match entries.iter().find(|(known, _)| known == key) {
                Some((_, value)) => target = value,
                None => return Ok(None),
            }
        }
        Ok(Some(target))
    }

    /// Returns the value of a variable, or of a part of it.
    pub(super) fn value_at(&mut self, place: Place, span: Span) -> Run<Part> {
        if place.keys.is_empty()
            && let Some((_, part)) = self.locals.get(place.local)
        {
            return Ok(part.clone());
        }
        match self.target(&place, span)? {
            Some(value) => Ok(Part::Json(value.clone())),
            None => stop(span, UNSEEN),
        }
    }

    /// Sets or removes what is at a place.
    fn write(&mut self, place: &Place, value: Option<Literal<AskedType>>, span: Span) -> Run<()> {
        let local = self.locals.get_mut(place.local);
        let Some((_, Part::Json(target) | Part::Record(target))) = local else {
            return stop(span, "this is not a schema");
        };
        // Values in the body do not know it anyway.
        if let Some((_, known, _)) = self.env.params.get_mut(place.local) {
            *known = Value::Unknown(not_constant(span, "this variable changes"));
        }
        match (place.keys.split_last(), value) {
            (Some((last, before)), value) => write_in(target, before, last, value, span),
            (None, Some(value)) => {
                *target = value;
                Ok(())
            }
            (None, None) => stop(span, "this is not a key"),
        }
    }
}

/// Sets or removes a key below others, which are created.
fn write_in(
    mut target: &mut Literal<AskedType>,
    before: &[Text],
    last: &Text,
    value: Option<Literal<AskedType>>,
    span: Span,
) -> Run<()> {
    for key in before {
        let Literal::Object(entries) = target else {
            return stop(span, UNSEEN);
        };
        let at = match entries.iter().position(|(known, _)| known == key) {
            Some(at) => at,
            None => {
                entries.push((key.clone(), Literal::Object(Vec::new())));
                entries.len() - 1
            }
        };
        let Some((_, inner)) = entries.get_mut(at) else {
            return stop(span, UNSEEN);
        };
        target = inner;
    }
    match (target, value) {
        (Literal::Object(entries), Some(value)) => set(entries, last.clone(), value),
        (Literal::Object(entries), None) => entries.retain(|(known, _)| known != last),
        (Literal::Schema(_, edits), value) => {
            let edit = value.map_or(Edit::Remove, Edit::Set);
            edits.push((last.clone(), edit));
        }
        // An object is made of `true`, and nothing is removed from it.
        (target @ Literal::Value(Json::Bool(true)), Some(value)) if before.is_empty() => {
            *target = Literal::Object(vec![(last.clone(), value)]);
        }
        _ => return stop(span, "this is not an object"),
    }
    Ok(())
}
