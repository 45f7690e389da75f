//! The update from a pinned bundle to a chosen one: its changes, and the changes that need a flag.

use super::super::pin_changes::Changes;
use super::choice::Chosen;
use super::migration::{Migration, applying};
use super::way::{Kinds, kinds};
use super::{Bound, Names, Request};
use crate::consumer::access::Access;
use crate::consumer::one;
use crate::consumer::pinned::{COMPONENTS, Part, Pinned};
use crate::release::history::{History, Sets};
use crate::release::lifecycle::Ancestry;
use crd_channels_compat::{Components, Lineage, Set, add_component, compare_along, read};
use crd_channels_diagnostics::{Code, Diagnostic, program};
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_released::documents;
use crd_channels_released::folder::Verified;

/// An update of one pinned bundle.
pub(crate) struct PinUpdate {
    /// The currently pinned bundle.
    pub(crate) before: Option<Pinned>,
    /// The new entry.
    pub(crate) after: Pinned,
    /// The bundles between the two.
    pub(crate) over: Vec<BundleVersion>,
    /// The changes for users of the channel; `None` if nothing was pinned, or if the pinned bundle is gone.
    pub(crate) changes: Option<Changes>,
    /// What has to be migrated before, if anything.
    migration: Option<Migration>,
    /// Why the changes are unknown, if the pinned bundle cannot be read.
    unread: Option<String>,
    /// The errors in the bundles that the new one follows.
    faults: Vec<Diagnostic>,
    /// What the user should know about the repair of the entry, if it is one.
    pub(super) repair: Option<Vec<String>>,
}

impl PinUpdate {
    /// Returns the update to a chosen bundle.
    ///
    /// # Errors
    /// `bundle-tampered` if the bundle differs from the pinned one of the same version.
    pub(super) fn to(chosen: &Chosen, access: &Access) -> Result<Self, Vec<Diagnostic>> {
        let Chosen {
            before,
            after,
            bundle,
            chain,
        } = chosen;
        if let Some(before) = before
            && before.version == after.version
            && before.source.is_same_place(&after.source)
        {
            let held = Pinned {
                channel: after.channel.clone(),
                files: after.files.clone(),
                ..before.clone()
            };
            held.check(bundle, &after.source).map_err(one)?;
        }
        let changes = before.as_ref();
        let history = chain.as_ref().ok();
        let between = |version: &&BundleVersion| {
            let from = before.as_ref().map(|before| &before.version);
            from.is_some_and(|from| from < *version) && **version < after.version
        };
        let over = history.into_iter().flat_map(|it| it.bundles.keys());
        let over = over.filter(between).cloned().collect();
        let new = New {
            after,
            bundle,
            history,
        };
        let changes = changes.map(|before| changes_from(before, new, access));
        let (changes, migration, unread) = match changes {
            Some(Ok((changes, migration))) => (Some(changes), migration, None),
            Some(Err(why)) => (None, None, Some(why)),
            None => (None, None, None),
        };
        Ok(Self {
            before: before.clone(),
            after: after.clone(),
            over,
            changes,
            migration,
            unread,
            faults: chain.as_ref().err().cloned().unwrap_or_default(),
            repair: None,
        })
    }

    /// Returns what users should know besides the changes.
    pub(super) fn notes(&self, request: &Request) -> Vec<String> {
        let mut notes = self.repair.clone().unwrap_or_default();
        let Some(before) = &self.before else {
            return notes;
        };
        if before.channel != self.after.channel {
            notes.push(format!(
                "the channel changes from `{}` to `{}`",
                before.channel, self.after.channel
            ));
        }
        if before.folder != self.after.folder {
            notes.push(format!(
                "the folder changes from `{}` to `{}`; remove the files in the old one",
                before.folder, self.after.folder
            ));
        }
        // Otherwise it is refused.
        if let Some(migration) = self
            .migration
            .as_ref()
            .filter(|migration| !migration.blocks())
        {
            let steps = migration.steps(request, &self.after);
            notes.push(format!("{}; {steps}", migration.reason()));
        }
        notes
    }

    /// Whether the lock does not change.
    pub(crate) fn is_none(&self) -> bool {
        self.before.as_ref() == Some(&self.after)
    }

    /// Returns a diagnostic for each change that needs a flag that is not set.
    pub(super) fn rejections(&self, request: &Request) -> Vec<Diagnostic> {
        let mut rejections = self.obstacles(request);
        rejections.extend(self.migration(request));
        rejections.extend(self.losses(request));
        rejections
    }

    /// The bundles that are installed on the way to the new one.
    pub(crate) fn hops(&self) -> Vec<BundleVersion> {
        let mut installed = self
            .migration
            .as_ref()
            .map_or_else(Vec::new, Migration::installed);
        installed.pop();
        installed.into_iter().map(|(_, version)| version).collect()
    }

