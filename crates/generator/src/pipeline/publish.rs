//! From kinds to the texts of their files.

use super::Setup;
use super::build::Order;
use super::said::Said;
use super::verdicts::{self, Allowances};
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Sources, nearest};
use crd_channels_files::digest;
use crd_channels_projection::bundle::sizes::{self, Size};
use crd_channels_projection::bundle::{descriptions, layout};
use crd_channels_projection::channel::config::Channel;
use crd_channels_projection::channel::{self, Kind, Run, Stamp};
use crd_channels_projection::render::Cache;
use crd_channels_schema::{Conversion, Crd};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

/// What became of one kind.
#[derive(Debug)]
pub struct Published {
    /// Its file in each channel that has it.
    pub files: Vec<File>,
    /// What there was to say about it. None where that cannot be remembered.
    pub said: Option<Vec<Said>>,
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
    /// What stands in it.
    pub text: String,
    /// The digest of the text.
    pub digest: u64,
    /// How large the CRD is, where that was asked.
    pub size: Option<Size>,
    /// The CRD itself, where it has several versions and nothing converts them.
    pub versions: Option<Crd>,
}

/// The channels that `wanted` names, all of them when it names none. None, which is reported, where there is no such channel.
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

/// The files of every kind, kinds in parallel; what is found comes in their order.
pub fn publish(
    order: Order<'_>,
    kinds: &[Kind],
    stamp: &Stamp,
    (sources, cut): (&Sources, Cut<'_>),
    sink: &mut Sink,
) -> Vec<Published> {
    let cache = Cache::default();
    let run = Run {
        config: &order.setup.config,
        stamp,
        cache: &cache,
    };
    let ask = Ask {
        measure: order.measure,
        judged: !sink.has_errors(),
        sources,
        cut,
    };
    let published: Vec<_> = kinds
        .par_iter()
        .map(|kind| {
            let channels = order.channels.par_iter();
            let made: Vec<_> = channels
                .map(|channel| file(kind, channel, run, ask))
                .collect();
            together(made)
        })
        .collect();
    let root = &order.setup.workspace.root;
    let said = |found: &Sink| {
        let findings = found.diagnostics().iter();
        findings
            .map(|finding| Said::of(finding, root, sources))
            .collect()
    };
    let mut all = Vec::with_capacity(published.len());
    for (files, allowances, found) in published {
        all.push(Published {
            files,
            said: said(&found),
            allowances,
        });
        sink.append(found);
    }
    all
}

/// The allowances that no kind needs in any channel. Where not all that was read was judged nothing is said.
pub fn unused_allowances(
    order: Order<'_>,
    published: &[Published],
    sink: &Sink,
) -> Vec<Diagnostic> {
    if sink.has_errors() || order.channels.len() != order.setup.config.channels.len() {
        return Vec::new();
    }
    let mut all = Allowances::default();
    published
        .iter()
        .for_each(|made| all.append(&made.allowances));
    all.unused()
}

/// What is wanted of each CRD besides its text.
#[derive(Clone, Copy)]
struct Ask<'a> {
    /// Its sizes.
    measure: bool,
    /// What an API server would say of it.
    judged: bool,
    /// Where findings point.
    sources: &'a Sources,
    /// What makes a kind smaller.
    cut: Cut<'a>,
}

/// What to write so that a kind that is too large gets smaller, as the beginning of a sentence.
pub type Cut<'a> = &'a (dyn Fn(&Kind) -> Option<String> + Sync);

/// What became of one kind in one channel.
#[derive(Default)]
struct Made {
    /// Its file, if the channel has a version of it and it can be written.
    file: Option<File>,
    /// What was found on the way.
    found: Sink,
    /// What an API server would say of it.
    refused: Sink,
    /// The lints that its source allows.
    allowances: Allowances,
}

/// The files of one kind, and all there is to say about it.
fn together(made: Vec<Made>) -> (Vec<File>, Allowances, Sink) {
    let mut files = Vec::with_capacity(made.len());
    let mut allowances = Allowances::default();
    let mut found = Sink::default();
    let mut refused = Sink::default();
    for made in made {
        files.extend(made.file);
        found.append(made.found);
        refused.append(made.refused);
        allowances.append(&made.allowances);
    }
    // What is wrong already would be told a second time, in the server's words.
    if !found.has_errors() {
        found.append(refused);
    }
    (files, allowances, found)
}

/// Makes the file of one kind in one channel, with descriptions as the channel's policy says. Says where it is larger than
/// what installs it takes.
fn file(kind: &Kind, channel: &Channel, run: Run<'_>, ask: Ask<'_>) -> Made {
    let mut made = Made::default();
    let sink = &mut made.found;
    let Some(mut crd) = channel::project_kind(kind, channel, run, sink) else {
        return made;
    };
    descriptions::shorten(channel, &mut crd, sink);
    if ask.judged && !sink.has_errors() {
        let bundle = &run.config.bundle;
        let refused = &mut made.refused;
        made.allowances = verdicts::judge(&crd, kind, channel, bundle, ask.sources, refused);
    }
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
            return made;
        }
    };
    let exceeds = sizes::could_exceed(&text);
    let size = (ask.measure || exceeds).then(|| Size::of(&crd, text.len()));
    if let Some(size) = size.as_ref().filter(|_| exceeds) {
        let cut = std::cell::OnceCell::new();
        for mut warning in sizes::warnings(name, size) {
            if let Some(cut) = cut.get_or_init(|| (ask.cut)(kind)) {
                warning.help = warning.help.map(|help| format!("{cut}{help}"));
            }
            sink.push(warning);
        }
    }
    made.file = Some(File {
        channel: name.to_owned(),
        path,
        digest: digest(text.as_bytes()),
        text,
        size,
        versions: (crd.versions.len() > 1 && crd.conversion == Conversion::None).then_some(crd),
    });
    made
}
