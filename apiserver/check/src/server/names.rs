//! The group, the scope, the names of the resource, and the approval of protected groups.

use super::findings::Findings;
use crate::document::model::{Crd, DefaultedNames, Names, Spec};
use crate::finding::Reason;
use crate::registry::Rule;
use crd_channels_cel::names::{dns1035_label, dns1123_subdomain};
use crd_channels_cel::url::Url;
use crd_channels_validation::path::Path;

/// The annotation that says where an API of a protected group was approved, or that it was not.
pub const APPROVAL: &str = "api-approved.kubernetes.io";

pub(super) fn group(spec: &Spec<'_>, at: Path<'_>, found: &mut Findings) {
    let path = at.child("group");
    let group = spec.group;
    if group.is_empty() {
        found.refuse(
            Rule::GroupName,
            Reason::Required,
            path,
            "the group is missing",
        );
        return;
    }
    let faults = dns1123_subdomain(group);
    let no_domain = faults.is_empty() && !group.contains('.');
    for fault in faults {
        found.refuse(Rule::GroupName, Reason::Invalid, path, fault);
    }
    if no_domain {
        let message = format!("`{group}` has no dot");
        found.refuse(Rule::GroupName, Reason::Invalid, path, message);
    }
}

pub(super) fn scope(spec: &Spec<'_>, at: Path<'_>, found: &mut Findings) {
    let path = at.child("scope");
    match spec.scope {
        "Cluster" | "Namespaced" => {}
        "" => found.refuse(Rule::Scope, Reason::Required, path, "the scope is missing"),
        other => {
            let message = format!("`{other}` is not a scope");
            found.refuse(Rule::Scope, Reason::NotSupported, path, message);
        }
    }
}

pub(super) fn names(names: &DefaultedNames<'_>, at: Path<'_>, found: &mut Findings) {
    let path = at.child("names");
    let Names {
        plural,
        kind,
        short_names,
        categories,
        singular: _,
        list_kind: _,
    } = names.names;
    let kinds = |name: &str| dns1035_label(&name.to_lowercase());
    let labels = |name: &str| dns1035_label(name);
    for (field, name, syntax) in [
        ("plural", *plural, &labels as &dyn Fn(&str) -> Vec<String>),
        ("singular", &names.singular, &labels),
        ("kind", *kind, &kinds),
        ("listKind", &names.list_kind, &kinds),
    ] {
        let path = path.child(field);
        if name.is_empty() {
            let message = format!("`{field}` is missing");
            found.refuse(Rule::ResourceNames, Reason::Required, path, message);
            continue;
        }
        for fault in syntax(name) {
            found.refuse(Rule::ResourceNames, Reason::Invalid, path, fault);
        }
    }
    for (field, list) in [("shortNames", short_names), ("categories", categories)] {
        let path = path.child(field);
        for (index, name) in list.iter().enumerate() {
            for fault in dns1035_label(name) {
                let path = path.index(index);
                found.refuse(Rule::ResourceNames, Reason::Invalid, path, fault);
            }
        }
    }
    if !kind.is_empty() && *kind == names.list_kind {
        let message = format!("`{kind}` is both the kind and the list kind");
        let path = path.child("listKind");
        found.refuse(Rule::ResourceNames, Reason::Invalid, path, message);
    }
}

/// Whether servers ask for [`APPROVAL`]: of groups below `k8s.io` and `kubernetes.io`.
#[must_use]
pub fn is_protected(group: &str) -> bool {
    ["k8s.io", "kubernetes.io"].iter().any(|domain| {
        let below = group.strip_suffix(domain);
        below.is_some_and(|below| below.is_empty() || below.ends_with('.'))
    })
}

/// Protected groups need the community's approval.
pub(super) fn approval(crd: &Crd<'_>, found: &mut Findings) {
    let group = crd.spec.group;
    if !is_protected(group) {
        return;
    }
    let at = Path::root("metadata");
    let annotations = at.child("annotations");
    let path = annotations.key(APPROVAL);
    let value = crd.metadata.annotations.get(APPROVAL).copied();
    match value.unwrap_or_default() {
        "" => {
            let message = format!("the group `{group}` is protected and has no approval");
            found.refuse(Rule::ApiApproval, Reason::Required, path, message);
        }
        reason if reason.starts_with("unapproved") => {}
        url => {
            let parsed = Url::parse_request(url);
            let whole = parsed.is_some_and(|url| !url.scheme.is_empty() && !url.host.is_empty());
            if !whole {
                let message =
                    format!("`{url}` is neither a URL nor does it begin with `unapproved`");
                found.refuse(Rule::ApiApproval, Reason::Invalid, path, message);
            }
        }
    }
}
