//! Examples of objects, which `gen-crds` validates against the CRDs that it makes.

mod crds;
mod validate;
mod memory;
mod page;
mod place;
mod read;

pub use crds::Crds;
pub use memory::Memory;
pub use read::Example;

use crate::type_meta::TypeMeta;
use crd_channels_diagnostics::{Code, Diagnostic, Severity, Sink, Sources};
use crd_channels_generator::pipeline::Setup;
use crd_channels_validation::path::FieldPath;
use crds::ChannelValidator;
use place::{ExampleFolder, Expectation};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use read::Object;
use serde_json::Value;
use std::collections::BTreeSet;
use validate::{Fault, Sentence};

/// Validates the examples of a workspace. Returns the page that shows them, if one is configured: its path below the workspace
/// and its text.
pub fn check(
    setup: &Setup,
    crds: Crds<'_>,
    sources: &Sources,
    sink: &mut Sink,
) -> Option<(String, String)> {
    let examples = examples(setup, sources, sink)?;
    let objects = examples.iter().flat_map(|example| &example.objects);
    let named: BTreeSet<TypeMeta<'_>> = objects.map(|object| TypeMeta::of(&object.value)).collect();
    let files = crds.files(&named);
    let known = crds
        .memory
        .map(|memory| (memory, memory.digest(&examples, &files)));
    if !known.is_some_and(|(memory, digest)| memory.knows(digest)) {
        let documents = crds.documents(&files);
        let trial = Trial {
            validators: crds::validators(&documents, &named),
            made: crds.channels,
            all: setup.config.channels.len(),
            folder: setup.config.bundle.examples_folder(),
        };
        let found = trial.of_all(&examples);
        if let Some((memory, digest)) = known.filter(|_| found.is_empty()) {
            memory.keep(digest);
        }
        found.into_iter().for_each(|finding| sink.push(finding));
    }
    page::file(setup, &examples, sink)
}

/// Reads the examples of a workspace. `None` if the configured folder does not exist.
fn examples(setup: &Setup, sources: &Sources, sink: &mut Sink) -> Option<Vec<Example>> {
    let bundle = &setup.config.bundle;
    let shown = bundle.examples_folder();
    let folder = setup.workspace.root.join(shown);
    if let Some(configured) = bundle.examples.as_ref().filter(|_| !folder.is_dir()) {
        let message = format!("`{shown}` is not a folder");
        let finding = Diagnostic::new(Code::ConfigInvalid, configured.span, message);
        sink.push(finding.with_help("name the folder of the examples, or remove the key"));
        return None;
    }
    let channels = setup.config.channels.iter();
    let channels: Vec<&str> = channels.map(|channel| &*channel.name).collect();
    Some(read::examples(&folder, shown, &channels, sources, sink))
}

/// An example to try on a server.
#[derive(Clone, Debug)]
pub struct ServerExample {
    /// Its path below the folder of examples.
    pub path: String,
    /// The only channel that it applies to; `None` for all.
    pub channel: Option<String>,
    /// Whether a server should accept it.
    pub is_accepted: bool,
    /// The object.
    pub object: Value,
    /// The object before an update.
    pub old: Option<Value>,
}

/// Returns the examples to try on a server. `None` if the configured folder does not exist.
pub fn server_examples(
    setup: &Setup,
    sources: &Sources,
    sink: &mut Sink,
) -> Option<Vec<ServerExample>> {
    let of = |example: Example| {
        let Example {
            place, path, old, ..
        } = example;
        let old = old.map(|(_, old)| old.value);
        let objects = example.objects.into_iter();
        objects.map(move |object| ServerExample {
            path: path.clone(),
            channel: place.channel.clone(),
            is_accepted: place.fate == Expectation::Accepted,
            object: object.value,
            old: old.clone(),
        })
    };
    let examples = examples(setup, sources, sink)?.into_iter();
    Some(examples.flat_map(of).collect())
}

/// Returns the examples that servers accept, in the order of their paths.
pub fn accepted_examples(setup: &Setup, sources: &Sources, sink: &mut Sink) -> Vec<Example> {
    let mut examples = examples(setup, sources, sink).unwrap_or_default();
    examples.retain(|example| example.place.fate == Expectation::Accepted);
    examples
}

/// The context for validating examples.
struct Trial<'c> {
    validators: Vec<ChannelValidator<'c>>,
    /// The channels whose CRDs were generated.
    made: &'c [&'c str],
    /// The number of all channels.
    all: usize,
    /// The folder of all examples.
    folder: &'c str,
}

