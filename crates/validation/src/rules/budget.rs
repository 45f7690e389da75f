//! What servers spend on the rules of an object: so much on each evaluation, and so much on all of them.

use super::finding::{Finding, Outcome};
use crate::violation::{Reason, Violation};
use crd_channels_cel::cost::{CALL_LIMIT, OBJECT_LIMIT, Range};

/// What is spent so far.
#[derive(Debug)]
pub(super) struct Budget {
    spent: Range,
    /// The finding that is being made.
    pub(super) finding: usize,
    /// The findings at which a server stops, since one evaluation costs too much.
    stops: Vec<usize>,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            spent: Range { min: 0, max: 0 },
            finding: 0,
            stops: Vec::new(),
        }
    }
}

impl Budget {
    /// Whether a server spends so much on one evaluation. None if it may or may not.
    pub(super) fn spend(&mut self, cost: Range) -> Option<bool> {
        // An evaluation that costs more ends there.
        self.spent = self.spent.plus(Range {
            max: cost.max.min(CALL_LIMIT.max(cost.min)),
            ..cost
        });
        if cost.max <= CALL_LIMIT {
            return Some(true);
        }
        if cost.min <= CALL_LIMIT {
            return None;
        }
        self.stops.push(self.finding);
        Some(false)
    }

    /// Withdraws the outcomes of rules that a server may not reach: which ones it evaluates before it stops differs from time
    /// to time. One of them reports that it stops.
    pub(super) fn withdraw_uncertain(&self, findings: &mut [Finding]) {
        if self.stops.is_empty() && self.spent.max <= OBJECT_LIMIT {
            return;
        }
        let mut findings: Vec<_> = findings
            .iter_mut()
            .enumerate()
            .filter(|(at, finding)| finding.outcome != Outcome::NoOld && !self.stops.contains(at))
            .map(|(_, finding)| finding)
            .collect();
        for finding in &mut findings {
            finding.outcome = Outcome::Unknown;
            finding.part = None;
        }
        if self.stops.is_empty()
            && self.spent.min > OBJECT_LIMIT
            && let Some(finding) = findings.first_mut()
        {
            finding.outcome = Outcome::Broken(Violation {
                reason: Reason::Invalid,
                field: finding.at.clone(),
                message: "the rules cost more than the server's budget for an object".to_owned(),
            });
        }
    }
}
