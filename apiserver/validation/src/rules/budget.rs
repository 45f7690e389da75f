//! The cost budget of servers for the rules of an object: a limit for each evaluation, and one for all of them.

use super::finding::{Finding, Outcome};
use crate::violation::{Reason, Violation};
use crd_channels_cel::cost::{CALL_LIMIT, OBJECT_LIMIT, Range};

/// The cost so far.
#[derive(Debug)]
pub(super) struct Budget {
    spent: Range,
    /// The index of the current finding.
    pub(super) finding: usize,
    /// The findings at which a server stops, since one evaluation exceeds its limit.
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
    /// Whether one evaluation is within the limit of a server. `None` if it may or may not be.
    pub(super) fn spend(&mut self, cost: Range) -> Option<bool> {
        // An evaluation that exceeds the limit ends there.
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

    /// Withdraws the outcomes of rules that a server may not reach: the rules that it evaluates before it stops vary. One of
    /// them reports that it stops.
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
            let message = "the rules cost more than the server's budget for an object";
            let violation = Violation::new(Reason::Invalid, finding.at.clone(), message);
            finding.outcome = Outcome::Broken(violation);
        }
    }
}
