//! The Helm chart of a bundle: the channel is a value, and CRDs are files that are never parsed as templates.

use super::notices;
use super::policy::{Bundle, Channel};
use crd_channels_check::names::is_label;
use crd_channels_projection::bundle::sizes::HELM_LIMIT;
use crd_channels_projection::bundle::yaml;
use crd_channels_projection::channel::config::Kubernetes;
use crd_channels_released::documents;
use crd_channels_released::folder::Verified;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The folder of the chart.
pub const FOLDER: &str = "chart";

/// The template that includes the files of the channel verbatim.
const TEMPLATE: &str = r#"{{- range $path, $_ := .Files.Glob (printf "files/%s/*.yaml" .Values.channel) }}
{{ $.Files.Get $path }}
{{- end }}
"#;

/// The same for policies, if they are enabled.
const POLICIES: &str = r#"{{- if .Values.policies.enabled }}
{{- range $path, $_ := .Files.Glob (printf "policies/%s/*.yaml" .Values.channel) }}
{{ $.Files.Get $path }}
{{- end }}
{{- end }}
"#;

/// The metadata of the project, from its manifests.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ProjectMetadata {
    /// The chart's name.
    pub name: String,
    /// A one-line description of the API.
    pub description: Option<String>,
    /// The home page.
    pub home: Option<String>,
    /// The URLs of the source.
    pub sources: Vec<String>,
}

/// A channel of a chart.
#[derive(Clone, Debug)]
pub struct Charted<'a> {
    /// The channel.
    pub channel: &'a Channel,
    /// Its CRDs and components, each with its file's name.
    pub crds: Vec<(String, Value)>,
    /// Its policies: the name and the text of each file.
    pub policies: Vec<(&'static str, String)>,
}

/// The annotation that makes Helm keep an object when its release is uninstalled.
const KEEP: (&str, &str) = ("helm.sh/resource-policy", "keep");

/// Returns an object as the chart includes it.
pub fn chart_object(mut object: Value) -> Value {
    // Only a CRD would take objects with it when it is deleted.
    if object["kind"] == "CustomResourceDefinition" {
        object["metadata"]["annotations"][KEEP.0] = json!(KEEP.1);
    }
    object
}

/// Returns the files of the chart, by path inside the bundle.
///
/// Helm keeps a release in one Secret: all files of the chart and the rendered manifests, compressed and base64-encoded. The
/// compression ratio is only known to Helm, so a conservative quarter is assumed, which CRDs always achieve.
///
/// # Errors
/// Returns why Helm could not store a release of the chart.
pub fn chart(
    about: &ProjectMetadata,
    bundle: Bundle<'_>,
    kubernetes: Kubernetes,
    channels: &[Charted<'_>],
) -> Result<BTreeMap<String, String>, String> {
    let written = |error: yaml::Error| format!("a CRD is {error}");
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    let mut largest = 0;
    for Charted {
        channel,
        crds,
        policies,
    } in channels
    {
        let mut whole = 0;
        for (file, crd) in crds {
            let text = yaml::to_string(&chart_object(crd.clone())).map_err(written)?;
            whole += text.len();
            let path = format!("{FOLDER}/files/{}/{file}", channel.name);
            files.entry(path).or_default().push_str(&text);
        }
        for (file, text) in policies {
            whole += text.len();
            let path = format!("{FOLDER}/policies/{}/{file}", channel.name);
            files.insert(path, text.clone());
        }
        largest = largest.max(whole);
    }
    let sum: usize = files.values().map(String::len).sum();
    // Files are base64-encoded before they are compressed, and the result is base64-encoded again.
    let taken = (sum * 4 / 3 + largest) / 4 * 4 / 3;
    if taken > HELM_LIMIT {
        return Err(format!(
            "a release of the chart could take {taken} bytes, and Helm keeps it in a Secret of at most {HELM_LIMIT}"
        ));
    }
    let names: Vec<&str> = channels.iter().map(|one| &*one.channel.name).collect();
    let has_policies = channels.iter().any(|one| !one.policies.is_empty());
    let bare = bundle.version.to_string();
    let mut head = json!({
        "apiVersion": "v2",
        "appVersion": bundle.version.to_string(),
        "description": notices::description(bundle, about.description.as_deref()),
        // Includes pre-releases: cloud providers use them as versions.
        "kubeVersion": format!(">={kubernetes}.0-0"),
        "name": about.name,
        "type": "application",
        "version": bare.trim_start_matches('v'),
    });
    if let Some(home) = &about.home {
        head["home"] = json!(home);
    }
    if !about.sources.is_empty() {
        head["sources"] = json!(about.sources);
    }
    let mut values = json!({"channel": names.first()});
    let mut schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "required": ["channel"],
        "properties": {"channel": {"enum": names}},
    });
    let mut add = |path: &str, text: String| files.insert(format!("{FOLDER}/{path}"), text);
    if has_policies {
        values["policies"] = json!({"enabled": false});
        schema["properties"]["policies"] = json!({
            "type": "object",
            "additionalProperties": false,
            "properties": {"enabled": {"type": "boolean"}},
        });
        add("templates/policies.yaml", POLICIES.to_owned());
    }
    add("Chart.yaml", yaml::to_string(&head).map_err(written)?);
    add("values.yaml", yaml::to_string(&values).map_err(written)?);
    add("values.schema.json", format!("{schema:#}\n"));
    add("templates/crds.yaml", TEMPLATE.to_owned());
    add("templates/NOTES.txt", notices::notes(bundle, has_policies));
    Ok(files)
}

