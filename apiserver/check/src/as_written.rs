//! Translates a server's field paths to `apiextensions.k8s.io/v1`.

use crd_channels_validation::path::{FieldPath, PathElement};

/// The path of a field in `apiextensions.k8s.io/v1`, given the number of versions of the CRD.
#[must_use]
pub fn as_written(field: &FieldPath, versions: usize) -> FieldPath {
    let [root, name, rest @ ..] = field.elements() else {
        return field.clone();
    };
    if !root.is_child("spec") {
        return field.clone();
    }
    let spec = FieldPath::default().child("spec");
    match (name.name().unwrap_or_default(), rest) {
        ("version", []) => spec.child("versions").index(0).child("name"),
        ("validation", _) => joined(every(spec, versions).child("schema"), rest),
        (
            moved @ ("subresources" | "additionalPrinterColumns" | "selectableFields" | "schema"),
            _,
        ) => of_column(joined(every(spec, versions).child(moved), rest)),
        ("versions", _) => of_column(field.clone()),
        ("conversion", [PathElement::Child(moved), rest @ ..]) => {
            let webhook = spec.child("conversion").child("webhook");
            match moved.as_str() {
                "webhookClientConfig" => client(webhook.child("clientConfig"), rest),
                "conversionReviewVersions" => joined(webhook.child(moved.as_str()), rest),
                _ => field.clone(),
            }
        }
        _ => field.clone(),
    }
}

/// The path of each version.
fn every(spec: FieldPath, versions: usize) -> FieldPath {
    let of_all = spec.child("versions");
    match versions {
        1 => of_all.index(0),
        _ => of_all.key("*"),
    }
}

fn client(config: FieldPath, rest: &[PathElement]) -> FieldPath {
    match rest {
        [service, name] if service.is_child("service") => {
            let service = config.child("service");
            // The server swaps the two.
            match name.name() {
                Some("name") => service.child("namespace"),
                Some("namespace") => service.child("name"),
                _ => joined(service, std::slice::from_ref(name)),
            }
        }
        _ => joined(config, rest),
    }
}

/// The server's internal name of a column's path is another one.
fn of_column(field: FieldPath) -> FieldPath {
    match field.elements() {
        [above @ .., path] if path.is_child("JSONPath") && is_column(above) => {
            let column: FieldPath = above.iter().cloned().collect();
            column.child("jsonPath")
        }
        _ => field,
    }
}

fn is_column(path: &[PathElement]) -> bool {
    matches!(path, [.., columns, PathElement::Index(_)] if columns.is_child("additionalPrinterColumns"))
}

fn joined(above: FieldPath, rest: &[PathElement]) -> FieldPath {
    above.elements().iter().chain(rest).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::as_written;
    use crd_channels_validation::path::{FieldPath, PathElement};

    /// A path whose names have neither dots nor brackets.
    fn path(text: &str) -> FieldPath {
        let names = text.split(['.', '[']).filter(|name| !name.is_empty());
        let element = |name: &str| match name.strip_suffix(']').map(str::parse) {
            Some(Ok(index)) => PathElement::Index(index),
            _ => PathElement::Child(name.to_owned()),
        };
        names.map(element).collect()
    }

    #[test]
    fn old_paths_are_those_of_today() {
        for (field, versions, written) in [
            (
                "spec.validation.openAPIV3Schema",
                1,
                "spec.versions[0].schema.openAPIV3Schema",
            ),
            (
                "spec.validation.openAPIV3Schema",
                2,
                "spec.versions[*].schema.openAPIV3Schema",
            ),
            (
                "spec.additionalPrinterColumns[0].JSONPath",
                1,
                "spec.versions[0].additionalPrinterColumns[0].jsonPath",
            ),
            (
                "spec.versions[1].additionalPrinterColumns[2].JSONPath",
                2,
                "spec.versions[1].additionalPrinterColumns[2].jsonPath",
            ),
            ("spec.version", 2, "spec.versions[0].name"),
            ("spec.versions[1].name", 2, "spec.versions[1].name"),
            (
                "spec.conversion.webhookClientConfig.service.name",
                1,
                "spec.conversion.webhook.clientConfig.service.namespace",
            ),
            (
                "spec.conversion.conversionReviewVersions[1]",
                1,
                "spec.conversion.webhook.conversionReviewVersions[1]",
            ),
            ("spec.conversion.strategy", 1, "spec.conversion.strategy"),
            ("metadata.name", 1, "metadata.name"),
        ] {
            assert_eq!(as_written(&path(field), versions), written);
        }
    }
}
