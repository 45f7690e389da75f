//! Groups versions by kind.

use super::version::priority;
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Text};
use crd_channels_schema::Crd;
use crd_channels_schema::draft::Draft;
use std::collections::BTreeMap;

/// A kind with all its versions.
#[derive(Clone, Debug)]
pub struct Kind {
    /// Its group.
    pub group: Text,
    /// Its name.
    pub kind: Text,
    /// Its versions in the order that Kubernetes prefers; at least one.
    pub versions: Vec<Draft>,
    /// Its CRDs by channel, if they are the bundle's source. They are published as they are, and the versions only say where
    /// their parts are written and what features gate.
    pub crds: Option<BTreeMap<Text, Crd>>,
}

impl Kind {
    /// The CRD's name: `plural.group`.
    #[must_use]
    pub fn crd_name(&self) -> String {
        self.versions
            .first()
            .map(Draft::crd_name)
            .unwrap_or_default()
    }

    /// Returns a version's type as messages name it: with its module if another version's type has the same name.
    #[must_use]
    pub fn type_name(&self, draft: &Draft) -> String {
        let last = |draft: &Draft| draft.module.rsplit("::").next().map(str::to_owned);
        let (module, name) = (&draft.module, &draft.spec_name);
        let twins = self
            .versions
            .iter()
            .filter(|other| other.version != draft.version && other.spec_name == *name);
        let twins: Vec<&Draft> = twins.collect();
        if twins.is_empty() {
            return name.to_string();
        }
        match last(draft) {
            Some(near) if twins.iter().all(|twin| last(twin).as_ref() != Some(&near)) => {
                format!("{near}::{name}")
            }
            _ => format!("{module}::{name}"),
        }
    }
}

/// Groups drafts by group and kind, and sorts by both.
///
/// If two types claim one version, the first is kept, and the other is reported as `duplicate-version`.
#[must_use]
pub fn group(drafts: Vec<Draft>, sink: &mut Sink) -> Vec<Kind> {
    let mut kinds: BTreeMap<(Text, Text), Vec<Draft>> = BTreeMap::new();
    for draft in drafts {
        let name = (draft.group.clone(), draft.kind.clone());
        let versions = kinds.entry(name).or_default();
        match versions.iter().find(|known| known.version == draft.version) {
            Some(known) => sink.push(duplicate(known, &draft)),
            None => versions.push(draft),
        }
    }
    kinds
        .into_iter()
        .map(|((group, kind), mut versions)| {
            versions.sort_by(|one, other| priority(&one.version, &other.version));
            Kind {
                group,
                kind,
                versions,
                crds: None,
            }
        })
        .collect()
}

fn duplicate(first: &Draft, second: &Draft) -> Diagnostic {
    let Draft {
        group,
        version,
        kind,
        ..
    } = second;
    Diagnostic::new(
        Code::DuplicateVersion,
        second.span,
        format!(
            "`{}` is a second `{kind}` of `{group}/{version}`",
            second.spec_name
        ),
    )
    .with_label(first.span, format!("`{}` is the first", first.spec_name))
    .with_help(
        "give one of them another `version` or another `kind`, or leave one out with `exclude` in `channels/bundle.toml`",
    )
}

#[cfg(test)]
mod tests {
    use super::super::builders::{draft, findings};
    use super::group;

    #[test]
    fn versions_come_together_in_order() {
        let drafts = vec![
            draft("b.example.com", "v1", "Route"),
            draft("a.example.com", "v1alpha1", "Gateway"),
            draft("a.example.com", "v1", "Gateway"),
            draft("a.example.com", "v1beta1", "Gateway"),
            draft("a.example.com", "v1", "Class"),
        ];
        let (kinds, found) = findings(|sink| group(drafts, sink));
        assert_eq!(found, Vec::<String>::new());
        let shown: Vec<_> = kinds
            .iter()
            .map(|kind| {
                let versions: Vec<_> = kind.versions.iter().map(|v| &*v.version).collect();
                format!("{}: {}", kind.crd_name(), versions.join(" "))
            })
            .collect();
        assert_eq!(
            shown,
            [
                "classes.a.example.com: v1",
                "gateways.a.example.com: v1 v1beta1 v1alpha1",
                "routes.b.example.com: v1",
            ]
        );
    }

    #[test]
    fn one_type_is_one_version() {
        let drafts = vec![
            draft("example.com", "v1", "Gateway"),
            draft("example.com", "v1", "Gateway"),
        ];
        let (kinds, found) = findings(|sink| group(drafts, sink));
        assert_eq!(kinds[0].versions.len(), 1);
        assert_eq!(
            found,
            ["duplicate-version: `GatewaySpec` is a second `Gateway` of `example.com/v1`"]
        );
    }
}
