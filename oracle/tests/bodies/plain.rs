//! Default functions such as operators have, each in its author's way: what is read is what is computed, and the
//! share that is answered without compiling is known.

use super::report::share;
use super::texts::{self, Outcome};

/// How many in a thousand are answered at least; the rest is what the compiler is asked for.
const ANSWERED: usize = 425;

macro_rules! authors {
    ($($name:literal)*) => {
        [$(include_str!(concat!("plain/", $name, ".rs"))),*]
    };
}

#[test]
fn plain_bodies() {
    let authors = authors!("web" "storage" "policy" "network" "observe");
    let outcomes = texts::outcomes("plain", &authors);
    let (mut equal, mut wrong) = (0, Vec::new());
    for (name, outcome) in &outcomes {
        match outcome {
            Outcome::Equal => equal += 1,
            Outcome::Documented(rows) => {
                wrong.push(format!("{name}: differs as documented: {rows:?}"))
            }
            Outcome::Refused(why) => println!("refused {name}: {why}"),
            Outcome::Panics(why) => wrong.push(format!("{name}: kube panics: {why}")),
            Outcome::Wrong(facts) => wrong.push(format!("{name}: {}", facts.join("\n  "))),
        }
    }
    let all = outcomes.len();
    println!(
        "{equal} of {all} plain bodies ({:.1} %) are answered without compiling",
        100.0 * share(equal, all)
    );
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(
        equal * 1000 >= all * ANSWERED,
        "fewer are answered than were: {equal} of {all}"
    );
}
