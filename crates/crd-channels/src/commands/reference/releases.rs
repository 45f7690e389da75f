//! The releases of an API: those that a set of CRDs follows, or those that are named.

use crate::commands::bundle_chain::signer;
use crate::commands::diff::side::{Name, Side};
use crate::commands::diff::unread::Unread;
use crate::release::lifecycle::Ancestry;
use crd_channels_compat::{self as compat, Set};
use crd_channels_diagnostics::{Sink, Sources, Span};
use crd_channels_files::{Disk, Read, shown_path};
use crd_channels_gen_crds::examples::accepted_examples;
use crd_channels_generator::pipeline::Setup;
use crd_channels_projection::bundle::version::BundleVersion;
use crd_channels_projection::channel::config::FOLDER;
use crd_channels_reference::{Api, Bundle, Example, Install, Release, UNRELEASED, nodes};
use crd_channels_released::bundles;
use crd_channels_released::folder::{Verified, verify};
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
    let mut named = Vec::new();
    for source in sources {
        named.extend(versions_in(source)?);
    }
    match named.as_slice() {
        [] => followed("."),
        [one] => followed(one),
        several => {
            let sides = several.iter().map(|name| Side::read(name, &[], 0));
            let releases = sides.map(|side| side.map(of_side));
            let releases: Vec<Release> = releases.collect::<Result<_, _>>()?;
            in_order(&releases)?;
            Ok(Api {
                releases,
                ..Api::default()
            })
        }
    }
}

/// Refuses releases whose lives would be told wrong: two of one name, and a version before an older one.
fn in_order(releases: &[Release]) -> Result<(), Unread> {
    for (number, release) in releases.iter().enumerate() {
        let name = &release.name;
        let before = releases.iter().take(number);
        if before.clone().any(|other| other.name == *name) {
            let message = format!(
                "two releases are called `{name}`; put each into a folder that is called after its version"
            );
            return Err(message.into());
        }
        let version = |name: &str| name.parse::<BundleVersion>().ok();
        let newer = before
            .clone()
            .find(|other| version(&other.name) > version(name));
        if let Some(newer) = newer.filter(|_| version(name).is_some()) {
            let newer = &newer.name;
            return Err(format!(
                "`{newer}` is named before `{name}`; name the oldest release first"
            )
            .into());
        }
    }
    Ok(())
}

/// The subfolders of a folder that are called after versions, in their order; the source itself if there are none.
///
/// # Errors
/// Another subfolder has CRDs as well, or several are called after parts of versions.
fn versions_in(source: &str) -> Result<Vec<String>, Unread> {
    let folder = Path::new(source);
    let entries = Disk.list(folder).unwrap_or_default();
    let folders = entries.iter().filter(|entry| entry.is_dir());
    let name = |folder: &Path| Some(folder.file_name()?.to_str()?.to_owned());
    let (mut versions, mut others) = (Vec::new(), Vec::new());
    for folder in folders {
        match name(folder).and_then(|name| name.parse::<BundleVersion>().ok()) {
            Some(version) => versions.push((version, &**folder)),
            None => others.push(folder),
        }
    }
    let is_part = |folder: &Path| {
        let name = name(folder).unwrap_or_default();
        let number = name.strip_prefix('v').unwrap_or(&name);
        number.starts_with(|c: char| c.is_ascii_digit())
    };
    let mut odd = others.iter().filter(|folder| {
        let may_be_release = !versions.is_empty() || is_part(folder);
        may_be_release && has_crds(folder)
    });
    // One alone, beside no version, is a folder of CRDs like any other.
    let first = odd.next();
    let odd = first.filter(|_| !versions.is_empty() || odd.next().is_some());
    if let Some(odd) = odd {
        let odd = shown_path(odd);
        return Err(format!(
            "`{odd}` has CRDs and is not called after a version, such as `v1.18.0`; rename it, or name each release, oldest first"
        )
        .into());
    }
    versions.sort();
    Ok(match versions.is_empty() {
        true => vec![source.to_owned()],
        false => versions
            .into_iter()
            .map(|(_, folder)| folder.to_string_lossy().into_owned())
            .collect(),
    })
}

/// Whether a file in a folder, or below it, looks like a CRD.
fn has_crds(folder: &Path) -> bool {
    let files = walkdir::WalkDir::new(folder).into_iter().flatten();
    let mut files = files.filter(|file| file.file_type().is_file());
    files.any(|file| {
        let extension = file.path().extension().and_then(OsStr::to_str);
        let is_text = extension.is_some_and(|it| ["yaml", "yml", "json"].contains(&it));
        let is_crd = |bytes: Vec<u8>| {
            let text = String::from_utf8_lossy(&bytes);
            text.contains("kind: CustomResourceDefinition")
                || text.contains("\"CustomResourceDefinition\"")
        };
        is_text && Disk.read(file.path()).is_ok_and(is_crd)
    })
}

/// A set of CRDs after the bundles that it follows.
fn followed(name: &str) -> Result<Api, Unread> {
    let side = Side::read(name, &[], 0)?;
    let chain = side.chain_at_hand()?;
    let mut releases = match &chain {
        Some(chain) => of_bundles(&chain.past()),
        None => Vec::new(),
    };
    for release in &mut releases {
        let signer = chain.as_ref().and_then(|chain| chain.signer(&release.name));
        if let Some(bundle) = &mut release.bundle {
            bundle.signer = signer;
        }
    }
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
        history: bundle.manifest.history.clone(),
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
        signer: None,
        install: install.collect(),
    }
}

/// What is known about the released bundle in a folder.
fn known(bundle: &Verified, folder: &Path) -> Bundle {
    Bundle {
        signer: signer(folder, &Disk),
        ..of_manifest(&bundle.manifest)
    }
}

/// What is known about a bundle that was named: where it came from, it may be installed by another path.
fn of_named(folder: &Path) -> Option<Bundle> {
    let bundle = verify(folder, &Disk).ok()?;
    Some(Bundle {
        install: Vec::new(),
        ..known(&bundle, folder)
    })
}

/// What is known about the bundle that the working tree is, as long as neither its CRDs nor its features are others.
fn of_tree(side: &Side) -> Option<Bundle> {
    let root = &side.setup.as_ref()?.workspace.root;
    let folder = root.join(FOLDER).join(&*side.set.bundle_version()?);
    let bundle = verify(&folder, &Disk).ok()?;
    let released = compat::read::bundle(&bundle).ok()?;
    let channels = side.set.channels.len() + side.set.others.len();
    let is_same = bundle.manifest.channels.len() == channels
        && bundle.manifest.features == side.features
        && compat::compare(&released, &side.set).findings.is_empty();
    is_same.then(|| known(&bundle, &folder))
}

/// The name of the working tree among releases: that of its version if that is a bundle.
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
    let bundle = match side.name {
        Name::WorkingTree => of_tree(&side),
        _ => side.bundle.as_deref().and_then(of_named),
    };
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
        history: side.history,
        bundle,
    }
}
