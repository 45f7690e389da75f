//! The remedies for refused changes, as text to paste: an attribute, a tombstone, a waiver.

use super::lifecycle::Ancestry;
use super::majors;
use super::places::Tree;
use crd_channels_compat::{Bump, Crds, Finding, Set, is_ga};
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_released::manifest::{ConditionList, Tombstones};
use crd_channels_schema::Version;
use crd_channels_schema::path::condition;
use serde_json::Value;

/// The context that remedies depend on.
#[derive(Clone, Copy)]
pub struct Remedies<'a> {
    /// The bundle to be released.
    pub bundle: &'a BundleVersion,
    /// The bundles before it.
    pub past: &'a Ancestry<'a>,
    /// Its CRDs.
    pub new: &'a Set,
    /// Its types.
    pub tree: Tree<'a>,
}

/// The values of a tombstone besides the name.
struct Words<'w> {
    removed: &'w str,
    reason: &'w str,
}

impl<'a> Remedies<'a> {
    /// Returns the remedy for a change. `lowest` is the lowest version that may carry it.
    #[must_use]
    pub fn remedy_for(self, finding: &Finding, lowest: Option<&BundleVersion>) -> String {
        let is_waivable = finding.counts_as() != Bump::Never || finding.record.waivable;
        let advice = match finding.record.id {
            "tombstone-missing" => {
                let removed = self.bundle.as_final().to_string();
                let words = Words {
                    removed: &removed,
                    reason: "",
                };
                match self.tombstone(finding, &words) {
                    Some(text) => return format!("give it a tombstone, with a reason; {text}"),
                    None if self.tree.is_of_crds() => {
                        "no version has the object that had the field: reserve the name of the object, too".to_owned()
                    }
                    None if is_of_kubernetes(finding) => format!(
                        "restore `{name} = \"..\"` in `#[kube(..)]` of `{}`: a field that Kubernetes itself names can only go with its API version",
                        finding.kind,
                        name = finding.change.member.as_deref().unwrap_or_default()
                    ),
                    None => match self.list_of(finding) {
                        Some(list) => format!(
                            "restore `#[crd(conditions = ..)]` on the field of `{list}`, whose enum is where the tombstone belongs"
                        ),
                        None => "the type that had it is not in this workspace".to_owned(),
                    },
                }
            }
            "tombstone-erased" => match self.erased(finding) {
                Some(text) => return format!("restore the tombstone; {text}"),
                None => "restore the tombstone as it was".to_owned(),
            },
            "tombstone-reused" => {
                "choose another name: stored objects may contain this one with its old meaning"
                    .to_owned()
            }
            "property-straight-to-stable"
            | "enum-value-straight-to-stable"
            | "scale-straight-to-stable"
            | "condition-type-straight-to-stable"
            | "condition-reason-straight-to-stable"
            | "kind-straight-to-stable"
                if self.tree.is_of_crds() =>
            {
                "release it only in the experimental channel first, and add it to the stable one in a later bundle"
                    .to_owned()
            }
            "property-straight-to-stable"
            | "enum-value-straight-to-stable"
            | "scale-straight-to-stable"
            | "condition-type-straight-to-stable"
            | "condition-reason-straight-to-stable"
            | "kind-straight-to-stable" => format!(
                "release it as `#[{}]` first, and graduate it in a later bundle",
                gate(finding)
            ),
            "property-graduated" if lowest.is_none() => {
                "give it the same validation that it had as experimental, or looser".to_owned()
            }
            "conversion-unproven" => {
                "run the test that proves the conversion, and commit the record".to_owned()
            }
            "version-added-as-storage" => {
                "write `storage = false`, and make it the storage version one bundle later"
                    .to_owned()
            }
            "property-in-one-version" | "versions-differ-in-properties" => {
                let (to, channels) = match self.tree.is_of_crds() {
                    true => ("", "in the same channels"),
                    false => ("the type of ", "under the same gate"),
                };
                format!(
                    "add the field to {to}`{}` as well, {channels}, or convert with a webhook",
                    finding.version
                )
            }
            "condition-end-changed" if finding.counts_as() > Bump::Minor => {
                let until = self.promised(finding).unwrap_or("v..");
                format!("write `until = \"{until}\"`, as before")
            }
            "condition-type-removed" | "condition-type-renamed"
                if finding.counts_as() > Bump::Minor =>
            {
                match self.promised(finding) {
                    Some(until) => format!("keep the variant until {until}"),
                    None => format!(
                        "keep the variant as deprecated: `replaced_by = \"..\", until = \"{}\"` in `#[condition(..)]`",
                        self.next_minor()
                    ),
                }
            }
            "condition-polarity-changed" => format!(
                "call the new condition something else, and keep this one as deprecated: `replaced_by = \"..\", until = \"{}\"`",
                self.next_minor()
            ),
            "condition-reason-status-changed" => {
                "call the new reason something else, and leave a tombstone of this one".to_owned()
            }
            "version-removed" | "version-unserved" | "version-demoted"
                if let Some(steps) = self.steps(finding) =>
            {
                match lowest {
                    // No version allows it, nor a waiver.
                    _ if self.is_stored(finding) => return steps,
                    Some(lowest) => format!("{steps}; {}", self.at_once(lowest)),
                    None => steps,
                }
            }
            id => match lowest {
                Some(lowest) => self.at_once(lowest),
                None => format!(
                    "undo the change; `crd-channels explain {id}` lists the reasons and alternatives"
                ),
            },
        };
        if !is_waivable {
            return advice;
        }
        format!(
            "{advice}; or add a waiver with a reason to `channels/waivers.toml`:\n\n{}",
            self.waiver(finding)
        )
    }

