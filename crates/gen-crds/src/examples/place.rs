//! The folder of an example, which determines how it is validated.

/// The expected verdict of a server.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Expectation {
    /// A server accepts it.
    Accepted,
    /// A server refuses it.
    Rejected,
}

impl Expectation {
    /// The name of the folder for this expectation.
    pub fn folder(self) -> &'static str {
        match self {
            Self::Accepted => "accept",
            Self::Rejected => "reject",
        }
    }

    fn from_folder(folder: &str) -> Option<Self> {
        let mut all = [Self::Accepted, Self::Rejected].into_iter();
        all.find(|fate| fate.folder() == folder)
    }
}

/// The folder of an example, with the meaning of its name.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct ExampleFolder {
    /// The kind in lower case, or the name of its CRD.
    pub kind: String,
    /// The only channel that it applies to; `None` for all.
    pub channel: Option<String>,
    /// The expected verdict.
    pub fate: Expectation,
}

impl ExampleFolder {
    /// Parses the path of a file below the folder of examples: `route/accept/..` or `route/experimental/accept/..`.
    pub fn parse_path(path: &str) -> Option<Self> {
        let (kind, rest) = path.split_once('/')?;
        let (folder, rest) = rest.split_once('/')?;
        let kind = kind.to_owned();
        if let Some(fate) = Expectation::from_folder(folder) {
            return Some(Self {
                kind,
                channel: None,
                fate,
            });
        }
        let (below, _) = rest.split_once('/')?;
        Some(Self {
            kind,
            channel: Some(folder.to_owned()),
            fate: Expectation::from_folder(below)?,
        })
    }

    /// Returns the same folder for a single channel.
    pub fn in_channel(&self, channel: &str) -> Self {
        Self {
            channel: Some(channel.to_owned()),
            ..self.clone()
        }
    }

    /// Returns the path of the folder below that of all examples.
    pub fn folder(&self) -> String {
        let fate = self.fate.folder();
        match &self.channel {
            Some(channel) => format!("{}/{channel}/{fate}/", self.kind),
            None => format!("{}/{fate}/", self.kind),
        }
    }
}

/// Returns the file of the object after an update: `a.yaml` for `a.old.yaml`.
pub fn updated(path: &str) -> Option<String> {
    let (stem, extension) = path.rsplit_once('.')?;
    let stem = stem.strip_suffix(".old")?;
    Some(format!("{stem}.{extension}"))
}

#[cfg(test)]
mod tests {
    use super::{ExampleFolder, updated};

    #[test]
    fn folders_say_the_kind_the_channel_and_the_fate() {
        for (path, expected) in [
            ("route/accept/a.yaml", Some("route/accept/")),
            ("route/reject/b/a.yaml", Some("route/reject/")),
            (
                "routes.example.com/preview/reject/a.yaml",
                Some("routes.example.com/preview/reject/"),
            ),
            ("route/a.yaml", None),
            ("accept/a.yaml", None),
            ("route/preview/a.yaml", None),
            ("route/accepted/a.yaml", None),
            ("route/preview/b/accept/a.yaml", None),
        ] {
            let found = ExampleFolder::parse_path(path).map(|place| place.folder());
            assert_eq!(found.as_deref(), expected, "{path}");
        }
    }

    #[test]
    fn the_old_object_of_an_update_is_in_a_file_beside_it() {
        for (path, expected) in [
            ("a/b.old.yaml", Some("a/b.yaml")),
            ("a/b.yaml", None),
            ("a.old/b.yaml", None),
        ] {
            assert_eq!(updated(path).as_deref(), expected, "{path}");
        }
    }
}
