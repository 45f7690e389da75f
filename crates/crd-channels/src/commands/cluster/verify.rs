//! `cluster-verify`: whether a cluster has exactly what is pinned.

use super::kubectl::Kubectl;
use super::wanted::{self, Observed};
use crate::commands::{Outcome, here, list_names, say_as};
use crd_channels_diagnostics::report::Format;
use crd_channels_diagnostics::{Code, Diagnostic, Sources};

/// The most fields of an object that a message names.
const MOST_FIELDS: usize = 3;

/// The arguments of `cluster-verify`.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The cluster.
    pub kubectl: Kubectl,
    /// The format of the findings.
    pub format: Format,
}

/// Compares the cluster with the lock, and reports each object that differs.
#[must_use]
pub fn run(request: &Request) -> Outcome {
    let Some(here) = here() else {
        return Outcome::CouldNotRun;
    };
    let sources = Sources::default();
    let verified = wanted::pinned(&here, &sources).and_then(|all| {
        let mut findings = Vec::new();
        let mut count = 0;
        for wanted in &all {
            let observed = wanted.observed(&request.kubectl)?;
            count += observed.len();
            findings.extend(observed.iter().filter_map(difference));
            findings.extend(wanted.left_over(&request.kubectl)?);
        }
        Ok((findings, count))
    });
    let (findings, outcome) = match verified {
        Ok((findings, count)) => {
            if findings.is_empty() && request.format == Format::Human {
                status!("{count} objects are as they are pinned");
            }
            let outcome = Outcome::of(&findings);
            (findings, outcome)
        }
        Err(findings) => {
            let outcome = Outcome::of_failed(&findings);
            (findings, outcome)
        }
    };
    say_as(&findings, &sources, request.format);
    outcome
}

/// The finding for an object that is not as it is pinned.
fn difference(observed: &Observed<'_>) -> Option<Diagnostic> {
    let title = observed.object.title();
    let message = match &observed.live {
        None => format!("`{title}` is not installed"),
        Some(_) if observed.drift.is_empty() => return None,
        Some(_) => format!(
            "`{title}` differs from what is pinned: {}",
            list_names(&observed.drift, MOST_FIELDS)
        ),
    };
    let help = "`crd-channels cluster-install` installs what is pinned; `crd-channels cluster-status` shows all differences";
    Some(Diagnostic::new(Code::ClusterDiffers, None, message).with_help(help))
}
