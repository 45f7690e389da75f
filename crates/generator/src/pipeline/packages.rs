//! The packages whose types are read, and those whose build decides features.

use crd_channels_diagnostics::{Code, Diagnostic, Sink, Spanned, Text, nearest};
use crd_channels_files::{Read, visit};
use crd_channels_projection::channel::config::Config;
use crd_channels_workspace::{self as workspace, PackageId, Wanted, Workspace};
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::path::Path;

/// Loads the workspace at `root`, with the features that a build enables, and the packages whose types are read.
///
/// # Errors
///
/// `cargo-failed` if cargo cannot be run or refuses the workspace.
pub fn load(
    root: &Path,
    config: &Config,
    files: &dyn Read,
    sink: &mut Sink,
) -> Result<(Workspace, Vec<PackageId>), Box<Diagnostic>> {
    let bundle = &config.bundle;
    let found = RefCell::new((Vec::new(), Sink::default()));
    let built = |workspace: &Workspace| {
        let mut unsaid = Sink::default();
        let read = chosen(workspace, config, files, &mut unsaid);
        let mut built = members(workspace, &bundle.cargo_packages, &mut unsaid);
        if built.is_empty() {
            built.clone_from(if read.is_empty() {
                &workspace.members
            } else {
                &read
            });
        }
        found.replace((read, unsaid));
        built
    };
    let without = bundle.features_off.iter().map(|off| off.value.clone());
    let without: Vec<Text> = without.collect();
    let wanted = Wanted {
        target: &bundle.target.value,
        features: &bundle.cargo_features,
        without: &without,
        built: &built,
    };
    let workspace = workspace::load(root, wanted)?;
    let (read, unsaid) = found.into_inner();
    sink.append(unsaid);
    unknown_features(&workspace, &bundle.features_off, sink);
    unbuilt(&workspace, &read, &bundle.cargo_packages, sink);
    Ok((workspace, read))
}

/// Reports features to turn off that do not exist. For features to turn on, cargo reports it.
fn unknown_features(workspace: &Workspace, off: &[Spanned<Text>], sink: &mut Sink) {
    for Spanned { value, span } in off {
        let Some((name, feature)) = value.split_once('/') else {
            continue;
        };
        let mut packages = workspace.packages.iter().filter(|one| one.name == name);
        let Some(first) = packages.next() else {
            let names = workspace.packages.iter().map(|package| &*package.name);
            let help = match nearest(name, names) {
                Some(near) => format!("write `\"!{near}/{feature}\"`"),
                None => format!("remove `\"!{value}\"`"),
            };
            let message =
                format!("there is no package `{name}` in the workspace or its dependencies");
            sink.push(Diagnostic::new(Code::ConfigInvalid, *span, message).with_help(help));
            continue;
        };
        let declares = |package: &workspace::Package| package.declared_features.contains(feature);
        if !declares(first) && !packages.any(declares) {
            let help = match nearest(feature, first.declared_features.iter().map(String::as_str)) {
                Some(near) => format!("write `\"!{name}/{near}\"`"),
                None => format!("remove `\"!{value}\"`"),
            };
            let message = format!("`{name}` has no feature `{feature}`");
            sink.push(Diagnostic::new(Code::ConfigInvalid, *span, message).with_help(help));
        }
    }
}

/// Reports packages that are read but not built, so that their features are unknown.
fn unbuilt(workspace: &Workspace, read: &[PackageId], named: &[Spanned<Text>], sink: &mut Sink) {
    let packages = read.iter().filter_map(|id| workspace.package(*id));
    let Some(first) = named.first() else {
        return;
    };
    let built: Vec<&str> = named.iter().map(|name| &*name.value).collect();
    if built.iter().any(|name| workspace.member(name).is_none()) {
        return;
    }
    for package in packages.filter(|package| !package.built) {
        let (built, name) = (built.join("` or `"), &package.name);
        let message =
            format!("`{name}` is read for kinds, but building `{built}` does not build it");
        let help = format!(
            "build it too, with `-p {name}` or `cargo-packages`, or name the packages that have kinds: `packages = [\"..\"]` in `channels/bundle.toml`"
        );
        sink.push(Diagnostic::new(Code::PackageNotFound, first.span, message).with_help(help));
    }
}

/// Returns the configured packages, else every member whose source mentions the derive.
pub fn chosen(
    workspace: &Workspace,
    config: &Config,
    files: &dyn Read,
    sink: &mut Sink,
) -> Vec<PackageId> {
    let configured = &config.bundle.packages;
    if configured.is_empty() {
        let mentions = |id: &PackageId| {
            workspace.package(*id).is_some_and(|package| {
                let folders = package
                    .targets
                    .iter()
                    .filter_map(|target| target.root.parent());
                folders
                    .into_iter()
                    .any(|folder| mentions_kinds(folder, files))
            })
        };
        return workspace.members.iter().copied().filter(mentions).collect();
    }
    members(workspace, configured, sink)
}

/// Returns the members with these names.
fn members(workspace: &Workspace, names: &[Spanned<Text>], sink: &mut Sink) -> Vec<PackageId> {
    let mut found = Vec::new();
    for name in names {
        match workspace.member(&name.value) {
            Some(id) => found.push(id),
            None => {
                let names = || {
                    let members = workspace.members.iter();
                    members.filter_map(|id| Some(workspace.package(*id)?.name.as_str()))
                };
                let help = match nearest(&name.value, names()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("members: {}", names().collect::<Vec<_>>().join(", ")),
                };
                let message = format!("package `{}` is not a member of the workspace", name.value);
                sink.push(
                    Diagnostic::new(Code::PackageNotFound, name.span, message).with_help(help),
                );
            }
        }
    }
    found
}

/// Returns true if any source file in or below the folder names the derive.
fn mentions_kinds(folder: &Path, files: &dyn Read) -> bool {
    let found = visit(folder, files, &mut |path, is_file| {
        if is_file && names_the_derive(path, files) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    found.is_break()
}

/// Returns true if a source file may name the derive. This is cheaper than reading the package, and errs only towards true.
pub fn names_the_derive(path: &Path, files: &dyn Read) -> bool {
    const DERIVE: &[u8] = b"CustomResource";
    let goes_on = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let mentions = |bytes: Vec<u8>| {
        let mut places = bytes.windows(DERIVE.len()).enumerate();
        places.any(|(place, window)| {
            window == DERIVE && !bytes.get(place + DERIVE.len()).is_some_and(goes_on)
        })
    };
    path.extension().is_some_and(|extension| extension == "rs")
        && files.read(path).is_ok_and(mentions)
}
