//! `adopt`: copies the bundles that a release branch made to this branch, with their entries in the list of bundles, and
//! reports what the next minor has to fix because of them.

pub mod tagged;

use super::release::candidate::Source;
use super::release::components;
use super::release::tags::Tags;
use super::{Outcome, interrupted, root, say_with_summary};
use crate::git::Repository;
use crate::release::changelog;
use crate::release::history::History;
use crate::release::version_choice::{RequestedVersion, choose};
use crd_channels_diagnostics::report::{Format, counted};
use crd_channels_diagnostics::{Code, Diagnostic, Severity, Sink, Sources};
use crd_channels_files::{Disk, Plan, Read};
use crd_channels_generator::pipeline::{self, Setup};
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_projection::channel::config::FOLDER;
use crd_channels_released::folder::ATTRIBUTES;
use crd_channels_released::manifest;
use crd_channels_signature as signature;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The arguments of `adopt`.
#[derive(Clone, Debug)]
pub struct Request {
    /// The bundle. The bundles that it follows are adopted with it.
    pub version: BundleVersion,
    /// The revision that has the bundle; by default the bundle's tag.
    pub from: Option<String>,
}

/// Runs the command in the current folder's workspace.
#[must_use]
pub fn run(request: &Request) -> Outcome {
    told(|sources, sink| adopt(request, sources, sink))
}

/// Runs a way to adopt, and prints its summary and what it reports.
fn told(adopt: impl FnOnce(&Sources, &mut Sink) -> Option<String>) -> Outcome {
    let sources = Sources::default();
    let mut sink = Sink::default();
    let adopted = adopt(&sources, &mut sink);
    let findings = sink.into_diagnostics();
    if let Some(adopted) = &adopted {
        status!("{adopted}");
    }
    say_with_summary(&findings, &sources, Format::Human);
    match adopted {
        Some(_) => Outcome::Clean,
        None if findings
            .iter()
            .any(|finding| finding.code == Code::BundleTampered) =>
        {
            Outcome::Findings
        }
        None => Outcome::CouldNotRun,
    }
}

/// Adopts the bundles. Returns a summary; `None` if nothing was adopted.
fn adopt(request: &Request, sources: &Sources, sink: &mut Sink) -> Option<String> {
    let root = root(sink)?;
    let setup = pipeline::setup(&root, &Disk, sources, sink)?;
    let taken = Branch::read(&root, request).and_then(|branch| {
        let here = History::read(&root.join(FOLDER), &Disk)?;
        let new = branch.beyond(&here)?;
        Ok((branch, here, new))
    });
    let (branch, here, new) = taken
        .map_err(|findings| findings.into_iter().for_each(|finding| sink.push(finding)))
        .ok()?;
    let files = branch
        .files(&new, &root)
        .map_err(|finding| sink.push(*finding));
    let what = format!("adopting {}", request.version);
    let plan = Plan::new(what, root.clone(), files.ok()?, Vec::new());
    let applied = interrupted::apply(&plan)
        .map_err(|finding| sink.push(*finding))
        .ok()?;
    let due = due(&setup, here, &new, &request.version, &root, sources);
    due.into_iter().for_each(|finding| sink.push(finding));
    let names: Vec<String> = new.bundles.keys().map(ToString::to_string).collect();
    let written = applied.created.len() + applied.replaced.len();
    let version = &request.version;
    if written == 0 {
        return Some(format!(
            "{version} already exists here; nothing was written"
        ));
    }
    let what = match names.as_slice() {
        [] => format!("the missing files of {version}"),
        names => names.join(" and "),
    };
    Some(format!(
        "{} written: {what} of `{}` in `{FOLDER}`\nnext steps:\n  git add --all && git commit --message 'Adopt {version}'",
        counted(written, "file"),
        branch.revision
    ))
}

/// Returns the name of a bundle's tag; its version if it has no tag.
fn tag_of(version: &BundleVersion, root: &Path) -> Result<String, Box<Diagnostic>> {
    let tags = Tags::discover(root)?;
    let tag = tags.tag_of(version)?.map(|tag| tag.name.clone());
    Ok(tag.unwrap_or_else(|| version.to_string()))
}

/// The bundles of a revision.
struct Branch {
    /// The name of the revision, as a user would write it.
    revision: String,
    /// The requested bundle and those that it follows.
    bundles: History,
    /// The signatures of the signed bundles.
    signatures: BTreeMap<BundleVersion, String>,
    /// The list of bundles at the revision.
    changelog: Option<String>,
}

impl Branch {
    fn read(root: &Path, request: &Request) -> Result<Self, Vec<Diagnostic>> {
        let one = |finding: Box<Diagnostic>| vec![*finding];
        let (repository, inside) = Repository::discover(root).map_err(one)?;
        let revision = match &request.from {
            Some(from) => from.clone(),
            None => tag_of(&request.version, root).map_err(one)?,
        };
        let commit = repository.commit(&revision).map_err(one)?;
        let mount = PathBuf::from(format!("git:{revision}"));
        let folder = mount.join(inside).join(FOLDER);
        let tree = repository.tree(&commit, mount).map_err(one)?;
        let bundle = folder.join(request.version.to_string());
        if !tree.is_file(&bundle.join(manifest::FILE)) {
            let message = format!(
                "`{revision}` has no bundle {} in `{FOLDER}`",
                request.version
            );
            let finding = Diagnostic::new(Code::BundleMissing, None, message);
            return Err(vec![finding.with_help(
                "name the branch or the commit that has it: `--from REVISION`",
            )]);
        }
        let bundles = History::chain(&folder, &request.version, &tree)?;
        let text = |path: &Path| String::from_utf8(tree.read(path).ok()?).ok();
        let signed = bundles.bundles.keys().filter_map(|version| {
            let signature = folder.join(version.to_string()).join(signature::FILE);
            Some((version.clone(), text(&signature)?))
        });
        Ok(Self {
            signatures: signed.collect(),
            changelog: text(&folder.join(changelog::FILE)),
            bundles,
            revision,
        })
    }

