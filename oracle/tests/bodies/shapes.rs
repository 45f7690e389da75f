//! Shapes that were once read wrong, with others of their kind: fact by fact what kube-derive's `crd()` says, or refused.
//! A file of `shapes/` is one cause.

use super::texts::{self, Outcome};

macro_rules! causes {
    ($($name:literal)*) => {
        [$(include_str!(concat!("shapes/", $name, ".rs"))),*]
    };
}

#[test]
fn shapes() {
    let causes = causes!("a1" "a2" "a3" "a4" "a5" "a6" "a7" "a8" "a9" "a10" "a11" "a12" "b" "c1" "c2" "c3" "c4" "c5" "d1" "e1" "f1");
    let outcomes = texts::outcomes("shapes", &causes);
    let (mut equal, mut refused, mut wrong) = (0, 0, Vec::new());
    for (name, outcome) in &outcomes {
        match outcome {
            Outcome::Equal => equal += 1,
            Outcome::Refused(why) => {
                refused += 1;
                println!("refused {name}: {why}");
            }
            Outcome::Panics(why) => wrong.push(format!("{name}: kube panics: {why}")),
            Outcome::Wrong(facts) => wrong.push(format!("{name}: {}", facts.join("\n  "))),
        }
    }
    println!(
        "{equal} of {} shapes equal, {refused} refused, {} wrong",
        outcomes.len(),
        wrong.len()
    );
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
