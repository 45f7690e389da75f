//! The life of a version over all releases, as a picture.

use crate::anchor::visible;
use crd_channels_released::history::{Presence, Transition};
use minijinja::HtmlEscape;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The least width of a release, in times the size of letters.
const WIDTH: usize = 5;

/// Draws a life as SVG: a column for each release, a bar for each presence. Widths are percentages, so that letters keep their
/// size where the picture is scaled. `None` if there is nothing to compare.
#[must_use]
pub fn timeline(version: &str, life: &[Transition], releases: &[&str]) -> Option<String> {
    if releases.len() < 2 {
        return None;
    }
    let numbers: BTreeMap<&str, usize> = releases
        .iter()
        .enumerate()
        .map(|(number, name)| (*name, number))
        .collect();
    // What is recorded of releases before the first one was so when that came.
    let number = |step: &Transition| numbers.get(&*step.release).copied().unwrap_or_default();
    let starts: BTreeMap<usize, Presence> = life
        .iter()
        .map(|step| (number(step), step.presence))
        .collect();
    let starts: Vec<(usize, Presence)> = starts.into_iter().collect();
    let percent = |number: usize| {
        let thousandths = number * 100_000 / releases.len();
        format!("{}.{:03}%", thousandths / 1000, thousandths % 1000)
    };
    let words: Vec<String> = life
        .iter()
        .map(|step| visible(&step.to_string()).into_owned())
        .collect();
    let mut svg = format!(
        "<svg class=\"timeline\" role=\"img\" width=\"100%\" height=\"52\" style=\"min-width:{}em\" aria-label=\"{}\">",
        releases.len() * WIDTH,
        HtmlEscape(&format!("{}: {}", visible(version), words.join(", ")))
    );
    // Writing into a string cannot fail.
    for (number, (start, presence)) in starts.iter().enumerate() {
        let end = starts.get(number + 1).map_or(releases.len(), |next| next.0);
        if *presence == Presence::Removed {
            continue;
        }
        let _ = write!(
            svg,
            "<rect class=\"p-{presence}\" x=\"{}\" y=\"2\" width=\"{}\" height=\"22\" rx=\"3\"/><text class=\"p-{presence}\" x=\"{}\" dx=\"6\" y=\"17\">{presence}</text>",
            percent(*start),
            percent(end - start),
            percent(*start),
        );
    }
    for (number, release) in releases.iter().enumerate() {
        let _ = write!(
            svg,
            "<line x1=\"{0}\" x2=\"{0}\" y1=\"26\" y2=\"32\"/><text x=\"{0}\" dx=\"2\" y=\"46\">{1}</text>",
            percent(number),
            HtmlEscape(&shortened(release)),
        );
    }
    svg.push_str("</svg>");
    Some(svg)
}

/// The name of a release as it fits into its column.
fn shortened(release: &str) -> String {
    let release = visible(release);
    match release.char_indices().nth(11) {
        Some((end, _)) => format!("{}…", release.split_at(end).0),
        None => release.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_begin_and_end_with_releases() {
        let step = |release: &str, presence| Transition {
            release: release.to_owned(),
            presence,
        };
        let life = [
            step("v2", Presence::Experimental),
            step("v3", Presence::Stable),
        ];
        let svg = timeline("v1", &life, &["v1", "v2", "v3", "v<4"]).unwrap_or_default();
        for expected in [
            "aria-label=\"v1: experimental since v2, stable since v3\"",
            "<rect class=\"p-experimental\" x=\"25.000%\" y=\"2\" width=\"25.000%\"",
            "<rect class=\"p-stable\" x=\"50.000%\" y=\"2\" width=\"50.000%\"",
            ">v&lt;4</text>",
        ] {
            assert!(svg.contains(expected), "{expected}\n{svg}");
        }
        assert_eq!(timeline("v1", &life, &["v2"]), None);
    }
}
