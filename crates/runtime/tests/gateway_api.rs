//! The examples of GEP-1364, "Accepted", one by one.

#![allow(deprecated, reason = "deprecated conditions are published")]

use Protocol::{Answers, IsSilent};
use Resolution::{NotFound, NotPermitted, Resolved, UnsupportedKind};
use crd_channels_runtime::conditions::Status::{False, True};
use crd_channels_runtime::conditions::gateway_api::{
    ACCEPTED, Acceptance, Listener, PARTIALLY_INVALID, Protocol, Reference, Resolution, Rule,
};
use crd_channels_runtime::conditions::{ConditionWriter, Conditions, Reasons, Status};

const PARENT: Reference<'_> = Reference::new("Gateway infra/public", Resolved);

/// References to the same name, of which only the resolution matters.
fn to(resolutions: &[Resolution]) -> Vec<Reference<'static>> {
    let resolutions = resolutions.iter();
    resolutions
        .map(|resolution| Reference::new("Service default/web", *resolution))
        .collect()
}

const PROBLEM: &str = "a redirect and a rewrite in one rule";

#[test]
fn routes() {
    type Row<'r> = (
        &'r str,
        &'r [(bool, &'r [Resolution])],
        Protocol,
        (Status, &'r str),
        (Status, &'r str),
        bool,
    );
    let accepted = (True, "Accepted");
    let resolved = (True, "ResolvedRefs");
    let missing = (False, "BackendNotFound");
    let rows: [Row<'_>; 13] = [
        (
            "one valid backend",
            &[(true, &[Resolved])],
            Answers,
            accepted,
            resolved,
            false,
        ),
        (
            "a missing backend",
            &[(true, &[NotFound])],
            Answers,
            accepted,
            missing,
            false,
        ),
        (
            "two backends, one missing",
            &[(true, &[Resolved, NotFound])],
            Answers,
            accepted,
            missing,
            false,
        ),
        (
            "another namespace, no grant",
            &[(true, &[NotPermitted])],
            Answers,
            accepted,
            (False, "RefNotPermitted"),
            false,
        ),
        (
            "TCP, a missing backend",
            &[(true, &[NotFound])],
            IsSilent,
            missing,
            missing,
            false,
        ),
        (
            "TCP, no grant",
            &[(true, &[NotPermitted])],
            IsSilent,
            (False, "RefNotPermitted"),
            (False, "RefNotPermitted"),
            false,
        ),
        (
            "TCP, two backends, one missing",
            &[(true, &[NotFound, Resolved])],
            IsSilent,
            accepted,
            missing,
            false,
        ),
        (
            "TCP, no backend",
            &[(true, &[])],
            IsSilent,
            (False, "UnsupportedValue"),
            resolved,
            false,
        ),
        (
            "a filter that is not supported",
            &[(true, &[Resolved, UnsupportedKind])],
            Answers,
            accepted,
            (False, "InvalidKind"),
            false,
        ),
        (
            "one rule, invalid",
            &[(false, &[Resolved])],
            Answers,
            (False, "UnsupportedValue"),
            resolved,
            false,
        ),
        (
            "one rule, invalid, and a missing backend",
            &[(false, &[NotFound])],
            Answers,
            (False, "UnsupportedValue"),
            missing,
            false,
        ),
        (
            "two rules, one invalid",
            &[(true, &[Resolved]), (false, &[])],
            Answers,
            accepted,
            resolved,
            true,
        ),
        (
            "no backend, so 500 for all",
            &[(true, &[])],
            Answers,
            accepted,
            resolved,
            false,
        ),
    ];
    for (example, rules, protocol, accepted, resolved, partly) in rules_of(&rows) {
        let rules: Vec<Rule<'_>> = rules.iter().map(rule).collect();
        let found = Acceptance::of_route(&PARENT, &rules, protocol);
        let said =
            |of: &crd_channels_runtime::conditions::State| (of.status, of.reason.to_string());
        assert_eq!(
            said(&found.accepted),
            (accepted.0, accepted.1.to_owned()),
            "{example}"
        );
        assert_eq!(
            said(&found.resolved_refs),
            (resolved.0, resolved.1.to_owned()),
            "{example}"
        );
        assert_eq!(
            found.partially_invalid.status,
            Status::from(partly),
            "{example}"
        );
        assert_eq!(found.unresolved.is_empty(), resolved.0 == True, "{example}");
    }
}

