//! Every modification of a released bundle is found.

use super::Project;
use super::support::run;
use crd_channels_released::digest::Digest;
use crd_channels_released::manifest::{self, Deprecated, Manifest};
use std::path::Path;

#[test]
fn a_flipped_byte_in_any_file_is_found() {
    let project = Project::released();
    project.0.run(&["verify-release"]).with_code(0);
    let files = project.0.files("channels/v0.1.0");
    assert!(files.len() > 10);
    for (path, bytes) in &files {
        let place = format!("channels/v0.1.0/{path}");
        let mut flipped = bytes.clone();
        let middle = flipped.len() / 2;
        flipped[middle] ^= 1;
        project.0.write(&place, &flipped);
        let ran = project.0.run(&["verify-release", "0.1.0"]).with_code(1);
        assert!(
            ran.stderr.contains("error[bundle-"),
            "{path}: {}",
            ran.stderr
        );
        project.0.write(&place, bytes);
    }
    project.0.run(&["verify-release", "v0.1.0"]).with_code(0);
}

#[test]
fn a_bundle_with_missing_or_added_files_is_invalid_and_nothing_follows_it() {
    let project = Project::released();
    let place = "channels/v0.1.0/stable/kustomization.yaml";
    let text = project.0.read(place);
    std::fs::remove_file(project.0.path(place)).unwrap();
    project.0.write("channels/v0.1.0/stable/more.yaml", "");
    let ran = project.0.run(&["verify-release"]).with_code(1);
    for expected in [
        "`stable/kustomization.yaml` cannot be read",
        "`stable/more.yaml` is not part of the bundle",
    ] {
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    }
    project.commit_generated();
    let ran = project.release("patch").with_code(1);
    assert!(
        ran.stderr.contains("error[bundle-tampered]"),
        "{}",
        ran.stderr
    );
    project.0.write(place, text);
    std::fs::remove_file(project.0.path("channels/v0.1.0/stable/more.yaml")).unwrap();
    project.0.run(&["verify-release"]).with_code(0);
    project.0.run(&["verify-release", "v0.9.0"]).with_code(2);
}

#[test]
fn the_chain_is_part_of_what_is_verified() {
    let project = Project::released();
    let first = project.0.files("channels/v0.1.0");
    project.release("patch").with_code(0);
    // Another bundle with the same version: valid in itself, but not the one that was followed.
    let other = Project::new();
    other.edit("The host.", "The name of the host.");
    other.commit_generated();
    other.release("minor").with_code(0);
    for (path, bytes) in other.0.files("channels/v0.1.0") {
        project.0.write(&format!("channels/v0.1.0/{path}"), bytes);
    }
    project.0.run(&["verify-release", "v0.1.0"]).with_code(0);
    let ran = project.0.run(&["verify-release", "v0.1.1"]).with_code(1);
    assert!(ran.stderr.contains("its digest differs"), "{}", ran.stderr);
    for (path, bytes) in first {
        project.0.write(&format!("channels/v0.1.0/{path}"), bytes);
    }
    project.0.run(&["verify-release"]).with_code(0);
}

#[test]
fn a_bundle_can_be_made_again_from_its_source() {
    let project = Project::released();
    let verify = |version: &str, source: &str| {
        project
            .0
            .run(&["verify-release", version, "--source", source])
    };
    // The commit of the release, whose tree already has the next version.
    verify("v0.1.0", "git:HEAD").with_code(0);
    project.edit("max = 20", "max = 30");
    project.commit_generated();
    let ran = verify("v0.1.0", "git:HEAD").with_code(1);
    let expected = "the source generates a different `stable/crds/example.com_routes.yaml`";
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    verify("v0.1.0", "git:HEAD~2").with_code(0);
    project.release("minor").with_code(0);
    project.commit_generated();
    verify("v0.2.0", "git:HEAD").with_code(0);
    verify("v0.2.0", "git:nowhere").with_code(2);
    verify("v0.2.0", "HEAD").with_code(2);
}

