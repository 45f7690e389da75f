//! The releases of an API: those that a set of CRDs follows, or those that are named.

use crate::commands::diff::side::{Name, Side};
use crate::commands::diff::unread::Unread;
use crate::release::lifecycle::Ancestry;
use crd_channels_compat::Set;
use crd_channels_diagnostics::{Sink, Sources, Span};
use crd_channels_files::{Disk, Read};
use crd_channels_gen_crds::examples::accepted_examples;
use crd_channels_generator::pipeline::Setup;
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_projection::channel::config::FOLDER;
use crd_channels_reference::{Api, Bundle, Example, Install, Release, UNRELEASED, nodes};
use crd_channels_released::bundles;
use crd_channels_released::manifest::Manifest;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::Path;

/// Reads an API. One source brings the bundles that it follows; several are its releases, oldest first. A folder whose
/// subfolders are called after versions stands for all of them. `built` are the packages whose build decides which features of
/// cargo are on.
///
/// # Errors
/// Returns why a source cannot be read.
pub fn read(sources: &[String]) -> Result<Api, Unread> {
    let named: Vec<String> = sources
        .iter()
        .flat_map(|source| versions_in(source))
        .collect();
    match named.as_slice() {
        [] => followed("."),
        [one] => followed(one),
        several => {
            let sides = several.iter().map(|name| Side::read(name, &[], 0));
            let releases = sides.map(|side| side.map(of_side));
            Ok(Api {
                releases: releases.collect::<Result<_, _>>()?,
                ..Api::default()
            })
        }
    }
}

/// The subfolders of a folder that are called after versions, in their order; the source itself if there are none.
fn versions_in(source: &str) -> Vec<String> {
    let folder = Path::new(source);
    let entries = Disk.list(folder).unwrap_or_default();
    let mut versions: Vec<(BundleVersion, &Path)> = entries
        .iter()
        .filter(|entry| entry.is_dir())
        .filter_map(|entry| Some((entry.file_name()?.to_str()?.parse().ok()?, &**entry)))
        .collect();
    versions.sort();
    match versions.is_empty() {
        true => vec![source.to_owned()],
        false => versions
            .into_iter()
            .map(|(_, folder)| folder.to_string_lossy().into_owned())
            .collect(),
    }
}

/// A set of CRDs after the bundles that it follows.
fn followed(name: &str) -> Result<Api, Unread> {
    let side = Side::read(name, &[], 0)?;
    let chain = side.chain()?;
    let mut releases = match &chain {
        Some(chain) => of_bundles(&chain.past()),
        None => Vec::new(),
    };
    let examples = examples_of(&side)?;
    let lines = lines_of(&side);
    releases.push(of_side(side));
    Ok(Api {
        releases,
        examples,
        lines,
    })
}

/// The lines of Rust that fields are declared in.
fn lines_of(side: &Side) -> HashMap<Span, String> {
    let crds = side.set.channels.values().flat_map(|crds| crds.values());
    let versions = crds.flat_map(|published| &published.written.versions);
    let schemas = versions.filter_map(|version| version.schema.as_deref());
    let spans = schemas.flat_map(|schema| {
        let nodes = nodes(&[((), schema)]).into_iter();
        nodes.flat_map(|node| {
            node.channels
                .into_iter()
                .filter_map(|it| it.schema.origin.0)
        })
    });
    spans
        .filter_map(|span| Some((span, side.line(span)?)))
        .collect()
}

/// The examples beside the working tree, which `gen-crds` validates.
fn examples_of(side: &Side) -> Result<Vec<Example>, Unread> {
    let setup = side.setup.as_ref();
    let Some(setup) = setup.filter(|_| side.name == Name::WorkingTree) else {
        return Ok(Vec::new());
    };
    let (sources, mut sink) = (Sources::default(), Sink::default());
    let examples = accepted_examples(setup, &sources, &mut sink);
    if sink.has_errors() {
        let message = "the examples cannot be read".to_owned();
        return Err(Unread {
            sources,
            ..Unread::after(sink.into_diagnostics(), message)
        });
    }
    let examples = examples.iter().map(|example| {
        let meta = example.type_meta();
        Example {
            title: example.title(),
            prose: example.prose(),
            channel: example.place.channel.clone(),
            yaml: example.yaml().to_owned(),
            group: meta.group().to_owned(),
            kind: meta.kind.to_owned(),
            version: meta.version().to_owned(),
        }
    });
    Ok(examples.collect())
}

/// The bundles that a set of CRDs follows.
pub fn of_bundles(past: &Ancestry<'_>) -> Vec<Release> {
    let bundles = past.bundles.iter().map(|bundle| Release {
        name: bundle.manifest.version.to_string(),
        set: bundle.set.clone(),
        features: bundle.manifest.features.clone(),
        bundle: Some(of_manifest(bundle.manifest)),
    });
    bundles.collect()
}

fn of_manifest(manifest: &Manifest) -> Bundle {
    let install = manifest.channels.iter().map(|channel| Install {
        channel: channel.name.clone(),
        command: format!(
            "kubectl apply --server-side -k {FOLDER}/{}/{}",
            manifest.version, channel.name
        ),
    });
    Bundle {
        kubernetes: manifest.kubernetes.clone(),
        digest: manifest.digest.as_ref().map(ToString::to_string),
        install: install.collect(),
    }
}

/// The name of the working tree among releases: that of its version if that is a bundle, which the tree then is as well.
pub fn name_of_tree(setup: Option<&Setup>, set: &Set) -> String {
    let version = set.bundle_version();
    let version = version.and_then(|version| version.parse::<BundleVersion>().ok());
    let released = setup.map(|setup| bundles::all(&setup.workspace.root.join(FOLDER), &Disk));
    let mut released = released.into_iter().flatten();
    match version {
        Some(version) if released.any(|bundle| bundle.version == version) => version.to_string(),
        _ => UNRELEASED.to_owned(),
    }
}

fn of_side(side: Side) -> Release {
    let name = match &side.name {
        Name::WorkingTree => name_of_tree(side.setup.as_ref(), &side.set),
        Name::Revision(revision) => revision.clone(),
        Name::Path(path) => {
            let named = |name: Option<&OsStr>| Some(name?.to_string_lossy().into_owned());
            // A folder is called after one release, while CRDs that did not change may still name an earlier one.
            let folder = named(path.file_name());
            let folder = folder.filter(|name| name.parse::<BundleVersion>().is_ok());
            let version = side.set.bundle_version().map(|version| version.to_string());
            let name = folder.or(version).or(named(path.file_stem()));
            name.unwrap_or_default()
        }
    };
    Release {
        name,
        set: side.set,
        features: side.features,
        bundle: None,
    }
}
