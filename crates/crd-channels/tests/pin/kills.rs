//! The next command in a consumer's folder settles a run that was killed while writing.

use super::killed::Killed;
use super::{pin, released};
use crd_channels_files::Plan;
use std::collections::BTreeMap;

#[test]
fn whatever_was_killed_in_the_folder_of_a_lock_is_settled_there() {
    let workspace = released();
    pin(&workspace, &["--from", "api", "--version", "=0.1.0"]).with_code(0);
    workspace.run(&["vendor", "deploy/crds"]).with_code(0);
    let crds = workspace.files("deploy");
    let (path, bytes) = crds.first_key_value().unwrap();
    let files = BTreeMap::from([
        ("bundle.lock".to_owned(), workspace.read("bundle.lock")),
        (
            format!("deploy/{path}"),
            String::from_utf8(bytes.clone()).unwrap(),
        ),
    ]);
    let plan = Plan::new(
        "the CRDs in `deploy/crds`",
        workspace.folder().to_path_buf(),
        files,
        vec!["deploy/crds".to_owned()],
    );
    let commands: [&[&str]; 3] = [
        &["vendor", "deploy/crds", "--check"],
        &["pin", "--update", "--dry-run"],
        &["check", "deploy/crds"],
    ];
    for command in commands {
        let mut notes = Vec::new();
        for at in 0.. {
            workspace.write(&format!("deploy/{path}"), "old");
            let ended = plan.apply(&Killed::at(at)).is_ok();
            let ran = workspace.run(command);
            let note = ran.stderr.lines().find(|line| line.contains("interrupted"));
            notes.extend(note.map(str::to_owned));
            assert!(!workspace.path(".crd-channels").exists(), "{}", ran.stderr);
            let now = workspace.files("deploy");
            assert_eq!(now.len(), crds.len(), "{at}");
            let is_new = now == crds;
            if is_completed(&ran.stderr) || ended {
                assert!(is_new, "{at}: {}", ran.stderr);
                ran.with_code(0);
            }
            if ended {
                break;
            }
        }
        notes.dedup();
        assert_eq!(
            notes,
            [
                "note: an interrupted run was undone; it had not started to write",
                "note: an interrupted run was undone: nothing of the CRDs in `deploy/crds` had been written",
                "note: an interrupted run was completed: the CRDs in `deploy/crds`",
            ],
            "{command:?}"
        );
    }
}

fn is_completed(stderr: &str) -> bool {
    stderr.contains("an interrupted run was completed")
}
