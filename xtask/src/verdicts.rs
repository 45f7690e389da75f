//! What a server says of a CRD, beside what `check` says.

#![allow(clippy::unwrap_used, reason = "tests")]

use crd_channels_check::{self as check, Finding, Reason, Rule};
use crd_channels_envtest::http::Answer;
use serde_json::Value;
use std::collections::BTreeSet;

/// Whether a CRD is accepted, and the reasons and fields where not.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Verdict {
    /// Whether it cannot be decoded.
    pub is_undecodable: bool,
    /// Whether it is accepted.
    pub is_accepted: bool,
    /// Why not: reasons and fields.
    pub refusals: BTreeSet<(String, String)>,
}

impl Verdict {
    /// What `check` says.
    pub fn ours(found: &[Finding]) -> Self {
        let refusal = |finding: &Finding| {
            let reason = finding.reason.map(Reason::name)?;
            Some((reason.to_owned(), finding.field.clone()?))
        };
        Self {
            is_undecodable: found
                .iter()
                .any(|finding| finding.rule == Rule::Undecodable),
            is_accepted: !found.iter().any(Finding::refuses),
            refusals: found.iter().filter_map(refusal).collect(),
        }
    }

    /// What the server says. None where it fails, so that it has no verdict.
    pub fn theirs(answer: &Answer) -> Option<Self> {
        if answer.status >= 500 {
            return None;
        }
        let text = |cause: &Value, name: &str| cause[name].as_str().unwrap_or_default().to_owned();
        let refusal = |cause: &Value| (text(cause, "reason"), text(cause, "field"));
        Some(Self {
            is_undecodable: answer.status == 400,
            is_accepted: answer.status == 201,
            refusals: causes(answer).iter().map(refusal).collect(),
        })
    }
}

/// The causes that an answer names.
pub fn causes(answer: &Answer) -> Vec<Value> {
    let mut answer = answer.json();
    let causes = answer.pointer_mut("/details/causes").map(Value::take);
    match causes {
        Some(Value::Array(causes)) => causes,
        _ => Vec::new(),
    }
}

/// The findings of `check` on a CRD.
pub fn judged(crd: &Value) -> Vec<Finding> {
    check::validate(crd, check::NEWEST)
}
