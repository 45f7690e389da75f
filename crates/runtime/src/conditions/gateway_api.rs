//! Gateway API's rules for objects with invalid parts: whether they are accepted, and which conditions their references get
//! (GEP-1364, "Partial validity and Conditions").

use super::{ConditionType, ConditionWriter, Reason, State, Status};
use std::fmt;

/// `Accepted`: some configuration can be made of the object.
pub const ACCEPTED: ConditionType = ConditionType::positive("Accepted");

/// `ResolvedRefs`: all references are resolved. It does not affect `Accepted`.
pub const RESOLVED_REFS: ConditionType = ConditionType::positive("ResolvedRefs");

/// `PartiallyInvalid`: the object is accepted, and some of its rules are left out.
pub const PARTIALLY_INVALID: ConditionType = ConditionType::negative("PartiallyInvalid");

/// What a reference leads to.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Resolution {
    /// An object. A Service without endpoints counts.
    Resolved,
    /// There is no such object.
    NotFound,
    /// The object is in another namespace, and nothing there grants the reference.
    NotPermitted,
    /// The controller does not support the kind.
    UnsupportedKind,
}

/// A reference to another object: to a backend, to the resource of a filter, to a certificate.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub struct Reference<'r> {
    /// The object, for people: `Service default/web`.
    pub to: &'r str,
    /// What it leads to.
    pub resolution: Resolution,
}

impl<'r> Reference<'r> {
    /// A reference to an object, and what it leads to.
    #[must_use]
    pub const fn new(to: &'r str, resolution: Resolution) -> Self {
        Self { to, resolution }
    }

    const fn is_resolved(&self) -> bool {
        matches!(self.resolution, Resolution::Resolved)
    }

    /// The reason of `ResolvedRefs`, with a word of its own for an object that does not exist.
    const fn reason(&self, not_found: &'static str) -> &'static str {
        match self.resolution {
            Resolution::Resolved => "ResolvedRefs",
            Resolution::NotFound => not_found,
            Resolution::NotPermitted => "RefNotPermitted",
            Resolution::UnsupportedKind => "InvalidKind",
        }
    }
}

impl fmt::Display for Reference<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { to, resolution } = self;
        match resolution {
            Resolution::Resolved => out.write_str(to),
            Resolution::NotFound => write!(out, "{to} does not exist"),
            Resolution::NotPermitted => {
                write!(
                    out,
                    "{to} is in another namespace, which does not grant the reference"
                )
            }
            Resolution::UnsupportedKind => write!(out, "the kind of {to} is not supported"),
        }
    }
}

/// One rule of a route.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub struct Rule<'r> {
    /// Why it cannot be implemented, if so.
    pub problem: Option<&'r str>,
    /// Its references.
    pub references: &'r [Reference<'r>],
}

impl<'r> Rule<'r> {
    /// A rule that can be implemented.
    #[must_use]
    pub const fn valid(references: &'r [Reference<'r>]) -> Self {
        Self {
            problem: None,
            references,
        }
    }

    /// A rule that cannot be implemented; for example, because two of its filters exclude each other, or because the controller
    /// does not support one of its fields.
    #[must_use]
    pub const fn invalid(problem: &'r str, references: &'r [Reference<'r>]) -> Self {
        Self {
            problem: Some(problem),
            references,
        }
    }
}

/// The way in which a data plane can reject traffic that has no destination.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Protocol {
    /// By a response, as HTTP with the status 500.
    Answers,
    /// Not at all, as with TCP.
    IsSilent,
}

/// One listener of a gateway.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub struct Listener<'r> {
    /// Why it cannot be implemented, if so: its protocol is not supported.
    pub problem: Option<&'r str>,
    /// Its certificates. A listener that needs one and has none that is resolved produces no configuration.
    pub certificates: &'r [Reference<'r>],
}

impl<'r> Listener<'r> {
    /// A listener that can be implemented, with its certificates.
    #[must_use]
    pub const fn valid(certificates: &'r [Reference<'r>]) -> Self {
        Self {
            problem: None,
            certificates,
        }
    }

    /// A listener that cannot be implemented.
    #[must_use]
    pub const fn invalid(problem: &'r str) -> Self {
        Self {
            problem: Some(problem),
            certificates: &[],
        }
    }

    fn makes_configuration(&self) -> bool {
        let certificates = self.certificates;
        self.problem.is_none()
            && (certificates.is_empty() || certificates.iter().any(Reference::is_resolved))
    }
}

/// The conditions of an object.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Acceptance<'r> {
    /// [`ACCEPTED`].
    pub accepted: State,
    /// [`RESOLVED_REFS`]. The message names each reference that is not resolved.
    pub resolved_refs: State,
    /// [`PARTIALLY_INVALID`].
    pub partially_invalid: State,
    /// The references that are not resolved.
    pub unresolved: Vec<Reference<'r>>,
}

