//! Faults of the disk: the messages, and the state in which files are left.

use super::super::{Disk, Recovered, recover};
use super::faulty::{Fate, Faulty, Operation};
use super::{Workspace, after, before, planned, tree};
use crate::diag::Code;
use std::io;

const NO_SPACE: i32 = 28;
const PERMISSION_DENIED: i32 = 13;
const READ_ONLY: i32 = 30;

/// Applies on a disk that fails; then nothing may have changed, and nothing may be left.
fn check_untouched(disk: &Faulty<'_>, message: &str) {
    let workspace = Workspace::with(&before());
    let error = workspace.plan(&planned()).apply(disk).unwrap_err();
    assert_eq!(error.code, Code::WriteFailed);
    assert_eq!(error.message, message);
    assert_eq!(
        error.help.as_deref(),
        Some("nothing was changed; fix the reason and run the command again")
    );
    assert_eq!(workspace.tree(), before());
    assert_eq!(workspace.kept(), Vec::<String>::new());
    workspace.plan(&planned()).apply(&Disk).unwrap();
    assert_eq!(workspace.tree(), after());
}

#[test]
fn faults_before_the_decision_change_nothing() {
    for (operation, part, error, message) in [
        (
            Operation::Look,
            "same.yaml",
            PERMISSION_DENIED,
            "cannot look at `generated/stable/same.yaml`: permission denied",
        ),
        (
            Operation::Load,
            "same.yaml",
            PERMISSION_DENIED,
            "cannot read `generated/stable/same.yaml`: permission denied",
        ),
        (
            Operation::Entries,
            "stable",
            PERMISSION_DENIED,
            "cannot list `generated/stable`: permission denied",
        ),
        (
            Operation::MakeFolder,
            "target",
            READ_ONLY,
            "cannot make the folder `target/crd-channels`: read-only file system",
        ),
        (
            Operation::Lock,
            "lock",
            PERMISSION_DENIED,
            "cannot lock `target/crd-channels/lock`: permission denied",
        ),
        (
            Operation::MakeFolder,
            "generated/experimental",
            READ_ONLY,
            "cannot make the folder `generated/experimental`: read-only file system",
        ),
        (
            Operation::Store,
            "pending",
            NO_SPACE,
            "cannot write `target/crd-channels/pending.json`: no space left on device",
        ),
        (
            Operation::Store,
            "stable/.crd-channels-3.tmp",
            PERMISSION_DENIED,
            "cannot write `generated/stable/replaced.yaml`: permission denied",
        ),
    ] {
        check_untouched(&Faulty::refusing(operation, part, error), message);
    }
}

#[test]
fn the_first_rename_may_still_be_refused() {
    check_untouched(
        &Faulty::refusing(Operation::Rename, "generated", PERMISSION_DENIED),
        "cannot write `generated/experimental/created.yaml`: permission denied",
    );
}

#[test]
fn a_disk_that_fills_up_is_left_as_it_was() {
    let wanted: usize = after().values().map(String::len).sum();
    let mut refused = 0;
    for space in 0..wanted + 1000 {
        let mut free = space;
        let disk = Faulty::new(|_, operation, _, length| {
            if operation != Operation::Store || length <= free {
                free -= length;
                return Fate::Happens;
            }
            let fits = std::mem::take(&mut free);
            Fate::FailsAfter(fits, io::Error::from_raw_os_error(NO_SPACE))
        });
        let workspace = Workspace::with(&before());
        match workspace.plan(&planned()).apply(&disk) {
            Ok(_) => {
                assert_eq!(workspace.tree(), after());
                break;
            }
            Err(error) => {
                refused += 1;
                assert!(
                    error.message.ends_with(": no space left on device"),
                    "{}",
                    error.message
                );
                assert_eq!(workspace.tree(), before());
                assert_eq!(workspace.kept(), Vec::<String>::new());
            }
        }
    }
    assert!(refused > 100);
}

#[test]
fn a_fault_after_the_decision_is_said_and_the_next_run_goes_on() {
    let workspace = Workspace::with(&before());
    let disk = Faulty::refusing(Operation::Rename, "replaced.yaml", PERMISSION_DENIED);
    let error = workspace.plan(&planned()).apply(&disk).unwrap_err();
    assert_eq!(
        error.message,
        "cannot write `generated/stable/replaced.yaml`: permission denied"
    );
    assert_eq!(
        error.help.as_deref(),
        Some(
            "3 of 5 changes are made and every file is whole; fix the reason and run the command again: it makes the \
             others first"
        )
    );
    let still = recover(&workspace.state(), &workspace.0, &disk).unwrap_err();
    assert_eq!(still.message, error.message);
    assert_eq!(
        workspace.recover(),
        Some(Recovered::Completed { lost: Vec::new() })
    );
    assert_eq!(workspace.tree(), after());
}

