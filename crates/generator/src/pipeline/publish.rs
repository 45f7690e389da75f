//! Writes kinds to the texts of their files.

use super::cached_diagnostics::CachedDiagnostic;
use super::crds::{self, Projection};
use super::setup::Setup;
use super::verdicts::{self, Allowances};
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Sources, nearest};
use crd_channels_files::digest;
use crd_channels_projection::bundle::layout;
use crd_channels_projection::bundle::sizes::{self, Size};
use crd_channels_projection::channel::config::Channel;
use crd_channels_projection::channel::{Kind, pruned};
use crd_channels_schema::{Conversion, Crd};

/// The result for one kind.
#[derive(Debug)]
pub struct Published {
    /// Its file in each channel that has it.
    pub files: Vec<File>,
    /// The diagnostics about it. `None` if they cannot be cached.
    pub diagnostics: Option<Vec<CachedDiagnostic>>,
    /// The lints that its source allows.
    pub allowances: Allowances,
}

/// The file of one CRD.
#[derive(Debug)]
pub struct File {
    /// The channel.
    pub channel: String,
    /// Its path below the output folder.
    pub path: String,
    /// Its content.
    pub text: String,
    /// The digest of the text.
    pub digest: u64,
    /// The size of the CRD, if requested.
    pub size: Option<Size>,
    /// The CRD itself, if it has several versions without a conversion.
    pub versions: Option<Crd>,
}

/// Returns the channels that `wanted` names, or all if it is empty. Reports an unknown channel and returns `None`.
pub fn channels<'s>(
    setup: &'s Setup,
    wanted: &[String],
    sink: &mut Sink,
) -> Option<Vec<&'s Channel>> {
    let all = &setup.config.channels;
    let named = |name: &String| all.iter().find(|known| *known.name == **name);
    for name in wanted.iter().filter(|name| named(name).is_none()) {
        let names = || all.iter().map(|channel| &*channel.name);
        let help = match nearest(name, names()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("available: {}", names().collect::<Vec<_>>().join(", ")),
        };
        let message = format!("unknown channel `{name}`");
        sink.push(Diagnostic::new(Code::ConfigInvalid, None, message).with_help(help));
    }
    if wanted.is_empty() {
        return Some(all.iter().collect());
    }
    wanted.iter().all(|name| named(name).is_some()).then(|| {
        let is_wanted = |channel: &&Channel| wanted.iter().any(|name| **name == *channel.name);
        all.iter().filter(is_wanted).collect()
    })
}

/// Options of publishing: what to produce for each CRD besides its text.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Whether to measure its size.
    pub measure: bool,
    /// The texts that findings point into.
    pub sources: &'a Sources,
    /// The help for kinds that are too large.
    pub cut: Cut<'a>,
}

impl<'a> Options<'a> {
    /// Produces only texts.
    #[must_use]
    pub fn texts(sources: &'a Sources) -> Self {
        Self {
            measure: false,
            sources,
            cut: &|_| None,
        }
    }
}

/// Returns help for a kind that is too large, as the beginning of a sentence.
pub type Cut<'a> = &'a (dyn Fn(&Kind) -> Option<String> + Sync);

/// Writes the files of every kind, in parallel; findings are reported in the order of kinds.
pub fn publish(
    projection: Projection<'_>,
    kinds: &[Kind],
    options: Options<'_>,
    sink: &mut Sink,
) -> Vec<Published> {
    let validates = !sink.has_errors();
    let config = &projection.setup.config.bundle;
    let published = crds::each(projection, kinds, |crd, kind, channel, found| {
        let mut made = InChannel::default();
        if validates && !found.has_errors() {
            let refused = &mut made.refused;
            made.allowances =
                verdicts::validate_and_lint(&crd, kind, channel, config, options.sources, refused);
        }
        made.file = file(crd, kind, channel, options, found);
        made
    });
    let root = &projection.setup.workspace.root;
    let record = |found: &Sink| {
        let findings = found.diagnostics().iter();
        findings
            .map(|finding| CachedDiagnostic::record(finding, root, options.sources))
            .collect()
    };
    let mut all = Vec::with_capacity(published.len());
    for (of_kind, kind) in published.into_iter().zip(kinds) {
        let (files, allowances, mut found) = together(of_kind);
        pruned::check(kind, config.convention, options.sources, &mut found);
        all.push(Published {
            files,
            diagnostics: record(&found),
            allowances,
        });
        sink.append(found);
    }
    all
}

/// Returns the allowances that no kind needs in any channel. Empty unless everything that was read was validated.
pub fn unused_allowances(
    projection: Projection<'_>,
    published: &[Published],
    sink: &Sink,
) -> Vec<Diagnostic> {
    if sink.has_errors() || projection.channels.len() != projection.setup.config.channels.len() {
        return Vec::new();
    }
    let mut all = Allowances::default();
    published
        .iter()
        .for_each(|made| all.append(&made.allowances));
    all.unused()
}

/// The result for one kind in one channel.
#[derive(Default)]
struct InChannel {
    /// Its file, if the channel has a version of it that can be written.
    file: Option<File>,
    /// Findings that an API server would refuse it for.
    refused: Sink,
    /// The lints that its source allows.
    allowances: Allowances,
}

/// Joins the files of one kind and all findings about it.
fn together(made: Vec<(InChannel, Sink)>) -> (Vec<File>, Allowances, Sink) {
    let mut files = Vec::with_capacity(made.len());
    let mut allowances = Allowances::default();
    let mut found = Sink::default();
    let mut refused = Sink::default();
    for (made, on_the_way) in made {
        files.extend(made.file);
        found.append(on_the_way);
        refused.append(made.refused);
        allowances.append(&made.allowances);
    }
    // Errors found so far would be repeated in the server's words.
    if !found.has_errors() {
        found.append(refused);
    }
    (files, allowances, found)
}

/// Returns the file of a CRD. Reports a CRD that exceeds a limit of what installs it, and one that cannot be written, which has
/// no file.
fn file(
    crd: Crd,
    kind: &Kind,
    channel: &Channel,
    options: Options<'_>,
    sink: &mut Sink,
) -> Option<File> {
    let name = &*channel.name;
    if let Some(budget) = &channel.size_budget
        && let Some(warning) = sizes::over_budget(budget, name, &crd)
    {
        sink.push(warning);
    }
    let (path, text) = match layout::file(name, &crd) {
        Ok(file) => file,
        Err(finding) => {
            sink.push(finding);
            return None;
        }
    };
    let exceeds = sizes::could_exceed(&text);
    let size = (options.measure || exceeds).then(|| Size::measure(&crd, text.len()));
    if let Some(size) = size.as_ref().filter(|_| exceeds) {
        let cut = std::cell::OnceCell::new();
        for mut warning in sizes::warnings(name, size) {
            if let Some(cut) = cut.get_or_init(|| (options.cut)(kind)) {
                warning.help = warning.help.map(|help| format!("{cut}{help}"));
            }
            sink.push(warning);
        }
    }
    Some(File {
        channel: name.to_owned(),
        path,
        digest: digest(text.as_bytes()),
        text,
        size,
        versions: (crd.versions.len() > 1 && crd.conversion == Conversion::None).then_some(crd),
    })
}