impl<'r> Acceptance<'r> {
    /// Decides about a route and one of its parents. The parent must exist and allow the route. Then the route is accepted if
    /// one of its valid rules routes or rejects some traffic. The first unresolved reference gives the reason.
    ///
    /// ```
    /// use crd_channels_runtime::conditions::gateway_api::{Acceptance, Protocol, Reference, Resolution, Rule};
    /// use crd_channels_runtime::conditions::Status;
    ///
    /// let parent = Reference::new("Gateway infra/public", Resolution::Resolved);
    /// let backends = [Reference::new("Service default/web", Resolution::NotFound)];
    /// let http = Acceptance::of_route(&parent, &[Rule::valid(&backends)], Protocol::Answers);
    /// assert_eq!((http.accepted.status, http.resolved_refs.status), (Status::True, Status::False));
    /// assert_eq!(http.resolved_refs.reason.as_str(), "BackendNotFound");
    /// assert_eq!(http.resolved_refs.message, "Service default/web does not exist");
    /// ```
    #[must_use]
    pub fn of_route(parent: &Reference<'_>, rules: &[Rule<'r>], protocol: Protocol) -> Self {
        let references = rules.iter().flat_map(|rule| rule.references);
        let (resolved_refs, unresolved) = resolved(references, "BackendNotFound");
        let makes_configuration = |rule: &Rule<'_>| {
            let reaches = || rule.references.iter().any(Reference::is_resolved);
            rule.problem.is_none() && (protocol == Protocol::Answers || reaches())
        };
        let problems = rules.iter().filter_map(|rule| rule.problem);
        let problems = problems.collect::<Vec<_>>().join("; ");
        let all_valid = rules.iter().all(|rule| rule.problem.is_none());
        let is_accepted = rules.iter().any(makes_configuration);
        let accepted = match (parent.resolution, is_accepted) {
            (Resolution::Resolved, true) => accepted(),
            (Resolution::Resolved, false) if all_valid && !unresolved.is_empty() => {
                resolved_refs.clone()
            }
            (Resolution::Resolved, false) => refused("UnsupportedValue", problems.clone()),
            (Resolution::NotFound, _) => refused("NoMatchingParent", parent.to_string()),
            _ => refused("NotAllowedByListeners", parent.to_string()),
        };
        let is_partial = accepted.status == Status::True && !all_valid;
        let partially_invalid = match is_partial {
            true => State::new(Status::True, UNSUPPORTED_VALUE, problems),
            false => State::new(Status::False, Reason::from_static("Valid"), ""),
        };
        Self {
            accepted,
            resolved_refs,
            partially_invalid,
            unresolved,
        }
    }

    /// Decides about a gateway: its class must exist and be the controller's, there must be capacity for it, and one of its
    /// listeners must produce some configuration.
    #[must_use]
    pub fn of_gateway(
        class: &Reference<'_>,
        has_capacity: bool,
        listeners: &[Listener<'r>],
    ) -> Self {
        let certificates = listeners.iter().flat_map(|listener| listener.certificates);
        let (resolved_refs, unresolved) = resolved(certificates, "InvalidCertificateRef");
        let problems = listeners.iter().filter_map(|listener| listener.problem);
        let problems: Vec<&str> = problems.collect();
        let accepted = if !class.is_resolved() {
            refused("Invalid", class.to_string())
        } else if !has_capacity {
            refused("NoResources", "")
        } else if listeners.iter().any(Listener::makes_configuration) {
            accepted()
        } else {
            refused("ListenersNotValid", problems.join("; "))
        };
        Self {
            accepted,
            resolved_refs,
            partially_invalid: State::new(Status::False, Reason::from_static("Valid"), ""),
            unresolved,
        }
    }

    /// Decides about a policy or a grant: its spec must be valid and name its targets, even if none exist.
    #[must_use]
    pub fn of_policy(is_valid: bool, names_targets: bool) -> Self {
        let accepted = match is_valid && names_targets {
            true => accepted(),
            false => refused("Invalid", ""),
        };
        Self {
            accepted,
            resolved_refs: resolved([], "TargetNotFound").0,
            partially_invalid: State::new(Status::False, Reason::from_static("Valid"), ""),
            unresolved: Vec::new(),
        }
    }

    /// Sets the three conditions, and the deprecated ones that they replace.
    pub fn write(&self, writer: &mut ConditionWriter<'_>) {
        writer
            .set_state(ACCEPTED, &self.accepted)
            .set_state(RESOLVED_REFS, &self.resolved_refs)
            .set_state(PARTIALLY_INVALID, &self.partially_invalid);
    }
}

const UNSUPPORTED_VALUE: Reason = Reason::from_static("UnsupportedValue");
const RESOLVED: Reason = Reason::from_static("ResolvedRefs");

fn accepted() -> State {
    State::new(Status::True, Reason::from_static("Accepted"), "")
}

fn refused(reason: &'static str, message: impl Into<String>) -> State {
    State::new(Status::False, Reason::from_static(reason), message)
}

/// The state of `ResolvedRefs`, and the references that are not resolved.
fn resolved<'a, 'r: 'a>(
    references: impl IntoIterator<Item = &'a Reference<'r>>,
    not_found: &'static str,
) -> (State, Vec<Reference<'r>>) {
    let references = references.into_iter().copied();
    let unresolved: Vec<Reference<'r>> = references.filter(|one| !one.is_resolved()).collect();
    let state = match unresolved.first() {
        Some(first) => {
            let all: Vec<String> = unresolved.iter().map(Reference::to_string).collect();
            refused(first.reason(not_found), all.join("; "))
        }
        None => State::new(Status::True, RESOLVED, ""),
    };
    (state, unresolved)
}
