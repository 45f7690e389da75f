//! Places in an object, in the notation of an API server.

use serde_json::Value;
use std::fmt;

/// One segment of a path.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Segment {
    /// A field of an object, or a key of a map.
    Name(String),
    /// An item of a list.
    Index(usize),
}

/// A place in an object.
#[derive(Clone, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub struct Field(pub Vec<Segment>);

impl Field {
    /// The place of a field below.
    #[must_use]
    pub fn name(&self, name: &str) -> Self {
        self.segment(Segment::Name(name.to_owned()))
    }

    /// The place of an item below.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        self.segment(Segment::Index(index))
    }

    fn segment(&self, segment: Segment) -> Self {
        let mut segments = self.0.clone();
        segments.push(segment);
        Self(segments)
    }

    /// Whether the place is the field of that name or below it.
    #[must_use]
    pub fn is_below(&self, name: &str) -> bool {
        matches!(self.0.first(), Some(Segment::Name(first)) if first == name)
    }

    /// Returns the value at the place.
    #[must_use]
    pub fn get<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        self.0
            .iter()
            .try_fold(value, |value, segment| match segment {
                Segment::Name(name) => value.get(name),
                Segment::Index(index) => value.get(index),
            })
    }

    /// Returns the value at the place, mutably.
    pub fn get_mut<'v>(&self, value: &'v mut Value) -> Option<&'v mut Value> {
        self.0
            .iter()
            .try_fold(value, |value, segment| match segment {
                Segment::Name(name) => value.get_mut(name),
                Segment::Index(index) => value.get_mut(index),
            })
    }

    /// Removes the value at the place.
    pub fn remove(&self, value: &mut Value) -> Option<Value> {
        let (last, above) = self.0.split_last()?;
        match (Self(above.to_vec()).get_mut(value)?, last) {
            (Value::Object(fields), Segment::Name(name)) => fields.remove(name),
            (Value::Array(items), Segment::Index(index)) if *index < items.len() => {
                Some(items.remove(*index))
            }
            _ => None,
        }
    }

    /// Parses a place in the server's notation; `[key]` of a map is a name.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut segments = Vec::new();
        for part in text.split('.').filter(|part| !part.is_empty()) {
            let mut pieces = part.split('[');
            if let Some(name) = pieces.next().filter(|name| !name.is_empty()) {
                segments.push(Segment::Name(name.to_owned()));
            }
            for piece in pieces {
                let piece = piece.trim_end_matches(']');
                segments.push(match piece.parse() {
                    Ok(index) => Segment::Index(index),
                    Err(_) => Segment::Name(piece.to_owned()),
                });
            }
        }
        Self(segments)
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, segment) in self.0.iter().enumerate() {
            match segment {
                Segment::Name(name) if at == 0 => write!(f, "{name}")?,
                Segment::Name(name) => write!(f, ".{name}")?,
                Segment::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}
