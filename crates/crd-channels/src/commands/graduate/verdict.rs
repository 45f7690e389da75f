//! Decides whether a feature may graduate or be removed, with the reasons if not.

use crate::commands::published_set::published_set;
use crate::release::lifecycle::Ancestry;
use crate::release::places::Tree;
use crate::release::remedies::Remedies;
use crate::release::version_choice::{bumped, lowest};
use crd_channels_compat::{
    Bump, CONVERSION_UNPROVEN, Lineage, Report, Set, compare_along, read, waivers,
};
use crd_channels_diagnostics::{Code, Diagnostic, Severity, Sink, Sources, Span, Text};
use crd_channels_files::Disk;
use crd_channels_generator::pipeline::{self, Setup};
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_projection::channel::Kind;
use crd_channels_projection::channel::config::FOLDER;
use crd_channels_released::bundles::{self, baseline};
use crd_channels_ungate::FeatureEnd;
use std::path::Path;

/// The working tree and the bundle that it is compared with.
pub struct Worktree {
    /// The workspace and its configuration.
    pub setup: Setup,
    /// Its kinds.
    pub kinds: Vec<Kind>,
    /// Its current CRDs.
    pub now: Set,
    /// The bundle that the tree is for: the next minor, or the tree's own version if that is higher.
    pub bundle: Option<BundleVersion>,
    /// The last bundle to compare with.
    baseline: Option<(BundleVersion, Set)>,
    /// The latest final bundle of any release line.
    pub latest: Option<BundleVersion>,
    waivers: Vec<waivers::Waiver>,
}

/// The rule that requires tombstones.
pub const TOMBSTONE_MISSING: &str = "tombstone-missing";

/// The effect of ending a feature.
pub struct Verdict {
    /// The CRDs after it.
    pub after: Set,
    /// The reasons why the feature may not end this way; empty if it may.
    pub reasons: Vec<Reason>,
}

/// A reason why a feature may not end in this way.
pub struct Reason {
    /// The rule's code, or a diagnostic's.
    pub code: &'static str,
    /// The problem.
    pub message: String,
    /// Its place in Rust source.
    pub span: Option<Span>,
    /// The remedy.
    pub help: Option<String>,
}

impl Reason {
    /// The message with its code, and the help.
    pub fn message_and_help(&self) -> (String, String) {
        let Self {
            code,
            message,
            help,
            ..
        } = self;
        let why = || format!("see `crd-channels explain {code}`");
        let help = help.clone().unwrap_or_else(why);
        (format!("[{code}] {message}"), help)
    }
}

impl Worktree {
    /// Reads the workspace at `root`. `None` if it has errors, which are reported.
    pub fn read(root: &Path, sources: &Sources, sink: &mut Sink) -> Option<Self> {
        let setup = pipeline::setup(root, &Disk, sources, sink)?;
        let kinds = pipeline::read_kinds(&setup, &Disk, sources, sink);
        if sink.has_errors() {
            return None;
        }
        let now = published_set(&setup, &kinds, sink);
        let released = bundles::all(&root.join(FOLDER), &Disk);
        let version = now.bundle_version();
        let version = version.and_then(|version| version.parse::<BundleVersion>().ok());
        let last = version
            .as_ref()
            .and_then(|version| baseline(&released, version));
        let bundle = version.map(|version| {
            let next = last.map(|last| bumped(&last.version, Bump::Minor));
            version.as_final().max(next.unwrap_or(version))
        });
        let mut held = None;
        if let Some(last) = last {
            match last.verified(&Disk) {
                Ok(bundle) => match read::bundle(&bundle) {
                    Ok(set) => held = Some((last.version.clone(), set)),
                    Err(message) => sink.push(
                        Diagnostic::new(Code::BundleInvalid, None, message)
                            .with_help("get the bundle again from where it was released"),
                    ),
                },
                Err(findings) => findings.into_iter().for_each(|finding| sink.push(finding)),
            }
        }
        let mut finals = released.iter().map(|bundle| &bundle.version);
        let latest = finals.rfind(|version| version.is_final()).cloned();
        let waivers = waivers(root, sink);
        (!sink.has_errors()).then_some(Self {
            setup,
            kinds,
            now,
            bundle,
            baseline: held,
            latest,
            waivers,
        })
    }

    /// The working tree after its release: everything in it counts as tried.
    pub fn after_release(setup: &Setup, kinds: &[Kind]) -> Self {
        Self {
            setup: setup.clone(),
            kinds: kinds.to_vec(),
            now: published_set(setup, kinds, &mut Sink::default()),
            bundle: None,
            baseline: None,
            latest: None,
            waivers: Vec::new(),
        }
    }

