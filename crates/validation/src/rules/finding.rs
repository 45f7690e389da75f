//! What rules say of values.

use crate::violation::Violation;
use crd_channels_cel::version::Need;

/// What a rule says of a value.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Finding {
    /// The rule.
    pub rule: String,
    /// The value's place, as the server writes it; empty for a whole object.
    pub at: String,
    /// What came of it.
    pub outcome: Outcome,
    /// Which part of the rule keeps it from being true, and the values there; where it is not.
    pub part: Option<String>,
    /// The part of the rule that older servers lack; told of rules that were compiled [each by itself](super::Rules::compile_each).
    pub need: Option<Need>,
}

/// What came of a rule.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Outcome {
    /// It holds.
    Holds,
    /// It does not, so that a server refuses the object.
    Broken(Violation),
    /// It does not, but the value did not change, so that a server only warns.
    Warned(Violation),
    /// It reads `oldSelf`, and there is no old value.
    NoOld,
    /// It takes more than is evaluated here.
    Unknown,
    /// It does not compile.
    Uncompiled,
}