impl Trial<'_> {
    /// Returns the faults of examples, in their order.
    fn of_all(&self, examples: &[Example]) -> Vec<Diagnostic> {
        let objects = examples.par_iter().flat_map_iter(|example| {
            let objects = example.objects.iter();
            objects.map(move |object| (example, object))
        });
        let found =
            objects.flat_map_iter(|(example, object)| self.faults_of_object(example, object));
        found.collect()
    }

    /// Returns the faults of an object.
    fn faults_of_object(&self, example: &Example, object: &Object) -> Vec<Diagnostic> {
        let (place, named) = (&example.place, TypeMeta::of(&object.value));
        let all: Vec<&ChannelValidator<'_>> = self
            .validators
            .iter()
            .filter(|in_channel| in_channel.named == named)
            .collect();
        let speaks_of = |in_channel: &&&ChannelValidator<'_>| match &place.channel {
            Some(channel) => in_channel.channel == channel,
            None => true,
        };
        let validators: Vec<&ChannelValidator<'_>> =
            all.iter().filter(speaks_of).copied().collect();
        if validators.is_empty() {
            let unknown = self
                .is_made(place)
                .then(|| self.unknown_kind(place, object, &all));
            return unknown.into_iter().collect();
        }
        let is_its = |in_channel: &&ChannelValidator<'_>| place.kind == in_channel.crd;
        if place.kind != named.kind.to_lowercase() && !validators.iter().any(is_its) {
            return vec![self.misplaced(place, object)];
        }
        let found = found(&validators, example, object);
        let is_content = |in_channel: &&&ChannelValidator<'_>| {
            let mut channels = found.iter().flat_map(|(_, channels)| channels);
            !channels.any(|channel| *channel == in_channel.channel)
        };
        let content = validators.iter().find(is_content);
        let finding = |(fault, channels): &(Fault, Vec<&str>)| {
            let other = match fault.code {
                // Other channels may find other unknown fields.
                Code::ExampleUnknownField => validators
                    .iter()
                    .find(|in_channel| !channels.contains(&in_channel.channel)),
                _ => content,
            };
            let alone = other.map(|in_channel| self.alone(place, in_channel.channel));
            let finding = Diagnostic::new(fault.code, fault.span, fault.sentence.format(channels));
            let help = match alone.filter(|_| finding.severity() == Severity::Error) {
                Some(alone) if fault.code == Code::ExampleRefused => {
                    format!("{}; {alone}", fault.help)
                }
                Some(alone) => alone,
                None => fault.help.clone(),
            };
            finding.with_help(help)
        };
        found.iter().map(finding).collect()
    }

    /// Whether the CRDs of all channels that an example applies to were generated.
    fn is_made(&self, place: &ExampleFolder) -> bool {
        match &place.channel {
            Some(channel) => self.made.contains(&channel.as_str()),
            None => self.made.len() == self.all,
        }
    }

    fn unknown_kind(
        &self,
        place: &ExampleFolder,
        object: &Object,
        elsewhere: &[&ChannelValidator<'_>],
    ) -> Diagnostic {
        let TypeMeta { api_version, kind } = TypeMeta::of(&object.value);
        let who = match &place.channel {
            Some(channel) => format!("`{channel}` does not serve"),
            None => "no channel serves".to_owned(),
        };
        let message = format!("{who} `{kind}` of `{api_version}`");
        let span = object.span(&FieldPath::default().child("kind"));
        let finding = Diagnostic::new(Code::ExampleUnknownKind, span, message);
        finding.with_help(match elsewhere.first() {
            Some(in_channel) => self.alone(place, in_channel.channel),
            None => "correct `apiVersion` and `kind`, or remove the example".to_owned(),
        })
    }

    /// The diagnostic for an object in the folder of another kind.
    fn misplaced(&self, place: &ExampleFolder, object: &Object) -> Diagnostic {
        let kind = TypeMeta::of(&object.value).kind;
        let message = format!("`{kind}` is not the kind of `{}`", place.kind);
        let own = ExampleFolder {
            kind: kind.to_lowercase(),
            ..place.clone()
        };
        let finding = Diagnostic::new(
            Code::ExampleMisplaced,
            object.span(&FieldPath::default().child("kind")),
            message,
        );
        finding.with_help(format!("move it to `{}/{}`", self.folder, own.folder()))
    }

    /// The help if only this channel meets the expectation.
    fn alone(&self, place: &ExampleFolder, channel: &str) -> String {
        let own = place.in_channel(channel).folder();
        format!(
            "if it is for `{channel}` alone, move it to `{}/{own}`",
            self.folder
        )
    }
}

/// Returns the faults of an object, with the channels that find them.
fn found<'c>(
    validators: &[&ChannelValidator<'c>],
    example: &Example,
    object: &Object,
) -> Vec<(Fault, Vec<&'c str>)> {
    let old = example.old.as_ref().map(|(_, old)| old);
    let mut found: Vec<(Fault, Vec<&str>)> = Vec::new();
    for in_channel in validators {
        let faults = match &in_channel.validator {
            Ok(validator) => validate::faults(object, old, example.place.fate, validator),
            Err(why) => vec![unvalidated(object, in_channel.channel, &why.to_string())],
        };
        for fault in faults {
            match found.iter_mut().find(|(known, _)| known.is_same(&fault)) {
                Some((_, channels)) => channels.push(in_channel.channel),
                None => found.push((fault, vec![in_channel.channel])),
            }
        }
    }
    found
}

fn unvalidated(object: &Object, channel: &str, why: &str) -> Fault {
    Fault {
        code: Code::ExampleNotEvaluated,
        span: object.span(&FieldPath::default()),
        sentence: Sentence::Plain(format!(
            "the CRD of `{channel}` cannot validate objects: {why}"
        )),
        help: "correct the CRD; `crd-channels check` reports its errors".to_owned(),
    }
}
