//! What can still be read from a lock that is not one: with conflict markers, merged line by line, or edited.

use super::lock::{self, OURS, THEIRS, has_conflict};
use super::origin::{Origin, Place};
use super::pinned::Pinned;
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::{Table, Value};

/// Between the markers of a conflict: the end of our side, and with `merge.conflictStyle`, that of the ancestor.
const BETWEEN: &str = "=======";
const BASE: &str = "|||||||";

/// One `[[bundle]]` of a lock.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its lines.
    pub text: String,
    /// The entry, if its lines are one; it need not be as `pin` wrote it.
    pub entry: Option<Pinned>,
    /// What its lines say, under one name. A key that is there twice, since both sides of a merge were kept, makes a second claim.
    pub claims: Vec<Claim>,
}

/// What an entry says of the bundle that is wanted.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Claim {
    /// [`Pinned::name`]
    pub name: String,
    /// [`Pinned::prefix`]
    pub prefix: Option<String>,
    /// [`Pinned::version`]
    pub version: Option<String>,
    /// [`Pinned::channel`]
    pub channel: Option<String>,
    /// [`Pinned::requirement`]
    pub requirement: Option<String>,
    /// [`Pinned::folder`]
    pub folder: Option<String>,
    /// The names of [`Pinned::with`]
    pub with: Option<Vec<String>>,
    /// [`Pinned::key`]
    pub key: Option<String>,
    /// [`Pinned::source`]
    pub source: Option<Origin>,
}

/// An entry alone.
#[derive(Deserialize)]
struct Alone {
    bundle: Vec<Pinned>,
}

impl Part {
    /// Returns the entry if it is as `pin` wrote it.
    #[must_use]
    pub fn whole(&self) -> Option<&Pinned> {
        let entry = self.entry.as_ref();
        entry.filter(|entry| entry.is_sealed() == Some(true))
    }
}

/// Returns the entries of a lock that can be read.
#[must_use]
pub fn of_entries(bundles: &[Pinned]) -> Vec<Part> {
    let parts = bundles.iter().map(|pinned| Part {
        text: lock::entry(pinned),
        entry: Some(pinned.clone()),
        claims: vec![Claim::of_pinned(pinned)],
    });
    parts.collect()
}

/// Returns the parts of any text: with conflict markers, those of both sides.
#[must_use]
pub fn of_text(text: &str) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for side in sides(text) {
        let mut texts: Vec<String> = Vec::new();
        for line in side.lines() {
            if line.trim() == "[[bundle]]" {
                texts.push("\n".to_owned());
            }
            if let Some(text) = texts.last_mut() {
                text.push_str(line);
                text.push('\n');
            }
        }
        for text in texts.iter().flat_map(|text| of_one_name(text)) {
            let part = part(text);
            if parts
                .iter()
                .all(|known| known.text.trim() != part.text.trim())
            {
                parts.push(part);
            }
        }
    }
    parts
}

/// Returns both sides of a text with conflict markers; without them, the text.
#[must_use]
pub fn sides(text: &str) -> Vec<String> {
    if !has_conflict(text) {
        return vec![text.to_owned()];
    }
    let (mut ours, mut theirs) = (String::new(), String::new());
    let (mut in_ours, mut in_theirs) = (true, true);
    for line in text.lines() {
        let is = |marker: &str| line.starts_with(marker);
        (in_ours, in_theirs) = match () {
            () if is(OURS) => (true, false),
            () if is(BASE) => (false, false),
            () if is(BETWEEN) => (false, true),
            () if is(THEIRS) => (true, true),
            () => {
                for (side, is_in) in [(&mut ours, in_ours), (&mut theirs, in_theirs)] {
                    if is_in {
                        side.push_str(line);
                        side.push('\n');
                    }
                }
                continue;
            }
        };
    }
    vec![ours, theirs]
}

fn part(text: String) -> Part {
    let alone = toml::from_str::<Alone>(&text).ok();
    let entry = alone.and_then(|alone| alone.bundle.into_iter().next());
    let claims = match &entry {
        Some(entry) => vec![Claim::of_pinned(entry)],
        None => claims(&text),
    };
    Part {
        text,
        entry,
        claims,
    }
}

