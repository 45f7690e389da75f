//! The files for users who install a bundle: notices about its purpose, and separate policies.

use super::Project;
use crd_channels_released::documents;

const TRIAL: &str =
    "# Not for production: what is experimental may change or be removed in any minor bundle.\n";
const VALIDATION: &str = "# Validation by CRDs is not a security mechanism.";
const APART: &str = "# The policies are not included: the bundle has them in `";

fn read(project: &Project, path: &str) -> String {
    project.0.read(&format!("channels/v0.1.0/{path}"))
}

#[test]
fn notes_for_installers_name_the_channel_and_its_policies() {
    let project = Project::released();
    let archive = ["archive", "v0.1.0", "--output", "target/dist"];
    project.0.run(&archive).with_code(0);
    let attached = |channel: &str| {
        let name = format!("target/dist/example-crds-v0.1.0-{channel}-install.yaml");
        project.0.read(&name)
    };
    let listed = |channel: &str| read(&project, &format!("{channel}/kustomization.yaml"));
    for (stable, experimental) in [
        (attached("stable"), attached("experimental")),
        (listed("stable"), listed("experimental")),
    ] {
        for (text, channel) in [(&stable, "stable"), (&experimental, "experimental")] {
            let title = format!("# example.com v0.1.0, channel {channel}\n");
            let apart = format!("{APART}{channel}/policies`");
            for words in [&*title, VALIDATION, &apart] {
                assert!(text.contains(words), "{words}:\n{text}");
            }
            assert_eq!(documents::parse(text).unwrap().len(), 1, "{text}");
        }
        assert!(experimental.contains(TRIAL), "{experimental}");
        assert!(!stable.contains("production"), "{stable}");
    }
    for (channel, policies) in [
        ("stable", "- safe-upgrades.yaml\n"),
        ("experimental", "- safe-upgrades.yaml\n- guardrails.yaml\n"),
    ] {
        let list = read(&project, &format!("{channel}/policies/kustomization.yaml"));
        assert_eq!(
            list,
            format!(
                "---\napiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n{policies}"
            )
        );
    }
    let log = project.0.read("channels/CHANGELOG.md");
    for words in ["not for production", "not a security mechanism"] {
        assert!(log.contains(words), "{log}");
    }
}

/// The oldest server does not support such policies.
#[test]
fn a_bundle_without_policies_does_not_speak_of_them() {
    let project = Project::new();
    project
        .0
        .write("channels/bundle.toml", "kubernetes = \"1.29\"\n");
    project.commit_generated();
    let ran = project.release("minor").with_code(0);
    assert!(ran.stderr.contains("no policies: "), "{}", ran.stderr);
    let files = project.0.files("channels/v0.1.0");
    for (path, bytes) in files.iter().filter(|(path, _)| *path != "manifest.json") {
        let text = String::from_utf8_lossy(bytes);
        let is_silent = !path.contains("policies") && !text.contains("policies");
        assert!(is_silent, "{path}:\n{text}");
    }
    assert!(read(&project, "stable/kustomization.yaml").contains(VALIDATION));
}

/// From its manifest, also when the bundle is generated again.
#[test]
fn a_chart_says_what_the_project_says() {
    let project = Project::new();
    let head = "version = \"0.1.0-dev\"\n";
    let expected = "description = \"Routes of the edge\"\nhomepage = \"https://example.com\"\nrepository.workspace = true\n";
    project
        .0
        .edit("Cargo.toml", head, &format!("{head}{expected}"));
    let shared = "[workspace]\npackage.repository = \"https://example.com/api.git\"\n";
    project.0.edit("Cargo.toml", "[workspace]\n", shared);
    project
        .0
        .write("channels/bundle.toml", "chart = \"edge\"\n");
    project.commit_generated();
    project.release("minor").with_code(0);
    let chart = read(&project, "chart/Chart.yaml");
    for line in [
        "description: Routes of the edge. CRDs of example.com v0.1.0; kept on uninstall.",
        "home: https://example.com\n",
        "kubeVersion: '>=1.30.0-0'\n",
        "name: edge\n",
        "sources:\n- https://example.com/api.git\n",
    ] {
        assert!(chart.contains(line), "{line}:\n{chart}");
    }
    // Attached files have the name as well, taken from the bundle alone.
    project.commit_generated();
    project.0.write("channels/bundle.toml", "");
    project.0.run(&["archive", "v0.1.0"]).with_code(0);
    let names: Vec<String> = project.0.files("target/dist").into_keys().collect();
    assert!(
        names.iter().all(|name| name.starts_with("edge-v0.1.0")),
        "{names:?}"
    );
    let verify = ["verify-release", "v0.1.0", "--source"];
    let again = |revision: &'static str| project.0.run(&[&verify[..], &[revision]].concat());
    again("git:HEAD").with_code(0);
    project.0.edit("Cargo.toml", "Routes of the edge", "Routes");
    project.commit();
    let ran = again("git:HEAD").with_code(1);
    let expected = "the source generates a different `chart/Chart.yaml`";
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    again("git:HEAD~1").with_code(0);
}
