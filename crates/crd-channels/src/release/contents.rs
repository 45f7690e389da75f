//! Makes the files of a bundle's folder, except its manifest.

use super::helm::{self, Charted, ProjectMetadata};
use super::notices;
use super::policies::{self, SINCE};
use super::policy;
use crd_channels_diagnostics::Text;
use crd_channels_projection::bundle::yaml;
use crd_channels_projection::channel::config::Kubernetes;
use crd_channels_released::digest::Digest;
use crd_channels_released::documents;
use crd_channels_released::manifest::ConditionList;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The CRDs of one channel.
#[derive(Clone, Debug)]
pub struct Crds {
    /// The channel.
    pub channel: policy::Channel,
    /// The name and the text of each file, in order.
    pub files: Vec<(String, String)>,
    /// The conditions that its kinds declare.
    pub conditions: Vec<ConditionList>,
}

/// A file of objects that a bundle has besides CRDs.
#[derive(Clone, Debug)]
pub struct Component {
    /// Its name.
    pub file: String,
    /// The channel that has it; `None` for all.
    pub channel: Option<Text>,
    /// Its documents, which are objects.
    pub documents: Vec<Value>,
}

impl Component {
    /// Whether a channel has it.
    pub fn is_in(&self, channel: &str) -> bool {
        self.channel.as_deref().is_none_or(|own| own == channel)
    }

    /// Whether a channel has another file of its name beside it.
    pub fn meets(&self, other: &Self) -> bool {
        let either = self.channel.as_ref().or(other.channel.as_ref());
        let together = either.is_none_or(|channel| self.is_in(channel) && other.is_in(channel));
        together && self.file == other.file
    }
}

/// The files of a bundle.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// The files by path inside the folder: those of channels and those for all channels.
    pub files: BTreeMap<String, String>,
    /// What is left out, with the reason.
    pub notes: Vec<String>,
}

/// Makes the files.
///
/// # Errors
/// Returns what cannot be written, in one line.
pub fn contents(
    bundle: policy::Bundle<'_>,
    about: &ProjectMetadata,
    kubernetes: Kubernetes,
    channels: &[Crds],
    components: &[Component],
) -> Result<Contents, String> {
    let mut contents = Contents::default();
    let has_policies = (kubernetes.major, kubernetes.minor) >= (1, SINCE);
    if !has_policies {
        contents.notes.push(format!(
            "no policies: API servers enforce them since Kubernetes 1.{SINCE}, and the bundle is for {kubernetes} too"
        ));
    }
    let files = &mut contents.files;
    let mut charted = Vec::new();
    for Crds {
        channel,
        files: crds,
        conditions: _,
    } in channels
    {
        let name = &channel.name;
        let own = components.iter().filter(|one| one.is_in(name));
        let stamped = own.map(|one| stamped(one, bundle, channel));
        let stamped = stamped.collect::<Result<Vec<_>, String>>()?;
        let comment = notices::comment(bundle, channel, has_policies);
        let resources = crds.iter().map(|(file, _)| format!("crds/{file}"));
        let others = stamped.iter().map(|(file, _)| format!("components/{file}"));
        let listed = |error: yaml::Error| format!("the list of channel `{name}` is {error}");
        let list = kustomization(&comment, resources.chain(others)).map_err(listed)?;
        files.insert(format!("{name}/kustomization.yaml"), list);
        for (file, text) in crds {
            files.insert(format!("{name}/crds/{file}"), text.clone());
        }
        for (file, text) in &stamped {
            files.insert(format!("{name}/components/{file}"), text.clone());
        }
        let mut policies = Vec::new();
        if has_policies {
            let written = |error: yaml::Error| format!("a policy of channel `{name}` is {error}");
            policies = policies::write(bundle, channel).map_err(written)?;
            let names = policies.iter().map(|(file, _)| (*file).to_owned());
            let list = kustomization("", names).map_err(listed)?;
            files.insert(format!("{name}/policies/kustomization.yaml"), list);
        }
        for (file, text) in &policies {
            files.insert(format!("{name}/policies/{file}"), text.clone());
        }
        charted.push(Charted {
            channel,
            crds: parsed(crds.iter().chain(&stamped))?,
            policies,
        });
    }
    match helm::chart(about, bundle, kubernetes, &charted) {
        Ok(chart) => files.extend(chart),
        Err(why) => contents.notes.push(format!("no Helm chart: {why}")),
    }
    Ok(contents)
}

/// Returns a kustomization that lists files. The comment follows the header by which `gen-crds` recognizes its own lists.
fn kustomization(
    comment: &str,
    resources: impl Iterator<Item = String>,
) -> Result<String, yaml::Error> {
    let head = json!({
        "apiVersion": "kustomize.config.k8s.io/v1beta1",
        "kind": "Kustomization",
    });
    let resources: Vec<String> = resources.collect();
    let list = yaml::to_string(&json!({"resources": resources}))?;
    let list = list.trim_start_matches("---\n");
    Ok(format!("{}{comment}{list}", yaml::to_string(&head)?))
}

/// Returns a component for a channel: every object is annotated with the bundle and the channel.
fn stamped(
    component: &Component,
    bundle: policy::Bundle<'_>,
    channel: &policy::Channel,
) -> Result<(String, String), String> {
    let mut text = String::new();
    for document in &component.documents {
        let mut document = document.clone();
        let stamps = [
            ("bundle-version", bundle.version.to_string()),
            ("channel", channel.annotation.clone()),
        ];
        for (key, value) in stamps {
            document["metadata"]["annotations"][format!("{}/{key}", bundle.prefix)] = json!(value);
        }
        let written = yaml::to_string(&document);
        text.push_str(&written.map_err(|error| format!("`{}` is {error}", component.file))?);
    }
    Ok((component.file.clone(), text))
}

/// Returns the documents of some files, each with its file's name.
fn parsed<'f>(
    files: impl Iterator<Item = &'f (String, String)>,
) -> Result<Vec<(String, Value)>, String> {
    let mut all = Vec::new();
    for (file, text) in files {
        let documents = documents::parse(text)?.into_iter();
        all.extend(documents.map(|document| (file.clone(), document)));
    }
    Ok(all)
}

impl Contents {
    /// Returns the digests of the files whose paths are wanted.
    #[must_use]
    pub fn digests(&self, is_wanted: impl Fn(&str) -> bool) -> BTreeMap<String, Digest> {
        let files = self.files.iter().filter(|(path, _)| is_wanted(path));
        files
            .map(|(path, text)| (path.clone(), Digest::of(text.as_bytes())))
            .collect()
    }
}