/// A line of an entry with a key. `pin` writes one in each.
struct Line<'t> {
    text: &'t str,
    section: &'static str,
    key: String,
    value: Value,
}

/// The lines of an entry by their section and key. Several lines under one key are alternatives.
type Groups<'l> = BTreeMap<(&'static str, &'l str), Vec<&'l Line<'l>>>;

const TOP: &str = "";
const SOURCE: &str = "source";
const FILES: &str = "files";
/// The key of [`Groups`] for all lines that name a place.
const PLACE: &str = "place";
const OF_SOURCE: [&str; 5] = ["path", "revision", "tag", "commit", "digest"];

/// Reads the lines of entries one by one.
fn keys(text: &str) -> Vec<Line<'_>> {
    let mut section = TOP;
    let mut lines = Vec::new();
    for text in text.lines() {
        if text.trim().starts_with('[') {
            section = match text.trim() {
                "[bundle.source]" => SOURCE,
                "[bundle.files]" => FILES,
                _ => TOP,
            };
            continue;
        }
        let table: Table = text.trim().parse().unwrap_or_default();
        for (key, value) in table {
            // A merge takes one header for two entries, so lines of the second follow in the middle of the first.
            let is_inside = match section {
                FILES => key.contains('/'),
                SOURCE => Place::KEYS.contains(&&*key) || OF_SOURCE.contains(&&*key),
                _ => true,
            };
            if !is_inside {
                section = TOP;
            }
            lines.push(Line {
                text,
                section,
                key,
                value,
            });
        }
    }
    lines
}

fn groups<'l>(lines: impl IntoIterator<Item = &'l Line<'l>>) -> Groups<'l> {
    let mut groups = Groups::new();
    for line in lines {
        let is_place = line.section == SOURCE && Place::KEYS.contains(&&*line.key);
        let key = if is_place { PLACE } else { &line.key };
        groups.entry((line.section, key)).or_default().push(line);
    }
    groups
}

