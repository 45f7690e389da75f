//! Requests that need conversion, one after the other, while something else happens.

use super::super::conversion::Written;
use crd_channels_envtest::Failure;
use serde_json::json;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// What became of the requests.
#[derive(Debug, Default)]
pub struct Traffic {
    /// How many were answered.
    pub answered: usize,
    /// The messages of those that failed.
    pub failed: Vec<String>,
}

/// The number of clients.
pub const CLIENTS: usize = 4;

/// Reads and changes objects in every version until something else is done.
pub fn during<T>(
    written: &[Written<'_>],
    other: impl FnOnce() -> Result<T, Failure>,
) -> Result<(T, Traffic), Failure> {
    let is_done = &AtomicBool::new(false);
    thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS)
            .map(|client| {
                scope.spawn(move || {
                    let mut traffic = Traffic::default();
                    for (round, object) in written
                        .iter()
                        .cycle()
                        .skip(client)
                        .step_by(CLIENTS + 1)
                        .enumerate()
                    {
                        if is_done.load(Ordering::Relaxed) {
                            break;
                        }
                        traffic.visit(object, round)?;
                    }
                    Ok::<_, Failure>(traffic)
                })
            })
            .collect();
        let other = other();
        is_done.store(true, Ordering::Relaxed);
        let mut all = Traffic::default();
        for client in clients {
            let traffic = client
                .join()
                .map_err(|_| Failure::new("the traffic panicked"))??;
            all.answered += traffic.answered;
            all.failed.extend(traffic.failed);
        }
        Ok((other?, all))
    })
}

impl Traffic {
    fn visit(&mut self, object: &Written<'_>, round: usize) -> Result<(), Failure> {
        let label = json!({ "metadata": { "labels": { "visited": round.to_string() } } });
        for version in object.versions() {
            let place = format!("{}/{}", version.path(), object.name);
            let api = version.api;
            for answer in [api.get(&place)?, api.patch(&place, &label)?] {
                match answer.status {
                    200 => self.answered += 1,
                    _ => self.failed.push(answer.json()["message"].to_string()),
                }
            }
        }
        Ok(())
    }
}