/// Returns the name of a released bundle's chart; the default name if it has no chart.
#[must_use]
pub fn name(bundle: &Verified) -> String {
    let head = head(bundle).unwrap_or_default();
    let name = head["name"].as_str().filter(|name| is_label(name));
    name.map_or_else(
        || chart_name(&bundle.manifest.annotation_prefix),
        str::to_owned,
    )
}

/// Returns the URL of the source in a released bundle's chart.
#[must_use]
pub fn source(bundle: &Verified) -> Option<String> {
    let source = head(bundle)?["sources"].get(0)?.as_str()?.to_owned();
    Some(source)
}

fn head(bundle: &Verified) -> Option<Value> {
    let text = bundle.files.get(&format!("{FOLDER}/Chart.yaml"))?;
    let all = documents::parse(std::str::from_utf8(text).ok()?).ok()?;
    all.into_iter().next()
}

/// Returns the default name of a chart: `edge-crds` for `edge.example.com`.
#[must_use]
pub fn chart_name(prefix: &str) -> String {
    format!("{}-crds", prefix.split('.').next().unwrap_or(prefix))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

    use super::{Charted, ProjectMetadata, chart, name};
    use crate::release::policy::{Bundle, Channel};
    use crd_channels_compat::Set;
    use crd_channels_projection::bundle::version::BundleVersion;
    use crd_channels_projection::channel::config::Kubernetes;
    use crd_channels_released::fixture::manifest;
    use crd_channels_released::folder::Verified;
    use serde_json::{Value, json};
    use std::collections::{BTreeMap, BTreeSet};

    fn charted(
        names: &[&str],
        crd: &Value,
        has_policies: bool,
        about: Option<&str>,
    ) -> Result<BTreeMap<String, String>, String> {
        let channels: Vec<Channel> = names
            .iter()
            .map(|name| Channel {
                name: (*name).to_owned(),
                annotation: (*name).to_owned(),
                features: BTreeSet::new(),
            })
            .collect();
        let bundle = Bundle {
            version: &BundleVersion::new(0, 10, 0),
            prefix: "edge.example.com",
            channels: &channels,
            set: &Set::default(),
        };
        let policy = ("safe-upgrades.yaml", "kind: {{ no template }}\n".to_owned());
        let charted: Vec<Charted<'_>> = channels
            .iter()
            .map(|channel| Charted {
                channel,
                crds: vec![("a.yaml".to_owned(), crd.clone())],
                policies: has_policies.then(|| policy.clone()).into_iter().collect(),
            })
            .collect();
        let kubernetes = Kubernetes {
            major: 1,
            minor: 31,
        };
        let about = ProjectMetadata {
            name: "edge".to_owned(),
            description: about.map(str::to_owned),
            home: about.map(|_| "https://example.com".to_owned()),
            sources: about
                .map(|_| "https://example.com/api.git".to_owned())
                .into_iter()
                .collect(),
        };
        chart(&about, bundle, kubernetes, &charted)
    }

    #[test]
    fn charts_have_crds_as_files_that_are_kept() {
        let crd = json!({"kind": "CustomResourceDefinition", "metadata": {"name": "a"}, "spec": "{{ no template }}"});
        let files = charted(&["stable"], &crd, false, None).unwrap();
        let paths: Vec<&str> = files.keys().map(String::as_str).collect();
        assert_eq!(
            paths,
            [
                "chart/Chart.yaml",
                "chart/files/stable/a.yaml",
                "chart/templates/NOTES.txt",
                "chart/templates/crds.yaml",
                "chart/values.schema.json",
                "chart/values.yaml"
            ]
        );
        let file = &files["chart/files/stable/a.yaml"];
        assert!(file.contains("helm.sh/resource-policy: keep"), "{file}");
        let head = &files["chart/Chart.yaml"];
        assert!(head.contains("version: \"0.10.0\""), "{head}");
        assert!(head.contains(">=1.31.0-0"), "{head}");
        let notes = &files["chart/templates/NOTES.txt"];
        assert!(notes.contains("not a security mechanism"), "{notes}");
        for absent in ["policies", "production"] {
            assert!(!notes.contains(absent), "{notes}");
        }
    }

    #[test]
    fn policies_are_a_value_that_is_off() {
        let files = charted(&["stable", "experimental"], &json!({}), true, None).unwrap();
        assert_eq!(
            files["chart/policies/experimental/safe-upgrades.yaml"],
            "kind: {{ no template }}\n"
        );
        assert!(files.contains_key("chart/templates/policies.yaml"));
        assert!(files["chart/values.yaml"].ends_with("policies:\n  enabled: false\n"));
        let notes = &files["chart/templates/NOTES.txt"];
        assert!(
            notes.contains(
                "{{- if has .Values.channel (list \"experimental\") }}\n\nNot for production"
            ),
            "{notes}"
        );
        assert!(
            notes.contains("--set policies.enabled=true\n{{- end }}"),
            "{notes}"
        );
        assert!(files["chart/Chart.yaml"].contains("experimental is not for production"));
    }

    #[test]
    fn a_chart_says_what_the_project_says_and_nothing_else() {
        let head = |about| {
            let files = charted(&["stable", "experimental"], &json!({}), false, about).unwrap();
            files["chart/Chart.yaml"].clone()
        };
        let (start, end) = (
            "---\napiVersion: v2\nappVersion: v0.10.0\ndescription: ",
            "type: application\nversion: \"0.10.0\"\n",
        );
        let own = "CRDs of edge.example.com v0.10.0; kept on uninstall. Channel experimental is not for production.";
        assert_eq!(
            head(None),
            format!("{start}{own}\nkubeVersion: '>=1.31.0-0'\nname: edge\n{end}")
        );
        for description in ["The edge", "The edge."] {
            assert_eq!(
                head(Some(description)),
                format!(
                    "{start}The edge. {own}\nhome: https://example.com\nkubeVersion: '>=1.31.0-0'\nname: edge\nsources:\n- https://example.com/api.git\n{end}"
                )
            );
        }
    }

    #[test]
    fn a_bundle_is_called_as_its_chart() {
        let named = |head: Option<&str>| {
            let head = head.map(|head| ("chart/Chart.yaml".to_owned(), head.as_bytes().to_vec()));
            name(&Verified {
                manifest: manifest(),
                files: head.into_iter().collect(),
            })
        };
        assert_eq!(named(Some("---\nname: edge\n")), "edge");
        // The name becomes part of a file name.
        for other in [
            None,
            Some("name: ../edge"),
            Some("name: 1"),
            Some("a: ["),
            Some(""),
        ] {
            assert_eq!(named(other), "example-crds", "{other:?}");
        }
    }

    #[test]
    fn a_chart_too_large_for_helm_is_left_out() {
        let crd = json!({"metadata": {}, "spec": "x".repeat(2_000_000)});
        let why = charted(&["stable"], &crd, false, None).unwrap_err();
        assert!(why.contains("Secret"), "{why}");
    }
}
