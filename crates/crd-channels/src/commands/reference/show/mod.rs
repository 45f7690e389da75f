//! `show KIND[.PATH]`: prints what is known about a field, as `kubectl explain` does, without a cluster.

pub(crate) mod json;
mod gone;
mod named;

use super::releases;
use crate::commands::diff::unread::Unread;
use crate::commands::format::Format;
use crate::commands::{Outcome, list_names, say};
use crd_channels_reference::{
    Api, FieldRow, Lives, OTHERS, Place, Presence, Shown, Transition, UNRELEASED, VersionPage,
    change_in, is_of_above, kind_page, limited, lives, show, status,
};
use crd_channels_schema::path::leads_through;
use named::{field_named, kind_named, version_named};

pub(crate) use json::failed;

/// The maximum number of names in a message.
const MOST_NAMED: usize = 12;

/// The arguments of `show`.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The kind, by any of its names, perhaps its group, and the path of a field, as in `EdgeRoute.spec.rules`.
    pub place: String,
    /// The version; by default the first one that is served.
    pub version: Option<String>,
    /// The only channel to show.
    pub channel: Option<String>,
    /// Shows what changed after this release instead.
    pub since: Option<String>,
    /// The releases: none for the working tree and its bundles.
    pub from: Vec<String>,
    /// The format of the output.
    pub format: Format,
}

/// Prints the facts on stdout.
#[must_use]
pub fn run(request: &Request) -> Outcome {
    match shown(request) {
        Ok(text) => {
            println!("{}", text.trim_end());
            Outcome::Clean
        }
        Err(unread) => {
            report(&unread, request.format);
            unread.outcome
        }
    }
}

fn report(unread: &Unread, format: Format) {
    if format == Format::Human {
        say(&unread.findings, &unread.sources);
        error!("{}", unread.message);
        return;
    }
    let errors = unread.errors(|alone| alone);
    println!("{:#}", failed(&errors, &unread.sources));
}

fn shown(request: &Request) -> Result<String, Unread> {
    let api = releases::read(&request.from)?;
    let place = request.place.split_once('.');
    let (name, path) = place.unwrap_or((&request.place, ""));
    let nothing = || Unread::from("there are no CRDs".to_owned());
    let last = api.releases.last().ok_or_else(nothing)?;
    let (crd, path) = kind_named(last, name, path, request.channel.as_deref())
        .map_err(|unread| gone::kind(&api, name).unwrap_or(unread))?;
    let lives = lives(&api, crd);
    let mut kind = kind_page(&api, crd, &lives).ok_or_else(nothing)?;
    if let Some(channel) = &request.channel {
        kind.keep_channel(channel);
    }
    let kind = &kind;
    let version = version_named(kind, request.version.as_deref())?;
    let field = field_named(version, path)
        .map_err(|unread| gone::field(kind, version, path, &lives).unwrap_or(unread))?;
    let shown = Shown {
        kind,
        version,
        field,
    };
    let text = match (&request.since, request.format) {
        (None, Format::Human) => show(shown),
        (None, Format::Json) => {
            let rows = version.fields.iter();
            let inside = rows.filter(|row| leads_through(&row.path, &field.path));
            format!("{:#}", json::fields(shown, inside))
        }
        (Some(since), format) => {
            let is_whole = request.version.is_none() && path.is_empty();
            let channel = request.channel.as_deref();
            let changes = changes_after(&api, since, &lives, shown, (channel, is_whole))?;
            match format {
                Format::Human => changes_in_words(since, &version.name, &changes),
                Format::Json => format!("{:#}", json::changes(shown, &changes)),
            }
        }
    };
    Ok(text)
}

/// How releases have what is not in their stable channel.
const NOT_STABLE: [Presence; 2] = [Presence::Experimental, Presence::Removed];

