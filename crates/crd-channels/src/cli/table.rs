//! The table of all commands, in the groups and the order in which help and the page of commands list them.

use super::row::{CommandRow, Start, valid};
use super::{
    check, cluster, completions, diff, eval_rule, explain, explain_rule, features, import, init,
    pin, plan, prove, reference, release, show, validate, verify_release,
};
use crate::commands::{
    self, adopt, archive, deprecate, envtest, explain_warning, gen_crds, graduate, keygen,
    merge_driver, prune, remove, sign, start_next, vendor,
};
use crd_channels_gen_crds::arguments;

/// Returns the rows of all groups.
pub fn commands() -> impl Iterator<Item = &'static CommandRow> {
    GROUPS.iter().flat_map(|(_, rows)| *rows)
}

/// The groups and their commands.
pub const GROUPS: [(&str, &[CommandRow]); 6] = [
    ("Generate and check CRDs", &GENERATE),
    ("Try rules", &TRY),
    ("Change an API", &CHANGE),
    ("Release bundles", &RELEASE),
    ("Use bundles and API servers", &USE),
    ("Set up a shell", &SHELL),
];

const GENERATE: [CommandRow; 8] = [
    CommandRow {
        command: init::command,
        run: |given, _| commands::init::run(&init::request(given)),
        start: Start::HoldingWorkspace(None),
        examples: "
            # write the configuration, and record what source does not tell
            init --yes
            # show what would be written
            init --diff
            # show what would change for users of the CRDs that you have
            init --compare deploy/crds",
    },
    CommandRow {
        command: import::command,
        run: |given, _| commands::import::run(&import::request(given)),
        start: Start::Settled(None),
        examples: "
            # make types of the CRDs in a folder
            import deploy/crds --out crates/api
            # make types with gates of two channels
            import --channel stable=config/crd/standard --channel experimental=config/crd/experimental --out crates/api
            # make types of a CRD that a cluster has
            import - --out crates/api
            # merge what changed in the CRDs into types that were edited since
            import deploy/crds --out crates/api --update",
    },
    CommandRow {
        command: arguments::command,
        run: |given, _| gen_crds::run(&arguments::request(given), commands::WHOLE_PROGRAM),
        start: Start::AtOnce,
        examples: arguments::EXAMPLES,
    },
    CommandRow {
        command: check::command,
        run: |given, _| commands::check::run(&check::request(given)),
        start: Start::Settled(Some(commands::check::failed)),
        examples: "
            # check the CRDs of both channels
            check generated
            # check CRDs of another tool for an old Kubernetes, with a stricter lint
            check deploy/crds --kubernetes 1.30 --deny float
            # annotate a pull request on GitHub
            check generated --format github",
    },
    CommandRow {
        command: prove::command,
        run: |given, _| commands::prove::run(&prove::request(given)),
        start: Start::Settled(Some(|findings, sources| {
            commands::prove::document(None, findings, sources)
        })),
        examples: "
            # compare every fact with the compiled types
            prove
            # record the defaults that only the running program knows
            prove --record
            # without the network
            prove -- --offline",
    },
    CommandRow {
        command: explain::command,
        run: |given, _| commands::explain::run(explain::request(given)),
        start: Start::AtOnce,
        examples: "
            # explain `error[unknown-feature]`
            explain unknown-feature
            # list all codes
            explain",
    },
    CommandRow {
        command: show::command,
        run: |given, _| commands::reference::show::run(&show::request(given)),
        start: Start::Settled(Some(commands::reference::show::failed)),
        examples: "
            # show what is known about a field, and since which bundle it is there
            show Route.spec.host
            # list what is new since a bundle
            show Route --since v0.1.0
            # the same for CRDs of any origin, a folder for each version
            show Route --since v0.1.0 --from channels",
    },
    CommandRow {
        command: reference::command,
        run: |given, _| valid(reference::request(given), commands::reference::write::run),
        start: Start::Settled(None),
        examples: "
            # write a site that opens from a disk or any server
            reference --out target/reference
            # write pages for mkdocs, Docusaurus or GitHub
            reference --out docs/reference --format markdown
            # the same for CRDs of any origin, a folder for each version
            reference crds --out target/reference --title 'Gateway API'
            # in CI: fail if the pages are not up to date
            reference --out docs/reference --format markdown --check",
    },
];

const TRY: [CommandRow; 2] = [
    CommandRow {
        command: eval_rule::command,
        run: |given, _| commands::eval_rule::run(&eval_rule::request(given)),
        start: Start::Settled(Some(|findings, _| commands::eval_rule::failed(findings))),
        examples: "
            # see which rules of the generated CRDs reject an object
            eval-rule route.yaml
            # evaluate transition rules, as in an update
            eval-rule route.yaml --old before.yaml --crds generated/stable",
    },
    CommandRow {
        command: explain_rule::command,
        run: |given, _| commands::explain_rule::run(&explain_rule::request(given)),
        start: Start::Settled(Some(|findings, _| commands::explain_rule::failed(findings))),
        examples: "
            # show what each part of the rules of a field costs
            explain-rule Route spec.host
            # try a rule before you write it
            explain-rule Route spec.host --expression 'self.size() > 1'",
    },
];

