//! Features and channels: projects kinds for each channel, and checks that nothing depends on what a channel lacks.

pub mod config;
mod version;
mod kinds;
mod agree;
mod clashes;
mod interface_key;
pub mod walk;
mod gates;
mod gated;
mod bounds;
mod condition_lists;
mod tombstones;
mod reserved_names;
mod wire;
pub mod places;
mod syntax;
mod serving;
mod storage;
mod conversion;
mod deprecation;
mod stamp;
pub mod warning;
mod words;
mod settings;
mod closure;
mod project;
pub mod leaks;
pub mod pruned;
#[cfg(any(test, feature = "fixtures"))]
pub mod builders;
#[cfg(test)]
mod project_tests;

pub use bounds::{GatedBound, gate_of_field, gated_bounds};
pub use condition_lists::{ConditionList, DeclaredList, condition_lists, declared_lists};
pub use gated::{Gated, GatedItem, gated};
pub use interface_key::interface_key;
pub use kinds::{Kind, group};
pub use project::{Run, project, project_kind};
pub use reserved_names::{ReservedName, reserved_names};
pub use stamp::{Stamp, check_stamp, stamp, version};
pub use syntax::USED;
pub use version::{ApiVersion, Stability, is_less_stable, priority};
pub use words::{Declared, DeclaredType, Word, Words, all_declared, words};

use config::Config;
use crd_channels_diagnostics::{Code, Sink};
use std::collections::BTreeSet;

/// Checks everything that does not depend on the channel: settings shared by versions of a kind, names shared by kinds of a
/// group, gates, tombstones, expressions. Each finding is reported once.
///
/// After earlier errors, kinds and versions may be missing; findings that could then be wrong are not reported.
pub fn check(kinds: &[Kind], config: &Config, sink: &mut Sink) {
    let complete = !sink.has_errors();
    check_each(kinds, config, complete, sink);
    clashes::check(kinds, sink);
    if complete {
        gates::unused(kinds, &config.features, sink);
        settings::check(kinds, config, sink);
        deprecation::check_kinds(kinds, &config.channels, sink);
    }
}

/// Checks kinds whose source is CRDs. Servers say what is wrong in each of these; this is what only the bundle knows.
pub fn check_crds(kinds: &[Kind], config: &Config, complete: bool, sink: &mut Sink) {
    tombstones::check(kinds, &config.tombstones, sink);
    clashes::check(kinds, sink);
    if complete {
        gates::unused(kinds, &config.features, sink);
    }
}

/// The part of [`check`] that looks at each kind separately. Its findings about other kinds depend on
/// a kind only through its [`interface_key`].
pub fn check_each(kinds: &[Kind], config: &Config, complete: bool, sink: &mut Sink) {
    for kind in kinds {
        if !is_misread(kind, sink) {
            agree::check(kind, sink);
        }
        if complete {
            storage::check(kind, kinds, &config.channels, sink);
        }
        project::check_scale(kind, config.bundle.convention, sink);
        conversion::check(kind, &config.bundle.webhooks, sink);
        deprecation::check(kind, sink);
    }
    tombstones::check(kinds, &config.tombstones, sink);
    syntax::check(kinds, sink);
    gates::check(kinds, &config.features, sink);
}

/// Returns true if an attribute in one of the kind's files could not be read, so that the kind lacks its effect.
fn is_misread(kind: &Kind, sink: &Sink) -> bool {
    let files: BTreeSet<_> = kind.versions.iter().map(|draft| draft.span.file).collect();
    let mut errors = sink.diagnostics().iter().filter(|finding| {
        matches!(
            finding.code,
            Code::UnknownAttribute | Code::InvalidAttribute
        )
    });
    errors.any(|finding| finding.span.is_some_and(|span| files.contains(&span.file)))
}
