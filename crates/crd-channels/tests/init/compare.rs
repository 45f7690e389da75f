//! The output of `init --compare` about the committed CRDs of a project.

use super::{added_files, kind, unconfigured};
use crate::support::Workspace;

const STABLE: &str = "generated/stable/example.com_routes.yaml";

/// A workspace with the committed CRDs of one convention, without any of our configuration.
fn committing(convention: &str) -> Workspace {
    let lib = kind("example.com", "v1", "Route") + &kind("example.com", "v1", "Gateway");
    let workspace = unconfigured(&format!("//- src/lib.rs\n{lib}"));
    workspace.write("channels/stable.toml", "");
    workspace.write(
        "channels/bundle.toml",
        format!("conventions = \"{convention}\""),
    );
    workspace.generate();
    std::fs::remove_dir_all(workspace.path("channels")).unwrap();
    let crd = workspace.read(STABLE);
    let (head, _) = crd.split_once("  annotations:\n").unwrap();
    let (_, tail) = crd.split_once("  name: routes").unwrap();
    workspace.write(
        "deploy/crds/routes.yaml",
        format!("{head}  name: routes{tail}"),
    );
    std::fs::rename(
        workspace.path("generated/stable/example.com_gateways.yaml"),
        workspace.path("deploy/gateways.yml"),
    )
    .unwrap();
    std::fs::remove_dir_all(workspace.path("generated")).unwrap();
    workspace
}

fn report(workspace: &Workspace, path: &str) -> String {
    let arguments = ["init", "--compare", path];
    assert_eq!(added_files(workspace, &arguments, 0), Vec::<String>::new());
    workspace.run(&arguments).with_code(0).stdout
}

#[test]
fn generated_crds_are_closest_to_their_own_convention() {
    let kube = report(&committing("kube"), "deploy");
    assert!(
        kube.starts_with("kube: nothing changes\nkubernetes: "),
        "{kube}"
    );
    assert!(
        kube.ends_with("\nclosest: conventions = \"kube\"\n"),
        "{kube}"
    );
    // Two kinds, one cause, one line.
    let line =
        "\n  `nullable: true` is removed: gateways.example.com v1 .spec.host and one more place\n";
    assert!(kube.contains(line), "{kube}");

    let kubernetes = report(&committing("kubernetes"), "deploy");
    assert!(
        kubernetes
            .contains("\nkubernetes: nothing changes\nclosest: conventions = \"kubernetes\"\n"),
        "{kubernetes}"
    );
    assert!(
        kubernetes.contains(
            "`nullable: true` is new: gateways.example.com v1 .spec.host and one more place\n"
        ),
        "{kubernetes}"
    );
}

#[test]
fn every_cause_is_a_line() {
    let workspace = committing("kube");
    let path = "deploy/crds/routes.yaml";
    workspace.edit(path, "nullable: true", "maxLength: 8");
    workspace.edit(path, "    singular:", "    shortNames: [rt]\n    singular:");
    let report = report(&workspace, path);
    let (kube, _) = report.split_once("kubernetes: ").unwrap();
    assert_eq!(
        kube,
        "kube: 4 causes in 4 places\n\
         \x20 `maxLength: 8` is removed: routes.example.com v1 .spec.host\n\
         \x20 `names.shortNames: [\"rt\"]` is removed: routes.example.com\n\
         \x20 `nullable: true` is new: routes.example.com v1 .spec.host\n\
         \x20 it is not committed: gateways.example.com\n"
    );
}

#[test]
fn a_configured_project_can_be_compared_again() {
    let workspace = committing("kube");
    workspace.run(&["init"]).with_code(0);
    assert!(report(&workspace, "deploy").starts_with("kube: nothing changes\n"));
}

#[test]
fn paths_without_crds_are_errors() {
    let workspace = unconfigured("//- src/lib.rs\n//- deploy/service.yaml\nkind: Service\n");
    for (path, message) in [
        (
            "deploy",
            "error[unreadable-file]: there is no CRD in `deploy`",
        ),
        ("nowhere", "error[unreadable-file]: there is no `nowhere`"),
    ] {
        let ran = workspace.run(&["init", "--compare", path]).with_code(2);
        assert!(
            ran.stderr.starts_with(message) && ran.stdout.is_empty(),
            "{ran:?}"
        );
    }
}

/// The note says to render charts by Helm.
#[test]
fn templates_of_helm_are_to_be_rendered_first() {
    let workspace = unconfigured(&format!(
        "//- src/lib.rs\n{}//- chart/templates/crd.yaml\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: routes.example.com\n  labels:\n    {{{{- include \"x.labels\" . | nindent 4 }}}}\n",
        kind("example.com", "v1", "Route")
    ));
    let ran = workspace.run(&["init", "--compare", "chart"]).with_code(2);
    assert!(
        ran.stderr.starts_with(
            "note: `chart/templates/crd.yaml` is left out: it is a Helm template; render it with `helm template` first\n"
        ) && ran.stderr.contains("helm template CHART --include-crds"),
        "{}",
        ran.stderr
    );
}
