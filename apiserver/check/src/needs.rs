//! The oldest Kubernetes that supports all that a CRD uses.

use super::document::Document;
use super::finding::Lack;

impl Document<'_> {
    /// The part that needs the newest Kubernetes; `None` if every server that knows `v1` CRDs supports all of it.
    #[must_use]
    pub fn needs(&self) -> Option<Lack> {
        let mut newest: Option<Lack> = None;
        loop {
            // A rejected part hides the parts inside it, so one pass is not enough.
            let minor = newest.as_ref().map_or(0, |lack| lack.since);
            let findings = self.validate(minor);
            let all = findings.into_iter().chain(self.lint(minor));
            let lacks = all.filter_map(|finding| finding.lack);
            match lacks.max_by_key(|lack| lack.since) {
                Some(lack) if lack.since > minor => newest = Some(lack),
                _ => return newest,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Document;
    use serde_json::{Value, json};

    fn needed(field: Value) -> Option<(u32, String)> {
        let schema = json!({"type": "object", "properties": {"f": field}});
        let version = json!({"name": "v1", "storage": true, "schema": {"openAPIV3Schema": schema}});
        let crd = json!({"spec": {"versions": [version]}});
        let lack = Document::decode(&crd).needs()?;
        Some((lack.since, lack.what))
    }

    #[test]
    fn what_stands_behind_a_rule_is_looked_at_too() {
        assert_eq!(needed(json!({"type": "string"})), None);
        let ruled = |rule: Value| json!({"type": "string", "x-kubernetes-validations": [rule]});
        for (rule, since, what) in [
            (
                json!({"rule": "self == 'a'"}),
                25,
                "x-kubernetes-validations",
            ),
            (
                json!({"rule": "self == 'a'", "reason": "FieldValueInvalid"}),
                28,
                "reason",
            ),
            (json!({"rule": "isIP(self)"}), 31, "isIP"),
            (
                json!({"rule": "isIP(self)", "messageExpression": "isSemver(self) ? 'a' : 'b'"}),
                34,
                "isSemver",
            ),
        ] {
            let told = needed(ruled(rule.clone()));
            assert_eq!(told, Some((since, what.to_owned())), "{rule}");
        }
        let name = json!({"type": "string", "format": "k8s-short-name"});
        assert_eq!(needed(name), Some((35, "k8s-short-name".to_owned())));
    }
}
