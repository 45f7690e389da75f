//! Builds everything that is to be written, or only what changed since an earlier run.

use super::cached_diagnostics::CachedDiagnostic;
use super::constants::{self, WithConstants};
use super::crds::Projection;
use super::memory::{Accepted, Memory, Remembered, Source, Survey, Written};
use super::publish::{Cut, Options, Published, publish, unused_allowances};
use super::setup::{self, Setup};
use super::{cut, kinds, stated};
use crate::lower;
use crd_channels_crd_folders::CrdFolders;
use crd_channels_diagnostics::{Diagnostic, Sink, Sources, terminal};
use crd_channels_files::{Disk, Fingerprint};
use crd_channels_projection::bundle::layout;
use crd_channels_projection::channel::config::Channel;
use crd_channels_projection::channel::{self, Kind, Stamp, Words};
use crd_channels_source::{FileRead, Graph, Outline, TypeRef, UndeclaredFile, depends_on_disk};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The input of a build.
#[derive(Clone, Copy)]
pub struct Order<'a> {
    /// The workspace and the configuration of the bundle.
    pub setup: &'a Setup,
    /// The channels.
    pub channels: &'a [&'a Channel],
    /// Whether to measure sizes.
    pub measure: bool,
    /// A hash of all this, and of everything else that the result depends on except files.
    pub key: u64,
    /// The start of the run.
    pub began: SystemTime,
}

impl<'a> Order<'a> {
    /// Returns the files to read: those on disk, and the constants file even before it is written.
    fn files(&self) -> WithConstants<'a> {
        WithConstants::new(&self.setup.config.bundle, &self.setup.workspace.root, &Disk)
    }

    fn under<'b>(&self, stamp: &'b Stamp) -> Projection<'b>
    where
        'a: 'b,
    {
        Projection {
            setup: self.setup,
            channels: self.channels,
            stamp,
        }
    }

    fn options<'b>(&self, sources: &'b Sources, cut: Cut<'b>) -> Options<'b> {
        Options {
            measure: self.measure,
            sources,
            cut,
        }
    }
}

/// The result of a build.
#[derive(Default)]
pub struct Built {
    /// The kinds that were built now, each with its index among all.
    pub made: Vec<(usize, Published)>,
    /// The constants file: its path below the workspace, and its text.
    pub constants: Option<(String, String)>,
    /// The memory for the next run; kinds built now have no files in it yet.
    memory: Option<Memory>,
    /// Objects beside the CRDs that are their source, in words.
    pub others: Vec<String>,
    /// The reason for which the next run cannot start from this one; `None` if it can.
    pub unkept: Option<&'static str>,
}

/// Reads and builds all kinds.
pub fn build_all(order: Order<'_>, sources: &Sources, sink: &mut Sink) -> Built {
    if order.setup.config.is_of_crds() {
        return build_crds(order, sources, sink);
    }
    let mut built = Built::default();
    let mut found = Sink::default();
    let disk = order.files();
    let Some(graph) = kinds::graph(order.setup, &disk, sources, &mut found) else {
        sink.append(found);
        return built;
    };
    graph.load(&order.setup.packages, &mut found);
    // This expands the macros of all files.
    let types = graph.kinds();
    found.append(graph.take_findings());
    let of_files = found.diagnostics().len();
    let kinds = kinds(order.setup, &graph, &mut found);
    let stamp = match kinds.is_empty() {
        true => None,
        false => setup::stamp(order.setup, kinds::groups(&kinds), &mut found),
    };
    if let Some(stamp) = &stamp {
        channel::check_stamp(stamp, &kinds, &order.setup.config.channels, &mut found);
    }
    sink.append(found.clone());
    if let Some(stamp) = stamp {
        let workspace = &order.setup.workspace;
        let cut = |kind: &Kind| cut::help(kind, workspace, &graph, sources);
        let projection = order.under(&stamp);
        let made = publish(projection, &kinds, order.options(sources, &cut), sink);
        for finding in unused_allowances(projection, &made, sink) {
            found.push(finding.clone());
            sink.push(finding);
        }
        built.made = made.into_iter().enumerate().collect();
        let words: Vec<Words> = kinds.iter().map(channel::words).collect();
        built.constants = constants::file(&order.setup.config, &stamp, &words);
    }
    match memory(order, &graph, &kinds, &types, found, of_files, sources) {
        Ok(memory) => built.memory = Some(memory),
        Err(why) => built.unkept = Some(why),
    }
    built
}

