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
    /// A hand-written `Serialize`, which may call any method.
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

/// Returns the field of a transparent struct that is written.
pub(super) fn transparent_field(fields: &[FieldDef]) -> Option<&FieldDef> {
    let marked = fields
        .iter()
        .find(|field| field.attrs.serde.writing().transparent);
    marked.or_else(|| fields.first())
}

/// The forms of values that have been written: what is not read, such as `serialize_with`, has been refused by then.
impl Reading<'_> {
    /// Returns the method that serde calls for a value.
    pub(super) fn written_form(&self, value: &Value) -> Form {
        match value {
            Value::Option(_) => Form::Option,
            Value::Adt(adt) => self.written_form_of(adt),
            _ => Form::Other,
        }
    }

    fn written_form_of(&self, adt: &Adt) -> Form {
        if derives(&self.reader, &adt.of, Derive::SerializeRepr) {
            return Form::Other;
        }
        let def = &adt.of.ty.def;
        let serde = def.attrs.serde.writing();
        if !derives(&self.reader, &adt.of, Derive::Serialize) {
            return Form::Unknown;
        }
        match (&def.body, adt.variant) {
            (Body::Struct(_, fields), None) if serde.transparent => {
                let only = transparent_field(fields);
                only.map_or(Form::Other, |only| self.written_form_of_field(only, adt))
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

    fn written_form_of_variant(&self, variant: &VariantDef, tag: &Tagging, adt: &Adt) -> Form {
        let writing = &variant.attrs.writing;
        let untagged = writing.untagged || *tag == Tagging::Untagged;
        match &variant.fields[..] {
            _ if is_unit(variant) && *tag == Tagging::External && !untagged => Form::Name,
            _ if is_unit(variant) => Form::Other,
            [only] if untagged && variant.style == Style::Newtype => {
                self.written_form_of_field(only, adt)
            }
            _ => Form::Other,
        }
    }

    pub(super) fn written_form_of_field(&self, field: &FieldDef, adt: &Adt) -> Form {
        let value = adt.field(&field.name);
        value.map_or(Form::Unknown, |value| self.written_form(value))
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
