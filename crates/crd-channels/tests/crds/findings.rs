//! What is reported stands in the YAML, or in the configuration.

use super::{EXPERIMENTAL, Project, STANDARD, bay, line, pier};
use crate::support::{Finding, Workspace};

#[test]
fn findings_stand_in_the_yaml() {
    // An edit of the stable CRD, and the line and a part of what is reported.
    for (from, to, code, at, message) in [
        (
            "maximum: 60",
            "maximum: sixty",
            "unreadable-file",
            "maximum: sixty",
            "`spec.versions[0]",
        ),
        (
            "group: harbour.example.dev\n",
            "group: harbour.example.dev\n  groop: x\n",
            "unreadable-file",
            "groop",
            "`spec.groop`: unknown key",
        ),
        (
            "apiextensions.k8s.io/v1\n",
            "apiextensions.k8s.io/v1beta1\n",
            "unreadable-file",
            "apiVersion",
            "is not `apiextensions.k8s.io/v1`",
        ),
        (
            "plural: bays",
            "plural: ships",
            "unreadable-file",
            "name: bays.harbour",
            "`metadata.name`",
        ),
        (
            "                  wall:\n",
            "                  wall:\n                    x-kubernetes-list-type: map\n",
            "refused-crd",
            "wall:",
            "rejects",
        ),
        (
            "storage: true",
            "storage: false",
            "refused-crd",
            "name: v1",
            "storage",
        ),
        (
            "spec:\n  group",
            "spec: [\n  group",
            "unreadable-file",
            "apiVersion",
            "bays.yaml",
        ),
    ] {
        let project = Project::new();
        project.0.edit(STANDARD, from, to);
        let ran = project
            .0
            .run(&["gen-crds", "--format", "json"])
            .with_code(1);
        let found = ran.findings();
        let found = found.iter().find(|it| it.severity == "error").unwrap();
        assert_eq!(found.code, code, "{to}: {found:?}");
        let (file, line_of) = found.place.clone().unwrap();
        assert_eq!(
            (&*file, line_of),
            (STANDARD, line(STANDARD, at, &project)),
            "{to}: {found:?}"
        );
        assert!(found.message.contains(message), "{to}: {}", found.message);
        assert!(
            found.help.as_ref().is_some_and(|help| !help.contains("#[")),
            "{found:?}"
        );
    }
    let project = Project::new();
    project
        .0
        .write("config/crd/standard/again.yaml", bay(false));
    let found = project.findings();
    assert!(found[0].message.contains("twice"), "{found:?}");
    project.0.write(
        "config/crd/standard/again.yaml",
        "kind: Service\napiVersion: v1\nmetadata: {name: hook}\n",
    );
    let ran = project.0.run(&["gen-crds", "--check"]).with_code(0);
    assert!(ran.stderr.contains("Service `hook`"), "{}", ran.stderr);
}

#[test]
fn lints_speak_of_the_crd() {
    let project = Project::new();
    let list = "              ropes:\n                items:\n                  type: object\n                type: array\n              shelter:\n";
    for path in [STANDARD, EXPERIMENTAL] {
        project.0.edit(path, "              shelter:\n", list);
    }
    let found = project.0.run(&["gen-crds", "--format", "json"]).findings();
    let is_stable = |it: &&Finding| it.place.as_ref().is_some_and(|(file, _)| file == STANDARD);
    let mut lints = found.iter().filter(|it| it.code == "untyped-list");
    let lint = lints.find(is_stable).unwrap();
    assert_eq!(
        lint.place,
        Some((STANDARD.into(), line(STANDARD, "ropes:", &project)))
    );
    assert!(!lint.help.as_ref().unwrap().contains("#["), "{lint:?}");
}

