//! Faults of the disk: their messages, and the state of the files after them.

use super::super::{Disk, Purpose, Recovered, recover};
use super::faulty::{Fate, Faulty, Operation};
use super::{Workspace, after, before, planned};
use crd_channels_diagnostics::Code;
use std::io;

// Not by their numbers, which mean something else on Windows.
const NO_SPACE: &str = "No space left on device (os error 28)";
const PERMISSION_DENIED: &str = "Permission denied (os error 13)";
const READ_ONLY: &str = "Read-only file system (os error 30)";

fn completed(lost: Vec<String>) -> Recovered {
    let purpose = Purpose {
        what: "the files".to_owned(),
        left: None,
    };
    Recovered::Completed { purpose, lost }
}

/// Applies on a disk that fails; nothing may have changed, and no temporary file may remain.
fn check_untouched(disk: &Faulty<'_>, message: &str) {
    let workspace = Workspace::with(&before());
    let error = workspace.plan(&planned()).apply(disk).unwrap_err();
    assert_eq!(error.code, Code::WriteFailed);
    assert_eq!(error.message, message);
    assert_eq!(
        error.help.as_deref(),
        Some("nothing was changed; fix the cause and run the command again")
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
            ".crd-channels",
            READ_ONLY,
            "cannot make the folder `.crd-channels`: read-only file system",
        ),
        (
            Operation::Lock,
            "lock",
            PERMISSION_DENIED,
            "cannot lock `.crd-channels/lock`: permission denied",
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
            "cannot write `.crd-channels/pending.json`: no space left on device",
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
            Fate::FailsAfter(fits, io::Error::other(NO_SPACE))
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
            "3 of 5 changes are made and every file is complete; fix the cause and run the command again to make the others"
        )
    );
    let still = recover(&workspace.0, &disk).unwrap_err();
    assert_eq!(
        still.message,
        format!(
            "an interrupted run cannot be completed: the files: {}",
            error.message
        )
    );
    assert_eq!(workspace.recover(), Some(completed(Vec::new())));
    assert_eq!(workspace.tree(), after());
}

#[test]
fn an_undoing_that_fails_is_said_and_the_next_run_goes_on() {
    let workspace = Workspace::with(&before());
    let disk = Faulty::new(|_, operation, path, _| match operation {
        Operation::Store if path.contains("stable/.crd") => Fate::Fails(io::Error::other(NO_SPACE)),
        Operation::Remove if path.contains(".tmp") => {
            Fate::Fails(io::Error::other(PERMISSION_DENIED))
        }
        _ => Fate::Happens,
    });
    let error = workspace.plan(&planned()).apply(&disk).unwrap_err();
    let help = error.help.unwrap();
    assert!(
        help.starts_with(
            "no file was changed, but temporary files could not be removed (cannot remove"
        ),
        "{help}"
    );
    // The disk still fails: all files are fine, but none can be written.
    let waiting = recover(&workspace.0, &disk).unwrap();
    assert!(
        matches!(&waiting, Some(Recovered::Waiting { why }) if why.ends_with("permission denied")),
        "{waiting:?}"
    );
    let refused = workspace.plan(&planned()).apply(&disk).unwrap_err();
    assert!(
        refused.message.ends_with("permission denied"),
        "{refused:?}"
    );
    let what = Some("the files".to_owned());
    assert_eq!(workspace.recover(), Some(Recovered::Undone { what }));
    assert_eq!(workspace.tree(), before());
}

#[test]
fn journals_that_cannot_be_used() {
    let broken = [
        "",
        "{",
        "null",
        r#"{"format":3}"#,
        r#"{"format":0,"purpose":{"what":"it"},"folders":[],"replace":[],"remove":[]}"#,
        r#"{"format":3,"purpose":{"what":"it"},"folders":[],"replace":[],"remove":["../outside.yaml"]}"#,
        r#"{"format":3,"purpose":{"what":"it"},"folders":[],"replace":[],"remove":["/outside.yaml"]}"#,
        r#"{"format":3,"purpose":{"what":"it"},"folders":[],"replace":[{"path":"a/../../b","length":1}],"remove":[]}"#,
        r#"{"format":3,"purpose":{"what":"it"},"folders":[],"replace":[],"remove":[""]}"#,
        r#"{"format":3,"purpose":{"what":"it"},"folders":["../x"],"replace":[],"remove":[]}"#,
    ];
    for text in broken {
        for (name, recovered) in [
            ("journal", Recovered::Unreadable),
            ("pending", Recovered::Undone { what: None }),
        ] {
            let workspace = Workspace::with(&before());
            workspace.write(&format!(".crd-channels/{name}.json"), text);
            assert_eq!(workspace.recover(), Some(recovered), "{text}");
            assert_eq!(workspace.tree(), before());
            assert_eq!(workspace.kept(), Vec::<String>::new());
        }
    }
    for name in ["journal", "pending"] {
        let path = format!(".crd-channels/{name}.json");
        let workspace = Workspace::with(&before());
        workspace.write(&path, r#"{"format":4,"new":true}"#);
        let check = |error: crd_channels_diagnostics::Diagnostic| {
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
                    .contains(&format!("or remove `{path}` and generate again"))
            );
        };
        check(*recover(&workspace.0, &Disk).unwrap_err());
        check(*workspace.plan(&planned()).apply(&Disk).unwrap_err());
        assert_eq!(workspace.tree(), before());
        assert!(workspace.kept().contains(&path));
    }
}

