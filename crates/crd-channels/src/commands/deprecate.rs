//! `deprecate KIND VERSION`: marks a version as deprecated in the source, with the warning that its users read.

use super::edited_tree::{Edited, Overlay, Writing, editing, of_types, read_again, unclear};
use super::graduate::verdict::{Worktree, changes};
use super::{Outcome, root};
use crate::release::version_choice::bumped;
use crd_channels_compat::{Bump, Finding, is_ga};
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Sources};
use crd_channels_files::{Disk, Read};
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_projection::channel::{Kind, is_less_stable};
use crd_channels_schema::draft::Draft;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The arguments of `deprecate`.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The kind.
    pub kind: String,
    /// The version.
    pub version: String,
    /// The bundle that removes the version. By default the minor after the one that deprecates it; for a GA version, the major.
    pub removed_in: Option<String>,
    /// The version that replaces it; by default the storage version.
    pub replaced_by: Option<String>,
    /// Write nothing; show all that would change.
    pub dry_run: bool,
}

/// Runs the command in the current folder's workspace.
#[must_use]
pub fn run(request: &Request) -> Outcome {
    editing(|sources, sink| deprecate(request, sources, sink))
}

/// Returns `None` if the command could not run.
fn deprecate(request: &Request, sources: &Sources, sink: &mut Sink) -> Option<Outcome> {
    let root = root(sink)?;
    let worktree = Worktree::read(&root, sources, sink)?;
    of_types(&worktree.setup, sink)?;
    let (kind, draft) = match found(&worktree.kinds, request) {
        Ok(found) => found,
        Err(finding) => {
            sink.push(*finding);
            return Some(Outcome::Findings);
        }
    };
    let attributes = attributes(request, &worktree, kind, draft);
    let Some(edited) = edited(&root, &worktree, draft, &attributes, sources, sink) else {
        return Some(Outcome::Findings);
    };
    let writing = Writing {
        root: &root,
        worktree: &worktree,
        dry_run: request.dry_run,
    };
    writing.write(edited, sources, sink)
}

fn rejection(message: String, help: impl Into<String>) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(Code::DeprecationRefused, None, message).with_help(help))
}

/// Finds the kind and the version that the request names.
fn found<'k>(
    kinds: &'k [Kind],
    request: &Request,
) -> Result<(&'k Kind, &'k Draft), Box<Diagnostic>> {
    let Request { kind, version, .. } = request;
    let list = |names: Vec<&str>| match names.as_slice() {
        [] => "there are none".to_owned(),
        names => format!("available: {}", names.join(", ")),
    };
    let named: Vec<&Kind> = kinds.iter().filter(|known| *known.kind == **kind).collect();
    if named.is_empty() {
        let names = kinds.iter().map(|kind| &*kind.kind).collect();
        return Err(rejection(format!("there is no kind `{kind}`"), list(names)));
    }
    let versions = || named.iter().flat_map(|kind| &kind.versions);
    let mut of_version = named.iter().filter_map(|kind| {
        let mut versions = kind.versions.iter();
        Some((*kind, versions.find(|draft| *draft.version == **version)?))
    });
    let Some((kind, draft)) = of_version.next() else {
        let names = versions().map(|draft| &*draft.version).collect();
        let message = format!("`{kind}` has no version `{version}`");
        return Err(rejection(message, list(names)));
    };
    if of_version.next().is_some() {
        let message = format!(
            "several groups have a kind `{}` with that version",
            kind.kind
        );
        return Err(rejection(
            message,
            "write `#[kube(deprecated)]` on the type that is meant",
        ));
    }
    if draft.facets.all().any(|facets| facets.deprecated.is_some()) {
        let message = format!("`{version}` of `{}` is already deprecated", kind.kind);
        return Err(rejection(message, "there is nothing to do"));
    }
    if !kind
        .versions
        .iter()
        .any(|other| other.version != draft.version && other.served)
    {
        let message = format!("`{}` is served as `{version}` only", kind.kind);
        let help = "add the version that replaces it first, so that users can migrate";
        return Err(rejection(message, help));
    }
    Ok((kind, draft))
}

