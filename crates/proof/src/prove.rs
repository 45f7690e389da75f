//! Compiles the types, and compares every fact of their CRDs with what is read from source.

use crate::compiled::{self, Shown};
use crate::documented::{self, Pair, by_id};
use crate::facts::{by_version, compare, cut_short, display_path};
use crate::fill::{self, HoleSighting};
use crate::plain;
use crate::records;
use crd_channels_diagnostics::{Code, Diagnostic, Severity, Sink, Sources};
use crd_channels_files::Read;
use crd_channels_generator::pipeline::recorded::{self, Entry};
use crd_channels_generator::pipeline::{
    Hole, Overrides, Records, Setup, crd_of, drafts_with_holes, exclusions, graph, no_kinds,
    place_of,
};
use crd_channels_projection::channel::config::Channel;
use crd_channels_projection::channel::{Kind, Run, Stamp};
use crd_channels_projection::render::{Cache, Convention};
use crd_channels_schema::Crd;
use crd_channels_schema::draft::Draft;
use crd_channels_source::{Graph, TypeRef};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The options of a proof.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// Whether to fill holes.
    pub record: bool,
    /// Additional arguments for cargo.
    pub arguments: &'a [String],
}

/// The result of a proof.
#[derive(Clone, Debug, Default)]
pub struct Proof {
    /// The number of kinds that were compared.
    pub kinds: usize,
    /// The number of equal facts.
    pub equal: usize,
    /// The number of facts.
    pub facts: usize,
    /// The number of facts that differ for a documented reason.
    pub meant: usize,
    /// The documented differences, by the ids of their rows, with their paths.
    pub documented: BTreeMap<&'static str, Vec<String>>,
    /// The number of holes filled by valid records.
    pub holding: usize,
    /// The number of holes without a record.
    pub open: usize,
    /// The entries to record, if requested.
    pub recorded: Option<Vec<Entry>>,
}

/// A kind on both sides.
struct Side<'a> {
    ty: &'a TypeRef,
    /// Its name and version, for messages.
    name: String,
    draft: Draft,
    kind: Kind,
    crd: Crd,
    read: Value,
    compiled: Value,
}

/// Reads, compiles and compares all kinds. Reports and returns `None` if that is impossible.
pub fn prove(
    setup: &Setup,
    options: Options<'_>,
    files: &dyn Read,
    sources: &Sources,
    sink: &mut Sink,
) -> Option<Proof> {
    let mut setup = setup.clone();
    // Whatever the bundle's convention is; settings of kinds are not part of source.
    setup.config.bundle.convention = Convention::OF_COMPILED;
    let setup = &setup;
    let graph = graph(setup, files, sources, sink)?;
    graph.load(&setup.packages, sink);
    exclusions(&setup.config, &graph, sink);
    let types = graph.kinds();
    if types.is_empty() {
        sink.append(graph.take_findings());
        sink.push(no_kinds(setup, &graph));
        return None;
    }
    let compiled = match compiled::compile_all(setup, &graph, &types, options.arguments) {
        Ok(compiled) => compiled,
        Err(finding) => {
            sink.push(*finding);
            return None;
        }
    };
    let mut proof = Proof::default();
    let run = Proving {
        setup,
        graph: &graph,
        types: &types,
        compiled: &compiled,
    };
    let mut unsaid = Sink::default();
    let (sides, holes) = run.sides(&Records::default(), &mut proof, &mut unsaid);
    let mut sights: Vec<HoleSighting> = Vec::new();
    for side in &sides {
        sights.extend(fill::sights(&side.read, &side.compiled));
    }
    let holes = distinct(holes);
    let answers = fill::answers(&sights);
    let entries = match options.record {
        true => records::entries(setup, &holes, &answers, files, sink),
        false => {
            let (entries, holding) = records::holding(setup, &holes, &answers, sink);
            proof.holding = holding;
            entries
        }
    };
    let (sides, open) = if entries.is_empty() {
        sink.append(unsaid);
        (sides, holes)
    } else {
        proof.documented.clear();
        let (sides, open) = run.sides(&recorded::records(&entries), &mut proof, sink);
        (sides, distinct(open))
    };
    let before = sink.diagnostics().len();
    for side in sides {
        run.compare(side, &mut proof, sink);
    }
    let compared = sink.diagnostics().iter().skip(before);
    let differs = compared
        .clone()
        .any(|finding| finding.code == Code::ProofDiffers);
    // Records would let the next run write what was just found wrong.
    if options.record && !differs {
        proof.holding = entries.len();
        proof.recorded = Some(entries);
    }
    if options.record {
        // One that is part of another hole has no place either, but the record of that one closes it.
        let named = |hole: &&Hole| answers.contains_key(&(hole.missing, hole.place.to_string()));
        for hole in open.iter().filter(|hole| !named(hole)) {
            let is_it = |finding: &Diagnostic| {
                finding.code == Code::RecordGated && finding.span == Some(hole.span)
            };
            if !sink.diagnostics().iter().any(is_it) {
                sink.push(records::unfilled(hole, fill::NO_PLACE));
            }
        }
    }
    proof.open = open.len();
    if !options.record {
        let why = open.into_iter().flat_map(|hole| hole.findings);
        why.for_each(|finding| sink.push(finding));
    }
    Some(proof)
}

