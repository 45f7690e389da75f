//! Bundles whose source is CRDs: a project without Rust, from `init --crds` to its bundles.

mod bundles;
mod features;
mod findings;

use crate::support::{Finding, Workspace};
use serde_json::Value;
use std::process::Command;

/// Bays of a harbour. Lines with `# beta` and `# experimental` are left out of the channels that lack them.
const BAY: &str = r#"apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  annotations:
    controller-gen.kubebuilder.io/version: v0.19.0
  name: bays.harbour.example.dev
spec:
  group: harbour.example.dev
  names:
    kind: Bay
    listKind: BayList
    plural: bays
    shortNames:
    - bb
    - by # experimental
    singular: bay
  scope: Namespaced
  versions:
  - additionalPrinterColumns:
    - jsonPath: .spec.depth
      name: Depth
      type: integer
    name: v1
    schema:
      openAPIV3Schema:
        description: A bay for ships.
        properties:
          apiVersion:
            type: string
          kind:
            type: string
          metadata:
            type: object
          spec:
            properties:
              depth:
                description: In metres.
                format: int32
                maximum: 60
                minimum: 1
                type: integer
              quay:
                enum:
                - Stone
                - Wood
                - Steel # experimental
                type: string
              berths: # experimental
                format: int32 # experimental
                maximum: 9 # experimental
                minimum: 0 # experimental
                type: integer # experimental
              shelter:
                properties:
                  wall:
                    maxLength: 40
                    type: string
                type: object
            required:
            - depth
            type: object
            x-kubernetes-validations: # experimental
            - message: no bay has more berths than metres # experimental
              rule: '!has(self.berths) || self.berths <= self.depth' # experimental
        required:
        - spec
        type: object
    served: true
    storage: true
    subresources:
      status: {}
"#;

/// What a channel has of the bays.
fn bay(is_experimental: bool) -> String {
    let lines = BAY
        .lines()
        .filter(|line| is_experimental || !line.ends_with("# experimental"));
    let lines = lines.map(|line| line.split(" # ").next().unwrap());
    lines.map(|line| format!("{line}\n")).collect()
}

const STANDARD: &str = "config/crd/standard/bays.yaml";
const EXPERIMENTAL: &str = "config/crd/experimental/bays.yaml";

/// The stable CRD of another kind.
fn pier() -> String {
    let pier = bay(false).replace("bay", "pier").replace("Bay", "Pier");
    pier.replace("- bb", "- pr")
}

/// A project without Rust, in a git repository.
struct Project(Workspace);

impl Project {
    /// Only the CRDs.
    fn bare() -> Self {
        let absent =
            "//- no Cargo.toml\n//- no channels/stable.toml\n//- no channels/experimental.toml\n";
        let project = Self(Workspace::new(absent));
        std::fs::remove_dir_all(project.0.path("stubs")).unwrap();
        project.0.write("go.mod", "module example.dev/harbour\n");
        project.0.write(STANDARD, bay(false));
        project.0.write(EXPERIMENTAL, bay(true));
        project.git(&["init", "--quiet"]);
        project
    }

    /// The same, set up and generated.
    fn new() -> Self {
        let project = Self::bare();
        project
            .0
            .run(&["init", "--crds", "config/crd"])
            .with_code(0);
        project.0.generate();
        project.commit();
        project
    }

    /// The same with the bundle v0.1.0.
    fn released() -> Self {
        let project = Self::new();
        project.publish("minor", "v0.1.0");
        project
    }

    fn git(&self, arguments: &[&str]) {
        let ran = Command::new("git")
            .args(["-c", "user.name=t", "-c", "user.email=t@example.com"])
            .args(["-c", "commit.gpgsign=false"])
            .args(arguments)
            .current_dir(self.0.folder())
            .output()
            .unwrap();
        assert!(ran.status.success(), "{ran:?}");
    }