#[test]
fn configuration_is_of_one_source() {
    for (file, text, message) in [
        (
            "channels/experimental.toml",
            "features = \"all\"\n",
            "has no folder of CRDs",
        ),
        (
            "channels/stable.toml",
            "crds = \"config/crd/standard\"\nalpha = \"omitted\"\n",
            "`alpha` is for Rust types",
        ),
        (
            "channels/bundle.toml",
            "version = \"0.1.0-dev\"\npackages = [\"a\"]\n",
            "`packages` is for Rust types",
        ),
        (
            "channels/bundle.toml",
            "version = \"0.1.0-dev\"\n[kinds.\"a.b\"]\nstorage = \"v1\"\n",
            "`[kinds]` is for Rust types",
        ),
        (
            "channels/bundle.toml",
            "version = \"0.1.0-dev\"\n[conversion.webhook]\nurl = \"https://a.b\"\n",
            "`[conversion]` is for Rust types",
        ),
        (
            "channels/bundle.toml",
            "version = \"0.1.0-dev\"\ncargo-features = [\"a/b\"]\n",
            "`cargo-features` is for Rust types",
        ),
        ("channels/bundle.toml", "", "no version"),
        (
            "channels/stable.toml",
            "crds = \"config/none\"\n",
            "there is no folder `config/none`",
        ),
        ("channels/stable.toml", "crds = \"docs\"\n", "has no CRD"),
    ] {
        let project = Project::new();
        project.0.write("docs/notes.yaml", "a: 1\n");
        project.0.write(file, text);
        let ran = project.0.run(&["gen-crds", "--format", "json"]);
        assert!(
            ran.code == Some(1) || ran.code == Some(2),
            "{text}: {ran:?}"
        );
        let found = ran.findings();
        assert!(
            found.iter().any(|it| it.message.contains(message)),
            "{text}: {found:?}"
        );
    }
    for (folder, message) in [
        (
            "./config/crd/standard",
            "is not a folder below the workspace root",
        ),
        ("../crds", "is not a folder below the workspace root"),
        ("channels", "the one of the configuration"),
        ("generated/stable", "the one that `gen-crds` writes"),
        ("config/crd", "that of another channel"),
    ] {
        let project = Project::new();
        let text = format!("crds = \"{folder}\"\n");
        project.0.write("channels/stable.toml", text);
        let found = project.0.run(&["gen-crds", "--format", "json"]).findings();
        let mut wrong = found.iter().filter(|it| it.message.contains(message));
        let file = "channels/stable.toml";
        let is_there = |it: &Finding| it.place.as_ref().is_some_and(|place| place.0 == file);
        assert!(wrong.any(is_there), "{folder}: {found:?}");
        assert!(
            found.iter().all(|it| it.code != "cargo-failed"),
            "{found:?}"
        );
    }
    for text in [
        "conventions = \"kube\"",
        "cfgs = [\"a\"]",
        "target = \"a-b\"",
    ] {
        let project = Project::new();
        let bundle = format!("version = \"0.1.0-dev\"\n{text}\n");
        project.0.write("channels/bundle.toml", bundle);
        let found = project.findings();
        assert!(
            found[0].message.contains("is for Rust types"),
            "{text}: {found:?}"
        );
    }
    let rust = Workspace::new(
        "//- channels/features.toml\n[A]\nsummary = \"a\"\npaths = [\"Bay: spec\"]\n//- channels/tombstones.toml\n[[fields]]\ngroup = \"a\"\nkind = \"B\"\npath = \".\"\nname = \"c\"\nremoved = \"v0.1.0\"\nreason = \"r\"\n",
    );
    let found = rust.run(&["gen-crds", "--format", "json"]).findings();
    for message in [
        "names a place in CRDs",
        "`[[fields]]` reserves names in CRDs",
    ] {
        assert!(
            found.iter().any(|it| it.message.contains(message)),
            "{found:?}"
        );
    }
}

#[cfg(unix)]
#[test]
fn no_folder_is_left_out() {
    let project = Project::new();
    project.0.write("more/others.yaml", pier());
    project
        .0
        .link("../../../more", "config/crd/standard/linked");
    let found = project.findings();
    let linked = "`config/crd/standard/linked` is a link";
    assert!(found[0].message.contains(linked), "{found:?}");
    std::fs::remove_file(project.0.path("config/crd/standard/linked")).unwrap();
    // Whatever the folder is called.
    for channel in ["standard", "experimental"] {
        let path = format!("config/crd/{channel}/target/others.YAML");
        project.0.write(&path, pier());
    }
    project.0.generate();
    let made = "generated/stable/harbour.example.dev_piers.yaml";
    assert!(project.0.path(made).exists());
}
