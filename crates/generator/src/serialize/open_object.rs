//! Values that serde writes into an object that is already open: a flattened field, or the content of an internally tagged
//! variant. There it writes names of variants and options differently than elsewhere.

use crate::types::derives;
use crate::values::{Adt, Reading, Run, Value, stop};
use crd_channels_diagnostics::{Span, Text};
use crd_channels_schema::draft::Tagging;
use crd_channels_source::Derive;
use crd_channels_source::tree::{Body, FieldDef, Style, VariantDef};
use serde_json::{Map, Value as Json};

/// The method that serde calls for a value, if its JSON does not determine it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Form {
    /// The name of a variant without data.
    Name,
    /// An option.
    Option,
    /// Any other value.
    Other,
    /// A function that may call any method.
    Unknown,
}

/// Returns true if serde writes a variant as one without data.
pub(super) fn is_unit(variant: &VariantDef) -> bool {
    match (variant.style, &variant.fields[..]) {
        (Style::Unit, _) => true,
        (Style::Newtype, [only]) => only.attrs.serde.writing().skip_serializing,
        _ => false,
    }
}

impl Reading<'_> {
    /// Returns the method that serde calls for a value.
    pub(super) fn written_form(&mut self, value: &Value) -> Form {
        match value {
            Value::Option(_) => Form::Option,
            Value::Adt(adt) => self.written_form_of(adt),
            _ => Form::Other,
        }
    }

    fn written_form_of(&mut self, adt: &Adt) -> Form {
        if derives(&self.reader, &adt.of, Derive::SerializeRepr) {
            return Form::Other;
        }
        let def = &adt.of.ty.def;
        let serde = def.attrs.serde.writing();
        if !derives(&self.reader, &adt.of, Derive::Serialize) || serde.into.is_some() {
            return Form::Unknown;
        }
        match (&def.body, adt.variant) {
            (Body::Struct(_, fields), None) if serde.transparent => {
                let only = fields
                    .iter()
                    .find(|field| field.attrs.serde.writing().transparent);
                only.or_else(|| fields.first())
                    .map_or(Form::Other, |only| self.written_form_of_field(only, adt))
            }
            (Body::Struct(Style::Newtype, fields), None) => match &fields[..] {
                [only] => self.written_form_of_field(only, adt),
                _ => Form::Other,
            },
            (Body::Enum(variants), Some(index)) => match variants.get(index) {
                Some(variant) => self.written_form_of_variant(variant, &serde.tag, adt),
                None => Form::Other,
            },
            _ => Form::Other,
        }
    }

    fn written_form_of_variant(&mut self, variant: &VariantDef, tag: &Tagging, adt: &Adt) -> Form {
        let writing = &variant.attrs.writing;
        let untagged = writing.untagged || *tag == Tagging::Untagged;
        match (&variant.fields[..], writing.serialize_with.is_some()) {
            (_, true) if untagged => Form::Unknown,
            (_, true) => Form::Other,
            _ if is_unit(variant) && *tag == Tagging::External && !untagged => Form::Name,
            _ if is_unit(variant) => Form::Other,
            ([only], _) if untagged && variant.style == Style::Newtype => {
                self.written_form_of_field(only, adt)
            }
            _ => Form::Other,
        }
    }

    pub(super) fn written_form_of_field(&mut self, field: &FieldDef, adt: &Adt) -> Form {
        if field.attrs.serde.writing().serialize_with.is_some() {
            return Form::Unknown;
        }
        match adt.field(&field.name).cloned() {
            Some(value) => self.written_form(&value),
            None => Form::Unknown,
        }
    }
}

/// Adds a flattened value to an object.
pub(super) fn flatten(
    json: Json,
    form: Form,
    map: &mut Map<String, Json>,
    span: Span,
) -> Run<Result<(), Text>> {
    match (&json, form) {
        (Json::Null, _) => Ok(Ok(())),
        (Json::String(_), Form::Unknown) => unknown_form(span),
        _ => Ok(add(json, form, map, "the flattened value is not an object")),
    }
}

/// Adds the content of a variant to the object with its tag.
pub(super) fn tagged(
    json: Json,
    form: Form,
    map: &mut Map<String, Json>,
    span: Span,
) -> Run<Result<(), Text>> {
    match (&json, form) {
        (_, Form::Option) => Ok(Err("the tagged value is an option".into())),
        (Json::Null | Json::String(_), Form::Unknown) => unknown_form(span),
        (Json::Null, _) => Ok(Ok(())),
        _ => Ok(add(json, form, map, "the tagged value is not an object")),
    }
}

/// Adds the entries of an object, or the name of a variant without data.
fn add(json: Json, form: Form, map: &mut Map<String, Json>, refusal: &str) -> Result<(), Text> {
    match (json, form) {
        (Json::Object(inner), _) => map.extend(inner),
        (Json::String(name), Form::Name) => {
            map.insert(name, Json::Null);
        }
        _ => return Err(refusal.into()),
    }
    Ok(())
}

fn unknown_form<T>(span: Span) -> Run<T> {
    stop(
        span,
        "what serde writes for this value inside of an object is not known",
    )
}