    /// Names the lowest version that allows a change, with what a major bundle requires besides.
    fn at_once(self, lowest: &BundleVersion) -> String {
        let is_major = lowest.semantic().minor == 0 && lowest.semantic().patch == 0;
        match is_major && !majors::is_finished(self.past.last(), self.new) {
            true => format!(
                "the lowest version that allows it is {lowest}, if it also brings a new GA version such as `v2` to the stable channel"
            ),
            false => format!("the lowest version that allows it is {lowest}"),
        }
    }

    /// Returns the version of a finding in the last bundle.
    fn last_version(self, finding: &Finding) -> Option<&'a Version> {
        let crds = self.past.last()?.channel(finding.channel)?;
        let mut crds = crds.values().map(|published| &published.crd);
        let crd = crds.find(|crd| finding.is_of(crd))?;
        crd.versions.iter().find(|it| it.name == finding.version)
    }

    /// Whether a version was removed in which the last bundle stores objects.
    fn is_stored(self, finding: &Finding) -> bool {
        let last = self.last_version(finding);
        finding.record.id == "version-removed" && last.is_some_and(|last| last.storage)
    }

    /// Returns the next step of a version that is to be removed, according to its state in the last bundle.
    fn steps(self, finding: &Finding) -> Option<String> {
        let version = self.last_version(finding)?;
        let (kind, name) = (&finding.kind, &finding.version);
        let stays = format!("keep `{name}` of `{kind}` in this bundle");
        Some(if version.storage {
            format!("{stays}, make another version the storage version, and remove it later")
        } else if version.served && is_ga(name) {
            // It is served until a major bundle.
            return None;
        } else if version.served && !version.deprecated {
            let deprecate = match self.tree.is_of_crds() {
                true => "write `deprecated: true` for it".to_owned(),
                false => format!("deprecate it with `crd-channels deprecate {kind} {name}`"),
            };
            format!(
                "{stays} and {deprecate}; a later bundle may stop serving it, and the one after that may remove it"
            )
        } else if version.served && finding.record.id != "version-unserved" {
            format!("{stays} with `served = false`, and remove it in the next one")
        } else {
            return None;
        })
    }

    fn waiver(self, finding: &Finding) -> String {
        let bundle = self.bundle.as_final().to_string();
        table(
            "waiver",
            &[
                ("kind", &finding.kind),
                ("path", &finding.path),
                ("code", finding.record.id),
                ("bundle", &bundle),
                ("reason", ""),
            ],
        )
    }

    /// Returns the bundle until which the last one promises a deprecated condition.
    fn promised(self, finding: &Finding) -> Option<&'a str> {
        let lists = self.lists(finding);
        let mut types = lists
            .filter(|list| *list.version == *finding.version)
            .flat_map(|list| list.types.iter().map(move |of| (list, of)));
        let found = types.find(|(list, of)| condition(&list.path, &of.name) == finding.path);
        found?.1.until.as_deref()
    }

    /// Returns the path of the list of conditions that a finding is about, as the last bundle declared it.
    fn list_of(self, finding: &Finding) -> Option<&'a str> {
        let is_at = |list: &&ConditionList| {
            let mut types = list.types.iter();
            finding.path == list.path
                || types.any(|of| condition(&list.path, &of.name) == finding.path)
        };
        self.lists(finding)
            .find(is_at)
            .map(|list| list.path.as_str())
    }

    /// The lists of conditions of a finding's kind, as the last bundle declared them.
    fn lists(self, finding: &Finding) -> impl Iterator<Item = &'a ConditionList> {
        let sets = self.past.last().into_iter();
        let crds = sets.flat_map(|set| set.channels.values().flat_map(Crds::values));
        let lists = crds.filter_map(|published| published.conditions.as_ref());
        lists
            .flatten()
            .filter(move |list| list.group == *finding.group && list.kind == *finding.kind)
    }

    /// Returns the first minor bundle after the one to be released.
    fn next_minor(self) -> BundleVersion {
        let now = self.bundle.semantic();
        BundleVersion::new(now.major, now.minor.saturating_add(1), 0)
    }

    /// Returns the tombstone that a finding requires, and where it belongs.
    fn tombstone(self, finding: &Finding, words: &Words<'_>) -> Option<String> {
        let Words { removed, reason } = words;
        if let (Some(name), true) = (&finding.change.member, self.tree.is_of_crds()) {
            if !self.tree.has_path(finding) {
                return None;
            }
            let entries = [
                ("group", &*finding.group),
                ("kind", &finding.kind),
                ("path", &finding.path),
                ("name", name),
                ("removed", removed),
                ("reason", reason),
            ];
            let text = table("fields", &entries);
            return Some(format!("in `channels/tombstones.toml`:\n\n{text}"));
        }
        if let Some(name) = &finding.change.member {
            let holder = self.tree.holder(finding)?;
            return Some(format!(
                "below the derives of `{}`:\n\n#[tombstone(name = {}, removed = {}, reason = {})]",
                holder.name,
                quoted(name),
                quoted(removed),
                quoted(reason)
            ));
        }
        let version = in_crd(&finding.path);
        let mut entries = vec![("group", &*finding.group), ("kind", &*finding.kind)];
        entries.extend(version.map(|version| ("version", version)));
        entries.extend([("removed", *removed), ("reason", *reason)]);
        let name = version.map_or("kinds", |_| "versions");
        let text = table(name, &entries);
        Some(format!("in `channels/tombstones.toml`:\n\n{text}"))
    }

    /// Returns the tombstone of an earlier bundle, unchanged.
    fn erased(self, finding: &Finding) -> Option<String> {
        let (kind, path) = (&*finding.kind, finding.path.as_str());
        let bundles = self.past.bundles.iter().rev();
        bundles.into_iter().find_map(|bundle| {
            let Tombstones {
                kinds,
                versions,
                types,
                names,
            } = &bundle.manifest.tombstones;
            let (removed, reason) = match (&finding.change.member, in_crd(path)) {
                (Some(name), _) if kind.is_empty() => {
                    let tombstone = types.iter().find(|tombstone| *tombstone.name == **name)?;
                    let entries = [
                        ("name", tombstone.name.as_str()),
                        ("removed", &tombstone.removed),
                        ("reason", &tombstone.reason),
                    ];
                    let text = table("types", &entries);
                    return Some(format!("in `channels/tombstones.toml`:\n\n{text}"));
                }
                (Some(name), _) => {
                    let mut names = names.iter();
                    let tombstone = names.find(|tombstone| {
                        (&*tombstone.kind, &*tombstone.path, &*tombstone.name)
                            == (kind, path, &**name)
                    })?;
                    (&tombstone.removed, &tombstone.reason)
                }
                (None, Some(version)) => {
                    let mut versions = versions.iter();
                    let tombstone = versions.find(|tombstone| {
                        (&*tombstone.kind, &*tombstone.version) == (kind, version)
                    })?;
                    (&tombstone.removed, &tombstone.reason)
                }
                (None, None) => {
                    let tombstone = kinds.iter().find(|tombstone| *tombstone.kind == *kind)?;
                    (&tombstone.removed, &tombstone.reason)
                }
            };
            self.tombstone(finding, &Words { removed, reason })
        })
    }
}

/// Returns the attribute that makes a new part experimental.
fn gate(finding: &Finding) -> &'static str {
    match (finding.record.id, finding.path.as_str()) {
        ("property-straight-to-stable", "status") => "experimental(kube(status))",
        ("scale-straight-to-stable", _) => "experimental(kube(scale(..)))",
        _ => "experimental",
    }
}

/// Whether a finding is about a property at the root of a kind, where there is no type that could have a tombstone.
fn is_of_kubernetes(finding: &Finding) -> bool {
    matches!(finding.path.as_str(), "" | ".")
        && finding.change.member.is_some()
        && !finding.kind.is_empty()
}

/// Returns the version in `spec.versions[v1]`.
#[must_use]
pub fn in_crd(path: &str) -> Option<&str> {
    path.strip_prefix("spec.versions[")?.split(']').next()
}

/// Formats an entry of an array of tables.
#[must_use]
pub fn table(name: &str, entries: &[(&str, &str)]) -> String {
    let mut text = format!("[[{name}]]");
    for (key, value) in entries {
        text.push_str(&format!("\n{key} = {}", quoted(value)));
    }
    text
}

/// Quotes a string as in JSON, which is valid in TOML and Rust.
fn quoted(text: &str) -> Value {
    Value::from(text)
}
