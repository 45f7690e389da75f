//! `adopt --tags`: makes bundles of the CRDs that tags have, so that the first release is compared with what users have.

use super::super::release::candidate::Source;
use super::super::release::channel_crds::stamped;
use super::super::release::versions::read_text;
use super::{Outcome, interrupted, root, told};
use crate::commands::manifest as stated;
use crate::git::{Repository, VersionTag};
use crate::release::changelog;
use crate::release::history::History;
use crate::release::remedies::{in_crd, table};
use crate::release::version_choice::{RequestedVersion, choose};
use crd_channels_compat::{Components, Finding, union};
use crd_channels_diagnostics::report::counted;
use crd_channels_diagnostics::{Code, Diagnostic, Severity, Sink, Sources, Spanned};
use crd_channels_files::{Disk, Memory, Plan, Read};
use crd_channels_generator::pipeline::{self, Setup};
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_projection::channel::config::{
    Config, FOLDER, Features, Tombstones as Configured,
};
use crd_channels_projection::channel::{Kind, places};
use crd_channels_released::folder::{ATTRIBUTES, verify};
use crd_channels_released::manifest::{
    self, KindTombstone, Manifest, NameTombstone, Tombstones, VersionTombstone,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Why a name is reserved that was removed before there were bundles.
const REASON: &str = "removed before the first release as a bundle";

/// The arguments.
#[derive(Clone, Debug)]
pub struct Request {
    /// The tags, such as `v1.*`.
    pub tags: String,
    /// The folders of the channels' CRDs at the tags, if the configuration has none.
    pub crds: Vec<(String, PathBuf)>,
}

/// Runs the command in the current folder's workspace.
#[must_use]
pub fn run(request: &Request) -> Outcome {
    told(|sources, sink| adopt(request, sources, sink))
}

/// What was made so far.
#[derive(Default)]
struct Adopted {
    /// The bundles.
    history: History,
    /// Their files, by path below the workspace.
    files: BTreeMap<String, String>,
    /// The list of bundles.
    changelog: Option<String>,
}

fn adopt(request: &Request, sources: &Sources, sink: &mut Sink) -> Option<String> {
    let root = root(sink)?;
    let setup = pipeline::setup(&root, &Disk, sources, sink)?;
    let made = make(request, &setup, &root, sources, sink);
    let made = made.map_err(|finding| sink.push(*finding)).ok()??;
    let names: Vec<String> = made
        .history
        .bundles
        .keys()
        .map(ToString::to_string)
        .collect();
    let Some(last) = made.history.bundles.values().last() else {
        let message = format!(
            "no tag like `{}` has CRDs that can be adopted",
            request.tags
        );
        let finding = Diagnostic::new(Code::BundleMissing, None, message);
        sink.push(finding.with_help(
            "name the folders that the CRDs have at the tags: `--crds stable=config/crd/standard`",
        ));
        return None;
    };
    let mut files = made.files;
    files.extend(
        made.changelog
            .map(|text| (format!("{FOLDER}/{}", changelog::FILE), text)),
    );
    let (name, attributes) = ATTRIBUTES;
    files.insert(format!("{FOLDER}/{name}"), attributes.to_owned());
    let kinds = pipeline::read_kinds(&setup, &Disk, sources, &mut Sink::default());
    let reserved = entries(&last.manifest.tombstones, &kinds, setup.config.is_of_crds());
    if !reserved.is_empty() {
        let path = format!("{FOLDER}/tombstones.toml");
        let old = read_text(&root, &path, &Disk);
        let old = old.map_err(|finding| sink.push(*finding)).ok()?;
        let old = old.map(|text| format!("{}\n\n", text.trim_end()));
        let text = format!("{}{}\n", old.unwrap_or_default(), reserved.join("\n\n"));
        files.insert(path, text);
    }
    let plan = Plan::new("adopting tags", root, files, Vec::new());
    let applied = interrupted::apply(&plan)
        .map_err(|finding| sink.push(*finding))
        .ok()?;
    Some(format!(
        "{} written: {} in `{FOLDER}`, and {} in `{FOLDER}/tombstones.toml`\nnext steps:\n  git add --all && git commit --message 'Adopt {}'",
        counted(applied.created.len() + applied.replaced.len(), "file"),
        names.join(", "),
        counted(reserved.len(), "reserved name"),
        request.tags
    ))
}

/// Makes the bundles of all tags, oldest first.
fn make(
    request: &Request,
    setup: &Setup,
    root: &Path,
    sources: &Sources,
    sink: &mut Sink,
) -> Result<Option<Adopted>, Box<Diagnostic>> {
    let here = History::read(&root.join(FOLDER), &Disk);
    let here = match here {
        Ok(here) => here,
        Err(findings) => {
            findings.into_iter().for_each(|finding| sink.push(finding));
            return Ok(None);
        }
    };
    if let Some(first) = here.bundles.keys().next() {
        let message = format!("{first} is released already, and bundles follow each other");
        let finding = Diagnostic::new(Code::ReleaseRefused, None, message);
        return Err(Box::new(
            finding.with_help("adopt tags before the first release"),
        ));
    }
    let (repository, inside) = Repository::discover(root)?;
    let mut tags = repository.version_tags()?;
    tags.retain(|tag| tag.version.is_final() && is_like(&tag.name, &request.tags));
    tags.sort_by(|one, other| one.version.cmp(&other.version));
    tags.dedup_by(|one, other| one.version == other.version);
    let mut made = Adopted::default();
    for tag in &tags {
        let commit = repository.commit(&tag.name)?;
        let mount = PathBuf::from(format!("git:{}", tag.name));
        let tree = repository.tree(&commit, mount.clone())?;
        let config = &setup.config;
        let setup = setup_at_tag(&mount.join(&inside), config, &request.crds, tag, &tree);
        if setup.config.channels.is_empty() {
            note!("{}: none of the folders is there", tag.name);
            continue;
        }
        for channel in &config.channels {
            let name = &channel.name;
            if !setup.config.channels.iter().any(|it| it.name == *name) {
                note!(
                    "{} has no folder with CRDs of `{name}`, so its bundle does not have this channel",
                    tag.name
                );
            }
        }
        let mut found = Sink::default();
        let done = bundle(&mut made, tag, &setup, &tree, sources, &mut found);
        let errors = found.into_diagnostics().into_iter();
        let mut errors = errors.filter(|finding| finding.severity() == Severity::Error);
        match (done, errors.next()) {
            (Some(()), _) => {}
            (None, Some(why)) => note!("{} is not adopted: {}", tag.name, why.message),
            (None, None) => note!("{} is not adopted", tag.name),
        }
    }
    Ok(Some(made))
}

/// Whether a name is like a pattern, in which `*` is any text.
fn is_like(name: &str, pattern: &str) -> bool {
    match pattern.split_once('*') {
        None => name == pattern,
        Some((start, rest)) => name.strip_prefix(start).is_some_and(|name| {
            let ends = (0..=name.len()).filter_map(|at| name.get(at..));
            ends.into_iter().any(|end| is_like(end, rest))
        }),
    }
}

/// The configuration at a tag: the channels whose folders are there, and no features, since what these gate is of today.
fn setup_at_tag(
    root: &Path,
    now: &Config,
    folders: &[(String, PathBuf)],
    tag: &VersionTag,
    files: &dyn Read,
) -> Setup {
    let mut config = Config {
        features: Features::default(),
        tombstones: Configured::default(),
        ..now.clone()
    };
    for channel in &mut config.channels {
        if let Some((_, folder)) = folders.iter().find(|(name, _)| *name == *channel.name) {
            channel.crds = Some(Spanned {
                value: crd_channels_files::slashed(folder).into(),
                span: channel.annotation.span,
            });
        }
    }
    config.channels.retain(|channel| {
        let folder = channel.crds.as_ref();
        folder.is_some_and(|folder| files.list(&root.join(&*folder.value)).is_ok())
    });
    let place = config
        .channels
        .first()
        .map(|channel| channel.annotation.span);
    config.bundle.version = place.map(|span| Spanned {
        value: tag.version.semantic().to_string().into(),
        span,
    });
    pipeline::setup_of_crds(root, config)
}

/// Makes the bundle of one tag, after those before it. `None` if its CRDs cannot be read.
fn bundle(
    made: &mut Adopted,
    tag: &VersionTag,
    setup: &Setup,
    files: &dyn Read,
    sources: &Sources,
    sink: &mut Sink,
) -> Option<()> {
    let version = &tag.version;
    let (kinds, read) = pipeline::read_kinds_and_files(setup, files, sources, sink);
    let stamp = pipeline::stamp(setup, pipeline::groups(&kinds), sink)?;
    let source = Source {
        setup,
        kinds: &kinds,
        stamp: &stamped(&stamp, version),
        sources,
    };
    let asked = RequestedVersion::Exactly(version.clone());
    // The last bundle carries what the ones before it reserve.
    let last = made.history.bundles.last_key_value();
    let last = History {
        bundles: last
            .map(|(key, it)| (key.clone(), it.clone()))
            .into_iter()
            .collect(),
    };
    let choice = choose(&asked, version, last.bundles.keys());
    let choice = choice.map_err(|finding| sink.push(*finding)).ok()?;
    if sink.has_errors() {
        return None;
    }
    // What it may not have changed has happened.
    let mut past = Sink::default();
    let root = &setup.workspace.root;
    let components = (root.as_path(), Components::default());
    let checked = source.check_candidate(choice, &asked, &last, components, &mut past);
    let Some(checked) = checked else {
        sink.append(past);
        return None;
    };
    let contents = checked
        .contents(&[])
        .map_err(|finding| sink.push(*finding))
        .ok()?;
    let listed = stated::sources(setup, &read, files);
    let listed = listed.map_err(|why| {
        sink.push(
            Diagnostic::new(Code::UnreadableFile, None, why).with_help("fetch the tag again"),
        );
    });
    let plain = checked.manifest(&contents, &last);
    let removed = removed(&checked.report.findings, version);
    let manifest = Manifest {
        sources: listed.ok()?,
        tombstones: union([&plain.tombstones, &removed]),
        ..plain
    };
    let baseline = checked.choice.baseline.as_ref();
    let report = checked.notes_report();
    let entry = changelog::entry(
        version,
        baseline,
        &report,
        &manifest.tombstones,
        &checked.migrations,
    );
    made.changelog = Some(changelog::with_entry(made.changelog.as_deref(), &entry));
    let folder = PathBuf::from(version.to_string());
    let mut written = contents.files;
    written.insert(manifest::FILE.to_owned(), manifest.to_text().0);
    let bytes = written
        .iter()
        .map(|(path, text)| (folder.join(path), text.clone().into_bytes()));
    let verified = verify(&folder, &Memory(bytes.collect()));
    let verified = verified.map_err(|findings| {
        findings.into_iter().for_each(|finding| sink.push(finding));
    });
    made.history.bundles.insert(version.clone(), verified.ok()?);
    let written = written.into_iter();
    made.files
        .extend(written.map(|(path, text)| (format!("{FOLDER}/{version}/{path}"), text)));
    Some(())
}

/// The names that a bundle removed, as reserved ones.
fn removed(findings: &[Finding], version: &BundleVersion) -> Tombstones {
    let mut removed = Tombstones::default();
    let missing = findings
        .iter()
        .filter(|finding| finding.record.id == "tombstone-missing");
    for finding in missing {
        let (group, kind) = (finding.group.to_string(), finding.kind.to_string());
        let (since, reason) = (version.to_string(), REASON.to_owned());
        if let Some(name) = &finding.change.member {
            removed.names.push(NameTombstone {
                group,
                kind,
                path: finding.path.clone(),
                name: name.to_string(),
                removed: since,
                reason,
            });
        } else if let Some(version) = in_crd(&finding.path) {
            removed.versions.push(VersionTombstone {
                group,
                kind,
                version: version.to_owned(),
                removed: since,
                reason,
            });
        } else {
            removed.kinds.push(KindTombstone {
                group,
                kind,
                removed: since,
                reason,
            });
        }
    }
    removed
}

/// The reserved names as entries of `channels/tombstones.toml`. Of fields, those that the source is CRDs for, where a version
/// still has the object around them.
fn entries(reserved: &Tombstones, kinds: &[Kind], of_crds: bool) -> Vec<String> {
    let entry = |name: &str, what: &[(&str, &str)], removed: &str, reason: &str| {
        let why = [("removed", removed), ("reason", reason)];
        table(name, &[what, &why].concat())
    };
    let is_there = |it: &&NameTombstone| {
        let of = |kind: &&Kind| (&*kind.group, &*kind.kind) == (&*it.group, &*it.kind);
        let mut drafts = kinds.iter().filter(of).flat_map(|kind| &kind.versions);
        of_crds && drafts.any(|draft| places::locate(draft, &it.path).exact)
    };
    let Tombstones {
        kinds: gone,
        versions,
        types: _,
        names,
    } = reserved;
    let gone = gone.iter().map(|it| {
        let what = [("group", &*it.group), ("kind", &it.kind)];
        entry("kinds", &what, &it.removed, &it.reason)
    });
    let versions = versions.iter().map(|it| {
        let what = [
            ("group", &*it.group),
            ("kind", &it.kind),
            ("version", &it.version),
        ];
        entry("versions", &what, &it.removed, &it.reason)
    });
    let names = names.iter().filter(is_there).map(|it| {
        let what = [
            ("group", &*it.group),
            ("kind", &it.kind),
            ("path", &it.path),
            ("name", &it.name),
        ];
        entry("fields", &what, &it.removed, &it.reason)
    });
    gone.chain(versions).chain(names).collect()
}

#[cfg(test)]
mod tests {
    use super::is_like;

    #[test]
    fn patterns_are_like_names() {
        for (name, pattern, expected) in [
            ("v1.0.0", "v*", true),
            ("v1.0.0", "v1.*", true),
            ("v1.0.0", "v1.0.0", true),
            ("v2.0.0", "v1.*", false),
            ("crds-v1.0.0", "crds-v*", true),
            ("crds-v1.0.0", "v*", false),
            ("v1.0.0", "*.0", true),
        ] {
            assert_eq!(is_like(name, pattern), expected, "{name} {pattern}");
        }
    }
}