/// Reads the folders of CRDs and builds what is published of them.
fn build_crds(order: Order<'_>, sources: &Sources, sink: &mut Sink) -> Built {
    let CrdFolders { kinds, others, .. } = kinds::crd_folders(order.setup, &Disk, sources, sink);
    let mut built = Built {
        others,
        unkept: Some("CRDs are read in each run"),
        ..Built::default()
    };
    if kinds.is_empty() {
        return built;
    }
    let Some(stamp) = setup::stamp(order.setup, kinds::groups(&kinds), sink) else {
        return built;
    };
    channel::check_stamp(&stamp, &kinds, &order.setup.config.channels, sink);
    let made = publish(
        order.under(&stamp),
        &kinds,
        order.options(sources, &|_| None),
        sink,
    );
    built.made = made.into_iter().enumerate().collect();
    let words: Vec<Words> = kinds.iter().map(channel::words).collect();
    built.constants = constants::file(&order.setup.config, &stamp, &words);
    built
}

/// Returns the memory of a whole run with these warnings, the first ones of which are about single files.
///
/// # Errors
/// Why there is none, in words.
fn memory(
    order: Order<'_>,
    graph: &Graph<'_>,
    kinds: &[Kind],
    types: &[TypeRef],
    found: Sink,
    of_files: usize,
    texts: &Sources,
) -> Result<Memory, &'static str> {
    if found.has_errors() {
        return Err("there are errors");
    }
    let is_lost = |finding: &Diagnostic| depends_on_disk(&finding.message);
    if found.diagnostics().iter().any(is_lost) {
        return Err("an included file cannot be read");
    }
    let root = &order.setup.workspace.root;
    let record = |finding: &Diagnostic| CachedDiagnostic::record(finding, root, texts);
    let findings: Option<Vec<_>> = found.diagnostics().iter().map(record).collect();
    let findings = findings.ok_or("a warning is about a dependency")?;
    let sources = add_read(Vec::new(), graph).ok_or("a file that was read is gone")?;
    let outlines = graph.outlines().ok_or("a module is not on disk")?;
    let own: BTreeSet<&PathBuf> = outlines.iter().map(|outline| &outline.file).collect();
    let is_own = |finding: &CachedDiagnostic| {
        let file = finding.path(root);
        file.is_some_and(|file| own.contains(&file))
    };
    let known = sources.iter().map(|source| &*source.path).collect();
    Ok(Memory {
        key: order.key,
        taken: order.began,
        kinds: remember(graph, kinds, types, &sources).ok_or("a file of a kind is not known")?,
        accepted: accepted(graph, &outlines, &sources).ok_or("a file of a module is not known")?,
        undeclared: in_words(&graph.undeclared(&known)),
        is_fixed: findings.len() > of_files || !findings.iter().all(is_own),
        findings,
        outlines,
        sources,
    })
}

/// Describes files that no `mod` item names, so that they can be compared.
fn in_words(files: &[UndeclaredFile]) -> Vec<String> {
    let files = files.iter();
    files
        .map(|file| {
            let UndeclaredFile {
                span,
                kinds,
                shown,
                module,
                parent,
            } = file;
            format!(
                "{shown} {module} {parent:?} {kinds:?} {}-{}",
                span.start, span.end
            )
        })
        .collect()
}

