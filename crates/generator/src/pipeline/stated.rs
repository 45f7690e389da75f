//! Loads the settings of the configuration that replace source.

use crate::lower::{Idle, Overrides, Records};
use crd_channels_diagnostics::{Code, Diagnostic, Sink};
use crd_channels_files::Read;
use crd_channels_projection::channel::config::{Config, Override, OverrideSource};
use crd_channels_schema::draft::Draft;
use serde_json::Value;
use std::path::Path;

/// Returns the schemas and values of `[schemas]` and `[values]`, including those in files.
pub fn overrides(config: &Config, root: &Path, files: &dyn Read, sink: &mut Sink) -> Overrides {
    let stated = &config.bundle.overrides;
    let mut load = |list: &[Override]| {
        let pairs = list.iter().filter_map(|one| {
            let value = match &one.source {
                OverrideSource::Here(value) => value.clone(),
                OverrideSource::File(file) => match json(&root.join(&*file.value), files) {
                    Ok(value) => value,
                    Err(why) => {
                        let message = format!("`{}` cannot be read: {why}", file.value);
                        let finding = Diagnostic::new(Code::ConfigInvalid, file.span, message);
                        sink.push(finding.with_help(
                            "name a file below the workspace root that holds one JSON value",
                        ));
                        return None;
                    }
                },
            };
            Some((one.path.value.clone(), value))
        });
        pairs.collect()
    };
    Overrides {
        schemas: load(&stated.schemas),
        values: load(&stated.values),
        records: Records::default(),
    }
}

/// Reports overrides that no kind needs, unless errors kept a kind from being read.
pub fn idle(config: &Config, idle: Vec<Idle>, sink: &mut Sink) {
    let broken = sink.has_errors();
    let stated = &config.bundle.overrides;
    for Idle {
        path,
        is_schema,
        lost,
    } in idle
    {
        let (table, list) = match is_schema {
            true => ("schemas", &stated.schemas),
            false => ("values", &stated.values),
        };
        let span = list.iter().find(|one| one.path.value == path);
        let span = span.map(|one| one.path.span);
        let found = |message| Diagnostic::new(Code::ConfigInvalid, span, message);
        let found = match lost {
            Some(lost) => {
                let why = lost.message.split_once(": ").map_or("", |(_, why)| why);
                let help = lost.help.unwrap_or_else(|| {
                    format!("write the path as in code of the project, starting with the crate's name, as in `[{table}.\"my_crate::v1::Name\"]`")
                });
                found(format!("`{path}` does not resolve: {why}")).with_help(help)
            }
            None if broken => continue,
            None => {
                let what = if is_schema { "schema" } else { "value" };
                found(format!("no kind needs the {what} of `{path}`"))
                    .with_help("remove it, or write the path of what the error or the field names")
            }
        };
        sink.push(found);
    }
}

fn json(path: &Path, files: &dyn Read) -> Result<Value, String> {
    let bytes = files.read(path).map_err(|error| error.to_string())?;
    serde_json::from_slice(&bytes).map_err(|error| error.to_string())
}

/// Applies `[kinds."plural.group"]` to its kind, and reports tables that match no kind or version.
pub fn kinds(config: &Config, drafts: &mut [Draft], sink: &mut Sink) {
    // A kind may be unknown because it could not be read.
    let broken = sink.has_errors();
    for stated in config.bundle.overrides.kinds.iter().filter(|_| !broken) {
        let name = &stated.name;
        let mut of_kind = drafts
            .iter()
            .filter(|draft| *draft.crd_name() == *name.value)
            .peekable();
        let (message, span) = match &stated.storage {
            _ if of_kind.peek().is_none() => (format!("unknown kind `{}`", name.value), name.span),
            Some(version) if !of_kind.any(|draft| draft.version == version.value) => (
                format!("`{}` has no version `{}`", name.value, version.value),
                version.span,
            ),
            _ => continue,
        };
        let finding = Diagnostic::new(Code::ConfigInvalid, span, message);
        sink.push(finding.with_help("name the CRD as `plural.group` and one of its versions"));
    }
    apply(config, drafts);
}

/// Does the same for some of the kinds.
pub fn apply(config: &Config, drafts: &mut [Draft]) {
    for stated in &config.bundle.overrides.kinds {
        let of_kind = |draft: &&mut Draft| *draft.crd_name() == *stated.name.value;
        let stored = stated.storage.as_ref().filter(|version| {
            drafts.iter().any(|draft| {
                *draft.crd_name() == *stated.name.value && draft.version == version.value
            })
        });
        for draft in drafts.iter_mut().filter(of_kind) {
            if let Some(version) = stored {
                draft.storage = draft.version == version.value;
            }
            if let Some(names) = &stated.short_names {
                for (_, facets) in &mut draft.facets.when {
                    facets.short_names.clear();
                }
                draft.facets.always.short_names.clone_from(names);
            }
            draft.annotations.extend(stated.annotations.iter().cloned());
            draft.labels.extend(stated.labels.iter().cloned());
        }
    }
}
