//! The examples and Kubernetes' own client code say the same of random inputs, malformed ones too.
//!
//! `RUNTIME_SEED` is the first seed, `RUNTIME_INPUTS` how many inputs there are of each. The Go code is built from its
//! published module. Without Go, the tests say on stderr that they compare nothing.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod conditions;
#[path = "../../../../oracle/tests/random/dice.rs"]
#[allow(dead_code, reason = "some of it is for other tests")]
mod dice;
mod warnings;

use dice::Dice;
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// What runs Kubernetes' code, built once for both tests.
static PROGRAM: OnceLock<Option<PathBuf>> = OnceLock::new();

/// How many differences are shown.
const SHOWN: usize = 10;

#[test]
fn warnings_are_what_kubernetes_reads() {
    compare("warnings", warnings::values);
}

#[test]
fn conditions_are_what_kubernetes_sets() {
    compare("conditions", conditions::input);
}

fn compare(of: &str, draw: fn(&mut Dice) -> Value) {
    let Some(go) = PROGRAM.get_or_init(built) else {
        // Not by `eprintln!`: what a passing test prints with it, nobody sees.
        let why = format!("skipped: {of} are not compared, Go is not installed\n");
        std::io::stderr().write_all(why.as_bytes()).unwrap();
        return;
    };
    let number = |name: &str, default: u64| {
        let said = std::env::var(name).ok();
        said.map_or(default, |said| said.parse().unwrap())
    };
    let (first, count) = (number("RUNTIME_SEED", 1), number("RUNTIME_INPUTS", 3000));
    let inputs: Vec<String> = (first..first + count)
        .map(|seed| draw(&mut Dice::new(seed)).to_string())
        .collect();
    let theirs = answers(Command::new(go).arg(of), &inputs);
    let ours = answers(&mut Command::new(example(of)), &inputs);
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
}

/// Builds the program that runs Kubernetes' code. `None` if Go is not installed.
fn built() -> Option<PathBuf> {
    Command::new("go").arg("version").output().ok()?;
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/apimachinery/go");
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("apimachinery");
    let built = Command::new("go")
        .args(["build", "-buildvcs=false", "-o"])
        .arg(&program)
        .arg(".")
        .current_dir(source)
        .env("GOWORK", "off")
        .status()
        .unwrap();
    assert!(built.success(), "Kubernetes' client code does not build");
    Some(program)
}

/// An example of this package, which cargo builds before its tests.
fn example(name: &str) -> PathBuf {
    let mut place = std::env::current_exe().unwrap();
    place.pop();
    if place.ends_with("deps") {
        place.pop();
    }
    place.join("examples").join(name)
}

/// What a program answers, a line for each line.
fn answers(program: &mut Command, inputs: &[String]) -> Vec<Value> {
    let mut child = program
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let lines = inputs.join("\n") + "\n";
    let writer = std::thread::spawn(move || stdin.write_all(lines.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success(), "{program:?} failed");
    let text = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.len(), inputs.len());
    answers
}
