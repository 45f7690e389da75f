//! Generators created by the program, which can be read if their schemas are those of kube's generator.

use super::pending::Pending;
use super::structs::Record;
use crate::eval::machine::{Machine, Run, Want, stop};
use crate::eval::std::Call;
use crate::eval::values::value::{MutPlace, Value, not_constant};
use crd_channels_diagnostics::Span;
use std::sync::Arc;

/// The settings that affect the schemas of types, with kube's values. Those for options belong to schemars 0.8.
const KUBE: [(&str, bool); 4] = [
    ("option_nullable", true),
    ("option_add_null_type", false),
    ("inline_subschemas", true),
    ("untagged_enum_variant_titles", false),
];

/// The settings without an effect.
const OTHERS: [&str; 2] = ["definitions_path", "meta_schema"];

/// `SchemaSettings::openapi3()`; `None` if the function does not return settings.
pub(super) fn settings_of(path: &str, function: &str, span: Span) -> Option<Value> {
    let openapi = match function {
        "openapi3" => true,
        "default" | "draft07" | "draft2019_09" | "draft2020_12" => false,
        _ => return None,
    };
    let mut fields = Vec::with_capacity(KUBE.len() + OTHERS.len());
    for (name, _) in KUBE {
        let is_on = match name {
            "option_nullable" => openapi,
            "option_add_null_type" => !openapi,
            _ => false,
        };
        fields.push((name.into(), Value::Bool(is_on)));
    }
    for name in OTHERS {
        let unknown = not_constant(span, format!("`{name}` of a generator is not evaluated"));
        fields.push((name.into(), Value::Unknown(unknown)));
    }
    Some(Value::Record(Record {
        of: path.into(),
        fields: Arc::new(fields),
    }))
}

/// Returns the generator with these settings.
pub(super) fn generator_with(settings: &Value, span: Span) -> Run {
    let Value::Record(settings) = settings else {
        return stop(span, "the settings of this generator are not known");
    };
    for (name, kubes) in KUBE {
        let known = settings.fields.iter().find(|(field, _)| &**field == name);
        if !matches!(known, Some((_, Value::Bool(is_on))) if *is_on == kubes) {
            return stop(
                span,
                format!("`{name}` of this generator is not `{kubes}`, as kube sets it"),
            );
        }
    }
    Ok(Pending::Generator.value())
}

impl Machine<'_> {
    /// Calls a method of settings.
    pub(super) fn settings_method(
        &mut self,
        call: &Call<'_>,
        settings: &Record,
        args: &[Value],
    ) -> Run {
        let settings = Value::Record(settings.clone());
        match (call.name, args) {
            ("with", [change]) => {
                let place = MutPlace::of(self.store(settings));
                let given = vec![Value::MutPlace(place.clone())];
                self.apply(change, given, Want::any(), call.span)?;
                Ok(self.load(&Value::MutPlace(place)))
            }
            // These visit only root schemas, which are not evaluated.
            ("with_visitor" | "with_transform", [_]) | ("for_deserialize", []) => Ok(settings),
            ("into_generator", []) => generator_with(&settings, call.span),
            _ => call.unsupported(&settings),
        }
    }
}
