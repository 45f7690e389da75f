//! What stands in `channels/`: the bundle, its channels, the features that gates may name, the names that are gone.

mod table;
mod bundle;
mod webhook;
mod channel;
mod features;
mod tombstones;

pub use bundle::Bundle;
pub use channel::{Channel, Descriptions, FeatureSet, KeepDescriptions, StabilityPolicy};
pub use features::{Feature, Features, UNNAMED};
pub use table::At;
pub use tombstones::{GoneKind, GoneType, GoneVersion, Tombstones};
pub use webhook::Webhooks;

use crate::diag::{Code, Diagnostic, Sink};
use crate::files::{Read, Sources};
use std::io;
use std::path::Path;
use table::Table;

/// Everything in `channels/` that is no released bundle.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// `bundle.toml`
    pub bundle: Bundle,
    /// One for each channel's file, in the order of their names, `stable` first.
    pub channels: Vec<Channel>,
    /// `features.toml`
    pub features: Features,
    /// `tombstones.toml`
    pub tombstones: Tombstones,
}

/// The files that are no channel.
const RESERVED: [&str; 3] = ["bundle", "features", "tombstones"];

/// Reads the folder `channels` of a workspace; reports everything that is wrong in it. None when there is no channel.
pub fn load(root: &Path, files: &dyn Read, sources: &Sources, sink: &mut Sink) -> Option<Config> {
    let folder = root.join("channels");
    let mut config = Config::default();
    let file = |name: &str, sink: &mut Sink, read: &mut dyn FnMut(&mut Table<'_>)| {
        read_file(
            &folder.join(format!("{name}.toml")),
            name,
            files,
            sources,
            sink,
            read,
        );
    };
    file("bundle", sink, &mut |table| {
        config.bundle = bundle::read(table)
    });
    file("features", sink, &mut |table| {
        config.features = features::read(table)
    });
    file("tombstones", sink, &mut |table| {
        config.tombstones = tombstones::read(table)
    });
    for name in channel_names(&folder, files) {
        file(&name, sink, &mut |table| {
            let features = &config.features;
            config.channels.push(channel::read(table, &name, features));
        });
    }
    if config.channels.is_empty() {
        let help = "write `channels/stable.toml` with `features = \"none\"` and `channels/experimental.toml` with \
                    `features = \"all\"`";
        sink.push(
            Diagnostic::new(Code::ConfigMissing, None, "`channels/` declares no channel")
                .with_help(help),
        );
        return None;
    }
    Some(config)
}

fn channel_names(folder: &Path, files: &dyn Read) -> Vec<String> {
    let mut names: Vec<String> = files
        .list(folder)
        .unwrap_or_default()
        .iter()
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "toml")
        })
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .filter(|name| !RESERVED.contains(&name.as_str()))
        .collect();
    names.sort_by_key(|name| (name != "stable", name.clone()));
    names
}

/// Reads one file if it is there.
fn read_file(
    path: &Path,
    name: &str,
    files: &dyn Read,
    sources: &Sources,
    sink: &mut Sink,
    read: &mut dyn FnMut(&mut Table<'_>),
) {
    let shown = format!("channels/{name}.toml");
    match files.read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => sink.push(Diagnostic::new(
            Code::UnreadableFile,
            None,
            format!("`{shown}` cannot be read: {error}"),
        )),
        Ok(bytes) => match String::from_utf8(bytes) {
            Ok(text) => {
                table::parse(&shown, &text, sources, sink, read);
            }
            Err(_) => sink.push(Diagnostic::new(
                Code::NotUtf8,
                None,
                format!("`{shown}` is not valid UTF-8"),
            )),
        },
    }
}