/// What a manifest states is no file of its own; with a new digest, no byte gives it away.
#[test]
fn a_manifest_states_what_the_source_and_the_bundles_before_say() {
    let project = Project::released();
    project.edit(
        "    /// How often.\n    #[experimental]\n    pub retries: Option<String>,\n",
        "",
    );
    project.edit(
        "pub struct RouteSpec",
        "#[tombstone(name = \"retries\", removed = \"v0.2.0\", reason = \"clients retry\")]\npub struct RouteSpec",
    );
    project.commit_generated();
    project.release("minor").with_code(0);
    project.commit_generated();
    let verify = || {
        let verify = ["verify-release", "v0.2.0", "--source", "git:HEAD"];
        project.0.run(&verify)
    };
    verify().with_code(0);
    let place = "channels/v0.2.0/manifest.json";
    let released = project.0.read(place);
    type Edit = fn(&mut Manifest);
    let faults: [(&str, Edit); 5] = [
        ("features", |it| it.features.clear()),
        ("histories", |it| it.history.clear()),
        ("Kubernetes versions", |it| {
            it.kubernetes = "1.16".to_owned()
        }),
        ("tombstones", |it| it.tombstones.names.clear()),
        ("deprecated versions", |it| {
            it.deprecated.push(Deprecated {
                group: "example.com".to_owned(),
                kind: "Route".to_owned(),
                version: "v1".to_owned(),
                removed_in: None,
                replaced_by: None,
            });
        }),
    ];
    for (what, edit) in faults {
        let mut manifest = Manifest::parse(released.as_bytes()).unwrap();
        edit(&mut manifest);
        project.0.write(place, manifest.to_text().0);
        project.0.run(&["verify-release", "v0.2.0"]).with_code(0);
        let stderr = verify().with_code(1).stderr;
        assert!(
            stderr.contains(&format!("give other {what} than")),
            "{stderr}"
        );
    }
}

/// Turns the bundle into one of an earlier version of the tool, which wrote `install.yaml`, with other texts of its CRDs.
fn made_otherwise(project: &Project, version: &str, edit: impl Fn(&str) -> String) {
    let folder = format!("channels/{version}");
    let bytes = project.0.read(&format!("{folder}/{}", manifest::FILE));
    let mut sealed = Manifest::parse(bytes.as_bytes()).unwrap();
    sealed.tool = "0.0.1".to_owned();
    let charted = sealed.shared.iter_mut();
    let charted = charted.filter(|(path, _)| path.starts_with("chart/files/"));
    for channel in &mut sealed.channels {
        let parts = ["crds/example.com_routes", "components/webhook"];
        let parts = parts.map(|part| format!("{folder}/{}/{part}.yaml", channel.name));
        let install = parts.map(|part| project.0.read(&part)).concat();
        let path = format!("{}/install.yaml", channel.name);
        project.0.write(&format!("{folder}/{path}"), install);
        channel.files.insert(path, Digest::of(b""));
    }
    let channels = sealed.channels.iter_mut();
    for (path, digest) in channels
        .flat_map(|channel| &mut channel.files)
        .chain(charted)
    {
        let place = format!("{folder}/{path}");
        let text = edit(&project.0.read(&place));
        *digest = Digest::of(text.as_bytes());
        project.0.write(&place, text);
    }
    let text = sealed.to_text().0;
    project
        .0
        .write(&format!("{folder}/{}", manifest::FILE), text);
}

