//! The warning that an API server sends with each response about a deprecated version.

use crate::channel::priority;
use crd_channels_schema::Crd;
use std::cmp::Ordering;

/// Returns the text that users see: the version's own, else the server's, which names the newest served version that is not
/// deprecated and has a higher priority. `None` if nothing is sent: the version does not exist, is not served or is not
/// deprecated.
#[must_use]
pub fn deprecation_warning(crd: &Crd, version: &str) -> Option<String> {
    let mut versions = crd.versions.iter();
    let found = versions.find(|other| &*other.name == version)?;
    if !found.served || !found.deprecated {
        return None;
    }
    if let Some(text) = &found.deprecation_warning {
        return Some(text.to_string());
    }
    let (group, kind) = (&crd.group, &crd.names.kind);
    let best = crd
        .versions
        .iter()
        .filter(|other| other.served && !other.deprecated)
        .filter(|other| priority(&other.name, version) == Ordering::Less)
        .min_by(|one, other| priority(&one.name, &other.name));
    let mut text = format!("{group}/{version} {kind} is deprecated");
    if let Some(best) = best {
        text.push_str(&format!("; use {group}/{} {kind}", best.name));
    }
    Some(text)
}

/// Returns the value of the `Warning` header for a text.
#[must_use]
pub fn header(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("299 - \"{escaped}\"")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::{deprecation_warning, header};
    use crd_channels_schema::Crd;

    /// A kind with these versions, each with its name and its further settings.
    fn crd(versions: &[(&str, &str)]) -> Crd {
        let versions = versions.iter().map(|(name, more)| {
            format!("  - name: {name}\n    storage: false\n    schema: {{openAPIV3Schema: {{type: object}}}}\n{more}")
        });
        let text = format!(
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: as.example.com}}\n\
             spec:\n  group: example.com\n  scope: Cluster\n  names: {{plural: as, singular: a, kind: A}}\n  versions:\n{}",
            versions.collect::<String>()
        );
        Crd::from_json(&serde_saphyr::from_str(&text).unwrap()).unwrap()
    }

    #[test]
    fn the_servers_text_names_the_newest_version_that_is_left() {
        const DEPRECATED: &str = "    served: true\n    deprecated: true\n";
        const SERVED: &str = "    served: true\n";
        const GONE: &str = "    served: false\n";
        let check = |versions: &[(&str, &str)], version: &str, expected: Option<&str>| {
            let found = deprecation_warning(&crd(versions), version);
            assert_eq!(found.as_deref(), expected, "{version} of {versions:?}");
        };
        let left = [
            ("v1", GONE),
            ("v1beta3", SERVED),
            ("v1beta2", SERVED),
            ("v1alpha1", DEPRECATED),
        ];
        let replaced = "example.com/v1alpha1 A is deprecated; use example.com/v1beta3 A";
        check(&left, "v1alpha1", Some(replaced));
        check(&left, "v1beta2", None);
        check(&left, "v7", None);
        // The remaining version is less stable, so it is not recommended.
        let worse = [("v2alpha1", SERVED), ("v1", DEPRECATED)];
        check(&worse, "v1", Some("example.com/v1 A is deprecated"));
        let all = [("v2", DEPRECATED), ("v1", DEPRECATED)];
        check(&all, "v1", Some("example.com/v1 A is deprecated"));
        let unserved = [
            ("v2", SERVED),
            ("v1", "    served: false\n    deprecated: true\n"),
        ];
        check(&unserved, "v1", None);
        let own = "    served: true\n    deprecated: true\n    deprecationWarning: go away\n";
        check(&[("v2", SERVED), ("v1", own)], "v1", Some("go away"));
    }

    #[test]
    fn headers_escape_what_ends_them() {
        assert_eq!(header(r#"use "v1" \ ü"#), r#"299 - "use \"v1\" \\ ü""#);
    }
}
