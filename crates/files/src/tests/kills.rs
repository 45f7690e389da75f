//! A run that is killed at any moment leaves all files old or all new, once the next run has recovered.

use super::super::{Disk, Recovered, recover};
use super::faulty::{Faulty, Operation};
use super::{Tree, Workspace, after, before, planned};
use std::path::{Path, PathBuf};

/// Checks the files right after a kill: each is completely old or completely new, and all others are temporary.
fn check_whole(tree: &Tree) {
    let (old, new) = (before(), after());
    for (path, content) in tree {
        let hidden = path
            .rsplit('/')
            .next()
            .unwrap()
            .starts_with(".crd-channels-");
        assert!(
            hidden || old.get(path) == Some(content) || new.get(path) == Some(content),
            "`{path}` is torn: {content:?}"
        );
    }
    for path in old.keys().filter(|path| new.contains_key(*path)) {
        assert!(tree.contains_key(path), "`{path}` is gone");
    }
}

fn check_settled(workspace: &Workspace) {
    let tree = workspace.tree();
    assert!(
        tree == before() || tree == after(),
        "a mixture is left: {tree:#?}"
    );
    assert_eq!(workspace.kept(), Vec::<String>::new());
    assert_eq!(workspace.empty_folders(), Vec::<PathBuf>::new());
}

/// Kills a run at the given operation; returns whether the run still completed.
fn kill(workspace: &Workspace, at: usize) -> bool {
    let ended = workspace
        .plan(&planned())
        .apply(&Faulty::killed(at))
        .is_ok();
    check_whole(&workspace.tree());
    ended
}

#[test]
fn a_kill_at_any_operation_is_settled_by_the_next_run() {
    let (mut nothing, mut undone, mut completed) = (0, 0, 0);
    for at in 0.. {
        let workspace = Workspace::with(&before());
        let ended = kill(&workspace, at);
        let left = workspace.kept();
        match workspace.recover() {
            None => nothing += 1,
            Some(Recovered::Undone { what }) => {
                // A torn journal has no purpose.
                assert!(what.is_none_or(|what| what == "the files"));
                undone += 1;
            }
            Some(Recovered::Completed { purpose, lost }) => {
                assert_eq!((&*purpose.what, lost), ("the files", Vec::new()));
                completed += 1;
            }
            Some(other) => panic!("{other:?} after operation {at}: {left:?}"),
        }
        check_settled(&workspace);
        assert_eq!(workspace.recover(), None);
        workspace.plan(&planned()).apply(&Disk).unwrap();
        assert_eq!(workspace.tree(), after());
        if ended {
            break;
        }
    }
    assert!(
        nothing > 5 && undone > 5 && completed > 5,
        "{nothing} {undone} {completed}"
    );
}

#[test]
fn a_kill_while_settling_is_settled_by_the_run_after() {
    for at in 0.. {
        let mut ended = false;
        for again in 0.. {
            let workspace = Workspace::with(&before());
            ended = kill(&workspace, at);
            let settled = recover(&workspace.0, &Faulty::killed(again)).is_ok();
            check_whole(&workspace.tree());
            recover(&workspace.0, &Faulty::sound()).unwrap();
            check_settled(&workspace);
            if settled {
                break;
            }
        }
        if ended {
            break;
        }
    }
}

#[test]
fn a_kill_leads_forwards_without_an_explicit_recovery_too() {
    for at in 0.. {
        let workspace = Workspace::with(&before());
        let ended = kill(&workspace, at);
        workspace.plan(&planned()).apply(&Disk).unwrap();
        assert_eq!(workspace.tree(), after());
        // A journal whose work is all done may wait for the next run that looks for one.
        workspace.recover();
        check_settled(&workspace);
        if ended {
            break;
        }
    }
}

/// The record of a step exists before the step, and is removed after it.
#[test]
fn steps_are_taken_in_order() {
    let workspace = Workspace::with(&before());
    let disk = Faulty::sound();
    workspace.plan(&planned()).apply(&disk).unwrap();
    let log = disk.log();
    let state = workspace.0.join(".crd-channels");
    let all = |wanted: &dyn Fn(Operation, &Path) -> bool| -> Vec<usize> {
        let hits = log
            .iter()
            .enumerate()
            .filter(|(_, (operation, path))| wanted(*operation, path));
        hits.map(|(number, _)| number).collect()
    };
    let stored = |path: &Path| path.starts_with(&state);
    let pending = all(&|operation, path| operation == Operation::Store && stored(path));
    let asides = all(&|operation, path| operation == Operation::Store && !stored(path));
    let decided = all(&|operation, path| operation == Operation::Rename && stored(path));
    let renames = all(&|operation, path| operation == Operation::Rename && !stored(path));
    let removals = all(&|operation, path| operation == Operation::Remove && !stored(path));
    let closed = all(&|operation, path| operation == Operation::Remove && stored(path));
    assert_eq!((asides.len(), renames.len(), removals.len()), (4, 4, 1));
    let steps = [
        &pending[..],
        &asides,
        &decided,
        &renames,
        &removals,
        &closed,
    ];
    for pair in steps.windows(2) {
        assert!(
            pair[0].iter().max().unwrap() < pair[1].iter().min().unwrap(),
            "{steps:?}\n{log:#?}"
        );
    }
}
