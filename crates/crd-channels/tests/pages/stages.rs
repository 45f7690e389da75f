//! The situation of the reader of each page, and the commands that tests cannot run.

use super::shell::Shell;
use minisign::KeyPair;

/// Pages whose blocks include files: the paragraph above such a block ends with the name of the file.
pub const FOLLOWED: &[&str] = &["docs/from-kopium.md", "docs/tutorial.md"];

/// Commands that are not run: the page (all pages if it is empty), the beginning of the command, and the reason.
pub const NOT_RUN: &[(&str, &str, &str)] = &[
    ("", "cargo install ", "installs over the network"),
    (
        "",
        "curl --proto",
        "downloads a release; `.ci/install` installs one from loopback",
    ),
    ("", "cargo publish ", "publishes a package"),
    ("", "cargo release ", "publishes a package"),
    ("", "gh ", "publishes a release"),
    ("", "kopium ", "needs kopium"),
    (
        "",
        "cargo crd-channels import ",
        "reads CRDs of a project, as the tests of `import` do",
    ),
    ("", "helm ", "needs a cluster and Helm"),
    ("", "kubectl ", "needs a cluster"),
    (
        "",
        "cargo xtask keygen ",
        "asks for a password; the test makes the keys",
    ),
    (
        "",
        "cargo crd-channels prove",
        "compiles the dependencies of a project, as the tests of `prove` do",
    ),
    (
        "",
        "cargo crd-channels gen-crds --record",
        "compiles the dependencies of a project, as the tests of `prove` do",
    ),
    (
        "",
        "cargo xtask envtest",
        "starts an API server, as the tests of `envtest` do",
    ),
    (
        "",
        "cargo check --locked --workspace",
        "compiles the types with their dependencies, in place of which this test has empty packages",
    ),
    ("README.md", "cargo test", "runs this test"),
];

/// A project with an experimental field, in git.
const PROJECT: &str = r#"
git init --quiet
mkdir -p src channels
cat >.gitignore <<'END'
/target
*.key
END
cat >Cargo.toml <<'END'
[workspace]
exclude = ["stubs"]
[package]
name = "my-api"
version = "0.2.0-dev"
edition = "2024"
[dependencies]
crd-channels-derive = { path = "stubs/crd-channels-derive" }
kube = { path = "stubs/kube" }
schemars = { path = "stubs/schemars" }
serde = { path = "stubs/serde" }
END
for name in crd-channels-derive kube schemars serde; do
    mkdir -p stubs/$name/src
    printf '[package]\nname = "%s"\nversion = "1.0.0"\nedition = "2024"\n' $name >stubs/$name/Cargo.toml
    touch stubs/$name/src/lib.rs
done
echo 'features = "none"' >channels/stable.toml
echo 'features = "all"' >channels/experimental.toml
printf 'kubernetes = "1.32"\n' >channels/bundle.toml
printf '[Timeouts]\nsummary = "Rules bound how long a request may take."\n' >channels/features.toml
cat >src/lib.rs <<'END'
use crd_channels_derive::ApiType;
use kube::CustomResource;
use schemars::JsonSchema;

/// Where requests go.
#[derive(ApiType, Clone, CustomResource, Debug, JsonSchema)]
#[kube(group = "example.com", version = "v1", kind = "Route", namespaced)]
pub struct RouteSpec {
    /// The host.
    #[schemars(length(max = 20))]
    pub host: Option<String>,
    /// How long a request may take.
    #[experimental(feature = "Timeouts")]
    pub timeout: Option<String>,
}
END
crd-channels gen-crds
git add --all && git commit --quiet --message x
"#;

/// The functions that the scripts call.
const PROCEDURES: &str = r#"
commit() { git add --all && git commit --quiet --allow-empty --message "on $(git branch --show-current)"; }
publish() {
    crd-channels release $1
    commit
    git tag $2
    crd-channels start-next
    commit
}
"#;

