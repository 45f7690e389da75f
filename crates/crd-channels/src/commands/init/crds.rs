//! `init --crds`: sets up a bundle whose source is CRDs, one folder for each channel.

use super::choice::common;
use super::texts::quoted;
use super::{FOLDER, Request, configured, exists, show_files};
use crate::commands::import::reading;
use crate::commands::{Outcome, interrupted};
use crd_channels_check::names::is_label;
use crd_channels_diagnostics::report::counted;
use crd_channels_diagnostics::{Code, Diagnostic, Sink};
use crd_channels_files::{Disk, Plan, Read, diff, slashed};
use crd_channels_projection::channel::config::RESERVED;
use crd_channels_released::documents;
use crd_channels_released::folder::ATTRIBUTES;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What Gateway API and others call the channel for production.
const STANDARD: &str = "standard";

/// Where kubebuilder's projects have what controller-gen writes.
const BASES: &str = "bases";

/// A channel: its name, and the folder of its CRDs below the root.
struct Channel {
    name: String,
    folder: String,
    crds: Vec<Value>,
}

/// Writes the configuration for the folders that the request names. `root` is the folder of the bundle.
pub(super) fn run(
    root: &Path,
    here: &Path,
    request: &Request,
    sink: &mut Sink,
) -> Result<Outcome, Box<Diagnostic>> {
    if let Some(path) = configured(root) {
        return Err(exists(&path));
    }
    let Some(channels) = channels(root, here, &request.crds, sink)? else {
        return Ok(Outcome::CouldNotRun);
    };
    let files = files(&channels);
    let plan = Plan::new(
        "the configuration",
        root.to_path_buf(),
        files.clone(),
        Vec::new(),
    );
    if request.diff {
        for change in plan.compare(&Disk)? {
            print!("{}", diff(&change, None));
        }
        return Ok(Outcome::Clean);
    }
    for Channel { name, folder, crds } in &channels {
        let crds = counted(crds.len(), "CRD");
        println!("channel `{name}`: {crds} in `{folder}`");
    }
    show_files(&files);
    let applied = interrupted::apply(&plan)?;
    println!("{} written", counted(applied.created.len(), "file"));
    if channels
        .iter()
        .any(|channel| channel.folder.ends_with(BASES))
    {
        note!(
            "patches beside `{BASES}` are not part of the CRDs; if kustomize applies some, write its output to a folder and name that"
        );
    }
    help!("correct `version` if it is not the next one, and run `crd-channels gen-crds`");
    Ok(Outcome::Clean)
}

/// The channels that the arguments name, the stable one first. `None` if their CRDs cannot be read, which is reported.
fn channels(
    root: &Path,
    here: &Path,
    named: &[(Option<String>, PathBuf)],
    sink: &mut Sink,
) -> Result<Option<Vec<Channel>>, Box<Diagnostic>> {
    let mut folders: Vec<(String, PathBuf)> = Vec::new();
    for (name, folder) in named {
        match name {
            Some(name) => folders.push((name.clone(), here.join(folder))),
            None => folders.extend(channels_in(&here.join(folder))),
        }
    }
    folders.sort_by_key(|(name, _)| name != "stable");
    if let Some((name, _)) = folders.iter().find(|(name, _)| RESERVED.contains(&&**name)) {
        let message = format!("`{FOLDER}/{name}.toml` is not the file of a channel");
        let help = "give the channel another name: `--crds NAME=DIR`";
        return Err(refused(message, help));
    }
    if let Some(left) = left_out(here, named, &folders) {
        let message = format!(
            "`{}` has CRDs, and is in the folder of no channel",
            left.display()
        );
        let help = "name the folder of each channel: `--crds stable=DIR --crds experimental=DIR`";
        return Err(refused(message, help));
    }
    let root = Disk.canonical(root).unwrap_or_else(|_| root.to_path_buf());
    let mut channels: Vec<Channel> = Vec::new();
    for (name, path) in folders {
        if let Some(other) = channels.iter().find(|other| other.name == name) {
            let message = format!(
                "the channel `{name}` has two folders, `{}` and `{}`",
                other.folder,
                path.display()
            );
            return Err(refused(message, "name one folder for each channel"));
        }
        let whole = Disk.canonical(&path).unwrap_or_else(|_| path.clone());
        let inside = whole.strip_prefix(&root).map(slashed).unwrap_or_default();
        if inside.is_empty() {
            let message = format!(
                "`{}` is not a folder below `{}`",
                path.display(),
                root.display()
            );
            let help = "name a folder with nothing but what your generator writes, as in `init --crds config/crd`";
            return Err(refused(message, help));
        }
        let Some(crds) = reading::crds(&[path], &name, here, sink) else {
            return Ok(None);
        };
        channels.push(Channel {
            name,
            folder: inside,
            crds,
        });
    }
    Ok(Some(channels))
}

