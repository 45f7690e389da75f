//! The output format of a command.

/// The format of a command's result.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Format {
    /// For people.
    #[default]
    Human,
    /// One JSON document.
    Json,
}

impl Format {
    /// All formats with the names that `--format` accepts.
    pub const NAMES: [(&'static str, Self); 2] = [("human", Self::Human), ("json", Self::Json)];
}
