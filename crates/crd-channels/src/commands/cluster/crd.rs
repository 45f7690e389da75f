//! What the commands read of a CRD as a server has it, with its status and its metadata.

use crate::commands::crd_document::CrdDocument;
use crd_channels_projection::bundle::version::BundleVersion;
use serde::Serialize;
use serde_json::{Value, json};

/// The path of all CRDs.
const CRDS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/// The resource of all CRDs, for commands that take one.
pub(super) const RESOURCE: &str = "customresourcedefinitions.v1.apiextensions.k8s.io";

/// The bundle that a CRD says it is of.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
pub(super) struct Stamp {
    /// As written.
    pub(super) version: String,
    pub(super) channel: String,
}

impl Stamp {
    /// The version, if it is one of a bundle.
    pub(super) fn bundle_version(&self) -> Option<BundleVersion> {
        self.version.parse().ok()
    }
}

/// The path of a CRD.
pub(super) fn place(name: &str) -> String {
    format!("{CRDS}/{name}")
}

impl CrdDocument {
    pub(super) fn resource_version(&self) -> &str {
        self.text("/metadata/resourceVersion")
    }

    /// Changes with every change of the specification.
    pub(super) fn generation(&self) -> &Value {
        self.0
            .pointer("/metadata/generation")
            .unwrap_or(&Value::Null)
    }

    /// The path of all its objects in a version.
    pub(super) fn collection(&self, version: &str) -> String {
        format!("/apis/{}/{version}/{}", self.group(), self.plural())
    }

    /// The versions in which objects may be stored. A migration of Kubernetes 1.37 that failed takes versions out of their record
    /// all the same, so that it may be any of them.
    pub(in crate::commands) fn stored(&self) -> Vec<&str> {
        if self.has_failed_migration() {
            return self.version_names().collect();
        }
        let stored = self
            .0
            .pointer("/status/storedVersions")
            .and_then(Value::as_array);
        stored
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect()
    }

    fn has_failed_migration(&self) -> bool {
        let mut all = self.conditions();
        all.any(|it| is_of_migration(it) && it.get("reason") == Some(&json!("MigrationFailed")))
    }

    /// The conditions without that of a migration that failed; `None` if there is none.
    pub(super) fn conditions_after_migration(&self) -> Option<Vec<&Value>> {
        let own = self.has_failed_migration().then(|| self.conditions())?;
        Some(own.filter(|it| !is_of_migration(it)).collect())
    }

    fn conditions(&self) -> impl Iterator<Item = &Value> {
        let all = self.0.pointer("/status/conditions");
        all.and_then(Value::as_array).into_iter().flatten()
    }

    /// Whether objects are not to be written in a version any more: it was stored, is deprecated, or is not served.
    pub(in crate::commands) fn is_leaving(&self, version: &str) -> bool {
        let is_staying = self.served().any(|it| it == version)
            && !self.deprecated().any(|it| it == version)
            && !self.stored().contains(&version);
        version != self.storage() && !is_staying
    }

    /// The version to list objects in: one that the CRD that follows serves too, and best the stored one. `None` if none is served.
    pub(super) fn listed(&self, after: Option<&Self>) -> Option<&str> {
        let is_kept = |name| after.is_none_or(|after| after.served().any(|it| it == name));
        self.served()
            .min_by_key(|name| (!is_kept(*name), *name != self.storage()))
    }

    /// Whether its deletion has begun, which ends when the last object is gone.
    pub(super) fn is_being_deleted(&self) -> bool {
        self.0.pointer("/metadata/deletionTimestamp").is_some()
    }

    /// Why the server does not serve it as it is written.
    pub(super) fn out_of_use(&self) -> Vec<String> {
        let has_status = self.0.pointer("/status/conditions").is_some();
        let conditions = ["NamesAccepted", "Established"].into_iter();
        let missing = conditions.filter(|name| has_status && !self.has_condition(name));
        let deleted = self
            .is_being_deleted()
            .then(|| "metadata.deletionTimestamp".to_owned());
        let missing = missing.map(|name| format!("status.conditions[{name}]"));
        deleted.into_iter().chain(missing).collect()
    }

    /// Whether the server has a condition with the status `True`.
    pub(super) fn has_condition(&self, name: &str) -> bool {
        self.conditions().any(|it| {
            let text = |key: &str| it.get(key).and_then(Value::as_str);
            text("type") == Some(name) && text("status") == Some("True")
        })
    }

    /// The bundle that it says it is of. With a prefix only annotations with it count.
    pub(super) fn stamp(&self, prefix: &str) -> Option<Stamp> {
        let annotations = self.0.pointer("/metadata/annotations")?.as_object()?;
        let mut all = annotations.iter();
        let (prefix, version) = all.find_map(|(key, value)| {
            let own = key.strip_suffix("/bundle-version")?;
            (prefix.is_empty() || own == prefix).then_some((own, value.as_str()?))
        })?;
        let channel = annotations.get(&format!("{prefix}/channel"));
        Some(Stamp {
            version: version.to_owned(),
            channel: channel
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned(),
        })
    }

    /// Who manages its versions: programs that wrote them, in the names that people know.
    pub(super) fn owners(&self) -> Vec<String> {
        let entries = self
            .0
            .pointer("/metadata/managedFields")
            .and_then(Value::as_array);
        let entries = entries.into_iter().flatten();
        let owning = entries.filter(|it| it.pointer("/fieldsV1/f:spec/f:versions").is_some());
        let managers = owning.filter_map(|it| it.get("manager")?.as_str());
        let mut owners: Vec<String> = managers.map(|name| owner(name).to_owned()).collect();
        owners.sort();
        owners.dedup();
        owners
    }
}

/// Whether a condition is that of Kubernetes' own migration.
fn is_of_migration(condition: &Value) -> bool {
    condition.get("type").and_then(Value::as_str) == Some("StorageMigrating")
}

/// The product that a manager of fields belongs to; the manager itself if it is unknown.
fn owner(manager: &str) -> &str {
    match manager {
        "helm" => "Helm",
        "catalog" | "olm" | "operator-lifecycle-manager" => "OLM",
        "kustomize-controller" | "helm-controller" | "flux" | "flux-client-side-apply" => "Flux",
        "argocd-controller" | "argocd-application-controller" | "argocd" => "Argo CD",
        _ if manager.starts_with("kubectl") => "kubectl",
        _ => manager,
    }
}
