//! The whole program with this repository's own tasks. `xtask` starts it for every command except `gen-crds`.

#[macro_use(println, eprintln)]
extern crate crd_channels_gen_crds;

mod dist;
mod pages;
mod e2e;
mod objects;
mod programs;
mod examples;
mod published;
mod record;
mod report;
#[cfg(test)]
mod changed_crds;
#[cfg(test)]
mod drawn_crds;
#[cfg(test)]
mod imported_objects;
#[cfg(test)]
mod imported_projects;
#[cfg(test)]
mod random_crds;
#[cfg(test)]
mod crd_folders;
#[cfg(test)]
mod random_imports;
#[cfg(test)]
mod random_updates;
#[cfg(test)]
mod random_objects;
#[cfg(test)]
mod random_rules;
#[cfg(test)]
mod tried_server;
mod verdicts;

use crd_channels::cli::{self, Task};
use std::process::ExitCode;
use std::{env, iter};

/// The name of the program in its own arguments.
const ALIAS: &str = "xtask";

const TASKS: [Task; 5] = [
    Task {
        command: e2e::command::command,
        run: e2e::command::run,
    },
    Task {
        command: dist::command,
        run: dist::run,
    },
    Task {
        command: pages::command,
        run: |_| pages::run(),
    },
    Task {
        command: programs::command,
        run: |_| programs::run(),
    },
    Task {
        command: record::command,
        run: record::run,
    },
];

fn main() -> ExitCode {
    // People call it `cargo xtask`, whichever of the two programs runs.
    let words = env::args_os().skip(1);
    cli::run(iter::once(ALIAS.into()).chain(words), &TASKS)
}
