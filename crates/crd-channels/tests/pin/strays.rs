//! Other files that contain a pinned CRD.

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
            let expected =
                format!("error[stray-crd]: `{path}` also contains the CRD `routes.example.com`");
            assert_eq!(
                ran.stderr.contains(&expected),
                is_stray,
                "{path}: {}",
                ran.stderr
            );
        }
        assert_eq!(workspace.read(path), text);
        std::fs::remove_file(workspace.path(path)).unwrap();
    }
}

/// Linked folders are elsewhere, perhaps around the link.
#[cfg(unix)]
#[test]
fn linked_folders_are_not_walked_into() {
    use std::os::unix::fs::symlink;
    let workspace = released();
    pin(&workspace, &["--from", "api", "--version", "^0.2"]).with_code(0);
    workspace.run(&["vendor"]).with_code(0);
    workspace.write("elsewhere/old.yaml", crd("v0.1.0", "stable", 10, ""));
    for (target, link) in [
        (".", "latest"),
        ("../crds", "current"),
        ("..", "above"),
        ("../elsewhere", "other"),
        ("nowhere", "gone"),
    ] {
        symlink(target, workspace.path(&format!("crds/{link}"))).unwrap();
    }
    for arguments in [&["vendor", "--check"][..], &["vendor"]] {
        let ran = workspace.run(arguments).with_code(0);
        assert_eq!(ran.stderr, "");
    }
    // The given folder may be a link.
    symlink("crds", workspace.path("linked")).unwrap();
    let old = "crds/below/old.yaml";
    workspace.write(old, crd("v0.1.0", "stable", 10, ""));
    let ran = workspace.run(&["vendor", "linked", "--check"]).with_code(1);
    let expected = "error[stray-crd]: `linked/below/old.yaml` also contains the CRD";
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    let ran = workspace.run(&["vendor", "--check"]).with_code(1);
    assert_eq!(ran.stderr.matches("error[").count(), 1, "{}", ran.stderr);
}

/// They are not planned, and this tool only writes plain files, so they belong to somebody else.
#[cfg(unix)]
#[test]
fn links_and_folders_of_ones_own_are_not_in_the_way() {
    let workspace = released();
    pin(&workspace, &["--from", "api", "--version", "^0.2"]).with_code(0);
    workspace.write("values.txt", "a: 1\n");
    workspace.write("crds/own.yaml/inside.txt", "");
    let link = workspace.path("crds/values.yaml");
    std::os::unix::fs::symlink("../values.txt", &link).unwrap();
    for arguments in [&["vendor"][..], &["vendor", "--check"]] {
        workspace.run(arguments).with_code(0);
    }
    assert!(link.is_symlink() && workspace.path("crds/own.yaml").is_dir());
    // A folder in place of a pinned file is reported.
    let planned = workspace.path("crds/example.com_routes.yaml");
    std::fs::remove_file(&planned).unwrap();
    std::fs::create_dir(&planned).unwrap();
    workspace.run(&["vendor", "--check"]).with_code(1);
    let ran = workspace.run(&["vendor"]).with_code(2);
    let expected = "`crds/example.com_routes.yaml` is a folder, where only plain files are written";
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
}
