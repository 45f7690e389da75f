//! How a command writes its result.

/// How the result of a command is written.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Format {
    /// For people.
    #[default]
    Human,
    /// One JSON document.
    Json,
}

impl Format {
    /// Each by the name that `--format` takes.
    pub const NAMES: [(&'static str, Self); 2] = [("human", Self::Human), ("json", Self::Json)];
}
