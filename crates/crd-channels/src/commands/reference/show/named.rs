//! Finds what is asked for by the names that people use.

use super::MOST_NAMED;
use crate::commands::diff::unread::Unread;
use crate::commands::list_names;
use crd_channels_diagnostics::nearest;
use crd_channels_reference::{FieldRow, KindPage, Release, VersionPage};
use crd_channels_schema::Crd;
use std::collections::BTreeMap;

/// Finds a kind by any name that kubectl takes, with the group if `rest` begins with it. Returns the name of its CRD, and the
/// path after both.
pub(super) fn kind_named<'r, 'p>(
    release: &'r Release,
    name: &str,
    rest: &'p str,
    channel: Option<&str>,
) -> Result<(&'r str, &'p str), Unread> {
    let channels = release.set.channels.iter();
    let asked = channels.filter(|(known, _)| channel.is_none_or(|channel| known.name() == channel));
    let crds: BTreeMap<&String, &Crd> = asked
        .flat_map(|(_, crds)| crds)
        .map(|(name, published)| (name, &published.written))
        .collect();
    let lower = name.to_lowercase();
    let is_it = |crd: &Crd| {
        let names = &crd.names;
        let plain = [&names.plural, &names.singular].into_iter();
        let mut plain = plain.chain(&names.short_names);
        names.kind.to_lowercase() == lower || plain.any(|name| **name == *lower)
    };
    let after = |crd: &Crd| match rest.strip_prefix(&*crd.group)? {
        "" => Some(""),
        path => path.strip_prefix('.'),
    };
    let found: Vec<_> = crds.iter().filter(|(_, crd)| is_it(crd)).collect();
    let mut of_group = found
        .iter()
        .filter_map(|(name, crd)| Some((name, after(crd)?)));
    if let Some((name, path)) = of_group.next() {
        return Ok((name, path));
    }
    match found.as_slice() {
        [(name, _)] => Ok((name, rest)),
        [] => {
            let mut kinds: Vec<&str> = crds.values().map(|crd| &*crd.names.kind).collect();
            kinds.sort_unstable();
            let channel = channel.map_or_else(String::new, |channel| {
                format!(" in the channel `{channel}`")
            });
            let lowered: Vec<String> = kinds.iter().map(|kind| kind.to_lowercase()).collect();
            let near = nearest(&lower, lowered.iter().map(String::as_str));
            let known = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None if kinds.is_empty() => "there are none".to_owned(),
                None => format!("there are {}", list_names(&kinds, MOST_NAMED)),
            };
            Err(format!("there is no kind `{name}`{channel}; {known}").into())
        }
        several => {
            let groups: Vec<&str> = several.iter().map(|(_, crd)| &*crd.group).collect();
            let example = groups.first().copied().unwrap_or_default();
            Err(format!(
                "several groups have a kind `{name}`: {}; name one, as in `{name}.{example}`",
                list_names(&groups, MOST_NAMED)
            )
            .into())
        }
    }
}

/// Finds a version, by default the first one that is served.
pub(super) fn version_named<'p>(
    kind: &'p KindPage,
    name: Option<&str>,
) -> Result<&'p VersionPage, Unread> {
    let is_served = |version: &&VersionPage| version.channels.iter().any(|there| there.served);
    let found = match name {
        Some(name) => kind.versions.iter().find(|version| version.name == name),
        None => kind
            .versions
            .iter()
            .find(is_served)
            .or(kind.versions.first()),
    };
    found.ok_or_else(|| {
        let known: Vec<&str> = kind.versions.iter().map(|version| &*version.name).collect();
        let name = name.unwrap_or_default();
        format!(
            "{} has no version `{name}`; it has {}",
            kind.kind,
            list_names(&known, MOST_NAMED)
        )
        .into()
    })
}

/// A path without the brackets of lists and maps.
pub(super) fn bare(path: &str) -> String {
    path.replace("[]", "").replace("{}", "")
}

/// Finds a field by its path, with or without the brackets of lists and maps.
pub(super) fn field_named<'p>(
    version: &'p VersionPage,
    path: &str,
) -> Result<&'p FieldRow, Unread> {
    let wanted = bare(path);
    let mut rows = version.fields.iter();
    let found = rows.find(|row| row.path == path).or_else(|| {
        let mut rows = version.fields.iter();
        rows.find(|row| !row.is_element && bare(&row.path) == wanted)
    });
    found.ok_or_else(|| {
        let known: Vec<String> = version.fields.iter().map(|row| bare(&row.path)).collect();
        let known = known
            .iter()
            .map(String::as_str)
            .filter(|path| !path.is_empty());
        let near = nearest(&wanted, known)
            .map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        format!("{} has no field `{path}`{near}", version.name).into()
    })
}
