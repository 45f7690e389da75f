//! Objects besides CRDs: annotated in a bundle, compared with those of the previous one.

use super::Project;

#[test]
fn components_are_stamped_and_part_of_the_bundle() {
    let project = Project::new();
    project
        .0
        .write("channels/bundle.toml", "components = \"deploy\"\n");
    project.0.write(
        "deploy/webhook.yaml",
        "# By hand.\nkind: ValidatingWebhookConfiguration\napiVersion: admissionregistration.k8s.io/v1\nmetadata: {name: routes, annotations: {a: b}}\nwebhooks: []\n",
    );
    project.commit_generated();
    project.release("minor").with_code(0);
    let read = |path: &str| {
        project
            .0
            .read(&format!("channels/v0.1.0/experimental/{path}"))
    };
    let component = read("components/webhook.yaml");
    for expected in [
        "    a: b",
        "example.com/bundle-version: v0.1.0",
        "example.com/channel: experimental",
    ] {
        assert!(component.contains(expected), "{component}");
    }
    assert!(read("kustomization.yaml").contains("- components/webhook.yaml"));
    let listed = &project.manifest("v0.1.0")["channels"][1]["files"];
    assert!(
        listed["experimental/components/webhook.yaml"].is_string(),
        "{listed}"
    );
    // Without this, `kubectl apply` would leave an unmaintained webhook behind.
    project.0.write("channels/bundle.toml", "");
    project.commit_generated();
    let refused = project.release("patch").with_code(1).stderr;
    let expected = "`components[ValidatingWebhookConfiguration.admissionregistration.k8s.io routes]` (stable): the object was removed (component-removed): needs a minor bundle";
    assert!(refused.contains(expected), "{refused}");
    let webhook = project.0.read("deploy/webhook.yaml");
    project
        .0
        .write("channels/bundle.toml", "components = \"deploy\"\n");
    project
        .0
        .write("deploy/webhook.yaml", webhook.replace("a: b", "a: c"));
    project.commit_generated();
    let stdout = project.0.run(&["diff", "v0.1.0", "."]).with_code(0).stdout;
    let expected = "patch[component-changed]: components[ValidatingWebhookConfiguration.admissionregistration.k8s.io routes]: the object changed";
    assert!(stdout.contains(expected), "{stdout}");
    for (text, expected) in [
        ("kind: A\n", "is not an object with a kind and a name"),
        (
            "kind: CustomResourceDefinition\nmetadata: {name: a}\n",
            "CRDs come from types",
        ),
        ("a: [", "the component `webhook.yaml` in `deploy`"),
    ] {
        project.0.write("deploy/webhook.yaml", text);
        project.commit_generated();
        let refused = project.release("patch").with_code(1);
        assert!(refused.stderr.contains(expected), "{}", refused.stderr);
    }
}

#[test]
fn unreadable_components_do_not_count_as_removed() {
    let project = Project::new();
    project
        .0
        .write("channels/bundle.toml", "components = \"deploy\"\n");
    // An object copied from a bundle.
    let webhook = "kind: Service\napiVersion: v1\nmetadata: {name: routes, annotations: {example.com/bundle-version: v0.0.9}}\n";
    project.0.write("deploy/webhook.yaml", webhook);
    project.commit_generated();
    project.release("minor").with_code(0);
    let stdout = project.0.run(&["diff", "v0.1.0", "."]).with_code(0).stdout;
    assert!(!stdout.contains("component"), "{stdout}");
    project.0.write("deploy/webhook.yaml", "a: [");
    let stdout = project.0.run(&["diff", "v0.1.0", "."]).with_code(0).stdout;
    let words = "the components of the working tree cannot be read, so they are not compared: the component `webhook.yaml` in `deploy`: ";
    assert!(stdout.contains(words), "{stdout}");
}

/// Objects with the same kind and name in two groups are different, and a waiver for one does not apply to the other.
#[test]
fn a_waiver_is_for_one_component() {
    let project = Project::new();
    project
        .0
        .write("channels/bundle.toml", "components = \"deploy\"\n");
    for group in ["one.example.com", "two.example.com"] {
        let object = format!("apiVersion: {group}/v1\nkind: Policy\nmetadata: {{name: routes}}\n");
        project.0.write(&format!("deploy/{group}.yaml"), object);
    }
    project.commit_generated();
    project.release("minor").with_code(0);
    project.commit_generated();
    std::fs::remove_dir_all(project.0.path("deploy")).unwrap();
    project.0.write("deploy/readme.md", "nothing");
    let path = "components[Policy.one.example.com routes]";
    project.0.write(
        "channels/waivers.toml",
        format!("[[waiver]]\nkind = \"\"\npath = \"{path}\"\nbundle = \"v0.1.1\"\nreason = \"nobody has it\"\n"),
    );
    project.commit_generated();
    let refused = project.release("patch").with_code(1).stderr;
    assert!(!refused.contains("[Policy.one"), "{refused}");
    let expected = "`components[Policy.two.example.com routes]` (stable): the object was removed";
    assert!(refused.contains(expected), "{refused}");
    assert!(refused.contains("1 error"), "{refused}");
}

/// A webhook for an experimental kind is installed with the experimental channel only.
#[test]
fn a_channel_has_components_of_its_own() {
    let project = Project::new();
    let write = |path: &str, text: &str| project.0.write(path, text);
    let object =
        |name: &str| format!("kind: Service\napiVersion: v1\nmetadata: {{name: {name}}}\n");
    write("channels/bundle.toml", "components = \"deploy\"\n");
    write(
        "channels/experimental.toml",
        "components = \"deploy/experimental\"\n",
    );
    write("deploy/shared.yaml", &object("shared"));
    write("deploy/experimental/early.yaml", &object("early"));
    project.commit_generated();
    project.release("minor").with_code(0);
    let listed = |channel: &str| {
        let list = project
            .0
            .read(&format!("channels/v0.1.0/{channel}/kustomization.yaml"));
        let lines = list
            .lines()
            .filter_map(|line| line.strip_prefix("- components/"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(listed("stable"), ["shared.yaml"]);
    assert_eq!(listed("experimental"), ["shared.yaml", "early.yaml"]);
    project.commit_generated();
    let differences = || project.0.run(&["diff", "v0.1.0", "."]).with_code(0).stdout;
    assert!(!differences().contains("component"), "{}", differences());
    // What moves to one channel is removed from the others.
    std::fs::remove_file(project.0.path("deploy/shared.yaml")).unwrap();
    write("deploy/experimental/shared.yaml", &object("shared"));
    let expected = "minor[component-removed]: components[Service shared]: the object was removed from channel `stable`";
    assert!(differences().contains(expected), "{}", differences());
    project.commit_generated();
    let refused = project.release("patch").with_code(1).stderr;
    assert!(refused.contains("component-removed"), "{refused}");
    // And what moves out of it is new in the others.
    write("deploy/shared.yaml", &object("shared"));
    write("deploy/early.yaml", &object("early"));
    std::fs::remove_dir_all(project.0.path("deploy/experimental")).unwrap();
    write("deploy/experimental/readme.md", "nothing");
    let expected =
        "patch[component-added]: components[Service early]: the object is new in channel `stable`";
    assert!(differences().contains(expected), "{}", differences());
    // Both have one folder in the bundle.
    write("deploy/experimental/shared.yaml", &object("other"));
    project.commit_generated();
    let refused = project.release("patch").with_code(1).stderr;
    let expected = "the component `shared.yaml` in `deploy/experimental`: `deploy` has another file of that name";
    assert!(refused.contains(expected), "{refused}");
}
