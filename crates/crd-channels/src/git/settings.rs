//! Git's configuration of a repository, and its current branch: read once, since every question to git is a process.

use std::collections::BTreeSet;

/// What git is told about a repository, by it, its user and the system.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    /// In git's order, in which later ones win. Sections and keys are in lower case, and what is between them as it was written.
    all: Vec<(String, String)>,
    /// The current branch; `None` if HEAD is detached.
    pub branch: Option<String>,
}

impl Settings {
    /// Reads what `git config --null --list` prints.
    pub fn read(printed: &[u8], branch: Option<String>) -> Self {
        let printed = String::from_utf8_lossy(printed);
        // A key without a value has no line end either.
        let all = printed.split_terminator('\0');
        let all = all.map(|entry| entry.split_once('\n').unwrap_or((entry, "")));
        let all = all.map(|(key, value)| (key.to_owned(), value.to_owned()));
        Self {
            all: all.collect(),
            branch,
        }
    }

    /// Returns the value of a setting; `None` if it is empty.
    pub fn value(&self, key: &str) -> Option<String> {
        let last = self.values(key).last();
        last.filter(|value| !value.is_empty()).map(str::to_owned)
    }

    /// Returns a setting of the current branch.
    pub fn of_branch(&self, key: &str) -> Option<String> {
        self.value(&format!("branch.{}.{key}", self.branch.as_deref()?))
    }

    /// Returns all values of a setting.
    pub fn values(&self, key: &str) -> impl Iterator<Item = &str> {
        let values = self.all.iter().filter(move |(name, _)| name == key);
        values.map(|(_, value)| value.as_str())
    }

    /// Returns the names of the remotes in alphabetical order. Git lists each name with a setting, unless it begins with `/`.
    pub fn remotes(&self) -> Vec<String> {
        let keys = self.all.iter().map(|(key, _)| key);
        let names = keys.filter_map(|key| Some(key.strip_prefix("remote.")?.rsplit_once('.')?.0));
        let names: BTreeSet<&str> = names.filter(|name| !name.starts_with('/')).collect();
        names.into_iter().map(str::to_owned).collect()
    }
}