#[test]
fn a_bundle_of_another_tool_version_is_compared_by_meaning() {
    let project = Project::new();
    project
        .0
        .write("channels/bundle.toml", "components = \"deploy\"\n");
    project.0.write(
        "deploy/webhook.yaml",
        "kind: ValidatingWebhookConfiguration\napiVersion: admissionregistration.k8s.io/v1\nmetadata: {name: routes}\nwebhooks: []\n",
    );
    project.commit_generated();
    project.release("minor").with_code(0);
    let verify = || {
        project
            .0
            .run(&["verify-release", "v0.1.0", "--source", "git:HEAD"])
    };
    // Comments, quotes, an explicit default, and another notation.
    made_otherwise(&project, "v0.1.0", |text| {
        let spec = "\n          spec:\n";
        let text = text.replace(
            spec,
            &format!("{spec}            x-kubernetes-map-type: granular\n"),
        );
        let text = text.replace("kind: Route\n", "kind: 'Route' # so\n");
        format!("# made by hand\n{text}").replace("type: string", "type: 'string'")
    });
    let ran = verify().with_code(0);
    let expected = "v0.1.0 was made by version 0.0.1 of the tool and this is ";
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    assert!(
        ran.stdout
            .contains("git:HEAD generates an equivalent bundle"),
        "{}",
        ran.stdout
    );
    let install = project.0.read("channels/v0.1.0/stable/install.yaml");
    let archive = ["archive", "v0.1.0", "--output", "target/dist"];
    project.0.run(&archive).with_code(0);
    let attached = "target/dist/example-crds-v0.1.0-stable-install.yaml";
    assert_eq!(project.0.read(attached), install);
    // Neither a schema nor a component may have another meaning, nor may the file with both.
    let before = project.0.files("channels/v0.1.0");
    for (from, to, fault) in [
        (
            "maxLength: 20",
            "maxLength: 21",
            "`Route` `spec.host`: maxLength",
        ),
        ("The host.", "A host.", "`Route` `spec.host`: description"),
        (
            "webhooks: []",
            "webhooks: [{}]",
            "the source generates a different `stable/components/webhook.yaml`",
        ),
        (
            "scope: Namespaced",
            "scope: Cluster",
            "`Route` `spec.scope`",
        ),
        (
            "failurePolicy: Fail",
            "failurePolicy: Ignore",
            "`chart/policies/stable/safe-upgrades.yaml` differs from `stable/policies/safe-upgrades.yaml`",
        ),
        (
            "\n# made by hand\n---\n",
            "\n---\nkind: A\n---\n",
            "`stable/install.yaml` differs from its parts",
        ),
    ] {
        made_otherwise(&project, "v0.1.0", |text| text.replace(from, to));
        let ran = verify().with_code(1);
        assert!(ran.stderr.contains(fault), "{}", ran.stderr);
        for (path, bytes) in &before {
            project.0.write(&format!("channels/v0.1.0/{path}"), bytes);
        }
    }
}

/// Git for Windows writes CRLF unless configured otherwise.
#[test]
fn a_clone_with_windows_line_ends_is_as_it_was_released() {
    let project = Project::released();
    project.0.write("channels/waivers.toml", "");
    project.commit_generated();
    let clone = |name: &str| {
        let place = project.0.path(name);
        let from = project.0.path("");
        let ran = std::process::Command::new("git")
            .args(["clone", "-q", "-c", "core.autocrlf=true"])
            .args([&from, &place])
            .output()
            .unwrap();
        assert!(ran.status.success(), "{ran:?}");
        place
    };
    let place = clone("windows");
    let written = std::fs::read_to_string(place.join("generated/stable/kustomization.yaml"));
    assert!(
        written.unwrap().contains("\r\n"),
        "the clone is not one of Windows"
    );
    let run = |place: &Path, arguments: &[&str]| {
        let mut command = project.0.command(arguments);
        run(command.current_dir(place))
    };
    run(&place, &["verify-release"]).with_code(0);
    run(&place, &["gen-crds", "--check"]).with_code(0);

    std::fs::remove_file(project.0.path("channels/.gitattributes")).unwrap();
    project.commit_generated();
    let place = clone("without");
    let stderr = run(&place, &["verify-release"]).with_code(1).stderr;
    for words in [
        "v0.1.0`: the manifest has Windows line endings (CRLF)",
        "channels/.gitattributes",
    ] {
        assert!(stderr.contains(words), "{words}:\n{stderr}");
    }
}
