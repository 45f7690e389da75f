//! The way from the root of a CRD to one of its nodes, written out only where something is found.

use std::fmt;

/// A node of the way; the nodes above it live on the stack of the walk.
#[derive(Clone, Copy, Debug)]
pub struct Path<'p> {
    above: Option<&'p Path<'p>>,
    step: Step<'p>,
}

#[derive(Clone, Copy, Debug)]
enum Step<'p> {
    Child(&'p str),
    Key(&'p str),
    Index(usize),
}

impl<'p> Path<'p> {
    /// A field of the document itself.
    #[must_use]
    pub fn root(name: &'p str) -> Self {
        Self {
            above: None,
            step: Step::Child(name),
        }
    }

    /// `path.name`
    #[must_use]
    pub fn child(&'p self, name: &'p str) -> Self {
        self.below(Step::Child(name))
    }

    /// `path[key]`
    #[must_use]
    pub fn key(&'p self, key: &'p str) -> Self {
        self.below(Step::Key(key))
    }

    /// `path[0]`
    #[must_use]
    pub fn index(&'p self, index: usize) -> Self {
        self.below(Step::Index(index))
    }

    fn below(&'p self, step: Step<'p>) -> Self {
        Self {
            above: Some(self),
            step,
        }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut steps = vec![self.step];
        let mut at = self.above;
        while let Some(path) = at {
            steps.push(path.step);
            at = path.above;
        }
        for (nth, step) in steps.into_iter().rev().enumerate() {
            match step {
                Step::Child(name) if nth == 0 => f.write_str(name)?,
                Step::Child(name) => write!(f, ".{name}")?,
                Step::Key(key) => write!(f, "[{key}]")?,
                Step::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}
