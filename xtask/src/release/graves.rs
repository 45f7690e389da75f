//! What tombstones say, held against the bundles that were released: when a name went, and that it ever was.

use super::history::{History, Sets};
use crate::bundle::version::BundleVersion;
use crate::channel::config::Tombstones;
use crate::channel::{Grave, Kind, graves};
use crate::compat::Called;
use crate::diag::{Code, Diagnostic, Span};
use crate::released::manifest;
use std::collections::BTreeMap;

/// A tombstone of the working tree.
struct Stone {
    /// What it buries, as messages name it.
    what: String,
    removed: String,
    span: Span,
    /// Whether any released bundle had it.
    was: bool,
    /// Whether an earlier bundle has the same tombstone.
    is_old: bool,
}

/// Reports tombstones of a bundle that is neither released nor this one, and of names that never were. What an API buried
/// before its first bundle nobody can know, and what earlier bundles carry stays as it is.
#[must_use]
pub fn check(
    version: &BundleVersion,
    kinds: &[Kind],
    gone: &Tombstones,
    (history, sets): (&History, &Sets),
) -> Vec<Diagnostic> {
    let known = history.tombstones(version);
    let called = Called::of(sets.values());
    let oldest = history.bundles.keys().next();
    let mut faults = Vec::new();
    for stone in stones(kinds, gone, &known, &called) {
        let Ok(removed) = stone.removed.parse::<BundleVersion>() else {
            continue;
        };
        let is_older = removed < *oldest.unwrap_or(version);
        if stone.is_old || is_older {
            continue;
        }
        let this = version.as_final();
        let is_next = removed == this || (!version.is_final() && removed > this);
        if !is_next && !history.bundles.contains_key(&removed) {
            let message = format!(
                "the tombstone of {} names {removed}, which is neither released nor the bundle to be",
                stone.what
            );
            let help = format!(
                "write the bundle that the name is gone from, which is `removed = \"{this}\"` if it goes now"
            );
            faults.push(refused(&stone, message, help));
        } else if !stone.was && oldest.is_some() {
            let message = format!("no released bundle ever had {}", stone.what);
            let help = "remove the tombstone, or write the name as objects have it".to_owned();
            faults.push(refused(&stone, message, help));
        }
    }
    faults
}

fn refused(stone: &Stone, message: String, help: String) -> Diagnostic {
    Diagnostic::new(Code::ReleaseRefused, stone.span, message).with_help(help)
}

/// Every tombstone of the working tree but those of types in Rust, whose names no bundle has.
fn stones(
    kinds: &[Kind],
    gone: &Tombstones,
    known: &manifest::Tombstones,
    called: &Called<'_>,
) -> Vec<Stone> {
    let of_kinds = gone.kinds.iter().map(|grave| Stone {
        what: format!("the kind `{}`", grave.kind.value),
        removed: grave.removed.to_string(),
        span: grave.kind.span,
        was: called.has_kind(&grave.group, &grave.kind.value),
        is_old: known.kinds.iter().any(|old| {
            (&*old.group, &*old.kind, &*old.removed)
                == (&*grave.group, &*grave.kind.value, &*grave.removed)
        }),
    });
    let of_versions = gone.versions.iter().map(|grave| Stone {
        what: format!("the version `{}` of `{}`", grave.version.value, grave.kind),
        removed: grave.removed.to_string(),
        span: grave.version.span,
        was: called.has_version(&grave.group, &grave.kind, &grave.version.value),
        is_old: known.versions.iter().any(|old| {
            (&*old.group, &*old.kind, &*old.version, &*old.removed)
                == (
                    &*grave.group,
                    &*grave.kind,
                    &*grave.version.value,
                    &*grave.removed,
                )
        }),
    });
    // A type has its tombstones in each place that it is used in, also where it is used only now.
    let mut of_names: BTreeMap<Span, Stone> = BTreeMap::new();
    for Grave {
        group,
        kind,
        path,
        stone,
    } in graves(kinds)
    {
        let is_old = known.names.iter().any(|old| {
            (&*old.group, &*old.kind, &*old.path) == (&*group, &*kind, &*path)
                && (&*old.name, &*old.removed) == (&*stone.name, &*stone.removed)
        });
        let one = of_names.entry(stone.span).or_insert_with(|| Stone {
            what: format!("the name `{}`", stone.name),
            removed: stone.removed.to_string(),
            span: stone.span,
            was: called.has_name(&stone.name),
            is_old,
        });
        one.is_old |= is_old;
    }
    of_kinds
        .chain(of_versions)
        .chain(of_names.into_values())
        .collect()
}