fn distinct(holes: Vec<Hole>) -> Vec<Hole> {
    let mut seen = BTreeSet::new();
    let mut holes = holes;
    holes.retain(|hole| seen.insert((hole.missing, hole.place.clone())));
    holes.sort_by(|one, other| (&one.place, one.missing).cmp(&(&other.place, other.missing)));
    holes
}

/// The input that all steps share.
struct Proving<'a> {
    setup: &'a Setup,
    graph: &'a Graph<'a>,
    types: &'a [TypeRef],
    compiled: &'a [Shown],
}

impl<'a> Proving<'a> {
    /// Returns every kind that exists on both sides, with its holes. Reports the others.
    fn sides(
        &self,
        records: &Records,
        proof: &mut Proof,
        sink: &mut Sink,
    ) -> (Vec<Side<'a>>, Vec<Hole>) {
        let overrides = Overrides {
            records: records.clone(),
            ..self.setup.overrides.clone()
        };
        let before = sink.diagnostics().len();
        let (drafts, holes) = drafts_with_holes(self.graph, self.types, &overrides, sink);
        let disabled: Vec<_> = sink
            .diagnostics()
            .iter()
            .skip(before)
            .filter(|finding| finding.code == Code::SchemaDisabled)
            .filter_map(|finding| finding.span)
            .collect();
        let mut sides = Vec::new();
        for ((ty, draft), shown) in self.types.iter().zip(drafts).zip(self.compiled) {
            let kube = ty.def.attrs.kube.as_ref();
            let place = self.graph.name_of(ty);
            let place = format!("{}::{}", place.module, place.name);
            if kube.is_some_and(|kube| disabled.contains(&kube.span)) {
                document(proof, "no-schema", place);
                continue;
            }
            let compiled = match shown {
                Shown::Crd(crd) => crd,
                Shown::Panic(words) => {
                    match documented::of_panic(words) {
                        Some(row) => document(proof, row.id, place),
                        None => {
                            let message = format!("`crd()` of `{place}` panics: {words}");
                            let finding = Diagnostic::new(Code::ProofDiffers, ty.def.span, message);
                            sink.push(finding.with_help("fix the cause of the panic"));
                        }
                    }
                    continue;
                }
                Shown::Not(why) => {
                    let message = format!("`{place}` is not compared: {why}");
                    let finding = Diagnostic::new(Code::ProofIncomplete, ty.def.span, message);
                    sink.push(finding.with_help(
                        "move the type to where its crate can name it, or leave it out with `exclude` in `channels/bundle.toml`",
                    ));
                    continue;
                }
            };
            let Some(draft) = draft else {
                let message = format!("`{place}` is not compared: it cannot be read");
                let finding = Diagnostic::new(Code::ProofIncomplete, ty.def.span, message);
                sink.push(finding.with_help("fix the errors that are reported for it"));
                continue;
            };
            let plain = plain::as_kube_sees(&draft, &ty.def.attrs);
            let kind = Kind {
                group: plain.group.clone(),
                kind: plain.kind.clone(),
                versions: vec![plain],
                crds: None,
            };
            let Some((crd, read)) = self.project(&kind, &every(self.setup), sink) else {
                continue;
            };
            let compiled = by_version(compiled).into_iter().next();
            sides.push(Side {
                ty,
                name: format!("`{}` {}", draft.crd_name(), draft.version),
                draft,
                kind,
                crd,
                read,
                compiled: compiled.map(|(_, crd)| crd).unwrap_or_default(),
            });
        }
        (sides, holes)
    }

