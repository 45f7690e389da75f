//! Holes: parts that the source does not determine, and the texts that mark them in rendered schemas.

use crd_channels_diagnostics::{Code, Diagnostic, Span, Text};
use std::collections::HashMap;

/// Findings that compiling the types can resolve.
const TOLD_BY_COMPILING: [Code; 5] = [
    Code::MissingSchema,
    Code::NotConstant,
    Code::UnreadableSchema,
    Code::UnresolvedPath,
    Code::UnsupportedType,
];

/// The prefix of the text that marks a hole.
const MARK: &str = "crd-channels:hole:";

/// The part that is missing.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Missing {
    /// The schema of a type.
    Type,
    /// The schema of a field, including its attributes.
    Field,
    /// The default in the schema of a field.
    Default,
}

impl Missing {
    /// Every variant with its name.
    pub const ALL: [(&'static str, Missing); 3] = [
        ("type", Missing::Type),
        ("field", Missing::Field),
        ("default", Missing::Default),
    ];

    /// Returns its name.
    #[must_use]
    pub fn word(self) -> &'static str {
        let mut all = Self::ALL.into_iter();
        all.find(|(_, missing)| *missing == self)
            .map_or("", |(word, _)| word)
    }
}

/// A part that the source does not determine.
#[derive(Clone, Debug)]
pub struct Hole {
    /// The part that is missing.
    pub missing: Missing,
    /// The full path: `crate_name::module::Type`, for a field with `.field` appended.
    pub place: Text,
    /// The span in the source.
    pub span: Span,
    /// The reasons.
    pub findings: Vec<Diagnostic>,
    /// A gate on an attribute of the field, which the compiled types do not know.
    pub gate: Option<Span>,
}

/// Returns the text that marks a hole.
#[must_use]
pub fn mark(missing: Missing, place: &str) -> String {
    format!("{MARK}{}:{place}", missing.word())
}

/// Parses the text that marks a hole.
#[must_use]
pub fn marked(text: &str) -> Option<(Missing, &str)> {
    let (word, place) = text.strip_prefix(MARK)?.split_once(':')?;
    let (_, missing) = Missing::ALL.into_iter().find(|(known, _)| *known == word)?;
    Some((missing, place))
}

/// Returns true if compiling the types resolves a finding.
#[must_use]
pub fn is_found_by_compiling(finding: &Diagnostic) -> bool {
    finding.lint.is_none() && TOLD_BY_COMPILING.contains(&finding.code)
}

/// Returns true if a finding is a reason to compile. A type that cannot be found may be made by a macro; one without a schema has
/// none when it is compiled either.
#[must_use]
pub fn is_recordable(finding: &Diagnostic) -> bool {
    finding.code != Code::MissingSchema && is_found_by_compiling(finding)
}

/// The holes of one kind.
#[derive(Debug, Default)]
pub(super) struct Holes {
    /// Whether what is not recorded is marked instead of reported.
    pub(super) marking: bool,
    pub(super) found: Vec<Hole>,
    /// Why the default of a container is unknown, by container, until a field shows it.
    pub(super) containers: HashMap<Span, Vec<Diagnostic>>,
}
