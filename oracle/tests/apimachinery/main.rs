//! The examples and Kubernetes' own client code return the same results for random inputs, including malformed ones.
//!
//! `RUNTIME_SEED` is the first seed, `RUNTIME_INPUTS` the number of inputs of each kind. The Go code is built from its
//! published module. Without Go, the tests print on stderr that they compare nothing.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod conditions;
#[path = "../random/dice.rs"]
#[allow(dead_code, reason = "some of it is for other tests")]
mod dice;
#[path = "../shared/go.rs"]
mod go;
mod warnings;

use dice::Dice;
use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

/// The program with Kubernetes' code, built once for all tests.
static PROGRAM: OnceLock<Option<PathBuf>> = OnceLock::new();

/// The maximum number of differences to show.
const SHOWN: usize = 10;

#[test]
fn warnings_are_what_kubernetes_reads() {
    compare("warnings", "warnings", warnings::values);
}

#[test]
fn conditions_are_what_kubernetes_sets() {
    compare("conditions", "conditions", conditions::input);
}

/// A server sends each of our texts, and sends no others if it gets the texts as they were.
#[test]
fn a_webhooks_warnings_are_what_a_server_sends() {
    if let Some(found) = compare("recorder", "admission", warnings::of_a_webhook) {
        let sent: Vec<String> = found.iter().map(Value::to_string).collect();
        let cut = sent.iter().filter(|texts| texts.len() > 4096);
        assert!(cut.count() > 100, "too few exceed the limit");
        let again = theirs("recorder", &sent).unwrap();
        assert_eq!(again, found, "a server would cut what is within its limits");
    }
}

/// What Kubernetes' code makes of the inputs.
fn theirs(of: &str, inputs: &[String]) -> Option<Vec<Value>> {
    let built_or_skipped = || {
        let left_out = "warnings and conditions are not compared";
        go::built_or_skipped("tests/apimachinery/go", None, left_out)
    };
    let go = PROGRAM.get_or_init(built_or_skipped).as_ref()?;
    Some(go::answers(Command::new(go).arg(of), inputs))
}

/// Compares the answers of Kubernetes' code with those of an example, which are returned.
fn compare(of: &str, by: &str, draw: fn(&mut Dice) -> Value) -> Option<Vec<Value>> {
    let number = |name: &str, default: u64| {
        let said = std::env::var(name).ok();
        said.map_or(default, |said| said.parse().unwrap())
    };
    let (first, count) = (number("RUNTIME_SEED", 1), number("RUNTIME_INPUTS", 3000));
    let inputs: Vec<String> = (first..first + count)
        .map(|seed| draw(&mut Dice::new(seed)).to_string())
        .collect();
    let mut theirs = theirs(of, &inputs)?;
    if of == "recorder" {
        // A client shows each text once.
        theirs.iter_mut().for_each(warnings::once);
    }
    let ours = go::answers(&mut Command::new(example(by)), &inputs);
    let pairs = inputs.iter().zip(ours.iter().zip(&theirs));
    let wrong: Vec<String> = pairs
        .filter(|(_, (ours, theirs))| ours != theirs)
        .map(|(input, (ours, theirs))| format!("{input}\n  ours:   {ours}\n  theirs: {theirs}"))
        .collect();
    let full = theirs
        .iter()
        .filter(|answer| **answer != Value::from([""; 0]));
    println!(
        "{count} {of} from seed {first}: {} with an answer that is not empty, {} differ",
        full.count(),
        wrong.len()
    );
    let shown = wrong.iter().take(SHOWN).map(String::as_str);
    assert!(wrong.is_empty(), "{}", shown.collect::<Vec<_>>().join("\n"));
    Some(ours)
}

/// Returns the path of an example of this package, which cargo builds before its tests.
fn example(name: &str) -> PathBuf {
    let mut place = std::env::current_exe().unwrap();
    place.pop();
    if place.ends_with("deps") {
        place.pop();
    }
    place.join("examples").join(name)
}
