//! Reads the recorded proofs that conversions lose nothing.

use crd_channels_files::Read;
use crd_channels_validation::proof::{FOLDER, Proof};
use std::collections::BTreeMap;
use std::path::Path;

/// Returns the proofs of a workspace by the names of their CRDs, or why a record is none.
pub fn proofs(root: &Path, files: &dyn Read) -> BTreeMap<String, Result<Proof, String>> {
    let paths = files.list(&root.join(FOLDER)).unwrap_or_default();
    let named = paths.into_iter().filter_map(|path| {
        let crd = path
            .file_name()?
            .to_str()?
            .strip_suffix(".json")?
            .to_owned();
        let text = files.read(&path).map_err(|error| error.to_string());
        let text =
            text.and_then(|bytes| String::from_utf8(bytes).map_err(|error| error.to_string()));
        let text = text.map_err(|why| format!("cannot be read: {why}"));
        Some((crd, text.and_then(|text| Proof::parse(&text))))
    });
    named.collect()
}