const CHANGE: [CommandRow; 5] = [
    CommandRow {
        command: features::features_command,
        run: |given, _| commands::features::run(features::features_request(given)),
        start: Start::Settled(Some(commands::features::failed)),
        examples: "
            # list all features
            features
            # list what became of everything that a feature ever gated
            features --history
            # for a program
            features --format json",
    },
    CommandRow {
        command: features::graduate_command,
        run: |given, _| graduate::run(&features::graduate_request(given)),
        start: Start::HoldingWorkspace(None),
        examples: "
            # show the edits
            graduate Timeouts --dry-run
            # make the edits
            graduate Timeouts",
    },
    CommandRow {
        command: features::remove_command,
        run: |given, _| remove::run(&features::remove_request(given)),
        start: Start::HoldingWorkspace(None),
        examples: "
            # show the edits
            remove Timeouts --dry-run
            # make the edits
            remove Timeouts --reason 'replaced by retries'",
    },
    CommandRow {
        command: features::deprecate_command,
        run: |given, _| deprecate::run(&features::deprecate_request(given)),
        start: Start::HoldingWorkspace(None),
        examples: "
            # show the edit
            deprecate Route v1beta1 --dry-run
            # say which bundle removes the version
            deprecate Route v1beta1 --removed-in v0.9.0 --replaced-by v1",
    },
    CommandRow {
        command: cluster::explain_warning_command,
        run: |given, _| {
            let (kind, version) = cluster::explain_warning_request(given);
            explain_warning::run(kind, version)
        },
        start: Start::Settled(None),
        examples: "
            # show what users of a deprecated version read
            explain-warning Route v1beta1",
    },
];

const RELEASE: [CommandRow; 10] = [
    CommandRow {
        command: diff::command,
        run: |given, _| commands::diff::run(&diff::request(given)),
        start: Start::Settled(Some(commands::diff::failed)),
        examples: "
            # show what changed since a bundle
            diff v0.1.0 .
            # in CI: fail if a pull request needs more than a minor bundle
            diff git:main . --against minor
            # write release notes
            diff v0.1.0 . --format markdown",
    },
    CommandRow {
        command: release::command,
        run: |given, settled| {
            valid(release::request(given), |it| {
                commands::release::run(it, settled)
            })
        },
        start: Start::HoldingWorkspace(Some(commands::release::failed)),
        examples: "
            # show what would be written
            release minor --dry-run
            # release the next minor bundle
            release minor
            # release the state of a day
            release snapshot --date 2026-11-24",
    },
    CommandRow {
        command: release::start_next_command,
        run: |_, _| start_next::run(),
        start: Start::HoldingWorkspace(None),
        examples: "
            # after the release is committed and tagged
            start-next",
    },
    CommandRow {
        command: verify_release::command,
        run: |given, _| {
            valid(verify_release::request(given), |it| {
                commands::verify_release::run(*it)
            })
        },
        start: Start::Settled(None),
        examples: "
            # verify all bundles
            verify-release
            # build a bundle again from its tag, and compare
            verify-release v0.1.0 --source git:v0.1.0",
    },
    CommandRow {
        command: verify_release::keygen_command,
        run: |given, _| keygen::run(&verify_release::keygen_request(given)),
        start: Start::Settled(None),
        examples: "
            # generate keys, the secret one outside of the working tree
            keygen --secret ../release.key --public release.pub",
    },
    CommandRow {
        command: verify_release::sign_command,
        run: |given, _| valid(verify_release::sign_request(given), sign::run),
        start: Start::HoldingWorkspace(None),
        examples: "
            # sign a bundle
            sign v0.1.0 --key release.key",
    },
    CommandRow {
        command: verify_release::archive_command,
        run: |given, _| valid(verify_release::archive_request(given), archive::run),
        start: Start::Settled(None),
        examples: "
            # write the files to publish into target/dist
            archive v0.1.0
            # write them outside of the working tree
            archive v0.1.0 --output ../dist",
    },
    CommandRow {
        command: release::adopt_command,
        run: |given, _| match release::adopt_tags_request(given) {
            Some(tagged) => adopt::tagged::run(&tagged),
            None => valid(release::adopt_request(given), adopt::run),
        },
        start: Start::HoldingWorkspace(None),
        examples: "
            # from the tag of the bundle
            adopt v0.1.0
            # from a release branch
            adopt v0.1.0 --from release-0.1
            # make bundles of what was released before there were bundles
            adopt --tags 'v1.*' --crds stable=config/crd/bases",
    },
    CommandRow {
        command: release::merge_driver_command,
        run: |given, _| match release::merge_driver_request(given) {
            Some(merge) => merge_driver::run(&merge),
            None => merge_driver::install(),
        },
        start: Start::AtOnce,
        examples: "
            # in each clone that merges release branches
            merge-driver --install",
    },
    CommandRow {
        command: release::prune_command,
        run: |given, _| prune::run(given.get_flag("dry-run")),
        start: Start::HoldingWorkspace(None),
        examples: "
            # show what would be removed
            prune --dry-run
            # remove it
            prune",
    },
];

