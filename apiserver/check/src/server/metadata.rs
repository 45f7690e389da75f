//! `metadata`: the name, and the fields of every object's metadata.

use super::findings::Findings;
use crate::document::model::Crd;
use crate::finding::Reason;
use crate::registry::Rule;
use crd_channels_cel::names::dns1123_subdomain;
use crd_channels_validation::metadata;
use crd_channels_validation::path::Path;

pub(super) fn validate(crd: &Crd<'_>, found: &mut Findings) {
    let at = Path::root("metadata");
    name(crd, at, found);
    found.adopt(
        Rule::ObjectMetadata,
        metadata::violations(&crd.metadata, at),
    );
}

fn name(crd: &Crd<'_>, at: Path<'_>, found: &mut Findings) {
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
        // A generated name is never the required one.
        let (reason, message) = if generated.is_empty() {
            (Reason::Required, "the CRD has no name")
        } else {
            (
                Reason::Invalid,
                "a generated name cannot be that of the resource",
            )
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
