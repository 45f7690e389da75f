//! The results of rules on values.

use crate::path::FieldPath;
use crate::violation::Violation;
use crd_channels_cel::version::Need;

/// The result of a rule on a value.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Finding {
    /// The rule.
    pub rule: String,
    /// The path of the value; empty for a whole object.
    pub at: FieldPath,
    /// The outcome.
    pub outcome: Outcome,
    /// If the rule is not true, the part that makes it so, with the values in it.
    pub part: Option<String>,
    /// The part of the rule that older servers lack, if the rules were compiled with
    /// [`compile_each`](super::Rules::compile_each).
    pub need: Option<Need>,
}

/// The outcome of a rule.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Outcome {
    /// It holds.
    Holds,
    /// It is false, so a server rejects the object.
    Broken(Violation),
    /// It is false, but the value did not change, so a server only warns.
    Warned(Violation),
    /// It reads `oldSelf`, but there is no old value.
    NoOld,
    /// It cannot be evaluated exactly.
    Unknown,
    /// It does not compile.
    Uncompiled,
}