/// Returns an entry as one text for each of its names. Where one whole entry follows the other, each has its lines. Where they
/// are mixed, each has those of all, its own first if there are as many as names: which are its own is not known.
fn of_one_name(text: &str) -> Vec<String> {
    let lines = keys(text);
    let mut entries: Vec<Vec<&Line<'_>>> = Vec::new();
    let mut has_ended = true;
    for line in &lines {
        if line.key == "name" && std::mem::take(&mut has_ended) {
            entries.push(Vec::new());
        }
        has_ended |= line.section == FILES;
        if let Some(entry) = entries.last_mut() {
            entry.push(line);
        }
    }
    let names = |entry: &[&Line<'_>]| {
        let mut names: Vec<String> = Vec::new();
        for line in entry.iter().filter(|line| line.key == "name") {
            let name = line.value.as_str().unwrap_or_default().to_owned();
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    };
    match entries.as_slice() {
        [] => return vec![text.to_owned()],
        [only] if names(only).len() < 2 => return vec![text.to_owned()],
        _ => {}
    }
    let texts = entries.iter().flat_map(|entry| {
        let (names, groups) = (names(entry), groups(entry.iter().copied()));
        let count = names.len();
        let write = |(index, name): (usize, &String)| written(&groups, name, index, count);
        names.iter().enumerate().map(write).collect::<Vec<_>>()
    });
    texts.collect()
}

/// Writes the lines of mixed entries for one of their names, the one with this index.
fn written(groups: &Groups<'_>, name: &str, index: usize, count: usize) -> String {
    let mut text = format!("\n[[bundle]]\nname = {}\n", lock::quoted(name));
    for section in [TOP, SOURCE, FILES] {
        if section != TOP {
            text.push_str(&format!("\n[bundle.{section}]\n"));
        }
        let of_section = groups.iter().filter(|((of, _), _)| *of == section);
        for (_, lines) in of_section.filter(|(key, _)| **key != (TOP, "name")) {
            let mut lines = lines.clone();
            if lines.len() == count && section != FILES {
                lines.swap(0, index);
            }
            for line in lines {
                text.push_str(line.text);
                text.push('\n');
            }
        }
    }
    text
}

/// Reads the lines of an entry one by one, which belong to one name.
fn claims(text: &str) -> Vec<Claim> {
    let lines = keys(text);
    let groups = groups(&lines);
    let alternatives = groups.iter().filter(|((section, _), _)| *section != FILES);
    let most = alternatives.map(|(_, lines)| lines.len()).max();
    let most = most.unwrap_or_default();
    let mut claims = Vec::new();
    for index in 0..most {
        let of = |section, key| {
            let all = groups.get(&(section, key))?;
            all.get(index).or(all.last()).copied()
        };
        let text = |key| Some(of(TOP, key)?.value.as_str()?.to_owned());
        let source = of(SOURCE, PLACE).and_then(|place| {
            let others = OF_SOURCE.into_iter().filter_map(|key| of(SOURCE, key));
            let source = [place].into_iter().chain(others);
            let source = source.map(|line| (line.key.clone(), line.value.clone()));
            source.collect::<Table>().try_into::<Origin>().ok()
        });
        let with = of(TOP, "with").and_then(|line| line.value.as_array());
        let with = with.map(|with| {
            let names = with.iter().filter_map(Value::as_str);
            names.map(str::to_owned).collect()
        });
        let claim = Claim {
            name: text("name").unwrap_or_default(),
            prefix: text("prefix"),
            version: text("version"),
            channel: text("channel"),
            requirement: text("requirement"),
            folder: text("folder"),
            with,
            key: text("key"),
            source: source.map(Origin::followed),
        };
        if !claim.name.is_empty() && !claims.contains(&claim) {
            claims.push(claim);
        }
    }
    claims
}

impl Claim {
    fn of_pinned(pinned: &Pinned) -> Self {
        let with = pinned.with.iter().map(|part| part.name().to_owned());
        Self {
            name: pinned.name.clone(),
            prefix: Some(pinned.prefix.clone()).filter(|prefix| !prefix.is_empty()),
            version: Some(pinned.version.to_string()),
            channel: Some(pinned.channel.clone()),
            requirement: Some(pinned.requirement.clone()),
            folder: Some(pinned.folder.clone()),
            with: Some(with.collect()),
            key: pinned.key.clone(),
            source: Some(pinned.source.clone().followed()),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::indexing_slicing, reason = "tests")]

    use super::of_text;

    const LOCK: &str = "format = 3
<<<<<<< HEAD
[[bundle]]
name = \"a\"
version = \"v0.1.0\"
=======
[[bundle]]
name = \"a\"
version = \"v0.2.0\"
>>>>>>> theirs
channel = \"stable\"

[bundle.source]
folder = \"api\"
commit = \"1\"
";

    #[test]
    fn both_sides_of_a_conflict_are_read() {
        let parts = of_text(LOCK);
        let said = |at: usize| {
            let [claim] = parts[at].claims.as_slice() else {
                return Default::default();
            };
            let source = claim
                .source
                .as_ref()
                .map(|source| source.display_name().to_owned());
            (claim.version.clone(), claim.channel.clone(), source)
        };
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(parts.len(), 2);
        assert_eq!(said(0), (text("v0.1.0"), text("stable"), text("api")));
        assert_eq!(said(1), (text("v0.2.0"), text("stable"), text("api")));
    }

    #[test]
    fn lines_of_both_sides_make_two_claims() {
        let kept = |line: &&str| !["<<", "==", ">>"].iter().any(|mark| line.starts_with(mark));
        let lines: Vec<&str> = LOCK.lines().filter(kept).collect();
        let parts = of_text(&lines.join("\n"));
        // The first has no channel.
        assert_eq!(parts.len(), 2);
        let union = LOCK.replace("=======\n[[bundle]]\nname = \"a\"\n", "=======\n");
        let lines: Vec<&str> = union.lines().filter(kept).collect();
        let parts = of_text(&lines.join("\n"));
        let versions: Vec<_> = parts[0]
            .claims
            .iter()
            .map(|claim| claim.version.as_deref())
            .collect();
        assert_eq!(versions, [Some("v0.1.0"), Some("v0.2.0")]);
    }

    /// An entry as `pin` writes it.
    fn entry(name: &str, version: &str, place: &str) -> String {
        format!(
            "name = \"{name}\"\nversion = \"{version}\"\nchannel = \"stable\"\nprefix = \"{name}\"\nfolder = \"crds-{name}\"\n\n\
             [bundle.source]\n{place}\n\n[bundle.files]\n\"stable/crds/{name}_x.yaml\" = \"sha256:0\"\n"
        )
    }

    fn said(text: &str) -> Vec<(String, Vec<(String, String)>)> {
        let parts = of_text(&format!("format = 3\n\n[[bundle]]\n{text}"));
        let of = |part: super::Part| {
            let name = part.claims.first().map(|claim| claim.name.clone());
            let claims = part.claims.into_iter().map(|claim| {
                let source = claim.source.map(|source| source.argument());
                (
                    claim.version.unwrap_or_default(),
                    source.unwrap_or_default(),
                )
            });
            (name.unwrap_or_default(), claims.collect())
        };
        parts.into_iter().map(of).collect()
    }

    #[test]
    fn two_entries_under_one_header_are_two() {
        let [a, b] = [
            ("a", "v0.1.0", "folder = \"x\""),
            ("b", "v0.2.0", "git = \"/y\""),
        ]
        .map(|(name, version, place)| entry(name, version, place));
        let of = |name: &str, version: &str, source: &str| {
            (
                name.to_owned(),
                vec![(version.to_owned(), source.to_owned())],
            )
        };
        let both = vec![of("a", "v0.1.0", "x"), of("b", "v0.2.0", "git:/y")];
        assert_eq!(said(&format!("{a}{b}")), both);
        assert_eq!(said(&format!("{a}\n[[bundle]]\n{b}")), both);
    }

    #[test]
    fn mixed_lines_of_two_entries_decide_nothing() {
        let mixed = |names: &str, places: &str| {
            format!(
                "{names}channel = \"stable\"\n\n[bundle.source]\n{places}\n[bundle.files]\n\"stable/crds/a_x.yaml\" = \"1\"\n"
            )
        };
        let names = "name = \"a\"\nversion = \"v0.1.0\"\nname = \"b\"\nversion = \"v0.2.0\"\n";
        let places = "folder = \"x\"\ngit = \"/y\"\n";
        let pair = |version: &str, source: &str| (version.to_owned(), source.to_owned());
        let expected = [
            (
                "a".to_owned(),
                vec![pair("v0.1.0", "x"), pair("v0.2.0", "git:/y")],
            ),
            (
                "b".to_owned(),
                vec![pair("v0.2.0", "git:/y"), pair("v0.1.0", "x")],
            ),
        ];
        let text = mixed(names, places);
        assert_eq!(said(&text), expected);
        // What is left of one of them is read in the same way.
        let parts = of_text(&format!("[[bundle]]\n{text}"));
        for (part, expected) in parts.iter().zip(&expected) {
            assert_eq!(
                said(part.text.trim().trim_start_matches("[[bundle]]")).first(),
                Some(expected)
            );
        }
    }

    #[test]
    fn a_name_that_is_there_twice_hides_no_other() {
        let [a, b] = ["a", "b"].map(|name| format!("name = \"{name}\"\nversion = \"v0.1.0\"\n"));
        for text in [
            format!("{a}{b}{a}"),
            format!("{a}{a}{b}"),
            format!("{b}{b}{a}{a}"),
        ] {
            let mut names: Vec<String> = said(&text).into_iter().map(|(name, _)| name).collect();
            names.sort();
            assert_eq!(names, ["a", "b"], "{text}");
        }
    }

    #[test]
    fn two_places_are_two_claims_and_none_is_no_source() {
        let two = entry("a", "v0.1.0", "folder = \"x\"\ngit = \"/y\"");
        let pair = |source: &str| ("v0.1.0".to_owned(), source.to_owned());
        assert_eq!(
            said(&two),
            [("a".to_owned(), vec![pair("x"), pair("git:/y")])]
        );
        assert_eq!(
            said(&entry("a", "v0.1.0", "")),
            [("a".to_owned(), vec![pair("")])]
        );
    }
}
