//! The configuration, `channels/*.toml`: settings of the bundle, channels, features, and tombstones.
//!
//! Raw TOML becomes validated values with spans. All errors are reported, including unknown keys.

mod bundle;
mod channel;
mod crd_folders;
mod features;
mod names;
mod table;
mod tombstones;
mod overrides;
mod lints;
mod webhook;

pub use bundle::{Bundle, Kubernetes};
pub use channel::{Channel, DescriptionPolicy, DescriptionScope, Descriptions, Serving};
pub use crd_folders::FeaturePath;
pub use features::{Feature, Features, UNNAMED};
pub use lints::Lints;
pub use overrides::{Override, Overrides, Source as OverrideSource};
pub use tombstones::{FieldTombstone, KindTombstone, Tombstones, TypeTombstone, VersionTombstone};
pub use webhook::{Webhooks, ca_bundle_fault};

use crd_channels_diagnostics::{Code, Diagnostic, FileId, Sink, Sources, Text};
use crd_channels_files::Read;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The configuration folder, below the workspace root.
pub const FOLDER: &str = "channels";

/// The files that are not channels.
pub const RESERVED: [&str; 4] = ["bundle", "features", "tombstones", "waivers"];

/// The configuration of a workspace.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// `bundle.toml`, or defaults if there is none.
    pub bundle: Bundle,
    /// All other files, one channel each: `stable` first, then by name.
    pub channels: Vec<Channel>,
    /// `features.toml`
    pub features: Features,
    /// `tombstones.toml`
    pub tombstones: Tombstones,
}

impl Config {
    /// Reads the configuration of the workspace in `root`.
    ///
    /// Errors are reported as `config-missing`, `config-invalid` or `unknown-feature`, and the value keeps its default. Returns
    /// `None` if there is no channel.
    pub fn read(
        files: &dyn Read,
        root: &Path,
        sources: &Sources,
        sink: &mut Sink,
    ) -> Option<Config> {
        let listed = match files.list(&root.join(FOLDER)) {
            Ok(listed) => listed,
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            Err(error) => {
                let message = format!("the folder `{FOLDER}` cannot be listed: {error}");
                let finding = Diagnostic::new(Code::UnreadableFile, None, message);
                sink.push(finding.with_help(format!("make `{FOLDER}` a readable folder")));
                return None;
            }
        };
        let mut named = Vec::new();
        for path in listed {
            let name = path.file_stem().and_then(|name| name.to_str());
            match name {
                Some(name) if path.extension().is_some_and(|end| end == "toml") => {
                    named.push((Text::from(name), path));
                }
                _ => {}
            }
        }
        let (settings, mut channels): (Vec<_>, Vec<_>) = named
            .into_iter()
            .partition(|(name, _)| RESERVED.contains(&&**name));
        if channels.is_empty() {
            sink.push(missing());
            return None;
        }
        channels.sort_by_key(|(name, _)| (&**name != "stable", name.clone()));
        let open = |(name, path): &(Text, PathBuf), sink: &mut Sink| {
            let shown = format!("{FOLDER}/{name}.toml");
            read_file(files, path, &shown, sources, sink)
        };
        let setting = |wanted: &str, sink: &mut Sink| {
            let found = settings.iter().find(|(name, _)| &**name == wanted)?;
            open(found, sink)
        };
        let bundle = match setting("bundle", sink) {
            Some((file, text)) => table::parse(file, &text, sink, bundle::read_bundle),
            None => Bundle::default(),
        };
        let features = match setting("features", sink) {
            Some((file, text)) => table::parse(file, &text, sink, features::read_features),
            None => Features::default(),
        };
        let tombstones = match setting("tombstones", sink) {
            Some((file, text)) => table::parse(file, &text, sink, tombstones::read_tombstones),
            None => Tombstones::default(),
        };
        let mut read = Vec::new();
        for entry in &channels {
            let Some((file, text)) = open(entry, sink) else {
                continue;
            };
            let (name, _) = entry;
            read.push(table::parse(file, &text, sink, |table| {
                channel::read_channel(name, &features, table)
            }));
        }
        channel::tell_apart(&read, sink);
        let config = Config {
            bundle,
            channels: read,
            features,
            tombstones,
        };
        config.check_source(sink);
        Some(config)
    }
}

impl Bundle {
    /// Reads only `channels/bundle.toml` of the workspace in `root`, or returns defaults if there is none.
    pub fn read(files: &dyn Read, root: &Path, sources: &Sources, sink: &mut Sink) -> Bundle {
        let shown = format!("{FOLDER}/bundle.toml");
        let path = root.join(FOLDER).join("bundle.toml");
        if !files.is_file(&path) {
            return Bundle::default();
        }
        match read_file(files, &path, &shown, sources, sink) {
            Some((file, text)) => table::parse(file, &text, sink, bundle::read_bundle),
            None => Bundle::default(),
        }
    }
}

fn missing() -> Diagnostic {
    Diagnostic::new(
        Code::ConfigMissing,
        None,
        format!("there is no channel: `{FOLDER}/` has no file such as `stable.toml`"),
    )
    .with_help(format!(
        "run `crd-channels init` to write both, or write `features = \"none\"` into `{FOLDER}/stable.toml` and `features = \"all\"` into `{FOLDER}/experimental.toml`"
    ))
}

fn read_file(
    files: &dyn Read,
    path: &Path,
    shown: &str,
    sources: &Sources,
    sink: &mut Sink,
) -> Option<(FileId, Text)> {
    let bytes = match files.read(path) {
        Ok(bytes) => bytes,
        Err(error) => {
            let message = format!("`{shown}` cannot be read: {error}");
            let finding = Diagnostic::new(Code::UnreadableFile, None, message);
            sink.push(finding.with_help("make the file readable, or remove it"));
            return None;
        }
    };
    match String::from_utf8(bytes) {
        Ok(text) => {
            let text = Text::from(text);
            Some((sources.add(shown, text.clone()), text))
        }
        Err(error) => {
            let valid = error.utf8_error().valid_up_to();
            let message = format!("`{shown}` is not valid UTF-8 at byte {valid}");
            sink.push(
                Diagnostic::new(Code::NotUtf8, None, message).with_help("save the file as UTF-8"),
            );
            None
        }
    }
}

#[cfg(test)]
mod schema_tests;
#[cfg(test)]
mod tests;
