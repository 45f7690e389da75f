//! Whatever changes in a released bundle is found.

use super::Project;

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
fn what_is_missing_or_added_is_found_and_nothing_follows_it() {
    let project = Project::released();
    let place = "channels/v0.1.0/stable/install.yaml";
    let text = project.0.read(place);
    std::fs::remove_file(project.0.path(place)).unwrap();
    project.0.write("channels/v0.1.0/stable/more.yaml", "");
    let ran = project.0.run(&["verify-release"]).with_code(1);
    for said in [
        "`stable/install.yaml` cannot be read",
        "`stable/more.yaml` is no part of the bundle",
    ] {
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
    }
    project.settle();
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
    // Another bundle under the same version: whole in itself, and not the one that was followed.
    let other = Project::new();
    other.edit("The host.", "The name of the host.");
    other.settle();
    other.release("minor").with_code(0);
    for (path, bytes) in other.0.files("channels/v0.1.0") {
        project.0.write(&format!("channels/v0.1.0/{path}"), bytes);
    }
    project.0.run(&["verify-release", "v0.1.0"]).with_code(0);
    let ran = project.0.run(&["verify-release", "v0.1.1"]).with_code(1);
    assert!(ran.stderr.contains("its digest changed"), "{}", ran.stderr);
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
    // The commit of the release, whose tree is on the next version already.
    verify("v0.1.0", "git:HEAD").with_code(0);
    project.edit("max = 20", "max = 30");
    project.settle();
    let ran = verify("v0.1.0", "git:HEAD").with_code(1);
    let said = "the source makes another `stable/crds/example.com_routes.yaml`";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
    verify("v0.1.0", "git:HEAD~1").with_code(0);
    project.release("minor").with_code(0);
    project.settle();
    verify("v0.2.0", "git:HEAD").with_code(0);
    verify("v0.2.0", "git:nowhere").with_code(2);
    verify("v0.2.0", "HEAD").with_code(2);
}
