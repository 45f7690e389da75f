//! What people do before an update to a bundle that lacks a version in which objects may be stored, as commands.

use super::way::{self, Kinds, Lost, Stop};
use super::{Names, Request};
use crate::consumer::pinned::{Part, Pinned};
use crd_channels_diagnostics::program;
use crd_channels_diagnostics::shell;
use crd_channels_projection::bundle::version::BundleVersion;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The bundles from the pinned one to the new one, with their kinds.
pub(super) type Chain = Vec<(BundleVersion, Kinds)>;

/// What is stored and will be gone, and the way there.
pub(super) struct Migration {
    chain: Chain,
    lost: Vec<Lost>,
    /// `None` if the bundles between have no way.
    stops: Option<Vec<Stop>>,
    /// The bundles of the chain whose installation on the way harms stored objects.
    harmful: BTreeSet<usize>,
}

impl Migration {
    /// Returns what the last bundle of a chain requires; `None` if it has all versions that objects may be stored in. `before`
    /// are bundles that may have been installed before the first one.
    pub(super) fn of(chain: Chain, before: &[Kinds]) -> Option<Self> {
        let (_, first) = chain.first()?;
        let (_, last) = chain.last()?;
        let stored = way::stored(first, before);
        let lost = way::lost(&stored, last);
        if lost.is_empty() {
            return None;
        }
        let kinds: Vec<Kinds> = chain.iter().map(|(_, kinds)| kinds.clone()).collect();
        let stops = way::way(&kinds, stored);
        Some(Self {
            chain,
            lost,
            stops,
            harmful: BTreeSet::new(),
        })
    }

    /// The bundles that are installed on the way, each by its place in the chain; the last one is the new bundle.
    pub(super) fn installed(&self) -> Vec<(usize, BundleVersion)> {
        let stops = self.stops.iter().flatten().map(|stop| stop.at);
        let places = stops.filter(|at| *at > 0).chain([self.chain.len() - 1]);
        let installed = places.filter_map(|at| Some((at, self.chain.get(at)?.0.clone())));
        installed.collect()
    }

    /// Records that the installation of a bundle on the way harms stored objects.
    pub(super) fn note_harm(&mut self, at: usize) {
        self.harmful.insert(at);
    }

    /// Whether a lost version is the one in which the pinned bundle stores objects, so that they cannot be rewritten while it is
    /// installed.
    pub(super) fn blocks(&self) -> bool {
        let first = self.chain.first().map(|(_, kinds)| kinds);
        self.lost.iter().any(|(crd, version)| {
            first
                .and_then(|kinds| kinds.get(crd))
                .is_some_and(|kind| kind.storage == *version)
        })
    }

    /// Whether a version of a kind is one of those that are lost.
    pub(super) fn concerns(&self, kind: &str, version: &str) -> bool {
        let first = self.chain.first().map(|(_, kinds)| kinds);
        self.lost.iter().any(|(crd, lost)| {
            let known = first.and_then(|kinds| kinds.get(crd));
            lost == version && known.is_some_and(|known| known.kind == kind)
        })
    }

    /// Describes what is lost, in one line.
    pub(super) fn reason(&self) -> String {
        let first = self.chain.first().map(|(_, kinds)| kinds);
        let places = self.lost.iter().map(|(crd, version)| {
            let kind = first.and_then(|kinds| kinds.get(crd));
            let kind = kind.map_or(crd.as_str(), |kind| kind.kind.as_str());
            format!("`{version}` of `{kind}`")
        });
        let places: BTreeSet<String> = places.collect();
        let places: Vec<String> = places.into_iter().collect();
        let last = self.chain.last().map(|(version, _)| version.to_string());
        format!(
            "API servers refuse {} while objects are stored in {}, which it lacks",
            last.unwrap_or_default(),
            places.join(", ")
        )
    }

    /// Describes the way, with its commands, each on its line.
    pub(super) fn steps(&self, request: &Request, after: &Pinned) -> String {
        let Some(commands) = self.commands(request, after) else {
            let (first, last) = (self.chain.first(), self.chain.last());
            let ends = first.zip(last);
            let ends = ends.map(|((first, _), (last, _))| format!(" between {first} and {last}"));
            return format!(
                "no bundle{} has both the old and the new storage version: ask its publisher for one that has",
                ends.unwrap_or_default()
            );
        };
        let mut stops = self.stops.iter().flatten();
        let mut steps = match stops.find(|stop| stop.at > 0) {
            Some(_) => "go step by step, and rewrite the stored objects on the way:".to_owned(),
            None => "rewrite the stored objects first:".to_owned(),
        };
        for command in commands {
            let _ = write!(steps, "\n  {command}");
        }
        steps
    }

    /// Returns the commands that lead to the new bundle, in order; the last one pins it. `None` if no bundles lead there.
    pub(super) fn commands(&self, request: &Request, after: &Pinned) -> Option<Vec<String>> {
        let stops = self.stops.as_ref()?;
        let mut commands = Vec::new();
        let program = program::current();
        let pin = |at: usize, version: &str| {
            let request = Request {
                allow_data_loss: request.allow_data_loss && self.harmful.contains(&at),
                update: request
                    .update
                    .as_ref()
                    .map(|_| Names::One(after.name.clone())),
                version: Some(version.to_owned()),
                dry_run: false,
                against: None,
                format: super::Format::Human,
                ..request.clone()
            };
            request.typed()
        };
        for Stop { at, rewritten } in stops {
            let Some((version, kinds)) = self.chain.get(*at) else {
                continue;
            };
            if *at > 0 {
                commands.push(pin(*at, &version.to_string()));
                commands.push(format!("{program} vendor"));
                commands.push(applying(after));
            }
            let written = rewritten
                .iter()
                .filter_map(|(crd, storage)| Some((&kinds.get(crd)?.kind, storage)));
            for (kind, storage) in written {
                commands.push(format!(
                    "# apply manifests of {kind} in {storage} before the next step: servers cannot convert fields that server-side apply recorded in a removed version"
                ));
            }
            if !rewritten.is_empty() {
                let crds: Vec<&str> = rewritten.keys().map(String::as_str).collect();
                commands.push(format!("{program} cluster-migrate {}", crds.join(" ")));
            }
        }
        commands.push(pin(self.chain.len() - 1, &after.requirement));
        Some(commands)
    }
}

/// The command that applies the folder of a bundle.
pub(super) fn applying(pinned: &Pinned) -> String {
    let how = match pinned.with.contains(&Part::Kustomization) {
        true => "-k",
        false => "--recursive -f",
    };
    format!(
        "kubectl apply --server-side {how} {}",
        shell::word(&pinned.folder)
    )
}