/// The attributes that mark the version as deprecated.
fn attributes(request: &Request, worktree: &Worktree, kind: &Kind, draft: &Draft) -> Vec<String> {
    let end = match is_ga(&draft.version) {
        true => Bump::NewApiVersion,
        false => Bump::Minor,
    };
    let next = worktree.bundle.as_ref();
    let next = next.map(|bundle| bumped(bundle, end).to_string());
    let removed_in = request.removed_in.clone().or(next);
    let mut others = kind.versions.iter().filter(|other| {
        other.version != draft.version && !is_less_stable(&other.version, &draft.version)
    });
    let stored = others.find(|other| other.storage);
    let stored = stored.map(|other| other.version.to_string());
    let replaced_by = request.replaced_by.clone().or(stored);
    let keys = [
        ("deprecated_in", bundle_to_be(worktree)),
        ("removed_in", removed_in),
        ("replaced_by", replaced_by),
    ];
    let keys = keys.map(|(key, value)| value.map(|value| format!("{key} = {value:?}")));
    let keys: Vec<String> = keys.into_iter().flatten().collect();
    let mut attributes = vec!["#[kube(deprecated)]".to_owned()];
    if !keys.is_empty() {
        attributes.push(format!("#[crd({})]", keys.join(", ")));
    }
    attributes
}

/// Returns the bundle that will show the deprecation. `None` if the tree has the version of a released bundle, or is for a
/// patch, which deprecates nothing.
fn bundle_to_be(worktree: &Worktree) -> Option<String> {
    let tree: BundleVersion = worktree.now.bundle_version()?.parse().ok()?;
    let next = worktree.bundle.as_ref()?;
    let is_next = tree.semantic().pre.as_str() == "dev" || *next == tree.as_final();
    (is_next && next.semantic().patch == 0).then(|| next.to_string())
}

/// Returns the working tree with the attributes before the type. `None`, with an error reported, if they would change anything
/// else.
fn edited(
    root: &Path,
    worktree: &Worktree,
    draft: &Draft,
    attributes: &[String],
    sources: &Sources,
    sink: &mut Sink,
) -> Option<Edited> {
    let by_hand = || {
        let type_name = &draft.spec_name;
        unclear(
            format!("the attributes cannot be written before `{type_name}`"),
            "write them by hand: `#[kube(deprecated)]`, and `#[crd(deprecated_in = \"..\", removed_in = \"..\", replaced_by = \"..\")]`",
        )
    };
    let Some((path, text)) = with_attributes(root, draft, attributes, sources) else {
        sink.push(by_hand());
        return None;
    };
    let overlay = Overlay(BTreeMap::from([(path, text)]));
    let mut found = Sink::default();
    let edited = read_again(root, &overlay, sources, &mut found, sink);
    if found.has_errors() {
        sink.append(found);
        return None;
    }
    let edited = edited?;
    // A macro may use the edited type several times, or never.
    let report = changes(&worktree.now, &edited.after);
    let meant = |finding: &Finding| {
        finding.record.id == "version-deprecated"
            && (&*finding.group, &*finding.kind) == (&*draft.group, &*draft.kind)
            && *finding.version == *draft.version
    };
    if report.findings.is_empty() || !report.findings.iter().all(meant) {
        sink.push(by_hand());
        return None;
    }
    Some(edited)
}

/// Returns the path and the text of a type's file, with the attributes before the type.
fn with_attributes(
    root: &Path,
    draft: &Draft,
    attributes: &[String],
    sources: &Sources,
) -> Option<(PathBuf, String)> {
    let file = sources.get(draft.span.file)?;
    let path = Disk.canonical(&root.join(&*file.shown)).ok()?;
    let text = String::from_utf8(Disk.read(&path).ok()?).ok()?;
    let at = usize::try_from(draft.span.start).ok()?;
    let start = text.get(..at)?.rfind('\n').map_or(0, |newline| newline + 1);
    let (before, line) = text.split_at_checked(start)?;
    let indent: String = line
        .chars()
        .take_while(|c| c.is_whitespace() && *c != '\n')
        .collect();
    let end = if before.ends_with("\r\n") {
        "\r\n"
    } else {
        "\n"
    };
    let written = attributes.iter().map(|one| format!("{indent}{one}{end}"));
    let written: String = written.collect();
    Some((path, format!("{before}{written}{line}")))
}
