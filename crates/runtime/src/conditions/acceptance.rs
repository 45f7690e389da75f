//! Decides whether an object with invalid parts is accepted, by GEP-1364, "Partial validity and Conditions".

use super::{Reason, Status};

/// A reference to another object: to a backend, or to the resource of a filter.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Reference {
    /// It resolves to an object. A Service without endpoints counts.
    Resolved,
    /// There is no such object.
    NotFound,
    /// The object is in another namespace, and nothing there grants the reference.
    NotPermitted,
    /// The controller does not support the kind.
    UnsupportedKind,
}

impl Reference {
    /// Returns the reason of `ResolvedRefs` if the reference is not resolved.
    #[must_use]
    pub const fn failure(self) -> Option<Reason> {
        match self {
            Self::Resolved => None,
            Self::NotFound => Some(Reason::from_static("BackendNotFound")),
            Self::NotPermitted => Some(Reason::from_static("RefNotPermitted")),
            Self::UnsupportedKind => Some(Reason::from_static("InvalidKind")),
        }
    }
}

/// One rule of a route.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct Rule<'a> {
    /// Whether it can be implemented; for example, not if two of its filters exclude each other.
    pub is_valid: bool,
    /// Its references.
    pub references: &'a [Reference],
}

/// The way in which a data plane can reject traffic that has no destination.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Protocol {
    /// By a response, as HTTP with the status 500.
    Answers,
    /// Not at all, as with TCP.
    IsSilent,
}

/// The conditions of an object.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Acceptance {
    /// `Accepted`: some configuration can be made of the object.
    pub accepted: (Status, Reason),
    /// `ResolvedRefs`: all of its references are resolved. It does not affect `Accepted`.
    pub resolved_refs: (Status, Reason),
    /// `PartiallyInvalid`, a negative condition: the object is accepted, and some of its rules are left out.
    pub partially_invalid: bool,
}

impl Acceptance {
    /// Decides about a route. It is accepted if one of its valid rules routes or rejects some traffic. The first unresolved
    /// reference gives the reason.
    ///
    /// ```
    /// use crd_channels_runtime::conditions::acceptance::{Acceptance, Protocol, Reference, Rule};
    /// use crd_channels_runtime::conditions::Status;
    ///
    /// let rule = Rule { is_valid: true, references: &[Reference::NotFound] };
    /// let http = Acceptance::of_route(&[rule], Protocol::Answers);
    /// assert_eq!((http.accepted.0, http.resolved_refs.0), (Status::True, Status::False));
    /// assert_eq!(http.resolved_refs.1.as_str(), "BackendNotFound");
    /// ```
    #[must_use]
    pub fn of_route(rules: &[Rule<'_>], protocol: Protocol) -> Self {
        let references = rules.iter().flat_map(|rule| rule.references);
        let failure = references.copied().find_map(Reference::failure);
        let makes_configuration = |rule: &&Rule<'_>| {
            rule.is_valid
                && (protocol == Protocol::Answers || rule.references.contains(&Reference::Resolved))
        };
        let is_accepted = rules.iter().any(|rule| makes_configuration(&rule));
        let all_valid = rules.iter().all(|rule| rule.is_valid);
        let accepted = match (is_accepted, all_valid, &failure) {
            (true, ..) => (Status::True, Reason::from_static("Accepted")),
            (false, true, Some(failure)) => (Status::False, failure.clone()),
            (false, ..) => (Status::False, Reason::from_static("UnsupportedValue")),
        };
        Self {
            accepted,
            resolved_refs: resolved(failure),
            partially_invalid: is_accepted && !all_valid,
        }
    }

    /// Decides about a gateway: its class must exist and be the controller's, and there must be capacity for it. A listener
    /// without its certificate produces no configuration, so `is_valid` is false if no other listener is left.
    #[must_use]
    pub fn of_gateway(is_valid: bool, has_capacity: bool, certificates: &[Reference]) -> Self {
        let failure = certificates.iter().copied().find_map(|reference| {
            reference.failure().map(|reason| match reference {
                Reference::NotFound => Reason::from_static("InvalidCertificateRef"),
                _ => reason,
            })
        });
        let accepted = match (is_valid, has_capacity) {
            (true, true) => (Status::True, Reason::from_static("Accepted")),
            (true, false) => (Status::False, Reason::from_static("NoResources")),
            (false, _) => (Status::False, Reason::from_static("Invalid")),
        };
        Self {
            accepted,
            resolved_refs: resolved(failure),
            partially_invalid: false,
        }
    }

    /// Decides about a policy or a grant: its spec must be valid and name its targets, even if none exist.
    #[must_use]
    pub fn of_policy(is_valid: bool, names_targets: bool) -> Self {
        let accepted = match is_valid && names_targets {
            true => (Status::True, Reason::from_static("Accepted")),
            false => (Status::False, Reason::from_static("Invalid")),
        };
        Self {
            accepted,
            resolved_refs: resolved(None),
            partially_invalid: false,
        }
    }
}

fn resolved(failure: Option<Reason>) -> (Status, Reason) {
    match failure {
        Some(failure) => (Status::False, failure),
        None => (Status::True, Reason::from_static("ResolvedRefs")),
    }
}
