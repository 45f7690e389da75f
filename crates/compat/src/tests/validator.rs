//! `compat` and `crates/validation`, which is compared with the server's code, agree on which values are valid.

use super::enumeration::{Dice, pruned, random, values};
use crate::values::valid;
use crate::verdict::Answer;
use crd_channels_schema::Schema;
use crd_channels_validation::Violation;
use crd_channels_validation::path::Path;
use crd_channels_validation::schema::{Faults, JsonNode, read};
use crd_channels_validation::value::violations;
use serde_json::Value;

/// What is still told otherwise: a server accepts no null where there is an enum, whether the schema is nullable or not, and cuts
/// the fraction off a number before it compares it with the whole numbers of an enum.
fn is_known(document: &Value, value: &Value, answer: Answer, expected: &[Violation]) -> bool {
    let of_null = |violation: &Violation| violation.message == "null is not a value of the enum";
    let has_fraction = value.to_string().contains(".5");
    match answer {
        Answer::Yes => expected.iter().all(of_null),
        Answer::No => has_fraction && document.to_string().contains("enum"),
        Answer::Unknown => true,
    }
}

#[test]
fn values_are_valid_where_a_server_accepts_them() {
    let mut dice = Dice(0x5851_f42d_4c95_7f2d);
    let mut answered = 0;
    let mut failures = Vec::new();
    for _ in 0..2000 {
        let document = random(&mut dice, 2, true);
        let schema = Schema::from_json(&document).unwrap();
        let served = read(
            &mut Faults::default(),
            JsonNode::new(&document, &Path::root("schema")),
        );
        for value in values(&document, 0, &mut dice) {
            // A server drops these before it validates.
            let kept = pruned(&document, &value);
            let expected = violations(&kept, &served, None);
            let answer = valid(&schema, &value);
            answered += u64::from(answer != Answer::Unknown);
            let agrees = (answer == Answer::Yes) == expected.is_empty();
            if !agrees && !is_known(&document, &value, answer, &expected) {
                failures.push(format!("{document} {value}: {answer:?}, {expected:?}"));
            }
        }
    }
    failures.truncate(20);
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(answered > 50_000, "only {answered} answers");
}
