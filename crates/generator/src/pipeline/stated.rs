//! What configuration says in the place of source, loaded.

use crate::channel::config::{Config, Override, OverrideSource};
use crate::diag::{Code, Diagnostic, Sink};
use crate::files::Read;
use crate::lower::Overrides;
use crate::schema::draft::Draft;
use serde_json::Value;
use std::path::Path;

/// The schemas and values of `[schemas]` and `[values]`, files read.
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
    }
}

fn json(path: &Path, files: &dyn Read) -> Result<Value, String> {
    let bytes = files.read(path).map_err(|error| error.to_string())?;
    serde_json::from_slice(&bytes).map_err(|error| error.to_string())
}

/// Lets `[kinds."plural.group"]` say which version is stored, and reports those that name no version of a kind.
pub fn storage(config: &Config, drafts: &mut [Draft], sink: &mut Sink) {
    for (name, version) in &config.bundle.overrides.storage {
        let mut of_kind = drafts
            .iter()
            .filter(|draft| *draft.crd_name() == *name.value);
        let mut known = of_kind.clone();
        if !of_kind.any(|draft| draft.version == version.value) {
            let message = match known.next() {
                Some(_) => format!("`{}` has no version `{}`", name.value, version.value),
                None => format!("no kind is called `{}`", name.value),
            };
            let finding = Diagnostic::new(Code::ConfigInvalid, version.span, message);
            sink.push(finding.with_help("name the CRD as `plural.group` and one of its versions"));
        }
    }
    store(config, drafts);
}

/// The same for some of the kinds.
pub fn store(config: &Config, drafts: &mut [Draft]) {
    for (name, version) in &config.bundle.overrides.storage {
        let is_kind = |draft: &Draft| *draft.crd_name() == *name.value;
        let is_it = |draft: &Draft| draft.version == version.value;
        if drafts.iter().any(|draft| is_kind(draft) && is_it(draft)) {
            let versions = drafts.iter_mut().filter(|draft| is_kind(draft));
            versions.for_each(|draft| draft.storage = is_it(draft));
        }
    }
}
