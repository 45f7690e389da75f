//! Enums that declare conditions, and enums of their reasons.

use super::gate_attr;
use super::reader::{Reader, text};
use crate::attrs::{ConditionAttr, Declaration, ReasonAttr, Spanned};
use crate::lower_syn::{span, ty};
use crd_channels_diagnostics::{FileId, Sink, Text};
use crd_channels_markers::{self as markers, Condition, Extent, Reason, Replaced};
use syn::DeriveInput;
use syn::ext::IdentExt;

/// What the derives `Conditions` and `Reasons` read, by the names of a type's derives.
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
        let read = markers::reasons(input, &mut errors);
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

fn condition(of: &Condition, all: &[Condition], reader: &Reader<'_>) -> ConditionAttr {
    let Condition {
        name,
        variant,
        polarity,
        optional,
        reasons,
        replaced,
        docs,
        gate,
    } = of;
    let replaced = replaced.as_ref().and_then(|Replaced { by, until }| {
        let by = by.value();
        let by = all.iter().find(|other| other.variant.unraw() == by)?;
        let until = Spanned {
            value: text(until),
            span: reader.place(Extent::of(until)),
        };
        Some((Text::from(by.name.as_str()), until))
    });
    ConditionAttr {
        name: name.as_str().into(),
        span: span(reader.file, variant.span()),
        polarity: *polarity,
        optional: *optional,
        reasons: ty(reader.file, reasons),
        replaced,
        docs: docs.as_str().into(),
        gate: gate.as_ref().map(|gate| gate_attr(gate, reader)),
    }
}

fn reason(of: &Reason, reader: &Reader<'_>) -> ReasonAttr {
    let Reason {
        name,
        variant: _,
        status,
        docs,
        gate,
    } = of;
    ReasonAttr {
        name: name.as_deref().map(Text::from),
        status: *status,
        docs: docs.as_str().into(),
        gate: gate.as_ref().map(|gate| gate_attr(gate, reader)),
    }
}
