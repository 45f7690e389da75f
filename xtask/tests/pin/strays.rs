//! Other files that hold a CRD that is pinned.

use super::{crd, pin, released};

#[test]
fn other_files_with_the_same_crds_are_named() {
    let workspace = released();
    pin(&workspace, &["--from", "api", "--version", "^0.2"]).with_code(0);
    workspace.run(&["vendor"]).with_code(0);
    let text = crd("v0.1.0", "stable", 10, "");
    let other = text.replace("routes", "gates");
    let list = "{\"kind\": \"List\", \"items\": [{\"kind\": \"CustomResourceDefinition\", \"metadata\": {\"name\": \"routes.example.com\"}}]}";
    for (path, text, is_stray) in [
        ("crds/old.yaml", &*text, true),
        ("crds/below/install.yml", &format!("{other}{text}"), true),
        ("crds/list.json", list, true),
        ("crds/gates.yaml", &other, false),
        ("crds/notes.yaml", "name: routes.example.com\n", false),
        ("crds/templates/crds.yaml", "{{ range .Files }}\n", false),
        ("crds/old.txt", &text, false),
        ("elsewhere/old.yaml", &text, false),
    ] {
        workspace.write(path, text);
        for arguments in [&["vendor", "--check"][..], &["vendor"]] {
            let ran = workspace.run(arguments).with_code(i32::from(is_stray));
            let told =
                format!("error[stray-crd]: `{path}` holds the CRD `routes.example.com`, too");
            assert_eq!(
                ran.stderr.contains(&told),
                is_stray,
                "{path}: {}",
                ran.stderr
            );
        }
        assert_eq!(workspace.read(path), text);
        std::fs::remove_file(workspace.path(path)).unwrap();
    }
}