#[test]
fn an_undoing_that_fails_is_said_and_the_next_run_goes_on() {
    let workspace = Workspace::with(&before());
    let disk = Faulty::new(|_, operation, path, _| {
        let path = path.to_string_lossy();
        match operation {
            Operation::Store if path.contains("stable/.crd") => {
                Fate::Fails(io::Error::from_raw_os_error(NO_SPACE))
            }
            Operation::Remove if path.contains(".tmp") => {
                Fate::Fails(io::Error::from_raw_os_error(PERMISSION_DENIED))
            }
            _ => Fate::Happens,
        }
    });
    let error = workspace.plan(&planned()).apply(&disk).unwrap_err();
    let help = error.help.unwrap();
    assert!(
        help.starts_with(
            "no file was changed, but what was written aside could not be removed (cannot remove"
        ),
        "{help}"
    );
    assert_eq!(workspace.recover(), Some(Recovered::Undone));
    assert_eq!(workspace.tree(), before());
}

#[test]
fn journals_that_cannot_be_used() {
    let broken = [
        "",
        "{",
        "null",
        r#"{"format":1}"#,
        r#"{"format":0,"root":{"up":2},"replace":[],"remove":[]}"#,
        r#"{"format":1,"root":{"up":2},"replace":[],"remove":["../outside.yaml"]}"#,
        r#"{"format":1,"root":{"up":2},"replace":[],"remove":["/outside.yaml"]}"#,
        r#"{"format":1,"root":{"up":2},"replace":[{"path":"a/../../b","length":1}],"remove":[]}"#,
        r#"{"format":1,"root":{"up":2},"replace":[],"remove":[""]}"#,
    ];
    for text in broken {
        for (name, recovered) in [
            ("journal", Recovered::Unreadable),
            ("pending", Recovered::Undone),
        ] {
            let workspace = Workspace::with(&before());
            workspace.write(&format!("target/crd-channels/{name}.json"), text);
            assert_eq!(workspace.recover(), Some(recovered), "{text}");
            assert_eq!(workspace.tree(), before());
            assert_eq!(workspace.kept(), Vec::<String>::new());
        }
    }
    for name in ["journal", "pending"] {
        let path = format!("target/crd-channels/{name}.json");
        let workspace = Workspace::with(&before());
        workspace.write(&path, r#"{"format":2,"new":true}"#);
        let check = |error: crate::diag::Diagnostic| {
            assert_eq!(
                error.message,
                format!(
                    "`{path}` was left by a newer version of this tool, stopped while it wrote"
                )
            );
            assert!(
                error
                    .help
                    .unwrap()
                    .contains(&format!("or remove `{path}` and generate anew"))
            );
        };
        check(*recover(&workspace.state(), &workspace.0, &Disk).unwrap_err());
        check(*workspace.plan(&planned()).apply(&Disk).unwrap_err());
        assert_eq!(workspace.tree(), before());
        assert_eq!(workspace.kept(), vec![path.clone()]);
    }
}

/// Somebody tidies up between a kill and the next run.
#[test]
fn what_was_written_aside_may_be_lost() {
    let workspace = Workspace::with(&before());
    let disk = Faulty::new(|_, operation, path, _| match operation {
        Operation::Rename if path.to_string_lossy().contains("replaced") => {
            Fate::Fails(io::Error::other("killed"))
        }
        _ => Fate::Happens,
    });
    workspace.plan(&planned()).apply(&disk).unwrap_err();
    std::fs::remove_file(workspace.0.join("generated/stable/.crd-channels-3.tmp")).unwrap();
    let lost = vec!["generated/stable/replaced.yaml".to_owned()];
    assert_eq!(workspace.recover(), Some(Recovered::Completed { lost }));
    assert_eq!(workspace.kept(), Vec::<String>::new());
    workspace.plan(&planned()).apply(&Disk).unwrap();
    assert_eq!(workspace.tree(), after());
}

#[test]
fn a_journal_finds_its_files_wherever_state_and_workspace_are() {
    let (one, other, shared) = (Workspace::new(), Workspace::new(), Workspace::new());
    let files = tree(&[("a.yaml", "a\n"), ("b.yaml", "b\n")]);
    let plan = super::super::Plan::new(
        one.0.clone(),
        shared.0.clone(),
        files.clone(),
        vec!["folder".to_owned()],
    );
    let disk = Faulty::refusing(Operation::Rename, "b.yaml", PERMISSION_DENIED);
    plan.apply(&disk).unwrap_err();
    let recovered = recover(&shared.0, &other.0, &Disk).unwrap();
    assert_eq!(recovered, Some(Recovered::Completed { lost: Vec::new() }));
    assert_eq!(one.tree(), files);
    assert_eq!(other.everything(), tree(&[]));
}
