//! Methods of sets.

use super::Call;
use crate::eval::machine::{Machine, Run};
use crate::eval::values::iterator::Iter;
use crate::eval::values::kinds::SeqKind;
use crate::eval::values::value::{Seq, Value};

impl Machine<'_> {
    /// Calls a method of sets that changes nothing.
    pub(super) fn set_method(&mut self, call: &Call<'_>, seq: Seq, args: Vec<Value>) -> Run {
        let span = call.span;
        let loaded = args.first().map(|arg| self.load(arg));
        let references = |items: Vec<Value>| {
            let items = items.into_iter().map(Value::reference);
            Ok(Value::Iter(Box::new(Iter::of(items))))
        };
        if let (SeqKind::Sorted, Some(Value::Seq(other))) = (seq.kind, &loaded) {
            let all = seq.items.iter().chain(other.items.iter());
            self.check_one_order(all.cloned().collect(), span)?;
        }
        let in_both = |machine: &mut Self, other: &Seq, wanted: bool| -> Run<Vec<Value>> {
            let mut kept = Vec::new();
            for item in seq.items.iter() {
                if machine.contains(&other.items, item, span)? == wanted {
                    kept.push(item.clone());
                }
            }
            Ok(kept)
        };
        match (call.name, loaded) {
            ("first" | "last", None) if seq.kind == SeqKind::Sorted => {
                let found = if call.name == "first" {
                    seq.items.first()
                } else {
                    seq.items.last()
                };
                Ok(Value::option(found.cloned().map(Value::reference)))
            }
            ("get", Some(wanted)) => {
                let at = self.position(&seq, &wanted, span)?.ok();
                let found = at.and_then(|at| seq.items.get(at).cloned());
                Ok(Value::option(found.map(Value::reference)))
            }
            ("is_subset", Some(Value::Seq(other))) => {
                Ok(Value::Bool(in_both(self, &other, false)?.is_empty()))
            }
            ("is_disjoint", Some(Value::Seq(other))) => {
                Ok(Value::Bool(in_both(self, &other, true)?.is_empty()))
            }
            ("is_superset", Some(Value::Seq(other))) => {
                for item in other.items.iter() {
                    if !self.contains(&seq.items, item, span)? {
                        return Ok(Value::Bool(false));
                    }
                }
                Ok(Value::Bool(true))
            }
            ("difference" | "intersection", Some(Value::Seq(other))) => {
                let kept = in_both(self, &other, call.name == "intersection")?;
                self.check_order(&Value::seq(seq.kind, kept.clone()), span)?;
                references(kept)
            }
            ("union" | "symmetric_difference", Some(Value::Seq(other)))
                if seq.kind == SeqKind::Sorted =>
            {
                let mut kept = match call.name {
                    "union" => seq.items.to_vec(),
                    _ => in_both(self, &other, false)?,
                };
                for item in other.items.iter() {
                    if !self.contains(&seq.items, item, span)? {
                        kept.push(item.clone());
                    }
                }
                let kept = self.sorted(kept, span)?;
                references(kept)
            }
            ("range", Some(range)) if seq.kind == SeqKind::Sorted => {
                let mut kept = Vec::new();
                for item in seq.items.iter() {
                    if self.is_within(item, &range, span)? {
                        kept.push(item.clone());
                    }
                }
                references(kept)
            }
            _ => call.unsupported(&Value::Seq(seq)),
        }
    }
}
