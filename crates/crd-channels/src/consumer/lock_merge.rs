//! Merges two locks entry by entry. What belongs to one bundle is taken from one side as a whole, so that the result pins what
//! somebody pinned.

use super::lock::{self, Lock};
use super::pinned::Pinned;
use semver::VersionReq;
use std::collections::BTreeSet;

/// Returns the merged text, and whether it has no conflict; `None` if a side is not a lock whose entries are as `pin` wrote
/// them.
#[must_use]
pub fn merged(base: &str, ours: &str, theirs: &str) -> Option<(String, bool)> {
    let [base, ours, theirs] = [base, ours, theirs].map(whole);
    let (base, ours, theirs) = (base?, ours?, theirs?);
    let all = [&base, &ours, &theirs].into_iter();
    let names: BTreeSet<&str> = all
        .flat_map(|lock| lock.bundles.iter().map(|pinned| &*pinned.name))
        .collect();
    let (mut text, mut is_whole) = (lock::head(), true);
    let mut bundles = Vec::new();
    for name in names {
        match entry(base.get(name), ours.get(name), theirs.get(name)) {
            Ok(entry) => {
                text.extend(entry.iter().map(lock::entry));
                bundles.extend(entry);
            }
            Err([ours, theirs]) => {
                is_whole = false;
                let [ours, theirs] =
                    [ours, theirs].map(|side| side.map(lock::entry).unwrap_or_default());
                text.push_str(&conflict(&ours, &theirs));
            }
        }
    }
    // Both sides may have chosen the same folder for different bundles.
    let is_whole = is_whole && Lock { bundles }.check().is_ok();
    Some((text, is_whole))
}

/// Returns both sides of an entry between the markers of a conflict.
#[must_use]
pub fn conflict(ours: &str, theirs: &str) -> String {
    format!(
        "{} ours\n{}=======\n{}{} theirs\n",
        lock::OURS,
        ours.trim_start_matches('\n'),
        theirs.trim_start_matches('\n'),
        lock::THEIRS
    )
}

/// Parses a side; an absent one is empty.
fn whole(text: &str) -> Option<Lock> {
    if text.trim().is_empty() {
        return Some(Lock::default());
    }
    let lock = Lock::parse(text.as_bytes()).ok()?;
    let mut entries = lock.bundles.iter();
    entries
        .all(|pinned| pinned.is_sealed() == Some(true))
        .then_some(lock)
}

/// Merges an entry. If both sides changed it in ways that a person has to decide about, the error has both.
fn entry<'p>(
    base: Option<&'p Pinned>,
    ours: Option<&'p Pinned>,
    theirs: Option<&'p Pinned>,
) -> Result<Option<Pinned>, [Option<&'p Pinned>; 2]> {
    match changed(&base, &ours, &theirs) {
        Some(one) => Ok(one.cloned()),
        None => match (base, ours, theirs) {
            (Some(base), Some(ours), Some(theirs)) => both(base, ours, theirs).map(Some),
            _ => None,
        }
        .ok_or([ours, theirs]),
    }
}

/// Merges an entry that both sides changed: the bundle as a whole, and each of the user's decisions about it.
fn both(base: &Pinned, ours: &Pinned, theirs: &Pinned) -> Option<Pinned> {
    let bundle = changed(&facts(base), &facts(ours), &facts(theirs))?.clone();
    let merged = Pinned {
        requirement: changed(&base.requirement, &ours.requirement, &theirs.requirement)?.clone(),
        folder: changed(&base.folder, &ours.folder, &theirs.folder)?.clone(),
        with: changed(&base.with, &ours.with, &theirs.with)?.clone(),
        key: changed(&base.key, &ours.key, &theirs.key)?.clone(),
        ..bundle
    };
    let requirement = VersionReq::parse(&merged.requirement).ok()?;
    let fits = requirement.matches(merged.version.semantic());
    // Who signed the bundle was checked only on the side that has the key.
    let is_signed = merged.key == ours.key && facts(&merged) == facts(ours)
        || merged.key == theirs.key && facts(&merged) == facts(theirs);
    (fits && is_signed).then(|| merged.sealed())
}

/// Returns what an entry says of its bundle, which only fits together as a whole.
fn facts(pinned: &Pinned) -> Pinned {
    Pinned {
        requirement: String::new(),
        folder: String::new(),
        with: BTreeSet::new(),
        key: None,
        digest: None,
        ..pinned.clone()
    }
}

/// Returns the value of the side that changed it; `None` if both did, to different values.
fn changed<'v, T: PartialEq>(base: &'v T, ours: &'v T, theirs: &'v T) -> Option<&'v T> {
    if ours == theirs || theirs == base {
        Some(ours)
    } else if ours == base {
        Some(theirs)
    } else {
        None
    }
}
