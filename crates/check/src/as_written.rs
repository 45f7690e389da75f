//! Translates a server's field paths to `apiextensions.k8s.io/v1`.

/// The path of a field in `apiextensions.k8s.io/v1`, given the number of versions of the CRD.
#[must_use]
pub fn as_written(field: &str, versions: usize) -> String {
    const MOVED: [(&str, &str); 5] = [
        ("spec.validation", "schema"),
        ("spec.subresources", "subresources"),
        ("spec.additionalPrinterColumns", "additionalPrinterColumns"),
        ("spec.selectableFields", "selectableFields"),
        ("spec.schema", "schema"),
    ];
    let field = field.replace("].JSONPath", "].jsonPath");
    let every = if versions == 1 {
        "spec.versions[0]"
    } else {
        "spec.versions[*]"
    };
    if field == "spec.version" {
        return "spec.versions[0].name".to_owned();
    }
    for (old, new) in MOVED {
        if let Some(rest) = below(&field, old) {
            return format!("{every}.{new}{rest}");
        }
    }
    for (old, new) in [
        ("spec.conversion.webhookClientConfig", "clientConfig"),
        (
            "spec.conversion.conversionReviewVersions",
            "conversionReviewVersions",
        ),
    ] {
        if let Some(rest) = below(&field, old) {
            // The server swaps the two.
            let rest = match rest {
                ".service.name" => ".service.namespace",
                ".service.namespace" => ".service.name",
                other => other,
            };
            return format!("spec.conversion.webhook.{new}{rest}");
        }
    }
    field
}

fn below<'f>(field: &'f str, root: &str) -> Option<&'f str> {
    let rest = field.strip_prefix(root)?;
    (rest.is_empty() || rest.starts_with(['.', '['])).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::as_written;

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
            ("spec.version", 2, "spec.versions[0].name"),
            ("spec.versions[1].name", 2, "spec.versions[1].name"),
            (
                "spec.conversion.webhookClientConfig.service.name",
                1,
                "spec.conversion.webhook.clientConfig.service.namespace",
            ),
            ("metadata.name", 1, "metadata.name"),
        ] {
            assert_eq!(as_written(field, versions), written);
        }
    }
}