/// The point at which a script runs.
#[derive(Clone, Copy, Eq, PartialEq)]
pub enum ScriptPosition<'c> {
    /// At the beginning of the page.
    Start,
    /// Before the block that begins with this command.
    Block(&'c str),
    /// In place of a command that is not run.
    Instead(&'c str),
    /// After a command.
    After(&'c str),
}

/// The scripts of the pages; `PROJECT` precedes those at the beginning.
const SCRIPTS: &[(&str, ScriptPosition, &str)] = &[
    (
        "README.md",
        ScriptPosition::Start,
        "mkdir ../your-operator
        cp -r Cargo.toml src stubs ../your-operator
        sed -i '/#.experimental/d' ../your-operator/src/lib.rs",
    ),
    (
        "docs/ci.md",
        ScriptPosition::Start,
        "publish minor v0.2.0
        git init --quiet --bare ../origin.git
        git remote add origin ../origin.git
        git push --quiet origin main
        sed -i 's/max = 20/max = 30/' src/lib.rs
        crd-channels gen-crds
        commit
        crd-channels pin --from git:. --version '^0.2'
        crd-channels vendor",
    ),
    (
        "docs/ci.md",
        ScriptPosition::Block("crd-channels gen-crds --check"),
        "sed -i 's/max = 30/max = 40/' src/lib.rs",
    ),
    (
        "docs/ci.md",
        ScriptPosition::After("crd-channels gen-crds --check"),
        "sed -i 's/max = 40/max = 30/' src/lib.rs",
    ),
    ("docs/editors.md", ScriptPosition::Start, ""),
    (
        "docs/from-crdgen.md",
        ScriptPosition::Start,
        "sed -i '/#.experimental/d' src/lib.rs
        sed -i 's/^    pub timeout: .*/&\\n    pub rules: Option<Vec<Step>>,/' src/lib.rs
        cat >>src/lib.rs <<'END'

/// A step.
#[derive(Clone, Debug, JsonSchema)]
pub struct Step {
    /// Its name.
    pub name: String,
}
END
        echo 'conventions = \"kube\"' >channels/bundle.toml
        crd-channels gen-crds
        mkdir -p deploy/crds
        sed '/annotations:/,/channel:/d' generated/stable/example.com_routes.yaml >deploy/crds/routes.yaml
        rm -r channels generated",
    ),
    (
        "docs/from-kopium.md",
        ScriptPosition::Start,
        "mkdir -p deploy/crds
        cat >src/lib.rs <<'END'
use kube::{CustomResource, KubeSchema};

/// A queue of messages.
#[derive(CustomResource, KubeSchema)]
#[kube(group = \"example.dev\", version = \"v1\", kind = \"Queue\", namespaced, shortname = \"q\")]
pub struct QueueSpec {
    /// Messages that the queue can hold.
    #[schemars(range(min = 1, max = 1000))]
    pub capacity: Option<i32>,
    /// Where the messages are kept.
    pub storage: QueueStorage,
}

/// Where the messages are kept.
#[derive(JsonSchema)]
pub enum QueueStorage {
    Disk,
    Memory,
}
END
        crd-channels gen-crds
        sed '/annotations:/,/channel:/d' generated/stable/example.dev_queues.yaml >deploy/crds/queue.yaml
        rm -r channels generated",
    ),
    (
        "docs/without-rust.md",
        ScriptPosition::Start,
        "for channel in standard experimental; do
            mkdir -p config/crd/$channel
            cat >config/crd/$channel/bays.yaml <<'END'
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: bays.harbour.example.dev}
spec:
  group: harbour.example.dev
  names: {kind: Bay, plural: bays}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        description: A bay for ships.
        type: object
        properties:
          apiVersion: {type: string}
          kind: {type: string}
          metadata: {type: object}
          spec:
            type: object
            properties:
              berths: {type: integer, format: int32, minimum: 1, maximum: 9}
              depth: {type: integer, format: int32, minimum: 1, maximum: 60}
END
        done
        sed -i '/berths/d' config/crd/standard/bays.yaml
        rm -r channels generated src stubs target Cargo.*
        commit",
    ),
    (
        "docs/without-rust.md",
        ScriptPosition::Block("crd-channels adopt --tags 'v1.*'"),
        "rm -r channels generated
        commit
        git tag v1.0.0
        crd-channels init --crds config/crd
        crd-channels gen-crds
        commit",
    ),
    (
        "docs/without-rust.md",
        ScriptPosition::Block("crd-channels features"),
        "printf '[Berths]\nsummary = \"Several ships lie side by side.\"\npaths = [\"Bay: spec.berths\"]\n' >channels/features.toml
        crd-channels gen-crds
        commit",
    ),
    (
        "docs/installation.md",
        ScriptPosition::Start,
        "rm -r channels generated
        sed -i '/#.experimental/d' src/lib.rs",
    ),
    (
        "docs/json.md",
        ScriptPosition::Start,
        "publish minor v0.2.0
        cp src/lib.rs released.rs
        sed -i 's/\"Timeouts\"/\"Timeout\"/' src/lib.rs
        sed 's/maxLength: 20/maxLength: many/' generated/stable/example.com_routes.yaml >refused.yaml",
    ),
    (
        "docs/json.md",
        ScriptPosition::Block("crd-channels diff v0.2.0 . --format json"),
        "mv released.rs src/lib.rs
        sed -i 's/max = 20/max = 30/' src/lib.rs",
    ),
    (
        "docs/json.md",
        ScriptPosition::Block("crd-channels gen-crds --cost --format json 2>/dev/null"),
        "sed -i 's/^use schemars/use kube::{KubeSchema, Rule};\\nuse schemars/; s/JsonSchema)]/KubeSchema)]/' src/lib.rs
        sed -i 's/    #.schemars(length(max = 30))]/&\\n    #[x_kube(validation = Rule::new(\"self.size() > 1\"))]/' src/lib.rs
        crd-channels gen-crds",
    ),
    (
        "docs/json.md",
        ScriptPosition::Block("crd-channels eval-rule route.yaml --crds generated/stable --format json"),
        "cat >route.yaml <<'END'
apiVersion: example.com/v1
kind: Route
metadata: {name: a}
spec: {host: b}
END",
    ),
    (
        "docs/json.md",
        ScriptPosition::Block("crd-channels vendor --format json"),
        "crd-channels pin --from . --version '^0.2'",
    ),
    (
        "docs/lines.md",
        ScriptPosition::Start,
        "publish minor v0.2.0
        git checkout --quiet -b release-0.2 v0.2.0
        crd-channels start-next
        commit
        sed -i 's/Where requests go/Where HTTP requests go/' src/lib.rs
        crd-channels gen-crds
        commit
        publish patch v0.2.1
        publish patch v0.2.2
        git checkout --quiet main
        sed -i 's/max = 20/max = 30/' src/lib.rs
        crd-channels gen-crds
        commit
        git tag before",
    ),
    (
        "docs/lines.md",
        ScriptPosition::Block(
            "git checkout HEAD -- '*Cargo.toml' Cargo.lock channels/CHANGELOG.md generated/stable generated/experimental",
        ),
        "git reset --quiet --hard before
        rm -f .gitattributes
        git config --remove-section merge.crd-channels
        git merge --quiet release-0.2 && exit 1 || true",
    ),
    (
        "docs/pinning.md",
        ScriptPosition::Start,
        "publish minor v0.2.0
        sed -i 's/The host\\./The name of the host./' src/lib.rs
        crd-channels gen-crds
        commit
        publish patch v0.2.1
        mkdir ../hosts
        cp -r . ../hosts/gates.git
        mv ../project ../hosts/api.git
        cd ../gates.git
        git tag | xargs git tag --delete
        rm -r channels/v* channels/CHANGELOG.md generated
        sed -i 's/example.com/example.org/' src/lib.rs
        crd-channels gen-crds
        commit
        publish 0.2.2 v0.2.2
        mkdir ../../project
        cd ../../project",
    ),
    (
        "docs/pinning.md",
        ScriptPosition::Block("crd-channels pin --update --version '^0.3'"),
        "cd ../hosts/api.git
        sed -i 's/max = 20/max = 30/' src/lib.rs
        crd-channels gen-crds
        commit
        publish minor v0.3.0
        cd ../../project",
    ),
    (
        "docs/pinning.md",
        ScriptPosition::Block("crd-channels pin --from https://example.com/api.git --key release.pub"),
        "cd ../hosts/api.git
        crd-channels sign v0.3.0 --key ../../keys/release.key
        commit
        git tag --force v0.3.0
        cd ../../project
        cp ../keys/release.pub .",
    ),
    ("docs/reference-pages.md", ScriptPosition::Start, ""),
    (
        "docs/releasing.md",
        ScriptPosition::Start,
        "git init --quiet --bare ../origin.git
        git remote add origin ../origin.git
        sed -i 's/0.2.0-dev/0.7.0-dev/' Cargo.toml
        crd-channels gen-crds
        commit
        git tag start",
    ),
    (
        "docs/releasing.md",
        ScriptPosition::Block(
            "cargo xtask release minor                                   # the tree has the version 0.7.0",
        ),
        "git reset --quiet --hard start && git clean --quiet --force -d",
    ),
    (
        "docs/releasing.md",
        ScriptPosition::Block("cargo xtask keygen --secret ../release.key --public release.pub"),
        "git tag --delete v0.7.0
        git reset --quiet --hard start
        sed -i 's/0.7.0-dev/0.4.0-dev/' Cargo.toml
        cp ../keys/release.pub .
        cp ../keys/release.key ..
        crd-channels gen-crds
        commit",
    ),
    (
        "docs/releasing.md",
        ScriptPosition::Block("cargo xtask release minor"),
        "git reset --quiet --hard start && git clean --quiet --force -d",
    ),
    (
        "docs/releasing.md",
        ScriptPosition::Instead(
            "cargo release --execute                                     # no level: publishes, tags and pushes the current version",
        ),
        "git tag v0.7.0",
    ),
    (
        "docs/validating.md",
        ScriptPosition::Start,
        "publish minor v0.2.0
        mkdir ../hosts
        mv ../project ../hosts/api.git
        mkdir -p ../../project/deploy
        cd ../../project
        git init --quiet
        cat >deploy/routes.yaml <<'END'
apiVersion: example.com/v1
kind: Route
metadata:
  name: shop
spec:
  host: shop.europe.example.com
  timeout: 3s
END
        printf 'apiVersion: v1\nkind: ConfigMap\n' >deploy/config.yaml
        commit
        git update-ref refs/remotes/origin/main HEAD",
    ),
    (
        "docs/validating.md",
        ScriptPosition::Block(
            "crd-channels validate deploy --previous git:origin/main --warnings-as-errors --format github",
        ),
        "sed -i '/timeout/d' deploy/routes.yaml",
    ),
];

/// Runs the scripts of a page for a position.
pub fn prepare(shell: &mut Shell, page: &str, place: ScriptPosition) {
    let mut scripts = SCRIPTS.iter();
    let Some((_, _, script)) = scripts.find(|script| (script.0, script.1) == (page, place)) else {
        return;
    };
    if place == ScriptPosition::Start {
        let keys = KeyPair::generate_unencrypted_keypair().unwrap();
        let secret = keys.sk.to_box(None).unwrap().into_string();
        shell.write("../keys/release.key", &secret);
        let public = keys.pk.to_box().unwrap().into_string();
        shell.write("../keys/release.pub", &public);
        shell.prepare(PROJECT);
    }
    shell.prepare(&format!("{PROCEDURES}{script}"));
}
