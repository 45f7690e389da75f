//! A place that source cannot tell, and the text by which it is found again in what is rendered.

use crd_channels_diagnostics::{Code, Diagnostic, Span, Text};
use crd_channels_source::TypeRef;
use std::collections::HashMap;

/// Findings that the compiled program can answer.
const TOLD_BY_COMPILING: [Code; 5] = [
    Code::MissingSchema,
    Code::NotConstant,
    Code::UnreadableSchema,
    Code::UnresolvedPath,
    Code::UnsupportedType,
];

/// What begins the text that stands in a hole.
const MARK: &str = "crd-channels:hole:";

/// What source cannot tell.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Missing {
    /// The schema of a type.
    Type,
    /// The schema of a field, with all that its attributes say.
    Field,
    /// The default that the schema of a field shows.
    Default,
}

impl Missing {
    /// Every one, by the word for it.
    pub const ALL: [(&'static str, Missing); 3] = [
        ("type", Missing::Type),
        ("field", Missing::Field),
        ("default", Missing::Default),
    ];

    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        let mut all = Self::ALL.into_iter();
        all.find(|(_, missing)| *missing == self)
            .map_or("", |(word, _)| word)
    }
}

/// A place that source cannot tell.
#[derive(Clone, Debug)]
pub(crate) struct Hole {
    /// What is missing.
    pub missing: Missing,
    /// The full path: `crate_name::module::Type`, `.field` behind it.
    pub place: Text,
    /// Where it is.
    pub span: Span,
    /// Why.
    pub findings: Vec<Diagnostic>,
    /// A gate inside it, which the compiled types know nothing of.
    pub gate: Option<Span>,
    /// The type that it is in, or is; none for a type known by name.
    pub owner: Option<TypeRef>,
}

/// What stands in a hole.
#[must_use]
pub fn mark(missing: Missing, place: &str) -> String {
    format!("{MARK}{}:{place}", missing.word())
}

/// The hole that a text stands in.
#[must_use]
pub fn marked(text: &str) -> Option<(Missing, &str)> {
    let (word, place) = text.strip_prefix(MARK)?.split_once(':')?;
    let (_, missing) = Missing::ALL.into_iter().find(|(known, _)| *known == word)?;
    Some((missing, place))
}

/// Whether compiling the types answers a finding.
#[must_use]
pub fn is_told_by_compiling(finding: &Diagnostic) -> bool {
    finding.lint.is_none() && TOLD_BY_COMPILING.contains(&finding.code)
}

/// The holes of one kind.
#[derive(Debug, Default)]
pub(super) struct Holes {
    pub(super) found: Vec<Hole>,
    /// Why the default of a container is not known, by the container.
    pub(super) containers: HashMap<Span, Vec<Diagnostic>>,
}
