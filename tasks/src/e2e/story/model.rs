//! What may be stored of an object, by what the server confirmed. A write without an answer may have been done or not.

use serde_json::{Value, json};

/// The specification of an object; `None` if there is no such object.
pub(super) type State = Option<Value>;

/// A write of one client.
#[derive(Clone, Debug)]
pub(super) enum Write {
    /// A new object.
    Create(Value),
    /// Server-side apply of some fields.
    Apply(Value),
    /// A merge patch of the size.
    Resize(usize),
    /// An update of the whole object.
    Replace(Value),
    Delete,
}

impl Write {
    /// Returns the state after the write; `None` if servers refuse it in this state.
    fn after(&self, state: &State) -> Option<State> {
        match (self, state) {
            (Self::Create(spec), None) => Some(Some(spec.clone())),
            (Self::Create(_), Some(_)) => None,
            (Self::Apply(fields), state) => {
                let mut spec = state.clone().unwrap_or_else(|| json!({}));
                for (key, value) in fields.as_object().into_iter().flatten() {
                    spec[key] = value.clone();
                }
                Some(Some(spec))
            }
            (Self::Resize(_) | Self::Replace(_) | Self::Delete, None) => None,
            (Self::Resize(size), Some(spec)) => {
                let mut spec = spec.clone();
                spec["size"] = json!(size);
                Some(Some(spec))
            }
            (Self::Replace(spec), Some(_)) => Some(Some(spec.clone())),
            (Self::Delete, Some(_)) => Some(None),
        }
    }
}

/// The states that an object may be in.
#[derive(Clone, Debug)]
pub(super) struct Known {
    states: Vec<State>,
}

impl Default for Known {
    fn default() -> Self {
        Self { states: vec![None] }
    }
}

impl Known {
    pub(super) fn may_exist(&self) -> bool {
        self.states.iter().any(Option::is_some)
    }

    /// The server confirmed a write. Returns whether that is possible.
    pub(super) fn confirm(&mut self, write: &Write) -> bool {
        let states = self
            .states
            .iter()
            .filter_map(|it| write.after(it))
            .collect();
        self.become_one_of(states)
    }

    /// The server did not answer.
    pub(super) fn doubt(&mut self, write: &Write) {
        let after = self.states.iter().filter_map(|it| write.after(it));
        let states = after.chain(self.states.iter().cloned()).collect();
        self.become_one_of(states);
    }

    /// Somebody saw this state. Returns whether that is possible.
    pub(super) fn see(&mut self, state: &State) -> bool {
        let states = self.states.iter().filter(|it| *it == state).cloned();
        let states = states.collect();
        self.become_one_of(states)
    }

    /// Somebody saw that there is an object. Returns whether that is possible.
    pub(super) fn see_any(&mut self) -> bool {
        let states = self.states.iter().filter(|it| it.is_some()).cloned();
        let states = states.collect();
        self.become_one_of(states)
    }

    fn become_one_of(&mut self, states: Vec<State>) -> bool {
        let mut own: Vec<State> = Vec::new();
        for state in states {
            if !own.contains(&state) {
                own.push(state);
            }
        }
        let is_possible = !own.is_empty();
        if is_possible {
            self.states = own;
        }
        is_possible
    }
}

#[cfg(test)]
mod tests {
    use super::{Known, Write};
    use serde_json::json;

    #[test]
    fn only_what_was_confirmed_is_certain() {
        let (first, second) = (json!({"host": "a"}), json!({"host": "b"}));
        let mut known = Known::default();
        assert!(!known.may_exist() && known.clone().see(&None));
        known.doubt(&Write::Create(first.clone()));
        assert!(known.clone().see(&None) && known.clone().see(&Some(first.clone())));
        assert!(known.confirm(&Write::Apply(json!({"host": "b"}))));
        assert!(!known.see(&Some(first)) && !known.see(&None));
        assert!(!known.confirm(&Write::Create(json!({}))));
        known.doubt(&Write::Delete);
        assert!(known.confirm(&Write::Resize(3)));
        assert!(known.see(&Some(json!({"host": "b", "size": 3}))));
        assert!(known.confirm(&Write::Replace(second)) && known.confirm(&Write::Delete));
        assert!(!known.may_exist() && !known.confirm(&Write::Delete));
    }
}