/// Reads and builds only the kinds that changed since `memory`. Returns `None`, and reports nothing, if these cannot be
/// separated from the rest.
pub fn again(
    order: Order<'_>,
    memory: Memory,
    output: &Path,
    texts: &Sources,
    sink: &mut Sink,
) -> Option<Built> {
    let survey = memory.survey(output)?;
    for path in changed(&memory, &survey) {
        terminal::detail(format_args!("{} changed since", path.display()));
    }
    let mut found = Sink::default();
    let disk = order.files();
    let graph = kinds::graph(order.setup, &disk, texts, &mut found)?;
    graph.recall(&order.setup.packages, &memory.outlines);
    let files = memory.sources.iter().map(|source| &*source.path).collect();
    let is_edited = survey.sources.iter().any(Option::is_none);
    if (memory.is_fixed && is_edited) || in_words(&graph.undeclared(&files)) != memory.undeclared {
        return None;
    }
    let root = &order.setup.workspace.root;
    let record = |finding: &Diagnostic| CachedDiagnostic::record(finding, root, texts);
    let is_known =
        |finding: &Diagnostic| record(finding).is_some_and(|it| memory.findings.contains(&it));
    let (stale, types) = stale(&memory, &survey, &graph)?;
    let looked_at = accepted_again(&memory, &survey, &graph)?;
    let of_files = graph.take_findings().into_diagnostics();
    let of_files: Option<Vec<_>> = of_files.iter().map(record).collect();
    if !warns_the_same(&memory, &survey, &of_files?, root) {
        return None;
    }
    let overrides = &order.setup.overrides;
    let (mut drafts, idle) = lower::drafts_of(&graph, &types, overrides, &mut found);
    if !types.is_empty() && !idle.is_empty() {
        // Whether another kind needs it depends on all of them together.
        return None;
    }
    stated::apply(&order.setup.config, &mut drafts);
    let made = channel::group(drafts, &mut found);
    channel::check_each(&made, &order.setup.config, true, &mut found);
    let groups = memory.kinds.iter().map(|kind| kind.group.as_str().into());
    let stamp = setup::stamp(order.setup, groups.collect(), &mut found)?;
    channel::check_stamp(&stamp, &made, &order.setup.config.channels, &mut found);
    if !found.diagnostics().iter().all(is_known) || !look_the_same(&stale, &made) {
        return None;
    }
    let mut found = Sink::default();
    let workspace = &order.setup.workspace;
    let cut = |kind: &Kind| cut::help(kind, workspace, &graph, texts);
    let projection = order.under(&stamp);
    let published = publish(projection, &made, order.options(texts, &cut), &mut found);
    // Other kinds may need what these do not.
    if found.has_errors() || !unused_allowances(projection, &published, &found).is_empty() {
        return None;
    }
    let seen = memory.sources.iter().zip(&survey.sources);
    let seen = seen.map(|(source, now)| Source {
        fingerprint: now.unwrap_or(source.fingerprint),
        ..source.clone()
    });
    let sources = add_read(seen.collect(), &graph)?;
    for cached in &memory.findings {
        found.push(cached.replay(root, texts)?);
    }
    let anew = remember(&graph, &made, &types, &sources)?;
    let mut built = Built::default();
    let mut remembered = Vec::with_capacity(memory.kinds.len());
    let mut anew = anew.into_iter().zip(published);
    let kinds = memory.kinds.into_iter().zip(survey.kinds);
    for (place, (kind, files)) in kinds.enumerate() {
        let Some(files) = files else {
            let (kind, made) = anew.next()?;
            remembered.push(kind);
            built.made.push((place, made));
            continue;
        };
        for cached in kind.diagnostics.iter().flatten() {
            found.push(cached.replay(root, texts)?);
        }
        remembered.push(Remembered { files, ..kind });
    }
    let words: Vec<Words> = remembered.iter().map(|kind| kind.words.clone()).collect();
    built.constants = constants::file(&order.setup.config, &stamp, &words);
    let places = places(&sources);
    let mut accepted = memory.accepted;
    for file in accepted
        .iter_mut()
        .filter(|file| looked_at.contains(&file.module))
    {
        file.sources = sources_of(&graph, &file.module, &places)?;
    }
    built.memory = Some(Memory {
        key: order.key,
        taken: order.began,
        accepted,
        undeclared: memory.undeclared,
        findings: memory.findings,
        is_fixed: memory.is_fixed,
        sources,
        outlines: memory.outlines,
        kinds: remembered,
    });
    sink.append(found);
    Some(built)
}

