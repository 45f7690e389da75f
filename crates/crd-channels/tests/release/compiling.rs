//! `release` lets rustc check the types: a bundle is not made from source that never compiled.

use super::Project;
use super::support::Workspace;

/// Crates with derives that do nothing, as members, so that the types compile.
fn with_derives(project: &Project) {
    for (name, derives) in [
        ("kube", &[("CustomResource", "kube")][..]),
        ("schemars", &[("JsonSchema", "schemars")]),
        ("serde", &[("Serialize", "serde"), ("Deserialize", "serde")]),
        (
            "crd-channels-derive",
            &[("ApiType", "experimental, not_experimental, tombstone, crd")],
        ),
    ] {
        let text: String = derives
            .iter()
            .map(|(derive, attributes)| {
                format!("#[proc_macro_derive({derive}, attributes({attributes}))]\npub fn derive_{}(_: proc_macro::TokenStream) -> proc_macro::TokenStream {{ proc_macro::TokenStream::new() }}\n", derive.to_lowercase())
            })
            .collect();
        project.0.write(&format!("stubs/{name}/src/lib.rs"), text);
        let manifest = format!("stubs/{name}/Cargo.toml");
        let text = project.0.read(&manifest);
        project
            .0
            .write(&manifest, format!("{text}[lib]\nproc-macro = true\n"));
    }
    project.0.edit(
        "Cargo.toml",
        "exclude = [\"stubs\"]",
        "members = [\"stubs/*\"]",
    );
    let bundle = "packages = [\"demo\"]\n";
    project.0.write("channels/bundle.toml", bundle);
    project.commit_generated();
}

#[test]
fn types_that_rustc_rejects_are_not_released() {
    let project = Project::new();
    with_derives(&project);
    let ran = project
        .0
        .run(&["release", "minor", "--dry-run"])
        .with_code(0);
    assert!(!ran.stderr.contains("not compiled"), "{}", ran.stderr);

    let text = project.0.read("src/lib.rs");
    project.0.write(
        "src/lib.rs",
        format!("{text}\n/// Says it.\npub fn words() -> u32 {{ \"two\" }}\n"),
    );
    project.commit_generated();
    let before = project.0.files("channels");
    for arguments in [
        &["release", "minor"][..],
        &["release", "minor", "--dry-run"],
    ] {
        let refused = project.0.run(arguments).with_code(1).stderr;
        for words in [
            "error[release-refused]: rustc rejects the types: `src/lib.rs:22:25`: mismatched types",
            "= help: run `cargo check -p demo` and fix what it reports",
            "1 error; nothing was written",
        ] {
            assert!(refused.contains(words), "{words}:\n{refused}");
        }
    }
    assert!(project.0.files("channels") == before);
    project.edit("{ \"two\" }", "{ 2 }");
    project.commit_generated();
    project.release("minor").with_code(0);
}

/// What is no fault of the types does not stop a release, and is said.
#[test]
fn a_release_says_if_nothing_was_compiled() {
    let project = Project::new();
    let ran = project
        .0
        .run(&["release", "minor", "--dry-run"])
        .with_code(0);
    let note = "note: the types were not compiled: `kube` is a local package, which may differ from the published one; run `cargo check -p demo`";
    assert!(ran.stderr.contains(note), "{}", ran.stderr);

    with_derives(&project);
    // A package from elsewhere that cannot be built here.
    let other = Workspace::new("");
    other.write(
        "Cargo.toml",
        "[package]\nname = \"native\"\nversion = \"1.0.0\"\nedition = \"2024\"\n",
    );
    other.write("src/lib.rs", "");
    other.write("build.rs", "fn main() { panic!(\"no C compiler\"); }\n");
    let dependency = format!("[dependencies]\nnative = {{ path = {:?} }}", other.folder());
    project.0.edit("Cargo.toml", "[dependencies]", &dependency);
    project.commit_generated();
    let ran = project
        .0
        .run(&["release", "minor", "--dry-run"])
        .with_code(0);
    let note = "note: the types were not compiled: `cargo check` failed outside of the types: failed to run custom build command for `native v1.0.0";
    assert!(ran.stderr.contains(note), "{}", ran.stderr);
}
