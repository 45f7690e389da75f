//! A year in the life of a project: releases on two lines, users who install, and a machine with Windows line endings.

use super::Project;
use super::lives::{bury, two};
use super::operators::{is_at, with_operator};
use super::races::{Origin, follow_all, lose};
use super::story::git;
use super::support::{Ran, Workspace, run};
use minisign::KeyPair;
use std::process::Command;

/// A user's folder, outside of any workspace.
struct Consumer {
    folder: Workspace,
    source: String,
}

impl Consumer {
    fn of_project(project: &Project) -> Self {
        let folder = Workspace::new("");
        for entry in std::fs::read_dir(folder.folder()).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => std::fs::remove_dir_all(path).unwrap(),
                false => std::fs::remove_file(path).unwrap(),
            }
        }
        let source = format!("git:{}", project.0.folder().display());
        Self { folder, source }
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        let mut command = self.folder.command(arguments);
        // Tests must not share fetched bundles.
        run(command.env("XDG_CACHE_HOME", self.folder.path(".cache")))
    }

    fn pin(&self, version: &str) -> Ran {
        self.run(&["pin", "--from", &self.source, "--version", version])
    }

    fn has(&self, version: &str) -> bool {
        self.folder
            .read("bundle.lock")
            .contains(&format!("\"{version}\""))
    }
}

/// Releases with a signature, commits, tags and starts the next version, following the printed steps.
fn publish(project: &Project, asked: &str, version: &str) {
    let release = ["release", asked, "--sign", "target/release.key"];
    let stdout = project.0.run(&release).with_code(0).stdout;
    for step in [format!("git tag {version}"), "start-next".to_owned()] {
        assert!(stdout.contains(&step), "{stdout}");
    }
    project.commit();
    project.git(&["tag", version]);
    project.commit_generated();
}

#[test]
fn a_year_of_releases_and_of_those_who_install_them() {
    let project = Project::new();
    project.git(&["branch", "--move", "main"]);
    let keys = KeyPair::generate_unencrypted_keypair().unwrap();
    let secret = keys.sk.to_box(None).unwrap().into_string();
    let public = keys.pk.to_base64();
    project.0.write("target/release.key", secret);

    // January: two versions of the kind, an operator that requires them, and a user who installs them.
    with_operator(&project);
    two(&project, Some(""));
    publish(&project, "minor", "v0.1.0");
    let consumer = Consumer::of_project(&project);
    consumer.pin("^0.1").with_code(0);
    consumer.run(&["vendor"]).with_code(0);

    // March: a candidate, then the feature graduates, and a command deprecates the old version.
    project.0.run(&["release", "0.2.0-rc.1"]).with_code(0);
    project.commit();
    project.git(&["tag", "v0.2.0-rc.1"]);
    project.commit_generated();
    project.0.run(&["graduate", "Timeouts"]).with_code(0);
    project
        .0
        .run(&["deprecate", "Route", "v1beta1"])
        .with_code(0);
    project.commit_generated();
    publish(&project, "minor", "v0.2.0");
    let gone = project.0.run(&["prune"]).with_code(0).stdout;
    assert!(gone.contains("removed channels/v0.2.0-rc.1"), "{gone}");
    project.commit_generated();

    // May: a patch on a branch, which users of that line find, and which main adopts.
    project.git(&["checkout", "--quiet", "-b", "release-0.2", "v0.2.0"]);
    // In one commit: without the edit it would be that of main, if both were made in the same second.
    project.edit("Where requests go.", "Where requests end.");
    project.commit_generated();
    publish(&project, "patch", "v0.2.1");
    project.git(&["checkout", "--quiet", "main"]);
    consumer.pin("~0.2").with_code(0);
    assert!(consumer.has("v0.2.1"));
    consumer.run(&["vendor"]).with_code(0);
    project.0.run(&["adopt", "v0.2.1"]).with_code(0);
    project.commit_generated();

    // June: the fix of the branch comes to main, which requires its own version everywhere.
    project.0.run(&["merge-driver", "--install"]).with_code(0);
    project.commit();
    let (merged, output) = git(&project, &["merge", "--no-edit", "release-0.2"]);
    assert!(merged, "{output}");
    project.commit_generated();
    is_at(&project, "0.2.1-dev");

    // July: the old version is no longer served. September: it is gone, without a waiver.
    let unserved = project
        .0
        .read("src/lib.rs")
        .replace("storage = false", "storage = false, served = false");
    project.0.write("src/lib.rs", unserved);
    project.commit_generated();
    publish(&project, "minor", "v0.3.0");
    let text = project.0.read("src/lib.rs");
    let (kept, old) = text.rsplit_once("/// Where requests end.").unwrap();
    assert!(old.contains("v1beta1"), "{old}");
    project.0.write("src/lib.rs", kept);
    bury(&project, "v0.4.0");
    publish(&project, "minor", "v0.4.0");
    assert!(!project.0.path("channels/waivers.toml").exists());
    let ran = project
        .0
        .run(&["diff", "v0.1.0", "v0.4.0", "--against", "minor"]);
    ran.with_code(0);

    // October: the user looks at the changes before the update, tries the other channel, and is kept from going back by
    // accident.
    let seen = consumer.run(&["pin", "--update", "--version", "*", "--dry-run"]);
    let went = "spec.versions[v1beta1]: deprecated version removed";
    assert!(seen.stdout.contains(went), "{}", seen.stdout);
    assert!(consumer.has("v0.2.1"));
    let lost = ["--allow-data-loss"];
    let all = [
        "pin",
        "--update",
        "--version",
        "v0.4.0",
        "--channel",
        "experimental",
    ];
    consumer.run(&[&all[..], &lost].concat()).with_code(0);
    let back = consumer
        .run(&["pin", "--update", "--channel", "stable"])
        .with_code(1);
    assert!(
        back.stderr.contains("`spec.retries` of `Route`"),
        "{}",
        back.stderr
    );
    let older = consumer
        .run(&["pin", "--update", "--version", "v0.2.0"])
        .with_code(1);
    assert!(
        older.stderr.contains("--allow-downgrade"),
        "{}",
        older.stderr
    );
    consumer.run(&["vendor"]).with_code(0);
    // Neither git nor the source is needed to compare the files with the lock.
    let mut check = consumer.folder.command(&["vendor", "--check"]);
    run(check.env("PATH", "")).with_code(0);

    // November: two people release at once, and both bundles arrive, one after the other.
    let origin = Origin::push(&project, "origin");
    let colleague = origin.clone();
    colleague.edit("Where requests end.", "Where they end.");
    colleague.commit_generated();
    follow_all(&colleague, &colleague.release("minor").with_code(0));
    project.edit("max = 20", "max = 30");
    project.commit_generated();
    lose(&project, &origin, ["v0.5.0", "v0.6.0"]);
    for version in ["v0.5.0", "v0.6.0"] {
        let sign = ["sign", version, "--key", "target/release.key"];
        project.0.run(&sign).with_code(0);
    }
    project.commit();

    // December: a clone on Windows has exactly the released bytes, and all bundles are signed.
    let clone = Workspace::new("");
    let ran = Command::new("git")
        .args(["clone", "--quiet", "--config", "core.autocrlf=true"])
        .arg(project.0.folder())
        .arg(clone.path("clone"))
        .output()
        .unwrap();
    assert!(ran.status.success(), "{ran:?}");
    for arguments in [
        &["verify-release", "--key", &*public][..],
        &["gen-crds", "--check"],
        &["features"],
    ] {
        let mut command = clone.command(arguments);
        run(command.current_dir(clone.path("clone"))).with_code(0);
    }
}