/// The rows with their references.
#[allow(clippy::type_complexity, reason = "a row of the table above")]
fn rules_of<'r>(
    rows: &'r [(
        &'r str,
        &'r [(bool, &'r [Resolution])],
        Protocol,
        (Status, &'r str),
        (Status, &'r str),
        bool,
    )],
) -> Vec<(
    &'r str,
    Vec<(bool, Vec<Reference<'static>>)>,
    Protocol,
    (Status, &'r str),
    (Status, &'r str),
    bool,
)> {
    let rows = rows.iter();
    rows.map(|(example, rules, protocol, accepted, resolved, partly)| {
        let rules = rules.iter().map(|(valid, all)| (*valid, to(all)));
        (
            *example,
            rules.collect(),
            *protocol,
            *accepted,
            *resolved,
            *partly,
        )
    })
    .collect()
}

fn rule<'r>((is_valid, references): &'r (bool, Vec<Reference<'static>>)) -> Rule<'r> {
    match is_valid {
        true => Rule::valid(references),
        false => Rule::invalid(PROBLEM, references),
    }
}

#[test]
fn the_parent_of_a_route_has_to_be_there_and_to_allow_it() {
    for (resolution, reason, message) in [
        (
            NotFound,
            "NoMatchingParent",
            "Gateway infra/public does not exist",
        ),
        (
            NotPermitted,
            "NotAllowedByListeners",
            "Gateway infra/public is in another namespace, which does not grant the reference",
        ),
        (
            UnsupportedKind,
            "NotAllowedByListeners",
            "the kind of Gateway infra/public is not supported",
        ),
    ] {
        let parent = Reference::new("Gateway infra/public", resolution);
        let rules = [Rule::valid(&[]), Rule::invalid(PROBLEM, &[])];
        let found = Acceptance::of_route(&parent, &rules, Answers);
        let accepted = &found.accepted;
        assert_eq!((accepted.status, accepted.reason.as_str()), (False, reason));
        assert_eq!(accepted.message, message);
        assert_eq!(found.partially_invalid.status, False, "it is not accepted");
    }
}

#[test]
fn messages_say_which_reference_and_which_rule() {
    let web = [Reference::new("Service default/web", NotFound)];
    let api = [
        Reference::new("Service default/api", Resolved),
        Reference::new("Service other/api", NotPermitted),
    ];
    let rules = [Rule::valid(&web), Rule::invalid(PROBLEM, &api)];
    let found = Acceptance::of_route(&PARENT, &rules, Answers);
    assert_eq!(found.unresolved, [web[0], api[1]]);
    assert_eq!(
        found.resolved_refs.message,
        "Service default/web does not exist; Service other/api is in another namespace, which does not grant the reference"
    );
    assert_eq!(found.partially_invalid.message, PROBLEM);
    let refused = Acceptance::of_route(&PARENT, &rules[1..], Answers);
    assert_eq!(refused.accepted.message, PROBLEM);
}

#[test]
fn gateways_policies_and_grants() {
    let class = Reference::new("EdgeGatewayClass public", Resolved);
    let missing = Reference::new("EdgeGatewayClass public", NotFound);
    let (there, gone, denied) = (to(&[Resolved]), to(&[NotFound]), to(&[NotPermitted]));
    let (plain, tls) = (Listener::valid(&[]), Listener::valid(&there));
    let (no_secret, no_grant) = (Listener::valid(&gone), Listener::valid(&denied));
    let no_protocol = Listener::invalid("SCTP is not supported");
    let resolved = "ResolvedRefs";
    for (class, has_capacity, listeners, status, reason, refs) in [
        (&class, true, &[plain][..], True, "Accepted", resolved),
        (&class, true, &[tls], True, "Accepted", resolved),
        (&class, false, &[plain], False, "NoResources", resolved),
        (&missing, true, &[plain], False, "Invalid", resolved),
        (&class, true, &[], False, "ListenersNotValid", resolved),
        (
            &class,
            true,
            &[no_protocol],
            False,
            "ListenersNotValid",
            resolved,
        ),
        (
            &class,
            true,
            &[no_secret],
            False,
            "ListenersNotValid",
            "InvalidCertificateRef",
        ),
        (
            &class,
            true,
            &[no_secret, plain],
            True,
            "Accepted",
            "InvalidCertificateRef",
        ),
        (
            &class,
            true,
            &[no_grant, plain],
            True,
            "Accepted",
            "RefNotPermitted",
        ),
    ] {
        let found = Acceptance::of_gateway(class, has_capacity, listeners);
        let accepted = &found.accepted;
        assert_eq!(
            (accepted.status, accepted.reason.as_str()),
            (status, reason),
            "{listeners:?}"
        );
        assert_eq!(found.resolved_refs.reason.as_str(), refs, "{listeners:?}");
    }
    let missing = Acceptance::of_gateway(&missing, true, &[plain]);
    assert_eq!(
        missing.accepted.message,
        "EdgeGatewayClass public does not exist"
    );
    let unsupported = Acceptance::of_gateway(&class, true, &[no_protocol]);
    assert_eq!(unsupported.accepted.message, "SCTP is not supported");

    let policy = |valid, named| Acceptance::of_policy(valid, named).accepted.status;
    assert_eq!(policy(true, true), True, "its targets may be none");
    assert_eq!(policy(true, false), False);
    assert_eq!(policy(false, true), False);
}

/// The conditions of a route, the old word for one of them among them.
#[derive(Clone, Debug, Conditions)]
enum RouteCondition {
    /// It is valid enough.
    #[condition(positive)]
    Accepted(Why),
    /// The old word.
    #[condition(positive, replaced_by = "Accepted", until = "v0.7.0")]
    #[deprecated = "replaced by `Accepted`, removed in v0.7.0"]
    Scheduled(Why),
    /// The old word for the opposite.
    #[condition(negative, replaced_by = "Accepted", until = "v0.7.0")]
    #[deprecated = "replaced by `Accepted`, removed in v0.7.0"]
    Detached(Why),
}

/// Why.
#[derive(Clone, Debug, Reasons)]
enum Why {
    /// It is.
    #[reason(True)]
    Accepted,
}

#[test]
fn deprecated_conditions_say_the_same() {
    let mut conditions = Vec::new();
    let mut write = |rules: &[Rule<'_>]| {
        let mut writer = ConditionWriter::for_list::<RouteCondition>(&mut conditions, 1);
        Acceptance::of_route(&PARENT, rules, Answers).write(&mut writer);
        let _ = writer.finish();
        let status = |of: &str| {
            let mut all = conditions.iter();
            all.find(|one| one.type_ == of).map(Status::of)
        };
        let all = [
            ACCEPTED.name(),
            "Scheduled",
            "Detached",
            PARTIALLY_INVALID.name(),
        ];
        all.map(status)
    };
    let valid = [Rule::valid(&[])];
    let invalid = [Rule::invalid(PROBLEM, &[])];
    let both = [valid[0], invalid[0]];
    let (yes, no) = (Some(True), Some(False));
    assert_eq!(write(&valid), [yes, yes, None, None]);
    assert_eq!(write(&invalid), [no, no, yes, None]);
    assert_eq!(write(&both), [yes, yes, None, yes]);
    let _ = (
        RouteCondition::Accepted(Why::Accepted),
        RouteCondition::Scheduled(Why::Accepted),
    );
    let _ = RouteCondition::Detached(Why::Accepted);
}