    /// The commands that carry the update out, in order, with the flags that it needs.
    pub(crate) fn steps(&self, request: &Request) -> Vec<String> {
        let before = self.before.as_ref();
        let is_way = self.migration.is_some();
        let request = Request {
            update: Some(Names::One(self.after.name.clone())),
            dry_run: false,
            // On a way each step has the flag only if it harms objects.
            allow_data_loss: is_way || self.changes.is_none() || !self.lost().is_empty(),
            allow_downgrade: before.is_some_and(|before| self.after.version < before.version),
            allow_broken_chain: !self.faults.is_empty(),
            ..request.clone()
        };
        let mut steps = match &self.migration {
            None => vec![request.typed()],
            Some(migration) => match migration.commands(&request, &self.after) {
                Some(commands) => commands,
                None => return Vec::new(),
            },
        };
        steps.push(format!("{} vendor", program::current()));
        steps.push(applying(&self.after));
        steps
    }

    /// Returns a diagnostic for each change that needs a flag that is not set, whatever objects there are.
    pub(crate) fn obstacles(&self, request: &Request) -> Vec<Diagnostic> {
        let after = &self.after;
        let mut rejections = Vec::new();
        let mut reject = |message: String, help: String| {
            let finding = Diagnostic::new(Code::PinRefused, None, message);
            rejections.push(finding.with_help(help));
        };
        if !request.allow_broken_chain {
            for fault in &self.faults {
                let message = format!(
                    "{} follows bundles that were changed after their release: {}",
                    after.version, fault.message
                );
                let help = "ask its publisher, or add `--allow-broken-chain` to pin it anyway";
                reject(message, help.to_owned());
            }
        }
        let Some(before) = &self.before else {
            if self.repair.is_some() && request.against.is_some() {
                let message = format!(
                    "what was pinned before {} cannot be determined from the lock, so the changes are unknown",
                    after.version
                );
                let help = "take the lock from version control: `git checkout HEAD -- bundle.lock`, then update it: `crd-channels pin --update`";
                reject(message, help.to_owned());
            }
            return rejections;
        };
        if !request.allow_downgrade && after.version < before.version {
            let message = format!(
                "{} is older than {}, which is pinned",
                after.version, before.version
            );
            reject(
                message,
                "add `--allow-downgrade` to pin it anyway".to_owned(),
            );
        }
        if let Some((against, why)) = request.against.and_then(|bound| self.beyond(before, bound)) {
            let message = format!("{} is more than a {against}: {why}", after.version);
            let help = format!("resolve this first, then remove `--against {against}`");
            reject(message, help);
        } else if request.against.is_some() && !request.allow_manual_steps {
            let written = after.with.contains(&Part::Components);
            let steps = self
                .changes
                .as_ref()
                .map(|changes| changes.manual_steps(written));
            let steps = steps.unwrap_or_default();
            if !steps.is_empty() {
                reject(
                    format!(
                        "{} needs more than the vendored files: {}",
                        after.version,
                        steps.join(", ")
                    ),
                    "install and start what it needs first, then add `--allow-manual-steps`"
                        .to_owned(),
                );
            }
        }
        if self.changes.is_none() && !request.allow_data_loss {
            reject(
                format!(
                    "the pinned {} can no longer be read from its source, so the changes are unknown: {}",
                    before.version,
                    self.unread.as_deref().unwrap_or_default()
                ),
                "add `--allow-data-loss` to pin without knowing the changes".to_owned(),
            );
        }
        rejections
    }

    /// Says that a version goes in which objects are stored, and what has to be done before.
    pub(crate) fn migration(&self, request: &Request) -> Option<Diagnostic> {
        let migration = self.migration.as_ref();
        let migration = migration.filter(|it| it.blocks() && !request.allow_data_loss)?;
        let finding = Diagnostic::new(Code::PinRefused, None, migration.reason());
        Some(finding.with_help(migration.steps(request, &self.after)))
    }

    /// The places where stored objects lose data or fail validation.
    pub(crate) fn lost(&self) -> Vec<String> {
        let migration = self.migration.as_ref();
        let migration = migration.filter(|migration| migration.blocks());
        let migrated = |kind: &str, version: &str| {
            migration.is_some_and(|migration| migration.concerns(kind, version))
        };
        let changes = self.changes.as_ref();
        changes.map_or_else(Vec::new, |changes| changes.data_losses(migrated))
    }

    /// Refuses an update that harms stored objects.
    fn losses(&self, request: &Request) -> Option<Diagnostic> {
        let lost = self.lost();
        if request.allow_data_loss || self.before.is_none() || lost.is_empty() {
            return None;
        }
        let message = format!(
            "stored objects would lose data or fail validation: {}",
            lost.join(", ")
        );
        let help = format!(
            "see which of your objects are concerned: `{} plan DIR`; migrate these first, then add `--allow-data-loss`",
            program::current()
        );
        Some(Diagnostic::new(Code::PinRefused, None, message).with_help(help))
    }