    /// Returns the CRD of a kind with one version in a channel, also as JSON.
    fn project(&self, kind: &Kind, channel: &Channel, sink: &mut Sink) -> Option<(Crd, Value)> {
        let stamp = Stamp {
            version: "0.0.0".into(),
            prefix: kind.group.clone(),
        };
        let cache = Cache::default();
        let run = Run {
            config: &self.setup.config,
            stamp: &stamp,
            cache: &cache,
        };
        let crd = crd_of(kind, channel, run, sink)?;
        let json = serde_json::to_value(&crd).ok()?;
        let (_, read) = by_version(&json).into_iter().next()?;
        Some((crd, read))
    }

    /// Compares one kind.
    fn compare(&self, side: Side<'_>, proof: &mut Proof, sink: &mut Sink) {
        let Side {
            ty,
            name,
            draft,
            kind,
            crd,
            mut read,
            mut compiled,
        } = side;
        let sights = fill::sights(&read, &compiled);
        fill::remove_holes(&sights, &mut read, &mut compiled);
        proof.kinds += 1;
        let compared = compare(Some(&read), Some(&compiled));
        proof.equal += compared.equal;
        proof.facts += compared.equal + compared.differences.len();
        let versions = compiled::versions(self.graph, ty);
        let pair = Pair::new(&read, &compiled, &versions);
        for difference in &compared.differences {
            let place = display_path(&difference.way);
            if let Some(row) = pair.row(difference) {
                proof.meant += 1;
                document(proof, row.id, format!("{name} {place}"));
                continue;
            }
            let span = place_of(&crd, &kind, &difference.way);
            let message = format!(
                "{name} differs at `{place}`: {} is read, {} is compiled",
                cut_short(difference.read.as_ref()),
                cut_short(difference.compiled.as_ref()),
            );
            let finding = Diagnostic::new(Code::ProofDiffers, span, message);
            sink.push(finding.with_help(self.way_out()));
        }
        self.compare_with_ours(&draft, &name, read, proof);
    }

    /// Compares what a channel with every feature adds to what kube sees of the types.
    fn compare_with_ours(&self, draft: &Draft, name: &str, mut plain: Value, proof: &mut Proof) {
        let kind = Kind {
            group: draft.group.clone(),
            kind: draft.kind.clone(),
            versions: vec![draft.clone()],
            crds: None,
        };
        let mut unsaid = Sink::default();
        let Some((_, mut ours)) = self.project(&kind, &every(self.setup), &mut unsaid) else {
            return;
        };
        let sights = fill::sights(&ours, &plain);
        fill::remove_holes(&sights, &mut ours, &mut plain);
        for difference in compare(Some(&ours), Some(&plain)).differences {
            let place = display_path(&difference.way);
            let id = match place.ends_with(".deprecationWarning") {
                true => "deprecation-warning",
                false => "own-attributes",
            };
            document(proof, id, format!("{name} {place}"));
        }
    }

    fn way_out(&self) -> String {
        let stated = &self.setup.overrides;
        let mut paths = stated.schemas.keys().chain(stated.values.keys());
        match paths.next() {
            Some(path) => format!(
                "check whether `[schemas]` or `[values]` in `channels/bundle.toml`, which refer to `{path}`, still match the program; otherwise report a bug in this tool, with the line"
            ),
            None => "report a bug in this tool, with the line".to_owned(),
        }
    }
}

fn document(proof: &mut Proof, id: &str, place: String) {
    if let Some(row) = by_id(id) {
        proof.documented.entry(row.id).or_default().push(place);
    }
}

/// Returns a channel with every feature.
fn every(setup: &Setup) -> Channel {
    Channel::every(&setup.config.features)
}

/// Returns true if no finding invalidates the proof.
#[must_use]
pub fn is_proven(findings: &[Diagnostic]) -> bool {
    !findings
        .iter()
        .any(|finding| finding.severity() == Severity::Error)
}
