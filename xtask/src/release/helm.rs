//! The Helm chart of a bundle: the channel is a value, the CRDs are files that no template touches.

use crate::bundle::sizes::HELM_LIMIT;
use crate::bundle::version::BundleVersion;
use crate::bundle::yaml;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The folder of the chart.
pub const FOLDER: &str = "chart";

/// Reads the files of the channel as they are; what they contain is not a template.
const TEMPLATE: &str = r#"{{- range $path, $_ := .Files.Glob (printf "files/%s/*.yaml" .Values.channel) }}
{{ $.Files.Get $path }}
{{- end }}
"#;

/// What Helm reads to leave an object alone when the release that installed it goes.
const KEEP: (&str, &str) = ("helm.sh/resource-policy", "keep");

/// An object as the chart has it.
pub fn kept(mut object: Value) -> Value {
    // What is not a CRD has no objects that would go with it.
    if object["kind"] == "CustomResourceDefinition" {
        object["metadata"]["annotations"][KEEP.0] = json!(KEEP.1);
    }
    object
}

/// The files of the chart, by path inside the bundle; why there is none where Helm could not keep a release of it.
///
/// Helm keeps a release in one Secret: all files of the chart and what it installs, packed and then written in a form that
/// takes a third more. Packing makes text several times smaller, but by how much only Helm knows: so that nobody is
/// surprised, text is counted as packed to a quarter, which CRDs always are.
///
/// # Errors
/// Why there is no chart.
pub fn chart(
    name: &str,
    version: &BundleVersion,
    channels: &[(&str, Vec<(String, Value)>)],
) -> Result<BTreeMap<String, String>, String> {
    let written = |error: yaml::Error| format!("a CRD is {error}");
    let mut files = BTreeMap::new();
    let mut largest = 0;
    for (channel, crds) in channels {
        let mut whole = 0;
        for (file, crd) in crds {
            let text = yaml::to_string(&kept(crd.clone())).map_err(written)?;
            whole += text.len();
            let path = format!("{FOLDER}/files/{channel}/{file}");
            files
                .entry(path)
                .or_insert_with(String::new)
                .push_str(&text);
        }
        largest = largest.max(whole);
    }
    let sum: usize = files.values().map(String::len).sum();
    // Files are kept in a form that takes a third more before they are packed, and all of it once more behind.
    let taken = (sum * 4 / 3 + largest) / 4 * 4 / 3;
    if taken > HELM_LIMIT {
        return Err(format!(
            "a release of the chart could take {taken} bytes, and Helm keeps it in a Secret of at most {HELM_LIMIT}"
        ));
    }
    let names: Vec<&str> = channels.iter().map(|(channel, _)| *channel).collect();
    let bare = version.to_string().trim_start_matches('v').to_owned();
    let head = json!({
        "apiVersion": "v2",
        "appVersion": version.to_string(),
        "description": "The CRDs of one channel. They stay when the release goes.",
        "name": name,
        "type": "application",
        "version": bare,
    });
    let values = json!({"channel": names.first()});
    let schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "required": ["channel"],
        "properties": {"channel": {"enum": names}},
    });
    let mut add = |path: &str, text: String| files.insert(format!("{FOLDER}/{path}"), text);
    add("Chart.yaml", yaml::to_string(&head).map_err(written)?);
    add("values.yaml", yaml::to_string(&values).map_err(written)?);
    add("values.schema.json", format!("{schema:#}\n"));
    add("templates/crds.yaml", TEMPLATE.to_owned());
    Ok(files)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

    use super::chart;
    use crate::bundle::version::BundleVersion;
    use serde_json::json;

    #[test]
    fn crds_are_files_that_stay() {
        let crd = json!({"kind": "CustomResourceDefinition", "metadata": {"name": "a"}, "spec": "{{ no template }}"});
        let channels = [("stable", vec![("a.yaml".to_owned(), crd)])];
        let files = chart("edge", &BundleVersion::new(0, 10, 0), &channels).unwrap();
        let paths: Vec<&str> = files.keys().map(String::as_str).collect();
        assert_eq!(
            paths,
            [
                "chart/Chart.yaml",
                "chart/files/stable/a.yaml",
                "chart/templates/crds.yaml",
                "chart/values.schema.json",
                "chart/values.yaml"
            ]
        );
        let file = &files["chart/files/stable/a.yaml"];
        assert!(file.contains("helm.sh/resource-policy: keep"), "{file}");
        assert!(files["chart/Chart.yaml"].contains("version: \"0.10.0\""));
    }

    #[test]
    fn what_helm_cannot_keep_is_left_out() {
        let crd = json!({"metadata": {}, "spec": "x".repeat(2_000_000)});
        let channels = [("stable", vec![("a.yaml".to_owned(), crd)])];
        let why = chart("edge", &BundleVersion::new(0, 1, 0), &channels).unwrap_err();
        assert!(why.contains("Secret"), "{why}");
    }
}
