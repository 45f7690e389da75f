//! `#[reason]`: an enum whose variants are the reasons of a condition, each with its status.

use crate::check::reason_word;
use crate::declared::{Declaration, attribute, declaration, entry, path, variants, wrong};
use crate::error::{Error, Extent};
use crate::node::{self, Gate};
use syn::{DeriveInput, Fields, Ident, Path, Variant};

/// The status of a condition.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Status {
    /// The condition holds.
    True,
    /// The condition does not hold.
    False,
    /// The controller cannot determine it.
    Unknown,
}

impl Status {
    /// Every status.
    pub const ALL: [Self; 3] = [Self::True, Self::False, Self::Unknown];

    /// The serialized status.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::True => "True",
            Self::False => "False",
            Self::Unknown => "Unknown",
        }
    }
}

/// A reason.
#[derive(Clone)]
pub struct Reason {
    /// The serialized word; `None` if it is computed from a code.
    pub name: Option<String>,
    /// The variant.
    pub variant: Ident,
    /// The condition's status with this reason.
    pub status: Status,
    /// The doc comment, lines joined.
    pub docs: String,
    /// The gate on it.
    pub gate: Option<Gate>,
}

/// An enum of reasons.
#[derive(Clone, Default)]
pub struct Reasons {
    /// `crate = path`: the runtime.
    pub runtime: Option<Path>,
    /// The reasons that are declared without errors, in source order.
    pub all: Vec<Reason>,
}

/// Reads an enum of reasons. Invalid variants are reported and left out.
pub fn reasons(input: &DeriveInput, errors: &mut Vec<Error>) -> Reasons {
    let Some(variants) = variants(input, "Reasons", errors) else {
        return Reasons::default();
    };
    let on_enum = attribute(&input.attrs, "reasons", node::type_site(input), errors);
    let mut found: Vec<Reason> = Vec::new();
    for variant in variants {
        let Some(reason) = reason(variant, errors) else {
            continue;
        };
        let same = |known: &Reason| known.name == reason.name && known.status == reason.status;
        let twice = reason.name.as_ref().filter(|_| found.iter().any(same));
        if let Some(name) = twice {
            let status = reason.status.name();
            let message = format!("two variants have the reason `{name}` for `{status}`");
            wrong(errors, Extent::of(&variant.ident), message, "keep one");
        } else {
            found.push(reason);
        }
    }
    Reasons {
        runtime: on_enum.and_then(|found| path(&found, "crate")),
        all: found,
    }
}

fn reason(variant: &Variant, errors: &mut Vec<Error>) -> Option<Reason> {
    let before = errors.len();
    let ident = &variant.ident;
    let found = declaration(variant, "reason", "reason(True)", errors);
    let found = found.filter(|found| found.is_whole)?;
    let status = status(&found, ident, errors);
    let code = entry(&found.entries, "code");
    let holds = match (&variant.fields, code) {
        (Fields::Unit, None) => None,
        (Fields::Unnamed(fields), Some(_)) if fields.unnamed.len() == 1 => None,
        (_, None) => Some(("holds nothing", format!("write `{ident}`, or add `code`"))),
        (_, Some(_)) => Some(("holds its code", format!("write `{ident}(String)`"))),
    };
    if let Some((holds, help)) = holds {
        let message = format!("the reason `{ident}` {holds}");
        wrong(errors, Extent::of(ident), message, help);
    }
    let name = match (code, entry(&found.entries, "name")) {
        (Some(_), Some(name)) => {
            let message = "the reason is built from the code";
            wrong(errors, name.extent(), message, "remove `name`");
            None
        }
        (Some(_), None) => None,
        (None, _) => {
            let (name, at) = found.name(ident);
            if let Err((message, help)) = reason_word(&name) {
                wrong(errors, at, message, help);
            }
            Some(name)
        }
    };
    (errors.len() == before).then_some(Reason {
        name,
        variant: ident.clone(),
        status: status?,
        docs: found.docs,
        gate: found.gate,
    })
}

fn status(found: &Declaration, ident: &Ident, errors: &mut Vec<Error>) -> Option<Status> {
    let all = Status::ALL.into_iter();
    let all = all.filter_map(|status| Some((status, entry(&found.entries, status.name())?)));
    let all: Vec<_> = all.collect();
    match &all[..] {
        [(status, _)] => Some(*status),
        [] => {
            let message = format!("`{ident}` has no status");
            let help = "write `#[reason(True)]`, `#[reason(False)]` or `#[reason(Unknown)]`";
            wrong(errors, Extent::of(ident), message, help);
            None
        }
        [.., (_, last)] => {
            let message = format!("`{ident}` has several statuses");
            let help = "keep one; another variant may have the same `name = \"..\"`";
            wrong(errors, last.extent(), message, help);
            None
        }
    }
}
