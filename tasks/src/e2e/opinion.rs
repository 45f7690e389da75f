//! A second opinion: the verdicts of our own validator on the objects that are sent to the server.

use super::rules;
use crate::report::Report;
use crd_channels_envtest::http::Answer;
use crd_channels_validation::rules::Outcome;
use crd_channels_validation::{NotServed, Validator, Verdict};
use serde_json::Value;
use std::collections::BTreeSet;

/// The validator of one version of a kind, and its differences from the server.
#[derive(Debug)]
pub struct SecondOpinion {
    validator: Validator,
    asked: usize,
    differences: Vec<String>,
}

impl SecondOpinion {
    /// Returns the opinion on the objects of a version.
    ///
    /// # Errors
    /// There is no validator for the version.
    pub fn of_version(crd: &Value, version: &str) -> Result<Self, NotServed> {
        Ok(Self {
            validator: Validator::new(crd, version)?,
            asked: 0,
            differences: Vec::new(),
        })
    }

    /// Compares the verdict on the creation of an object with the server's response.
    pub fn of_create(&mut self, object: &Value, answer: &Answer) {
        let verdict = self.validator.create(object);
        self.compare(object, &verdict, answer);
    }

    /// Compares the verdict on a write of status with the server's response.
    pub fn of_status(&mut self, object: &Value, stored: &Value, answer: &Answer) {
        let verdict = self.validator.update_status(object, stored);
        self.compare(object, &verdict, answer);
    }

    /// Compares the verdict on a write of the scale with the server's response.
    pub fn of_scale(&mut self, replicas: i32, stored: &Value, answer: &Answer) {
        let verdict = self.validator.scale(replicas, stored);
        self.compare(stored, &verdict, answer);
    }

    fn compare(&mut self, object: &Value, verdict: &Verdict, answer: &Answer) {
        self.asked += 1;
        let difference = difference(verdict, answer);
        self.differences
            .extend(difference.map(|difference| format!("{difference}: {object}")));
    }

    /// Reports whether all responses were predicted.
    pub fn report(self, title: &str, report: &mut Report) {
        let found = match self.differences.first() {
            None => format!("{} the same", self.asked),
            Some(first) => format!("{} differ, first: {first}", self.differences.len()),
        };
        report.check(
            format!(
                "{title}: the validator says of {} requests what the server said",
                self.asked
            ),
            format!("{} the same", self.asked.max(1)),
            found,
        );
    }
}

/// Returns the difference; `None` if the verdict matches the response.
pub fn difference(verdict: &Verdict, answer: &Answer) -> Option<String> {
    // With strict validation, a server stops at unknown fields.
    let is_strict = answer.status == 400;
    if is_strict || !verdict.unknown.is_empty() {
        let same = is_strict && !verdict.unknown.is_empty();
        let unknown: Vec<String> = verdict.unknown.iter().map(ToString::to_string).collect();
        return (!same).then(|| described(format!("unknown {unknown:?}"), answer));
    }
    let ours: BTreeSet<(String, &str)> = verdict
        .violations
        .iter()
        .map(|violation| (violation.field.to_string(), violation.reason.name()))
        .filter(|(field, _)| rules::is_at_field(field))
        .collect();
    let causes = rules::causes(answer);
    let theirs: BTreeSet<(String, &str)> = causes
        .iter()
        .map(|cause| (cause.field.clone(), &*cause.reason))
        .collect();
    let is_whole = verdict
        .rules
        .iter()
        .all(|finding| finding.outcome != Outcome::Unknown);
    let same = if is_whole {
        ours == theirs && verdict.violations.is_empty() == (answer.status < 300)
    } else {
        ours.is_subset(&theirs)
    };
    (!same).then(|| described(format!("{ours:?}"), answer))
}

