//! Enums that declare conditions, and enums of their reasons.

use super::gate_of;
use super::reader::{Reader, text_of};
use crate::attrs::Declaration;
use crate::lower_syn::{span, ty};
use crate::tree::Ty;
use crd_channels_diagnostics::{FileId, Sink, Text};
use crd_channels_markers::{self as markers, Extent};
use crd_channels_schema::marks::{Condition, Reason, Replaced};
use syn::DeriveInput;
use syn::ext::IdentExt;

/// The declaration of an enum that derives `Conditions` or `Reasons`, by the names of its derives.
pub(super) fn declaration(
    input: &DeriveInput,
    derived: &[String],
    file: FileId,
) -> Option<Declaration> {
    let has = |name: &str| derived.iter().any(|of| of == name);
    let mut sink = Sink::default();
    let mut reader = Reader {
        file,
        sink: &mut sink,
    };
    let mut errors = Vec::new();
    let read = if has("Conditions") {
        let types = markers::conditions(input, &mut errors).types;
        let read = types.iter().map(|of| condition(of, &types, &reader));
        Declaration::Conditions(read.collect())
    } else if has("Reasons") {
        let read = markers::reasons(input, &mut errors).all;
        Declaration::Reasons(read.iter().map(|of| reason(of, &reader)).collect())
    } else {
        return None;
    };
    reader.report(errors);
    match sink.diagnostics().is_empty() {
        true => Some(read),
        false => Some(Declaration::Wrong(sink.into_diagnostics())),
    }
}

fn condition(
    of: &markers::Condition,
    all: &[markers::Condition],
    reader: &Reader<'_>,
) -> Condition<Ty> {
    let markers::Condition {
        name,
        variant,
        polarity,
        optional,
        reasons,
        replaced,
        docs,
        gate,
    } = of;
    let replaced = replaced
        .as_ref()
        .and_then(|markers::Replaced { by, until }| {
            let by = by.value();
            let by = all.iter().find(|other| other.variant.unraw() == by)?;
            Some(Replaced {
                by: Text::from(by.name.as_str()),
                until: text_of(until),
                span: reader.place(Extent::of(until)),
            })
        });
    Condition {
        name: name.as_str().into(),
        span: span(reader.file, variant.span()),
        polarity: *polarity,
        optional: *optional,
        reasons: ty(reader.file, reasons),
        replaced,
        docs: docs.as_str().into(),
        gates: gate.iter().map(|gate| gate_of(gate, reader)).collect(),
    }
}

fn reason(of: &markers::Reason, reader: &Reader<'_>) -> Reason {
    let markers::Reason {
        name,
        variant,
        status,
        docs,
        gate,
    } = of;
    Reason {
        name: name.as_deref().map(Text::from),
        span: span(reader.file, variant.span()),
        status: *status,
        docs: docs.as_str().into(),
        gates: gate.iter().map(|gate| gate_of(gate, reader)).collect(),
    }
}