    /// Returns the bundles that are missing here. An error if a bundle differs from the one that is here.
    fn beyond(&self, here: &History) -> Result<History, Vec<Diagnostic>> {
        let mut new = History::default();
        for (version, bundle) in &self.bundles.bundles {
            match here.bundles.get(version) {
                None => {
                    new.bundles.insert(version.clone(), bundle.clone());
                }
                Some(known) if known.manifest.digest == bundle.manifest.digest => {}
                Some(_) => {
                    let message = format!(
                        "{version} of `{}` differs from {version} here",
                        self.revision
                    );
                    let finding = Diagnostic::new(Code::BundleTampered, None, message);
                    return Err(vec![finding.with_help(
                        "a version is used only once: find out which of the two users have, and withdraw the other",
                    )]);
                }
            }
        }
        Ok(new)
    }

    /// Returns the files to write, by their paths below the workspace.
    fn files(
        &self,
        new: &History,
        root: &Path,
    ) -> Result<BTreeMap<String, String>, Box<Diagnostic>> {
        let mut files = BTreeMap::new();
        for (version, bundle) in &new.bundles {
            let folder = format!("{FOLDER}/{version}");
            for (path, bytes) in &bundle.files {
                let text = String::from_utf8(bytes.clone()).map_err(|error| {
                    let message = format!("`{folder}/{path}` is not text: {error}");
                    let finding = Diagnostic::new(Code::BundleInvalid, None, message);
                    Box::new(finding.with_help("get the bundle from where it was released"))
                })?;
                files.insert(format!("{folder}/{path}"), text);
            }
            let manifest = bundle.manifest.to_text().0;
            files.insert(format!("{folder}/{}", manifest::FILE), manifest);
        }
        let text = |path: &str| super::release::versions::read_text(root, path, &Disk);
        for (version, signature) in &self.signatures {
            let path = format!("{FOLDER}/{version}/{}", signature::FILE);
            if text(&path)?.is_none() {
                files.insert(path, signature.clone());
            }
        }
        let log = format!("{FOLDER}/{}", changelog::FILE);
        let mut entries = text(&log)?;
        for version in self.bundles.bundles.keys() {
            let theirs = self.changelog.as_deref();
            if let Some(entry) = theirs.and_then(|theirs| changelog::entry_of(theirs, version)) {
                entries = Some(changelog::with_adopted(entries.as_deref(), version, entry));
            }
        }
        files.extend(entries.map(|entries| (log, entries)));
        let (name, attributes) = ATTRIBUTES;
        let path = format!("{FOLDER}/{name}");
        if text(&path)?.is_none() {
            files.insert(path, attributes.to_owned());
        }
        Ok(files)
    }
}

/// `behind-bundle`: the errors that the next minor has only with the adopted bundles. Repeating the command reports them again.
fn due(
    setup: &Setup,
    here: History,
    new: &History,
    adopted: &BundleVersion,
    root: &Path,
    sources: &Sources,
) -> Vec<Diagnostic> {
    let mut before = here.clone();
    before.bundles.remove(adopted);
    let mut after = here;
    after.bundles.extend(new.bundles.clone());
    let check = |history: &History| {
        let mut sink = Sink::default();
        let checked = checked(setup, history, root, sources, &mut sink);
        (checked, sink.into_diagnostics())
    };
    let known: BTreeSet<String> = check(&before)
        .1
        .into_iter()
        .map(|finding| finding.message)
        .collect();
    let (next, now) = check(&after);
    let Some(next) = next else {
        // If the types have errors, `gen-crds` reports them.
        return Vec::new();
    };
    let new = now.into_iter().filter(|finding| {
        finding.severity() == Severity::Error && !known.contains(&finding.message)
    });
    let differences = new.map(|finding| {
        let message = format!("{next} would be refused: {}", finding.message);
        let help = match &finding.help {
            Some(own) => format!("make the same change to the types here; {own}"),
            None => "make the same change to the types here".to_owned(),
        };
        Diagnostic::new(Code::BehindBundle, finding.span, message).with_help(help)
    });
    differences.collect()
}

/// Validates the next minor. Returns its version; `None` if there cannot be one.
fn checked(
    setup: &Setup,
    history: &History,
    root: &Path,
    sources: &Sources,
    sink: &mut Sink,
) -> Option<BundleVersion> {
    let mut found = Sink::default();
    let kinds = pipeline::read_kinds(setup, &Disk, sources, &mut found);
    let stamp = pipeline::stamp(setup, pipeline::groups(&kinds), &mut found)?;
    if found.has_errors() {
        return None;
    }
    let tree: BundleVersion = stamp.version.parse().ok()?;
    let choice = choose(&RequestedVersion::Minor, &tree, history.bundles.keys()).ok()?;
    let version = choice.version.clone();
    let source = Source {
        setup,
        kinds: &kinds,
        stamp: &stamp,
        sources,
    };
    let besides = components::read_components(&setup.config, root, &Disk).ok()?;
    let besides = components::compared(&besides, &setup.config, &stamp.prefix);
    source.check_candidate(
        choice,
        &RequestedVersion::Minor,
        history,
        (root, besides),
        sink,
    )?;
    Some(version)
}
