//! The files of a bundle: one for each CRD, and those beside them.

use super::yaml;
use crd_channels_diagnostics::{Code, Diagnostic};
use crd_channels_schema::Crd;
use serde::Serialize;

const KUSTOMIZATION: &str = "kustomization.yaml";
const KUSTOMIZATION_HEAD: &str =
    "---\napiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n";
const CRD_HEAD: &str = "---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n";

/// Returns the file name of a CRD: `<group>_<plural>.yaml`.
#[must_use]
pub fn file_name(crd: &Crd) -> String {
    format!("{}_{}.yaml", crd.group, crd.names.plural)
}

/// Returns the file of a CRD in a channel: its path relative to the output folder, and its text.
///
/// # Errors
///
/// If the CRD is nested too deeply to be written, or its names are not valid in a file name.
pub fn file(channel: &str, crd: &Crd) -> Result<(String, String), Diagnostic> {
    let name = file_name(crd);
    // The names may not have been validated yet, and a file must stay in its folder.
    if name.contains(['/', '\\', '\0']) {
        return Err(Diagnostic::new(
            Code::WriteFailed,
            None,
            format!("`{name}` is not a file name"),
        )
        .with_help("write group and plural in lowercase letters, digits, `-` and `.`"));
    }
    match yaml::to_string(crd) {
        Ok(text) => Ok((format!("{channel}/{name}"), text)),
        Err(error) => Err(Diagnostic::new(
            Code::SchemaTooDeep,
            None,
            format!("`{}` is {error}", crd.name()),
        )
        .with_help("flatten its types, or end one with a field that preserves unknown fields")),
    }
}

/// Returns the path and the text of a channel's `kustomization.yaml`, which lists its files.
#[must_use]
pub fn kustomization<'p>(channel: &str, paths: impl Iterator<Item = &'p str>) -> (String, String) {
    #[derive(Serialize)]
    struct Resources<'p> {
        resources: Vec<&'p str>,
    }
    let mut resources: Vec<&str> = paths.filter_map(|path| path.rsplit('/').next()).collect();
    resources.sort_unstable();
    let body = yaml::to_string(&Resources { resources }).unwrap_or_default();
    let body = body.trim_start_matches("---\n");
    (
        format!("{channel}/{KUSTOMIZATION}"),
        format!("{KUSTOMIZATION_HEAD}{body}"),
    )
}

/// Returns true if this module wrote the file, for any bundle. It must be certain: such a file is removed once nothing
/// generates it any more.
#[must_use]
pub fn is_generated(path: &str, bytes: &[u8]) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let Ok(text) = std::str::from_utf8(bytes) else {
        return false;
    };
    if name == KUSTOMIZATION {
        return text.starts_with(KUSTOMIZATION_HEAD);
    }
    // Every generated CRD begins with the annotations that name its bundle and channel.
    let Some((metadata, _)) = text
        .strip_prefix(CRD_HEAD)
        .and_then(|rest| rest.split_once("\nspec:\n"))
    else {
        return false;
    };
    let says = |key: &str| {
        metadata
            .lines()
            .any(|line| line.starts_with("    ") && line.contains(key))
    };
    let named = metadata
        .lines()
        .find_map(|line| line.strip_prefix("  name: "))
        .and_then(|name| name.split_once('.'))
        .is_some_and(|(plural, group)| name == format!("{group}_{plural}.yaml"));
    named && says("/bundle-version: ") && says("/channel: ")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::{file, is_generated, kustomization};
    use crd_channels_diagnostics::Code;
    use crd_channels_schema::Crd;
    use serde_json::{Value, json};

    fn crd(group: &str, plural: &str, schema: &Value) -> Crd {
        Crd::from_json(&json!({
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {
                "annotations": {"example.org/bundle-version": "v0.1.0", "example.org/channel": "stable"},
                "name": format!("{plural}.{group}")
            },
            "spec": {
                "group": group,
                "names": {"kind": "A", "plural": plural, "singular": "a"},
                "scope": "Namespaced",
                "versions": [{
                    "name": "v1",
                    "schema": {"openAPIV3Schema": schema},
                    "served": true,
                    "storage": true,
                    "subresources": {"status": {}}
                }]
            }
        }))
        .unwrap()
    }

    #[test]
    fn a_channel_is_a_file_per_crd_and_a_list_of_them() {
        let schema = json!({"type": "object", "description": "Two\nlines."});
        let crds = [
            crd("b.example.org", "bs", &schema),
            crd("a.example.org", "as", &json!({})),
        ];
        let mut files: Vec<_> = crds
            .iter()
            .map(|crd| file("stable", crd).unwrap())
            .collect();
        let list = kustomization("stable", files.iter().map(|(path, _)| path.as_str()));
        files.push(list);
        let paths: Vec<_> = files.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!(
            paths,
            [
                "stable/b.example.org_bs.yaml",
                "stable/a.example.org_as.yaml",
                "stable/kustomization.yaml"
            ]
        );
        assert_eq!(
            files[0].1,
            "---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  annotations:
    example.org/bundle-version: v0.1.0
    example.org/channel: stable
  name: bs.b.example.org
spec:
  group: b.example.org
  names:
    kind: A
    listKind: AList
    plural: bs
    singular: a
  scope: Namespaced
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        description: |-
          Two
          lines.
        type: object
    served: true
    storage: true
    subresources:
      status: {}
"
        );
        assert_eq!(
            files[2].1,
            "---\napiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n- a.example.org_as.yaml\n- b.example.org_bs.yaml\n"
        );
        for (path, text) in &files {
            let name = path.strip_prefix("stable/").unwrap();
            assert!(is_generated(name, text.as_bytes()), "{path}");
            assert!(!is_generated("other.yaml", text.as_bytes()), "{path}");
        }
    }

    #[test]
    fn only_what_was_generated_is_taken_for_it() {
        let (_, text) = file("stable", &crd("a.b", "as", &json!({}))).unwrap();
        let check = |text: &str, expected: bool| {
            assert_eq!(
                is_generated("a.b_as.yaml", text.as_bytes()),
                expected,
                "{text}"
            );
        };
        check(&text, true);
        check("", false);
        check(
            &text.replace("    example.org/channel: stable\n", ""),
            false,
        );
        check(
            &text.replace("    example.org/bundle-version: v0.1.0\n", ""),
            false,
        );
        check(&text.replace("name: as.a.b", "name: bs.a.b"), false);
        check(text.trim_start_matches("---\n"), false);
        assert!(!is_generated("a.b_as.yaml", b"\xff"));
    }

    #[test]
    fn what_cannot_be_written_is_said() {
        let deep = (0..70).fold(
            json!({"type": "string"}),
            |schema, _| json!({"properties": {"a": schema}}),
        );
        let problem = file("stable", &crd("a.b", "as", &deep)).unwrap_err();
        assert_eq!(problem.code, Code::SchemaTooDeep);
        assert_eq!(
            problem.message,
            "`as.a.b` is nested more than 127 collections deep"
        );
        let problem = file("stable", &crd("x/../y", "bs", &json!({}))).unwrap_err();
        assert_eq!(problem.code, Code::WriteFailed);
    }
}