/// Returns true if changed files are warned about as before, and no file in another way.
fn warns_the_same(memory: &Memory, survey: &Survey, now: &[CachedDiagnostic], root: &Path) -> bool {
    let changed = changed(memory, survey);
    let is_settled = |finding: &CachedDiagnostic| {
        let file = finding.path(root);
        !file.is_some_and(|file| changed.contains(&file)) || now.contains(finding)
    };
    now.iter().all(|finding| memory.findings.contains(finding))
        && memory.findings.iter().all(is_settled)
}

/// Returns the files that changed since.
fn changed<'m>(memory: &'m Memory, survey: &Survey) -> BTreeSet<&'m PathBuf> {
    let sources = memory.sources.iter().zip(&survey.sources);
    sources
        .filter_map(|(source, now)| now.is_none().then_some(&source.path))
        .collect()
}

/// Returns the kinds to rebuild, and the types of their versions. Returns `None` if a change to a file also affects other
/// kinds.
fn stale<'m>(
    memory: &'m Memory,
    survey: &Survey,
    graph: &Graph<'_>,
) -> Option<(Vec<&'m Remembered>, Vec<TypeRef>)> {
    let kinds = memory.kinds.iter().zip(&survey.kinds);
    let stale: Vec<&Remembered> = kinds
        .filter_map(|(kind, files)| files.is_none().then_some(kind))
        .collect();
    let behind: BTreeSet<_> = stale.iter().flat_map(|kind| &kind.sources).collect();
    let behind = behind
        .into_iter()
        .filter_map(|place| memory.sources.get(*place));
    let mut behind: Vec<&Source> = behind.collect();
    // Longest file first: if a thread started with it last, all others would idle.
    behind.sort_by_key(|source| Reverse(source.fingerprint.length()));
    let modules: Vec<&str> = behind.iter().map(|source| &*source.module).collect();
    graph.load_ahead(&modules);

    let same = |outline: &Outline| {
        let now = graph.outline_of(&outline.module);
        now.is_some_and(|now| now == *outline)
    };
    let outlines = memory.outlines.iter().zip(&memory.accepted);
    let mut affected = outlines.filter(|(_, file)| survey.affects(file));
    if !affected.all(|(outline, _)| same(outline)) {
        return None;
    }
    let types = stale.iter().flat_map(|kind| &kind.types);
    let types = types.map(|name| graph.type_called(name));
    let types = types.collect::<Option<_>>()?;
    Some((stale, types))
}

/// Returns the files of the walked crates, in which rustc refuses nothing, with what that depends on.
fn accepted(graph: &Graph<'_>, outlines: &[Outline], sources: &[Source]) -> Option<Vec<Accepted>> {
    let places = places(sources);
    let of = |outline: &Outline| {
        Some(Accepted {
            module: outline.module.clone(),
            sources: sources_of(graph, &outline.module, &places)?,
        })
    };
    outlines.iter().map(of).collect()
}

fn sources_of(
    graph: &Graph<'_>,
    module: &str,
    places: &HashMap<PathBuf, usize>,
) -> Option<Vec<usize>> {
    let files = graph.files_asked(module)?;
    files.iter().map(|file| places.get(file).copied()).collect()
}

/// Looks again into the files in which rustc may now refuse something, and returns their modules. Returns `None` if it does.
fn accepted_again(memory: &Memory, survey: &Survey, graph: &Graph<'_>) -> Option<BTreeSet<String>> {
    let affected = memory.accepted.iter().filter(|file| survey.affects(file));
    let look = |file: &Accepted| {
        let refused = graph.refused_in_file(&file.module)?;
        refused.is_empty().then(|| file.module.clone())
    };
    affected.map(look).collect()
}

/// Returns true if the rest of the bundle sees the same of each kind as before.
fn look_the_same(before: &[&Remembered], now: &[Kind]) -> bool {
    before.len() == now.len()
        && before.iter().zip(now).all(|(before, now)| {
            *before.group == *now.group
                && *before.kind == *now.kind
                && before.interface_key == channel::interface_key(now)
        })
}

/// Adds the files that a graph has read. Returns `None` if one of them no longer exists.
fn add_read(mut known: Vec<Source>, graph: &Graph<'_>) -> Option<Vec<Source>> {
    let places = places(&known);
    let mut added = Vec::new();
    for (path, read) in graph.files_read() {
        let FileRead {
            module,
            digest,
            included,
        } = read;
        let source = Source {
            fingerprint: Fingerprint::of(&path, digest).ok()?,
            module: module.to_string(),
            included,
            path,
        };
        match places.get(&source.path) {
            Some(place) => *known.get_mut(*place)? = source,
            None => added.push(source),
        }
    }
    known.extend(added);
    Some(known)
}

