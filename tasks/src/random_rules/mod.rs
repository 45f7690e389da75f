//! Random rules over random schemas on a real API server: compares its verdicts with those of `check`, and with those of the
//! validator on objects.
//!
//! `RULES` is the number of rules, `RULES_SEED` the first seed.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

#[path = "../../../oracle/tests/random/dice.rs"]
#[allow(dead_code, reason = "some of it is for other tests")]
mod dice;
#[path = "../../../oracle/tests/apiserver/expressions/generate.rs"]
#[allow(dead_code, reason = "some of it is for other tests")]
mod generate;
#[path = "../../../oracle/tests/apiserver/expressions/macros.rs"]
mod macros;
#[path = "../../../oracle/tests/apiserver/objects.rs"]
#[allow(dead_code, reason = "some of it is for other tests")]
mod objects;
#[path = "../../../oracle/tests/apiserver/rules.rs"]
mod rules;
#[path = "../../../oracle/tests/apiserver/schemas.rs"]
mod schemas;
#[path = "../../../oracle/tests/apiserver/expressions/texts.rs"]
mod texts;
#[path = "../../../oracle/tests/apiserver/expressions/ways.rs"]
mod ways;

mod coverage;
mod crds;
mod explained;
mod places;
mod rule;
mod spoil;
mod tally;
mod trial;

use crate::tried_server::started_or_skipped;
use crds::Maker;
use dice::Dice;
use tally::Tally;
use trial::{Objects, Trial};

const DRY_RUN: &str =
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All&fieldValidation=Warn";

/// After this number of rules a CRD stays on the server, to try objects of it; and the maximum number of such CRDs.
const RULES_OF_A_TRIAL: usize = 25;
const MOST_TRIALS: usize = 60;

/// The maximum number of differences to show.
const SHOWN: usize = 40;

#[test]
fn a_server_says_of_random_rules_what_check_says() {
    let Some(server) = started_or_skipped() else {
        return;
    };
    let number = |name: &str, default: u64| {
        let given = std::env::var(name).ok();
        given.map_or(default, |given| given.parse().unwrap())
    };
    let (wanted, first) = (number("RULES", 500), number("RULES_SEED", 1));
    let wanted = usize::try_from(wanted).unwrap();
    let mut tally = Tally::default();
    let mut trials = Vec::new();
    let mut maker = Maker::default();
    let mut seed = first;
    // More rules if a function has not occurred yet.
    while tally.compared() < wanted
        || (tally.compared() < 2 * wanted && !tally.missing(maker.topics()).is_empty())
    {
        let mut made = maker.make(seed, &tally.occurs_accepted);
        // The server reports no rules beside an invalid default, so drop the default and repeat the request.
        loop {
            let answer = server.api.post(DRY_RUN, &made.document);
            let answer = answer.unwrap_or_else(|failure| panic!("{failure}"));
            tally.compare(&made, &answer);
            if !made.drop_defaults(&answer) {
                tally.count(&made, &answer);
                let is_wanted = trials.len() < MOST_TRIALS
                    && trials.len() * RULES_OF_A_TRIAL <= tally.compared();
                trials.extend(is_wanted.then(|| Trial::start(server.api, &made)).flatten());
                break;
            }
        }
        seed += 1;
    }
    let mut tried = Objects::default();
    for trial in &trials {
        trial.run(server.api, &mut tried);
    }
    tried.print();
    tally.print(first, maker.topics());
    tally.wrong.extend(tried.wrong);
    tally.assert(&tally.missing(maker.topics()));
}
