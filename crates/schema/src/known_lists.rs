//! Lists in Kubernetes' own types, and how Kubernetes merges them, which k8s-openapi leaves out. The table has the markers
//! `+listType` and `+listMapKey` of `meta/v1` and `core/v1` in `k8s.io/api` and `k8s.io/apimachinery` 0.36.3, for types that
//! objects of other APIs contain: selectors, pod templates, claims, services.

use super::ListType::{Atomic, Map, Set};
use super::draft::{KnownList, WellKnown};

const fn list(field: &'static str) -> KnownList {
    KnownList {
        field,
        list_type: Atomic,
        keys: &[],
    }
}

const fn set(field: &'static str) -> KnownList {
    KnownList {
        list_type: Set,
        ..list(field)
    }
}

const fn map(field: &'static str, keys: &'static [&'static str]) -> KnownList {
    KnownList {
        list_type: Map,
        keys,
        ..list(field)
    }
}

/// Returns the known lists of a type of k8s-openapi. Type names are unique in that crate.
#[must_use]
pub fn lists_of(name: &str) -> Option<WellKnown> {
    let found = TYPES.iter().find(|(known, _)| *known == name);
    found.map(|(_, lists)| WellKnown::Lists(lists))
}

#[rustfmt::skip]
const CONTAINER: &[KnownList] = &[
    list("args"), list("command"), map("env", &["name"]), list("envFrom"), map("ports", &["containerPort", "protocol"]),
    list("resizePolicy"), list("restartPolicyRules"), map("volumeDevices", &["devicePath"]),
    map("volumeMounts", &["mountPath"]),
];

#[rustfmt::skip]
const POD_AFFINITY: &[KnownList] = &[
    list("preferredDuringSchedulingIgnoredDuringExecution"), list("requiredDuringSchedulingIgnoredDuringExecution"),
];

#[rustfmt::skip]
const TYPES: &[(&str, &[KnownList])] = &[
    ("Capabilities", &[list("add"), list("drop")]),
    ("CephFSVolumeSource", &[list("monitors")]),
    ("ConfigMapProjection", &[list("items")]),
    ("ConfigMapVolumeSource", &[list("items")]),
    ("Container", CONTAINER),
    ("ContainerRestartRuleOnExitCodes", &[set("values")]),
    ("DownwardAPIProjection", &[list("items")]),
    ("DownwardAPIVolumeSource", &[list("items")]),
    ("EphemeralContainer", CONTAINER),
    ("ExecAction", &[list("command")]),
    ("FCVolumeSource", &[list("targetWWNs"), list("wwids")]),
    ("HTTPGetAction", &[list("httpHeaders")]),
    ("HostAlias", &[list("hostnames")]),
    ("ISCSIVolumeSource", &[list("portals")]),
    ("LabelSelector", &[list("matchExpressions")]),
    ("LabelSelectorRequirement", &[list("values")]),
    ("NodeAffinity", &[list("preferredDuringSchedulingIgnoredDuringExecution")]),
    ("NodeSelector", &[list("nodeSelectorTerms")]),
    ("NodeSelectorRequirement", &[list("values")]),
    ("NodeSelectorTerm", &[list("matchExpressions"), list("matchFields")]),
    ("PersistentVolumeClaimSpec", &[list("accessModes")]),
    ("PodAffinity", POD_AFFINITY),
    ("PodAffinityTerm", &[list("matchLabelKeys"), list("mismatchLabelKeys"), list("namespaces")]),
    ("PodAntiAffinity", POD_AFFINITY),
    ("PodDNSConfig", &[list("nameservers"), list("options"), list("searches")]),
    ("PodSecurityContext", &[list("supplementalGroups"), list("sysctls")]),
    ("PodSpec", &[map("containers", &["name"]), map("ephemeralContainers", &["name"]), map("hostAliases", &["ip"]),
        map("imagePullSecrets", &["name"]), map("initContainers", &["name"]), list("readinessGates"),
        map("resourceClaims", &["name"]), map("schedulingGates", &["name"]), list("tolerations"),
        map("topologySpreadConstraints", &["topologyKey", "whenUnsatisfiable"]), map("volumes", &["name"])]),
    ("ProjectedVolumeSource", &[list("sources")]),
    ("RBDVolumeSource", &[list("monitors")]),
    ("ResourceRequirements", &[map("claims", &["name"])]),
    ("ScopeSelector", &[list("matchExpressions")]),
    ("ScopedResourceSelectorRequirement", &[list("values")]),
    ("SecretProjection", &[list("items")]),
    ("SecretVolumeSource", &[list("items")]),
    ("ServiceSpec", &[list("clusterIPs"), list("externalIPs"), list("ipFamilies"), list("loadBalancerSourceRanges"),
        map("ports", &["port", "protocol"])]),
    ("TopologySelectorLabelRequirement", &[list("values")]),
    ("TopologySelectorTerm", &[list("matchLabelExpressions")]),
    ("TopologySpreadConstraint", &[list("matchLabelKeys")]),
];