    /// The same setup with a feature on in every channel, or off in every channel.
    fn setup_after(&self, feature: &str, end: FeatureEnd) -> Setup {
        let mut setup = self.setup.clone();
        for channel in &mut setup.config.channels {
            match end {
                FeatureEnd::Graduates => drop(channel.features.insert(Text::from(feature))),
                FeatureEnd::Goes => drop(channel.features.remove(feature)),
            }
        }
        setup
    }

    /// Returns the effect of ending a feature, compared with the last bundle, or with the working tree if there is none.
    pub fn verdict(&self, feature: &str, end: FeatureEnd, sources: &Sources) -> Verdict {
        let setup = self.setup_after(feature, end);
        let mut sink = Sink::default();
        let after = published_set(&setup, &self.kinds, &mut sink);
        let mut reasons: Vec<Reason> = sink
            .into_diagnostics()
            .into_iter()
            .filter(|finding| finding.severity() == Severity::Error)
            .map(|finding| Reason {
                code: finding.code.record().id,
                message: finding.message,
                span: finding.span,
                help: finding.help,
            })
            .collect();
        let (old, against) = match &self.baseline {
            Some((version, set)) => (set, format!(" against {version}")),
            None => (&self.now, String::new()),
        };
        let unknown = Lineage::default();
        let before = self.compare(unknown, old, &self.now);
        let mut then = self.compare(unknown, old, &after);
        let tree = Tree {
            kinds: &self.kinds,
            sources,
        };
        tree.place(&mut then.findings);
        let past = Ancestry::default();
        let remedies = self.bundle.as_ref().map(|bundle| Remedies {
            bundle,
            past: &past,
            new: &after,
            tree,
        });
        for finding in then.beyond(&before) {
            // The command that removes a feature writes the tombstones.
            if finding.record.id == TOMBSTONE_MISSING && end == FeatureEnd::Goes {
                continue;
            }
            // A test proves the conversion of the edited types, not of these.
            if finding.record.id == CONVERSION_UNPROVEN.id {
                continue;
            }
            if finding.counts_as() > Bump::Minor {
                let version = self.lowest(finding.counts_as());
                reasons.push(Reason {
                    code: finding.record.id,
                    message: format!(
                        "{} {} `{}` ({}){against}: {}",
                        finding.kind,
                        finding.version,
                        finding.path,
                        finding.channel_name(),
                        finding.change.message
                    ),
                    span: finding.origin,
                    help: remedies.map(|remedies| remedies.remedy_for(finding, version.as_ref())),
                });
            }
        }
        Verdict { after, reasons }
    }

    /// Returns the lowest version that may carry a change; `None` if no version may.
    fn lowest(&self, bump: Bump) -> Option<BundleVersion> {
        let last = self.last().filter(|_| bump != Bump::Never)?;
        Some(lowest(last, bump, self.latest.as_ref()))
    }

    /// Returns the changes from the last bundle to the working tree, and to `then`. `None` if there is no bundle yet.
    pub fn since_release(&self, then: &Set) -> Option<(Report, Report)> {
        let (_, old) = self.baseline.as_ref()?;
        let compare = |new| self.compare(Lineage::default(), old, new);
        Some((compare(&self.now), compare(then)))
    }

    /// The last bundle to compare with.
    pub fn last(&self) -> Option<&BundleVersion> {
        self.baseline.as_ref().map(|(version, _)| version)
    }

    /// Compares two sets and applies the waivers for the next bundle.
    pub fn compare(&self, lineage: Lineage<'_>, old: &Set, new: &Set) -> Report {
        let mut report = changes_along(lineage, old, new);
        let bundle = self.bundle.as_ref().map(ToString::to_string);
        waivers::apply(&self.waivers, bundle.as_deref(), &mut report);
        report
    }
}

/// Compares two states of one working tree, whose version only rises when it is released. Tombstones are not required: only
/// names of a released bundle need them.
pub fn changes(old: &Set, new: &Set) -> Report {
    let mut report = changes_along(Lineage::default(), old, new);
    report
        .findings
        .retain(|finding| finding.record.id != "tombstone-missing");
    report
}

fn changes_along(lineage: Lineage<'_>, old: &Set, new: &Set) -> Report {
    let mut report = compare_along(lineage, old, new);
    report
        .findings
        .retain(|finding| finding.record.id != "bundle-version-stale");
    report
}

fn waivers(root: &Path, sink: &mut Sink) -> Vec<waivers::Waiver> {
    let path = root.join("channels/waivers.toml");
    if !path.is_file() {
        return Vec::new();
    }
    let text = std::fs::read_to_string(&path).map_err(|error| error.to_string());
    match text.and_then(|text| waivers::parse(&text)) {
        Ok(waivers) => waivers,
        Err(error) => {
            let message = format!("`channels/waivers.toml`: {error}");
            let finding = Diagnostic::new(Code::ConfigInvalid, None, message);
            sink.push(
                finding.with_help("write `[[waiver]]` with `kind`, `path`, `bundle` and `reason`"),
            );
            Vec::new()
        }
    }
}
