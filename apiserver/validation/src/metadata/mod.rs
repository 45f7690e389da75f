//! `metadata`: labels, annotations, finalizers and owners of every object.

mod decode;
mod stored;

pub use decode::{decode, decode_metadata, time, unknown};
pub use stored::{finalizer_warnings, keep, keep_embedded};

use crate::path::{FieldPath, Path};
use crate::schema::{Many, Named};
use crate::violation::{Reason, Violation, Violations};
use crd_channels_cel::names::{label_value, qualified_name};

/// The maximum size of all annotations together, in bytes.
const ANNOTATION_BYTES: usize = 256 * 1024;

/// The fields of `ObjectMeta` that can be invalid.
#[derive(Debug, Default)]
pub struct Metadata<'a> {
    /// `name`
    pub name: &'a str,
    /// `generateName`
    pub generate_name: &'a str,
    /// `namespace`
    pub namespace: &'a str,
    /// `generation`, which servers set in whole objects.
    pub generation: i64,
    /// `labels`
    pub labels: Named<'a, &'a str>,
    /// `annotations`
    pub annotations: Named<'a, &'a str>,
    /// `finalizers`
    pub finalizers: Many<&'a str>,
    /// `ownerReferences`
    pub owners: Many<Owner<'a>>,
}

/// What a server warns of in its response.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Warning {
    /// The field that it is about.
    pub field: FieldPath,
    /// The text, as the server writes it.
    pub message: String,
}

/// `OwnerReference`
#[derive(Debug, Default)]
pub struct Owner<'a> {
    /// `apiVersion`
    pub api_version: &'a str,
    /// `kind`
    pub kind: &'a str,
    /// `name`
    pub name: &'a str,
    /// `uid`
    pub uid: &'a str,
    /// `controller`
    pub controller: bool,
}

/// Validates everything except the name, as for the metadata of any object.
#[must_use]
pub fn violations(metadata: &Metadata<'_>, at: Path<'_>) -> Vec<Violation> {
    let mut found = Violations::default();
    let labels = at.child("labels");
    for (key, value) in metadata.labels.iter() {
        for fault in name_faults(key).chain(label_value(value)) {
            found.refuse(Reason::Invalid, labels, fault);
        }
    }
    annotations(metadata, at.child("annotations"), &mut found);
    let finalizers = at.child("finalizers");
    for fault in metadata.finalizers.iter().copied().flat_map(name_faults) {
        found.refuse(Reason::Invalid, finalizers, fault);
    }
    if metadata.finalizers.iter().any(|name| *name == "orphan")
        && metadata
            .finalizers
            .iter()
            .any(|name| *name == "foregroundDeletion")
    {
        let message = "`orphan` and `foregroundDeletion` exclude each other";
        found.refuse(Reason::Invalid, finalizers, message);
    }
    owners(metadata, at.child("ownerReferences"), &mut found);
    found.0
}

/// Whether the names can be parts of a URL, which is all that servers ask of them where they do not create the object.
pub fn path_segments(metadata: &Metadata<'_>, at: Path<'_>, found: &mut Violations) {
    for (name, value, whole) in [
        ("name", metadata.name, true),
        ("generateName", metadata.generate_name, false),
    ] {
        let dots = whole && matches!(value, "." | "..");
        if dots || value.contains(['/', '%']) {
            let message = format!("`{value}` cannot be part of a URL");
            found.refuse(Reason::Invalid, at.child(name), message);
        }
    }
}

/// What is wrong with a name, with the whole name.
fn name_faults(name: &str) -> impl Iterator<Item = String> {
    let whole = format!("`{name}`");
    let faults = qualified_name(name).into_iter();
    faults.map(move |fault| match fault.contains(&whole) {
        true => fault,
        false => format!("{whole}: {fault}"),
    })
}

fn annotations(metadata: &Metadata<'_>, path: Path<'_>, found: &mut Violations) {
    let annotations = &metadata.annotations;
    for (key, _) in annotations.iter() {
        for fault in name_faults(&key.to_lowercase()) {
            found.refuse(Reason::Invalid, path, fault);
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
        found.refuse(Reason::TooLong, path, message);
    }
}

fn owners(metadata: &Metadata<'_>, path: Path<'_>, found: &mut Violations) {
    let owners = &metadata.owners;
    for (index, owner) in owners.iter().enumerate() {
        let at = path.index(index);
        let Owner {
            api_version,
            kind,
            name,
            uid,
            controller: _,
        } = owner;
        let has_version = match api_version.split('/').collect::<Vec<_>>().as_slice() {
            [version] | [_, version] => !version.is_empty(),
            _ => false,
        };
        if !api_version.is_empty() && !has_version {
            let message = format!("`{api_version}` is neither a version nor a group and a version");
            found.refuse(Reason::Invalid, at.child("apiVersion"), message);
        }
        for (field, text) in [
            ("apiVersion", api_version),
            ("kind", kind),
            ("name", name),
            ("uid", uid),
        ] {
            if text.is_empty() {
                let message = format!("an owner reference has no `{field}`");
                found.refuse(Reason::Required, at.child(field), message);
            }
        }
        if (*api_version, *kind) == ("v1", "Event") {
            let message = "an event cannot own anything";
            found.refuse(Reason::Invalid, at, message);
        }
    }
    if owners.iter().filter(|owner| owner.controller).count() > 1 {
        let message = "only one owner can be the controller";
        found.refuse(Reason::Invalid, path, message);
    }
}
