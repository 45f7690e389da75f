//! `cargo xtask`: the program as this repository runs it, and the repository's own tasks.

#[macro_use(println, eprintln)]
extern crate crd_channels;

mod pages;
mod e2e;
mod objects;
mod examples;
mod published;
mod record;
mod report;
#[cfg(test)]
mod changed_crds;
#[cfg(test)]
mod random_crds;
#[cfg(test)]
mod random_rules;
#[cfg(test)]
mod tried_server;
mod verdicts;

use crd_channels::cli::{self, Task};
use std::process::ExitCode;

const TASKS: [Task; 3] = [
    Task {
        command: e2e::command::command,
        run: |_| e2e::command::run(),
    },
    Task {
        command: pages::command,
        run: |_| pages::run(),
    },
    Task {
        command: record::command,
        run: record::run,
    },
];

fn main() -> ExitCode {
    cli::run(std::env::args_os(), &TASKS)
}