const USE: [CommandRow; 9] = [
    CommandRow {
        command: pin::pin_command,
        run: |given, _| commands::pin::run(&pin::pin_request(given), vendor::unvendored),
        start: Start::HoldingFolder(Some(commands::pin::failed)),
        examples: "
            # pin the newest bundle of a minor version
            pin --from https://example.com/api.git --version '^0.1'
            # show what an update would change
            pin --update --dry-run
            # for a bot: update, unless that breaks objects or manifests
            pin --update --against minor
            # show the bundles that can be chosen
            pin --list
            # show what is newer than what is pinned
            pin --outdated
            # after a merge: pin again what a broken lock names
            pin --repair",
    },
    CommandRow {
        command: pin::vendor_command,
        run: |given, _| vendor::run(&pin::vendor_request(given)),
        start: Start::HoldingFolder(Some(vendor::failed)),
        examples: "
            # write the pinned files
            vendor
            # in CI: fail if a file is not as it is pinned
            vendor --check --offline",
    },
    CommandRow {
        command: plan::command,
        run: |given, _| commands::plan::run(&plan::request(given)),
        start: Start::Settled(Some(commands::plan::failed)),
        examples: "
            # what an update of the pinned bundles does to these objects
            plan deploy
            # to any newer version, for a pull request
            plan deploy --to '>=0.1' --format markdown
            # without a lock: other CRDs for the same objects
            plan deploy --before git:main:deploy/crds --after deploy/crds
            # all objects of a cluster
            plan --cluster --context staging",
    },
    CommandRow {
        command: validate::command,
        run: |given, _| commands::validate::run(&validate::request(given)),
        start: Start::Settled(Some(commands::validate::failed)),
        examples: "
            # validate objects against the pinned CRDs
            validate deploy
            # against other CRDs; objects of other kinds are errors
            validate route.yaml --crds deploy/crds --strict
            # in CI: what an update would reject, and warnings as errors
            validate deploy --previous git:main --warnings-as-errors --format github",
    },
    CommandRow {
        command: cluster::status_command,
        run: |given, _| commands::cluster::status::run(&cluster::status_request(given)),
        start: Start::Settled(Some(commands::cluster::status::failed)),
        examples: "
            # show what is installed of the pinned bundles
            cluster-status
            # for a program, with another context
            cluster-status --context staging --format json
            # of CRDs that are not pinned
            cluster-status --crds deploy/crds",
    },
    CommandRow {
        command: cluster::install_command,
        run: |given, _| commands::cluster::install::run(&cluster::install_request(given)),
        start: Start::Settled(None),
        examples: "
            # let the API server try it
            cluster-install --dry-run
            # install or upgrade
            cluster-install",
    },
    CommandRow {
        command: cluster::migrate_command,
        run: |given, _| commands::cluster::migrate::run(&cluster::migrate_request(given)),
        start: Start::Settled(None),
        examples: "
            # show what would be rewritten
            cluster-migrate --dry-run
            # rewrite the objects of a CRD
            cluster-migrate routes.example.com",
    },
    CommandRow {
        command: cluster::verify_command,
        run: |given, _| commands::cluster::verify::run(&cluster::verify_request(given)),
        start: Start::Settled(None),
        examples: "
            # in CI: fail if the cluster differs from the lock
            cluster-verify
            # with another user
            cluster-verify --as system:serviceaccount:ci:verify --format json",
    },
    CommandRow {
        command: cluster::envtest_command,
        run: |given, _| envtest::run(&cluster::envtest_request(given)),
        start: Start::AtOnce,
        examples: "
            # run tests against an API server
            envtest -- cargo test
            # start one until Ctrl-C
            envtest",
    },
];

const SHELL: [CommandRow; 2] = [
    CommandRow {
        command: completions::completions_command,
        run: |given, _| completions::completions(given),
        start: Start::AtOnce,
        examples: "
            # print the completions for bash
            completions bash
            # print the completions for zsh
            completions zsh",
    },
    CommandRow {
        command: completions::man_command,
        run: |given, _| completions::man(given),
        start: Start::AtOnce,
        examples: "
            # print the page of a command
            man gen-crds
            # write the pages of all commands
            man --output target/man",
    },
];
