//! The commands about API servers: `envtest` and `explain-warning`.

use super::flag;
use crate::commands::envtest;
use clap::{Arg, ArgMatches, Command};

pub(super) fn envtest_command() -> Command {
    Command::new("envtest")
        .about("Starts a kube-apiserver on loopback, prints how to reach it, and stops it on Ctrl-C")
        .arg(flag(
            "binaries",
            "start nothing; print the paths of kube-apiserver, etcd and kubectl, for a shell to evaluate",
        ))
        .arg(
            Arg::new("command")
                .value_name("COMMAND")
                .help("after `--`: run this command with `KUBECONFIG` set, and stop the server when it ends; exit 1 if it fails")
                .num_args(1..)
                .last(true)
                .conflicts_with("binaries"),
        )
}

pub(super) fn envtest_request(given: &ArgMatches) -> envtest::Request {
    envtest::Request {
        binaries: given.get_flag("binaries"),
        command: given
            .get_many::<String>("command")
            .map(|words| words.cloned().collect())
            .unwrap_or_default(),
    }
}

pub(super) fn explain_warning_command() -> Command {
    let required = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).required(true).value_name(value).help(help)
    };
    Command::new("explain-warning")
        .about("Prints the deprecation warning of a version, in every channel")
        .arg(required(
            "kind",
            "KIND",
            "the kind, as in `kind: EdgeGateway`",
        ))
        .arg(required(
            "version",
            "VERSION",
            "the version, as in `v1beta1`",
        ))
}

/// Returns the kind and the version.
pub(super) fn explain_warning_request(given: &ArgMatches) -> (&str, &str) {
    let text = |name| given.get_one::<String>(name).map_or("", String::as_str);
    (text("kind"), text("version"))
}
