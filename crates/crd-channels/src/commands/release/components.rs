//! The components of a bundle: the objects in the files of its folders, one for all channels and one for each.

use crate::release::contents::Component;
use crd_channels_compat::{Components, add_component};
use crd_channels_diagnostics::Text;
use crd_channels_files::Read;
use crd_channels_projection::channel::config::Config;
use crd_channels_released::documents;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Returns the objects in the form that comparisons take.
pub fn compared(components: &[Component], config: &Config, prefix: &str) -> Components {
    let mut all = Components::new();
    for channel in &config.channels {
        let own = components.iter().filter(|one| one.is_in(&channel.name));
        for object in own.flat_map(|component| &component.documents) {
            add_component(&mut all, &channel.name, object.clone(), prefix);
        }
    }
    all
}

/// A folder of components.
struct Folder<'c> {
    /// The channel that has them; `None` for all.
    channel: Option<&'c Text>,
    path: &'c Text,
    place: PathBuf,
}

/// Reads the components that the configuration names, in the order of their files.
///
/// # Errors
/// Returns what cannot be read or is not an object, in one line.
pub fn read_components(
    config: &Config,
    root: &Path,
    files: &dyn Read,
) -> Result<Vec<Component>, String> {
    let shared = config.bundle.components.iter().map(|path| (None, path));
    let channels = config.channels.iter();
    let own = channels.filter_map(|one| Some((Some(&one.name), one.components.as_ref()?)));
    let folders: Vec<Folder<'_>> = shared
        .chain(own)
        .map(|(channel, path)| Folder {
            channel,
            path,
            place: root.join(&**path),
        })
        .collect();
    let mut all: Vec<(&Text, Component)> = Vec::new();
    for folder in &folders {
        let Folder {
            channel,
            path: name,
            place,
        } = folder;
        files
            .list(place)
            .map_err(|error| format!("the components in `{name}` cannot be listed: {error}"))?;
        let inner = |path: &Path| {
            let mut inner = folders.iter().filter(|inner| inner.place != *place);
            inner.any(|inner| inner.place.starts_with(place) && path.starts_with(&inner.place))
        };
        let paths = documents::yaml_and_json_files(place, files);
        for path in paths.into_iter().filter(|path| !inner(path)) {
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            let in_file = |why: String| format!("the component `{file}` in `{name}`: {why}");
            let component = Component {
                file: file.to_string(),
                channel: channel.cloned(),
                documents: objects(&path, files).map_err(in_file)?,
            };
            if let Some((other, _)) = all.iter().find(|(_, known)| known.meets(&component)) {
                return Err(in_file(format!("`{other}` has another file of that name")));
            }
            all.push((name, component));
        }
    }
    Ok(all.into_iter().map(|(_, component)| component).collect())
}

fn objects(path: &Path, files: &dyn Read) -> Result<Vec<Value>, String> {
    let bytes = files.read(path).map_err(|error| error.to_string())?;
    let text = String::from_utf8(bytes).map_err(|error| error.to_string())?;
    let documents = documents::parse(&text)?;
    for document in &documents {
        let metadata = document.get("metadata");
        let named = metadata.and_then(|metadata| metadata.get("name")?.as_str());
        let annotations = metadata.and_then(|metadata| metadata.get("annotations"));
        let open = annotations.is_none_or(|annotations| annotations.is_object());
        let kind = document.get("kind").and_then(|kind| kind.as_str());
        match (kind, named) {
            (Some("CustomResourceDefinition"), _) => {
                return Err("CRDs come from types, not from files".to_owned());
            }
            (Some(_), Some(_)) if open => {}
            _ => return Err("a document is not an object with a kind and a name".to_owned()),
        }
    }
    Ok(documents)
}
