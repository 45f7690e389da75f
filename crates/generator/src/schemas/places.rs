//! Statements in the body of a hand-written schema: variables, and keywords that are set or removed.

use super::body::{AskedType, Body, Part, Place};
use super::parts::{array, set};
use super::records::{is_group, keyword_of};
use crate::types::{Concrete, derives, single};
use crate::values::{Run, Value, not_constant, stop};
use crd_channels_diagnostics::{Span, Text};
use crd_channels_schema::draft::{Edit, Literal};
use crd_channels_source::Derive;
use crd_channels_source::tree::{Body as Members, Expr, ExprKind, Path, Pattern, Stmt, Style};
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
            Stmt::Use(name, path) => {
                self.env.uses.push((name.clone(), path.clone()));
                Ok(())
            }
            Stmt::Let(name, _, value) => {
                let part = match self.alias(value)? {
                    Some(place) => Part::Alias(place),
                    None => self.part(value)?,
                };
                self.bind(name.clone(), part, value.span);
                Ok(())
            }
            Stmt::Expr(expr) => self.effect(expr),
            Stmt::Other(words, span) => stop(*span, format!("{words} is not read")),
        }
    }

    fn effect(&mut self, expr: &Expr) -> Run<()> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Assign(target, value) => {
                let Some(place) = self.place(target)? else {
                    return stop(span, "what this sets is not known");
                };
                let part = self.part(value)?;
                self.write(&place, part, span)
            }
            ExprKind::Method {
                receiver,
                name,
                args,
                ..
            } => self.change(expr, (receiver, name), args),
            ExprKind::If(condition, then, None) => self.if_there(condition, then),
            ExprKind::Block(..) => self.run(expr),
            _ => stop(span, "this statement is not read"),
        }
    }

    /// `object.insert(key, value);`, `object.remove(key);`, `list.push(value);`
    fn change(&mut self, whole: &Expr, (receiver, name): (&Expr, &str), args: &[Expr]) -> Run<()> {
        let span = whole.span;
        let Some(mut place) = self.place(receiver)? else {
            return stop(span, "what this changes is not known");
        };
        match (name, args) {
            ("insert", [key, value]) => {
                place.keys.push(self.text(key)?);
                let part = self.part(value)?;
                self.write(&place, part, span)
            }
            ("remove", [key]) => {
                place.keys.push(self.text(key)?);
                self.write(&place, Part::Absent, span)
            }
            ("insert" | "push", [item]) => {
                let Part::Json(item) = self.part(item)? else {
                    return stop(span, "this item is not read");
                };
                let mut items = match self.target(&place, span)? {
                    Some(Literal::Array(items)) => items.clone(),
                    Some(Literal::Value(Json::Array(items))) => {
                        items.iter().cloned().map(Literal::Value).collect()
                    }
                    None if name == "insert" => Vec::new(),
                    _ => return stop(span, "the list that this changes is not known"),
                };
                let is_known = match &item {
                    Literal::Value(item) => items
                        .iter()
                        .any(|known| matches!(known, Literal::Value(known) if known == item)),
                    _ => false,
                };
                if name == "push" || !is_known {
                    items.push(item);
                }
                if name == "insert" {
                    items.sort_by_key(|item| match item {
                        Literal::Value(Json::String(text)) => text.clone(),
                        _ => String::new(),
                    });
                }
                self.write(&place, Part::Json(array(items)), span)
            }
            // They create what they return.
            (name, []) if is_group(name) || name == "ensure_object" => Ok(()),
            _ => stop(span, format!("the method `{name}` is not read")),
        }
    }

    /// `if let Some(object) = schema.as_object_mut() { .. }`, `if let Schema::Object(object) = &mut schema { .. }`
    fn if_there(&mut self, condition: &Expr, then: &Expr) -> Run<()> {
        let refused = || stop(condition.span, "this condition is not read");
        let ExprKind::Is(pattern, value) = &condition.kind else {
            return refused();
        };
        let Pattern::Tuple(path, inner) = &**pattern else {
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
        let name = match &inner[..] {
            [inner] => inner.name().cloned(),
            _ => None,
        };
        let (Some(name), true) = (name, fits) else {
            return refused();
        };
        let Some(place) = self.place(value)? else {
            return refused();
        };
        match self.target(&place, condition.span)? {
            Some(Literal::Value(_)) => return Ok(()),
            Some(Literal::Schema((ty, _), _)) if !self.is_object(ty) => {
                return stop(
                    condition.span,
                    "whether the schema of this type is an object is not known",
                );
            }
            _ => {}
        }
        let outer = self.locals.len();
        self.bind(name, Part::Alias(place), condition.span);
        self.run(then)?;
        self.leave(outer);
        Ok(())
    }

    /// Returns true if the schema of a type certainly is an object rather than `true`.
    fn is_object(&self, ty: &Concrete) -> bool {
        match ty.peel() {
            Concrete::External(path, _) => !path.starts_with("serde_json::"),
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

    /// Returns the place of a variable.
    pub(super) fn local(&self, path: &Path) -> Option<Place> {
        let name = single(path)?;
        let local = self.locals.iter().rposition(|(known, _)| known == name)?;
        match self.locals.get(local) {
            Some((_, Part::Alias(place))) => Some(place.clone()),
            _ => Some(Place {
                local,
                keys: Vec::new(),
            }),
        }
    }

    /// `schema.ensure_object()` and the like: a part of a variable rather than a value.
    fn alias(&mut self, value: &Expr) -> Run<Option<Place>> {
        match &value.kind {
            ExprKind::Method { name, .. }
                if matches!(
                    &**name,
                    "ensure_object" | "as_object_mut" | "unwrap" | "expect"
                ) || is_group(name) =>
            {
                self.place(value)
            }
            ExprKind::Borrow(_) => self.place(value),
            _ => Ok(None),
        }
    }

    /// Returns the place that an expression names; `None` for other expressions.
    fn place(&mut self, expr: &Expr) -> Run<Option<Place>> {
        match &expr.kind {
            ExprKind::Path(path) => Ok(self.local(path)),
            ExprKind::Borrow(inner) | ExprKind::Unary('*', inner) => self.place(inner),
            ExprKind::Field(owner, field) => {
                let Some(mut place) = self.place(owner)? else {
                    return Ok(None);
                };
                if !is_group(field) {
                    place.keys.push(keyword_of(field));
                }
                Ok(Some(place))
            }
            ExprKind::Method {
                receiver,
                name,
                args,
                ..
            } => {
                let passes = match &**name {
                    "ensure_object" | "as_object_mut" | "unwrap" => args.is_empty(),
                    "expect" => args.len() == 1,
                    name => is_group(name) && args.is_empty(),
                };
                let Some(place) = (match passes {
                    true => self.place(receiver)?,
                    false => None,
                }) else {
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
        self.write(place, Part::Json(object), span)
    }

    /// Returns what is at a place; `None` if it has no such key.
    fn target(&self, place: &Place, span: Span) -> Run<Option<&Literal<AskedType>>> {
        let Some((_, Part::Json(target))) = self.locals.get(place.local) else {
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
            None => Ok(Part::Absent),
        }
    }

    /// Sets or removes what is at a place.
    fn write(&mut self, place: &Place, part: Part, span: Span) -> Run<()> {
        let value = match part {
            Part::Json(value) => Some(value),
            Part::Absent => None,
            Part::Generator | Part::Alias(_) => return stop(span, "this value is not read"),
        };
        let Some((_, local)) = self.locals.get_mut(place.local) else {
            return stop(span, "this variable is not known");
        };
        // Values in the body no longer know it.
        if let Some((_, known, _)) = self.env.params.get_mut(place.local) {
            *known = Value::Unknown(not_constant(span, "this variable changes"));
        }
        let Some((last, before)) = place.keys.split_last() else {
            *local = value.map_or(Part::Absent, Part::Json);
            return Ok(());
        };
        let Part::Json(mut target) = std::mem::replace(local, Part::Absent) else {
            return stop(span, "this is not a schema");
        };
        let done = write_in(&mut target, before, last, value, span);
        *local = Part::Json(target);
        done
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
        _ => return stop(span, "this is not an object"),
    }
    Ok(())
}
