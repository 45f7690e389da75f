//! Lints on the names of a resource.

use super::regret::regret;
use crate::document::model::{DefaultedNames, Names};
use crate::finding::Finding;
use crate::registry::Rule;
use crd_channels_validation::path::Path;

/// The short names of Kubernetes 1.37, with their resources.
const BUILTIN: &[(&str, &str)] = &[
    ("cj", "cronjobs"),
    ("cm", "configmaps"),
    ("crd", "customresourcedefinitions"),
    ("crds", "customresourcedefinitions"),
    ("cs", "componentstatuses"),
    ("csr", "certificatesigningrequests"),
    ("deploy", "deployments"),
    ("ds", "daemonsets"),
    ("ep", "endpoints"),
    ("ev", "events"),
    ("hpa", "horizontalpodautoscalers"),
    ("ing", "ingresses"),
    ("ip", "ipaddresses"),
    ("limits", "limitranges"),
    ("netpol", "networkpolicies"),
    ("no", "nodes"),
    ("ns", "namespaces"),
    ("pc", "priorityclasses"),
    ("pdb", "poddisruptionbudgets"),
    ("po", "pods"),
    ("pv", "persistentvolumes"),
    ("pvc", "persistentvolumeclaims"),
    ("quota", "resourcequotas"),
    ("rc", "replicationcontrollers"),
    ("rs", "replicasets"),
    ("sa", "serviceaccounts"),
    ("sc", "storageclasses"),
    ("sts", "statefulsets"),
    ("svc", "services"),
    ("vac", "volumeattributesclasses"),
];

pub(super) fn lint(names: &Names<'_>, at: Path<'_>, found: &mut Vec<Finding>) {
    let DefaultedNames { singular, .. } = DefaultedNames::of_names(names);
    let at = at.child("shortNames");
    for (index, name) in names.short_names.iter().enumerate() {
        if let Some((_, resource)) = BUILTIN.iter().find(|(known, _)| known == name) {
            let message = format!("`{name}` is the short name of Kubernetes' own `{resource}`");
            found.push(regret(Rule::BuiltinName, at.index(index), message));
        }
        let mut earlier = names.short_names.iter().take(index);
        let other = match *name {
            name if name == names.plural => "plural",
            name if name == singular => "singular",
            name if earlier.any(|known| *known == name) => "other short name",
            _ => continue,
        };
        let message = format!("the short name `{name}` is also the {other} of the same CRD");
        let finding = regret(Rule::NameClash, at.index(index), message);
        found.push(finding.with_help(format!("remove the short name `{name}`")));
    }
}
