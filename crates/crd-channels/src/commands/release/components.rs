//! The components of a bundle: the objects in the files of a folder.

use crate::release::contents::Component;
use crd_channels_compat::{Components, add_component};
use crd_channels_files::Read;
use crd_channels_projection::channel::config::Bundle;
use crd_channels_released::documents;
use std::collections::BTreeSet;
use std::path::Path;

/// Returns the objects in the form that comparisons take.
pub fn compared(components: &[Component], prefix: &str) -> Components {
    let mut all = Components::new();
    for object in components.iter().flat_map(|component| &component.documents) {
        add_component(&mut all, object.clone(), prefix);
    }
    all
}

/// Reads the components that the configuration names, in the order of their files.
///
/// # Errors
/// Returns what cannot be read or is not an object, in one line.
pub fn read(bundle: &Bundle, root: &Path, files: &dyn Read) -> Result<Vec<Component>, String> {
    let Some(folder) = &bundle.components else {
        return Ok(Vec::new());
    };
    let place = root.join(&**folder);
    files
        .list(&place)
        .map_err(|error| format!("the components in `{folder}` cannot be listed: {error}"))?;
    let mut all = Vec::new();
    let mut names = BTreeSet::new();
    for path in documents::below(&place, files) {
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let in_file = |why: String| format!("the component `{file}` in `{folder}`: {why}");
        if !names.insert(file.to_string()) {
            return Err(in_file("there are two files of that name".to_owned()));
        }
        let bytes = files
            .read(&path)
            .map_err(|error| in_file(error.to_string()))?;
        let text = String::from_utf8(bytes).map_err(|error| in_file(error.to_string()))?;
        let documents = documents::parse(&text).map_err(in_file)?;
        for document in &documents {
            let metadata = document.get("metadata");
            let named = metadata.and_then(|metadata| metadata.get("name")?.as_str());
            let annotations = metadata.and_then(|metadata| metadata.get("annotations"));
            let open = annotations.is_none_or(|annotations| annotations.is_object());
            let kind = document.get("kind").and_then(|kind| kind.as_str());
            match (kind, named) {
                (Some("CustomResourceDefinition"), _) => {
                    return Err(in_file("CRDs come from types, not from files".to_owned()));
                }
                (Some(_), Some(_)) if open => {}
                _ => {
                    return Err(in_file(
                        "a document is not an object with a kind and a name".to_owned(),
                    ));
                }
            }
        }
        all.push(Component {
            file: file.into_owned(),
            documents,
        });
    }
    Ok(all)
}
