//! A release that is killed at any operation is completed or undone by the next run.

use super::Project;
use crd_channels::commands::program::Program;
use crd_channels::commands::release::{Request, prepare};
use crd_channels::diag::Sink;
use crd_channels::files::{Disk, Entry, Sources, Write};
use crd_channels::release::choice::Asked;
use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A disk of a process that is killed at its nth operation that changes anything.
struct Killed(AtomicUsize);

impl Killed {
    fn step<T>(&self, run: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        let left = self
            .0
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| {
                left.checked_sub(1)
            });
        left.map_err(|_| io::Error::other("killed"))?;
        run()
    }
}

impl Write for Killed {
    fn look(&self, path: &Path) -> io::Result<Option<Entry>> {
        Disk.look(path)
    }

    fn entries(&self, folder: &Path) -> io::Result<Vec<(String, Entry)>> {
        Disk.entries(folder)
    }

    fn load(&self, path: &Path) -> io::Result<Vec<u8>> {
        Disk.load(path)
    }

    fn store(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        // Half of the bytes are there when it happens.
        let whole = self.step(|| Ok(()));
        if whole.is_err() && self.0.fetch_add(0, Ordering::SeqCst) == 0 {
            let _ = Disk.store(path, &bytes[..bytes.len() / 2]);
        }
        whole?;
        Disk.store(path, bytes)
    }

    fn make_folder(&self, path: &Path) -> io::Result<()> {
        self.step(|| Disk.make_folder(path))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step(|| Disk.rename(from, to))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.step(|| Disk.remove(path))
    }

    fn lock(&self, path: &Path) -> io::Result<Option<File>> {
        Disk.lock(path)
    }
}

/// All files but what the tool and git keep.
fn tree(project: &Project) -> BTreeMap<String, Vec<u8>> {
    let mut files = project.0.files("");
    files.retain(|path, _| !path.starts_with("target/") && !path.starts_with(".git/"));
    files
}

fn reset(project: &Project) {
    project.git(&["reset", "--quiet", "--hard"]);
    project.git(&["clean", "--quiet", "--force", "-d"]);
}

#[test]
fn a_kill_at_any_operation_is_settled_by_the_next_run() {
    let project = Project::released();
    project.edit("max = 20", "max = 30");
    project.settle();
    let before = tree(&project);
    project.release("minor").with_code(0);
    let after = tree(&project);
    reset(&project);
    assert!(tree(&project) == before);
    let request = Request {
        asked: Asked::Minor,
        sign: None,
        archive: None,
        dry_run: false,
        program: Program::default(),
    };
    let (mut undone, mut completed) = (0, 0);
    for at in 0.. {
        let sources = Sources::default();
        let mut sink = Sink::default();
        let prepared = prepare(&request, project.0.folder(), &sources, &mut sink).unwrap();
        assert!(!sink.has_errors(), "{:?}", sink.diagnostics());
        let killed = Killed(AtomicUsize::new(at));
        let ended = prepared.plan.apply(&killed).is_ok();
        // Whichever command comes next settles what is left.
        project.0.run(&["gen-crds", "--check"]).with_code(0);
        let now = tree(&project);
        assert!(
            now == before || now == after,
            "a mixture is left after operation {at}"
        );
        if now == after {
            project.0.run(&["verify-release"]).with_code(0);
            completed += 1;
        } else {
            undone += 1;
        }
        if ended {
            break;
        }
        reset(&project);
    }
    assert!(undone > 10 && completed > 10, "{undone} {completed}");
}