/// A place whose state changed.
struct Changed<'l> {
    place: &'l Place,
    life: &'l [Transition],
    /// What happened to a field that got or lost its enum.
    limited: Option<&'static str>,
}

/// Returns what was added, changed its state or was removed after a release, in a place and below it. A place that changed
/// together with its parent is not listed. With a channel, only what its users notice is listed. With `is_whole`, all
/// versions are asked for.
fn changes_after<'l>(
    api: &Api,
    since: &str,
    lives: &'l Lives,
    shown: Shown<'_>,
    (channel, is_whole): (Option<&str>, bool),
) -> Result<Vec<Changed<'l>>, Unread> {
    let names: Vec<&str> = api.releases.iter().map(|release| &*release.name).collect();
    let Some(place) = names.iter().position(|name| *name == since) else {
        let known = list_names(&names, MOST_NAMED);
        return Err(format!("there is no release `{since}`; there are {known}").into());
    };
    let (before, after) = names.split_at(place + 1);
    // How the release named by `since` had something.
    let known = |life: &[Transition]| {
        let steps = life.iter().rev();
        let mut steps = steps.skip_while(|step| !before.contains(&&*step.release));
        steps.next().map(|step| step.presence)
    };
    let is_asked = |place: &Place| {
        let is_version = is_whole || place.version == shown.version.name;
        is_version && leads_through(&place.path, &shown.field.path)
    };
    let is_of_channel = |place: &Place, life: &[Transition]| {
        let mut versions = shown.kind.versions.iter();
        let version = versions.find(|version| version.name == place.version);
        let is_lost = match channel {
            // Its users lose what is only experimental now, and never had what was experimental before it was removed.
            Some("stable") => known(life).is_some_and(|it| !NOT_STABLE.contains(&it)),
            _ => life
                .last()
                .is_some_and(|last| last.presence == Presence::Removed),
        };
        is_lost || version.is_some_and(|version| has_row(version, place))
    };
    let changed = lives
        .iter()
        .filter(|(place, life)| is_asked(place) && is_of_channel(place, life))
        .filter_map(|(place, life)| {
            let step = change_in(life, after)?;
            let before = life.iter().rev().nth(1).map(|step| step.presence);
            let limited = match place.value.as_deref() {
                Some(OTHERS) => Some(limited(place, before, step, lives)?),
                _ if is_of_above(place, step, lives) => return None,
                _ => None,
            };
            Some(Changed {
                place,
                life,
                limited,
            })
        });
    Ok(changed.collect())
}

/// Whether the page has a place, which it has not if only another channel does.
fn has_row(version: &VersionPage, place: &Place) -> bool {
    let mut rows = version.fields.iter();
    rows.any(|row: &FieldRow| {
        let is_value = |value: &String| {
            value == OTHERS || row.values.iter().any(|known| known.value == *value)
        };
        row.path == place.path && place.value.as_ref().is_none_or(is_value)
    })
}

fn changes_in_words(since: &str, version: &str, changes: &[Changed<'_>]) -> String {
    let lines = changes.iter().filter_map(|changed| {
        let Place {
            version: own, path, ..
        } = changed.place;
        let path = match &**path {
            "" => own.clone(),
            path if own == version => path.to_owned(),
            path => format!("{own} {path}"),
        };
        let (value, state) = match (&changed.place.value, changed.limited) {
            (_, Some(limited)) => {
                let when = match &*changed.life.last()?.release {
                    UNRELEASED => ", not released yet".to_owned(),
                    release => format!(" in {release}"),
                };
                (String::new(), format!("{limited}{when}"))
            }
            (Some(value), None) => (format!(", value {value}"), status(changed.life)?),
            (None, None) => (String::new(), status(changed.life)?),
        };
        Some(format!("{path}{value}: {state}"))
    });
    let lines: Vec<String> = lines.collect();
    match lines.is_empty() {
        true => format!("nothing changed its state after {since}"),
        false => lines.join("\n"),
    }
}