    /// Returns why the update exceeds a bound, and the bound's name: because of its version, or of its effect on stored objects
    /// and manifests.
    fn beyond(&self, before: &Pinned, bound: Bound) -> Option<(&'static str, String)> {
        let (old, new) = (before.version.semantic(), self.after.version.semantic());
        let within = match bound {
            Bound::Patch => (old.major, old.minor) == (new.major, new.minor),
            Bound::Minor => old.major == new.major,
        };
        let why = match &self.changes {
            _ if !within && new < old => format!("it is older than {}", before.version),
            _ if !within => format!("it follows {}", before.version),
            None => "its changes are not known".to_owned(),
            Some(changes) => match changes.harm().as_slice() {
                [] => return None,
                places => format!("objects or manifests break at {}", places.join(", ")),
            },
        };
        let (name, _) = Bound::NAMES
            .into_iter()
            .find(|(_, known)| *known == bound)?;
        Some((name, why))
    }
}

/// The bundle to pin.
#[derive(Clone, Copy)]
struct New<'a> {
    after: &'a Pinned,
    bundle: &'a Verified,
    /// The bundles that it follows, if they are known.
    history: Option<&'a History>,
}

/// Compares the pinned channel with the new one. Deprecations that the bundles in between announced count.
///
/// # Errors
/// Returns why the pinned bundle cannot be compared, in one line.
fn changes_from(
    before: &Pinned,
    new: New<'_>,
    access: &Access,
) -> Result<(Changes, Option<Migration>), String> {
    let New {
        after,
        bundle,
        history,
    } = new;
    let first = |findings: Vec<Diagnostic>| findings.into_iter().next();
    let why = |findings| first(findings).map_or_else(String::new, |finding| finding.message);
    let old = access.open_pinned(before).map_err(why)?;
    let old = channel(&old, &before.channel)?;
    let now = channel(bundle, &after.channel)?;
    let none = History::default();
    let history = history.unwrap_or(&none);
    let sets: Sets = history
        .bundles
        .iter()
        .filter_map(|(version, bundle)| {
            let set = read::channel(bundle, &after.channel).ok()?;
            Some((version.clone(), set))
        })
        .collect();
    let followed = bundle.manifest.baseline.as_ref();
    let past = Ancestry::of(history, &sets, followed.map(|followed| &followed.version));
    let lineage = match past.bundles.is_empty() {
        true => Lineage::default(),
        false => Lineage::from_chain(&past.bundles, &before.version),
    };
    let changes = Changes::of(compare_along(lineage, &old, &now));
    let (from, to) = (&before.version, &after.version);
    let earlier = sets.range(..from).map(|(_, set)| kinds(set));
    let earlier: Vec<Kinds> = earlier.collect();
    // A bundle without the channel is none to install.
    let between = sets
        .range(from..)
        .map(|(version, set)| (version, kinds(set)));
    let between =
        between.filter(|(version, kinds)| *version > from && *version < to && !kinds.is_empty());
    let between = between.map(|(version, kinds)| (version.clone(), kinds));
    let mut chain = vec![(from.clone(), kinds(&old))];
    chain.extend(between);
    chain.push((to.clone(), kinds(&now)));
    let mut migration = Migration::of(chain, &earlier);
    let mut installed = &old;
    for (at, version) in migration
        .as_ref()
        .map_or_else(Vec::new, Migration::installed)
    {
        let Some(next) = Some(&now).filter(|_| version == *to).or(sets.get(&version)) else {
            continue;
        };
        let report = compare_along(Lineage::default(), installed, next);
        let is_harmful = !Changes::of(report).data_losses(|_, _| true).is_empty();
        if let Some(migration) = migration.as_mut().filter(|_| is_harmful) {
            migration.note_harm(at);
        }
        installed = next;
    }
    Ok((changes, migration))
}

/// Returns a channel of a bundle with its components.
fn channel(bundle: &Verified, name: &str) -> Result<Set, String> {
    let mut components = Components::new();
    let folder = format!("{name}/{COMPONENTS}/");
    for (path, bytes) in bundle
        .files
        .iter()
        .filter(|(path, _)| path.starts_with(&folder))
    {
        let text = String::from_utf8_lossy(bytes);
        for object in documents::parse(&text).map_err(|error| format!("`{path}`: {error}"))? {
            // Under one name, since the pinned channel may be another one.
            add_component(
                &mut components,
                "",
                object,
                &bundle.manifest.annotation_prefix,
            );
        }
    }
    Ok(Set {
        components: Some(components),
        ..read::channel(bundle, name)?
    })
}