    fn commit(&self) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message", "x"]);
    }

    /// Releases, commits and tags, and starts the next version.
    fn publish(&self, asked: &str, version: &str) {
        self.0.run(&["release", asked]).with_code(0);
        self.commit();
        self.git(&["tag", version]);
        self.0.run(&["start-next"]).with_code(0);
        self.commit();
    }

    /// Makes a change in both channels, and generates.
    fn edit(&self, from: &str, to: &str) {
        for path in [STANDARD, EXPERIMENTAL] {
            self.0.edit(path, from, to);
        }
        self.0.generate();
        self.commit();
    }

    /// Returns what `release` says against the tree.
    fn refused(&self, asked: &str) -> Vec<Finding> {
        self.0
            .run(&["release", asked, "--format", "json"])
            .with_code(1)
            .findings()
    }

    /// Returns what `gen-crds` reports.
    fn findings(&self) -> Vec<Finding> {
        self.0
            .run(&["gen-crds", "--check", "--format", "json"])
            .findings()
    }
}

fn yaml(text: &str) -> Value {
    crd_channels_released::documents::parse(text)
        .unwrap()
        .remove(0)
}

/// The line of a text in a file.
fn line(path: &str, text: &str, project: &Project) -> u64 {
    let file = project.0.read(path);
    let before = file.split(text).next().unwrap();
    u64::try_from(before.matches('\n').count()).unwrap() + 1
}

#[test]
fn a_folder_for_each_channel_is_found() {
    let project = Project::bare();
    let ran = project
        .0
        .run(&["init", "--crds", "config/crd"])
        .with_code(0);
    assert!(
        ran.stdout
            .contains("channel `stable`: 1 CRD in `config/crd/standard`"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout
            .contains("channel `experimental`: 1 CRD in `config/crd/experimental`")
    );
    let bundle = project.0.read("channels/bundle.toml");
    assert!(bundle.contains("version = \"0.1.0-dev\""), "{bundle}");
    assert!(!bundle.contains("annotation-prefix"), "{bundle}");
    project.0.generate();
    project
        .0
        .run(&["init", "--crds", "config/crd"])
        .with_code(2);

    let project = Project::bare();
    project
        .0
        .run(&["init", "--crds", "config/crd/standard", "--diff"])
        .with_code(0);
    assert!(project.0.files("channels").is_empty());
    project
        .0
        .run(&["init", "--crds", "config/crd/standard"])
        .with_code(0);
    assert!(!project.0.path("channels/experimental.toml").exists());
    project.0.generate();

    let project = Project::bare();
    let named = [
        "stable=config/crd/standard",
        "preview=config/crd/experimental",
    ];
    project
        .0
        .run(&["init", "--crds", named[0], "--crds", named[1]])
        .with_code(0);
    project.0.generate();
    assert!(
        project
            .0
            .path("generated/preview/harbour.example.dev_bays.yaml")
            .exists()
    );

    // The folders of a kubebuilder project.
    let project = Project::bare();
    std::fs::remove_dir_all(project.0.path("config/crd")).unwrap();
    project.0.write("config/crd/bases/bays.yaml", bay(false));
    let patch = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: x}\n";
    project
        .0
        .write("config/crd/patches/webhook_in_bays.yaml", patch);
    project.0.write(
        "config/crd/kustomization.yaml",
        "resources: [bases/bays.yaml]\n",
    );
    let ran = project
        .0
        .run(&["init", "--crds", "config/crd"])
        .with_code(0);
    assert!(
        ran.stdout.contains("in `config/crd/bases`"),
        "{}",
        ran.stdout
    );
    assert!(ran.stderr.contains("kustomize"), "{}", ran.stderr);
    project.0.generate();

    for folder in [".", "config/none", "../elsewhere"] {
        let project = Project::bare();
        let ran = project.0.run(&["init", "--crds", folder]).with_code(2);
        assert!(ran.stderr.contains("error["), "{}", ran.stderr);
        assert!(project.0.files("channels").is_empty(), "{folder}");
    }
}

