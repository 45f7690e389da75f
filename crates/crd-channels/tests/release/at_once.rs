//! Two runs in one working tree at the same time.

use super::Project;
use crd_channels_files::hold;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

/// Two runs in one tree: the second one sees what the first one wrote, or gives up.
#[test]
fn runs_at_the_same_time_release_one_bundle() {
    let project = Project::released();
    for second in ["minor", "0.3.0"] {
        let held = hold(project.0.folder()).unwrap();
        let runs = ["minor", second].map(|asked| {
            let mut release = project.0.command(&["release", asked]);
            release
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap()
        });
        thread::sleep(Duration::from_millis(500));
        drop(held);
        let codes = runs.map(|mut run| run.wait().unwrap().code());
        assert_eq!(
            codes.iter().filter(|code| **code == Some(0)).count(),
            1,
            "{codes:?}"
        );
        let added = project.git(&[
            "status",
            "--porcelain",
            "--untracked-files=normal",
            "channels",
        ]);
        assert_eq!(added.matches("?? channels/v").count(), 1, "{added}");
        let log = project.0.read("channels/CHANGELOG.md");
        assert_eq!(log.matches("\n## v").count(), 2, "{log}");
        project.0.run(&["verify-release"]).with_code(0);
        project.git(&["reset", "--quiet", "--hard"]);
        project.git(&["clean", "--quiet", "--force", "-d"]);
    }
}

/// A run that cannot begin says so, and changes nothing.
#[test]
fn a_run_gives_up_if_another_one_is_at_work() {
    let project = Project::released();
    let held = hold(project.0.folder()).unwrap();
    let before = project.0.files("channels");
    let commands = [
        &["release", "minor"][..],
        &["start-next"],
        &["pin", "--from", "."],
    ];
    // Each waits for the lock before it gives up.
    thread::scope(|scope| {
        for command in commands {
            let project = &project;
            scope.spawn(move || {
                let stderr = project.0.run(command).with_code(2).stderr;
                let words = "another run is at work: `.crd-channels/lock` is locked";
                assert!(stderr.contains(words), "{command:?}: {stderr}");
            });
        }
    });
    // These change nothing.
    for command in [&["release", "minor", "--dry-run"][..], &["verify-release"]] {
        project.0.run(command).with_code(0);
    }
    drop(held);
    assert_eq!(project.0.files("channels"), before);
    project.release("minor").with_code(0);
}
