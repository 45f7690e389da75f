//! The JSON that serde writes for a value, by a derive or hand-written code.

use super::json_value::integer;
use super::open_object::{self, Form, is_unit};
use super::serde_with::{self, AS};
use crate::eval::machine::{Flow, Frame, Machine, Run, Want, stop};
use crate::eval::schemas::{Record, UNSEEN};
use crate::eval::traits::derives::derives;
use crate::eval::values::kinds::SeqKind;
use crate::eval::values::trait_key::TraitKey;
use crate::eval::values::ty::{Concrete, Scope};
use crate::eval::values::value::{Adt, Value, not_constant};
use crd_channels_diagnostics::{Span, Text};
use crd_channels_schema::draft::Tagging;
use crd_channels_source::Derive;
use crd_channels_source::tree::{Body, Expr, ExprKind, FieldDef, Style, Ty, TyKind};
use serde_json::{Map, Number, Value as Json};
use std::sync::Arc;

/// JSON, or why serde itself refuses to write it.
pub(crate) type Written = Result<Json, Text>;

impl Machine<'_> {
    /// Returns the JSON of a value.
    ///
    /// # Errors
    ///
    /// `not-constant` if it cannot be determined, or serde refuses.
    pub(crate) fn json(&mut self, value: &Value, span: Span) -> Run<Json> {
        match self.serialize_value(value, span)? {
            Ok(json) => Ok(json),
            Err(why) => stop(span, format!("serde cannot write this: {why}")),
        }
    }

    /// Returns the JSON of a value, or why serde refuses to write it.
    pub(crate) fn serialize_value(&mut self, value: &Value, span: Span) -> Run<Written> {
        let value = self.load(value);
        self.deeper(span, |machine| machine.write_value(&value, span))
    }

    fn write_value(&mut self, value: &Value, span: Span) -> Run<Written> {
        let no_json = || stop(span, format!("{} has no JSON", value.kind()));
        Ok(Ok(match value {
            Value::Unknown(finding) => return Err(finding.clone().into()),
            Value::Bool(value) => Json::Bool(*value),
            Value::Char(c) => Json::String(c.to_string()),
            Value::Int(int) => match int.with_default_type().and_then(|int| integer(int.value)) {
                Some(number) => Json::Number(number),
                None => return stop(span, format!("`{int}` does not fit into JSON")),
            },
            Value::Float(float) => {
                let wide = float.with_default_type().wide();
                Number::from_f64(wide).map_or(Json::Null, Json::Number)
            }
            Value::Str(text) | Value::String(text) => Json::String(text.to_string()),
            Value::Tuple(items) if items.is_empty() => Json::Null,
            Value::Tuple(items) => return self.write_list(items, span),
            Value::Option(None) => Json::Null,
            Value::Option(Some(inner)) => return self.serialize_value(inner, span),
            Value::Seq(seq) => {
                let unordered = matches!(seq.kind, SeqKind::Hashed | SeqKind::Heap);
                if unordered && seq.items.len() > 1 {
                    return stop(span, "the order of this set is not known");
                }
                return self.write_list(&seq.items, span);
            }
            Value::Map(map) => {
                let mut object = Map::new();
                for (key, value) in map.entries.iter() {
                    let key = match self.serialize_value(key, span)? {
                        Ok(Json::String(key)) => key,
                        Ok(other @ (Json::Number(_) | Json::Bool(_))) => other.to_string(),
                        Ok(_) => return Ok(Err("a map's key is not a string".into())),
                        Err(why) => return Ok(Err(why)),
                    };
                    match self.serialize_value(value, span)? {
                        Ok(json) => object.insert(key, json),
                        Err(why) => return Ok(Err(why)),
                    };
                }
                Json::Object(object)
            }
            Value::Adt(adt) => return self.write_adt(adt, value, span),
            Value::Wrapped(_, inner) => return self.serialize_value(inner, span),
            Value::Duration(duration) => serde_json::json!({
                "secs": duration.as_secs(),
                "nanos": duration.subsec_nanos(),
            }),
            Value::Ip(address, _) => Json::String(address.to_string()),
            Value::Socket(address) => Json::String(address.to_string()),
            Value::Json(content) => match super::json_value::concrete_json(content) {
                Some(json) => json,
                None => return stop(span, UNSEEN),
            },
            Value::Schema(inner) => return self.serialize_value(inner, span),
            Value::Record(record) => return self.write_record(record, span),
            Value::Pending(_) => return stop(span, UNSEEN),
            Value::Override(json) => json.clone(),
            Value::Named(path, json) if !path.ends_with("Error") => json.clone(),
            Value::Unit("std::marker::PhantomData") => Json::Null,
            Value::Range(Some(start), Some(end), _) => {
                let (start, end) = (
                    self.serialize_value(start, span)?,
                    self.serialize_value(end, span)?,
                );
                match (start, end) {
                    (Ok(start), Ok(end)) => serde_json::json!({ "start": start, "end": end }),
                    (Err(why), _) | (_, Err(why)) => return Ok(Err(why)),
                }
            }
            Value::Result(Ok(inner)) => match self.serialize_value(inner, span)? {
                Ok(json) => serde_json::json!({ "Ok": json }),
                Err(why) => return Ok(Err(why)),
            },
            _ => return no_json(),
        }))
    }

    fn write_record(&mut self, record: &Record, span: Span) -> Run<Written> {
        if let Some(only) = record.only() {
            return self.serialize_value(only, span);
        }
        let mut object = Map::new();
        for (keyword, value) in record.entries() {
            match self.serialize_value(&value, span)? {
                Ok(json) => object.insert(keyword.to_string(), json),
                Err(why) => return Ok(Err(why)),
            };
        }
        Ok(Ok(Json::Object(object)))
    }

    fn write_list(&mut self, items: &[Value], span: Span) -> Run<Written> {
        let mut values = Vec::with_capacity(items.len());
        for item in items {
            match self.serialize_value(item, span)? {
                Ok(json) => values.push(json),
                Err(why) => return Ok(Err(why)),
            }
        }
        Ok(Ok(Json::Array(values)))
    }

    fn write_adt(&mut self, adt: &Adt, whole: &Value, span: Span) -> Run<Written> {
        let def = &adt.of.ty.def;
        if derives(&self.reader, &adt.of, Derive::SerializeRepr) {
            let all = self.discriminants(&Arc::clone(&adt.of), span)?;
            let number = adt.variant.and_then(|index| all.get(index).copied());
            return match number.and_then(integer) {
                Some(number) => Ok(Ok(Json::Number(number))),
                None => stop(span, "this variant's number is not known"),
            };
        }
        if !derives(&self.reader, &adt.of, Derive::Serialize) {
            return self.write_by_hand(adt, whole, span);
        }
        let scope = Scope::of(&adt.of);
        if let Some(into) = &def.attrs.serde.writing().into {
            let into = self.reader.typed(into, &scope)?;
            let cloned = self.clone_of(whole, span)?;
            let made = self.converted(cloned, &into, span)?;
            return self.serialize_value(&made, span);
        }
        match (&def.body, adt.variant) {
            (Body::Struct(style, fields), None) => {
                self.write_struct(adt, *style, fields, &scope, span)
            }
            (Body::Enum(_), Some(index)) => self.write_variant(adt, index, &scope, span),
            _ => stop(span, "this value has no JSON"),
        }
    }

    fn write_struct(
        &mut self,
        adt: &Adt,
        style: Style,
        fields: &[FieldDef],
        scope: &Scope,
        span: Span,
    ) -> Run<Written> {
        let serde = adt.of.ty.def.attrs.serde.writing();
        if serde.transparent {
            let only = fields
                .iter()
                .find(|field| field.attrs.serde.writing().transparent);
            return match only.or_else(|| fields.first()) {
                Some(only) => self.write_field(only, adt, scope, span),
                None => Ok(Ok(Json::Null)),
            };
        }
        match (style, fields) {
            (Style::Unit, _) => Ok(Ok(Json::Null)),
            (Style::Named, fields) => {
                let mut map = Map::new();
                if let Tagging::Internal { tag } = &serde.tag {
                    map.insert(tag.to_string(), Json::String(serde.name.to_string()));
                }
                let done = self.write_fields(fields, adt, scope, span, &mut map)?;
                Ok(done.map(|()| Json::Object(map)))
            }
            (Style::Newtype, [only]) => self.write_field(only, adt, scope, span),
            (Style::Newtype | Style::Tuple, fields) => self.write_items(fields, adt, scope, span),
        }
    }

    fn write_items(
        &mut self,
        fields: &[FieldDef],
        adt: &Adt,
        scope: &Scope,
        span: Span,
    ) -> Run<Written> {
        let mut items = Vec::with_capacity(fields.len());
        for field in fields {
            let serde = field.attrs.serde.writing();
            if serde.skip_serializing {
                continue;
            }
            if self.is_skipped(field, adt, scope, span)? {
                continue;
            }
            match self.write_field(field, adt, scope, span)? {
                Ok(json) => items.push(json),
                Err(why) => return Ok(Err(why)),
            }
        }
        Ok(Ok(Json::Array(items)))
    }

    fn is_skipped(&mut self, def: &FieldDef, adt: &Adt, scope: &Scope, span: Span) -> Run<bool> {
        match (
            &def.attrs.serde.writing().skip_serializing_if,
            adt.field(&def.name),
        ) {
            (Some(function), Some(value)) => {
                let value = value.clone();
                self.predicate(function, scope, &value, span)
            }
            _ => Ok(false),
        }
    }

    /// Calls a predicate on a value: `skip_serializing_if = ".."`.
    pub(crate) fn predicate(
        &mut self,
        function: &Expr,
        scope: &Scope,
        value: &Value,
        span: Span,
    ) -> Run<bool> {
        if let Value::Unknown(finding) = value {
            return Err(finding.clone().into());
        }
        let mut frame = Frame::new(scope.clone());
        let function = self.expr(function, &mut frame, Want::any())?;
        self.asks(&function, vec![Value::reference(value.clone())], span)
    }

    fn write_fields(
        &mut self,
        fields: &[FieldDef],
        adt: &Adt,
        scope: &Scope,
        span: Span,
        map: &mut Map<String, Json>,
    ) -> Run<Result<(), Text>> {
        for def in fields {
            let serde = def.attrs.serde.writing();
            if serde.skip_serializing || self.is_skipped(def, adt, scope, span)? {
                continue;
            }
            let value = match self.write_field(def, adt, scope, span)? {
                Ok(value) => value,
                Err(why) => return Ok(Err(why)),
            };
            if serde.flatten {
                let form = self.written_form_of_field(def, adt);
                if let Err(why) = open_object::flatten(value, form, map, span)? {
                    return Ok(Err(why));
                }
            } else {
                let name = serde.serialize_name.as_ref().unwrap_or(&serde.name);
                map.insert(name.to_string(), value);
            }
        }
        Ok(Ok(()))
    }

    fn write_field(
        &mut self,
        def: &FieldDef,
        adt: &Adt,
        scope: &Scope,
        span: Span,
    ) -> Run<Written> {
        let Some(value) = adt.field(&def.name).cloned() else {
            return stop(
                span,
                format!("the field `{}` cannot be evaluated", def.name),
            );
        };
        match &def.attrs.serde.writing().serialize_with {
            Some(function) => {
                let ty = self.reader.typed(&def.ty, scope);
                self.written_with(function, scope, (&value, ty.ok().as_ref()), span)
            }
            None => self.serialize_value(&value, span),
        }
    }

    /// Returns what a function writes for a value whose type may be known: `serialize_with = ".."`.
    pub(crate) fn written_with(
        &mut self,
        by: &Expr,
        scope: &Scope,
        (value, ty): (&Value, Option<&Concrete>),
        span: Span,
    ) -> Run<Written> {
        if let Value::Unknown(finding) = value {
            return Err(finding.clone().into());
        }
        if let Some(adapter) = self.adapter_of(by, scope) {
            let plain = match self.serialize_value(value, span)? {
                Ok(plain) => plain,
                Err(why) => return Ok(Err(why)),
            };
            let written = ty.and_then(|ty| serde_with::serialized_by(&plain, ty, &adapter));
            return match written {
                Some(json) => Ok(Ok(json)),
                None => stop(
                    by.span,
                    format!("how `{adapter}` writes this value is not known"),
                ),
            };
        }
        self.written_through(by, scope, vec![Value::reference(value.clone())], span)
    }

    /// Returns what a function writes, given these values and a serializer.
    fn written_through(
        &mut self,
        by: &Expr,
        scope: &Scope,
        mut args: Vec<Value>,
        span: Span,
    ) -> Run<Written> {
        let mut frame = Frame::new(scope.clone());
        let function = self.expr(by, &mut frame, Want::any())?;
        args.push(Value::Serializer);
        match self.apply(&function, args, Want::any(), by.span) {
            Ok(done) => self.outcome(done, span),
            Err(Flow::Stop(finding)) => {
                let why = format!(
                    "how this function writes a value cannot be evaluated: {}",
                    finding.message
                );
                stop(by.span, why)
            }
            Err(flow) => Err(flow),
        }
    }

    /// Returns the adapter that `serde_as` uses for a field: `serde_with::As::<Adapter>::serialize`.
    fn adapter_of(&self, function: &Expr, scope: &Scope) -> Option<Concrete> {
        let ExprKind::Path(path) = &function.kind else {
            return None;
        };
        let mut owner = path.clone();
        owner.segments.pop()?;
        if owner.segments.is_empty() {
            return None;
        }
        let owner = Ty {
            span: owner.span,
            kind: TyKind::Path(owner),
        };
        match self.reader.concrete(&owner, scope).ok()? {
            Concrete::External(path, args) if &*path == AS => args.into_iter().next(),
            _ => None,
        }
    }

    /// Returns the result of a function that serializes.
    fn outcome(&mut self, done: Value, span: Span) -> Run<Written> {
        match done {
            Value::Result(Ok(json)) => match *json {
                Value::Json(content) => match super::json_value::concrete_json(&content) {
                    Some(json) => Ok(Ok(json)),
                    None => stop(span, UNSEEN),
                },
                other => stop(
                    span,
                    format!("{} is not the result of a serializer", other.kind()),
                ),
            },
            Value::Result(Err(error)) => match *error {
                Value::Unknown(finding) => Err(finding.into()),
                _ => Ok(Err("its own function returns an error".into())),
            },
            other => stop(
                span,
                format!("{} is not the result of a serializer", other.kind()),
            ),
        }
    }

    fn write_by_hand(&mut self, adt: &Adt, whole: &Value, span: Span) -> Run<Written> {
        let own = Concrete::Def(Arc::clone(&adt.of));
        let of = TraitKey::Known("serde::Serialize".into());
        let blocks = self.reader.trait_blocks(&own, &of, adt.of.ty.module);
        let [block] = &blocks[..] else {
            let name = &adt.of.ty.def.name;
            let finding = not_constant(span, format!("how `{name}` is serialized is not known"));
            let label = "it does not derive `Serialize`";
            let finding = Box::new(finding.with_label(adt.of.ty.def.span, label));
            return Err(Flow::Stop(finding));
        };
        let args = vec![Value::reference(whole.clone()), Value::Serializer];
        let done = self.call_block(block, "serialize", args, Want::any(), span)?;
        self.outcome(done, span)
    }

    fn write_variant(
        &mut self,
        adt: &Adt,
        index: usize,
        scope: &Scope,
        span: Span,
    ) -> Run<Written> {
        let def = &adt.of.ty.def;
        let Body::Enum(variants) = &def.body else {
            return stop(span, "this variant is not known");
        };
        let Some(variant) = variants.get(index) else {
            return stop(span, "this variant is not known");
        };
        let writing = &variant.attrs.writing;
        if writing.skip {
            let why = format!("the variant `{}` is never written", variant.name);
            return Ok(Err(why.into()));
        }
        let name = || Json::String(writing.name.to_string());
        let content = match (variant.style, &variant.fields[..], &writing.serialize_with) {
            (_, fields, Some(by)) => {
                let values = fields.iter().map(|field| adt.field(&field.name).cloned());
                let Some(values) = values.collect::<Option<Vec<Value>>>() else {
                    return stop(span, "a field of this variant cannot be evaluated");
                };
                let values = values.into_iter().map(Value::reference).collect();
                match self.written_through(by, scope, values, span)? {
                    Ok(json) => Some(json),
                    Err(why) => return Ok(Err(why)),
                }
            }
            (Style::Unit, ..) => None,
            _ if is_unit(variant) => None,
            (Style::Newtype, [only], None) => match self.write_field(only, adt, scope, span)? {
                Ok(json) => Some(json),
                Err(why) => return Ok(Err(why)),
            },
            (Style::Named, fields, None) => {
                let mut map = Map::new();
                if let Err(why) = self.write_fields(fields, adt, scope, span, &mut map)? {
                    return Ok(Err(why));
                }
                Some(Json::Object(map))
            }
            (Style::Newtype | Style::Tuple, fields, None) => {
                match self.write_items(fields, adt, scope, span)? {
                    Ok(json) => Some(json),
                    Err(why) => return Ok(Err(why)),
                }
            }
        };
        let mut map = Map::new();
        let tag = if writing.untagged {
            &Tagging::Untagged
        } else {
            &def.attrs.serde.writing().tag
        };
        match tag {
            Tagging::Untagged => return Ok(Ok(content.unwrap_or(Json::Null))),
            Tagging::External => match content {
                None => return Ok(Ok(name())),
                Some(content) => {
                    map.insert(writing.name.to_string(), content);
                }
            },
            Tagging::Internal { tag } => {
                map.insert(tag.to_string(), name());
                if let Some(content) = content {
                    let form = match (variant.style, &variant.fields[..]) {
                        _ if writing.serialize_with.is_some() => Form::Unknown,
                        (Style::Newtype, [only]) => self.written_form_of_field(only, adt),
                        _ => Form::Other,
                    };
                    if let Err(why) = open_object::tagged(content, form, &mut map, span)? {
                        return Ok(Err(why));
                    }
                }
            }
            Tagging::Adjacent { tag, content: key } => {
                map.insert(tag.to_string(), name());
                if let Some(content) = content {
                    map.insert(key.to_string(), content);
                }
            }
        }
        Ok(Ok(Json::Object(map)))
    }
}