/// The channels in a folder: one for each of its folders if one of them is called like the stable channel, else one. Of the
/// folders of a kubebuilder project, `bases` has the CRDs, and others have patches of them.
fn channels_in(folder: &Path) -> Vec<(String, PathBuf)> {
    let inside = Disk.list(folder).unwrap_or_default();
    let folders = inside.into_iter().filter(|path| !Disk.is_file(path));
    let named = folders.filter_map(|path| {
        let name = match path.file_name()?.to_str()? {
            STANDARD => "stable",
            name => name,
        };
        Some((name.to_owned(), path))
    });
    let mut named: Vec<(String, PathBuf)> = named.filter(|(name, _)| is_label(name)).collect();
    if let Some((_, bases)) = named.iter().find(|(name, _)| name == BASES) {
        return vec![("stable".to_owned(), bases.clone())];
    }
    if !named.iter().any(|(name, _)| name == "stable") {
        return vec![("stable".to_owned(), folder.to_path_buf())];
    }
    named.retain(|(_, path)| !files_with_crds(path).is_empty());
    named
}

/// A file with CRDs in the folders that the arguments name, and in the folder of no channel.
fn left_out(
    here: &Path,
    named: &[(Option<String>, PathBuf)],
    channels: &[(String, PathBuf)],
) -> Option<PathBuf> {
    let all = named
        .iter()
        .flat_map(|(_, folder)| files_with_crds(&here.join(folder)));
    let is_in = |file: &PathBuf| channels.iter().any(|(_, folder)| file.starts_with(folder));
    all.into_iter().find(|file| !is_in(file))
}

/// The files with whole CRDs in a folder and its subfolders. Patches of CRDs have no schema.
fn files_with_crds(folder: &Path) -> Vec<PathBuf> {
    let mut files = documents::yaml_and_json_files(folder, &Disk);
    files.retain(|path| {
        let text = Disk.read_text(path).unwrap_or_default();
        text.contains("CustomResourceDefinition") && text.contains("openAPIV3Schema")
    });
    files
}

fn refused(message: String, help: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(Code::ConfigInvalid, None, message).with_help(help))
}

/// The files, by their paths below the root.
fn files(channels: &[Channel]) -> BTreeMap<String, String> {
    let (attributes, text) = ATTRIBUTES;
    let stamped = stamps(channels);
    let prefix = stamped.first().map(|(prefix, _)| *prefix);
    let mut files = BTreeMap::from([
        (format!("{FOLDER}/bundle.toml"), bundle(channels, &stamped)),
        (format!("{FOLDER}/{attributes}"), text.to_owned()),
    ]);
    for channel in channels {
        let path = format!("{FOLDER}/{}.toml", channel.name);
        files.insert(path, of_channel(channel, prefix));
    }
    if channels.len() > 1 {
        files.insert(format!("{FOLDER}/features.toml"), FEATURES.to_owned());
    }
    files
}

