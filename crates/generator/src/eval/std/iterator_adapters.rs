//! Methods that adapt an iterator without running it: `map`, `zip`, `take`.

use super::{Call, argument};
use crate::eval::machine::{Machine, Run, panics};
use crate::eval::values::iterator::Iter;
use crate::eval::values::value::{MutPlace, Value};

impl Machine<'_> {
    /// Returns the adapted iterator; `None` for any other method.
    pub(super) fn adapted(
        &mut self,
        call: &Call<'_>,
        iter: &Iter,
        args: &[Value],
    ) -> Run<Option<Iter>> {
        let span = call.span;
        let first = argument(args, 0);
        let boxed = Box::new(iter.clone());
        Ok(Some(match call.name {
            "into_iter" | "iter" | "fuse" | "into_inner" => iter.clone(),
            "map" => Iter::Map(boxed, first),
            "filter" => Iter::Filter(boxed, first),
            "filter_map" => Iter::FilterMap(boxed, first),
            "flat_map" => Iter::Flat(boxed, Some(first), None),
            "flatten" => Iter::Flat(boxed, None, None),
            "take_while" => Iter::TakeWhile(boxed, first, false),
            "skip_while" => Iter::SkipWhile(boxed, first, false),
            "map_while" => Iter::MapWhile(boxed, first),
            "inspect" => Iter::Inspect(boxed, first),
            "cloned" | "copied" => Iter::Cloned(boxed),
            "enumerate" => Iter::Enumerate(boxed, 0),
            "rev" => Iter::Rev(boxed),
            "peekable" => Iter::Peekable(boxed, None),
            "cycle" => Iter::Cycle(boxed.clone(), boxed),
            "take" => {
                let count = self.count_of(&first, span)?;
                Iter::Take(boxed, count)
            }
            "skip" => {
                let count = self.count_of(&first, span)?;
                Iter::Skip(boxed, count)
            }
            "step_by" => match self.count_of(&first, span)? {
                0 => return panics(span, "a step must be at least one"),
                step => Iter::StepBy(boxed, step, true),
            },
            "zip" => {
                let other = self.iterate(first, span)?;
                Iter::Zip(boxed, Box::new(other))
            }
            "chain" => {
                let other = self.iterate(first, span)?;
                Iter::Chain(Some(boxed), Box::new(other))
            }
            "scan" => {
                let state = self.store(first);
                Iter::Scan(boxed, MutPlace::of(state), argument(args, 1))
            }
            _ => return Ok(None),
        }))
    }
}
