//! One condition from others: of the same object, of its children, or of a child as it is.

use super::{
    AnyCondition, ConditionType, HasConditions, Polarity, Reason, Severity, State, Status,
};

/// The reason of a summary without a problem.
const HEALTHY: Reason = Reason::from_static("AllHealthy");

/// The summary of an object's conditions, for a condition such as `Ready`. `types` are in the order of their importance.
///
/// If one is unhealthy by its polarity, the summary is `False`; otherwise, if one is unknown, is about an earlier generation, or
/// is positive and missing, it is `Unknown`; otherwise `True`. The reason is that of the most serious and then the most
/// important one. The message has all that are unhealthy, or else all that are unknown.
///
/// ```
/// use crd_channels_runtime::conditions::gateway_api::{ACCEPTED, PARTIALLY_INVALID};
/// use crd_channels_runtime::conditions::{ConditionWriter, NoConditions, Reason, State, Status, summary};
///
/// let invalid = Reason::from_static("UnsupportedValue");
/// let mut conditions = Vec::new();
/// ConditionWriter::for_list::<NoConditions>(&mut conditions, 1)
///     .set_state(ACCEPTED, &State::new(Status::True, Reason::from_static("Accepted"), ""))
///     .set_state(PARTIALLY_INVALID, &State::new(Status::True, invalid, "The second rule has no path."));
/// let found = summary(&conditions, &[ACCEPTED, PARTIALLY_INVALID]);
/// assert_eq!((found.status, found.reason.as_str()), (Status::False, "UnsupportedValue"));
/// assert_eq!(found.message, "PartiallyInvalid: The second rule has no path.");
/// ```
#[must_use]
pub fn summary<L: HasConditions + ?Sized>(of: &L, types: &[ConditionType]) -> State {
    let parts = types.iter().map(|one| {
        let found = one.find(of);
        let severity = found.and_then(AnyCondition::severity);
        let (status, state) = match found {
            None if one.polarity() == Polarity::Negative => {
                (Status::True, State::new(Status::True, HEALTHY, ""))
            }
            None => (Status::Unknown, State::pending("it is not set")),
            Some(_) if one.is_stale(of) => (
                Status::Unknown,
                State::pending("it is about an earlier generation"),
            ),
            Some(found) => {
                let state = State::of(found);
                let status = match one.polarity() {
                    Polarity::Positive => state.status,
                    Polarity::Negative => state.status.opposite(),
                };
                (status, state)
            }
        };
        (one.name(), status, severity, state)
    });
    worst(parts)
}

/// The summary of the states of several objects, each with its name: of children whose [`Readiness`](super::Readiness) is asked
/// for, or whose conditions are [`mirror`]ed. The rules are those of [`summary`].
///
/// ```
/// use crd_channels_runtime::conditions::{Readiness, Status, summary_of_children};
/// use k8s_openapi::api::apps::v1::{Deployment, StatefulSet};
///
/// let (web, data) = (Deployment::default(), StatefulSet::default());
/// let found = summary_of_children([("Deployment web", web.readiness()), ("StatefulSet data", data.readiness())]);
/// assert_eq!(found.status, Status::Unknown);
/// ```
#[must_use]
pub fn summary_of_children<N: AsRef<str>>(children: impl IntoIterator<Item = (N, State)>) -> State {
    let children: Vec<(N, State)> = children.into_iter().collect();
    let parts = children.iter().map(|(name, state)| {
        let state = state.clone();
        (name.as_ref(), state.status, None, state)
    });
    worst(parts)
}

/// The state of another object's condition, to show it as one's own: unknown if it is missing or about an earlier generation.
/// If the types have opposite polarities, use the type of the source, and [`summary`] for the opposite.
#[must_use]
pub fn mirror<L: HasConditions + ?Sized>(of: &L, source: ConditionType) -> State {
    match source.find(of) {
        Some(_) if source.is_stale(of) => State::pending(format!(
            "`{}` is about an earlier generation",
            source.name()
        )),
        Some(found) => State::of(found),
        None if source.polarity() == Polarity::Negative => State::new(Status::False, HEALTHY, ""),
        None => State::pending(format!("`{}` is not set", source.name())),
    }
}

/// The worst of several states: their names, whether they are healthy, how serious they are if not, and what they say.
fn worst<'n>(parts: impl Iterator<Item = (&'n str, Status, Option<Severity>, State)>) -> State {
    let parts: Vec<_> = parts.collect();
    for status in [Status::False, Status::Unknown] {
        let mut found: Vec<_> = parts.iter().filter(|part| part.1 == status).collect();
        found.sort_by_key(|part| match part.2 {
            Some(Severity::Error) => 0,
            None => 1,
            Some(Severity::Warning) => 2,
            Some(Severity::Info) => 3,
        });
        let Some((_, _, _, first)) = found.first() else {
            continue;
        };
        let lines = found
            .iter()
            .map(|(name, _, _, state)| match &*state.message {
                "" => format!("{name}: {}", state.reason),
                message => format!("{name}: {message}"),
            });
        let message = lines.collect::<Vec<_>>().join("\n");
        return State::new(status, first.reason.clone(), message);
    }
    State::new(Status::True, HEALTHY, "")
}
