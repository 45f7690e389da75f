//! Comparing and applying on a real disk.

use super::super::lock::lock_within;
use super::super::{Applied, ChangeKind, Disk, Plan, Write};
use super::faulty::{Faulty, Operation};
use super::{Tree, Workspace, after, before, planned, tree};
use crd_channels_diagnostics::Code;
use std::time::Duration;

fn kinds(plan: &Plan) -> Vec<(String, ChangeKind)> {
    let changes = plan.compare(&Disk).unwrap();
    changes
        .into_iter()
        .map(|change| (change.path, change.kind))
        .collect()
}

#[test]
fn comparing_finds_all_and_changes_nothing() {
    let workspace = Workspace::with(&before());
    let changes = workspace.plan(&planned()).compare(&Disk).unwrap();
    let found: Vec<_> = changes
        .iter()
        .map(|change| {
            (
                change.path.as_str(),
                change.kind,
                change.old.as_deref(),
                change.new.as_deref(),
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            (
                "generated/experimental/created.yaml",
                ChangeKind::Missing,
                None,
                Some("created in a folder that is not there\n")
            ),
            (
                "generated/experimental/second.yaml",
                ChangeKind::Missing,
                None,
                Some("the second file of that folder\n")
            ),
            (
                "generated/stable/created.yaml",
                ChangeKind::Missing,
                None,
                Some("created\n")
            ),
            (
                "generated/stable/orphan.yaml",
                ChangeKind::Orphan,
                Some("orphan\n"),
                None
            ),
            (
                "generated/stable/replaced.yaml",
                ChangeKind::Differs,
                Some("old content\n"),
                Some("new and longer content\n")
            ),
        ]
    );
    assert_eq!(workspace.everything(), before());
}

#[test]
fn applying_does_what_comparing_found() {
    let workspace = Workspace::with(&before());
    let plan = workspace.plan(&planned());
    let paths = |kind: ChangeKind| -> Vec<String> {
        kinds(&plan)
            .into_iter()
            .filter(|(_, found)| *found == kind)
            .map(|(path, _)| path)
            .collect()
    };
    let expected = Applied {
        created: paths(ChangeKind::Missing),
        replaced: paths(ChangeKind::Differs),
        removed: paths(ChangeKind::Orphan),
        unchanged: 1,
        recovered: None,
    };
    assert_eq!(plan.apply(&Disk).unwrap(), expected);
    assert_eq!(workspace.tree(), after());
    assert_eq!(workspace.kept(), Vec::<String>::new());
    assert_eq!(kinds(&plan), []);
}

#[test]
fn nothing_is_touched_where_nothing_differs() {
    let workspace = Workspace::with(&after());
    let disk = Faulty::sound();
    let applied = workspace.plan(&planned()).apply(&disk).unwrap();
    assert_eq!(
        applied,
        Applied {
            unchanged: 5,
            ..Applied::default()
        }
    );
    let reading = [Operation::Look, Operation::Load, Operation::Entries];
    assert!(
        disk.log()
            .iter()
            .all(|(operation, _)| reading.contains(operation)),
        "{:?}",
        disk.log()
    );
    assert_eq!(workspace.everything(), after());
}

#[test]
fn bytes_that_are_no_text_differ() {
    let workspace = Workspace::new();
    workspace.write("generated/stable/a.yaml", b"a\xff\n");
    let files = tree(&[("generated/stable/a.yaml", "a\u{fffd}\n")]);
    let plan = workspace.plan(&files);
    assert_eq!(
        kinds(&plan),
        [("generated/stable/a.yaml".to_owned(), ChangeKind::Differs)]
    );
    plan.apply(&Disk).unwrap();
    assert_eq!(workspace.tree(), files);
}

#[test]
fn a_file_name_may_be_as_long_as_the_disk_allows() {
    let workspace = Workspace::new();
    let files = tree(&[(&format!("generated/stable/{}.yaml", "x".repeat(250)), "a\n")]);
    workspace.plan(&files).apply(&Disk).unwrap();
    assert_eq!(workspace.tree(), files);
}

/// A run was killed, and its journal was removed.
#[test]
fn temporary_files_without_a_journal_are_orphans_of_owned_folders() {
    let workspace = Workspace::with(&after());
    let left = "generated/stable/.crd-channels-12.tmp";
    workspace.write(left, "half");
    workspace.write("generated/stable/.crd-channels-x.tmp", "somebody else's");
    assert_eq!(
        kinds(&workspace.plan(&planned())),
        [(left.to_owned(), ChangeKind::Orphan)]
    );
    workspace.plan(&planned()).apply(&Disk).unwrap();
    let mut expected = after();
    expected.insert(
        "generated/stable/.crd-channels-x.tmp".to_owned(),
        "somebody else's".to_owned(),
    );
    assert_eq!(workspace.tree(), expected);
}

#[test]
fn paths_that_lead_out_are_refused() {
    for path in ["../a.yaml", "/a.yaml", "generated/../../a.yaml", ""] {
        let workspace = Workspace::new();
        let error = workspace
            .plan(&tree(&[(path, "a\n")]))
            .apply(&Disk)
            .unwrap_err();
        assert_eq!(error.code, Code::WriteFailed);
        assert_eq!(
            error.message,
            format!("`{path}` is not below the output folder")
        );
        assert_eq!(workspace.everything(), Tree::new());
    }
}

/// Neither comparing nor applying continues if something is in the way.
fn check_in_the_way(workspace: &Workspace, message: &str, help: &str) {
    let plan = workspace.plan(&planned());
    let there = workspace.everything();
    for error in [
        plan.compare(&Disk).unwrap_err(),
        plan.apply(&Disk).unwrap_err(),
    ] {
        assert_eq!(
            (error.code, error.message.as_str()),
            (Code::WriteFailed, message)
        );
        assert_eq!(error.help.as_deref(), Some(help));
    }
    assert_eq!(workspace.everything(), there);
}

#[test]
fn folders_in_the_way_are_named() {
    for name in ["created", "orphan"] {
        let workspace = Workspace::new();
        workspace.write(&format!("generated/stable/{name}.yaml/inside"), "");
        check_in_the_way(
            &workspace,
            &format!(
                "`generated/stable/{name}.yaml` is a folder, where only plain files are written"
            ),
            &format!(
                "nothing was changed; move `generated/stable/{name}.yaml` away and run the command again"
            ),
        );
    }
}

#[cfg(unix)]
#[test]
fn links_in_the_way_are_named() {
    for name in ["created", "orphan"] {
        let workspace = Workspace::with(&tree(&[
            ("elsewhere", "precious\n"),
            ("generated/stable/notes.txt", ""),
        ]));
        let link = workspace.0.join(format!("generated/stable/{name}.yaml"));
        std::os::unix::fs::symlink("../../elsewhere", link).unwrap();
        check_in_the_way(
            &workspace,
            &format!(
                "`generated/stable/{name}.yaml` is a symbolic link, where only plain files are written"
            ),
            &format!(
                "nothing was changed; move `generated/stable/{name}.yaml` away and run the command again"
            ),
        );
    }
}

/// A plan that recognises its files by their content leaves links and folders alone.
#[cfg(unix)]
#[test]
fn links_and_folders_that_nobody_planned_stay() {
    let workspace = Workspace::with(&before());
    workspace.write("generated/stable/own.yaml/inside", "");
    let link = workspace.0.join("generated/stable/link.yaml");
    std::os::unix::fs::symlink("orphan.yaml", &link).unwrap();
    let recognises = |_: &str, bytes: &[u8]| bytes == b"orphan\n";
    let plan = workspace.plan(&planned()).recognising(recognises);
    plan.apply(&Disk).unwrap();
    assert!(link.is_symlink() && !workspace.0.join("generated/stable/orphan.yaml").exists());
    assert!(workspace.0.join("generated/stable/own.yaml").is_dir());
    assert_eq!(plan.compare(&Disk).unwrap(), []);
}

#[cfg(unix)]
#[test]
fn special_files_in_the_way_are_named() {
    let workspace = Workspace::with(&tree(&[("generated/stable/notes.txt", "")]));
    let path = workspace.0.join("generated/stable/created.yaml");
    let _socket = std::os::unix::net::UnixListener::bind(&path).unwrap();
    let error = workspace.plan(&planned()).apply(&Disk).unwrap_err();
    assert_eq!(
        error.message,
        "`generated/stable/created.yaml` is a special file, where only plain files are written"
    );
}

#[test]
fn a_file_in_the_place_of_a_folder_is_named() {
    let workspace = Workspace::with(&tree(&[("generated/stable", "a file\n")]));
    let error = workspace.plan(&planned()).apply(&Disk).unwrap_err();
    assert_eq!(error.code, Code::WriteFailed);
    assert!(
        error.message.ends_with(": not a directory"),
        "{}",
        error.message
    );
    assert_eq!(
        workspace.everything(),
        tree(&[("generated/stable", "a file\n")])
    );
}

#[test]
fn a_run_waits_for_another_and_then_gives_up() {
    let workspace = Workspace::with(&before());
    let Ok(held) = lock_within(Duration::ZERO, &workspace.0, &Disk) else {
        panic!("nobody has the lock");
    };
    let Err(taken) = lock_within(Duration::from_millis(30), &workspace.0, &Disk) else {
        panic!("two runs have the lock");
    };
    assert_eq!(
        taken.report(&workspace.0).message,
        "another run is at work: `.crd-channels/lock` is locked"
    );
    let plan = workspace.plan(&planned());
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| plan.apply(&Disk).unwrap());
        std::thread::sleep(Duration::from_millis(50));
        assert_eq!(workspace.tree(), before());
        drop(held);
        waiting.join().unwrap();
    });
    assert_eq!(workspace.tree(), after());
}

#[test]
fn runs_at_the_same_time_do_not_mix() {
    let workspace = Workspace::new();
    let trees: Vec<Tree> = (0..4)
        .map(|run| {
            let file = |number: usize| format!("generated/stable/{}.yaml", number + run);
            (0..8)
                .map(|number| (file(number), format!("run {run}\n")))
                .collect()
        })
        .collect();
    for _ in 0..5 {
        std::thread::scope(|scope| {
            for tree in &trees {
                scope.spawn(|| workspace.plan(tree).apply(&Disk as &dyn Write).unwrap());
            }
        });
        assert!(trees.contains(&workspace.tree()), "{:?}", workspace.tree());
        assert_eq!(workspace.kept(), Vec::<String>::new());
    }
}
