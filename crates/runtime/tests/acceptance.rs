//! The examples of GEP-1364, "Accepted", one by one.

use Protocol::{Answers, IsSilent};
use Reference::{NotFound, NotPermitted, Resolved, UnsupportedKind};
use crd_channels_runtime::conditions::Status::{False, True};
use crd_channels_runtime::conditions::acceptance::{Acceptance, Protocol, Reference, Rule};

const fn valid(references: &[Reference]) -> Rule<'_> {
    Rule {
        is_valid: true,
        references,
    }
}

/// A redirect and a rewrite in one rule.
const INVALID: Rule<'_> = Rule {
    is_valid: false,
    references: &[Resolved],
};

#[test]
fn routes() {
    for (example, rules, protocol, accepted, resolved, reason, partly) in [
        (
            "one valid backend",
            &[valid(&[Resolved])][..],
            Answers,
            True,
            True,
            "ResolvedRefs",
            false,
        ),
        (
            "a missing backend",
            &[valid(&[NotFound])],
            Answers,
            True,
            False,
            "BackendNotFound",
            false,
        ),
        (
            "two backends, one missing",
            &[valid(&[Resolved, NotFound])],
            Answers,
            True,
            False,
            "BackendNotFound",
            false,
        ),
        (
            "another namespace, no grant",
            &[valid(&[NotPermitted])],
            Answers,
            True,
            False,
            "RefNotPermitted",
            false,
        ),
        (
            "TCP, a missing backend",
            &[valid(&[NotFound])],
            IsSilent,
            False,
            False,
            "BackendNotFound",
            false,
        ),
        (
            "TCP, two backends, one missing",
            &[valid(&[NotFound, Resolved])],
            IsSilent,
            True,
            False,
            "BackendNotFound",
            false,
        ),
        (
            "a filter that is not supported",
            &[valid(&[Resolved, UnsupportedKind])],
            Answers,
            True,
            False,
            "InvalidKind",
            false,
        ),
        (
            "one rule, invalid",
            &[INVALID],
            Answers,
            False,
            True,
            "ResolvedRefs",
            false,
        ),
        (
            "two rules, one invalid",
            &[valid(&[Resolved]), INVALID],
            Answers,
            True,
            True,
            "ResolvedRefs",
            true,
        ),
        (
            "no backend, so 500 for all",
            &[valid(&[])],
            Answers,
            True,
            True,
            "ResolvedRefs",
            false,
        ),
        (
            "a Service without endpoints",
            &[valid(&[Resolved])],
            Answers,
            True,
            True,
            "ResolvedRefs",
            false,
        ),
    ] {
        let found = Acceptance::of_route(rules, protocol);
        assert_eq!(found.accepted.0, accepted, "{example}: Accepted");
        assert_eq!(found.resolved_refs.0, resolved, "{example}: ResolvedRefs");
        assert_eq!(found.resolved_refs.1.as_str(), reason, "{example}");
        assert_eq!(
            found.partially_invalid, partly,
            "{example}: PartiallyInvalid"
        );
    }
    let invalid = Acceptance::of_route(&[INVALID], Answers);
    assert_eq!(invalid.accepted.1.as_str(), "UnsupportedValue");
}

#[test]
fn gateways_policies_and_grants() {
    let accepted = |found: Acceptance| (found.accepted.0, found.accepted.1.to_string());
    let no = |reason: &str| (False, reason.to_owned());
    let yes = (True, "Accepted".to_owned());
    assert_eq!(accepted(Acceptance::of_gateway(true, true, &[])), yes);
    assert_eq!(
        accepted(Acceptance::of_gateway(true, false, &[])),
        no("NoResources")
    );
    assert_eq!(
        accepted(Acceptance::of_gateway(false, true, &[])),
        no("Invalid")
    );
    let secret = Acceptance::of_gateway(true, true, &[NotFound]);
    assert_eq!(secret.resolved_refs.1.as_str(), "InvalidCertificateRef");
    assert_eq!(
        accepted(Acceptance::of_policy(true, true)),
        yes,
        "its targets may be none"
    );
    assert_eq!(accepted(Acceptance::of_policy(true, false)), no("Invalid"));
}
