//! Places in an object, written as an API server writes them.

use serde_json::Value;
use std::fmt;

/// One step into a value.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Step {
    /// A field of an object, or a key of a map.
    Name(String),
    /// An item of a list.
    Index(usize),
}

/// A place in an object.
#[derive(Clone, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub struct Field(pub Vec<Step>);

impl Field {
    /// The field below.
    #[must_use]
    pub fn name(&self, name: &str) -> Self {
        self.step(Step::Name(name.to_owned()))
    }

    /// The item below.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        self.step(Step::Index(index))
    }

    fn step(&self, step: Step) -> Self {
        let mut steps = self.0.clone();
        steps.push(step);
        Self(steps)
    }

    /// Whether the place is in the field of that name, or is it.
    #[must_use]
    pub fn is_below(&self, name: &str) -> bool {
        matches!(self.0.first(), Some(Step::Name(first)) if first == name)
    }

    /// What stands there.
    #[must_use]
    pub fn get<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        self.0.iter().try_fold(value, |value, step| match step {
            Step::Name(name) => value.get(name),
            Step::Index(index) => value.get(index),
        })
    }

    /// What stands there, to be changed.
    pub fn get_mut<'v>(&self, value: &'v mut Value) -> Option<&'v mut Value> {
        self.0.iter().try_fold(value, |value, step| match step {
            Step::Name(name) => value.get_mut(name),
            Step::Index(index) => value.get_mut(index),
        })
    }

    /// Takes away what stands there.
    pub fn remove(&self, value: &mut Value) -> Option<Value> {
        let (last, above) = self.0.split_last()?;
        match (Self(above.to_vec()).get_mut(value)?, last) {
            (Value::Object(fields), Step::Name(name)) => fields.remove(name),
            (Value::Array(items), Step::Index(index)) if *index < items.len() => {
                Some(items.remove(*index))
            }
            _ => None,
        }
    }

    /// Reads a place as a server writes it; `[key]` of a map is a name.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut steps = Vec::new();
        for part in text.split('.').filter(|part| !part.is_empty()) {
            let mut pieces = part.split('[');
            if let Some(name) = pieces.next().filter(|name| !name.is_empty()) {
                steps.push(Step::Name(name.to_owned()));
            }
            for piece in pieces {
                let piece = piece.trim_end_matches(']');
                steps.push(match piece.parse() {
                    Ok(index) => Step::Index(index),
                    Err(_) => Step::Name(piece.to_owned()),
                });
            }
        }
        Self(steps)
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, step) in self.0.iter().enumerate() {
            match step {
                Step::Name(name) if at == 0 => write!(f, "{name}")?,
                Step::Name(name) => write!(f, ".{name}")?,
                Step::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}
