//! Types in, their attributes out.

mod findings;
mod facets;
mod forms;
mod oracle;
mod kube_oracle;
mod hostile;
mod ui;

use super::read_type;
use crate::tree::{Body, FieldDef, TypeDef};
use crd_channels_diagnostics::{FileId, Sink, Span};

/// A diagnostic: code, the text of its span, message, help.
type Found = (&'static str, String, String, String);

/// Reads the only type in a text.
fn read(source: &str) -> (TypeDef, Vec<Found>) {
    let input: syn::DeriveInput = syn::parse_str(source).unwrap();
    let (def, found) = read_input(input, source);
    (def.unwrap(), found)
}

/// Reads one type of a text.
fn read_input(input: syn::DeriveInput, source: &str) -> (Option<TypeDef>, Vec<Found>) {
    let mut sink = Sink::default();
    let derives = crate::derives::derives(&input.attrs);
    let derived = crate::derives::names(&derives);
    let def = read_type(input, Vec::new(), &derives, &derived, FileId(0), &mut sink);
    let found = sink
        .into_diagnostics()
        .into_iter()
        .map(|found| {
            let at = found
                .span
                .map(|span| slice(source, span))
                .unwrap_or_default();
            let help = found.help.unwrap_or_default();
            (found.code.record().id, at, found.message, help)
        })
        .collect();
    (def, found)
}

/// Reads a type without errors.
fn right(source: &str) -> TypeDef {
    let (def, found) = read(source);
    assert_eq!(found, [], "in {source}");
    def
}

/// The only field of a type without errors.
fn field(source: &str) -> FieldDef {
    let Body::Struct(_, fields) = right(source).body else {
        panic!("no struct: {source}");
    };
    let [field] = fields.try_into().unwrap();
    field
}

fn slice(source: &str, span: Span) -> String {
    source[span.start as usize..span.end as usize].to_owned()
}
