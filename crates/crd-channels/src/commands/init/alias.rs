//! The alias for the tool in cargo's configuration: written if there is no configuration, otherwise only proposed.

use toml::{Table, Value};

/// The existing aliases of the workspace.
#[derive(Clone, Copy, Debug, Default)]
pub struct Aliases<'a> {
    /// The text of `.cargo/config.toml` (or `.cargo/config`), if there is one.
    pub configuration: Option<&'a str>,
    /// Whether a member is named `xtask`.
    pub xtask: bool,
}

/// The decision about the alias.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Alias {
    /// Write this as `.cargo/config.toml`.
    Create(String),
    /// Propose to add this line.
    Propose(String),
    /// The alias exists.
    Present,
}

/// Decides about the alias.
#[must_use]
pub fn decide(known: Aliases<'_>) -> Alias {
    let aliases = known.configuration.and_then(aliases).unwrap_or_default();
    if aliases.values().any(is_ours) {
        return Alias::Present;
    }
    if known.xtask || aliases.contains_key("xtask") {
        return Alias::Propose(line("crds"));
    }
    match known.configuration {
        Some(_) => Alias::Propose(line("xtask")),
        None => Alias::Create(format!("[alias]\n{}\n", line("xtask"))),
    }
}

fn line(name: &str) -> String {
    format!("{name} = \"crd-channels\"")
}

fn aliases(configuration: &str) -> Option<Table> {
    let mut table: Table = toml::from_str(configuration).ok()?;
    match table.remove("alias") {
        Some(Value::Table(aliases)) => Some(aliases),
        _ => None,
    }
}

/// Whether an alias runs the tool. Its words are one string or a list.
fn is_ours(alias: &Value) -> bool {
    let names = |words: &str| words.split_whitespace().any(|word| word == "crd-channels");
    match alias {
        Value::String(words) => names(words),
        Value::Array(words) => words.iter().filter_map(Value::as_str).any(names),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{Alias, Aliases, decide};

    #[test]
    fn nobodys_alias_is_touched() {
        let propose = |line: &str| Alias::Propose(line.to_owned());
        let xtask = "xtask = \"crd-channels\"";
        for (configuration, member, expected) in [
            (None, false, Alias::Create(format!("[alias]\n{xtask}\n"))),
            (None, true, propose("crds = \"crd-channels\"")),
            (Some(""), false, propose(xtask)),
            (Some("[alias]\nb = \"build\""), false, propose(xtask)),
            (Some("not toml"), false, propose(xtask)),
            (
                Some("alias.xtask = [\"run\", \"-p\", \"xtask\"]"),
                false,
                propose("crds = \"crd-channels\""),
            ),
            (
                Some("[alias]\nx = \"run -p crd-channels --\""),
                true,
                Alias::Present,
            ),
            (
                Some("[alias]\nx = [\"crd-channels\"]"),
                false,
                Alias::Present,
            ),
        ] {
            let known = Aliases {
                configuration,
                xtask: member,
            };
            assert_eq!(decide(known), expected, "{known:?}");
        }
    }
}
