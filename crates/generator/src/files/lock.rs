//! One run writes at a time.

use super::fault::{Fault, UNTOUCHED, failed, shown};
use super::steps::Place;
use super::write::Write;
use crate::diag::Diagnostic;
use std::fs::File;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long a run waits for another that is writing.
const PATIENCE: Duration = Duration::from_secs(5);

/// The proof that no other run writes.
pub(super) struct Lock {
    _file: File,
}

/// Takes the lock; waits a little for a run that has it.
pub(super) fn lock(state: &Path, root: &Path, disk: &dyn Write) -> Result<Lock, Box<Diagnostic>> {
    lock_within(PATIENCE, state, root, disk)
}

pub(super) fn lock_within(
    patience: Duration,
    state: &Path,
    root: &Path,
    disk: &dyn Write,
) -> Result<Lock, Box<Diagnostic>> {
    let place = Place { root, state, disk };
    place
        .ensure_folder(state)
        .map_err(|fault| fault.report(UNTOUCHED))?;
    let path = state.join("lock");
    let start = Instant::now();
    loop {
        match disk.lock(&path) {
            Ok(Some(file)) => return Ok(Lock { _file: file }),
            Ok(None) if start.elapsed() < patience => std::thread::sleep(Duration::from_millis(10)),
            Ok(None) => {
                return Err(failed(
                    format!("another run is writing: `{}` is locked", shown(&path, root)),
                    "nothing was changed; wait until the other run has ended and run the command again",
                ));
            }
            Err(error) => return Err(Fault::new("lock", &path, root, &error).report(UNTOUCHED)),
        }
    }
}
