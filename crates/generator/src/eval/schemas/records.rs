//! Structs of schemars 0.8 and of kube: created by literals and defaults, changed by their methods.

use super::pending::{Pending, UNSEEN};
use super::structs::{
    Keyword, Record, field_type, group_keywords, is_group, keyword_of, struct_of,
};
use crate::eval::machine::{Frame, Machine, Run, Want, stop};
use crate::eval::std::Call;
use crate::eval::values::kinds::Wrapper;
use crate::eval::values::ty::Concrete;
use crate::eval::values::value::{MutPlace, PlaceElem, Value, Via};
use crd_channels_diagnostics::{Span, Text};
use crd_channels_source::Resolved;
use crd_channels_source::tree::{Expr, Path};
use std::sync::Arc;

impl Machine<'_> {
    /// `SchemaObject { .. }`; `None` if the path names no struct of schemars.
    pub(in crate::eval) fn record_literal(
        &mut self,
        path: &Path,
        (fields, rest): (&[(Text, Expr)], Option<&Expr>),
        frame: &mut Frame,
        span: Span,
    ) -> Run<Option<Value>> {
        let meant = frame.resolve_uses(path);
        let resolved = self.reader.graph.resolve_type(frame.scope.module, &meant);
        let Ok(Resolved::External(path)) = resolved else {
            return Ok(None);
        };
        let Some((_, names)) = struct_of(&path) else {
            return Ok(None);
        };
        let mut values = Vec::with_capacity(names.len());
        for (name, value) in fields {
            let Some(ty) = field_type(name).filter(|_| names.contains(&&**name)) else {
                return stop(value.span, format!("there is no field `{name}`"));
            };
            let place = value.span;
            let value = self.expr(value, frame, Want::of(&ty))?;
            values.push((name.clone(), self.coerce(value, &ty, place)?));
        }
        if let Some(rest) = rest {
            let own = Concrete::External(path.clone(), Vec::new());
            let rest = self.expr(rest, frame, Want::of(&own))?;
            let Value::Record(rest) = self.load(&rest) else {
                return stop(span, "the rest of this value is not a struct");
            };
            for (name, value) in rest.fields.iter() {
                if !values.iter().any(|(known, _)| known == name) {
                    values.push((name.clone(), value.clone()));
                }
            }
        }
        if values.len() != names.len() {
            return stop(span, "this value has a different number of fields");
        }
        let fields = Arc::new(values);
        Ok(Some(Value::Record(Record { of: path, fields })))
    }

    /// Returns the default of a struct; `None` if the path names none.
    pub(in crate::eval) fn record_default(&mut self, path: &str, span: Span) -> Run<Option<Value>> {
        let Some((_, names)) = struct_of(path) else {
            return Ok(None);
        };
        let mut fields = Vec::with_capacity(names.len());
        for name in names {
            let Some(ty) = field_type(name) else { continue };
            fields.push((Text::from(*name), self.default_of(&ty, span)?));
        }
        let (of, fields) = (path.into(), Arc::new(fields));
        Ok(Some(Value::Record(Record { of, fields })))
    }

    /// Calls a method of a struct: `object.metadata()` creates what is missing.
    pub(in crate::eval) fn record_method(
        &mut self,
        call: &Call<'_>,
        record: &Record,
        args: &[Value],
    ) -> Run {
        match record.name() {
            "Rule" => return self.rule_method(call, record, args),
            "SchemaSettings" => return self.settings_method(call, record, args),
            _ => {}
        }
        let group = matches!(
            call.name,
            "metadata" | "subschemas" | "number" | "string" | "array" | "object"
        );
        if !group || !args.is_empty() || call.via == Via::Shared || record.name() != "SchemaObject"
        {
            return call.unsupported(&Value::Record(record.clone()));
        }
        let field = call.place.part(PlaceElem::Field(call.name.into()));
        if let Some(Value::Option(None)) = self.at(&field)
            && let Some(Concrete::External(_, inner)) = field_type(call.name)
            && let Some(inner) = inner.first()
        {
            let made = self.default_of(inner, call.span)?;
            self.write(&field, Value::some(made), call.span)?;
        }
        Ok(Value::MutPlace(
            field.part(PlaceElem::Content).part(PlaceElem::Content),
        ))
    }

    /// Calls a method of a `Schema` that consists of these structs.
    pub(super) fn old_schema_method(
        &mut self,
        call: &Call<'_>,
        schema: &Value,
        args: &[Value],
    ) -> Run {
        let Value::Schema(inner) = schema else {
            return call.unsupported(schema);
        };
        match (call.name, &**inner, args) {
            ("into_object", Value::Record(_), []) => Ok(Value::clone(inner)),
            _ => call.unsupported(schema),
        }
    }

    /// Calls a method of a `SchemaObject` that is the schema of a type.
    pub(super) fn old_object_method(&mut self, call: &Call<'_>, args: &[Value]) -> Run {
        match (call.name, args) {
            ("metadata" | "subschemas" | "number" | "string" | "array" | "object", [])
                if call.via != Via::Shared =>
            {
                Ok(Value::MutPlace(call.place.clone()))
            }
            _ => stop(call.span, UNSEEN),
        }
    }

    /// Returns the place of a field of a type's schema; `None` for other values.
    pub(in crate::eval) fn keyword_place(
        &mut self,
        place: &MutPlace,
        field: &str,
    ) -> Option<MutPlace> {
        let is_schema = |value: &Value| match value {
            Value::Pending(pending) => matches!(**pending, Pending::Schema(_)),
            _ => false,
        };
        // `Schema::Object` contains it without the JSON around it.
        let place = match self.at(place)? {
            Value::Json(content) if is_schema(content) => place.part(PlaceElem::Content),
            value if is_schema(value) => place.clone(),
            _ => return None,
        };
        let ty = field_type(field)?;
        match keyword_of(field) {
            Keyword::Inline => Some(place.part(PlaceElem::Field(field.into()))),
            Keyword::Named(keyword) => {
                self.touch(&place, &keyword, Some(ty));
                Some(place.part(PlaceElem::Field(keyword)))
            }
        }
    }

    /// `object.metadata = Some(..)` on a type's schema: replaces all keywords of the group. Returns false if the place is not
    /// such a field.
    pub(in crate::eval) fn set_group(
        &mut self,
        place: &MutPlace,
        value: &Value,
        span: Span,
    ) -> Run<bool> {
        let Some((PlaceElem::Field(field), before)) = place.elements.split_last() else {
            return Ok(false);
        };
        let schema = MutPlace {
            elements: before.to_vec(),
            ..place.clone()
        };
        let is_schema = matches!(
            self.at(&schema),
            Some(Value::Pending(pending)) if matches!(**pending, Pending::Schema(_))
        );
        if !is_schema || !is_group(field) {
            return Ok(false);
        }
        let old = group_keywords(field);
        let new = match self.load(value) {
            Value::Option(None) => Vec::new(),
            Value::Option(Some(inner)) => match *inner {
                Value::Wrapped(Wrapper::Box, inner) => match *inner {
                    Value::Record(record) => record.entries(),
                    _ => return stop(span, UNSEEN),
                },
                _ => return stop(span, UNSEEN),
            },
            _ => return stop(span, UNSEEN),
        };
        let (Some(old), Some(Value::Pending(pending))) = (old, self.at_mut(&schema)) else {
            return stop(span, "the value that this changes is not known");
        };
        if let Pending::Schema(schema) = &mut **pending {
            for keyword in old {
                schema.set(&keyword, Value::Option(None));
            }
            for (keyword, value) in new {
                schema.set(&keyword, value);
            }
        }
        Ok(true)
    }

    /// `SingleOrVec::from(x)`; `None` if there is no such conversion.
    pub(in crate::eval) fn one_or_more(
        &mut self,
        value: Value,
        of: &Concrete,
        span: Span,
    ) -> Run<Option<Value>> {
        let fits = matches!(
            &value,
            Value::Seq(_) | Value::Schema(_) | Value::Named(..) | Value::Wrapped(Wrapper::Box, _)
        );
        if !fits {
            return Ok(None);
        }
        let value = match value {
            Value::Wrapped(Wrapper::Box, inner) => *inner,
            Value::Seq(_) => value,
            value => self.coerce(value, of, span)?,
        };
        let fields = Arc::new(vec![("0".into(), value)]);
        let of = "schemars::schema::SingleOrVec".into();
        Ok(Some(Value::Record(Record { of, fields })))
    }
}
