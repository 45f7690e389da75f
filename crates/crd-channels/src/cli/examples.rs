//! Examples of real use, shown at the end of each command's help and on the page of commands.

use crate::commands::program::Program;
use clap::Command;
use crd_channels_gen_crds::arguments;
use crd_channels_gen_crds::options::{Example, with_examples};

/// The examples of each command. Tests parse all of them, and run those that need no server and no compiler.
pub const EXAMPLES: [(&str, &[Example]); 27] = [
    (
        "init",
        &[
            (
                "write the configuration, and record what source does not tell",
                "init --yes",
            ),
            ("show what would be written", "init --diff"),
            (
                "show what would change for users of the CRDs that you have",
                "init --compare deploy/crds",
            ),
        ],
    ),
    ("gen-crds", &arguments::EXAMPLES),
    (
        "check",
        &[
            ("check the CRDs of both channels", "check generated"),
            (
                "check CRDs of another tool for an old Kubernetes, with a stricter lint",
                "check deploy/crds --kubernetes 1.30 --deny float",
            ),
            (
                "annotate a pull request on GitHub",
                "check generated --format github",
            ),
        ],
    ),
    (
        "prove",
        &[
            ("compare every fact with the compiled types", "prove"),
            (
                "record the defaults that only the running program knows",
                "prove --record",
            ),
            ("without the network", "prove -- --offline"),
        ],
    ),
    (
        "explain",
        &[
            (
                "explain `error[unknown-feature]`",
                "explain unknown-feature",
            ),
            ("list all codes", "explain"),
        ],
    ),
    (
        "eval-rule",
        &[
            (
                "see which rules of the generated CRDs reject an object",
                "eval-rule route.yaml",
            ),
            (
                "evaluate transition rules, as in an update",
                "eval-rule route.yaml --old before.yaml --crds generated/stable",
            ),
        ],
    ),
    (
        "explain-rule",
        &[
            (
                "show what each part of the rules of a field costs",
                "explain-rule Route spec.host",
            ),
            (
                "try a rule before you write it",
                "explain-rule Route spec.host --expression 'self.size() > 1'",
            ),
        ],
    ),
    (
        "features",
        &[
            ("list all features", "features"),
            ("for a program", "features --format json"),
        ],
    ),
    (
        "graduate",
        &[
            ("show the edits", "graduate Timeouts --dry-run"),
            ("make the edits", "graduate Timeouts"),
        ],
    ),
    (
        "remove",
        &[
            ("show the edits", "remove Timeouts --dry-run"),
            (
                "make the edits",
                "remove Timeouts --reason 'replaced by retries'",
            ),
        ],
    ),
    (
        "deprecate",
        &[
            ("show the edit", "deprecate Route v1beta1 --dry-run"),
            (
                "say which bundle removes the version",
                "deprecate Route v1beta1 --removed-in v0.9.0 --replaced-by v1",
            ),
        ],
    ),
    (
        "explain-warning",
        &[(
            "show what users of a deprecated version read",
            "explain-warning Route v1beta1",
        )],
    ),
    (
        "diff",
        &[
            ("show what changed since a bundle", "diff v0.1.0 ."),
            (
                "in CI: fail if a pull request needs more than a minor bundle",
                "diff git:main . --against minor",
            ),
            ("write release notes", "diff v0.1.0 . --format markdown"),
        ],
    ),
    (
        "release",
        &[
            ("show what would be written", "release minor --dry-run"),
            ("release the next minor bundle", "release minor"),
            (
                "release the state of a day",
                "release snapshot --date 2026-11-24",
            ),
        ],
    ),
    (
        "start-next",
        &[("after the release is committed and tagged", "start-next")],
    ),
    (
        "verify-release",
        &[
            ("verify all bundles", "verify-release"),
            (
                "build a bundle again from its tag, and compare",
                "verify-release v0.1.0 --source git:v0.1.0",
            ),
        ],
    ),
    (
        "keygen",
        &[(
            "generate keys, the secret one outside of the working tree",
            "keygen --secret ../release.key --public release.pub",
        )],
    ),
    (
        "sign",
        &[("sign a bundle", "sign v0.1.0 --key release.key")],
    ),
    (
        "archive",
        &[
            (
                "write the files to publish into target/dist",
                "archive v0.1.0",
            ),
            (
                "write them outside of the working tree",
                "archive v0.1.0 --output ../dist",
            ),
        ],
    ),
    (
        "adopt",
        &[
            ("from the tag of the bundle", "adopt v0.1.0"),
            ("from a release branch", "adopt v0.1.0 --from release-0.1"),
        ],
    ),
    (
        "merge-driver",
        &[(
            "in each clone that merges release branches",
            "merge-driver --install",
        )],
    ),
    (
        "prune",
        &[
            ("show what would be removed", "prune --dry-run"),
            ("remove it", "prune"),
        ],
    ),
    (
        "pin",
        &[
            (
                "pin the newest bundle of a minor version",
                "pin --from https://example.com/api.git --version '^0.1'",
            ),
            ("show what an update would change", "pin --update --dry-run"),
            (
                "for a bot: update, unless that breaks objects or manifests",
                "pin --update --against minor",
            ),
            (
                "after a merge: pin again what a broken lock names",
                "pin --repair",
            ),
        ],
    ),
    (
        "vendor",
        &[
            ("write the pinned files", "vendor"),
            (
                "in CI: fail if a file is not as it is pinned",
                "vendor --check --offline",
            ),
        ],
    ),
    (
        "envtest",
        &[
            ("run tests against an API server", "envtest -- cargo test"),
            ("start one until Ctrl-C", "envtest"),
        ],
    ),
    (
        "completions",
        &[
            ("print the completions for bash", "completions bash"),
            ("print the completions for zsh", "completions zsh"),
        ],
    ),
    (
        "man",
        &[
            ("print the page of a command", "man gen-crds"),
            ("write the pages of all commands", "man --output target/man"),
        ],
    ),
];

/// Adds its examples to the help of each command.
pub(super) fn with_help(command: Command, program: Program) -> Command {
    EXAMPLES.into_iter().fold(command, |command, (name, all)| {
        command.mut_subcommand(name, |command| with_examples(command, all, program))
    })
}
