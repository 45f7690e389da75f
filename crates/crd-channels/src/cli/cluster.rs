//! The commands about API servers: `cluster-*`, `envtest` and `explain-warning`.

use super::{flag, format, format_of_findings, named_format};
use crate::commands::cluster::{Kubectl, install, migrate, status, verify};
use crate::commands::envtest;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use std::path::PathBuf;
use std::time::Duration;

/// The options of `kubectl` that select a cluster and a user, with their values and help.
const KUBECTL: [(&str, &str, &str); 4] = [
    ("kubeconfig", "FILE", "the configuration of `kubectl`"),
    ("context", "NAME", "the context of that configuration"),
    ("as", "USER", "the user to impersonate"),
    (
        "as-group",
        "GROUP",
        "a group to impersonate; may be repeated",
    ),
];

/// A command with the options of `kubectl`.
fn cluster_command(name: &'static str, about: &'static str) -> Command {
    Command::new(name).about(about).args(kubectl_options())
}

/// The options of `kubectl` that select a cluster and a user.
pub(super) fn kubectl_options() -> [Arg; KUBECTL.len()] {
    KUBECTL.map(|(name, value, help)| {
        let option = Arg::new(name).long(name).value_name(value).help(help);
        match name {
            "as-group" => option.action(ArgAction::Append),
            _ => option,
        }
    })
}

pub(super) fn kubectl(given: &ArgMatches) -> Kubectl {
    let options = KUBECTL.iter().flat_map(|(name, ..)| {
        let values = given.get_many::<String>(name).into_iter().flatten();
        values.map(move |value| format!("--{name}={value}"))
    });
    Kubectl {
        options: options.collect(),
    }
}

pub(super) fn status_command() -> Command {
    let about = "Shows what a cluster has of the pinned bundles, and what its objects use";
    cluster_command("cluster-status", about)
        .arg(
            Arg::new("crds")
                .long("crds")
                .value_name("PATH")
                .help("a folder or a file of CRDs; they count in place of the pinned ones")
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(flag("offline", "fetch nothing; use the cache"))
        .arg(format::argument("how the status is written"))
}

pub(super) fn status_request(given: &ArgMatches) -> status::Request {
    status::Request {
        kubectl: kubectl(given),
        crds: given.get_one::<PathBuf>("crds").cloned(),
        offline: given.get_flag("offline"),
        format: format::output_format(given),
    }
}

pub(super) fn install_command() -> Command {
    let about = "Installs the pinned bundles in a cluster, or upgrades to them";
    cluster_command("cluster-install", about)
        .visible_alias("cluster-upgrade")
        .arg(flag(
            "allow-downgrade",
            "install a bundle that is older than the installed one",
        ))
        .arg(flag(
            "allow-data-loss",
            "install CRDs that drop or reject what objects have",
        ))
        .arg(flag(
            "force-conflicts",
            "take over fields that another program manages",
        ))
        .arg(flag(
            "dry-run",
            "let the API server try it, and store nothing",
        ))
}

pub(super) fn install_request(given: &ArgMatches) -> install::Request {
    install::Request {
        kubectl: kubectl(given),
        allow_downgrade: given.get_flag("allow-downgrade"),
        allow_data_loss: given.get_flag("allow-data-loss"),
        force_conflicts: given.get_flag("force-conflicts"),
        dry_run: given.get_flag("dry-run"),
    }
}

pub(super) fn migrate_command() -> Command {
    let about = "Rewrites stored objects in the storage version, and removes old versions from `status.storedVersions`";
    cluster_command("cluster-migrate", about)
        .arg(
            Arg::new("crd")
                .value_name("CRD")
                .help("the name of a CRD, such as `routes.example.com`; by default all that are pinned")
                .action(ArgAction::Append),
        )
        .arg(
            Arg::new("settle")
                .long("settle")
                .value_name("SECONDS")
                .help("how long API servers must agree on the storage version before objects are rewritten")
                .default_value("10")
                .value_parser(value_parser!(u64)),
        )
        .arg(flag("dry-run", "show what would be done"))
}

pub(super) fn migrate_request(given: &ArgMatches) -> migrate::Request {
    let crds = given.get_many::<String>("crd").into_iter().flatten();
    let settle = given.get_one::<u64>("settle").copied();
    migrate::Request {
        kubectl: kubectl(given),
        crds: crds.cloned().collect(),
        settle: Duration::from_secs(settle.unwrap_or_default()),
        dry_run: given.get_flag("dry-run"),
    }
}

pub(super) fn verify_command() -> Command {
    let about = "Verifies that a cluster has what is pinned";
    cluster_command("cluster-verify", about).arg(format_of_findings())
}

pub(super) fn verify_request(given: &ArgMatches) -> verify::Request {
    verify::Request {
        kubectl: kubectl(given),
        format: named_format(given),
    }
}

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
