//! The files of a bundle's folder, but for its manifest.

use super::helm;
use super::policies::{self, SINCE};
use crate::bundle::digest::Digest;
use crate::bundle::{documents, yaml};
use crate::channel::config::Kubernetes;
use serde_json::json;
use std::collections::BTreeMap;

/// The CRDs of one channel.
#[derive(Clone, Debug)]
pub struct Crds {
    /// The channel.
    pub channel: policies::Channel,
    /// Each file's name and text, in order.
    pub files: Vec<(String, String)>,
}

/// The files of a bundle.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// By path inside the folder, those of a channel and those for all channels.
    pub files: BTreeMap<String, String>,
    /// What is left out, and why.
    pub notes: Vec<String>,
}

/// Makes the files.
///
/// # Errors
/// What cannot be written, in one line.
pub fn contents(
    bundle: policies::Bundle<'_>,
    kubernetes: Kubernetes,
    channels: &[Crds],
) -> Result<Contents, String> {
    let mut contents = Contents::default();
    let has_policies = (kubernetes.major, kubernetes.minor) >= (1, SINCE);
    if !has_policies {
        contents.notes.push(format!(
            "no policies: API servers enforce them since Kubernetes 1.{SINCE}, and the bundle is for {kubernetes} too"
        ));
    }
    let files = &mut contents.files;
    for Crds {
        channel,
        files: crds,
    } in channels
    {
        let name = &channel.name;
        let install: String = crds.iter().map(|(_, text)| text.as_str()).collect();
        files.insert(format!("{name}/install.yaml"), install);
        let resources: Vec<String> = crds
            .iter()
            .map(|(file, _)| format!("crds/{file}"))
            .collect();
        let list = json!({
            "apiVersion": "kustomize.config.k8s.io/v1beta1",
            "kind": "Kustomization",
            "resources": resources,
        });
        let written = |error: yaml::Error| format!("the list of channel `{name}` is {error}");
        let list = yaml::to_string(&list).map_err(written)?;
        files.insert(format!("{name}/kustomization.yaml"), list);
        for (file, text) in crds {
            files.insert(format!("{name}/crds/{file}"), text.clone());
        }
        if has_policies {
            let written = |error: yaml::Error| format!("a policy of channel `{name}` is {error}");
            let text = policies::write(bundle, channel).map_err(written)?;
            files.insert(format!("{name}/policies.yaml"), text);
        }
    }
    match helm::chart(
        &chart_name(bundle.prefix),
        bundle.version,
        &parsed(channels)?,
    ) {
        Ok(chart) => files.extend(chart),
        Err(why) => contents.notes.push(format!("no Helm chart: {why}")),
    }
    Ok(contents)
}

/// `edge-crds` for `edge.example.com`.
fn chart_name(prefix: &str) -> String {
    format!("{}-crds", prefix.split('.').next().unwrap_or(prefix))
}

type Parsed<'c> = Vec<(&'c str, Vec<(String, serde_json::Value)>)>;

fn parsed(channels: &[Crds]) -> Result<Parsed<'_>, String> {
    let mut all = Vec::new();
    for Crds { channel, files } in channels {
        let mut crds = Vec::new();
        for (file, text) in files {
            let documents = documents::parse(text)?.into_iter();
            crds.extend(documents.map(|crd| (file.clone(), crd)));
        }
        all.push((channel.name.as_str(), crds));
    }
    Ok(all)
}

impl Contents {
    /// The digests of the files in a folder, or of those in no folder of these.
    #[must_use]
    pub fn digests(&self, is_wanted: impl Fn(&str) -> bool) -> BTreeMap<String, Digest> {
        let files = self.files.iter().filter(|(path, _)| is_wanted(path));
        files
            .map(|(path, text)| (path.clone(), Digest::of(text.as_bytes())))
            .collect()
    }
}
