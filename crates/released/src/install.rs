//! `install.yaml` of a channel: everything that its kustomization lists in one file, to install by URL. It is derived from the
//! bundle, so bundles need not contain it; those of earlier versions of the tool do.

use super::manifest::Manifest;
use std::collections::BTreeMap;

const FILE: &str = "install.yaml";

/// The path of a channel's file in the bundle's folder, in archives and in bundles that contain it.
#[must_use]
pub fn path(channel: &str) -> String {
    format!("{channel}/{FILE}")
}

/// Returns the file of every channel, by path. A bundle that contains one is used as is.
#[must_use]
pub fn texts(manifest: &Manifest, files: &BTreeMap<String, Vec<u8>>) -> BTreeMap<String, Vec<u8>> {
    let channels = manifest.channels.iter().map(|channel| &*channel.name);
    let text = |channel| {
        let path = path(channel);
        let own = files.get(&path).cloned();
        let text = own.unwrap_or_else(|| joined(channel, files));
        (path, text)
    };
    channels.map(text).collect()
}

/// Joins the CRDs and then the components, below the header comment of the kustomization.
fn joined(channel: &str, files: &BTreeMap<String, Vec<u8>>) -> Vec<u8> {
    let list = files.get(&format!("{channel}/kustomization.yaml"));
    let lines = list
        .into_iter()
        .flat_map(|list| list.split_inclusive(is_end));
    let head = lines.filter(|line| line.starts_with(b"#"));
    let parts = ["crds", "components"].map(|part| format!("{channel}/{part}/"));
    let parts = parts.iter().flat_map(|folder| {
        let inside = files
            .iter()
            .filter(move |(path, _)| path.starts_with(folder));
        inside.map(|(_, bytes)| bytes.as_slice())
    });
    head.chain(parts).flatten().copied().collect()
}

fn is_end(byte: &u8) -> bool {
    *byte == b'\n'
}

#[cfg(test)]
mod tests {
    use super::texts;
    use crate::fixture::manifest;

    fn install(files: &[(&str, &str)]) -> String {
        let files = files.iter();
        let files = files.map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()));
        let texts = texts(&manifest(), &files.collect()).into_iter();
        let texts =
            texts.map(|(path, bytes)| format!("{path}:\n{}", String::from_utf8_lossy(&bytes)));
        texts.collect()
    }

    #[test]
    fn crds_come_before_components_and_words_before_both() {
        let files = [
            ("stable/components/a.yaml", "---\na\n"),
            ("stable/crds/b.yaml", "---\nb\n"),
            ("stable/crds/c.yaml", "---\nc\n"),
            (
                "stable/kustomization.yaml",
                "---\nkind: x\n# One.\n#\n# Two.\nresources:\n- crds/b.yaml\n",
            ),
            ("stable/policies/d.yaml", "---\nd\n"),
            ("stabler/crds/e.yaml", "---\ne\n"),
        ];
        assert_eq!(
            install(&files),
            "stable/install.yaml:\n# One.\n#\n# Two.\n---\nb\n---\nc\n---\na\n"
        );
    }

    #[test]
    fn a_bundle_that_has_one_has_no_other() {
        let files = [
            ("stable/crds/b.yaml", "---\nb\n"),
            ("stable/install.yaml", "own"),
        ];
        assert_eq!(install(&files), "stable/install.yaml:\nown");
    }
}