/// Returns what to remember of the kinds with these types, without their files.
fn remember(
    graph: &Graph<'_>,
    kinds: &[Kind],
    types: &[TypeRef],
    sources: &[Source],
) -> Option<Vec<Remembered>> {
    let places = places(sources);
    // A macro may make several versions from one definition, each in a module of its own.
    let by_place: HashMap<_, _> = types
        .iter()
        .map(|ty| ((ty.def.span, graph.module_path(ty.module)), ty))
        .collect();
    let of = |kind: &Kind| {
        let versions = kind.versions.iter();
        let types: Vec<&TypeRef> = versions
            .map(|draft| by_place.get(&(draft.span, draft.module.clone())).copied())
            .collect::<Option<_>>()?;
        let mut behind = BTreeSet::new();
        for ty in &types {
            for file in graph.files_behind(ty)? {
                behind.insert(*places.get(&file)?);
            }
        }
        Some(Remembered {
            group: kind.group.to_string(),
            kind: kind.kind.to_string(),
            interface_key: channel::interface_key(kind),
            words: channel::words(kind),
            types: types.into_iter().map(|ty| graph.name_of(ty)).collect(),
            sources: behind.into_iter().collect(),
            files: Vec::new(),
            diagnostics: None,
        })
    };
    kinds.iter().map(of).collect()
}

fn places(sources: &[Source]) -> HashMap<PathBuf, usize> {
    let paths = sources.iter().map(|source| source.path.clone());
    paths.zip(0..).collect()
}

impl Built {
    /// Returns how many kinds were built now, and how many there are.
    pub fn shares(&self) -> (usize, usize) {
        let all = self.memory.as_ref().map(|memory| memory.kinds.len());
        (self.made.len(), all.unwrap_or(self.made.len()))
    }

    /// Returns the files that are unchanged since an earlier run, with paths below the output folder.
    pub fn unchanged_files(&self) -> impl Iterator<Item = &Written> {
        let kinds = self.memory.iter().flat_map(|memory| &memory.kinds);
        kinds.flat_map(|kind| &kind.files)
    }

    /// Takes the texts that were built, by path below the output folder, including the list of each channel's files.
    pub fn take_texts(&mut self, channels: &[&Channel]) -> BTreeMap<String, String> {
        let mut texts = BTreeMap::new();
        for channel in channels {
            let made = self.made.iter().flat_map(|(_, made)| &made.files);
            let made = made.filter(|file| *file.channel == *channel.name);
            let kept = self
                .unchanged_files()
                .filter(|file| *file.channel == *channel.name);
            let paths = made.map(|file| &*file.path);
            let paths = paths.chain(kept.map(|file| &*file.path));
            texts.extend([layout::kustomization(&channel.name, paths)]);
        }
        for (_, made) in &mut self.made {
            for file in &mut made.files {
                texts.insert(file.path.clone(), std::mem::take(&mut file.text));
            }
        }
        texts
    }

    /// Returns the memory for the next run, once all files are written below `output`. `more` are warnings that were found
    /// with the CRDs.
    pub fn into_memory(
        self,
        output: &Path,
        more: &[Diagnostic],
        root: &Path,
        texts: &Sources,
    ) -> Option<Memory> {
        let mut memory = self.memory?;
        for finding in more {
            let cached = CachedDiagnostic::record(finding, root, texts)?;
            if !memory.findings.contains(&cached) {
                memory.findings.push(cached);
            }
            memory.is_fixed = true;
        }
        for (place, made) in self.made {
            let kind = memory.kinds.get_mut(place)?;
            kind.diagnostics = made.diagnostics;
            for file in made.files {
                let fingerprint = Fingerprint::of(&output.join(&file.path), file.digest).ok()?;
                kind.files.push(Written {
                    channel: file.channel,
                    path: file.path,
                    fingerprint,
                });
            }
        }
        Some(memory)
    }
}
