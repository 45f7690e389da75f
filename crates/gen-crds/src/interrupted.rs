//! Recovers what interrupted runs left behind, before a command reads any file.

use crate::current_folder::current;
use crate::findings::list_names;
use crd_channels_diagnostics::Diagnostic;
use crd_channels_files::{
    Applied, Disk, Lock, Plan, Purpose, Recovered, hold, recover, recover_locked,
};
use crd_channels_workspace as workspace;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The maximum number of files to name.
const MOST_NAMED: usize = 3;

/// The lock of the folder that a command reads and writes, while it runs.
static HELD: Mutex<Option<Lock<'static>>> = Mutex::new(None);

/// Lets no other run write below a folder until it is dropped.
#[derive(Debug)]
pub struct Hold(());

impl Hold {
    /// Takes the lock before anything is read: what a run writes depends on what it has read. Waits a little for another run.
    ///
    /// # Errors
    /// `write-failed` if another run still holds it.
    pub fn acquire(folder: &Path) -> Result<Self, Box<Diagnostic>> {
        let lock = hold(folder)?;
        *held() = lock;
        Ok(Self(()))
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        *held() = None;
    }
}

fn held() -> MutexGuard<'static, Option<Lock<'static>>> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Recovers the current folder and the workspace around it, and reports the fate of each interrupted run.
///
/// # Errors
/// `write-failed`; `unreadable-file` if there is no current folder.
pub fn recover_here() -> Result<Vec<Recovered>, Box<Diagnostic>> {
    let here = current()?;
    let root = workspace::find_root(&here).ok();
    let root = root.filter(|root| *root != here);
    let mut recovered = Vec::new();
    for folder in root.into_iter().chain([here]) {
        recovered.extend(recover_at(&folder)?);
    }
    Ok(recovered)
}

/// Recovers one folder.
///
/// # Errors
/// As [`recover`].
pub fn recover_at(folder: &Path) -> Result<Option<Recovered>, Box<Diagnostic>> {
    let held = held();
    let found = match held.as_ref().filter(|held| held.is_of(folder)) {
        Some(held) => recover_locked(folder, &Disk, held)?,
        None => recover(folder, &Disk)?,
    };
    found.iter().for_each(say);
    Ok(found)
}

/// Writes a plan. If another run was interrupted just before, reports its fate.
///
/// # Errors
/// As [`Plan::apply`].
pub fn apply(plan: &Plan) -> Result<Applied, Box<Diagnostic>> {
    let applied = plan.apply_under(held().as_ref(), &Disk)?;
    applied.recovered.iter().for_each(say);
    Ok(applied)
}

fn say(recovered: &Recovered) {
    note!("{}", message(recovered));
}

/// Describes the fate of a run and the steps that it leaves to a person.
fn message(recovered: &Recovered) -> String {
    match recovered {
        Recovered::Undone { what: None } => {
            "an interrupted run was undone; it had not started to write".to_owned()
        }
        Recovered::Undone { what: Some(what) } => {
            format!("an interrupted run was undone: nothing of {what} had been written")
        }
        Recovered::Completed { purpose, lost } if lost.is_empty() => {
            let Purpose { what, left } = purpose;
            let left = left.as_ref().map_or(String::new(), |left| format!("\n{left}"));
            format!("an interrupted run was completed: {what}{left}")
        }
        Recovered::Completed { purpose, lost } => {
            format!(
                "an interrupted run was completed: {}, except for {}, which had been changed since",
                purpose.what,
                list_names(lost, MOST_NAMED)
            )
        }
        Recovered::GivenUp { what } => {
            format!("an interrupted run was abandoned: the files that it had written of {what} are missing")
        }
        Recovered::Unreadable => {
            "an interrupted run left a journal that cannot be read; it was removed, and its files may be old or new"
                .to_owned()
        }
        Recovered::Waiting { why } => {
            format!("an interrupted run changed no file, but its temporary files remain: {why}")
        }
    }
}
