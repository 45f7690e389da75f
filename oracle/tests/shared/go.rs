//! Programs that run Go code of Kubernetes for tests. They read a JSON value a line and answer each with one.

#[path = "skipped.rs"]
pub mod skipped;

use crd_channels_envtest::go;
use serde_json::Value;
use skipped::skipped;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// Builds the program in a folder below that of the package, with the modules of its `go.mod` or of another file in the
/// folder. Where Go is not installed there is `None`, and stderr says what is `left_out`.
pub fn built_or_skipped(folder: &str, modules: Option<&str>, left_out: &str) -> Option<PathBuf> {
    if !go::is_there() {
        skipped(&format!("{left_out}, Go is not installed"));
        return None;
    }
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let modules = modules.unwrap_or(go::MODULES);
    let name = format!("{folder}/{modules}").replace('/', "-");
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(&name);
    // Two builds at once would compile the same packages twice.
    static BUILDING: Mutex<()> = Mutex::new(());
    let _alone = BUILDING.lock().unwrap_or_else(PoisonError::into_inner);
    let built = go::build_one(&name, &source, modules, &program);
    assert_eq!(built, Ok(()));
    Some(program)
}

/// The answers of a program.
pub fn answers(program: &mut Command, inputs: &[String]) -> Vec<Value> {
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
        .split_terminator('\n')
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.len(), inputs.len());
    answers
}
