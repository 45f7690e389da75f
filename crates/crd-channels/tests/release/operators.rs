//! Release branches of workspaces whose other packages require the package with the types: a release writes their manifests
//! too, so merges have to know them.

use super::Project;
use super::story::{git, switch};

const MANIFESTS: [&str; 3] = ["Cargo.toml", "operator/Cargo.toml", "tools/cli/Cargo.toml"];

/// Adds packages that require the API in every form in which a manifest can.
pub(super) fn with_operator(project: &Project) {
    project.0.edit(
        "Cargo.toml",
        "exclude = [\"stubs\"]\n",
        "exclude = [\"stubs\"]\nmembers = [\"operator\", \"tools/cli\"]\n\n[workspace.dependencies]\ndemo = { path = \".\", version = \"0.1.0-dev\" }\n",
    );
    let package = |name: &str, rest: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"3.0.0\"\nedition = \"2024\"\n\n{rest}")
    };
    project.0.write(
        "operator/Cargo.toml",
        package("operator", "[dependencies]\ndemo = { version = \"0.1.0-dev\", path = \"..\" }\nserde = { path = \"../stubs/serde\" }\n\n[target.'cfg(unix)'.dev-dependencies.demo]\npath = \"..\"\nversion = \"=0.1.0-dev\"\n"),
    );
    project.0.write(
        "tools/cli/Cargo.toml",
        package("cli", "[dependencies]\ndemo.workspace = true\n\n[build-dependencies.demo]\nversion = \"~0.1.0-dev\"\npath = \"../..\"\n"),
    );
    for path in ["operator/src/lib.rs", "tools/cli/src/lib.rs"] {
        project.0.write(path, "");
    }
    project
        .0
        .write("channels/bundle.toml", "packages = [\"demo\"]\n");
    project.commit_generated();
}

/// v0.1.0, then v0.2.0 on `main`, and v0.1.1 on a branch, with a dependency that only the branch has.
fn two_lines() -> Project {
    let project = Project::new();
    project.git(&["branch", "--move", "main"]);
    with_operator(&project);
    project.publish("minor", "v0.1.0");
    project.edit("max = 20", "max = 30");
    project.commit_generated();
    project.publish("minor", "v0.2.0");
    project.git(&["checkout", "--quiet", "-b", "release-0.1", "v0.1.0"]);
    project.0.run(&["start-next"]).with_code(0);
    project.edit("So long.", "As long.");
    project.0.edit(
        "operator/Cargo.toml",
        "serde = {",
        "schemars = { path = \"../stubs/schemars\" }\nserde = {",
    );
    project.commit_generated();
    project.publish("patch", "v0.1.1");
    switch(&project, "main");
    project
}

/// Checks that every requirement is that of the tree, and that cargo agrees.
pub(super) fn is_at(project: &Project, version: &str) {
    for path in MANIFESTS {
        let text = project.0.read(path);
        let required = text.lines().filter(|line| line.contains("-dev\""));
        assert!(required.clone().count() > 0, "{path}:\n{text}");
        for line in required {
            assert!(
                line.contains(version),
                "{path} is not at {version}:\n{text}"
            );
        }
    }
    project.0.run(&["gen-crds", "--check"]).with_code(0);
    let locked = std::process::Command::new("cargo")
        .args([
            "metadata",
            "--locked",
            "--offline",
            "--format-version=1",
            "--quiet",
        ])
        .current_dir(project.0.folder())
        .output()
        .unwrap();
    assert!(locked.status.success(), "{locked:?}");
}

#[test]
fn a_branch_merges_back_with_the_driver() {
    let project = two_lines();
    project.0.run(&["merge-driver", "--install"]).with_code(0);
    project.commit();
    let (merged, output) = git(&project, &["merge", "--no-edit", "release-0.1"]);
    assert!(merged, "{output}");
    project.0.generate();
    is_at(&project, "0.2.1-dev");
    let operator = project.0.read("operator/Cargo.toml");
    assert!(
        operator.contains("schemars"),
        "an edit of the branch was lost:\n{operator}"
    );
    project.commit();
    project.publish("minor", "v0.3.0");
    // A release requires what is released, not the version of the tree before it.
    let released = project.git(&["show", "v0.3.0:operator/Cargo.toml"]);
    assert!(
        released.contains("version = \"0.3.0\"") && released.contains("\"=0.3.0\""),
        "{released}"
    );
}

