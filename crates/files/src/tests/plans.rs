//! Comparing and applying on a real disk.

use super::super::journal::windows_device;
use super::super::lock::lock_within;
use super::super::{Applied, ChangeKind, Disk, Plan, Write, shown_path};
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

/// Windows opens paths of more than 260 characters only if they are written in another form.
#[test]
fn a_path_may_be_longer_than_windows_opens_by_default() {
    let workspace = Workspace::new();
    let path = ["f".repeat(120), "g".repeat(120), "h.yaml".to_owned()].join("/");
    let files = tree(&[(&path, "a\n")]);
    let plan = workspace.plan(&files);
    plan.apply(&Disk).unwrap();
    assert_eq!(workspace.everything(), files);
    assert_eq!(kinds(&plan), []);
}

/// The group may begin with one. Windows opens a device in place of such a file, whatever follows the first dot.
#[test]
fn names_of_devices_are_written_or_refused() {
    for name in ["con", "nul", "aux", "prn", "com1", "lpt9"] {
        let workspace = Workspace::with(&before());
        let path = format!("generated/stable/{name}.example.com_routes.yaml");
        let mut files = planned();
        files.insert(path.clone(), "a\n".to_owned());
        match workspace.plan(&files).apply(&Disk) {
            Ok(applied) => {
                assert!(applied.created.contains(&path));
                let mut expected = after();
                expected.insert(path, "a\n".to_owned());
                assert_eq!(workspace.everything(), expected);
                assert_eq!(kinds(&workspace.plan(&files)), []);
            }
            Err(error) => {
                assert!(error.message.contains(&path), "{}", error.message);
                assert_eq!(workspace.everything(), before());
            }
        }
    }
}

#[test]
fn paths_are_shown_with_slashes() {
    let path = std::path::Path::new("..").join("crds").join("a.yaml");
    assert_eq!(shown_path(&path), "../crds/a.yaml");
}

#[test]
fn names_of_devices_are_known() {
    for (path, device) in [
        ("generated/stable/nul.yaml", Some("nul")),
        ("a/Con.example.com_x.yaml", Some("Con")),
        ("aux/x.yaml", Some("aux")),
        ("lpt9", Some("lpt9")),
        ("com.example_x.yaml", None),
        ("com0_x.yaml", None),
        ("com10.example.com_x.yaml", None),
        ("a/x.nul_con.yaml", None),
        ("console.example.com_x.yaml", None),
    ] {
        assert_eq!(windows_device(path), device, "{path}");
    }
}

/// Where the disk ignores case, the file of another case is the planned one and no orphan.
#[test]
fn a_file_whose_name_has_another_case_is_not_lost() {
    let workspace = Workspace::new();
    workspace.write("generated/stable/SAME.yaml", "same\n");
    let files = tree(&[("generated/stable/same.yaml", "same\n")]);
    workspace.plan(&files).apply(&Disk).unwrap();
    let path = workspace.0.join("generated/stable/same.yaml");
    assert_eq!(std::fs::read_to_string(path).unwrap(), "same\n");
    assert_eq!(workspace.everything().len(), 1);
    assert_eq!(kinds(&workspace.plan(&files)), []);
}

/// As git checks them out on Windows.
#[test]
fn files_with_windows_line_ends_do_not_differ() {
    let workspace = Workspace::new();
    for (path, content) in after() {
        workspace.write(&path, content.replace('\n', "\r\n"));
    }
    let there = workspace.everything();
    assert_eq!(kinds(&workspace.plan(&planned())), []);
    workspace.plan(&planned()).apply(&Disk).unwrap();
    assert_eq!(workspace.everything(), there);
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
    // Unix says so of the file below, Windows of the folder.
    assert!(
        error.message.starts_with("cannot ") && error.message.contains(" `generated/stable"),
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
