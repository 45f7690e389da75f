//! What cargo calls in the place of rustc while kinds are compiled: rustc, with other texts for the targets that have kinds and
//! nothing for all others that cargo would test.

use super::compile::{PLAN, Plan};
use crate::files::recall;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::Command;

/// Runs rustc where cargo called this program in its place; gives the code to end with. None where it did not.
#[must_use]
pub fn wrap(arguments: &[OsString]) -> Option<u8> {
    let plan = std::env::var_os(PLAN)?;
    let (rustc, arguments) = arguments.get(1..)?.split_first()?;
    let stem = Path::new(rustc).file_stem()?.to_str()?;
    // Another wrapper of the user's may stand between.
    if !stem.contains("rustc") && !Path::new(rustc).is_file() {
        return None;
    }
    let mut command = Command::new(rustc);
    match is_test(arguments) {
        true => {
            let Some(plan) = recall::<Plan>(Path::new(&plan)) else {
                eprintln!("error: `{}` cannot be read", plan.display());
                return Some(2);
            };
            command.args(replaced(arguments, &plan));
        }
        false => {
            command.args(arguments);
        }
    }
    match command.status() {
        // A signal has no code.
        Ok(ended) => Some(
            ended
                .code()
                .and_then(|code| u8::try_from(code).ok())
                .unwrap_or(1),
        ),
        Err(error) => {
            eprintln!("error: `{}` cannot be started: {error}", rustc.display());
            Some(2)
        }
    }
}

fn is_test(arguments: &[OsString]) -> bool {
    let cfg = arguments.windows(2).any(|pair| pair == ["--cfg", "test"]);
    cfg || arguments.iter().any(|argument| argument == "--test")
}

/// The arguments that compile a program from the plan's text. It is no test, so that `cfg(test)` is off as in the program.
fn replaced(arguments: &[OsString], plan: &Plan) -> Vec<OsString> {
    let mut made = Vec::with_capacity(arguments.len() + 2);
    let mut rest = arguments.iter();
    let mut root = false;
    let mut capped = false;
    while let Some(argument) = rest.next() {
        if argument == "--test" {
            continue;
        }
        if argument == "--cfg" {
            let value = rest.next();
            if value.is_some_and(|value| value != "test") {
                made.push(argument.clone());
                made.extend(value.cloned());
            }
            continue;
        }
        if argument == "--crate-type" {
            rest.next();
            continue;
        }
        capped |= argument
            .to_str()
            .is_some_and(|text| text.starts_with("--cap-lints"));
        if !root && Path::new(argument).extension() == Some(OsStr::new("rs")) {
            root = true;
            let name = Path::new(argument).canonicalize().ok();
            let text = name.and_then(|name| plan.roots.get(&name));
            made.push(text.unwrap_or(&plan.nothing).clone().into());
            continue;
        }
        made.push(argument.clone());
    }
    made.extend(["--crate-type", "bin"].map(OsString::from));
    if !capped {
        // What is added to the text is nobody's style.
        made.extend(["--cap-lints", "allow"].map(OsString::from));
    }
    made
}
