//! `pin --list` and `pin --outdated`: the bundles that can be chosen, and the newer ones of those that are pinned.

use super::choice::{choose, from};
use super::update::PinUpdate;
use super::{Names, Overview, Request, access, locked, no_lock};
use crate::commands::format::Format;
use crate::commands::{Outcome, say};
use crate::consumer::access::Access;
use crate::consumer::lock::Lock;
use crate::consumer::one;
use crate::consumer::origin::{Origin, Place};
use crate::consumer::pinned::Pinned;
use crate::consumer::source::{OfferedBundle, Source};
use crd_channels_diagnostics::{Diagnostic, Sources, report};
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_released::manifest::Manifest;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;

/// The version of the JSON formats, raised when a key is removed or changes its meaning.
const FORMAT: u64 = 1;

/// What was looked for, or why it cannot be said.
type Found<T> = Result<T, Vec<Diagnostic>>;

/// The bundles of a source.
struct Listed {
    origin: Origin,
    bundles: Vec<OfferedBundle>,
    /// The entries of the lock that come from there.
    pinned: Vec<Pinned>,
}

/// What can be said about newer bundles of a pinned one.
struct Newer {
    pinned: Pinned,
    /// The newest bundle that the requirement of the lock admits, if it is newer.
    admitted: Option<BundleVersion>,
    /// The newest bundle, if it is newer, and what an update to it would ask for.
    newest: Option<(BundleVersion, Vec<Diagnostic>)>,
}

/// Lists the bundles of the requested source, or of all sources in the lock.
fn listed(request: &Request, here: &Path, sources: &Sources) -> Found<Vec<Found<Listed>>> {
    let access = access(here, request.offline);
    let lock = locked(here, sources)?;
    let origins = match from(request).map_err(one)? {
        Some(origin) => vec![origin],
        None => places(lock.as_ref().ok_or_else(no_lock)?),
    };
    let pinned = lock.unwrap_or_default().bundles;
    let listed = origins.into_iter().map(|origin| {
        let source = Source::open(origin.clone(), &access).map_err(one)?;
        let own = pinned.iter().filter(|it| it.source.is_same_place(&origin));
        Ok(Listed {
            bundles: source.offered_bundles().map_err(one)?,
            pinned: own.cloned().collect(),
            origin,
        })
    });
    Ok(listed.collect())
}

/// The sources of a lock, each once.
fn places(lock: &Lock) -> Vec<Origin> {
    let mut all: Vec<Origin> = Vec::new();
    for pinned in &lock.bundles {
        if !all.iter().any(|known| known.is_same_place(&pinned.source)) {
            all.push(pinned.source.clone().followed());
        }
    }
    all
}

impl Listed {
    fn text(&self) -> String {
        let mut text = format!("{}\n", self.origin.display_name());
        if self.bundles.is_empty() {
            text.push_str("  no bundles\n");
        }
        for bundle in &self.bundles {
            let _ = write!(text, "  {}", bundle.version);
            match &bundle.manifest {
                Ok(manifest) => {
                    let _ = write!(
                        text,
                        "  {}  Kubernetes {} and newer",
                        channels(manifest).join(", "),
                        manifest.kubernetes
                    );
                }
                Err(findings) => {
                    let why = findings.first().map_or("", |it| &it.message);
                    let _ = write!(text, "  cannot be pinned: {why}");
                }
            }
            if bundle.is_signed {
                text.push_str("  signed");
            }
            for pinned in self.pinned_as(bundle) {
                let _ = write!(text, "  pinned as `{}`", pinned.name);
            }
            text.push('\n');
            for deprecated in bundle.manifest.iter().flat_map(|it| &it.deprecated) {
                let _ = write!(
                    text,
                    "    deprecated: `{}` of `{}`",
                    deprecated.version, deprecated.kind
                );
                if let Some(bundle) = &deprecated.removed_in {
                    let _ = write!(text, ", which {bundle} may remove");
                }
                text.push('\n');
            }
        }
        text
    }

    fn pinned_as(&self, bundle: &OfferedBundle) -> impl Iterator<Item = &Pinned> {
        let all = self.pinned.iter();
        all.filter(|pinned| pinned.version == bundle.version)
    }

    fn json(&self) -> Value {
        let bundles = self.bundles.iter().map(|bundle| {
            let manifest = bundle.manifest.as_ref().ok();
            let names: Vec<&str> = self.pinned_as(bundle).map(|it| &*it.name).collect();
            let deprecated = manifest.into_iter().flat_map(|it| &it.deprecated);
            let deprecated = deprecated.map(|it| {
                json!({
                    "group": it.group,
                    "kind": it.kind,
                    "version": it.version,
                    "removedIn": it.removed_in,
                    "replacedBy": it.replaced_by,
                })
            });
            json!({
                "version": bundle.version.to_string(),
                "tag": bundle.tag,
                "channels": manifest.map(channels).unwrap_or_default(),
                "kubernetes": manifest.map(|it| &it.kubernetes),
                "deprecated": deprecated.collect::<Vec<_>>(),
                "signed": bundle.is_signed,
                "pinnedAs": names,
            })
        });
        json!({
            "source": self.origin.argument(),
            "path": self.origin.path,
            "bundles": bundles.collect::<Vec<_>>(),
        })
    }
}