/// The commands in `docs/lines.md`, literally.
#[test]
fn the_recipe_works_without_the_driver() {
    let project = two_lines();
    let (merged, output) = git(&project, &["merge", "--no-edit", "release-0.1"]);
    assert!(!merged, "{output}");
    // Whatever runs before says what is wrong.
    for arguments in [
        &["gen-crds"][..],
        &["adopt", "v0.1.1"],
        &["release", "minor"],
    ] {
        let refused = project.0.run(arguments);
        assert_ne!(refused.code, Some(0), "{arguments:?}");
        for words in [
            "error[cargo-failed]: git left a merge conflict at `Cargo.lock:",
            "`operator/Cargo.toml:",
            "git checkout HEAD -- Cargo.lock Cargo.toml operator/Cargo.toml",
            "`crd-channels merge-driver --install`",
        ] {
            assert!(
                refused.stderr.contains(words),
                "{words}:\n{}",
                refused.stderr
            );
        }
    }
    let page = include_str!("../../../../docs/lines.md");
    let line = page
        .lines()
        .find_map(|line| line.strip_prefix("$ git checkout HEAD -- "))
        .unwrap();
    let (done, output) = super::races::shell(&project, &format!("git checkout HEAD -- {line}"));
    assert!(done, "{output}");
    project.0.run(&["adopt", "v0.1.1"]).with_code(0);
    project.0.generate();
    let (_, left) = git(&project, &["ls-files", "--unmerged"]);
    assert_eq!(left, "");
    project.commit();
    is_at(&project, "0.2.1-dev");
}

/// Branches are merged in any order, into each other and into `main`, before and after their releases.
#[test]
fn merges_in_any_order_are_clean() {
    let count = std::env::var("MERGE_ORDERS")
        .ok()
        .and_then(|it| it.parse().ok());
    let mut seed: u64 = 11;
    let mut drawn = |below: usize| {
        seed = seed
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        usize::try_from(seed >> 33).unwrap() % below
    };
    for _ in 0..count.unwrap_or(1) {
        let project = Project::new();
        project.git(&["branch", "--move", "main"]);
        with_operator(&project);
        project.0.run(&["merge-driver", "--install"]).with_code(0);
        project.commit();
        project.publish("minor", "v0.1.0");
        project.git(&["branch", "release-0.1", "v0.1.0"]);
        project.publish("minor", "v0.2.0");
        project.git(&["branch", "release-0.2", "v0.2.0"]);
        project.publish("minor", "v0.3.0");
        let (mut patches, mut history) = ([0, 0], Vec::new());
        for _ in 0..6 {
            let line = drawn(2);
            let branch = ["release-0.1", "release-0.2"][line];
            if drawn(2) == 0 {
                switch(&project, branch);
                patches[line] += 1;
                let version = format!("v0.{}.{}", line + 1, patches[line]);
                project.0.run(&["start-next"]).with_code(0);
                project.0.generate();
                project.commit();
                project.publish("patch", &version);
                history.push(format!("release {version}"));
                continue;
            }
            let into = match (line, drawn(2)) {
                (0, 0) => "release-0.2",
                _ => "main",
            };
            switch(&project, into);
            history.push(format!("merge {branch} into {into}"));
            let before = project.0.read("Cargo.toml");
            let (merged, output) = git(&project, &["merge", "--no-edit", branch]);
            assert!(merged, "{history:#?}\n{output}");
            assert_eq!(project.0.read("Cargo.toml"), before, "{history:#?}");
            project.0.generate();
            project.commit();
            let version = before
                .lines()
                .find_map(|line| line.strip_prefix("version = \""))
                .unwrap();
            if version.ends_with("-dev\"") {
                is_at(&project, version.trim_end_matches('"'));
            }
        }
    }
}
