//! `cargo xtask`: the program as this repository runs it, and the repository's own tasks.

#[macro_use(println, eprintln)]
extern crate crd_channels;

mod pages;
mod e2e;
mod objects;
mod examples;
mod published;
mod report;
#[cfg(test)]
mod changed_crds;
#[cfg(test)]
mod random_crds;
#[cfg(test)]
mod random_rules;
#[cfg(test)]
mod verdicts;

use crd_channels::cli::{self, Task};
use std::process::ExitCode;

const TASKS: [Task; 2] = [
    Task {
        name: "e2e",
        about: "Tests the CRDs of the working tree on a kube-apiserver that it starts and stops",
        run: e2e::command::run,
    },
    Task {
        name: "pages",
        about: "Writes the pages of `docs/` that consist of records",
        run: pages::run,
    },
];

fn main() -> ExitCode {
    cli::run(std::env::args_os(), &TASKS)
}