fn channels(manifest: &Manifest) -> Vec<&str> {
    let channels = manifest.channels.iter();
    channels.map(|channel| &*channel.name).collect()
}

/// Looks for newer bundles of each pinned one.
fn outdated(request: &Request, here: &Path, sources: &Sources) -> Found<Vec<Found<Newer>>> {
    let access = access(here, request.offline);
    let lock = locked(here, sources)?.ok_or_else(no_lock)?;
    let newer = lock.bundles.iter();
    let newer = newer.map(|pinned| newer_than(pinned, request, &lock, &access));
    Ok(newer.collect())
}

fn newer_than(
    pinned: &Pinned,
    request: &Request,
    lock: &Lock,
    access: &Access,
) -> Result<Newer, Vec<Diagnostic>> {
    let mut newer = Newer {
        pinned: pinned.clone(),
        admitted: None,
        newest: None,
    };
    // An archive has only one bundle.
    if matches!(pinned.source.place, Place::Archive(_)) {
        return Ok(newer);
    }
    let update = |version: Option<&str>| {
        let request = Request {
            version: version.map(str::to_owned),
            update: Some(Names::One(pinned.name.clone())),
            ..request.clone()
        };
        let origin = pinned.source.clone().followed();
        let chosen = choose(&request, origin, Some(pinned), lock, access)?;
        Ok((PinUpdate::to(&chosen, access)?, request))
    };
    let admitted: Result<_, Vec<Diagnostic>> = update(None);
    let (admitted, _) = admitted?;
    let is_newer = |it: &PinUpdate| it.after.version > pinned.version;
    newer.admitted = Some(&admitted)
        .filter(|it| is_newer(it))
        .map(|it| it.after.version.clone());
    let newest: Result<_, Vec<Diagnostic>> = update(Some("*"));
    let (newest, request) = newest?;
    if is_newer(&newest) {
        newer.newest = Some((newest.after.version.clone(), newest.rejections(&request)));
    }
    Ok(newer)
}

impl Newer {
    fn text(&self) -> String {
        let Self {
            pinned,
            admitted,
            newest,
        } = self;
        let mut text = format!("{}: {} {}", pinned.name, pinned.version, pinned.channel);
        match (admitted, newest) {
            (None, None) if matches!(pinned.source.place, Place::Archive(_)) => {
                text.push_str(" of an archive, which has no other bundle")
            }
            (None, None) => text.push_str(" is the newest"),
            _ => {}
        }
        if let Some(admitted) = admitted {
            let _ = write!(text, ", newest for `{}`: {admitted}", pinned.requirement);
        }
        if let Some((newest, rejections)) = newest {
            let _ = write!(text, ", newest: {newest}");
            for rejection in rejections {
                let _ = write!(
                    text,
                    "\n  an update to {newest} is refused: {}",
                    rejection.message
                );
            }
        }
        text.push('\n');
        text
    }

    fn json(&self) -> Value {
        let newest = self.newest.as_ref();
        let refused = newest.into_iter().flat_map(|(_, rejections)| rejections);
        json!({
            "name": self.pinned.name,
            "version": self.pinned.version.to_string(),
            "channel": self.pinned.channel,
            "admitted": self.admitted.as_ref().map(ToString::to_string),
            "newest": newest.map(|(version, _)| version.to_string()),
            "refused": refused.map(|it| &it.message).collect::<Vec<_>>(),
        })
    }
}

/// Runs `pin --list` or `pin --outdated`. What is wrong with one source hides no other.
pub(super) fn run(overview: Overview, request: &Request, here: &Path) -> Outcome {
    let sources = Sources::default();
    let (key, found) = match overview {
        Overview::List => {
            let found = listed(request, here, &sources);
            let shown = |one: Listed| (one.text(), one.json());
            (
                "sources",
                found.map(|all| all.into_iter().map(|one| one.map(shown)).collect()),
            )
        }
        Overview::Outdated => {
            let found = outdated(request, here, &sources);
            let shown = |one: Newer| (one.text(), one.json());
            (
                "bundles",
                found.map(|all| all.into_iter().map(|one| one.map(shown)).collect()),
            )
        }
    };
    let (mut texts, mut documents, mut findings) = (String::new(), Vec::new(), Vec::new());
    let found: Vec<Found<(String, Value)>> = found.unwrap_or_else(|why| vec![Err(why)]);
    for one in found {
        match one {
            Ok((text, document)) => {
                texts.push_str(&text);
                documents.push(document);
            }
            Err(why) => findings.extend(why),
        }
    }
    match request.format {
        Format::Human => {
            print!("{texts}");
            say(&findings, &sources);
        }
        Format::Json => {
            let findings = report::json(&findings, &sources);
            println!(
                "{}",
                json!({"format": FORMAT, key: documents, "findings": findings})
            );
        }
    }
    Outcome::of(&findings)
}