fn bundle(channels: &[Channel], stamped: &[(&str, &str)]) -> String {
    let crds = channels.iter().flat_map(|channel| &channel.crds);
    let version = stamped.iter().filter_map(|(_, version)| {
        semver::Version::parse(version.strip_prefix('v').unwrap_or(version)).ok()
    });
    let (version, why) = match version.max() {
        Some(version) => {
            let core = semver::Version::new(version.major, version.minor, version.patch);
            (core.to_string(), "The CRDs carry it")
        }
        None => (
            "0.1.0".to_owned(),
            "The first one, as long as no other is written here",
        ),
    };
    let mut text = format!(
        "# The bundle. Its source is the CRDs in the folders that the channels name.\n\n\
         # Its version. {why}; `release` sets the next one.\nversion = \"{version}-dev\"\n"
    );
    let mut groups: BTreeMap<&str, usize> = BTreeMap::new();
    for group in crds.filter_map(|crd| crd["spec"]["group"].as_str()) {
        *groups.entry(group).or_default() += 1;
    }
    // Another group may come later, so what the CRDs carry is written even if it is the only group.
    let prefix = match stamped.first() {
        Some((prefix, _)) => Some(*prefix),
        None => common(&groups).filter(|_| groups.len() > 1),
    };
    if let Some(prefix) = prefix {
        text.push_str(&format!(
            "\n# Every CRD carries `<prefix>/bundle-version` and `<prefix>/channel`, for all groups.\nannotation-prefix = {}\n",
            quoted(prefix)
        ));
    }
    text
}

/// The stamps of the CRDs, if all have one with the same prefix. Single CRDs may be those of another project.
fn stamps(channels: &[Channel]) -> Vec<(&str, &str)> {
    let crds = channels.iter().flat_map(|channel| &channel.crds);
    let all: Option<Vec<(&str, &str)>> = crds.map(stamp).collect();
    let all = all.unwrap_or_default();
    let first = all.first().map(|(prefix, _)| *prefix);
    match all.iter().all(|(prefix, _)| Some(*prefix) == first) {
        true => all,
        false => Vec::new(),
    }
}

/// The prefix and the value of the version that a bundle's CRD carries.
fn stamp(crd: &Value) -> Option<(&str, &str)> {
    let annotations = crd["metadata"]["annotations"].as_object()?;
    annotations.iter().find_map(|(key, value)| {
        let prefix = key.strip_suffix("/bundle-version")?;
        Some((prefix, value.as_str()?))
    })
}

fn of_channel(channel: &Channel, prefix: Option<&str>) -> String {
    let Channel { name, folder, crds } = channel;
    let about = match &**name {
        "stable" => "# The stable channel: for production.",
        "experimental" => {
            "# The experimental channel: everything, including what may change or be removed in the next minor bundle. Not for\n\
             # production."
        }
        _ => "# A channel.",
    };
    let features = match &**name {
        "stable" => "none",
        _ => "all",
    };
    let said = crds
        .iter()
        .find_map(|crd| crd["metadata"]["annotations"][format!("{}/channel", prefix?)].as_str());
    let mut text = format!(
        "{about}\n\n# The folder of its CRDs, which are published as they are.\ncrds = {}\n\n\
         # The features that are on: what they gate is in this channel, and what they do not gate is in all channels.\n\
         features = \"{features}\"\n",
        quoted(folder)
    );
    if let Some(said) = said.filter(|said| said != name) {
        text.push_str(&format!(
            "\n# The value of the annotation `<prefix>/channel`.\nannotation = {}\n",
            quoted(said)
        ));
    }
    text
}

const FEATURES: &str = r#"# What only some channels have, by feature: its purpose, the places that it gates, who decides about it, where it is described,
# and the bundle that introduced it. What no feature names is gated by `unnamed`. A place is a kind, one of its versions, or a
# field with everything below it.
#
# [RouteTimeouts]
# summary = "Rules bound how long a request may take."
# paths = ["EdgeRoute: spec.rules[].timeouts", "EdgeTimeoutPolicy"]
# owner = "the team that decides about it"
# link = "https://example.com/proposals/timeouts"
# since = "v0.2.0"
"#;