fn described(ours: String, answer: &Answer) -> String {
    format!(
        "the validator: {ours}, the server: {} {}",
        answer.status,
        answer.json()["message"]
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::{Answer, Report, SecondOpinion, Value};
    use serde_json::json;

    /// A kind whose `spec.n` and `status.n` are at most 3.
    fn crd() -> Value {
        let fields =
            json!({"type": "object", "properties": {"n": {"type": "integer", "maximum": 3}}});
        let schema = json!({"type": "object", "properties": {"spec": fields, "status": fields}});
        json!({"spec": {
            "group": "example.com", "scope": "Cluster", "names": {"kind": "A"},
            "versions": [{"name": "v1", "subresources": {"status": {}, "scale": {"specReplicasPath": ".spec.n", "statusReplicasPath": ".status.n"}}, "schema": {"openAPIV3Schema": schema}}],
        }})
    }

    fn object(spec: i64, status: i64) -> Value {
        json!({"apiVersion": "example.com/v1", "kind": "A", "metadata": {"name": "a"}, "spec": {"n": spec}, "status": {"n": status}})
    }

    fn refused_at(field: &str) -> Answer {
        let cause = json!({"field": field, "reason": "FieldValueInvalid", "message": "too large"});
        Answer {
            status: 422,
            text: json!({"details": {"causes": [cause]}}).to_string(),
            ..Answer::default()
        }
    }

    fn accepted() -> Answer {
        Answer {
            status: 201,
            ..Answer::default()
        }
    }

    /// Returns the number of differences between opinions and responses.
    fn differ(ask: impl FnOnce(&mut SecondOpinion)) -> usize {
        let mut opinion = SecondOpinion::of_version(&crd(), "v1").unwrap();
        ask(&mut opinion);
        let count = opinion.differences.len();
        let mut report = Report::default();
        opinion.report("A v1", &mut report);
        assert_eq!(report.failed() > 0, count > 0);
        count
    }

    #[test]
    fn the_same_verdict_at_another_field_differs() {
        let refused = object(4, 1);
        assert_eq!(
            differ(|it| it.of_create(&refused, &refused_at("spec.n"))),
            0
        );
        assert_eq!(
            differ(|it| it.of_create(&refused, &refused_at("spec.m"))),
            1
        );
        assert_eq!(differ(|it| it.of_create(&refused, &accepted())), 1);
        assert_eq!(differ(|it| it.of_create(&object(3, 1), &accepted())), 0);
        assert_eq!(
            differ(|it| it.of_create(&object(3, 1), &refused_at("spec.n"))),
            1
        );
    }

    #[test]
    fn status_counts_where_it_is_written() {
        let broken = object(3, 4);
        assert_eq!(differ(|it| it.of_create(&broken, &accepted())), 0);
        let stored = object(3, 1);
        let refused = refused_at("status.n");
        assert_eq!(differ(|it| it.of_status(&broken, &stored, &refused)), 0);
        assert_eq!(differ(|it| it.of_status(&broken, &stored, &accepted())), 1);
    }

    #[test]
    fn replicas_count_as_a_part_of_the_object() {
        let stored = object(3, 1);
        assert_eq!(differ(|it| it.of_scale(2, &stored, &accepted())), 0);
        let refused = refused_at("spec.n");
        assert_eq!(differ(|it| it.of_scale(4, &stored, &refused)), 0);
        assert_eq!(differ(|it| it.of_scale(4, &stored, &accepted())), 1);
    }

    #[test]
    fn unknown_fields_are_a_bad_request() {
        let mut unknown = object(3, 1);
        unknown["spec"]["m"] = json!(1);
        let strict = Answer {
            status: 400,
            ..Answer::default()
        };
        assert_eq!(differ(|it| it.of_create(&unknown, &strict)), 0);
        assert_eq!(differ(|it| it.of_create(&unknown, &accepted())), 1);
        assert_eq!(differ(|it| it.of_create(&object(3, 1), &strict)), 1);
    }

    #[test]
    fn nobody_asked_is_no_agreement() {
        let opinion = SecondOpinion::of_version(&crd(), "v1").unwrap();
        let mut report = Report::default();
        opinion.report("A v1", &mut report);
        assert_eq!(report.failed(), 1);
    }
}
