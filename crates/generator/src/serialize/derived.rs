//! The JSON that `derive(Serialize)` writes for a value.

use crate::types::{Scope, derives};
use crate::values::{Adt, Reading, Run, Value, integer, stop};
use crd_channels_diagnostics::{Code, Diagnostic, Span, Text};
use crd_channels_schema::draft::{Gate, Tagging};
use crd_channels_source::Derive;
use crd_channels_source::tree::{Body, Expr, FieldDef, Style, VariantDef};
use serde_json::{Map, Number, Value as Json};

/// JSON, or why serde itself refuses to write it.
pub(crate) type Written = Result<Json, Text>;

impl Reading<'_> {
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

    /// Does the same for a place whose schema does not know the parts of the value.
    ///
    /// # Errors
    ///
    /// `gated-value` if one of them is not in every channel; those of [`Reading::json`].
    pub(crate) fn untyped_json(&mut self, value: &Value, span: Span) -> Run<Json> {
        let before = std::mem::replace(&mut self.untyped, true);
        let json = self.json(value, span);
        self.untyped = before;
        json
    }

    fn check_gate(&self, gate: Option<&Gate>, span: Span) -> Run<()> {
        let Some(gate) = gate.filter(|_| self.untyped) else {
            return Ok(());
        };
        let message = "this JSON has a part that is not in every channel";
        let finding = Diagnostic::new(Code::GatedValue, span, message);
        Err(Box::new(
            finding
                .with_label(gate.span, "this gate")
                .with_help("write JSON that has only what every channel has, as literals"),
        ))
    }

    /// Returns the JSON of a value, or why serde refuses to write it.
    pub(crate) fn serialize_value(&mut self, value: &Value, span: Span) -> Run<Written> {
        self.deeper(span, |reading| reading.write_value(value, span))
    }

    fn write_value(&mut self, value: &Value, span: Span) -> Run<Written> {
        Ok(Ok(match value {
            Value::Unknown(finding) => return Err(finding.clone()),
            Value::Unit | Value::Option(None) => Json::Null,
            Value::Bool(value) => Json::Bool(*value),
            Value::Char(c) => Json::String(c.to_string()),
            Value::Int(int) => match integer(*int) {
                Some(number) => Json::Number(number),
                None => return stop(span, format!("`{int}` does not fit into JSON")),
            },
            Value::Float(float) => Number::from_f64(*float).map_or(Json::Null, Json::Number),
            Value::Text(text) => Json::String(text.to_string()),
            Value::Option(Some(inner)) => return self.serialize_value(inner, span),
            Value::List(items) => {
                let items = items.iter().map(|item| self.serialize_value(item, span));
                let items: Result<_, Text> = items.collect::<Run<_>>()?;
                return Ok(items.map(Json::Array));
            }
            Value::Map(entries) => {
                let entries = entries.iter().map(|(key, value)| {
                    let json = self.serialize_value(value, span)?;
                    Ok(json.map(|json| (key.to_string(), json)))
                });
                let object: Result<_, Text> = entries.collect::<Run<_>>()?;
                return Ok(object.map(Json::Object));
            }
            Value::Adt(adt) => return self.write_adt(adt, span),
            Value::Json(json) | Value::Override(json) => json.clone(),
        }))
    }

    fn write_adt(&mut self, adt: &Adt, span: Span) -> Run<Written> {
        let def = &adt.of.ty.def;
        let variant = match (&def.body, adt.variant) {
            (Body::Enum(variants), Some(index)) => variants.get(index),
            _ => None,
        };
        self.check_gate(def.attrs.gate.as_ref(), span)?;
        self.check_gate(variant.and_then(|it| it.attrs.gate.as_ref()), span)?;
        if derives(&self.reader, &adt.of, Derive::SerializeRepr) {
            let all = self.discriminants(&adt.of)?;
            let number = adt.variant.and_then(|index| all.get(index).copied());
            return match number.and_then(integer) {
                Some(number) => Ok(Ok(Json::Number(number))),
                None => stop(span, "this variant's number is not known"),
            };
        }
        let serde = def.attrs.serde.writing();
        if serde.remote || !derives(&self.reader, &adt.of, Derive::Serialize) {
            return self.write_by_hand(adt, span);
        }
        let scope = Scope::of_definition(&adt.of);
        if let Some(into) = &serde.into {
            return stop(into.span, "what this type is converted into is not read");
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
            return match transparent_field(fields) {
                Some(only) => self.write_field(only, adt, span),
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
            (Style::Newtype, [only]) => self.write_field(only, adt, span),
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
            if serde.skip_serializing || self.is_skipped(field, adt, scope, span)? {
                continue;
            }
            match self.write_field(field, adt, span)? {
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
            (Some(function), Some(value)) => self.predicate(function, scope, value, span),
            _ => Ok(false),
        }
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
            let value = match self.write_field(def, adt, span)? {
                Ok(value) => value,
                Err(why) => return Ok(Err(why)),
            };
            if serde.flatten {
                match (value, adt.field(&def.name)) {
                    (Json::Null, Some(Value::Option(None))) => {}
                    // Structs, maps and variants with data alike are written entry by entry.
                    (Json::Object(entries), _) => map.extend(entries),
                    _ => return stop(span, "how serde flattens this value is not read"),
                }
            } else {
                let name = serde.serialize_name.as_ref().unwrap_or(&serde.name);
                map.insert(name.to_string(), value);
            }
        }
        Ok(Ok(()))
    }

    fn write_field(&mut self, def: &FieldDef, adt: &Adt, span: Span) -> Run<Written> {
        let Some(value) = adt.field(&def.name) else {
            return stop(span, format!("the field `{}` has no value", def.name));
        };
        self.check_gate(def.attrs.gate.as_ref(), span)?;
        self.write_value_of(def, value, span)
    }

    /// Writes a value of a field. The functions that `serialize_with` names are not run.
    pub(crate) fn write_value_of(
        &mut self,
        def: &FieldDef,
        value: &Value,
        span: Span,
    ) -> Run<Written> {
        match &def.attrs.serde.writing().serialize_with {
            Some(function) => written_by(function),
            None => self.serialize_value(value, span),
        }
    }

    /// Returns true if serde writes the entries of a value, whose JSON is an object, one by one as the content of an internally
    /// tagged variant. It writes other values differently there.
    fn is_object(&self, value: &Value) -> bool {
        match value {
            Value::Map(_) | Value::Json(_) | Value::Override(_) => true,
            Value::Adt(adt) => {
                let def = &adt.of.ty.def;
                matches!(def.body, Body::Struct(Style::Named, _))
                    && !def.attrs.serde.writing().transparent
            }
            _ => false,
        }
    }

    /// Writes a variant of an enum, as its tag demands.
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
            (_, _, Some(by)) => return written_by(by),
            (Style::Unit, ..) => Ok(None),
            _ if is_unit(variant) => Ok(None),
            (Style::Newtype, [only], None) => self.write_field(only, adt, span)?.map(Some),
            (Style::Named, fields, None) => {
                let mut map = Map::new();
                let done = self.write_fields(fields, adt, scope, span, &mut map)?;
                done.map(|()| Some(Json::Object(map)))
            }
            (Style::Newtype | Style::Tuple, fields, None) => {
                self.write_items(fields, adt, scope, span)?.map(Some)
            }
        };
        let content = match content {
            Ok(content) => content,
            Err(why) => return Ok(Err(why)),
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
                let is_object = variant.style == Style::Named
                    || matches!(&adt.fields[..], [(_, only)] if self.is_object(only));
                match content {
                    None => {}
                    Some(Json::Object(entries)) if is_object => map.extend(entries),
                    Some(_) => return stop(span, "how serde tags this value is not read"),
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

/// Returns true if serde writes a variant as one without data.
fn is_unit(variant: &VariantDef) -> bool {
    match (variant.style, &variant.fields[..]) {
        (Style::Unit, _) => true,
        (Style::Newtype, [only]) => only.attrs.serde.writing().skip_serializing,
        _ => false,
    }
}

/// Returns the field of a transparent struct that is written.
fn transparent_field(fields: &[FieldDef]) -> Option<&FieldDef> {
    let mut marked = fields.iter();
    let marked = marked.find(|field| field.attrs.serde.writing().transparent);
    marked.or_else(|| fields.first())
}

/// What a function writes: it is not run.
fn written_by<T>(by: &Expr) -> Run<T> {
    stop(by.span, "what this function writes is not read")
}
