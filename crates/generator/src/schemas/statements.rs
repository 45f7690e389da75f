//! Statements in the body of a hand-written schema: variables, and keywords that are set or removed.

use super::body::{AskedType, Body, Part};
use super::lists::set;
use super::parts::of_value;
use super::records::{METADATA, is_group, keyword_of};
use crate::types::Concrete;
use crate::values::{Run, Value, not_constant, open_type, stop};
use crd_channels_diagnostics::{Span, Text};
use crd_channels_schema::draft::{Edit, Literal};
use crd_channels_source::tree::{Expr, ExprKind, Path, Stmt, Ty};
use serde_json::Value as Json;

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
                    self.run(tail)?;
                }
                self.leave(outer);
                Ok(())
            }
            ExprKind::Assign(target, value) => self.assign(target, value, code.span),
            ExprKind::Method {
                receiver,
                name,
                args,
                ..
            } => self.change(receiver, name, args, code.span),
            _ => stop(code.span, "this statement is not read"),
        }
    }

    /// Runs a statement.
    pub(super) fn statement(&mut self, statement: &Stmt) -> Run<()> {
        match statement {
            // A second name of a variable may be a reference to it.
            Stmt::Let(_, _, value) if self.is_changeable(value) => {
                stop(value.span, "a second name of this variable is not read")
            }
            Stmt::Let(name, ty, value) => {
                let (part, ty) = self.variable(ty.as_ref(), value)?;
                self.bind(name.clone(), part, ty, value.span);
                Ok(())
            }
            Stmt::Const(name, ty, value) => {
                let (part, ty) = self.variable(Some(ty), value)?;
                self.bind(name.clone(), part, ty, value.span);
                Ok(())
            }
            Stmt::Expr(expr) => self.run(expr),
            Stmt::Other(words, span) => stop(*span, format!("{words} is not read")),
        }
    }

    /// Reads the value of a variable: of its type, if that is written and none of schemars or serde_json.
    fn variable(&mut self, ty: Option<&Ty>, made: &Expr) -> Run<(Part, Concrete)> {
        if let Some(ty) = ty
            && !self.is_json_type(ty)
        {
            let ty = self.reading.reader.typed(ty, &self.env.scope)?;
            let value = self.reading.read(made, &self.env, Some(&ty))?;
            return Ok((Part::Value(value), ty));
        }
        let (part, ty) = match self.reading.untyped(made, &self.env)? {
            Some((value, ty)) => (of_value(value), ty),
            None => {
                let part = self.part(made)?;
                let ty = match &part {
                    Part::Value(value) => open_type(value),
                    _ => Concrete::Infer,
                };
                (part, ty)
            }
        };
        match &part {
            Part::Value(value) if value.has_float() => {
                stop(made.span, "the type of this float is not written")
            }
            _ => Ok((part, ty)),
        }
    }

    /// `schema = made;`, `record.format = Some(value);`, `record.metadata = Some(Box::new(..));`
    fn assign(&mut self, target: &Expr, value: &Expr, span: Span) -> Run<()> {
        let refused = || stop(span, "this assignment is not read");
        match &target.kind {
            ExprKind::Field(owner, field) if !is_group(field) || &**field == "metadata" => {
                let local = self.variable_of(owner);
                let record = local.filter(|local| self.is_record(*local));
                let Some(local) = record else {
                    return refused();
                };
                let value = self.field(field, value)?;
                if !is_group(field) {
                    return self.write(local, keyword_of(field), value, span);
                }
                // The group replaces all keywords of the one before it.
                let Some(Literal::Object(mut entries)) = value else {
                    return refused();
                };
                for keyword in METADATA {
                    let own = entries.iter().position(|(known, _)| &**known == keyword);
                    let value = own.map(|own| entries.swap_remove(own).1);
                    self.write(local, keyword.into(), value, span)?;
                }
                Ok(())
            }
            ExprKind::Path(path) => {
                let local = self.position(path);
                let part = self.part(value)?;
                match (local.and_then(|local| self.locals.get_mut(local)), part) {
                    (Some((_, known @ Part::Json(_))), part @ Part::Json(_)) => *known = part,
                    _ => return refused(),
                }
                Ok(())
            }
            _ => refused(),
        }
    }

    /// `schema.insert(key, value);`, `schema.remove(key);`, `record.extensions.insert(key, value);`
    fn change(&mut self, receiver: &Expr, name: &str, args: &[Expr], span: Span) -> Run<()> {
        self.check_method(name, span)?;
        let local = match (&receiver.kind, receiver.method()) {
            (ExprKind::Field(owner, field), _) if &**field == "extensions" => {
                let local = self.variable_of(owner);
                local.filter(|local| self.is_record(*local))
            }
            (_, Some((receiver, name @ "ensure_object", []))) => {
                self.check_method(name, span)?;
                self.variable_of(receiver)
            }
            _ => self.variable_of(receiver),
        };
        let Some(local) = local else {
            return stop(span, "what this changes is not known");
        };
        let (key, value) = match (name, args) {
            ("insert", [key, value]) => {
                let part = self.part(value)?;
                (key, Some(self.literal_of(part, value.span)?))
            }
            ("remove", [key]) => (key, None),
            _ => return stop(span, format!("the method `{name}` is not read")),
        };
        let key = self.read_key(key)?;
        self.write(local, key, value, span)
    }

    /// Returns the index of the variable that a path names.
    pub(super) fn position(&self, path: &Path) -> Option<usize> {
        let name = path.name()?;
        self.locals.iter().rposition(|(known, _)| known == name)
    }

    /// Returns the index of the variable that an expression names, or refers to.
    fn variable_of(&self, expr: &Expr) -> Option<usize> {
        match &expr.kind {
            ExprKind::Path(path) => self.position(path),
            ExprKind::Borrow(inner) | ExprKind::Unary('*', inner) => self.variable_of(inner),
            _ => None,
        }
    }

    /// Returns true for the name of a variable whose keywords may be set, also in what keeps a reference.
    fn is_changeable(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Block(_, Some(tail)) => return self.is_changeable(tail),
            ExprKind::Call(_, args) => return args.iter().any(|arg| self.is_changeable(arg)),
            ExprKind::Method { receiver, name, .. } if matches!(&**name, "into" | "unwrap") => {
                return self.is_changeable(receiver);
            }
            _ => {}
        }
        let local = self
            .variable_of(expr)
            .and_then(|local| self.locals.get(local));
        matches!(local, Some((_, Part::Json(_) | Part::Record(_))))
    }

    /// Returns true for a variable that is a struct of schemars 0.8.
    fn is_record(&self, local: usize) -> bool {
        matches!(self.locals.get(local), Some((_, Part::Record(_))))
    }

    /// Sets or removes a keyword of a variable.
    fn write(
        &mut self,
        local: usize,
        key: Text,
        value: Option<Literal<AskedType>>,
        span: Span,
    ) -> Run<()> {
        // Values in the body do not know it anyway.
        if let Some(known) = self.env.variables.get_mut(local) {
            known.value = Value::Unknown(not_constant(span, "this variable changes"));
        }
        let Some((_, Part::Json(target) | Part::Record(target))) = self.locals.get_mut(local)
        else {
            return stop(span, "this is not a schema");
        };
        match (target, value) {
            (Literal::Object(entries), Some(value)) => set(entries, key, value),
            (Literal::Object(entries), None) => entries.retain(|(known, _)| *known != key),
            (Literal::Schema(_, edits), value) => {
                edits.push((key, value.map_or(Edit::Remove, Edit::Set)));
            }
            // An object is made of `true`, and nothing is removed from it.
            (target @ Literal::Value(Json::Bool(true)), Some(value)) => {
                *target = Literal::Object(vec![(key, value)]);
            }
            _ => return stop(span, "this is not an object"),
        }
        Ok(())
    }
}
