//! `metadata`: the name, labels, annotations, finalizers and owners.

use super::found::Found;
use super::labels::{dns1123_subdomain, label_value, qualified_name};
use super::model::{Crd, Metadata, Owner};
use super::path::Path;
use crate::check::finding::Reason;
use crate::check::registry::Rule;

/// The most bytes that all annotations together may have.
const ANNOTATION_BYTES: usize = 256 * 1024;

pub(super) fn judge(crd: &Crd<'_>, found: &mut Found) {
    let at = Path::root("metadata");
    name(crd, at, found);
    rest(&crd.metadata, at, found);
}

/// Everything but the name, as any object's metadata has it.
pub(super) fn rest(metadata: &Metadata<'_>, at: Path<'_>, found: &mut Found) {
    let labels = at.child("labels");
    for (key, value) in metadata.labels.iter() {
        for fault in qualified_name(key).into_iter().chain(label_value(value)) {
            found.refuse(Rule::ObjectMetadata, Reason::Invalid, labels, fault);
        }
    }
    annotations(metadata, at.child("annotations"), found);
    let finalizers = at.child("finalizers");
    for fault in metadata.finalizers.iter().copied().flat_map(qualified_name) {
        found.refuse(Rule::ObjectMetadata, Reason::Invalid, finalizers, fault);
    }
    if metadata.finalizers.iter().any(|name| *name == "orphan")
        && metadata
            .finalizers
            .iter()
            .any(|name| *name == "foregroundDeletion")
    {
        let message = "`orphan` and `foregroundDeletion` exclude each other";
        found.refuse(Rule::ObjectMetadata, Reason::Invalid, finalizers, message);
    }
    owners(metadata, at.child("ownerReferences"), found);
}

fn name(crd: &Crd<'_>, at: Path<'_>, found: &mut Found) {
    let names = &crd.spec.names;
    let wanted = format!("{}.{}", names.plural, crd.spec.group);
    let help = format!("write `metadata.name: {wanted}`");
    let generated = crd.metadata.generate_name;
    if !generated.is_empty() && generated != wanted {
        found.refuse_with_help(
            Rule::MetadataName,
            Reason::Invalid,
            at.child("generateName"),
            "the name of a CRD cannot be generated",
            &help,
        );
    }
    let path = at.child("name");
    let name = crd.metadata.name;
    if name.is_empty() {
        // A generated name is never the right one.
        let (reason, message) = if generated.is_empty() {
            (Reason::Required, "the CRD has no name")
        } else {
            (Reason::Invalid, "a generated name is not the resource's")
        };
        found.refuse_with_help(Rule::MetadataName, reason, path, message, help);
        return;
    }
    for fault in dns1123_subdomain(name) {
        found.refuse(Rule::MetadataName, Reason::Invalid, path, fault);
    }
    if name != wanted {
        let message = format!("`{name}` is not `{wanted}`, the plural and the group");
        found.refuse_with_help(Rule::MetadataName, Reason::Invalid, path, message, help);
    }
}

fn annotations(metadata: &Metadata<'_>, path: Path<'_>, found: &mut Found) {
    let annotations = &metadata.annotations;
    for (key, _) in annotations.iter() {
        for fault in qualified_name(&key.to_lowercase()) {
            found.refuse(Rule::ObjectMetadata, Reason::Invalid, path, fault);
        }
    }
    let bytes: usize = annotations
        .iter()
        .map(|(key, value)| key.len() + value.len())
        .sum();
    if bytes > ANNOTATION_BYTES {
        let message = format!(
            "the annotations have {bytes} bytes; all together have at most {ANNOTATION_BYTES}"
        );
        found.refuse(Rule::ObjectMetadata, Reason::TooLong, path, message);
    }
}

fn owners(metadata: &Metadata<'_>, path: Path<'_>, found: &mut Found) {
    let owners = &metadata.owners;
    for owner in owners.iter() {
        let Owner {
            api_version,
            kind,
            name,
            uid,
            controller: _,
        } = owner;
        let version = match api_version.split('/').collect::<Vec<_>>().as_slice() {
            [version] | [_, version] => version,
            _ => "",
        };
        for (field, text) in [
            ("apiVersion", version),
            ("kind", kind),
            ("name", name),
            ("uid", uid),
        ] {
            if text.is_empty() {
                let message = format!("an owner reference has no `{field}`");
                let field = path.child(field);
                found.refuse(Rule::ObjectMetadata, Reason::Invalid, field, message);
            }
        }
        if (*api_version, *kind) == ("v1", "Event") {
            let message = "an event cannot own anything";
            found.refuse(Rule::ObjectMetadata, Reason::Invalid, path, message);
        }
    }
    if owners.iter().filter(|owner| owner.controller).count() > 1 {
        let message = "only one owner can be the controller";
        found.refuse(Rule::ObjectMetadata, Reason::Invalid, path, message);
    }
}