/// The temporary files are removed between a kill and the next run.
#[test]
fn what_was_written_aside_may_be_lost() {
    let workspace = Workspace::with(&before());
    let disk = Faulty::new(|_, operation, path, _| match operation {
        Operation::Rename if path.contains("replaced") => Fate::Fails(io::Error::other("killed")),
        _ => Fate::Happens,
    });
    workspace.plan(&planned()).apply(&disk).unwrap_err();
    std::fs::remove_file(workspace.0.join("generated/stable/.crd-channels-3.tmp")).unwrap();
    let lost = vec!["generated/stable/replaced.yaml".to_owned()];
    assert_eq!(workspace.recover(), Some(completed(lost)));
    assert_eq!(workspace.kept(), Vec::<String>::new());
    workspace.plan(&planned()).apply(&Disk).unwrap();
    assert_eq!(workspace.tree(), after());
}

/// The old files are restored, as `git stash --include-untracked` does.
#[test]
fn a_run_that_somebody_has_undone_is_given_up() {
    let workspace = Workspace::with(&before());
    let disk = Faulty::refusing(Operation::Rename, "replaced.yaml", PERMISSION_DENIED);
    workspace.plan(&planned()).apply(&disk).unwrap_err();
    std::fs::remove_dir_all(workspace.0.join("generated")).unwrap();
    for (path, content) in before() {
        workspace.write(&path, content);
    }
    let what = "the files".to_owned();
    assert_eq!(workspace.recover(), Some(Recovered::GivenUp { what }));
    assert_eq!(workspace.everything(), before());
}

#[test]
fn a_workspace_may_be_moved_between_two_runs() {
    let (workspace, mut elsewhere) = (Workspace::with(&before()), Workspace::new());
    let disk = Faulty::refusing(Operation::Rename, "replaced.yaml", PERMISSION_DENIED);
    workspace.plan(&planned()).apply(&disk).unwrap_err();
    elsewhere.0 = elsewhere.0.join("moved");
    std::fs::rename(&workspace.0, &elsewhere.0).unwrap();
    assert_eq!(elsewhere.recover(), Some(completed(Vec::new())));
    assert_eq!(elsewhere.everything(), after());
}

/// On a read-only disk.
#[test]
fn what_cannot_be_settled_is_said() {
    let read_only = || {
        Faulty::new(|_, operation, _, _| match operation {
            Operation::Look | Operation::Load | Operation::Entries => Fate::Happens,
            _ => Fate::Fails(io::Error::other(READ_ONLY)),
        })
    };
    let why = "cannot lock `.crd-channels/lock`: read-only file system";
    let workspace = Workspace::with(&before());
    let full = Faulty::killed_at(Operation::Store, "stable/.crd-channels-3.tmp");
    workspace.plan(&planned()).apply(&full).unwrap_err();
    let waiting = recover(&workspace.0, &read_only()).unwrap();
    assert_eq!(waiting, Some(Recovered::Waiting { why: why.into() }));

    let workspace = Workspace::with(&before());
    let half = Faulty::killed_at(Operation::Rename, "replaced.yaml");
    workspace.plan(&planned()).apply(&half).unwrap_err();
    let refused = recover(&workspace.0, &read_only()).unwrap_err();
    assert_eq!(
        refused.message,
        format!("an interrupted run cannot be completed: the files: {why}")
    );
    assert!(
        refused
            .help
            .unwrap()
            .contains("some may be old and others new")
    );

    // If all files are complete, it does not matter that the folder stays.
    let workspace = Workspace::with(&before());
    workspace.write(".crd-channels/lock", "");
    assert_eq!(recover(&workspace.0, &read_only()).unwrap(), None);
    assert_eq!(workspace.recover(), None);
    assert_eq!(workspace.everything(), before());
}
