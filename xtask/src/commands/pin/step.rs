//! A bundle in the place of the one that is pinned: what changes, and what must not happen unasked.

use super::super::pin_changes::Changes;
use super::Request;
use super::choice::Chosen;
use crate::compat::{compare, read};
use crate::consumer::access::Access;
use crate::consumer::one;
use crate::consumer::origin::Origin;
use crate::consumer::pinned::Pinned;
use crate::diag::{Code, Diagnostic};
use crate::released::folder::Verified;

/// One step.
pub(super) struct Step {
    before: Option<Pinned>,
    pub(super) after: Pinned,
    /// What changes for those who use the channel; none where nothing was pinned, or where what was pinned is gone.
    changes: Option<Changes>,
}

impl Step {
    /// The step to a bundle.
    ///
    /// # Errors
    /// `bundle-tampered` where it is another one under the version that is pinned.
    pub(super) fn to(chosen: Chosen, access: &Access) -> Result<Self, Vec<Diagnostic>> {
        let Chosen {
            before,
            after,
            bundle,
        } = chosen;
        if let Some(before) = &before
            && before.version == after.version
            && before.source.is_same_place(&after.source)
        {
            let held = Pinned {
                channel: after.channel.clone(),
                files: after.files.clone(),
                ..before.clone()
            };
            held.check(&bundle).map_err(one)?;
        }
        let changes = before.as_ref();
        let changes = changes.and_then(|before| changes_from(before, &after, &bundle, access));
        Ok(Self {
            before,
            after,
            changes,
        })
    }

    /// Says what changes.
    pub(super) fn show(&self) {
        let Some(before) = &self.before else {
            return;
        };
        if before.channel != self.after.channel {
            eprintln!(
                "note: the channel changes from `{}` to `{}`",
                before.channel, self.after.channel
            );
        }
        if before.folder != self.after.folder {
            eprintln!(
                "note: the folder changes from `{}` to `{}`; remove the files in the old one",
                before.folder, self.after.folder
            );
        }
        if let Some(changes) = &self.changes {
            print!("{}", changes.text());
        }
    }

    /// What must not happen unless a flag names it.
    pub(super) fn refused(&self, request: &Request) -> Vec<Diagnostic> {
        let (Some(before), after) = (&self.before, &self.after) else {
            return Vec::new();
        };
        let mut refused = Vec::new();
        let mut refuse = |message: String, help: &str| {
            let finding = Diagnostic::new(Code::PinRefused, None, message);
            refused.push(finding.with_help(help));
        };
        if !request.allow_downgrade && after.version < before.version {
            let message = format!(
                "{} is older than {}, which is pinned",
                after.version, before.version
            );
            refuse(message, "add `--allow-downgrade` to pin it all the same");
        }
        if request.allow_data_loss {
            return refused;
        }
        let Some(changes) = &self.changes else {
            let message = format!(
                "{} is not where it was, so the changes are not known",
                before.version
            );
            refuse(
                message,
                "add `--allow-data-loss` to pin without knowing them",
            );
            return refused;
        };
        let lost = changes.lost();
        if !lost.is_empty() {
            refuse(
                format!("stored objects would lose or break: {}", lost.join(", ")),
                "see to these objects first, then add `--allow-data-loss`",
            );
        }
        refused
    }

    /// What is pinned now, in one line.
    pub(super) fn done(&self, dry_run: bool) -> String {
        let after = &self.after;
        let done = format!(
            "{} {} of {} for Kubernetes {} and newer: {} files",
            after.version,
            after.channel,
            place(&after.source),
            after.kubernetes,
            after.files.len()
        );
        if self.before.as_ref() == Some(after) {
            format!("{done}, as it was")
        } else if dry_run {
            format!("{done}, not written")
        } else {
            format!("pinned {done}")
        }
    }
}

/// The channel that was pinned beside the channel that will be.
fn changes_from(
    before: &Pinned,
    after: &Pinned,
    bundle: &Verified,
    access: &Access,
) -> Option<Changes> {
    let old = access.pinned(before).ok()?;
    let old = read::channel(&old, &before.channel).ok()?;
    let new = read::channel(bundle, &after.channel).ok()?;
    Some(Changes::of(compare(&old, &new)))
}

/// Where a bundle was found, for people.
fn place(source: &Origin) -> String {
    let at = source.tag.as_ref().map(|tag| format!(" at its tag {tag}"));
    format!("`{}`{}", source.shown(), at.unwrap_or_default())
}
