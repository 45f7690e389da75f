//! The pages about features and about what each release changed.

use super::put;
use super::text::{code, destination, escaped, words};
use crate::UNRELEASED;
use crate::anchor::{href, id};
use crate::api::{Bundle, Install};
use crate::features::{FeatureHistory, GatePlace};
use crate::life::status;
use crate::site::markdown::is_link;
use crate::survey::ReleaseChanges;
use crate::work::{Compared, Work};

pub(super) fn features_page(features: &[FeatureHistory]) -> String {
    let mut text = "# Features\n\nWhat is experimental is gated by features. A feature ends when what it gates becomes stable or is removed.\n".to_owned();
    for feature in features {
        let stage = match &feature.ended {
            Some(release) => format!("ended with {}", escaped(release)),
            None => "experimental".to_owned(),
        };
        put(
            &mut text,
            format_args!(
                "\n<a id=\"{}\"></a>\n\n## {}\n\n{}\n\n- {stage}\n",
                id(&feature.name, ""),
                escaped(&feature.name),
                escaped(&feature.summary)
            ),
        );
        if let Some(since) = &feature.since {
            put(&mut text, format_args!("- since {}\n", escaped(since)));
        }
        if let Some(owner) = &feature.owner {
            put(&mut text, format_args!("- owner: {}\n", escaped(owner)));
        }
        match &feature.link {
            Some(link) if is_link(link) => {
                put(
                    &mut text,
                    format_args!("- [{}]({})\n", escaped(link), destination(link)),
                );
            }
            Some(link) => put(&mut text, format_args!("- more: {}\n", code(link))),
            None => {}
        }
        let Some(gates) = &feature.gates else {
            text.push_str("- what it gates is not recorded\n");
            continue;
        };
        for gate in gates {
            let detail = match gate.detail.is_empty() {
                true => String::new(),
                false => format!(" {}", code(&gate.detail)),
            };
            let path = match gate.path.is_empty() {
                true => String::new(),
                false => format!(" {}", code(&gate.path)),
            };
            let without = match gate.without {
                true => " (only without the feature)",
                false => "",
            };
            put(
                &mut text,
                format_args!(
                    "- gates {}{detail}{path} in {} {}{without}",
                    escaped(&gate.what),
                    escaped(&gate.kind),
                    escaped(&gate.version)
                ),
            );
            for place in &gate.places {
                put(&mut text, format_args!("{}", gate_place(place)));
            }
            text.push('\n');
        }
    }
    text
}

fn gate_place(place: &GatePlace) -> String {
    let state = status(&place.life);
    let state = state.map(|state| escaped(&state));
    let mut text = match (&place.file, state) {
        (Some(file), state) => {
            let hash = place.id.as_ref().map_or_else(String::new, |id| href(id));
            let state = state.unwrap_or_else(|| "its page".to_owned());
            format!(": [{state}]({file}.md{hash})")
        }
        (None, Some(state)) => format!(": {state}"),
        (None, None) => String::new(),
    };
    if let Some(reason) = &place.reason {
        put(&mut text, format_args!(": {}", escaped(reason)));
    }
    text
}

fn add_lines(text: &mut String, heading: &str, work: &[Work]) {
    put(text, format_args!("\n### {heading}\n\n"));
    for one in work {
        let mut place = escaped(&one.kind);
        if !one.versions.is_empty() {
            put(
                &mut place,
                format_args!(" {}", escaped(&one.versions.join(", "))),
            );
        }
        if !one.path.is_empty() {
            put(&mut place, format_args!(" {}", code(&one.path)));
        }
        if !place.is_empty() {
            place.push_str(": ");
        }
        put(text, format_args!("- {place}{}", words(&one.message)));
        for (says, whom) in [("Breaks", &one.breaks), ("May break", &one.may_break)] {
            if !whom.is_empty() {
                put(text, format_args!(". {says} {}", whom.join(", ")));
            }
        }
        if let Some(only) = one.only {
            put(text, format_args!(" ({only} only)"));
        }
        text.push('\n');
    }
}

fn add_bundle(text: &mut String, bundle: &Bundle) {
    let kubernetes = escaped(&bundle.kubernetes);
    put(
        text,
        format_args!("\n- Kubernetes: {kubernetes} and newer\n"),
    );
    if let Some(digest) = &bundle.digest {
        put(text, format_args!("- Digest: {}\n", code(digest)));
    }
    if let Some(signer) = &bundle.signer {
        put(
            text,
            format_args!("- Signed by the key: {}\n", code(signer)),
        );
    }
    for Install { channel, command } in &bundle.install {
        put(
            text,
            format_args!("- Install {}: {}\n", escaped(channel), code(command)),
        );
    }
}

/// `is_oldest_known` says whether it is known since when the oldest release has what it has.
pub(super) fn changes_page(changes: &[ReleaseChanges], is_oldest_known: bool) -> String {
    let mut text = "# Changes\n\nWhat appeared, changed its channel, was deprecated or removed, release by release. What a new kind or version brings with it is not listed. For an update over several releases, read all that are newer than what you have.\n".to_owned();
    for (number, release) in changes.iter().enumerate() {
        let name = match &*release.release {
            UNRELEASED => "Not released yet".to_owned(),
            name => escaped(name),
        };
        put(&mut text, format_args!("\n## {name}\n"));
        if number + 1 == changes.len() && !is_oldest_known {
            text.push_str("\nThe oldest release that is known; what it has may be older.\n");
        }
        if let Some(bundle) = &release.bundle {
            add_bundle(&mut text, bundle);
        }
        let Compared {
            work,
            others,
            descriptions,
        } = &release.compared;
        let has_no_more = release.kinds.is_empty() && others.is_empty() && *descriptions == 0;
        match (work.is_empty(), has_no_more) {
            (false, _) => add_lines(&mut text, "What breaks, or may break", work),
            (true, true) => text.push_str("\nNothing changed.\n"),
            (true, false) if number + 1 < changes.len() => text.push_str("\nNothing breaks.\n"),
            (true, false) => {}
        }
        for kind in &release.kinds {
            let name = escaped(&kind.kind);
            let page = kind.file.as_ref().map(|file| format!("{file}.md"));
            let name = page
                .as_ref()
                .map_or(name.clone(), |page| format!("[{name}]({page})"));
            put(
                &mut text,
                format_args!("\n### {name} ({})\n\n", escaped(&kind.group)),
            );
            for change in &kind.changes {
                let path = match change.path.is_empty() {
                    true => change.version.clone(),
                    false => format!("{}.{}", change.version, change.path),
                };
                let path = match (&page, &change.id) {
                    (Some(page), Some(id)) => format!("[{}]({page}{})", code(&path), href(id)),
                    _ => code(&path),
                };
                let reason = change.reason.as_ref();
                let reason =
                    reason.map_or_else(String::new, |reason| format!(": {}", escaped(reason)));
                let value = change.value.as_ref();
                let value =
                    value.map_or_else(String::new, |value| format!(": value {}", code(value)));
                put(
                    &mut text,
                    format_args!("- {path}{value} {}{reason}\n", change.words),
                );
            }
        }
        if !others.is_empty() {
            add_lines(&mut text, "What else changed", others);
        }
        if *descriptions > 0 {
            let places = if *descriptions == 1 {
                "place"
            } else {
                "places"
            };
            put(
                &mut text,
                format_args!("\nDescriptions changed in {descriptions} {places}.\n"),
            );
        }
    }
    text
}
