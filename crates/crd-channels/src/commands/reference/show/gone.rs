//! Names that earlier releases or another channel have: what became of them.

use super::named::{bare, kind_named};
use crate::commands::diff::unread::Unread;
use crd_channels_reference::{Api, KindPage, Lives, Presence, VersionPage, status};

/// Says which release had a kind last.
pub(super) fn kind(api: &Api, name: &str) -> Option<Unread> {
    let mut releases = api.releases.iter().rev();
    let release = releases.find(|release| kind_named(release, name, "", None).is_ok())?;
    let known = &release.name;
    let last = api.releases.last().map(|last| &last.name);
    Some(match last == Some(known) {
        true => format!("the kind `{name}` is in another channel; leave `--channel` out").into(),
        false => format!("there is no kind `{name}` any more; the last release with it is {known}")
            .into(),
    })
}

/// Says what became of a field.
pub(super) fn field(
    kind: &KindPage,
    version: &VersionPage,
    path: &str,
    lives: &Lives,
) -> Option<Unread> {
    let wanted = bare(path);
    let mut places = lives.iter().filter(|(place, _)| {
        place.version == version.name && place.value.is_none() && bare(&place.path) == wanted
    });
    let (place, life) = places.next()?;
    let state = status(life)?;
    let version = &version.name;
    if life.last()?.presence != Presence::Removed {
        return Some(
            format!(
                "`{}` of {version} is in another channel: {state}",
                place.path
            )
            .into(),
        );
    }
    let mut reserved = kind.reserved.iter();
    let reserved = reserved.find(|one| match one.path.is_empty() {
        true => one.name == wanted,
        false => format!("{}.{}", bare(&one.path), one.name) == wanted,
    });
    let reason = reserved.map_or_else(String::new, |one| format!(": {}", one.reason));
    Some(
        format!(
            "{version} has no field `{}` any more: {state}{reason}",
            place.path
        )
        .into(),
    )
}
