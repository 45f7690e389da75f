//! What can still be read from a lock that is not one: with conflict markers, merged line by line, or edited.

use super::lock::{self, OURS, THEIRS, has_conflict};
use super::origin::Origin;
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
    /// What its lines say. A key that is there twice, since both sides of a merge were kept, makes a second claim.
    pub claims: Vec<Claim>,
}

/// What an entry says of the bundle that is wanted.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Claim {
    /// [`Pinned::name`]
    pub name: String,
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
        claims: vec![Claim::of(pinned)],
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
        for text in texts {
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
fn sides(text: &str) -> Vec<String> {
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
        Some(entry) => vec![Claim::of(entry)],
        None => claims(&text),
    };
    Part {
        text,
        entry,
        claims,
    }
}

/// Reads the lines of an entry one by one. `pin` writes one key in each.
fn claims(text: &str) -> Vec<Claim> {
    let mut section = String::new();
    let mut values: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for line in text.lines().map(str::trim) {
        if let Some(header) = line.strip_prefix('[') {
            let header = header.trim_matches(['[', ']']);
            section = header.strip_prefix("bundle").unwrap_or(header).to_owned();
        } else if section != ".files" {
            let table: Table = line.parse().unwrap_or_default();
            for (key, value) in table {
                let known = values.entry(format!("{section}.{key}")).or_default();
                known.push(value);
            }
        }
    }
    let mut claims = Vec::new();
    for last in [false, true] {
        let of = |key: &str| {
            let all = values.get(key)?;
            if last { all.last() } else { all.first() }
        };
        let text = |key: &str| Some(of(key)?.as_str()?.to_owned());
        let source = values.keys().filter_map(|key| {
            let own = key.strip_prefix(".source.")?;
            Some((own.to_owned(), of(key)?.clone()))
        });
        let source: Table = source.collect();
        let with = of(".with").and_then(Value::as_array).map(|with| {
            let names = with.iter().filter_map(Value::as_str);
            names.map(str::to_owned).collect()
        });
        let claim = Claim {
            name: text(".name").unwrap_or_default(),
            version: text(".version"),
            channel: text(".channel"),
            requirement: text(".requirement"),
            folder: text(".folder"),
            with,
            key: text(".key"),
            source: source.try_into().ok().map(followed),
        };
        if !claim.name.is_empty() && !claims.contains(&claim) {
            claims.push(claim);
        }
    }
    claims
}

/// Returns an origin without the place where a bundle was read last.
fn followed(origin: Origin) -> Origin {
    Origin {
        tag: None,
        commit: None,
        ..origin
    }
}

impl Claim {
    fn of(pinned: &Pinned) -> Self {
        let with = pinned.with.iter().map(|part| part.name().to_owned());
        Self {
            name: pinned.name.clone(),
            version: Some(pinned.version.to_string()),
            channel: Some(pinned.channel.clone()),
            requirement: Some(pinned.requirement.clone()),
            folder: Some(pinned.folder.clone()),
            with: Some(with.collect()),
            key: pinned.key.clone(),
            source: Some(followed(pinned.source.clone())),
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
}
