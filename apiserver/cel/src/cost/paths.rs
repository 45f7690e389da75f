//! The path from a variable to a part of its value, which the server uses to find the part's size.
//!
//! The server keeps these paths in slices that grow in place while they have capacity. Two paths that start from one variable
//! may therefore share their last segment, and the later one overwrites it for both. Estimates depend on this, so the slices
//! are modelled exactly.

use crate::Text;
use crate::types::{Declarations, NodeId};

/// A segment of a path.
#[derive(Clone, Debug)]
pub(super) enum Segment {
    /// The variable at the start. The server treats every variable as `self`.
    Variable,
    Field(Text),
    /// The items of a list or the values of a map.
    Element,
    Key,
    /// The index of an item, which has no declared size.
    Index,
}

/// A path: the number of its segments, and its slice.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path {
    slice: usize,
    length: usize,
}

/// A slice and its capacity.
#[derive(Debug)]
struct Slice {
    segments: Vec<Segment>,
    room: usize,
}

/// All slices of an estimate.
#[derive(Debug, Default)]
pub(super) struct Paths {
    slices: Vec<Slice>,
}

impl Paths {
    pub(super) fn of_variable(&mut self) -> Path {
        self.slice(vec![Segment::Variable], 1)
    }

    fn slice(&mut self, segments: Vec<Segment>, room: usize) -> Path {
        let length = segments.len();
        self.slices.push(Slice { segments, room });
        Path {
            slice: self.slices.len() - 1,
            length,
        }
    }

    /// Appends a segment to a path. Without a path, starts one with the segment.
    pub(super) fn append(&mut self, path: Option<Path>, segment: Segment) -> Path {
        let Some(path) = path else {
            return self.slice(vec![segment], 1);
        };
        let Some(slice) = self.slices.get_mut(path.slice) else {
            return path;
        };
        if path.length < slice.room {
            slice.segments.truncate(path.length);
            slice.segments.push(segment);
            return Path {
                length: path.length + 1,
                ..path
            };
        }
        let room = slice.room * 2;
        let mut segments = slice.segments.clone();
        segments.truncate(path.length);
        segments.push(segment);
        self.slice(segments, room)
    }

    /// Copies a path and appends a segment.
    pub(super) fn copy(&mut self, path: Path, segment: Segment) -> Path {
        let slice = self.slices.get(path.slice);
        let mut segments = slice.map_or_else(Vec::new, |slice| slice.segments.clone());
        segments.truncate(path.length);
        segments.push(segment);
        let room = segments.len();
        self.slice(segments, room)
    }

    /// The declared node that a path leads to.
    pub(super) fn node(
        &self,
        path: Path,
        declarations: &Declarations,
        itself: NodeId,
    ) -> Option<NodeId> {
        let segments = self.slices.get(path.slice)?.segments.get(1..path.length)?;
        segments
            .iter()
            .try_fold(itself, |node, segment| match segment {
                Segment::Field(name) => Some(declarations.escaped_field(node, name)?.node),
                Segment::Element => declarations.node(node)?.element,
                Segment::Key => declarations.node(node)?.key,
                Segment::Variable | Segment::Index => None,
            })
    }
}