#[test]
fn what_the_crds_carry_is_kept() {
    let project = Project::bare();
    for (path, channel) in [(STANDARD, "standard"), (EXPERIMENTAL, "experimental")] {
        let annotations = format!(
            "  annotations:\n    dev.example/bundle-version: v1.4.2\n    dev.example/channel: {channel}\n"
        );
        project.0.edit(path, "  annotations:\n", &annotations);
    }
    project
        .0
        .run(&["init", "--crds", "config/crd"])
        .with_code(0);
    let bundle = project.0.read("channels/bundle.toml");
    assert!(bundle.contains("version = \"1.4.2-dev\""), "{bundle}");
    assert!(
        bundle.contains("annotation-prefix = \"dev.example\""),
        "{bundle}"
    );
    let stable = project.0.read("channels/stable.toml");
    assert!(stable.contains("annotation = \"standard\""), "{stable}");
}

#[test]
fn crds_are_published_as_they_are() {
    let project = Project::new();
    for (path, channel) in [(STANDARD, "stable"), (EXPERIMENTAL, "experimental")] {
        let mut written = yaml(&project.0.read(path));
        let annotations = written["metadata"]["annotations"].as_object_mut().unwrap();
        annotations.insert(
            "harbour.example.dev/bundle-version".into(),
            "v0.1.0-dev".into(),
        );
        annotations.insert("harbour.example.dev/channel".into(), channel.into());
        let file = format!("generated/{channel}/harbour.example.dev_bays.yaml");
        let made = yaml(&project.0.read(&file));
        assert_eq!(made, written, "{channel}");
    }
    let ran = project.0.run(&["gen-crds", "--check"]).with_code(0);
    assert_eq!(ran.stderr, "");
    assert!(!project.0.path("target").exists());
    // A CRD that is gone leaves no file.
    for path in [STANDARD, EXPERIMENTAL] {
        std::fs::remove_file(project.0.path(path)).unwrap();
        project.0.write(&path.replace("bays", "piers"), pier());
    }
    let ran = project.0.generate();
    assert!(
        !project
            .0
            .path("generated/stable/harbour.example.dev_bays.yaml")
            .exists(),
        "{}",
        ran.stdout
    );
}

#[test]
fn no_crd_is_left_out_of_a_channel() {
    for path in ["more.yaml", "bases/more.yaml", "Preview/more.yaml"] {
        let project = Project::bare();
        project.0.write(&format!("config/crd/{path}"), pier());
        let ran = project.0.run(&["init", "--crds", "config/crd"]);
        let told = ran.with_code(2).stderr;
        assert!(
            told.contains("is in the folder of no channel"),
            "{path}: {told}"
        );
        assert!(project.0.files("channels").is_empty(), "{path}");
    }
    // Folders below that of a channel are its own.
    let project = Project::bare();
    let text = project.0.read(EXPERIMENTAL);
    project
        .0
        .write("config/crd/experimental/v1/bays.yaml", text);
    std::fs::remove_file(project.0.path(EXPERIMENTAL)).unwrap();
    let ran = project.0.run(&["init", "--crds", "config/crd"]);
    ran.with_code(0);
    assert!(project.0.path("channels/experimental.toml").exists());
    for name in ["waivers", "features", "bundle", "tombstones"] {
        let project = Project::bare();
        let folder = format!("{name}=config/crd/standard");
        let told = project.0.run(&["init", "--crds", &folder]).with_code(2);
        let message = "is not the file of a channel";
        assert!(told.stderr.contains(message), "{}", told.stderr);
    }
}

#[test]
fn single_stamps_are_of_others() {
    let project = Project::bare();
    let annotation = "  annotations:\n    other.example/bundle-version: v7.0.0\n";
    let foreign = pier().replace("  annotations:\n", annotation);
    project.0.write("config/crd/standard/piers.yaml", foreign);
    let ran = project.0.run(&["init", "--crds", "config/crd/standard"]);
    ran.with_code(0);
    let bundle = project.0.read("channels/bundle.toml");
    assert!(bundle.contains("0.1.0-dev"), "{bundle}");
    assert!(!bundle.contains("other.example"), "{bundle}");
}
